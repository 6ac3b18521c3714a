"""Claims: C1-C5 of the rules research, case C42, and "How claims run" of the contract (4)."""

from __future__ import annotations

from typing import Any

import pytest
from kit import action, refused, ruleset, run, start

from sniffcli.game.state import State
from sniffcli.game.turn import apply, verify

#: Foster: the adversary marks a false claim, and takes what is not claimed.
FOSTER = {
    "claim.mode": "declare",
    "claim.rivals": "any",
    "claim.rivals_until": "tile_after_next",
    "claim.false_claim": "penalty",
}


def dreamtime(*hands: str, boneyard: str = "", **more: Any) -> State:
    return start(ruleset("dreamtime-sniff"), hands, boneyard, **more)


def guide(*hands: str, boneyard: str = "6-3 6-4", **more: Any) -> State:
    return start(ruleset("muggins-all-fives"), hands, boneyard, **more)


def leading_fifteen(**more: Any) -> State:
    """Ann has just made 15 on 6-6 with 6-3, and the clock runs."""
    hands = ("6-3 4-1 2-1", "3-0 3-2 6-2", "1-0 2-0 4-0")
    return run(dreamtime(*hands, table=["6-6"], **more), "6-3 on 6-6")


# C1 and C2: Dreamtime Sniff --------------------------------------------------------------------


def test_c1_a_missed_score_is_stolen_with_a_bounty() -> None:
    state = run(leading_fifteen(), "Bob: catch Ann after 7.5s")
    assert state.scores == (0, 20, 0)
    assert state.events[-1].points == 20
    assert state.tings == (0, 1, 0)


def test_c2_claimed_at_six_point_nine() -> None:
    state = run(leading_fifteen(), "Ann: claim 15 after 6.9s")
    assert state.scores == (15, 0, 0)
    assert state.tings == (1, 0, 0)


def test_at_seven_seconds_the_owner_is_late_and_rivals_are_in_time() -> None:
    state = leading_fifteen()
    assert "too late" in refused(state, "Ann: claim 15 after 7s")
    assert "too early" in refused(state, "Bob: catch Ann after 6.9s")
    assert run(state, "Bob: catch Ann after 7s").scores == (0, 20, 0)


def test_nobody_lays_a_tile_before_the_claim_or_its_expiry() -> None:
    state = leading_fifteen()
    assert "Ann has 7 s to claim" in refused(state, "3-0 on 6-3 after 3s")
    assert run(state, "3-0 on 6-3 after 7s").scores == (0, 0, 0)
    claimed = run(state, "Ann: claim after 1s", "3-0 on 6-3 after 1s")
    assert claimed.scores == (15, 0, 0)


def test_an_undated_play_waits_until_the_claim_has_expired() -> None:
    state = run(leading_fifteen(), "3-0 on 6-3")
    assert state.events[-1].time == 7
    assert [one.seat for one in state.events[-1].missed] == [0]


def test_a_catch_closes_with_the_next_tile() -> None:
    state = run(leading_fifteen(), "3-0 on 6-3 after 8s")
    assert "no unclaimed score" in refused(state, "Cy: catch Ann")


def test_an_undated_catch_happens_when_it_is_allowed() -> None:
    state = run(leading_fifteen(), "Bob: catch Ann")
    assert state.events[-1].time == 7
    assert state.scores == (0, 20, 0)


def test_only_the_first_rival_catches() -> None:
    state = run(leading_fifteen(), "Cy: catch Ann after 8s")
    assert "no unclaimed score" in refused(state, "Bob: catch Ann after 8s")
    assert "only a rival's score" in refused(leading_fifteen(), "Ann: catch Ann after 8s")


def test_a_wrong_claim_is_void_and_may_be_repeated_in_time() -> None:
    state = run(leading_fifteen(), "Ann: claim 10 after 2s", "Ann: claim 15 after 4s")
    assert state.scores == (15, 0, 0)
    assert "15" in state.events[-2].note
    late = run(leading_fifteen(), "Ann: claim 10 after 2s")
    assert "too late" in refused(late, "Ann: claim 15 after 7.2s")


def test_time_does_not_run_backwards() -> None:
    state = run(leading_fifteen(), "Ann: claim 10 after 5s")
    assert "before" in refused(state, "Ann: claim 15 after 4s")


