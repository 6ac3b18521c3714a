"""What the bots at a table do by themselves: claim, catch, move, and when."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sniffcli.game.actions import Action, Catch, Claim, Draw, Finish
from sniffcli.game.claims import TINY, may_be_caught, owner_may_claim, window
from sniffcli.game.state import Pending, State
from sniffcli.game.view import view_of
from sniffcli.ui.bots import Bot, bot

if TYPE_CHECKING:
    from sniffcli.ui.live import LiveGame

#: Seconds that people get to catch a missed score before a bot catches it or plays on.
CATCH_PAUSE = 5.0


@dataclass(frozen=True, slots=True)
class Due:
    """What a bot does next: at which moment of the round, and how the action is found then.

    None instead of an action says that the bot is still thinking.
    """

    moment: float
    choose: Callable[[State], Action | None]


class Opponents:
    """The bots of one live game."""

    def __init__(self, game: LiveGame) -> None:
        self.game = game
        self._bots: dict[str, Bot] = {}

    def due(self, state: State, *, waving: bool) -> Due | None:
        """Return what a bot does next and when; None where it waits for people."""
        if state.over:
            return None
        found = [*self._bot_claims(state), *self._bot_catches(state)]
        move = self._bot_move(state, waving)
        if move is not None:
            found.append(move)
        # `min` keeps the first of equals: claims before catches before the next tile.
        return min(found, key=lambda due: due.moment) if found else None

    def _bot_claims(self, state: State) -> list[Due]:
        found = []
        for pending in state.pending:
            if self.game.is_bot(pending.seat) and not pending.missed:
                moment = max(state.now, state.submerged[pending.seat])
                if owner_may_claim(state, pending, moment):
                    found.append(Due(moment, _always(Claim(seat=pending.seat))))
        return found

    def _bot_catches(self, state: State) -> list[Due]:
        if state.rules.claim.rivals == "none":
            return []
        found = []
        for pending in state.pending:
            opened = self._opens(state, pending)
            for seat in range(self.game.setup.seats):
                partners = self.game.setup.sides[seat] == self.game.setup.sides[pending.seat]
                if partners or not self.game.is_bot(seat):
                    continue
                moment = max(opened, state.submerged[seat])
                if self._rival_person(pending, moment, state):
                    moment += CATCH_PAUSE if window(state) is not None else 0.0
                if may_be_caught(state, pending, moment):
                    catch = Catch(seat=seat, target=pending.seat)
                    found.append(Due(moment, _always(catch)))
        return found

    def _opens(self, state: State, pending: Pending) -> float:
        """Return the moment from which a score may be caught."""
        seconds = window(state)
        if seconds is None or pending.tile_number != state.laid:
            return state.now
        return max(state.now, state.laid_at + seconds)

    def _rival_person(self, pending: Pending, moment: float, state: State) -> bool:
        """Whether a person could catch a score at MOMENT."""
        return any(
            not self.game.is_bot(seat)
            and self.game.setup.sides[seat] != self.game.setup.sides[pending.seat]
            and state.submerged[seat] <= moment + TINY
            for seat in range(self.game.setup.seats)
        )

    def _bot_move(self, state: State, waving: bool) -> Due | None:
        """Return the turn of a bot, or its `finish`, not before people had their time to speak."""
        seat = self._bot_to_finish() if state.closing is not None else state.turn
        if seat is None or not self.game.is_bot(seat):
            return None
        waved = waving or self.game.waved >= state.laid > 0
        moment = state.now
        seconds = window(state)
        if state.rules.claim.mode == "declare":
            if seconds is not None:
                running = [one for one in state.pending if not one.missed]
                if running or (self.game.deciding(state, state.now) is not None and not waved):
                    moment = max(moment, state.laid_at + seconds)
            elif self.game.deciding(state, state.now) is not None and not waved:
                return None
            opened = [one for one in state.pending if self._person_may_catch(state, one, moment)]
            if opened and not waved:
                if seconds is None:
                    return None
                moment = max(self._opens(state, one) for one in opened) + CATCH_PAUSE
        if state.closing is not None:
            return Due(moment, _always(Finish(seat=seat)))
        return Due(moment, self.chosen)

    def _person_may_catch(self, state: State, pending: Pending, moment: float) -> bool:
        later = state._replace(now=moment)
        return self._rival_person(pending, moment, state) and may_be_caught(later, pending, moment)

    def _bot_to_finish(self) -> int | None:
        return next((seat for seat in range(self.game.setup.seats) if self.game.is_bot(seat)), None)

    def chosen(self, state: State) -> Action | None:
        """Ask the bot whose turn it is; it sees its own view and nothing else."""
        level = self.game.levels[state.turn] or "greedy"
        if level not in self._bots:
            self._bots[level] = bot(level)
        action = self._bots[level](view_of(state, state.turn), self.game.rng(state, "bot"))
        return self.named(state, action)

    def named(self, state: State, action: Action) -> Action:
        """Return the action of a bot with the tile that it draws."""
        if isinstance(action, Draw) and action.tile is None:
            return replace(action, tile=self.game.picked(state))
        return action


def _always(action: Action) -> Callable[[State], Action]:
    return lambda _: action
