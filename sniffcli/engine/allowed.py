"""What a position allows the seat on turn: leading, drawing and passing; and who comes next.

The twin of `game.legal` on bit masks, asked by play-outs and by the solver alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sniffcli.engine.spec import LEAD_ANY, LEAD_DRAW, LEAD_OWN, MAY_PLAY, WITHOUT_WILD, Spec


def bound(spec: Spec, playable: int, last: int) -> int:
    """Return what may be laid after LAST was drawn: only that tile, if it must be played."""
    bit = 1 << last
    if not playable & bit or (spec.draw_when == WITHOUT_WILD and spec.wild & bit):
        return playable
    return bit


def leading(
    spec: Spec,
    hand: int,
    must_lead: int,
    seeking: bool,
    drawn: int,
    passes: int,
    drawable: bool,
) -> int:
    """Return the tiles that the leader may lead."""
    if must_lead >= 0:
        return hand & 1 << must_lead
    if spec.lead_rule == LEAD_ANY:
        deciding = hand & spec.deciding
        if drawn and spec.lead_qualifying and deciding:
            return deciding
        return 0 if seeking and drawable and not deciding else hand
    wanted = hand & spec.leads
    if spec.lead_rule == LEAD_OWN:
        return wanted or hand
    if spec.lead_rule == LEAD_DRAW:
        return wanted if wanted or drawable else hand
    return hand if passes >= spec.seats else wanted


def may_draw(spec: Spec, fid: int, extra: bool, drawn: int, limit: int) -> bool:
    """Whether a seat that cannot play may draw, as long as there is something to draw."""
    if not fid:
        return spec.lead_draws
    if extra and not spec.extra_forced:
        return False
    return limit < 0 or drawn < limit


def passing(
    spec: Spec, fid: int, playable: int, extra: bool, drawn: int, drawable: bool
) -> tuple[bool, bool]:
    """Return whether a pass costs the penalty, and whether it counts as a knock."""
    declined = extra and not spec.extra_forced
    able = 0 if declined or not fid else playable
    if spec.draw_when == WITHOUT_WILD and not (spec.forced_wild and not drawable):
        able &= ~spec.wild
    kept = drawn and spec.draw_then == MAY_PLAY
    return bool(able and not kept and spec.pass_penalty), not declined and not able


def next_seat(spec: Spec, hands: Sequence[int], seat: int) -> int:
    """Return the seat after SEAT that still holds tiles."""
    for step in range(1, spec.seats + 1):
        after = (seat + step) % spec.seats
        if hands[after]:
            return after
    return (seat + 1) % spec.seats


def side_is_out(spec: Spec, hands: Iterable[int], side: int) -> bool:
    """Whether nobody of a side holds a tile."""
    return not any(hand for hand, one in zip(hands, spec.sides, strict=True) if one == side)
