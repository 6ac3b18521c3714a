"""The worked positions P1-P30 of the rules research (section 5), in every column of its table.

Columns: the standard sum; AF All Fives; 5U Five-Up; T3 All Threes; UK Fives and Threes; F3 the
French guide's Fives and Threes; DR per divisor; SN the sum and the points of US Sniff.
"""

from __future__ import annotations

import re

import pytest
from kit import attempt_table, lay, ruleset

from sniffcli.game.actions import Refusal

NO_SPINNER = {"layout.spinner": "none"}
FREE = {"match.target": 1000}

#: The rules of each column, written as house rules of All Fives.
COLUMNS = {
    "AF": {},
    "5U": {
        "layout.spinner": "all_doubles",
        "score.award": "quotient",
        "round_end.divide": 5,
    },
    "T3": {"score.divisors": [3]},
    "UK": NO_SPINNER
    | {"score.divisors": [5, 3], "score.combine": "each", "score.award": "quotient"},
    "F3": NO_SPINNER | {"score.divisors": [5, 3], "score.combine": "once"},
    "DR": NO_SPINNER | {"score.divisors": [5, 3], "score.combine": "each"},
    "SN": {"score.spinner_counts": "exposed_halves"},
}

#: The shipped rulesets that have the counting of a column.
SHIPPED = {
    "AF": ["all-fives"],
    "5U": ["five-up"],
    "T3": ["all-threes", "all-threes-sprint", "all-threes-partners"],
    "UK": ["fives-and-threes"],
    "F3": ["muggins-fives-and-threes"],
    "SN": ["sniff"],
}

X = None  # needs an arm, and is illegal without a spinner

P7 = ["6-6", "6-3 on 6-6"]
P8 = [*P7, "3-3 on 6-3"]
P9 = [*P8, "6-0 on 6-6"]
P10 = [*P9, "3-0 on 6-0"]
P12 = ["4-4", "6-4 on 4-4"]
P13 = [*P12, "4-1 on 4-4"]
P14 = [*P13, "5-4 on 4-4 tip"]
P17 = ["5-5", "5-3 on 5-5", "5-4 on 5-5"]
P18 = [*P17, "6-3 on 5-3"]
P19 = [*P18, "4-4 on 5-4"]

