"""Paired statistics: known values, and how often choices that are alike are called different."""

from __future__ import annotations

import random
from array import array
from collections.abc import Sequence
from functools import cache
from math import exp, lgamma, pi, sqrt
from statistics import mean, stdev

import pytest

from sniffcli.engine.advice import WORLDS
from sniffcli.engine.choices import choices
from sniffcli.engine.playout import play_out
from sniffcli.engine.position import position_from_view
from sniffcli.engine.stats import (
    FINE,
    Column,
    Difference,
    Limits,
    held_out_loss,
    is_established,
    paired,
    race,
    student,
    threshold,
)
from sniffcli.engine.worlds import worlds_of
from sniffcli.game.view import view_of

from .small_games import setup_of, started

#: Worlds to grade with (tutor.md, 4.2).
GRADING = 2000


@cache
def margins() -> tuple[int, ...]:
    """Return the margins of one choice on many worlds: the real, skewed payoffs of the game."""
    setup = setup_of("all-fives", {"deal": {"hand": {2: 7}}}, 2)
    view = view_of(state := started(setup, random.Random(3)), state.turn)
    first = choices(view)[0].first
    worlds, rng = worlds_of(view), random.Random(11)
    found = []
    for _ in range(4000):
        world = worlds.sample(rng)
        outcome = play_out(position_from_view(view, world.hands, world.boneyard), first)
        found.append(int(outcome.margin(view.setup.sides[view.seat])))
    return tuple(found)


def drawn(rng: random.Random, count: int) -> array[int]:
    pool = margins()
    return array("i", [pool[int(rng.random() * len(pool))] for _ in range(count)])


def column(rng: random.Random, count: int) -> Column:
    return Column(drawn(rng, count))


def test_a_paired_error_is_that_of_the_differences() -> None:
    ones, others = [10.0, 20.0, 30.0, 45.0], [9.0, 18.0, 31.0, 40.0]
    differences = [1.0, 2.0, -1.0, 5.0]
    found = paired(Column.of(ones), Column.of(others))
    assert found.mean == pytest.approx(mean(differences))
    assert found.error == pytest.approx(stdev(differences) / sqrt(4))
    independent = sqrt(stdev(ones) ** 2 / 4 + stdev(others) ** 2 / 4)
    assert found.error < independent


def test_only_worlds_that_both_were_tried_on_are_compared() -> None:
    assert paired(Column.of([1.0, 2.0, 300.0]), Column.of([0.0, 0.0])).mean == 1.5


def above(z: float, free: int) -> float:
    """Return the chance of Student's t to be above Z, by Simpson's rule on its density."""
    scale = exp(lgamma((free + 1) / 2) - lgamma(free / 2)) / sqrt(free * pi)
    steps, top = 4000, z + 60.0
    width = (top - z) / steps

    def density(x: float) -> float:
        return scale * (1 + x * x / free) ** (-(free + 1) / 2)

    inner = sum((4 if k % 2 else 2) * density(z + k * width) for k in range(1, steps))
    return (density(z) + inner + density(top)) * width / 3


@pytest.mark.parametrize(("count", "choices"), [(10, 2), (30, 3), (400, 2), (400, 5), (2000, 6)])
def test_thresholds_are_quantiles(count: int, choices: int) -> None:
    """Four percent for two choices, both ways together; shared where there are more."""
    chance = above(threshold(count, choices), count - 1)
    assert chance == pytest.approx(0.02 / (choices - 1), rel=0.02)


def test_few_worlds_establish_nothing() -> None:
    assert not is_established(Difference(100.0, 1.0, 9))
    assert is_established(Difference(100.0, 1.0, 400))
    assert not is_established(Difference(0.0, 0.0, 400))
    assert is_established(Difference(5.0, 0.0, 400))


def most(repeats: int) -> float:
    """Return 5 % and two standard errors of so many repeats."""
    return 0.05 + 2 * sqrt(0.05 * 0.95 / repeats)


