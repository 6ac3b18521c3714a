"""Tables that fit, and sheets that survive a spreadsheet (case C78)."""

from __future__ import annotations

import random

import pytest

from sniffcli.show.tables import Column, markdown, read_csv, table, to_csv

COLUMNS = (Column("n", right=True), Column("play"), Column("sum", right=True, drop=1))
ROWS = [["1", "5-5", "10"], ["12", "5-2 on 5-5", "12"]]


def test_columns_go_and_text_folds_as_the_width_shrinks() -> None:
    assert table(COLUMNS, ROWS, 40).splitlines() == [
        " n  play        sum",
        " 1  5-5          10",
        "12  5-2 on 5-5   12",
    ]
    assert table(COLUMNS, ROWS, 16).splitlines() == [" n  play", " 1  5-5", "12  5-2 on 5-5"]
    assert table(COLUMNS, ROWS, 10).splitlines() == [
        " n  play",
        " 1  5-5",
        "12  5-2 on",
        "    5-5",
    ]


def test_markdown_shows_text_as_it_is() -> None:
    text = markdown([Column("who"), Column("n", right=True)], [["A|*b*", "3"]])
    assert text.splitlines() == ["| who | n |", "| --- | ---: |", r"| A\|\*b\* | 3 |"]


#: What a spreadsheet would take for a date, a number or a formula, and other awkward text.
TEXTS = ["2-1", "5-2 on 5-5 tip", "draw 1-1", "12-12", "007", "=A1", "-5", "'", "12-May", "[2-1]"]


def test_a_sheet_reads_back_as_it_was() -> None:
    sheet = to_csv(["text", "n"], [[text, 3] for text in TEXTS])
    rows, problems = read_csv(sheet, "sheet.csv")
    assert problems == []
    assert [row["text"] for row in rows] == TEXTS
    assert {row["n"] for row in rows} == {"3"}


def test_no_cell_of_a_sheet_is_a_bare_tile() -> None:
    sheet = to_csv(["text"], [[text] for text in TEXTS[:4]])
    assert sheet == "text\n[2-1]\n[5-2] on [5-5] tip\ndraw [1-1]\n[12-12]\n"


def test_absent_values_are_empty_and_yes_is_a_word() -> None:
    assert to_csv(["a", "b", "c"], [[None, True, 1.5]]) == "a,b,c\n,yes,1.5\n"


@pytest.mark.parametrize("cell", ["02-Jan", "1-Feb", "2001-02-01", "01/02/2001", "May-12"])
def test_dates_are_refused_by_row_and_column(cell: str) -> None:
    _, problems = read_csv(f"n,play\n1,[5-5]\n2,{cell}\n", "sheet.csv")
    (problem,) = problems
    assert (problem.line, problem.column, problem.code) == (3, 2, "date")
    assert f"row 3, column 2: {cell!r} is a date" in problem.message


def test_a_row_with_missing_cells_is_a_problem() -> None:
    rows, problems = read_csv("n,play\n1\n", "sheet.csv")
    assert rows == []
    assert [str(one) for one in problems] == [
        "sheet.csv:2:1: error[cells]: row 2 has 1 cells instead of 2"
    ]


def test_what_is_laid_out_without_tabulate_is_what_tabulate_makes_of_it() -> None:
    from tabulate import tabulate

    rng = random.Random(3)
    for _ in range(300):
        columns = [Column(rng.choice(["", "play", "±"]), rng.random() < 0.5) for _ in range(4)]
        rows = [
            ["x", *("".join(rng.choices(" ab é±-0.5", k=rng.randint(0, 8))) for _ in range(3))]
            for _ in range(rng.randint(1, 5))
        ]
        drawn = tabulate(
            [[column.title for column in columns], *rows],
            tablefmt="plain",
            disable_numparse=True,
            colalign=["right" if column.right else "left" for column in columns],
        )

        assert table(columns, rows, 200) == "\n".join(map(str.rstrip, drawn.splitlines()))
