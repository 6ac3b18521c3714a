"""Counting: the sum of the ends, and what that sum is worth. Nowhere else is it written.

The common rule and its departures are those of rules.md, section 1: a half counts its pips, a
double both halves until a second face is covered.
"""

from __future__ import annotations

from sniffcli.ruleset.model import Ruleset
from sniffcli.ruleset.words import Flat
from sniffcli.table.frontier import Double, Frontier, Half, open_ends


def count(rules: Ruleset, frontier: Frontier) -> int:
    """Return the sum of the ends in pips."""
    parts: tuple[Half | Double, ...] = (*frontier.halves, *frontier.doubles)
    return sum(counted(rules, part) for part in parts)


def counted(rules: Ruleset, part: Half | Double) -> int:
    """Return the pips that one PART of the table adds to the sum of the ends."""
    return part.pip if isinstance(part, Half) else part.pip * halves_counted(rules, part)


def halves_counted(rules: Ruleset, double: Double) -> int:
    """Return how many halves of DOUBLE count: 0, 1 or 2."""
    if rules.layout.doubles_lie == "inline":
        # Laid in line a double shows one half at each of its short ends, like any other tile.
        return 2 - double.main
    if double.spinner:
        counts = rules.score.spinner_counts
        if counts == "exposed_halves":
            return 2 - double.cross
        if counts == "single":
            return 1 if double.covered < 4 else 0
        return 2 if double.covered <= 1 else 0
    if double.main == 2:
        return 0
    return 1 if double.main == 1 and rules.score.tip_double == "single" else 2


def worth(rules: Ruleset, frontier: Frontier) -> int:
    """Return the points that a play leading to FRONTIER is worth, before caps and targets."""
    if sum_decides(rules):
        return pays(rules, count(rules, frontier))
    return _header(rules, frontier)


def sum_decides(rules: Ruleset) -> bool:
    """Whether what a play is worth follows from the sum of the ends alone (see `pays`)."""
    return rules.score.kind != "equal_ends"


def pays(rules: Ruleset, total: int) -> int:
    """Return the points that a sum of the ends is worth, in games that do not pay for equal ends.

    A sum of zero divides by everything and is worth nothing (rules.md, section 1; case C23).
    """
    if total <= 0 or rules.score.kind == "none":
        return 0
    dividing = [divisor for divisor in rules.score.divisors if total % divisor == 0]
    if not dividing:
        return 0
    if rules.score.combine == "once":
        dividing = dividing[:1]
    award = rules.score.award
    if isinstance(award, Flat):
        return award.points * len(dividing)
    if award == "quotient":
        return sum(total // divisor for divisor in dividing)
    return total * len(dividing)


def _header(rules: Ruleset, frontier: Frontier) -> int:
    """Return what equal ends pay in Bergen; a lone double is a plain header (rules.md 2.10)."""
    ends = open_ends(rules, frontier)
    if len(ends) < 2 or len(set(ends)) > 1:
        return 0
    lone = all(double.covered == 0 for double in frontier.doubles)
    return rules.score.header if lone else rules.score.header_with_double
