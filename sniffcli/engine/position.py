"""A position of a round in integers, every tile known: what play-outs and the solver work on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sniffcli.engine.settlement import credit
from sniffcli.engine.spec import Spec, spec_of
from sniffcli.game.state import State
from sniffcli.game.view import View
from sniffcli.tiles import Tile, tile_of_number


class Position(NamedTuple):
    """A position in which somebody is to move. Hands are bit masks of tile numbers."""

    spec: Spec
    #: The table, as a number of `spec.table`.
    frontier: int
    hands: tuple[int, ...]
    #: Tile numbers in drawing order, reserve included.
    boneyard: tuple[int, ...]
    turn: int
    #: Match points per side, and the sides whose first score counted (bit mask).
    scores: tuple[int, ...]
    entered: int = 0
    #: Tiles drawn in this turn, and the last of them (-1: none).
    drawn: int = 0
    last_drawn: int = -1
    passes: int = 0
    extra: bool = False
    #: The tile that has to be led (-1: free).
    must_lead: int = -1
    #: Whether the leader must draw until he has a tile by which a leader is found.
    seeking: bool = False
    leader: int = 0
    #: Who laid the last tile (-1: nobody).
    closer: int = -1

    @property
    def side(self) -> int:
        """The side to move."""
        return self.spec.sides[self.turn]

    @property
    def drawable(self) -> int:
        """How many tiles may still be drawn."""
        if not self.spec.draw_when:
            return 0
        return max(0, len(self.boneyard) - self.spec.reserve)


def mask_of(tiles: Iterable[Tile]) -> int:
    """Return tiles as a bit mask of their numbers."""
    return sum(1 << tile.number for tile in tiles)


def tiles_of(mask: int) -> tuple[Tile, ...]:
    """Return the tiles of a bit mask in order of their numbers."""
    return tuple(tile_of_number(number) for number in numbers_of(mask))


def numbers_of(mask: int) -> list[int]:
    """Return the tile numbers of a bit mask, smallest first."""
    numbers = []
    while mask:
        bit = mask & -mask
        numbers.append(bit.bit_length() - 1)
        mask ^= bit
    return numbers


def position_of(state: State) -> Position:
    """Return the position of a round in which every hand is known.

    A boneyard whose order is not known is taken in order of tile numbers behind what is known.
    Claims are treated as made: a score that its owner may still claim is credited before the
    position begins, one that he has missed is lost.

    Raises:
        ValueError: the round is over, or a hand is not known.
    """
    if state.over or state.closing is not None:
        raise ValueError("the round is over")
    if not state.all_known:
        raise ValueError("a hand is not known")
    known = [tile.number for tile in state.boneyard.known]
    rest = sorted(tile.number for tile in state.unseen())[: state.boneyard.unknown]
    return _position(state, [mask_of(hand.tiles) for hand in state.hands], [*known, *rest])


def position_from_view(view: View, hands: Sequence[int], boneyard: Sequence[int]) -> Position:
    """Return the position of a view in one world: hands per seat, boneyard in drawing order.

    Open scores are treated as `position_of` does.
    """
    if view.result is not None:
        raise ValueError("the round is over")
    return _position(view, hands, boneyard)


def _position(known: State | View, hands: Sequence[int], boneyard: Sequence[int]) -> Position:
    spec = spec_of(known.setup)
    by_tile = known.setup.rules.open.first_leader != "highest_tile"
    scores, entered = _scores(spec, known)
    return Position(
        spec=spec,
        frontier=spec.table.intern(known.frontier),
        hands=tuple(hands),
        boneyard=tuple(boneyard),
        turn=known.turn,
        scores=scores,
        entered=entered,
        drawn=known.drawn,
        last_drawn=-1 if known.last_drawn is None else known.last_drawn.number,
        passes=known.passes,
        extra=known.extra,
        must_lead=-1 if known.must_lead is None else known.must_lead.number,
        seeking=spec.lead_draws and known.origin.found and by_tile,
        leader=known.leader,
        closer=-1 if known.closer is None else known.closer,
    )


def _scores(spec: Spec, known: State | View) -> tuple[tuple[int, ...], int]:
    """Return the scores per side with open claims made, and the sides that have entered."""
    scores = list(known.scores)
    entered = sum(1 << side for side in known.entered)
    for pending in known.pending:
        if pending.missed or pending.tile_number != known.laid:
            continue
        side = spec.sides[pending.seat]
        had_entered = entered >> side & 1 == 1
        points = credit(spec, scores[side], had_entered, pending.points, play=True, going_out=False)
        scores[side] += points
        if points > 0:
            entered |= 1 << side
    return tuple(scores), entered
