"""Whole games through the pure table: nothing leaks, and every terminal knows what it may."""

from __future__ import annotations

import pytest

from sniffcli.ruleset import library
from tests.net.bench import Bench, plan, play_on

RULES = sorted(library.shipped())


def game(rules: str, seed: int, steps: int = 400) -> Bench:
    sizes = plan(rules).rules.legal_players()
    crew = sizes[seed % len(sizes)]
    people = 1 + (seed // 3) % crew
    bench = Bench(plan(rules, crew), people, seed)
    bench.say(0, {"type": "start"})
    bench.same_views(range(people))
    play_on(bench, steps, rounds=2)
    return bench


@pytest.mark.parametrize("rules", RULES)
def test_no_message_holds_a_tile_that_its_seat_may_not_see(rules: str) -> None:
    # `Bench` checks every message when it is sent, and every view after each action.
    for seed in (1,):
        bench = game(rules, seed)
        assert bench.table.voyage is not None
        assert bench.table.voyage.game.history


@pytest.mark.soak
def test_a_thousand_games_leak_nothing() -> None:
    for seed in range(1000):
        game(RULES[seed % len(RULES)], seed)
