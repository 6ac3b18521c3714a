"""Acceptance cases C44-C62: turns, drawing, passing, set-up, and a misplayed tile."""

from __future__ import annotations

import random
from typing import Any

import pytest
from kit import action, refused, ruleset, run, setup_of, start, tiles

from sniffcli.game.actions import Resign
from sniffcli.game.deal import deal, leader
from sniffcli.game.legal import draw_refusal, legal_plays, pass_refusal
from sniffcli.game.match import begin, new_match
from sniffcli.game.state import Hand, State
from sniffcli.game.turn import apply, verify
from sniffcli.ruleset.loading import load_ruleset

FIVES_AND_TWO_ENDS = {"layout.spinner": "none"}


def c44(**settings: Any) -> State:
    more = {path.replace("__", "."): value for path, value in settings.items()}
    rules = ruleset(settings=FIVES_AND_TWO_ENDS | more)
    table = ["5-2", "5-5 on 5-2", "6-5 on 5-5"]
    return start(rules, ["6-6 1-1", "2-0 4-4"], "4-3 4-1", table=table)


def test_c44_drawing_although_able() -> None:
    state = c44()
    assert refused(state, "draw") == "no drawing while a tile can be played: 6-6"
    assert run(state, "6-6 on 6-5").events[-1].sum == 14
    free = run(c44(draw__when="free"), "draw")
    assert free.turn == 0
    # Keeping 6-6 for a better moment: with ends 3 and 6 it makes 15.
    three = start(ruleset(settings=FIVES_AND_TWO_ENDS), ["6-6 1-1", "2-0"], table=["6-3"])
    event = run(three, "6-6 on 6-3").events[-1]
    assert (event.sum, event.points) == (15, 15)


def test_c46_a_draw_is_no_turn() -> None:
    state = start(ruleset(), ["1-1", "6-6 0-0"], "2-2 3-3 4-1", table=["5-4"])
    state = run(state, "draw", "draw")
    assert state.turn == 0
    state = run(state, "draw")
    assert refused(state, "draw") == "nothing may be drawn: the boneyard is empty"
    assert run(state, "4-1 on 5-4").turn == 1


def test_c46_an_empty_pile_means_passing() -> None:
    state = start(ruleset(), ["1-1", "5-0 0-0"], "2-2", table=["5-4"])
    state = run(state, "draw")
    assert legal_plays(state) == ()
    assert run(state, "pass").turn == 1


def c47(penalty: int = 0) -> State:
    rules = ruleset("block", {"pass.penalty": penalty})
    return start(rules, ["6-1 4-4", "2-1 6-0"], table=["6-2"])


def test_c47_passing_while_holding_a_playable_tile() -> None:
    assert refused(c47(), "pass") == "no passing while a tile can be played: 6-1"
    for penalty in (30, 50):
        state = run(c47(penalty), "pass")
        assert state.scores == (-penalty, 0)
        # It proves nothing about the hand and blocks nothing.
        assert (state.passes, state.turn) == (0, 1)


def test_c47_unknown_hands_are_believed() -> None:
    state = start(ruleset("block"), [2, "2-1 6-0"], table=["6-2"])
    assert verify(state, action(state, "pass")) is None


def c50(*, stands: bool) -> State:
    rules = ruleset(settings=FIVES_AND_TWO_ENDS)
    hands = ["6-4 1-0 2-2", "3-1 6-6 4-2"]
    return run(start(rules, hands, misjoins_stand=stands), "6-4")


def test_c50_a_false_join_is_refused() -> None:
    assert refused(c50(stands=False), "3-1 on 6-4") == ("3-1 cannot go on 6-4: it has no 4 or 6")


def test_c50_a_false_join_that_nobody_noticed_stands() -> None:
    """B joins 3-1 with its 3 to the 6: 1 + 4 = 5 and scores; then 1-0 makes 4."""
    state = run(c50(stands=True), "3-1 on 6-4 at 6 out 1")
    event = state.events[-1]
    assert (event.sum, event.points, event.note) == (5, 5, "false join, let stand")
    state = run(state, "1-0 on 3-1")
    assert (state.scores, state.events[-1].sum, state.events[-1].ends) == ((10, 5), 4, (0, 4))


