"""Proving puzzles: each answer of a file against what the engine finds (contract, section 6)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from sniffcli.files.puzzles import (
    NUMBERS,
    ONE_PLAY,
    Given,
    Number,
    Puzzle,
    answer_text,
)
from sniffcli.game.actions import Refusal
from sniffcli.game.state import State
from sniffcli.problems import Problem
from sniffcli.show.numbers import decimal
from sniffcli.tutor.puzzle_values import SEPARATED, Effort, strayed, valued
from sniffcli.tutor.puzzles import (
    Finding,
    Option,
    Unprovable,
    arithmetic,
    holds,
    is_right,
    key_of,
    position_of_puzzle,
)


def check(puzzle: Puzzle, effort: Effort | None = None) -> list[Problem]:
    """Return what is wrong with a puzzle; nothing where the engine confirms its answer."""
    state, problems = position_of_puzzle(puzzle)
    if state is None:
        return problems
    if puzzle.to_play is not None and puzzle.to_play != state.turn:
        names = state.setup.names
        message = f"{names[state.turn]} is to move here, not {names[puzzle.to_play]}"
        return [puzzle.problem(puzzle.at("to_play"), "to-play", message)]
    illegal = _illegal(puzzle, state)
    if illegal:
        return illegal
    try:
        finding = find(puzzle, state, effort or Effort())
    except Unprovable as why:
        return [puzzle.problem(puzzle.at("ask"), "unproved", str(why))]
    return _compared(puzzle, state, finding)


def find(puzzle: Puzzle, state: State, effort: Effort) -> Finding:
    """Return the right answers of a puzzle.

    Raises:
        Unprovable: the position does not tell, or is too large.
    """
    found = arithmetic(puzzle, state)
    if found is not None:
        return found
    if puzzle.ask == "holds":
        return holds(puzzle, state)
    finding = valued(state, effort)
    if puzzle.ask == "best-play":
        return finding
    value = finding.options[0].value
    assert value is not None, "every choice has a value"
    return Finding(finding.method, (Number(value, 2),), finding.options, finding.worlds)


def _illegal(puzzle: Puzzle, state: State) -> list[Problem]:
    """Return the answers that cannot be played here at all."""
    problems = []
    for given in (puzzle.answer, *puzzle.accept):
        key = key_of(state, given.answer)
        if isinstance(key, Refusal):
            code = "ambiguous-answer" if key.code == "ambiguous" else "illegal-answer"
            problems.append(puzzle.problem(given.mark, code, key.message))
    return problems


def _compared(puzzle: Puzzle, state: State, finding: Finding) -> list[Problem]:
    if puzzle.ask in NUMBERS:
        return _number(puzzle, finding)
    if puzzle.ask in ONE_PLAY:
        return _plays(puzzle, state, finding)
    if is_right(state, puzzle.answer.answer, finding.right):
        return []
    return [puzzle.problem(puzzle.answer.mark, "wrong-answer", _lists(puzzle, state, finding))]


def _number(puzzle: Puzzle, finding: Finding) -> list[Problem]:
    given, real = puzzle.answer.answer, finding.right[0]
    assert isinstance(given, Number), "the reader gives a number"
    assert isinstance(real, Number), "and so does the engine"
    slack = 0.0
    if finding.method == "sampled":
        slack = max(1.0, SEPARATED * _value_error(finding))
    if given.matches(real.value) or abs(given.value - real.value) <= slack:
        return []
    what = {
        "count": "the sum is",
        "points": "the last tile is worth",
        "claim": "the number to claim is",
        "value": "the value is",
    }[puzzle.ask]
    shown = f"{real.value:.0f}" if real.decimals == 0 else decimal(real.value, 2)
    message = f"{what} {shown}, not {given}{how(finding)}"
    return [puzzle.problem(puzzle.answer.mark, "wrong-answer", message)]


def _value_error(finding: Finding) -> float:
    """Return a bound on the error of the best value: that of a round's margin, 30 points."""
    return 30.0 / math.sqrt(max(finding.worlds or 1, 1))


def _plays(puzzle: Puzzle, state: State, finding: Finding) -> list[Problem]:
    """Compare the set of right plays with the answer and what is accepted."""
    options = {key_of(state, one.action): one for one in finding.options}
    right = {key_of(state, one): one for one in finding.right}
    best = finding.options[0]
    problems: list[Problem] = []
    given: dict[object, Given] = {}
    for one in (puzzle.answer, *puzzle.accept):
        key = key_of(state, one.answer)
        if key in given:
            message = f"{answer_text(one.answer)} is listed twice"
            problems.append(puzzle.problem(one.mark, "accept", message))
            continue
        given[key] = one
        option = options.get(key)
        if option is None:
            message = f"{answer_text(one.answer)} cannot be chosen here"
            problems.append(puzzle.problem(one.mark, "illegal-answer", message))
        elif key not in right and (not option.loss_se or strayed(option)):
            message = _loses(puzzle, option, best) + how(finding)
            problems.append(puzzle.problem(one.mark, "wrong-answer", message))
    if problems:
        return problems
    for key, answer in right.items():
        if key not in given:
            message = (
                f"{answer_text(answer)} is right too, but neither answer nor accept lists it: "
                + _equal(puzzle, options[key])
                + how(finding)
            )
            problems.append(puzzle.problem(puzzle.answer.mark, "second-answer", message))
    return problems


def _loses(puzzle: Puzzle, option: Option, best: Option) -> str:
    if puzzle.ask == "best-score":
        return f"{option.text} scores {option.points}, but {best.text} scores {best.points}"
    return (
        f"{option.text} is worth {decimal(option.value)}, but {best.text} {decimal(best.value)}, "
        f"so it loses {decimal(option.loss)}"
    )


def _equal(puzzle: Puzzle, option: Option) -> str:
    if puzzle.ask == "best-score":
        return f"it scores {option.points} as well"
    return f"it is worth {decimal(option.value)}"


def how(finding: Finding) -> str:
    """Return in brackets how something was found; nothing where it was only counted."""
    match finding.method:
        case "exact":
            return " (solved exactly)"
        case "enumerated":
            return f" (all {finding.worlds} worlds)"
        case "sampled":
            return f" ({finding.worlds} worlds)"
        case _:
            return ""


def _lists(puzzle: Puzzle, state: State, finding: Finding) -> str:
    """Say which tiles or plays of a list are missing, and which are too many."""
    real = finding.right[0]
    given = puzzle.answer.answer
    assert isinstance(real, tuple), "lists are compared with lists"
    assert isinstance(given, tuple), "lists are compared with lists"
    real_keys = {key_of(state, (one,)): one for one in real}
    given_keys = {key_of(state, (one,)): one for one in given}
    missing = [one for key, one in real_keys.items() if key not in given_keys]
    surplus = [one for key, one in given_keys.items() if key not in real_keys]
    parts = []
    if missing:
        parts.append(f"{answer_text(tuple(missing))} missing")
    if surplus:
        parts.append(f"{answer_text(tuple(surplus))} too many")
    return f"the list is wrong: {' and '.join(parts)}"


def check_many(
    puzzles: Sequence[Puzzle],
    effort: Effort | None = None,
    tell: Callable[[int, int], None] | None = None,
) -> list[Problem]:
    """Return the problems of many puzzles; TELL hears how many are done, and of how many."""
    found: list[Problem] = []
    for done, one in enumerate(puzzles, 1):
        found += check(one, effort)
        if tell is not None:
            tell(done, len(puzzles))
    return found
