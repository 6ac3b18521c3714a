"""What one seat may know, as a type: bots, hints and analysis get this and never a `State`."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from sniffcli.game.actions import Draw
from sniffcli.game.state import Boneyard, Event, Hand, Origin, Pending, RoundResult, Setup, State
from sniffcli.table.frontier import Frontier
from sniffcli.table.layout import Layout
from sniffcli.tiles import Tile


class View(NamedTuple):
    """A round as one seat sees it: its own hand, everything that happened openly, and counts."""

    seat: int
    setup: Setup
    scores: tuple[int, ...]
    hand: tuple[Tile, ...]
    #: Tiles held per seat.
    hand_sizes: tuple[int, ...]
    #: Tiles that lie face down, reserve included.
    boneyard: int
    leader: int
    turn: int
    layout: Layout
    frontier: Frontier
    must_lead: Tile | None
    drawn: int
    #: The tile this seat has drawn last in its present turn.
    last_drawn: Tile | None
    passes: int
    extra: bool
    closer: int | None
    laid: int
    pending: tuple[Pending, ...]
    entered: frozenset[int]
    unlocked: frozenset[int]
    tings: tuple[int, ...]
    submerged: tuple[float, ...]
    now: float
    laid_at: float
    result: RoundResult | None
    #: How the round began, hands of others as counts.
    origin: Origin
    #: What happened, tiles drawn by others left out.
    events: tuple[Event, ...]

    @property
    def unseen(self) -> frozenset[Tile]:
        """The tiles that this seat cannot place: in other hands or in the boneyard."""
        return frozenset(self.setup.tiles) - set(self.hand) - set(self.layout.tiles)


def view_of(state: State, seat: int) -> View:
    """Return what SEAT may know of a round in progress."""
    mine = state.hands[seat]
    if mine.unknown:
        raise ValueError(f"the hand of {state.setup.names[seat]} is not known")
    return _view(state, seat, mine.tiles)


def onlooker(state: State) -> View:
    """Return what somebody knows who watches a round and holds no hand: a view of seat -1."""
    return _view(state, -1, ())


def _view(state: State, seat: int, hand: tuple[Tile, ...]) -> View:
    return View(
        seat=seat,
        setup=state.setup,
        scores=state.scores,
        hand=tuple(sorted(hand)),
        hand_sizes=tuple(hand.size for hand in state.hands),
        boneyard=state.boneyard.size,
        leader=state.leader,
        turn=state.turn,
        layout=state.layout,
        frontier=state.frontier,
        must_lead=state.must_lead if state.turn == seat else None,
        drawn=state.drawn,
        last_drawn=state.last_drawn if state.turn == seat else None,
        passes=state.passes,
        extra=state.extra,
        closer=state.closer,
        laid=state.laid,
        pending=state.pending,
        entered=state.entered,
        unlocked=state.unlocked,
        tings=state.tings,
        submerged=state.submerged,
        now=state.now,
        laid_at=state.laid_at,
        result=state.result if state.over else None,
        origin=_masked_origin(state.origin, seat),
        events=tuple(_masked(event, seat) for event in state.events),
    )


def _masked_origin(origin: Origin, seat: int) -> Origin:
    hands = tuple(
        Hand(tuple(sorted(hand.tiles)), hand.unknown) if one == seat else Hand((), hand.size)
        for one, hand in enumerate(origin.hands)
    )
    return origin._replace(hands=hands, boneyard=Boneyard((), origin.boneyard.size))


def _masked(event: Event, seat: int) -> Event:
    """Return the event as SEAT saw it: a tile drawn by somebody else has no face."""
    if not isinstance(event.action, Draw) or event.seat == seat:
        return event
    action = replace(event.action, tile=None)
    return event._replace(tile=None, text="draw", action=action)
