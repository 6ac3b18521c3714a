"""What the end of a round pays, on integers: the twin of `game.settle`, which has the rules.

Both are compared on random rounds of every ruleset.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sniffcli.engine.spec import (
    BLOCK_ALL_HANDS,
    BLOCK_CASCADE,
    BLOCK_DIFFERENCES,
    BLOCK_FIXED,
    BLOCK_MINUS_OWN,
    BLOCK_NONE,
    BLOCK_OWN_LOST,
    LOWEST_NO_DOUBLE,
    LOWEST_TEAM,
    NEAREST,
    NO_WINNER,
    OUT_ALL_OTHERS,
    OUT_DIFFERENCES,
    OUT_FIXED,
    OUT_NONE,
    OUT_OWN_LOST,
    TIE_BLOCKER,
    TIE_OPENER,
    TIE_REPLAY,
    TIE_SPLIT,
    UP,
    Spec,
)


class Settlement(NamedTuple):
    """What a round's end pays per side, which sides won (bit mask), and whether it is replayed."""

    bonus: tuple[int, ...]
    won: int
    replay: bool = False


class Unit(NamedTuple):
    """What is compared when a round is blocked: a player, or a side with its hands added."""

    seat: int
    side: int
    pips: int


def pips_of(spec: Spec, hand: int) -> int:
    """Return the pips of a hand given as a bit mask."""
    pips = spec.hand_pips
    total = 0
    while hand:
        bit = hand & -hand
        total += pips[bit.bit_length() - 1]
        hand ^= bit
    return total


