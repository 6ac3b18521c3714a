cdef class Settlement(Mirror):
    """What a round pays: the twin of settlement.py."""

    @cython.final
    cdef inline int pips_of(self, uint64_t hand) noexcept nogil:
        cdef int total = 0
        while hand:
            total += self.hand_pips[lowest(hand)]
            hand &= hand - 1
        return total

    @cython.final
    cdef int rounded(self, int points) noexcept nogil:
        cdef int step = self.round_to, size
        if step == 0:
            return points
        size = points if points >= 0 else -points
        if self.round_mode == 0:
            size = (size + step // 2) // step * step
        elif self.round_mode == 1:
            size = (size + step - 1) // step * step
        else:
            size = size // step * step
        return size if points >= 0 else -size

    @cython.final
    cdef int total(self, int* terms, int count, int blocked) noexcept nogil:
        cdef int points = 0, k
        if blocked and not self.round_blocked:
            for k in range(count):
                points += terms[k]
        elif self.round_per_hand:
            for k in range(count):
                points += self.rounded(terms[k])
        else:
            for k in range(count):
                points += terms[k]
            points = self.rounded(points)
        if self.divide == 1:
            return points
        return points // self.divide if points >= 0 else -((-points) // self.divide)

    @cython.final
    cdef void side_sums(self, int* pips, int* sums) noexcept nogil:
        cdef int k
        for k in range(self.side_count):
            sums[k] = 0
        for k in range(self.seats):
            sums[self.sides[k]] += pips[k]

    @cython.final
    cdef void own_lost(self, int* pips, int blocked, int* bonus) noexcept nogil:
        cdef int terms[SEATS]
        cdef int side, seat, count
        for side in range(self.side_count):
            count = 0
            for seat in range(self.seats):
                if self.sides[seat] == side:
                    terms[count] = pips[seat]
                    count += 1
            bonus[side] = -self.total(terms, count, blocked)

    @cython.final
    cdef void pay_out(self, int winner, uint64_t* hands, int* bonus, uint32_t* won) noexcept nogil:
        cdef int side = self.sides[winner], seat, count = 0, k
        cdef int pips[SEATS]
        cdef int terms[SEATS]
        cdef int sums[SEATS]
        won[0] = <uint32_t>1 << side
        for k in range(self.side_count):
            bonus[k] = 0
        if self.out_award == OUT_FIXED:
            bonus[side] = self.out_fixed
            return
        if self.out_award == OUT_NONE:
            return
        for seat in range(self.seats):
            pips[seat] = self.pips_of(hands[seat])
        if self.out_award == OUT_OWN_LOST:
            self.own_lost(pips, 0, bonus)
            return
        if self.out_award == OUT_DIFFERENCES:
            self.side_sums(pips, sums)
            for k in range(self.side_count):
                if k != side:
                    terms[count] = sums[k] - sums[side]
                    count += 1
        else:
            for seat in range(self.seats):
                if seat != winner and (
                    self.out_award == OUT_ALL_OTHERS or self.sides[seat] != side
                ):
                    terms[count] = pips[seat]
                    count += 1
        bonus[side] = self.total(terms, count, 0)

    @cython.final
    cdef int award(
        self, int own_seat, int own_pips, uint32_t sides, int* pips, int share
    ) noexcept nogil:
        cdef int terms[SEATS]
        cdef int sums[SEATS]
        cdef int count = 0, seat, side, own, points
        if self.blocked_award == BLOCK_FIXED:
            return self.blocked_fixed // share
        if self.blocked_award == BLOCK_NONE:
            return 0
        own = pips[own_seat] if self.blocked_winner == LOWEST_NO_DOUBLE else own_pips
        if self.blocked_award == BLOCK_ALL_HANDS:
            for seat in range(self.seats):
                terms[count] = pips[seat]
                count += 1
        elif self.blocked_award == BLOCK_MINUS_OWN:
            terms[0] = -own
            count = 1
            for seat in range(self.seats):
                if not sides >> self.sides[seat] & 1:
                    terms[0] += pips[seat]
        elif self.blocked_award == BLOCK_DIFFERENCES and self.blocked_winner == LOWEST_TEAM:
            self.side_sums(pips, sums)
            for side in range(self.side_count):
                if not sides >> side & 1:
                    terms[count] = sums[side] - own
                    count += 1
        else:
            for seat in range(self.seats):
                if not sides >> self.sides[seat] & 1:
                    terms[count] = pips[seat]
                    if self.blocked_award == BLOCK_DIFFERENCES:
                        terms[count] -= own
                    count += 1
        points = self.total(terms, count, 1)
        if points >= 0 or points % share == 0:
            return points // share
        # Python rounds a quotient down, C towards zero.
        return -((-points) // share) - 1

    @cython.final
    cdef void pay_blocked(
        self, uint64_t* hands, int closer, int* bonus, uint32_t* won
    ) noexcept nogil:
        cdef int pips[SEATS]
        cdef int unit_seat[SEATS]
        cdef int unit_side[SEATS]
        cdef int unit_pips[SEATS]
        cdef int terms[SEATS]
        cdef int sums[SEATS]
        cdef int units = 0, seat, side, k, m, least, lows = 0, first = 0, count, share, favoured
        cdef int all_double = 1
        cdef uint32_t sides = 0
        won[0] = 0
        unit_pips[0] = unit_side[0] = unit_seat[0] = 0
        for k in range(self.side_count):
            bonus[k] = 0
        if self.blocked_winner == NO_WINNER and self.blocked_award != BLOCK_OWN_LOST:
            return
        for seat in range(self.seats):
            pips[seat] = self.pips_of(hands[seat])
            if not hands[seat] & self.doubles:
                all_double = 0
        if self.blocked_winner == LOWEST_TEAM:
            self.side_sums(pips, sums)
            for side in range(self.side_count):
                unit_seat[side], unit_side[side], unit_pips[side] = 0, side, sums[side]
            units = self.side_count
        else:
            for seat in range(self.seats):
                k = pips[seat]
                if self.blocked_winner == LOWEST_NO_DOUBLE:
                    if all_double:
                        k = self.pips_of(hands[seat] & ~self.doubles)
                    elif hands[seat] & self.doubles:
                        continue
                unit_seat[units], unit_side[units], unit_pips[units] = seat, self.sides[seat], k
                units += 1
        least = unit_pips[0]
        for k in range(1, units):
            if unit_pips[k] < least:
                least = unit_pips[k]
        for k in range(units - 1, -1, -1):
            if unit_pips[k] == least:
                sides |= <uint32_t>1 << unit_side[k]
                lows += 1
                first = k
        if self.blocked_award == BLOCK_OWN_LOST:
            if not (sides & (sides - 1)) and self.blocked_winner != NO_WINNER:
                won[0] = sides
            self.own_lost(pips, 1, bonus)
            return
        if self.blocked_award == BLOCK_CASCADE:
            won[0] = sides
            for k in range(units):
                count = 0
                for m in range(units):
                    if unit_pips[m] > unit_pips[k]:
                        terms[count] = unit_pips[m] - unit_pips[k]
                        count += 1
                if count:
                    bonus[unit_side[k]] += self.total(terms, count, 1)
            return
        if not sides & (sides - 1):
            won[0] = sides
            bonus[unit_side[first]] = self.award(unit_seat[first], least, sides, pips, 1)
            return
        if self.blocked_tie == TIE_REPLAY:
            return
        if self.blocked_tie == TIE_SPLIT and lows < units:
            won[0] = sides
            share = self.award(unit_seat[first], least, sides, pips, popcount(sides))
            for side in range(self.side_count):
                if sides >> side & 1:
                    bonus[side] = share
            return
        favoured = -1
        if self.blocked_tie == TIE_OPENER:
            favoured = self.leader
        elif self.blocked_tie == TIE_BLOCKER:
            favoured = closer
        if favoured >= 0 and sides >> self.sides[favoured] & 1:
            side = self.sides[favoured]
            for k in range(units):
                if unit_pips[k] == least and unit_side[k] == side:
                    won[0] = <uint32_t>1 << side
                    bonus[side] = self.award(unit_seat[k], least, won[0], pips, 1)
                    return

    @cython.final
    cdef int admitted(self, int score, int entered, int points) noexcept nogil:
        cdef int k
        if not entered and 0 < points < self.entry:
            return 0
        for k in range(self.near_count):
            if self.near_missing[k] == self.target - score:
                return points if points < self.near_most[k] else self.near_most[k]
        return points

    @cython.final
    cdef int against_target(self, int score, int points, int going_out) noexcept nogil:
        cdef int missing = self.target - score
        if not self.target or points <= 0:
            return points
        if going_out and not self.win_on_out and points >= missing:
            return 0
        if self.exact and points > missing:
            return 2 * missing - points if self.bounce else 0
        return points

    @cython.final
    cdef int tile_credit(
        self, Node* n, int seat, int value, int goes_out, int* out_bonus
    ) noexcept nogil:
        """Return what a tile is credited; n holds the hands after it (see `last_tile`)."""
        cdef int side, score, known, made, paid, whole
        cdef int bonus[SEATS]
        cdef uint32_t won
        if self.plain:
            return value
        side = self.sides[seat]
        score = n.scores[side]
        known = n.entered >> side & 1
        if not goes_out or not self.bundle:
            made = self.admitted(score, known, value)
            return self.against_target(score, made, goes_out)
        made = self.admitted(score, known, value)
        self.pay_out(seat, n.hands, bonus, &won)
        paid = bonus[side]
        whole = self.against_target(score, made + paid, 1)
        if whole == made + paid:
            return made
        if whole:
            out_bonus[0] = whole - made
            return made
        out_bonus[0] = 0
        return 0
