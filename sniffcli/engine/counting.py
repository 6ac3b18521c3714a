"""The counting table: in how many ways the hidden tiles can go to the hands and the boneyard.

Tiles go one by one; a state of the table is the mix of tiles that every hand has got so far. The
largest class of alike tiles comes last and is counted in one step. Numbers are whole and of any
size.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations
from math import comb
from typing import NamedTuple

from sniffcli.engine.evidence import Alternative, Evidence
from sniffcli.engine.holdings import FULL, WIDTH, Holdings, holdings

#: The owner of the tiles that nobody holds.
BONEYARD = -1


class Spread(NamedTuple):
    """Where the hidden tiles are: a bit mask per hand, and the numbers left in the boneyard."""

    hands: tuple[int, ...]
    boneyard: tuple[int, ...]


class _Step(NamedTuple):
    """One hidden tile and whom it may go to: pairs of owner and what that adds to the mix."""

    tile: int
    options: tuple[tuple[int, int], ...]


class _Finish(NamedTuple):
    """How the last class of alike tiles fills the hands: tiles each, ways to share, weight."""

    shares: tuple[int, ...]
    splits: int
    weight: int


_Edges = dict[int, list[tuple[int, int]]]


class Table:
    """The table for one way in which the deal went."""

    def __init__(self, evidence: Evidence, way: Alternative) -> None:
        self.evidence = evidence
        self.held: tuple[Holdings, ...] = tuple(
            holdings(evidence, way, seat) for seat in evidence.others
        )
        self._dealt = {one.number for one, _ in way.dealt}
        shift = 0
        self._shifts: list[int] = []
        for one in self.held:
            self._shifts.append(shift)
            shift += WIDTH * one.kinds
        self._steps, self._last, self._last_kinds = self._ordered()
        #: Per step and mix: whom the tile can go to, and the mix after it.
        self._edges: list[_Edges] = []
        self._finish: dict[int, _Finish] = {}
        self._explore()
        self._ways = self._counted([finish.weight for finish in self._finish.values()])
        self._choices: list[dict[int, tuple[list[float], list[tuple[int, int]]]]] = [
            {} for _ in self._steps
        ]

    @property
    def tiles(self) -> list[int]:
        """The tiles that go one by one, in their order."""
        return [step.tile for step in self._steps]

    @property
    def last(self) -> list[int]:
        """The class of alike tiles that comes last."""
        return self._last

    @property
    def deals(self) -> int:
        """How many deals there are, the order of the boneyard left aside."""
        return self._ways[0].get(0, 0)

    @cached_property
    def hands(self) -> int:
        """How many ways there are to spread the hidden tiles over the hands of now."""
        return self._counted([1] * len(self._finish))[0].get(0, 0)

    def _ordered(self) -> tuple[list[_Step], list[int], list[int]]:
        """Return the tiles class by class, the largest class of alike tiles apart."""
        classes: dict[tuple[bool, tuple[int, ...]], list[int]] = {}
        for index, one in enumerate(self.evidence.hidden):
            kinds = tuple(held.kind_of[index] for held in self.held)
            classes.setdefault((one.number in self._dealt, kinds), []).append(one.number)
        # The constrained tiles first, so that hopeless mixes are cut early.
        order = sorted(classes, key=lambda key: (not key[0], len(classes[key]), classes[key][0]))
        last = order.pop() if order and not order[-1][0] else None
        steps = []
        for key in order:
            dealt, kinds = key
            options = [
                (slot, 1 << self._shifts[slot] + WIDTH * kind)
                for slot, kind in enumerate(kinds)
                if kind >= 0
            ]
            if self.evidence.boneyard and not dealt:
                options.append((BONEYARD, 0))
            steps += [_Step(number, tuple(options)) for number in classes[key]]
        if last is None:
            return steps, [], [-1] * len(self.held)
        return steps, classes[last], list(last[1])

    def _explore(self) -> None:
        """Fill the table with every mix that can be reached and may grow into whole hands."""
        masks = [(1 << WIDTH * one.kinds) - 1 for one in self.held]
        mixes = [0] if all(0 in one.partial for one in self.held) else []
        for step in self._steps:
            edges: _Edges = {}
            after: dict[int, None] = {}
            for mix in mixes:
                found = edges[mix] = []
                for slot, added in step.options:
                    grown = mix + added
                    if slot >= 0:
                        part = grown >> self._shifts[slot] & masks[slot]
                        if part not in self.held[slot].partial:
                            continue
                    found.append((slot, grown))
                    after[grown] = None
            self._edges.append(edges)
            mixes = list(after)
        for mix in mixes:
            finish = self._finished(mix, masks)
            if finish is not None:
                self._finish[mix] = finish

    def _finished(self, mix: int, masks: Sequence[int]) -> _Finish | None:
        """Return how the last class completes MIX, or None if it cannot."""
        shares = []
        left, splits, weight = len(self._last), 1, 1
        for slot, held in enumerate(self.held):
            part = mix >> self._shifts[slot] & masks[slot]
            share = held.size - sum(part >> WIDTH * k & FULL for k in range(held.kinds))
            kind = self._last_kinds[slot]
            if share < 0 or share > left or (share and kind < 0):
                return None
            weight *= held.ways.get(part + (share << WIDTH * kind) if share else part, 0)
            if not weight:
                return None
            shares.append(share)
            splits *= comb(left, share)
            left -= share
        return _Finish(tuple(shares), splits, weight)

    def _counted(self, weights: Sequence[int]) -> list[dict[int, int]]:
        """Return, per step, how many ways lead on from each mix."""
        table = [
            {
                mix: weight * finish.splits
                for (mix, finish), weight in zip(self._finish.items(), weights, strict=True)
            }
        ]
        for edges in reversed(self._edges):
            later = table[-1]
            here = {}
            for mix, found in edges.items():
                total = sum(later.get(after, 0) for _, after in found)
                if total:
                    here[mix] = total
            table.append(here)
        table.reverse()
        return table

    def owners(self) -> dict[int, dict[int, int]]:
        """Return for each hidden tile number the deals in which each owner has it."""
        found: dict[int, dict[int, int]] = {}
        before = {0: 1}
        for index, step in enumerate(self._steps):
            owners = dict.fromkeys((slot for slot, _ in step.options), 0)
            after: dict[int, int] = {}
            later = self._ways[index + 1]
            for mix, ways in before.items():
                for slot, grown in self._edges[index].get(mix, ()):
                    if grown in later:
                        owners[slot] += ways * later[grown]
                        after[grown] = after.get(grown, 0) + ways
            found[step.tile] = owners
            before = after
        if self._last:
            many = len(self._last)
            owners = dict.fromkeys((*range(len(self.held)), BONEYARD), 0)
            for mix, ways in before.items():
                finish = self._finish.get(mix)
                if finish is None:
                    continue
                here = ways * finish.weight * finish.splits
                for slot, share in enumerate(finish.shares):
                    owners[slot] += here * share
                owners[BONEYARD] += here * (many - sum(finish.shares))
            # Alike tiles have each the same part of what the class has together.
            each = {slot: ways // many for slot, ways in owners.items()}
            found.update((number, each) for number in self._last)
        return found

    def sample(self, rng: random.Random) -> Spread:
        """Draw one deal, each with the same chance; the boneyard comes in a random order."""
        draw = rng.random
        hands = [0] * len(self.held)
        extra = []
        mix = 0
        for index, step in enumerate(self._steps):
            bounds, found = self._choices[index].get(mix) or self.choice(index, mix)
            at = 0
            if len(bounds) > 1:
                number = draw()
                while number >= bounds[at]:
                    at += 1
            slot, mix = found[at]
            if slot < 0:
                extra.append(step.tile)
            else:
                hands[slot] |= 1 << step.tile
        deck = self._last.copy()
        for last in range(len(deck) - 1, 0, -1):
            chosen = int(draw() * (last + 1))
            deck[last], deck[chosen] = deck[chosen], deck[last]
        for slot, share in enumerate(self.shares(mix)):
            for _ in range(share):
                hands[slot] |= 1 << deck.pop()
        for one in extra:
            deck.insert(int(draw() * (len(deck) + 1)), one)
        return Spread(tuple(hands), tuple(deck))

    def shares(self, mix: int) -> tuple[int, ...]:
        """Return how many of the last class go to each hand after MIX."""
        return self._finish[mix].shares

    def choice(self, index: int, mix: int) -> tuple[list[float], list[tuple[int, int]]]:
        """Return the chances, added up, of the ways on from MIX; the last one takes the rest.

        A way on is an owner and the mix after it.
        """
        later = self._ways[index + 1]
        total = self._ways[index][mix]
        found = [edge for edge in self._edges[index][mix] if edge[1] in later]
        bounds, ways = [], 0
        for _, after in found:
            ways += later[after]
            bounds.append(ways / total)
        bounds[-1] = 2.0
        choice = self._choices[index][mix] = (bounds, found)
        return choice

    def enumerate(self) -> Iterator[tuple[Spread, int]]:
        """Yield every spread of the hidden tiles once, with the number of deals behind it."""
        yield from self._from(0, 0, [0] * len(self.held), [])

    def _from(
        self, index: int, mix: int, hands: list[int], boneyard: list[int]
    ) -> Iterator[tuple[Spread, int]]:
        if mix not in self._ways[index]:
            return
        if index == len(self._steps):
            finish = self._finish[mix]
            for filled, rest in _shared(self._last, finish.shares, hands):
                yield Spread(tuple(filled), tuple(sorted((*boneyard, *rest)))), finish.weight
            return
        number = self._steps[index].tile
        for slot, after in self._edges[index][mix]:
            if slot < 0:
                yield from self._from(index + 1, after, hands, [*boneyard, number])
            else:
                more = hands.copy()
                more[slot] |= 1 << number
                yield from self._from(index + 1, after, more, boneyard)


def _shared(
    deck: Sequence[int], shares: Sequence[int], hands: Sequence[int], slot: int = 0
) -> Iterator[tuple[list[int], list[int]]]:
    """Yield all ways to give each hand its share of the deck, with what is left over."""
    if slot == len(shares):
        yield list(hands), list(deck)
        return
    for chosen in combinations(deck, shares[slot]):
        filled = list(hands)
        filled[slot] |= sum(1 << one for one in chosen)
        rest = [one for one in deck if one not in chosen]
        yield from _shared(rest, shares, filled, slot + 1)
