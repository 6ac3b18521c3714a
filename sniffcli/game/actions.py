"""Actions: everything a player can do. A game is a list of these (contract, section 2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from sniffcli.tiles import Tile

Part = Literal["side", "tip"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """What all actions share: the seat, and seconds since the last tile (None: undated)."""

    seat: int
    after: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Play(Timed):
    """Lay a tile: as the lead, on a tile, or on any end that shows a number."""

    kind: ClassVar[str] = "play"
    tile: Tile
    on: Tile | None = None
    #: Joined to any end showing this number; excludes `on`.
    on_pip: int | None = None
    part: Part | None = None
    #: The half of the table tile that is met, and the half that faces out (wild tiles, misjoins).
    at: int | None = None
    out: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw(Timed):
    """Draw from the boneyard; the tile is None where nobody saw it."""

    kind: ClassVar[str] = "draw"
    tile: Tile | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass(Timed):
    """Knock, or decline an extra turn that is not forced."""

    kind: ClassVar[str] = "pass"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim(Timed):
    """Announce the points of one's own last tile; None claims what it is worth."""

    kind: ClassVar[str] = "claim"
    points: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Catch(Timed):
    """Take what another seat failed to claim."""

    kind: ClassVar[str] = "catch"
    target: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Keelhaul(Timed):
    """Blind another seat for a while (Dreamtime Sniff, article 6)."""

    kind: ClassVar[str] = "keelhaul"
    target: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Finish(Timed):
    """Close a round whose last score is still open."""

    kind: ClassVar[str] = "finish"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resign(Timed):
    """Give up the match."""

    kind: ClassVar[str] = "resign"


Action = Play | Draw | Pass | Claim | Catch | Keelhaul | Finish | Resign

#: The words that begin an action in files and at the prompt; no player may be called like this.
ACTION_WORDS = (
    "play",
    "draw",
    "pass",
    "knock",
    "claim",
    "catch",
    "keelhaul",
    "finish",
    "resign",
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an action cannot be done: a short code, a sentence, and choices if it was ambiguous."""

    code: str
    message: str
    choices: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.message


class IllegalAction(Exception):
    """An action was applied that `verify` refuses."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal
