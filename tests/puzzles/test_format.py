"""Puzzle files: what is refused and where, what is assumed, and that no bytes are too wild."""

from __future__ import annotations

import random
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sniffcli.files.puzzles import puzzle_file_text, read_puzzles
from sniffcli.tutor.families import rules_of
from sniffcli.tutor.puzzle_check import check_many
from sniffcli.tutor.puzzle_make import Wish, candidates, make
from sniffcli.tutor.puzzle_values import Effort

from .texts import FILE, HEAD, TWELVE, TWENTY_NOW, codes, one, problems_of, read, with_keys

COUNT = with_keys(TWELVE, ask="count", answer="12")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("- 1", "not-a-mapping"),
        ("sniff: 2\npuzzles: []", "version"),
        ("sniff: 1\ntitle: x", "missing-key"),
        (COUNT.replace("title: Test", "titel: Test"), "unknown-key"),
        (COUNT.replace("ask: count", "ask: counting"), "unknown-word"),
        (COUNT.replace("answer: 12", "anwser: 12"), "unknown-key"),
        (COUNT.replace("id: one", "id: One Two"), "id"),
        (COUNT.replace("answer: 12", "answer: twelve"), "number"),
        (COUNT.replace("answer: 12", "answer: [12]"), "number"),
        (COUNT.replace("answer: 12", "answer: 12\n    accept: [13]"), "accept"),
        (COUNT.replace("answer: 12", "answer: 12\n    difficulty: easy"), "number"),
        (COUNT.replace("answer: 12", "answer: 12\n    themes: [No Theme]"), "unknown-word"),
        (COUNT.replace("answer: 12", "answer: 12\n    of: Bob"), "unknown-key"),
        (COUNT.replace("all-fives", "all-sixes"), "unknown-ruleset"),
        (COUNT.replace("5-2 on 5-5]", "5-2 on 5-5, 5-2 on 5-5]"), "duplicate-tile"),
        (COUNT.replace("hands: {Ann: 8", "hands: {Ann: [5-5]"), "duplicate-tile"),
        (with_keys(TWENTY_NOW, ask="best-play", answer="draw 5-2"), "malformed"),
        (with_keys(TWENTY_NOW, ask="best-score", answer="pass"), "malformed"),
        (with_keys(TWENTY_NOW, ask="legal-plays", answer="6-3 on 6-1"), "not-a-list"),
        (with_keys(TWENTY_NOW, ask="holds", answer="[6-3]"), "missing-key"),
        (f"{COUNT}  - id: one\n    ask: count\n", "id"),
    ],
)
def test_mistakes_are_named(text: str, code: str) -> None:
    found = problems_of(text)

    assert code in [problem.code for problem in found]
    assert all(problem.line for problem in found)


def test_all_problems_of_a_file_are_told_at_once() -> None:
    text = f"{HEAD}  - {{id: a, ask: x}}\n  - {{id: b, ask: count, answer: 1}}\n  - 7\n"
    assert codes(text) == ["missing-key"] * 2 + ["unknown-word", "missing-key", "not-a-mapping"]


def test_players_are_ann_bob_and_as_many_more_as_are_spoken_of() -> None:
    (two,) = read(COUNT)
    assert two.record.players == ("Ann", "Bob")
    (three,) = read(COUNT.replace("Bob: 8", "Bob: 8, Cy: 3"))
    assert three.record.players == ("Ann", "Bob", "Cy")


def test_scores_and_partners_are_read_as_in_a_game_file() -> None:
    text = one(
        """
        ask: points
        ruleset: partnership
        teams: [[Ann, Cy], [Bob, Di]]
        scores: {Ann: 30}
        round: {layout: [6-6], hands: {Ann: 6, Bob: 7, Cy: 7, Di: 7}, leader: Bob}
        answer: 0
        """
    )
    (puzzle,) = read(text)
    assert puzzle.record.sides == (0, 1, 0, 1)
    assert puzzle.record.scores == (30, 0)


def test_a_decimal_answers_to_what_it_shows() -> None:
    """A third of a point is 0.33 or 0.3, and not 0.4."""
    text = with_keys(TWENTY_NOW, ask="value", answer="15.00")
    assert codes(text) == []
    assert codes(text.replace("15.00", "15.01")) == ["wrong-answer"]


@pytest.mark.parametrize("ask", ["count", "best-score", "legal-plays", "holds", "best-play"])
def test_text_reads_back_the_same(ask: str) -> None:
    rng = random.Random(5)
    wish = Wish(ask)  # type: ignore[arg-type]
    made = make(wish, candidates(rules_of("all-fives"), rng, "deals"), rng, 5, "all-fives")
    puzzles = list(islice(made, 2))
    text = puzzle_file_text("Made", puzzles)

    file, problems = read_puzzles(text, FILE)

    assert not problems
    assert puzzle_file_text("Made", file.puzzles) == text


SEEDS = [COUNT.encode(), with_keys(TWENTY_NOW, ask="best-play", answer="6-3 on 6-1").encode()]
PIECES = [
    *("null", "[]", "{}", "true", "-1", "0", "9999999999", "6-6", "6:6", "x", '""', "2.5"),
    *("- ", ": ", "\n", "  ", "\t", "&a", "*a", "!!str", "---", "#", "'", '"', "|", ">"),
    *("ask: holds", "ask: value", "of: Ann", "never: true", "accept: [pass]", "players: [A, B, C]"),
    *("plays: [{Bob: draw}]", "boneyard: [0-0]", "passes: 2", "scores: {Ann: 249}", "draw"),
]


def survives(text: bytes) -> None:
    """Read and prove a file, whatever is in it."""
    file, problems = read_puzzles(text, FILE)
    found = [*problems, *check_many(file.puzzles, Effort(worlds=4, budget=2_000))]
    for problem in found:
        assert problem.message
        assert "\n" not in str(problem)


@given(st.binary(max_size=200))
def test_any_bytes(text: bytes) -> None:
    survives(text)


@given(st.sampled_from(SEEDS), st.data())
def test_files_with_a_piece_cut_out_or_put_in(text: bytes, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 12))
        piece = data.draw(st.one_of(st.sampled_from(PIECES).map(str.encode), st.binary(max_size=4)))
        text = text[:start] + piece + text[start + length :]
    survives(text)


@given(st.sampled_from(SEEDS), st.data())
def test_files_with_words_exchanged(text: bytes, data: st.DataObject) -> None:
    words = text.split(b" ")
    for _ in range(data.draw(st.integers(1, 4))):
        nth = data.draw(st.integers(0, len(words) - 1))
        words[nth] = data.draw(st.sampled_from([*(p.encode() for p in PIECES), *words]))
    survives(b" ".join(words))
