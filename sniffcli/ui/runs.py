"""Scripts and pipes: a session from a wish, a script file or a resumed game, run to its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sniffcli.files.games import read_game
from sniffcli.files.records import GameRecord
from sniffcli.files.replay import Replay, play_out
from sniffcli.files.writing import Stamp, read_file
from sniffcli.problems import has_errors
from sniffcli.ui.clock import Clock, ScriptClock
from sniffcli.ui.keeper import Keeper
from sniffcli.ui.live import LiveGame
from sniffcli.ui.script import Failure, ScriptRunner
from sniffcli.ui.seating import Wish, again, dealt, opened
from sniffcli.ui.session import Options, Session
from sniffcli.ui.store import GameFile, Sitting, resumed, sitting_of


class Unusable(ValueError):
    """A game file that cannot be played on; the message lists its problems."""


def read_record(path: Path, settings: Mapping[Any, Any] | None = None) -> tuple[GameRecord, Stamp]:
    """Return the record in a game file without errors; SETTINGS are house rules laid over it.

    Raises:
        OSError: it cannot be read.
        Unusable: something is wrong in it.
    """
    content, stamp = read_file(path)
    record, problems = read_game(content, str(path), settings=settings)
    if record is None or has_errors(problems):
        raise Unusable("\n".join(map(str, problems)))
    return record, stamp


def take_up(
    path: Path, clock: Clock, *, hidden_hands: bool = False
) -> tuple[LiveGame, Sitting, GameFile]:
    """Return the match in a saved file as a live one.

    HIDDEN_HANDS allows hands that are not known: they can be written down, but not played.

    Raises:
        OSError: it cannot be read.
        Unusable: it cannot be played on.
    """
    record, stamp = read_record(path)
    replay: Replay = play_out(record)
    if not replay.ok:
        raise Unusable("\n".join(map(str, replay.problems)))
    try:
        game = resumed(replay, clock, hidden_hands=hidden_hands)
    except ValueError as problem:
        raise Unusable(str(problem)) from None
    return game, sitting_of(record), GameFile(path, stamp)


def merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Return house rules laid over others, mapping by mapping."""
    whole = dict(below)
    for key, value in above.items():
        under = whole.get(key)
        if isinstance(under, Mapping) and isinstance(value, Mapping):
            value = merged(under, value)
        whole[key] = value
    return whole


@dataclass
class Run:
    """A script on its way: what it acts on, and where its games are kept."""

    wish: Wish
    options: Options
    #: Where relative names in `deal FILE` begin.
    base: Path
    echo: Callable[[str], None]
    file: GameFile | None = None
    #: A saved game to go on with.
    resume: Path | None = None
    clock: ScriptClock = field(default_factory=ScriptClock)
    keeper: Keeper | None = None

    def run(self, text: str) -> tuple[ScriptRunner, Failure | None]:
        """Run a script and return its runner and the failure that stopped it, if any.

        Raises:
            OSError: the game to go on with cannot be read.
            Unusable: it cannot be played on.
        """
        runner = ScriptRunner(self.clock, self._begin, self._deal, self.echo)
        if self.resume is not None:
            # Also where no line follows: a file that cannot be gone on with is told at once.
            runner.table()
        return runner, runner.run(text)

    def _begin(self) -> Session:
        if self.resume is not None:
            game, sitting, file = take_up(self.resume, self.clock)
            return self._session(game, sitting, self.file or file)
        game, sitting = opened(self.wish, self.clock)
        return self._session(game, sitting, self.file)

    def _deal(self, name: str) -> Session:
        if not name:
            raise ValueError("deal which file? Write it like deal game.yaml")
        record, _ = read_record(self.base / name, self.wish.overrides)
        game, sitting = dealt(record, self.clock, self.wish.seed)
        sitting = replace(sitting, overrides=merged(record.overrides, self.wish.overrides))
        return self._session(game, sitting, self.file)

    def _session(self, game: LiveGame, sitting: Sitting, file: GameFile | None) -> Session:
        session = Session(game, self.options)
        self.keeper = Keeper(session, sitting, file)
        session.rematch = lambda: self._again(session)
        return session

    def _again(self, session: Session) -> LiveGame:
        assert self.keeper is not None, "a session has a keeper"
        game, sitting = again(session.game, self.keeper.sitting, self.clock)
        self.keeper.begin_again(game, sitting)
        if self.keeper.file is not None:
            self.echo(f"This match is kept in {self.keeper.file.path}")
        return game
