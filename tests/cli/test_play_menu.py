"""The menu of `sniff play` at a terminal, without options."""

from __future__ import annotations

from typing import Any

import pytest
from click.testing import CliRunner

from sniffcli.cli.play_menu import OFFERED, ask
from sniffcli.ruleset.library import shipped


def asked(typed: str) -> tuple[dict[str, Any], str]:
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
    assert out.count("is neither a number of the list nor a ruleset") == 3
    assert "7 is not in the range" in out
    assert "'wizard' is not one of" in out


def test_every_game_that_is_offered_is_there() -> None:
    out = asked("\n\n\n")[1]
    assert set(OFFERED) <= set(shipped())
    assert [f"  {n:2}  " in out for n in range(1, len(OFFERED) + 1)] == [True] * len(OFFERED)
    assert "four" not in out or "players" in out
