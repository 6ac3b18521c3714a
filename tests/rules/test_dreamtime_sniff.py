"""Dreamtime Sniff, article by article of its "Articles of Sniff" (v95)."""

from __future__ import annotations

import random

import pytest
from kit import lay, refused, ruleset, run, setup_of, start, tiles

from sniffcli.game.deal import deal, leader
from sniffcli.game.match import after_round, begin, new_match, winners
from sniffcli.game.state import Hand, State

RULES = ruleset("dreamtime-sniff")


def round_of(*hands: str, boneyard: str = "", **more: object) -> State:
    return start(RULES, hands, boneyard, **more)  # type: ignore[arg-type]


class TestArticle1TheFleetAndTheDeal:
    def test_double_six_set_of_28(self) -> None:
        assert len(RULES.tiles(2)) == 28

    def test_two_to_four_players(self) -> None:
        assert list(RULES.legal_players()) == [2, 3, 4]

    @pytest.mark.parametrize(("players", "each", "left"), [(2, 7, 14), (3, 6, 10), (4, 5, 8)])
    def test_tiles_each_and_the_rest_is_the_boneyard(
        self, players: int, each: int, left: int
    ) -> None:
        dealt = deal(setup_of(RULES, players), random.Random(1))
        assert {len(hand) for hand in dealt.hands} == {each}
        assert len(dealt.boneyard) == left


class TestArticle2SettingSail:
    def test_the_first_in_the_manifest_sets_any_tile(self) -> None:
        match = new_match(setup_of(RULES, 3))
        for seed in range(5):
            state = begin(match, deal(match.setup, random.Random(seed)))
            assert (state.turn, state.must_lead) == (0, None)

    def test_he_opens_every_later_round_too(self) -> None:
        state = run(round_of("5-1", "6-1", table=["6-4"], leader=1), "6-1 on 6-4", "Bob: claim")
        result = after_round(new_match(state.setup), state).previous
        hands = [Hand(tiles("1-0")), Hand(tiles("6-6"))]
        assert leader(state.setup, hands, result).seat == 0

    def test_a_tile_is_joined_to_an_exposed_end(self) -> None:
        """With a 3:5 and a board that ends in a 5 the tile may be set."""
        state = round_of("5-3 1-1", "4-4 5-0", table=["5-4"])
        assert run(state, "5-3 on 5-4").events[-1].ends == (3, 4)
        assert refused(state, "1-1 on 5-4") == "1-1 cannot go on 5-4: it has no 4 or 5"

    def test_drawing_one_at_a_time_until_a_tile_is_playable(self) -> None:
        state = round_of("1-1 2-2", "6-6", boneyard="3-3 3-2 5-0 1-0", table=["5-4"])
        state = run(state, "draw", "draw", "draw")
        assert refused(state, "draw").startswith("5-0 was drawn and can be played")
        assert refused(state, "1-1").startswith("1-1 fits nowhere")
        assert run(state, "5-0").turn == 1

    def test_no_drawing_with_a_legal_move(self) -> None:
        state = round_of("5-1 2-2", "6-6", boneyard="3-3", table=["5-4"])
        assert refused(state, "draw") == "no drawing while a tile can be played: 5-1"

    def test_knocking_only_with_an_unplayable_hand_and_an_empty_boneyard(self) -> None:
        assert "draw" in refused(round_of("1-1", "5-5", boneyard="3-3", table=["5-4"]), "pass")
        assert run(round_of("1-1", "5-5", table=["5-4"]), "pass").turn == 1


class TestArticle3TheSniff:
    def test_the_first_double_is_the_sniff_and_branches_on_all_four_sides(self) -> None:
        """All four at once: nothing is said of an order (open point 2)."""
        table = lay(RULES, "4-4", "6-4 on 4-4 side", "4-1 on 4-4 tip", "4-2 on 4-4", "4-3 on 4-4")
        assert table.ends == [1, 2, 3, 6]

    def test_the_sides_are_alike_so_none_is_asked_for(self) -> None:
        state = round_of("4-2 1-0", "4-1 2-0", table=["4-4", "6-4 on 4-4"])
        assert run(state, "4-2 on 4-4").frontier == run(state, "4-2 on 4-4 tip").frontier

    def test_later_doubles_have_two_sides(self) -> None:
        state = round_of("6-5 1-0", "2-0 5-0", table=["4-4", "6-4 on 4-4", "6-6", "6-1 on 6-6"])
        assert refused(state, "6-5 on 6-6").endswith("and 6-6 is not a spinner")


