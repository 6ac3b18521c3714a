"""Playing records through: published games, and each way in which a record can be wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sniffcli.files.games import read_game
from sniffcli.files.replay import Replay, play_out
from sniffcli.ruleset.library import scenarios_dir

from .helpers import codes, problems, replay, said, sums

GAMES = scenarios_dir() / "games"
EXPECT: dict[str, list[dict[str, Any]]] = json.loads((GAMES / "expect.json").read_text("utf-8"))


def shipped(name: str) -> Replay:
    path = GAMES / name
    found, reading = read_game(path.read_bytes(), str(path))
    assert not reading, reading
    assert found is not None
    return play_out(found)


@pytest.mark.parametrize("path", sorted(GAMES.glob("*.yaml")), ids=lambda path: path.stem)
def test_shipped_games_have_no_problem_and_say_where_they_come_from(path: Path) -> None:
    played = shipped(path.name)

    assert played.problems == ()
    assert played.record.notes


@pytest.mark.parametrize("name", sorted(EXPECT))
def test_real_matches_agree_with_an_independent_count(name: str) -> None:
    played = shipped(name)

    assert len(played.rounds) == len(EXPECT[name])
    for one, expected in zip(played.rounds, EXPECT[name], strict=True):
        plays = [step.event for step in one.steps if step.event.kind == "play"]
        assert [event.sum for event in plays] == expected["sums"]
        assert [event.points for event in plays] == expected["points"]
        if expected["end"] is not None:
            assert played.record.setup.by_name(one.scores) == expected["end"]


def test_the_nine_published_moves() -> None:
    # Case C01; the sums stand on the page.
    played = shipped("nine-published-moves.yaml")

    assert sums(played) == [5, 6, 10, 5, 5, 10, 15, 5, 8]
    points = [step.event.points for step in played.rounds[0].steps]
    assert points == [5, 0, 10, 5, 5, 10, 15, 5, 0]
    assert played.rounds[0].steps[-1].event.ends == (0, 2, 3, 3)


def test_an_ending_in_progress() -> None:
    # Case C60: the sums were counted apart from this program.
    played = shipped("ending-at-the-spinner.yaml")

    assert sums(played) == [4, 5, 6, 5, 3, 9, 13, 11, 15]
    end = played.rounds[0].end
    assert end is not None
    assert end.setup.names[end.turn] == "Ann"
    assert played.rounds[0].steps[-1].event.ends == (2, 4, 5, 6)


def position(plays: str, *, hands: str, more: str = "", overrides: str = "") -> str:
    return f"""\
sniff: 1
ruleset: all-fives
overrides: {{{overrides}}}
players: [Ann, Bob]
rounds:
  - hands: {hands}
    leader: Ann
{more}
    plays:
{plays}
"""


class TestPassesAndDraws:
    """Case C47: ends 2 and 6, Ann holds 6-1 and 4-4 and passes."""

    layout = "    layout: [5-2, 5-5 on 5-2, 6-5 on 5-5]"
    hands = "{Ann: [6-1, 4-4], Bob: 2}"

    def test_passing_while_able_is_found(self) -> None:
        text = position("      - Ann: pass", hands=self.hands, more=self.layout)

        assert "round 1, action 1: no passing while a tile can be played: 6-1" in said(text)
        assert codes(text) == ["pass"]

    @pytest.mark.parametrize("points", [30, 50])
    def test_or_costs_points(self, points: int) -> None:
        text = position(
            "      - Ann: pass",
            hands=self.hands,
            more=self.layout,
            overrides=f"pass: {{penalty: {points}}}, layout: {{spinner: none}}",
        )

        assert problems(text) == []
        assert replay(text).rounds[0].steps[0].event.points == -points

    def test_nothing_is_said_of_a_hidden_hand(self) -> None:
        text = position(
            "      - Ann: pass",
            hands="{Ann: 2, Bob: 2}",
            more=self.layout,
            overrides="draw: {when: never}",
        )

        assert problems(text) == []

    def test_drawing_while_able(self) -> None:
        text = position("      - Ann: draw", hands=self.hands, more=self.layout)

        assert "no drawing while a tile can be played: 6-1" in said(text)


class TestMisjoin:
    """Case C50: 3-1 is joined with its 3 to a 6, and nobody notices."""

    plays = """\
      - Ann: 6-4
      - Bob: 3-1 on 6-4 at 6 out 1
      - Ann: 1-0 on 3-1"""
    hands = "{Ann: 7, Bob: 7}"
    rules = "deal: {hand: {2: 7}}, layout: {spinner: none}"

    def test_strictly_it_ends_the_round(self) -> None:
        text = position(self.plays, hands=self.hands, overrides=self.rules)
        played = replay(text)

        assert codes(text) == ["illegal"]
        assert played.problems[0].line == 11
        assert sums(played) == [10]
        assert played.rounds[0].how == "invalid"
        assert played.rounds[0].scores == (None, None)

    def test_tolerated_it_stands_with_a_warning(self) -> None:
        text = position(self.plays, hands=self.hands, overrides=self.rules)
        text = text.replace("rounds:", "tolerate: [misjoin]\nrounds:")
        played = replay(text)

        assert [(one.code, one.severity, one.line) for one in played.problems] == [
            ("misjoin", "warning", 12)
        ]
        assert sums(played) == [10, 5, 4]
        assert played.scores == (10, 5)
        assert played.rounds[0].steps[-1].event.ends == (0, 4)


class TestWrongPlays:
    """Case C84: three rounds, an illegal fourth play in the second, and an empty third."""

    text = """\
