"""Tiles and sets: the smallest values, on which everything else stands."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

#: Marks that may stand between the two halves of a tile on input (contract, section 2).
SEPARATORS = "-:|/"

#: The largest half that a set may have.
MOST_PIPS = 18


class TileError(ValueError):
    """Text that is no tile; the message says which character stops it and what to write."""


class Tile(NamedTuple):
    """One domino, larger half first; two tiles with the same halves are the same tile."""

    high: int
    low: int

    def __str__(self) -> str:
        return f"{self.high}-{self.low}"

    @property
    def is_double(self) -> bool:
        """Whether both halves show the same number."""
        return self.high == self.low

    @property
    def pips(self) -> int:
        """All pips of the tile, as they count in a hand."""
        return self.high + self.low

    @property
    def number(self) -> int:
        """A number from 0 that does not depend on the size of the set (0-0 is 0, 6-6 is 27)."""
        return self.high * (self.high + 1) // 2 + self.low

    def has(self, pip: int) -> bool:
        """Whether one of the halves shows PIP."""
        return pip in (self.high, self.low)

    def other(self, pip: int) -> int:
        """Return the half that is not PIP; the same number for a double."""
        if pip == self.high:
            return self.low
        if pip == self.low:
            return self.high
        raise ValueError(f"{self} has no half with {pip}")


def tile(a: int, b: int) -> Tile:
    """Return the tile with halves A and B in any order."""
    return Tile(a, b) if a >= b else Tile(b, a)


def tile_of_number(number: int) -> Tile:
    """Return the tile with that number; the inverse of `Tile.number`."""
    high = 0
    while (high + 1) * (high + 2) // 2 <= number:
        high += 1
    return Tile(high, number - high * (high + 1) // 2)


def tile_set(max_pip: int, removed: Iterable[Tile] = ()) -> tuple[Tile, ...]:
    """Return the tiles of a double-MAX_PIP set in order of their numbers, without those REMOVED."""
    gone = frozenset(removed)
    every = (Tile(high, low) for high in range(max_pip + 1) for low in range(high + 1))
    return tuple(one for one in every if one not in gone)


def parse_tile(text: str) -> Tile:
    """Read `6-3`, `3-6`, `6:3`, `6|3`, `6/3`, `[6-3]`; raise TileError naming what is wrong."""
    inner = text.strip()
    if inner.startswith("[") and inner.endswith("]"):
        inner = inner[1:-1].strip()
    for sign in inner:
        if sign not in "0123456789" and sign not in SEPARATORS:
            raise TileError(f"{text!r} is not a tile: {_name_of(sign)}; write it like 6-3")
    halves: list[str] = [""]
    for sign in inner:
        if sign in SEPARATORS:
            halves.append("")
        else:
            halves[-1] += sign
    if len(halves) != 2 or not all(halves):
        if inner.isdigit():
            raise TileError(f"{text!r} is a number, not a tile; write both halves, like 6-3")
        raise TileError(f"{text!r} is not a tile; write both halves, like 6-3")
    if any(len(half) > 2 for half in halves):
        raise TileError(f"{text!r} is not a tile: no set has that many pips")
    return tile(int(halves[0]), int(halves[1]))


def _name_of(sign: str) -> str:
    """Describe a character that has no place in a tile, so that look-alikes are told apart."""
    if sign == " ":
        return "a space has no place in it"
    if sign.isascii() and sign.isprintable():
        return f"{sign!r} has no place in it"
    name = unicodedata.name(sign, "a control character").lower()
    return f"U+{ord(sign):04X} ({name}) has no place in it"
