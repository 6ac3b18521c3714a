"""Drills: families against the face-by-face twin, mistakes by hand, answers, hints."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from twin import Board

from sniffcli.files.puzzles import Number
from sniffcli.game.state import State
from sniffcli.show.style import Look
from sniffcli.tutor.drill_choice import probe_set
from sniffcli.tutor.drill_errors import MISTAKES, wrong_sums
from sniffcli.tutor.drill_text import after, hint, shown
from sniffcli.tutor.drills import (
    AnswerError,
    Question,
    Session,
    asked_in_words,
    item_of,
    judged,
    kept_as,
    parse_answer,
    question_of,
)
from sniffcli.tutor.families import FAMILIES

from .texts import TWELVE, TWENTY_NOW, read, with_keys

LOOK = Look(80)


def question(position: str, **keys: str) -> Question:
    (puzzle,) = read(with_keys(position, **keys))
    return question_of(puzzle)


def board_of(state: State) -> Board:
    """The same table on the twin."""
    board = Board(state.rules, state.setup.seats)
    for placed in state.layout.placed:
        if placed.on < 0:
            board.lay(placed.tile)
        else:
            outward = placed.tile.low if placed.by == "high" else placed.tile.high
            board.lay(placed.tile, placed.on, placed.at, outward)
    return board


@pytest.mark.parametrize("family", [one.name for one in FAMILIES])
def test_items_of_a_family_are_counted_right(family: str) -> None:
    for seed in range(4):
        asked = item_of(family, seed)
        board = board_of(asked.state)
        right = asked.finding.right[0]
        if asked.puzzle.ask == "count":
            assert right == Number(board.total())
        elif asked.puzzle.ask in ("points", "claim"):
            assert right == Number(board.worth())
        else:
            best = asked.finding.options[0]
            assert best.points > asked.finding.options[1].points
        assert asked.puzzle.id == f"item:{family}:{seed}"
        assert item_of(family, seed).puzzle == asked.puzzle


BELONGS: dict[str, Callable[[Board], bool]] = {
    "two-ends": lambda board: len(board.ends()) == 2,
    "three-ends": lambda board: len(board.ends()) >= 3,
    "over-twenty": lambda board: board.total() > 20,
    "zero-ends": lambda board: 0 in board.ends(),
    "spinner-alone": lambda board: len(board.pieces) == 1 and board.pieces[0].tile.is_double,
    "spinner-enclosed": lambda board: any(
        len(piece.touches) >= 2 and board.is_spinner(piece) for piece in board.pieces
    ),
}


@pytest.mark.parametrize("family", BELONGS)
def test_items_belong_to_their_family(family: str) -> None:
    for seed in range(4):
        assert BELONGS[family](board_of(item_of(family, seed).state))


def test_items_that_score_come_about_as_often_as_others() -> None:
    scoring = sum(item_of("claim", seed).finding.right[0].value > 0 for seed in range(24))  # type: ignore[union-attr]
    assert 6 <= scoring <= 18


#: 6-6 with both sides and one end covered; 3, 4 and the 1-1 at the tip of an arm: 3 + 4 + 2 = 9.
COVERED = """
    ruleset: all-fives
    round:
      layout: [6-6, 6-3 on 6-6, 6-4 on 6-6, 6-1 on 6-6 tip, 1-1 on 6-1]
      hands: {Ann: 6, Bob: 7}
      leader: Bob
"""
#: Fives and Threes: 6 + 6 + 3 = 15, worth 3 + 5 = 8.
FIFTEEN = """
    ruleset: fives-and-threes
    round: {layout: [6-6, 6-3 on 6-6], hands: {Ann: 6, Bob: 6}, leader: Ann}
"""
#: All Fives: 5 + 5 + 6 = 16, worth nothing.
SIXTEEN = """
    ruleset: all-fives
    round: {layout: [5-5, 6-5 on 5-5], hands: {Ann: 8, Bob: 8}, leader: Ann}