@pytest.mark.parametrize(("hand", "pile"), [({4: 7}, 0), ({2: 14}, 0), ({2: 9}, 10)])
def test_c52_how_many_tiles_are_dealt(hand: dict[int, int], pile: int) -> None:
    players = next(iter(hand))
    rules = ruleset(
        settings={"players": {"min": players, "max": players}, "deal.hand": hand}
        | ({"players.teams": "none"} if players != 4 else {})
    )
    dealt = deal(setup_of(rules, players), random.Random(1))
    assert [len(one) for one in dealt.hands] == [hand[players]] * players
    assert len(dealt.boneyard) == pile


def test_c52_five_times_seven_is_refused() -> None:
    settings = {"players": {"min": 5, "max": 5, "teams": "none"}, "deal": {"hand": {5: 7}}}
    rules, problems = load_ruleset("all-fives", settings=settings)
    assert rules is None
    assert any("5 players x 7 tiles are more than the 28" in one.message for one in problems)


def test_c54_five_doubles_are_thrown_in() -> None:
    rules = ruleset(settings={"deal.redeal_if": {"doubles": 5}})
    rng = random.Random(3)
    dealt = [deal(setup_of(rules, 2), rng) for _ in range(400)]
    assert sum(one.redeals for one in dealt) > 0
    assert max(sum(t.is_double for t in h) for one in dealt for h in one.hands) == 4
    assert ruleset().deal.redeal_if == "none"
    # After the lead there is no way to throw a hand in.
    hand = "0-0 1-1 2-2 3-3 4-4 6-6 6-5"
    assert run(start(rules, [hand, "5-0 5-1"]), "6-5").over is False


def c55(name: str = "cross", **settings: Any) -> State:
    more = {path.replace("__", "."): value for path, value in settings.items()}
    rules = ruleset(name, more)
    return start(
        rules,
        ["5-5 5-4 3-2", "6-1 6-2 6-3 0-0"],
        "4-3 4-2 6-4",
        table=["6-6", "6-5 on 6-6"],
    )


def test_c55_nothing_else_until_the_cross_is_full() -> None:
    state = c55()
    assert legal_plays(state) == ()
    assert refused(state, "5-5 on 6-5") == (
        "5-5 cannot go on 6-5: 6-6 must be filled first, all 4 faces of it"
    )
    assert draw_refusal(state) is None
    assert refused(state, "pass") == "no passing while a tile may be drawn: draw"
    # Until a tile fits that one may be laid.
    state = run(state, "draw", "draw", "draw")
    assert [str(move.tile) for move in legal_plays(state)] == ["6-4"]


def test_c55_one_tile_only_by_knob() -> None:
    state = run(c55(draw__limit_during_fill=1), "draw")
    assert refused(state, "draw") == "only 1 tile may be drawn in a turn"
    assert run(state, "pass").turn == 1


def test_c55_after_the_cross_is_full() -> None:
    rules = ruleset("cross")
    table = ["6-6", "6-5 on 6-6", "6-1 on 6-6", "6-2 on 6-6", "6-3 on 6-6"]
    state = start(rules, ["5-5 5-4", "5-0 3-2"], table=table)
    state = run(state, "5-5 on 6-5")
    assert state.events[-1].ends == (1, 2, 3, 5)
    # It is no spinner: once its sides are covered nothing more goes there.
    state = run(state, "5-0 on 5-5")
    assert refused(state, "5-4 on 5-5") == (
        "5-4 cannot go on 5-5: both long sides are covered, and 5-5 is not a spinner"
    )


def test_c62_forced_pass_and_forced_draw() -> None:
    passing = start(ruleset("draw"), ["6-6", "6-1"], table=["1-1"])
    assert (legal_plays(passing), pass_refusal(passing)) == ((), None)
    assert draw_refusal(passing) is not None
    drawing = start(ruleset("draw"), ["6-6", "6-1"], "5-4", table=["1-1"])
    assert (legal_plays(drawing), draw_refusal(drawing)) == ((), None)
    assert pass_refusal(drawing) is not None


def test_c62_an_ended_round_takes_no_action() -> None:
    state = run(start(ruleset(), ["6-1", "6-4"], table=["6-3"]), "6-1 on 6-3")
    assert state.over
    assert legal_plays(state) == ()
    for text in ("draw", "pass", "6-4 on 6-1", "Bob: claim", "Bob: finish"):
        assert refused(state, text) == "the round is over"
    assert verify(state, Resign(seat=0)) is not None


