"""`sniff hint` as users and scripts get it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

C57 = """\
sniff: 1
ruleset: block
overrides: {deal: {hand: {2: 7}, redeal_if: none}, open: {first_leader: lot, tile: any}}
players: [A, B]
rounds:
  - hands:
      A: [2-2, 2-1, 3-2, 6-2, 6-4, 6-3, 5-2]
      B: 7
    leader: A
    plays:
      - A: 2-2
      - B: pass
"""

#: The example of the contract, section 5, up to Bob's second turn.
GAME = """\
sniff: 1
ruleset: all-fives
overrides: {{deal: {{hand: {{2: 7}}}}, match: {{target: null, rounds: 5}}}}
players: [Ann, Bob]
rounds:
  - hands:
{hands}
    leader: Bob
    plays:
      - Bob: 5-5
      - Ann: 5-2 on 5-5
      - Bob: 6-2 on 5-2
"""
ANN = "      Ann: [6-4, 4-3, 2-2, 3-2, 5-2, 6-3, 6-1]\n"
BOB = "      Bob: [4-0, 5-5, 5-4, 6-2, 0-0, 5-0, 3-1]\n"
#: Other tiles that Ann has not seen, in the places of those that Bob has not laid.
OTHER_BOB = "      Bob: [3-3, 5-5, 4-4, 6-2, 1-1, 6-6, 1-0]\n"

KEYS = {
    "to_play",
    "forced",
    "method",
    "options",
    "worlds",
    "consistent_hands",
    "unseen",
    "seed",
    "policy",
}
OPTION_KEYS = {
    "play",
    "sum",
    "points",
    "value",
    "loss",
    "loss_se",
    "established",
    "win",
    "parts",
    "reasons",
}


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def hinted(sniff: Callable[..., Any], path: Path, *more: str) -> dict[str, Any]:
    run = sniff("hint", path, "--format", "json", *more)
    assert run.status == 0, run.err
    found = json.loads(run.out)
    assert isinstance(found, dict)
    return found


def test_json_has_the_keys_of_the_contract(sniff: Callable[..., Any], tmp_path: Path) -> None:
    found = hinted(sniff, written(tmp_path / "g.yaml", C57), "--at", "1.3")
    assert set(found) >= KEYS
    assert found["to_play"] == "A"
    assert found["forced"] is None
    assert found["method"] == "sampled"
    assert found["worlds"] == 400
    assert found["consistent_hands"] == 50_388
    assert found["unseen"]["5-5"] == {"B": 7 / 19, "boneyard": 12 / 19}
    assert found["unseen"]["4-2"] == {"boneyard": 1.0}
    for option in found["options"]:
        assert set(option) >= OPTION_KEYS
        assert (
            sum(option["parts"][k] for k in ("now", "reply", "next", "rest", "end"))
            == (option["value"])
        )
    assert [one["play"] for one in found["options"][:1]] != []
    assert {one["sum"] for one in found["options"]} == {5, 7, 9, 10}


def test_the_table_says_what_was_asked(sniff: Callable[..., Any], tmp_path: Path) -> None:
    path = written(tmp_path / "g.yaml", C57)
    run = sniff("hint", path, "--unseen", "--worlds", "50")
    assert run.status == 0
    assert run.err == ""
    lines = run.out.splitlines()
    assert lines[0] == "A to move: sum 4, 14 tiles in the boneyard"
    assert "6-4 6-3 6-2 5-2 3-2 2-1" in lines[1]
    assert lines[3].split()[:5] == ["play", "sum", "points", "margin", "loss"]
    assert lines[4].split()[6] == "best"
    assert "50,388 hands" in " ".join(lines)
    assert "seed 1" in " ".join(lines)
    assert "4-2    0.0 %   100.0 %" in run.out
    assert "5-5   36.8 %    63.2 %" in run.out
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("width", [20, 40, 60])
def test_narrow_outputs_are_not_overrun(
    sniff: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    run = sniff("hint", written(tmp_path / "g.yaml", C57), "--worlds", "20", "--unseen")
    assert max(map(len, run.out.splitlines())) <= width


def test_at_asks_for_the_position_before_an_event(
    sniff: Callable[..., Any], tmp_path: Path
) -> None:
    path = written(tmp_path / "g.yaml", GAME.format(hands=ANN + BOB))
    first = hinted(sniff, path, "--at", "1.1", "--worlds", "5")
    assert first["to_play"] == "Bob"
    assert len(first["options"]) == 7
    second = hinted(sniff, path, "--at", "1.2", "--worlds", "5")
    assert second["to_play"] == "Ann"
    assert second["forced"] == "play"
    assert [one["play"] for one in second["options"]] == ["5-2 on 5-5"]
    end = hinted(sniff, path, "--worlds", "5")
    assert end["to_play"] == "Ann"
    assert end == hinted(sniff, path, "--worlds", "5", "--at", "1.4")


@pytest.mark.parametrize("at", ["1", "0.1", "1.0", "1.2.3", "x", "1.99", "2.1"])
def test_a_moment_that_is_not_there_is_a_usage_error(
    sniff: Callable[..., Any], tmp_path: Path, at: str
) -> None:
    run = sniff("hint", written(tmp_path / "g.yaml", C57), "--at", at)
    assert run.status == 2
    assert run.out == ""
    assert "--at" in run.err


def test_advice_depends_on_nothing_it_should_not(
    sniff_process: Callable[..., Any], tmp_path: Path
) -> None:
    """Hidden tiles, the order of hands in the file, and the hash seed of Python (case C65)."""
    files = [
        written(tmp_path / "a.yaml", GAME.format(hands=ANN + BOB)),
        written(tmp_path / "b.yaml", GAME.format(hands=BOB + ANN)),
        written(tmp_path / "c.yaml", GAME.format(hands=ANN + OTHER_BOB)),
        written(tmp_path / "d.yaml", GAME.format(hands=ANN + "      Bob: 7\n")),
    ]
    seeds = ["0", "1", "2", "random"]
    outputs = [
        sniff_process(
            "hint", path, "--format", "json", "--worlds", "50", env={"PYTHONHASHSEED": seed}
        )
        for path, seed in zip(files, seeds, strict=True)
    ]
    assert outputs[0].status == 0
    assert len({run.out for run in outputs}) == 1


def test_the_seed_is_what_matters(sniff: Callable[..., Any], tmp_path: Path) -> None:
    path = written(tmp_path / "g.yaml", C57)
    one, same, other = (
        hinted(sniff, path, "--worlds", "50", "--seed", seed) for seed in ("7", "7", "8")
    )
    assert one == same
    assert one["seed"] == 7
    assert one["options"] != other["options"]
    assert one["unseen"] == other["unseen"]


STUCK = """\
sniff: 1
ruleset: all-fives
overrides: {{match: {{target: null, rounds: 5}}, draw: {{reserve: {reserve}}}}}
players: [Ann, Bob]
rounds:
  - hands: {{Ann: [1-1], Bob: [5-0]}}
    boneyard: [{boneyard}]
    layout: [6-6, 6-5 on 6-6, 6-4 on 6-6]
    leader: Ann