def test_a_row_of_tings_ends_with_a_missed_claim() -> None:
    state = dreamtime("5-0 5-4 3-2", "5-5 1-0", "4-0 2-0", leader=0)
    state = run(state, "5-0", "Ann: claim 5", "5-5 on 5-0", "Bob: claim 10")
    assert state.tings == (1, 1, 0)
    state = run(state, "4-0 on 5-0", "5-4 on 4-0", "Ann: claim 15")
    assert state.tings == (2, 1, 0)


def test_tings_are_for_people() -> None:
    state = run(leading_fifteen(bots=[0]), "Ann: claim 15")
    assert state.tings == (0, 0, 0)


def test_last_tile_is_open_until_claimed_caught_or_finished() -> None:
    """The last tile makes 15; Bob holds 3-0 and Cy 1-0: 4 pips, nearest five is 5."""
    last = run(dreamtime("6-3", "3-0", "1-0", table=["6-6"]), "6-3 on 6-6")
    assert (last.closing, last.over) == ("out", False)
    assert "no tile can be laid any more" in refused(last, "Bob: 3-0 on 6-3")
    assert run(last, "Ann: claim 15").scores == (20, 0, 0)
    assert run(last, "Bob: catch Ann").scores == (5, 20, 0)
    assert run(last, "Bob: finish").scores == (5, 0, 0)
    assert run(last, "Bob: finish").events[-1].time == 7
    assert "Ann has 7 s" in refused(last, "Bob: finish after 3s")


def test_finish_needs_a_round_that_is_over() -> None:
    assert "not over" in refused(leading_fifteen(), "Bob: finish after 8s")


# Keelhaul -------------------------------------------------------------------------------------


def test_keelhaul_blocks_claims_and_catches_for_fifteen_seconds() -> None:
    state = leading_fifteen(scores=[0, 50, 0])
    state = run(state, "Bob: keelhaul Ann after 1s")
    assert state.scores == (0, 45, 0)
    assert "under water" in refused(state, "Ann: claim 15 after 2s")
    assert run(state, "Cy: catch Ann after 7s").scores == (0, 45, 20)
    state = run(state, "3-0 on 6-3 after 7s")
    assert "under water" in refused(state, "Ann: catch Bob after 8.9s")


def test_the_submerged_may_lay_tiles() -> None:
    state = run(leading_fifteen(scores=[50, 0, 0]), "Ann: claim 15", "Ann: keelhaul Bob")
    assert run(state, "3-0 on 6-3").hands[1].size == 2


def test_keelhaul_is_unlocked_at_fifty_once_for_the_match() -> None:
    assert "unlocked at 50" in refused(leading_fifteen(scores=[0, 49, 0]), "Bob: keelhaul Ann")
    state = run(leading_fifteen(scores=[0, 50, 0]), "Bob: keelhaul Ann after 0s")
    assert state.scores[1] == 45
    assert verify(state, action(state, "Bob: keelhaul Cy after 0s")) is None


def test_keelhaul_hits_rivals_that_are_above_water() -> None:
    state = run(leading_fifteen(scores=[0, 50, 0]), "Bob: keelhaul Ann after 0s")
    assert "under water already" in refused(state, "Bob: keelhaul Ann after 1s")
    assert "only a rival" in refused(state, "Bob: keelhaul Bob after 1s")


def test_keelhaul_never_takes_a_treasury_below_nothing() -> None:
    state = leading_fifteen(scores=[0, 50, 0])

    poor = state._replace(scores=(0, 3, 0))
    assert run(poor, "Bob: keelhaul Ann").scores == (0, 0, 0)


def test_no_keelhaul_elsewhere() -> None:
    state = guide("5-5 1-0", "5-0 2-0", leader=0)
    assert "no keelhaul" in refused(run(state, "5-5"), "Bob: keelhaul Ann")


# C3 and C4: the French guide -------------------------------------------------------------------


def test_c3_rivals_may_take_from_the_next_tile_to_the_one_after() -> None:
    """Ann's 5-5 makes 10; Bob's tile opens the catch, Ann's next closes it."""
    state = guide("5-5 6-5 4-1", "5-0 2-0 3-0")
    state = run(state, "5-5")
    assert "too early" in refused(state, "Bob: catch Ann")
    state = run(state, "5-0 on 5-5")
    assert run(state, "Bob: catch Ann").scores == (0, 10)
    assert "too late" in refused(state, "Ann: claim 10")
    later = run(state, "6-5 on 5-5")
    assert "no unclaimed score" in refused(later, "Bob: catch Ann")


