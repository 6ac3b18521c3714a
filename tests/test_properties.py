"""Properties of every round and match under any ruleset: nothing is lost, leaked or invented."""

from __future__ import annotations

import os
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit import setup_of
from playthrough import choose
from strategies import rulesets, shipped_rules, shipped_ruleset

from sniffcli.game.actions import (
    Action,
    Catch,
    Claim,
    Draw,
    Finish,
    IllegalAction,
    Keelhaul,
    Pass,
    Play,
    Resign,
)
from sniffcli.game.deal import deal
from sniffcli.game.legal import draw_refusal, legal_plays, pass_refusal
from sniffcli.game.match import Match, after_round, begin, new_match, winners
from sniffcli.game.state import Boneyard, Hand, State
from sniffcli.game.turn import apply, attempt, verify
from sniffcli.game.view import view_of
from sniffcli.ruleset.library import shipped
from sniffcli.ruleset.model import Ruleset
from sniffcli.table.frontier import open_ends
from sniffcli.tiles import Tile

SEEDS = st.integers(0, 2**32)
RULES = st.one_of(shipped_rules(), rulesets())
FEW = settings(max_examples=int(os.environ.get("EXAMPLES", "25")), deadline=None)


def match_of(rules: Ruleset, rng: random.Random) -> Match:
    """A match at some legal number of players, with partners where the lot says so."""
    numbers = rules.legal_players()
    players = numbers[int(rng.random() * len(numbers))]
    teams = rules.teams_required(players)
    if rules.teams_possible(players) and rng.random() < 0.5:
        teams = True
    return new_match(setup_of(rules, players, teams=teams))


def dealt(rules: Ruleset, rng: random.Random) -> tuple[Match, State] | None:
    """A match with its first round, or None for rules under which nothing can be dealt."""
    match = match_of(rules, rng)
    try:
        return match, begin(match, deal(match.setup, rng), rng)
    except ValueError as error:
        if "no deal satisfies" not in str(error):
            raise
        return None


def every_action(state: State, rng: random.Random) -> list[Action]:
    """Actions of all kinds, legal or not, for some seats."""
    seats = range(state.setup.seats)
    pick = lambda: seats[int(rng.random() * len(seats))]  # noqa: E731
    tiles = state.setup.tiles
    tile = tiles[int(rng.random() * len(tiles))]
    on = tiles[int(rng.random() * len(tiles))]
    return [
        Play(seat=state.turn, tile=tile),
        Play(seat=pick(), tile=tile, on=on),
        Play(seat=state.turn, tile=tile, on_pip=on.low, part="tip"),
        Play(seat=state.turn, tile=tile, on=on, at=on.high, out=tile.low),
        Draw(seat=state.turn),
        Draw(seat=pick(), tile=tile),
        Pass(seat=pick()),
        Claim(seat=pick()),
        Claim(seat=pick(), points=5, after=rng.random() * 9),
        Catch(seat=pick(), target=pick()),
        Catch(seat=pick(), target=pick(), after=rng.random() * 9),
        Keelhaul(seat=pick(), target=pick()),
        Finish(seat=pick()),
    ]


def held_tiles(state: State) -> list[Tile]:
    tiles = list(state.layout.tiles)
    for hand in state.hands:
        tiles += hand.tiles
    return tiles + list(state.boneyard.known)


def check_state(state: State) -> None:
    """What holds at every state of every round."""
    assert sorted(held_tiles(state)) == sorted(state.setup.tiles)
    if state.over or state.closing is not None:
        assert legal_plays(state) == ()
        return
    plays = legal_plays(state)
    assert plays or draw_refusal(state) is None or pass_refusal(state) is None
    assert state.hands[state.turn].size
    assert len(state.hands) == state.setup.seats
    ends = open_ends(state.rules, state.frontier)
    # Each tile on the table opens at most four faces.
    assert len(ends) <= 4 * max(1, len(state.layout.placed))
    assert all(0 <= pip <= state.rules.set.max_pip for pip in ends)
    if state.frontier.is_empty:
        assert ends == ()


@FEW
@given(RULES, SEEDS)
def test_rounds(rules: Ruleset, seed: int) -> None:
    """Tiles are conserved, somebody can act, verify and apply agree, credits add up to scores."""
    rng = random.Random(seed)
    begun = dealt(rules, rng)
    if begun is None:
        return
    match, state = begun
    credited = list(match.scores)
    steps = 0
    while not state.over:
        check_state(state)
        for action in every_action(state, rng):
            before = state
            refusal = verify(state, action)
            if refusal is None:
                after, _ = apply(state, action)
                assert sorted(held_tiles(after)) == sorted(state.setup.tiles)
            else:
                assert refusal.message
                with pytest.raises(IllegalAction):
                    apply(state, action)
            assert state == before
        state, event = apply(state, choose(state, rng))
        credited[state.setup.sides[event.seat]] += event.points
        assert list(event.scores) == credited
        steps += 1
        assert steps < 1000
    check_state(state)
    result = state.result
    assert result is not None
    if not rules.match.loser_resets:
        bonus = result.bonus or (0,) * len(credited)
        assert [a + b for a, b in zip(credited, bonus, strict=True)] == list(state.scores)


