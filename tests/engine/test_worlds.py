"""The sampler against the slow twin: every deal of small games under every kind of evidence."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from sniffcli.engine.worlds import worlds_of
from sniffcli.game.view import View, view_of

from .small_games import explanations, positions, setup_of, shares, size

SMALL: dict[str, Any] = {"set": {"max_pip": 3}, "match": {"target": 50}}


def rules(**more: Any) -> dict[str, Any]:
    return {**SMALL, **more}


#: Name, parent, house rules, players.
GAMES: list[tuple[str, str, dict[str, Any], int]] = [
    ("draw until playable", "all-fives", rules(deal={"hand": {2: 3}}), 2),
    ("no drawing", "all-fives", rules(deal={"hand": {2: 4}}, draw={"when": "never"}), 2),
    ("no drawing, three", "all-fives", rules(deal={"hand": {3: 2}}, draw={"when": "never"}), 3),
    (
        "one draw and the turn ends",
        "all-fives",
        rules(deal={"hand": {2: 3}}, draw={"limit": 1, "then": "turn_ends"}),
        2,
    ),
    (
        "one draw, three",
        "all-fives",
        rules(deal={"hand": {3: 2}}, draw={"limit": 1, "then": "turn_ends"}),
        3,
    ),
    ("free draw", "all-fives", rules(deal={"hand": {2: 3}}, draw={"when": "free", "limit": 2}), 2),
    (
        "free draw, may keep",
        "all-fives",
        rules(deal={"hand": {2: 3}}, draw={"when": "free", "limit": 1, "then": "may_play"}),
        2,
    ),
    ("two draws", "all-fives", rules(deal={"hand": {2: 3}}, draw={"limit": 2, "reserve": 1}), 2),
    (
        "may keep what was drawn",
        "all-fives",
        rules(deal={"hand": {2: 3}}, draw={"then": "may_play"}),
        2,
    ),
    (
        "extra turns",
        "all-fives",
        rules(deal={"hand": {2: 3}}, extra_turn={"after": ["double", "score"]}),
        2,
    ),
    (
        "forced extra turns",
        "all-fives",
        rules(deal={"hand": {2: 3}}, extra_turn={"after": ["double", "score"], "forced": True}),
        2,
    ),
    (
        "passing at a price",
        "all-fives",
        rules(deal={"hand": {2: 3}}, draw={"when": "never"}, **{"pass": {"penalty": 5}}),
        2,
    ),
    (
        "wild tiles",
        "matador",
        rules(
            deal={"hand": {2: 3}}, draw={"reserve": 1}, open={"first_leader": "lot", "tile": "any"}
        ),
        2,
    ),
    (
        "fill the cross first",
        "sebastopol",
        rules(deal={"hand": {2: 3}}, open={"first_leader": {"holder_of": "3-3"}}),
        2,
    ),
    (
        "highest double leads",
        "all-fives",
        rules(deal={"hand": {2: 3}}, open={"first_leader": "highest_double", "tile": "qualifying"}),
        2,
    ),
    (
        "highest double leads, else the highest tile",
        "all-fives",
        rules(
            deal={"hand": {3: 2}},
            draw={"when": "never"},
            open={
                "first_leader": "highest_double",
                "tile": "qualifying",
                "if_none": "highest_tile_any",
            },
        ),
        3,
    ),
    (
        "the holder of the highest double leads any tile",
        "all-fives",
        rules(deal={"hand": {2: 3}}, open={"first_leader": "highest_double"}),
        2,
    ),
    (
        "lowest double, three",
        "all-fives",
        rules(
            deal={"hand": {3: 2}},
            draw={"limit": 1, "then": "turn_ends"},
            open={"first_leader": "lowest_double"},
        ),
        3,
    ),
    (
        "some double was dealt",
        "all-fives",
        rules(deal={"hand": {2: 2}, "redeal_if": "no_double_dealt"}),
        2,
    ),
    (
        "some double was dealt, and the highest leads",
        "all-fives",
        rules(
            deal={"hand": {3: 2}, "redeal_if": "no_double_dealt"},
            draw={"when": "never"},
            open={"first_leader": "highest_double"},
        ),
        3,
    ),
    (
        "hands full of doubles are thrown in",
        "all-fives",
        rules(deal={"hand": {2: 3}, "redeal_if": {"doubles": 2}}),
        2,
    ),
    (
        "the highest double leads, drawn for if need be",
        "all-fives",
        rules(
            deal={"hand": {2: 2}},
            open={
                "first_leader": "highest_double",
                "tile": "qualifying",
                "if_none": "draw_until",
            },
        ),
        2,
    ),
    (
        "its holder leads any tile, drawn for if need be",
        "all-fives",
        rules(
            deal={"hand": {2: 2}},
            draw={"reserve": 4},
            open={"first_leader": {"holder_of": "3-2"}, "if_none": "draw_until"},
        ),
        2,
    ),
    (
        "a double leads, drawn if need be",
        "all-fives",
        rules(deal={"hand": {2: 3}}, open={"tile": "double", "if_none": "draw_until"}),
        2,
    ),
    (
        "a double leads, else the lead passes",
        "all-fives",
        rules(deal={"hand": {2: 3}}, open={"tile": "double_or_scoring", "if_none": "pass_lead"}),
        2,
    ),
]


def hidden_hands(view: View) -> dict[Any, Fraction]:
    """Return the chance of each spread of the hidden tiles, as the engine enumerates it."""
    worlds = worlds_of(view)
    found: Counter[Any] = Counter()
    for world in worlds.enumerate():
        hands = tuple(tuple(sorted(world.hand(s))) for s in range(view.setup.seats))
        found[hands] += world.weight
    assert len(found) == worlds.consistent_hands
    return shares(found)


@pytest.mark.parametrize("name", [game[0] for game in GAMES])
def test_worlds_are_those_of_the_slow_twin(name: str) -> None:
    _, parent, settings, players = next(game for game in GAMES if game[0] == name)
    setup = setup_of(parent, settings, players)
    compared = 0
    for seed in range(100):
        rng = random.Random(seed)
        states = positions(setup, rng)
        state = states[int(rng.random() * len(states))]
        if not any(event.kind in ("draw", "pass") for event in state.events) and seed % 4:
            continue
        seat = int(rng.random() * players)
        view = view_of(state, seat)
        if size(view) > 3000:
            continue
        expected = explanations(view)
        assert expected, "the true deal explains the record"
        assert hidden_hands(view) == shares(expected), (seed, seat, view.events)
        compared += 1
        if compared == 3:
            break
    assert compared == 3
