"""Worlds: the deals that agree with everything a seat knows, counted exactly and drawn fairly.

Every deal that is consistent with the evidence has the same chance: nothing is rejected and
nothing repaired (tutor.md, section 4.3). Counts and chances are exact; only a single random step is
taken with a floating-point number.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from math import perm
from typing import Any, NamedTuple

from sniffcli.engine.counting import BONEYARD, Spread, Table
from sniffcli.engine.deals import Deals, World
from sniffcli.engine.evidence import Evidence, gather
from sniffcli.engine.kernel import native_sampler
from sniffcli.engine.position import mask_of
from sniffcli.engine.possible import possible
from sniffcli.game.state import State
from sniffcli.game.view import View, onlooker, view_of
from sniffcli.tiles import Tile, tile_of_number

#: Up to so many spreads are listed to count those that several ways of the deal have in common.
MOST_LISTED = 20_000


class Clash(NamedTuple):
    """Two events of a record that cannot both be true (0 is the deal), and why in words."""

    first: int
    second: int
    message: str


class ContradictionError(ValueError):
    """A record that no deal can explain."""

    def __init__(self, clash: Clash) -> None:
        super().__init__(clash.message)
        self.clash = clash


class Worlds:
    """All deals that agree with the evidence of one seat."""

    def __init__(self, evidence: Evidence, mine: int) -> None:
        """Count the deals; MINE are the tiles that the seat itself holds, as a bit mask."""
        self.evidence = evidence
        self.mine = mine
        sizes = sum(evidence.sizes[seat] for seat in evidence.others) + evidence.boneyard
        if sizes != len(evidence.hidden):
            raise ValueError(
                f"{len(evidence.hidden)} tiles are hidden, but hands and boneyard take {sizes}"
            )
        tables = [Table(evidence, way) for way in evidence.alternatives]
        self._tables = tuple(table for table in tables if table.deals)
        #: How many deals agree with the evidence, the order of the boneyard left aside.
        self.deals = sum(table.deals for table in self._tables)

    @cached_property
    def consistent_hands(self) -> int | None:
        """How many ways there are to spread the hidden tiles over the hands of now.

        None in one rare case: too many to list, and more than one way in which the deal went that
        draws may have made alike.
        """
        total = sum(table.hands for table in self._tables)
        drawn = any(batch.n for batch in self.evidence.batches)
        if len(self._tables) < 2 or not drawn:
            return total
        return len(self._spreads()) if total <= MOST_LISTED else None

    def _spreads(self) -> dict[Spread, int]:
        """Return every spread of the hidden tiles with the number of deals behind it."""
        found: dict[Spread, int] = {}
        for table in self._tables:
            for spread, weight in table.enumerate():
                found[spread] = found.get(spread, 0) + weight
        return found

    @cached_property
    def drawable(self) -> int:
        """How many tiles may still be drawn."""
        if self.evidence.setup.rules.draw.when == "never":
            return 0
        return max(0, self.evidence.boneyard - self.evidence.setup.reserve)

    @property
    def orders(self) -> int:
        """In how many orders the tiles that may be drawn can lie."""
        return perm(self.evidence.boneyard, self.drawable)

    def no_more_than(self, most: int) -> bool:
        """Whether there are at most MOST worlds: hands, and orders of the boneyard."""
        least = max(table.hands for table in self._tables) * self.orders
        if least > most:
            return False
        hands = self.consistent_hands
        return hands is not None and hands * self.orders <= most

    def marginals(self) -> dict[Tile, dict[int, Fraction]]:
        """Return for each hidden tile the chance that each seat holds it; -1 is the boneyard."""
        sums: dict[int, dict[int, int]] = {one.number: {} for one in self.evidence.hidden}
        for table in self._tables:
            for number, owners in table.owners().items():
                into = sums[number]
                for slot, ways in owners.items():
                    into[slot] = into.get(slot, 0) + ways
        others = self.evidence.others
        return {
            tile_of_number(number): {
                others[slot] if slot >= 0 else BONEYARD: Fraction(ways, self.deals)
                for slot, ways in sorted(owners.items(), key=lambda pair: (pair[0] < 0, pair[0]))
                if ways
            }
            for number, owners in sums.items()
        }

    def sample(self, rng: random.Random) -> World:
        """Draw one world; every consistent deal has the same chance."""
        table = self._tables[0]
        if len(self._tables) > 1:
            left = rng.random() * self.deals
            for table in self._tables:
                left -= table.deals
                if left < 0:
                    break
        spread = table.sample(rng)
        return World(self._seated(spread), spread.boneyard)

    def draw(self, rng: random.Random, count: int) -> Sequence[World] | Deals:
        """Draw as many worlds as asked for, those that `sample` would give one by one."""
        if self._sampler is None:
            return [self.sample(rng) for _ in range(count)]
        hands, boneyards = self._sampler.draw(rng, count)
        return Deals(hands, boneyards, self.evidence.setup.seats)

    @cached_property
    def _sampler(self) -> Any:
        """The native twin of `sample`, or None where Python has to do it."""
        evidence = self.evidence
        return native_sampler(
            self._tables, evidence.setup, evidence.seat, self.mine, evidence.boneyard
        )

    def _seated(self, spread: Spread) -> tuple[int, ...]:
        """Return the hands in turn order, the seat's own among them."""
        every = [self.mine] * self.evidence.setup.seats
        for seat, hand in zip(self.evidence.others, spread.hands, strict=True):
            every[seat] = hand
        return tuple(every)

    def enumerate(self) -> Iterator[World]:
        """Yield every world once, with the number of deals that lead to it."""
        for spread, weight in self._spreads().items():
            seated = self._seated(spread)
            for order in permutations(spread.boneyard, self.drawable):
                kept = tuple(one for one in spread.boneyard if one not in order)
                yield World(seated, order + kept, weight)


