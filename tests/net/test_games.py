"""Whole games through the pure table: nothing leaks, and every terminal knows what it may."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from sniffcli.ruleset import library
from tests.net.bench import Bench, plan, play_on

RULES = sorted(library.shipped())


def game(rules: str, seed: int, steps: int = 400) -> Bench:
    rng = random.Random(f"{rules}/{seed}")
    crew = rng.choice(plan(rules).rules.legal_players())
    people = rng.randint(1, crew)
    # Two rounds are too short for a keelhaul unless it is allowed early.
    early = 5 if plan(rules).rules.keelhaul is not None else None
    bench = Bench(plan(rules, crew, keelhaul_at=early), people, seed)
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
    messages: Counter[str] = Counter()
    events = 0
    for seed in range(1000):
        bench = game(RULES[seed % len(RULES)], seed)
        for told in bench.inbox.values():
            messages.update(one["type"] for one in told)
        assert bench.table.voyage is not None
        finished = bench.table.voyage.game.finished
        events += sum(len(end.events) for _, end in finished)
    assert messages["blind"]
    print(f"1000 games of {len(RULES)} rulesets, {events} actions: {dict(messages)}")  # noqa: T201
