"""The table drawn as text: a cross of arms where it fits, else a folding list of arms.

How to read it: `[5|2]` is a tile, the halves in the order in which they lie; a double lies across
its arm, and one with `●` (`*` in ASCII) is a spinner; an arrow stands at every end where a tile
may be joined now.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from sniffcli.ruleset.model import Ruleset
from sniffcli.show.arms import Arm, Link, links_of, middle_of, part_of
from sniffcli.show.cross import picture
from sniffcli.show.folding import fold
from sniffcli.show.pieces import ASCII, UNICODE, Cell, Role, Signs, TextMetrics, flat, written
from sniffcli.show.style import Look
from sniffcli.table.counting import count
from sniffcli.table.frontier import Frontier, open_ends
from sniffcli.table.layout import Layout

#: A cross that is higher than this does not fit a usual terminal with anything beside it.
HEIGHT = 18

_STYLES: dict[Role, dict[str, bool | str]] = {
    "tile": {},
    "double": {},
    "spinner": {"bold": True},
    "end": {"fg": "green", "bold": True},
    "last": {"fg": "yellow"},
}


def draw(
    rules: Ruleset,
    layout: Layout,
    frontier: Frontier,
    *,
    width: int,
    unicode: bool,
    hidden_sum: bool = False,
    color: bool = False,
    height: int = HEIGHT,
) -> str:
    """Return the table as text of at most WIDTH columns, the ends and their sum below.

    HIDDEN_SUM leaves out the line with the ends and the sum, for players who count themselves.
    HEIGHT is the most lines that a cross may take before the arms become a list. With COLOR the
    last tile laid is set off.
    """
    look = Look(width, color, unicode)
    signs = UNICODE if unicode else ASCII
    middle = middle_of(rules, layout, frontier)
    if middle is None:
        return "(no tile on the table)"
    digits = max(len(str(link.tile.high)) for link in links_of(middle))
    drawn = picture(middle, TextMetrics(digits), width=width, height=height)
    if drawn is None:
        lines = _listed(middle, signs, width)
    else:
        last = len(layout.placed) - 1 if color else None
        indent = " " * ((width - drawn.width) // 2)
        rows = written(drawn, signs, digits, last)
        lines = [(indent + _colored(row, look)) if row else "" for row in rows]
    if not hidden_sum:
        lines += ["", *sum_lines(rules, frontier, width)]
    return "\n".join(lines)


def sum_lines(rules: Ruleset, frontier: Frontier, width: int) -> list[str]:
    """Return `ends 0 2 3 3   sum 8`, folded to the width."""
    ends = " ".join(str(pip) for pip in open_ends(rules, frontier)) or "none"
    total = f"sum {count(rules, frontier)}"
    line = f"ends {ends}   {total}"
    if len(line) <= width:
        return [line]
    return [*fold(f"ends {ends}", width, later="     "), total]


def _colored(row: Sequence[Cell | None], look: Look) -> str:
    parts: list[str] = []
    for role, cells in groupby(row, key=lambda cell: None if cell is None else cell.role):
        text = "".join(" " if cell is None else cell.sign for cell in cells)
        parts.append(text if role is None else look.style(text, **_STYLES[role]))
    return "".join(parts)


def _listed(middle: Link, signs: Signs, width: int) -> list[str]:
    """Return the arms one below the other, long ones folded."""
    branched = any(link.branches for arm in middle.branches for link in arm.links)
    if not branched and not middle.spinner and len(middle.branches) <= 2:
        return _folded("", _line(middle, signs), width)
    lines = _folded("", [flat(middle, signs)], width)
    for label, parts in _rows(middle, signs):
        lines += _folded(label, parts, width)
    return lines


def _line(middle: Link, signs: Signs) -> list[str]:
    """Return a table without branches from one tip to the other."""
    by_side = {arm.face: arm for arm in middle.branches}
    first = by_side.get("high") or by_side.get("side1") or by_side.get("tip1")
    other = by_side.get("low") or by_side.get("side2") or by_side.get("tip2")
    parts: list[str] = []
    if first is not None:
        if first.open is not None:
            parts.append(f"{first.open} {signs.arrows['left']} ")
        parts += [flat(link, signs, reverse=True) for link in reversed(first.links)]
    parts.append(flat(middle, signs))
    if other is not None:
        parts += _arm(other, signs)
    return parts


def _rows(link: Link, signs: Signs) -> Iterator[tuple[str, list[str]]]:
    """Yield the arms of a tile with their labels, then the arms that leave from those arms."""
    bare: dict[str, list[str]] = {}
    for arm in link.branches:
        label = f"{link.tile} {part_of(link, arm)} "
        if arm.links:
            yield label, _arm(arm, signs)
        else:
            bare.setdefault(label, []).extend(_arm(arm, signs))
    yield from bare.items()
    for arm in link.branches:
        for inner in arm.links:
            if inner.branches:
                yield from _rows(inner, signs)


def _arm(arm: Arm, signs: Signs) -> list[str]:
    parts = [flat(link, signs) for link in arm.links]
    if arm.open is not None:
        parts.append(f" {signs.arrows['right']} {arm.open}")
    return parts


def _folded(label: str, parts: Sequence[str], width: int) -> list[str]:
    """Return PARTS after LABEL in lines of WIDTH; what follows is indented."""
    lines: list[str] = []
    line = label.ljust(11) if label and width >= 40 else label
    indent = " " * min(len(line), max(2, width // 8)) if label else ""
    fresh = True
    for part in parts:
        if not fresh and len(line) + len(part) > width:
            lines.append(line.rstrip())
            line = indent
            part = part.lstrip()
        line += part
        fresh = False
    return [*lines, line.rstrip()]
