"""What a ruleset may say, but hardly means: shown as warnings, each with its code and message."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd

from sniffcli.ruleset.contradictions import Contradiction, pays_blocked
from sniffcli.ruleset.model import Ruleset
from sniffcli.ruleset.words import Fixed, Flat, PerKnock


def _scored(rules: Ruleset) -> Iterator[int]:
    """Yield numbers of which all that plays score is made up."""
    score = rules.score
    if score.kind == "equal_ends":
        yield from (score.header, score.header_with_double)
    elif score.kind == "ends_sum":
        if isinstance(score.award, Flat):
            yield score.award.points
        elif score.award == "quotient":
            yield 1
        else:
            yield gcd(*score.divisors)


def _settled(rules: Ruleset, players: int) -> Iterator[int]:
    """Yield numbers of which all that the end of a round pays is made up."""
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
    """Return a number of which each payment of an AWARD is a multiple."""
    if isinstance(award, Fixed):
        return gcd(award.points, award.points // divide, unit)
    return unit or 1


def _besides(rules: Ruleset) -> Iterator[int]:
    """Yield numbers of which all other points are made up."""
    yield rules.pass_.penalty
    if isinstance(rules.pass_.bonus, PerKnock):
        yield rules.pass_.bonus.points
    if rules.claim.mode == "declare":
        yield rules.claim.bounty
        # Any number can be claimed.
        yield 1 if rules.claim.false_claim == "penalty" else 0
    if rules.keelhaul is not None:
        yield rules.keelhaul.cost


def _never_met(rules: Ruleset) -> str:
    """Say which exact target no points can add up to, also when they count back from it."""
    if not rules.match.exact or rules.match.rounds is not None:
        return ""
    missed: dict[tuple[int, int], list[str]] = {}
    for players in rules.legal_players():
        target = rules.target(players)
        step = gcd(*_scored(rules), *_settled(rules, players), *_besides(rules))
        if target is not None and step > 1 and target % step:
            missed.setdefault((target, step), []).append(str(players))
    return "; ".join(
        f"{target} in multiples of {step} ({'/'.join(players)} players)"
        for (target, step), players in missed.items()
    )


CAUTIONS: tuple[Contradiction, ...] = (
    Contradiction(
        "target-never-met",
        ("match.exact", "match.target"),
        "no points can add up to exactly the target, so that a match would not end",
        _never_met,
    ),
)
