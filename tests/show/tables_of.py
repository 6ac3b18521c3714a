"""Random tables to draw, and a reader that gets the tiles back out of a drawing."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from sniffcli.ruleset.model import Ruleset
from sniffcli.table.frontier import EMPTY, Frontier
from sniffcli.table.layout import EMPTY_LAYOUT, Layout, moves


def random_table(rules: Ruleset, seed: int, tiles: int) -> tuple[Layout, Frontier]:
    """Lay up to TILES tiles that fit, in random order and at random places."""
    rng = random.Random(seed)
    left = list(rules.tiles(2))
    rng.shuffle(left)
    if rules.layout.spinner == "opening_double":
        left.sort(key=lambda one: not one.is_double)
    layout, frontier = EMPTY_LAYOUT, EMPTY
    wild = rules.wild_tiles(2)
    for _ in range(tiles):
        for one in left:
            ways = moves(rules, layout, frontier, one, wild)
            if ways:
                move = rng.choice(ways)
                layout, frontier = layout.with_move(rules, move), move.frontier
                left.remove(one)
                break
        else:
            break
        rng.shuffle(left)
    return layout, frontier


_FLAT = re.compile(r"\[(\d+)([|║●=*])(\d+)\]")
_TOP = re.compile(r"[┌/][─ ]*(\d+)[┐\\]")


def read_back(text: str) -> Iterator[tuple[int, int]]:
    """Yield the halves of every tile in a drawing, left first or upper first."""
    lines = text.splitlines()
    for row, line in enumerate(lines):
        for found in _FLAT.finditer(line):
            yield int(found[1]), int(found[3])
        for found in _TOP.finditer(line):
            for below in (1, 2):
                under = lines[row + below][found.start() : found.end()]
                lower = re.fullmatch(r"[└\\][─ ]*(\d+)[┘/]", under)
                if lower:
                    yield int(found[1]), int(lower[1])
                    break
                assert under[0] in "│|", (under, text)
