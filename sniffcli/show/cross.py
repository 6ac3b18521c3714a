"""Where each tile lies when the table is drawn as a cross: the geometry of text and SVG alike.

The tiles are laid out on a grid of cells from the middle outward, long arms turning corners.
Several plans are tried, the plainest first; the first that fits without a collision is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import Literal, NamedTuple, Protocol

from sniffcli.show.arms import Arm, Link

Heading = Literal["right", "left", "down", "up"]

_BACK: dict[Heading, Heading] = {"left": "right", "right": "left", "up": "down", "down": "up"}
_SIDEWAYS: tuple[Heading, Heading] = ("left", "right")
_UPRIGHT: tuple[Heading, Heading] = ("up", "down")

#: An arm without corners.
_STRAIGHT = 999
#: Borders that lie so near to each other make no different picture.
_NEAR = 8


class Metrics(Protocol):
    """How many cells tiles take."""

    def size(self, link: Link, upright: bool) -> tuple[int, int]:
        """Return the height and width of a tile that lies flat or stands upright."""
        ...

    #: Width of every tile that stands upright, and height of every plain one that lies flat.
    breadth: int
    flat_height: int


class Box(NamedTuple):
    """Where a tile lies: the cell at its upper left, and its size."""

    link: Link
    row: int
    col: int
    height: int
    width: int
    upright: bool
    #: Whether the half that is nearer to the middle stands to the right or below.
    reverse: bool

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


class Tip(NamedTuple):
    """The cell beside a face where a tile may be joined now."""

    nth: int
    row: int
    col: int
    heading: Heading
    pip: int


class Picture(NamedTuple):
    """A table laid out; rows and columns count from the upper left corner."""

    boxes: tuple[Box, ...]
    tips: tuple[Tip, ...]
    height: int
    width: int


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


class Collision(Exception):
    """Two tiles that do not touch on the table would touch in the drawing, or it is too large."""


def picture(middle: Link, metrics: Metrics, *, width: int, height: int) -> Picture | None:
    """Return the table laid out in WIDTH by HEIGHT cells, or None if no plan fits."""
    plans = list(_plans(middle, metrics, width))
    # First with air above and below every tile, then with tiles that may touch there.
    closer = [plan for plan in plans if plan.leg == 1]
    for airy, plan in [*product((True,), plans), *product((False,), closer)]:
        layer = _Layer(middle, metrics, plan, width, height, airy)
        try:
            layer.lay()
        except Collision:
            continue
        return layer.picture()
    return None


def _plans(middle: Link, metrics: Metrics, width: int) -> Iterator[Plan]:
    """Yield plans, the plainest first."""
    row = [arm for arm in middle.branches if _heading(middle, arm) in _SIDEWAYS]
    own = metrics.size(middle, middle.across)[1]
    need = {_heading(middle, arm): _length(arm.links, metrics) + 1 for arm in row}
    left, right = need.get("left", 0), need.get("right", 0)
    room = max(0, width - own)
    folds = left + right > room
    upright_arms = len(row) < len(middle.branches)
    reaches: list[tuple[int, int]] = []
    if not folds:
        spare = room - left - right
        reaches.append((left + spare // 2, right + spare - spare // 2))
    if folds or upright_arms:
        share = room * left // max(1, left + right)
        reaches += [(share, room - share), (0, room), (room, 0)]
        if abs(share - room // 2) > _NEAR:
            reaches.insert(-2, (room // 2, room - room // 2))
    stems = (_STRAIGHT, 2, 1) if upright_arms else (_STRAIGHT,)
    aways: tuple[tuple[Heading, Heading], ...] = (("up", "down"), ("down", "up"))
    legs = (1, 2) if folds or upright_arms else (1,)
    for (to_left, to_right), stem in product(dict.fromkeys(reaches), stems):
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
        return "left" if first != link.turned else "right"
    return "up" if first else "down"


def _branch_heading(arm: Arm, heading: Heading) -> Heading:
    """Return where an arm goes that leaves a tile of an arm sideways."""
    first = arm.face in ("side1", "tip1")
    if heading in _SIDEWAYS:
        return "up" if first else "down"
    return "left" if first else "right"


def _length(links: Sequence[Link], metrics: Metrics) -> int:
    """Return how many columns a row of tiles takes."""
    return sum(metrics.size(link, link.across)[1] for link in links)


class _Layer:
    """Lays tiles on a grid from the middle outward."""

    def __init__(
        self,
        middle: Link,
        metrics: Metrics,
        plan: Plan,
        width: int,
        height: int,
        airy: bool,
    ) -> None:
        self.middle = middle
        self.metrics = metrics
        self.plan = plan
        self.room = (height, width)
        self.airy = airy
        self.owners: dict[tuple[int, int], int] = {}
        self.boxes: list[Box] = []
        self.tips: list[Tip] = []
        self.top = self.bottom = self.left = self.right = 0

    def lay(self) -> None:
        """Lay the whole table, or raise Collision."""
        middle = self.middle
        height, width = self.metrics.size(middle, middle.across)
        box = Box(middle, -(height // 2), -(width // 2), height, width, middle.across, False)
        self.put(box, middle.nth)
        for arm in middle.branches:
            self.arm(arm, box, _heading(middle, arm))

    def picture(self) -> Picture:
        """Return what was laid, counted from the upper left corner."""
        boxes = (b._replace(row=b.row - self.top, col=b.col - self.left) for b in self.boxes)
        tips = (t._replace(row=t.row - self.top, col=t.col - self.left) for t in self.tips)
        height, width = self.bottom - self.top + 1, self.right - self.left + 1
        return Picture(tuple(boxes), tuple(tips), height, width)

    def put(self, box: Box, near: int) -> None:
        """Take the cells of a tile; only tile NEAR may lie beside it."""
        self.take(box.row, box.col, box.height, box.width, box.link.nth, near)
        self.boxes.append(box)

    def take(self, row: int, col: int, height: int, width: int, nth: int, near: int) -> None:
        """Take cells for tile NTH, or raise Collision."""
        self.top, self.bottom = min(self.top, row), max(self.bottom, row + height - 1)
        self.left, self.right = min(self.left, col), max(self.right, col + width - 1)
        if self.bottom - self.top >= self.room[0] or self.right - self.left >= self.room[1]:
            raise Collision
        owners = self.owners
        own = (nth, near)
        for at in range(row, row + height):
            if owners.get((at, col - 1), nth) not in own:
                raise Collision
            if owners.get((at, col + width), nth) not in own:
                raise Collision
            for across in range(col, col + width):
                if (at, across) in owners:
                    raise Collision
                owners[at, across] = nth
        if self.airy:
            for across in range(col, col + width):
                if owners.get((row - 1, across), nth) not in own:
                    raise Collision
                if owners.get((row + height, across), nth) not in own:
                    raise Collision

    def arm(self, arm: Arm, box: Box, heading: Heading) -> None:
        """Lay one arm from BOX, mark its open tip, and lay what branches off it."""
        plan, links = self.plan, arm.links
        rising = heading in _UPRIGHT
        away = heading if rising else plan.away[heading]
        side = plan.turns[heading] if rising else heading
        until = plan.stem if rising else plan.leg
        run = 0
        laid: list[tuple[Box, Heading]] = []
        for index, link in enumerate(links):
            may_turn = index > 0 and not link.tile.is_double and not links[index - 1].tile.is_double
            start = box.exit(heading)
            run += 1
            if may_turn and heading in _UPRIGHT and run > until:
                start, heading, run = self.corner(box, heading, side), side, 1
            elif may_turn and heading in _SIDEWAYS and not self.fits(box, heading, links[index:]):
                start = self.corner(box, heading, away)
                side, until = _BACK[heading], plan.leg
                heading, run = away, 1
            box = self.tile(link, box, heading, start)
            laid.append((box, heading))
        if arm.open is not None:
            row, col = box.exit(heading)
            self.take(row, col, 1, 1, box.link.nth, box.link.nth)
            self.tips.append(Tip(box.link.nth, row, col, heading, arm.open))
        for where, lies in laid:
            for branch in where.link.branches:
                self.arm(branch, where, _branch_heading(branch, lies))

    def fits(self, box: Box, heading: Heading, links: Sequence[Link]) -> bool:
        """Whether the tiles up to the next possible corner stay within the borders."""
        block = [links[0]]
        for before, link in pairwise(links):
            if not before.tile.is_double and not link.tile.is_double:
                break
            block.append(link)
        need = _length(block, self.metrics)
        edge = box.exit(heading)[1]
        if heading == "right":
            return edge + need < self.plan.right
        return edge - need + 1 > -self.plan.left

    def corner(self, box: Box, heading: Heading, turned: Heading) -> tuple[int, int]:
        """Return where the next tile starts when the row turns at the outward half of BOX."""
        size, flat = self.metrics.breadth, self.metrics.flat_height
        if turned in _UPRIGHT:
            middle = box.col + size // 2
            if heading == "right":
                middle = box.col + box.width - size + size // 2
            return (box.row - 1 if turned == "up" else box.row + box.height), middle
        row = box.row if heading == "up" else box.row + box.height - flat
        return row + flat // 2, box.exit(turned)[1]

    def tile(self, link: Link, before: Box, heading: Heading, start: tuple[int, int]) -> Box:
        """Lay one tile beyond START and return its place."""
        sideways = heading in _SIDEWAYS
        upright = sideways == link.across
        height, width = self.metrics.size(link, upright)
        row, col = start
        if sideways:
            row -= height // 2
            col -= width - 1 if heading == "left" else 0
        else:
            row -= height - 1 if heading == "up" else 0
            col -= width // 2
        box = Box(link, row, col, height, width, upright, heading in ("left", "up"))
        self.put(box, before.link.nth)
        return box
