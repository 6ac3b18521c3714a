"""Block for two with seven tiles each against published and recomputed figures."""

from __future__ import annotations

import random
from math import comb, sqrt
from typing import Any

import pytest

from sniffcli.engine.position import position_of
from sniffcli.engine.solver import value
from sniffcli.engine.spec import spec_of
from sniffcli.game.deal import deal
from sniffcli.game.match import begin, new_match
from sniffcli.game.state import Setup
from sniffcli.ruleset.loading import load_ruleset


def block(settings: dict[str, Any]) -> Setup:
    rules, problems = load_ruleset("block", settings={"deal": {"hand": {2: 7}}} | settings)
    assert rules is not None, problems
    return Setup(rules, ("Ann", "Bob"), (0, 1))


def test_exact_counts_of_deals() -> None:
    # 7 + 7 tiles with a double among them, and those in which nobody can follow the lead.
    assert (comb(28, 14) - comb(21, 14)) * comb(14, 7) == 137_281_098_240
    spec = spec_of(block({}))
    doubles = [number for number in range(spec.top) if spec.doubles >> number & 1]
    dead = 0
    for double in doubles:
        (way,) = spec.table.ways(0, double)
        higher = sum(1 << other for other in doubles if other > double)
        others = spec.every & ~spec.table.fitting(way.after) & ~higher & ~(1 << double)
        dead += comb(others.bit_count(), 13) * comb(14, 7)
    assert dead == 1_097_399_160
    assert dead / 137_281_098_240 == pytest.approx(0.00799, abs=5e-6)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("settings", "share"),
    [
        # Figures of a solver that is not ours (peers.md, A13): 20,000 and 100,000 deals.
        (
            {
                "open": {"first_leader": "lot", "tile": "any"},
                "deal": {"hand": {2: 7}, "redeal_if": "none"},
            },
            0.789,
        ),
        ({}, 0.519),
    ],
    ids=["free lead", "highest double leads"],
)
def test_the_share_that_the_starter_wins_with_open_hands(
    settings: dict[str, Any], share: float
) -> None:
    setup = block(settings)
    match, rng = new_match(setup), random.Random(7)
    deals = 6_000
    wins = 0
    for _ in range(deals):
        wins += value(position_of(begin(match, deal(setup, rng), rng)))[0] > 0
    assert wins / deals == pytest.approx(share, abs=3 * sqrt(share * (1 - share) / deals))
