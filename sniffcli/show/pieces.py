"""Tiles as small blocks of text, and a canvas on which they may touch only where they join."""

from __future__ import annotations

from typing import Literal, NamedTuple

from sniffcli.show.arms import Link

Heading = Literal["right", "left", "down", "up"]
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
ASCII = Signs("++++", "|", " ", "=", "-", "*", {"right": ">", "left": "<", "down": "v", "up": "^"})


class Collision(Exception):
    """Two tiles that do not touch on the table would touch in the drawing."""


class Cell(NamedTuple):
    """One character of a drawing: what it belongs to, and what part it plays."""

    sign: str
    owner: int
    role: Role


class Box(NamedTuple):
    """Where a tile lies on the canvas."""

    nth: int
    row: int
    col: int
    height: int
    width: int
    #: Row of the half that looks outward.
    out_row: int

    def exit(self, heading: Heading) -> tuple[int, int]:
        """Return the cell just outside, in the middle of the face that looks that way."""
        middle_row = self.row + self.height // 2
        middle_col = self.col + self.width // 2
        return {
            "right": (middle_row, self.col + self.width),
            "left": (middle_row, self.col - 1),
            "down": (self.row + self.height, middle_col),
            "up": (self.row - 1, middle_col),
        }[heading]


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


class Canvas:
    """A sheet of cells of at most WIDTH by HEIGHT, wherever they lie; a tile owns its cells."""

    def __init__(self, width: int, height: int) -> None:
        self.cells: dict[tuple[int, int], Cell] = {}
        self.width = width
        self.height = height
        self.top = self.bottom = self.left = self.right = 0

    def write(
        self, row: int, col: int, lines: list[str], owner: int, near: int, role: Role
    ) -> None:
        """Write LINES for tile OWNER; only itself and tile NEAR may lie beside it.

        Raises:
            Collision: a cell is taken or belongs to a tile that does not touch this one, or the
                sheet is full.
        """
        self.top, self.bottom = min(self.top, row), max(self.bottom, row + len(lines) - 1)
        self.left, self.right = min(self.left, col), max(self.right, col + len(lines[0]) - 1)
        if self.right - self.left >= self.width or self.bottom - self.top >= self.height:
            raise Collision
        cells = self.cells
        for down, line in enumerate(lines):
            at = row + down
            for beside in (cells.get((at, col - 1)), cells.get((at, col + len(line)))):
                if beside is not None and beside.owner not in (owner, near):
                    raise Collision
            for right, sign in enumerate(line):
                place = (at, col + right)
                if place in cells:
                    raise Collision
                cells[place] = Cell(sign, owner, role)

    def rows(self) -> list[list[Cell | None]]:
        """Return the drawing row by row, without blanks at the right."""
        drawn: list[list[Cell | None]] = []
        for row in range(self.top, self.bottom + 1):
            cells = [self.cells.get((row, col)) for col in range(self.left, self.right + 1)]
            while cells and cells[-1] is None:
                cells.pop()
            drawn.append(cells)
        return drawn
