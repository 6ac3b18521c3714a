"""Deals drawn for play-outs: one as a value, and many as flat rows for the native kernel."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import NamedTuple

from sniffcli.engine.position import tiles_of
from sniffcli.tiles import Tile


class World(NamedTuple):
    """One deal: what every seat holds now (bit masks by tile number), the boneyard in order."""

    hands: tuple[int, ...]
    boneyard: tuple[int, ...]
    #: How many deals look like this one from now on; 1 for a drawn world.
    weight: int = 1

    def hand(self, seat: int) -> tuple[Tile, ...]:
        """Return the tiles that SEAT holds."""
        return tiles_of(self.hands[seat])


class Deals:
    """Drawn worlds, world after world in two rows; tile numbers stay below 64."""

    __slots__ = ("boneyards", "count", "hands", "seats")

    def __init__(self, hands: array[int], boneyards: bytes | bytearray, seats: int) -> None:
        #: Bit masks by tile number, one per seat.
        self.hands = hands
        #: Tile numbers in drawing order, as many in each world.
        self.boneyards = boneyards
        self.seats = seats
        self.count = len(hands) // seats

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[World]:
        size = len(self.boneyards) // self.count if self.count else 0
        for number in range(self.count):
            hands = self.hands[number * self.seats : (number + 1) * self.seats]
            boneyard = self.boneyards[number * size : (number + 1) * size]
            yield World(tuple(hands), tuple(boneyard))
