"""Finding match equity from simulated rounds: `sniff simulate --equity FILE` writes it anew.

Every pair of scores gets the same deals, played by the greedy policy, so that the table is smooth.
A round from a pair of scores leads to other pairs (or ends the match), which makes one equation per
pair; they are solved by going over the table until nothing changes.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import gcd
from typing import Any, NamedTuple

from sniffcli.engine.equity import (
    KNOWN_LEADERS,
    PARTS,
    finished,
    next_leader,
    places,
)
from sniffcli.engine.kernel import playouts
from sniffcli.engine.playout import Outcome
from sniffcli.engine.policy import GREEDY_POLICY
from sniffcli.engine.position import Position, position_of
from sniffcli.engine.spec import Spec, spec_of
from sniffcli.game.match import Match, deal_round, new_match
from sniffcli.game.state import RoundResult, Setup


class Effort(NamedTuple):
    """How much work goes into a table."""

    #: Deals that are played from each pair of scores.
    deals: int
    #: Scores per side that are solved for, apart from those just below the target.
    rows: int
    #: Steps below the target that are all solved for.
    near: int
    #: Scores per side that are kept, apart from those just below the target. Solving needs more
    #: than reading: what lies between two scores is taken from both, round after round.
    kept: int


#: For rules that are not shipped, on first use; and for the shipped data.
QUICK = Effort(deals=96, rows=24, near=4, kept=24)
THOROUGH = Effort(deals=300, rows=50, near=8, kept=20)

#: The solution is good enough when a sweep changes no chance by more than this.
SETTLED = 1e-6
MOST_SWEEPS = 500


def build(
    setup: Setup, effort: Effort, progress: Callable[[float], None] | None = None
) -> dict[str, Any]:
    """Return the match equity of a setup as plain values, ready for JSON.

    PROGRESS is called with the part of the work that was done since its last call.
    """
    spec = spec_of(setup)
    positions = _positions(setup, effort.deals)
    free = _played(positions)
    if setup.side_count > 2:
        if progress is not None:
            progress(1.0)
        gains = Counter(sum(parts) for outcome in free for parts in outcome.parts)
        return {"deals": effort.deals, "gains": sorted(gains.items())}
    unit = _unit(free)
    axis = _axis(spec.target, unit, effort.rows, effort.near)
    equations = []
    for row, leading in enumerate(axis):
        for column, other in enumerate(axis):
            outcomes = _outcomes(spec, positions, free, (leading, other))
            equations.append(_equation(spec, outcomes, axis, row, column))
        if progress is not None:
            progress(1 / len(axis))
    chances = _solved(equations, len(axis))
    kept = [score for score in _axis(spec.target, unit, effort.kept, effort.near) if score in axis]
    index = [axis.index(score) for score in kept]
    win = [[round(PARTS * chances[row][column]) for column in index] for row in index]
    return {"deals": effort.deals, "axis": kept, "win": win}


def _positions(setup: Setup, deals: int) -> list[Position]:
    """Deal rounds in mid-match; side 0 leads where the ruleset names the leader beforehand."""
    rule = setup.rules.open.next_leader
    before = RoundResult(
        how="out",
        winners=(0,),
        bonus=(0,) * setup.side_count,
        tied=False,
        leader=setup.seats - 1 if rule == "rotate" else 0,
        closer=0,
        pips=(0,) * setup.seats,
    )
    found = []
    for deal in range(deals):
        match = Match(setup, (0,) * setup.side_count, results=(before,))
        state, _ = deal_round(match, random.Random(f"equity:{deal}"))
        found.append(position_of(state))
    return found


def _unit(free: Sequence[Outcome]) -> int:
    """Return the largest number of points that all points made are multiples of."""
    unit = 0
    for outcome in free:
        for parts in outcome.parts:
            for part in parts:
                unit = gcd(unit, part)
    return max(1, unit)


def _axis(target: int, unit: int, rows: int, near: int) -> tuple[int, ...]:
    """Return the scores that get a row: all just below the target, and evenly spread ones."""
    steps = max(1, -(-target // unit))
    coarse = max(1, -(-steps // rows))
    wanted = set(range(0, steps, coarse)) | set(range(max(0, steps - near), steps))
    return tuple(sorted(step * unit for step in wanted))


def _outcomes(
    spec: Spec, positions: Sequence[Position], free: Sequence[Outcome], scores: tuple[int, int]
) -> Iterator[Outcome]:
    """Yield how the deals end from these scores.

    A round in which nobody comes near the target is the same as one that starts at nothing; only
    the others are played again.
    """
    entered = new_match(spec.setup, scores).entered
    mask = sum(1 << side for side in entered)
    always = bool(spec.near_target or spec.entry)
    # Below an exact target a play may be void and another one chosen.
    margin = 0 if spec.plain else max(spec.table.worth) + 1
    again = []
    for position, outcome in zip(positions, free, strict=True):
        ends = [one + sum(parts) for one, parts in zip(scores, outcome.parts, strict=True)]
        if always or max(ends) + margin >= spec.target or spec.loser_resets:
            again.append(position._replace(scores=scores, entered=mask))
        else:
            yield outcome._replace(scores=tuple(ends))
    yield from _played(again)


def _played(positions: Sequence[Position]) -> list[Outcome]:
    batch = playouts(positions, [None], GREEDY_POLICY)
    return [batch.outcome(number, 0) for number in range(len(positions))]


#: One pair of scores: a constant, and what the chance at other places of the table contributes.
Equation = tuple[float, Mapping[tuple[int, int], float]]


def _equation(
    spec: Spec, outcomes: Iterator[Outcome], axis: Sequence[int], row: int, column: int
) -> Equation:
    """Return the chance of the leading side (side 0) in terms of those after the round."""
    known = spec.setup.rules.open.next_leader in KNOWN_LEADERS
    constant = 0.0
    seen = Counter((one.scores, next_leader(spec, one, 0) if known else None) for one in outcomes)
    total = sum(seen.values())
    weights: dict[tuple[int, int], float] = {}
    for (scores, leader), count in seen.items():
        over = finished(spec.setup, scores)
        share = count / total
        if over is not None:
            constant += share * over[0]
            continue
        own, other = places(axis, scores[0]), places(axis, scores[1])
        # Where the other side leads next, its chance is in the table and ours is the rest of one.
        ours = {None: 0.5, 0: 1.0, 1: 0.0}[leader] * share
        theirs = share - ours
        constant += theirs
        for i, part in own:
            for j, piece in other:
                if ours:
                    weights[i, j] = weights.get((i, j), 0.0) + ours * part * piece
                if theirs:
                    weights[j, i] = weights.get((j, i), 0.0) - theirs * part * piece
    # A round that changes nothing is played again: its own term goes to the left-hand side.
    itself = weights.pop((row, column), 0.0)
    rest = max(1.0 - itself, 1e-9)
    return constant / rest, {place: weight / rest for place, weight in weights.items()}


def _solved(equations: Sequence[Equation], size: int) -> list[list[float]]:
    """Solve the equations, sweeping from the highest scores, which depend on the fewest others."""
    chances = [[0.5] * size for _ in range(size)]
    order = sorted(range(len(equations)), key=lambda n: -(n // size + n % size))
    for _ in range(MOST_SWEEPS):
        change = 0.0
        for number in order:
            constant, terms = equations[number]
            value = constant
            for (i, j), weight in terms.items():
                value += weight * chances[i][j]
            value = min(1.0, max(0.0, value))
            row, column = divmod(number, size)
            change = max(change, abs(value - chances[row][column]))
            chances[row][column] = value
        if change < SETTLED:
            break
    return chances
