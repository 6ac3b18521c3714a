"""Corners of turn and settlement, one plain case each; random rounds alone would have to be lucky.

Each was found by changing the program on purpose and seeing that no quick test noticed.
"""

from __future__ import annotations

import random

import pytest
from kit import action, hand, lay, refused, ruleset, run, setup_of, start, tiles

from sniffcli.game.actions import Resign
from sniffcli.game.deal import deal, leader, thrown_in
from sniffcli.game.settle import pay_blocked, pay_out, settle
from sniffcli.game.state import RoundResult
from sniffcli.game.turn import apply
from sniffcli.game.view import view_of
from sniffcli.table.frontier import Double, Half, open_ends

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

    def test_a_double_that_is_led_has_one_side_too(self):
        settings = {"layout.open_ends": 1, "layout.spinner": "none"}
        state = start(ruleset(settings=settings), ["5-1 5-2", "5-3 1-0"], "", table=["5-5"])
        assert open_ends(state.rules, state.frontier) == (5,)
        after = run(state, "5-1 on 5-5")
        assert open_ends(after.rules, after.frontier) == (1,)
        assert "5-5" in refused(after, "5-3 on 5-5")


class TestTheFirstEnclosedDouble:
    def test_the_lead_is_not_enclosed_by_its_first_neighbour(self):
        """Case C100: 6-6 has a tile on one side only, so 1-1, enclosed by two, is the spinner."""
        rules = ruleset(settings={"layout.spinner": "first_enclosed_double"})
        plays = ("6-6", "6-1 on 6-6", "1-1 on 6-1", "2-1 on 1-1", "3-1 on 1-1 tip")
        assert lay(rules, *plays).ends == [1, 2, 3, 6]


class TestWhoLeadsWithHiddenHands:
    """A leader is certain only where no hidden tile could lead instead."""

    def leader_of(self, rule: str, ann: str, *, hidden: int = 2) -> int | None:
        rules = ruleset("block", settings={"open.first_leader": rule, "deal.redeal_if": "none"})
        return leader(setup_of(rules), [hand(ann), hand(hidden)]).seat

    @pytest.mark.parametrize(
        ("rule", "ann", "seat"),
        [
            ("highest_double", "6-6 1-0", 0),
            ("highest_double", "5-5 1-0", None),
            ("highest_double", "6-5 1-0", None),
            ("lowest_double", "0-0 6-5", 0),
            ("lowest_double", "1-1 6-5", None),
            ("highest_tile", "6-6 1-0", 0),
            # 6-6 may be hidden; 5-5 has as few pips as 6-4, which is heavier by its half.
            ("highest_tile", "6-5 1-0", None),
            ("highest_tile", "6-4 5-5", None),
        ],
    )
    def test_of_two_hands_one_is_known(self, rule, ann, seat):
        assert self.leader_of(rule, ann) == seat

    def test_the_second_highest_will_do_where_the_highest_is_known(self):
        rules = ruleset("block", settings={"open.first_leader": "highest_double"})
        hands = [hand("6-6 5-5"), hand("4-4 6-5"), hand(2)]
        assert leader(setup_of(rules, 3), hands).seat == 0


class TestNobodyCanLead:
    def test_whoever_draws_for_the_lead_or_passes_it_on_begins_with_the_first(self):
        for word in ("draw_until", "pass_lead"):
            rules = ruleset(
                settings={"open": {"first_leader": "highest_double", "if_none": word}}
                | {"open.tile": "double"}
            )
            found = leader(setup_of(rules), [hand("6-5 4-3"), hand("5-4 2-1")])
            assert (found.seat, found.redeal) == (0, False)


class TestALot:
    def test_it_falls_on_every_seat_alike(self):
        """With three seats and 600 deals each third is 200; 4 standard deviations are 47."""
        settings = {"open": {"first_leader": "lot", "tile": "double", "if_none": "redeal"}}
        setup = setup_of(ruleset("block", settings=settings), 3)
        rng = random.Random(7)
        lots = [deal(setup, rng).lot for _ in range(600)]
        assert set(lots) == {0, 1, 2}
        for seat in range(3):
            # A hand with a double leads, so the share is that of all hands alike.
            assert abs(lots.count(seat) - 200) < 47


class TestTheTurn:
    def test_nobody_plays_before_his_turn_however_he_sits(self):
        for turn, other in ((0, 1), (1, 0), (0, 2), (2, 1)):
            hands = ["6-1 5-0", "6-2 4-0", "6-3 3-0"]
            state = start(ruleset("block"), hands, table=["6-6"], leader=turn)
            names = state.setup.names
            text = f"{names[other]}: {hands[other].split()[0]} on 6-6"
            told = refused(state, text)
            assert told == f"it is {names[turn]}'s turn, not {names[other]}'s"


