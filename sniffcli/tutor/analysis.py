"""Analysis of whole games: verdicts in several processes, and kept for the next time.

What a decision gets does not depend on where or when it is graded, so the result is the same for
every number of jobs. The verdicts of a finished game are kept in the user's cache under a key of
everything that they depend on, the program itself included; so are those of a game at which an
analysis was stopped, and it goes on behind them.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import sniffcli
from sniffcli.engine.identity import rules_key
from sniffcli.engine.policy import GREEDY_POLICY
from sniffcli.engine.workers import deaf_to_interrupts, end_workers, leave_interrupts_alone
from sniffcli.files.places import cache_dir
from sniffcli.files.replay import Replay
from sniffcli.tutor.calibration import LEAST, calibration_of
from sniffcli.tutor.grading import WorldGrader
from sniffcli.tutor.review import (
    NOT_REACHED,
    GameReview,
    Question,
    Valued,
    Verdict,
    review_by,
)

#: Version of the kept files, and how many of them stay.
VERSION = 1
MOST_KEPT = 200

#: Rooms whose source decides what a grade is.
DECIDING = ("ruleset", "table", "game", "engine", "tutor")

#: Seconds of work to come for which no other processes are started: each of them takes one or two
#: until it has imported everything and filled its tables of frontiers.
ALONE = 6.0

#: Decisions that one piece of work for another process holds at most.
PIECE = 6

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Effort:
    """How an analysis is made."""

    worlds: int
    seed: int
    language: str = "en"
    jobs: int = 1
    #: Where finished games are kept; None keeps nothing.
    kept: Path | None = None


@dataclass(slots=True)
class Pace:
    """How fast an analysis of several games goes, which tells whether other processes are worth it.

    AHEAD are the decisions of later games, as far as they are known.
    """

    ahead: int = 0
    spent: float = 0.0
    done: int = 0

    def to_come(self, more: int) -> float:
        """Return the seconds that MORE decisions and those ahead will take."""
        return self.spent * (more + self.ahead) / max(1, self.done)


class Stopped(Exception):
    """An analysis was interrupted; what it had come to is the review of the game at hand.

    The interruption is the cause of this exception.
    """

    def __init__(self, review: GameReview) -> None:
        super().__init__("the analysis was stopped")
        self.review = review


def analysed(
    replay: Replay,
    effort: Effort,
    progress: Progress = lambda n: None,
    *,
    pace: Pace | None = None,
    stops: tuple[type[BaseException], ...] = (KeyboardInterrupt,),
) -> GameReview:
    """Return the graded review of a record; PROGRESS hears of decisions as they are graded.

    Raises:
        Stopped: one of STOPS came while decisions were graded.
    """
    stopped: list[BaseException] = []

    def judge(asked: Sequence[Question]) -> list[Verdict]:
        key = None if effort.kept is None else game_key(replay, effort)
        verdicts = ([] if key is None else _read(effort.kept, key)) or []
        if len(verdicts) > len(asked):
            verdicts = []
        rest = asked[len(verdicts) :]
        progress(len(verdicts))
        try:
            for found in _verdicts(rest, effort, pace or Pace()):
                verdicts += found
                progress(len(found))
        except stops as stop:
            stopped.append(stop)
        if rest and verdicts and effort.kept is not None and key is not None:
            _keep(effort.kept, key, verdicts)
        missing = Verdict("not_established", note=NOT_REACHED)
        return verdicts + [missing] * (len(asked) - len(verdicts))

    found = replace(review_by(replay, judge), made=_made(replay, effort))
    if stopped:
        raise Stopped(found) from stopped[0]
    return found


def _made(replay: Replay, effort: Effort) -> dict[str, Any]:
    """Return what the grades of a game depend on, for whoever compares two analyses."""
    setup = replay.record.setup
    calibration = calibration_of(setup)
    return {
        "worlds": effort.worlds,
        "seed": effort.seed,
        "policy": GREEDY_POLICY.name,
        "version": sniffcli.__version__,
        "program": program_key(),
        "rules": rules_key(setup),
        "deviation": calibration.deviation,
        "thresholds": {grade: calibration.threshold(grade) for grade, _ in LEAST},
    }


def _verdicts(asked: Sequence[Question], effort: Effort, pace: Pace) -> Iterator[list[Verdict]]:
    """Yield the verdicts in the order of the questions, some at a time."""
    grader = WorldGrader(effort.worlds, effort.seed, effort.language)
    rest = list(asked)
    while rest:
        # A few decisions tell how long the others take.
        if effort.jobs > 1 and pace.spent >= ALONE / 6 and pace.to_come(len(rest)) >= ALONE:
            break
        began = time.monotonic()
        verdict = grader.grade(*rest.pop(0))
        pace.spent += time.monotonic() - began
        pace.done += 1
        yield [verdict]
    if not rest:
        return
    size = max(1, min(PIECE, -(-len(rest) // (4 * effort.jobs))))
    pieces = [rest[start : start + size] for start in range(0, len(rest), size)]
    import joblib

    parallel = joblib.Parallel(effort.jobs, backend="loky", return_as="generator", batch_size=1)
    with deaf_to_interrupts():
        verdicts = parallel(joblib.delayed(_piece)(grader, piece) for piece in pieces)
    yield from verdicts


@contextmanager
def workers(jobs: int) -> Iterator[None]:
    """Let analyses share their processes, and end those however the block is left."""
    try:
        yield
    finally:
        if jobs > 1:
            end_workers()


def _piece(grader: WorldGrader, asked: Sequence[Question]) -> list[Verdict]:
    leave_interrupts_alone()
    return [grader.grade(*question) for question in asked]


def game_key(replay: Replay, effort: Effort) -> str:
    """Return a key that two analyses share only if they have the same result."""
    parts = [
        str(VERSION),
        program_key(),
        rules_key(replay.record.setup),
        str(effort.worlds),
        str(effort.seed),
        effort.language,
        # A record that is wrong somewhere cannot be written; its actions tell it apart as well.
        *(repr([step.event.action for step in one.steps]) for one in replay.rounds),
        *(repr(one.start and one.start.origin) for one in replay.rounds),
        *(repr(one.start and one.start.scores) for one in replay.rounds),
    ]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


@lru_cache(maxsize=1)
def program_key() -> str:
    """Return a key of the program as far as it decides grades: changed code grades anew."""
    package = Path(sniffcli.__file__).resolve().parent
    found = hashlib.sha256(sniffcli.__version__.encode())
    for room in DECIDING:
        for path in sorted((package / room).rglob("*")):
            if path.suffix in (".py", ".pyx", ".json", ".npz"):
                found.update(path.name.encode())
                found.update(path.read_bytes())
    return found.hexdigest()[:16]


def kept_in() -> Path:
    """Return the directory in which finished games are kept."""
    return cache_dir() / "analyses"


def _read(directory: Path | None, key: str) -> list[Verdict] | None:
    """Return the verdicts that were kept under a key; None where there are none to be read."""
    if directory is None:
        return None
    try:
        rows = json.loads((directory / f"{key}.json").read_text("utf-8"))
        return [_verdict(row) for row in rows]
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _verdict(row: dict[str, Any]) -> Verdict:
    lists = {"reasons": tuple(row["reasons"]), "tags": tuple(row["tags"])}
    options = tuple(Valued(*one) for one in row["options"])
    return Verdict(**{**row, **lists, "options": options})


def _keep(directory: Path, key: str, verdicts: Sequence[Verdict]) -> None:
    """Keep the first verdicts of a game where that can be done; a full disk is no fault."""
    from sniffcli.files.writing import FileRefused, write_atomic

    with suppress(OSError, ValueError, FileRefused):
        directory.mkdir(parents=True, exist_ok=True)
        text = json.dumps([asdict(one) for one in verdicts], separators=(",", ":"))
        write_atomic(directory / f"{key}.json", text, force=True)
        every = sorted(directory.glob("*.json"), key=lambda path: path.stat().st_mtime)
        for old in every[:-MOST_KEPT]:
            old.unlink()