def test_c3_two_scores_may_be_open_at_once() -> None:
    state = run(guide("5-5 6-5 4-1", "5-0 2-0 3-0"), "5-5", "5-0 on 5-5")
    assert [(one.seat, one.points) for one in state.pending] == [(0, 10), (1, 10)]
    state = run(state, "Bob: catch Ann", "Bob: claim 10")
    assert state.scores == (0, 20)


def test_c4_last_tile_of_a_hand() -> None:
    """The owner may claim until the hand is finished; nobody may take it."""
    state = run(guide("5-0", "4-1 2-0", table=["5-5"]), "5-0 on 5-5")
    assert state.closing == "out"
    assert "too early" in refused(state, "Bob: catch Ann")
    # Bob's 7 pips: nearest five is 5.
    assert run(state, "Ann: claim 10").scores == (15, 0)
    assert run(state, "Bob: finish").scores == (5, 0)


def test_points_of_the_last_tile_may_be_lost_at_once() -> None:
    rules = ruleset("muggins-all-fives", {"claim.at_round_end": "lost"})
    state = run(start(rules, ["5-0", "4-1 2-0"], "6-3 6-4", table=["5-5"]), "5-0 on 5-5")
    assert state.over
    assert state.scores == (5, 0)
    assert [one.points for one in state.events[-1].missed] == [10]


def test_unclaimed_points_are_lost_with_the_hand() -> None:
    """Bob goes out on a tile without a score while Ann's 10 still can be taken."""
    state = guide("5-5 6-1", "6-5", table=[])
    state = run(state, "5-5", "6-5 on 5-5")
    assert state.closing == "out"
    assert run(state, "Bob: catch Ann").scores == (0, 15)
    assert run(state, "Ann: finish").scores == (0, 5)


# C5 and C42: false claims ----------------------------------------------------------------------


def test_c5_a_false_claim_goes_to_the_adversary() -> None:
    """He claims 10 on a count of 11; it is taken down and the opponent marks 10."""
    rules = ruleset("all-fives", FOSTER | {"layout.spinner": "none"})
    state = start(rules, ["6-5 1-0", "5-1 2-0"])
    state = run(state, "6-5", "Ann: claim 10")
    assert state.scores == (0, 10)


def test_a_false_claim_pays_each_rival_side() -> None:
    state = start(ruleset("all-fives", FOSTER), ["6-5 1-0", "5-1 2-0", "3-0 3-1"])
    assert run(state, "6-5", "Ann: claim 10").scores == (0, 10, 10)


def c42(settings: dict[str, Any], *actions: str) -> State:
    rules = ruleset("all-fives", {"layout.spinner": "none", **settings})
    state = start(rules, ["5-5 6-5 1-0", "5-0 2-0 3-0"])
    return run(state, *actions)


def test_c42_automatic() -> None:
    assert c42({}, "5-5", "5-0 on 5-5", "6-5 on 5-5").scores == (10, 10)
    assert "count by themselves" in refused(c42({}, "5-5"), "Ann: claim 10")


def test_c42_call_or_lose() -> None:
    lose = {"claim.mode": "declare"}
    state = c42(lose, "5-5", "5-0 on 5-5", "Bob: claim 10", "6-5 on 5-5", "Ann: claim 5")
    assert state.scores == (0, 10)
    assert "void" in state.events[-1].note
    assert "nobody may take" in refused(c42(lose, "5-5", "5-0 on 5-5"), "Bob: catch Ann")


def test_c42_muggins() -> None:
    taken = {k: v for k, v in FOSTER.items() if k != "claim.false_claim"}
    plays = ("5-5", "5-0 on 5-5", "Bob: catch Ann", "Bob: claim 10", "6-5 on 5-5", "Ann: claim 5")
    assert c42(taken, *plays).scores == (0, 20)
    assert c42(FOSTER, *plays).scores == (0, 25)


def test_c42_a_claim_after_the_next_play_is_refused() -> None:
    state = c42({"claim.mode": "declare"}, "5-5", "5-0 on 5-5")
    assert refused(state, "Ann: claim 10") in (
        "too late: the time of Ann to claim is over",
        "Ann has no score to claim",
    )


# What follows from the rules above --------------------------------------------------------------


