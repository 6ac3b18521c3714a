"""Advice: exact where all is known, enumerated where little is hidden, blind to hidden tiles."""

from __future__ import annotations

import random
from itertools import permutations
from statistics import mean

import pytest

from sniffcli.engine.advice import advise
from sniffcli.engine.choices import choices
from sniffcli.engine.playout import play_out
from sniffcli.engine.position import mask_of, position_from_view
from sniffcli.game.state import Boneyard, Hand, Setup, State
from sniffcli.game.turn import apply
from sniffcli.game.view import view_of

from .small_games import actions_of, explanations, positions, setup_of, shares

#: Ten tiles, five each: whoever sees his hand sees everything.
OPEN = {"set": {"max_pip": 3}, "deal": {"hand": {2: 5}}, "match": {"target": 500}}
#: Six tiles, two each.
TINY = {"set": {"max_pip": 2}, "deal": {"hand": {2: 2}}, "match": {"target": 500}}
#: The same for two pairs of partners with two tiles each, and for three players.
PAIRS = {"set": {"max_pip": 3}, "deal": {"hand": {4: 2}}, "draw": {"when": "never"}}
SEVENS = {"deal": {"hand": {2: 7}}, "match": {"target": 500}}


def best_margin(state: State) -> dict[str, float]:
    """Return the value of each action for the seat to move, by trying everything (two sides)."""
    mover = state.setup.sides[state.turn]
    values = {}
    for action in actions_of(state):
        after, event = apply(state, action)
        margin = after.scores[mover] - state.scores[mover]
        margin -= after.scores[1 - mover] - state.scores[1 - mover]
        if not after.over:
            deeper = max(best_margin(after).values())
            margin += deeper if after.setup.sides[after.turn] == mover else -deeper
        values[event.text] = margin
    return values


def late(setup: Setup, seed: int, left: int) -> State | None:
    """Return a random position with about so many tiles left in the hands, or None."""
    for state in positions(setup, random.Random(seed)):
        tiles = sum(hand.size for hand in state.hands)
        if tiles <= left and not state.over and state.laid:
            return state
    return None


@pytest.mark.parametrize("seed", range(12))
def test_what_is_known_is_solved_exactly(seed: int) -> None:
    state = late(setup_of("all-fives", OPEN, 2), seed, 7)
    if state is None:
        pytest.skip("the round ended before")
    advice = advise(view_of(state, state.turn))
    assert advice.method == "exact"
    assert advice.consistent_hands == 1
    expected = best_margin(state)
    assert {one.play: one.value for one in advice.options} == expected
    best = max(expected.values())
    for option in advice.options:
        assert option.loss == best - option.value
        assert option.established == (option.loss > 0)
        assert option.loss_se == 0
        assert sum(option.parts) == option.value
        if option.points:
            assert option.parts.now >= option.points


@pytest.mark.parametrize("seed", range(6))
def test_few_worlds_are_all_played_out(seed: int) -> None:
    """The mean over every deal and order that the slow twin finds, weighted as it finds them."""
    setup = setup_of("all-fives", TINY, 2)
    states = [one for one in positions(setup, random.Random(seed)) if not one.over]
    state = states[min(len(states) - 1, 2)]
    view = view_of(state, state.turn)
    advice = advise(view)
    if advice.method == "exact":
        pytest.skip("nothing is hidden")
    assert advice.method == "enumerated"
    expected = {}
    for choice in choices(view):
        total = 0.0
        for hands, chance in shares(explanations(view)).items():
            held = {one for hand in hands for one in hand}
            rest = [t.number for t in setup.tiles if t not in held and t not in view.layout.tiles]
            outcomes = [
                play_out(
                    position_from_view(view, [mask_of(hand) for hand in hands], order),
                    choice.first,
                )
                for order in permutations(rest)
            ]
            side = setup.sides[view.seat]
            total += float(chance) * mean(outcome.margin(side) for outcome in outcomes)
        expected[choice.first] = total
    for option in advice.options:
        first = next(one.first for one in choices(view) if one.action == option.action)
        assert option.value == pytest.approx(expected[first])
        assert option.loss_se == 0


