"""A match: rounds to a target, with what one round hands on to the next."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from sniffcli.game.deal import Deal, deal, found_by_tile, leader
from sniffcli.game.state import Boneyard, Hand, Origin, RoundResult, Setup, State
from sniffcli.table.frontier import EMPTY, Frontier
from sniffcli.table.layout import EMPTY_LAYOUT, Layout
from sniffcli.tiles import Tile


class Match(NamedTuple):
    """What stands between two rounds."""

    setup: Setup
    scores: tuple[int, ...]
    entered: frozenset[int] = frozenset()
    unlocked: frozenset[int] = frozenset()
    tings: tuple[int, ...] = ()
    results: tuple[RoundResult, ...] = ()

    @property
    def rounds_played(self) -> int:
        """Rounds that count; one that is replayed does not."""
        return sum(1 for result in self.results if not result.replay)

    @property
    def previous(self) -> RoundResult | None:
        """The result of the round before, if there was one."""
        return self.results[-1] if self.results else None


def new_match(setup: Setup, scores: Sequence[int] | None = None) -> Match:
    """Return a match that begins with these scores per side (default: none)."""
    start = tuple(scores) if scores is not None else (0,) * setup.side_count
    least = setup.rules.score.entry_minimum
    keelhaul = setup.rules.keelhaul
    return Match(
        setup=setup,
        scores=start,
        # A score carried in that is at least the entry shows that its side has entered.
        entered=frozenset(side for side, score in enumerate(start) if score >= max(least, 1)),
        unlocked=frozenset(
            side
            for side, score in enumerate(start)
            if keelhaul is not None and score >= keelhaul.unlock_at
        ),
        tings=(0,) * setup.seats,
    )


def sides_of(seats: int, *, teams: bool) -> tuple[int, ...]:
    """Return the side of each seat: partners sit opposite."""
    return tuple(seat % (seats // 2) for seat in range(seats)) if teams else tuple(range(seats))


def start_round(
    match: Match,
    hands: Sequence[Hand],
    boneyard: Boneyard,
    first: int,
    *,
    must_lead: Tile | None = None,
    layout: Layout = EMPTY_LAYOUT,
    frontier: Frontier = EMPTY,
    passes: int = 0,
) -> State:
    """Return the state in which a round begins; FIRST leads, or is to move on a given layout."""
    held = tuple(hands)
    # Points carried in from rounds that are not recorded: then it may not be a first round.
    first_round = match.previous is not None or not any(match.scores)
    found = not layout.placed and first_round and found_by_tile(match.setup, match.previous)
    return State(
        setup=match.setup,
        scores=match.scores,
        hands=held,
        boneyard=boneyard,
        leader=first,
        turn=first,
        origin=Origin(held, boneyard, layout, frontier, found),
        layout=layout,
        frontier=frontier,
        must_lead=must_lead,
        passes=passes,
        submerged=(0.0,) * match.setup.seats,
        unlocked=match.unlocked,
        entered=match.entered,
        tings=match.tings or (0,) * match.setup.seats,
    )


def deal_round(match: Match, rng: random.Random) -> tuple[State, Deal]:
    """Deal the next round of a match and return it with the deal that began it."""
    dealt = deal(match.setup, rng, match.previous)
    return begin(match, dealt, rng), dealt


def begin(match: Match, dealt: Deal, rng: random.Random | None = None) -> State:
    """Return the round that a deal begins; RNG draws the lot where the ruleset asks for one."""
    hands = tuple(Hand(hand) for hand in dealt.hands)
    choice = leader(match.setup, hands, match.previous)
    seat = dealt.lot if choice.seat is None else choice.seat
    if seat is None:
        if rng is None:
            raise ValueError("the leader is drawn by lot, and there is nothing to draw it with")
        seat = int(rng.random() * match.setup.seats)
    return start_round(match, hands, Boneyard(dealt.boneyard), seat, must_lead=choice.must_lead)


def after_round(match: Match, state: State) -> Match:
    """Return the match after a settled round."""
    if state.result is None:
        raise ValueError("the round is not settled")
    return match._replace(
        scores=state.scores,
        entered=state.entered,
        unlocked=state.unlocked,
        tings=state.tings,
        results=(*match.results, state.result),
    )


def winners(match: Match) -> tuple[int, ...] | None:
    """Return the seats that have won the match, or None while it goes on."""
    setup, rules = match.setup, match.setup.rules.match
    last = match.previous
    if last is None:
        return None
    if last.how == "resigned":
        return last.winners
    finished = rules.rounds is not None and match.rounds_played >= rules.rounds
    target = setup.target
    reached = target is not None and any(score >= target for score in match.scores)
    if not finished and not reached:
        return None
    best = min(match.scores) if rules.winner_is == "low" else max(match.scores)
    top = [side for side, score in enumerate(match.scores) if score == best]
    if len(top) > 1 and rules.tie == "extra_round":
        return None
    return tuple(seat for seat in range(setup.seats) if setup.sides[seat] in top)