# Turn rules of the field -------------------------------------------------------------------------


def test_extra_turn_after_a_double_or_a_score() -> None:
    """Seven-Toed Pete: again and again, and the extra turn may be declined."""
    rules = ruleset("seven-toed-pete")
    hands = ["5-5 5-0 6-5", "2-1 3-1", "3-2 4-2", "4-3 6-3"]
    state = run(start(rules, hands), "5-5")
    assert (state.turn, state.extra) == (0, True)
    state = run(state, "5-0 on 5-5")
    assert (state.turn, state.extra) == (0, True)
    declined = run(state, "pass")
    assert (declined.turn, declined.extra, declined.passes) == (1, False, 0)


def test_forced_extra_turn_is_no_choice() -> None:
    rules = ruleset("seven-toed-pete", {"extra_turn.forced": True})
    state = run(start(rules, ["5-5 5-0 6-1", "2-1", "3-2", "4-3"]), "5-5")
    assert refused(state, "pass") == "no passing while a tile can be played: 5-0"


def test_no_extra_turn_after_a_draw() -> None:
    rules = ruleset(settings={"extra_turn.after": ["double", "score"]})
    state = start(rules, ["1-0 2-0", "6-5 6-4"], "5-5", table=["5-3"])
    state = run(state, "draw", "5-5 on 5-3")
    assert (state.turn, state.extra) == (1, False)


def test_lead_passes_on() -> None:
    """Seven-Toed Pete: a double or a scoring tile must be led, else the lead passes on."""
    rules = ruleset("seven-toed-pete")
    hands = ["6-1 2-1", "6-2 4-1", "6-3 4-2", "6-5 6-0"]
    state = start(rules, hands)
    assert refused(state, "6-1") == "6-1 cannot be led: the lead must be a double or must score"
    state = run(state, "pass")
    assert refused(state, "pass") == "no passing while a tile can be led: 4-1"
    assert refused(state, "6-2").startswith("6-2 cannot be led")
    assert run(state, "4-1").scores[1] == 1


def test_nobody_can_lead_as_the_rules_want_it() -> None:
    rules = ruleset("seven-toed-pete")
    state = start(rules, ["6-1 2-1", "6-2 3-1", "6-3 4-2", "6-5 6-0"])
    state = run(state, "pass", "pass", "pass", "pass")
    assert state.turn == 0
    assert refused(state, "pass") == "nobody could lead as the rules want it: lead any tile"
    assert run(state, "6-1").laid == 1


def test_drawing_for_the_lead() -> None:
    """Merry-Go-Round: the leader must set a double and draws until he has one."""
    rules = ruleset("merry-go-round")
    state = start(rules, ["6-1 2-1", "6-2 3-1"], "5-4 5-3 3-3 2-2")
    assert refused(state, "6-1") == "6-1 cannot be led: the lead must be a double"
    state = run(state, "draw", "draw", "draw")
    assert refused(state, "draw") == "no drawing while a tile can be led: 3-3"
    assert refused(state, "5-4") == "5-4 cannot be led: the lead must be a double"
    assert run(state, "3-3").laid == 1


def test_drawing_for_the_lead_in_vain() -> None:
    """With no double in the whole boneyard any tile may be led, not only the last one drawn."""
    rules = ruleset("merry-go-round")
    state = run(start(rules, ["6-1 2-1", "6-2 3-1"], "5-4 5-3"), "draw", "draw")
    assert {str(move.tile) for move in legal_plays(state)} == {"6-1", "2-1", "5-4", "5-3"}
    assert run(state, "6-1").laid == 1


@pytest.mark.parametrize(("tile", "free"), [("qualifying", False), ("any", True)])
def test_drawing_for_the_double_that_nobody_was_dealt(tile: str, free: bool) -> None:
    """Some play Muggins so: with no double dealt one draws until there is one."""
    settings = {"open": {"first_leader": "highest_double", "tile": tile, "if_none": "draw_until"}}
    rules = ruleset("all-fives", settings)
    state = start(rules, ["6-1 2-1", "6-2 3-1"], "5-4 3-3 2-2")
    assert refused(state, "6-1") == "6-1 cannot be led: a double must be found first"
    state = run(state, "draw", "draw")
    assert refused(state, "draw").startswith("no drawing while a tile can be led")
    if free:
        assert run(state, "6-1").laid == 1
    else:
        assert refused(state, "6-1") == "a double must be led, not 6-1"
        assert run(state, "3-3").laid == 1


