"""What is fuzzed: a target takes bytes, and raises where the program would fail its user."""

from __future__ import annotations

import io
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from ui.tables import FIVES, session_of, sniff_text

from sniffcli.files.facts import document
from sniffcli.files.games import read_game
from sniffcli.files.puzzles import read_puzzles
from sniffcli.files.replay import play_out
from sniffcli.problems import Problem
from sniffcli.ruleset.library import rulesets_dir, scenarios_dir
from sniffcli.ruleset.loading import load_ruleset
from sniffcli.ruleset.plain import resolved
from sniffcli.ui.clock import ScriptClock
from sniffcli.ui.script import ScriptRunner
from sniffcli.ui.session import Options, Session

CORPUS = Path(__file__).parent / "corpus"
#: Verbs that write files, leave, or compute for long; they have tests of their own.
SLOW = ("save", "new", "rematch", "hint", "why", "unseen", "tutor")


def _told(problems: Iterable[Problem]) -> None:
    """Every problem is one line that says something."""
    for problem in problems:
        assert problem.message
        assert "\n" not in str(problem)
        json.dumps(problem.as_json(), allow_nan=False)


def ruleset(text: bytes) -> None:
    """A ruleset file gives problems or rules that can be written down."""
    rules, problems = load_ruleset("fuzzed.yaml", text)
    _told(problems)
    if rules is not None:
        json.dumps(resolved(rules), allow_nan=False)


def game(text: bytes) -> None:
    """A game file gives problems, a replay, or both."""
    record, problems = read_game(text, "fuzzed.yaml")
    played = None if record is None else play_out(record)
    problems = [*problems, *([] if played is None else played.problems)]
    _told(problems)
    facts = document(played, problems)
    json.dumps(facts, allow_nan=False)
    assert record is not None or not facts["ok"]


def puzzle(text: bytes) -> None:
    """A puzzle file gives problems or puzzles that can be asked."""
    from sniffcli.tutor.puzzles import Unprovable, arithmetic, position_of_puzzle

    found, problems = read_puzzles(text, "fuzzed.yaml")
    _told(problems)
    for one in found.puzzles[:20]:
        state, more = position_of_puzzle(one)
        _told(more)
        if state is not None and one.ask in ("count", "points", "claim", "legal-plays"):
            with suppress(Unprovable):
                arithmetic(one, state)


def script(text: bytes) -> None:
    """A script runs to its end or stops at a line that it names."""
    written = text.decode("utf-8", "replace")
    lines = [line for line in written.split("\n") if not line.strip().startswith(SLOW)]
    clock = ScriptClock()

    def begin() -> Session:
        return session_of(sniff_text(bot=True, ann=60), clock=clock, options=Options(worlds=5))

    def deal(name: str) -> Session:
        raise ValueError(f"no file is called {name}")

    runner = ScriptRunner(clock, begin, deal, lambda said: None)
    failure = runner.run("\n".join(lines))
    assert failure is None or (failure.message and failure.number >= 1)


def lines(text: bytes) -> None:
    """Each line that is typed is answered, whatever came before."""
    session = session_of(FIVES)
    for line in text.decode("utf-8", "replace").splitlines()[:200]:
        if not any(word in line for word in SLOW):
            reply = session.execute(line)
            assert reply.ok or reply.error
            session.tick()


def prompt(text: bytes) -> float:
    """Keys at a terminal, control characters too, never end the loop but by leaving it.

    Returns the longest time that a prompt took with what was answered to it, in seconds of the
    processor: an input holds many lines, and each of them draws a prompt anew.
    """
    from prompt_toolkit.input import create_pipe_input
    from prompt_toolkit.output import DummyOutput

    from sniffcli.problems import Status
    from sniffcli.ui.keeper import Keeper
    from sniffcli.ui.prompt import Loop
    from sniffcli.ui.store import GameFile, Sitting

    typed = text.decode("utf-8", "replace")[:400]
    if any(word in typed for word in SLOW):
        return 0.0

    class Timed(Loop):
        """The loop, with a look at the clock whenever it asks for a line."""

        asked, longest = time.process_time(), 0.0

        def _ask(self) -> str:
            now = time.process_time()
            self.asked, self.longest = now, max(self.longest, now - self.asked)
            return super()._ask()

    with tempfile.TemporaryDirectory() as folder:
        os.environ["SNIFF_DATA_DIR"] = folder
        session = session_of(FIVES)
        keeper = Keeper(session, Sitting("all-fives"), GameFile(Path(folder, "game.yaml")))
        with create_pipe_input() as pipe:
            # Whatever is being asked in the end: drop the line, then leave.
            pipe.send_text(typed + "\x1b\r" + "\x03\x04" * 8)
            said = io.StringIO()
            loop = Timed(session, keeper, input=pipe, output=DummyOutput(), write=said.write)
            assert loop.run() == Status.OK
            return max(loop.longest, time.process_time() - loop.asked)


def _yaml(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted(folder.glob("*.yaml"))]


def _scripts() -> list[bytes]:
    return [path.read_bytes() for path in sorted((scenarios_dir() / "scripts").glob("*.txt"))]


_KEYS = [
    b"5-5\r\r5-2\r\rscore\rboard\rlog\rhelp\r\r", b"6-2\rundo\rends\rcount\rcounter off\rclaim 5\r",
    b"5-\x035-5\t\r\x1b[A\r", b"resign\rn\rresign\ry\rnext\r",
    b"Ann: hand\rBob: hand\rdraw\rpass\r",
]  # fmt: skip
#: Each target with the files that are changed to make its inputs.
TARGETS: dict[str, tuple[Callable[[bytes], float | None], Callable[[], list[bytes]]]] = {
    "ruleset": (ruleset, lambda: _yaml(rulesets_dir())),
    "game": (game, lambda: [one for one in _yaml(scenarios_dir() / "games") if len(one) < 6000]),
    "puzzle": (puzzle, lambda: [_some(one) for one in _yaml(scenarios_dir() / "puzzles")]),
    "script": (script, _scripts),
    "lines": (lines, lambda: [*_scripts(), *(one.replace(b"\r", b"\n") for one in _KEYS)]),
    "prompt": (prompt, lambda: list(_KEYS)),
}


def _some(text: bytes) -> bytes:
    """Return the head of a puzzle file and its first puzzles."""
    head, *puzzles = text.split(b"\n  - ")
    return b"\n  - ".join([head, *puzzles[:2]])


def seeds(name: str) -> list[bytes]:
    """Return the inputs of a target to begin with: what is shipped, and the corpus."""
    kept = [path.read_bytes() for path in sorted(CORPUS.glob(f"{name}-*"))]
    return [*TARGETS[name][1](), *kept]
