"""A match on the host: the live game, judged by the host's clock, and its list of actions.

The host's clock decides. A claim that arrives within the grace after the owner's time still
counts; a rival's catch or tile that arrives around that moment is kept until the grace is over,
and several are then judged in the order in which they arrived.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sniffcli.files.notation import NotationError, parse_action, text_of_action
from sniffcli.game.actions import Action, Catch, Draw, Finish, IllegalAction, Play, Refusal
from sniffcli.game.claims import owner_may_claim, window
from sniffcli.game.match import after_round
from sniffcli.game.state import Setup, State
from sniffcli.game.turn import apply
from sniffcli.net.protocol import Message, Refused
from sniffcli.net.thinking import Question, Thinkers
from sniffcli.net.wire import (
    deal_promise,
    deal_text,
    event_for,
    event_message,
    opened_message,
    round_message,
    round_salt,
)
from sniffcli.tiles import Tile
from sniffcli.ui.dealing import Promise, seeded
from sniffcli.ui.live import LiveGame, Start
from sniffcli.ui.store import Sitting, save_text

#: Seconds by which a message may be late or early at the end of an owner's time to claim.
GRACE = 0.25

#: Seconds for which a bot waits for people to speak where no seconds are ruled.
PATIENCE = 7.0

#: Refusals whose words tell of the table.
TELLING = ("illegal", "ambiguous", "pass", "draw", "lead")

#: Events whose common part is kept for the seats that are told later.
MOST_TOLD = 8

#: A claim in the grace is dated this long before the end of its time.
JUST_BEFORE = 0.001


class Judged:
    """A clock that shows what the host has judged the moment to be."""

    real = True

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        """Return the moment."""
        return self.seconds


class HostedGame(LiveGame):
    """A live game in which every draw names its tile, so that the log says all."""

    opponents: Thinkers

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.opponents = Thinkers(self)

    def picked(self, state: State) -> Tile | None:
        """Return the tile that lies next in the boneyard."""
        return state.boneyard.known[0] if state.boneyard.known else super().picked(state)


@dataclass(frozen=True, slots=True)
class Held:
    """An action that waits for the end of a grace."""

    seat: int
    number: int
    action: Action


class Voyage:
    """One match with its promise, its log and the judge of its moments."""

    def __init__(
        self,
        setup: Setup,
        levels: Sequence[str | None],
        promise: Promise,
        number: int,
        *,
        grace: float = GRACE,
    ) -> None:
        self.number = number
        self.promise = promise
        self.grace = grace
        self.moment = Judged()
        self.held: list[Held] = []
        #: Events of the present round that stand in the log.
        self.logged = 0
        #: The tile whose expired time stands in the log.
        self.expired = 0
        #: Events so far, and the moment by the host's clock when that number was reached.
        self.quiet = (-1, 0.0)
        #: When the clock of the round was stopped, and for how long it has stood in all.
        self.stopped: float | None = None
        self._stood = 0.0
        #: What every seat is told alike of events, while some seat may still have to be told.
        self._told: dict[int, tuple[State, Message]] = {}
        #: The states of rounds that are over, while several people come back to them.
        self._replayed: dict[int, list[State]] = {}
        self.game = HostedGame(
            setup, seeded(promise.seed), self.moment, levels=levels, seed=str(promise.seed)
        )

    @property
    def setup(self) -> Setup:
        """The seats and rules."""
        return self.game.setup

    # The clock of the host

    def judge(self, now: float) -> None:
        """Let the moment be NOW, or just before the end of a time to claim while its grace runs."""
        end, elapsed = self.window_end(), self.elapsed(now)
        if end is not None and end <= elapsed < end + self.grace:
            self.moment.seconds -= elapsed - (end - JUST_BEFORE)

    def elapsed(self, now: float) -> float:
        """Return the seconds of the round at NOW, by the bare clock."""
        self.moment.seconds = (now if self.stopped is None else self.stopped) - self._stood
        return self.game.elapsed()

    def stop(self, now: float) -> None:
        """Let the clock of the round stand still."""
        if self.stopped is None:
            self.stopped = now

    def go_on(self, now: float) -> None:
        """Let the clock of the round go on where it was stopped."""
        if self.stopped is not None:
            self._stood += now - self.stopped
            self.stopped = None
            self.quiet = (-1, 0.0)

    def window_end(self) -> float | None:
        """Return the moment of the round at which a person's time to claim ends, if one runs."""
        state = self.game.state
        seconds = window(state)
        if seconds is None or state.over:
            return None
        for one in state.pending:
            mine = not one.missed and not self.game.is_bot(one.seat)
            if mine and owner_may_claim(state, one, state.now):
                return state.laid_at + seconds
        return None

    def next_due(self, now: float) -> float | None:
        """Return how many seconds after NOW something happens by itself, or None."""
        if self.stopped is not None:
            return None
        elapsed = self.elapsed(now)
        waits: list[float] = []
        end = self.window_end()
        if end is not None and end + self.grace > elapsed:
            waits.append(end + self.grace - elapsed)
        else:
            # The time is over; nothing but an action will change that.
            end = None
        due = None
        if self.question is None:
            due = self.game.opponents.due(self.game.state, waving=False)
        if due is not None and (end is None or due.moment < end):
            waits.append(due.moment - elapsed)
        waits += [one - elapsed for one in self.game.state.submerged if one > elapsed]
        if self.held and end is None:
            waits.append(0.0)
        if self._patient():
            waits.append(self.quiet[1] + PATIENCE - now)
        return max(0.0, min(waits)) if waits else None

    # Actions

    def read(self, text: str, seat: int) -> Action:
        """Read what a terminal wants its SEAT to do; the moment is not its to say.

        Raises:
            Refused: the words are no action.
        """
        try:
            action = parse_action(text, seat, self.setup.names)
        except NotationError as problem:
            raise Refused("action", str(problem)) from None
        if isinstance(action, Draw):
            # What is drawn is not the player's to name: a guess must teach him nothing.
            action = replace(action, tile=None)
        return replace(action, after=None)

    def waits(self, action: Action, now: float) -> bool:
        """Whether ACTION, arriving NOW, has to wait for the end of an owner's grace."""
        end, elapsed = self.window_end(), self.elapsed(now)
        if end is None or not end - self.grace <= elapsed < end + self.grace:
            return False
        return isinstance(action, (Play, Catch, Finish))

    def act(self, action: Action, now: float) -> None:
        """Do an action of a person that arrived NOW.

        Raises:
            Refused: the rules refuse it; then nothing has changed.
        """
        self.judge(now)
        self.game.advance()
        try:
            self.game.do(self._dated(action))
        except IllegalAction as problem:
            raise self._refused(problem.refusal, action.seat) from None

    def _refused(self, refusal: Refusal, seat: int) -> Refused:
        """Return a refusal as SEAT may hear it: under water without what lies on the table."""
        state = self.game.state
        if refusal.code in TELLING and state.submerged[seat] > self.game.elapsed():
            return Refused(refusal.code, "that cannot be done, and under water you do not see why")
        return Refused(refusal.code, refusal.message, refusal.choices)

    def _dated(self, action: Action) -> Action:
        """Return the action with its moment where seconds matter, as the log can write it."""
        state, moment = self.game.state, self.game.elapsed()
        timed = window(state) is not None or state.rules.keelhaul is not None
        if not timed:
            return action
        after = round(max(moment, state.now) - state.laid_at, 3)
        if state.laid_at + after < state.now:
            after = round(state.now - state.laid_at, 6)
        return replace(action, after=after)

    def advance(self, now: float) -> None:
        """Let happen what is due by NOW."""
        if self.stopped is not None:
            return
        self.judge(now)
        self.game.advance()
        events = len(self.game.state.events)
        if self.quiet[0] != events:
            self.quiet = (events, now)
        elif self._patient() and now >= self.quiet[1] + PATIENCE:
            self.game.wave()

    @property
    def question(self) -> Question | None:
        """What a bot has to be asked before the game can go on."""
        return self.game.opponents.question

    def answered(self, question: Question, action: Action) -> None:
        """Take what a bot has thought."""
        self.game.opponents.answered(question, action)

    def _patient(self) -> bool:
        """Whether a bot waits for people to claim or catch, without a time that is ruled."""
        state = self.game.state
        if state.over or window(state) is not None or self.game.waved >= state.laid > 0:
            return False
        bot_moves = state.closing is not None or self.game.is_bot(state.turn)
        return bool(state.pending) and bot_moves

    # The log

    def log(self, now: float) -> Iterator[Message]:
        """Yield the lines of what has happened since the last time."""
        names = self.setup.names
        if self.logged < len(self.game.state.events):
            self._replayed.clear()
        for event in self.game.state.events[self.logged :]:
            words = text_of_action(event.action, names)
            yield {"kind": "do", "seat": event.seat, "do": words}
        self.logged = len(self.game.state.events)
        state = self.game.state
        seconds = window(state)
        if seconds is None or state.over or self.expired == state.laid:
            return
        elapsed = self.elapsed(now)
        if state.pending and elapsed >= state.laid_at + seconds + self.grace:
            self.expired = state.laid
            yield {"kind": "clock", "elapsed": round(elapsed, 3)}

    def shortest(self) -> Iterator[Message]:
        """Yield the lines that lead from the deal of the first round to where the match stands."""
        names, game = self.setup.names, self.game
        rounds = [end for _, end in game.finished] + ([] if game.settled else [game.state])
        for number, state in enumerate(rounds):
            if number:
                yield {"kind": "next"}
            for event in state.events:
                words = text_of_action(event.action, names)
                yield {"kind": "do", "seat": event.seat, "do": words}
        if self.expired and self.expired == game.state.laid and not game.settled:
            yield {"kind": "clock", "elapsed": round(game.elapsed(), 3)}

    def replayed(self, line: Mapping[str, Any]) -> None:
        """Do again what a line of the log says."""
        game = self.game
        if line["kind"] == "clock":
            game.resume_clock(line["elapsed"])
            self.expired = game.state.laid
        elif line["kind"] == "next":
            self.next_round()
        else:
            action = parse_action(line["do"], line["seat"], self.setup.names)
            state, _ = apply(game.state, action)
            match, finished = game.match, list(game.finished)
            if state.over:
                match = after_round(match, state)
                finished.append((game.start, state))
            game.take_up(game.before, match, finished, game.start, [*game.history, state])
            self.logged = len(state.events)

    def next_round(self) -> None:
        """Deal the next round.

        Raises:
            Refused: this one is not over, or the match is.
        """
        try:
            self.game.next_round()
        except IllegalAction as problem:
            raise Refused("lobby", problem.refusal.message) from None
        self.held = []
        self.logged = self.expired = 0
        self._told.clear()
        self._replayed.clear()

    # What a seat is told

    def promise_of(self, start: State, number: int) -> str:
        """Return the hash of the deal of round NUMBER."""
        return deal_promise(deal_text(start), round_salt(self.promise.salt, number))

    def begun(self, start: Start, number: int, seat: int) -> Message:
        """Return what SEAT is told of the beginning of a round."""
        promise = self.promise_of(start.state, number)
        return round_message(start.state, seat, number, start.redeals, promise)

    def opened(self, start: Start, number: int) -> Message:
        """Return what opens the deal of a round that is over."""
        return opened_message(start.state, number, round_salt(self.promise.salt, number))

    def happened(self, nth: int, seat: int, now: float) -> Message:
        """Return what SEAT is told of event NTH (from 0) of the present round."""
        state = self.game.history[nth + 1]
        event = state.events[nth]
        elapsed = self.elapsed(now)
        known = self._told.get(nth)
        if known is None or known[0] is not state:
            if len(self._told) > MOST_TOLD:
                self._told.clear()
            known = self._told[nth] = state, event_message(self.game.number, state, event)
        return event_for(known[1], state, event, seat, elapsed)

    def past(self, seat: int) -> Iterator[Message]:
        """Yield all that SEAT was told of the rounds before the present one."""
        rounds = self.game.finished[:-1] if self.game.settled else self.game.finished
        for number, (start, end) in enumerate(rounds, 1):
            yield self.begun(start, number, seat)
            for event, state in zip(end.events, self._again(number, start, end), strict=True):
                common = event_message(number, state, event)
                yield event_for(common, state, event, seat, state.now)
            yield self.opened(start, number)

    def _again(self, number: int, start: Start, end: State) -> list[State]:
        """Return the states of a round that is over, one after each event."""
        states = self._replayed.get(number)
        if states is None:
            states, state = [], start.state
            for event in end.events:
                state, _ = apply(state, event.action)
                states.append(state)
            self._replayed[number] = states
        return states

    def closed(self) -> Message:
        """Return what opens the promise of the whole match."""
        return {
            "type": "closed",
            "winners": list(self.game.winners or ()),
            "seed": str(self.promise.seed),
            "salt": self.promise.salt,
        }

    def record(self, ruleset: str, overrides: Mapping[str, Any], date: str | None) -> Filed:
        """Return the match as it is now, to be made a game file wherever there is time for it."""
        game = copy.copy(self.game)
        game.finished, game.history = list(game.finished), list(game.history)
        # Seats that a bot stood in for are people's.
        bots = self.setup.bots
        game.levels = tuple(
            (level or "casual") if seat in bots else None for seat, level in enumerate(game.levels)
        )
        return Filed(game, Sitting(ruleset, overrides, self.promise, date))


@dataclass(frozen=True, slots=True)
class Filed:
    """A match as it was at one moment."""

    game: LiveGame
    sitting: Sitting

    def text(self, path: Path) -> str:
        """Return it as the game file at PATH."""
        return save_text(self.game, self.sitting, path)
