"""The course of a match: the chance to win it, decision by decision, for pages and terminals."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from sniffcli.show.numbers import percent
from sniffcli.tutor.review import Decision, GameReview

#: The size of the graph in its own units, and the room for its labels.
WIDTH, HEIGHT = 900, 220
LEFT, RIGHT, TOP, BOTTOM = 46, 10, 12, 24


class Graph(NamedTuple):
    """A graph with its title."""

    title: str
    svg: str


def chances(one: GameReview, shown: Sequence[Decision]) -> list[tuple[int, float]]:
    """Return the chance of the first side after each decision, where both sides are known.

    Each number counts from 0 in SHOWN. With three or more sides only that side's own decisions
    tell its chance.
    """
    setup = one.replay.record.setup
    found = []
    for number, decision in enumerate(shown):
        win = decision.verdict.win
        if win is None:
            continue
        if setup.sides[decision.seat] == 0:
            found.append((number, win))
        elif setup.side_count == 2:
            found.append((number, 1 - win))
    return found


def course_of(one: GameReview, number: int) -> list[tuple[int, float]]:
    """Return events with the margin of a round to expect there for the first side.

    It is what has been made so far and the value of the choice made; with three or more sides only
    the first side's own decisions tell it.
    """
    setup = one.replay.record.setup
    played = one.replay.rounds[number - 1]
    if played.start is None:
        return []
    steps = {step.event.n: step for step in played.steps}
    found = []
    for decision in one.decisions:
        value = decision.verdict.value
        if decision.round != number or value is None:
            continue
        before = steps[decision.n].before
        made = [now - start for now, start in zip(before.scores, played.start.scores, strict=True)]
        others = len(made) - 1
        so_far = (made[0] * (others + 1) - sum(made)) / others
        if setup.sides[decision.seat] == 0:
            found.append((decision.n, so_far + value))
        elif setup.side_count == 2:
            found.append((decision.n, so_far - value))
    return found


def chance_graph(one: GameReview, shown: Sequence[Decision]) -> Graph | None:
    """Return the graph of match chance; None where nothing is known of it."""
    found = chances(one, shown)
    if len(found) < 2:
        return None
    setup = one.replay.record.setup
    names = " and ".join(one.names[seat] for seat in setup.members(0))
    wide = max(1, len(shown) - 1)

    def place(number: int, chance: float) -> tuple[float, float]:
        across = LEFT + (WIDTH - LEFT - RIGHT) * number / wide
        return across, TOP + (HEIGHT - TOP - BOTTOM) * (1 - chance)

    title = f"Chance of {names} to win the match"
    label = f"{title}: from {percent(found[0][1])} to {percent(found[-1][1])}"
    parts = [
        f'<svg class="chance" role="img" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'aria-label="{escape(label, quote=True)}">'
    ]
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        _, y = place(0, share)
        parts.append(
            f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}"/>'
            f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{100 * share:.0f} %</text>'
        )
    last = 0
    for number, decision in enumerate(shown):
        if decision.round != last:
            last = decision.round
            x, _ = place(number, 0)
            parts.append(
                f'<line class="round" x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{HEIGHT - BOTTOM}"/>'
                f'<text x="{x + 3:.1f}" y="{HEIGHT - 8}">round {last}</text>'
            )
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in found))
    parts.append(f'<polyline class="course" points="{line}"/>')
    for number, chance in found:
        decision = shown[number]
        x, y = place(number, chance)
        grade = decision.verdict.grade or "none"
        told = f"{one.names[decision.seat]} {decision.event.text}: {percent(chance, 1)}" + (
            f", {decision.verdict.grade}" if decision.verdict.grade else ""
        )
        parts.append(
            f'<circle class="dot {grade}" data-at="{number}" cx="{x:.1f}" cy="{y:.1f}" r="5">'
            f"<title>{escape(told)}</title></circle>"
        )
    return Graph(title, "".join([*parts, "</svg>"]))
