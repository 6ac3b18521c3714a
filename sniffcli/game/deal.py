"""Dealing: a seeded shuffle of our own, hands thrown in, and who leads with which tile."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from sniffcli.game.state import Hand, RoundResult, Setup
from sniffcli.ruleset.words import Doubles, HolderOf
from sniffcli.table.counting import worth
from sniffcli.table.frontier import lead
from sniffcli.tiles import Tile

#: A deal that must be repeated this often means that the ruleset cannot be dealt.
MOST_REDEALS = 10_000


class Deal(NamedTuple):
    """What a deal gave: hands by seat, the boneyard in drawing order, deals thrown in before it."""

    hands: tuple[tuple[Tile, ...], ...]
    boneyard: tuple[Tile, ...]
    redeals: int = 0
    #: The seat drawn by lot, where the lot decides whether the hands stand.
    lot: int | None = None


class Leader(NamedTuple):
    """Who leads; `must_lead` is a tile that binds him. Seat None: the rules leave it to lot."""

    seat: int | None
    must_lead: Tile | None = None
    #: Nobody holds what the rules ask for, and they want the tiles dealt again.
    redeal: bool = False


def shuffled(tiles: Sequence[Tile], rng: random.Random) -> list[Tile]:
    """Return the tiles in a random order.

    Fisher and Yates with `Random.random` alone, because Python promises only that method and
    seeding to give the same numbers in every version.
    """
    deck = list(tiles)
    for last in range(len(deck) - 1, 0, -1):
        chosen = int(rng.random() * (last + 1))
        deck[last], deck[chosen] = deck[chosen], deck[last]
    return deck


def deal(setup: Setup, rng: random.Random, previous: RoundResult | None = None) -> Deal:
    """Deal a round, throwing hands in as often as the ruleset demands."""
    size = setup.rules.hand_size(setup.seats)
    for redeals in range(MOST_REDEALS):
        deck = shuffled(setup.tiles, rng)
        hands = tuple(
            tuple(sorted(deck[seat * size : (seat + 1) * size], reverse=True))
            for seat in range(setup.seats)
        )
        lot = int(rng.random() * setup.seats) if _lot_may_redeal(setup) else None
        if not thrown_in(setup, hands, previous, lot):
            return Deal(hands, tuple(deck[setup.seats * size :]), redeals, lot)
    raise ValueError(f"{setup.rules.id}: no deal satisfies `deal.redeal_if` and `open`")


def _lot_may_redeal(setup: Setup) -> bool:
    """Whether hands are thrown in when a leader drawn by lot cannot lead as the rules want it."""
    rules = setup.rules.open
    by_lot = (rules.first_leader, rules.next_leader_after_block, rules.next_leader_after_tie)
    wanted = rules.tile in ("double", "double_or_scoring")
    return "lot" in by_lot and wanted and rules.if_none == "redeal"


def thrown_in(
    setup: Setup,
    hands: tuple[tuple[Tile, ...], ...],
    previous: RoundResult | None,
    lot: int | None = None,
) -> bool:
    """Whether the ruleset wants these hands thrown in; LOT leads where nobody else is found."""
    redeal_if = setup.rules.deal.redeal_if
    doubles = [sum(tile.is_double for tile in hand) for hand in hands]
    if redeal_if == "no_double_dealt" and not any(doubles):
        return True
    if isinstance(redeal_if, Doubles) and max(doubles) >= redeal_if.count:
        return True
    held = tuple(Hand(hand) for hand in hands)
    choice = leader(setup, held, previous)
    if choice.redeal:
        return True
    rules = setup.rules.open
    seat = lot if choice.seat is None else choice.seat
    if seat is None or choice.must_lead is not None or rules.if_none != "redeal":
        return False
    if rules.tile == "double":
        return not doubles[seat]
    if rules.tile == "double_or_scoring":
        return not any(can_lead(setup, tile) for tile in hands[seat])
    return False


def can_lead(setup: Setup, tile: Tile) -> bool:
    """Whether TILE is a double or scores when led (Seven-Toed Pete)."""
    return tile.is_double or worth(setup.rules, lead(setup.rules, tile)) > 0


def leader(setup: Setup, hands: Sequence[Hand], previous: RoundResult | None = None) -> Leader:
    """Return who leads by the ruleset; PREVIOUS is the result of the round before, if any."""
    if previous is None or _begins_anew(previous):
        return _first(setup, hands)
    return _next(setup, hands, previous, _rule_now(setup, previous))


def leader_among_known(
    setup: Setup, hands: Sequence[Hand], previous: RoundResult | None, seat: int
) -> Leader:
    """Return who leads if SEAT is said to, with the tile that binds him.

    Where hidden hands leave the leader open, that somebody leads whose hand is known tells that
    no hidden hand holds a better tile: then the known ones decide. Anybody but SEAT in the
    answer means that he cannot be the leader.
    """
    choice = leader(setup, hands, previous)
    if choice.seat is not None or choice.redeal:
        return choice
    if hands[seat].unknown or not found_by_tile(setup, previous):
        return Leader(seat)
    return leader(setup, [Hand(()) if hand.unknown else hand for hand in hands], previous)


def found_by_tile(setup: Setup, previous: RoundResult | None) -> bool:
    """Whether the ruleset finds the leader of this round by a tile that was dealt to him."""
    if setup.rules.open.first_leader in ("lot", "host"):
        return False
    if previous is None or _begins_anew(previous):
        return True
    rule = _rule_now(setup, previous)
    if rule in ("winner", "winning_team"):
        return not previous.winners
    return rule == "as_first"


def _begins_anew(previous: RoundResult) -> bool:
    """Whether the round before ended a match."""
    return previous.how in ("target", "resigned")


def _rule_now(setup: Setup, previous: RoundResult) -> str:
    """Return the rule by which the leader follows from the round before."""
    rules = setup.rules.open
    after_tie = rules.next_leader_after_tie
    if previous.tied and not _one_side_won(setup, previous) and after_tie != "as_next":
        return after_tie
    if previous.how == "blocked" and rules.next_leader_after_block != "as_next":
        return rules.next_leader_after_block
    return rules.next_leader


def _one_side_won(setup: Setup, previous: RoundResult) -> bool:
    """Whether a block with equal hands was given to one side all the same (`blocked.tie`)."""
    return len({setup.sides[seat] for seat in previous.winners}) == 1


def _next(setup: Setup, hands: Sequence[Hand], previous: RoundResult, rule: str) -> Leader:
    match rule:
        case "winner":
            if previous.how == "out":
                return Leader(previous.closer)
            seat = _lightest(previous, previous.winners)
            return _first(setup, hands) if seat is None else Leader(seat)
        case "rotate":
            return Leader((previous.leader + 1) % setup.seats)
        case "host":
            return Leader(0)
        case "winning_team":
            sides = {setup.sides[seat] for seat in previous.winners}
            members = tuple(s for s in range(setup.seats) if setup.sides[s] in sides)
            seat = _lightest(previous, members)
            return _first(setup, hands) if seat is None else Leader(seat)
        case "blocker":
            return Leader(previous.leader if previous.closer is None else previous.closer)
        case "lowest":
            seat = _lightest(previous, tuple(range(setup.seats)))
            return Leader(previous.leader if seat is None else seat)
        case "same":
            return Leader(previous.leader)
        case "lot":
            return Leader(None)
        case _:
            return _first(setup, hands)


def _lightest(previous: RoundResult, seats: Sequence[int]) -> int | None:
    """Return the seat with the fewest pips left; the earlier in turn order where they are equal."""
    if len(seats) == 1:
        return seats[0]
    known = [(pips, seat) for seat in seats if (pips := previous.pips[seat]) is not None]
    return min(known)[1] if known else (seats[0] if seats else None)


def _first(setup: Setup, hands: Sequence[Hand]) -> Leader:
    """Return who leads a first round (or every round where the ruleset says so)."""
    rule = setup.rules.open.first_leader
    if rule == "lot":
        return Leader(None)
    if rule == "host":
        return Leader(0)
    held = [(tile, seat) for seat, hand in enumerate(hands) for tile in hand.tiles]
    if isinstance(rule, HolderOf):
        found = [pair for pair in held if pair[0] == rule.tile]
    elif rule == "highest_tile":
        found = _by_pips(held)[-1:]
    else:
        doubles = sorted(pair for pair in held if pair[0].is_double)
        found = doubles[:1] if rule == "lowest_double" else doubles[-1:]
    if any(hand.unknown for hand in hands) and not _certain(setup, rule, found, hands):
        return Leader(None)
    if found:
        tile, seat = found[0]
        return Leader(seat, tile if setup.rules.open.tile == "qualifying" else None)
    return _nobody(setup, hands, held)


def _certain(
    setup: Setup, rule: str | HolderOf, found: list[tuple[Tile, int]], hands: Sequence[Hand]
) -> bool:
    """Whether hidden tiles cannot hold a better one than FOUND."""
    if not found:
        return False
    if isinstance(rule, HolderOf):
        return True
    known = {tile for hand in hands for tile in hand.tiles}
    hidden = [tile for tile in setup.tiles if tile not in known]
    best = found[0][0]
    if rule == "highest_tile":
        return all((tile.pips, tile) < (best.pips, best) for tile in hidden)
    doubles = [tile for tile in hidden if tile.is_double]
    if rule == "lowest_double":
        return all(tile > best for tile in doubles)
    return all(tile < best for tile in doubles)


def _by_pips(held: list[tuple[Tile, int]]) -> list[tuple[Tile, int]]:
    """Sort tiles by their pips; equal sums by the larger half (contract, section 4)."""
    return sorted(held, key=lambda pair: (pair[0].pips, pair[0]))


def _nobody(setup: Setup, hands: Sequence[Hand], held: list[tuple[Tile, int]]) -> Leader:
    """Return who leads when nobody holds the tile that decides (`open.if_none`)."""
    match setup.rules.open.if_none:
        case "redeal":
            return Leader(None, redeal=True)
        case "heaviest_hand":
            weights = [sum(tile.pips for tile in hand.tiles) for hand in hands]
            return Leader(weights.index(max(weights)))
        case "draw_until" | "pass_lead":
            return Leader(0)
        case word:
            tile, seat = _by_pips(held)[-1]
            bound = word == "highest_tile" and setup.rules.open.tile == "qualifying"
            return Leader(seat, tile if bound else None)