#: Number, plays, standard sum, then points: AF 5U T3 UK F3 DR, and SN as (sum, points).
POSITIONS = [
    ("P1", ["5-5"], 10, 10, 2, 0, 2, 10, 10, (10, 10)),
    ("P2", ["6-3"], 9, 0, 0, 9, 3, 9, 9, (9, 0)),
    ("P3", ["3-3"], 6, 0, 0, 6, 2, 6, 6, (6, 0)),
    ("P4", ["6-4"], 10, 10, 2, 0, 2, 10, 10, (10, 10)),
    ("P5", ["0-0"], 0, 0, 0, 0, 0, 0, 0, (0, 0)),
    ("P6", ["5-5", "5-2 on 5-5"], 12, 0, 0, 12, 4, 12, 12, (12, 0)),
    ("P7", P7, 15, 15, 3, 15, 8, 15, 30, (15, 15)),
    ("P8", P8, 18, 0, 0, 18, 6, 18, 18, (18, 0)),
    ("P9", P9, 6, 0, 0, 6, 2, 6, 6, (18, 0)),
    ("P10", P10, 9, 0, 0, 9, 3, 9, 9, (21, 0)),
    ("P11", [*P10, "4-3 on 3-0"], 10, 10, 2, 0, 2, 10, 10, (22, 0)),
    ("P12", P12, 14, 0, 0, 0, 0, 0, 0, (14, 0)),
    ("P13", P13, 7, 0, 0, 0, 0, 0, 0, (15, 15)),
    ("P14", P14, 12, 0, 0, 12, X, X, X, (16, 0)),
    ("P15", [*P14, "4-3 on 4-4 tip"], 15, 15, 3, 15, X, X, X, (15, 15)),
    (
        "P16",
        ["2-2", "6-2 on 2-2", "4-2 on 2-2", "2-0 on 2-2 tip", "5-0 on 2-0", "5-2 on 2-2 tip"],
        *(20, 20, 4, 0, X, X, X, (20, 20)),
    ),
    ("P17", P17, 7, 0, 0, 0, 0, 0, 0, (17, 0)),
    ("P18", P18, 10, 10, 2, 0, 2, 10, 10, (20, 20)),
    ("P19", P19, 14, 0, 0, 0, 0, 0, 0, (24, 0)),
    ("P20", [*P19, "6-5 on 5-5 tip"], 20, 20, 4, 0, X, X, X, (25, 25)),
    (
        "P21",
        [
            *("0-0", "6-0 on 0-0", "6-6 on 6-0", "5-0 on 0-0", "5-5 on 5-0"),
            *("4-0 on 0-0 tip", "4-4 on 4-0", "3-0 on 0-0 tip", "5-3 on 3-0"),
        ],
        *(35, 35, 7, 0, X, X, X, (35, 35)),
    ),
    (
        "P22",
        ["5-5", "5-0 on 5-5", "0-0 on 5-0", "6-5 on 5-5", "4-0 on 0-0"],
        *(10, 10, 2, 0, 2, 10, 10, (20, 20)),
    ),
    ("P23", ["4-2", "4-4 on 4-2"], 10, 10, 2, 0, 2, 10, 10, (10, 10)),
    ("P24", ["6-4", "6-6 on 6-4", "4-4 on 6-4"], 20, 20, 4, 0, 4, 20, 20, (20, 20)),
    (
        "P25",
        ["5-2", "5-5 on 5-2", "3-2 on 5-2", "5-3 on 3-2"],
        *(15, 15, 3, 15, 8, 15, 30, (15, 15)),
    ),
    (
        "P26",
        ["6-6", "6-4 on 6-6", "4-4 on 6-4", "4-1 on 4-4", "4-2 on 4-4 tip"],
        *(15, X, 3, X, X, X, X, X),
    ),
    (
        "P27",
        ["5-2", "2-2 on 5-2", "2-1 on 2-2", "4-2 on 2-2 tip"],
        *(10, 10, 2, 0, X, X, X, (12, 0)),
    ),
    (
        "P28",
        ["1-1", "4-1 on 1-1", "3-1 on 1-1", "2-1 on 1-1 tip"],
        *(9, 0, 0, 9, X, X, X, (10, 10)),
    ),
    ("P29", ["3-1", "6-1 on 3-1", "4-3 on 3-1"], 10, 10, 2, 0, 2, 10, 10, (10, 10)),
    (
        "P30",
        ["0-0", "3-0 on 0-0", "2-0 on 0-0", "4-0 on 0-0 tip", "4-4 on 4-0", "1-0 on 0-0 tip"],
        *(14, 0, 0, 0, X, X, X, (14, 0)),
    ),
]

CASES = [
    pytest.param(column, plays, total, expected, id=f"{name}-{column}")
    for name, plays, total, *points in POSITIONS
    for column, expected in zip(COLUMNS, points, strict=True)
]


def check(rules, plays: list[str], total: int, expected: object) -> None:
    if expected is None:
        assert isinstance(attempt_table(rules, *plays), Refusal)
        return
    points = expected
    if isinstance(expected, tuple):
        total, points = expected
    table = lay(rules, *plays)
    assert (table.sums[-1], table.points[-1]) == (total, points)


@pytest.mark.parametrize(("column", "plays", "total", "expected"), CASES)
def test_position(column: str, plays: list[str], total: int, expected: object) -> None:
    check(ruleset(settings=FREE | COLUMNS[column]), plays, total, expected)


