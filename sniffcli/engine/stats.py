"""Paired statistics of choices that were tried on the same worlds, and when to stop trying.

Values are whole numbers of some unit, so that sums do not depend on an order or on who adds up.
Errors are those of the paired difference, never of two separate means. A difference is
established when its 95 % interval leaves out zero; the interval allows for the number of choices
among which the best was picked, and for looking before the end (tutor.md, section 4.8).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import pi, sqrt, tan
from operator import mul
from typing import NamedTuple

from sniffcli.engine.kernel import paired_sums

#: How often a difference between choices that are alike may be called established. A little under
#: 5 %, because looking early takes its share too.
FALSE_RATE = 0.04

#: Fewer worlds than this establish nothing.
LEAST_WORLDS = 10


class Difference(NamedTuple):
    """A mean difference in points with its standard error, from that many WORLDS."""

    mean: float
    error: float
    worlds: int

    @property
    def z(self) -> float:
        """How many standard errors the mean is away from zero."""
        if self.error:
            return self.mean / self.error
        return 0.0 if self.mean == 0 else float("inf") if self.mean > 0 else float("-inf")


#: The unit of values that are no whole numbers by nature, such as chances. Its square times the
#: most worlds is less than 2**60.
FINE = 1 << 20


@dataclass(frozen=True, slots=True)
class Column:
    """One number for each world, as whole numbers of which UNIT make a one."""

    data: array[int] = field(default_factory=lambda: array("i"))
    unit: int = 1

    @classmethod
    def of(cls, values: Iterable[float], unit: int = FINE) -> Column:
        """Return numbers rounded to the unit."""
        return cls(array("i", [round(unit * one) for one in values]), unit)

    @property
    def count(self) -> int:
        """On how many worlds it was tried."""
        return len(self.data)

    @property
    def values(self) -> Iterator[float]:
        """The numbers themselves."""
        return (one / self.unit for one in self.data)

    def mean(self, weights: Sequence[int] = ()) -> float:
        """Return the mean, weighted if WEIGHTS are given."""
        if weights:
            total: int = sum(map(mul, self.data, weights))
            return total / (self.unit * sum(weights))
        return sum(self.data) / (self.unit * self.count)


def paired(ones: Column, others: Column) -> Difference:
    """Return the mean of ONES less OTHERS over the worlds that both were tried on."""
    count = min(ones.count, others.count)
    return _difference(*paired_sums(ones.data, others.data), count, ones.unit)


def _difference(total: int, squares: int, count: int, unit: int) -> Difference:
    """Return the mean and its error from the sums of differences and of their squares."""
    middle = total / (count * unit)
    if count < 2:
        return Difference(middle, 0.0, count)
    spread = (count * squares - total * total) / (count * (count - 1))
    return Difference(middle, sqrt(spread / count) / unit, count)


def is_established(difference: Difference, choices: int = 2) -> bool:
    """Whether a difference to the best of so many choices is more than chance would make it."""
    if difference.worlds < LEAST_WORLDS:
        return False
    return abs(difference.z) > threshold(difference.worlds, choices)


@lru_cache(maxsize=1024)
def threshold(count: int, choices: int = 2) -> float:
    """Return how many standard errors separate a choice from the best of CHOICES.

    The chance of error is shared among the comparisons (Bonferroni), because the best was picked
    by looking.
    """
    return student(1 - FALSE_RATE / 2 / max(1, choices - 1), count - 1)


def student(chance: float, free: int) -> float:
    """Return the quantile of Student's distribution with so many degrees of freedom (1 or more).

    Exact for one and two of them, else by the expansion of Cornish and Fisher (Abramowitz and
    Stegun, 26.7.5), which is right to 1 % from three on.
    """
    if free == 1:
        return tan(pi * (chance - 0.5))
    if free == 2:
        return (2 * chance - 1) / sqrt(2 * chance * (1 - chance))
    from statistics import NormalDist

    z = NormalDist().inv_cdf(chance)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    more: float = sum(term / free**power for power, term in enumerate(terms, 1))
    return z + more


def half_width(difference: Difference, choices: int = 2) -> float:
    """Return half the width of the interval by which a difference is judged."""
    return threshold(max(2, difference.worlds), choices) * difference.error


def held_out_loss(values: Sequence[Column], played: int) -> Difference:
    """Return what choice number PLAYED loses, without the winner's curse.

    The best is chosen on every other world and the loss measured on those between, and the other
    way round. For choices that are alike the mean is zero; it can be negative. Choosing the best
    and measuring the loss on the same worlds would overstate it (tutor.md, M8).
    """
    count = min(one.count for one in values)
    total = squares = 0
    for half in (0, 1):
        sums = [sum(one.data[half:count:2]) for one in values]
        best = max(range(len(values)), key=lambda k: (sums[k], k == played))
        between = slice(1 - half, count, 2)
        loss, square = paired_sums(values[best].data[between], values[played].data[between])
        total += loss
        squares += square
    return _difference(total, squares, count, values[played].unit)


class Limits(NamedTuple):
    """How many worlds are tried, and when a choice is given up."""

    most: int
    #: Nothing is given up before so many worlds.
    least: int = 200
    #: How often the standings are looked at, the end included; 1 gives up nothing.
    looks: int = 10
    #: Paired standard errors behind the best at which a choice is given up.
    drop: float = 3.0

    def batches(self) -> list[int]:
        """Return the worlds to try before each look."""
        first = min(self.least, self.most) if self.looks > 1 else self.most
        rest, looks = self.most - first, max(1, self.looks - 1)
        batches = [first]
        for number in range(looks):
            batch = rest * (number + 1) // looks - rest * number // looks
            if batch:
                batches.append(batch)
        return batches


#: Tries the next COUNT worlds and returns the values of each choice that is left.
Trial = Callable[[int, Sequence[int]], Sequence["array[int]"]]


def race(
    trial: Trial, choices: int, limits: Limits, named: Collection[int] = (), unit: int = 1
) -> list[Column]:
    """Return the values of every choice on the worlds on which it was tried, the first ones.

    Choices that are far behind are given up, but never one of those NAMED; all that go on are tried
    on the same worlds, and the race ends early where nobody but the best is left.
    """
    values = [Column(array("i"), unit) for _ in range(choices)]
    left = list(range(choices))
    for batch in limits.batches():
        for number, found in zip(left, trial(batch, left), strict=True):
            values[number].data.extend(found)
        best = max(left, key=lambda k: sum(values[k].data))
        behind = {
            number
            for number in left
            if number != best and paired(values[best], values[number]).z >= limits.drop
        }
        if len(behind.difference(named)) == len(left) - 1:
            break
        if limits.looks > 1:
            left = [one for one in left if one not in behind or one in named]
    return values
