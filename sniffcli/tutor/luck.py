"""Luck and skill: what of a result came from the play, and what is left for the tiles.

Skill is what the others lost by their choices less one's own losses, each from what the mover could
know; luck is the rest of the result, so the two add up exactly. The rest also holds whatever the
play-outs misjudge (tutor.md, section 4.5).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sniffcli.files.replay import Replay, RoundReplay
from sniffcli.tutor.calibration import calibration_of


@dataclass(frozen=True, slots=True)
class Share:
    """What one seat's side made in one round or more, in points of margin."""

    #: The margin made, and the one to expect from leading or not.
    margin: float
    expected: float
    skill: float
    luck: float


def luck_of(
    replay: Replay, losses: Iterable[tuple[int, int, float]], unknown: Iterable[int] = ()
) -> tuple[tuple[Share | None, ...], ...]:
    """Return for each round the share of each seat.

    LOSSES are the round, seat and points of each decision and of each missed claim. Rounds in
    UNKNOWN hold hands or actions that could not be judged, so nothing is said about them.
    """
    by_round: dict[int, list[tuple[int, float]]] = {}
    for number, seat, loss in losses:
        by_round.setdefault(number, []).append((seat, loss))
    hidden = set(unknown)
    return tuple(
        (None,) * len(replay.record.players)
        if one.number in hidden
        else _round(replay, one, by_round.get(one.number, ()))
        for one in replay.rounds
    )


def _round(
    replay: Replay, one: RoundReplay, losses: Sequence[tuple[int, float]]
) -> tuple[Share | None, ...]:
    setup = replay.record.setup
    start, result = one.start, one.result
    if start is None or result is None or result.bonus is None or not start.all_known:
        return (None,) * setup.seats
    if one.end is None or start.layout.placed or not one.scores_known:
        return (None,) * setup.seats
    sides = setup.side_count
    made = [after - before for before, after in zip(start.scores, one.end.scores, strict=True)]
    lost = [0.0] * sides
    for seat, loss in losses:
        lost[setup.sides[seat]] += loss
    lead = calibration_of(setup).lead
    leader = setup.sides[result.leader]
    shares = []
    for seat in range(setup.seats):
        side = setup.sides[seat]
        margin = _margin(made, side)
        expected = lead if side == leader else -lead / (sides - 1)
        skill = (sum(lost) - lost[side]) / (sides - 1) - lost[side]
        shares.append(Share(margin, expected, skill, margin - expected - skill))
    return tuple(shares)


def _margin(points: Sequence[float], side: int) -> float:
    others = len(points) - 1
    return (points[side] * (others + 1) - sum(points)) / others
