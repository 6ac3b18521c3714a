cdef class Duels(Bounds):
    """Alpha-beta for the usual game of two, as duel.py has it: a node is a handful of integers.

    The search numbers its tables anew, from 1, so that all it asks of one fits two cache lines.
    """

    # Whether nobody ever has a choice but which tile to lay; and, in the search at hand, whether
    # scores change nothing either, and the numbers suffice.
    cdef int usual
    cdef readonly int dueling
    cdef int last_counts
    # The tables: an outlook each, and behind it the way of each tile (0: not asked yet).
    cdef void* boards_memory
    cdef char* boards
    cdef size_t stride
    cdef int board_count
    cdef int board_room
    cdef public int most_boards
    # The number in the frontier table of each of them, and theirs of the frontier table's.
    cdef int32_t* given
    cdef uint16_t* numbers
    cdef int numbers_room
    # Ways of tiles with several, in fours, the last followed by 0.
    cdef uint16_t* many
    cdef int many_count
    cdef int many_room

    def __cinit__(self, spec):
        self.boards_memory = NULL
        self.given = NULL
        self.numbers = NULL
        self.many = NULL
        self.board_room = self.numbers_room = self.many_room = 0
        self.board_count = self.many_count = 0
        self.most_boards = CROWD + 1
        self.stride = LINE + (2 * self.top + LINE - 1) // LINE * LINE
        self.usual = is_usual(spec)
        self.last_counts = not spec.declare or spec.last_claim

    def __dealloc__(self):
        free(self.boards_memory)
        free(self.given)
        free(self.numbers)
        free(self.many)

    @cython.final
    cdef inline Outlook* board(self, int here) noexcept nogil:
        """Return the outlook of a table; it may move when a row is filled."""
        return <Outlook*>(self.boards + here * self.stride)

    @cython.final
    cdef inline uint16_t* ways_of(self, int here) noexcept nogil:
        """Return the ways of the tiles on a table, which may move with it."""
        return <uint16_t*>(self.boards + here * self.stride + LINE)

    @cython.final
    cdef int _begin_duel(self) except -1:
        """Prepare for a search: where the numbers run out, begin to number again."""
        self.dueling = self.usual and not self.follow
        if self.board_count > self.most_boards // 2 or self.many_count > 2 * CROWD:
            memset(self.numbers, 0, self.numbers_room * sizeof(uint16_t))
            self.board_count = self.many_count = 0
        return 0

    @cython.final
    cdef int _more_boards(self) except -1 with gil:
        cdef int room = min(CROWD + 1, max(1024, 2 * self.board_room))
        cdef void* memory
        cdef char* boards
        if self.board_count + 1 >= self.most_boards:
            raise Crowded
        memory = realloc(self.given, room * sizeof(int32_t))
        if memory == NULL:
            raise MemoryError
        self.given = <int32_t*>memory
        memory = malloc(room * self.stride + LINE)
        if memory == NULL:
            raise MemoryError
        boards = <char*>((<uint64_t>memory + LINE - 1) & ~<uint64_t>(LINE - 1))
        if self.board_room:
            memcpy(boards, self.boards, self.board_room * self.stride)
        free(self.boards_memory)
        self.boards_memory = memory
        self.boards = boards
        self.board_room = room
        return 0

    @cython.final
    cdef int _more_numbers(self) except -1 with gil:
        cdef int room = max(1024, 2 * self.known)
        cdef void* memory = realloc(self.numbers, room * sizeof(uint16_t))
        if memory == NULL:
            raise MemoryError
        self.numbers = <uint16_t*>memory
        memset(self.numbers + self.numbers_room, 0, (room - self.numbers_room) * sizeof(uint16_t))
        self.numbers_room = room
        return 0

    @cython.final
    cdef int _more_many(self) except -1 with gil:
        cdef int room = min(4 * CROWD, max(4096, 2 * self.many_room))
        cdef void* memory = realloc(self.many, room * sizeof(uint16_t))
        if memory == NULL:
            raise MemoryError
        if room - self.many_count < MOVES:
            raise Crowded
        self.many = <uint16_t*>memory
        self.many_room = room
        return 0

    @cython.final
    cdef int number(self, int fid) except -1 nogil:
        """Return the number here of a table of the frontier table."""
        cdef Outlook* board
        cdef uint64_t fits
        cdef int here
        if fid >= self.numbers_room:
            self._more_numbers()
        if self.numbers[fid]:
            return self.numbers[fid]
        fits = self.fitting(fid)
        here = self.board_count + 1
        if here >= self.board_room or here >= self.most_boards:
            self._more_boards()
        self.board_count = here
        self.numbers[fid] = here
        self.given[here] = fid
        board = self.board(here)
        memset(board, 0, self.stride)
        board.fits = fits
        board.worth = self.worth[fid]
        board.limit = min(127, self.limit[fid])
        return here

    @cython.final
    cdef int fill(self, int here, int tile) except -1 nogil:
        """Find the ways of a tile on a table, and return what its row holds then."""
        cdef int at = self.row(self.given[here], tile), count = self.ways(at), first, k
        cdef uint16_t after
        if count == 1:
            after = self.number(self.way(at, 0))
            self.ways_of(here)[tile] = after
            return after
        if self.many_room - self.many_count < MOVES:
            self._more_many()
        # The first four stay empty: nothing is to be 0.
        first = self.many_count = max(4, self.many_count)
        self.many_count += (count + 4) // 4 * 4
        for k in range(count):
            after = self.number(self.way(at, k))
            self.many[first + k] = after
        self.many[first + count] = 0
        self.board(here).several |= <uint64_t>1 << tile
        self.ways_of(here)[tile] = first // 4
        return first // 4

    @cython.final
    cdef inline int reply(self, Outlook* board, int here, uint64_t fitting) except -1 nogil:
        """Return the most points that one of these tiles makes on a table."""
        cdef int k
        if fitting & ~board.asked:
            self._ask(here, fitting & ~board.asked)
            board = self.board(here)
        for k in range(board.levels):
            if fitting & board.tiles[k]:
                return board.worths[k]
        return 0

    @cython.final
    cdef int _ask(self, int here, uint64_t tiles) except -1 nogil:
        """Note what tiles make on a table, the most first."""
        cdef Outlook* board = self.board(here)
        cdef uint64_t bit
        cdef int at, k, m, most
        while tiles:
            bit = tiles & -tiles
            tiles ^= bit
            at = self.row(self.given[here], lowest(bit))
            most = 0
            for k in range(self.ways(at)):
                most = max(most, min(255, self.worth[self.way(at, k)]))
            board.asked |= bit
            if not most:
                continue
            k = 0
            while k < board.levels and board.worths[k] > most:
                k += 1
            if k == LEVELS:
                # The least of many levels are as good as one.
                k -= 1
            elif k == board.levels or board.worths[k] != most:
                if board.levels == LEVELS:
                    board.tiles[LEVELS - 2] |= board.tiles[LEVELS - 1]
                else:
                    board.levels += 1
                for m in range(board.levels - 1, k, -1):
                    board.tiles[m] = board.tiles[m - 1]
                    board.worths[m] = board.worths[m - 1]
                board.tiles[k] = 0
                board.worths[k] = most
            board.tiles[k] |= bit
        return 0

    @cython.final
    cdef inline int paid_out(self, uint64_t left) noexcept nogil:
        """Return what going out pays to who does, less what the other gets."""
        cdef int pips
        if self.out_award == OUT_FIXED:
            return self.out_fixed
        if self.out_award == OUT_NONE:
            return 0
        pips = self.pips_of(left)
        return self.total(&pips, 1, 0)

    @cython.final
    cdef int paid_blocked(self, int seat, uint64_t mine, uint64_t theirs) noexcept nogil:
        """Return what a blocked round pays to SEAT, less what the other gets."""
        cdef uint64_t hands[SEATS]
        cdef int bonus[SEATS]
        cdef uint32_t won
        hands[seat] = mine
        hands[1 - seat] = theirs
        self.pay_blocked(hands, -1, bonus, &won)
        return bonus[seat] - bonus[1 - seat]

    @cython.final
    cdef int64_t duel(
        self,
        int here,
        uint64_t mine,
        uint64_t theirs,
        int where,
        int passes,
        int alpha,
        int beta,
    ) except? -1 nogil:
        """Return the value of a position for the seat to move, exact inside the window.

        WHERE is twice the number of tiles drawn, and the seat. The value comes packed with the most
        points that this seat and the other make on the way. What nobody chooses is done at once.
        """
        cdef Outlook* board = self.board(here)
        cdef uint64_t fits, playable, bit, key, left
        cdef uint16_t* ways
        cdef Entry* known
        cdef Play found[MOVES]
        cdef Play one
        cdef int base = 0, own = 0, other = 0, flipped = 0, drawn, t, at, after, k, m
        cdef int count = 0, best, made, value, top, first = -1, choice, swap, sorted_from
        cdef int low, high, peak, other_peak, over, rest_alpha
        cdef int64_t below
        while True:
            self.nodes += 1
            if self.nodes >= self.pause_at:
                self._pause()
            fetch(self.ways_of(here))
            fits = board.fits
            playable = mine & fits
            if not playable:
                drawn = 0
                while where >> 1 < self.drawable_end and drawn != board.limit:
                    bit = <uint64_t>1 << self.stock[where >> 1]
                    where += 2
                    drawn += 1
                    mine |= bit
                    passes = 0
                    if bit & fits:
                        playable = bit
                        break
                self.nodes += drawn
            if playable:
                if playable & (playable - 1):
                    break
                t = lowest(playable)
                at = self.ways_of(here)[t]
                if not at:
                    at = self.fill(here, t)
                if self.board(here).several & playable:
                    break
                here = at
                mine ^= playable
                board = self.board(here)
                made = board.worth
                if not mine:
                    value = self.paid_out(theirs)
                    over = 1
                elif where >> 1 >= self.drawable_end and not (mine | theirs) & board.fits:
                    value = self.paid_blocked(where & 1, mine, theirs)
                    over = 1
                else:
                    value = over = 0
                if over and not self.last_counts:
                    made = 0
                own += made
                base += made + value
                alpha -= made
                beta -= made
                passes = 0
                if over:
                    return packed(-base if flipped else base, own, other, flipped)
            else:
                passes += 1
                if passes >= 2 or (where >> 1 >= self.drawable_end and not theirs & fits):
                    base += self.paid_blocked(where & 1, mine, theirs)
                    return packed(-base if flipped else base, own, other, flipped)
            # The other seat goes on, and sees everything from its side.
            left = mine
            mine = theirs
            theirs = left
            where ^= 1
            base = -base
            swap = alpha
            alpha = -beta
            beta = -swap
            swap = own
            own = other
            other = swap
            flipped ^= 1
        key = duel_key(mine, theirs, here, where)
        fetch(&self.entries[(key & self.entry_mask) * BUCKET])
        left = playable
        while left:
            t = highest(left)
            bit = <uint64_t>1 << t
            left ^= bit
            at = self.ways_of(here)[t]
            if not at:
                at = self.fill(here, t)
            if not self.board(here).several & bit:
                found[count].tile = t
                found[count].after = at
                found[count].nth = count
                count += 1
                fetch(self.board(at))
                continue
            ways = self.many + 4 * at
            while ways[0]:
                if count == MOVES:
                    self._crowded()
                found[count].tile = t
                found[count].after = ways[0]
                found[count].nth = count
                fetch(self.board(ways[0]))
                count += 1
                ways += 1
        known = self.find(key)
        peak = other_peak = 0
        low, high = alpha, beta
        if known != NULL:
            peak, other_peak = known.peak0 * PEAK, known.peak1 * PEAK
            if known.low >= beta or known.low == known.high:
                base += known.low
                return packed(
                    -base if flipped else base, own + peak, other + other_peak, flipped
                )
            if known.high <= alpha:
                base += known.high
                return packed(
                    -base if flipped else base, own + peak, other + other_peak, flipped
                )
            alpha = max(alpha, known.low)
            beta = min(beta, known.high)
            first = known.choice
        sorted_from = 0
        if first >= 0:
            one = found[0]
            found[0] = found[first]
            found[first] = one
            sorted_from = 1
        best = -LARGE
        choice = 0
        for k in range(count):
            if k == sorted_from:
                for m in range(k, count):
                    self.weigh(&found[m], theirs, where)
            if k >= sorted_from:
                at = k
                for m in range(k + 1, count):
                    if found[m].order > found[at].order:
                        at = m
                one = found[at]
                found[at] = found[k]
                found[k] = one
            bit = <uint64_t>1 << found[k].tile
            after = found[k].after
            board = self.board(after)
            made = board.worth
            left = mine ^ bit
            if not left:
                value = self.paid_out(theirs)
                if not self.last_counts:
                    made = 0
                value += made
                peak = max(peak, made)
            elif where >> 1 >= self.drawable_end and not (left | theirs) & board.fits:
                value = self.paid_blocked(where & 1, left, theirs)
                if not self.last_counts:
                    made = 0
                value += made
                peak = max(peak, made)
            else:
                if k == 0 or beta - alpha <= 1:
                    below = self.duel(
                        after, theirs, left, where ^ 1, 0, made - beta, made - alpha
                    )
                    value = made - value_in(below)
                else:
                    # Only whether it is better at all; how much better is asked if it is.
                    below = self.duel(
                        after, theirs, left, where ^ 1, 0, made - alpha - 1, made - alpha
                    )
                    value = made - value_in(below)
                    if alpha < value < beta:
                        below = self.duel(
                            after, theirs, left, where ^ 1, 0, made - beta, made - value
                        )
                        value = made - value_in(below)
                peak = max(peak, made + others_in(below))
                other_peak = max(other_peak, own_in(below))
            if value > best:
                best = value
                choice = found[k].nth
                if best > alpha:
                    alpha = best
                    if alpha >= beta:
                        break
        known = self._known(
            key, popcount(mine | theirs) + max(0, self.drawable_end - (where >> 1))
        )
        if best < high and best < known.high:
            known.high = best
        if best > low and best > known.low:
            known.low = best
        known.choice = choice
        known.peak0 = min(255, (peak + PEAK - 1) // PEAK)
        known.peak1 = min(255, (other_peak + PEAK - 1) // PEAK)
        base += best
        return packed(-base if flipped else base, own + peak, other + other_peak, flipped)

    @cython.final
    cdef inline int weigh(self, Play* one, uint64_t theirs, int where) except -1 nogil:
        """Note how promising a play is: its points less the best reply, then its pips.

        The more replies, the larger the tree below, so each counts against a play. A rival who has
        to draw gets more tiles: such plays come late, the later the more he has to draw.
        """
        cdef Outlook* board = self.board(one.after)
        cdef uint64_t fits = board.fits, left = theirs & fits
        cdef int cost = -board.worth * POINT, m
        if left:
            cost += self.reply(board, one.after, left) * POINT
            while left:
                cost += REPLY
                left &= left - 1
        else:
            for m in range(where >> 1, self.drawable_end):
                cost += DRAWN
                if fits >> self.stock[m] & 1:
                    break
        one.order = self.pips[one.tile] - cost
        return 0
