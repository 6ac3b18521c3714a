"""Ctrl-C and SIGTERM in every command that runs for long (cases C87, C95 and C98)."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

GAMES = Path(__file__).parent.parent.parent / "scenarios" / "games"
PUZZLES = GAMES.parent / "puzzles"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to see processes"),
]

#: Commands that would run for minutes, by what they do.
LONG = {
    "analyze": f"analyze --fresh --quiet --jobs 1 --worlds 500000 {GAMES}/all-fives-match-1.yaml",
    "hint": f"hint --worlds 1000000 --at 1.3 {GAMES}/all-fives-match-1.yaml",
    "puzzle check": f"puzzle check --quiet --worlds 1000000 {PUZZLES}/hidden-hands.yaml",
    "puzzle make": "puzzle make --quiet --count 2000 --kind hidden --seed 3",
    "puzzle play": f"puzzle play {PUZZLES}/classic-traps.yaml",
    "play": "play --seed 3 --hotseat Ann,Bob",
    "record": "record --players Ann,Bob --output evening.yaml",
    "simulate": "simulate --quiet --jobs 1 --rounds 2000000 --bots strong,strong",
    "solve": "solve --known-order forty.yaml",
    "stats delete": "stats delete",
    "host": "host --port 0",
}
#: The same for commands that share their work out to other processes.
SHARED = {
    "analyze": f"analyze --fresh --quiet --jobs 2 --worlds 300000 {GAMES}/all-fives-match-1.yaml",
    "simulate": "simulate --quiet --jobs 2 --rounds 2000000 --bots greedy,random",
    "equity": "simulate --quiet --jobs 2 --equity",
}
SIGNALS = [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")]


def forty_tiles() -> str:
    """Return a game file in which two players hold twenty tiles each: nobody solves that."""
    tiles = [f"{high}-{low}" for high in range(10) for low in range(high + 1)]
    random.Random(1).shuffle(tiles)
    return (
        "sniff: 1\nruleset: block-double-nine\noverrides: {deal: {hand: {2: 20}}}\n"
        "players: [Ann, Bob]\nrounds:\n"
        f"- hands: {{Ann: [{', '.join(tiles[:20])}], Bob: [{', '.join(tiles[20:40])}]}}\n"
        f"  boneyard: [{', '.join(tiles[40:])}]\n  plays: []\n"
    )


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[[str], subprocess.Popen[str]]]:
    """Start `sniff WORDS` in a session of its own, with an open pipe as its input."""
    begun = []
    (tmp_path / "forty.yaml").write_text(forty_tiles())

    def run(words: str) -> subprocess.Popen[str]:
        with (tmp_path / "errors").open("w") as errors:
            process = subprocess.Popen(
                [sys.executable, "-X", "importtime", "-m", "sniffcli", *words.split()],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                cwd=tmp_path,
                start_new_session=True,
                env={
                    **os.environ,
                    "SNIFF_DATA_DIR": str(tmp_path / "data"),
                    "XDG_CACHE_HOME": str(tmp_path / "cache"),
                },
                # A shell starts background jobs with Ctrl-C switched off; here it is meant.
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
            )
        begun.append(process)
        return process

    yield run
    for process in begun:
        if process.poll() is None:
            process.kill()
        process.communicate()


def at_work(process: subprocess.Popen[str], errors: Path) -> None:
    """Wait until PROCESS has stopped importing, which is when its command is at work."""
    size, calm = -1, 0
    for _ in range(600):
        time.sleep(0.1)
        now = errors.stat().st_size
        calm = calm + 1 if now == size and b"sniffcli.cli.main" in errors.read_bytes() else 0
        size = now
        if calm >= 7 or process.poll() is not None:
            return


def said(errors: Path) -> list[str]:
    """Return the lines of standard error without the times of imports."""
    lines = errors.read_text("utf-8").splitlines()
    return [line for line in lines if not line.startswith("import time:")]


def alive(session: int) -> list[int]:
    """Return the processes of a session that have not ended."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except (OSError, IndexError):
            continue
        if entry.name.isdigit() and int(fields[3]) == session and fields[0] not in "ZX":
            found.append(int(entry.name))
    return found


def none_left(session: int) -> bool:
    for _ in range(100):
        if not alive(session):
            return True
        time.sleep(0.1)
    return False


@pytest.mark.parametrize(("number", "status", "word"), SIGNALS, ids=["ctrl-c", "term"])
@pytest.mark.parametrize("name", LONG)
def test_a_long_command_ends_at_once_with_one_line(start, tmp_path, name, number, status, word):
    process = start(LONG[name])
    at_work(process, tmp_path / "errors")
    assert process.poll() is None, said(tmp_path / "errors")
    process.send_signal(number)
    process.wait(timeout=30)

    assert process.returncode == status, said(tmp_path / "errors")
    told = said(tmp_path / "errors")
    assert not any("Traceback" in line for line in told)
    if name == "simulate":
        assert len(told) == 1
        assert "not played" in told[0]
    elif name == "analyze" and told != [word]:
        # What was graded until then is reported.
        assert len(told) == 1
        assert told[0].startswith(f"{word}: ")
    else:
        last = [line for line in told if "saved" not in line][-1]
        # A question that waits stands before the word on the same line.
        assert last.removeprefix("Forget everything about default? [y/N]: ") == word
        assert len(told) <= 2, told
    assert none_left(process.pid)


@pytest.mark.parametrize(("number", "status", "word"), SIGNALS, ids=["ctrl-c", "term"])
@pytest.mark.parametrize("name", SHARED)
def test_no_process_is_left_and_none_complains(start, tmp_path, name, number, status, word):
    """A terminal sends Ctrl-C to every process, also to those that are still starting."""
    process = start(SHARED[name])
    for _ in range(1200):
        # The process itself, the tracker of the pool, and at least one worker.
        if len(alive(process.pid)) >= 3 or process.poll() is not None:
            break
        time.sleep(0.05)
    assert process.poll() is None, said(tmp_path / "errors")
    if number == signal.SIGINT:
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    process.wait(timeout=60)

    assert process.returncode == status, said(tmp_path / "errors")
    told = said(tmp_path / "errors")
    assert len(told) == 1, "\n".join(told)
    assert word in told[0] or "not played" in told[0]
    assert none_left(process.pid)


def test_the_request_to_end_leaves_an_event_loop_that_is_at_work():
    """As when it comes while the prompt draws; asyncio keeps all but two kinds to itself."""
    from sniffcli.cli.main import Terminated, _on_terminate

    async def drawing():
        asyncio.get_running_loop().call_soon(_on_terminate, 15, None)
        await asyncio.Event().wait()

    with pytest.raises(Terminated):
        asyncio.run(asyncio.wait_for(drawing(), 20))
