"""The table drawn as text: nothing lost, nothing turned round, at every width."""

from __future__ import annotations

import itertools
import re

import pytest

from sniffcli.game.actions import Play
from sniffcli.game.plays import resolve
from sniffcli.game.state import Setup
from sniffcli.ruleset.loading import load_ruleset
from sniffcli.ruleset.model import Ruleset
from sniffcli.show.table import draw
from sniffcli.table.frontier import EMPTY, Frontier
from sniffcli.table.layout import EMPTY_LAYOUT, Layout, Move
from sniffcli.tiles import parse_tile

from .tables_of import random_table, read_back

RULESETS = [
    "all-fives",
    "dreamtime-sniff",
    "all-threes",
    "block",
    "cross",
    "double-nine-cross",
    "double-twelve-cross",
    "muggins-all-fives",
]
WIDTHS = [20, 40, 80, 200]


def ruleset(name: str) -> Ruleset:
    rules, problems = load_ruleset(name)
    assert rules is not None, problems
    return rules


def laid(name: str, plays: str) -> tuple[Ruleset, Layout, Frontier]:
    """Return the table after plays such as `5-5, 5-2 on 5-5 side`."""
    rules = ruleset(name)
    setup = Setup(rules, ("Ann", "Bob"), (0, 1))
    layout, frontier = EMPTY_LAYOUT, EMPTY
    for text in plays.split(", "):
        words = text.split()
        play = Play(seat=0, tile=parse_tile(words[0]))
        if len(words) > 2:
            part = words[3] if len(words) > 3 else None
            play = Play(seat=0, tile=play.tile, on=parse_tile(words[2]), part=part)  # type: ignore[arg-type]
        move = resolve(setup, layout, frontier, play)
        assert isinstance(move, Move), move
        layout, frontier = layout.with_move(rules, move), move.frontier
    return rules, layout, frontier


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.parametrize("unicode", [True, False])
def test_every_tile_can_be_read_back_and_no_line_is_too_long(name: str, unicode: bool) -> None:
    rules = ruleset(name)
    for seed, width in itertools.product(range(2), WIDTHS):
        for tiles in (1, 4, 9, 15, 28):
            layout, frontier = random_table(rules, seed, tiles)
            text = draw(rules, layout, frontier, width=width, unicode=unicode)
            found = sorted(tuple(sorted(pair, reverse=True)) for pair in read_back(text))
            assert found == sorted((one.high, one.low) for one in layout.tiles), text
            assert max(map(len, text.splitlines())) <= width, text
            assert unicode or text.isascii()
            # All of these rulesets join equal halves, so what touches must show the same.
            touching = re.findall(r"(\d+)\]\[(\d+)", text)
            assert all(one == other for one, other in touching), text


def test_a_spinner_with_three_arms_is_a_cross() -> None:
    plays = "5-5, 5-2 on 5-5, 5-1 on 5-5, 5-4 on 5-5 tip, 4-4 on 5-4, 6-2 on 5-2"
    rules, layout, frontier = laid("all-fives", plays)
    assert draw(rules, layout, frontier, width=40, unicode=True) == "\n".join(
        [
            "                      ▲",
            "                    [4║4]",
            "                     ┌4┐",
            "                     └5┘",
            "                     ┌5┐",
            "          ◄[6|2][2|5]│●│[5|1]►",
            "                     └5┘",
            "                      ▼",
            "",
            # The spinner is covered on three faces and counts nothing; 4-4 counts both halves.
            "ends 1 4 5 6   sum 15",
        ]
    )
