"""`sniff ruleset` as a user gets it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .conftest import HEAD

Sniff = Callable[..., Any]


def test_list_groups_the_rulesets(sniff: Sniff) -> None:
    run = sniff("ruleset", "list")

    assert (run.status, run.err) == (0, "")
    lines = run.out.splitlines()
    assert lines[0].split() == "family ruleset players set spinner scores target".split()
    assert [line.split()[0] for line in lines[1:] if not line.startswith(" ")] == [
        "fives",
        "threes",
        "block",
        "cross",
        "other",
    ]
    (threes,) = (line for line in lines if "muggins-fives-and-threes" in line)
    assert threes.split() == ["muggins-fives-and-threes", "2-4", "6", "-", "5,", "3", "100"]
    assert max(map(len, lines)) <= 80


def test_list_as_json(sniff: Sniff) -> None:
    entries = json.loads(sniff("ruleset", "list", "--format", "json").out)

    assert len(entries) >= 28
    (cross,) = (one for one in entries if one["id"] == "double-nine-cross")
    assert cross["set"] == 9
    assert cross["players"] == {"min": 2, "max": 5}
    assert (cross["spinner"], cross["divisors"], cross["target"]) == ("all_doubles", [], 100)


def test_show_is_the_file_with_its_comments(sniff: Sniff, root: Path) -> None:
    run = sniff("ruleset", "show", "cross")

    assert run.out == (root / "rulesets" / "cross.yaml").read_text(encoding="utf-8")


def test_show_resolved_has_every_key(sniff: Sniff) -> None:
    shown = json.loads(sniff("ruleset", "show", "cross", "--resolved", "--format", "json").out)

    assert shown["deal"]["hand"] == {"2": 7, "3": 5, "4": 4, "5": 3}
    assert shown["layout"]["fill_count"] == 4
    assert shown["keelhaul"] is None


def test_show_with_house_rules(sniff: Sniff) -> None:
    run = sniff("ruleset", "show", "cross", "--set", "match.target=50", "--set", "deal.hand.2=9")

    assert run.out.endswith("match:\n  target: 50\ndeal:\n  hand:\n    2: 9\n")


def test_a_wrong_house_rule_is_a_usage_error(sniff: Sniff) -> None:
    run = sniff("ruleset", "show", "cross", "--set", "match.taget=50")

    assert (run.status, run.out) == (2, "")
    assert 'did you mean "match.target"?' in run.err


def test_an_unknown_ruleset_is_a_usage_error(sniff: Sniff) -> None:
    run = sniff("ruleset", "show", "crosss")

    assert (run.status, run.out) == (2, "")
    assert 'did you mean "cross"?' in run.err


def test_check_of_the_shipped_files_finds_nothing(sniff: Sniff, root: Path) -> None:
    run = sniff("ruleset", "check", root / "rulesets", "--format", "json")

    assert run.status == 0
    files = len(list((root / "rulesets").glob("*.yaml")))
    assert files >= 28
    assert json.loads(run.out) == {"ok": True, "checked": files, "problems": []}


def test_check_prints_one_line_for_each_problem(sniff: Sniff, tmp_path: Path) -> None:
    path = tmp_path / "house.yaml"
    path.write_text(HEAD + "spiner: none\ntings: maybe\n", encoding="utf-8")

    run = sniff("ruleset", "check", path)

    assert run.status == 1
    assert run.err == (
        f'{path}:5:1: error[unknown-key]: unknown key "spiner"; did you mean "layout.spinner"?\n'
        f'{path}:6:8: error[not-a-flag]: tings: "maybe" is not true or false\n'
    )


def test_check_reads_standard_input(sniff: Sniff) -> None:
    run = sniff("ruleset", "check", "-", "--format", "json", input=HEAD + "tings: 1\n")

    shown = json.loads(run.out)
    assert run.status == 1
    assert (shown["ok"], shown["checked"]) == (False, 1)
    assert [(one["file"], one["line"], one["column"]) for one in shown["problems"]] == [
        ("<stdin>", 5, 8)
    ]


def test_check_of_nothing_is_a_usage_error(sniff: Sniff, tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "gone.yaml"):
        assert sniff("ruleset", "check", path).status == 2
    assert sniff("ruleset", "check").status == 2


def test_schema_is_the_committed_one(sniff: Sniff, root: Path) -> None:
    run = sniff("ruleset", "schema")

    assert run.out == (root / "rulesets" / "schema.json").read_text(encoding="utf-8")