sniff: 1
ruleset: all-fives
overrides: {deal: {hand: {2: 2}}}
players: [Ann, Bob]
rounds:
  - hands: {Ann: [5-5, 5-1], Bob: [5-2, 6-6]}
    leader: Ann
    plays: [Ann: 5-5, Bob: 5-2 on 5-5, Ann: 5-1 on 5-5]
    written: {Ann: 20, Bob: 0}
  - hands: {Ann: [4-4, 4-1], Bob: [4-2, 5-3]}
    leader: Ann
    plays:
      - Ann: 4-4
      - Bob: 4-2 on 4-4
      - Ann: 4-1 on 4-4
      - Bob: 5-3 on 4-2
      - Ann: 6-5 on 5-3
    written: {Ann: 25, Bob: 10}
  - {}
"""

    def test_what_stands_before_it_is_kept_and_nothing_after_it_is_scored(self) -> None:
        # Round 1: 5-5 makes 10, 5-1 makes 2 + 1 = 3; Bob keeps 12 pips, to the nearest 5 is 10.
        played = replay(self.text.replace("- Ann: 4-1 on 4-4\n", "- Ann: 4-1 on 4-2\n"))

        second = played.rounds[1]
        assert [one.how for one in played.rounds] == ["out", "invalid", "unfinished"]
        assert [one.code for one in played.problems] == ["illegal"]
        assert "round 2, action 3: 4-1 cannot go on 4-2" in str(played.problems[0])
        assert len(second.steps) == 2
        assert second.scores == (25, 10)
        assert played.rounds[2].start is not None
        assert played.rounds[2].start.scores == (25, 10)
        assert not played.ok

    def test_without_written_scores_the_rest_is_unknown(self) -> None:
        text = self.text.replace("    written: {Ann: 25, Bob: 10}\n", "")
        played = replay(text.replace("- Ann: 4-1 on 4-4\n", "- Ann: 4-1 on 4-2\n"))

        assert played.rounds[1].scores == (None, None)
        assert played.scores == (None, None)
        assert not played.rounds[2].scores_known

    def test_they_stay_unknown_also_without_a_target(self) -> None:
        text = self.text.replace("overrides: {", "overrides: {match: {target: none, rounds: 3}, ")
        text = text.replace("    written: {Ann: 25, Bob: 10}\n", "")
        played = replay(text.replace("- Ann: 4-1 on 4-4\n", "- Ann: 4-1 on 4-2\n"))

        assert played.record.rules.target(2) is None
        assert not played.rounds[2].scores_known

    def test_a_round_that_is_over_takes_no_more_tiles(self) -> None:
        played = replay(self.text)

        assert [one.code for one in played.problems] == ["over"]
        assert "round 2, action 4: the round is over" in str(played.problems[0])

    def test_an_unfinished_round_in_the_middle(self) -> None:
        text = self.text.replace(", Ann: 5-1 on 5-5]", "]").replace("Ann: 20", "Ann: 10")

        assert "round 1 is not finished, but another round follows" in said(text)

    def test_the_match_does_not_go_on_after_it_is_won(self) -> None:
        text = self.text.replace("overrides: {", "overrides: {match: {target: 20}, ")

        assert "the match was over after round 1: Ann had won" in said(text)

    def test_an_empty_list_of_rounds(self) -> None:
        played = replay("sniff: 1\nruleset: block\nplayers: [Ann, Bob]\nrounds: []\n")

        assert played.ok
        assert played.rounds == ()
        assert played.scores == (0, 0)


class TestClaims:
    """Case C42, told by a file: Ann claims nothing, Bob claims 10, Ann claims a wrong 5."""

    text = """\
