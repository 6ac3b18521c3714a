"""Evidence: what the record of a round proves about the tiles that one seat cannot see.

Every tile that is not the seat's own belongs to an *owner*: a batch of tiles that some player took
up at one time (the deal, or a draw), or the boneyard. Played tiles are included, because the
batch from which they came is hidden. What a draw or a pass proves is read from the ruleset: mostly
that nothing the player then held could be laid. Such a void covers the tiles held at that moment
and none that were drawn later (tutor.md, section 4.3).

Three things that follow from the rules of a round are not used: that a round goes on although
nobody else could play (at a real table nobody announces that), which of several hands was the
heaviest, and points lost for passing while able. They would only make the evidence sharper.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from sniffcli.engine.position import mask_of
from sniffcli.engine.tables import table_of
from sniffcli.game.deal import can_lead
from sniffcli.game.state import Event, Setup
from sniffcli.game.view import View
from sniffcli.ruleset.words import Doubles, HolderOf
from sniffcli.table.frontier import Frontier
from sniffcli.tiles import Tile

#: The actions that are a player's move; claims and the like prove nothing about tiles.
MOVES = ("play", "draw", "pass")


class Void(NamedTuple):
    """At event N a seat held none of some tiles (a bit mask by tile number)."""

    n: int
    seat: int
    tiles: int


class Batch(NamedTuple):
    """Tiles that a seat took up together: the deal (event 0) or one draw."""

    seat: int
    n: int
    size: int
    #: The tiles that it may hold, as a bit mask; None for no restriction of its own.
    only: int | None = None


class Alternative(NamedTuple):
    """One way in which the deal can have led to this round; together they exclude each other."""

    #: Tiles that were dealt to nobody, as a bit mask.
    barred: int = 0
    #: Tiles that were dealt, each to a seat, or to any other seat than one's own (None).
    dealt: tuple[tuple[Tile, int | None], ...] = ()


@dataclass(frozen=True)
class Evidence:
    """What one seat knows about hidden tiles; built by `gather`."""

    setup: Setup
    seat: int
    leader: int
    #: Tiles held per seat now, and tiles that lie face down.
    sizes: tuple[int, ...]
    boneyard: int
    #: Unplayed tiles that this seat cannot place, in order of their numbers.
    hidden: tuple[Tile, ...]
    #: Tiles played by others: seat and event.
    played: dict[Tile, tuple[int, int]]
    batches: tuple[Batch, ...]
    voids: tuple[Void, ...]
    alternatives: tuple[Alternative, ...]
    #: The most doubles that one hand can have been dealt without being thrown in.
    most_doubles: int | None

    @cached_property
    def others(self) -> tuple[int, ...]:
        """The other seats in turn order."""
        return tuple(one for one in range(self.setup.seats) if one != self.seat)

    def batches_of(self, seat: int) -> tuple[Batch, ...]:
        """Return the batches of a seat in the order in which it took them up."""
        return tuple(batch for batch in self.batches if batch.seat == seat)

    def holdable(self, batch: Batch) -> int:
        """Return the hidden tiles that may lie in BATCH, the ways to find the leader left aside."""
        mask = self._hidden_mask if batch.only is None else self._hidden_mask & batch.only
        for void in self.voids:
            if void.seat == batch.seat and batch.n < void.n:
                mask &= ~void.tiles
        return mask

    @cached_property
    def _hidden_mask(self) -> int:
        return mask_of(self.hidden)

    def may_hold(self, tile: Tile, batch: Batch) -> bool:
        """Whether TILE can have come from BATCH, the ways to find the leader left aside."""
        bit = 1 << tile.number
        end = None
        if tile in self.played:
            owner, end = self.played[tile]
            if owner != batch.seat or batch.n >= end:
                return False
        if batch.only is not None and not batch.only & bit:
            return False
        return not any(
            void.seat == batch.seat
            and void.tiles & bit
            and batch.n < void.n
            and (end is None or void.n < end)
            for void in self.voids
        )


def gather(
    view: View, until: int | None = None, heed: Callable[[int], bool] = lambda n: True
) -> Evidence:
    """Return what a seat knows from the events up to UNTIL (default: all of them).

    HEED says of which events the voids count; it serves the search for events that clash.
    """
    setup, me = view.setup, view.seat
    events = [event for event in view.events if until is None or event.n <= until]
    drawn_by_me = _drawn(view, events)
    mine = _held(view) - (_drawn(view, view.events) - drawn_by_me)
    played = {e.tile: (e.seat, e.n) for e in events if e.kind == "play" and e.tile and e.seat != me}
    seen = mine | set(view.origin.layout.tiles) | set(played)
    reader = _Reader(view)
    for event in events:
        reader.read(event)
    sizes = events[-1].hand_sizes if events else tuple(hand.size for hand in view.origin.hands)
    boneyard = events[-1].boneyard if events else view.origin.boneyard.size
    dealt_to_me = mine - drawn_by_me
    alternatives, most = _deal_evidence(view, dealt_to_me, reader)
    return Evidence(
        setup=setup,
        seat=me,
        leader=view.leader,
        sizes=sizes,
        boneyard=boneyard,
        hidden=tuple(one for one in setup.tiles if one not in seen),
        played=played,
        batches=tuple(batch for batch in reader.batches if batch.size and batch.seat != me),
        voids=tuple(
            void for void in reader.voids if void.tiles and void.seat != me and heed(void.n)
        ),
        alternatives=alternatives,
        most_doubles=most,
    )


def _held(view: View) -> set[Tile]:
    """Return every tile that the seat of a view has held in the round."""
    laid = {e.tile for e in view.events if e.kind == "play" and e.seat == view.seat and e.tile}
    return set(view.hand) | laid


def _drawn(view: View, events: Sequence[Event]) -> set[Tile]:
    """Return the tiles that the seat of a view drew in some events, the first ones of the round.

    A draw that names no tile is taken to have brought one that was not dealt: they come in the
    order in which they were laid, the tiles still in the hand last.
    """
    draws = [event.tile for event in events if event.kind == "draw" and event.seat == view.seat]
    named = {tile for tile in draws if tile}
    dealt = view.origin.hands[view.seat]
    if len(named) == len(draws) or dealt.unknown:
        return named
    every = {e.tile for e in view.events if e.kind == "draw" and e.seat == view.seat and e.tile}
    others = _held(view) - set(dealt.tiles) - every
    laid = [e.tile for e in view.events if e.kind == "play" and e.tile in others]
    rest = sorted(others.difference(laid))
    return named.union([*laid, *rest][: len(draws) - len(named)])


class _Reader:
    """Goes through the events of a round and notes what each proves."""

    def __init__(self, view: View) -> None:
        self.view, self.setup, self.rules = view, view.setup, view.setup.rules
        self._table = table_of(self.rules, self.setup.seats)
        self._every = mask_of(self.setup.tiles)
        self.batches = [Batch(seat, 0, hand.size) for seat, hand in enumerate(view.origin.hands)]
        self.voids: list[Void] = []
        self.led: Tile | None = None
        #: Whether the leader drew before he led, and whether there was something to draw.
        self.sought = False
        self.could_seek = (
            self.rules.draw.when != "never" and view.origin.boneyard.size > self.setup.reserve
        )
        self._frontier: Frontier = view.origin.frontier
        self._boneyard = view.origin.boneyard.size
        self._passes = 0
        self._turn: int | None = None
        self._drawn = 0
        self._extra = False

    def read(self, event: Event) -> None:
        """Note what EVENT proves, then step behind it."""
        if event.kind in MOVES:
            if event.seat != self._turn:
                self._turn, self._drawn, self._extra = event.seat, 0, False
            if event.kind == "draw":
                self._draw(event)
            elif event.kind == "pass":
                self._pass(event)
            else:
                self._play(event)
        self._frontier, self._boneyard = event.frontier, event.boneyard

    def _draw(self, event: Event) -> None:
        self._narrow_last(self._unbound())
        if self._frontier.is_empty:
            self._void(event, self._leadable())
        elif self.rules.draw.when != "free":
            self._void(event, self._able())
        only = None if event.tile is None else 1 << event.tile.number
        self.batches.append(Batch(event.seat, event.n, 1, only))
        self._drawn += 1
        self._passes = 0
        if self.rules.draw.then == "turn_ends" and not self._frontier.is_empty:
            self._turn = None

    def _pass(self, event: Event) -> None:
        if self._frontier.is_empty:
            self._void(event, self._leadable())
        elif not self._proves_nothing():
            self._void(event, self._able())
        self._passes += 1
        self._turn = None

    def _proves_nothing(self) -> bool:
        """Whether the ruleset lets a seat pass here though it could play."""
        if self._extra and not self.rules.extra_turn.forced:
            return True
        if self._drawn and self.rules.draw.then == "may_play":
            return True
        return bool(self.rules.pass_.penalty)

    def _play(self, event: Event) -> None:
        assert event.tile is not None
        bit = 1 << event.tile.number
        if self._frontier.is_empty:
            self._lead(event, bit)
        elif self._fitting() & bit:
            # What was drawn last and could be laid had to be laid: it is this tile, or fitted not.
            # A false join that was let stand proves nothing.
            self._narrow_last(self._unbound() | bit)
        self._extra = self._earns_turn(event)
        self._drawn = 0
        self._passes = 0
        if not self._extra:
            self._turn = None

    def _lead(self, event: Event, bit: int) -> None:
        """Note what the first tile proves about the tiles with which its owner had to lead."""
        self.led, self.sought = event.tile, self._drawn > 0
        wanted = self._leadable()
        drawable = self._boneyard > self.setup.reserve
        if self.rules.open.tile in ("double", "double_or_scoring"):
            passed = self.rules.open.if_none == "pass_lead" and self._passes
            if not wanted & bit and not passed:
                self._void(event, wanted)
        elif self._drawn and drawable:
            # The search ended before the boneyard did, so the last tile was what was sought.
            self.batches[-1] = self.batches[-1]._replace(only=wanted)
        elif self._drawn and self.rules.open.tile == "qualifying" and not wanted & bit:
            self._void(event, wanted)

    def _earns_turn(self, event: Event) -> bool:
        assert event.tile is not None
        after = self.rules.extra_turn.after
        earned = ("double" in after and event.tile.is_double) or (
            "score" in after and event.worth > 0
        )
        return earned and not self._drawn and bool(event.hand_sizes[event.seat])

    def _void(self, event: Event, tiles: int) -> None:
        self.voids.append(Void(event.n, event.seat, tiles))

    def _narrow_last(self, only: int | None) -> None:
        """Restrict the tile drawn last in this turn; None restricts nothing."""
        if self._drawn and only is not None and self.rules.draw.then == "must_play":
            known = self.batches[-1].only
            self.batches[-1] = self.batches[-1]._replace(
                only=only if known is None else only & known
            )

    def _unbound(self) -> int:
        """Return the tiles that, just drawn, need not be laid at once (`draw.then`)."""
        every = self._every
        if self._frontier.is_empty:
            # Who draws in search of a tile that may be led is not bound to the last one drawn.
            return every
        bound = self._fitting()
        if self.rules.draw.when == "unable_without_wild":
            bound &= ~mask_of(self.setup.wild)
        return every & ~bound

    def _fitting(self) -> int:
        return self._table.fitting(self._table.intern(self._frontier))

    def _able(self) -> int:
        """Return the tiles that would oblige their holder to play rather than draw or pass."""
        tiles = self._fitting()
        if self.rules.draw.when != "unable_without_wild":
            return tiles
        if self.rules.joining.forced_wild and self._boneyard <= self.setup.reserve:
            return tiles
        return tiles & ~mask_of(self.setup.wild)

    def _leadable(self) -> int:
        """Return the tiles that a leader without them has to draw for, or to pass for."""
        wanted = self.rules.open.tile
        if wanted == "double":
            return mask_of(one for one in self.setup.tiles if one.is_double)
        if wanted == "double_or_scoring":
            return mask_of(one for one in self.setup.tiles if can_lead(self.setup, one))
        return mask_of(_ranking(self.setup)[0])


def _deal_evidence(
    view: View, mine: set[Tile], reader: _Reader
) -> tuple[tuple[Alternative, ...], int | None]:
    """Return what the deal itself tells: hands that were not thrown in, and who leads."""
    setup = view.setup
    if view.origin.layout.placed:
        return (Alternative(),), None
    ways = _ways_to_lead(view, mine, reader) if view.origin.found else [Alternative()]
    redeal = setup.rules.deal.redeal_if
    if redeal == "no_double_dealt" and not any(one.is_double for one in mine):
        ways = [one for way in ways for one in _with_a_double(setup, way)]
    most = redeal.count - 1 if isinstance(redeal, Doubles) else None
    return tuple(ways), most


def _with_a_double(setup: Setup, way: Alternative) -> list[Alternative]:
    """Split WAY by the highest double that was dealt; nothing is left where there was none."""
    if any(one.is_double for one, _ in way.dealt):
        return [way]
    found = []
    barred = way.barred
    for one in sorted((one for one in setup.tiles if one.is_double), reverse=True):
        if not barred >> one.number & 1:
            found.append(Alternative(barred, (*way.dealt, (one, None))))
        barred |= 1 << one.number
    return found


def _ways_to_lead(view: View, mine: set[Tile], reader: _Reader) -> list[Alternative]:
    """Return how the leader can have been found by a tile dealt to him (`open.first_leader`)."""
    rules = view.setup.rules.open
    bound = reader.led if rules.tile == "qualifying" else None
    first, rest = _ranking(view.setup)
    nobody = mask_of(first)
    searching = rules.tile in ("any", "qualifying") and rules.if_none == "draw_until"
    if searching and reader.sought:
        return [] if any(one in mine for one in first) else [Alternative(nobody)]
    ways = _ranked(view, mine, first, bound, 0)
    if searching and reader.led is not None and reader.could_seek:
        # He would have had to draw, had nobody been dealt such a tile.
        return ways
    if rest and not any(one in mine for one in first):
        if rules.if_none in ("highest_tile", "highest_tile_any"):
            must = bound if rules.if_none == "highest_tile" else None
            ways += _ranked(view, mine, rest, must, nobody)
        elif rules.if_none == "heaviest_hand" or (
            rules.if_none in ("draw_until", "pass_lead") and view.leader == 0
        ):
            ways.append(Alternative(nobody))
    return ways


def _ranking(setup: Setup) -> tuple[list[Tile], list[Tile]]:
    """Return the tiles that find the leader, best first, and those that do where none is held."""
    by_pips = sorted(setup.tiles, key=lambda one: (one.pips, one), reverse=True)
    rule = setup.rules.open.first_leader
    if rule == "highest_tile":
        return by_pips, []
    if isinstance(rule, HolderOf):
        first = [rule.tile]
    else:
        first = sorted(one for one in setup.tiles if one.is_double)
        if rule == "highest_double":
            first.reverse()
    return first, [one for one in by_pips if one not in first]


def _ranked(
    view: View, mine: set[Tile], ranking: list[Tile], bound: Tile | None, barred: int
) -> list[Alternative]:
    """Return one alternative for each tile that can have been the best one dealt."""
    ways = []
    for one in ranking:
        held_by_me = one in mine
        if held_by_me == (view.leader == view.seat) and bound in (None, one):
            ways.append(Alternative(barred, () if held_by_me else ((one, view.leader),)))
        if held_by_me:
            break
        barred |= 1 << one.number
    return ways
