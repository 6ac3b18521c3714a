cdef class Playouts(Policies):
    """Play-outs: the twin of playout.py."""

    @cython.final
    cdef int run(
        self, Node* n, int tile, int after, uint64_t random, int32_t* out
    ) except -1 nogil:
        """Play out from N, beginning with an action (tile -1: by the policy); fill OUT."""
        cdef int me = n.turn, part = PLAY_NOW, over = 0, k, limit
        cdef uint64_t playable, boneyard = 0
        cdef Gains g
        for k in range(5 * self.side_count):
            out[k] = 0
        if self.weighing:
            for k in range(n.taken, self.stock_size):
                boneyard |= <uint64_t>1 << self.stock[k]
        while not over:
            if part == PLAY_REPLY:
                if n.turn == me:
                    part = PLAY_NEXT
            elif part == PLAY_NEXT and n.turn != me:
                part = PLAY_REST
            if tile == -1:
                if n.frontier:
                    playable = n.hands[n.turn] & self.fitting(n.frontier)
                    if n.last >= 0 and self.binds:
                        playable = self.bound(playable, n.last)
                else:
                    playable = self.leading(n)
                if playable:
                    if self.styles[n.turn].kind == RANDOM:
                        random = mixed(random)
                    self.chosen(n, playable, boneyard, random, &tile, &after)
                else:
                    tile = PASS
                    if self.drawable(n):
                        limit = self.limit[n.frontier]
                        if not n.frontier:
                            if self.lead_draws:
                                tile = DRAW
                        elif (not n.extra or self.extra_forced) and (
                            limit < 0 or n.drawn < limit
                        ):
                            tile = DRAW
            if tile >= 0:
                over = self.play(n, tile, after, &g)
            elif tile == DRAW:
                boneyard &= ~(<uint64_t>1 << self.stock[n.taken])
                over = self.draw(n, &g)
            else:
                over = self.knock(n, &g)
            tile = -1
            for k in range(self.side_count):
                out[5 * k + part] += g.made[k]
            if part == PLAY_NOW:
                part = PLAY_REPLY
        for k in range(self.side_count):
            out[5 * k + PLAY_END] += g.end[k]
            out[5 * self.side_count + k] = n.scores[k]
        out[6 * self.side_count] = g.how
        out[6 * self.side_count + 1] = n.closer
        return 0

    @cython.final
    cdef int _load(self, Node* n, position, int follow) except -1:
        """Copy a position into N and its boneyard into the kernel."""
        cdef int k
        if len(position.boneyard) > 64:
            raise ValueError("the native kernel holds at most 64 tiles")
        memset(n, 0, sizeof(Node))
        self.stock_size = len(position.boneyard)
        for k in range(self.stock_size):
            self.stock[k] = position.boneyard[k]
        self.drawable_end = 0 if self.draw_when == NEVER else self.stock_size - self.reserve
        self.leader = position.leader
        self.follow = follow
        for k in range(self.seats):
            n.hands[k] = position.hands[k]
        if follow:
            for k in range(self.side_count):
                n.scores[k] = position.scores[k]
            n.entered = position.entered
        n.frontier = self._own(position.frontier)
        n.turn = position.turn
        n.drawn = position.drawn
        n.last = position.last_drawn if self.binds else -1
        n.passes = position.passes
        n.extra = position.extra
        n.must_lead = position.must_lead
        n.seeking = position.seeking
        n.closer = position.closer
        return 0

    @cython.final
    cdef int _each(
        self, Node* start, int* tiles, int* afters, int count, uint64_t random, int32_t* out
    ) except -1 nogil:
        """Play a position out once after each of COUNT first actions."""
        cdef int k
        cdef Node n
        for k in range(count):
            n = start[0]
            self.run(&n, tiles[k], afters[k], random, out + k * (6 * self.side_count + 2))
        return 0

    @cython.final
    cdef int _watch(self) except -1 with gil:
        """Let Ctrl-C be heard."""
        PyErr_CheckSignals()
        return 0

    def play_outs(self, positions, firsts, policies, uint64_t seed):
        """Return the outcomes of each first action in each position as one flat array.

        POLICIES has one for each seat. Each outcome is, per side, its points by part, then the
        scores per side, how, and closer.
        """
        cdef Py_ssize_t number
        cdef int count = len(firsts), row = count * (6 * self.side_count + 2)
        cdef int32_t[::1] out
        cdef Node start
        cdef uint64_t random
        result = array("i", bytes(4 * row * len(positions)))
        if not result:
            return result
        out = result
        with Firsts(self, firsts, policies) as asked:
            for number, position in enumerate(positions):
                self._load(&start, position, 1)
                random = mixed(seed + <uint64_t>number)
                with nogil:
                    self._each(
                        &start, (<Firsts>asked).tiles, (<Firsts>asked).afters, count, random,
                        &out[number * row],
                    )
                if number & 255 == 255:
                    PyErr_CheckSignals()
        return result

    def play_deals(
        self, position, Py_ssize_t deals, const uint64_t[::1] hands, const uint8_t[::1] boneyards,
        firsts, policies, uint64_t seed,
    ):
        """Return the same for many deals of one position, given by their hands and boneyards."""
        cdef Py_ssize_t number, size = boneyards.shape[0] // deals if deals else 0
        cdef int k, count = len(firsts), row = count * (6 * self.side_count + 2)
        cdef int32_t[::1] out
        cdef Node start
        cdef int* tiles
        cdef int* afters
        result = array("i", bytes(4 * row * deals))
        if not result:
            return result
        if size > 64:
            raise ValueError("the native kernel holds at most 64 tiles")
        out = result
        with Firsts(self, firsts, policies) as asked:
            tiles, afters = (<Firsts>asked).tiles, (<Firsts>asked).afters
            self._load(&start, position, 1)
            with nogil:
                for number in range(deals):
                    for k in range(self.seats):
                        start.hands[k] = hands[number * self.seats + k]
                    self._stock(&boneyards[number * size] if size else NULL, <int>size)
                    self._each(
                        &start, tiles, afters, count, mixed(seed + <uint64_t>number),
                        &out[number * row],
                    )
                    if number & 255 == 255:
                        self._watch()
        return result

    @cython.final
    cdef void _stock(self, const uint8_t* boneyard, int size) noexcept nogil:
        """Take over a boneyard."""
        self.stock_size = size
        if size:
            memcpy(self.stock, boneyard, size)
        self.drawable_end = 0 if self.draw_when == NEVER else size - self.reserve


cdef class Firsts:
    """First actions as flat rows, and the kernel for as long as they are played out by policies."""

    cdef Playouts kernel
    cdef int* tiles
    cdef int* afters
    cdef object policies
    cdef int follow_drawn

    def __cinit__(self, Playouts kernel, firsts, policies):
        cdef int k, count = len(firsts)
        self.kernel = kernel
        self.policies = policies
        self.tiles = <int*>malloc((count or 1) * sizeof(int))
        self.afters = <int*>malloc((count or 1) * sizeof(int))
        if self.tiles == NULL or self.afters == NULL:
            raise MemoryError
        with kernel.lock:
            for k in range(count):
                tile, after = (-1, 0) if firsts[k] is None else firsts[k]
                self.tiles[k], self.afters[k] = tile, kernel._own(after) if tile >= 0 else 0

    def __dealloc__(self):
        free(self.tiles)
        free(self.afters)

    def __enter__(self):
        self.kernel.lock.acquire()
        try:
            self.kernel._follow_policies(self.policies)
        except BaseException:
            self.kernel.lock.release()
            raise
        self.follow_drawn = self.kernel.follow_drawn
        self.kernel.follow_drawn = 1
        return self

    def __exit__(self, *failure):
        self.kernel.follow_drawn = self.follow_drawn
        self.kernel.lock.release()
