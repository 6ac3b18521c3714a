"""The table drawn as text: nothing lost, nothing turned round, at every width."""

from __future__ import annotations

import itertools
import re

import click
import pytest

from sniffcli.game.actions import Play
from sniffcli.game.plays import resolve
from sniffcli.game.state import Setup
from sniffcli.ruleset.library import shipped
from sniffcli.ruleset.loading import load_ruleset
from sniffcli.ruleset.model import Ruleset
from sniffcli.show.table import draw
from sniffcli.table.frontier import EMPTY, Frontier
from sniffcli.table.layout import EMPTY_LAYOUT, Layout, Move
from sniffcli.tiles import parse_tile

from .tables_of import random_table, read_back

RULESETS = shipped()
WIDTHS = [20, 40, 80, 200]


def ruleset(name: str) -> Ruleset:
    rules, problems = load_ruleset(name)
    assert rules is not None, problems
    return rules


def laid(name: str, plays: str) -> tuple[Ruleset, Layout, Frontier]:
    """Return the table after plays such as `5-5, 5-2 on 5-5 side`."""
    rules = ruleset(name)
    setup = Setup(rules, ("Ann", "Bob"), (0, 1))
    layout, frontier = EMPTY_LAYOUT, EMPTY
    for text in plays.split(", "):
        words = text.split()
        play = Play(seat=0, tile=parse_tile(words[0]))
        if len(words) > 2:
            part = words[3] if len(words) > 3 else None
            play = Play(seat=0, tile=play.tile, on=parse_tile(words[2]), part=part)  # type: ignore[arg-type]
        move = resolve(setup, layout, frontier, play)
        assert isinstance(move, Move), move
        layout, frontier = layout.with_move(rules, move), move.frontier
    return rules, layout, frontier


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.parametrize("unicode", [True, False])
def test_every_tile_can_be_read_back_and_no_line_is_too_long(name: str, unicode: bool) -> None:
    rules = ruleset(name)
    for seed, width in itertools.product(range(2), WIDTHS[:: 1 if unicode else 2]):
        for tiles in (1, 4, 11, 28):
            layout, frontier = random_table(rules, seed, tiles)
            text = draw(rules, layout, frontier, width=width, unicode=unicode)
            found = sorted(tuple(sorted(pair, reverse=True)) for pair in read_back(text))
            assert found == sorted((one.high, one.low) for one in layout.tiles), text
            assert max(map(len, text.splitlines())) <= width, text
            assert unicode or text.isascii()
            if rules.joining.rule == "equal":
                touching = re.findall(r"(\d+)\]\[(\d+)", text)
                assert all(one == other for one, other in touching), text


def test_a_spinner_with_three_arms_is_a_cross() -> None:
    plays = "5-5, 5-2 on 5-5, 5-1 on 5-5, 5-4 on 5-5 tip, 4-4 on 5-4, 6-2 on 5-2"
    rules, layout, frontier = laid("all-fives", plays)
    assert draw(rules, layout, frontier, width=40, unicode=True) == "\n".join(
        [
            "                      ▲",
            "                    [4║4]",
            "                     ┌4┐",
            "                     └5┘",
            "                     ┌5┐",
            "          ◄[6|2][2|5]│●│[5|1]►",
            "                     └5┘",
            "                      ▼",
            "",
            # The spinner is covered on three faces and counts nothing; 4-4 counts both halves.
            "ends 1 4 5 6   sum 15",
        ]
    )


def test_ends_that_are_shut_have_no_arrow() -> None:
    """The cross must be filled first: only the faces of 6-6 are open, and the 5 is not."""
    rules, layout, frontier = laid("cross", "6-6, 6-5 on 6-6")
    lines = draw(rules, layout, frontier, width=40, unicode=False).splitlines()
    assert [line.strip() for line in lines] == [
        "^",
        "/6\\",
        "[5|6]|*|>",
        "\\6/",
        "v",
        "",
        # Sums are of no use in this game, but they are right: 12 for the double and the 5.
        "ends 6 6 6   sum 17",
    ]


def test_a_long_table_folds_like_a_snake() -> None:
    plays = "6-5, 5-4 on 6-5, 4-3 on 5-4, 3-2 on 4-3, 2-1 on 3-2, 1-0 on 2-1"
    rules, layout, frontier = laid("block", plays)
    text = draw(rules, layout, frontier, width=24, unicode=True, hidden_sum=True)
    assert text.splitlines() == [
        " ◄[6|5][5|4][4|3][3|2]",
        "                   ┌2┐",
        "             ◄[0|1]└1┘",
    ]


def test_arms_that_fit_no_cross_become_a_list() -> None:
    plays = "5-5, 5-2 on 5-5, 5-1 on 5-5, 5-4 on 5-5 tip, 5-3 on 5-5 tip, 4-4 on 5-4, 6-2 on 5-2"
    rules, layout, frontier = laid("all-fives", plays)
    text = draw(rules, layout, frontier, width=24, unicode=True, height=5)
    assert text.splitlines() == [
        "[5●5]",
        "5-5 side [5|2][2|6] ► 6",
        "5-5 side [5|1] ► 1",
        "5-5 tip [5|4][4║4] ► 4",
        "5-5 tip [5|3] ► 3",
        "",
        "ends 1 3 4 6   sum 18",
    ]


def test_the_ends_and_the_sum_can_be_hidden() -> None:
    rules, layout, frontier = laid("all-fives", "5-5")
    shown = draw(rules, layout, frontier, width=20, unicode=True)
    hidden = draw(rules, layout, frontier, width=20, unicode=True, hidden_sum=True)
    # A lone spinner is open on its two sides only (contract, section 8).
    assert shown == hidden + "\n\nends 5 5   sum 10"
    assert [line.strip() for line in hidden.splitlines()] == ["┌5┐", "◄│●│►", "└5┘"]


def test_numbers_of_two_digits_keep_their_columns() -> None:
    rules, layout, frontier = laid("double-twelve-cross", "12-12, 12-3 on 12-12")
    text = draw(rules, layout, frontier, width=40, unicode=True, hidden_sum=True)
    assert "┌12┐" in text
    assert ("[3|12]│● │" in text) or ("│● │[12|3]" in text)


def test_an_empty_table_says_so() -> None:
    layout, frontier = random_table(ruleset("block"), 0, 0)
    assert draw(ruleset("block"), layout, frontier, width=40, unicode=True) == (
        "(no tile on the table)"
    )


def test_colour_is_an_extra() -> None:
    rules, layout, frontier = laid("all-fives", "5-5, 5-2 on 5-5")
    plain = draw(rules, layout, frontier, width=40, unicode=True)
    colored = draw(rules, layout, frontier, width=40, unicode=True, color=True)
    assert colored != plain
    assert click.unstyle(colored) == plain


@pytest.mark.parametrize("spinner", ["6-6 on 6-4", "2-2 on 4-2"])
@pytest.mark.parametrize("plays", ["6-4, 4-2 on 6-4", "4-2, 6-4 on 4-2"])
def test_what_lies_stays_where_it_was_when_a_spinner_comes(plays: str, spinner: str) -> None:
    """Whichever end it comes to, the line is not turned round under the eyes of the players."""

    def line(given: str) -> list[str]:
        drawn = draw(*laid("all-fives", given), width=80, unicode=True)
        row = next(one for one in drawn.splitlines() if "|" in one)
        return re.findall(r"\d\|\d", row)

    before = line(plays)
    assert len(before) == 2
    assert line(f"{plays}, {spinner}") == before
