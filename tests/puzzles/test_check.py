"""Every kind of question with a right and a wrong answer; expected values by hand or from cases."""

from __future__ import annotations

import pytest

from .texts import HEAD, TWELVE, TWENTY_NOW, codes, problems_of, with_keys

DREAM = """
    ruleset: dreamtime-sniff
    players: [Ann, Bob]
    round:
      hands:
        Ann: [5-5, 4-1, 3-0, 6-6, 2-1, 6-3, 4-4]
        Bob: [5-0, 6-5, 4-2, 3-2, 1-1, 6-0, 2-2]
      leader: Ann
      plays: [{Ann: [5-5, claim 10]}, {Bob: 5-0 on 5-5}]
"""
PASSED = """
    ruleset: block
    overrides: {deal: {hand: {2: 7}}, open: {first_leader: lot, tile: any}}
    players: [Ann, Bob]
    of: Bob
    round:
      hands: {Ann: [2-2, 2-1, 3-2, 6-2, 6-4, 6-3, 5-2]}
      leader: Ann
      plays: [{Ann: 2-2}, {Bob: pass}]
"""
#: Case C59, appendix P1: the boneyard holds 3-0 and 4-0 in unknown order.
DRAWS = """
    ruleset: all-fives
    round:
      layout: [6-6, 6-1 on 6-6, 1-1 on 6-1, 3-1 on 1-1, 4-3 on 3-1, 6-3 on 6-6,
               4-4 on 4-3, 6-4 on 4-4, 6-2 on 6-6 tip, 5-2 on 6-2, 5-0 on 5-2, 2-0 on 5-0,
               4-2 on 2-0, 3-2 on 6-3, 5-4 on 4-2,
               2-1 on 3-2, 4-1 on 2-1, 5-1 on 5-4, 1-0 on 5-1, 6-5 on 6-4, 5-5 on 6-5, 6-0 on 1-0,
               5-3 on 5-5, 3-3 on 5-3]
      hands: {Ann: [0-0], Bob: [2-2]}
      leader: Ann
"""
#: Ends 3 and 6 (6-6 open on a side): 3-3 makes 18, 6-2 makes 5, 6-3 makes 6.
SCORES = """
    ruleset: all-fives
    round: {layout: [6-6, 6-3 on 6-6], hands: {Ann: [3-3, 6-2, 6-4, 1-0], Bob: 8}, leader: Ann}
"""


@pytest.mark.parametrize(
    ("position", "keys", "wrong"),
    [
        (TWELVE, {"ask": "count", "answer": "12"}, "17"),
        (TWELVE, {"ask": "points", "answer": "0"}, "12"),
        (DREAM, {"ask": "claim", "answer": "10"}, "5"),
        (SCORES, {"ask": "best-score", "answer": "6-2 on 6-6"}, "3-3 on 6-3"),
        (SCORES, {"ask": "legal-plays", "answer": "[3-3 on 6-3, 6-2 on 6-6, 6-4 on 6-6]"},
         "[3-3 on 6-3, 6-2 on 6-6]"),
        (TWENTY_NOW, {"ask": "best-play", "answer": "6-3 on 6-1"}, "5-2 on 2-2 tip"),
        (TWENTY_NOW, {"ask": "value", "answer": "15"}, "-25"),
        (DRAWS, {"ask": "value", "answer": "2.5"}, "5"),
        (PASSED, {"ask": "holds", "never": "true", "answer": "[2-0, 4-2]"}, "[2-0]"),
    ],
)  # fmt: skip
def test_a_right_answer_is_confirmed_and_a_wrong_one_is_not(
    position: str, keys: dict[str, str], wrong: str
) -> None:
    assert codes(with_keys(position, **keys)) == []
    assert codes(with_keys(position, **{**keys, "answer": wrong})) == ["wrong-answer"]


def test_what_may_be_held_is_the_rest() -> None:
    """Ann sees seven tiles; of the other 21 Bob cannot hold 2-0 and 4-2 (case C57)."""
    may = "0-0 1-0 1-1 3-0 3-1 3-3 4-0 4-1 4-3 4-4 5-0 5-1 5-3 5-4 5-5 6-0 6-1 6-5 6-6".split()
    assert codes(with_keys(PASSED, ask="holds", answer=f"[{', '.join(may)}]")) == []


def test_twenty_now_says_with_numbers_why_it_loses() -> None:
    (problem,) = problems_of(with_keys(TWENTY_NOW, ask="best-play", answer="5-2 on 2-2 tip"))
    for words in ("5-2 on 2-2", "-25.0", "6-3 on 6-1", "15.0", "loses 40.0", "solved exactly"):
        assert words in problem.message


