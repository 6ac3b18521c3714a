"""Acceptance cases C24-C41: the end of a hand, ties and targets, with every answer by its knob."""

from __future__ import annotations

import random
from typing import Any

import pytest
from kit import refused, ruleset, run, setup_of, start, tiles

from sniffcli.game.deal import leader
from sniffcli.game.legal import is_blocked, legal_plays
from sniffcli.game.match import Match, after_round, new_match, winners
from sniffcli.game.settle import pay_blocked, pay_out, rounded
from sniffcli.game.state import Hand, State

UK = "fives-and-threes"
EXACT_PIPS = {"round_end.round": {"to": 0}}


def blocked_round(
    settings: dict[str, Any],
    *hands: str,
    teams: bool = False,
    base: str = "all-fives",
    table: str = "2-1",
) -> State:
    """A round in which the seats hold HANDS and nobody can do anything but pass."""
    rules = ruleset(base, {"draw.when": "never", **settings})
    state = start(rules, hands, table=[table], teams=teams)
    return run(state, "pass")


def after(state: State) -> Match:
    return after_round(new_match(state.setup), state)


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("nearest", [20, 20, 25, 25]),
        ("down", [20, 20, 20, 25]),
        ("up", [25, 25, 25, 25]),
        (None, [21, 22, 23, 25]),
    ],
)
def test_c24_rounding(mode: str | None, expected: list[int]) -> None:
    settings = {"round_end.round": {"to": 5, "mode": mode} if mode else {"to": 0}}
    rounding = ruleset(settings=settings).round_end.round
    assert [rounded(rounding, pips) for pips in (21, 22, 23, 25)] == expected


def test_c24_single_hands() -> None:
    rounding = ruleset().round_end.round
    assert (rounded(rounding, 3), rounded(rounding, 2)) == (5, 0)


@pytest.mark.parametrize(
    ("settings", "hands", "paid"),
    [
        (EXACT_PIPS | {"round_end.blocked.award": "opponents_minus_own"}, ["2-1", "6-5"], 8),
        (
            EXACT_PIPS | {"round_end.blocked.award": "opponents_minus_own"},
            ["2-1", "6-5", "5-4"],
            17,
        ),
        ({}, ["2-1", "6-5"], 10),
        ({}, ["2-1", "6-5", "5-4"], 20),
    ],
)
def test_c26_the_winners_own_pips(settings: dict[str, Any], hands: list[str], paid: int) -> None:
    setup = setup_of(ruleset(settings=settings), len(hands))
    held = [Hand(tiles(one)) for one in hands]
    pips = [sum(tile.pips for tile in hand.tiles) for hand in held]
    bonus = pay_blocked(setup, held, pips, 0, 0).bonus
    assert bonus is not None
    assert bonus[0] == paid
    assert set(bonus[1:]) == {0}


@pytest.mark.parametrize(("double", "to_five"), [("both", 10), ("single", 5)])
def test_c27_a_double_in_hand(double: str, to_five: int) -> None:
    rules = ruleset(settings={"round_end.hand_double": double})
    state = run(start(rules, ["6-1", "4-4 2-1"], table=["6-3"]), "6-1 on 6-3")
    assert state.result is not None
    assert state.result.pips == (0, 11 if double == "both" else 7)
    assert state.scores == (to_five, 0)
    # Counting on the table is not touched by it.
    assert run(start(rules, ["4-4 6-5", "4-0"], table=["4-1"]), "4-4 on 4-1").events[-1].sum == 9


@pytest.mark.parametrize(
    ("rule", "leads"), [("same", 0), ("as_first", 1), ("lot", None), ("rotate", 1)]
)
def test_c30_blocked_with_equal_pips(rule: str, leads: int | None) -> None:
    """A holds 3-3, B 6-0: nobody scores and nobody has won; who leads next is a knob."""
    settings = {
        "open": {"first_leader": "highest_double", "next_leader_after_tie": rule},
        "score.kind": "none",
    }
    state = blocked_round(settings, "3-3", "6-0", base="block")
    assert state.result is not None
    assert (state.result.how, state.result.winners, state.scores) == ("blocked", (), (0, 0))
    next_hands = [Hand(tiles("5-5 1-0")), Hand(tiles("6-6 2-0"))]
    assert leader(state.setup, next_hands, after(state).previous).seat == leads


