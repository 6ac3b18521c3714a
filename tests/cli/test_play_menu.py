"""The menu of `sniff play` at a terminal, without options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from sniffcli.cli.play_menu import OFFERED, ask
from sniffcli.ruleset.library import shipped


def asked(typed: str) -> tuple[dict[str, Any] | None, str]:
    runner = CliRunner()
    with runner.isolation(input=typed) as (out, *_):
        given = ask()
        return given, out.getvalue().decode()


@pytest.mark.parametrize(
    ("typed", "given"),
    [
        # Dreamtime Sniff takes two to four: one to three opponents.
        ("\n\n\n", {"rules": "dreamtime-sniff", "players": 2, "bots": ("casual",)}),
        ("1\n3\nexpert\n", {"rules": "dreamtime-sniff", "players": 4, "bots": ("expert",)}),
        ("all-fives\n2\ngreedy\n", {"rules": "all-fives", "players": 3, "bots": ("greedy",)}),
        ("Matador\n1\n\n", {"rules": "matador", "players": 2, "bots": ("casual",)}),
        # Partners are four, so nobody is asked how many.
        (
            "all-threes-partners\n\n",
            {"rules": "all-threes-partners", "players": 4, "bots": ("casual",)},
        ),
    ],
)
def test_answers_become_options(typed: str, given: dict[str, Any]) -> None:
    assert asked(typed)[0] == given


def test_wrong_answers_are_asked_again() -> None:
    given, out = asked("0\n99\nchess\n1\n7\n1\nwizard\nrandom\n")
    assert given == {"rules": "dreamtime-sniff", "players": 2, "bots": ("random",)}
    assert out.count("is no number of the list, ruleset or file") == 3
    assert 'write 1 or 2 or 3, not "7"' in out
    assert 'casual or strong or expert, not "wizard"' in out


@pytest.mark.parametrize("typed", ["q\n", "quit\n", "1\nexit\n", "1\n1\nQ\n"])
def test_the_menu_can_be_left_at_every_question(typed: str) -> None:
    assert asked(typed)[0] is None


def test_a_file_of_rules_is_taken_and_a_wrong_one_named(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text("sniff: 1\nid: good\nextends: block\n")
    bad.write_text("sniff: 1\nid: bad\nextends: block\nspiner: none\n")
    given, out = asked(f"{bad}\n{good}\n\n\n")
    assert given == {"rules": str(good), "players": 2, "bots": ("casual",)}
    assert "bad.yaml:4:1: error" in out


def test_no_line_of_the_menu_is_too_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    for line in asked("\n\n\n")[1].splitlines():
        assert len(line) <= 40 if "[" in line else len(line) <= 30, line


def test_every_game_that_is_offered_is_there() -> None:
    out = asked("\n\n\n")[1]
    assert set(OFFERED) <= set(shipped())
    assert [f"  {n:2}  " in out for n in range(1, len(OFFERED) + 1)] == [True] * len(OFFERED)
    assert "four" not in out or "players" in out