def rounded(spec: Spec, points: int) -> int:
    """Round to the step of the ruleset, negative numbers like positive ones."""
    step = spec.round_to
    if step == 0:
        return points
    size = abs(points)
    if spec.round_mode == NEAREST:
        size = (size + step // 2) // step * step
    elif spec.round_mode == UP:
        size = -(-size // step) * step
    else:
        size = size // step * step
    return size if points >= 0 else -size


def total(spec: Spec, terms: Sequence[int], blocked: bool) -> int:
    """Add up the terms of an award, rounded as the ruleset says, then divided."""
    if blocked and not spec.round_blocked:
        points = sum(terms)
    elif spec.round_per_hand:
        points = sum(rounded(spec, term) for term in terms)
    else:
        points = rounded(spec, sum(terms))
    if spec.divide == 1:
        return points
    return points // spec.divide if points >= 0 else -(-points // spec.divide)


def out(spec: Spec, winner: int, hands: Sequence[int]) -> Settlement:
    """Return what going out pays; WINNER is the seat that laid its last tile."""
    side = spec.sides[winner]
    won = 1 << side
    if spec.out_award == OUT_FIXED:
        return Settlement(_to_side(spec, side, spec.out_fixed), won)
    if spec.out_award == OUT_NONE:
        return Settlement((0,) * spec.side_count, won)
    pips = [pips_of(spec, hand) for hand in hands]
    if spec.out_award == OUT_OWN_LOST:
        return Settlement(_own_lost(spec, pips, False), won)
    if spec.out_award == OUT_DIFFERENCES:
        sums = _side_sums(spec, pips)
        terms = [one - sums[side] for other, one in enumerate(sums) if other != side]
    else:
        wide = spec.out_award == OUT_ALL_OTHERS
        terms = [
            pips[seat]
            for seat in range(spec.seats)
            if seat != winner and (wide or spec.sides[seat] != side)
        ]
    return Settlement(_to_side(spec, side, total(spec, terms, False)), won)


def blocked(spec: Spec, hands: Sequence[int], leader: int, closer: int) -> Settlement:
    """Return who wins a blocked round and what it pays; CLOSER -1: nobody has laid a tile."""
    nothing = (0,) * spec.side_count
    award = spec.blocked_award
    if spec.blocked_winner == NO_WINNER and award != BLOCK_OWN_LOST:
        return Settlement(nothing, 0)
    pips = [pips_of(spec, hand) for hand in hands]
    units = _units(spec, hands, pips)
    least = min(unit.pips for unit in units)
    low = [unit for unit in units if unit.pips == least]
    sides = sum(1 << side for side in {unit.side for unit in low})
    tied = sides & (sides - 1) != 0
    if award == BLOCK_OWN_LOST:
        won = 0 if tied or spec.blocked_winner == NO_WINNER else sides
        return Settlement(_own_lost(spec, pips, True), won)
    if award == BLOCK_CASCADE:
        return Settlement(_cascade(spec, units), sides)
    if not tied:
        paid = _award(spec, low, sides, pips, 1)
        return Settlement(_to_side(spec, low[0].side, paid), sides)
    if spec.blocked_tie == TIE_REPLAY:
        return Settlement(nothing, 0, True)
    if spec.blocked_tie == TIE_SPLIT and len(low) < len(units):
        share = _award(spec, low, sides, pips, sides.bit_count())
        shares = tuple(share if sides >> side & 1 else 0 for side in range(spec.side_count))
        return Settlement(shares, sides)
    favoured = -1
    if spec.blocked_tie == TIE_OPENER:
        favoured = leader
    elif spec.blocked_tie == TIE_BLOCKER:
        favoured = closer
    if favoured >= 0:
        side = spec.sides[favoured]
        chosen = [unit for unit in low if unit.side == side]
        if chosen:
            paid = _award(spec, chosen, 1 << side, pips, 1)
            return Settlement(_to_side(spec, side, paid), 1 << side)
    return Settlement(nothing, 0)


def _units(spec: Spec, hands: Sequence[int], pips: Sequence[int]) -> list[Unit]:
    """Return what is compared: players or sides, with the pips that decide."""
    seats = range(spec.seats)
    if spec.blocked_winner == LOWEST_TEAM:
        return [Unit(-1, side, one) for side, one in enumerate(_side_sums(spec, pips))]
    if spec.blocked_winner == LOWEST_NO_DOUBLE:
        holding = [hands[seat] & spec.doubles for seat in seats]
        if all(holding):
            # Every hand holds a double: only the other tiles decide.
            others = [pips_of(spec, hands[seat] & ~spec.doubles) for seat in seats]
            return [Unit(seat, spec.sides[seat], others[seat]) for seat in seats]
        return [Unit(seat, spec.sides[seat], pips[seat]) for seat in seats if not holding[seat]]
    return [Unit(seat, spec.sides[seat], pips[seat]) for seat in seats]


def _award(spec: Spec, low: Sequence[Unit], sides: int, pips: Sequence[int], share: int) -> int:
    """Return the points of a blocked round for one of the winning units, divided by SHARE."""
    award = spec.blocked_award
    if award == BLOCK_FIXED:
        return spec.blocked_fixed // share
    if award == BLOCK_NONE:
        return 0
    losers = [seat for seat in range(spec.seats) if not sides >> spec.sides[seat] & 1]
    own = pips[low[0].seat] if spec.blocked_winner == LOWEST_NO_DOUBLE else low[0].pips
    if award == BLOCK_ALL_HANDS:
        terms = list(pips)
    elif award == BLOCK_MINUS_OWN:
        terms = [sum(pips[seat] for seat in losers) - own]
    elif award == BLOCK_DIFFERENCES and spec.blocked_winner == LOWEST_TEAM:
        sums = _side_sums(spec, pips)
        terms = [one - own for side, one in enumerate(sums) if not sides >> side & 1]
    elif award == BLOCK_DIFFERENCES:
        terms = [pips[seat] - own for seat in losers]
    else:
        terms = [pips[seat] for seat in losers]
    return total(spec, terms, True) // share


def _cascade(spec: Spec, units: Sequence[Unit]) -> tuple[int, ...]:
    bonus = [0] * spec.side_count
    for unit in units:
        heavier = [one.pips - unit.pips for one in units if one.pips > unit.pips]
        if heavier:
            bonus[unit.side] += total(spec, heavier, True)
    return tuple(bonus)


def _own_lost(spec: Spec, pips: Sequence[int], is_blocked: bool) -> tuple[int, ...]:
    return tuple(
        -total(
            spec, [pips[seat] for seat in range(spec.seats) if spec.sides[seat] == side], is_blocked
        )
        for side in range(spec.side_count)
    )


def _side_sums(spec: Spec, pips: Sequence[int]) -> list[int]:
    sums = [0] * spec.side_count
    for seat, one in enumerate(pips):
        sums[spec.sides[seat]] += one
    return sums


def _to_side(spec: Spec, side: int, points: int) -> tuple[int, ...]:
    return tuple(points if one == side else 0 for one in range(spec.side_count))


def credit(
    spec: Spec, score: int, entered: bool, points: int, *, play: bool, going_out: bool
) -> int:
    """Return what POINTS become for a side with that SCORE: entry, caps, exact targets.

    PLAY: made by laying a tile, not by knocks or the end of a round.
    """
    if spec.plain:
        return points
    if play:
        points = _admitted(spec, score, entered, points)
    return _against_target(spec, score, points, going_out)


def last_tile(
    spec: Spec, seat: int, hands: Sequence[int], score: int, entered: bool, points: int
) -> tuple[int, int | None]:
    """Return what the last tile of a round is credited, and what going out then pays.

    None: whatever it pays by itself. Where both are one sum (`match.bundle`), they stand or fall
    together.
    """
    if not spec.bundle:
        return credit(spec, score, entered, points, play=True, going_out=True), None
    made = _admitted(spec, score, entered, points)
    paid = out(spec, seat, hands).bonus[spec.sides[seat]]
    whole = _against_target(spec, score, made + paid, True)
    if whole == made + paid:
        return made, None
    return (made, whole - made) if whole else (0, 0)


def _admitted(spec: Spec, score: int, entered: bool, points: int) -> int:
    """Return what the points of a play become before they meet the target."""
    if not entered and 0 < points < spec.entry:
        return 0
    if spec.near_target:
        return min(points, spec.near_target.get(spec.target - score, points))
    return points


def _against_target(spec: Spec, score: int, points: int, going_out: bool) -> int:
    if not spec.target or points <= 0:
        return points
    missing = spec.target - score
    if going_out and not spec.win_on_out and points >= missing:
        return 0
    if spec.exact and points > missing:
        return 2 * missing - points if spec.bounce else 0
    return points