def test_c32_ladder() -> None:
    """4, 9 and 15: each gets the difference to every higher hand; or the lowest takes all."""
    held = [Hand(tiles(one)) for one in ("3-1", "5-4", "6-6 2-1")]
    ladder = setup_of(ruleset(settings=EXACT_PIPS | {"round_end.blocked.award": "cascade"}), 3)
    assert pay_blocked(ladder, held, (4, 9, 15), 0, 0).bonus == (16, 6, 0)
    assert pay_blocked(setup_of(ruleset(), 3), held, (4, 9, 15), 0, 0).bonus == (25, 0, 0)


def test_c33_the_heavier_side_can_win() -> None:
    hands = ("1-0", "2-1", "6-6 6-5", "4-0")
    held = [Hand(tiles(one)) for one in hands]
    pips = [sum(tile.pips for tile in hand.tiles) for hand in held]

    def paid(winner: str, **more: Any) -> tuple[int, ...] | None:
        settings = {"round_end.blocked.winner": winner, **more}
        return pay_blocked(
            setup_of(ruleset(settings=settings), 4, teams=True), held, pips, 0, 0
        ).bonus

    assert paid("lowest_player", **EXACT_PIPS) == (7, 0)
    assert paid("lowest_player") == (5, 0)
    assert paid("lowest_team", **EXACT_PIPS) == (0, 24)
    assert paid("lowest_team") == (0, 25)


def c35(bob: str, boneyard: str) -> State:
    return start(ruleset("draw"), ["6-6", bob], boneyard, table=["1-1"])


def test_c35_not_blocked_while_somebody_can_play() -> None:
    state = c35("6-1", "")
    assert not is_blocked(state)
    state = run(state, "pass")
    assert not state.over
    assert [str(move.tile) for move in legal_plays(state)] == ["6-1"]


def test_c35_blocked() -> None:
    state = c35("5-5", "")
    assert is_blocked(state)
    state = run(state, "pass")
    assert state.result is not None
    assert (state.result.how, state.result.winners) == ("blocked", (1,))


def test_c35_not_blocked_while_a_tile_may_be_drawn() -> None:
    state = c35("5-5", "4-3")
    assert not is_blocked(state)
    assert refused(state, "pass") == "no passing while a tile may be drawn: draw"
    # The drawn tile fits nowhere, and now nobody can move: the round is over.
    assert run(state, "draw").over


def uk(score: int, hand: str, table: list[str], last: str) -> State:
    state = start(ruleset(UK), [hand, "2-2 1-1"], scores=[score, 0], table=table)
    return run(state, last)


def test_c37_a_score_that_passes_is_void_and_the_hand_goes_on() -> None:
    state = uk(58, "6-6 1-0", ["6-0"], "6-6 on 6-0")
    assert (state.events[-1].worth, state.scores, state.over) == (4, (58, 0), False)


def test_c37_last_tile_and_going_out_together() -> None:
    void = uk(59, "5-4", ["4-1"], "5-4 on 4-1")
    assert (void.events[-1].sum, void.scores, void.over) == (6, (59, 0), True)
    assert "void" in void.events[-1].note
    assert winners(after(void)) is None
    wins = uk(59, "4-2", ["4-1"], "4-2 on 4-1")
    assert (wins.events[-1].sum, wins.scores) == (3, (61, 0))
    assert winners(after(wins)) == (0,)


@pytest.mark.parametrize(("tile", "total"), [("2-1 on 1-1", 4), ("3-1 on 1-1", 5)])
def test_c37_sixty_and_a_score_of_one_wins_in_mid_hand(tile: str, total: int) -> None:
    state = uk(60, f"{tile.split()[0]} 6-6", ["1-1"], tile)
    assert state.events[-1].sum == total
    if total == 5:
        assert state.result is not None
        assert (state.result.how, state.scores) == ("target", (61, 0))


def test_c37_sixty_and_a_score_of_two_stays() -> None:
    state = uk(60, "5-4 6-6", ["4-1"], "5-4 on 4-1")
    assert (state.scores, state.over) == ((60, 0), False)


@pytest.mark.parametrize(
    ("score", "table", "play", "after_it"),
    [
        (70, ["6-0"], "6-6 on 6-0", 70),
        (71, ["6-3"], "6-6 on 6-3", 65),
        (68, ["6-0"], "6-6 on 6-0", 72),
    ],
)
def test_c38_bounce(score: int, table: list[str], play: str, after_it: int) -> None:
    """To 72 on a home computer: what is too much counts back."""
    settings = {"match": {"target": 72, "exact": True, "overshoot": "bounce"}}
    state = start(ruleset(UK, settings), ["6-6 1-0", "2-2 1-1 6-1"], scores=[score, 0], table=table)
    assert run(state, play).scores[0] == after_it


