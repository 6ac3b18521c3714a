"""One piece of a comparison of bots: the same deals for every seating, played to the end.

The deals come from `game.deal` and depend on the seed, the number of the deal and the number of the
round alone, so that a bot gets in one seating the tiles that its rival gets in the other.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from sniffcli.engine.bots import POLICIES, Bot, bot
from sniffcli.engine.playout import END, Outcome, play_round
from sniffcli.engine.position import position_of, tiles_of
from sniffcli.engine.spec import Spec, spec_of
from sniffcli.game.actions import Action, Claim, Finish
from sniffcli.game.match import Match, after_round, deal_round, new_match, winners
from sniffcli.game.settle import hand_pips, pay_blocked, pay_out
from sniffcli.game.state import Hand, RoundResult, Setup, State
from sniffcli.game.turn import apply
from sniffcli.game.view import view_of

#: Rounds after which a match that nobody can finish is given up as a draw.
MOST_ROUNDS = 400

#: Plays a round of a match for all seats; gives the match after it and the points of each side.
Round = Callable[[State, Match, str], tuple[Match, tuple[int, ...]]]

_HOW: tuple[Literal["out", "blocked", "target"], ...] = ("out", "blocked", "target")


class Game(NamedTuple):
    """A match or a single round with its seating: everything that statistics need."""

    #: The number of its deal, and by how many seats the bots were shifted.
    deal: int
    shift: int
    rounds: int
    #: The side that led first.
    leader: int
    #: Points that each side made.
    points: tuple[int, ...]
    #: What the leading side made in its rounds less what the others made on average, summed up.
    lead_margin: float
    #: Winning sides as a bit mask; 0 where nobody won.
    won: int


@dataclass(frozen=True)
class Contest:
    """Which bots play, by which rules, for how long; the same contest gives the same games."""

    setup: Setup
    #: The bot of each seat in the first seating.
    bots: tuple[str, ...]
    seed: int
    #: Whether whole matches are played, or single rounds of a match that begins.
    matches: bool

    @property
    def shifts(self) -> int:
        """How many different seatings there are when the bots move on seat by seat."""
        return next(n for n in range(1, len(self.bots) + 1) if self.seated(n) == self.bots)

    def seated(self, shift: int) -> tuple[str, ...]:
        """Return the bot of each seat in one of the seatings."""
        size = len(self.bots)
        return tuple(self.bots[(seat + shift) % size] for seat in range(size))

    @cached_property
    def flat(self) -> bool:
        """Whether the games can be played on the engine's flat positions.

        That needs bots that follow a policy. A first score that is too low and knocks that pay
        cannot be told apart in the outcome of a flat round.
        """
        spec = spec_of(self.setup)
        return set(self.bots) <= set(POLICIES) and not (spec.entry and spec.knock_bonus)


def play_deal(contest: Contest, deal: int) -> list[Game]:
    """Play the deal with that number in every seating."""
    return [_game(contest, deal, shift) for shift in range(contest.shifts)]


def _game(contest: Contest, deal: int, shift: int) -> Game:
    setup = contest.setup
    spec = spec_of(setup)
    names = contest.seated(shift)
    play = _flat_round(spec, names) if contest.flat else full_round([bot(one) for one in names])
    match = new_match(setup)
    points = [0] * setup.side_count
    lead_margin = 0.0
    leader = -1
    won: tuple[int, ...] | None = None
    rounds = 0
    while rounds < MOST_ROUNDS:
        rng = random.Random(f"{contest.seed}:{deal}:{rounds}")
        state, _ = deal_round(match, rng)
        rounds += 1
        match, made = play(state, match, f"{contest.seed}:{deal}:{rounds}:{shift}")
        side = setup.sides[state.leader]
        leader = side if leader < 0 else leader
        lead_margin += margin_of(made, side)
        points = [one + more for one, more in zip(points, made, strict=True)]
        won = winners(match) if contest.matches else _ahead(setup, made)
        if won is not None or not contest.matches:
            break
    mask = sum(1 << side for side in {setup.sides[seat] for seat in won or ()})
    return Game(deal, shift, rounds, leader, tuple(points), lead_margin, mask)


def margin_of(points: Sequence[int], side: int) -> float:
    """Return the points of a side less the mean of the other sides."""
    others = len(points) - 1
    return (points[side] * (others + 1) - sum(points)) / others


def _ahead(setup: Setup, made: Sequence[int]) -> tuple[int, ...]:
    """Return the seats whose side made most in a round; nobody where all made the same."""
    best = max(made)
    if min(made) == best:
        return ()
    return tuple(seat for seat in range(setup.seats) if made[setup.sides[seat]] == best)


def _flat_round(spec: Spec, names: Sequence[str]) -> Round:
    policies = [POLICIES[name](spec.setup) for name in names]

    def play(state: State, match: Match, seed: str) -> tuple[Match, tuple[int, ...]]:
        number = int(random.Random(seed).random() * (1 << 53))
        outcome, hands = play_round(position_of(state), policies, None, number)
        entered = match.entered | {
            side for side, parts in enumerate(outcome.parts) if sum(parts[:END]) > 0
        }
        after = match._replace(
            scores=outcome.scores,
            entered=entered,
            results=(*match.results, _result(state, outcome, hands)),
        )
        return after, tuple(sum(parts) for parts in outcome.parts)

    return play


def _result(state: State, outcome: Outcome, hands: Sequence[int]) -> RoundResult:
    """Return how a flat round ended in the words of the game, for whoever leads the next one."""
    setup = state.setup
    held = [Hand(tiles_of(mask)) for mask in hands]
    pips = tuple(hand_pips(setup.rules, hand) for hand in held)
    closer = outcome.closer if outcome.closer >= 0 else None
    how = _HOW[outcome.how]
    tied = replay = False
    if how == "target":
        seats: tuple[int, ...] = () if closer is None else (closer,)
    else:
        payment = (
            pay_out(setup, outcome.closer, pips)
            if how == "out"
            else pay_blocked(setup, held, pips, state.leader, closer)
        )
        seats, tied, replay = payment.winners, payment.tied, payment.replay
    bonus = tuple(parts[END] for parts in outcome.parts)
    return RoundResult(how, seats, bonus, tied, state.leader, closer, pips, replay)


def full_round(bots: Sequence[Bot]) -> Round:
    """Return how bots play a round by the rules of the game, each from its own view."""

    def play(state: State, match: Match, seed: str) -> tuple[Match, tuple[int, ...]]:
        rngs = [random.Random(f"{seed}:{seat}") for seat in range(len(bots))]
        made = [0] * state.setup.side_count
        while not state.over:
            seat = state.turn
            state = act(state, bots[seat](view_of(state, seat), rngs[seat]), made)
        return after_round(match, state), tuple(made)

    return play


def act(state: State, action: Action, made: list[int]) -> State:
    """Do what a bot chose, claim at once what it made, and add up what was credited in MADE."""
    todo: list[Action] = [action]
    while todo:
        state, event = apply(state, todo.pop())
        made[state.setup.sides[event.seat]] += event.points
        if state.over:
            break
        if any(one.seat == action.seat for one in state.pending):
            todo.append(Claim(seat=action.seat))
        elif state.closing is not None:
            todo.append(Finish(seat=action.seat))
    if state.result is not None and state.result.bonus is not None:
        for side, bonus in enumerate(state.result.bonus):
            made[side] += bonus
    return state