def hidden_otherwise(state: State, rng: random.Random) -> State:
    """Return the same position with the tiles that the seat to move cannot see dealt anew."""
    seat = state.turn
    pool = [one for s, hand in enumerate(state.hands) if s != seat for one in hand.tiles]
    pool += state.boneyard.known
    rng.shuffle(pool)
    hands = []
    for s, hand in enumerate(state.hands):
        hands.append(hand if s == seat else Hand(tuple(pool.pop() for _ in hand.tiles)))
    origin = state.origin._replace(
        hands=tuple(
            hand if s == seat else Hand((), hand.size) for s, hand in enumerate(state.origin.hands)
        ),
        boneyard=Boneyard((), state.origin.boneyard.size),
    )
    return state._replace(hands=tuple(hands), boneyard=Boneyard(tuple(pool)), origin=origin)


@pytest.mark.parametrize("players", [2, 3])
def test_advice_does_not_see_hidden_tiles(players: int) -> None:
    """Case C65."""
    setup = setup_of("all-fives", {"deal": {"hand": {2: 7, 3: 5}}}, players)
    rng = random.Random(9)
    for seed in range(4):
        states = [one for one in positions(setup, random.Random(seed)) if not one.over]
        state = states[len(states) // 2]
        other = hidden_otherwise(state, rng)
        ones = advise(view_of(state, state.turn), 30)
        others = advise(view_of(other, other.turn), 30)
        assert ones.options == others.options
        assert ones.unseen == others.unseen


@pytest.mark.parametrize(
    ("rules", "settings", "players", "teams"),
    [
        ("all-fives", SEVENS, 2, False),
        ("all-fives", {"deal": {"hand": {3: 5}}}, 3, False),
        ("block", PAIRS, 4, True),
        ("matador", {"deal": {"hand": {2: 7}}}, 2, False),
        ("bergen", {"deal": {"hand": {3: 6}}}, 3, False),
        ("all-fives", {**SEVENS, "extra_turn": {"after": ["double", "score"]}}, 2, False),
        ("all-fives", {**SEVENS, "draw": {"when": "free", "then": "may_play"}}, 2, False),
    ],
)
def test_parts_add_up_to_the_margin(
    rules: str, settings: dict[str, object], players: int, teams: bool
) -> None:
    setup = setup_of(rules, settings, players, teams=teams)
    for seed in range(3):
        states = [one for one in positions(setup, random.Random(seed)) if not one.over]
        state = states[len(states) // 3]
        advice = advise(view_of(state, state.turn), 40)
        for option in advice.options:
            assert sum(option.parts) == option.value
            assert option.value == pytest.approx(mean(option.margins.values))
        assert [one.value for one in advice.options] == sorted(
            (one.value for one in advice.options), reverse=True
        )
        assert advice.best.loss == 0
        assert all(one.loss >= 0 for one in advice.options)
        assert {str(one.play) for one in advice.options} == {
            "draw" if action.kind == "draw" else apply(state, action)[1].text
            for action in actions_of(state)
        }


def test_a_seat_that_is_not_on_turn_is_not_advised() -> None:
    state = positions(setup_of("all-fives", SEVENS, 2), random.Random(1))[2]
    other = 1 - state.turn
    with pytest.raises(ValueError, match="not the turn"):
        advise(view_of(state, other))


def test_what_can_only_be_drawn_is_forced() -> None:
    for seed in range(20):
        for state in positions(setup_of("all-fives", SEVENS, 2), random.Random(seed)):
            if state.over:
                continue
            kinds = [one.kind for one in actions_of(state)]
            if kinds == ["draw"]:
                advice = advise(view_of(state, state.turn), 20)
                assert advice.forced == "draw"
                assert [one.play for one in advice.options] == ["draw"]
                return
    pytest.fail("nobody had to draw")