def test_c40_first_score_must_be_ten() -> None:
    """5, 10, 5 and in the next hand 5 again leave 0, 10, 15 and 20."""
    rules = ruleset(settings={"score.entry_minimum": 10, "layout.spinner": "none"})
    state = start(rules, ["5-0 5-5 6-1", "0-0 5-1 4-2"])
    state = run(state, "5-0")
    assert state.scores == (0, 0)
    assert "at least 10" in state.events[-1].note
    state = run(state, "0-0 on 5-0", "5-5 on 5-0")
    assert state.scores == (10, 0)
    assert 0 in state.entered
    match = Match(state.setup, state.scores, state.entered)
    from sniffcli.game.match import start_round
    from sniffcli.game.state import Boneyard

    again = start_round(match, [Hand(tiles("4-1 6-6")), Hand(tiles("2-2 4-0"))], Boneyard(), 0)
    assert run(again, "4-1").scores == (15, 0)


def test_c40_a_hand_bonus_before_the_entry_is_paid_and_enters_nobody() -> None:
    rules = ruleset(settings={"score.entry_minimum": 10})
    state = run(start(rules, ["6-1", "4-3 2-1"], table=["6-3"]), "6-1 on 6-3")
    assert (state.scores, state.entered) == ((10, 0), frozenset())


def test_c41_below_zero() -> None:
    own = {"round_end.out.award": "own_pips_lost"}
    setup = setup_of(ruleset(settings=own), 2)
    assert pay_out(setup, 1, (13, 0)).bonus == (-15, 0)
    assert pay_out(setup, 1, (12, 0)).bonus == (-10, 0)
    rules = ruleset(settings=own)
    state = start(rules, ["6-6 1-0", "6-1"], leader=1, scores=[0, 10], table=["6-3"])
    assert run(state, "6-1 on 6-3").scores == (-15, 10)
    # What only some of them lose can leave others above zero; both signs are kept.
    both = own | {"round_end.blocked.award": "own_pips_lost"}
    held = [Hand(tiles("6-6 1-0")), Hand(tiles("1-1"))]
    assert pay_blocked(setup_of(ruleset(settings=both), 2), held, (13, 2), 0, 0).bonus == (-15, 0)


# Targets and matches ----------------------------------------------------------------------------


def settled(settings: dict[str, Any], scores: list[int], *, base: str = "all-fives") -> Match:
    """A match after a round in which Ann went out and got Bob's 10 pips."""
    rules = ruleset(base, settings)
    state = start(rules, ["6-1", "6-4"], scores=scores, table=["6-3"])
    return after(run(state, "6-1 on 6-3"))


def test_target_is_tested_at_once_or_at_the_end_of_the_round() -> None:
    plays = (["5-5 1-0", "5-4 2-0"], "5-5")
    at_once = start(ruleset(settings={"match.target": 50}), plays[0], scores=[40, 45])
    state = run(at_once, plays[1])
    assert state.result is not None
    assert (state.result.how, state.result.winners, state.scores) == ("target", (0,), (50, 45))
    later = {"match": {"target": 50, "check": "round_end"}}
    assert not run(start(ruleset(settings=later), plays[0], scores=[40, 45]), plays[1]).over


def test_equal_scores_at_the_target() -> None:
    share = {"match": {"target": 50, "check": "round_end"}}
    assert winners(settled(share, [40, 50])) == (0, 1)
    again = {"match": {"target": 50, "check": "round_end", "tie": "extra_round"}}
    assert winners(settled(again, [40, 50])) is None
    assert winners(settled(again, [45, 50])) == (0,)


def test_lowest_score_wins_where_the_ruleset_says_so() -> None:
    low = {"match": {"target": 50, "winner_is": "low", "check": "round_end"}}
    assert winners(settled(low, [45, 30])) == (1,)
    assert winners(settled(low, [30, 45])) is None


def test_number_of_rounds() -> None:
    rounds = {"match": {"target": None, "rounds": 1}}
    assert winners(settled(rounds, [0, 30])) == (1,)
    assert winners(settled({"match": {"target": None, "rounds": 2}}, [0, 30])) is None
    extra = {"match": {"target": None, "rounds": 1, "tie": "extra_round"}}
    assert winners(settled(extra, [20, 30])) is None


