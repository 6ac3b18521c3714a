cdef class Turns(Settlement):
    """One turn: the twin of turns.py."""

    @cython.final
    cdef inline int next_seat(self, Node* n, int seat) noexcept nogil:
        cdef int step, after
        for step in range(1, self.seats + 1):
            after = seat + step
            if after >= self.seats:
                after -= self.seats
            if n.hands[after]:
                return after
        return (seat + 1) % self.seats

    @cython.final
    cdef inline int drawable(self, Node* n) noexcept nogil:
        return self.drawable_end > n.taken

    @cython.final
    cdef inline int goes_out(self, Node* n, int seat) noexcept nogil:
        cdef int one
        if n.hands[seat]:
            return 0
        if not self.both_out:
            return 1
        for one in range(self.seats):
            if self.sides[one] == self.sides[seat] and n.hands[one]:
                return 0
        return 1

    @cython.final
    cdef uint64_t leading(self, Node* n) noexcept nogil:
        cdef uint64_t hand = n.hands[n.turn], wanted
        if n.must_lead >= 0:
            return hand & (<uint64_t>1 << n.must_lead)
        if self.lead_rule == LEAD_ANY:
            wanted = hand & self.deciding
            if n.drawn and self.lead_qualifying and wanted:
                return wanted
            return 0 if n.seeking and self.drawable(n) and not wanted else hand
        wanted = hand & self.leads
        if self.lead_rule == LEAD_OWN:
            return wanted if wanted else hand
        if self.lead_rule == LEAD_DRAW:
            return wanted if wanted or self.drawable(n) else hand
        return hand if n.passes >= self.seats else wanted

    @cython.final
    cdef inline uint64_t bound(self, uint64_t playable, int last) noexcept nogil:
        cdef uint64_t bit = <uint64_t>1 << last
        if not playable & bit or (self.draw_when == WITHOUT_WILD and self.wild & bit):
            return playable
        return bit

    @cython.final
    cdef int blocked(self, Node* n) except -1 nogil:
        cdef uint64_t fits, held = 0
        cdef int seat, holding = 0
        if not n.frontier:
            return 0
        if not self.drawable(n):
            fits = self.fitting(n.frontier)
            for seat in range(self.seats):
                held |= n.hands[seat]
            if not held & fits:
                return 1
        if not n.passes:
            return 0
        for seat in range(self.seats):
            if n.hands[seat]:
                holding += 1
        return n.passes >= holding

    @cython.final
    cdef inline void add(self, Node* n, int side, int points, int entering) noexcept nogil:
        if self.follow:
            n.scores[side] += points
            if entering and points > 0:
                n.entered |= <uint32_t>1 << side

    @cython.final
    cdef inline int reached(self, Node* n) noexcept nogil:
        cdef int side
        if not self.follow or not self.stops:
            return 0
        for side in range(self.side_count):
            if n.scores[side] >= self.target:
                return 1
        return 0

    @cython.final
    cdef void settle(self, Node* n, Gains* g, int winner, int out_bonus) noexcept nogil:
        """Settle a round that SEAT (or, with -1, a block) has ended."""
        cdef int bonus[SEATS]
        cdef int before[SEATS]
        cdef int side, paid
        cdef uint32_t won = 0
        if winner >= 0:
            self.pay_out(winner, n.hands, bonus, &won)
            g.how = 0
        else:
            self.pay_blocked(n.hands, n.closer, bonus, &won)
            g.how = 1
        for side in range(self.side_count):
            paid = bonus[side]
            if out_bonus != NOBODY and side == self.sides[winner]:
                paid = out_bonus
            elif not self.plain:
                paid = self.against_target(n.scores[side], paid, winner >= 0)
            g.end[side] += paid
        if self.follow:
            for side in range(self.side_count):
                n.scores[side] += g.end[side]
            if self.loser_resets and won:
                for side in range(self.side_count):
                    if not won >> side & 1:
                        n.scores[side] = 0

    @cython.final
    cdef int play(self, Node* n, int tile, int after, Gains* g) except -1 nogil:
        """Lay a tile: change N, set G, and return whether the round is over."""
        cdef int seat = n.turn, side = self.sides[n.turn], k
        cdef int value = self.worth[after] if n.frontier or self.lead_scores else 0
        cdef int knocks = n.passes, drew = n.drawn, out, paid, ends
        cdef int out_bonus = NOBODY
        cdef uint64_t bit = <uint64_t>1 << tile
        for k in range(self.side_count):
            g.made[k] = 0
            g.end[k] = 0
        n.hands[seat] ^= bit
        n.frontier = after
        n.drawn = 0
        n.last = -1
        n.passes = 0
        n.extra = 0
        n.kept = 0
        n.must_lead = -1
        n.seeking = 0
        n.closer = seat
        out = self.goes_out(n, seat)
        if not self.declare:
            paid = self.tile_credit(n, seat, value, out, &out_bonus)
            g.made[side] += paid
            self.add(n, side, paid, 1)
        if knocks and self.knock_bonus:
            paid = self.knock_bonus * knocks
            if not self.plain:
                paid = self.against_target(n.scores[side], paid, out)
            g.made[side] += paid
            self.add(n, side, paid, 0)
        if not (out and self.bundle) and self.reached(n):
            g.how = 2
            return 1
        if (
            ((self.extra_double and bit & self.doubles) or (self.extra_score and value > 0))
            and not drew
            and n.hands[seat]
        ):
            n.extra = 1
        else:
            n.turn = self.next_seat(n, seat)
        ends = out or self.blocked(n)
        if self.declare and value and (not ends or self.last_claim):
            paid = self.tile_credit(n, seat, value, out, &out_bonus)
            g.made[side] += paid
            self.add(n, side, paid, 1)
            if self.reached(n):
                g.how = 2
                return 1
        if ends:
            self.settle(n, g, seat if out else -1, out_bonus)
            return 1
        return 0

    @cython.final
    cdef int draw(self, Node* n, Gains* g) except -1 nogil:
        cdef int tile = self.stock[n.taken], limit, k
        for k in range(self.side_count):
            g.made[k] = 0
            g.end[k] = 0
        n.taken += 1
        n.hands[n.turn] |= <uint64_t>1 << tile
        if self.follow_drawn or not n.frontier:
            n.drawn += 1
        else:
            n.drawn = 0
        n.last = tile if self.binds else -1
        n.passes = 0
        n.kept = 0
        if self.draw_then == TURN_ENDS and n.frontier:
            limit = self.limit[n.frontier]
            if (
                0 <= limit <= n.drawn
                or not self.drawable(n)
                or n.hands[n.turn] & self.fitting(n.frontier)
            ):
                n.turn = self.next_seat(n, n.turn)
                n.drawn = 0
                n.last = -1
                n.extra = 0
        if self.blocked(n):
            self.settle(n, g, -1, NOBODY)
            return 1
        return 0

    @cython.final
    cdef int knock(self, Node* n, Gains* g) except -1 nogil:
        cdef int declined = n.extra and not self.extra_forced, kept, penal, k
        cdef uint64_t able = 0
        for k in range(self.side_count):
            g.made[k] = 0
            g.end[k] = 0
        if not declined and n.frontier:
            able = n.hands[n.turn] & self.fitting(n.frontier)
            if n.last >= 0 and self.binds:
                able = self.bound(able, n.last)
            if self.draw_when == WITHOUT_WILD and not (
                self.forced_wild and not self.drawable(n)
            ):
                able &= ~self.wild
        kept = n.drawn and self.draw_then == MAY_PLAY
        penal = able != 0 and not kept and self.pass_penalty
        if penal:
            g.made[self.sides[n.turn]] -= self.pass_penalty
            self.add(n, self.sides[n.turn], -self.pass_penalty, 0)
            n.kept += 1
        n.passes = n.passes + 1 if not declined and not able else 0
        n.turn = self.next_seat(n, n.turn)
        n.drawn = 0
        n.last = -1
        n.extra = 0
        if self.blocked(n):
            self.settle(n, g, -1, NOBODY)
            return 1
        return 0
