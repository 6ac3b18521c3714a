"""Tiles as small blocks of text, and a picture of the table written with them."""

from __future__ import annotations

from typing import Literal, NamedTuple

from sniffcli.show.arms import Link
from sniffcli.show.cross import Heading, Picture

Role = Literal["tile", "double", "spinner", "end", "last"]


class Signs(NamedTuple):
    """The characters of a drawing."""

    corners: str
    bar: str
    pad: str
    double: str
    across: str
    spinner: str
    arrows: dict[Heading, str]


UNICODE = Signs(
    "┌┐└┘", "│", "─", "║", "─", "●", {"right": "►", "left": "◄", "down": "▼", "up": "▲"}
)
ASCII = Signs(
    "/\\\\/", "|", " ", "=", "-", "*", {"right": ">", "left": "<", "down": "v", "up": "^"}
)


class Cell(NamedTuple):
    """One character of a drawing and the part it plays."""

    sign: str
    role: Role


class TextMetrics:
    """How many characters tiles take, in a game whose numbers have so many digits."""

    flat_height = 1

    def __init__(self, digits: int) -> None:
        self.digits = digits
        self.breadth = digits + 2

    def size(self, link: Link, upright: bool) -> tuple[int, int]:
        """Return the lines and columns of a tile."""
        if upright:
            return (3 if link.tile.is_double else 2), self.breadth
        return 1, len(f"[{link.inward}|{link.outward}]")


def flat(link: Link, signs: Signs, *, reverse: bool = False) -> str:
    """Return a tile in one line, its inward half first."""
    mark = "|"
    if link.tile.is_double:
        mark = signs.spinner if link.spinner else signs.double
    first, second = (link.outward, link.inward) if reverse else (link.inward, link.outward)
    return f"[{first}{mark}{second}]"


def upright(link: Link, signs: Signs, digits: int, *, reverse: bool = False) -> list[str]:
    """Return a tile on end, its inward half above: two lines, three for a double."""
    top, bottom = (link.outward, link.inward) if reverse else (link.inward, link.outward)
    corners = signs.corners
    lines = [f"{corners[0]}{str(top).rjust(digits, signs.pad)}{corners[1]}"]
    if link.tile.is_double:
        mark = signs.spinner if link.spinner else signs.across
        lines.append(signs.bar + mark.center(digits) + signs.bar)
    lines.append(f"{corners[2]}{str(bottom).rjust(digits, signs.pad)}{corners[3]}")
    return lines


def written(
    picture: Picture, signs: Signs, digits: int, last: int | None
) -> list[list[Cell | None]]:
    """Return a picture row by row, without blanks at the right; LAST is the tile to set off."""
    rows: list[list[Cell | None]] = [[None] * picture.width for _ in range(picture.height)]
    for box in picture.boxes:
        lines = [flat(box.link, signs, reverse=box.reverse)]
        if box.upright:
            lines = upright(box.link, signs, digits, reverse=box.reverse)
        role = _role(box.link, last)
        for down, line in enumerate(lines):
            cells = [Cell(sign, role) for sign in line]
            rows[box.row + down][box.col : box.col + len(cells)] = cells
    for tip in picture.tips:
        rows[tip.row][tip.col] = Cell(signs.arrows[tip.heading], "end")
    for row in rows:
        while row and row[-1] is None:
            row.pop()
    return rows


def _role(link: Link, last: int | None) -> Role:
    if link.nth == last:
        return "last"
    if link.spinner:
        return "spinner"
    return "double" if link.tile.is_double else "tile"
