"""Progress in figures: accuracy, speed, hits and false claims, mistakes, the probe set, streaks.

Every share comes with its interval (Wilson) and its number; times are medians of right answers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import comb, exp, log, sqrt
from statistics import median
from typing import Any, NamedTuple

from sniffcli.tutor.drill_errors import MISTAKES
from sniffcli.tutor.families import BY_NAME
from sniffcli.tutor.schedule import PLAYER
from sniffcli.tutor.store import Answered, Rating, Store, by_family

#: The 97.5 % point of the normal distribution: all intervals are at 95 %.
Z = 1.959964
#: What is less likely than this, over all families together, is not taken for chance.
CHANCE = 0.05
#: Times above this are pauses and not answers.
PAUSE = 30.0
#: Fewer right answers than this show no trend of time.
LEAST_TREND = 8
#: Questions in which points are there or not.
CLAIMS = ("claim", "points")


class Share(NamedTuple):
    """A share of right answers with its interval."""

    right: int
    total: int

    @property
    def value(self) -> float | None:
        """The share itself; None without answers."""
        return self.right / self.total if self.total else None

    @property
    def low(self) -> float:
        """The lower end of the 95 % interval (Wilson)."""
        return self._wilson(-1)

    @property
    def high(self) -> float:
        """The upper end of the 95 % interval (Wilson)."""
        return self._wilson(1)

    def _wilson(self, sign: int) -> float:
        n = self.total
        if not n:
            return 0.0 if sign < 0 else 1.0
        p = self.right / n
        middle = p + Z * Z / (2 * n)
        half = Z * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
        return min(1.0, max(0.0, (middle + sign * half) / (1 + Z * Z / n)))

    def as_json(self) -> dict[str, Any]:
        """Return the share as plain data."""
        return {
            "right": self.right,
            "answers": self.total,
            "accuracy": self.value,
            "low": self.low,
            "high": self.high,
        }


@dataclass(frozen=True, slots=True)
class FamilyProgress:
    """How one family goes."""

    family: str
    share: Share
    #: Median seconds of right answers; None where none was timed.
    seconds: float | None
    #: By what share the time changes with every ten right answers; None with too few.
    trend: float | None
    #: Right answers a minute; None without times.
    per_minute: float | None
    #: Whether its accuracy lies below that of all others together by more than chance.
    weak: bool = False

    @property
    def title(self) -> str:
        """What the family is called."""
        return BY_NAME[self.family].title if self.family in BY_NAME else self.family


@dataclass(frozen=True, slots=True)
class Probe:
    """One sitting of the probe set."""

    at: float
    share: Share
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Change:
    """By how much a share changed, with its 95 % interval (Newcombe)."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Progress:
    """Everything that the answers of one profile say."""

    profile: str
    overall: Share
    families: tuple[FamilyProgress, ...]
    #: Of the items that scored: points were claimed; of those that did not: points were claimed.
    hits: Share
    false_claims: Share
    errors: dict[str, int]
    probes: tuple[Probe, ...]
    probe_change: Change | None
    streak: int
    best_streak: int
    days: int
    day_streak: int
    rating: Rating | None
    #: Share of right answers and median time of every day, for plots.
    by_day: tuple[tuple[str, Share, float | None], ...]


def progress_of(store: Store, profile: str, today: datetime | None = None) -> Progress:
    """Return the progress of a profile; answers after a hint and of the probe set stand apart."""
    every = store.answers(profile)
    counted = [one for one in every if one.rated and not one.probe]
    probes = _probes([one for one in every if one.probe])
    streak, best = streaks(counted)
    days = sorted({_day(one) for one in every})
    claims = [one for one in counted if one.ask in CLAIMS]
    return Progress(
        profile=profile,
        overall=share_of(counted),
        families=family_progress(counted),
        hits=claimed(one for one in claims if _number(one.expected)),
        false_claims=claimed(one for one in claims if not _number(one.expected)),
        errors=errors_of(counted),
        probes=probes,
        probe_change=change(probes[0].share, probes[-1].share) if len(probes) > 1 else None,
        streak=streak,
        best_streak=best,
        days=len(days),
        day_streak=_day_streak(days, (today or datetime.now(UTC)).date().isoformat()),
        rating=store.rating(profile, PLAYER),
        by_day=tuple(
            (day, share_of(found), _median(found)) for day, found in _grouped(counted).items()
        ),
    )


def share_of(answers: Iterable[Answered]) -> Share:
    """Return the share of right answers."""
    found = [one.correct for one in answers]
    return Share(sum(found), len(found))


