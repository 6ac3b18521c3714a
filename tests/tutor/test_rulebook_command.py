"""`sniff ruleset explain` and `sniff ruleset diff` as a user gets them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from sniffcli.cli.ruleset_explain import language

Sniff = Callable[..., Any]


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)


def test_explain_writes_the_rulebook(sniff: Sniff) -> None:
    run = sniff("ruleset", "explain", "all-fives")

    assert (run.status, run.err) == (0, "")
    assert run.out.startswith("All Fives: the rules\n════════════════════\n")
    assert "• The leader may lead any tile.\n" in run.out
    assert max(map(len, run.out.splitlines())) <= 80


def test_explain_in_french(sniff: Sniff) -> None:
    run = sniff("ruleset", "explain", "block", "--lang", "fr", "--format", "markdown")

    assert run.out.startswith("# Block\u00a0: les règles\n")
    assert "- On ne pioche pas.\n" in run.out


@pytest.mark.parametrize(
    ("chosen", "surroundings", "expected"),
    [
        (None, {}, "en"),
        (None, {"LANG": "fr_FR.UTF-8"}, "fr"),
        (None, {"LANG": "fr_CA"}, "fr"),
        (None, {"LANG": "en_GB.UTF-8", "LC_MESSAGES": "fr_BE.UTF-8"}, "fr"),
        (None, {"LANG": "fr_FR.UTF-8", "LC_ALL": "C"}, "en"),
        (None, {"LANG": "de_DE.UTF-8"}, "en"),
        ("en", {"LANG": "fr_FR.UTF-8"}, "en"),
        ("fr", {"LANG": "C"}, "fr"),
    ],
)
def test_the_language(chosen: str | None, surroundings: dict[str, str], expected: str) -> None:
    assert language(chosen, surroundings) == expected


def test_explain_follows_the_surroundings(sniff: Sniff, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    assert "Il faut atteindre" in sniff("ruleset", "explain", "block").out


def test_explain_on_a_terminal_without_unicode(sniff_process: Sniff) -> None:
    run = sniff_process(
        "ruleset", "explain", "cross", "--lang", "fr", env={"PYTHONIOENCODING": "ascii"}
    )

    assert run.status == 0
    assert run.out.isascii()
    assert "Cross : les regles" in run.out


def test_explain_for_some_players(sniff: Sniff) -> None:
    run = sniff("ruleset", "explain", "all-fives", "--players", "2")
    assert "• The game is for 2 players.\n" in run.out

    run = sniff("ruleset", "explain", "all-fives", "--players", "7")
    assert (run.status, run.out) == (2, "")
    assert "All Fives is for 2 to 4 players, not for 7" in run.err


def test_explain_with_house_rules(sniff: Sniff) -> None:
    run = sniff("ruleset", "explain", "all-fives", "--set", "score.divisors=[3]")

    assert "House rules in force" in run.out
    assert "• A play scores when the sum of the ends is a multiple of 3." in run.out
    assert "score.divisors  [3]   [5]" in run.out


def test_explain_a_file_that_extends_another(sniff: Sniff, tmp_path: Path) -> None:
    file = tmp_path / "pub.yaml"
    file.write_text(
        "sniff: 1\nid: pub\nname: Our pub\nsummary: As on Fridays.\nextends: fives-and-threes\n"
        "match: {target: 121}\n"
    )
    run = sniff("ruleset", "explain", file)

    assert (run.status, run.err) == (0, "")
    assert run.out.startswith("Our pub: the rules\n")
    assert "As on Fridays.\n" in run.out
    assert "What differs from Fives and Threes" in run.out
    assert "match.target   121     61" in run.out


def test_explain_shows_what_is_wrong(sniff: Sniff, tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text("sniff: 1\nid: wrong\nextends: block\nmatch: {taget: 1}\n")
    run = sniff("ruleset", "explain", file)

    assert (run.status, run.out) == (1, "")
    assert 'wrong.yaml:4:9: error[unknown-key]: unknown key "match.taget"' in run.err


def test_explain_into_a_file(sniff: Sniff, tmp_path: Path) -> None:
    file = tmp_path / "book.md"
    arguments = ("ruleset", "explain", "block", "--format", "markdown", "--output", file)

    assert sniff(*arguments).out == ""
    assert file.read_text("utf-8").startswith("# Block: the rules\n")
    assert sniff(*arguments).status == 2
    assert sniff(*arguments, "--force").status == 0


def test_diff_in_words_and_keys(sniff: Sniff) -> None:
    run = sniff("ruleset", "diff", "block", "draw")

    assert (run.status, run.err) == (0, "")
    lines = run.out.splitlines()
    assert lines[:2] == ["- Block", "+ Draw"]
    assert "- Nothing is drawn." in lines
    assert "+ A player who can neither play nor draw passes." in lines
    assert "Drawing and passing" in lines
    assert "draw.when                 never                     unable" in lines
    assert max(map(len, lines)) <= 80


def test_diff_as_json(sniff: Sniff) -> None:
    run = sniff("ruleset", "diff", "all-fives", "sniff", "--format", "json", "--lang", "fr")

    found = json.loads(run.out)
    assert (found["a"], found["b"]) == ("all-fives", "sniff")
    assert {"key": "score.spinner_counts", "a": "until_two_faces", "b": "exposed_halves"} in found[
        "keys"
    ]
    titles = [section["title"] for section in found["sections"]]
    assert titles == [
        "Joueurs, dominos et distribution",
        "Le compte et les points en cours de manche",
    ]
    assert len(found["sections"][1]["only_a"]) == len(found["sections"][1]["only_b"]) == 1


def test_diff_with_house_rules(sniff: Sniff) -> None:
    run = sniff("ruleset", "diff", "block", "--set", "match.target=50")
    assert run.out.splitlines()[2:] == [
        "",
        "The match",
        "- The target is 100 points.",
        "+ The target is 50 points.",
        "",
        "key           block  block (--set)",
        "match.target  100    50",
    ]
    assert sniff("ruleset", "diff", "block").status == 2
    wrong = sniff("ruleset", "diff", "block", "draw", "--set", "match.taget=50")
    assert (wrong.status, wrong.out) == (2, "")


def test_diff_of_the_same_game(sniff: Sniff) -> None:
    run = sniff("ruleset", "diff", "cross", "cross")
    assert run.out == "Cross and Cross are the same game.\n"
    assert json.loads(sniff("ruleset", "diff", "cross", "cross", "--format", "json").out) == {
        "a": "cross",
        "b": "cross",
        "sections": [],
        "keys": [],
    }


def test_diff_with_something_that_is_no_ruleset(sniff: Sniff) -> None:
    run = sniff("ruleset", "diff", "cross", "crosss")
    assert (run.status, run.out) == (2, "")
    assert 'did you mean "cross"?' in run.err


# --- the example of a repository of house rules -------------------------------------------------


@pytest.fixture
def repository(root: Path, tmp_path: Path) -> Path:
    """A copy of the shipped example."""
    return Path(shutil.copytree(root / "scenarios" / "house-rules", tmp_path / "house-rules"))


def run_step(repository: Path, name: str) -> subprocess.CompletedProcess[str]:
    """Run one step of the workflow as the workflow does."""
    workflow = yaml.safe_load(
        (repository / ".github" / "workflows" / "check-rules.yml").read_text("utf-8")
    )
    (script,) = (
        step["run"] for step in workflow["jobs"]["rules"]["steps"] if step.get("name") == name
    )
    tools = repository / "bin"
    tools.mkdir(exist_ok=True)
    for tool, words in (("sniff", "-m sniffcli"), ("python", "")):
        file = tools / tool
        file.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n')
        file.chmod(0o755)
    return subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script],
        cwd=repository,
        env={**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


@pytest.mark.slow
def test_the_workflow_checks_and_writes(repository: Path) -> None:
    done = run_step(repository, "Check the rules")
    assert (done.returncode, done.stdout) == (0, "")

    assert run_step(repository, "Write the rulebooks").returncode == 0
    book = (repository / "books" / "friday-fives-pairs.fr.md").read_text("utf-8")
    assert "Il faut atteindre 300 points." in book


@pytest.mark.slow
def test_the_workflow_marks_a_problem_at_its_line(repository: Path) -> None:
    file = repository / "rulesets" / "friday-fives.yaml"
    file.write_text(file.read_text("utf-8").replace("  target: 150", "  taget: 150"))

    done = run_step(repository, "Check the rules")
    assert done.returncode == 1
    assert (
        "::error file=rulesets/friday-fives.yaml,line=15,col=3::"
        'unknown key "match.taget"; did you mean "match.target"?\n'
    ) in done.stdout


def test_the_rules_of_the_readme_are_right(root: Path, sniff: Sniff, tmp_path: Path) -> None:
    readme = (root / "README.md").read_text("utf-8")
    (rules,) = re.findall(r"```yaml\n(# yaml-language-server.*?)```", readme, re.DOTALL)
    file = tmp_path / "friday-fives.yaml"
    file.write_text(rules)
    assert sniff("ruleset", "check", file).status == 0
    assert sniff("count", "--rules", file, "5-5", "5-2").status == 0
    assert sniff("ruleset", "diff", "all-fives", file).status == 0
    assert "The target is 150 points." in sniff("ruleset", "explain", file, "--players", "2").out


def test_resolved_rules_with_house_rules_are_a_ruleset(sniff: Sniff, tmp_path: Path) -> None:
    """What `show --resolved --set` prints can be read back, and is the same game."""
    settings = ("--set", "draw.reserve=2", "--set", "match.target={2: 100, 3: 90, 4: 80}")
    file = tmp_path / "resolved.yaml"
    file.write_text(sniff("ruleset", "show", "all-fives", "--resolved", *settings).out)

    found = json.loads(sniff("ruleset", "diff", "all-fives", file, "--format", "json").out)
    assert found["keys"] == [
        {"key": "draw.reserve", "a": 0, "b": 2},
        {
            "key": "match.target",
            "a": {"2": 250, "3": 200, "4": 200},
            "b": {"2": 100, "3": 90, "4": 80},
        },
    ]
