"""How a recorded round begins: its table, its boneyard and its leader, held against the rules."""

from __future__ import annotations

from sniffcli.files.conserve import hand_sizes
from sniffcli.files.records import GameRecord, RoundRecord
from sniffcli.game.actions import Refusal
from sniffcli.game.deal import Leader, leader, leader_among_known, thrown_in
from sniffcli.game.match import Match, start_round
from sniffcli.game.plays import resolve
from sniffcli.game.state import Boneyard, Hand, RoundResult, Setup, State
from sniffcli.problems import Problem
from sniffcli.table.frontier import EMPTY, Frontier
from sniffcli.table.layout import EMPTY_LAYOUT, Layout


def start_of(
    record: GameRecord, one: RoundRecord, match: Match, *, previous_known: bool
) -> tuple[State | None, list[Problem]]:
    """Return the state in which a round begins, or None, and what is wrong with its start.

    PREVIOUS_KNOWN says whether `match.previous` is how the round before really ended; where it
    is not, nothing can be said about the leader.
    """
    problems: list[Problem] = []
    setup = match.setup
    table = _table(record, one, setup, problems)
    if one.broken or table is None:
        return None, problems
    layout, frontier = table
    sizes = hand_sizes(record, one)
    hands = tuple(
        Hand((), size) if hand is None else hand
        for hand, size in zip(one.hands, sizes, strict=True)
    )
    listed = one.boneyard or ()
    rest = len(setup.tiles) - sum(sizes) - len(layout.placed) - len(listed)
    choice = Leader(None)
    if one.layout is None and previous_known:
        choice = leader(setup, hands, match.previous)
        problems += _thrown_in(record, one, setup, hands, match.previous)
    seat = _seat(record, one, match, choice, problems)
    if one.layout is None and previous_known and choice.seat is None:
        choice = leader_among_known(setup, hands, match.previous, seat)
        problems += [] if problems else _outranked(record, one, seat, choice)
    must_lead = choice.must_lead if seat == choice.seat else None
    start = start_round(
        match,
        hands,
        Boneyard(listed, rest),
        seat,
        must_lead=must_lead,
        layout=layout,
        frontier=frontier,
        passes=one.passes,
    )
    if not previous_known or (choice.seat != seat and choice != Leader(None)):
        # Whoever leads was not found by a tile, so his lead tells nothing about the other hands.
        start = start._replace(origin=start.origin._replace(found=False))
    return start, problems


def _table(
    record: GameRecord, one: RoundRecord, setup: Setup, problems: list[Problem]
) -> tuple[Layout, Frontier] | None:
    """Lay the tiles of `layout`; None where one of them cannot lie there."""
    layout, frontier = EMPTY_LAYOUT, EMPTY
    for number, laid in enumerate(one.layout or (), 1):
        if laid.play is None:
            return None
        move = resolve(setup, layout, frontier, laid.play)
        if isinstance(move, Refusal):
            message = f"layout, tile {number}: {move.message}"
            problems.append(record.problem(laid.mark, move.code, message))
            return None
        layout, frontier = layout.with_move(setup.rules, move), move.frontier
    return layout, frontier


def _thrown_in(
    record: GameRecord,
    one: RoundRecord,
    setup: Setup,
    hands: tuple[Hand, ...],
    previous: RoundResult | None,
) -> list[Problem]:
    """Say so where the ruleset wants these hands dealt again."""
    if any(hand.unknown for hand in hands):
        return []
    if not thrown_in(setup, tuple(hand.tiles for hand in hands), previous):
        return []
    message = "by the ruleset these hands are thrown in and the tiles are dealt again"
    return [record.problem(one.at("hands"), "redeal", message)]


def _seat(
    record: GameRecord,
    one: RoundRecord,
    match: Match,
    choice: Leader,
    problems: list[Problem],
) -> int:
    """Return who leads (or is to move on a given table): file, ruleset, first actor."""
    names = match.setup.names
    if one.leader is not None:
        allowed = _allowed(match, choice)
        if allowed and one.leader not in allowed:
            whom = " or ".join(names[seat] for seat in allowed)
            message = f"by the ruleset {whom} leads this round, not {names[one.leader]}"
            problems.append(record.problem(one.at("leader"), "leader", message))
        return one.leader
    if choice.seat is not None:
        return choice.seat
    for entry in one.plays:
        if entry.action is not None and entry.action.kind in ("play", "draw", "pass"):
            return entry.action.seat
    if not one.plays and one.marks:
        # Only where something stands ready to be played; an empty round leaves nothing to ask.
        message = f"nobody is named to begin this round; taken to be {names[0]}: write leader: NAME"
        problems.append(record.problem(one.mark, "leader", message, "warning"))
    return 0


def _outranked(record: GameRecord, one: RoundRecord, seat: int, choice: Leader) -> list[Problem]:
    """Say so where SEAT, whose hand is known, cannot have been the one to lead."""
    if choice.seat == seat:
        return []
    name = record.players[seat]
    if choice.seat is None:
        message = f"by the ruleset {name} does not lead with this hand: the tiles are dealt again"
    else:
        message = f"by the ruleset {record.players[choice.seat]} leads before {name}"
    return [record.problem(one.at("leader", "hands"), "leader", message)]


def _allowed(match: Match, choice: Leader) -> tuple[int, ...]:
    """Return the seats of whom one has to lead; none where the rules leave it to lot."""
    if choice.seat is None:
        return ()
    previous, rules = match.previous, match.setup.rules.open
    if previous is None or not previous.winners or choice.must_lead is not None:
        return (choice.seat,)
    rule: str = rules.next_leader
    if previous.tied and rules.next_leader_after_tie != "as_next":
        rule = rules.next_leader_after_tie
    elif previous.how == "blocked" and rules.next_leader_after_block != "as_next":
        rule = rules.next_leader_after_block
    if rule != "winning_team" or previous.how in ("target", "resigned"):
        return (choice.seat,)
    # The winning team agrees on its leader at the table; the file says on whom.
    return match.setup.members(match.setup.sides[choice.seat])