sniff: 1
ruleset: all-fives
overrides:
  deal: {hand: {2: 7}}
  layout: {spinner: none}
  claim: {mode: declare}
players: [Ann, Bob]
rounds:
  - leader: Ann
    plays:
      - Ann: 5-5
      - Bob: [5-0 on 5-5, claim 10]
      - Ann: [6-5 on 5-5, claim 5]
"""

    def test_call_or_lose(self) -> None:
        assert replay(self.text).scores == (0, 10)

    def test_automatic(self) -> None:
        text = self.text.replace("mode: declare", "mode: automatic")
        text = text.replace(", claim 10", "").replace(", claim 5", "")

        assert replay(text).scores == (10, 10)

    def test_muggins(self) -> None:
        text = self.text.replace("mode: declare", "mode: declare, rivals: any, "
                                 "rivals_until: tile_after_next")  # fmt: skip
        text = text.replace("[5-0 on 5-5, claim 10]", "[5-0 on 5-5, catch Ann, claim 10]")

        assert replay(text).scores == (0, 20)

    def test_a_false_claim_with_penalty(self) -> None:
        text = self.text.replace("mode: declare", "mode: declare, false_claim: penalty")

        assert replay(text).scores == (0, 15)

    def test_a_claim_after_the_next_tile_is_refused(self) -> None:
        text = self.text.replace("[5-0 on 5-5, claim 10]", "5-0 on 5-5")
        text = text.replace("- Ann: [6-5 on 5-5, claim 5]", "- Ann: claim 10")

        assert codes(text) == ["claim"]

    def test_a_claim_may_be_in_time_to_a_tenth_of_a_second(self) -> None:
        # Article 5 of Dreamtime Sniff; worked claims C1 and C2.
        text = """\
            sniff: 1
            ruleset: dreamtime-sniff
            players: [Ann, Bob]
            rounds:
              - plays:
                  - Ann: [5-5, claim 10 after 6.9 s]
            """

        assert replay(text).scores == (10, 0)
        late = text.replace("6.9 s", "7 s")
        assert codes(late) == ["claim"]
        caught = text.replace("claim 10 after 6.9 s]", "]").replace(", ]", "]")
        caught = caught.rstrip() + "\n                  - Bob: catch Ann after 7 s\n"
        assert replay(caught).scores == (0, 15)

    def test_a_round_is_finished_for_them_where_the_file_goes_on(self) -> None:
        text = """\
            sniff: 1
            ruleset: dreamtime-sniff
            overrides: {deal: {hand: {2: 1}}}
            players: [Ann, Bob]
            rounds:
              - hands: {Ann: [5-5], Bob: [6-4]}
                plays:
                  - Ann: 5-5
                written: {Ann: 10, Bob: 0}
            """
        played = replay(text)

        assert played.problems == ()
        assert played.rounds[0].how == "out"
        assert played.rounds[0].finished_for_them
        assert [step.event.kind for step in played.rounds[0].steps] == ["play"]
        claimed = text.replace("- Ann: 5-5", "- Ann: [5-5, claim 10]").replace("10,", "20,")
        assert replay(claimed).problems == ()


class TestHiddenHands:
    """What the end of a round paid is not known where hands are hidden, unless the file says it."""

    text = """\
