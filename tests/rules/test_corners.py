"""Corners of turn and settlement, one plain case each; random rounds alone would have to be lucky.

Each was found by changing the program on purpose and seeing that no quick test noticed.
"""

from __future__ import annotations

import pytest
from kit import action, hand, refused, ruleset, run, setup_of, start, tiles

from sniffcli.game.deal import thrown_in
from sniffcli.game.settle import pay_blocked, settle

TURN_ENDS = {"draw": {"when": "unable", "limit": 1, "then": "turn_ends", "reserve": 0}}
#: The first double is no spinner here, so that ends are plain to see.
PLAIN = {"layout.spinner": "none"}


class TestTurnEndsByDrawing:
    @pytest.mark.parametrize(
        ("boneyard", "drawn"), [("6-5 4-3", "6-5"), ("4-3 6-5", "4-3"), ("4-3", "4-3")]
    )
    def test_one_draw_ends_the_turn_whatever_it_brings(self, boneyard, drawn):
        rules = ruleset(settings=TURN_ENDS)
        state = start(rules, ["1-0 2-0", "5-1 5-2"], boneyard, table=["6-6"])
        after = run(state, f"draw {drawn}")
        assert (after.turn, after.drawn) == (1, 0)


class TestTheLastTileAndTheTarget:
    """6-6 lies; Ann lays 6-2 and 14 pays nothing, or 6-3 (sum 15) and pays 15."""

    def played(self, **settings: object):
        rules = ruleset(settings=PLAIN | {"match.target": 15} | settings)
        return run(start(rules, ["6-3", "5-5 4-4"], "", table=["6-6"]), "6-3 on 6-6")

    def test_the_target_is_reached_before_going_out_pays(self):
        state = self.played(**{"match.check": "at_once"})
        assert state.result is not None
        assert state.result.how == "target"
        assert state.scores == (15, 0)

    def test_a_bundle_is_one_sum(self):
        """15 for the tile and 18, to the nearest five 20, for the hand: exactly 35."""
        bundle = {"match.bundle": "play_and_out", "match.exact": True, "match.target": 35}
        state = self.played(**{"match.check": "at_once"} | bundle)
        assert state.result is not None
        assert state.result.how == "out"
        assert state.scores == (35, 0)

    def test_nothing_that_is_bundled_is_not_called_void(self):
        rules = ruleset(
            settings=PLAIN
            | {"match.bundle": "play_and_out", "match.exact": True, "match.target": 61}
            | {"match.check": "at_once"}
        )
        state = run(start(rules, ["6-2", "1-0"], "", table=["6-6"]), "6-2 on 6-6")
        assert state.scores == (0, 0)
        assert state.events[-1].note in (None, "")


class TestABlockWithHiddenHands:
    """What a file gives as bonus says who won it, where the hands do not."""

    def blocked(self):
        state = start(ruleset("block"), [3, 3], 0, table=["6-6"])
        return state

    def test_whoever_is_paid_has_won(self):
        after = settle(self.blocked(), "blocked", (0, 12))
        assert after.result is not None
        assert after.result.winners == (1,)
        assert after.scores == (0, 12)

    def test_nobody_is_paid_and_nobody_has_won(self):
        after = settle(self.blocked(), "blocked", (0, 0))
        assert after.result is not None
        assert after.result.winners == ()

    def test_the_least_there_is_counts_as_paid(self):
        after = settle(self.blocked(), "blocked", (1, 0))
        assert after.result is not None
        assert after.result.winners == (0,)


class TestLowestWithoutADouble:
    def winners(self, *hands: str):
        rules = {"round_end.blocked": {"winner": "lowest_no_double", "award": "opponents_pips"}}
        held = [hand(one) for one in hands]
        pips = [sum(tile.pips for tile in tiles(one)) for one in hands]
        setup = setup_of(ruleset("block", settings=rules), len(hands))
        return pay_blocked(setup, held, pips, 0, 0).winners

    def test_a_hand_without_a_double_beats_a_lighter_one_with(self):
        assert self.winners("1-1", "6-5", "6-4 3-2") == (1,)

    def test_where_all_hold_one_only_the_others_count(self):
        assert self.winners("6-6 1-0", "1-1 2-0") == (0,)


class TestWhoIsThrownIn:
    def test_a_lot_that_has_no_double_to_lead_is_dealt_again(self):
        """Only where the leader must lead a double, and the lot finds him."""
        settings = {"open": {"first_leader": "lot", "tile": "double", "if_none": "redeal"}}
        setup = setup_of(ruleset("block", settings=settings))
        hands = (tiles("6-5 4-3"), tiles("5-5 4-4"))
        assert thrown_in(setup, hands, None, 0)
        assert not thrown_in(setup, hands, None, 1)

    def test_any_tile_may_be_led(self):
        settings = {"open": {"first_leader": "lot", "tile": "any", "if_none": "redeal"}}
        setup = setup_of(ruleset("block", settings=settings))
        assert not thrown_in(setup, (tiles("6-5 4-3"), tiles("5-5 4-4")), None, 0)


class TestAFalseJoin:
    def test_it_is_named_in_full_and_stands(self):
        state = start(
            ruleset(settings=PLAIN), ["5-1 6-2", "4-4 3-3"], "", table=["6-6"], misjoins_stand=True
        )
        after = run(state, "5-1 on 6-6 at 6 out 1")
        assert after.events[-1].text == "5-1 on 6-6 at 6 out 1"
        assert "false join" in after.events[-1].note

    def test_a_half_that_the_tile_has_not_cannot_face_out(self):
        state = start(
            ruleset(settings=PLAIN), ["5-1 6-2", "4-4 3-3"], "", table=["6-6"], misjoins_stand=True
        )
        assert refused(state, "5-1 on 6-6 at 6 out 4")

    def test_a_right_join_is_no_false_one(self):
        state = start(
            ruleset(settings=PLAIN), ["6-2 5-1", "4-4 3-3"], "", table=["6-6"], misjoins_stand=True
        )
        after = run(state, "6-2 on 6-6")
        assert after.events[-1].text == "6-2 on 6-6"
        assert not after.events[-1].note


@pytest.mark.parametrize("text", ["5-1 on 6-6", "5-1 on 6-6 at 6 out 1"])
def test_a_false_join_is_refused_where_it_does_not_stand(text):
    state = start(ruleset(settings=PLAIN), ["5-1 6-2", "4-4 3-3"], "", table=["6-6"])
    assert refused(state, text)
    assert action(state, text).tile in state.hands[0].tiles


class TestOneOpenEnd:
    def test_the_half_that_is_shut_stays_shut_when_its_number_is_open_elsewhere(self):
        """American Tiddly-Wink: 6-3 is continued at its six alone, also once a three is open."""
        settings = {"layout.open_ends": 1, "layout.spinner": "none"}
        table = ["6-3", "6-1 on 6-3", "3-1 on 6-1"]
        state = start(ruleset(settings=settings), ["3-2 5-5", "4-4"], "", table=table)
        assert "no half of 6-3" in refused(state, "3-2 on 6-3")
        assert run(state, "3-2").layout.placed[-1].on == 2
