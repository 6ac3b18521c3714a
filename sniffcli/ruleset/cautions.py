"""What a ruleset may say, but hardly means: shown as warnings, each with its code and message."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd

from sniffcli.ruleset.contradictions import Contradiction, pays_blocked
from sniffcli.ruleset.model import Ruleset
from sniffcli.ruleset.words import Fixed, Flat, PerKnock

#: Beyond this every multiple of what all points have in common is taken to be reached.
MOST_ADDED_UP = 10_000


def _scored(rules: Ruleset) -> Iterator[int]:
    """Yield amounts of which all that plays score is made up."""
    score = rules.score
    if score.kind == "equal_ends":
        yield from (score.header, score.header_with_double)
    elif score.kind == "ends_sum":
        if isinstance(score.award, Flat):
            yield score.award.points
        elif score.award == "quotient":
            yield 1
        else:
            yield from score.divisors


def _settled(rules: Ruleset, players: int) -> Iterator[int]:
    """Yield amounts of which all that the end of a round pays is made up."""
    end = rules.round_end
    # What is rounded comes to a whole number of these; nought where nothing is.
    unit = end.round.to // end.divide if end.round.to % end.divide == 0 else 1
    if end.out.award != "none":
        yield _paid(end.out.award, end.divide, unit)
    if pays_blocked(rules):
        # Of two players only one can be paid.
        if end.blocked.tie == "split" and players > 2:
            yield 1
        yield _paid(end.blocked.award, end.divide, 0 if end.round.applies_to == "out" else unit)


def _paid(award: object, divide: int, unit: int) -> int:
    """Return an amount of which each payment of an AWARD is a multiple."""
    if isinstance(award, Fixed):
        return gcd(award.points, award.points // divide, unit)
    return unit or 1


def _besides(rules: Ruleset) -> Iterator[int]:
    """Yield amounts of which all other points are made up."""
    yield rules.pass_.penalty
    if isinstance(rules.pass_.bonus, PerKnock):
        yield rules.pass_.bonus.points
    if rules.claim.mode == "declare":
        if rules.claim.rivals == "any":
            yield rules.claim.bounty
        # Any number can be claimed.
        yield 1 if rules.claim.false_claim == "penalty" else 0
    if rules.keelhaul is not None:
        yield rules.keelhaul.cost


def _only_up(rules: Ruleset) -> bool:
    """Whether nothing takes points away, so that a score reaches the target from below."""
    end = rules.round_end
    lost = "own_pips_lost" in (end.out.award, end.blocked.award)
    back = rules.match.overshoot == "bounce"
    return not (lost or back or rules.pass_.penalty or rules.keelhaul is not None)


def _reaches(target: int, amounts: set[int], *, only_up: bool) -> bool:
    """Whether TARGET is a sum of these AMOUNTS, each as often as one likes."""
    step = gcd(*amounts)
    if step == 0 or target % step:
        return step == 0
    if not only_up or target > MOST_ADDED_UP:
        return True
    reached = [True]
    for score in range(1, target + 1):
        reached.append(any(0 < one <= score and reached[score - one] for one in amounts))
    return reached[target]


def _never_met(rules: Ruleset) -> str:
    """Say which exact target no points can add up to, also when they count back from it."""
    if not rules.match.exact or rules.match.rounds is not None:
        return ""
    missed: dict[tuple[int, str], list[str]] = {}
    for players in rules.legal_players():
        target = rules.target(players)
        amounts = {*_scored(rules), *_settled(rules, players), *_besides(rules)}
        if target is not None and not _reaches(target, amounts, only_up=_only_up(rules)):
            step = gcd(*amounts)
            how = f" in multiples of {step}" if target % step else ""
            missed.setdefault((target, how), []).append(str(players))
    return "; ".join(
        f"{target}{how} ({'/'.join(players)} players)" for (target, how), players in missed.items()
    )


CAUTIONS: tuple[Contradiction, ...] = (
    Contradiction(
        "target-never-met",
        ("match.exact", "match.target"),
        "no points can add up to exactly the target, so that a match would not end",
        _never_met,
    ),
)