@pytest.mark.parametrize(
    ("name", "column"), [(name, column) for column, names in SHIPPED.items() for name in names]
)
def test_positions_in_the_shipped_rulesets(name: str, column: str) -> None:
    rules = ruleset(name)
    for _number, plays, total, *points in POSITIONS:
        check(rules, plays, total, points[list(COLUMNS).index(column)])


def test_single_spinner_of_a_later_position_comes_from_the_first_double() -> None:
    """P27: before the last tile the sum is 6, in US Sniff 10."""
    plays = ["5-2", "2-2 on 5-2", "2-1 on 2-2"]
    assert lay(ruleset(), *plays).sums[-1] == 6
    table = lay(ruleset(settings=COLUMNS["SN"]), *plays)
    assert (table.sums[-1], table.points[-1]) == (10, 10)


def test_single_counting_of_p19_and_p20() -> None:
    """A public program counts a later double once (10 and 16), and says that others count twice."""
    rules = ruleset(settings={"score.tip_double": "single"})
    assert lay(rules, *P19).sums[-1] == 10
    assert lay(rules, *P19, "6-5 on 5-5 tip").sums[-1] == 16


def test_single_counting_of_the_spinner() -> None:
    """One household counts a spinner once, also after both sides are covered."""
    rules = ruleset(settings={"score.spinner_counts": "single"})
    assert lay(rules, "6-6", "6-3 on 6-6", "6-1 on 6-6").sums == [6, 9, 10]


def test_a_printed_game_of_fives_and_threes() -> None:
    """Sums and points of twelve plays that a program printed (P53)."""
    table = lay(
        ruleset(settings=FREE | COLUMNS["UK"]),
        *("3-1", "3-0 on 3", "1-1 on 1", "0-0 on 0", "4-0 on 0", "2-1 on 1"),
        *("5-4 on 4", "6-5 on 5", "6-1 on 6", "2-6 on 2", "6-6 on 6", "6-3 on 6-6"),
    )
    # The seventh tile leaves 2 and 5, and so on, as printed.
    assert table.sums == [4, 1, 2, 2, 6, 6, 7, 8, 3, 7, 13, 4]
    assert table.points == [0, 0, 0, 0, 2, 2, 0, 0, 1, 0, 0, 0]


def test_all_four_arms_at_once() -> None:
    """Dreamtime Sniff: one tile at a side and one at an end of 5-5 cover two faces."""
    rules = ruleset(settings={"layout.ends_open": "at_once"})
    assert lay(rules, "5-5", "5-1 on 5-5 side", "5-4 on 5-5 tip").sums == [10, 11, 5]


@pytest.mark.parametrize("column", ["AF", "T3", "UK", "F3", "DR"])
def test_two_wrong_sums(column: str) -> None:
    """A lone 5-5 is not 20, and 6-6, 6-3, 6-1 is 4 and not 16 (outside US Sniff)."""
    rules = ruleset(settings=FREE | COLUMNS[column])
    assert lay(rules, "5-5").sums == [10]
    assert lay(rules, "6-6", "6-3 on 6-6", "6-1 on 6-6").sums[-1] == 4


def test_uk_table_of_points() -> None:
    """The nine sums of the pub game, and those that only a spinner makes."""
    text = "3:1 5:1 6:2 9:3 10:2 12:4 15:8 18:6 20:4 21:7 24:8 25:5 27:9 30:16 33:11 35:7"
    paid = {int(a): int(b) for a, b in re.findall(r"(\d+):(\d+)", text)}
    for total in range(36):
        assert points_of(total) == paid.get(total, 0)


def points_of(total: int) -> int:
    """What a sum pays under UK scoring, asked of the product through a made-up table."""
    from sniffcli.table.counting import worth
    from sniffcli.table.frontier import Frontier, Half

    rules = ruleset(settings=FREE | COLUMNS["UK"])
    return worth(rules, Frontier((Half(total), Half(0))))
