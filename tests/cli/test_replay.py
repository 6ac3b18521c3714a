"""`sniff replay`: the JSON of the contract, what is shown, and how it ends."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pexpect
import pytest
from conftest import ROOT, Run

from sniffcli.files.fairness import commitment

Sniff = Callable[..., Run]

GAMES = ROOT / "scenarios" / "games"
MATCH = GAMES / "all-fives-match-1.yaml"

TWO_ROUNDS = """\
sniff: 1
ruleset: all-fives
overrides: {deal: {hand: {2: 2}}}
players: [Ann, Bob]
rounds:
  - hands: {Ann: [5-5, 5-1], Bob: [5-2, 6-6]}
    leader: Ann
    plays: [Ann: 5-5, Bob: 5-2 on 5-5, Ann: 5-1 on 5-5]
    written: {Ann: 20, Bob: 0}
  - hands: {Ann: [4-4, 4-1], Bob: [4-2, 5-3]}
    leader: Ann
    plays:
      - Ann: 4-4
      - Bob: 4-2 on 4-4
      - Ann: 4-1 on 4-2
"""


def facts(run: Run) -> dict[str, Any]:
    found = json.loads(run.out)
    assert isinstance(found, dict)
    return found


def test_real_matches_agree_with_an_independent_count(sniff: Sniff) -> None:
    expected = json.loads((GAMES / "expect.json").read_text("utf-8"))

    for name, rounds in expected.items():
        run = sniff("replay", GAMES / name, "--format", "json")
        found = facts(run)
        assert run.status == 0, name
        assert found["ok"] is True
        assert found["problems"] == []
        for one, wanted in zip(found["rounds"], rounds, strict=True):
            plays = [event for event in one["events"] if event["action"] == "play"]
            assert [event["sum"] for event in plays] == wanted["sums"]
            assert [event["points"] for event in plays] == wanted["points"]
            assert wanted["end"] in (None, one["scores"])


def test_the_keys_of_the_contract(sniff: Sniff) -> None:
    found = facts(sniff("replay", MATCH, "--format", "json"))

    assert set(found) == {
        *("ruleset", "players", "rounds", "scores", "winner", "ok", "problems"),
    }
    first = found["rounds"][0]
    assert {"events", "result", "scores"} <= set(first)
    assert first["result"] == {"how": "out", "winner": "robot", "bonus": {"human": 0, "robot": 15}}
    assert first["events"][5] == {
        "n": 6,
        "seat": "human",
        "action": "draw",
        "tile": "3-3",
        "on": None,
        "text": "draw 3-3",
        "sum": 15,
        "worth": 0,
        "points": 0,
        "ends": [5, 5],
        "scores": {"human": 0, "robot": 25},
        "hand_sizes": {"human": 6, "robot": 4},
        "boneyard": 13,
        "note": None,
    }
    assert [event["n"] for event in first["events"]] == list(range(1, 32))
    assert found["winner"] == "robot"


def test_every_shipped_game_replays(sniff: Sniff) -> None:
    for path in sorted(GAMES.glob("*.yaml")):
        run = sniff("replay", path)
        assert (run.status, run.err) == (0, ""), path.name
        assert run.out.splitlines()[-1].endswith(": no problem")
        assert max(len(line) for line in run.out.splitlines()) <= 80, path.name


def test_a_wrong_play_in_the_second_round(sniff: Sniff, tmp_path: Path) -> None:
    # Case C84.
    path = tmp_path / "game.yaml"
    path.write_text(TWO_ROUNDS)
    run = sniff("replay", path, "--format", "json")
    found = facts(run)

    assert run.status == 1
    assert found["ok"] is False
    assert [one["result"]["how"] for one in found["rounds"]] == ["out", "invalid"]
    assert [len(one["events"]) for one in found["rounds"]] == [3, 2]
    assert found["rounds"][1]["result"] == {"how": "invalid", "winner": None, "bonus": {}}
    assert found["rounds"][1]["scores"] == {"Ann": None, "Bob": None}
    problem = found["problems"][0]
    assert (problem["file"], problem["line"], problem["column"]) == (str(path), 15, 14)
    assert problem["code"] == "illegal"
    assert f"{path}:15:14: error[illegal]: round 2, action 3: 4-1 cannot go on 4-2" in run.err
    shown = sniff("replay", path)
    assert shown.status == 1
    assert "Invalid from action 3 on" in shown.out
    assert "2 rounds, 5 events: 1 problem" in shown.out


def test_all_problems_of_a_file_that_cannot_be_used(sniff: Sniff) -> None:
    run = sniff("replay", "-", "--format", "json", input="sniff: 1\nplayers: [Ann]\nfoo: 1\n")
    found = facts(run)

    assert run.status == 1
    assert found["rounds"] == []
    assert found["ok"] is False
    assert [one["code"] for one in found["problems"]] == ["players", "unknown-key"]
    assert run.err.startswith("<stdin>:2:10: error[players]: ")
    assert sniff("replay", "-", input="").status == 1


def test_standard_input(sniff: Sniff) -> None:
    assert sniff("replay", "-", input=MATCH.read_bytes()) == sniff("replay", MATCH)


def test_one_round_and_one_moment_of_it(sniff: Sniff) -> None:
    whole = sniff("replay", MATCH, "--round", "2")
    part = sniff("replay", MATCH, "--round", "2", "--to", "6")
    start = sniff("replay", MATCH, "--round", "2", "--to", "0", "--format", "json")

    assert whole.out.count("Round ") == 1
    assert "Round 2" in whole.out
    # The sixth sum of the second round in the independent count.
    assert "sum 15" in part.out
    assert "Unfinished: robot is to move." in part.out
    assert facts(start)["rounds"][0]["events"] == []
    assert facts(start)["rounds"][0]["result"]["how"] == "unfinished"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--round", "9"], "--round 9: the game has 4 rounds"),
        (["--round", "2", "--to", "99"], "--to 99: round 2 has 20 events"),
        (["--to", "3"], "--to needs --round"),
        (["--rules", "block"], "names its ruleset"),
        (["--step", "--format", "json"], "does not go with --format json"),
        (["--set", "match.targt=1"], 'did you mean "match.target"?'),
    ],
)
def test_mistakes_of_the_command_line_are_2(sniff: Sniff, options: list[str], words: str) -> None:
    run = sniff("replay", MATCH, *options)

    assert run.status == 2
    assert words in run.err
    assert run.out == ""


def test_files_that_cannot_be_opened_are_2(sniff: Sniff, tmp_path: Path) -> None:
    for path in (tmp_path / "none.yaml", tmp_path):
        run = sniff("replay", path)
        assert run.status == 2
        assert str(path) in run.err


def test_house_rules_are_laid_over_those_of_the_file(sniff: Sniff) -> None:
    # The file counts its last round to 170; a target of 140 is passed in the fourth round too.
    run = sniff("replay", MATCH, "--set", "match.target=130", "--format", "json")

    assert run.status == 1
    assert [one["code"] for one in facts(run)["problems"]] == ["match-over"]


def test_steps_draw_the_table_after_every_event(sniff: Sniff) -> None:
    run = sniff("replay", GAMES / "nine-published-moves.yaml", "--step")

    assert run.status == 0
    assert run.out.count("ends ") == 9
    assert run.out.index("sum 5") < run.out.index("sum 15")


def test_a_proof_of_the_deal(sniff: Sniff, tmp_path: Path) -> None:
    from sniffcli.files.fairness import round_random
    from sniffcli.files.recording import game_text, round_record, with_round
    from sniffcli.files.records import GameRecord
    from sniffcli.game.match import deal_round, new_match
    from sniffcli.ruleset.loading import load_ruleset

    rules, _ = load_ruleset("block")
    assert rules is not None
    game = GameRecord(
        "game.yaml",
        rules,
        ("Ann", "Bob"),
        (0, 1),
        ruleset="block",
        seed=3,
        salt="salt",
        commitment=commitment(3, "salt"),
    )
    state, _ = deal_round(new_match(game.setup), round_random(3, 1))
    path = tmp_path / "game.yaml"
    path.write_text(game_text(with_round(game, round_record(state))))

    good = sniff("replay", path, "--verify-deal")
    path.write_text(path.read_text().replace("salt: salt", "salt: pepper"))
    bad = sniff("replay", path, "--verify-deal")

    assert (good.status, good.err) == (0, "")
    assert "and the deal: no problem" in good.out
    assert bad.status == 1
    assert "error[commitment]: seed and salt do not give this commitment" in bad.err


def test_a_file_without_a_proof_cannot_be_verified(sniff: Sniff) -> None:
    run = sniff("replay", MATCH, "--verify-deal")

    assert run.status == 1
    assert "a proof needs commitment, seed and salt" in run.err


def test_it_works_away_from_the_checkout_in_a_narrow_plain_terminal(
    sniff_process: Sniff,
) -> None:
    run = sniff_process(
        "replay", MATCH, env={"COLUMNS": "20", "LC_ALL": "C", "PYTHONUTF8": "0", "TERM": "dumb"}
    )

    assert run.status == 0
    assert run.out.isascii()
    assert "robot" in run.out


@pytest.mark.parametrize(
    ("rules", "players", "round_", "words"),
    [
        (
            "all-fives, overrides: {deal: {hand: {2: 1}}}",
            "[Ann, Bob]",
            "hands: {Ann: [5-5], Bob: [6-1]}, leader: Ann, plays: [Ann: 5-5]",
            ["Ann went out: +5 for Ann.", "Left: Bob 6-1", "Score: Ann 15, Bob 0"],
        ),
        (
            "all-fives, overrides: {deal: {hand: {2: 1}}}",
            "[Ann, Bob]",
            "hands: {Ann: [5-5], Bob: 1}, leader: Ann, plays: [Ann: 5-5]",
            ["Ann went out; what it paid is not known, because hands are hidden.", "Ann ?, Bob ?"],
        ),
        (
            "all-fives, overrides: {match: {target: 10}}",
            "[Ann, Bob]",
            "leader: Ann, plays: [Ann: 5-5]",
            ["Ann reached the target.", "Left: Ann 8 hidden; Bob 9 hidden", "Ann won"],
        ),
        (
            "all-fives",
            "[Ann, Bob]",
            "leader: Ann, plays: [Ann: 5-5, Bob: resign]",
            ["Resigned: Ann won the match.", "Match   Ann 10, Bob 0   Ann won"],
        ),
        (
            "block, overrides: {deal: {hand: {2: 2}}}",
            "[Ann, Bob]",
            "hands: {Ann: [6-6, 1-0], Bob: [5-5, 4-4]}, leader: Ann, plays: [Ann: 6-6]",
            ["Blocked, and Ann won it: +17 for Ann.", "Left: Ann 1-0; Bob 5-5 4-4"],
        ),
        (
            "block, overrides: {deal: {hand: {2: 2}}}",
            "[Ann, Bob]",
            "hands: {Ann: [6-6, 1-0], Bob: [5-5, 4-4]}, leader: Ann, plays: [Bob: 5-5]",
            ["Invalid from action 1 on; what follows is not evaluated."],
        ),
        (
            "dreamtime-sniff, overrides: {deal: {hand: {2: 1}}}",
            "[Ann, Bob]",
            "hands: {Ann: [5-5], Bob: [6-1]}, plays: [Ann: 5-5]",
            ["Unfinished: the last score is still open (claim, catch or finish)."],
        ),
        (
            "all-fives",
            "[A very long name indeed, Bob]",
            "layout: [5-5], hands: {A very long name indeed: [5-1, 6-6], Bob: 3}, "
            "leader: A very long name indeed, plays: [A very long name indeed: 5-1]",
            ["A very long name indeed is to move", "A very lo.  5-1 on 5-5", "Bob is to move."],
        ),
    ],
)
def test_every_ending_is_told(
    sniff: Sniff, rules: str, players: str, round_: str, words: list[str]
) -> None:
    text = f"{{sniff: 1, ruleset: {rules}, players: {players}, rounds: [{{{round_}}}]}}"

    run = sniff("replay", "-", input=text)

    for part in words:
        assert part in run.out
    assert "Traceback" not in run.err


def test_a_block_that_nobody_wins(sniff: Sniff) -> None:
    # Case C30: ends 1 and 2, Ann keeps 3-3, Bob 6-0.
    text = """\