sniff: 1
ruleset: all-fives
overrides: {deal: {hand: {2: 1}}}
players: [Ann, Bob]
rounds:
  - hands: {Ann: [5-5], Bob: 1}
    leader: Ann
    plays: [Ann: 5-5]
"""

    def test_without_bonus(self) -> None:
        played = replay(self.text)

        assert [(one.code, one.severity) for one in played.problems] == [("bonus", "warning")]
        assert played.rounds[0].how == "out"
        assert played.rounds[0].scores == (None, None)

    def test_with_bonus(self) -> None:
        played = replay(self.text + "    bonus: {Ann: 5}\n    written: {Ann: 15, Bob: 0}\n")

        assert played.problems == ()
        assert played.scores == (15, 0)
        assert played.rounds[0].result is not None
        assert played.rounds[0].result.bonus == (5, 0)

    def test_the_scores_written_down_carry_the_match_on(self) -> None:
        played = replay(self.text + "    written: {Ann: 20, Bob: 0}\n  - leader: Ann\n")

        assert played.rounds[1].start is not None
        assert played.rounds[1].start.scores == (20, 0)

    def test_a_bonus_that_the_hands_contradict(self) -> None:
        text = self.text.replace("Bob: 1}", "Bob: [6-1]}") + "    bonus: {Ann: 10}\n"

        assert "the end of the round pays Ann 5, not 10" in said(text)

    def test_knocks_show_a_block(self) -> None:
        text = """\
            sniff: 1
            ruleset: block
            players: [Ann, Bob]
            rounds:
              - layout: [6-6, 6-5 on 6-6]
                hands: {Ann: 3, Bob: 3}
                leader: Ann
                plays: [Ann: pass, Bob: pass]
                bonus: {Bob: 12}
            """

        assert replay(text).rounds[0].how == "blocked"
        assert replay(text).scores == (0, 12)
        assert replay(text.replace(", Bob: pass]", "]").replace("bonus: {Bob: 12}", "redeals: 0")
                      ).rounds[0].how == "unfinished"  # fmt: skip


def test_the_keelhaul_stays_unlocked_over_a_round_that_is_wrong() -> None:
    text = """\
        sniff: 1
        ruleset: dreamtime-sniff
        players: [Ann, Bob]
        scores: {Ann: 52, Bob: 10}
        rounds:
          - plays:
              - Ann: [5-5, claim 10, keelhaul Bob]
              - Bob: 6-6 on 5-5
            written: {Ann: 40, Bob: 10}
          - plays:
              - Ann: [6-6, keelhaul Bob]
        """
    played = replay(text)

    # Unlocked once for the match, although the scores that were written down are below 50.
    assert [one.code for one in played.problems] == ["illegal"]
    assert played.scores == (35, 10)
    unknown = text.replace("            written: {Ann: 40, Bob: 10}\n", "")
    assert [one.code for one in replay(unknown).problems] == ["illegal"]
    assert replay(unknown).scores == (None, None)
    low = text.replace("scores: {Ann: 52", "scores: {Ann: 30").replace(", keelhaul Bob]\n       "
                       "       - Bob: 6-6", "]\n              - Bob: 6-6")  # fmt: skip
    assert [one.code for one in replay(low).problems] == ["illegal", "keelhaul"]


class TestLeaders:
    """Who leads follows from the ruleset; what the file says is held against it."""

    text = """\
sniff: 1
ruleset: all-threes
overrides: {deal: {hand: {2: 2}}}
players: [Ann, Bob]
rounds:
  - hands: {Ann: [5-5, 6-1], Bob: [6-6, 4-1]}
    plays: [Bob: 6-6]
