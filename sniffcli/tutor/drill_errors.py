"""What kind of mistake a wrong answer is: the slips that counters make (tutor.md, section 4.6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from sniffcli.files.puzzles import Answer, Number, Puzzle
from sniffcli.game.state import State
from sniffcli.table.counting import count, halves_counted, pays
from sniffcli.tutor.families import parts
from sniffcli.tutor.puzzles import Finding, key_of

Mistake = Literal[
    "double-once",
    "covered-spinner",
    "missing-arm",
    "slip",
    "sum-for-points",
    "false-claim",
    "missed-score",
]

#: What each kind of mistake is called.
MISTAKES: dict[Mistake, str] = {
    "double-once": "a double counted once",
    "covered-spinner": "a covered spinner counted",
    "missing-arm": "an end left out",
    "slip": "off by one or two",
    "sum-for-points": "the sum given for the points",
    "false-claim": "points claimed that were not there",
    "missed-score": "a score missed",
}


def mistake(puzzle: Puzzle, state: State, finding: Finding, given: Answer) -> Mistake | None:
    """Return what kind of mistake a wrong answer is, or None for one that is not known."""
    if puzzle.ask == "best-score":
        options = {key_of(state, one.action): one for one in finding.options}
        chosen = options.get(_hashable(state, given))
        best = finding.options[0].points
        return "missed-score" if chosen is not None and chosen.points < best else None
    if puzzle.ask not in ("count", "points", "claim") or not isinstance(given, Number):
        return None
    real = finding.right[0]
    assert isinstance(real, Number), "counting gives a number"
    if puzzle.ask == "count":
        return _sum_mistake(state, given.value) or _slip(given.value, real.value)
    total = count(state.rules, state.frontier)
    if given.value == total and given.value != real.value and state.rules.score.kind == "ends_sum":
        return "sum-for-points" if real.value else "false-claim"
    if given.value == 0:
        return "missed-score"
    if not real.value:
        return "false-claim"
    for kind, wrong in wrong_sums(state):
        if given.value == pays(state.rules, wrong):
            return kind
    return _slip(given.value, real.value)


def _hashable(state: State, given: Answer) -> object:
    return key_of(state, given)


def _sum_mistake(state: State, given: float) -> Mistake | None:
    for kind, wrong in wrong_sums(state):
        if given == wrong:
            return kind
    return None


def _slip(given: float, real: float) -> Mistake | None:
    return "slip" if 0 < abs(given - real) <= 2 else None


def wrong_sums(state: State) -> Iterator[tuple[Mistake, int]]:
    """Yield the sums to which the known slips lead on this table, the likelier first."""
    rules, frontier = state.rules, state.frontier
    total = count(rules, frontier)
    doubles = [pip for pip, halves in parts(state) if halves == 2 and pip]
    for pip in doubles:
        yield "double-once", total - pip
    if len(doubles) > 1:
        yield "double-once", total - sum(doubles)
    for double in frontier.doubles:
        if double.spinner and double.pip and not halves_counted(rules, double):
            yield "covered-spinner", total + 2 * double.pip
            yield "covered-spinner", total + double.pip
    for pip, halves in parts(state):
        if pip and len(parts(state)) > 1:
            yield "missing-arm", total - pip * halves
