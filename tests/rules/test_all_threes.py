"""All Threes Domino, section by section of its manual."""

from __future__ import annotations

import pytest
from kit import attempt_table, lay, refused, ruleset, run, setup_of, start, tiles

from sniffcli.game.actions import Refusal
from sniffcli.game.deal import leader
from sniffcli.game.match import after_round, new_match, winners
from sniffcli.game.settle import pay_blocked, pay_out
from sniffcli.game.state import Hand

RULES = ruleset("all-threes")


class TestSection21CoreMechanics:
    def test_law_1_contacting_halves_match(self) -> None:
        refusal = attempt_table(RULES, "6-3", "5-4 on 6-3")
        assert isinstance(refusal, Refusal)
        assert lay(RULES, "6-3", "6-5 on 6-3").ends == [3, 5]

    @pytest.mark.parametrize(
        ("plays", "points"),
        [
            (["2-1"], 3),
            (["3-3"], 6),
            (["6-3"], 9),
            (["6-6"], 12),
            (["6-3", "6-6 on 6-3"], 15),
            (["6-6", "6-3 on 6-6", "3-3 on 6-3"], 18),
            (["5-4", "5-5 on 5-4"], 0),
            (["0-0"], 0),
        ],
    )
    def test_law_2_multiples_of_three_pay_themselves(self, plays: list[str], points: int) -> None:
        assert lay(RULES, *plays).points[-1] == points

    def test_law_3_sides_before_ends(self) -> None:
        """Once both ends of the spinner are connected along the line, top and bottom open."""
        early = attempt_table(RULES, "5-5", "5-2 on 5-5", "5-1 on 5-5 tip")
        assert isinstance(early, Refusal)
        table = lay(RULES, "5-5", "5-2 on 5-5", "5-1 on 5-5", "5-3 on 5-5 tip", "5-4 on 5-5 tip")
        assert table.ends == [1, 2, 3, 4]

    def test_law_3_a_double_counts_both_halves_until_its_outer_face_is_covered(self) -> None:
        assert lay(RULES, "5-4", "5-5 on 5-4", "5-2 on 5-5").sums == [9, 14, 6]

    def test_law_3_only_the_first_double_is_the_spinner(self) -> None:
        refusal = attempt_table(
            RULES, "6-5", "6-6 on 6-5", "5-5 on 6-5", "5-2 on 5-5", "5-1 on 5-5"
        )
        assert isinstance(refusal, Refusal)


class TestSection22Setup:
    @pytest.mark.parametrize(("players", "each"), [(2, 7), (3, 5), (4, 5)])
    def test_deal(self, players: int, each: int) -> None:
        assert RULES.hand_size(players) == each
        assert len(RULES.tiles(players)) == 28

    def test_highest_double_is_placed(self) -> None:
        choice = leader(setup_of(RULES, 2), [Hand(tiles("6-5 2-2")), Hand(tiles("4-4 1-0"))])
        assert (choice.seat, str(choice.must_lead)) == (1, "4-4")

    def test_without_a_double_the_highest_single_plays_first(self) -> None:
        choice = leader(setup_of(RULES, 2), [Hand(tiles("6-3 2-1")), Hand(tiles("5-4 1-0"))])
        assert (choice.seat, choice.must_lead) == (0, None)

    @pytest.mark.parametrize(("tile", "points"), [("3-3", 6), ("6-3", 9)])
    def test_first_move_scores(self, tile: str, points: int) -> None:
        state = run(start(RULES, [f"{tile} 1-0", "6-6 3-0"], "5-5 4-4 2-2"), tile)
        assert state.scores == (points, 0)


class TestSection24PlayLoop:
    def test_drawing_until_playable_and_stopping_at_two(self) -> None:
        state = start(RULES, ["1-1", "4-0"], "3-3 2-2 5-1 0-0", table=["5-4"])
        state = run(state, "draw", "draw")
        assert refused(state, "draw") == (
            "nothing may be drawn: the last 2 tiles stay in the boneyard"
        )
        assert run(state, "pass").turn == 1

    def test_no_passing_while_able(self) -> None:
        state = start(RULES, ["5-1", "6-6"], table=["5-4"])
        assert refused(state, "pass") == "no passing while a tile can be played: 5-1"


class TestSection25Examples:
    @pytest.mark.parametrize(
        ("plays", "total", "points"),
        [
            (["6-3"], 9, 9),
            (["5-5"], 10, 0),
            (["5-5", "5-2 on 5-5"], 12, 12),
            (["1-1", "4-1 on 1-1", "3-1 on 1-1", "2-1 on 1-1 tip"], 9, 9),
        ],
    )
    def test_table(self, plays: list[str], total: int, points: int) -> None:
        table = lay(RULES, *plays)
        assert (table.sums[-1], table.points[-1]) == (total, points)


class TestSection26GameModes:
    def test_parlor_match_to_150(self) -> None:
        assert {RULES.target(players) for players in (2, 3, 4)} == {150}

    def test_quick_sprint_is_a_single_round(self) -> None:
        rules = ruleset("all-threes-sprint")
        state = run(start(rules, ["5-1", "6-6"], table=["5-4"]), "5-1 on 5-4")
        assert rules.match.rounds == 1
        assert winners(after_round(new_match(state.setup), state)) == (0,)

    def test_partners_share_one_total(self) -> None:
        rules = ruleset("all-threes-partners")
        assert list(rules.legal_players()) == [4]
        hands = ["3-3 1-0", "4-4", "6-3 2-0", "5-5"]
        state = run(start(rules, hands, "0-0 2-2", teams=True), "3-3")
        assert state.scores == (6, 0)
        assert state.setup.sides == (0, 1, 0, 1)


class TestSection27Settlement:
    def test_domino_pays_the_total_rounded_to_three(self) -> None:
        """Two opponents with 4 each: 8 becomes 9, not 3 + 3."""
        assert pay_out(setup_of(RULES, 3), 0, (0, 4, 4)).bonus == (9, 0, 0)

    def test_blocked_pays_differences_unrounded(self) -> None:
        held = [Hand(tiles("4-1")), Hand(tiles("6-6 4-3")), Hand(tiles("6-6"))]
        assert pay_blocked(setup_of(RULES, 3), held, (5, 19, 12), 0, 0).bonus == (21, 0, 0)

    def test_blocked_with_two_left_in_the_boneyard(self) -> None:
        state = run(start(RULES, ["1-1", "6-6"], "3-3 2-2", table=["5-4"]), "pass")
        assert state.result is not None
        assert (state.result.how, state.result.winners, state.scores) == ("blocked", (0,), (10, 0))

    def test_a_tie_pays_nobody(self) -> None:
        held = [Hand(tiles("2-1")), Hand(tiles("3-0")), Hand(tiles("6-6"))]
        assert pay_blocked(setup_of(RULES, 3), held, (3, 3, 12), 0, 0).bonus == (0, 0, 0)

    def test_first_to_reach_or_exceed_the_target_wins(self) -> None:
        state = start(RULES, ["6-6 1-0", "5-5"], scores=[140, 149])
        state = run(state, "6-6")
        assert state.result is not None
        assert (state.result.how, state.scores) == ("target", (152, 149))
