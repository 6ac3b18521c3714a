"""Interned frontiers: each becomes a number, its successors per tile a row, filled on first use.

The search never sees a rule, only these numbers. All joining and counting is asked of the table
room (`table.frontier`, `table.counting`) and remembered here.
"""

from __future__ import annotations

from functools import lru_cache
from threading import RLock
from typing import NamedTuple

from sniffcli.ruleset.model import Ruleset
from sniffcli.table.counting import worth
from sniffcli.table.frontier import (
    EMPTY,
    Double,
    Frontier,
    Half,
    Place,
    alike,
    join_at,
    lead,
    places,
)
from sniffcli.tiles import tile_of_number

#: What `FrontierTable.limit` says where tiles are drawn until one can be played.
UNTIL_PLAYABLE = -1

#: How a play is packed into one number: worth, then pips, then tile number, then the way.
#: Comparing two such numbers compares the worth first and the pips next.
WORTH_SHIFT = 48
PIPS_SHIFT = 40
TILE_SHIFT = 32
ID_MASK = (1 << TILE_SHIFT) - 1

#: Bits in the key of a table for the number of alike parts (at most 19 tiles share a number).
ROOM = 5


class Way(NamedTuple):
    """One way to lay a tile: the number of the table that it leads to, and what it is worth."""

    after: int
    worth: int


class FrontierTable:
    """The frontiers of one ruleset for one number of players, each with a number from 0 (empty)."""

    __slots__ = (
        "_codes",
        "_index",
        "_keys",
        "_lock",
        "_places",
        "_spots",
        "best",
        "fits",
        "frontiers",
        "limit",
        "rows",
        "rules",
        "tiles",
        "top",
        "wild",
        "worth",
    )

    def __init__(self, rules: Ruleset, players: int) -> None:
        self.rules = rules
        self.wild = rules.wild_tiles(players)
        self.tiles = rules.tiles(players)
        #: One more than the largest tile number in play.
        self.top = max(tile.number for tile in self.tiles) + 1
        # Threads that work without the GIL may ask at the same time.
        self._lock = RLock()
        #: Tables by key: the sum of the codes of their parts, which no two tables share.
        self._index: dict[int, int] = {}
        self._codes: dict[Half | Double, int] = {}
        self._keys: list[int] = []
        self._spots: dict[tuple[Place, bool], _Spot] = {}
        #: The different places of each table, empty as long as nobody has asked.
        self._places: list[tuple[_Spot, ...]] = []
        #: The frontier behind each number.
        self.frontiers: list[Frontier] = []
        #: Points that a play leading to this table is worth.
        self.worth: list[int] = []
        #: Draw limit in one turn on this table.
        self.limit: list[int] = []
        #: Bit mask of the tiles that fit, or -1 as long as nobody has asked.
        self.fits: list[int] = []
        #: Per table a mapping from tile number to the ways of laying it.
        self.rows: list[dict[int, tuple[Way, ...]]] = []
        #: Per table a mapping from tile bit to its best way, packed (see `WORTH_SHIFT`).
        self.best: list[dict[int, int]] = []
        self.intern(EMPTY)

    def __len__(self) -> int:
        return len(self.frontiers)

    def intern(self, frontier: Frontier) -> int:
        """Return the number of FRONTIER, a new one if it was never seen; alike tables share one."""
        one = alike(self.rules, frontier)
        key = self.key(one)
        known = self._index.get(key)
        if known is None:
            with self._lock:
                known = self._index.get(key)
                return self._new(key, one) if known is None else known
        return known

    def key(self, frontier: Frontier) -> int:
        """Return a number that tells this table from all others."""
        key = int(frontier.taken)
        for half in frontier.halves:
            key += self._code(half)
        for double in frontier.doubles:
            key += self._code(double)
        return key

    def _code(self, part: Half | Double) -> int:
        code = self._codes.get(part)
        if code is None:
            # Alike parts are added up, so each gets room for as many as a table can ever have.
            code = self._codes[part] = 1 << (1 + ROOM * len(self._codes))
        return code

    def _new(self, key: int, frontier: Frontier) -> int:
        number = len(self.frontiers)
        self._index[key] = number
        self._keys.append(key)
        self._places.append(())
        self.frontiers.append(frontier)
        self.worth.append(worth(self.rules, frontier))
        self.limit.append(_limit(self.rules, frontier))
        self.fits.append(-1)
        self.rows.append({})
        self.best.append({})
        return number

    def fitting(self, number: int) -> int:
        """Return the bit mask of the tiles that can be laid on table NUMBER."""
        fits = self.fits[number]
        if fits < 0:
            if number == 0:
                fits = sum(1 << tile.number for tile in self.tiles)
            else:
                fits = 0
                with self._lock:
                    for spot in self._spots_of(number):
                        fits |= spot.fits
            self.fits[number] = fits
        return fits

    def _spots_of(self, number: int) -> tuple[_Spot, ...]:
        spots = self._places[number]
        if not spots:
            frontier = self.frontiers[number]
            found = []
            for place in dict.fromkeys(places(self.rules, frontier)):
                spot = self._spots.get((place, frontier.taken))
                if spot is None:
                    spot = _Spot(self, place, frontier.taken)
                    self._spots[place, frontier.taken] = spot
                found.append(spot)
            spots = self._places[number] = tuple(found)
        return spots

    def ways(self, number: int, tile: int) -> tuple[Way, ...]:
        """Return the ways to lay tile number TILE on table NUMBER that lead to different tables."""
        row = self.rows[number]
        found = row.get(tile)
        if found is None:
            with self._lock:
                numbers = self._after(number, tile) if number else self._led(tile)
                found = row[tile] = tuple(Way(one, self.worth[one]) for one in numbers)
        return found

    def _led(self, tile: int) -> list[int]:
        return [self.intern(lead(self.rules, tile_of_number(tile)))]

    def _after(self, number: int, tile: int) -> list[int]:
        """Return the tables after TILE was joined, alike ones once, in the order of the places.

        What a join does depends on its place alone, so it is asked of `table.frontier` once for
        each place and tile, on a table that consists of this place, and put together here.
        """
        key = self._keys[number]
        found: list[int] = []
        for spot in self._spots_of(number):
            for change, piece in spot.changes.get(tile, ()):
                after = self._index.get(key + change)
                if after is None:
                    frontier = spot.put(self.frontiers[number], piece)
                    after = self._new(key + change, frontier)
                if after not in found:
                    found.append(after)
        return found

    def best_way(self, number: int, bit: int) -> int:
        """Return the way to lay the tile with BIT that is worth most, packed; the first of equals.

        Only for a tile that fits. A worth below zero does not occur.
        """
        best = self.best[number]
        packed = best.get(bit)
        if packed is None:
            tile = bit.bit_length() - 1
            way = max(self.ways(number, tile), key=lambda one: one.worth)
            pips = tile_of_number(tile).pips
            packed = best[bit] = (
                way.worth << WORTH_SHIFT | pips << PIPS_SHIFT | tile << TILE_SHIFT | way.after
            )
        return packed