#: 5-5 + 5-1 make 1 + 10; with 5-2 the ends are 1 + 2 = 3 and with 5-4 they are 1 + 4 = 5: a point
#: each in Fives and Threes; with 6-5 they are 1 + 6 = 7.
TWO_PAY_ONE = """
    ruleset: fives-and-threes
    round: {layout: [5-5, 5-1 on 5-5], hands: {Ann: [5-2, 5-4, 6-5], Bob: 6}, leader: Ann}
"""

FOUR = f"""{HEAD}
  - id: wrong
    ask: count
    round: {{layout: [5-5, 5-2 on 5-5], hands: {{Ann: 8, Bob: 8}}, leader: Ann}}
    answer: 17
  - id: second
    ask: best-score
    ruleset: fives-and-threes
    round: {{layout: [5-5, 5-1 on 5-5], hands: {{Ann: [5-2, 5-4, 6-5], Bob: 6}}, leader: Ann}}
    answer: 5-2 on 5-5
  - id: illegal
    ask: count
    round: {{layout: [5-5, 4-2 on 5-5], hands: {{Ann: 8, Bob: 8}}, leader: Ann}}
    answer: 12
  - id: malformed
    ask: best-play
    round: {{layout: [5-5], hands: {{Ann: [5-0], Bob: [4-4]}}, leader: Ann}}
    answer: five-oh on the spinner
"""


def test_four_mistakes_give_four_different_problems_with_their_places() -> None:
    lines = FOUR.splitlines()
    expected = [
        ("wrong-answer", "17", "the sum is 12, not 17"),
        ("second-answer", "5-2 on 5-5", "5-4 on 5-5 is right too"),
        ("illegal", "4-2 on 5-5", "4-2 cannot go on 5-5"),
        ("malformed", "five-oh", "five-oh"),
    ]

    found = problems_of(FOUR)

    assert [problem.code for problem in found] == [code for code, _, _ in expected]
    for problem, (_, place, words) in zip(found, expected, strict=True):
        assert lines[problem.line - 1][problem.column - 1 :].startswith(place)
        assert words in problem.message


def test_a_second_right_answer_has_to_be_accepted() -> None:
    accepted = with_keys(TWO_PAY_ONE, ask="best-score", answer="5-2 on 5-5", accept="[5-4 on 5-5]")
    assert codes(accepted) == []
    too_many = with_keys(
        TWO_PAY_ONE, ask="best-score", answer="5-2 on 5-5", accept="[5-4 on 5-5, 6-5 on 5-5]"
    )
    assert codes(too_many) == ["wrong-answer"]


def test_where_nothing_scores_every_play_is_as_good() -> None:
    """3-2 with 4-3: 4 + 2; with 6-2: 3 + 6; with 3-3: 6 + 2; with 2-2: 3 + 4; no multiple of 5."""
    position = """
        round: {layout: [3-2], hands: {Ann: [3-3, 2-2, 4-3, 6-2], Bob: 8}, leader: Ann}
    """
    assert codes(with_keys(position, ask="best-score", answer="4-3 on 3-2")) == (
        ["second-answer"] * 3
    )


def test_who_is_to_play_is_checked() -> None:
    wrong = with_keys(TWENTY_NOW, ask="best-play", to_play="Bob", answer="6-3 on 6-1")
    (problem,) = problems_of(wrong)
    assert problem.code == "to-play"
    assert "Ann is to move here, not Bob" in problem.message


def test_an_answer_that_cannot_be_played_says_which_rule_stops_it() -> None:
    (problem,) = problems_of(with_keys(TWENTY_NOW, ask="best-play", answer="5-2 on 6-4"))
    assert problem.code == "illegal-answer"
    assert "5-2 cannot go on 6-4" in problem.message


@pytest.mark.parametrize(
    ("hands", "words"),
    [
        ("{Ann: 2, Bob: [5-0, 5-4, 6-5]}", "that hand is not listed"),
        ("{Ann: [6-3, 5-2], Bob: [5-0], Cy: 3}", "list every hand"),
    ],
)
def test_what_cannot_be_proved_is_said(hands: str, words: str) -> None:
    position = TWENTY_NOW.replace("{Ann: [6-3, 5-2], Bob: [5-0, 5-4, 6-5]}", hands)
    position = position.replace("2: 7", "2: 7, 3: 6")
    (problem,) = problems_of(with_keys(position, ask="best-play", answer="6-3 on 6-1"))
    assert problem.code == "unproved"
    assert words in problem.message


def test_hidden_hands_are_proved_over_worlds() -> None:
    """Ann goes out with her last tile: 5-0 makes 5 + 5 + 0 = 10 more than any other end."""
    position = """
        ruleset: all-fives
        round: {layout: [5-5], hands: {Ann: [5-0, 6-2], Bob: 2}, leader: Ann}
        overrides: {draw: {when: never}}
    """
    assert codes(with_keys(position, ask="best-play", answer="5-0 on 5-5")) == []
    assert codes(with_keys(position, ask="best-play", answer="pass")) == ["illegal-answer"]
