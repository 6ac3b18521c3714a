"""Widths in columns of the terminal, and text that is folded by them."""

from __future__ import annotations

import pytest
from ui.tables import FIVES, session_of

from sniffcli.show.folding import fitted, fold, width_of
from sniffcli.show.style import Look
from sniffcli.show.tables import Column, table
from sniffcli.ui.screens import status


@pytest.mark.parametrize(
    ("text", "wide"),
    # East Asian letters and pictures are wide (Unicode, annex 11); an accent of its own is not.
    [("", 0), ("Ann", 3), ("Zoë", 3), ("Zoe\u0308", 3), ("陳小明", 6), ("🎲", 2), ("Жанна", 5)],
)
def test_widths_are_columns(text: str, wide: int) -> None:
    assert width_of(text) == wide


@pytest.mark.parametrize("name", ["Ann", "陳小明"])
@pytest.mark.parametrize("width", [20, 30, 44])
def test_folded_lines_fit_and_keep_tiles_whole(name: str, width: int) -> None:
    text = f"{name} holds 6-4 and 5-0, and {name} may lay 5-0 on 5-5 or 6-4 on 6-6."
    lines = fold(text, width, "- ", "  ")
    assert all(width_of(line) <= width for line in lines)
    assert " ".join(line[2:] for line in lines) == text


def test_only_lines_that_are_too_wide_are_folded() -> None:
    text = "a b\n  one two three four five\nsix"
    assert fitted(text, 16) == "a b\n  one two three\n    four five\nsix"


def test_colour_takes_no_room() -> None:
    drawn = Look(80, color=True).bold("x" * 80)
    assert width_of(drawn) == 80
    assert fitted(drawn, 80) == drawn
    assert [
        width_of(line) for line in fitted(Look(80, color=True).bold("six " * 6), 12).split("\n")
    ] == [11, 9, 5]


def test_columns_stand_below_each_other_with_wide_letters() -> None:
    drawn = table(
        (Column("name"), Column("points", right=True)), [["陳小明", "5"], ["Ann", "10"]], 80
    )
    assert drawn == "name    points\n陳小明       5\nAnn         10"
    assert len({width_of(line) for line in drawn.splitlines()}) == 1


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (60, "Bob to move | Ann 105  Bob 110 | boneyard 14 | all-fives"),
        (32, "Bob to move | Ann 105  Bob 110"),
        (30, "Ann 105  Bob 110"),
        (20, "Ann 105  Bob 110"),
    ],
)
def test_the_score_stays_at_the_foot_of_a_narrow_screen(width: int, shown: str) -> None:
    session = session_of(FIVES.replace("rounds:", "scores: {Ann: 105, Bob: 110}\nrounds:", 1))
    session.options.look = Look(width)
    assert status(session) == shown
