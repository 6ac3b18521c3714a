# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""The native twin of the hot loops: play-outs and alpha-beta on flat arrays, without the GIL.

`turns.py`, `playout.py`, `settlement.py` and `solver.py` are the originals, kept plain and short;
tests compare both on positions of every ruleset. The GIL is taken only to ask what becomes of a
part of the table that was not met before (`tables.py`). One kernel serves one spec; calls on it
take turns. The class is written in layers, each in the file that is included for it below; so are
the twin of the sampler of worlds and the sums over what was played out.
"""

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport (
    int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t,
)
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset

import threading
from array import array

from sniffcli.engine.duel import is_usual
from sniffcli.engine.features import suits_of

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    static __inline int sniff_lowest(unsigned long long x) {
        unsigned long i; _BitScanForward64(&i, x); return (int)i; }
    static __inline int sniff_highest(unsigned long long x) {
        unsigned long i; _BitScanReverse64(&i, x); return (int)i; }
    static __inline int sniff_count(unsigned long long x) { return (int)__popcnt64(x); }
    #define sniff_fetch(x)
    #else
    static inline int sniff_lowest(unsigned long long x) { return __builtin_ctzll(x); }
    static inline int sniff_highest(unsigned long long x) { return 63 - __builtin_clzll(x); }
    static inline int sniff_count(unsigned long long x) { return __builtin_popcountll(x); }
    #define sniff_fetch(x) __builtin_prefetch(x)
    #endif
    """
    int lowest "sniff_lowest"(uint64_t) noexcept nogil
    int highest "sniff_highest"(uint64_t) noexcept nogil
    int popcount "sniff_count"(uint64_t) noexcept nogil
    #: Ask for a cache line that will soon be read.
    void fetch "sniff_fetch"(void*) noexcept nogil

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
    LINE = 64
    PEAK = 4
    #: How much a point, a play that a rival then has, and a tile that he must draw count when plays
    #: are put in order; a pip counts 1.
    POINT = 256
    REPLY = 1300
    DRAWN = 2560
    #: The table of bounds begins with this many buckets (as a power of two) and grows so far.
    LEAST_BITS = 11
    MOST_BITS = 21
    #: Nodes between two looks at the signals.
    PAUSE = 0x100000
    #: Different worths of the plays on one table that are told apart when plays are put in order.
    LEVELS = 4
    #: Numbers of tables, and places for ways, that two bytes hold.
    CROWD = 0xFFFF

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
    WEIGHTED = 3
# Places of the weights in features.py, how many there are, and its phases.
cdef enum:
    W_POINTS = 0
    W_PIPS = 1
    W_DOUBLE = 2
    W_OUT = 3
    W_STUCK = 4
    W_MOVES = 5
    W_NEXT_POINTS = 6
    W_VARIETY = 7
    W_REPLY = 8
    W_FITTING = 9
    FEATURES = 10
    FEW = 2
    PHASES = 2
cdef enum:
    PLAY_NOW = 0
    PLAY_REPLY = 1
    PLAY_NEXT = 2
    PLAY_REST = 3
    PLAY_END = 4
cdef enum:
    ENDED_BLOCKED = 1
# Who leads the next round; as in equity.py.
cdef enum:
    LED_BY_CLOSER = -2
    LED_BY_PAID = -3

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

cdef struct Outlook:
    # One table as a search of two sees it, a cache line that its rows follow: its fits and worth;
    # of the tiles in `asked`, which make how many points there, the most first (those that make
    # none left out); and the tiles that go there in several ways.
    uint64_t fits
    uint64_t asked
    uint64_t tiles[LEVELS]
    uint64_t several
    int16_t worth
    int8_t limit
    uint8_t levels
    uint8_t worths[LEVELS]

cdef struct Play:
    # A play, how promising it is, and its place in the list of actions.
    int32_t order
    int32_t after
    int16_t tile
    int16_t nth

cdef struct Level:
    # Points, and the tiles that would make them; at the head of a table's levels their number.
    uint64_t mask
    int32_t worth

cdef struct Style:
    # How a seat chooses.
    int32_t kind
    int64_t weights[PHASES][FEATURES]

cdef struct Peaks:
    # The most points that each side makes in any line looked at, at some moment.
    int side0
    int side1


#: See `kernel.REVISION`.
REVISION = 1


class Exceeded(Exception):
    """More nodes than the budget allows."""


class Crowded(Exception):
    """More different tables than the search for two can number."""


cdef inline uint64_t mixed(uint64_t number) noexcept nogil:
    """Return NUMBER scrambled (SplitMix64), as `policy.mixed` does."""
    number = number + <uint64_t>0x9E3779B97F4A7C15
    number = (number ^ (number >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    number = (number ^ (number >> 27)) * <uint64_t>0x94D049BB133111EB
    return number ^ (number >> 31)


cdef inline int64_t packed(int value, int own, int other, int flipped) noexcept nogil:
    """Return a value with the most points that both seats make, seen from the other if FLIPPED."""
    if flipped:
        return <int64_t>own << 48 | <int64_t>other << 32 | <uint32_t>value
    return <int64_t>other << 48 | <int64_t>own << 32 | <uint32_t>value


cdef inline int value_in(int64_t found) noexcept nogil:
    return <int32_t><uint32_t>found


cdef inline int own_in(int64_t found) noexcept nogil:
    return found >> 32 & 0xFFFF


cdef inline int others_in(int64_t found) noexcept nogil:
    return found >> 48 & 0xFFFF


cdef inline uint64_t duel_key(uint64_t mine, uint64_t theirs, int fid, int where) noexcept nogil:
    cdef uint64_t key = (
        mine * <uint64_t>0x9E3779B97F4A7C15
        + theirs * <uint64_t>0xC2B2AE3D27D4EB4F
        + (<uint64_t>fid << 8 | <uint64_t>where) * <uint64_t>0x165667B19E3779F9
    )
    key = (key ^ (key >> 32)) * <uint64_t>0xBF58476D1CE4E5B9
    return key ^ (key >> 29)


include "_kernel_frontiers.pxi"
include "_kernel_spec.pxi"
include "_kernel_settle.pxi"
include "_kernel_turn.pxi"
include "_kernel_policy.pxi"
include "_kernel_playouts.pxi"
include "_kernel_bounds.pxi"
include "_kernel_duel.pxi"
include "_kernel_solver.pxi"
include "_kernel_worlds.pxi"
include "_kernel_stats.pxi"
