@cython.final
cdef class Kernel(Duels):
    """Alpha-beta: the twin of solver.AlphaBeta; and all the classes below it in one value."""

    @cython.final
    cdef int moves(self, Node* n, Move* found) except -1 nogil:
        """List every legal action: plays from the highest tile down, then draw, then pass."""
        cdef uint64_t hand = n.hands[n.turn], playable, able, left, bit
        cdef int drawable = self.drawable(n), declining = n.extra and not self.extra_forced
        cdef int count = 0, is_bound = 0, limit, draws, t, at, k
        if n.frontier:
            playable = hand & self.fitting(n.frontier)
            if n.last >= 0 and self.binds:
                playable = self.bound(playable, n.last)
                bit = <uint64_t>1 << n.last
                is_bound = playable == bit and not (
                    self.draw_when == WITHOUT_WILD and self.wild & bit
                )
        else:
            playable = self.leading(n)
        able = left = playable
        while left:
            t = highest(left)
            left ^= <uint64_t>1 << t
            at = self.row(n.frontier, t)
            for k in range(self.ways(at)):
                if count == MOVES - 2:
                    self._crowded()
                found[count].tile = t
                found[count].after = self.way(at, k)
                count += 1
        if not n.frontier:
            if not playable and self.lead_draws and drawable:
                found[count].tile = DRAW
                count += 1
            elif not playable and self.lead_rule == LEAD_PASS:
                found[count].tile = PASS
                count += 1
            return count
        if self.draw_when == WITHOUT_WILD and not (self.forced_wild and not drawable):
            able &= ~self.wild
        limit = self.limit[n.frontier]
        draws = (
            drawable
            and not declining
            and not is_bound
            and (limit < 0 or n.drawn < limit)
            and (self.draw_when == FREE or not able)
        )
        if draws:
            found[count].tile = DRAW
            count += 1
        if declining or (n.drawn and self.draw_then == MAY_PLAY):
            found[count].tile = PASS
            count += 1
        elif able:
            if self.pass_penalty and n.kept < self.seats - 1:
                found[count].tile = PASS
                count += 1
        elif not draws:
            found[count].tile = PASS
            count += 1
        return count

    @cython.final
    cdef inline int act(self, Node* n, int tile, int after, Gains* g) except -1 nogil:
        if tile >= 0:
            return self.play(n, tile, after, g)
        if tile == DRAW:
            return self.draw(n, g)
        return self.knock(n, g)

    @cython.final
    cdef int sort(self, Node* n, Move* found, int count, int first) except -1 nogil:
        """Put the most promising first: the best of last time, then what `weigh` says of a play.

        Here the next seat is taken for the rival.
        """
        cdef int k, m, t, at, ways, reply, cost
        cdef Move one
        cdef uint64_t theirs = n.hands[self.next_seat(n, n.turn)], left, fits
        for k in range(count):
            found[k].nth = k
            if k == first:
                found[k].order = 1 << 29
                continue
            if found[k].tile < 0:
                found[k].order = -(1 << 29)
                continue
            fits = self.fitting(found[k].after)
            left = theirs & fits
            reply = cost = 0
            if left:
                while left:
                    t = lowest(left)
                    left &= left - 1
                    cost += REPLY
                    at = self.row(found[k].after, t)
                    ways = self.ways(at)
                    for m in range(ways):
                        reply = max(reply, self.worth[self.way(at, m)])
            else:
                for m in range(n.taken, self.drawable_end):
                    cost += DRAWN
                    if fits >> self.stock[m] & 1:
                        break
            found[k].order = (
                (self.worth[found[k].after] - reply) * POINT - cost + self.pips[found[k].tile]
            )
        for k in range(1, count):
            one = found[k]
            m = k - 1
            while m >= 0 and found[m].order < one.order:
                found[m + 1] = found[m]
                m -= 1
            found[m + 1] = one
        return 0

    @cython.final
    cdef uint64_t key(self, Node* n) noexcept nogil:
        cdef uint64_t key = n.hands[0]
        cdef int k
        for k in range(1, self.seats):
            key = mixed(key) ^ n.hands[k]
        key = mixed(key) ^ (
            <uint64_t>n.frontier
            | <uint64_t>n.turn << 32
            | <uint64_t>n.taken << 36
            | <uint64_t>n.passes << 43
            | <uint64_t>n.kept << 47
            | <uint64_t>n.extra << 51
            | <uint64_t>n.drawn << 52
            | <uint64_t>n.seeking << 58
        )
        if n.last >= 0 or n.must_lead >= 0 or self.blocked_tie == TIE_BLOCKER:
            key = mixed(key) ^ <uint64_t>(n.last + 1) ^ <uint64_t>(n.must_lead + 1) << 8
            if self.blocked_tie == TIE_BLOCKER:
                key ^= <uint64_t>(n.closer + 2) << 16
        if self.follow:
            for k in range(self.side_count):
                key = mixed(key) ^ <uint64_t>(n.scores[k] + 100000)
            key = mixed(key) ^ n.entered
        return mixed(key)

    @cython.final
    cdef int search(self, Node* n, int low, int high, Peaks* peaks) except? -32768 nogil:
        """Return the value of N for the side to move, exact inside the window, else a bound.

        Actions that nobody chooses (draws, forced plays and passes) are done at once.
        """
        cdef Move found[MOVES]
        cdef Gains g
        cdef int me = self.sides[n.turn], other = 1 - me, base = 0, gain, count, value
        cdef int sum0 = 0, sum1 = 0
        cdef Peaks below
        cdef int64_t duel
        peaks.side0 = peaks.side1 = 0
        while True:
            if self.dueling and n.frontier and not n.drawn and not n.extra:
                duel = self.duel(
                    self.number(n.frontier),
                    n.hands[n.turn],
                    n.hands[1 - n.turn],
                    n.taken << 1 | n.turn,
                    n.passes,
                    low if n.turn == me else -high,
                    high if n.turn == me else -low,
                )
                value = value_in(duel)
                if n.turn == 0:
                    below.side0, below.side1 = own_in(duel), others_in(duel)
                else:
                    below.side1, below.side0 = own_in(duel), others_in(duel)
                peaks.side0 = max(peaks.side0, sum0 + below.side0)
                peaks.side1 = max(peaks.side1, sum1 + below.side1)
                return base + (value if n.turn == me else -value)
            self.nodes += 1
            if self.nodes >= self.pause_at:
                self._pause()
            count = self.moves(n, found)
            if count != 1:
                break
            over = self.act(n, found[0].tile, found[0].after, &g)
            gain = g.made[me] + g.end[me] - g.made[other] - g.end[other]
            sum0 += g.made[0]
            sum1 += g.made[1]
            peaks.side0 = max(peaks.side0, sum0)
            peaks.side1 = max(peaks.side1, sum1)
            base += gain
            low -= gain
            high -= gain
            if over:
                return base
        if self.sides[n.turn] == me:
            value = self.branch(n, low, high, found, count, &below)
        else:
            value = -self.branch(n, -high, -low, found, count, &below)
        peaks.side0 = max(peaks.side0, sum0 + below.side0)
        peaks.side1 = max(peaks.side1, sum1 + below.side1)
        return base + value

    @cython.final
    cdef int branch(
        self, Node* n, int low, int high, Move* found, int count, Peaks* peaks
    ) except? -32768 nogil:
        """Return the value of a node with a choice, for the side to move."""
        cdef uint64_t key = self.key(n)
        cdef Entry* known = self.find(key)
        cdef int me = self.sides[n.turn], other = 1 - me, best = -LARGE, choice = 0, k, gain, value
        cdef int alpha = low, beta = high, over, left, first = -1
        cdef int sum0, sum1
        cdef Node child, again
        cdef Gains g
        cdef Peaks below
        peaks.side0 = peaks.side1 = 0
        if known != NULL:
            peaks.side0, peaks.side1 = known.peak0 * PEAK, known.peak1 * PEAK
            if known.low >= high or known.low == known.high:
                return known.low
            if known.high <= low:
                return known.high
            alpha = max(alpha, known.low)
            beta = min(beta, known.high)
            first = known.choice
        self.sort(n, found, count, first)
        for k in range(count):
            memcpy(&child, n, self.node_size)
            over = self.act(&child, found[k].tile, found[k].after, &g)
            gain = g.made[me] + g.end[me] - g.made[other] - g.end[other]
            below.side0 = below.side1 = 0
            if over:
                value = gain
            elif self.sides[child.turn] == me:
                value = gain + self.search(&child, alpha - gain, beta - gain, &below)
            elif k == 0 or beta - alpha <= 1:
                value = gain - self.search(&child, gain - beta, gain - alpha, &below)
            else:
                # Only whether it is better at all; how much better is asked if it is.
                memcpy(&again, &child, self.node_size)
                value = gain - self.search(&child, gain - alpha - 1, gain - alpha, &below)
                if alpha < value < beta:
                    value = gain - self.search(&again, gain - beta, gain - value, &below)
            peaks.side0 = max(peaks.side0, g.made[0] + max(below.side0, 0))
            peaks.side1 = max(peaks.side1, g.made[1] + max(below.side1, 0))
            if value > best:
                best = value
                choice = k
                if best > alpha:
                    alpha = best
                    if alpha >= beta:
                        break
        left = 0
        for k in range(self.seats):
            left += popcount(n.hands[k])
        known = self._known(key, left + max(0, self.drawable_end - n.taken))
        if best < high and best < known.high:
            known.high = best
        if best > low and best > known.low:
            known.low = best
        known.choice = found[choice].nth
        known.peak0 = min(255, (peaks.side0 + PEAK - 1) // PEAK)
        known.peak1 = min(255, (peaks.side1 + PEAK - 1) // PEAK)
        return best

    def begin(self, position, bint follow, long long budget):
        """Prepare to solve the tree below a position; FOLLOW: scores make a difference."""
        cdef Node n
        if self.side_count != 2:
            raise ValueError("alpha-beta is for two sides")
        self._load(&n, position, follow)
        self._clear(budget)
        self._begin_duel()

    def value(self, node, int low, int high):
        """Return the points of side 0 minus those of side 1 below a node, the peaks, the nodes."""
        cdef Node n
        cdef Peaks peaks
        cdef int value, k
        memset(&n, 0, sizeof(Node))
        for k in range(self.seats):
            n.hands[k] = node.hands[k]
        n.frontier, n.turn, n.taken = self._own(node.frontier), node.turn, node.taken
        n.drawn, n.last, n.passes = node.drawn, node.last, node.passes
        n.extra, n.kept, n.must_lead = node.extra, node.kept, node.must_lead
        n.seeking, n.closer = node.seeking, node.closer
        if self.follow:
            for k in range(self.side_count):
                n.scores[k] = node.scores[k]
            n.entered = node.entered
        low = max(low, -LARGE)
        high = min(high, LARGE)
        try:
            value = self._value(&n, low, high, &peaks)
        except Crowded:
            self.dueling = False
            value = self._value(&n, low, high, &peaks)
        return value, (peaks.side0, peaks.side1), self.nodes

    @cython.final
    cdef int _value(self, Node* n, int low, int high, Peaks* peaks) except? -32768:
        cdef Node copy = n[0]
        with nogil:
            if self.sides[copy.turn] == 0:
                return self.search(&copy, low, high, peaks)
            return -self.search(&copy, -high, -low, peaks)