def worlds_of(view: View) -> Worlds:
    """Return the worlds that a seat has to reckon with.

    Raises:
        ContradictionError: no deal explains the record.
    """
    worlds = Worlds(gather(view), mask_of(view.hand))
    if not worlds.deals:
        raise ContradictionError(clash(view))
    return worlds


def contradiction(state: State) -> Clash | None:
    """Return what cannot be true in a round with hidden hands; None where a deal explains it.

    Everybody whose hand is known is asked, and where nobody's is, somebody who only looks on.
    """
    both = zip(state.origin.hands, state.hands, strict=True)
    known = [seat for seat, hands in enumerate(both) if not any(hand.unknown for hand in hands)]
    views = [view_of(state, seat) for seat in known] or [onlooker(state)]
    for seen in views:
        # Whoever wrote it down knows the tiles drawn that stand there, too.
        view = seen._replace(events=state.events)
        if not possible(gather(view)):
            return clash(view)
    return None


def clash(view: View) -> Clash:
    """Return two events of a contradictory record that cannot both be true."""
    last = len(view.events)
    # The more events count, the less is possible, so that both ends can be found by halving.
    second = bisect_left(range(last), True, key=lambda n: not _explained(view, n, 0))
    if not second:
        return Clash(0, 0, "these hands cannot have been dealt with this leader")
    if not _explained(view, second, second):
        return Clash(0, second, f"{_told(view, second)}{_against_deal(view, second)}")
    back = bisect_left(range(second), True, key=lambda n: not _explained(view, second, second - n))
    first = second - back
    message = f"{_told(view, first)}, yet {_told(view, second)}: both cannot be true"
    return Clash(first, second, message)


def _explained(view: View, until: int, since: int) -> bool:
    """Whether a deal explains the events up to UNTIL, voids before event SINCE left aside."""
    return possible(gather(view, until, lambda n: n >= since))


def _against_deal(view: View, n: int) -> str:
    """Say how event N denies the deal itself: who led, or hands that would be thrown in."""
    tile = view.events[n - 1].tile
    ways = gather(view, n - 1).alternatives
    leader = view.setup.names[view.leader]
    if tile is not None and ways and all(way.barred >> tile.number & 1 for way in ways):
        return f", yet that {leader} led means that nobody was dealt {tile}"
    return ": no hands can have been dealt that allow it"


def _told(view: View, n: int) -> str:
    """Say in words what event N was."""
    event = view.events[n - 1]
    name = view.setup.names[event.seat]
    if event.kind == "play":
        return f"{name} laid {event.text} (event {n})"
    ends = ", ".join(str(pip) for pip in sorted(set(event.ends)))
    did = "drew" if event.kind == "draw" else "passed"
    return f"{name} {did} with {ends} open (event {n})" if ends else f"{name} {did} (event {n})"