@pytest.mark.parametrize(("until", "taken"), [("tile_after_next", 15), ("round_end", 25)])
def test_catch_takes_all_that_can_be_caught(until: str, taken: int) -> None:
    """Where Ann's two scores of 10 are open, a catch takes both, and the bounty of 5 once."""
    more = {"claim.bounty": 5, "claim.rivals_until": until, "layout.spinner": "none"}
    state = start(ruleset("all-fives", FOSTER | more), ["5-5 1-0 3-2", "5-1 6-0 4-1", "6-4 6-3"])
    # 10 for Ann, 11 for Bob; Cy has nothing and passes; 10 + 0 for Ann; Bob's tile opens the catch.
    state = run(state, "5-5", "5-1 on 5-5", "Cy: pass", "1-0 on 5-1", "6-0 on 1-0")
    assert run(state, "Cy: catch Ann").scores == (0, 0, taken)


def test_a_caught_score_can_win_the_match_at_once() -> None:
    rules = ruleset("muggins-all-fives", {"match.target": 10})
    state = run(start(rules, ["5-5 6-5", "5-1 2-0"], "6-3 6-4"), "5-5", "5-1 on 5-5")
    state = run(state, "Bob: catch Ann")
    assert state.result is not None
    assert (state.result.how, state.result.winners) == ("target", (1,))
    assert state.events[-1].scores == (0, 10)


def test_a_false_claim_can_win_the_match_for_a_rival() -> None:
    rules = ruleset("all-fives", FOSTER | {"match.target": 10})
    state = run(start(rules, ["6-5 1-0", "5-1 2-0"]), "6-5", "Ann: claim 10")
    assert state.result is not None
    assert (state.result.how, state.result.winners) == ("target", (1,))
    assert state.events[-1].scores == (0, 10)


def test_a_penalty_and_a_bounty_meet_an_exact_target_too() -> None:
    exact = {"match.target": 61, "match.exact": True}
    state = start(ruleset("all-fives", FOSTER | exact), ["6-5 1-0", "5-1 2-0"], scores=[0, 55])
    assert run(state, "6-5", "Ann: claim 10").scores == (0, 55)
    bounty = FOSTER | exact | {"claim.bounty": 5, "layout.spinner": "none"}
    state = start(ruleset("all-fives", bounty), ["5-5 1-0", "5-1 2-0"], scores=[0, 50])
    assert run(state, "5-5", "5-1 on 5-5", "Bob: catch Ann").scores == (0, 60)


def test_an_old_score_can_be_caught_while_a_new_one_can_still_be_claimed() -> None:
    """Undated, the catch happens now and does not wait for the time of another player."""
    rules = ruleset("dreamtime-sniff", {"claim.rivals_until": "round_end", "keelhaul": None})
    state = start(rules, ["5-5 1-0 2-0", "5-0 4-2 4-1", "6-4 6-3"])
    state = run(state, "5-5", "5-0 on 5-5", "Cy: catch Ann")
    assert state.now == state.laid_at
    assert state.scores == (0, 0, 15)
    assert run(state, "Bob: claim 10").scores == (0, 10, 15)


def test_finishing_ends_a_row_of_tings() -> None:
    rules = ruleset("muggins-all-fives", {"tings": True})
    state = start(rules, ["5-5 5-4", "5-1 2-0"], "6-3 6-4")
    state = run(state, "5-5", "Ann: claim 10", "5-1 on 5-5", "5-4 on 5-5")
    assert (state.tings, state.closing) == ((1, 0), "out")
    assert run(state, "Ann: claim 5").tings == (2, 0)
    assert run(state, "Bob: finish").tings == (0, 0)


def test_nothing_is_claimed_for_nothing() -> None:
    """Case C23: a sum of zero is no score, so there is nothing to claim."""
    state = run(guide("0-0 1-0", "2-0 3-0"), "0-0")
    assert "worth nothing" in refused(state, "Ann: claim")
    assert "worth nothing" in refused(state, "Ann: claim 0")
    assert state.pending == ()


def test_a_refused_action_changes_nothing() -> None:
    state = leading_fifteen()
    before = repr(state)
    assert verify(state, action(state, "Ann: claim 15 after 9s")) is not None
    assert repr(state) == before
    after, event = apply(state, action(state, "Ann: claim 15 after 1s"))
    assert event.scores == after.scores == (15, 0, 0)
