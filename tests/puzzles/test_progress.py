"""Progress in figures: intervals from tables, hits and false claims, mistakes, trends, probes."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from math import exp
from pathlib import Path

import pytest

from sniffcli.show.style import Look
from sniffcli.tutor.progress import (
    Share,
    chance_of,
    change,
    errors_of,
    family_progress,
    progress_of,
    streaks,
    trend_of,
)
from sniffcli.tutor.progress_text import drills_data, drills_text
from sniffcli.tutor.store import Answered, Store

START = datetime(2026, 3, 2, 8, tzinfo=UTC).timestamp()
DAY = 86_400.0


def answer(
    nth: int = 0,
    *,
    family: str = "claim",
    ask: str = "claim",
    expected: str = "10",
    given: str = "10",
    seconds: float | None = 2.0,
    **more: object,
) -> Answered:
    return Answered(
        item=f"item:{family}:{nth}",
        family=family,
        ask=ask,
        ruleset="dreamtime-sniff",
        expected=expected,
        given=given,
        correct=expected == given,
        seconds=seconds,
        at=START + nth,
        uid=f"{family}{nth}",
        **more,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    ("right", "total", "low", "high"),
    [
        # Newcombe (1998), "Two-sided confidence intervals for the single proportion", table I.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_intervals_are_wilsons(right: int, total: int, low: float, high: float) -> None:
    share = Share(right, total)
    assert share.low == pytest.approx(low, abs=5e-5)
    assert share.high == pytest.approx(high, abs=5e-5)


def test_a_change_has_newcombes_interval() -> None:
    """Newcombe (1998), "Interval estimation for the difference", 56/70 against 48/80, method 10."""
    found = change(Share(48, 80), Share(56, 70))
    assert found is not None
    assert found.value == pytest.approx(0.2, abs=1e-9)
    assert found.low == pytest.approx(0.0524, abs=5e-5)
    assert found.high == pytest.approx(0.3339, abs=5e-5)


@pytest.mark.parametrize(
    ("right", "ways"),
    # The lady tasting tea (Fisher, The Design of Experiments, 1935): eight cups, 70 ways.
    [(0, 1), (1, 17), (2, 53), (3, 69), (4, 70)],
)
def test_the_chance_of_a_share_is_fishers(right: int, ways: int) -> None:
    assert chance_of(Share(right, 4), [Share(right, 4), Share(4 - right, 4)]) == ways / 70


def test_one_answer_makes_no_family_weak() -> None:
    """One wrong answer beside twenty right ones is one chance in 21, for each family."""
    good = [answer(nth, family="sum") for nth in range(20)]
    wrong = [answer(nth, given="0") for nth in range(2)]
    once = family_progress([*good, wrong[0]])
    assert [(one.family, one.weak) for one in once] == [("claim", False), ("sum", False)]
    twice = family_progress([*good, *wrong])
    assert [(one.family, one.weak) for one in twice] == [("claim", True), ("sum", False)]


def test_hits_and_false_claims_stand_apart(tmp_path: Path) -> None:
    """Who never claims is right where nothing is there, and hits nothing."""
    answers = [answer(n, expected="10", given="0") for n in range(3)]
    answers += [answer(3 + n, expected="0", given="0") for n in range(6)]
    answers += [answer(9, expected="0", given="15"), answer(10, expected="10", given="10")]
    with Store(tmp_path / "s.sqlite") as store:
        with store.writing():
            for one in answers:
                store.add("p", one)
        found = progress_of(store, "p")
    assert (found.hits.right, found.hits.total) == (1, 4)
    assert (found.false_claims.right, found.false_claims.total) == (1, 7)


def test_times_are_medians_of_right_answers_without_pauses() -> None:
    answers = [answer(n, seconds=seconds) for n, seconds in enumerate((1.0, 2.0, 9.0, 31.0))]
    answers += [answer(9, given="5", seconds=0.1)]
    (found,) = family_progress(answers)
    assert found.seconds == 2.0
    assert found.per_minute == pytest.approx(60 * 3 / 12.1)


def test_a_trend_is_the_change_with_ten_answers() -> None:
    halving = [8.0 * 0.5 ** (nth / 10) for nth in range(20)]
    assert trend_of(halving) == pytest.approx(-0.5)
    assert trend_of([exp(1.0)] * 10) == pytest.approx(0.0)
    assert trend_of(halving[:5]) is None


def test_mistakes_are_counted_by_kind() -> None:
    kinds = ["slip", "double-once", "double-once", None, "late"]
    answers = [answer(n, given="1", error=kind) for n, kind in enumerate(kinds)]
    assert errors_of(answers) == {"double-once": 2, "slip": 1}


def test_streaks_are_rows_of_right_answers() -> None:
    rights = [True, True, True, False, True, True]
    answers = [answer(n, given="10" if right else "0") for n, right in enumerate(rights)]
    assert streaks(answers) == (2, 3)
    assert streaks([]) == (0, 0)


def test_days_and_probes_are_told(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        with store.writing():
            for day in (0, 1, 3, 4, 5):
                store.add("p", answer(int(day * DAY), given="10" if day else "0"))
            for sitting, right in (("a", 4), ("b", 9)):
                for nth in range(10):
                    one = answer(
                        nth + (0 if sitting == "a" else 100),
                        family=f"probe-{sitting}",
                        given="10" if nth < right else "5",
                        probe=True,
                        session=sitting,
                    )
                    store.add("p", one)
        found = progress_of(store, "p", datetime.fromtimestamp(START + 5 * DAY, UTC))
    assert (found.days, found.day_streak) == (5, 3)
    assert [probe.share.right for probe in found.probes] == [4, 9]
    assert found.overall.total == 5
    assert found.probe_change is not None
    assert found.probe_change.value == pytest.approx(0.5)
    text = drills_text(found, Look(80))
    assert "Probe set: 2 sittings" in text
    assert "right answers by day" in text
    json.dumps(drills_data(found), allow_nan=False)


@pytest.mark.parametrize("unicode", [True, False])
@pytest.mark.parametrize("width", [20, 60, 120])
def test_it_fits_the_terminal(tmp_path: Path, width: int, unicode: bool) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        with store.writing():
            for nth in range(30):
                family = ("claim", "four-ends", "spinner-enclosed")[nth % 3]
                store.add("p", answer(int(nth * DAY / 3), family=family))
        found = progress_of(store, "p")
    text = drills_text(found, Look(width, unicode=unicode))
    assert all(len(line) <= width for line in text.splitlines())
    assert unicode or text.isascii()