class TestArticle4CalculatingPlunder:
    def test_two_arms_three_and_two(self) -> None:
        table = lay(RULES, "1-1", "3-1 on 1-1", "2-1 on 1-1")
        assert (table.sums[-1], table.points[-1]) == (5, 5)

    def test_post_sniff_six_four_five_five(self) -> None:
        table = lay(
            RULES,
            *("2-2", "6-2 on 2-2", "4-2 on 2-2", "2-0 on 2-2", "5-0 on 2-0", "5-2 on 2-2"),
        )
        assert (table.sums[-1], table.points[-1]) == (20, 20)

    def test_a_lone_sniff_and_one_with_a_single_arm_count_both_halves(self) -> None:
        """Open points 3 and 4; from two arms on it counts nothing."""
        assert lay(RULES, "5-5", "5-1 on 5-5", "5-4 on 5-5 tip").sums == [10, 11, 5]

    @pytest.mark.parametrize("points", [5, 10, 15, 20])
    def test_multiples_of_five_pay_themselves(self, points: int) -> None:
        boards = {
            5: ["4-1"],
            10: ["6-4"],
            15: ["6-3", "6-6 on 6-3"],
            20: ["6-4", "6-6 on 6-4", "4-4 on 6-4"],
        }
        assert lay(RULES, *boards[points]).points[-1] == points


class TestArticle5Muggins:
    """The windows themselves are tested in test_claims.py."""

    def scored(self) -> State:
        return run(round_of("6-3 1-0", "3-0 6-2", "2-0 4-0", table=["6-6"]), "6-3 on 6-6")

    def test_points_are_not_automatic(self) -> None:
        assert self.scored().scores == (0, 0, 0)

    def test_seven_seconds(self) -> None:
        assert run(self.scored(), "Ann: claim after 6.99s").scores == (15, 0, 0)
        assert "too late" in refused(self.scored(), "Ann: claim after 7s")

    def test_any_rival_may_catch_and_gets_five_more(self) -> None:
        for name, scores in (("Bob", (0, 20, 0)), ("Cy", (0, 0, 20))):
            assert run(self.scored(), f"{name}: catch Ann after 7s").scores == scores

    def test_each_claim_and_each_catch_is_a_ting(self) -> None:
        assert run(self.scored(), "Ann: claim").tings == (1, 0, 0)
        assert run(self.scored(), "Cy: catch Ann").tings == (0, 0, 1)


class TestArticle6TheKeelhaul:
    def ready(self, treasury: int = 50) -> State:
        return start(RULES, ["6-3 1-0", "3-0 6-2"], scores=[0, treasury], table=["6-6"])

    def test_unlocked_at_fifty_and_costs_five(self) -> None:
        assert refused(self.ready(49), "Bob: keelhaul Ann") == (
            "the keelhaul is unlocked at 50 points"
        )
        assert run(self.ready(), "Bob: keelhaul Ann").scores == (0, 45)

    def test_fifteen_seconds_without_declaring(self) -> None:
        state = run(self.ready(), "Bob: keelhaul Ann after 0s", "6-3 on 6-6 after 1s")
        # The clock of the round has run one second when the tile is laid.
        assert "under water for 11 s" in refused(state, "Ann: claim after 3s")
        assert run(state, "Bob: catch Ann after 7s").scores == (0, 65)

    def test_not_twice_while_submerged(self) -> None:
        state = run(self.ready(), "Bob: keelhaul Ann after 0s")
        assert "under water already" in refused(state, "Bob: keelhaul Ann after 14s")
        assert run(state, "Bob: keelhaul Ann after 15s").scores == (0, 40)


class TestArticle7Victory:
    def test_domino_pays_what_the_rivals_hold_to_the_nearest_five(self) -> None:
        state = run(round_of("6-1", "5-1 2-0", "4-4", table=["6-4"]), "6-1 on 6-4", "Ann: claim")
        assert state.result is not None
        assert (state.result.how, state.result.winners) == ("out", (0,))
        # 4 and 1 make 5 points; 6 + 2 + 8 = 16 pips make 15.
        assert state.scores == (20, 0, 0)

    def test_blocked_is_won_by_the_lowest_hand(self) -> None:
        state = run(round_of("6-6 5-5", "3-3", "2-1", table=["4-0"]), "pass")
        assert state.result is not None
        assert (state.result.how, state.result.winners) == ("blocked", (2,))
        assert state.scores == (0, 0, 30)

    def test_a_tie_pays_nobody(self) -> None:
        state = run(round_of("6-6", "2-1", "3-0", table=["5-4"]), "pass")
        assert state.scores == (0, 0, 0)

    @pytest.mark.parametrize(("players", "target"), [(2, 250), (3, 200), (4, 200)])
    def test_target(self, players: int, target: int) -> None:
        assert RULES.target(players) == target

    def test_tested_when_the_round_ends(self) -> None:
        state = start(RULES, ["6-3 1-0", "3-0 6-2"], scores=[240, 249], table=["6-6"])
        state = run(state, "6-3 on 6-6", "Ann: claim")
        assert (state.scores, state.over) == ((255, 249), False)
        state = run(state, "3-0 on 6-3", "1-0 on 3-0")
        assert winners(after_round(new_match(state.setup), state)) == (0,)