class TestPartnersAndDifferences:
    def test_what_the_partner_holds_is_taken_off(self):
        """Ann is out; Bob and Di hold 9 and 6, Cy, her partner, 4: 15 - 4 = 11."""
        settings = {"round_end": {"out": {"award": "differences"}, "round": {"to": 1}}}
        rules = ruleset("all-fives", settings=settings)
        setup = setup_of(rules, 4, teams=True)
        assert pay_out(setup, 0, [0, 9, 4, 6]).bonus == (11, 0)

    def test_partners_are_a_team_and_four_players_are_not(self):
        rules = ruleset("all-fives")
        assert setup_of(rules, 4, teams=True).has_teams
        assert not setup_of(rules, 4).has_teams


class TestARoundThatStops:
    def test_it_pays_nothing_beside_the_points_that_were_made(self):
        rules = ruleset(settings=PLAIN | {"match.target": 15, "match.check": "at_once"})
        state = run(start(rules, ["6-3 1-0", "5-5 4-4"], "", table=["6-6"]), "6-3 on 6-6")
        assert state.result is not None
        assert (state.result.how, state.result.bonus) == ("target", (0, 0))
        begun = start(rules, ["6-3 1-0", "5-5 4-4"], "", table=["6-6"])
        resigned = apply(begun, Resign(seat=0))[0]
        assert resigned.result is not None
        assert (resigned.result.how, resigned.result.bonus) == ("resigned", (0, 0))


class TestTheFirstScore:
    def test_a_single_point_is_too_little_too(self):
        """6-3 beside 6-6 makes 15, which counts one flat point here."""
        settings = {"score.award": {"flat": 1}, "score.entry_minimum": 2}
        rules = ruleset(settings=PLAIN | settings)
        state = run(start(rules, ["6-3 1-0", "3-0 4-4"], "", table=["6-6"]), "6-3 on 6-6")
        assert state.scores == (0, 0)
        assert state.events[-1].note == "the first score must be at least 2"


class TestADoubleAtATip:
    def test_it_counts_once_where_the_rules_say_so(self):
        """6-6, then 6-5, then 5-5: both doubles are tips, 12 and 10, or 6 and 5."""
        plays = ("6-6", "6-5 on 6-6", "5-5 on 6-5")
        assert lay(ruleset(settings=PLAIN), *plays).sums[-1] == 22
        single = {"score.tip_double": "single"}
        assert lay(ruleset(settings=PLAIN | single), *plays).sums[-1] == 11


class TestAClaimThatIsSettled:
    def test_there_is_nothing_to_claim_twice(self):
        """The second claim is no false one: it costs nothing and is no reason for anybody."""
        hands = ["6-3 4-1 2-1", "3-0 3-2 6-2", "1-0 2-0 4-0"]
        state = run(start(ruleset("dreamtime-sniff"), hands, table=["6-6"]), "6-3 on 6-6")
        state = run(state, "Ann: claim 15 after 2s")
        assert refused(state, "Ann: claim 15 after 3s") == "Ann has no score to claim"


class TestWhyADoubleIsShut:
    def test_a_side_that_lies_on_the_lead_is_covered_too(self):
        """5-4 is led, 5-5 lies on it and 5-3 beyond: both long sides of 5-5 are covered."""
        table = ["5-4", "5-5 on 5-4", "5-3 on 5-5"]
        state = start(ruleset(settings=PLAIN), ["5-0 1-0", "5-1 2-0"], "", table=table)
        told = refused(state, "5-0 on 5-5")
        assert "both long sides are covered, and 5-5 is not a spinner" in told

    def test_before_a_cross_is_filled_no_other_tile_is_joined(self):
        state = start(ruleset("cross"), ["6-4 5-1", "6-3 5-2"], "", table=["6-6", "6-5 on 6-6"])
        assert "6-6 must be filled first" in refused(state, "5-1 on 6-5")
        assert run(state, "6-4 on 6-6").turn == 1


def test_a_tile_that_nobody_saw_is_one_more_in_the_hand():
    drawn = hand(2).plus(None)
    assert (drawn.size, drawn.unknown, drawn.tiles) == (3, 3, ())