@FEW
@given(RULES, SEEDS)
def test_replaying_a_prefix_gives_the_same_state(rules: Ruleset, seed: int) -> None:
    """Undo is replaying all but the last action, and nothing of it stays behind (case C09)."""
    rng = random.Random(seed)
    begun = dealt(rules, rng)
    if begun is None:
        return
    _, first = begun
    states = [first]
    while not states[-1].over:
        states.append(apply(states[-1], choose(states[-1], rng))[0])
    actions = [event.action for event in states[-1].events]
    cut = int(rng.random() * len(states))
    again = first
    for action in actions[:cut]:
        again, _ = apply(again, action)
    assert again == states[cut]
    assert attempt(first, actions[0]) == attempt(first, actions[0])


@FEW
@given(RULES, SEEDS)
def test_views_hide_what_a_seat_cannot_know(rules: Ruleset, seed: int) -> None:
    """Swapping tiles that a seat has not seen among the places where they lie changes no view."""
    rng = random.Random(seed)
    begun = dealt(rules, rng)
    if begun is None:
        return
    _, state = begun
    for _ in range(int(rng.random() * 20)):
        if state.over:
            break
        state, _ = apply(state, choose(state, rng))
    if state.over:
        return
    seat = int(rng.random() * state.setup.seats)
    view = view_of(state, seat)
    unseen = sorted(view.unseen)
    shuffled = sorted(unseen, key=lambda _tile: rng.random())
    swap = dict(zip(unseen, shuffled, strict=True))
    assert view_of(swapped(state, swap), seat) == view
    for other in range(state.setup.seats):
        if other != seat:
            assert not set(state.hands[other].tiles) - set(view.unseen)


def swapped(state: State, swap: dict[Tile, Tile]) -> State:
    """The same round with other tiles in the hidden places, in the record too."""

    def turned(tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
        return tuple(swap.get(tile, tile) for tile in tiles)

    def hands(all_of: tuple[Hand, ...]) -> tuple[Hand, ...]:
        return tuple(Hand(turned(hand.tiles), hand.unknown) for hand in all_of)

    events = []
    for event in state.events:
        if event.kind == "draw" and event.tile in swap:
            tile = swap[event.tile]
            action = replace(event.action, tile=tile) if event.action.tile else event.action
            event = event._replace(tile=tile, text=f"draw {tile}", action=action)
        events.append(event)
    last = state.last_drawn
    return state._replace(
        hands=hands(state.hands),
        boneyard=Boneyard(turned(state.boneyard.known), state.boneyard.unknown),
        origin=state.origin._replace(
            hands=hands(state.origin.hands),
            boneyard=Boneyard(turned(state.origin.boneyard.known), 0),
        ),
        must_lead=None if state.must_lead is None else swap.get(state.must_lead, state.must_lead),
        last_drawn=None if last is None else swap.get(last, last),
        events=tuple(events),
    )


@pytest.mark.parametrize("name", shipped())
def test_matches_end(name: str) -> None:
    """A random match of every ruleset comes to its end at every number of players."""

    rules = shipped_ruleset(name)
    rng = random.Random(f"match {name}")
    numbers = rules.legal_players()
    for players in numbers:
        teams = rules.teams_possible(players)
        match = new_match(setup_of(rules, players, teams=teams))
        # A match to a far target starts near it: only its last rounds differ from the others.
        target = match.setup.target
        if target is not None and rules.match.winner_is == "high":
            near = max(0, target - 12)
            match = new_match(match.setup, [near] * match.setup.side_count)
        for _round in range(60):
            state = begin(match, deal(match.setup, rng, match.previous), rng)
            while not state.over:
                state, _ = apply(state, choose(state, rng))
            match = after_round(match, state)
            won = winners(match)
            if won is not None:
                assert won
                break
        else:
            # To an exact target, or six in a row, chance alone may take longer.
            assert rules.match.exact or rules.match.loser_resets


def test_resigning_ends_any_match() -> None:
    rng = random.Random(1)
    for name in shipped():
        begun = dealt(shipped_ruleset(name), rng)
        assert begun is not None
        match, state = begun
        state, _ = apply(state, Resign(seat=0))
        won = winners(after_round(match, state))
        assert won
        assert state.setup.sides[0] not in {state.setup.sides[seat] for seat in won}
