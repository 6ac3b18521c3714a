"""Every shipped script holds: the rules of the three source games, one by one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT, Run

SCRIPTS = sorted((ROOT / "scenarios" / "scripts").glob("*.txt"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_shipped_script_holds(script: Path, sniff: Callable[..., Run]) -> None:
    run = sniff("play", "--script", script)
    assert (run.status, run.err) == (0, "")
    wanted = sum(line.startswith("expect ") for line in script.read_text().splitlines())
    assert f"{wanted} expectations met" in run.out


def test_there_are_scripts_for_each_source_game() -> None:
    names = {path.stem for path in SCRIPTS}
    assert {name for name in names if name.startswith("sniff-")} >= {
        "sniff-1-fleet",
        "sniff-2-setting-sail",
        "sniff-3-spinner",
        "sniff-4-plunder",
        "sniff-5-muggins",
        "sniff-6-keelhaul",
        "sniff-7-victory",
    }
    assert names >= {
        "block",
        "draw",
        "cross",
        "double-nine-cross",
        "double-twelve-cross",
        "muggins-all-fives",
        "muggins-fives-and-threes",
        "all-threes-1-laws",
        "all-threes-2-match",
    }
