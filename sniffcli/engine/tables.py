"""Interned frontiers: each becomes a number, its successors per tile a row, filled on first use.

The search never sees a rule, only these numbers. All joining and counting is asked of the table
room (`table.frontier`, `table.counting`) part by part and remembered here: what a join does depends
on the part that is joined to, so a table is put together from what became of its parts.
"""

from __future__ import annotations

from functools import lru_cache
from threading import RLock
from typing import NamedTuple

from sniffcli.ruleset.model import Ruleset
from sniffcli.table.counting import counted, pays, sum_decides, worth
from sniffcli.table.frontier import (
    EMPTY,
    Double,
    Frontier,
    Half,
    alike,
    faces,
    join_at,
    lead,
    urgency,
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


class Change(NamedTuple):
    """What a join makes of one part of a table: the numbers of the parts that take its place.

    `taken` is whether the spinner of the game is chosen then, `key` how the key of a table changes.
    """

    parts: tuple[int, ...]
    taken: bool
    key: int


class FrontierTable:
    """The frontiers of one ruleset for one number of players, each with a number from 0 (empty)."""

    __slots__ = (
        "_codes",
        "_index",
        "_keys",
        "_lock",
        "_open",
        "_packed",
        "_paid",
        "_spots",
        "_values",
        "best",
        "by_sum",
        "fits",
        "limit",
        "limits",
        "parts",
        "pips",
        "rows",
        "rules",
        "taken",
        "tiles",
        "top",
        "ways_to",
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
        self._keys: list[int] = []
        #: The code of each part in a key, and the part itself, by its number.
        self._codes: dict[int, int] = {}
        self._values: dict[int, Half | Double] = {}
        #: What each part adds to the sum of the ends, by its number.
        self.pips: dict[int, int] = {}
        self._spots: dict[tuple[int, bool], Spot] = {}
        #: The different parts of each table that are open, empty as long as nobody has asked.
        self._open: list[tuple[Spot, ...]] = []
        #: Whether the sum of the ends alone decides what a play is worth (`paid`).
        self.by_sum = sum_decides(rules)
        self._paid: dict[int, int] = {}
        #: The draw limit, and that while a double is filled.
        self.limits = _limits(rules)
        #: Each tile with its pips as in a packed play.
        self._packed = {
            tile.number: tile.pips << PIPS_SHIFT | tile.number << TILE_SHIFT for tile in self.tiles
        }
        #: The numbers of the parts of each table, rising, and whether its spinner is chosen.
        self.parts: list[tuple[int, ...]] = []
        self.taken: list[bool] = []
        #: Points that a play leading to this table is worth.
        self.worth: list[int] = []
        #: Draw limit in one turn on this table.
        self.limit: list[int] = []
        #: Bit mask of the tiles that fit, or -1 as long as nobody has asked.
        self.fits: list[int] = []
        #: Per table a mapping from tile number to the ways of laying it.
        self.rows: list[dict[int, tuple[Way, ...]]] = []
        #: Per table the way that leads to it.
        self.ways_to: list[Way] = []
        #: Per table a mapping from tile bit to its best way, packed (see `WORTH_SHIFT`).
        self.best: list[dict[int, int]] = []
        self.intern(EMPTY)

    def __len__(self) -> int:
        return len(self.parts)

    def intern(self, frontier: Frontier) -> int:
        """Return the number of FRONTIER, a new one if it was never seen; alike tables share one."""
        parts, taken = self.split(frontier)
        with self._lock:
            key = self._key(parts, taken)
            known = self._index.get(key)
            return self._new(key, parts, taken) if known is None else known

    def split(self, frontier: Frontier) -> tuple[tuple[int, ...], bool]:
        """Return the numbers of the parts of FRONTIER, rising, and whether its spinner is chosen.

        Tables that no later play or score tells apart have the same parts.
        """
        one = alike(self.rules, frontier)
        parts: tuple[Half | Double, ...] = one.halves + one.doubles
        numbers = sorted(part.number for part in parts)
        for part in parts:
            if part.number not in self._values:
                self._values[part.number] = part
                self.pips[part.number] = counted(self.rules, part)
        return tuple(numbers), one.taken

    def frontier(self, number: int) -> Frontier:
        """Return the frontier behind a number."""
        return self._put_together(self.parts[number], self.taken[number])

    def _put_together(self, parts: tuple[int, ...], taken: bool) -> Frontier:
        values = [self._values[part] for part in parts]
        return Frontier(
            tuple(one for one in values if isinstance(one, Half)),
            tuple(one for one in values if isinstance(one, Double)),
            taken,
        )

    def _key(self, parts: tuple[int, ...], taken: bool) -> int:
        return taken + sum(map(self._code, parts))

    def _code(self, part: int) -> int:
        code = self._codes.get(part)
        if code is None:
            # Alike parts are added up, so each gets room for as many as a table can ever have.
            code = self._codes[part] = 1 << (1 + ROOM * len(self._codes))
        return code

    def _new(self, key: int, parts: tuple[int, ...], taken: bool) -> int:
        number = len(self.parts)
        worth = self.worth_of(parts, taken)
        self._keys.append(key)
        self._open.append(())
        self.taken.append(taken)
        self.worth.append(worth)
        self.limit.append(self.limit_of(parts))
        self.fits.append(-1)
        self.rows.append({})
        self.ways_to.append(Way(number, worth))
        self.best.append({})
        self.parts.append(parts)
        self._index[key] = number
        return number

    def worth_of(self, parts: tuple[int, ...], taken: bool) -> int:
        """Return what a play that leads to these parts is worth."""
        if not self.by_sum:
            return worth(self.rules, self._put_together(parts, taken))
        return self.paid(sum(map(self.pips.__getitem__, parts)))

    def paid(self, total: int) -> int:
        """Return what a sum of the ends is worth, in games that do not pay for equal ends."""
        paid = self._paid.get(total)
        if paid is None:
            paid = self._paid[total] = pays(self.rules, total)
        return paid

    def limit_of(self, parts: tuple[int, ...]) -> int:
        """Return how many tiles may be drawn in one turn on a table with these parts."""
        usual, filling = self.limits
        return filling if usual != filling and any(map(self.fills, parts)) else usual

    def fills(self, part: int) -> bool:
        """Whether PART is a double that must be filled first."""
        one = self._values[part]
        return isinstance(one, Double) and one.fill

    def spot(self, part: int, taken: bool) -> Spot:
        """Return what is known of one part, in a table whose spinner is chosen or not."""
        spot = self._spots.get((part, taken))
        if spot is None:
            with self._lock:
                spot = Spot(self, part, self._values[part], taken)
                self._spots[part, taken] = spot
        return spot

    def fitting(self, number: int) -> int:
        """Return the bit mask of the tiles that can be laid on table NUMBER."""
        fits = self.fits[number]
        if fits < 0:
            fits = 0
            if number == 0:
                fits = sum(1 << tile.number for tile in self.tiles)
            for spot in self._open_of(number):
                fits |= spot.fits
            self.fits[number] = fits
        return fits

    def _open_of(self, number: int) -> tuple[Spot, ...]:
        """Return the different parts of a table to which a tile may be joined now."""
        found = self._open[number]
        if not found and number:
            taken = self.taken[number]
            spots = [self.spot(part, taken) for part in dict.fromkeys(self.parts[number])]
            most = max(spot.urgency for spot in spots)
            found = tuple(spot for spot in spots if spot.urgency == most)
            self._open[number] = found
        return found

    def ways(self, number: int, tile: int) -> tuple[Way, ...]:
        """Return the ways to lay tile number TILE on table NUMBER that lead to different tables."""
        row = self.rows[number]
        found = row.get(tile)
        if found is None:
            with self._lock:
                numbers = self._after(number, tile) if number else [self.led(tile)]
                found = row[tile] = tuple([self.ways_to[one] for one in numbers])
        return found

    def led(self, tile: int) -> int:
        """Return the table after tile number TILE was led."""
        return self.intern(lead(self.rules, tile_of_number(tile)))

    def _after(self, number: int, tile: int) -> list[int]:
        """Return the tables after TILE was joined, alike ones once, in the order of the places."""
        key = self._keys[number]
        found: list[int] = []
        for spot in self._open_of(number):
            for change in spot.changes.get(tile, ()):
                after = self._index.get(key + change.key)
                if after is None:
                    parts = list(self.parts[number])
                    parts.remove(spot.part)
                    parts += change.parts
                    parts.sort()
                    after = self._new(key + change.key, tuple(parts), change.taken)
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
            way, *others = self.ways(number, tile)
            for other in others:
                if other.worth > way.worth:
                    way = other
            packed = best[bit] = way.worth << WORTH_SHIFT | self._packed[tile] | way.after
        return packed


class Spot:
    """One part of a table on its own: which tiles fit there, and what becomes of it."""

    __slots__ = ("changes", "fits", "part", "urgency")

    def __init__(self, table: FrontierTable, part: int, value: Half | Double, taken: bool) -> None:
        rules = table.rules
        self.part = part
        #: Only the most urgent parts of a table are open.
        self.urgency = urgency(rules, value)
        if isinstance(value, Half):
            alone = Frontier((value,), (), taken)
        else:
            alone = Frontier((), (value,), taken)
        before = table._key((part,), taken)
        #: Per tile that fits: what becomes of the part, in the order of its places.
        self.changes: dict[int, tuple[Change, ...]] = {}
        ends = tuple(dict.fromkeys(faces(rules, value)))
        for tile in table.tiles:
            changes = []
            for end in ends:
                for join in join_at(rules, alone, end, tile, table.wild):
                    parts, now = table.split(join.frontier)
                    changes.append(Change(parts, now, table._key(parts, now) - before))
            if changes:
                self.changes[tile.number] = tuple(changes)
        #: Bit mask of the tiles that fit.
        self.fits = sum(1 << tile for tile in self.changes)


def _limits(rules: Ruleset) -> tuple[int, int]:
    """Return how many tiles may be drawn in one turn, and how many while a double is filled."""
    limit, during = rules.draw.limit, rules.draw.limit_during_fill
    usual = UNTIL_PLAYABLE if limit == "until_playable" else limit
    if during is None:
        return usual, usual
    return usual, UNTIL_PLAYABLE if during == "until_playable" else during


@lru_cache(maxsize=64)
def table_of(rules: Ruleset, players: int) -> FrontierTable:
    """Return the one table of a ruleset for a number of players; alike rulesets share it."""
    return FrontierTable(rules, players)
