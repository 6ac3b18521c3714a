"""The interned tables say what the table room says, on random games of every ruleset."""

from __future__ import annotations

import random

import pytest
from engine.rounds import label, setups

from sniffcli.engine.tables import UNTIL_PLAYABLE, FrontierTable
from sniffcli.game.state import Setup
from sniffcli.ruleset.loading import load_ruleset
from sniffcli.table.counting import count, worth
from sniffcli.table.frontier import EMPTY, Double, Frontier, Half, alike, fitting, joins, lead
from sniffcli.tiles import MOST_PIPS, tile_of_number


@pytest.mark.parametrize("setup", setups(), ids=label)
def test_numbers_stand_for_the_tables_that_joining_gives(setup: Setup) -> None:
    rules = setup.rules
    table, rng = FrontierTable(rules, setup.seats), random.Random(7)
    for _ in range(6):
        number, frontier = 0, EMPTY
        for tile in rng.sample(table.tiles, len(table.tiles)):
            fits = table.fitting(number)
            assert fits == sum(
                1 << one.number for one in fitting(rules, frontier, table.tiles, table.wild)
            )
            for one in table.tiles:
                found = joins(rules, frontier, one, table.wild)
                if fits >> one.number & 1:
                    ways = table.ways(number, one.number)
                    after = [alike(rules, join.frontier) for join in found]
                    assert [table.frontier(way.after) for way in ways] == after
                    assert [way.worth for way in ways] == [worth(rules, each) for each in after]
                    best = table.best_way(number, 1 << one.number)
                    assert best >> 48 == max(way.worth for way in ways)
                else:
                    assert found == ()
            if fits >> tile.number & 1:
                way = rng.choice(table.ways(number, tile.number))
                number, frontier = way.after, table.frontier(way.after)
                assert table.intern(frontier) == number
                assert table.worth[number] == way.worth


def test_each_part_has_a_number_of_its_own_in_the_order_of_the_values() -> None:
    halves = [Half(pip, ring) for pip in range(MOST_PIPS + 1) for ring in (False, True)]
    doubles = [
        Double(pip, main, cross, spinner, fill)
        for pip in range(MOST_PIPS + 1)
        for main in range(3)
        for cross in range(3)
        for spinner in (False, True)
        for fill in (False, True)
    ]
    numbers = [one.number for one in (*halves, *doubles)]

    assert numbers == sorted(set(numbers))


@pytest.mark.parametrize(
    ("settings", "usual", "filling"),
    [
        ({}, UNTIL_PLAYABLE, UNTIL_PLAYABLE),
        ({"limit": 2}, 2, 2),
        ({"limit": 1, "limit_during_fill": "until_playable"}, 1, UNTIL_PLAYABLE),
        ({"limit_during_fill": 1}, UNTIL_PLAYABLE, 1),
    ],
)
def test_the_draw_limit_is_another_while_a_double_is_filled(
    settings: dict[str, object], usual: int, filling: int
) -> None:
    rules, problems = load_ruleset("sebastopol", settings={"draw": {"when": "unable"} | settings})
    assert rules is not None, problems
    table = FrontierTable(rules, 3)
    opened = table.led(tile_of_number(27).number)  # 6-6, which four tiles must follow

    assert table.limit[opened] == filling
    assert table.limit[0] == table.limit[table.intern(Frontier((Half(1), Half(2))))] == usual


def test_a_sum_is_that_of_the_parts() -> None:
    rules, _ = load_ruleset("all-fives")
    assert rules is not None
    table = FrontierTable(rules, 2)
    number = table.led(20)  # 5-5
    for tile in (15, 16):  # 5-0, 5-1
        number = table.ways(number, tile)[0].after

    assert sum(table.pips[part] for part in table.parts[number]) == 0 + 1
    assert count(rules, table.frontier(number)) == 0 + 1
    assert table.frontier(0) == EMPTY
    assert lead(rules, tile_of_number(20)) == table.frontier(table.led(20))
