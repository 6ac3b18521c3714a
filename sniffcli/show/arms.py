"""The arms of a layout as values: which tiles in which order, seen from the middle of the table.

Text (`table.py`) and SVG (`svg.py`) draw the same arms; nothing here knows about either. The
middle is the spinner, and the lead where there is none or where every double is one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sniffcli.ruleset.model import Ruleset
from sniffcli.table.frontier import Frontier
from sniffcli.table.layout import (
    SIDES,
    TIPS,
    Face,
    Layout,
    cross_faces,
    main_faces,
    spinners,
    spots,
)
from sniffcli.tiles import Tile

_OPPOSITE: dict[Face, Face] = {
    "high": "low",
    "low": "high",
    "side1": "side2",
    "side2": "side1",
    "tip1": "tip2",
    "tip2": "tip1",
}


@dataclass(frozen=True, slots=True)
class Link:
    """One tile of an arm, or the tile in the middle, from which the arms leave."""

    #: Position in the layout, which is also the order in which the tiles were laid.
    nth: int
    tile: Tile
    #: The half that is nearer to the middle, and the other one.
    inward: int
    outward: int
    spinner: bool
    #: Whether it lies across the line of its arm.
    across: bool
    #: The arms that leave sideways; of the tile in the middle all arms.
    branches: tuple[Arm, ...] = ()
    #: Whether the first side of the tile in the middle is the right one.
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Arm:
    """A row of tiles that leaves one face of a tile; without tiles a free face that is open."""

    face: Face
    links: tuple[Link, ...]
    #: The number at its tip where a tile may be joined now, else None.
    open: int | None

    @property
    def is_cross(self) -> bool:
        """Whether it leaves a short end (tip) of a double that lies across."""
        return self.face in TIPS


def middle_of(rules: Ruleset, layout: Layout, frontier: Frontier) -> Link | None:
    """Return the tile in the middle with all arms of the table, or None for an empty table."""
    if not layout.placed:
        return None
    turning = spinners(rules, layout)
    alone = rules.layout.spinner != "all_doubles" and len(turning) == 1
    root = next(iter(turning)) if alone else 0
    tree = _Tree(rules, layout, frontier)
    tile = layout.placed[root].tile
    faces: tuple[Face, ...] = ("high", "low")
    if tile.is_double:
        faces = (*main_faces(rules), *cross_faces(rules))
    return Link(
        nth=root,
        tile=tile,
        inward=tile.high,
        outward=tile.low,
        spinner=root in turning,
        across=tile.is_double and rules.layout.doubles_lie == "across",
        branches=tree.arms(root, faces),
        turned=_is_turned(rules, layout, root),
    )


def _is_turned(rules: Ruleset, layout: Layout, root: int) -> bool:
    """Whether a spinner is turned, so that what was laid before it stays where it was drawn."""
    if not root:
        return False
    first = main_faces(rules)[0]
    nth = root
    while layout.placed[nth].on:
        nth = layout.placed[nth].on
    lead = layout.placed[0].tile
    grew_left = layout.placed[nth].at == (first if lead.is_double else "high")
    older_first = layout.placed[root].by == first
    return grew_left == older_first


def links_of(link: Link) -> Iterator[Link]:
    """Yield a tile and everything that hangs on it."""
    yield link
    for arm in link.branches:
        for one in arm.links:
            yield from links_of(one)


def part_of(link: Link, arm: Arm) -> str:
    """Name the face that an arm leaves."""
    if not link.tile.is_double:
        return f"at {link.tile.high if arm.face == 'high' else link.tile.low}"
    return "tip" if arm.is_cross else "side"


class _Tree:
    """Who touches whom, whichever was laid first."""

    def __init__(self, rules: Ruleset, layout: Layout, frontier: Frontier) -> None:
        self.rules = rules
        self.layout = layout
        self.spinners = spinners(rules, layout)
        self.open = {(s.nth, s.face): s.place.pip for s in spots(rules, layout, frontier)}
        self.joints: dict[tuple[int, Face], tuple[int, Face]] = {}
        for nth, placed in enumerate(layout.placed):
            if placed.on >= 0:
                self.joints[placed.on, placed.at] = (nth, placed.by)
                self.joints[nth, placed.by] = (placed.on, placed.at)

    def arms(self, nth: int, faces: tuple[Face, ...]) -> tuple[Arm, ...]:
        """Return the arms that leave these faces of a tile; closed free faces have none."""
        found = (self.arm(nth, face) for face in faces)
        return tuple(arm for arm in found if arm.links or arm.open is not None)

    def arm(self, nth: int, face: Face) -> Arm:
        """Follow the tiles from one face of a tile to the tip."""
        links: list[Link] = []
        at = (nth, face)
        while at in self.joints:
            inner, entered = self.joints[at]
            links.append(self.link(inner, entered))
            at = (inner, _OPPOSITE[entered])
        return Arm(face, tuple(links), self.open.get(at))

    def link(self, nth: int, entered: Face) -> Link:
        """Return one tile of an arm, reached through its face ENTERED."""
        tile = self.layout.placed[nth].tile
        sideways: tuple[Face, ...] = ()
        if tile.is_double:
            sideways = TIPS if entered in SIDES else SIDES
        return Link(
            nth=nth,
            tile=tile,
            inward=tile.low if entered == "low" else tile.high,
            outward=tile.high if entered == "low" else tile.low,
            spinner=nth in self.spinners,
            across=entered in SIDES,
            branches=self.arms(nth, sideways),
        )
