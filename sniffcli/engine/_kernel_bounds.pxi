cdef class Bounds(Playouts):
    """What searches of one position share: the table of bounds, and the count of nodes."""

    cdef void* memory
    cdef Entry* entries
    cdef uint64_t entry_mask
    cdef int entry_bits
    cdef uint64_t used
    cdef long long nodes
    cdef long long budget
    #: The number of nodes at which a search looks up from its work.
    cdef long long pause_at

    def __cinit__(self, spec):
        self.memory = NULL
        self.entries = NULL

    def __dealloc__(self):
        free(self.memory)

    @cython.final
    cdef inline Entry* find(self, uint64_t key) noexcept nogil:
        """Return what is known of a node, or NULL."""
        cdef Entry* entry = &self.entries[(key & self.entry_mask) * BUCKET]
        cdef int k
        for k in range(BUCKET):
            if entry[k].check == key:
                return &entry[k]
        return NULL

    @cython.final
    cdef Entry* place(self, uint64_t key) noexcept nogil:
        """Return where to write a node that is not known: a free entry, else the shallowest."""
        cdef Entry* entry = &self.entries[(key & self.entry_mask) * BUCKET]
        cdef int k, worst = 0
        for k in range(BUCKET):
            if not entry[k].check:
                self.used += 1
                return &entry[k]
            if entry[k].depth < entry[worst].depth:
                worst = k
        return &entry[worst]

    @cython.final
    cdef int _allot(self, int bits) except -1 with gil:
        """Give the table of bounds room for 2 ** BITS buckets, keeping what it holds."""
        cdef uint64_t size = <uint64_t>1 << bits, k
        cdef void* before = self.memory
        cdef Entry* old = self.entries
        cdef uint64_t count = 0 if old == NULL else (self.entry_mask + 1) * BUCKET
        cdef Entry* to
        cdef void* fresh = calloc(size * BUCKET + BUCKET, sizeof(Entry))
        if fresh == NULL:
            raise MemoryError
        self.memory = fresh
        # Every bucket begins with a cache line.
        self.entries = <Entry*>((<uint64_t>fresh + LINE - 1) & ~<uint64_t>(LINE - 1))
        self.entry_mask = size - 1
        self.entry_bits = bits
        self.used = 0
        for k in range(count):
            if old[k].check:
                to = self.place(old[k].check)
                to[0] = old[k]
        free(before)
        return 0

    @cython.final
    cdef int _pause(self) except -1 with gil:
        """Let Ctrl-C through; stop when the budget is used up."""
        PyErr_CheckSignals()
        if self.nodes > self.budget:
            raise Exceeded
        self.pause_at = min(self.budget + 1, self.nodes + PAUSE)
        return 0

    @cython.final
    cdef int _clear(self, long long budget) except -1:
        """Begin a search with an empty table of bounds."""
        if self.entries != NULL and self.entry_bits == LEAST_BITS:
            memset(self.entries, 0, (self.entry_mask + 1) * BUCKET * sizeof(Entry))
            self.used = 0
        else:
            free(self.memory)
            self.memory = self.entries = NULL
            self._allot(LEAST_BITS)
        self.nodes = 0
        self.budget = budget
        self.pause_at = min(budget + 1, <long long>PAUSE)
        return 0

    @cython.final
    cdef Entry* _known(self, uint64_t key, int depth) except NULL nogil:
        """Return where to write what was found of a node; DEPTH: how many tiles are left."""
        cdef Entry* known = self.find(key)
        if known != NULL:
            return known
        if self.used > (self.entry_mask + 1) * (BUCKET - 1) and self.entry_bits < MOST_BITS:
            self._allot(self.entry_bits + 2)
        known = self.place(key)
        known.check = key
        known.low = -LARGE
        known.high = LARGE
        known.depth = depth
        return known