"""

    def test_the_highest_double_leads_and_is_led(self) -> None:
        assert replay(self.text).ok
        assert codes(self.text.replace("Bob: 6-6]", "Bob: 4-1]")) == ["lead"]
        assert codes(self.text.replace("Bob: 6-6]", "Ann: 5-5]")) == ["turn"]

    def test_a_leader_against_the_ruleset_is_a_problem(self) -> None:
        text = self.text.replace("    plays: [Bob: 6-6]", "    leader: Ann")

        assert "game.yaml:7:13: error[leader]: by the ruleset Bob leads this round" in said(text)

    @pytest.mark.parametrize(("name", "found"), [("Ann", []), ("Cy", []), ("Bob", ["leader"])])
    def test_the_winning_team_agrees_on_its_leader(self, name: str, found: list[str]) -> None:
        text = f"""\
            sniff: 1
            ruleset: all-fives
            overrides: {{deal: {{hand: {{4: 1}}}}, open: {{next_leader: winning_team}}}}
            players: [Ann, Bob, Cy, Di]
            teams: [[Ann, Cy], [Bob, Di]]
            rounds:
              - hands: {{Ann: [5-5], Bob: [6-1], Cy: [6-2], Di: [6-3]}}
                leader: Ann
                plays: [Ann: 5-5]
              - leader: {name}
            """

        assert codes(text) == found

    def test_hands_that_must_be_thrown_in(self) -> None:
        text = """\
            sniff: 1
            ruleset: muggins-all-fives
            overrides: {deal: {hand: {2: 2}}}
            players: [Ann, Bob]
            rounds:
              - hands: {Ann: [5-4, 6-1], Bob: [6-5, 4-1]}
                leader: Ann
            """

        assert "these hands are thrown in" in said(text)

    def test_points_carried_in_mean_that_this_is_no_first_round(self) -> None:
        text = """\
            sniff: 1
            ruleset: all-fives
            overrides: {open: {first_leader: host}}
            players: [Ann, Bob]
            rounds:
              - leader: Bob
            """

        assert codes(text) == ["leader"]
        assert codes(text.replace("players:", "scores: {Ann: 5}\n            players:")) == []


def test_knocks_after_a_block_may_be_written_or_not() -> None:
    text = """\
        sniff: 1
        ruleset: block
        overrides: {deal: {hand: {2: 2}}}
        players: [Ann, Bob]
        rounds:
          - hands: {Ann: [6-6, 1-0], Bob: [5-5, 4-4]}
            plays: [Ann: 6-6]
        """
    played = replay(text)

    assert played.rounds[0].how == "blocked"
    with_knocks = text.replace("Ann: 6-6]", "Ann: 6-6, Bob: pass, Ann: pass]")
    assert replay(with_knocks).problems == ()
    assert replay(with_knocks).rounds[0].steps == played.rounds[0].steps
    thrice = text.replace("Ann: 6-6]", "Ann: 6-6, Bob: pass, Ann: pass, Bob: pass]")
    assert codes(thrice) == ["over"]


def test_the_boneyard_is_drawn_in_the_order_of_the_file() -> None:
    every = [f"{high}-{low}" for high in range(7) for low in range(high + 1)]
    held = ["6-6", "6-5", "1-1", "2-2"]
    rest = [tile for tile in every if tile not in held]
    text = f"""\
sniff: 1
ruleset: all-fives
overrides: {{deal: {{hand: {{2: 2}}}}}}
players: [Ann, Bob]
rounds:
  - hands: {{Ann: [6-6, 6-5], Bob: [1-1, 2-2]}}
    boneyard: [{", ".join(rest)}]
    leader: Ann
    plays:
      - Ann: 6-6
      - Bob: draw 0-0
      - Bob: draw
"""
    played = replay(text)

    assert [str(step.event.tile) for step in played.rounds[0].steps] == ["6-6", "0-0", "1-0"]
    assert codes(text.replace("draw 0-0", "draw 1-0")) == ["draw"]


def test_a_position_knows_whose_move_it_is_and_how_many_passed() -> None:
    text = """\
        sniff: 1
        ruleset: block
        players: [Ann, Bob, Cy]
        rounds:
          - layout: [6-6]
            hands: {Ann: [1-1], Bob: [2-2], Cy: [6-1, 3-3]}
            leader: Cy
            passes: 2
        """
    start = replay(text).rounds[0].start

    assert start is not None
    assert (start.turn, start.passes) == (2, 2)


def test_a_layout_that_cannot_lie_there() -> None:
    text = """\
        sniff: 1
        ruleset: all-fives
        players: [Ann, Bob]
        rounds:
          - layout: [5-5, 6-1 on 5-5]
            hands: {Ann: 1, Bob: 1}
            leader: Ann
        """

    assert "layout, tile 2: 6-1 cannot go on 5-5: it has no 5" in said(text)


def first_round(hands: str, plays: str, leader: str = "Ann") -> str:
    """Return a first round of Muggins, which the highest double leads."""
    return f"""\