"""


@pytest.mark.parametrize(
    ("position", "ask", "right", "given", "mistake"),
    [
        (COVERED, "count", "9", "8", "double-once"),
        (COVERED, "count", "9", "21", "covered-spinner"),
        (COVERED, "count", "9", "15", "covered-spinner"),
        (COVERED, "count", "9", "5", "missing-arm"),
        (COVERED, "count", "9", "6", "missing-arm"),
        (COVERED, "count", "9", "10", "slip"),
        (COVERED, "count", "9", "40", None),
        (TWELVE, "count", "12", "7", "double-once"),
        (FIFTEEN, "points", "8", "15", "sum-for-points"),
        (FIFTEEN, "points", "8", "0", "missed-score"),
        (FIFTEEN, "points", "8", "3", "double-once"),
        (FIFTEEN, "points", "8", "7", "slip"),
        (SIXTEEN, "points", "0", "15", "false-claim"),
        (SIXTEEN, "claim", "0", "16", "false-claim"),
    ],
)
def test_mistakes_are_told_apart(
    position: str, ask: str, right: str, given: str, mistake: str | None
) -> None:
    asked = question(position, ask=ask, answer=right)
    verdict = judged(asked, parse_answer(asked, given))
    assert not verdict.right
    assert verdict.mistake == mistake


def test_every_mistake_has_a_name_for_people() -> None:
    asked = question(COVERED, ask="count", answer="9")
    assert {kind for kind, _ in wrong_sums(asked.state)} <= set(MISTAKES)


@pytest.mark.parametrize(
    ("keys", "text", "right"),
    [
        ({"ask": "best-play", "answer": "6-3 on 6-1"}, "3:6 on 6-1", True),
        ({"ask": "best-play", "answer": "6-3 on 6-1"}, "6-3 on 6", True),
        ({"ask": "best-play", "answer": "6-3 on 6-1"}, "5-2 on 2-2", False),
        ({"ask": "value", "answer": "15"}, "15.0", True),
        ({"ask": "value", "answer": "15"}, "-25", False),
    ],
)
def test_answers_are_read_as_players_write_them(
    keys: dict[str, str], text: str, right: bool
) -> None:
    asked = question(TWENTY_NOW, **keys)
    assert judged(asked, parse_answer(asked, text)).right == right


@pytest.mark.parametrize(
    "text", ["", "twelve", "5-2 on 6-4", "6-6", "claim 5", "5-2 on 2-2 corner"]
)
def test_what_is_no_answer_is_refused(text: str) -> None:
    asked = question(TWENTY_NOW, ask="best-play", answer="6-3 on 6-1")
    with pytest.raises(AnswerError):
        parse_answer(asked, text)


def test_lists_may_come_in_any_order() -> None:
    position = """
        ruleset: matador
        round: {layout: [5-4], hands: {Ann: 6, Bob: [5-5, 3-1, 2-0]}, leader: Bob}
    """
    asked = question(position, ask="legal-plays", answer="[3-1 on 5-4, 2-0 on 5-4]")
    assert judged(asked, parse_answer(asked, "2-0 on 5-4; 3-1 on 5-4")).right
    assert not judged(asked, parse_answer(asked, "2-0 on 5-4")).right
    assert not judged(asked, parse_answer(asked, "none")).right
    # What cannot be laid is a wrong answer to this question, in whatever company.
    assert not judged(asked, parse_answer(asked, "5-5 on 5-4")).right
    assert not judged(asked, parse_answer(asked, "2-0 on 5-4; 3-1 on 5-4; 5-5 on 5-4")).right
    for slip in ("6-6 on 5-4", "5-4 on 5-4", "9-9"):
        # What he does not hold is a slip, and asked again as with other plays.
        with pytest.raises(AnswerError):
            parse_answer(asked, slip)


@pytest.mark.parametrize("slip", ["9-9", "5-1, 6-6", "7-0"])
def test_tiles_that_nobody_can_hold_are_no_answer(slip: str) -> None:
    position = """
        ruleset: block
        round: {leader: Ann, hands: {Ann: [6-6, 5-1, 4-1, 3-1, 2-1, 1-1, 1-0, 2-0], Bob: 8},
                plays: [Ann: 6-6, Bob: pass]}
    """
    asked = question(position, ask="holds", of="Bob", answer="[6-5]")
    with pytest.raises(AnswerError, match=r"not in the set|on the table"):
        parse_answer(asked, slip)


def test_after_twenty_now_it_is_said_what_it_loses_and_how() -> None:
    """Case C60: 20 now comes to -25, 6-3 on 6-1 to +15."""
    asked = question(TWENTY_NOW, ask="best-play", answer="6-3 on 6-1")
    verdict = judged(asked, parse_answer(asked, "5-2 on 2-2 tip"))
    told = after(asked, verdict, LOOK, None)
    assert "Wrong. Right is 6-3 on 6-1." in told
    assert "Your 5-2 on 2-2 loses 40.0 points" in told
    assert re.search(r"5-2 on 2-2 +20 +20 +-25\.0 +40\.0", told)
    assert re.search(r"6-3 on 6-1 +12 +0 +\+15\.0", told)
    assert "Solution: 6-3 on 6-1, " in told


def test_the_sum_is_hidden_until_the_answer() -> None:
    asked = question(TWELVE, ask="count", answer="12")
    assert "12" not in shown(asked, LOOK)
    assert "sum 12" in shown(asked, LOOK, hidden_sum=False)
    told = after(asked, judged(asked, parse_answer(asked, "12")), LOOK, 1.25)
    assert told.startswith("Right, 1.2 s.")
    assert "5 + 5 (the 5-5) + 2 = 12" in told
    assert "sum 12" in told


def test_hints_end_and_make_an_answer_unrated() -> None:
    asked = item_of("four-ends", 1)
    hints = asked.puzzle.hints
    assert hint(asked, 0) == hints[0]
    assert "no more hints" in hint(asked, len(hints))
    verdict = judged(asked, asked.finding.right[0])
    kept = kept_as(asked, verdict, seconds=2.0, hints=1, hidden=True, at=1.0, session="s")
    assert kept.correct
    assert not kept.rated


def test_an_answer_that_comes_too_late_is_wrong() -> None:
    asked = question(TWELVE, ask="count", answer="12")
    verdict = judged(asked, Number(12), late=True)
    assert not verdict.right
    assert after(asked, verdict, LOOK, 31.0).startswith("Too late, 31.0 s")


def test_streaks_break() -> None:
    asked = question(TWELVE, ask="count", answer="12")
    session = Session("s")
    for right in (True, True, False, True):
        session.note(asked, right)
    assert (session.right, session.asked, session.streak, session.best_streak) == (3, 4, 1, 2)


def test_the_probe_set_is_fixed_and_never_trained_on() -> None:
    names = ["two-ends", "both"]
    first, again = probe_set(names), probe_set(names)
    assert [one.puzzle for one in first] == [one.puzzle for one in again]
    assert all(one.probe for one in first)
    drilled = {
        tuple(item_of(name, seed).state.layout.placed) for name in names for seed in range(9)
    }
    assert not drilled & {tuple(one.state.layout.placed) for one in first}


@pytest.mark.parametrize("width", [20, 40, 80])
def test_questions_fit_narrow_terminals(width: int) -> None:
    for name in ("four-ends", "placement", "claim"):
        asked = item_of(name, 2)
        wrong = judged(asked, Number(99)) if asked.puzzle.ask != "best-score" else None
        told = shown(asked, Look(width)) + "\n" + asked_in_words(asked)[:0]
        if wrong is not None:
            told += after(asked, wrong, Look(width), None)
        assert all(len(line) <= width for line in told.splitlines())
