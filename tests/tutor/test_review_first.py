"""The review before there is an engine: choices, points left, forced actions, claims.

Every number here was worked out by hand from the rules (rules.md, sections 1 and 2.1).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sniffcli.files.games import read_game
from sniffcli.files.replay import Replay, play_out
from sniffcli.game.view import View
from sniffcli.show.style import Look
from sniffcli.tiles import parse_tile
from sniffcli.tutor.review import Choice, Decision, GameReview, Verdict, review
from sniffcli.tutor.review_json import document
from sniffcli.tutor.review_text import report

Sniff = Callable[..., Any]

#: Three tiles each, to be followed with a pencil.
SMALL = """\
sniff: 1
ruleset: all-fives
overrides: {deal: {hand: {2: 3}}}
players: [Ann, Bob]
rounds:
  - hands:
      Ann: [5-5, 4-1, 6-2]
      Bob: [5-2, 5-3, 6-5]
    leader: Ann
    plays:
      - Ann: 5-5
      - Bob: 5-2 on 5-5
      - Ann: 6-2 on 5-2
      - Bob: 5-3 on 5-5
      - Ann: [draw 4-3, 4-3 on 5-3]
"""

#: Dreamtime Sniff: two claimed in time, one caught, one forgotten, one false claim.
CLAIMS = """\
sniff: 1
ruleset: dreamtime-sniff
players: [Ann, Bob]
rounds:
  - hands:
      Ann: [5-5, 5-1, 4-1, 3-1, 2-1, 6-1, 0-0]
      Bob: 7
    leader: Ann
    plays:
      - Ann: 5-5
      - Ann: claim 10 after 3 s
      - Bob: 5-0 on 5-5
      - Bob: claim 15
      - Ann: catch Bob
      - Ann: 5-1 on 5-5
      - Bob: 6-5 on 5-5
      - Ann: 4-1 on 5-1
      - Bob: 4-3 on 4-1
"""


def replayed(text: str, file: str = "game.yaml") -> Replay:
    record, problems = read_game(text, file)
    assert record is not None, problems
    return play_out(record)


def reviewed(text: str) -> GameReview:
    replay = replayed(text)
    assert replay.ok, [str(problem) for problem in replay.problems]
    return review(replay)


def facts(one: Decision) -> tuple[str, int, int | None, int | None, str]:
    return one.event.text, one.points, one.best_score, one.missed_points, one.verdict.status


def test_every_action_with_its_points_and_the_best_score() -> None:
    assert [facts(one) for one in reviewed(SMALL).decisions] == [
        ("5-5", 10, 10, 0, "not_established"),
        ("5-2 on 5-5", 0, 0, 0, "not_established"),
        # Neither 4-1 fits a 5 or a 2, so 6-2 had to be laid.
        ("6-2 on 5-2", 0, 0, 0, "forced"),
        # 6-5 on 6-2 would have made 10 + 5 = 15; 5-3 made 6 + 3 = 9.
        ("5-3 on 5-5", 0, 15, 15, "not_established"),
        ("draw 4-3", 0, 0, 0, "forced"),
        # 6 + 4 = 10; what was drawn and fits must be laid.
        ("4-3 on 5-3", 10, 10, 0, "forced"),
    ]


def test_the_choices_with_their_sums_and_points() -> None:
    lead, reply, *_, bobs, _, _ = reviewed(SMALL).decisions
    assert [(one.text, one.sum, one.points) for one in lead.choices] == [
        ("5-5", 10, 10),
        ("4-1", 5, 5),
        ("6-2", 8, 0),
    ]
    # A double with one face covered still counts both halves.
    assert {(one.text, one.sum) for one in reply.choices} == {
        ("5-2 on 5-5", 12),
        ("5-3 on 5-5", 13),
        ("6-5 on 5-5", 16),
    }
    # With its second face covered the spinner counts nothing.
    assert {(one.text, one.sum, one.points) for one in bobs.choices} == {
        ("5-3 on 5-5", 9, 0),
        ("6-5 on 5-5", 12, 0),
        ("6-5 on 6-2", 15, 15),
    }
    assert [one.text for one in bobs.best_scoring] == ["6-5 on 6-2"]


def test_totals_per_seat() -> None:
    ann, bob = reviewed(SMALL).seats
    # Ann's draw is one she had to make, and no play.
    assert (ann.decisions, ann.forced, ann.draws, ann.points, ann.missed_points) == (1, 2, 1, 20, 0)
    assert (bob.decisions, bob.forced, bob.draws, bob.points, bob.missed_points) == (2, 0, 0, 0, 15)
    for seat in (ann, bob):
        assert seat.loss is seat.loss_per_decision is seat.loss_per_round is seat.luck is None
        assert seat.grades == {}


PAIR = """\
sniff: 1
ruleset: draw
players: [Ann, Bob]
rounds:
  - layout: [1-1]
    hands: {{Ann: [6-6], Bob: [6-1]}}
    boneyard: [{boneyard}]
    leader: Ann
    plays: [{plays}]
