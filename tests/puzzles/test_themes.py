"""Themes: small questions about positions whose answers are seen by looking at them."""

from __future__ import annotations

import pytest

from sniffcli.tutor.drills import question_of
from sniffcli.tutor.puzzle_themes import PLAYS, TABLE, THEMES, scene_of, themes_of

from .texts import TWENTY_NOW, read, with_keys


def themes(position: str, **keys: str) -> set[str]:
    (puzzle,) = read(with_keys(position, **keys))
    asked = question_of(puzzle)
    return set(themes_of(puzzle.ask, scene_of(asked.state, asked.finding)))


def table(plays: str, ruleset: str = "all-fives", ask: str = "count") -> set[str]:
    position = f"""
        ruleset: {ruleset}
        round: {{layout: [{plays}], hands: {{Ann: 3, Bob: 3}}, leader: Ann}}
    """
    return themes(position, ask=ask, answer="0")


@pytest.mark.parametrize(
    ("plays", "expected"),
    [
        ("5-5", {"lone-double"}),
        ("6-4", set()),
        ("6-6, 6-3 on 6-6, 6-4 on 6-6", {"covered-spinner"}),
        ("6-6, 6-3 on 6-6, 3-3 on 6-3", {"double-at-a-tip"}),
        ("6-6, 6-3 on 6-6, 3-3 on 6-3, 6-4 on 6-6", {"double-at-a-tip", "covered-spinner"}),
        ("4-0", {"blank-end"}),
        ("6-6, 6-5 on 6-6, 5-5 on 6-5", {"double-at-a-tip", "over-twenty"}),
        ("6-6, 6-1 on 6-6, 6-2 on 6-6, 6-3 on 6-6 tip, 6-4 on 6-6 tip", {"many-ends"}),
    ],
)
def test_themes_of_the_table(plays: str, expected: set[str]) -> None:
    assert table(plays) == expected


def test_themes_of_other_counts() -> None:
    assert table("6-6, 6-3 on 6-6, 6-4 on 6-6", "sniff") == {"sniff-count"}
    fifteen = table("6-6, 6-3 on 6-6", "fives-and-threes", "points")
    # Without a spinner the 6-6 is an end like any other double.
    assert fifteen == {"quotient", "double-at-a-tip"}
    seven = table("4-3", "fives-and-threes", "points")
    assert seven == {"quotient", "no-points"}
    assert "claim" in table("5-5", "dreamtime-sniff", "claim")


def test_twenty_now_is_a_sacrifice_in_the_endgame() -> None:
    found = themes(TWENTY_NOW, ask="best-play", answer="6-3 on 6-1")
    assert {"sacrifice", "endgame", "go-out", "exact"} <= found
    assert not {"score-now", "deny", "block"} & found


def test_themes_of_single_plays() -> None:
    # 5-5 on 5-0 makes 10 and covers the only end that Bob's 5-4 fits; then nobody can play.
    position = """
        ruleset: all-fives
        overrides: {draw: {when: never}}
        round: {layout: [5-0], hands: {Ann: [5-5, 5-3], Bob: [6-4, 6-6]}, leader: Ann}
    """
    found = themes(position, ask="best-play", answer="5-5 on 5-0")
    assert {"score-now", "sum-by-double", "deny", "go-out"} <= found
    # Ann lays the second side of the 6-6 and opens its ends.
    position = """
        ruleset: all-fives
        overrides: {draw: {when: never}}
        round: {layout: [6-6, 6-4 on 6-6], hands: {Ann: [6-1, 3-2], Bob: [3-3, 2-2]}, leader: Ann}
    """
    assert {"score-now", "spinner-opens"} <= themes(position, ask="best-play", answer="6-1 on 6-6")


def test_heavy_tiles_that_score_nothing_are_dumped() -> None:
    """In Block nothing scores; Ann holds 6-5 and 6-0, Bob goes out next either way."""
    position = """
        ruleset: block
        round: {layout: [6-6], hands: {Ann: [6-5, 6-0, 4-3], Bob: [6-1]}, leader: Ann}
    """
    found = themes(position, ask="best-play", answer="6-5 on 6-6")
    assert "dump-pips" in found
    assert "sacrifice" not in found


def test_every_theme_can_be_asked_for() -> None:
    assert {*TABLE, *PLAYS} < set(THEMES)
    assert len(THEMES) == len(set(THEMES))
