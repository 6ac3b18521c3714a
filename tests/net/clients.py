"""Scripted terminals over real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import time
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from sniffcli.net.protocol import Message
from sniffcli.net.remote import Seat
from sniffcli.ui.clock import RealClock
from sniffcli.ui.session import Options
from tests.net.bench import random_words


class LeanSeat(Seat):
    """A place at a table that follows events and writes no text about them."""

    def _on_event(self, message: Message) -> list[str]:
        _, game = self._table()
        self.blind = False
        game.take(message)
        return []

    def _on_opened(self, message: Message) -> list[str]:
        if self.seat == 0:
            _, game = self._table()
            game.open(message, self._promise)
        return []


@dataclass
class Client:
    """A terminal that plays by itself, and notes what it was answered and how soon."""

    socket: ClientConnection
    seed: int = 0
    seat: Seat = field(init=False)
    next_id: int = 1
    waiting: dict[int, float] = field(default_factory=dict)
    answers: list[Message] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    #: The last place in the game in which something was tried.
    tried: tuple[Any, ...] = ()
    #: The most seconds for which it thinks before it acts.
    thinks: float = 0.0

    #: What gives this seat back.
    token: str = ""
    #: Whether it only follows the game, without a word for people.
    lean: bool = False

    def __post_init__(self) -> None:
        kind = LeanSeat if self.lean else Seat
        self.seat = kind(RealClock(), Options(), lambda message: None)
        self.random = random.Random(self.seed)

    async def say(self, message: Message) -> int:
        number, self.next_id = self.next_id, self.next_id + 1
        self.waiting[number] = time.perf_counter()
        await self.socket.send(json.dumps({"id": number, **message}))
        return number

    async def take(self, wait: float = 20) -> Message:
        async with asyncio.timeout(wait):
            message: Message = json.loads(await self.socket.recv())
        number = message.get("id")
        if number in self.waiting:
            self.seconds.append(time.perf_counter() - self.waiting.pop(number))
            self.answers.append(message)
        self.seat.take(message)
        return message

    async def until(self, kind: str) -> Message:
        while True:
            message = await self.take()
            if message["type"] == kind:
                return message

    def wish(self) -> str | None:
        """What this terminal does now, once for each place in the game."""
        session = self.seat.session
        if session is None or self.waiting or self.seat.blind:
            return None
        state, me = session.game.state, self.seat.seat
        place = (session.game.number, len(state.events))
        if state.over or self.tried == place:
            return None
        open_score = [one for one in state.pending if one.seat == me and not one.missed]
        if open_score:
            self.tried = place
            return f"claim {open_score[-1].points}"
        if state.pending or state.closing is not None or state.turn != me:
            return None
        self.tried = place
        return random_words(state, self.random)

    async def play(self, rounds: int = 1) -> None:
        """Play until so many rounds are over or the match is won."""
        while True:
            message = await self.take()
            game = None if self.seat.session is None else self.seat.session.game
            if message["type"] == "opened" and game is not None:
                if game.winners is not None or game.number >= rounds:
                    return
                if self.seat.admiral:
                    await self.say({"type": "next"})
            if message["type"] == "refused" and message.get("code") not in ("turn", "over"):
                raise AssertionError(message)
            words = self.wish()
            if words is not None:
                if self.thinks and not words.startswith("claim"):
                    await asyncio.sleep(self.random.uniform(0.2, 1) * self.thinks)
                await self.say({"type": "act", "do": words})

    async def close(self) -> None:
        with contextlib.suppress(Exception):
            await self.socket.close()


async def joined(
    port: int, sector: str, name: str = "", token: str = "", seed: int = 0, lean: bool = False
) -> Client:
    socket = await connect(
        f"ws://127.0.0.1:{port}/", compression=None, max_size=1 << 20, proxy=None
    )
    client = Client(socket, seed, lean=lean)
    hello = {"type": "hello", "sniff": 1, "sector": sector}
    hello |= {"token": token} if token else {"name": name}
    await socket.send(json.dumps(hello))
    message = await client.take()
    if message["type"] == "welcome":
        client.next_id = message["last_id"] + 1
    return client
