"""Tables that fit a width, and the same rows as Markdown and as CSV.

CSV for spreadsheets: a tile is written in brackets, `[2-1]`, because a bare `2-1` becomes a date
when a spreadsheet opens the file; other text that a spreadsheet would change (a player called
`007`, `12-May` or `=A1`) gets an apostrophe before it. `read_csv` takes both back, and refuses
cells that have become dates (case C78).
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sniffcli.problems import Problem
from sniffcli.show.folding import fold, padded, width_of

Cell = str | int | float | bool | None

_TILE = re.compile(r"(?<![\w\[-])(\d{1,2}-\d{1,2})(?![\w\]-])")
_BRACKETS = re.compile(r"\[(\d{1,2}-\d{1,2})\]")
_NUMBER = re.compile(r"\d+([.,]\d+)?")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "'")
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_DATE = re.compile(
    rf"\d{{1,2}}[-/ .]?({'|'.join(_MONTHS)})[a-z]*([-/ .]\d+)?"
    rf"|({'|'.join(_MONTHS)})[a-z]*[-/ .]\d+"
    r"|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}.*"
    r"|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}.*",
    re.IGNORECASE,
)


class Column(NamedTuple):
    """One column: its title, and what becomes of it where the width is small."""

    title: str
    #: Numbers stand at the right.
    right: bool = False
    #: Left out before columns with a higher number; 0 is never left out.
    drop: int = 0


def table(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int) -> str:
    """Return a plain table of at most WIDTH columns: columns are left out, then text folded.

    Where the rest is still too wide, every row becomes a few lines of `title value`.
    """
    shown = fitting(columns, rows, width)
    heads = [columns[index] for index in shown]
    # The titles are a row like the others: tabulate would pad a row of headers further.
    lines = [[head.title for head in heads], *([row[index] for index in shown] for row in rows)]
    limits = _folding(heads, lines, width)
    if limits is None:
        return _stacked(columns, rows, width)
    if not any(limits) and all(cell.isprintable() for line in lines for cell in line):
        return _laid_out(heads, [[cell.strip() for cell in line] for line in lines])
    # Loading it takes a tenth of the time of a whole hint, so it does what it alone can do.
    from tabulate import tabulate

    drawn = tabulate(
        lines,
        tablefmt="plain",
        disable_numparse=True,
        colalign=["right" if head.right else "left" for head in heads],
        maxcolwidths=limits if any(limits) else None,
    )
    return "\n".join(line.rstrip() for line in drawn.splitlines())


def _laid_out(heads: Sequence[Column], lines: Sequence[Sequence[str]]) -> str:
    wide = [max(map(width_of, column)) for column in zip(*lines, strict=True)]
    drawn = []
    for line in lines:
        cells = zip(heads, line, wide, strict=True)
        parts = (padded(cell, n, right=head.right) for head, cell, n in cells)
        drawn.append("  ".join(parts).rstrip())
    return "\n".join(drawn)


def fitting(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int) -> list[int]:
    """Return the numbers of the columns that stay at this width."""
    shown = list(range(len(columns)))
    droppable = sorted((c.drop, -index) for index, c in enumerate(columns) if c.drop)
    for _, index in droppable:
        if sum(_widths(columns, rows, shown)) + 2 * (len(shown) - 1) <= width:
            break
        shown.remove(-index)
    return shown


def _widths(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], shown: Iterable[int]
) -> list[int]:
    return [
        max([width_of(columns[index].title), *(width_of(row[index]) for row in rows)])
        for index in shown
    ]


def _folding(
    heads: Sequence[Column], rows: Sequence[Sequence[str]], width: int
) -> list[int | None] | None:
    """Return the widest that each column may be, None where it may be as wide as it is.

    Only text is folded, the widest column first; without a way to fit there is no answer.
    """
    wide = _widths(heads, rows, range(len(heads)))
    room = width - 2 * (len(heads) - 1)
    limits: list[int | None] = [None] * len(heads)
    while sum(wide) > room:
        folding = [one for one, head in enumerate(heads) if not head.right and wide[one] > 6]
        if not folding:
            return None
        index = max(folding, key=lambda one: wide[one])
        wide[index] -= 1
        limits[index] = wide[index]
    return limits


def _stacked(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int) -> str:
    """Return each row as lines of `title value`, what is empty left out."""
    lines: list[str] = []
    for row in rows:
        told = [f"{c.title} {cell}".strip() for c, cell in zip(columns, row, strict=True) if cell]
        lines += fold(", ".join(told), width, later="  ")
    return "\n".join(lines)


def markdown(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> str:
    """Return a table as GitHub and most others read it."""
    lines = [
        "| " + " | ".join(marked(column.title) for column in columns) + " |",
        "| " + " | ".join("---:" if column.right else "---" for column in columns) + " |",
    ]
    lines += ["| " + " | ".join(marked(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def marked(text: str) -> str:
    """Return TEXT so that Markdown shows it as it is."""
    return re.sub(r"([\\`*_{}\[\]<>|#])", r"\\\1", " ".join(text.split()))


def to_csv(titles: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Return rows as CSV that a spreadsheet opens without changing a tile."""
    sheet = io.StringIO()
    writer = csv.writer(sheet, lineterminator="\n")
    writer.writerow(titles)
    writer.writerows([_written(cell) for cell in row] for row in rows)
    return sheet.getvalue()


def _written(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if not isinstance(cell, str):
        return str(cell)
    if cell.startswith(_FORMULA) or _NUMBER.fullmatch(cell) or _BRACKETS.search(cell):
        return f"'{cell}"
    return f"'{cell}" if _DATE.fullmatch(cell) else _TILE.sub(r"[\1]", cell)


def read_csv(text: str, file: str) -> tuple[list[Mapping[str, str]], list[Problem]]:
    """Read what `to_csv` wrote; a cell that has become a date is a problem, never a tile.

    Line and column of a problem are the row and column of the sheet, the titles being row 1.
    """
    rows = list(csv.reader(io.StringIO(text)))
    if not rows:
        return [], [Problem(file, 1, 1, "empty", "the sheet has no row of titles")]
    titles = rows[0]
    problems: list[Problem] = []
    found: list[Mapping[str, str]] = []
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(titles):
            message = f"row {number} has {len(row)} cells instead of {len(titles)}"
            problems.append(Problem(file, number, 1, "cells", message))
            continue
        for column, cell in enumerate(row, 1):
            if _DATE.fullmatch(cell.strip()):
                message = (
                    f"row {number}, column {column}: {cell!r} is a date; a spreadsheet has changed "
                    "a tile into it, write tiles like [2-1]"
                )
                problems.append(Problem(file, number, column, "date", message))
        found.append(dict(zip(titles, map(_plain, row), strict=True)))
    return found, problems


def _plain(cell: str) -> str:
    return cell[1:] if cell.startswith("'") else _BRACKETS.sub(r"\1", cell)
