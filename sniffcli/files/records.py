"""What a game file says, as frozen values with the places where it says so; nothing is judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from sniffcli.game.actions import Action, Play
from sniffcli.game.state import Hand, Setup
from sniffcli.problems import Problem, Severity
from sniffcli.ruleset.library import whole_name
from sniffcli.ruleset.model import Ruleset
from sniffcli.tiles import Tile
from sniffcli.yamlio import Mark

#: The place of what was not read from a file.
NOWHERE = Mark(0, 0)

Tolerance = Literal["misjoin"]
BotLevel = Literal["random", "greedy", "casual", "strong", "expert"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of `plays`: an action, or the words that are none (reported while reading)."""

    action: Action | None
    mark: Mark = field(default=NOWHERE, compare=False)
    text: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class LaidTile:
    """One play of a `layout`, with its place."""

    play: Play | None
    mark: Mark = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """One entry of `rounds` as it was written."""

    #: Hands per seat; None where the file says nothing (the deal of the ruleset).
    hands: tuple[Hand | None, ...]
    boneyard: tuple[Tile, ...] | None = None
    layout: tuple[LaidTile, ...] | None = None
    leader: int | None = None
    passes: int = 0
    redeals: int = 0
    plays: tuple[Entry, ...] = ()
    #: Match scores and going-out points per seat, None where a player is not listed.
    written: tuple[int | None, ...] | None = None
    bonus: tuple[int | None, ...] | None = None
    #: Seconds for which the last tile had lain when a running game was left.
    elapsed: float | None = None
    #: Whether what is wrong in it keeps the round from being started at all.
    broken: bool = False
    mark: Mark = field(default=NOWHERE, compare=False)
    #: Where single things stand: `leader`, `hands`, `written.NAME`, a tile in a hand.
    marks: Mapping[object, Mark] = field(default_factory=dict, compare=False, repr=False)

    def at(self, *keys: object) -> Mark:
        """Return the place of the first of KEYS that was written, else of the round."""
        for key in keys:
            if key in self.marks:
                return self.marks[key]
        return self.mark


@dataclass(frozen=True)
class GameRecord:
    """A whole game file as it was written, with the ruleset that it names."""

    file: str
    rules: Ruleset
    players: tuple[str, ...]
    #: The side of each seat.
    sides: tuple[int, ...]
    #: The ruleset as the file calls it; None where the file leaves it to the command line.
    ruleset: str | None = None
    overrides: Mapping[str, Any] = field(default_factory=dict)
    #: Whether the file lists `teams` itself.
    teams: bool = False
    bots: Mapping[int, BotLevel] = field(default_factory=dict)
    date: str | None = None
    place: str | None = None
    notes: str | None = None
    #: Match points carried in, per side; None where what the file says is wrong.
    scores: tuple[int, ...] | None = None
    seed: int | None = None
    commitment: str | None = None
    salt: str | None = None
    tolerate: tuple[Tolerance, ...] = ()
    rounds: tuple[RoundRecord, ...] = ()
    marks: Mapping[str, Mark] = field(default_factory=dict, compare=False, repr=False)

    @property
    def ruleset_here(self) -> str | None:
        """The ruleset as it is found from here; a file names it as it is found from there."""
        return None if self.ruleset is None else whole_name(self.ruleset, Path(self.file).parent)

    @cached_property
    def setup(self) -> Setup:
        """The table of this game: rules, seats and sides."""
        return Setup(
            rules=self.rules,
            names=self.players,
            sides=self.sides,
            bots=frozenset(self.bots),
            misjoins_stand="misjoin" in self.tolerate,
        )

    def problem(self, mark: Mark, code: str, message: str, severity: Severity = "error") -> Problem:
        """Return a problem of this file."""
        return Problem(self.file, mark.line, mark.column, code, message, severity)
