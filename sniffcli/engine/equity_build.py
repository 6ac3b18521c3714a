"""Finding match equity from simulated rounds: `sniff simulate --equity` writes it anew.

Every pair of scores gets the same deals, played by the greedy policy, so that the table is smooth.
A round from a pair of scores leads to other pairs (or ends the match), which makes one equation per
pair; they are solved by going over the table until nothing changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import gcd
from typing import Any, NamedTuple

from sniffcli.engine.datafile import text_of
from sniffcli.engine.equity import (
    KNOWN_LEADERS,
    PARTS,
    VERSION,
    finished,
    has_equity,
    next_leader,
    places,
)
from sniffcli.engine.identity import rules_key
from sniffcli.engine.kernel import Batch, largest_worth, playouts
from sniffcli.engine.playout import END, Outcome
from sniffcli.engine.policy import GREEDY_POLICY
from sniffcli.engine.position import Position, position_of
from sniffcli.engine.samples import dealt_after, shipped_tables
from sniffcli.engine.spec import Spec, spec_of
from sniffcli.files.games import read_game
from sniffcli.game.match import new_match
from sniffcli.game.state import Setup
from sniffcli.ruleset.library import scenarios_dir


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
THOROUGH = Effort(deals=400, rows=40, near=8, kept=20)

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
    free = playouts(positions, [None], GREEDY_POLICY)
    made = [[sum(parts) for parts in one.parts] for one in _listed(free)]
    if setup.side_count > 2:
        if progress is not None:
            progress(1.0)
        gains = Counter(points for sides in made for points in sides)
        return {"deals": effort.deals, "gains": sorted(gains.items())}
    unit = max(1, gcd(*(points for sides in made for points in sides)))
    axis = _axis(spec.target, unit, effort.rows, effort.near)
    starts: dict[End, list[Position]] = {}
    for position, (one, two), end in zip(positions, made, _ends(spec, free), strict=True):
        starts.setdefault((one, two, end[2]), []).append(position)
    equations = []
    for row, leading in enumerate(axis):
        for column, other in enumerate(axis):
            ends = _ends_from(spec, starts, leading, other)
            equations.append(_equation(spec, ends, axis, row, column))
        if progress is not None:
            progress(1 / len(axis))
    chances = _solved(equations, len(axis))
    kept = [score for score in _axis(spec.target, unit, effort.kept, effort.near) if score in axis]
    index = [axis.index(score) for score in kept]
    win = [[round(PARTS * chances[row][column]) for column in index] for row in index]
    return {"deals": effort.deals, "axis": kept, "win": win}


def thorough(setup: Setup) -> dict[str, Any]:
    """Return the match equity of a setup as it is shipped."""
    return build(setup, THOROUGH)


def _positions(setup: Setup, deals: int) -> list[Position]:
    """Deal rounds in mid-match; side 0 leads where the ruleset names the leader beforehand."""
    rule = setup.rules.open.next_leader
    leader = setup.seats - 1 if rule == "rotate" else 0
    return [
        position_of(dealt_after(setup, f"equity:{deal}", winner=0, leader=leader, closer=0))
        for deal in range(deals)
    ]


def _axis(target: int, unit: int, rows: int, near: int) -> tuple[int, ...]:
    """Return the scores that get a row: all just below the target, and evenly spread ones."""
    steps = max(1, -(-target // unit))
    coarse = max(1, -(-steps // rows))
    wanted = set(range(0, steps, coarse)) | set(range(max(0, steps - near), steps))
    return tuple(sorted(step * unit for step in wanted))


#: How a round ends: both scores, and the side that leads the next one.
End = tuple[int, int, int | None]


def _listed(batch: Batch) -> Iterator[Outcome]:
    return (batch.outcome(number, 0) for number in range(batch.positions))


def _ends(spec: Spec, batch: Batch) -> list[End]:
    """Return how the rounds of a batch ended; who leads next counts only where it is known."""
    if not batch.positions:
        return []
    if spec.setup.rules.open.next_leader not in KNOWN_LEADERS:
        return [
            (one, two, None)
            for one, two in zip(batch.scores(0, 0), batch.scores(0, 1), strict=True)
        ]
    columns = (
        batch.scores(0, 0),
        batch.scores(0, 1),
        batch.points(0, 0, END),
        batch.points(0, 1, END),
        batch.column(0, batch.width - 2),
        batch.column(0, batch.width - 1),
    )
    leaders: dict[tuple[int, ...], int | None] = {}
    found: list[End] = []
    for number, (one, two, *rest) in enumerate(zip(*columns, strict=True)):
        key = tuple(rest)
        if key not in leaders:
            leaders[key] = next_leader(spec.setup, batch.outcome(number, 0), 0)
        found.append((one, two, leaders[key]))
    return found


def _ends_from(
    spec: Spec, starts: Mapping[End, Sequence[Position]], leading: int, other: int
) -> Counter[End]:
    """Return how often the deals end in which way from these scores.

    STARTS has the deals by the points that they give where nobody comes near the target: such a
    round is the same from any scores. Only the others are played again.
    """
    always = bool(spec.near_target or spec.entry or spec.loser_resets)
    # Below an exact target a play may be void and another one chosen.
    margin = 0 if spec.plain else largest_worth(spec) + 1
    safe = -1 if always else spec.target - margin
    most, second = safe - leading, safe - other
    found: Counter[End] = Counter()
    again: list[Position] = []
    for (one, two, leader), deals in starts.items():
        if one < most and two < second:
            found[leading + one, other + two, leader] += len(deals)
        else:
            again += deals
    if again:
        entered = new_match(spec.setup, (leading, other)).entered
        mask = sum(1 << side for side in entered)
        positions = [one._replace(scores=(leading, other), entered=mask) for one in again]
        found.update(_ends(spec, playouts(positions, [None], GREEDY_POLICY)))
    return found


#: One pair of scores: a constant, and what the chance at other places of the table contributes.
Equation = tuple[float, Mapping[tuple[int, int], float]]


def _equation(
    spec: Spec, ends: Counter[End], axis: Sequence[int], row: int, column: int
) -> Equation:
    """Return the chance of the leading side (side 0) in terms of those after the round."""
    constant = 0.0
    total = sum(ends.values())
    weights: dict[tuple[int, int], float] = {}
    for (score, others, leader), count in ends.items():
        over = finished(spec.setup, (score, others))
        share = count / total
        if over is not None:
            constant += share * over[0]
            continue
        own, other = places(axis, score), places(axis, others)
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


def shipped_setups() -> list[Setup]:
    """Return every table whose match equity is shipped, each once.

    These are those of `shipped_tables`, and the tables of the recorded games in
    `scenarios/games`.
    """
    found: dict[str, Setup] = {}
    for setup in shipped_tables():
        if has_equity(setup):
            found.setdefault(rules_key(setup), setup)
    for path in sorted((scenarios_dir() / "games").glob("*.yaml")):
        record, _ = read_game(path.read_bytes(), str(path))
        if record is not None and has_equity(record.setup):
            one = record.setup
            found.setdefault(rules_key(one), Setup(one.rules, one.names, one.sides))
    return list(found.values())


def written(tables: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the text of a file of tables by `rules_key`, one line for each."""
    return text_of(tables, "tables", VERSION, compact=True)
