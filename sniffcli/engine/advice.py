"""Advice for the seat to move, from its view alone: every choice with its expected margin.

*Margin*: the points of the seat's side less the mean of the other sides, from now to the end of
the round. Which method finds it depends on what is hidden (tutor.md, section 4.2): an exact
solution where every tile can be placed, else all worlds played out where they are few, else a
sample of them. The players of a play-out see their own hands only.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, NamedTuple

from sniffcli.engine.choices import Choice, choices
from sniffcli.engine.deals import World
from sniffcli.engine.equity import Equity
from sniffcli.engine.kernel import Batch, play_deals
from sniffcli.engine.playout import NEXT, NOW, REPLY, REST, Outcome, play_out
from sniffcli.engine.policy import GREEDY_POLICY, Policy
from sniffcli.engine.position import Position, position_from_view
from sniffcli.engine.solver import Choice as Solved
from sniffcli.engine.solver import TooLarge, solve
from sniffcli.engine.stats import Column, Limits, is_established, paired, race
from sniffcli.engine.trials import Parts, Scale, Tried
from sniffcli.engine.turns import Tree
from sniffcli.engine.worlds import Worlds, worlds_of
from sniffcli.game.actions import Action, Play
from sniffcli.game.plays import resolve, text_of
from sniffcli.game.view import View
from sniffcli.table.counting import count, worth
from sniffcli.table.layout import Move
from sniffcli.tiles import Tile

#: Worlds to advise with, and the seed where none is given: equal questions get equal answers.
WORLDS = 400
SEED = 1

#: Positions that the solver may look at before the advice falls back to play-outs.
BUDGET = 400_000

Method = Literal["exact", "enumerated", "sampled"]
Forced = Literal["draw", "pass", "play"]


@dataclass(frozen=True, slots=True)
class Option:
    """One choice with what it is expected to bring."""

    action: Action
    #: The action as it is written in files.
    play: str
    #: The sum of the ends after it (None on an empty table), and what it is worth at once.
    sum: int | None
    points: int
    #: The expected margin, and its parts.
    value: float
    parts: Parts
    #: What it loses against the best choice on the same worlds, with the standard error.
    loss: float
    loss_se: float
    #: Whether that loss is more than chance would make it.
    established: bool
    #: The chance to win the match, where there is a target.
    win: float | None
    #: On how many worlds it was tried.
    worlds: int
    #: The margin in each of these worlds, its parts, and the chance to win (empty where there is no
    #: match), for further comparisons.
    margins: Column = field(default_factory=Column)
    columns: tuple[Column, ...] = ()
    wins: Column = field(default_factory=Column)
    #: How often the seat's side goes out first, and how often the round is blocked.
    out: float = 0.0
    blocked: float = 0.0


class Advice(NamedTuple):
    """What a seat can be told; nothing in it depends on tiles that the seat cannot see."""

    view: View
    #: Why there is nothing to choose, if so.
    forced: Forced | None
    method: Method
    #: Best first.
    options: tuple[Option, ...]
    worlds: int
    #: How many ways there are to spread the hidden tiles over the hands.
    consistent_hands: int | None
    #: For each hidden tile the chance that a seat holds it; -1 is the boneyard.
    unseen: dict[Tile, dict[int, Fraction]]
    seed: int
    policy: str

    @property
    def best(self) -> Option:
        """The best choice."""
        return self.options[0]


def advise(
    view: View,
    worlds: int = WORLDS,
    seed: int = SEED,
    named: Iterable[Action] = (),
    *,
    equity: Equity | None = None,
    policy: Policy = GREEDY_POLICY,
    looks: int = 1,
) -> Advice:
    """Return the choices of the seat to move with their values.

    NAMED are choices that are compared to the end even if LOOKS at the standings give up others.

    Raises:
        ValueError: it is not this seat's turn, or the round is over.
        ContradictionError: no deal explains the record.
    """
    if view.result is not None:
        raise ValueError("the round is over")
    if view.turn != view.seat:
        raise ValueError(f"it is not the turn of {view.setup.names[view.seat]}")
    found = choices(view)
    if not found:
        raise ValueError("nothing can be done in this position")
    known = worlds_of(view)
    scale = Scale(view, equity)
    method: Method = "sampled"
    tried: list[Tried] | None = None
    if known.no_more_than(1):
        tried = _solved(view, next(known.enumerate()), found, scale)
        method = "exact"
    if tried is None and known.no_more_than(worlds):
        tried = _played(view, list(known.enumerate()), found, policy, seed, scale)
        method = "enumerated"
    if tried is None:
        tried = _sampled(view, known, found, policy, seed, scale, worlds, looks, named)
        method = "sampled"
    return Advice(
        view=view,
        forced=_forced(found),
        method=method,
        options=_options(view, found, tried, method),
        worlds=max(one.margins.count for one in tried),
        consistent_hands=known.consistent_hands,
        unseen=known.marginals(),
        seed=seed,
        policy=policy.name,
    )


def _forced(found: Sequence[Choice]) -> Forced | None:
    if len(found) > 1:
        return None
    kinds: dict[str, Forced] = {"draw": "draw", "pass": "pass", "play": "play"}
    return kinds[found[0].action.kind]


def _played(
    view: View,
    worlds: Sequence[World],
    found: Sequence[Choice],
    policy: Policy,
    seed: int,
    scale: Scale,
) -> list[Tried]:
    """Play every world out once for each choice."""
    tried = [Tried(scale) for _ in found]
    position = position_from_view(view, (), ())
    batch = play_deals(position, worlds, [choice.first for choice in found], policy, seed)
    weights = [world.weight for world in worlds]
    for number, one in enumerate(tried):
        one.add(batch, number, weights)
    return tried


def _sampled(
    view: View,
    known: Worlds,
    found: Sequence[Choice],
    policy: Policy,
    seed: int,
    scale: Scale,
    worlds: int,
    looks: int,
    named: Iterable[Action],
) -> list[Tried]:
    """Play the same random worlds out for each choice."""
    rng = random.Random(seed)
    tried = [Tried(scale) for _ in found]
    position = position_from_view(view, (), ())
    start = seed

    def trial(count: int, left: Sequence[int]) -> list[array[int]]:
        nonlocal start
        firsts = [found[number].first for number in left]
        batch = play_deals(position, known.draw(rng, count), firsts, policy, start)
        start += count
        return [tried[number].add(batch, place) for place, number in enumerate(left)]

    kept = {number for number, choice in enumerate(found) if choice.action in set(named)}
    race(trial, len(found), Limits(worlds, looks=looks), kept, scale.unit)
    return tried


def _solved(view: View, world: World, found: Sequence[Choice], scale: Scale) -> list[Tried] | None:
    """Solve the one world there is; None where that is out of reach."""
    position = position_from_view(view, world.hands, world.boneyard)
    try:
        solution = solve(position, known_order=True, budget=BUDGET)
    except TooLarge:
        return None
    by_first = {one.action: one for one in solution.choices}
    tried = []
    for choice in found:
        solved = by_first.get(choice.first)
        if solved is None:
            return None
        one = Tried(scale)
        one.add(_batch_of(_outcome(position, solved)), 0)
        tried.append(one)
    return tried


def _outcome(position: Position, solved: Solved) -> Outcome:
    """Return how the line of a solved choice ends, its points split into parts."""
    tree = Tree(position, known_order=True, scores=True)
    spec, node, me = position.spec, tree.root, position.turn
    parts = [[0] * 5 for _ in range(spec.side_count)]
    scores = list(position.scores)
    part = NOW
    for ply in solved.line[:-1]:
        part = _next_part(part, ply.seat == me)
        for side, points in enumerate(ply.gains):
            parts[side][part] += points
            scores[side] += points
        step = tree.steps(node, ply.action)[0]
        assert step.node is not None, "only the last action of a line ends the round"
        node = step.node
        part = REPLY if part == NOW else part
    last = solved.line[-1]
    part = _next_part(part, last.seat == me)
    # One action from the end a play-out tells the points of the tile from those of the end.
    end = play_out(
        position._replace(
            frontier=node.frontier,
            hands=node.hands,
            boneyard=position.boneyard[node.taken :],
            turn=node.turn,
            scores=tuple(scores),
            entered=node.entered,
            drawn=node.drawn,
            last_drawn=node.last,
            passes=node.passes,
            extra=node.extra,
            must_lead=node.must_lead,
            closer=node.closer,
        ),
        last.action,
    )
    for side, made in enumerate(end.parts):
        parts[side][part] += made[NOW]
        parts[side][4] += made[4]
    return Outcome(tuple(map(tuple, parts)), end.scores, end.how, end.closer)


def _batch_of(outcome: Outcome) -> Batch:
    """Return one outcome as a batch of its own."""
    points = [points for parts in outcome.parts for points in parts]
    row = [*points, *outcome.scores, outcome.how, outcome.closer]
    return Batch(array("i", row), 1, 1, len(outcome.parts))


def _next_part(part: int, mine: bool) -> int:
    """Return to which part of the round an action belongs, as play-outs split it."""
    if part == REPLY and mine:
        return NEXT
    return REST if part == NEXT and not mine else part


def _options(
    view: View, found: Sequence[Choice], tried: Sequence[Tried], method: Method
) -> tuple[Option, ...]:
    """Return the choices best first, each compared with the best."""
    parts = [one.parts for one in tried]
    values = [sum(one) for one in parts]
    order = sorted(range(len(found)), key=lambda number: (-values[number], number))
    best = tried[order[0]]
    options = []
    for number in order:
        choice, one = found[number], tried[number]
        loss, error, sure = 0.0, 0.0, False
        if one is not best and method == "sampled":
            difference = paired(best.margins, one.margins)
            loss, error = difference.mean, difference.error
            sure = is_established(difference, len(found))
        elif one is not best:
            loss = values[order[0]] - values[number]
            sure = loss > 1e-9
        total, points = _at_once(view, choice.action)
        options.append(
            Option(
                action=choice.action,
                play=_text(choice.action),
                sum=total,
                points=points,
                value=values[number],
                parts=parts[number],
                loss=loss,
                loss_se=error,
                established=sure,
                win=one.win,
                worlds=one.margins.count,
                margins=one.margins,
                columns=one.columns,
                wins=one.wins,
                out=one.out,
                blocked=one.blocked,
            )
        )
    return tuple(options)


def _text(action: Action) -> str:
    return text_of(action) if isinstance(action, Play) else action.kind


def _at_once(view: View, action: Action) -> tuple[int | None, int]:
    """Return the sum of the ends after an action, and what it is worth."""
    rules, frontier = view.setup.rules, view.frontier
    points = 0
    if isinstance(action, Play):
        move = resolve(view.setup, view.layout, frontier, action)
        assert isinstance(move, Move), "choices are legal"
        if rules.open.scores or not frontier.is_empty:
            points = worth(rules, move.frontier)
        frontier = move.frontier
    return (None if frontier.is_empty else count(rules, frontier)), points
