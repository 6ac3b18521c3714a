# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""The native twin of the hot loops: play-outs and alpha-beta on flat arrays, without the GIL.

`turns.py`, `playout.py`, `settlement.py` and `solver.py` are the originals, kept plain and short;
tests compare both on positions of every ruleset. The GIL is taken only to ask the frontier table
for a row that is still missing. One kernel serves one spec; calls on it take turns.
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

import threading
from array import array

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    static __inline int sniff_lowest(unsigned long long x) {
        unsigned long i; _BitScanForward64(&i, x); return (int)i; }
    static __inline int sniff_highest(unsigned long long x) {
        unsigned long i; _BitScanReverse64(&i, x); return (int)i; }
    static __inline int sniff_count(unsigned long long x) { return (int)__popcnt64(x); }
    #else
    static inline int sniff_lowest(unsigned long long x) { return __builtin_ctzll(x); }
    static inline int sniff_highest(unsigned long long x) { return 63 - __builtin_clzll(x); }
    static inline int sniff_count(unsigned long long x) { return __builtin_popcountll(x); }
    #endif
    """
    int lowest "sniff_lowest"(uint64_t) noexcept nogil
    int highest "sniff_highest"(uint64_t) noexcept nogil
    int popcount "sniff_count"(uint64_t) noexcept nogil

cdef enum:
    SEATS = 12
    MOVES = 192
    #: Larger than any difference of points, and still a short number.
    LARGE = 30000
    DRAW = -2
    PASS = -3
    NOBODY = -1000000
    #: Entries of a bucket, which together fill a cache line.
    BUCKET = 4
    PEAK = 4
    #: What a tile that a rival must draw counts against a play when plays are put in order.
    DRAWN = 15
    #: The table of bounds begins with this many buckets (as a power of two) and grows so far.
    LEAST_BITS = 13
    MOST_BITS = 21

# Codes of words; their places in the tuples of spec.py.
cdef enum:
    NEVER = 0
    UNABLE = 1
    FREE = 2
    WITHOUT_WILD = 3
cdef enum:
    MUST_PLAY = 0
    MAY_PLAY = 1
    TURN_ENDS = 2
cdef enum:
    OUT_OPPONENTS = 0
    OUT_ALL_OTHERS = 1
    OUT_DIFFERENCES = 2
    OUT_OWN_LOST = 3
    OUT_NONE = 4
    OUT_FIXED = 5
cdef enum:
    LOWEST_PLAYER = 0
    LOWEST_TEAM = 1
    LOWEST_NO_DOUBLE = 2
    NO_WINNER = 3
cdef enum:
    BLOCK_OPPONENTS = 0
    BLOCK_MINUS_OWN = 1
    BLOCK_DIFFERENCES = 2
    BLOCK_ALL_HANDS = 3
    BLOCK_CASCADE = 4
    BLOCK_OWN_LOST = 5
    BLOCK_NONE = 6
    BLOCK_FIXED = 7
cdef enum:
    TIE_NONE = 0
    TIE_SPLIT = 1
    TIE_OPENER = 2
    TIE_BLOCKER = 3
    TIE_REPLAY = 4
cdef enum:
    LEAD_ANY = 0
    LEAD_OWN = 1
    LEAD_DRAW = 2
    LEAD_PASS = 3
cdef enum:
    GREEDY = 0
    BLIND = 1
    RANDOM = 2
cdef enum:
    PLAY_NOW = 0
    PLAY_REPLY = 1
    PLAY_NEXT = 2
    PLAY_REST = 3
    PLAY_END = 4

cdef struct Node:
    # The hands come last, so that a copy can stop behind the last seat that is used.
    int32_t frontier
    int32_t turn
    int32_t taken
    int32_t drawn
    int32_t last
    int32_t passes
    int32_t extra
    int32_t kept
    int32_t must_lead
    int32_t seeking
    int32_t closer
    uint32_t entered
    int32_t scores[SEATS]
    uint64_t hands[SEATS]

cdef struct Gains:
    # Points per side that an action brings, apart from the settlement that it may cause.
    int32_t made[SEATS]
    int32_t end[SEATS]
    int32_t how

cdef struct Move:
    int32_t order
    int32_t after
    int16_t tile
    int16_t nth

cdef struct Entry:
    # What is known of a node: bounds of its value for the side to move, its best action as a place
    # in the list of actions, peaks in units of `PEAK`, and how many tiles were left.
    uint64_t check
    int16_t low
    int16_t high
    uint8_t peak0
    uint8_t peak1
    uint8_t choice
    uint8_t depth

cdef struct Peaks:
    # The most points that each side makes in any line looked at, at some moment.
    int side0
    int side1


class Exceeded(Exception):
    """More nodes than the budget allows."""


cdef class Kernel:
    """Play-outs and alpha-beta for one spec of at most 64 tile numbers."""

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
    # The solver.
    cdef Entry* entries
    cdef uint64_t entry_mask
    cdef int entry_bits
    cdef uint64_t used
    cdef long long nodes
    cdef long long budget

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
        self.entries = NULL
        self._sync()

    def __dealloc__(self):
        free(self.worth)
        free(self.limit)
        free(self.fits)
        free(self.has_fits)
        free(self.rows)
        free(self.pool)
        free(self.entries)

    # The mirror of the frontier table ---------------------------------------------------------

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

    cdef int _add_fits(self, int fid) except -1 with gil:
        self.fits[fid] = self.table.fitting(fid)
        self.has_fits[fid] = 1
        return 0

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

    cdef inline uint64_t fitting(self, int fid) except? 0xFFFFFFFFFFFFFFFF nogil:
        if not self.has_fits[fid]:
            self._add_fits(fid)
        return self.fits[fid]

    cdef inline int row(self, int fid, int tile) except -1 nogil:
        """Return the ways of a tile: the one table doubled, or their place in the pool, odd."""
        cdef size_t at = <size_t>fid * self.top + tile
        if self.rows[at] < 0:
            self._add_row(fid, tile)
        return self.rows[at]

    cdef inline int ways(self, int row) noexcept nogil:
        """Return how many ways a row has."""
        return self.pool[row >> 1] if row & 1 else 1

    cdef inline int way(self, int row, int nth) noexcept nogil:
        """Return the table to which the NTH way of a row leads."""
        return self.pool[(row >> 1) + 1 + nth] if row & 1 else row >> 1

    # Settlement: the twin of settlement.py ----------------------------------------------------

    cdef inline int pips_of(self, uint64_t hand) noexcept nogil:
        cdef int total = 0
        while hand:
            total += self.hand_pips[lowest(hand)]
            hand &= hand - 1
        return total

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

    cdef void side_sums(self, int* pips, int* sums) noexcept nogil:
        cdef int k
        for k in range(self.side_count):
            sums[k] = 0
        for k in range(self.seats):
            sums[self.sides[k]] += pips[k]

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

    cdef int admitted(self, int score, int entered, int points) noexcept nogil:
        cdef int k
        if not entered and 0 < points < self.entry:
            return 0
        for k in range(self.near_count):
            if self.near_missing[k] == self.target - score:
                return points if points < self.near_most[k] else self.near_most[k]
        return points

    cdef int against_target(self, int score, int points, int going_out) noexcept nogil:
        cdef int missing = self.target - score
        if not self.target or points <= 0:
            return points
        if going_out and not self.win_on_out and points >= missing:
            return 0
        if self.exact and points > missing:
            return 2 * missing - points if self.bounce else 0
        return points

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

    # The turn: the twin of turns.py -----------------------------------------------------------

    cdef inline int next_seat(self, Node* n, int seat) noexcept nogil:
        cdef int step, after
        for step in range(1, self.seats + 1):
            after = seat + step
            if after >= self.seats:
                after -= self.seats
            if n.hands[after]:
                return after
        return (seat + 1) % self.seats

    cdef inline int drawable(self, Node* n) noexcept nogil:
        return self.drawable_end > n.taken

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

    cdef inline uint64_t bound(self, uint64_t playable, int last) noexcept nogil:
        cdef uint64_t bit = <uint64_t>1 << last
        if not playable & bit or (self.draw_when == WITHOUT_WILD and self.wild & bit):
            return playable
        return bit

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

    cdef inline void add(self, Node* n, int side, int points, int entering) noexcept nogil:
        if self.follow:
            n.scores[side] += points
            if entering and points > 0:
                n.entered |= <uint32_t>1 << side

    cdef inline int reached(self, Node* n) noexcept nogil:
        cdef int side
        if not self.follow or not self.stops:
            return 0
        for side in range(self.side_count):
            if n.scores[side] >= self.target:
                return 1
        return 0

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

    # Play-outs: the twin of playout.py --------------------------------------------------------

    cdef int chosen(
        self, Node* n, uint64_t playable, int policy, uint64_t random, int* tile, int* after
    ) except -1 nogil:
        """Choose a play by the policy."""
        cdef int t, at, k, ways, value, pips, best = -1, best_pips = -1, count = 0, out_bonus, out
        cdef uint64_t left = playable, bit
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
                if value and policy != BLIND and not self.plain:
                    n.hands[n.turn] ^= bit
                    out = 0 if self.declare else self.goes_out(n, n.turn)
                    value = self.tile_credit(n, n.turn, value, out, &out_bonus)
                    n.hands[n.turn] ^= bit
                if value > best or (value == best and pips > best_pips) or tile[0] < 0:
                    best, best_pips = value, pips
                    tile[0] = t
                    after[0] = self.way(at, k)
        return 0

    cdef int run(
        self, Node* n, int tile, int after, int policy, uint64_t random, int32_t* out
    ) except -1 nogil:
        """Play out from N, beginning with an action (tile -1: by the policy); fill OUT."""
        cdef int me = n.turn, part = PLAY_NOW, over = 0, k, limit
        cdef uint64_t playable
        cdef Gains g
        for k in range(5 * self.side_count):
            out[k] = 0
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
                    random = mixed(random)
                    self.chosen(n, playable, policy, random, &tile, &after)
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
        n.frontier = position.frontier
        n.turn = position.turn
        n.drawn = position.drawn
        n.last = position.last_drawn if self.binds else -1
        n.passes = position.passes
        n.extra = position.extra
        n.must_lead = position.must_lead
        n.seeking = position.seeking
        n.closer = position.closer
        return 0

    def play_outs(self, positions, firsts, int policy, uint64_t seed):
        """Return the outcomes of each first action in each position as one flat array.

        Each outcome is, per side, its points by part, then the scores per side, how, and closer.
        """
        cdef int width = 6 * self.side_count + 2, count = len(firsts), k, follow_drawn
        cdef long long number = 0
        cdef int32_t[::1] out
        cdef Node start, n
        cdef int* tiles = <int*>malloc((count or 1) * sizeof(int))
        cdef int* afters = <int*>malloc((count or 1) * sizeof(int))
        cdef uint64_t random
        if tiles == NULL or afters == NULL:
            free(tiles)
            free(afters)
            raise MemoryError
        result = array("i", bytes(4 * width * count * len(positions)))
        if not result:
            free(tiles)
            free(afters)
            return result
        out = result
        try:
            with self.lock:
                self._sync()
                for k in range(count):
                    tiles[k], afters[k] = (-1, 0) if firsts[k] is None else firsts[k]
                follow_drawn = self.follow_drawn
                self.follow_drawn = 1
                try:
                    for position in positions:
                        self._load(&start, position, 1)
                        random = mixed(seed + <uint64_t>number)
                        with nogil:
                            for k in range(count):
                                n = start
                                self.run(
                                    &n, tiles[k], afters[k], policy, random,
                                    &out[(number * count + k) * width],
                                )
                        number += 1
                        if number & 255 == 0:
                            PyErr_CheckSignals()
                finally:
                    self.follow_drawn = follow_drawn
        finally:
            free(tiles)
            free(afters)
        return result

    # Alpha-beta: the twin of solver.AlphaBeta ------------------------------------------------

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

    cdef int _crowded(self) except -1 with gil:
        raise ValueError(f"a position has more than {MOVES - 2} plays")

    cdef inline int act(self, Node* n, int tile, int after, Gains* g) except -1 nogil:
        if tile >= 0:
            return self.play(n, tile, after, g)
        if tile == DRAW:
            return self.draw(n, g)
        return self.knock(n, g)

    cdef int sort(self, Node* n, Move* found, int count, int first) except -1 nogil:
        """Put the most promising first: the best of last time, then points less the best reply.

        A rival who has to draw gets more tiles, so that the tree below grows: such plays come
        late, the later the more he has to draw. Equal ones go by pips.
        """
        cdef int k, m, t, at, ways, reply
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
            reply = 0
            if left:
                while left:
                    t = lowest(left)
                    left &= left - 1
                    at = self.row(found[k].after, t)
                    ways = self.ways(at)
                    for m in range(ways):
                        reply = max(reply, self.worth[self.way(at, m)])
            else:
                for m in range(n.taken, self.drawable_end):
                    reply += DRAWN
                    if fits >> self.stock[m] & 1:
                        break
            found[k].order = (
                (self.worth[found[k].after] - reply) * 256 + self.pips[found[k].tile]
            )
        for k in range(1, count):
            one = found[k]
            m = k - 1
            while m >= 0 and found[m].order < one.order:
                found[m + 1] = found[m]
                m -= 1
            found[m + 1] = one
        return 0

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

    cdef inline Entry* find(self, uint64_t key) noexcept nogil:
        """Return what is known of a node, or NULL."""
        cdef Entry* entry = &self.entries[(key & self.entry_mask) * BUCKET]
        cdef int k
        for k in range(BUCKET):
            if entry[k].check == key:
                return &entry[k]
        return NULL

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

    cdef int _allot(self, int bits) except -1 with gil:
        """Give the table of bounds room for 2 ** BITS buckets, keeping what it holds."""
        cdef uint64_t size = <uint64_t>1 << bits, k
        cdef Entry* old = self.entries
        cdef uint64_t count = 0 if old == NULL else (self.entry_mask + 1) * BUCKET
        cdef Entry* to
        cdef Entry* fresh = <Entry*>calloc(size * BUCKET, sizeof(Entry))
        if fresh == NULL:
            raise MemoryError
        self.entries = fresh
        self.entry_mask = size - 1
        self.entry_bits = bits
        self.used = 0
        for k in range(count):
            if old[k].check:
                to = self.place(old[k].check)
                to[0] = old[k]
        free(old)
        return 0

    cdef int _pause(self) except -1 with gil:
        """Let Ctrl-C through; stop when the budget is used up."""
        PyErr_CheckSignals()
        if self.nodes > self.budget:
            raise Exceeded
        return 0

    cdef int search(self, Node* n, int low, int high, Peaks* peaks) except? -32768 nogil:
        """Return the value of N for the side to move, exact inside the window, else a bound.

        Actions that nobody chooses (draws, forced plays and passes) are done at once.
        """
        cdef Move found[MOVES]
        cdef Gains g
        cdef int me = self.sides[n.turn], other = 1 - me, base = 0, gain, count, value
        cdef int sum0 = 0, sum1 = 0
        cdef Peaks below
        peaks.side0 = peaks.side1 = 0
        while True:
            self.nodes += 1
            if self.nodes & 0xFFFFF == 0 or self.nodes > self.budget:
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
        known = self.find(key)
        if known == NULL:
            if self.used > (self.entry_mask + 1) * (BUCKET - 1) and self.entry_bits < MOST_BITS:
                self._allot(self.entry_bits + 2)
            known = self.place(key)
            known.check = key
            known.low = -LARGE
            known.high = LARGE
            left = 0
            for k in range(self.seats):
                left += popcount(n.hands[k])
            known.depth = left + max(0, self.drawable_end - n.taken)
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
        self._sync()
        self._load(&n, position, follow)
        if self.entries != NULL and self.entry_bits == LEAST_BITS:
            memset(self.entries, 0, (self.entry_mask + 1) * BUCKET * sizeof(Entry))
            self.used = 0
        else:
            free(self.entries)
            self.entries = NULL
            self._allot(LEAST_BITS)
        self.nodes = 0
        self.budget = budget

    def value(self, node, int low, int high):
        """Return the points of side 0 minus those of side 1 below a node, the peaks, the nodes."""
        cdef Node n
        cdef Peaks peaks
        cdef int value, k
        memset(&n, 0, sizeof(Node))
        self._sync()
        for k in range(self.seats):
            n.hands[k] = node.hands[k]
        n.frontier, n.turn, n.taken = node.frontier, node.turn, node.taken
        n.drawn, n.last, n.passes = node.drawn, node.last, node.passes
        n.extra, n.kept, n.must_lead = node.extra, node.kept, node.must_lead
        n.seeking, n.closer = node.seeking, node.closer
        if self.follow:
            for k in range(self.side_count):
                n.scores[k] = node.scores[k]
            n.entered = node.entered
        low = max(low, -LARGE)
        high = min(high, LARGE)
        with nogil:
            if self.sides[n.turn] == 0:
                value = self.search(&n, low, high, &peaks)
            else:
                value = -self.search(&n, -high, -low, &peaks)
        return value, (peaks.side0, peaks.side1), self.nodes


cdef inline uint64_t mixed(uint64_t number) noexcept nogil:
    """Return NUMBER scrambled (SplitMix64), as `policy.mixed` does."""
    number = number + <uint64_t>0x9E3779B97F4A7C15
    number = (number ^ (number >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    number = (number ^ (number >> 27)) * <uint64_t>0x94D049BB133111EB
    return number ^ (number >> 31)