def test_highest_tile_leads_where_nobody_holds_a_double() -> None:
    """Equal pips are decided by the larger half, and then any tile may be led (All Threes)."""
    setup = setup_of(ruleset("all-threes"), 2)
    choice = leader(setup, [Hand(tiles("5-4 2-1")), Hand(tiles("6-3 1-0"))])
    assert (choice.seat, choice.must_lead) == (1, None)
    bound = setup_of(ruleset("all-threes", {"open.if_none": "highest_tile"}), 2)
    choice = leader(bound, [Hand(tiles("5-4 2-1")), Hand(tiles("6-3 1-0"))])
    assert (choice.seat, str(choice.must_lead)) == (1, "6-3")


def test_drawing_ends_the_turn() -> None:
    state = start(ruleset("muggins-all-fives"), ["1-0", "6-5"], "6-6 2-2 3-3", table=["6-4"])
    state = run(state, "draw")
    assert (state.turn, state.drawn, state.passes) == (1, 0, 0)


def test_the_reserve_is_never_drawn() -> None:
    state = start(ruleset("all-threes"), ["1-0", "6-5"], "2-2 3-3", table=["6-4"])
    assert refused(state, "draw") == "nothing may be drawn: the last 2 tiles stay in the boneyard"
    assert run(state, "pass").turn == 1


def test_a_drawn_tile_must_may_or_cannot_be_played() -> None:
    def drawn(then: str) -> State:
        rules = ruleset(settings={"draw.then": then})
        return run(start(rules, ["1-0", "4-0"], "6-6 2-2", table=["6-4"]), "draw")

    must = drawn("must_play")
    assert refused(must, "pass") == "no passing while a tile can be played: 6-6"
    assert refused(must, "draw").startswith("6-6 was drawn and can be played")
    may = run(drawn("may_play"), "pass")
    assert (may.turn, may.passes) == (1, 0)


def test_at_most_two_draws() -> None:
    rules = ruleset(settings={"draw.limit": 2})
    state = run(start(rules, ["1-0", "6-5"], "2-2 3-3 1-1", table=["6-4"]), "draw", "draw")
    assert refused(state, "draw") == "only 2 tiles may be drawn in a turn"
    state = run(state, "pass")
    assert (state.turn, state.passes, state.over) == (1, 1, False)


def test_knocks_pay_the_next_who_can_play() -> None:
    rules = ruleset("block", {"pass.bonus": {"per_knock": 1}})
    state = start(rules, ["3-1", "0-0", "6-3 2-2"], table=["6-4"])
    state = run(state, "pass", "pass", "6-3 on 6-4")
    assert state.scores == (0, 0, 2)


def test_a_side_is_out_when_both_partners_are() -> None:
    rules = ruleset("fives-and-threes")
    hands = ["6-1", "6-2 5-5", "1-0 3-3", "2-0 4-4"]
    state = run(start(rules, hands, table=["6-3"], teams=True), "6-1 on 6-3")
    assert not state.over
    # Bob cannot play 6-2 any more, and nothing is drawn in this game.
    state = run(state, "pass", "1-0 on 6-1", "2-0 on 1-0")
    assert state.turn == 1, "Ann has no tiles and is skipped"
    state = run(state, "6-2 on 2-0", "3-3 on 6-3")
    assert state.result is not None
    assert (state.result.how, set(state.result.winners)) == ("out", {0, 2})


def test_matador() -> None:
    """Touching halves add up to seven; matadors go anywhere, and only they follow a blank."""
    rules = ruleset("matador")
    state = start(rules, ["6-1 3-2 0-0", "5-4 2-1"], "1-1 2-2 3-3", table=["5-3"])
    assert "more than one way" in refused(state, "6-1 on 5-3")
    after = run(state, "6-1 on 5-3 at 3 out 6")
    assert after.events[-1].ends == (5, 6)
    after = run(state, "3-2 on 5-3 at 5")
    assert after.events[-1].ends == (3, 3)
    blank = start(rules, ["4-3 6-6", "5-4"], "1-1 2-2 3-3", table=["4-0"])
    assert "only a wild tile" in refused(blank, "6-6 on 0")
    assert run(blank, "4-3 on 0 out 3").events[-1].ends == (3, 4)