class TestEqualHands:
    """All Fives splits what the heaviest hand is worth (E11); where all are equal nothing is."""

    def paid(self, *hands: str):
        settings = {"round_end.blocked.tie": "split"}
        setup = setup_of(ruleset(settings=settings), len(hands))
        pips = [sum(tile.pips for tile in tiles(one)) for one in hands]
        return pay_blocked(setup, [hand(one) for one in hands], pips, 0, 0)

    def test_two_of_three_share(self):
        """19 pips are 20, to the nearest five; half of it for each."""
        found = self.paid("2-1", "3-0", "6-5 5-3")
        assert (found.winners, found.bonus) == ((0, 1), (10, 10, 0))

    def test_all_three_get_nothing_and_nobody_has_won(self):
        found = self.paid("2-1", "3-0", "3-0")
        assert (found.winners, found.bonus) == ((), (0, 0, 0))


def test_a_hidden_hand_was_dealt_until_it_could_lead_as_the_rules_want():
    """Hands without a double are thrown in here, so that 6-5 cannot be the lead of a hidden one."""
    settings = {"open": {"first_leader": "lot", "tile": "double", "if_none": "redeal"}}
    state = start(ruleset("block", settings=settings), [3, 3])
    assert "6-5" in refused(state, "6-5")
    assert run(state, "5-5").turn == 1


def test_no_two_parts_of_a_table_have_one_number():
    """Tables are put in order by these numbers, and tables that are alike must be one."""
    halves = [Half(pip, ring) for pip in range(13) for ring in (False, True)]
    doubles = [
        Double(pip, main, cross, spinner, fill)
        for pip in range(13)
        for main in range(3)
        for cross in range(3)
        for spinner in (False, True)
        for fill in (False, True)
    ]
    numbers = [one.number for one in (*halves, *doubles)]
    assert len(set(numbers)) == len(numbers)
    assert max(one.number for one in halves) < min(one.number for one in doubles)


def test_a_claim_leaves_what_others_may_still_claim():
    """Ann's 10 for 5-5 and Bob's 10 for 5-0 are open; Bob claims his, and Ann's can be caught."""
    table = start(ruleset("muggins-all-fives"), ["5-5 6-5 4-1", "5-0 2-0 3-0"], "6-3 6-4")
    state = run(table, "5-5", "5-0 on 5-5", "Bob: claim 10")
    assert [(one.seat, one.points) for one in state.pending] == [(0, 10)]
    assert run(state, "Bob: catch Ann").scores == (0, 20)


class TestWhoLeadsAfterATie:
    """Bob led a round that was blocked with equal hands; 6-6 would make Ann the first leader."""

    @pytest.mark.parametrize(
        ("after_tie", "seat"),
        # As after any round: the turn to lead goes on from Bob. Or as in the first: 6-6 leads.
        [("as_next", 2), ("as_first", 0), ("same", 1), ("rotate", 2), ("blocker", 2)],
    )
    def test_the_rule_for_ties_comes_before_the_others(self, after_tie, seat):
        settings = {
            "open.first_leader": "highest_double",
            "open.next_leader": "rotate",
            "open.next_leader_after_tie": after_tie,
        }
        rules = ruleset("block", settings=settings)
        tied = RoundResult("blocked", (), (0, 0, 0), True, 1, 2, (5, 5, 9))
        hands = [hand("6-6 1-0"), hand("5-5 2-0"), hand("4-4 3-0")]
        assert leader(setup_of(rules, 3), hands, tied).seat == seat

    def test_the_holder_of_a_tile_leads_although_others_hold_larger_ones(self):
        rules = ruleset("block", settings={"open.first_leader": {"holder_of": "3-3"}})
        hands = [hand("6-6 5-4"), hand("3-3 1-0")]
        assert leader(setup_of(rules), hands).seat == 1


def test_who_is_below_zero_is_keelhauled_for_nothing():
    """The cost is taken from what there is; minus five points are not made fewer by it."""
    rules = ruleset("dreamtime-sniff")
    state = start(rules, ["6-3 1-0", "5-4 2-0"], "4-3", table=["6-6"], scores=[0, 50])
    # Unlocked at 50, once for the match; then points were lost.
    state = state._replace(scores=(0, -5))
    assert run(state, "Bob: keelhaul Ann after 1s").scores == (0, -5)


def test_a_view_knows_the_tile_that_binds_its_own_seat_only():
    state = start(ruleset(), ["6-6 1-0", "5-5 2-0"], "4-3")
    state = state._replace(must_lead=tiles("6-6")[0])
    assert [view_of(state, seat).must_lead for seat in (0, 1)] == [tiles("6-6")[0], None]
