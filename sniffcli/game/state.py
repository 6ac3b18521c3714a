"""The state of a round as one immutable value, and the events that lead from one to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from sniffcli.game.actions import Action
from sniffcli.ruleset.model import Ruleset
from sniffcli.table.frontier import EMPTY, Frontier
from sniffcli.table.layout import EMPTY_LAYOUT, Layout
from sniffcli.tiles import Tile

How = Literal["out", "blocked", "target", "resigned"]


@dataclass(frozen=True)
class Setup:
    """What does not change during a match: rules, seats, sides."""

    rules: Ruleset
    names: tuple[str, ...]
    #: The side (team) of each seat; without partners a side is a seat.
    sides: tuple[int, ...]
    #: Seats that are played by a program; they earn no tings.
    bots: frozenset[int] = frozenset()
    #: Whether a false join that nobody noticed stands, with a warning (`tolerate: [misjoin]`).
    misjoins_stand: bool = False

    @property
    def seats(self) -> int:
        """Number of players."""
        return len(self.names)

    @cached_property
    def side_count(self) -> int:
        """Number of sides (teams)."""
        return max(self.sides) + 1

    @cached_property
    def tiles(self) -> tuple[Tile, ...]:
        """All tiles of the set in use."""
        return self.rules.tiles(self.seats)

    @cached_property
    def wild(self) -> frozenset[Tile]:
        """The tiles that fit anywhere."""
        return self.rules.wild_tiles(self.seats)

    @cached_property
    def reserve(self) -> int:
        """Tiles at the end of the boneyard that are never drawn."""
        return self.rules.reserve(self.seats)

    @cached_property
    def target(self) -> int | None:
        """Points to reach, or None for a match without a target."""
        return self.rules.target(self.seats)

    @property
    def has_teams(self) -> bool:
        """Whether partners play together."""
        return self.side_count < self.seats

    def members(self, side: int) -> tuple[int, ...]:
        """Return the seats of a side."""
        return tuple(seat for seat, one in enumerate(self.sides) if one == side)

    def by_name(self, per_side: Sequence[int | None]) -> dict[str, int | None]:
        """Return a value per side as a mapping by player; partners show the same."""
        return {name: per_side[self.sides[seat]] for seat, name in enumerate(self.names)}


class Hand(NamedTuple):
    """The tiles of a seat: those known, and how many are not."""

    tiles: tuple[Tile, ...] = ()
    unknown: int = 0

    @property
    def size(self) -> int:
        """Number of tiles held."""
        return len(self.tiles) + self.unknown

    def without(self, tile: Tile) -> Hand:
        """Return the hand after TILE left it; an unknown tile if it was not among the known."""
        if tile in self.tiles:
            return Hand(tuple(one for one in self.tiles if one != tile), self.unknown)
        if not self.unknown:
            raise ValueError(f"{tile} is not in this hand")
        return Hand(self.tiles, self.unknown - 1)

    def plus(self, tile: Tile | None) -> Hand:
        """Return the hand after a draw; None is a tile that nobody saw."""
        if tile is None:
            return Hand(self.tiles, self.unknown + 1)
        return Hand((*self.tiles, tile), self.unknown)


class Boneyard(NamedTuple):
    """The tiles left to draw: the first ones known in drawing order, and how many more."""

    known: tuple[Tile, ...] = ()
    unknown: int = 0

    @property
    def size(self) -> int:
        """Number of tiles that lie face down, reserve included."""
        return len(self.known) + self.unknown

    def drawn(self) -> Boneyard:
        """Return the boneyard after one tile was drawn."""
        if self.known:
            return Boneyard(self.known[1:], self.unknown)
        return Boneyard((), self.unknown - 1)


class Pending(NamedTuple):
    """A score that was made and not yet claimed."""

    seat: int
    points: int
    #: Which tile of the round made it, from 1.
    tile_number: int
    #: Whether its owner has let the time pass.
    missed: bool = False


class RoundResult(NamedTuple):
    """How a round ended and what it paid."""

    how: How
    #: Winning seats; several for a side that won together, none where nobody won.
    winners: tuple[int, ...]
    #: Points paid at the end per side; None where hidden hands leave it unknown.
    bonus: tuple[int, ...] | None
    #: Whether the lightest hands of a blocked round were equal.
    tied: bool
    leader: int
    #: Who laid the last tile; None if nobody did.
    closer: int | None
    #: Pips left in each hand; None where unknown.
    pips: tuple[int | None, ...]
    #: Whether the round is void and is played again (`blocked.tie: replay`).
    replay: bool = False


class Event(NamedTuple):
    """What one action did. The list of events of a round is its record."""

    n: int
    action: Action
    #: The tile laid or drawn; None for a tile that nobody saw and for other actions.
    tile: Tile | None
    #: The tile it was joined to, and which part of a spinner.
    on: Tile | None
    #: The play in its shortest unambiguous form, or the action in words.
    text: str
    #: Sum of the ends after the action; None on an empty table.
    sum: int | None
    #: What the play is worth, claimed or not; 0 for other actions.
    worth: int
    #: Points credited to the acting seat's side.
    points: int
    ends: tuple[int, ...]
    scores: tuple[int, ...]
    hand_sizes: tuple[int, ...]
    boneyard: int
    frontier: Frontier
    #: Moment of the action in seconds since the round began.
    time: float
    #: Scores that were lost or taken because their owner had not claimed them.
    missed: tuple[Pending, ...] = ()
    #: A remark for people, such as "claim void: 15 are worth 10".
    note: str = ""

    @property
    def seat(self) -> int:
        """The acting seat."""
        return self.action.seat

    @property
    def kind(self) -> str:
        """The kind of action (`play`, `draw`, ...)."""
        return self.action.kind


class Origin(NamedTuple):
    """Where a round began, for records and for what can be deduced from its events."""

    hands: tuple[Hand, ...]
    boneyard: Boneyard
    layout: Layout = EMPTY_LAYOUT
    frontier: Frontier = EMPTY
    #: Whether the leader was found by a tile dealt to him, so that his lead tells about all hands.
    found: bool = False


class State(NamedTuple):
    """Everything about a round in progress; changed only by `apply`."""

    setup: Setup
    #: Match points per side.
    scores: tuple[int, ...]
    hands: tuple[Hand, ...]
    boneyard: Boneyard
    leader: int
    turn: int
    origin: Origin
    layout: Layout = EMPTY_LAYOUT
    frontier: Frontier = EMPTY
    #: The tile that has to be led; None if the leader may choose.
    must_lead: Tile | None = None
    #: Tiles laid in this round (a layout to start from not counted).
    laid: int = 0
    #: Who laid the last tile.
    closer: int | None = None
    #: Tiles drawn in this turn, and the last of them where it is known.
    drawn: int = 0
    last_drawn: Tile | None = None
    #: Passes in a row; a draw or a play ends the row.
    passes: int = 0
    #: Whether the seat to move has an extra turn.
    extra: bool = False
    pending: tuple[Pending, ...] = ()
    #: Seconds since the round began, now and when the last tile was laid.
    now: float = 0.0
    laid_at: float = 0.0
    #: Until when each seat is under water.
    submerged: tuple[float, ...] = ()
    #: Sides that have unlocked the keelhaul in this match.
    unlocked: frozenset[int] = frozenset()
    #: Sides whose first score was high enough to count.
    entered: frozenset[int] = frozenset()
    #: Claims and catches in a row, per seat.
    tings: tuple[int, ...] = ()
    #: What going out pays its side, where that was settled together with the last tile.
    out_bonus: int | None = None
    #: How the round ended while a score is still open; None during play.
    closing: How | None = None
    result: RoundResult | None = None
    events: tuple[Event, ...] = ()

    @property
    def rules(self) -> Ruleset:
        """The ruleset in force."""
        return self.setup.rules

    @property
    def over(self) -> bool:
        """Whether the round is settled."""
        return self.result is not None

    @property
    def drawable(self) -> int:
        """How many tiles may still be drawn (rules.md, trap 1)."""
        if self.rules.draw.when == "never":
            return 0
        return max(0, self.boneyard.size - self.setup.reserve)

    @property
    def all_known(self) -> bool:
        """Whether every hand is known."""
        return all(not hand.unknown for hand in self.hands)

    def unseen(self) -> frozenset[Tile]:
        """Return the tiles of the set that are neither on the table nor in a known place."""
        seen = set(self.layout.tiles)
        for hand in self.hands:
            seen.update(hand.tiles)
        seen.update(self.boneyard.known)
        return frozenset(self.setup.tiles) - seen
