"""The table as SVG: well formed, every tile once, nothing overlapping, neighbours touching."""

from __future__ import annotations

import re
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from sniffcli.show.svg import svg

from .tables_of import random_table
from .test_table import RULESETS, laid, ruleset

SVG = "{http://www.w3.org/2000/svg}"


class Face(NamedTuple):
    halves: str
    left: float
    top: float
    right: float
    bottom: float

    def gap(self, other: Face) -> float:
        across = max(self.left, other.left) - min(self.right, other.right)
        down = max(self.top, other.top) - min(self.bottom, other.bottom)
        return max(across, down)


def faces(text: str) -> dict[int, list[Face]]:
    """The rectangles of every tile by its place in the order of play."""
    found: dict[int, list[Face]] = {}
    for group in ElementTree.fromstring(text).iter(f"{SVG}g"):
        if "tile" not in group.attrib["class"].split():
            continue
        x, y = map(float, re.findall(r"[\d.]+", group.attrib["transform"]))
        rect = group.find(f"{SVG}rect")
        assert rect is not None
        width, height = float(rect.attrib["width"]) + 2, float(rect.attrib["height"]) + 2
        face = Face(group.attrib["data-halves"], x, y, x + width, y + height)
        found.setdefault(int(group.attrib["data-n"]) - 1, []).append(face)
    return found


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.parametrize("width", [240, 640])
def test_tiles_lie_apart_unless_they_are_joined(name: str, width: int) -> None:
    rules = ruleset(name)
    for seed in range(2):
        layout, frontier = random_table(rules, seed, 18)
        drawn = faces(svg(rules, layout, frontier, width=width))

        assert sorted(drawn) == list(range(len(layout.placed)))
        if any(len(places) > 1 for places in drawn.values()):
            # Too many branches for a cross: rows of arms, each after the tile that it leaves.
            continue
        where = [drawn[n][0] for n in range(len(layout.placed))]
        for n, placed in enumerate(layout.placed):
            assert where[n].halves in (
                f"{placed.tile.high}-{placed.tile.low}",
                f"{placed.tile.low}-{placed.tile.high}",
            )
            for other in range(n):
                gap = where[n].gap(where[other])
                assert (gap == 0) if other == placed.on else (gap >= 0), (n, other)


def test_the_text_alternative_tells_everything() -> None:
    plays = "5-5, 5-2 on 5-5, 5-1 on 5-5, 5-4 on 5-5 tip"
    rules, layout, frontier = laid("all-fives", plays)
    root = ElementTree.fromstring(svg(rules, layout, frontier))
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-label"] == (
        "Table of 4 tiles, spinner 5-5 in the middle. From 5-5 side: 5-2. From 5-5 side: 5-1. "
        "From 5-5 tip: 5-4. Open ends: 1, 2, 4, 5. Sum 7."
    )
    ends = [g.attrib["data-pip"] for g in root.iter(f"{SVG}g") if g.attrib["class"] == "end"]
    assert sorted(ends) == ["1", "2", "4", "5"]


def test_the_sum_can_be_hidden_and_an_empty_table_drawn() -> None:
    rules, layout, frontier = laid("all-fives", "5-5")
    hidden = svg(rules, layout, frontier, hidden_sum=True)
    assert "Sum" not in hidden
    assert "Table of 1 tile, spinner 5-5 in the middle." in hidden
    empty, nothing = random_table(rules, 0, 0)
    assert "No tile on the table." in svg(rules, empty, nothing)


def test_the_pips_of_a_tile_are_drawn_in_the_order_in_which_it_lies() -> None:
    rules, layout, frontier = laid("all-fives", "5-5, 5-2 on 5-5")
    root = ElementTree.fromstring(svg(rules, layout, frontier))
    (tile,) = (g for g in root.iter(f"{SVG}g") if g.attrib.get("data-tile") == "5-2")
    pips = [float(c.attrib["cx"]) for c in tile.iter(f"{SVG}circle")]
    left = 2 if tile.attrib["data-halves"] == "2-5" else 5
    # The tile lies flat and is 48 pixels wide: the pips of each half stay on their side.
    assert sum(x < 24 for x in pips) == left
    assert len(pips) == 7