sniff: 1
ruleset: block
players: [Ann, Bob]
rounds:
  - layout: [2-1]
    hands: {Ann: [3-3, 1-1], Bob: [6-0]}
    leader: Ann
    plays: [Ann: 1-1]
"""
    run = sniff("replay", "-", input=text)
    found = facts(sniff("replay", "-", "--format", "json", input=text))

    assert "Blocked, and nobody won it." in run.out
    assert found["rounds"][0]["result"] == {
        "how": "blocked",
        "winner": None,
        "bonus": {"Ann": 0, "Bob": 0},
    }


def test_a_file_without_rounds(sniff: Sniff) -> None:
    text = "sniff: 1\nruleset: block\nplayers: [Ann, Bob]\n"
    run = sniff("replay", "-", input=text)

    assert run.status == 0
    assert "There is no round in this game." in run.out
    assert "0 rounds, 0 events: no problem" in run.out


def test_an_unknown_ruleset_of_the_command_line_is_2(sniff: Sniff) -> None:
    text = "sniff: 1\nplayers: [Ann, Bob]\nrounds: []\n"

    assert sniff("replay", "-", "--rules", "blok", input=text).status == 2
    assert sniff("replay", "-", "--rules", "block", input=text).status == 0


def test_partners_win_together(sniff: Sniff) -> None:
    text = """\
