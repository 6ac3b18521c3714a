"""What could be scored next on each table: the points that a tile laid there would be worth.

Found without laying anything: in games that pay for the sum of the ends a tile changes the sum by
what it does at its place alone, so it is asked of the table room once for each place.
"""

from __future__ import annotations

from functools import lru_cache

from sniffcli.engine.tables import FrontierTable
from sniffcli.table.counting import count, pays
from sniffcli.table.frontier import Frontier, Half, Place, join_at, places

#: Points, most first, each with the bit mask of the tiles whose best way is worth exactly so much.
Levels = tuple[tuple[int, int], ...]


class Replies:
    """The scoring replies to every table of a ruleset, filled on first use."""

    def __init__(self, table: FrontierTable) -> None:
        self.table = table
        self._levels: dict[int, Levels] = {}
        self._changes: dict[tuple[Place, bool], tuple[tuple[int, int], ...]] = {}

    def levels(self, number: int) -> Levels:
        """Return what the tiles that score on table NUMBER would be worth."""
        found = self._levels.get(number)
        if found is None:
            kind = self.table.rules.score.kind
            if kind == "none":
                found = ()
            elif kind == "ends_sum":
                found = self._by_sums(self.table.frontier(number))
            else:
                found = self._by_laying(number)
            self._levels[number] = found
        return found

    def _by_sums(self, frontier: Frontier) -> Levels:
        rules = self.table.rules
        total = count(rules, frontier)
        masks: dict[int, int] = {}
        for place in dict.fromkeys(places(rules, frontier)):
            for change, mask in self._changes_at(place, frontier.taken):
                masks[total + change] = masks.get(total + change, 0) | mask
        by_worth: dict[int, int] = {}
        for reached, mask in masks.items():
            points = pays(rules, reached)
            if points > 0:
                by_worth[points] = by_worth.get(points, 0) | mask
        return _levels(by_worth)

    def _changes_at(self, place: Place, taken: bool) -> tuple[tuple[int, int], ...]:
        """Return by how much the tiles that fit at a place change the sum, with their masks."""
        found = self._changes.get((place, taken))
        if found is None:
            table = self.table
            target = place.target
            if isinstance(target, Half):
                alone = Frontier((target,), (), taken)
            else:
                alone = Frontier((), (target,), taken)
            before = count(table.rules, alone)
            masks: dict[int, int] = {}
            for tile in table.tiles:
                for join in join_at(table.rules, alone, place, tile, table.wild):
                    change = count(table.rules, join.frontier) - before
                    masks[change] = masks.get(change, 0) | 1 << tile.number
            found = self._changes[place, taken] = tuple(masks.items())
        return found

    def _by_laying(self, number: int) -> Levels:
        fits = self.table.fitting(number)
        by_worth: dict[int, int] = {}
        while fits:
            bit = fits & -fits
            fits ^= bit
            points = max(way.worth for way in self.table.ways(number, bit.bit_length() - 1))
            if points > 0:
                by_worth[points] = by_worth.get(points, 0) | bit
        return _levels(by_worth)


def _levels(by_worth: dict[int, int]) -> Levels:
    """Return the levels with every tile at its best."""
    found = []
    seen = 0
    for points in sorted(by_worth, reverse=True):
        mask = by_worth[points] & ~seen
        seen |= mask
        if mask:
            found.append((points, mask))
    return tuple(found)


@lru_cache(maxsize=64)
def replies_of(table: FrontierTable) -> Replies:
    """Return the one `Replies` of a table."""
    return Replies(table)
