"""Settlement: what the end of a round pays, and what every credit may become.

The amounts follow rules.md, section 3 (`round_end`) and the worked hand ends E1-E13.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from sniffcli.game.state import Hand, How, RoundResult, Setup, State
from sniffcli.ruleset.endings import Rounding
from sniffcli.ruleset.model import Ruleset
from sniffcli.ruleset.words import Fixed


class Payment(NamedTuple):
    """Who won a round's end and what each side is paid (None: unknown hands)."""

    winners: tuple[int, ...]
    bonus: tuple[int, ...] | None
    tied: bool = False
    replay: bool = False


class Unit(NamedTuple):
    """What is compared when a round is blocked: a player, or a side with its hands added."""

    seats: tuple[int, ...]
    side: int
    pips: int


def hand_pips(rules: Ruleset, hand: Hand) -> int | None:
    """Return the pips left in a hand, or None if not all of it is known."""
    if hand.unknown:
        return None
    single = rules.round_end.hand_double == "single"
    return sum(one.high if single and one.is_double else one.pips for one in hand.tiles)


def pips_left(state: State) -> tuple[int | None, ...]:
    """Return the pips left per seat; a hand that can only hold the unseen tiles counts as known."""
    pips = [hand_pips(state.rules, hand) for hand in state.hands]
    unknown = [seat for seat, count in enumerate(pips) if count is None]
    if len(unknown) == 1 and not state.boneyard.unknown:
        seat = unknown[0]
        hand = Hand((*state.hands[seat].tiles, *sorted(state.unseen())))
        pips[seat] = hand_pips(state.rules, hand)
    return tuple(pips)


def pips_range(state: State) -> tuple[tuple[int, int], ...]:
    """Return the fewest and the most pips that can be left per seat, hidden tiles included."""
    return tuple(_range_of(state, (hand,)) for hand in state.hands)


def _range_of(state: State, hands: Sequence[Hand]) -> tuple[int, int]:
    """Return the fewest and the most pips that some hands can hold together."""
    rules = state.rules
    known = sum(hand_pips(rules, Hand(hand.tiles)) or 0 for hand in hands)
    hidden = sum(hand.unknown for hand in hands)
    unseen = sorted(hand_pips(rules, Hand((tile,))) or 0 for tile in state.unseen())
    return known + sum(unseen[:hidden]), known + sum(unseen[len(unseen) - hidden :])