sniff: 1
ruleset: all-fives
overrides: {deal: {hand: {4: 1}}, match: {target: 5}}
players: [Ann, Bob, Cy, Di]
teams: [[Ann, Cy], [Bob, Di]]
rounds:
  - hands: {Ann: [5-5], Bob: [6-1], Cy: [6-2], Di: [6-3]}
    leader: Ann
    plays: [Ann: 5-5]
"""
    found = facts(sniff("replay", "-", "--format", "json", input=text))

    assert found["winner"] == ["Ann", "Cy"]
    assert found["scores"] == {"Ann": 10, "Bob": 0, "Cy": 10, "Di": 0}


def test_steps_wait_for_enter_on_a_terminal() -> None:
    child = pexpect.spawn(
        sys.executable,
        ["-m", "sniffcli", "replay", str(GAMES / "nine-published-moves.yaml"), "--step"],
        encoding="utf-8",
        dimensions=(50, 80),
        timeout=60,
    )
    for total in (5, 6, 10):
        child.expect_exact(f"sum {total}")
        child.expect_exact("Enter for the next event")
        child.send("\r")
    child.expect_exact("sum 5")
    # Sent a moment before the question waits, Ctrl-C would be noticed only with the next key.
    child.expect_exact("Enter for the next event")
    child.sendintr()
    child.expect(pexpect.EOF)
    child.close()

    assert child.exitstatus == 130
