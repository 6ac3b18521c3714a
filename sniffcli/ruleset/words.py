"""Values of ruleset keys that are more than a word: each is written as a mapping with one key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from sniffcli.tiles import Tile

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class HolderOf:
    """Whoever holds TILE, written `{holder_of: 6-6}`."""

    tile: Tile


@dataclass(frozen=True, slots=True)
class Doubles:
    """A hand with at least COUNT doubles, written `{doubles: 5}`."""

    count: int


@dataclass(frozen=True, slots=True)
class Seconds:
    """A time after the last tile was laid, written `{seconds: 7}`."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Flat:
    """The same points for every scoring sum, written `{flat: 1}`."""

    points: int


@dataclass(frozen=True, slots=True)
class Fixed:
    """The same points for every round, whatever is left in the hands, written `{fixed: 1}`."""

    points: int


@dataclass(frozen=True, slots=True)
class PerKnock:
    """Points for each knock just before a play, written `{per_knock: 1}`."""

    points: int


#: The values above with the key that writes each.
TAGS: dict[str, type] = {
    "holder_of": HolderOf,
    "doubles": Doubles,
    "seconds": Seconds,
    "flat": Flat,
    "fixed": Fixed,
    "per_knock": PerKnock,
}


class ByPlayers(dict[int, T]):
    """Something that depends on the number of players; hashable, and never changed once made."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))