def rounded(rounding: Rounding, points: int) -> int:
    """Round to the step of the ruleset, negative numbers like positive ones (case C41)."""
    step = rounding.to
    if step == 0:
        return points
    size = abs(points)
    if rounding.mode == "up":
        size = -(-size // step) * step
    elif rounding.mode == "down":
        size = size // step * step
    else:
        size = (size + step // 2) // step * step
    return size if points >= 0 else -size


def _total(rules: Ruleset, terms: Sequence[int], how: How) -> int:
    """Add up the terms of an award, rounded as the ruleset says, then divided."""
    rounding = rules.round_end.round
    if how == "blocked" and rounding.applies_to == "out":
        total = sum(terms)
    elif rounding.scope == "per_hand":
        total = sum(rounded(rounding, term) for term in terms)
    else:
        total = rounded(rounding, sum(terms))
    return total // rules.round_end.divide if total >= 0 else -(-total // rules.round_end.divide)


def pay_out(setup: Setup, winner: int, pips: Sequence[int | None]) -> Payment:
    """Return what going out pays; WINNER is the seat that laid its last tile."""
    rules, side = setup.rules, setup.sides[winner]
    winners: tuple[int, ...] = (winner,)
    if rules.round_end.when == "both_partners_out":
        winners = setup.members(side)
    award = rules.round_end.out.award
    if isinstance(award, Fixed):
        return Payment(winners, _to_side(setup, side, award.points))
    if award == "none":
        return Payment(winners, _to_side(setup, side, 0))
    if any(count is None for count in pips):
        return Payment(winners, None)
    known = [count or 0 for count in pips]
    if award == "own_pips_lost":
        return Payment(winners, _own_lost(setup, known, "out"))
    if award == "differences":
        own = sum(known[seat] for seat in setup.members(side))
        sides = [one for one in range(setup.side_count) if one != side]
        terms = [sum(known[seat] for seat in setup.members(one)) - own for one in sides]
    else:
        wide = award == "all_others_pips"
        terms = [
            known[seat]
            for seat in range(setup.seats)
            if seat != winner and (wide or setup.sides[seat] != side)
        ]
    return Payment(winners, _to_side(setup, side, _total(rules, terms, "out")))


def pay_blocked(
    setup: Setup, hands: Sequence[Hand], pips: Sequence[int | None], leader: int, closer: int | None
) -> Payment:
    """Return who wins a blocked round and what it pays."""
    rules = setup.rules
    nothing = (0,) * setup.side_count
    kind = rules.round_end.blocked.winner
    award = rules.round_end.blocked.award
    if kind == "none" and award != "own_pips_lost":
        return Payment((), nothing)
    if any(count is None for count in pips):
        return Payment((), None)
    known = [count or 0 for count in pips]
    if award == "own_pips_lost":
        low, tied = _lowest(_units(setup, hands, known))
        winners = () if tied or kind == "none" else low[0].seats
        return Payment(winners, _own_lost(setup, known, "blocked"), tied)
    units = _units(setup, hands, known)
    if award == "cascade":
        low, tied = _lowest(units)
        return Payment(_all_seats(low), _cascade(setup, units), tied)
    low, tied = _lowest(units)
    if not tied:
        paid = _blocked_award(setup, low, known, 1)
        return Payment(_all_seats(low[:1]), _to_side(setup, low[0].side, paid))
    return _settle_tie(setup, low, len(units), known, leader, closer)


def _units(setup: Setup, hands: Sequence[Hand], pips: Sequence[int]) -> list[Unit]:
    """Return what is compared: players or sides, with the pips that decide."""
    kind = setup.rules.round_end.blocked.winner
    if kind == "lowest_team":
        return [
            Unit(members, side, sum(pips[seat] for seat in members))
            for side, members in ((one, setup.members(one)) for one in range(setup.side_count))
        ]
    seats = range(setup.seats)
    if kind == "lowest_no_double":
        # A hand without a double beats one with; if all hold one, only their other tiles count.
        holding = [any(tile.is_double for tile in hands[seat].tiles) for seat in seats]
        if all(holding):
            others = [sum(t.pips for t in hands[seat].tiles if not t.is_double) for seat in seats]
            return [Unit((seat,), setup.sides[seat], others[seat]) for seat in seats]
        return [Unit((seat,), setup.sides[seat], pips[seat]) for seat in seats if not holding[seat]]
    return [Unit((seat,), setup.sides[seat], pips[seat]) for seat in seats]


def _lowest(units: Sequence[Unit]) -> tuple[list[Unit], bool]:
    """Return the lightest units and whether they belong to different sides."""
    least = min(unit.pips for unit in units)
    low = [unit for unit in units if unit.pips == least]
    return low, len({unit.side for unit in low}) > 1


def _blocked_award(setup: Setup, low: Sequence[Unit], pips: Sequence[int], share: int) -> int:
    """Return the points of a blocked round for one of the winning units, divided by SHARE."""
    rules = setup.rules
    award = rules.round_end.blocked.award
    if isinstance(award, Fixed):
        return award.points // share
    if award == "none":
        return 0
    sides = {unit.side for unit in low}
    losers = [seat for seat in range(setup.seats) if setup.sides[seat] not in sides]
    own = low[0].pips
    if rules.round_end.blocked.winner == "lowest_no_double":
        own = sum(pips[seat] for seat in low[0].seats)
    if award == "all_hands":
        terms = list(pips)
    elif award == "opponents_minus_own":
        terms = [sum(pips[seat] for seat in losers) - own]
    elif award == "differences" and rules.round_end.blocked.winner == "lowest_team":
        others = [one for one in range(setup.side_count) if one not in sides]
        terms = [sum(pips[seat] for seat in setup.members(one)) - own for one in others]
    elif award == "differences":
        terms = [pips[seat] - own for seat in losers]
    else:
        terms = [pips[seat] for seat in losers]
    # A shared bonus is rounded first, then cut down to a whole number (rules.md E11).
    return _total(rules, terms, "blocked") // share


def _settle_tie(
    setup: Setup,
    low: Sequence[Unit],
    compared: int,
    pips: Sequence[int],
    leader: int,
    closer: int | None,
) -> Payment:
    """Return what equal lightest hands lead to (`blocked.tie`)."""
    tie = setup.rules.round_end.blocked.tie
    nothing = (0,) * setup.side_count
    if tie == "replay":
        return Payment((), nothing, tied=True, replay=True)
    if tie == "split" and len(low) < compared:
        sides = sorted({unit.side for unit in low})
        share = _blocked_award(setup, low, pips, len(sides))
        bonus = tuple(share if side in sides else 0 for side in range(setup.side_count))
        return Payment(_all_seats(low), bonus, tied=True)
    favoured = leader if tie == "opener_side" else closer if tie == "blocker" else None
    if favoured is not None:
        chosen = [unit for unit in low if unit.side == setup.sides[favoured]]
        if chosen:
            paid = _blocked_award(setup, chosen, pips, 1)
            return Payment(chosen[0].seats, _to_side(setup, chosen[0].side, paid), tied=True)
    return Payment((), nothing, tied=True)


def _cascade(setup: Setup, units: Sequence[Unit]) -> tuple[int, ...]:
    """Pay each unit its difference to every heavier one (case C32)."""
    bonus = [0] * setup.side_count
    for unit in units:
        heavier = [one.pips - unit.pips for one in units if one.pips > unit.pips]
        if heavier:
            bonus[unit.side] += _total(setup.rules, heavier, "blocked")
    return tuple(bonus)


def _own_lost(setup: Setup, pips: Sequence[int], how: How) -> tuple[int, ...]:
    return tuple(
        -_total(setup.rules, [pips[seat] for seat in setup.members(side)], how)
        for side in range(setup.side_count)
    )


def _to_side(setup: Setup, side: int, points: int) -> tuple[int, ...]:
    return tuple(points if one == side else 0 for one in range(setup.side_count))


def _all_seats(units: Sequence[Unit]) -> tuple[int, ...]:
    return tuple(seat for unit in units for seat in unit.seats)


class Credit(NamedTuple):
    """What a side is really given for points it made."""

    points: int
    note: str = ""


def creditable(
    state: State, side: int, points: int, *, source: Literal["play", "bonus"], going_out: bool
) -> Credit:
    """Return what POINTS become for a side: entry, caps near the target, exact targets."""
    if source == "bonus":
        return _against_target(state, side, points, going_out=going_out)
    admitted = _admitted(state, side, points)
    if not admitted.points:
        return admitted
    return _against_target(state, side, admitted.points, going_out=going_out)


def _admitted(state: State, side: int, points: int) -> Credit:
    """Return what the points of a play become before they meet the target: entry and caps."""
    rules, target = state.rules, state.setup.target
    if side not in state.entered and 0 < points < rules.score.entry_minimum:
        least = rules.score.entry_minimum
        return Credit(0, f"the first score must be at least {least}")
    if target is not None and rules.score.near_target:
        missing = target - state.scores[side]
        points = min(points, rules.score.near_target.get(missing, points))
    return Credit(points)


def _against_target(state: State, side: int, points: int, *, going_out: bool) -> Credit:
    """Return what points become when they are tested against the target."""
    rules, score, target = state.rules, state.scores[side], state.setup.target
    if target is None or points <= 0:
        return Credit(points)
    missing = target - score
    if going_out and not rules.match.win_on_out and points >= missing:
        return Credit(0, "the match cannot be won with the last tile of a hand")
    if rules.match.exact and points > missing:
        if rules.match.overshoot == "bounce":
            return Credit(2 * missing - points, f"past {target}: counted back")
        return Credit(0, f"void: {score} and {points} pass {target}")
    return Credit(points)


def last_tile(state: State, seat: int, points: int) -> tuple[State, Credit]:
    """Return what the last tile of a round is credited, and the state in which it is not yet.

    Where it is one sum with going out (`match.bundle`), both stand or fall together (trap 7 of
    rules.md, case C37); the state then keeps what going out will pay.
    """
    side = state.setup.sides[seat]
    if state.rules.match.bundle == "separate":
        return state, creditable(state, side, points, source="play", going_out=True)
    made = _admitted(state, side, points)
    bonus = pay_out(state.setup, seat, pips_left(state)).bonus
    paid = bonus[side] if bonus is not None else 0
    whole = _against_target(state, side, made.points + paid, going_out=True)
    if whole.points == made.points + paid:
        return state, made
    if not whole.points:
        note = f"{made.points} for the last tile and {paid} for going out are void: {whole.note}"
        return state._replace(out_bonus=0), Credit(0, note)
    return state._replace(out_bonus=whole.points - made.points), Credit(made.points, whole.note)


def credited(state: State, side: int, points: int, *, entering: bool) -> State:
    """Return the state with POINTS added to a side; ENTERING if they open its account."""
    scores = tuple(one + points if k == side else one for k, one in enumerate(state.scores))
    entered = state.entered | {side} if entering and points > 0 else state.entered
    unlocked = state.unlocked
    keelhaul = state.rules.keelhaul
    if keelhaul is not None and scores[side] >= keelhaul.unlock_at:
        unlocked = unlocked | {side}
    return state._replace(scores=scores, entered=entered, unlocked=unlocked)


def wrongly_paid(state: State, bonus: tuple[int, ...]) -> str:
    """Return why the end of a round with hidden hands cannot have paid BONUS, or nothing."""
    setup, result = state.setup, state.result
    assert result is not None, "the round is over"
    rounding, seats = setup.rules.round_end.round, setup.seats
    _, most = _range_of(state, state.hands)
    # Each hand may be rounded up by a step.
    most = (most + rounding.to * (seats if rounding.scope == "per_hand" else 1)) // (
        setup.rules.round_end.divide
    )
    for side, points in enumerate(bonus):
        if points > most:
            names = " and ".join(setup.names[seat] for seat in setup.members(side))
            return f"{names} cannot have been paid {points}: all hands together pay at most {most}"
    if result.how != "out" or result.closer is None:
        return ""
    own = setup.sides[result.closer]
    for side, points in enumerate(bonus):
        if points > 0 and side != own:
            names = " and ".join(setup.names[seat] for seat in setup.members(side))
            closer = setup.names[result.closer]
            return f"{closer} went out, and the end of such a round pays nothing to {names}"
    return ""


def settle(state: State, how: How, given: tuple[int, ...] | None = None) -> State:
    """Return the state with its round settled; GIVEN replaces a bonus that hidden hands conceal."""
    setup, pips = state.setup, pips_left(state)
    if how == "out":
        assert state.closer is not None
        payment = pay_out(setup, state.closer, pips)
    else:
        payment = pay_blocked(setup, state.hands, pips, state.leader, state.closer)
    if payment.bonus is None and given is not None:
        best = max(given)
        seats = tuple(s for s in range(setup.seats) if given[setup.sides[s]] == best > 0)
        payment = Payment(payment.winners or seats, given)
    return _paid(state, how, payment, pips)


def _paid(state: State, how: How, payment: Payment, pips: tuple[int | None, ...]) -> State:
    bonus: tuple[int, ...] | None = None
    after = state
    if payment.bonus is not None:
        real = []
        for side, points in enumerate(payment.bonus):
            credit = creditable(state, side, points, source="bonus", going_out=how == "out")
            if state.out_bonus is not None and side == _closing_side(state):
                credit = Credit(state.out_bonus)
            real.append(credit.points)
            after = credited(after, side, credit.points, entering=False)
        bonus = tuple(real)
    if state.rules.match.loser_resets and payment.winners:
        won = {state.setup.sides[seat] for seat in payment.winners}
        kept = tuple(one if k in won else 0 for k, one in enumerate(after.scores))
        after = after._replace(scores=kept)
    result = RoundResult(
        how=how,
        winners=payment.winners,
        bonus=bonus,
        tied=payment.tied,
        leader=state.leader,
        closer=state.closer,
        pips=pips,
        replay=payment.replay,
    )
    return after._replace(result=result, closing=None, pending=())


def _closing_side(state: State) -> int | None:
    return None if state.closer is None else state.setup.sides[state.closer]


def stopped(state: State, how: Literal["target", "resigned"], winners: tuple[int, ...]) -> State:
    """Return the state of a round that ended at once: target reached, or somebody resigned."""
    result = RoundResult(
        how=how,
        winners=winners,
        bonus=(0,) * state.setup.side_count,
        tied=False,
        leader=state.leader,
        closer=state.closer,
        pips=pips_left(state),
    )
    return state._replace(result=result, closing=None, pending=())
