"""`sniff count`: published sums play by play, rules as data, and plays that cannot be."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from conftest import Run

Sniff = Callable[..., Run]

#: Case C01: nine published moves; the first double is not the lead.
NINE = [
    "1-4",
    "1-1 on 4-1",
    "4-4 on 4-1",
    "4-3 on 4-4",
    "2-1 on 1-1",
    "5-1 on 1-1 tip",
    "5-5 on 5-1",
    "5-0 on 5-5",
    "3-1 on 1-1 tip",
]


def facts(run: Run) -> dict[str, Any]:
    found = json.loads(run.out)
    assert isinstance(found, dict)
    return found


def test_the_nine_published_moves(sniff: Sniff) -> None:
    run = sniff("count", *NINE, "--format", "json")
    found = facts(run)

    assert run.status == 0
    assert run.err == ""
    assert found["ruleset"] == "all-fives"
    assert [one["sum"] for one in found["plays"]] == [5, 6, 10, 5, 5, 10, 15, 5, 8]
    assert [one["points"] for one in found["plays"]] == [5, 0, 10, 5, 5, 10, 15, 5, 0]
    assert found["plays"][-1]["ends"] == [0, 2, 3, 3]
    assert found["ok"] is True
    assert found["problems"] == []


def test_the_shell_may_split_the_plays_anywhere(sniff: Sniff) -> None:
    whole = sniff("count", *NINE, "--format", "json")
    words = [word for play in NINE for word in play.split()]

    assert sniff("count", *words, "--format", "json") == whole
    assert sniff("count", " ".join(words), "--format", "json") == whole


def test_the_sniff_keeps_counting(sniff: Sniff) -> None:
    # Case C13: 15 where the classic count gives 7.
    plays = ["4-4", "6-4 on 4-4", "4-1 on 4-4", "5-4 on 4-4 tip", "4-3 on 4-4 tip"]

    def counted(rules: str) -> list[int]:
        found = facts(sniff("count", *plays, "--rules", rules, "--format", "json"))
        return [one["sum"] for one in found["plays"]]

    assert counted("sniff") == [8, 14, 15, 16, 15]
    assert counted("all-fives") == [8, 14, 7, 12, 15]


def test_a_house_rule_changes_the_count(sniff: Sniff) -> None:
    # Case C20: 15 is worth 30 where both divisors pay, 15 where it pays once.
    plays = ("count", "6-3", "6-6 on 6-3", "--format", "json", "--set", "score.divisors=[3, 5]")
    once = sniff(*plays)
    each = sniff(*plays, "--set", "score.combine=each")

    assert [one["points"] for one in facts(once)["plays"]] == [9, 15]
    assert [one["points"] for one in facts(each)["plays"]] == [9, 30]


def test_an_illegal_play_is_told_apart_and_what_stands_before_it_is_kept(sniff: Sniff) -> None:
    # Case C06.
    plays = ["5-5", "5-2 on 5-5", "5-3 on 5-5", "5-1 on 5-5 tip", "5-4 on 5-5 tip", "5-0 on 5-5"]
    run = sniff("count", *plays, "--format", "json")
    found = facts(run)

    assert run.status == 1
    assert [one["sum"] for one in found["plays"]] == [10, 12, 5, 6, 10]
    assert found["plays"][-1]["ends"] == [1, 2, 3, 4]
    assert found["ok"] is False
    assert [one["code"] for one in found["problems"]] == ["illegal"]
    words = "5-0 cannot go on 5-5: both long sides and both ends are covered"
    assert words in found["problems"][0]["message"]
    assert words in run.err


def test_a_tip_before_its_time_names_the_rule(sniff: Sniff) -> None:
    # Case C04.
    run = sniff("count", "4-4", "6-4 on 4-4", "4-1 on 4-4 tip")

    assert run.status == 1
    assert "open when both long sides are covered" in run.err
    assert "sum 14" in run.out


def test_an_ambiguous_play_lists_its_choices(sniff: Sniff) -> None:
    run = sniff("count", "6-5", "6-1 on 6-5", "5-1 on 6-5", "1-1", "--format", "json")
    found = facts(run)

    assert run.status == 0
    assert len(found["plays"]) == 4
    spinner = ["2-2", "2-1 on 2-2", "3-2 on 2-2", "3-1 on 2-1", "3-3 on 3-2"]
    twice = sniff("count", *spinner, "3-0", "--format", "json")
    assert twice.status == 1
    assert [one["code"] for one in facts(twice)["problems"]] == ["ambiguous"]
    assert "3-0 on 3-1 or 3-0 on 3-3" in facts(twice)["problems"][0]["message"]


@pytest.mark.parametrize(
    ("plays", "code", "words"),
    [
        (["6–6"], "malformed", "U+2013 (en dash)"),
        (["6 - 6"], "malformed", "write both halves"),
        (["66"], "malformed", "a number, not a tile"),
        (["7-3"], "tile", "7-3 is not in the set of this game (double-6)"),
        (["6-6", "6-6"], "tile", "6-6 is on the table already"),
        (["6-6", "5-1 on 6-6"], "illegal", "5-1 cannot go on 6-6: it has no 6"),
        (["6-6 on 5-5"], "illegal", "the table is empty"),
        (["6-6", "6-1 on"], "malformed", "'on' wants a tile or a number"),
    ],
)
def test_each_kind_of_failure(sniff: Sniff, plays: list[str], code: str, words: str) -> None:
    run = sniff("count", *plays, "--format", "json")
    problem = facts(run)["problems"][0]

    assert run.status == 1
    assert problem["code"] == code
    assert words in problem["message"]
    assert problem["line"] is None


@pytest.mark.parametrize("tile", ["6:6", "6|6", "6/6", "[6-6]", "[6:6]"])
def test_all_ways_to_write_a_tile(sniff: Sniff, tile: str) -> None:
    # Case C79.
    assert facts(sniff("count", tile, "--format", "json"))["plays"][0]["play"] == "6-6"


def test_a_lone_spinner_counts_twice_among_its_ends(sniff: Sniff) -> None:
    found = facts(sniff("count", "5-5", "--format", "json"))

    assert found["plays"] == [{"play": "5-5", "sum": 10, "points": 10, "ends": [5, 5]}]


def test_zero_is_no_score(sniff: Sniff) -> None:
    # Case C23.
    assert facts(sniff("count", "0-0", "--format", "json"))["plays"][0]["points"] == 0


def test_the_text_shows_every_play_and_the_table(sniff: Sniff) -> None:
    run = sniff("count", *NINE)
    lines = run.out.splitlines()

    assert lines[0].split() == ["play", "sum", "points", "ends"]
    assert lines[7].split() == ["5-5", "on", "5-1", "15", "15", "1", "2", "3", "5"]
    assert lines[-1].split() == ["ends", "0", "2", "3", "3", "sum", "8"]
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in run.out


def test_colour_is_a_choice(sniff: Sniff) -> None:
    assert "\x1b" in sniff("--color", "always", "count", "5-5").out
    assert "\x1b" not in sniff("--color", "never", "count", "5-5").out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--rules", "al-fives"], 'did you mean "all-fives"?'),
        (["--set", "match.targt=1"], 'did you mean "match.target"?'),
        (["--set", "nonsense"], "is not of the form KEY=VALUE"),
    ],
)
def test_mistakes_of_the_command_line_are_2(sniff: Sniff, options: list[str], words: str) -> None:
    run = sniff("count", "5-5", *options)

    assert run.status == 2
    assert words in run.err
    assert run.out == ""


def test_without_plays_there_is_nothing_to_count(sniff: Sniff) -> None:
    assert sniff("count").status == 2