class _Spot:
    """One place on its own: which tiles fit there, and what becomes of it."""

    __slots__ = ("_target", "changes", "fits")

    def __init__(self, table: FrontierTable, place: Place, taken: bool) -> None:
        target = self._target = place.target
        if isinstance(target, Half):
            alone = Frontier((target,), (), taken)
        else:
            alone = Frontier((), (target,), taken)
        before = table.key(alone)
        #: Per tile that fits: how the key of the table changes, and what the place becomes.
        self.changes: dict[int, list[tuple[int, Frontier]]] = {}
        for tile in table.tiles:
            for join in join_at(table.rules, alone, place, tile, table.wild):
                piece = alike(table.rules, join.frontier)
                self.changes.setdefault(tile.number, []).append((table.key(piece) - before, piece))
        #: Bit mask of the tiles that fit.
        self.fits = sum(1 << tile for tile in self.changes)

    def put(self, frontier: Frontier, piece: Frontier) -> Frontier:
        """Return FRONTIER with this place replaced by PIECE."""
        halves, doubles = list(frontier.halves), list(frontier.doubles)
        if isinstance(self._target, Half):
            halves.remove(self._target)
        else:
            doubles.remove(self._target)
        halves += piece.halves
        doubles += piece.doubles
        return Frontier(tuple(sorted(halves)), tuple(sorted(doubles)), piece.taken)


def _limit(rules: Ruleset, frontier: Frontier) -> int:
    """Return how many tiles may be drawn in one turn on this table (`draw.limit_during_fill`)."""
    limit = rules.draw.limit
    during = rules.draw.limit_during_fill
    if during is not None and any(double.fill for double in frontier.doubles):
        limit = during
    return UNTIL_PLAYABLE if limit == "until_playable" else int(limit)


@lru_cache(maxsize=64)
def table_of(rules: Ruleset, players: int) -> FrontierTable:
    """Return the one table of a ruleset for a number of players; alike rulesets share it."""
    return FrontierTable(rules, players)