"""


@pytest.mark.parametrize(("reserve", "forced"), [(23, "pass"), (0, "draw")])
def test_nothing_to_play_is_an_answer(
    sniff: Callable[..., Any], tmp_path: Path, reserve: int, forced: str
) -> None:
    """Case C62: a forced pass, a forced draw."""
    used = {"6-6", "6-5", "6-4", "1-1", "5-0"}
    every = [f"{a}-{b}" for a in range(7) for b in range(a + 1)]
    rest = ", ".join(one for one in every if one not in used)
    path = written(tmp_path / "g.yaml", STUCK.format(reserve=reserve, boneyard=rest))
    found = hinted(sniff, path)
    assert found["forced"] == forced
    assert [one["play"] for one in found["options"]] == [forced]
    run = sniff("hint", path)
    assert run.status == 0
    assert f"nothing to do but {forced}" in run.out


def test_a_round_that_is_over_needs_no_advice(sniff: Callable[..., Any], tmp_path: Path) -> None:
    """Case C62."""
    text = C57 + "      - A: resign\n"
    path = written(tmp_path / "g.yaml", text)
    run = sniff("hint", path)
    assert (run.status, run.err) == (0, "")
    assert "round is over" in run.out
    found = hinted(sniff, path)
    assert set(found) >= KEYS
    assert found["to_play"] is None
    assert found["options"] == []


def test_an_unknown_hand_cannot_be_advised(sniff: Callable[..., Any], tmp_path: Path) -> None:
    run = sniff("hint", written(tmp_path / "g.yaml", C57), "--at", "1.2")
    assert run.status == 1
    assert run.out == ""
    assert "the hand of B is not known" in run.err


def test_a_record_that_cannot_be_true_is_named(sniff: Callable[..., Any], tmp_path: Path) -> None:
    text = C57 + "      - A: 2-1 on 2-2\n      - B: 4-2 on 2-2\n"
    run = sniff("hint", written(tmp_path / "g.yaml", text))
    assert run.status == 1
    assert run.out == ""
    assert "B passed with 2 open (event 2), yet B laid 4-2 on 2-2 (event 4)" in run.err


def test_a_wrong_file_is_a_problem_and_no_traceback(
    sniff: Callable[..., Any], tmp_path: Path
) -> None:
    run = sniff("hint", written(tmp_path / "g.yaml", "sniff: 1\nplayers: 3\n"))
    assert (run.status, run.out) == (1, "")
    missing = sniff("hint", tmp_path / "none.yaml")
    assert missing.status == 2
