cdef class Mirror:
    """The mirror of the frontier table, and the spec, on flat arrays."""

    cdef object table
    cdef object lock
    cdef public object spec
    # The mirror of the frontier table.
    cdef int known
    cdef int room
    cdef int top
    cdef int32_t* worth
    cdef int32_t* limit
    cdef uint64_t* fits
    cdef uint8_t* has_fits
    cdef int32_t* rows
    cdef int32_t* pool
    cdef int pool_used
    cdef int pool_room
    # The spec, flat.
    cdef int seats, side_count
    cdef int sides[SEATS]
    cdef int pips[64]
    cdef int hand_pips[64]
    cdef uint64_t doubles, wild, leads, deciding, every
    cdef int lead_rule, lead_qualifying, lead_draws, lead_scores
    cdef int draw_when, draw_then, reserve, forced_wild, knock_bonus, pass_penalty
    cdef int extra_double, extra_score, extra_forced, both_out
    cdef int out_award, out_fixed, blocked_winner, blocked_award, blocked_fixed, blocked_tie
    cdef int round_to, round_mode, round_per_hand, round_blocked, divide
    cdef int declare, last_claim, entry, target, exact, bounce, bundle, stops
    cdef int win_on_out, loser_resets, plain
    cdef int near_count
    cdef int near_missing[64]
    cdef int near_most[64]
    cdef int follow_drawn, binds
    cdef size_t node_size
    # The position being worked on.
    cdef uint8_t stock[64]
    cdef int stock_size
    cdef int drawable_end
    cdef int leader
    cdef int follow

    def __cinit__(self, spec):
        cdef int seat, one
        if spec.top > 64:
            raise ValueError("the native kernel holds at most 64 tiles")
        self.spec = spec
        self.table = spec.table
        self.lock = threading.Lock()
        self.top = spec.top
        self.known = self.room = 0
        self.pool_used = self.pool_room = 0
        self.seats = spec.seats
        self.side_count = spec.side_count
        for seat in range(self.seats):
            self.sides[seat] = spec.sides[seat]
        for one in range(self.top):
            self.pips[one] = spec.pips[one]
            self.hand_pips[one] = spec.hand_pips[one]
        self.every, self.doubles, self.wild = spec.every, spec.doubles, spec.wild
        self.leads, self.deciding = spec.leads, spec.deciding
        self.lead_rule, self.lead_qualifying = spec.lead_rule, spec.lead_qualifying
        self.lead_draws, self.lead_scores = spec.lead_draws, spec.lead_scores
        self.draw_when, self.draw_then, self.reserve = spec.draw_when, spec.draw_then, spec.reserve
        self.forced_wild = spec.forced_wild
        self.knock_bonus, self.pass_penalty = spec.knock_bonus, spec.pass_penalty
        self.extra_double, self.extra_score = spec.extra_double, spec.extra_score
        self.extra_forced, self.both_out = spec.extra_forced, spec.both_out
        self.out_award, self.out_fixed = spec.out_award, spec.out_fixed
        self.blocked_winner, self.blocked_award = spec.blocked_winner, spec.blocked_award
        self.blocked_fixed, self.blocked_tie = spec.blocked_fixed, spec.blocked_tie
        self.round_to, self.round_mode = spec.round_to, spec.round_mode
        self.round_per_hand, self.round_blocked = spec.round_per_hand, spec.round_blocked
        self.divide = spec.divide
        self.declare, self.last_claim, self.entry = spec.declare, spec.last_claim, spec.entry
        self.target, self.exact, self.bounce = spec.target, spec.exact, spec.bounce
        self.bundle, self.stops, self.win_on_out = spec.bundle, spec.stops, spec.win_on_out
        self.loser_resets, self.plain = spec.loser_resets, spec.plain
        if len(spec.near_target) > 64:
            raise ValueError("too many caps near the target for the native kernel")
        self.near_count = len(spec.near_target)
        for one, (missing, most) in enumerate(spec.near_target.items()):
            self.near_missing[one] = missing
            self.near_most[one] = most
        self.follow_drawn = spec.follows_drawn
        self.binds = spec.binds
        self.node_size = sizeof(Node) - (SEATS - self.seats) * sizeof(uint64_t)
        self._sync()

    def __dealloc__(self):
        free(self.worth)
        free(self.limit)
        free(self.fits)
        free(self.has_fits)
        free(self.rows)
        free(self.pool)

    @cython.final
    cdef int _sync(self) except -1:
        """Copy what is new in the frontier table."""
        cdef int there = len(self.table), k, t, room
        cdef void* moved
        if there > self.room:
            room = max(1024, 2 * there)
            moved = realloc(self.worth, room * sizeof(int32_t))
            if moved == NULL:
                raise MemoryError
            self.worth = <int32_t*>moved
            moved = realloc(self.limit, room * sizeof(int32_t))
            if moved == NULL:
                raise MemoryError
            self.limit = <int32_t*>moved
            moved = realloc(self.fits, room * sizeof(uint64_t))
            if moved == NULL:
                raise MemoryError
            self.fits = <uint64_t*>moved
            moved = realloc(self.has_fits, room)
            if moved == NULL:
                raise MemoryError
            self.has_fits = <uint8_t*>moved
            moved = realloc(self.rows, <size_t>room * self.top * sizeof(int32_t))
            if moved == NULL:
                raise MemoryError
            self.rows = <int32_t*>moved
            self.room = room
        worth, limit = self.table.worth, self.table.limit
        for k in range(self.known, there):
            self.worth[k] = worth[k]
            self.limit[k] = limit[k]
            self.has_fits[k] = 0
            for t in range(self.top):
                self.rows[<size_t>k * self.top + t] = -1
        self.known = there
        return 0

    @cython.final
    cdef int _add_fits(self, int fid) except -1 with gil:
        self.fits[fid] = self.table.fitting(fid)
        self.has_fits[fid] = 1
        return 0

    @cython.final
    cdef int _add_row(self, int fid, int tile) except -1 with gil:
        cdef int k
        ways = self.table.ways(fid, tile)
        self._sync()
        if self.pool_used + len(ways) + 1 > self.pool_room:
            room = max(4096, 2 * (self.pool_used + len(ways) + 1))
            moved = <int32_t*>realloc(self.pool, <size_t>room * sizeof(int32_t))
            if moved == NULL:
                raise MemoryError
            self.pool = moved
            self.pool_room = room
        if len(ways) == 1:
            self.rows[<size_t>fid * self.top + tile] = ways[0][0] << 1
            return 0
        self.rows[<size_t>fid * self.top + tile] = self.pool_used << 1 | 1
        self.pool[self.pool_used] = len(ways)
        for k in range(len(ways)):
            self.pool[self.pool_used + 1 + k] = ways[k][0]
        self.pool_used += 1 + len(ways)
        return 0

    @cython.final
    cdef inline uint64_t fitting(self, int fid) except? 0xFFFFFFFFFFFFFFFF nogil:
        if not self.has_fits[fid]:
            self._add_fits(fid)
        return self.fits[fid]

    @cython.final
    cdef inline int row(self, int fid, int tile) except -1 nogil:
        """Return the ways of a tile: the one table doubled, or their place in the pool, odd."""
        cdef size_t at = <size_t>fid * self.top + tile
        if self.rows[at] < 0:
            self._add_row(fid, tile)
        return self.rows[at]

    @cython.final
    cdef inline int ways(self, int row) noexcept nogil:
        """Return how many ways a row has."""
        return self.pool[row >> 1] if row & 1 else 1

    @cython.final
    cdef inline int way(self, int row, int nth) noexcept nogil:
        """Return the table to which the NTH way of a row leads."""
        return self.pool[(row >> 1) + 1 + nth] if row & 1 else row >> 1
