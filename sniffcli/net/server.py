"""The host on the network: WebSockets and timers around tables that know nothing of them."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import ssl
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed, ConnectionClosedError

from sniffcli.files.writing import FileRefused, write_atomic
from sniffcli.net.crew import Key
from sniffcli.net.gate import Bucket, Gate, Limits
from sniffcli.net.journal import Journal
from sniffcli.net.names import spoken
from sniffcli.net.protocol import MOST_BYTES, Message, Refused, read, written
from sniffcli.net.table import Outs, Table

#: Seconds after which a table that could not be written down is tried again.
RETRY = 1.0


@dataclass
class Line:
    """A terminal: its socket, and what still has to be sent to it."""

    socket: ServerConnection
    queue: asyncio.Queue[str] = field(default_factory=asyncio.Queue)


class Host:
    """All tables of one process, and the terminals at them."""

    def __init__(
        self,
        tables: Iterable[Table],
        *,
        state: Path | None = None,
        record: Path | None = None,
        limits: Limits | None = None,
        clock: Callable[[], float] = time.monotonic,
        told: Callable[[str], None] = lambda text: None,
    ) -> None:
        self.tables = {table.sector: table for table in tables}
        self.record = record
        self.limits = limits or Limits()
        self.clock = clock
        self.told = told
        self.gate = Gate(self.limits)
        #: Messages that no table has seen, refused, by code.
        self.refused: Counter[str] = Counter()
        self.lines: dict[Key, Line] = {}
        self._keys = itertools.count(1)
        self._timers: dict[str, asyncio.TimerHandle] = {}
        #: Answers that wait until their table could be written down.
        self._unsent: dict[str, Outs] = {}
        self.journals = {sector: Journal(state, sector) for sector in self.tables} if state else {}
        for table in self.tables.values():
            self._write(table)

    async def serve(self, address: str, port: int, tls: ssl.SSLContext | None = None) -> Server:
        """Open the door; PORT 0 takes a free one."""
        server = await serve(
            self._terminal,
            address,
            port,
            ssl=tls,
            max_size=MOST_BYTES,
            max_queue=16,
            ping_interval=self.limits.heartbeat,
            ping_timeout=self.limits.heartbeat,
            open_timeout=self.limits.hello,
            close_timeout=2,
            compression=None,
            server_header=None,
            logger=_silent(),
        )
        for table in self.tables.values():
            self._arm(table)
        return server

    def close(self) -> None:
        """Stop the timers and close the files."""
        for timer in self._timers.values():
            timer.cancel()
        for journal in self.journals.values():
            journal.close()

    # One terminal

    async def _terminal(self, socket: ServerConnection) -> None:
        address = str(socket.remote_address[0]) if socket.remote_address else "?"
        try:
            self.gate.enter(address)
        except Refused as problem:
            self.refused[problem.code] += 1
            await self._last_words(socket, problem)
            return
        waiting = True
        try:
            table, key = await self._admitted(socket, address)
            self.gate.seated(address)
            waiting = False
            if table is not None:
                await self._seated(socket, table, key)
        finally:
            if waiting:
                self.gate.seated(address)
            self.gate.leave()

    async def _admitted(self, socket: ServerConnection, address: str) -> tuple[Table | None, Key]:
        """Wait for a terminal's hello; return its table, or None where it gets no seat."""
        key = next(self._keys)
        try:
            async with asyncio.timeout(self.limits.hello):
                message = read(await socket.recv())
            if message["type"] != "hello":
                raise Refused("malformed", "the first message is hello")
            table = self.tables.get(spoken(message["sector"]))
            if table is None:
                raise Refused("sector", "no table here has this sector id")
        except Refused as problem:
            self.refused[problem.code] += 1
            if problem.code == "sector":
                await asyncio.sleep(self.gate.guessed(address, self.clock()))
            await self._last_words(socket, problem)
            return None, key
        except (TimeoutError, ConnectionClosed) as problem:
            self._count_closed(problem)
            return None, key
        self.lines[key] = Line(socket)
        try:
            self._deliver(table, table.hello(key, message))
        except Exception as problem:
            self._defect(table, problem)
        if table.person(key) is None:
            line = self.lines.pop(key)
            while not line.queue.empty():
                with contextlib.suppress(ConnectionClosed):
                    await socket.send(line.queue.get_nowait())
            # A wrong token is a guess like a wrong sector id.
            if "token" in message:
                await asyncio.sleep(self.gate.guessed(address, self.clock()))
            await socket.close()
            return None, key
        return table, key

    async def _seated(self, socket: ServerConnection, table: Table, key: Key) -> None:
        line = self.lines[key]
        writer = asyncio.create_task(self._write_out(line))
        bucket = Bucket(self.limits, self.clock())
        try:
            async for frame in socket:
                try:
                    bucket.take(self.clock())
                    message = read(frame)
                except Refused as problem:
                    table.refused[problem.code] += 1
                    self._queue(key, problem.answer())
                    if bucket.shut:
                        await self._last_words(socket, problem)
                        break
                    continue
                if not self._answered(table, key, message):
                    break
        except ConnectionClosedError as problem:
            self._count_closed(problem)
        finally:
            writer.cancel()
            self.lines.pop(key, None)
            self._deliver(table, table.drop(key))
            with contextlib.suppress(asyncio.CancelledError):
                await writer

    def _answered(self, table: Table, key: Key, message: Message) -> bool:
        """Let a table deal with a message; whether it could. A defect costs one line, not all."""
        try:
            outs = table.receive(key, message)
        except Exception as problem:
            self._defect(table, problem)
            return False
        self._deliver(table, outs)
        return True

    def _defect(self, table: Table, problem: Exception) -> None:
        self.told(f"a defect of the program at the table {table.sector}: {problem!r}")

    def _count_closed(self, problem: Exception) -> None:
        sent = problem.sent if isinstance(problem, ConnectionClosed) else None
        if sent is not None and sent.code == 1009:
            self.refused["oversized"] += 1

    async def _write_out(self, line: Line) -> None:
        with contextlib.suppress(ConnectionClosed):
            while True:
                await line.socket.send(await line.queue.get())

    async def _last_words(self, socket: ServerConnection, problem: Refused) -> None:
        with contextlib.suppress(ConnectionClosed):
            await socket.send(written(problem.answer()))
            await socket.close(1008, problem.code)

    # What a table says

    def _deliver(self, table: Table, outs: Outs) -> None:
        """Write down what has happened, then send the answers, and wait for the next moment."""
        waiting = [*self._unsent.pop(table.sector, ()), *outs]
        if self._write(table):
            for key, message in waiting:
                self._queue(key, message)
        else:
            self._unsent[table.sector] = waiting
        if table.record_due and self.record is not None:
            self._record(table)
        self._arm(table)

    def _write(self, table: Table) -> bool:
        journal = self.journals.get(table.sector)
        lines = table.lines()
        if journal is None:
            return True
        try:
            journal.write(lines)
        except OSError as problem:
            # Nobody may be told what would be forgotten: the lines are tried again next time.
            table.journal = [*lines, *table.journal]
            self.told(f"the table {table.sector} is not saved: {problem.strerror}")
            return False
        return True

    def _record(self, table: Table) -> None:
        assert self.record is not None, "games are kept"
        assert table.voyage is not None, "a round was played"
        path = self.record / f"{table.sector}-{table.voyage.number}.yaml"
        try:
            self.record.mkdir(parents=True, exist_ok=True)
            write_atomic(path, table.record(), force=True)
        except (OSError, FileRefused) as problem:
            self.told(f"{path} is not written: {problem}")

    def _queue(self, key: Key, message: Message) -> None:
        line = self.lines.get(key)
        if line is None:
            return
        if line.queue.qsize() >= self.limits.waiting:
            # Whoever does not read is shut out; his seat stays, and his token gives it back.
            line.socket.transport.abort()
            return
        line.queue.put_nowait(written(message))

    def _arm(self, table: Table) -> None:
        old = self._timers.pop(table.sector, None)
        if old is not None:
            old.cancel()
        wait = table.due()
        if table.sector in self._unsent:
            wait = RETRY if wait is None else min(wait, RETRY)
        if wait is None:
            return
        loop = asyncio.get_running_loop()
        self._timers[table.sector] = loop.call_later(wait + 0.001, self._tick, table)

    def _tick(self, table: Table) -> None:
        self._timers.pop(table.sector, None)
        try:
            outs = table.tick()
        except Exception as problem:
            self._defect(table, problem)
            return
        self._deliver(table, outs)


def _silent() -> logging.Logger:
    """Return a logger that says nothing: what strangers send to a port is no news."""
    logger = logging.getLogger("sniffcli.net.server")
    logger.addHandler(logging.NullHandler())
    logger.propagate = False
    return logger
