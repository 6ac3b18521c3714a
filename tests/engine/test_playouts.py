"""Play-outs give to the point what the fold of `apply` gives for the same choices."""

from __future__ import annotations

import random

import pytest
from engine.rounds import Fold, dealt, label, moves_in_order, play_of, setups

from sniffcli.engine.playout import DRAW, PASS, First, play_out
from sniffcli.engine.policy import (
    BLIND_POLICY,
    GREEDY_POLICY,
    RANDOM_POLICY,
    WEIGHTED,
    Policy,
)
from sniffcli.engine.position import position_of
from sniffcli.engine.spec import spec_of
from sniffcli.game.actions import Action, Draw, Pass
from sniffcli.game.legal import draw_refusal, pass_refusal
from sniffcli.game.state import Setup, State

#: Weights of no sense, but with all signs, so that every feature decides now and then.
WEIGHTED_POLICY = Policy(
    WEIGHTED,
    "weighted",
    (
        (50, 9, 31, 77, -61, 23, 17, 11, -83, -97),
        (40, -13, 29, -101, 37, -19, 7, -5, 53, 71),
    ),
)

POLICIES = (GREEDY_POLICY, BLIND_POLICY, RANDOM_POLICY, WEIGHTED_POLICY)


def advanced(state: State, rng: random.Random) -> State:
    """Play a random number of random actions, some of them odd ones that a policy never does."""
    fold = Fold(state)
    for _ in range(int(rng.random() * 16)):
        if fold.state.over:
            break
        before = fold.state
        fold.do(random_action(before, rng))
    return before if fold.state.over else fold.state


def actions(state: State) -> list[tuple[Action, First]]:
    table = spec_of(state.setup).table
    found: list[tuple[Action, First]] = [
        (play_of(state, move), First(move.tile.number, table.intern(move.frontier)))
        for move in moves_in_order(state)
    ]
    if draw_refusal(state) is None:
        found.append((Draw(seat=state.turn), DRAW))
    if pass_refusal(state) is None:
        found.append((Pass(seat=state.turn), PASS))
    return found


def random_action(state: State, rng: random.Random) -> Action:
    every = actions(state)
    return every[int(rng.random() * len(every))][0]


def check(state: State, policy: Policy, seed: int, first: tuple[Action, First] | None) -> None:
    fold = Fold(state)
    fold.run(policy, seed, first[0] if first else None)
    outcome = play_out(position_of(state), first[1] if first else None, policy, seed)
    assert outcome.scores == fold.state.scores
    assert outcome.parts == tuple(map(tuple, fold.parts))
    result = fold.state.result
    assert result is not None
    assert ("out", "blocked", "target")[outcome.how] == result.how
    assert outcome.closer == (-1 if result.closer is None else result.closer)


def rounds_agree(setup: Setup, rounds: int, seed: int) -> None:
    rng = random.Random(seed)
    for number in range(rounds):
        start = dealt(setup, rng)
        for policy in POLICIES:
            check(start, policy, number, None)
        state = advanced(start, rng)
        for policy in POLICIES:
            every = actions(state)
            check(state, policy, number, every[int(rng.random() * len(every))])


@pytest.mark.parametrize("setup", setups(), ids=label)
def test_a_play_out_is_the_fold_of_the_same_choices(setup: Setup) -> None:
    rounds_agree(setup, 1, 1)


@pytest.mark.soak
@pytest.mark.parametrize("setup", setups(), ids=label)
def test_play_outs_of_many_rounds_are_folds(setup: Setup) -> None:
    rounds_agree(setup, 60, 2)