sniff: 1
ruleset: muggins
players: [Ann, Bob, Cy]
rounds:
  - leader: {leader}
    hands: {{{hands}}}
    plays: [{plays}]
"""


ANN = "Ann: [5-5, 4-4, 6-5, 5-0, 3-2, 1-0, 6-2]"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (first_round(ANN, "Ann: 5-5"), ""),
        # That she leads although a hand is hidden tells that nobody holds 6-6.
        (first_round(ANN, "Ann: 4-4"), "round 1, action 1: 5-5 must be led, not 4-4"),
        (
            first_round(f"{ANN}, Cy: [6-6, 4-3, 4-2, 4-1, 4-0, 3-0, 2-0]", "Ann: 5-5"),
            "by the ruleset Cy leads this round, not Ann",
        ),
        (
            first_round(
                "Ann: [4-4, 6-5, 5-0, 3-2, 1-0, 6-2, 6-1], Cy: [5-5, 4-3, 4-2, 4-1, 4-0, 3-0, 2-0]",
                "Ann: 4-4",
            ),
            "by the ruleset Cy leads before Ann",
        ),
        # Nobody was dealt a double, as she leads with none: then it is the highest tile.
        (
            first_round("Ann: [6-4, 6-3, 5-0, 3-2, 1-0, 6-2, 6-1]", "Ann: 6-3"),
            "round 1, action 1: 6-4 must be led, not 6-3",
        ),
        (first_round(ANN, "Bob: 6-6", leader="Bob"), ""),
    ],
)
def test_who_leads_is_bound_although_other_hands_are_hidden(text: str, message: str) -> None:
    assert message in said(text) if message else not said(text)


BLOCKED = """\
sniff: 1
ruleset: block
players: [Ann, Bob]
rounds:
  - hands: {Ann: [3-1], Bob: [5-4]}
    layout: [6-6, 6-1 on 6-6, 6-0 on 6-6, 1-0 on 6-1, 0-0 on 6-0]
    leader: Ann
"""


@pytest.mark.parametrize(
    "more",
    [
        "",
        "    written: {Ann: 5, Bob: 0}\n",
        "    passes: 1\n",
        "    plays: [Ann: pass, Bob: pass]\n",
    ],
)
def test_a_given_table_on_which_nobody_can_play_is_blocked(more: str) -> None:
    """The ends are blank, nobody holds one, nothing is drawn: 9 pips less 4 are Ann's."""
    played = replay(BLOCKED + more)
    assert not played.problems
    (one,) = played.rounds
    assert one.how == "blocked"
    assert played.scores == (5, 0)


def test_a_false_join_that_can_be_two_things_is_asked_about() -> None:
    text = """\
sniff: 1
ruleset: all-fives
players: [Ann, Bob]
tolerate: [misjoin]
rounds:
  - leader: Ann
    hands: {Ann: [6-4, 4-4], Bob: [5-2, 6-6]}
    layout: [5-5]
    plays: [Ann: PLAY]
"""
    both = "6-4 can be laid in more than one way: 6-4 on 5-5 at 5 out 6 or 6-4 on 5-5 at 5 out 4"
    assert codes(text.replace("PLAY", "6-4 on 5-5")) == ["ambiguous"]
    assert both in said(text.replace("PLAY", "6-4 on 5-5"))
    # The spinner counts 10 beside the half that faces out.
    assert sums(replay(text.replace("PLAY", "6-4 on 5-5 out 4"))) == [14]
    assert sums(replay(text.replace("PLAY", "6-4 on 5-5 at 5 out 6"))) == [16]