"""


def test_with_nothing_to_play_the_answer_is_forced() -> None:
    """Case C62 on the positions of C35: a pass with nothing to draw, else a draw."""
    every = [f"{high}-{low}" for high in range(7) for low in range(high + 1)]
    rest = [tile for tile in every if tile not in ("1-1", "6-6", "6-1")]
    few = "draw: {when: never}"
    game = PAIR.format(boneyard=", ".join(rest), plays="Ann: pass, Bob: 6-1 on 1-1")
    game = game.replace("players:", f"overrides: {{{few}}}\nplayers:", 1)
    game = game.replace("Ann: pass, Bob: 6-1 on 1-1", "{Ann: pass}, {Bob: 6-1 on 1-1}")
    passed, played = reviewed(game).decisions
    assert facts(passed) == ("pass", 0, 0, 0, "forced")
    assert [one.text for one in passed.choices] == ["pass"]
    assert played.verdict.status == "forced"

    rest.remove("5-1")
    drawn = PAIR.format(boneyard=", ".join(["5-1", *rest]), plays="{Ann: draw 5-1}")
    (decision,) = reviewed(drawn).decisions
    assert facts(decision) == ("draw 5-1", 0, 0, 0, "forced")
    assert [one.text for one in decision.choices] == ["draw"]


def test_claims_made_missed_and_caught() -> None:
    game = reviewed(CLAIMS)
    assert [(c.n, c.seat, c.points, c.claimed, c.caught_by) for c in game.claims] == [
        (1, 0, 10, True, None),
        # 5-0 on 5-5: the sniff counts 10 and the 0 nothing. Bob claimed 15, and Ann took the 10.
        (3, 1, 10, False, 0),
        # 4-1 on 5-1: 0 + 6 + 4 = 10, and nobody said a word.
        (8, 0, 10, False, None),
    ]
    ann, bob = game.seats
    assert (ann.claims_missed, ann.claims_caught, ann.false_claims) == (1, 1, 0)
    assert (bob.claims_missed, bob.claims_caught, bob.false_claims) == (1, 0, 1)


def test_a_score_that_may_still_be_claimed_is_neither() -> None:
    game = reviewed(CLAIMS.split("      - Ann: claim")[0])
    assert [(claim.claimed, claim.missed) for claim in game.claims] == [(None, False)]


def test_a_hidden_hand_has_no_choices_and_no_verdict() -> None:
    game = reviewed(CLAIMS)
    bobs = [one for one in game.decisions if one.seat == 1]
    assert {one.verdict.status for one in bobs} == {"unknown_hand"}
    assert {(one.best_score, one.missed_points, one.choices) for one in bobs} == {(None, None, ())}
    assert (game.seats[1].decisions, game.seats[1].unknown, game.seats[1].missed_points) == (
        0,
        3,
        None,
    )


def test_what_stands_before_a_wrong_play_is_reviewed() -> None:
    replay = replayed(SMALL.replace("Bob: 5-3 on 5-5", "Bob: 6-5 on 5-3"))
    assert not replay.ok
    assert [one.event.text for one in review(replay).decisions] == [
        "5-5",
        "5-2 on 5-5",
        "6-2 on 5-2",
    ]


class Counting:
    """A grader that likes what comes first, and remembers what it was shown."""

    def __init__(self) -> None:
        self.seen: list[tuple[View, tuple[Choice, ...], int]] = []

    def grade(self, view: View, choices: tuple[Choice, ...], played: int) -> Verdict:
        self.seen.append((view, choices, played))
        loss = 3.0 * played
        grade = "equal" if played == 0 else "inaccuracy"
        return Verdict("graded", -loss, choices[0].text, 0.0, loss, 0.5, 0.01, grade, ("because",))


def test_a_grader_is_asked_only_where_there_is_something_to_decide() -> None:
    grader = Counting()
    game = review(replayed(SMALL), grader)
    assert [(view.seat, len(choices)) for view, choices, _ in grader.seen] == [
        (0, 3),
        (1, 3),
        (1, 3),
    ]
    # It sees what the seat saw: Bob's own tiles and how many Ann holds.
    bobs = grader.seen[1][0]
    assert bobs.hand == tuple(sorted(map(parse_tile, ["5-2", "5-3", "6-5"])))
    assert bobs.origin.hands[0].tiles == ()
    ann, bob = game.seats
    assert (ann.loss, ann.loss_per_decision, ann.grades) == (0.0, 0.0, {"equal": 1})
    losses = [3.0 * played for _, _, played in grader.seen[1:]]
    assert bob.loss == sum(losses)
    assert bob.loss_per_decision == sum(losses) / 2
    # Errors of independent decisions add up as squares.
    assert bob.loss_se == pytest.approx(0.5 * 2**0.5)


def test_choices_of_a_hidden_hand_are_never_shown_to_a_grader() -> None:
    grader = Counting()
    review(replayed(CLAIMS), grader)
    assert {view.seat for view, _, _ in grader.seen} == {0}


MOVE_KEYS = (
    "round n seat played points best_score missed_points value best best_value loss loss_se "
    "win_loss status grade reasons"
).split()
SEAT_KEYS = "decisions loss loss_per_decision loss_per_round grades missed_points luck".split()


def test_the_json_has_the_keys_of_the_contract() -> None:
    facts = document([reviewed(CLAIMS)], [])
    assert list(facts)[:2] == ["games", "problems"]
    (game,) = facts["games"]
    assert set("file moves claims seats".split()) <= set(game)
    for move in game["moves"]:
        assert list(move)[: len(MOVE_KEYS)] == MOVE_KEYS
        assert move["value"] is move["loss"] is move["grade"] is None
        assert move["reasons"] == []
    for claim in game["claims"]:
        assert list(claim) == "round n seat points claimed caught_by price".split()
    assert set(game["seats"]) == {"Ann", "Bob"}
    assert all(set(SEAT_KEYS) <= set(seat) for seat in game["seats"].values())
    json.dumps(facts, allow_nan=False)


@pytest.mark.parametrize("width", [20, 40, 80, 200])
@pytest.mark.parametrize("unicode", [True, False])
def test_the_report_fits_its_width(width: int, unicode: bool) -> None:
    look = Look(width, unicode=unicode)
    text = report([reviewed(SMALL), reviewed(CLAIMS)], look)
    assert max(map(len, text.splitlines())) <= width
    assert unicode or text.isascii()


def test_the_report_marks_the_points_left() -> None:
    text = report([reviewed(SMALL)], Look(80))
    lines = text.splitlines()
    assert lines[1] == "All Fives, Ann against Bob, 1 round, to 250"
    assert "ends 4 5 5 6   sum 10" in lines
    (worst,) = (line for line in lines if "*" in line and "5-3 on 5-5" in line)
    assert worst.split() == "4 Bob 5-3 on 5-5 9 3 0 15 15 * 6-5 on 6-2".split()
    assert "Forced: 2 plays, 1 draw." in lines


def test_the_report_tells_what_became_of_each_score() -> None:
    lines = report([reviewed(CLAIMS)], Look(80)).splitlines()
    assert "Claimed: 1 of 3 scores." in lines
    assert "  3. Bob's 10: caught by Ann" in lines
    assert "  8. Ann's 10: missed" in lines


def test_colour_changes_nothing_but_colour() -> None:
    import click

    games = [reviewed(SMALL), reviewed(CLAIMS)]
    colored = report(games, Look(80, color=True))
    assert colored != report(games, Look(80))
    assert click.unstyle(colored) == report(games, Look(80))


@pytest.fixture
def small(tmp_path: Path) -> Path:
    file = tmp_path / "small.yaml"
    file.write_text(SMALL, "utf-8")
    return file


def test_the_command_in_its_formats(sniff: Sniff, small: Path) -> None:
    text = sniff("analyze", small)
    assert (text.status, text.err) == (0, "")
    assert "Round 1: Ann leads" in text.out
    moves = json.loads(sniff("analyze", small, "--format", "json").out)["games"][0]["moves"]
    assert [move["missed_points"] for move in moves] == [0, 0, 0, 15, 0, 0]
    sheet = sniff("analyze", small, "--format", "csv").out.splitlines()
    assert sheet[4].split(",")[2:10] == ("4,Bob,[5-3] on [5-5],9,0,15,15,[6-5] on [6-2]".split(","))
    assert "| 4 | Bob | 5-3 on 5-5 |" in sniff("analyze", small, "--format", "markdown").out


def test_several_games_and_standard_input(sniff: Sniff, small: Path) -> None:
    run = sniff("analyze", small, "-", "--format", "json", input=CLAIMS)
    games = json.loads(run.out)["games"]
    assert [game["file"] for game in games] == [str(small), "<stdin>"]


def test_a_wrong_file_is_reviewed_as_far_as_it_goes(sniff: Sniff, small: Path) -> None:
    small.write_text(SMALL.replace("Bob: 5-3 on 5-5", "Bob: 6-5 on 5-3"), "utf-8")
    run = sniff("analyze", small, "--format", "json")
    assert run.status == 1
    facts = json.loads(run.out)
    assert len(facts["games"][0]["moves"]) == 3
    assert [problem["line"] for problem in facts["problems"]] == [14]
    assert "small.yaml:14:" in run.err
    assert "it is reviewed" not in run.err


def test_an_output_file_is_not_replaced_unasked(sniff: Sniff, small: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.csv"
    first = sniff("analyze", small, "--format", "csv", "--output", output)
    assert (first.status, first.out) == (0, "")
    assert output.read_text("utf-8").startswith("file,round,n,player")
    again = sniff("analyze", small, "--output", output)
    assert again.status == 2
    assert "--force" in again.err
    assert output.read_text("utf-8").startswith("file,round,n,player")
    assert sniff("analyze", small, "--output", output, "--force").status == 0
    assert "Round 1: Ann leads" in output.read_text("utf-8")


def test_an_input_is_never_written_over(sniff: Sniff, small: Path) -> None:
    run = sniff("analyze", small, "--output", small, "--force")
    assert run.status == 2
    assert small.read_text("utf-8") == SMALL


def test_a_missing_file_is_a_mistake_of_the_command_line(sniff: Sniff, tmp_path: Path) -> None:
    run = sniff("analyze", tmp_path / "nothing.yaml")
    assert (run.status, run.out) == (2, "")


def test_a_highest_score_player_leaves_nothing(root: Path) -> None:
    """`human` of the four recorded matches always took the most points (their notes say so)."""
    for number in (1, 2, 3, 4):
        file = root / "scenarios" / "games" / f"all-fives-match-{number}.yaml"
        human, robot = review(replayed(file.read_text("utf-8"), str(file))).seats
        assert human.missed_points == 0
        assert human.decisions > 10
        assert robot.missed_points


def test_a_game_without_points_shows_no_points(root: Path) -> None:
    file = root / "scenarios" / "games" / "cross-round.yaml"
    text = report([review(replayed(file.read_text("utf-8"), str(file)))], Look(80))
    assert " n  player  play        choices" in text.splitlines()
    assert "left" not in text


def test_plays_of_hidden_hands_are_listed_with_what_they_scored(root: Path) -> None:
    """The nine published moves (case C01): their sums and points are in print."""
    file = root / "scenarios" / "games" / "nine-published-moves.yaml"
    text = report([review(replayed(file.read_text("utf-8"), str(file)))], Look(80))
    rows = [line.split() for line in text.splitlines()]
    plays = [row for row in rows if row and row[-2:] == ["-", "-"] and row[0].isdigit()]
    # Each row ends with: sum, choices, points, best, points left.
    assert [(int(row[-5]), int(row[-3])) for row in plays] == [
        (5, 5),
        (6, 0),
        (10, 10),
        (5, 5),
        (5, 5),
        (10, 10),
        (15, 15),
        (5, 5),
        (8, 0),
    ]
