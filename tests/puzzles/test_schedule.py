"""What is asked next: one review a day, the cap, ratings, and that a weak family is found out."""

from __future__ import annotations

import json
import random
from collections import Counter
from datetime import UTC, datetime
from math import log
from pathlib import Path

import pytest

from sniffcli.tutor.families import FAMILIES
from sniffcli.tutor.progress import progress_of
from sniffcli.tutor.schedule import (
    LONGEST,
    NEWCOMER,
    PLAYER,
    keep,
    next_family,
    next_puzzle,
    rated,
    recall,
    reviewed,
    subjects,
)
from sniffcli.tutor.store import Answered, CardRow, Rating, Store

DAY = 86_400.0
#: A morning in 2026.
START = datetime(2026, 3, 2, 8, tzinfo=UTC).timestamp()
NAMES = [family.name for family in FAMILIES]


def answer(family: str, correct: bool, at: float, **more: object) -> Answered:
    return Answered(
        item=f"item:{family}:{at}",
        family=family,
        ask="count",
        ruleset="all-fives",
        expected="10",
        given="10" if correct else "5",
        correct=correct,
        seconds=2.0,
        at=at,
        **more,  # type: ignore[arg-type]
    )


def test_of_one_day_only_the_first_answer_counts() -> None:
    first = reviewed(None, "family:x", False, START)
    again = reviewed(first, "family:x", True, START + 3600)
    assert again == first
    next_day = reviewed(first, "family:x", True, START + DAY)
    assert next_day != first
    assert next_day.counted_on == "2026-03-03"


def test_intervals_grow_with_right_answers_and_end_at_sixty_days() -> None:
    row: CardRow | None = None
    at, gaps = START, []
    for _ in range(12):
        row = reviewed(row, "family:x", True, at)
        gaps.append((row.due - at) / DAY)
        at = row.due
    assert gaps[0] < gaps[2] < gaps[4]
    assert max(gaps) == gaps[-1] == LONGEST


def test_a_wrong_answer_brings_a_subject_back_sooner() -> None:
    row = reviewed(reviewed(None, "x", True, START), "x", True, START + 3 * DAY)
    right = reviewed(row, "x", True, START + 12 * DAY)
    wrong = reviewed(row, "x", False, START + 12 * DAY)
    assert wrong.due < right.due
    at = START + 20 * DAY
    assert recall(wrong, at) < recall(right, at)
    assert json.loads(wrong.card)["stability"] < json.loads(right.card)["stability"]


def test_ratings_move_towards_the_result() -> None:
    """A newcomer who solves a puzzle of his own strength gains; the puzzle gains when he fails."""
    puzzle = Rating(1000.0, 150.0)
    won, beaten = rated(NEWCOMER, puzzle, True)
    lost, held = rated(NEWCOMER, puzzle, False)
    assert lost.rating < NEWCOMER.rating < won.rating
    assert beaten.rating < puzzle.rating < held.rating
    assert won.deviation < NEWCOMER.deviation


def test_glicko_gives_the_numbers_of_its_own_paper() -> None:
    """Glickman, "Example of the Glicko-2 system": 1500/200 after three games is 1464.06/151.52."""
    import glicko2

    player = glicko2.Player(rating=1500, rd=200, vol=0.06)
    player.update_player([1400, 1550, 1700], [30, 100, 300], [1, 0, 0])
    assert player.rating == pytest.approx(1464.06, abs=0.05)
    assert player.rd == pytest.approx(151.52, abs=0.05)


def test_hints_and_the_probe_set_change_no_card_and_no_rating(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        hinted = answer("both", True, START, hints=1, rated=False)
        assert keep(store, "p", hinted, 1500) is None
        assert keep(store, "p", answer("both", True, START + 1, probe=True)) is None
        assert store.cards("p") == []
        assert store.rating("p", PLAYER) is None
        assert len(store.answers("p")) == 2
        assert keep(store, "p", answer("both", True, START + 2), 1500) is not None


def test_a_puzzle_that_was_missed_comes_back_and_new_ones_suit_the_player() -> None:
    difficulties = {f"puzzle:{n}": 600 + 100 * n for n in range(15)}
    missed = reviewed(None, "puzzle:14", False, START)
    known = reviewed(None, "puzzle:0", True, START)
    cards = {"puzzle:14": missed, "puzzle:0": known}
    rng = random.Random(1)
    later = Counter(
        next_puzzle(difficulties, cards, NEWCOMER, START + 1.6 * DAY, rng) for _ in range(200)
    )
    assert later["puzzle:14"] > 80
    assert later["puzzle:0"] == 0
    fresh = Counter(next_puzzle(difficulties, {}, NEWCOMER, START, rng) for _ in range(200))
    assert "puzzle:14" not in fresh
    everything = {name: reviewed(None, name, True, START) for name in difficulties}
    assert next_puzzle(difficulties, everything, NEWCOMER, START + 60, rng) is None


def simulated(path: Path, weak: str, days: int, a_day: int, seed: int) -> Counter[str]:
    """A learner who knows everything at 95 % but one family at 40 %, asked by the scheduler."""
    rng = random.Random(seed)
    asked: Counter[str] = Counter()
    answers: list[Answered] = []
    with Store(path) as store:
        for day in range(days):
            for nth in range(a_day):
                at = START + day * DAY + 30 * nth
                cards = {one.subject: one for one in store.cards("p")}
                family = next_family(subjects(NAMES, cards, answers, at), rng)
                correct = rng.random() < (0.4 if family == weak else 0.95)
                answers.append(answer(family, correct, at))
                keep(store, "p", answers[-1])
                asked[family] += 1
    return asked


@pytest.mark.slow
@pytest.mark.parametrize("weak", ["double-end", "claim"])
def test_a_weak_family_is_found_out_and_asked_more_often(tmp_path: Path, weak: str) -> None:
    path = tmp_path / "s.sqlite"
    asked = simulated(path, weak, days=25, a_day=20, seed=3)

    others = [asked[name] for name in NAMES if name != weak]
    assert asked[weak] > 2 * max(others)
    with Store(path) as store:
        found = progress_of(store, "p").families
    assert found[0].family == weak
    assert all(found[0].share.high < one.share.low for one in found[1:])
    assert found[0].weak
    assert not any(one.weak for one in found[1:])


def test_the_scheduler_beats_the_average_as_a_forecast() -> None:
    """A learner who forgets by a power law: the log loss of the forecast against the constant."""
    rng = random.Random(11)
    ours, constant, results = [], [], []
    for _ in range(60):
        row: CardRow | None = None
        at, strength = START, rng.choice([1.5, 4.0, 12.0, 40.0])
        for _ in range(7):
            if row is None:
                row = reviewed(None, "x", rng.random() < 0.6, at)
                last = at
                continue
            at += DAY * rng.choice([1, 3, 8, 20, 40])
            chance = (1 + (at - last) / DAY / (9 * strength)) ** -1
            correct = rng.random() < chance
            ours.append(min(0.99, max(0.01, recall(row, at))))
            results.append(correct)
            row, last = reviewed(row, "x", correct, at), at
            strength = strength * 2.2 if correct else max(1.0, strength / 2)
    share = sum(results) / len(results)
    constant = [share] * len(results)

    def loss(forecast: list[float]) -> float:
        pairs = zip(forecast, results, strict=True)
        return -sum(log(p) if right else log(1 - p) for p, right in pairs) / len(results)

    assert loss(ours) < loss(constant)
