"""The line to one terminal: what still has to be sent, in order, and how it ends."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from sniffcli.net.protocol import Message, Refused, written

#: Why a line is closed (RFC 6455): all is said, or the terminal did what it must not.
NORMAL, AGAINST_RULES = 1000, 1008


class Line:
    """A terminal's socket, and what it still has to be told."""

    def __init__(self, socket: ServerConnection, most: int) -> None:
        self.socket = socket
        self.most = most
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._code, self._reason = NORMAL, ""
        self._writer = asyncio.ensure_future(self._write_out())

    def say(self, message: Message) -> None:
        """Send a message after those that wait; who does not read them is shut out."""
        if self._queue.qsize() >= self.most:
            # The seat stays, and its token gives it back.
            self.socket.transport.abort()
            return
        self._queue.put_nowait(written(message))

    def end(self, problem: Refused | None = None) -> None:
        """Close the line when everything is sent; PROBLEM is the last that the terminal is told."""
        if problem is not None:
            self.say(problem.answer())
            self._code, self._reason = AGAINST_RULES, problem.code
        self._queue.put_nowait(None)

    async def ended(self) -> None:
        """Wait until everything up to the end is sent and the line is closed, or it is broken."""
        broken = asyncio.ensure_future(self.socket.wait_closed())
        await asyncio.wait((self._writer, broken), return_when=asyncio.FIRST_COMPLETED)
        broken.cancel()

    async def _write_out(self) -> None:
        with suppress(ConnectionClosed):
            while (text := await self._queue.get()) is not None:
                await self.socket.send(text)
            await self.socket.close(self._code, self._reason)

    async def cut(self) -> None:
        """Send nothing more."""
        self._writer.cancel()
        with suppress(asyncio.CancelledError):
            await self._writer
