cdef class Spreads:
    """Deals by one counting table: the twin of `counting.Table.sample`.

    The states of the table (a step, and the mix of tiles dealt before it) get numbers as they are
    first come to; what leads on from one is asked of the table once. States behind the last step
    keep there what the last class of alike tiles gives to each hand.
    """
    cdef object table
    cdef list states
    cdef list numbers
    cdef int steps
    cdef int others
    cdef int alike
    cdef uint8_t tiles[64]
    cdef uint8_t last[64]
    # Per state the place of its first way on in the three rows below (-1: not asked yet).
    cdef int32_t* first
    cdef int state_room
    cdef double* bounds
    cdef int8_t* slots
    cdef int32_t* afters
    cdef int used
    cdef int room

    def __cinit__(self, table, int others):
        cdef int k
        if len(table.tiles) > 64 or len(table.last) > 64:
            raise ValueError("the native kernel holds at most 64 tiles")
        self.table = table
        self.others = others
        self.steps = len(table.tiles)
        self.alike = len(table.last)
        for k in range(self.steps):
            self.tiles[k] = table.tiles[k]
        for k in range(self.alike):
            self.last[k] = table.last[k]
        self.states = []
        self.numbers = [{} for _ in range(self.steps + 1)]
        self._number(0, 0)

    def __dealloc__(self):
        free(self.first)
        free(self.bounds)
        free(self.slots)
        free(self.afters)

    cdef int _number(self, int index, mix) except -1:
        """Return the number of a state."""
        cdef int state
        known = (<dict>self.numbers[index]).get(mix)
        if known is not None:
            return known
        state = len(self.states)
        if state >= self.state_room:
            room = max(64, 2 * state)
            moved = <int32_t*>realloc(self.first, <size_t>room * sizeof(int32_t))
            if moved == NULL:
                raise MemoryError
            self.first = moved
            self.state_room = room
        self.first[state] = -1
        self.states.append((index, mix))
        (<dict>self.numbers[index])[mix] = state
        return state

    cdef int _reserve(self, int more) except -1:
        """Make room for more ways on."""
        cdef int room
        cdef void* moved
        if self.used + more <= self.room:
            return 0
        room = max(256, 2 * (self.used + more))
        moved = realloc(self.bounds, <size_t>room * sizeof(double))
        if moved == NULL:
            raise MemoryError
        self.bounds = <double*>moved
        moved = realloc(self.slots, room)
        if moved == NULL:
            raise MemoryError
        self.slots = <int8_t*>moved
        moved = realloc(self.afters, <size_t>room * sizeof(int32_t))
        if moved == NULL:
            raise MemoryError
        self.afters = <int32_t*>moved
        self.room = room
        return 0

    cdef int _ask(self, int state) except -1:
        """Ask the table what leads on from a state."""
        cdef int at, k, after
        index, mix = self.states[state]
        if index == self.steps:
            shares = self.table.shares(mix)
            self._reserve(self.others)
            at = self.used
            for k in range(self.others):
                self.slots[at + k] = shares[k]
            self.used += self.others
        else:
            bounds, found = self.table.choice(index, mix)
            self._reserve(len(found))
            at = self.used
            for k in range(len(found)):
                after = self._number(index + 1, found[k][1])
                self.bounds[at + k] = bounds[k]
                self.slots[at + k] = found[k][0]
                self.afters[at + k] = after
            self.used += len(found)
        self.first[state] = at
        return 0

    cdef int deal(self, draw, uint64_t* hands, uint8_t* deck) except -1:
        """Draw one deal: fill HANDS, one per other seat, and DECK, the boneyard in its order."""
        cdef int index, at, slot, k, state = 0, chosen, size = self.alike, extras = 0
        cdef double number
        cdef uint8_t one
        cdef uint8_t extra[64]
        for slot in range(self.others):
            hands[slot] = 0
        for index in range(self.steps):
            if self.first[state] < 0:
                self._ask(state)
            at = self.first[state]
            # The last way on has a bound above one; a way without another takes no number.
            if self.bounds[at] < 1.5:
                number = <double>draw()
                while number >= self.bounds[at]:
                    at += 1
            slot = self.slots[at]
            state = self.afters[at]
            if slot < 0:
                extra[extras] = self.tiles[index]
                extras += 1
            else:
                hands[slot] |= <uint64_t>1 << self.tiles[index]
        if self.first[state] < 0:
            self._ask(state)
        at = self.first[state]
        memcpy(deck, self.last, size)
        for k in range(size - 1, 0, -1):
            chosen = <int>(<double>draw() * (k + 1))
            one = deck[k]
            deck[k] = deck[chosen]
            deck[chosen] = one
        for slot in range(self.others):
            for k in range(self.slots[at + slot]):
                size -= 1
                hands[slot] |= <uint64_t>1 << deck[size]
        for index in range(extras):
            chosen = <int>(<double>draw() * (size + 1))
            for k in range(size, chosen, -1):
                deck[k] = deck[k - 1]
            deck[chosen] = extra[index]
            size += 1
        return size


cdef class Sampler:
    """Draws worlds by the thousand: the twin of `worlds.Worlds.sample`."""
    cdef list tables
    cdef list sizes
    cdef int seats
    cdef int others
    cdef int boneyard
    cdef int seat_of[SEATS]
    cdef int me
    cdef uint64_t mine

    def __cinit__(self, tables, int seats, others, int me, mine, int boneyard):
        """TABLES are those of the deals; OTHERS are the other seats, ME and MINE seat and hand."""
        cdef int k
        if seats > SEATS:
            raise ValueError("too many seats for the native kernel")
        self.seats, self.others = seats, len(others)
        for k in range(self.others):
            self.seat_of[k] = others[k]
        self.me, self.mine, self.boneyard = me, mine, boneyard
        self.tables = [Spreads(table, self.others) for table in tables]
        self.sizes = [float(table.deals) for table in tables]
        # The whole number is turned into a float once, as Python does in a product.
        self.sizes.append(float(sum(table.deals for table in tables)))

    def draw(self, rng, Py_ssize_t count):
        """Draw COUNT worlds; return the hands and the boneyards, world after world."""
        cdef Py_ssize_t number
        cdef int k, nth, size
        cdef double left
        cdef uint64_t held[SEATS]
        cdef uint8_t deck[128]
        cdef uint64_t[::1] hands
        cdef uint8_t[::1] stock
        cdef Spreads table
        random = rng.random
        drawn = array("Q", bytes(8 * self.seats * count))
        boneyards = bytearray(self.boneyard * count)
        if not count:
            return drawn, boneyards
        hands, stock = drawn, boneyards
        nth = len(self.tables) - 1
        for number in range(count):
            if len(self.tables) > 1:
                left = <double>random() * <double>self.sizes[len(self.tables)]
                for nth in range(len(self.tables)):
                    left -= <double>self.sizes[nth]
                    if left < 0:
                        break
            table = self.tables[nth]
            size = table.deal(random, held, deck)
            if size != self.boneyard:
                raise AssertionError("a deal leaves another boneyard than the table of deals")
            hands[number * self.seats + self.me] = self.mine
            for k in range(self.others):
                hands[number * self.seats + self.seat_of[k]] = held[k]
            for k in range(size):
                stock[number * size + k] = deck[k]
            if number & 255 == 255:
                PyErr_CheckSignals()
        return drawn, boneyards
