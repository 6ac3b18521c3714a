"""A match being played: rounds as lists of states, the clock, undo, and what the bots do.

Nothing here knows a terminal. Every change goes through `apply`; a list of states is kept per
round, so that undo is dropping its end.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from sniffcli.game.actions import (
    Action,
    Catch,
    Claim,
    Draw,
    Finish,
    IllegalAction,
    Pass,
    Play,
    Refusal,
)
from sniffcli.game.claims import TINY, earliest, may_be_caught, owner_may_claim, window
from sniffcli.game.match import Match, after_round, new_match, winners
from sniffcli.game.settle import settle, wrongly_paid
from sniffcli.game.state import Event, Pending, Setup, State
from sniffcli.game.turn import apply
from sniffcli.tiles import Tile
from sniffcli.ui.clock import Clock
from sniffcli.ui.opponents import Opponents


@dataclass(frozen=True, slots=True)
class Start:
    """How a round began: its first state and how often hands were thrown in before."""

    state: State
    redeals: int = 0


#: Deals the next round of a match.
Dealer = Callable[[Match], Start]


class Past(NamedTuple):
    """A round as it stood when the next one was dealt: all that is needed to stand there again."""

    before: Match
    start: Start
    history: list[State]
    unpaid: State | None


class LiveGame:
    """A match in progress with its seats, its clock and its bots."""

    def __init__(
        self,
        setup: Setup,
        dealer: Dealer,
        clock: Clock,
        *,
        levels: Sequence[str | None] = (),
        seed: str = "",
        scores: Sequence[int] | None = None,
    ) -> None:
        self.setup = setup
        self.dealer = dealer
        self.clock = clock
        #: Strength of the bot in each seat; None for people.
        self.levels = tuple(levels) or (None,) * setup.seats
        #: What the choices of the bots are drawn from, together with the place in the game.
        self.seed = seed
        self.carried = tuple(scores) if scores is not None else (0,) * setup.side_count
        #: Whether the bots move by themselves.
        self.bots_on = True
        #: Whether people must find their sums themselves, so that silence gives nothing away.
        self.expert = False
        self.match = new_match(setup, scores)
        #: First and last state of each settled round.
        self.finished: list[tuple[Start, State]] = []
        #: The match as it stood before this round.
        self.before = self.match
        self.history: list[State] = []
        #: The rounds before this one.
        self.past: list[Past] = []
        #: The round as it was before its end was paid by hand (`pay`); None where it was not.
        self.unpaid: State | None = None
        self.opponents = Opponents(self)
        self._base = 0.0
        #: The number of the tile past which a person has let the game go on.
        self.waved = 0
        #: Called after every change, so that nothing is ever unsaved.
        self.changed: Callable[[], None] = lambda: None
        self.start = self.dealer(self.match)
        self.begin(self.start)

    # Where the game stands

    @property
    def state(self) -> State:
        """The present state of the round."""
        return self.history[-1]

    @property
    def number(self) -> int:
        """The number of the round, from 1."""
        return len(self.finished) + (0 if self.settled else 1)

    @property
    def settled(self) -> bool:
        """Whether the present round is over and handed on to the match."""
        return bool(self.finished) and self.finished[-1][1] is self.state

    @property
    def winners(self) -> tuple[int, ...] | None:
        """The seats that have won the match, or None while it goes on."""
        return winners(self.match)

    @property
    def people(self) -> tuple[int, ...]:
        """The seats that are played by people."""
        return tuple(seat for seat, level in enumerate(self.levels) if level is None)

    def is_bot(self, seat: int) -> bool:
        """Whether a bot moves for SEAT now."""
        return self.bots_on and self.levels[seat] is not None

    @property
    def timed(self) -> bool:
        """Whether seconds matter in this game."""
        return window(self.state) is not None and self.setup.rules.claim.mode == "declare"

    def elapsed(self) -> float:
        """Return the seconds since the round began, by the clock."""
        return max(self.clock() - self._base, self.state.now)

    def owner_deciding(self) -> int | None:
        """Return the person whose time to claim runs now, or None."""
        return self.deciding(self.state, self.elapsed())

    def deciding(self, state: State, moment: float) -> int | None:
        """Return the person who may still claim at MOMENT, or may think so; None if nobody."""
        return None if self.waved >= state.laid > 0 else self.may_claim(state, moment)

    def may_claim(self, state: State, moment: float) -> int | None:
        """Return the person whose time to claim runs at MOMENT, as far as silence may tell."""
        if state.over or state.rules.claim.mode != "declare":
            return None
        for pending in state.pending:
            if not self.is_bot(pending.seat) and owner_may_claim(state, pending, moment):
                return pending.seat
        if self.expert and state.closer is not None and not self.is_bot(state.closer):
            seconds = window(state)
            in_time = seconds is None or moment < state.laid_at + seconds - TINY
            claimed = any(
                event.kind == "claim" and event.seat == state.closer and event.points
                for event in _since_last_tile(state)
            )
            if in_time and not claimed:
                return state.closer
        return None

    def catchable(self, seat: int) -> tuple[Pending, ...]:
        """Return the scores that SEAT could take from rivals now."""
        return self._catchable(self.state, seat, self.elapsed())

    def _catchable(self, state: State, seat: int, moment: float) -> tuple[Pending, ...]:
        if state.over or state.submerged[seat] > moment + TINY:
            return ()
        side = self.setup.sides[seat]
        return tuple(
            pending
            for pending in state.pending
            if self.setup.sides[pending.seat] != side and may_be_caught(state, pending, moment)
        )

    # Changing it

    def open_round(self) -> None:
        """Deal the next round."""
        self.begin(self.dealer(self.match))

    def begin(self, start: Start) -> None:
        """Begin a round in a given way."""
        self._file_away()
        self.start = start
        self.before = self.match
        self.history = [start.state]
        self.unpaid = None
        self.waved = 0
        self._base = self.clock() - start.state.now
        self.changed()

    def take_up(
        self,
        before: Match,
        match: Match,
        finished: Sequence[tuple[Start, State]],
        start: Start,
        states: Sequence[State],
        unpaid: State | None = None,
    ) -> None:
        """Stand where a saved match stopped: in (or behind) the round that STATES lead through.

        UNPAID is the last of them as it was before its end was paid by hand, if it was.
        """
        self._file_away()
        self.before, self.match = before, match
        self.finished = list(finished)
        self.start = start
        self.history = list(states)
        self.unpaid = unpaid
        self.waved = 0
        self._base = self.clock() - self.state.now

    def _file_away(self) -> None:
        """Keep a round that is over, before another one takes its place."""
        if self.history and self.settled:
            self.past.append(Past(self.before, self.start, self.history, self.unpaid))

    def do(self, action: Action) -> list[Event]:
        """Apply an action of a person, after everything that bots do before it.

        Raises:
            IllegalAction: the rules refuse it; then nothing at all has changed.
        """
        kept = self._kept()
        try:
            on_turn = isinstance(action, (Play, Draw, Pass, Finish))
            if on_turn and not self.clock.real:
                before = self._advance(math.inf, waving=True)
            else:
                before = self._advance(self.elapsed())
            if isinstance(action, Finish) and before and self.settled:
                # A bot has spoken before, and with that the round is finished.
                self.changed()
                return before
            event = self._apply(self._dated(action))
        except (IllegalAction, KeyboardInterrupt):
            # Also when somebody loses patience with a thinking bot.
            self._restore(kept)
            raise
        self.changed()
        return [*before, event]

    def _kept(self) -> tuple[Match, int, int, int, float]:
        return self.match, len(self.history), len(self.finished), self.waved, self._base

    def _restore(self, kept: tuple[Match, int, int, int, float]) -> None:
        self.match, states, rounds, self.waved, self._base = kept
        del self.history[states:]
        del self.finished[rounds:]

    def advance(self) -> list[Event]:
        """Let the bots do all that is due by now, and settle the round if it is over."""
        done = self._advance(self.elapsed())
        if done:
            self.changed()
        return done

    def wave(self) -> list[Event]:
        """Let the game go on although a person might still claim or catch.

        By a real clock nobody lays a tile before the time to claim is over all the same.
        """
        self.waved = self.state.laid
        if self.clock.real:
            return self.advance()
        done = self._advance(math.inf, waving=True)
        if done:
            self.changed()
        return done

    def next_due(self) -> float | None:
        """Return how many seconds from now the next thing happens by itself, or None."""
        moments = []
        due = self.opponents.due(self.state, waving=False)
        if due is not None:
            moments.append(due.moment)
        state = self.state
        seconds = window(state)
        if seconds is not None and any(not one.missed for one in state.pending):
            moments.append(state.laid_at + seconds)
        later = [moment for moment in moments if moment > self.elapsed() + TINY]
        return min(later) - self.elapsed() if later else None

    def time_left(self) -> float | None:
        """Return the seconds in which the last score may still be claimed; None without a time."""
        seconds = window(self.state)
        if seconds is None:
            return None
        return max(0.0, self.state.laid_at + seconds - self.elapsed())

    def running(self) -> float | None:
        """Return for how long the last tile has lain, where a time to claim or under water runs."""
        state, now = self.state, self.elapsed()
        runs = any(not one.missed for one in state.pending) or max(state.submerged) > now
        if state.over or not runs or not self.timed or now <= state.now + TINY:
            return None
        return round(now - state.laid_at, 3)

    def undo(self) -> Event:
        """Drop the last action of a person and everything after it, and return that action's event.

        Raises:
            IllegalAction: there is nothing to take back in this round.
        """
        events = self.state.events
        cut = len(events) - 1
        while cut >= 0 and self.is_bot(events[cut].seat):
            cut -= 1
        if cut < 0:
            raise IllegalAction(Refusal("undo", "there is nothing to take back in this round"))
        if self.settled:
            self.finished.pop()
            self.match = self.before
        del self.history[cut + 1 :]
        self.unpaid = None
        self.waved = 0
        self._base = self.clock() - self.state.now
        self.changed()
        return events[cut]

    def step_back(self) -> None:
        """Drop a round in which nothing was done, and stand at the end of the one before.

        Raises:
            IllegalAction: something was done, or this is the first round.
        """
        if self.state.events or self.settled or not self.past:
            raise IllegalAction(Refusal("undo", "there is nothing to take back"))
        self.before, self.start, self.history, self.unpaid = self.past.pop()
        self.waved = 0
        self._base = self.clock() - self.state.now
        self.changed()

    def pay(self, bonus: tuple[int, ...]) -> None:
        """Settle a round whose end hidden hands conceal with what it paid at the table, per side.

        Raises:
            IllegalAction: there is no such round.
        """
        open_ = self.state if self.unpaid is None else self.unpaid
        result = open_.result
        if not self.settled or result is None or result.bonus is not None:
            raise IllegalAction(Refusal("bonus", "what the end of the round pays is known here"))
        wrong = wrongly_paid(open_, bonus)
        if wrong:
            raise IllegalAction(Refusal("bonus", wrong))
        self.unpaid = open_
        self._settled_as(settle(open_._replace(result=None), result.how, bonus))

    def unpay(self) -> bool:
        """Take back what the end of the round paid; return whether it had been paid by hand."""
        unpaid, self.unpaid = self.unpaid, None
        if unpaid is not None:
            self._settled_as(unpaid)
        return unpaid is not None

    def _settled_as(self, state: State) -> None:
        self.history[-1] = state
        self.finished[-1] = (self.start, state)
        self.match = after_round(self.before, state)
        self.changed()

    def next_round(self) -> None:
        """Go on to the next round.

        Raises:
            IllegalAction: this one is not over, or the match is.
        """
        if not self.settled:
            raise IllegalAction(Refusal("next", "this round is not over"))
        result = self.state.result
        if result is not None and result.bonus is None:
            why = "first write what was left in the hands, like left NAME 12"
            raise IllegalAction(Refusal("next", why))
        if self.winners is not None:
            raise IllegalAction(Refusal("next", "the match is over; `new` begins another"))
        self.open_round()

    def resume_clock(self, moment: float) -> None:
        """Set the clock of the round to MOMENT, where a saved game left it."""
        self._base = self.clock() - max(moment, self.state.now)

    # How it is done

    def _apply(self, action: Action) -> Event:
        state, event = apply(self.state, action)
        self.history.append(state)
        if state.now > self.clock() - self._base:
            self._base = self.clock() - state.now
        if state.over:
            self.match = after_round(self.match, state)
            self.finished.append((self.start, state))
        return event

    def _dated(self, action: Action) -> Action:
        """Return the action with its moment, where seconds matter and have passed."""
        state, now = self.state, self.elapsed()
        if isinstance(action, Draw) and action.tile is None:
            action = replace(action, tile=self.picked(state))
        if action.after is not None or not self.timed or now <= state.now + TINY:
            return action
        if self.clock.real or isinstance(action, (Claim, Catch)):
            return _at(state, action, now)
        return _at(state, action, max(now, earliest(state._replace(now=now), action)))

    def picked(self, state: State) -> Tile | None:
        """Return a tile to draw where only the order of the boneyard is unknown."""
        if state.boneyard.known or not state.all_known or not state.boneyard.unknown:
            return None
        tiles = sorted(state.unseen())
        if len(tiles) != state.boneyard.unknown:
            return None
        return tiles[int(self.rng(state, "draw").random() * len(tiles))]

    def rng(self, state: State, what: str) -> random.Random:
        """Return the random numbers of one decision."""
        # One generator per decision: a resumed game goes on exactly like one never stopped.
        return random.Random(f"{self.seed}/{what}/{len(self.finished)}/{len(state.events)}")

    def _advance(self, until: float, *, waving: bool = False) -> list[Event]:
        done: list[Event] = []
        while not self.state.over:
            due = self.opponents.due(self.state, waving=waving)
            if due is None or due.moment > until + TINY:
                break
            action = due.choose(self.state)
            if action is None:
                break
            if due.moment > self.state.now + TINY:
                action = _at(self.state, action, due.moment)
            done.append(self._apply(action))
        return done


def _at(state: State, action: Action, moment: float) -> Action:
    """Return the action dated at MOMENT of the round, in thousandths of a second."""
    after = round(moment - state.laid_at, 3)
    return replace(action, after=max(after, round(state.now - state.laid_at, 9)))


def _since_last_tile(state: State) -> list[Event]:
    found: list[Event] = []
    for event in reversed(state.events):
        if event.kind == "play":
            break
        found.append(event)
    return found
