"""The choices of a decision are complete: they carry a game of every ruleset to its end."""

from __future__ import annotations

import random

import pytest

from sniffcli.game.actions import Draw, Finish, Pass
from sniffcli.game.match import deal_round, new_match, sides_of
from sniffcli.game.state import Setup
from sniffcli.game.turn import apply, verify
from sniffcli.ruleset.library import shipped
from sniffcli.ruleset.loading import load_ruleset
from sniffcli.tutor.review import choices_of, scored


@pytest.mark.parametrize("name", shipped())
def test_games_run_to_their_end_on_choices_alone(name: str) -> None:
    rules, problems = load_ruleset(name)
    assert rules is not None, problems
    for seed in range(2):
        rng = random.Random(seed)
        seats = rng.choice(list(rules.legal_players()))
        setup = Setup(
            rules,
            ("Ann", "Bob", "Cy", "Di", "Ed")[:seats],
            sides_of(seats, teams=rules.teams_required(seats)),
        )
        state, _ = deal_round(new_match(setup), rng)
        for _ in range(400):
            if state.over:
                break
            if state.closing is not None:
                assert choices_of(state) == ()
                state, _ = apply(state, Finish(seat=state.turn))
                continue
            choices = choices_of(state)
            assert choices, state
            words = {choice.text for choice in choices}
            assert len(words) == len(choices)
            seat = state.turn
            for action in (Draw(seat=seat), Pass(seat=seat)):
                assert (verify(state, action) is None) == (action.kind in words)
            choice = rng.choice(choices)
            before = state
            state, event = apply(state, choice.action)
            assert (event.sum, scored(before, event)) == (choice.sum, choice.points)
            assert event.frontier == choice.frontier
        else:
            pytest.fail("the round never ended")