def claimed(answers: Iterable[Answered]) -> Share:
    """Return how often points were claimed at all."""
    found = [_number(one.given) > 0 for one in answers]
    return Share(sum(found), len(found))


def family_progress(answers: Sequence[Answered]) -> tuple[FamilyProgress, ...]:
    """Return every family that was asked, the weakest first."""
    found = [
        FamilyProgress(
            family=family,
            share=share_of(own),
            seconds=_median(own),
            trend=trend_of(_times(own)),
            per_minute=_per_minute(own),
        )
        for family, own in by_family(answers).items()
    ]
    marked = [_marked(one, found) for one in found]
    return tuple(sorted(marked, key=lambda one: (one.share.value or 0.0, one.family)))


def _marked(one: FamilyProgress, every: Sequence[FamilyProgress]) -> FamilyProgress:
    """Mark a family in which more went wrong than chance does, had all families the same share."""
    weak = chance_of(one.share, [other.share for other in every]) * len(every) < CHANCE
    return FamilyProgress(one.family, one.share, one.seconds, one.trend, one.per_minute, weak)


def chance_of(share: Share, every: Sequence[Share]) -> float:
    """Return how likely one share among EVERY is as low as this by chance (Fisher's exact test)."""
    right, total = sum(one.right for one in every), sum(one.total for one in every)
    ways = (
        comb(right, good) * comb(total - right, share.total - good)
        for good in range(share.right + 1)
    )
    return sum(ways) / comb(total, share.total)


def errors_of(answers: Iterable[Answered]) -> dict[str, int]:
    """Return how often each known kind of mistake was made, the most frequent first."""
    counts = Counter(one.error for one in answers if one.error in MISTAKES)
    return {str(name): count for name, count in counts.most_common()}


def _times(answers: Iterable[Answered]) -> list[float]:
    """Return the seconds of right answers, pauses left out."""
    return [
        one.seconds
        for one in answers
        if one.correct and one.seconds is not None and 0 < one.seconds <= PAUSE
    ]


def _median(answers: Iterable[Answered]) -> float | None:
    times = _times(answers)
    return median(times) if times else None


def _per_minute(answers: Sequence[Answered]) -> float | None:
    times = [one.seconds for one in answers if one.seconds is not None and 0 < one.seconds <= PAUSE]
    return 60 * len(_times(answers)) / sum(times) if times else None


def trend_of(times: Sequence[float]) -> float | None:
    """Return by what share times change with every ten answers, from a line through their logs."""
    count = len(times)
    if count < LEAST_TREND:
        return None
    logs = [log(one) for one in times]
    middle, level = (count - 1) / 2, sum(logs) / count
    spread = sum((nth - middle) ** 2 for nth in range(count))
    slope = sum((nth - middle) * (one - level) for nth, one in enumerate(logs)) / spread
    return exp(10 * slope) - 1


def streaks(answers: Iterable[Answered]) -> tuple[int, int]:
    """Return how many of the last answers in a row were right, and the longest row."""
    now = best = 0
    for one in answers:
        now = now + 1 if one.correct else 0
        best = max(best, now)
    return now, best


def _probes(answers: Sequence[Answered]) -> tuple[Probe, ...]:
    sittings: dict[str, list[Answered]] = {}
    for one in answers:
        sittings.setdefault(one.session, []).append(one)
    return tuple(Probe(own[0].at, share_of(own), _median(own)) for own in sittings.values())


def change(first: Share, last: Share) -> Change | None:
    """Return by how much a share changed; None where one of them has no answers."""
    if first.value is None or last.value is None:
        return None
    value = last.value - first.value
    below = sqrt((last.value - last.low) ** 2 + (first.high - first.value) ** 2)
    above = sqrt((last.high - last.value) ** 2 + (first.value - first.low) ** 2)
    return Change(value, value - below, value + above)


def _day(one: Answered) -> str:
    return datetime.fromtimestamp(one.at, UTC).date().isoformat()


def _grouped(answers: Iterable[Answered]) -> dict[str, list[Answered]]:
    found: dict[str, list[Answered]] = {}
    for one in answers:
        found.setdefault(_day(one), []).append(one)
    return found


def _day_streak(days: Sequence[str], today: str) -> int:
    """Return on how many days in a row, up to today or yesterday, something was answered."""
    day = datetime.fromisoformat(today).date()
    if days and days[-1] != today:
        day -= timedelta(days=1)
    streak = 0
    while day.isoformat() in days:
        streak += 1
        day -= timedelta(days=1)
    return streak


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
