"""A result in a file is the result on the screen: `--output` of the commands that only tell."""

from __future__ import annotations

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
        assert run.status == 2
        assert "is an input" in run.err
    assert game.read_bytes() == MATCH.read_bytes()
