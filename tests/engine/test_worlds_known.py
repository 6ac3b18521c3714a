"""Worlds of positions whose counts can be found by hand, and how fairly they are drawn."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import comb, factorial

import pytest

from sniffcli.engine.counting import BONEYARD
from sniffcli.engine.evidence import gather
from sniffcli.engine.worlds import ContradictionError, Worlds, worlds_of
from sniffcli.game.actions import Action, Draw, Pass, Play
from sniffcli.game.match import new_match, start_round
from sniffcli.game.state import Boneyard, Hand, RoundResult, Setup, State
from sniffcli.game.turn import apply
from sniffcli.game.view import View, view_of
from sniffcli.table.layout import EMPTY_LAYOUT, lead_move
from sniffcli.tiles import Tile, parse_tile

from .small_games import positions, setup_of

BLOCK = {
    "deal": {"hand": {2: 7, 3: 7, 4: 7}, "redeal_if": "none"},
    "open": {"first_leader": "lot", "tile": "any"},
    "draw": {"when": "never"},
}
DRAW = {"deal": {"hand": {2: 7, 3: 5, 4: 5}}}
C57 = "2-2 2-1 3-2 6-2 6-4 6-3 5-2"


def tiles(text: str) -> tuple[Tile, ...]:
    return tuple(parse_tile(one) for one in text.split())


def view(setup: Setup, hand: str, actions: list[Action], first: int = 0) -> View:
    """Return the view of seat 0, which holds HAND at the start; all else is unknown."""
    size = len(hand.split())
    hands = [Hand(tiles(hand)), *(Hand((), size) for _ in range(setup.seats - 1))]
    rest = len(setup.tiles) - size * setup.seats
    state: State = start_round(new_match(setup), hands, Boneyard((), rest), first)
    for action in actions:
        state, _ = apply(state, action)
    return view_of(state, 0)


def play(seat: int, tile: str, on: str | None = None) -> Play:
    return Play(seat=seat, tile=parse_tile(tile), on=None if on is None else parse_tile(on))


def test_what_a_pass_proves() -> None:
    """Case C57."""
    setup = setup_of("block", BLOCK, 2)
    before = worlds_of(view(setup, C57, [play(0, "2-2")]))
    assert before.consistent_hands == 116_280 == comb(21, 7)
    after = worlds_of(view(setup, C57, [play(0, "2-2"), Pass(seat=1)]))
    assert after.consistent_hands == 50_388 == comb(19, 7)
    chances = after.marginals()
    assert chances[Tile(5, 5)] == {1: Fraction(7, 19), BONEYARD: Fraction(12, 19)}
    assert chances[Tile(2, 0)] == chances[Tile(4, 2)] == {BONEYARD: 1}
    assert sum(one.get(1, 0) for one in chances.values()) == 7


def test_four_hands_without_a_boneyard() -> None:
    setup = setup_of("block", BLOCK, 4)
    worlds = worlds_of(view(setup, C57, [play(0, "2-2")]))
    assert worlds.consistent_hands == factorial(21) // factorial(7) ** 3 == 399_072_960
    passed = worlds_of(view(setup, C57, [play(0, "2-2"), Pass(seat=1)]))
    # Neither of two tiles is with the second player: 19 choose 7, then the rest at will.
    assert passed.consistent_hands == comb(19, 7) * comb(14, 7)


def test_a_void_ends_with_the_next_draw() -> None:
    """A tile drawn after a void may carry its number (tutor.md, 4.3: the classic bug)."""
    setup = setup_of("muggins-all-fives", DRAW, 2)
    # One draws one tile and the turn ends; nobody led by a double here.
    loose = setup_of(
        "muggins-all-fives",
        {
            **DRAW,
            "deal": {"hand": {2: 7, 3: 5, 4: 5}, "redeal_if": "none"},
            "open": {"first_leader": "lot", "tile": "any"},
        },
        2,
    )
    assert setup.rules.draw.then == "turn_ends"
    chances = worlds_of(view(loose, C57, [play(0, "2-2"), Draw(seat=1)])).marginals()
    # The tile with a 2 can only be the one just drawn: one of 14 in the boneyard, of which two
    # are certain to have been there.
    deals = comb(19, 7) * 14
    assert chances[Tile(2, 0)] == {1: Fraction(comb(19, 7), deals), BONEYARD: Fraction(13, 14)}


def test_an_older_void_still_covers_what_was_held_then() -> None:
    setup = setup_of("all-fives", {**DRAW, "draw": {"limit": 1, "reserve": 2}}, 2)
    seen = view(setup, C57, [play(0, "2-2"), Draw(seat=1), Pass(seat=1)])
    worlds = worlds_of(seen)
    # Drawn and passed: eight tiles without a 2.
    assert worlds.consistent_hands == comb(19, 8)
    assert worlds.marginals()[Tile(4, 2)] == {BONEYARD: 1}


def test_the_drawn_tile_that_was_laid_is_known() -> None:
    """Draw until playable: what was laid after the draws is the tile drawn last."""
    setup = setup_of("all-fives", DRAW, 2)
    seen = view(
        setup,
        C57,
        [play(0, "2-2"), Draw(seat=1), Draw(seat=1), play(1, "4-2", "2-2")],
    )
    worlds = worlds_of(seen)
    # Seven dealt and one drawn, none with a 2, of the other nineteen.
    assert worlds.consistent_hands == comb(19, 8)
    assert worlds.marginals()[Tile(2, 0)] == {BONEYARD: 1}


def test_free_drawing_proves_nothing() -> None:
    setup = setup_of("all-fives", {**DRAW, "draw": {"when": "free", "then": "may_play"}}, 2)
    worlds = worlds_of(view(setup, C57, [play(0, "2-2"), Draw(seat=1)]))
    assert worlds.consistent_hands == comb(21, 8)


def test_nobody_was_dealt_a_higher_double() -> None:
    setup = setup_of(
        "block", {**BLOCK, "open": {"first_leader": "highest_double", "tile": "qualifying"}}, 2
    )
    worlds = worlds_of(view(setup, C57, [play(1, "4-4")], first=1))
    chances = worlds.marginals()
    assert chances[Tile(6, 6)] == chances[Tile(5, 5)] == {BONEYARD: 1}
    # Six more tiles of the eighteen that are neither 4-4 nor a higher double.
    assert worlds.consistent_hands == comb(18, 6)


def test_events_that_clash_are_named() -> None:
    setup = setup_of("block", BLOCK, 2)
    seen = view(
        setup,
        C57,
        [play(0, "2-2"), Pass(seat=1), play(0, "2-1", "2-2"), play(1, "4-2", "2-2")],
    )
    with pytest.raises(ContradictionError) as caught:
        worlds_of(seen)
    assert caught.value.clash[:2] == (2, 4)
    assert "Bob passed with 2 open (event 2)" in str(caught.value)
    assert "Bob laid 4-2 on 2-2 (event 4)" in str(caught.value)


#: Ann can lay none of these on a 2 or a blank, so she draws.
UNABLE = "2-2 3-3 4-4 5-5 6-6 4-3 6-5"


def test_events_that_clash_are_named_also_beside_draws_that_name_no_tile() -> None:
    """Before Ann's draws the tiles that she lays later are not in her hand."""
    setup = setup_of("all-fives", {**DRAW, "draw": {"limit": 1, "reserve": 2}}, 2)
    seen = view(
        setup,
        UNABLE,
        [
            *(play(0, "2-2"), play(1, "2-1", "2-2")),
            *(Draw(seat=0), play(0, "1-0", "2-1")),
            *(Draw(seat=1), Pass(seat=1)),
            *(Draw(seat=0), play(0, "4-0", "1-0")),
            play(1, "4-2", "2-2"),
        ],
    )
    with pytest.raises(ContradictionError) as caught:
        worlds_of(seen)
    assert caught.value.clash[:2] == (6, 9)
    assert "Bob passed with 0, 2 open (event 6)" in str(caught.value)


