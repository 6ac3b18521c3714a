"""The host on the network: WebSockets and timers around tables that know nothing of them."""

from __future__ import annotations

import asyncio
import itertools
import logging
import ssl
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from sniffcli.files.writing import FileRefused, write_atomic
from sniffcli.net.crew import Key
from sniffcli.net.desk import Desk, Entry
from sniffcli.net.gate import Bucket, Gate, Limits
from sniffcli.net.journal import Journal
from sniffcli.net.line import Line
from sniffcli.net.log import shortest
from sniffcli.net.names import spoken
from sniffcli.net.protocol import MOST_BYTES, Message, Refused, read
from sniffcli.net.table import Outs, Table
from sniffcli.net.thinking import Minds, Question
from sniffcli.net.voyage import Filed

#: Seconds after which a table that met a defect is tried again.
AGAIN = 5.0


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
        self.minds = Minds(lambda text: self.told(text))
        self._keys = itertools.count(1)
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._asked: dict[str, Question] = {}
        self._tasks: set[asyncio.Future[None]] = set()
        self._ending = asyncio.Event()
        self._files = ThreadPoolExecutor(1, "sniff-record")
        journals = {sector: Journal(state, sector) for sector in self.tables} if state else {}
        self.desk = Desk(journals, self._send, lambda text: self.told(text))
        for sector, table in self.tables.items():
            rows = table.lines()
            if sector in journals:
                journals[sector].write(rows)
            table.elsewhere = True

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

    async def end(self, server: Server) -> None:
        """Close the door and all lines, then everything else."""
        self._ending.set()
        server.close()
        await server.wait_closed()
        self.close()

    async def _pause(self, seconds: float) -> None:
        """Let a stranger wait, also one who has hung up, but not the end of the host."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._ending.wait()

    def close(self) -> None:
        """Stop the timers and the bots, and close the files."""
        for timer in self._timers.values():
            timer.cancel()
        for task in self._tasks:
            task.cancel()
        self.desk.close()
        self._files.shutdown(wait=True)
        self.minds.close()

    # One terminal

    async def _terminal(self, socket: ServerConnection) -> None:
        address = str(socket.remote_address[0]) if socket.remote_address else "?"
        line, key = Line(socket, self.limits.waiting), next(self._keys)
        self.lines[key] = line
        try:
            await self._inside(line, key, address)
        except ConnectionClosed as problem:
            self._count_closed(problem)
        except Exception as problem:
            self._defect("a line", problem)
        finally:
            del self.lines[key]
            await line.cut()

    async def _inside(self, line: Line, key: Key, address: str) -> None:
        try:
            self.gate.enter(address)
        except Refused as problem:
            self.refused[problem.code] += 1
            line.end(problem)
            await line.ended()
            return
        try:
            table = await self._admitted(line, key, address)
            if table is not None:
                await self._seated(line, table, key)
        finally:
            self.gate.leave()

    async def _admitted(self, line: Line, key: Key, address: str) -> Table | None:
        """Wait for a terminal's hello; return its table, or None where it gets no seat."""
        try:
            return await self._greeted(line, key, address)
        except Refused as problem:
            self.refused[problem.code] += 1
            if problem.code == "sector":
                await self._pause(self.gate.guessed(address, self.clock()))
            line.end(problem)
        except TimeoutError:
            line.end()
        finally:
            self.gate.seated(address)
        await line.ended()
        return None

    async def _greeted(self, line: Line, key: Key, address: str) -> Table | None:
        async with asyncio.timeout(self.limits.hello):
            message = read(await line.socket.recv())
        if message["type"] != "hello":
            raise Refused("malformed", "the first message is hello")
        table = self.tables.get(spoken(message["sector"]))
        if table is None:
            raise Refused("sector", "no table here has this sector id")
        outs = table.hello(key, message)
        if table.person(key) is not None:
            self._deliver(table, outs)
            return table
        self._deliver(table, [out for out in outs if out[0] != key])
        if "token" in message:
            # A wrong token is a guess like a wrong sector id.
            await self._pause(self.gate.guessed(address, self.clock()))
        self._send([out for out in outs if out[0] == key])
        await line.ended()
        return None

    async def _seated(self, line: Line, table: Table, key: Key) -> None:
        bucket = Bucket(self.limits, self.clock())
        try:
            async for frame in line.socket:
                try:
                    bucket.take(self.clock())
                    message = read(frame)
                    self._heard(table, key, message)
                except Refused as problem:
                    table.refused[problem.code] += 1
                    if bucket.shut:
                        line.end(problem)
                        await line.ended()
                        break
                    line.say(problem.answer())
        finally:
            self._deliver(table, table.drop(key))

    def _heard(self, table: Table, key: Key, message: Message) -> None:
        """Let a table deal with a message.

        Raises:
            Refused: it cannot be written down now.
        """
        if self.desk.behind(table.sector) > self.limits.waiting:
            raise Refused("busy", "the host cannot write this table down; try again later")
        self._deliver(table, table.receive(key, message))

    def _defect(self, where: str, problem: Exception) -> None:
        """Tell of a defect and where it is; it costs one line or one moment, not the host."""
        trace, place = problem.__traceback__, ""
        while trace is not None:
            code = trace.tb_frame.f_code
            place = f"{code.co_qualname} (line {trace.tb_lineno})"
            trace = trace.tb_next
        self.told(f"a defect of the program at {where}, in {place}: {problem!r}")

    def _count_closed(self, problem: ConnectionClosed) -> None:
        if problem.sent is not None and problem.sent.code == 1009:
            self.refused["oversized"] += 1

    # What a table says

    def _deliver(self, table: Table, outs: Outs) -> None:
        """Write down what has happened, then send the answers, and wait for the next moment."""
        rows, short = table.lines(), None
        if table.short_due and table.sector in self.desk.journals:
            short = shortest(table)
        table.short_due = False
        self.desk.put(table.sector, Entry(rows, short, outs))
        if table.record_due and self.record is not None:
            name = f"{table.sector}-{table.voyages}.yaml"
            self._files.submit(self._record, self.record / name, table.record())
        self._arm(table)

    def _send(self, outs: Outs) -> None:
        for key, message in outs:
            line = self.lines.get(key)
            if line is None:
                continue
            if message is None:
                line.end()
            else:
                line.say(message)

    def _record(self, path: Path, filed: Filed) -> None:
        """Write a game file. There is one thread for it, so that no old file replaces a new one."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(path, filed.text(path), force=True)
        except (OSError, FileRefused) as problem:
            self.told(f"{path} is not written: {problem}")

    # What happens by itself

    def _arm(self, table: Table) -> None:
        """Wait for the next moment of a table, or for what a bot thinks."""
        old = self._timers.pop(table.sector, None)
        if old is not None:
            old.cancel()
        question = table.question
        if question is not None and self._asked.get(table.sector) is not question:
            self._asked[table.sector] = question
            task = asyncio.ensure_future(self._think(table, question))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        wait = table.due()
        if wait is not None:
            self._call(wait + 0.001, table)

    def _call(self, wait: float, table: Table) -> None:
        loop = asyncio.get_running_loop()
        self._timers[table.sector] = loop.call_later(wait, self._tick, table)

    def _tick(self, table: Table) -> None:
        self._timers.pop(table.sector, None)
        try:
            self._deliver(table, table.tick())
        except Exception as problem:
            self._defect(f"the table {table.sector}", problem)
            self._call(AGAIN, table)

    async def _think(self, table: Table, question: Question) -> None:
        action = await self.minds.ask(question)
        if self._asked.get(table.sector) is question:
            del self._asked[table.sector]
        try:
            self._deliver(table, table.answered(question, action))
        except Exception as problem:
            self._defect(f"the table {table.sector}", problem)
            self._call(AGAIN, table)


def _silent() -> logging.Logger:
    """Return a logger that says nothing: what strangers send to a port is no news."""
    logger = logging.getLogger("sniffcli.net.server")
    logger.addHandler(logging.NullHandler())
    logger.propagate = False
    return logger