def test_losers_reset() -> None:
    """Six in a row: who loses a round starts again from nothing."""
    reset = {"match": {"target": 6, "loser_resets": True}, "round_end.out.award": {"fixed": 1}}
    assert settled(reset | {"score.kind": "none"}, [2, 5]).scores == (3, 0)


def test_a_blocked_round_is_replayed() -> None:
    state = blocked_round({"round_end.blocked.tie": "replay"}, "3-3", "6-0", base="block")
    match = after(state)
    assert state.result is not None
    assert state.result.replay
    assert (match.rounds_played, match.scores) == (0, (0, 0))


@pytest.mark.parametrize(("tie", "winner"), [("opener_side", 0), ("blocker", 1), ("none", None)])
def test_equal_hands_by_who_opened_or_blocked(tie: str, winner: int | None) -> None:
    settings = {"round_end.blocked.tie": tie}
    held = [Hand(tiles("3-3")), Hand(tiles("6-0"))]
    setup = setup_of(ruleset("block", settings), 2)
    payment = pay_blocked(setup, held, (6, 6), 0, 1)
    assert payment.winners == (() if winner is None else (winner,))


def test_a_tie_that_was_given_to_one_side_is_no_tie_for_the_next_lead() -> None:
    settings = {
        "round_end.blocked.tie": "opener_side",
        "open": {"next_leader": "winner", "next_leader_after_tie": "rotate"},
    }
    state = blocked_round(settings, "3-3", "6-0", base="block")
    assert state.result is not None
    assert (state.result.tied, state.result.winners) == (True, (0,))
    hands = [Hand(tiles("5-5 1-0")), Hand(tiles("6-6 2-0"))]
    assert leader(state.setup, hands, state.result).seat == 0


def test_who_leads_after_each_end_of_a_round() -> None:
    hands = [Hand(tiles("5-5 1-0")), Hand(tiles("6-6 2-0")), Hand(tiles("4-4 3-0"))]

    def leads(state: State) -> int | None:
        return leader(state.setup, hands, after(state).previous).seat

    rules = ruleset()
    state = start(rules, ["6-2 5-4", "6-1", "6-4"], leader=1, table=["6-3"])
    assert leads(run(state, "6-1 on 6-3")) == 1  # who went out
    assert leads(blocked_round({}, "6-5", "3-0", "6-0")) is None  # by lot
    lowest = {"open.next_leader_after_block": "lowest"}
    assert leads(blocked_round(lowest, "6-5", "3-0", "6-0")) == 1
    rotate = {"open": {"next_leader": "rotate", "next_leader_after_block": "as_next"}}
    assert leads(blocked_round(rotate, "6-5", "3-0", "6-0")) == 1


def test_winning_team_leads_with_its_lighter_hand() -> None:
    rules = ruleset("jamaican")
    hands = ["6-1", "5-5", "4-4 4-0", "3-3"]
    state = run(start(rules, hands, table=["6-3"], teams=True), "6-1 on 6-3")
    again = [Hand(tiles(one)) for one in ("6-6 1-0", "5-5 2-0", "4-4 3-0", "3-3 5-0")]
    assert leader(state.setup, again, after(state).previous).seat == 0


def test_resigning_gives_the_match_to_the_best_of_the_others() -> None:
    from sniffcli.game.actions import Resign
    from sniffcli.game.turn import apply

    state = start(ruleset(), ["6-1", "6-2", "6-3"], scores=[50, 20, 30])
    state, _ = apply(state, Resign(seat=0))
    assert winners(after(state)) == (2,)


def test_deals_are_thrown_in_until_the_ruleset_is_content() -> None:
    from sniffcli.game.deal import deal

    setup = setup_of(ruleset("muggins-all-fives"), 2)
    rng = random.Random(5)
    dealt = [deal(setup, rng) for _ in range(300)]
    assert all(any(t.is_double for hand in one.hands for t in hand) for one in dealt)
    # Ten tiles without a double come in 2.7 % of the deals (rules research, 4.2, number 29).
    assert 1 <= sum(one.redeals for one in dealt) <= 25


def test_partners_of_all_fives_add_their_hands_as_shipped() -> None:
    """The fewest pips of a player or team (rules research, 2.1)."""
    state = blocked_round({}, "1-0", "2-0", "6-6 6-4", "4-0", teams=True, table="5-3")
    assert state.result is not None
    assert (set(state.result.winners), state.scores) == ({1, 3}, (0, 25))
