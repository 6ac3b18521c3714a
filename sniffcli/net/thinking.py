"""Bots that think beside the host's loop, so that a table with a slow bot delays no other table.

A bot is asked with what its seat may know and gives the same action wherever it computes. Only
an answer to the place in which the game still is counts; after anything else it is asked again.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sniffcli.engine.workers import end_workers, submitted
from sniffcli.game.actions import Action
from sniffcli.game.state import State
from sniffcli.game.view import View, view_of
from sniffcli.ui.bots import bot
from sniffcli.ui.opponents import Opponents

if TYPE_CHECKING:
    from sniffcli.ui.live import LiveGame

#: Bots that look at their own hand only; asking them elsewhere would take longer than they do.
QUICK = ("random", "greedy")

#: Where in a match a bot is asked: rounds that are over, and actions in the present one.
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Question:
    """What a bot is asked."""

    place: Place
    level: str
    view: View
    rng: random.Random


def answer(question: Question) -> Action:
    """Return what the bot does that is asked."""
    # The numbers are copied: whoever asks a second time gets the same action.
    rng = random.Random()
    rng.setstate(question.rng.getstate())
    return bot(question.level)(question.view, rng)


class Thinkers(Opponents):
    """The bots of a hosted game: the quick ones move at once, the others are asked elsewhere."""

    def __init__(self, game: LiveGame) -> None:
        super().__init__(game)
        self.elsewhere = False
        self._asked: Question | None = None
        self._known: tuple[Place, Action] | None = None

    @property
    def question(self) -> Question | None:
        """What is to be answered before the game can go on, if anything."""
        asked, state = self._asked, self.game.state
        if asked is None or asked.place != self._place(state) or not self._mine(state):
            return None
        return asked

    def _mine(self, state: State) -> bool:
        return not state.over and self.game.is_bot(state.turn)

    def _place(self, state: State) -> Place:
        return len(self.game.finished), len(state.events)

    def chosen(self, state: State) -> Action | None:
        """Return the action of the bot whose turn it is; None while it thinks."""
        level = self.game.levels[state.turn] or QUICK[-1]
        if not self.elsewhere or level in QUICK:
            return super().chosen(state)
        place = self._place(state)
        if self._known is not None and self._known[0] == place:
            return self.named(state, self._known[1])
        asked = self._asked
        if asked is None or asked.place != place or asked.level != level:
            view = view_of(state, state.turn)
            self._asked = Question(place, level, view, self.game.rng(state, "bot"))
        return None

    def answered(self, question: Question, action: Action) -> None:
        """Take what a bot has thought; it is of no use where the game has gone on."""
        if question is self._asked:
            self._asked, self._known = None, (question.place, action)


class Minds:
    """Processes in which bots think; they start when the first one is asked."""

    def __init__(self, told: Callable[[str], None]) -> None:
        self.told = told
        self._started = False

    async def ask(self, question: Question) -> Action:
        """Return what a bot does. Where its process was ended, another one begins anew."""
        for _ in range(2):
            try:
                self._started = True
                return await asyncio.wrap_future(submitted(answer, question))
            except BrokenExecutor:
                continue
            except Exception as problem:
                self.told(f"a defect of the bot {question.level}: {problem!r}")
                break
        # Somebody has to move: the bot that cannot fail to.
        return answer(replace(question, level=QUICK[-1]))

    def close(self) -> None:
        """End the processes."""
        if self._started:
            self._started = False
            end_workers()
