"""Random small games, and the same record under every other deal: the slow twin of the sampler.

Nothing here asks the engine. A deal explains a record when the game itself lets each player, with
the hand that this deal gives him, do exactly what he did.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations
from math import comb, perm
from typing import Any

from sniffcli.game.actions import Action, Draw, Pass
from sniffcli.game.deal import deal, leader, thrown_in
from sniffcli.game.legal import legal_plays
from sniffcli.game.match import begin, new_match, sides_of, start_round
from sniffcli.game.plays import named
from sniffcli.game.state import Boneyard, Hand, Setup, State
from sniffcli.game.turn import apply, attempt, verify
from sniffcli.game.view import View
from sniffcli.ruleset.loading import load_ruleset
from sniffcli.tiles import Tile


def setup_of(rules: str, settings: dict[str, Any], players: int, *, teams: bool = False) -> Setup:
    """Return the setup of a game under house rules."""
    seats = {"players": {"min": players, "max": players, "teams": "none"}}
    ruleset, problems = load_ruleset(rules, settings={**settings, **seats})
    assert ruleset is not None, [str(one) for one in problems]
    names = ("Ann", "Bob", "Cy", "Di", "Ed")[:players]
    return Setup(ruleset, names, sides_of(players, teams=teams))


def actions_of(state: State) -> list[Action]:
    """Return what the seat to move may do, claims left aside."""
    seat = state.turn
    found: list[Action] = [
        named(seat, state.setup, state.layout, state.frontier, move) for move in legal_plays(state)
    ]
    found += [Draw(seat=seat), Pass(seat=seat)]
    return [one for one in found if verify(state, one) is None]


def started(setup: Setup, rng: random.Random) -> State:
    """Deal a round."""
    match = new_match(setup)
    return begin(match, deal(setup, rng), rng)


def positions(setup: Setup, rng: random.Random, most: int = 60) -> list[State]:
    """Play a round at random and return its states, the start included."""
    state = started(setup, rng)
    states = [state]
    while not state.over and state.closing is None and len(states) < most:
        actions = actions_of(state)
        if not actions:
            break
        state, _ = apply(state, actions[int(rng.random() * len(actions))])
        states.append(state)
    return states


def explanations(view: View) -> Counter[tuple[tuple[Tile, ...], ...]]:
    """Return the hands of now, by how many deals (with the order of what was drawn) explain them.

    The order of the tiles that are still in the boneyard is left aside: it is free.
    """
    setup, me = view.setup, view.seat
    sizes = [hand.size for hand in view.origin.hands]
    draws = [event for event in view.events if event.kind == "draw"]
    mine_drawn = [event.tile for event in draws if event.seat == me]
    dealt_to_me = view.origin.hands[me].tiles
    rest = [one for one in setup.tiles if one not in dealt_to_me and one not in mine_drawn]
    found: Counter[tuple[tuple[Tile, ...], ...]] = Counter()
    theirs = [event for event in draws if event.seat != me]
    for hands in _spreads(rest, [0 if s == me else size for s, size in enumerate(sizes)]):
        dealt = [tuple(dealt_to_me) if s == me else hands[s] for s in range(setup.seats)]
        if view.origin.found and not _leads(view, dealt):
            continue
        if not view.origin.found and _thrown_in_anyway(view, dealt):
            continue
        left = [one for one in rest if not any(one in hand for hand in hands)]
        for order in permutations(left, len(theirs)):
            drawn = dict(zip((event.n for event in theirs), order, strict=True))
            if all(_lawful(view, seat, dealt[seat], drawn) for seat in range(setup.seats)):
                found[_now(view, dealt, drawn)] += 1
    return found


def size(view: View) -> int:
    """Return how many deals `explanations` has to try."""
    me = view.seat
    theirs = sum(event.kind == "draw" and event.seat != me for event in view.events)
    mine = sum(event.kind == "draw" and event.seat == me for event in view.events)
    left = len(view.setup.tiles) - view.origin.hands[me].size - mine
    count = 1
    for seat, hand in enumerate(view.origin.hands):
        if seat != me:
            count *= comb(left, hand.size)
            left -= hand.size
    return count * perm(left, theirs)


def _spreads(tiles: list[Tile], sizes: list[int]) -> list[tuple[tuple[Tile, ...], ...]]:
    if not sizes:
        return [()]
    return [
        (chosen, *others)
        for chosen in combinations(tiles, sizes[0])
        for others in _spreads([one for one in tiles if one not in chosen], sizes[1:])
    ]


def _leads(view: View, dealt: list[tuple[Tile, ...]]) -> bool:
    hands = tuple(Hand(hand) for hand in dealt)
    if thrown_in(view.setup, tuple(dealt), None):
        return False
    choice = leader(view.setup, hands)
    lead = next((event.tile for event in view.events if event.kind == "play"), None)
    if choice.seat != view.leader:
        return False
    return choice.must_lead is None or lead is None or lead == choice.must_lead


def _thrown_in_anyway(view: View, dealt: list[tuple[Tile, ...]]) -> bool:
    redeal = view.setup.rules.deal.redeal_if
    doubles = [sum(one.is_double for one in hand) for hand in dealt]
    if redeal == "no_double_dealt":
        return not any(doubles)
    return redeal != "none" and max(doubles) >= redeal.count


def _lawful(view: View, seat: int, hand: tuple[Tile, ...], drawn: dict[int, Tile]) -> bool:
    """Whether the game lets SEAT do what it did; all other hands are left unknown."""
    hands = [
        Hand(hand) if s == seat else Hand((), one.size) for s, one in enumerate(view.origin.hands)
    ]
    must = None
    if view.origin.found and view.setup.rules.open.tile == "qualifying" and seat == view.leader:
        must = next((event.tile for event in view.events if event.kind == "play"), None)
    state = start_round(
        new_match(view.setup),
        hands,
        Boneyard((), view.origin.boneyard.size),
        view.leader,
        must_lead=None if must is None or must not in hand else must,
    )
    for event in view.events:
        action = event.action
        if isinstance(action, Draw) and event.seat == seat and event.tile is None:
            action = replace(action, tile=drawn[event.n])
        if state.over:
            # Hands that nobody knows make a pass count that was made while able to play.
            state = state._replace(result=None, passes=0)
        done = attempt(state, action)
        if not isinstance(done, tuple):
            return False
        state = done[0]
    return state.turn == view.turn or view.result is not None


def _now(
    view: View, dealt: list[tuple[Tile, ...]], drawn: dict[int, Tile]
) -> tuple[tuple[Tile, ...], ...]:
    """Return the hands of now."""
    hands = [set(hand) for hand in dealt]
    for event in view.events:
        if event.kind == "draw":
            tile = event.tile or drawn[event.n]
            hands[event.seat].add(tile)
        elif event.kind == "play":
            hands[event.seat].discard(event.tile)
    return tuple(tuple(sorted(hand)) for hand in hands)


def shares(counts: Counter[Any]) -> dict[Any, Fraction]:
    """Return counts as parts of their sum."""
    total = sum(counts.values())
    return {key: Fraction(count, total) for key, count in counts.items()}
