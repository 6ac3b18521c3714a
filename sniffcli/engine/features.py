"""What a weighted policy looks at: a handful of whole numbers for each play, and their weights.

A seat uses only what it may know: its own hand, the table, which tiles it cannot place, and how
many tiles the others hold. Points and pips are counted as they are; what the others may do is an
average over the tiles that cannot be placed. To stay with whole numbers everything else is
multiplied by their number instead of dividing these averages by it. `_kernel_policy.pxi` is the
native twin.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from sniffcli.engine.replies import replies_of
from sniffcli.engine.spec import Spec
from sniffcli.engine.tables import TILE_SHIFT
from sniffcli.tiles import tile_of_number

#: What is looked at, in the order of the weights.
POINTS, PIPS, DOUBLE, OUT, STUCK, MOVES, NEXT_POINTS, VARIETY, REPLY, FITTING = range(10)
FEATURES = (
    "points",  # credited at once
    "pips",  # of the tile
    "double",  # whether the tile is one
    "out",  # whether it is the last tile of the hand
    "stuck",  # whether no tile of the hand left fits the table that it leads to
    "moves",  # how many tiles of the hand left fit that table
    "next",  # the most points that one of them would be worth there
    "variety",  # how many different numbers of pips the hand left has
    "reply",  # what a tile that cannot be placed would be worth there, on average
    "fitting",  # which part of the tiles that cannot be placed fits there
)

#: A round is in its first phase until a rival holds no more than this many tiles.
FEW = 2
PHASES = 2

#: The weights of one phase, in the order of `FEATURES`, and of all phases.
Weights = tuple[int, ...]
Phases = tuple[Weights, ...]


def phase_of(least: int) -> int:
    """Return the phase of a round in which the shortest hand of a rival has LEAST tiles."""
    return 1 if least <= FEW else 0


@lru_cache(maxsize=64)
def suits_of(spec: Spec) -> tuple[int, ...]:
    """Return for each tile number a bit mask of the pips on its halves."""
    tiles = [tile_of_number(number) for number in range(spec.top)]
    return tuple(1 << tile.high | 1 << tile.low for tile in tiles)


def weighed(
    spec: Spec,
    weights: Weights,
    fid: int,
    hand: int,
    playable: int,
    unseen: int,
    credited: Callable[[int, int], int],
) -> int:
    """Return the play that weighs most, packed as in `tables`; the first of equals.

    UNSEEN is the mask of the tiles that the seat cannot place; CREDITED says what a tile of some
    worth is credited with.
    """
    table = spec.table
    best, packed = 0, -1
    while playable:
        tile = playable.bit_length() - 1
        playable ^= 1 << tile
        left = hand ^ 1 << tile
        for way in table.ways(fid, tile):
            points = credited(tile, way.worth if fid or spec.lead_scores else 0)
            weight = _weight(spec, weights, tile, way.after, points, left, unseen)
            if packed < 0 or weight > best:
                best, packed = weight, tile << TILE_SHIFT | way.after
    return packed


def _weight(
    spec: Spec, weights: Weights, tile: int, after: int, points: int, left: int, unseen: int
) -> int:
    fits = spec.table.fitting(after)
    moves = (left & fits).bit_count()
    following = reply = 0
    for worth, mask in replies_of(spec.table).levels(after):
        if not following and mask & left:
            following = worth
        reply += worth * (mask & unseen).bit_count()
    own = (
        weights[POINTS] * points
        + weights[PIPS] * spec.pips[tile]
        + weights[MOVES] * moves
        + weights[NEXT_POINTS] * following
        + weights[VARIETY] * variety(suits_of(spec), left)
    )
    if spec.doubles >> tile & 1:
        own += weights[DOUBLE]
    if not left:
        own += weights[OUT]
    elif not moves:
        own += weights[STUCK]
    others = weights[REPLY] * reply + weights[FITTING] * (fits & unseen).bit_count()
    return own * max(1, unseen.bit_count()) + others


def variety(suits: Sequence[int], hand: int) -> int:
    """Return how many different numbers of pips a hand has."""
    found = 0
    while hand:
        bit = hand & -hand
        hand ^= bit
        found |= suits[bit.bit_length() - 1]
    return found.bit_count()
