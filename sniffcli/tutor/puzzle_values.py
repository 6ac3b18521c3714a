"""Values of choices for puzzles: exact where all hands are open, else over many worlds.

What is right is a set (tutor.md, section 4.7). Exact values separate whatever differs. Over worlds
a choice is right when it loses at most half a point, or when its loss is not separated from zero.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from math import sqrt
from typing import NamedTuple

from sniffcli.engine.choices import choices
from sniffcli.engine.deals import Deals, World
from sniffcli.engine.kernel import play_deals
from sniffcli.engine.playout import DRAW, PARTS, PASS, First
from sniffcli.engine.position import position_from_view, position_of
from sniffcli.engine.solver import Ply, TooLarge, solve
from sniffcli.engine.spec import spec_of
from sniffcli.engine.worlds import worlds_of
from sniffcli.files.puzzles import Chosen
from sniffcli.game.actions import Draw, Pass, Refusal
from sniffcli.game.legal import legal_plays
from sniffcli.game.plays import named, text_of
from sniffcli.game.state import State
from sniffcli.game.turn import attempt
from sniffcli.game.view import view_of
from sniffcli.tiles import tile_of_number
from sniffcli.tutor.puzzles import (
    Finding,
    Method,
    Option,
    Unprovable,
    demand_own_draws,
    key_of,
    options_of,
)

#: Worlds by which a play of a hidden position is proved.
WORLDS = 5_000
#: Worlds after which a clear case is believed already.
FIRST_LOOK = 1_000
#: Standard errors by which a loss has to stand out, at the first look and at the end.
CLEAR, SEPARATED = 4.5, 3.0
#: A loss of so many points is none.
ALIKE = 0.5
#: How far a loss may be above that in a set of right answers before it is called wrong.
STRAY = 1.0
#: Positions that a proof may search.
BUDGET = 3_000_000


class Effort(NamedTuple):
    """How much a proof may cost, and the seed of its worlds."""

    worlds: int = WORLDS
    seed: int = 1
    budget: int = BUDGET


def valued(state: State, effort: Effort) -> Finding:
    """Return the values of everything that the seat to move may do, best first."""
    if state.over or state.closing is not None:
        raise Unprovable("the round is over, so nobody is to move")
    if state.all_known:
        return _exact(state, effort)
    seat, names = state.turn, state.setup.names
    if state.hands[seat].unknown:
        raise Unprovable(f"{names[seat]} is to move, but that hand is not listed")
    open_too = [
        names[one]
        for one, hand in enumerate(state.hands)
        if one != seat and hand.size and not hand.unknown
    ]
    if open_too or state.boneyard.known:
        what = f"the hand of {open_too[0]}" if open_too else "the boneyard"
        raise Unprovable(
            f"{what} is listed although other hands are hidden; list every hand, or none but "
            f"that of {names[seat]}"
        )
    return _over_worlds(state, effort)


def _exact(state: State, effort: Effort) -> Finding:
    unseen = len(state.unseen())
    if state.boneyard.known and state.boneyard.unknown and unseen > 1 and state.drawable:
        raise Unprovable("a part of the boneyard is listed; list all of it in order, or nothing")
    known_order = state.boneyard.unknown == 0 or unseen <= 1 or not state.drawable
    try:
        solution = solve(position_of(state), known_order=known_order, budget=effort.budget)
    except TooLarge as large:
        raise Unprovable(f"this position is too large to be solved: {large}") from None
    best = solution.choices[0].value
    points = {one.text: one for one in options_of(state)}
    found = []
    for choice in solution.choices:
        line = line_of(state, choice.line)
        option = points.get(line[0])
        loss = round(best - choice.value, 9)
        if option is None:
            option = Option(action_of(state, choice.action), line[0], None, 0)
        found.append(replace(option, value=choice.value, loss=loss, loss_se=0.0, line=line))
    right = tuple(one.action for one in found if not one.loss)
    return Finding("exact", right, tuple(found))


def action_of(state: State, first: First) -> Chosen:
    """Return a first action of the engine as an action of the game."""
    if first == DRAW:
        return Draw(seat=state.turn)
    if first == PASS:
        return Pass(seat=state.turn)
    table = spec_of(state.setup).table
    tile = tile_of_number(first.tile)
    for move in legal_plays(state):
        if move.tile == tile and table.intern(move.frontier) == first.after:
            return named(state.turn, state.setup, state.layout, state.frontier, move)
    raise ValueError(f"{tile} leads to no such table")


def line_of(state: State, plies: Sequence[Ply]) -> tuple[str, ...]:
    """Return a line of the solver in words: plays as they are written, the rest as `draw 3-0`."""
    texts: list[str] = []
    for ply in plies:
        action = action_of(state, ply.action)
        if isinstance(action, Draw):
            tile = tile_of_number(ply.drawn) if ply.drawn >= 0 else None
            texts.append("draw" if tile is None else f"draw {tile}")
            if tile is None:
                break
            action = replace(action, tile=tile)
        elif isinstance(action, Pass):
            texts.append("pass")
        else:
            texts.append(text_of(action))
        done = attempt(state, action)
        if isinstance(done, Refusal):
            break
        state = done[0]
        if state.over or state.closing is not None:
            break
    return tuple(texts)


def follow(state: State, line: Sequence[str]) -> list[State]:
    """Return the positions along a line of actions in words, the first one included."""
    from sniffcli.files.notation import parse_action

    states = [state]
    for text in line:
        action = parse_action(text, states[-1].turn, state.setup.names)
        done = attempt(states[-1], action)
        if isinstance(done, Refusal):
            break
        states.append(done[0])
    return states


def _over_worlds(state: State, effort: Effort) -> Finding:
    demand_own_draws(state, state.turn)
    view = view_of(state, state.turn)
    try:
        worlds = worlds_of(view)
    except ValueError as clash:
        raise Unprovable(f"the record contradicts itself: {clash}") from None
    found = choices(view)
    side = state.setup.sides[state.turn]
    # Per choice and part of the round (`playout.PARTS`), the margin in each world.
    rows: list[list[list[float]]] = [[[] for _ in PARTS] for _ in found]
    enumerated = worlds.no_more_than(effort.worlds)
    rng = random.Random(effort.seed)
    looks = [effort.worlds]
    if not enumerated and effort.worlds > FIRST_LOOK:
        looks.insert(0, FIRST_LOOK)
    weights: list[int] = []
    base = position_from_view(view, (), ())
    for look in looks:
        drawn: Sequence[World] | Deals
        if enumerated:
            drawn = list(worlds.enumerate())
            weights = [one.weight for one in drawn]
        else:
            drawn = worlds.draw(rng, look - len(weights))
            weights += [1] * len(drawn)
        batch = play_deals(base, drawn, [one.first for one in found])
        for nth, parts in enumerate(rows):
            for part, into in enumerate(parts):
                into += batch.margins(nth, side, part)
        stats = _losses(rows, weights, exact=enumerated)
        if all(se == 0 or abs(loss - ALIKE) > CLEAR * se for _, loss, se, _ in stats if loss):
            break
    points = {key_of(state, one.action): one for one in options_of(state)}
    options = []
    for choice, (value, loss, se, split) in zip(found, stats, strict=True):
        action = choice.action
        assert isinstance(action, Chosen), "only plays, drawing and passing are choices"
        option = points.get(key_of(state, action)) or Option(action, action.kind, None, 0)
        options.append(replace(option, value=value, loss=loss, loss_se=se, parts=split))
    options.sort(key=lambda one: one.loss or 0.0)
    right = tuple(one.action for one in options if not separated(one))
    method: Method = "enumerated" if enumerated else "sampled"
    return Finding(method, right, tuple(options), len(weights))


class _Stat(NamedTuple):
    """What one choice came to: its mean margin, its loss against the best, both with errors."""

    value: float
    loss: float
    error: float
    parts: tuple[tuple[float, float], ...]


def _losses(
    rows: Sequence[Sequence[Sequence[float]]], weights: Sequence[int], *, exact: bool
) -> list[_Stat]:
    """Return for each choice its mean margin, and its loss against the best with its error."""
    total = sum(weights)
    sums = [[sum(parts) for parts in zip(*row, strict=True)] for row in rows]
    means = [sum(w * m for w, m in zip(weights, row, strict=True)) / total for row in sums]
    best = max(range(len(means)), key=lambda nth: means[nth])

    def less(own: Sequence[float], other: Sequence[float]) -> tuple[float, float]:
        gaps = [b - a for a, b in zip(own, other, strict=True)]
        mean = sum(w * gap for w, gap in zip(weights, gaps, strict=True)) / total
        if exact or len(gaps) < 2:
            return mean, 0.0
        spread = sum((gap - mean) ** 2 for gap in gaps)
        return mean, sqrt(spread / (len(gaps) - 1) / len(gaps))

    found = []
    for nth, row in enumerate(rows):
        loss, error = less(sums[nth], sums[best])
        parts = tuple(less(own, other) for own, other in zip(row, rows[best], strict=True))
        found.append(_Stat(means[nth], loss, error, parts))
    return found


def separated(option: Option) -> bool:
    """Whether a choice is shown to lose more than nothing."""
    loss, se = option.loss or 0.0, option.loss_se or 0.0
    return loss > ALIKE and loss > SEPARATED * se if se else loss > ALIKE


def strayed(option: Option) -> bool:
    """Whether a choice of a set of right answers loses too much to stay in it."""
    return (option.loss or 0.0) > ALIKE + STRAY and separated(option)
