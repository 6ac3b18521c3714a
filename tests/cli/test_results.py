"""A result in a file is the result on the screen: `--output` of the commands that only tell."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run

from sniffcli.ruleset.library import scenarios_dir

Sniff = Callable[..., Run]

MATCH = scenarios_dir() / "games" / "all-fives-match-1.yaml"
PUZZLES = min((scenarios_dir() / "puzzles").glob("*.yaml"))

COMMANDS = [
    "count 5-5 5-2",
    f"replay {MATCH}",
    f"replay {MATCH} --format json",
    f"hint {MATCH} --at 1.3 --worlds 20",
    f"puzzle list {PUZZLES} --format csv",
    "puzzle stats",
    "ruleset list",
    "ruleset show all-fives",
    "ruleset check all-fives",
    "ruleset diff all-fives sniff --format json",
    "ruleset schema",
]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SNIFF_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("words", COMMANDS)
def test_the_file_holds_what_the_screen_shows(sniff: Sniff, here: Path, words: str) -> None:
    shown = sniff(*words.split())
    filed = sniff("--color", "always", *words.split(), "--output", "a result.txt")
    assert (filed.status, filed.out) == (shown.status, "")
    assert (here / "a result.txt").read_text("utf-8") == shown.out
    again = sniff(*words.split(), "--output", "a result.txt")
    assert again.status == 2
    assert "a result.txt exists already; --force replaces it" in again.err
    assert sniff(*words.split(), "--output", "a result.txt", "--force").status == shown.status


def test_a_result_with_problems_is_written_with_its_status(sniff: Sniff, here: Path) -> None:
    run = sniff("count", "5-5", "6-1", "--format", "json", "--output", "out.json")
    assert run.status == 1
    assert '"ok": false' in (here / "out.json").read_text()
    assert "6-1" in run.err


def test_no_file_is_left_where_nothing_was_done(sniff: Sniff, here: Path) -> None:
    assert sniff("count", "5-5", "--rules", "nonsense", "--output", "out.txt").status == 2
    assert sniff("ruleset", "list", "--output", "nowhere/out.txt").status == 2
    assert not list(here.iterdir())


def test_the_input_is_never_written_over(sniff: Sniff, here: Path) -> None:
    game = here / "game.yaml"
    game.write_bytes(MATCH.read_bytes())
    (here / "link.yaml").symlink_to(game)
    for name in ("game.yaml", "./game.yaml", "link.yaml"):
        run = sniff("replay", "game.yaml", "--output", name, "--force")
        assert run.status == 1
        assert "is an input" in run.err
    assert game.read_bytes() == MATCH.read_bytes()


def test_what_was_read_on_the_way_is_never_written_over(sniff: Sniff, here: Path) -> None:
    """A parent, what lies in a directory, and standard input are inputs as well."""
    rules = here / "rules"
    rules.mkdir()
    parent, child = rules / "club.yaml", rules / "friday.yaml"
    parent.write_text("sniff: 1\nid: club\nextends: all-fives\nmatch: {target: 100}\n")
    child.write_text("sniff: 1\nid: friday\nextends: club\nmatch: {target: 60}\n")
    before = parent.read_text()
    for words in (
        "ruleset show rules/friday.yaml --resolved",
        "ruleset check rules",
        "ruleset check rules/friday.yaml",
        "ruleset explain rules/friday.yaml",
        "count 5-5 --rules rules/friday.yaml",
    ):
        run = sniff(*words.split(), "--output", "rules/club.yaml", "--force")
        assert run.status == 1, words
        assert "rules/club.yaml is an input; write the result to another file" in run.err
    assert parent.read_text() == before
    game = here / "game.yaml"
    game.write_bytes(MATCH.read_bytes())
    for words in (
        ["replay", "-"],
        ["hint", "-", "--worlds", "5"],
        ["analyze", "-", "--worlds", "5"],
    ):
        with game.open("rb") as stream:
            command = [sys.executable, "-m", "sniffcli", *words, "--output", "game.yaml", "--force"]
            done = subprocess.run(command, stdin=stream, capture_output=True, check=False)
        assert done.returncode == 1
        assert b"is an input" in done.stderr
    assert game.read_bytes() == MATCH.read_bytes()


@pytest.mark.parametrize("words", ["solve", "hint", "replay", "analyze", "hint --format json"])
def test_a_good_result_is_kept_where_there_is_none(sniff: Sniff, here: Path, words: str) -> None:
    (here / "wrong.yaml").write_text("sniff: 1\nid: x\n")
    (here / "old.txt").write_text("good\n")
    run = sniff(*words.split(), "wrong.yaml", "--output", "old.txt", "--force")
    assert run.status == 1
    assert "old.txt is kept as it was" in run.err
    assert (here / "old.txt").read_text() == "good\n"
    sniff(*words.split(), "wrong.yaml", "--output", "new.txt")
    assert not (here / "new.txt").exists() or (here / "new.txt").stat().st_size


@pytest.mark.parametrize("file", ["/dev/stdout", "/dev/null", "/proc/self/fd/1"])
def test_a_device_is_not_replaced(sniff: Sniff, file: str) -> None:
    run = sniff("count", "5-5", "--output", file, "--force")
    assert run.status == 1
    assert "is not an ordinary file and is not replaced" in run.err


def test_words_of_options_are_no_inputs(sniff: Sniff, here: Path) -> None:
    assert sniff("count", "5-5", "--format", "json", "--output", "json").status == 0
    assert sniff("ruleset", "show", "all-fives", "--output", "all-fives").status == 0