def test_matadors_may_be_kept_back_until_only_two_tiles_are_left() -> None:
    rules = ruleset("matador")
    free = start(rules, ["6-1 2-2", "5-4 4-4"], "1-1 3-3 0-0", table=["6-6"])
    assert verify(free, action(free, "draw")) is None
    last = start(rules, ["6-1 2-2", "5-4 4-4"], "1-1 3-3", table=["6-6"])
    assert refused(last, "pass") == "no passing while a tile can be played: 6-1"


def test_maltese_cross_second_ring() -> None:
    """All four doubles must follow before anything else; or each before its own arm grows."""
    full = ["6-6", "6-5 on 6-6", "6-1 on 6-6", "6-2 on 6-6", "6-3 on 6-6"]

    def table(ring: str, hand: str) -> State:
        rules = ruleset("cross", {"layout.second_ring": ring})
        return start(rules, [hand, "1-1 4-1"], table=full)

    every = table("all_arms", "5-4 5-5")
    assert refused(every, "5-4 on 6-5") == (
        "5-4 cannot go on 6-5: this arm must get its own double first"
    )
    assert refused(run(every, "5-5 on 6-5"), "4-1 on 6-1").endswith("its own double first")
    arm = table("per_arm", "5-5 5-4")
    arm = run(arm, "5-5 on 6-5")
    assert refused(arm, "4-1 on 6-1").endswith("its own double first")
    arm = arm._replace(turn=0)
    assert run(arm, "5-4 on 5-5").laid == 2


def test_only_the_first_double_has_a_second_ring() -> None:
    """Where later doubles branch too, their arms need no double."""
    rules = ruleset("double-nine-cross", {"layout.second_ring": "per_arm"})
    full = ["6-6", "6-5 on 6-6", "6-1 on 6-6", "6-2 on 6-6", "6-3 on 6-6", "5-5 on 6-5"]
    state = start(rules, ["5-4 7-4", "8-8"], table=[*full, "5-4 on 5-5"])
    assert run(state, "7-4 on 5-4").laid == 1


def test_one_open_end() -> None:
    """American Tiddly-Wink: the lead has one end, of a plain tile the larger half."""
    rules = ruleset("block", {"layout.open_ends": 1, "open.tile": "any"})
    state = run(start(rules, ["6-2 1-0", "6-5 2-1"]), "6-2")
    assert state.events[-1].ends == (6,)
    assert refused(state, "2-1 on 6-2").startswith("2-1 cannot go on 6-2")
    assert run(state, "6-5 on 6-2").events[-1].ends == (5,)


def test_the_leader_is_drawn_by_lot() -> None:
    match = new_match(setup_of(ruleset(), 3))
    rng = random.Random(11)
    leaders = [begin(match, deal(match.setup, rng), rng).leader for _ in range(60)]
    assert set(leaders) == {0, 1, 2}


def test_resigning_is_always_possible() -> None:
    state = start(ruleset(), ["6-1 2-2", "6-4"], table=["6-3"])
    after, event = apply(state, Resign(seat=1))
    assert after.result is not None
    assert (after.result.how, after.result.winners, event.kind) == ("resigned", (0,), "resign")


def test_hands_are_thrown_in_when_the_leader_by_lot_holds_no_double() -> None:
    settings = {"open": {"tile": "double", "if_none": "redeal"}}
    match = new_match(setup_of(ruleset(settings=settings), 2))
    rng = random.Random(2)
    for _ in range(100):
        state = begin(match, deal(match.setup, rng), rng)
        assert any(tile.is_double for tile in state.hands[state.turn].tiles)
        assert all(move.tile.is_double for move in legal_plays(state))


def test_who_ended_the_round_is_the_winner_who_leads() -> None:
    """Where both partners must be out, the one whose tile ended the round."""
    rules = ruleset("fives-and-threes", {"open.next_leader": "winner"})
    hands = ["6-1", "6-2 5-5", "1-0 3-3", "2-0 4-4"]
    state = start(rules, hands, table=["6-3"], teams=True)
    state = run(state, "6-1 on 6-3", "pass", "1-0 on 6-1", "2-0 on 1-0", "6-2 on 2-0", "3-3 on 6-3")
    assert state.result is not None
    assert leader(state.setup, [Hand(tiles("1-0"))] * 4, state.result).seat == 2