def test_a_double_drawn_without_a_name_was_not_dealt() -> None:
    """Bob led the highest double dealt, 4-4; Ann drew 6-6 later, whatever her record names."""
    setup = setup_of(
        "all-fives",
        {**DRAW, "open": {"first_leader": "highest_double", "tile": "qualifying"}},
        2,
    )
    seen = view(
        setup,
        "3-2 3-1 2-2 2-1 1-1 3-0 2-0",
        [
            *(play(1, "4-4"), Draw(seat=0), play(0, "6-4", "4-4")),
            *(play(1, "5-4", "4-4"), Draw(seat=0), play(0, "6-6", "6-4")),
        ],
        first=1,
    )
    assert worlds_of(seen).deals > 0


def test_too_many_voids_clash_with_the_size_of_a_hand() -> None:
    """Each pass alone is possible; together they leave too few tiles."""
    setup = setup_of("block", {**BLOCK, "set": {"max_pip": 2}, "deal": {"hand": {2: 3}}}, 2)
    seen = view(setup, "2-2 2-1 1-1", [play(0, "1-1"), Pass(seat=1)])
    with pytest.raises(ContradictionError) as caught:
        worlds_of(seen)
    assert caught.value.clash.second == 2


def test_worlds_are_drawn_fairly() -> None:
    """Chi-squared of the drawn hands against their exact chances, over several small games."""
    setup = setup_of("all-fives", {"set": {"max_pip": 3}, "deal": {"hand": {2: 3}}}, 2)
    rng = random.Random(5)
    tested = 0
    while tested < 5:
        state = positions(setup, rng)[4:5]
        if not state or state[0].over:
            continue
        worlds = worlds_of(view_of(state[0], 0))
        if worlds.consistent_hands is None or not 2 <= worlds.consistent_hands <= 60:
            continue
        weights: Counter[tuple[int, ...]] = Counter()
        for world in worlds.enumerate():
            weights[world.hands] += world.weight
        total = sum(weights.values())
        many = 6000
        drawn = Counter(worlds.sample(rng).hands for _ in range(many))
        assert set(drawn) <= set(weights)
        squares = sum(
            (drawn[hands] - many * weight / total) ** 2 / (many * weight / total)
            for hands, weight in weights.items()
        )
        free = len(weights) - 1
        # Five standard deviations of the distribution: once in more than a million.
        assert squares < free + 5 * (2 * free) ** 0.5 + 10
        tested += 1