def test_a_choice_against_itself_is_rarely_called_different() -> None:
    """On independent worlds, at the size of a hint, at most 5 % (design.md, honesty)."""
    rng = random.Random(21)
    repeats = 800
    wrong = sum(
        is_established(paired(column(rng, WORLDS), column(rng, WORLDS))) for _ in range(repeats)
    )
    assert wrong / repeats <= most(repeats)


def test_a_choice_among_equals_is_rarely_called_worse_than_the_best_of_them() -> None:
    rng = random.Random(22)
    repeats = 400
    wrong = 0
    for _ in range(repeats):
        played, *others = (column(rng, WORLDS) for _ in range(5))
        best = max(others, key=Column.mean)
        wrong += best.mean() > played.mean() and is_established(paired(best, played), 5)
    assert wrong / repeats <= most(repeats)


def test_early_stopping_does_not_make_up_differences() -> None:
    """The same at the size of a grade, with all looks at the standings."""
    rng = random.Random(27)
    repeats = 200
    wrong = 0
    for _ in range(repeats):

        def trial(count: int, left: Sequence[int]) -> list[array[int]]:
            return [drawn(rng, count) for _ in left]

        values = race(trial, 2, Limits(GRADING))
        values.sort(key=Column.mean, reverse=True)
        wrong += is_established(paired(*values), 2)
    assert wrong / repeats <= most(repeats)


def test_alike_choices_lose_nothing_on_worlds_held_out() -> None:
    """No winner's curse: choosing and measuring happen on different worlds."""
    rng = random.Random(23)
    losses, naive = [], []
    for _ in range(600):
        values = [column(rng, 60) for _ in range(4)]
        losses.append(held_out_loss(values, 0).mean)
        naive.append(max(one.mean() for one in values) - values[0].mean())
    error = stdev(losses) / sqrt(len(losses))
    assert abs(mean(losses)) < 3 * error
    assert mean(naive) > 10 * error


def test_what_is_worse_loses_what_it_is_worse() -> None:
    rng = random.Random(24)
    base = column(rng, 400)
    values = [base, Column(array("i", [one - 3 for one in base.data]))]
    assert held_out_loss(values, 1).mean == pytest.approx(3)
    assert held_out_loss(values, 0).mean == pytest.approx(0)


def test_looks_are_few_and_late() -> None:
    batches = Limits(2000).batches()
    assert batches[0] == 200
    assert sum(batches) == 2000
    assert len(batches) <= 12
    assert Limits(400, looks=1).batches() == [400]
    assert Limits(100).batches() == [100]


def test_a_race_gives_up_what_is_far_behind_but_nothing_that_was_named() -> None:
    rng = random.Random(25)
    asked: list[tuple[int, tuple[int, ...]]] = []

    def trial(count: int, left: Sequence[int]) -> list[array[int]]:
        asked.append((count, tuple(left)))
        columns = []
        for k in left:
            means = [(10.0, 8.0 + 4 * rng.random(), 2.0, 1.0)[k] for _ in range(count)]
            columns.append(Column.of(one + rng.random() for one in means).data)
        return columns

    values = race(trial, 4, Limits(1000, looks=5), named={3}, unit=FINE)
    assert asked[0] == (200, (0, 1, 2, 3))
    assert {one.count for one in values} >= {200, 1000}
    assert values[2].count == 200
    assert values[3].count == values[0].count == 1000


def test_a_race_stops_when_everything_is_decided() -> None:
    def trial(count: int, left: Sequence[int]) -> list[array[int]]:
        return [array("i", [k] * count) for k in left]

    assert [one.count for one in race(trial, 3, Limits(2000))] == [200, 200, 200]
    # Only a choice that was named is followed to the end, and the best beside it.
    assert [one.count for one in race(trial, 3, Limits(2000), named={0})] == [2000, 200, 2000]


@pytest.mark.parametrize(
    ("free", "quantile"),
    # Student's table, two-sided 5 %.
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (10, 2.228), (30, 2.042)],
)
def test_few_degrees_of_freedom_widen_an_interval_as_students_table_says(
    free: int, quantile: float
) -> None:
    assert student(0.975, free) == pytest.approx(quantile, rel=0.01)
