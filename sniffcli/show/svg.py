"""The table as an SVG fragment: the arms of `table.py` as tiles with pips, for reports.

The fragment stands alone and takes on the colours of a page that styles its classes (`tile`,
`double`, `spinner`, `last`, `face`, `pip`, `mark`, `end`). Colour never carries a meaning by
itself: doubles lie across, a spinner has a ring, an open end an arrow, the last tile a thick edge,
and everything is told in the text alternative.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from sniffcli.ruleset.model import Ruleset
from sniffcli.show.arms import Arm, Link, links_of, middle_of, part_of
from sniffcli.show.cross import Box, Heading, Picture, Tip, picture
from sniffcli.show.numbers import counted
from sniffcli.table.counting import count
from sniffcli.table.frontier import Frontier, open_ends
from sniffcli.table.layout import Layout

#: Pixels of a cell; a half of a tile is two cells wide and two high.
CELL = 12
#: Blank pixels round the picture.
MARGIN = 6
#: More cells than any table is high.
TALL = 4000

#: Where the pips of a half lie on a grid of three by three, seen on a tile that stands upright.
_PIPS: dict[int, str] = {
    0: "... ... ...",
    1: "... .o. ...",
    2: "o.. ... ..o",
    3: "o.. .o. ..o",
    4: "o.o ... o.o",
    5: "o.o .o. o.o",
    6: "o.o o.o o.o",
    7: "o.o ooo o.o",
    8: "ooo o.o ooo",
    9: "ooo ooo ooo",
}

_ARROWS: dict[Heading, str] = {
    "right": "M-3,-4 L4,0 L-3,4 Z",
    "left": "M3,-4 L-4,0 L3,4 Z",
    "down": "M-4,-3 L0,4 L4,-3 Z",
    "up": "M-4,3 L0,-4 L4,3 Z",
}


class _SvgMetrics:
    """How many cells tiles take."""

    breadth = 2
    flat_height = 2

    def size(self, link: Link, upright: bool) -> tuple[int, int]:
        """Return the height and width of a tile in cells."""
        return (4, 2) if upright else (2, 4)


def svg(
    rules: Ruleset,
    layout: Layout,
    frontier: Frontier,
    *,
    width: int = 640,
    hidden_sum: bool = False,
    last: int | None = None,
) -> str:
    """Return the table as an `<svg>` element that is WIDTH pixels wide at most.

    LAST is the position of a tile to set off, as a rule the one laid last. HIDDEN_SUM keeps the
    ends and the sum out of the text alternative.
    """
    middle = middle_of(rules, layout, frontier)
    told = described(rules, layout, frontier, hidden_sum=hidden_sum)
    if middle is None:
        return _element(0, 0, told, [])
    drawn = _fitted(middle, max(8, (width - 2 * MARGIN) // CELL))
    numerals = any(link.tile.high > 9 for link in links_of(middle))
    parts = [_tile(box, numerals, last) for box in drawn.boxes]
    parts += [_end(tip) for tip in drawn.tips]
    return _element(drawn.width, drawn.height, told, parts)


def _fitted(middle: Link, cells: int) -> Picture:
    """Return the picture in so many columns, in more where the arms would collide, or in rows."""
    low = max(24, 2 * cells // 3)
    for columns, height in ((cells, low), (cells, TALL), (2 * cells, TALL), (4 * cells, TALL)):
        drawn = picture(middle, _SvgMetrics(), width=columns, height=height)
        if drawn is not None:
            return drawn
    return _rows(middle, cells)


def _rows(middle: Link, cells: int) -> Picture:
    """Return the arms one below the other, each after the tile from which it leaves."""
    boxes: list[Box] = []
    tips: list[Tip] = []
    row, wide = 0, 0
    for start, arm in _arms(middle):
        boxes.append(Box(start, row, 0, 4, 2, True, False))
        col = 3
        for link in arm.links:
            height, width = (4, 2) if link.across else (2, 4)
            if col + width > max(cells, 9):
                row, col = row + 5, 3
            boxes.append(Box(link, row + 2 - height // 2, col, height, width, link.across, False))
            col += width
        if arm.open is not None:
            tips.append(
                Tip(arm.links[-1].nth if arm.links else start.nth, row + 2, col, "right", arm.open)
            )
            col += 1
        row, wide = row + 5, max(wide, col)
    return Picture(
        tuple(boxes), tuple(tips), row - 1, max(wide, max(b.col + b.width for b in boxes))
    )


def _arms(link: Link) -> Iterator[tuple[Link, Arm]]:
    """Yield every arm with the tile that it leaves."""
    for arm in link.branches:
        yield link, arm
    for arm in link.branches:
        for one in arm.links:
            yield from _arms(one)


def described(
    rules: Ruleset, layout: Layout, frontier: Frontier, *, hidden_sum: bool = False
) -> str:
    """Return the table in words, for those who cannot see it."""
    middle = middle_of(rules, layout, frontier)
    if middle is None:
        return "No tile on the table."
    what = f"spinner {middle.tile}" if middle.spinner else str(middle.tile)
    sentences = [f"Table of {counted(len(layout.placed), 'tile')}, {what} in the middle."]
    for start, arm in _arms(middle):
        if arm.links:
            tiles = ", ".join(
                f"{link.inward}-{link.outward}{' (spinner)' if link.spinner else ''}"
                for link in arm.links
            )
            sentences.append(f"From {start.tile} {part_of(start, arm)}: {tiles}.")
    if not hidden_sum:
        ends = ", ".join(map(str, open_ends(rules, frontier))) or "none"
        sentences.append(f"Open ends: {ends}. Sum {count(rules, frontier)}.")
    return " ".join(sentences)


def _element(cols: int, rows: int, told: str, parts: list[str]) -> str:
    width, height = cols * CELL + 2 * MARGIN, rows * CELL + 2 * MARGIN
    text = escape(told, quote=True)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="table" role="img" '
            f'aria-label="{text}" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" style="max-width:100%;height:auto">',
            f"<title>{text}</title>",
            *parts,
            "</svg>",
        ]
    )


def _tile(box: Box, numerals: bool, last: int | None) -> str:
    """Return one tile as a group."""
    link = box.link
    x, y = box.col * CELL + MARGIN, box.row * CELL + MARGIN
    width, height = box.width * CELL, box.height * CELL
    classes = ["tile"]
    if link.tile.is_double:
        classes.append("double")
    if link.spinner:
        classes.append("spinner")
    if link.nth == last:
        classes.append("last")
    halves = (link.outward, link.inward) if box.reverse else (link.inward, link.outward)
    edge = 2.5 if link.nth == last else 1
    parts = [
        f'<g class="{" ".join(classes)}" data-tile="{link.tile}" data-n="{link.nth + 1}" '
        f'data-halves="{halves[0]}-{halves[1]}" transform="translate({x},{y})">',
        f"<title>{link.tile}</title>",
        f'<rect class="face" x="1" y="1" width="{width - 2}" height="{height - 2}" rx="4" '
        f'fill="#fffdf4" stroke="#333" stroke-width="{edge}"/>',
    ]
    if box.upright:
        line = f'x1="5" y1="{height // 2}" x2="{width - 5}" y2="{height // 2}"'
        centres = ((width / 2, height / 4), (width / 2, 3 * height / 4))
    else:
        line = f'x1="{width // 2}" y1="5" x2="{width // 2}" y2="{height - 5}"'
        centres = ((width / 4, height / 2), (3 * width / 4, height / 2))
    parts.append(f'<line class="mark" {line} stroke="#999"/>')
    if link.spinner:
        parts.append(
            f'<circle class="mark" cx="{width // 2}" cy="{height // 2}" r="3.5" '
            f'fill="#fffdf4" stroke="#333" stroke-width="1.5"/>'
        )
    for pip, (cx, cy) in zip(halves, centres, strict=True):
        parts += _half(pip, cx, cy, turned=not box.upright, numerals=numerals)
    return "".join([*parts, "</g>"])


def _half(pip: int, cx: float, cy: float, *, turned: bool, numerals: bool) -> Iterator[str]:
    """Yield the pips of a half round its centre, or its number where sets are larger."""
    if numerals:
        yield (
            f'<text class="pip" x="{cx:g}" y="{cy + 4:g}" text-anchor="middle" '
            f'font-family="sans-serif" font-size="12" fill="#222">{pip}</text>'
        )
        return
    for row, line in enumerate(_PIPS[pip].split()):
        for col, sign in enumerate(line):
            if sign == "o":
                right, down = 6 * (col - 1), 6 * (row - 1)
                if turned:
                    right, down = -down, right
                yield (
                    f'<circle class="pip" cx="{cx + right:g}" cy="{cy + down:g}" r="2" '
                    f'fill="#222"/>'
                )


def _end(tip: Tip) -> str:
    """Return the arrow at an open end."""
    x, y = tip.col * CELL + CELL // 2 + MARGIN, tip.row * CELL + MARGIN
    # Faces have an even number of cells, so their middle lies between two of them.
    if tip.heading in ("up", "down"):
        x, y = tip.col * CELL + MARGIN, y + CELL // 2
    return (
        f'<g class="end" data-pip="{tip.pip}" transform="translate({x},{y})">'
        f"<title>open end {tip.pip}</title>"
        f'<path d="{_ARROWS[tip.heading]}" fill="#0a7d33"/></g>'
    )
