"""The table as a cross: tiles laid out on a canvas from the middle, long arms turning corners.

Several plans are tried, the plainest first; the first that fits without a collision is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import NamedTuple

from sniffcli.show.arms import Arm, Link, links_of
from sniffcli.show.pieces import Box, Canvas, Collision, Heading, Role, Signs, flat, upright

_BACK: dict[Heading, Heading] = {"left": "right", "right": "left", "up": "down", "down": "up"}
_SIDEWAYS: tuple[Heading, Heading] = ("left", "right")
_UPRIGHT: tuple[Heading, Heading] = ("up", "down")

#: An arm without corners.
_STRAIGHT = 999


class Plan(NamedTuple):
    """How the arms lie: the columns they may use, and where they turn."""

    left: int
    right: int
    #: After how many tiles an arm that leaves upward or downward turns, and where to.
    stem: int
    turns: dict[Heading, Heading]
    #: Where the left and right arms go when they reach the border.
    away: dict[Heading, Heading]
    #: Tiles between two rows of a folded arm.
    leg: int


def cross(
    middle: Link, signs: Signs, *, width: int, height: int, last: int | None = None
) -> Canvas | None:
    """Return the drawn table, or None if it fits into WIDTH and HEIGHT in no way tried."""
    for plan in _plans(middle, signs, width):
        painter = _Painter(middle, signs, plan, Canvas(width, height), last)
        try:
            painter.paint()
        except Collision:
            continue
        return painter.canvas
    return None


def _plans(middle: Link, signs: Signs, width: int) -> Iterator[Plan]:
    """Yield plans, the plainest first."""
    row = [arm for arm in middle.branches if _heading(middle, arm) in _SIDEWAYS]
    digits = _digits(middle)
    own = digits + 2 if middle.across else len(flat(middle, signs))
    need = {_heading(middle, arm): _length(arm.links, signs, digits) + 1 for arm in row}
    left, right = need.get("left", 0), need.get("right", 0)
    room = width - own
    folds = left + right > room
    upright_arms = len(row) < len(middle.branches)
    reaches: list[tuple[int, int]] = []
    if not folds:
        spare = room - left - right
        reaches.append((left + spare // 2, right + spare - spare // 2))
    if folds or upright_arms:
        share = room * left // max(1, left + right)
        reaches += [(share, room - share), (room // 2, room - room // 2), (0, room), (room, 0)]
    stems = (_STRAIGHT, 3, 2, 1) if upright_arms else (_STRAIGHT,)
    aways: tuple[tuple[Heading, Heading], ...] = (("up", "down"), ("down", "up"))
    legs = (1, 2) if folds or upright_arms else (1,)
    for (to_left, to_right), stem in product(reaches, stems):
        sides = _SIDEWAYS if stem != _STRAIGHT else ("right",)
        for up, down, away, leg in product(sides[::-1], sides, aways, legs):
            yield Plan(
                to_left + own // 2,
                to_right + own - own // 2,
                stem,
                {"up": up, "down": down},
                {"left": away[0], "right": away[1]},
                leg,
            )


def _heading(link: Link, arm: Arm) -> Heading:
    """Return where an arm of the tile in the middle goes."""
    first = arm.face in ("high", "side1", "tip1")
    sideways = not link.tile.is_double or (arm.is_cross != link.across)
    if sideways:
        return "left" if first else "right"
    return "up" if first else "down"


def _digits(middle: Link) -> int:
    return max(len(str(link.tile.high)) for link in links_of(middle))


def _length(links: Sequence[Link], signs: Signs, digits: int) -> int:
    """Return how many columns a row of tiles takes."""
    return sum(digits + 2 if link.across else len(flat(link, signs)) for link in links)


class _Painter:
    """Lays tiles on a canvas from the middle outward."""

    def __init__(
        self, middle: Link, signs: Signs, plan: Plan, canvas: Canvas, last: int | None
    ) -> None:
        self.middle = middle
        self.signs = signs
        self.plan = plan
        self.last = last
        self.digits = _digits(middle)
        self.canvas = canvas

    def paint(self) -> None:
        """Draw the whole table."""
        middle = self.middle
        if middle.across:
            lines = upright(middle, self.signs, self.digits)
            row, col = -1, -((self.digits + 2) // 2)
        else:
            lines = [flat(middle, self.signs)]
            row, col = 0, -(len(lines[0]) // 2)
        self.canvas.write(row, col, lines, middle.nth, middle.nth, self.role(middle))
        box = Box(middle.nth, row, col, len(lines), len(lines[0]), row)
        for arm in middle.branches:
            self.arm(arm, box, _heading(middle, arm))

    def arm(self, arm: Arm, box: Box, heading: Heading) -> None:
        """Draw one arm from BOX, with what branches off it and the arrow at its open tip."""
        plan, links = self.plan, arm.links
        rising = heading in _UPRIGHT
        away = heading if rising else plan.away[heading]
        side = plan.turns[heading] if rising else heading
        until = plan.stem if rising else plan.leg
        run = 0
        boxes: list[tuple[Link, Box, Heading]] = []
        for index, link in enumerate(links):
            turned: Heading | None = None
            may_turn = index > 0 and not link.tile.is_double and not links[index - 1].tile.is_double
            if may_turn and heading in _UPRIGHT and run >= until:
                turned = side
            elif may_turn and heading in _SIDEWAYS and not self.fits(box, heading, links[index:]):
                turned = away
            if turned is None:
                box = self.tile(link, box, heading, box.exit(heading))
                run += 1
            else:
                start = self.corner(box, heading, turned)
                if turned in _UPRIGHT:
                    side, until = _BACK[heading], plan.leg
                heading, run = turned, 1
                box = self.tile(link, box, heading, start)
            boxes.append((link, box, heading))
        if arm.open is not None:
            row, col = box.exit(heading)
            self.canvas.write(row, col, [self.signs.arrows[heading]], box.nth, box.nth, "end")
        for link, where, lies in boxes:
            for branch in link.branches:
                self.arm(branch, where, _branch_heading(branch, lies))

    def fits(self, box: Box, heading: Heading, links: Sequence[Link]) -> bool:
        """Whether the tiles up to the next possible corner stay within the borders."""
        block = [links[0]]
        for before, link in pairwise(links):
            if not before.tile.is_double and not link.tile.is_double:
                break
            block.append(link)
        need = _length(block, self.signs, self.digits)
        edge = box.exit(heading)[1]
        if heading == "right":
            return edge + need < self.plan.right
        return edge - need + 1 > -self.plan.left

    def corner(self, box: Box, heading: Heading, turned: Heading) -> tuple[int, int]:
        """Return where the next tile starts when the row turns at the outward half of BOX."""
        size = self.digits + 2
        if turned in _UPRIGHT:
            middle = box.col + size // 2
            if heading == "right":
                middle = box.col + box.width - size + size // 2
            return (box.row - 1 if turned == "up" else box.row + box.height), middle
        return box.out_row, box.exit(turned)[1]

    def tile(self, link: Link, before: Box, heading: Heading, start: tuple[int, int]) -> Box:
        """Draw one tile beyond START and return its place."""
        reverse = heading in ("left", "up")
        sideways = heading in _SIDEWAYS
        if sideways != link.across:
            lines = [flat(link, self.signs, reverse=reverse)]
        else:
            lines = upright(link, self.signs, self.digits, reverse=reverse)
        height, width = len(lines), len(lines[0])
        row, col = start
        if sideways:
            row -= height // 2
            col -= width - 1 if heading == "left" else 0
        else:
            row -= height - 1 if heading == "up" else 0
            col -= width // 2
        out_row = row if heading == "up" else row + height - 1
        self.canvas.write(row, col, lines, link.nth, before.nth, self.role(link))
        return Box(link.nth, row, col, height, width, out_row)

    def role(self, link: Link) -> Role:
        """Return the part a tile plays, for its colour."""
        if link.nth == self.last:
            return "last"
        if link.spinner:
            return "spinner"
        return "double" if link.tile.is_double else "tile"


def _branch_heading(arm: Arm, heading: Heading) -> Heading:
    first = arm.face in ("side1", "tip1")
    if heading in _SIDEWAYS:
        return "up" if first else "down"
    return "left" if first else "right"
