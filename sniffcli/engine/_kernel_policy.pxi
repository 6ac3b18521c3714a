cdef class Policies(Turns):
    """What each seat chooses: the twin of `playout.choose` and of features.py."""

    cdef Style styles[SEATS]
    #: Whether somebody weighs, and so must be told which tiles cannot be placed.
    cdef int weighing
    cdef uint64_t suits[64]
    #: Per table where its scoring replies begin in the pool (-1: nobody has asked).
    cdef int32_t* level_at
    cdef int level_room
    cdef Level* levels
    cdef int levels_used
    cdef int levels_room

    def __cinit__(self, spec):
        cdef int tile
        for tile, mask in enumerate(suits_of(spec)):
            self.suits[tile] = mask

    def __dealloc__(self):
        free(self.level_at)
        free(self.levels)

    cdef int _follow_policies(self, policies) except -1:
        """Let each seat follow its policy from now on."""
        cdef int seat, phase, k
        self.weighing = 0
        for seat in range(self.seats):
            policy = policies[seat]
            self.styles[seat].kind = policy.kind
            if policy.kind == WEIGHTED:
                self.weighing = 1
                for phase in range(PHASES):
                    for k in range(FEATURES):
                        self.styles[seat].weights[phase][k] = policy.weights[phase][k]
        return 0

    @cython.final
    cdef int _add_levels(self, int fid) except -1 nogil:
        """Lay every tile that fits, and note which make how many points, the most first."""
        cdef Level found[64]
        cdef Level one
        cdef int count = 0, best, at, k, t, room
        cdef uint64_t fits = self.fitting(fid)
        cdef void* moved
        while fits:
            t = lowest(fits)
            fits &= fits - 1
            at = self.row(fid, t)
            best = 0
            for k in range(self.ways(at)):
                best = max(best, self.worth[self.way(at, k)])
            if best <= 0:
                continue
            k = 0
            while k < count and found[k].worth > best:
                k += 1
            if k == count or found[k].worth != best:
                one.worth = best
                one.mask = 0
                for room in range(count, k, -1):
                    found[room] = found[room - 1]
                found[k] = one
                count += 1
            found[k].mask |= <uint64_t>1 << t
        if fid >= self.level_room:
            room = max(1024, 2 * (fid + 1))
            moved = realloc(self.level_at, room * sizeof(int32_t))
            if moved == NULL:
                with gil:
                    raise MemoryError
            self.level_at = <int32_t*>moved
            for k in range(self.level_room, room):
                self.level_at[k] = -1
            self.level_room = room
        if self.levels_used + count + 1 > self.levels_room:
            room = max(1024, 2 * (self.levels_used + count + 1))
            moved = realloc(self.levels, room * sizeof(Level))
            if moved == NULL:
                with gil:
                    raise MemoryError
            self.levels = <Level*>moved
            self.levels_room = room
        self.levels[self.levels_used].worth = count
        for k in range(count):
            self.levels[self.levels_used + 1 + k] = found[k]
        self.level_at[fid] = self.levels_used
        self.levels_used += 1 + count
        return 0

    @cython.final
    cdef inline int levels_of(self, int fid) except -1 nogil:
        """Return where the scoring replies to a table begin: their number, then each of them."""
        if fid >= self.level_room or self.level_at[fid] < 0:
            self._add_levels(fid)
        return self.level_at[fid]

    @cython.final
    cdef inline int credited(self, Node* n, uint64_t bit, int value) noexcept nogil:
        """Return what the tile with BIT would be credited with to the seat on turn."""
        cdef int out, paid, out_bonus
        if self.plain or not value:
            return value
        n.hands[n.turn] ^= bit
        out = 0 if self.declare else self.goes_out(n, n.turn)
        paid = self.tile_credit(n, n.turn, value, out, &out_bonus)
        n.hands[n.turn] ^= bit
        return paid

    @cython.final
    cdef int chosen(
        self, Node* n, uint64_t playable, uint64_t boneyard, uint64_t random, int* tile, int* after
    ) except -1 nogil:
        """Choose a play by the policy of the seat on turn; BONEYARD is what lies there."""
        cdef int t, at, k, ways, value, pips, best = -1, best_pips = -1, count = 0
        cdef int policy = self.styles[n.turn].kind
        cdef uint64_t left = playable, bit
        if policy == WEIGHTED:
            return self.weighed(n, playable, boneyard, tile, after)
        if policy == RANDOM:
            while left:
                t = highest(left)
                left ^= <uint64_t>1 << t
                at = self.row(n.frontier, t)
                count += self.ways(at)
            count = <int>((random >> 11) % <uint64_t>count)
            left = playable
            while left:
                t = highest(left)
                left ^= <uint64_t>1 << t
                at = self.row(n.frontier, t)
                if count < self.ways(at):
                    tile[0] = t
                    after[0] = self.way(at, count)
                    return 0
                count -= self.ways(at)
        tile[0] = -1
        while left:
            t = highest(left)
            bit = <uint64_t>1 << t
            left ^= bit
            at = self.row(n.frontier, t)
            ways = self.ways(at)
            pips = self.pips[t]
            for k in range(ways):
                value = self.worth[self.way(at, k)]
                if not n.frontier and not self.lead_scores:
                    value = 0
                if policy != BLIND:
                    value = self.credited(n, bit, value)
                if value > best or (value == best and pips > best_pips) or tile[0] < 0:
                    best, best_pips = value, pips
                    tile[0] = t
                    after[0] = self.way(at, k)
        return 0

    @cython.final
    cdef int weighed(
        self, Node* n, uint64_t playable, uint64_t boneyard, int* tile, int* after
    ) except -1 nogil:
        """Choose the play that weighs most."""
        cdef uint64_t hand = n.hands[n.turn], unseen = boneyard, kept, fits, bit
        cdef int side = self.sides[n.turn], least = 0, seat, t, at, k, ways, table, value, size
        cdef int64_t weight, best = 0
        cdef int64_t* weights
        for seat in range(self.seats):
            if seat != n.turn:
                unseen |= n.hands[seat]
                if n.hands[seat] and self.sides[seat] != side:
                    size = popcount(n.hands[seat])
                    if not least or size < least:
                        least = size
        weights = self.styles[n.turn].weights[1 if least <= FEW else 0]
        size = popcount(unseen)
        tile[0] = -1
        while playable:
            t = highest(playable)
            bit = <uint64_t>1 << t
            playable ^= bit
            kept = hand ^ bit
            at = self.row(n.frontier, t)
            ways = self.ways(at)
            for k in range(ways):
                table = self.way(at, k)
                value = self.worth[table] if n.frontier or self.lead_scores else 0
                value = self.credited(n, bit, value)
                fits = self.fitting(table)
                weight = self.weight(
                    weights, t, value, kept, fits, unseen, size, self.levels_of(table)
                )
                if tile[0] < 0 or weight > best:
                    best = weight
                    tile[0] = t
                    after[0] = table
        return 0

    @cython.final
    cdef inline int64_t weight(
        self,
        int64_t* weights,
        int tile,
        int value,
        uint64_t kept,
        uint64_t fits,
        uint64_t unseen,
        int size,
        int level,
    ) noexcept nogil:
        cdef int moves = popcount(kept & fits), following = 0, reply = 0, k
        cdef int64_t own
        cdef uint64_t suits = 0, left = kept
        for k in range(level + 1, level + 1 + self.levels[level].worth):
            if not following and self.levels[k].mask & kept:
                following = self.levels[k].worth
            reply += self.levels[k].worth * popcount(self.levels[k].mask & unseen)
        while left:
            suits |= self.suits[lowest(left)]
            left &= left - 1
        own = (
            weights[W_POINTS] * value
            + weights[W_PIPS] * self.pips[tile]
            + weights[W_MOVES] * moves
            + weights[W_NEXT_POINTS] * following
            + weights[W_VARIETY] * popcount(suits)
        )
        if self.doubles >> tile & 1:
            own += weights[W_DOUBLE]
        if not kept:
            own += weights[W_OUT]
        elif not moves:
            own += weights[W_STUCK]
        return (
            own * (size if size else 1)
            + weights[W_REPLY] * reply
            + weights[W_FITTING] * popcount(fits & unseen)
        )
