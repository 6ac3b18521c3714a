"""Whatever happens in a round of any shipped ruleset, the true deal is among the worlds."""

from __future__ import annotations

import random

import pytest

from sniffcli.engine.counting import BONEYARD
from sniffcli.engine.worlds import worlds_of
from sniffcli.game.match import sides_of
from sniffcli.game.state import Setup
from sniffcli.game.view import view_of
from sniffcli.ruleset.library import shipped
from sniffcli.ruleset.loading import load_ruleset

from .small_games import positions

NAMES = ("Ann", "Bob", "Cy", "Di", "Ed", "Fay", "Gus", "Hal")


@pytest.mark.parametrize("name", shipped())
def test_the_true_deal_is_always_possible(name: str) -> None:
    rules, _ = load_ruleset(name)
    assert rules is not None
    for players in {rules.players.min, min(4, rules.players.max)}:
        teams = rules.teams_required(players)
        setup = Setup(rules, NAMES[:players], sides_of(players, teams=teams))
        for seed in range(2):
            states = positions(setup, random.Random(seed), 50)
            for state in states[1 :: max(1, len(states) // 3)]:
                if state.over or state.closing is not None:
                    continue
                for seat in (state.turn, (state.turn + 1) % players):
                    worlds = worlds_of(view_of(state, seat))
                    chances = worlds.marginals()
                    for other, hand in enumerate(state.hands):
                        if other != seat:
                            assert sum(one.get(other, 0) for one in chances.values()) == hand.size
                            assert all(chances[tile].get(other, 0) > 0 for tile in hand.tiles)
                    left = sum(one.get(BONEYARD, 0) for one in chances.values())
                    assert left == state.boneyard.size
                    assert all(chances[tile].get(BONEYARD, 0) > 0 for tile in state.boneyard.known)
                    world = worlds.sample(random.Random(seed))
                    assert world.hands[seat] == sum(1 << t.number for t in state.hands[seat].tiles)
