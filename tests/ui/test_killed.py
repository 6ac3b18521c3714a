"""Killed without warning at any moment of a game, resumed, and still the same game."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import ROOT

RULES = "dreamtime-sniff"
#: Every line is done once; which of them the rules refuse does not matter here, but the script has
#: to go on, so each line is one that is accepted in a game of this seed.
SEED = "11"

DRIVER = """
import sys
from pathlib import Path
from sniffcli.ui.clock import ScriptClock
from sniffcli.ui.keeper import Keeper
from sniffcli.ui.runs import take_up
from sniffcli.ui.session import Options, Session
from sniffcli.ui.seating import Wish, opened
from sniffcli.ui.store import GameFile
from sniffcli.ui.verbs import completions
from sniffcli.ruleset.loading import load_ruleset

path, limit = Path(sys.argv[1]), int(sys.argv[2])
if path.exists():
    game, sitting, file = take_up(path, ScriptClock())
else:
    rules, _ = load_ruleset("dreamtime-sniff")
    wish = Wish(rules, "dreamtime-sniff", {}, ("Ann",), ("greedy",), seed=11)
    game, sitting = opened(wish, ScriptClock())
    file = GameFile(path)
session = Session(game, Options())
Keeper(session, sitting, file)
print("ready", flush=True)
while len(game.finished) < limit:
    session.tick()
    if game.settled:
        if len(game.finished) >= limit or game.winners is not None:
            break
        session.execute("next")
        continue
    # What is done depends on the position alone, so that a resumed game goes on the same way.
    lines = [line for line in completions(session) if line[0].isdigit()
             or line.split()[0] in ("draw", "pass", "claim", "catch", "finish")]
    claims = [line for line in lines if line.split()[0] in ("claim", "catch")]
    session.execute((claims or lines)[0])
"""


def start(path: Path, rounds: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", DRIVER, str(path), str(rounds)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def finished(path: Path, rounds: int) -> str:
    with start(path, rounds) as process:
        assert process.wait(timeout=60) == 0
    return path.read_text().split("salt:")[1].split("\n", 1)[1]


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9 is for POSIX")
@pytest.mark.parametrize(
    ("kills", "rounds"), [(4, 2), pytest.param(100, 12, marks=pytest.mark.soak)]
)
def test_killed_games_resume_as_if_nothing_had_been(
    tmp_path: Path, kills: int, rounds: int
) -> None:
    whole = finished(tmp_path / "whole.yaml", rounds)
    rng = random.Random(4)
    path = tmp_path / "killed.yaml"
    for _ in range(kills):
        with start(path, rounds) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(rng.random() * 0.25)
            process.kill()
    assert finished(path, rounds) == whole
    # Whatever was being written when the process died is not left behind for good either.
    assert sum(1 for one in tmp_path.iterdir() if one.suffix == ".yaml") == 2