def test_the_boneyard_is_drawn_in_every_order_alike() -> None:
    setup = setup_of("all-fives", {"set": {"max_pip": 2}, "deal": {"hand": {2: 1}}}, 2)
    worlds = worlds_of(view(setup, "2-2", []))
    rng = random.Random(1)
    drawn = Counter(worlds.sample(rng)[:2] for _ in range(12_000))
    # Five hands for the other, 24 orders of the other four tiles.
    assert len(drawn) == 120
    assert all(50 < count < 160 for count in drawn.values())


def test_same_seed_same_worlds() -> None:
    setup = setup_of("all-fives", DRAW, 3)
    seen = view(setup, "2-2 2-1 3-2 6-2 6-4", [play(0, "2-2"), Draw(seat=1)])
    ones, others = (
        [worlds_of(seen).sample(rng) for _ in range(5)]
        for rng in (random.Random(7), random.Random(7))
    )
    assert ones == others


def test_hands_that_do_not_add_up_are_refused() -> None:
    setup = setup_of("block", BLOCK, 2)
    seen = view(setup, C57, [play(0, "2-2")])
    evidence = replace(gather(seen), boneyard=3)
    with pytest.raises(ValueError, match="21 tiles are hidden"):
        Worlds(evidence, 0)


def test_a_false_join_proves_nothing() -> None:
    """Draw until playable, but what was laid does not fit: the drawn tile stays unknown."""
    setup = replace(setup_of("all-fives", DRAW, 2), misjoins_stand=True)
    draws: list[Action] = [play(0, "2-2"), Draw(seat=1)]
    honest = worlds_of(view(setup, C57, [*draws, play(1, "4-2", "2-2")]))
    # The tile drawn was laid; seven others, none with a 2.
    assert honest.consistent_hands == comb(19, 7)
    joined = replace(play(1, "6-5", "2-2"), out=6)
    false = worlds_of(view(setup, C57, [*draws, joined]))
    # 6-5 may have been dealt; then what was drawn may be any tile at all.
    assert false.marginals()[Tile(2, 0)].get(1, 0) > 0


def test_a_round_that_starts_from_a_layout_tells_counts_only() -> None:
    setup = setup_of("block", {**BLOCK, "open": {"first_leader": "highest_double"}}, 2)
    move = lead_move(setup.rules, Tile(2, 2))
    state = start_round(
        new_match(setup),
        [Hand(tiles("3-2 6-6")), Hand((), 3)],
        Boneyard((), 22),
        0,
        layout=EMPTY_LAYOUT.with_move(setup.rules, move),
        frontier=move.frontier,
        passes=1,
    )
    worlds = worlds_of(view_of(state, 0))
    assert worlds.consistent_hands == comb(25, 3)
    assert set(map(len, worlds.marginals().values())) == {2}


def test_a_leader_who_won_the_round_before_shows_no_double() -> None:
    """Only a leader found by a tile tells about doubles."""
    rules = {"first_leader": "highest_double", "tile": "qualifying", "next_leader": "winner"}
    setup = setup_of("block", {**BLOCK, "open": rules}, 2)
    won = RoundResult("out", (1,), (0, 10), False, 0, 1, (10, 0))
    match = new_match(setup)._replace(scores=(0, 10), results=(won,))
    state = start_round(match, [Hand(tiles(C57)), Hand((), 7)], Boneyard((), 14), 1)
    state, _ = apply(state, play(1, "4-4"))
    assert worlds_of(view_of(state, 0)).consistent_hands == comb(20, 6)
