"""A terminal at a hosted table: the socket, the prompt, and coming back after a broken line."""

from __future__ import annotations

import asyncio
import contextlib
import json
import shlex
import ssl
import sys
import threading
import unicodedata
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, InvalidURI, WebSocketException

from sniffcli.net.protocol import VERSION, Message, written
from sniffcli.net.remote import Seat
from sniffcli.net.tokens import keep_token, known_token
from sniffcli.net.wire import Strange
from sniffcli.problems import Status
from sniffcli.show.folding import fitted
from sniffcli.show.style import LEAST_WIDTH
from sniffcli.ui import screens
from sniffcli.ui.clock import RealClock
from sniffcli.ui.session import Options
from sniffcli.ui.verbs import find

#: Seconds between attempts to come back, and how often it is tried.
PAUSES = (0.2, 0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0, 15.0, 15.0, 15.0, 15.0)

#: How long the screen waits for more of what has just happened before it is drawn.
SETTLE = 0.05

#: The most bytes of one message from the host.
MOST_FROM_HOST = 1 << 20


@dataclass(frozen=True)
class Berth:
    """Which table, and as whom."""

    sector: str
    host: str
    port: int
    name: str
    #: The TLS settings, or None for a plain line.
    tls: ssl.SSLContext | None = None

    @property
    def uri(self) -> str:
        """Where the host listens."""
        scheme = "ws" if self.tls is None else "wss"
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{scheme}://{host}:{self.port}/"

    @property
    def place(self) -> str:
        """What the token of this seat is kept under."""
        return f"{self.sector}@{self.host}:{self.port}/{self.name}"


def printable(text: str) -> str:
    """Return TEXT without the control signs by which a host could steer this terminal."""
    return "".join(
        sign for sign in text if sign == "\n" or unicodedata.category(sign) not in ("Cc", "Cf")
    )


class Fatal(Exception):
    """The terminal cannot go on; the message says why."""


@dataclass
class Terminal:
    """One person at one terminal."""

    berth: Berth
    options: Options
    write: Callable[[str], None]
    #: Lines of a person; None ends them.
    lines: asyncio.Queue[str | None] = field(default_factory=asyncio.Queue)

    def __post_init__(self) -> None:
        self.seat = Seat(RealClock(), self.options, self._send)
        whole = self.write
        self.write = lambda text: whole(fitted(text, self.options.look.width))
        self.socket: ClientConnection | None = None
        #: Sent and not yet answered, oldest first.
        self.waiting: list[Message] = []
        self.next_id = 1
        self.leaving = False
        #: A line that is done when the person answers yes, and the question.
        self.questioned = self.question = ""
        self._show: asyncio.TimerHandle | None = None
        self._answered = asyncio.Event()
        self._answered.set()

    # The line to the host

    async def sail(self) -> None:
        """Stay connected until the person leaves.

        Raises:
            Fatal: the host refuses this terminal, or cannot be found again.
        """
        tries = 0
        while not self.leaving:
            try:
                async with connect(
                    self.berth.uri,
                    ssl=self.berth.tls,
                    max_size=MOST_FROM_HOST,
                    open_timeout=10,
                    close_timeout=2,
                    compression=None,
                    user_agent_header=None,
                    proxy=None,
                ) as socket:
                    await self._aboard(socket)
                    tries = 0
            except (OSError, WebSocketException, InvalidURI, InvalidHandshake) as problem:
                if not self.seat.welcome and tries >= 2:
                    why = getattr(problem, "strerror", None) or problem
                    raise Fatal(f"nobody answers at {self.berth.uri}: {why}") from None
            lost, self.socket = self.socket, None
            if self._gone():
                return
            if tries >= len(PAUSES):
                raise Fatal(f"the host at {self.berth.uri} does not come back")
            if lost is not None:
                tries = 0
                self.write("The line is broken; trying to come back.")
            await asyncio.sleep(PAUSES[tries])
            tries += 1

    def _gone(self) -> bool:
        return self.leaving

    async def _aboard(self, socket: ClientConnection) -> None:
        hello: Message = {"type": "hello", "sniff": VERSION, "sector": self.berth.sector}
        token = self.seat.welcome.get("token") or known_token(self.berth.place)
        hello |= {"token": token} if token else {"name": self.berth.name}
        await socket.send(written(hello))
        async for frame in _frames(socket):
            if self.socket is None:
                if frame.get("type") == "refused":
                    if frame.get("code") == "token" and token and not self.seat.welcome:
                        # An old seat that is nobody's any more: sit down anew.
                        keep_token(self.berth.place, None)
                        return
                    raise Fatal(str(frame.get("message")))
                self._welcomed(socket, frame)
                continue
            if frame.get("type") == "refused" and frame.get("code") == "token":
                raise Fatal(str(frame.get("message")))
            self._take(frame)

    def _welcomed(self, socket: ClientConnection, frame: Message) -> None:
        self.socket = socket
        self._take(frame)
        keep_token(self.berth.place, self.seat.welcome["token"] or known_token(self.berth.place))
        last = frame["last_id"]
        self.waiting = [one for one in self.waiting if one["id"] > last]
        self.next_id = max(self.next_id, last + 1)
        for message in self.waiting:
            self._post(message)
        if not self.waiting:
            self._answered.set()

    def _take(self, frame: Message) -> None:
        number = frame.get("id")
        if number is not None and frame.get("type") in ("done", "refused"):
            self.waiting = [one for one in self.waiting if one["id"] > number]
            if not self.waiting:
                self._answered.set()
        try:
            lines = self.seat.take(frame)
        except Strange as problem:
            lines = [f"sniff: do not trust this host: {problem}"]
        for line in lines:
            self.write(printable(line))
        if frame.get("type") in ("round", "event", "blind"):
            self._draw_soon()

    def _send(self, message: Message) -> None:
        numbered = {"type": message["type"], "id": self.next_id, **message}
        self.next_id += 1
        self.waiting.append(numbered)
        self._answered.clear()
        self._post(numbered)

    def _post(self, message: Message) -> None:
        if self.socket is not None:
            task = asyncio.ensure_future(self._deliver(self.socket, message))
            task.add_done_callback(lambda _: None)
            self._tasks = [*(one for one in getattr(self, "_tasks", []) if not one.done()), task]

    async def _deliver(self, socket: ClientConnection, message: Message) -> None:
        with contextlib.suppress(WebSocketException):
            await socket.send(written(message))

    # The screen

    def _draw_soon(self) -> None:
        if self._show is not None:
            self._show.cancel()
        self._show = asyncio.get_running_loop().call_later(SETTLE, self.draw)

    def draw(self) -> None:
        """Show the table as this seat sees it."""
        session = self.seat.session
        if session is not None and not session.game.settled:
            self.write("")
            self.write(screens.turn_page(session, self.seat.seat))

    def fit(self, columns: int, rows: int) -> None:
        """Draw for a screen of this size."""
        if columns and rows:
            look = self.options.look
            self.options.look = look._replace(width=max(LEAST_WIDTH, columns))
            self.options.height = max(6, rows - 9)

    def message(self) -> str:
        """Return the prompt."""
        session = self.seat.session
        if self.questioned:
            return f"{self.question} [y/N] "
        name = self.seat.welcome.get("name", self.berth.name)
        if self.socket is None:
            return "(no line)> "
        if session is None:
            return f"{name}, lobby> "
        game = session.game
        if game.settled:
            if not self.seat.admiral:
                return f"{name}> "
            return "next, new, or quit> " if game.winners is None else "new, or quit> "
        if game.owner_deciding() == self.seat.seat:
            left = game.time_left()
            return f"{name}, claim? {left:.0f} s> " if left is not None else f"{name}, claim?> "
        if self.options.counter and game.catchable(self.seat.seat):
            return f"{name}, catch?> "
        mine = game.state.turn == self.seat.seat
        return f"{name}, your turn> " if mine else f"{name}> "

    def toolbar(self) -> str:
        """Return the line at the foot of the screen."""
        session = self.seat.session
        return f" {self.berth.sector} " if session is None else f" {screens.status(session)} "

    def ask(self, line: str) -> None:
        """Carry out a line of a person at the prompt, who is asked first where it weighs."""
        questioned, self.questioned = self.questioned, ""
        if questioned:
            if line.strip().lower() in ("y", "yes"):
                self.obey(questioned)
            return
        self.question = self._question(line.strip())
        if self.question:
            self.questioned = line
        else:
            self.obey(line)

    def interrupt(self) -> None:
        """Ask whether the person wants to leave; drop another question, and leave at the second."""
        if self.questioned == "quit":
            self.questioned = ""
            self.obey("quit")
        elif self.questioned:
            self.questioned = ""
        else:
            self.questioned, self.question = "quit", "Leave the table?"

    def _question(self, line: str) -> str:
        """Return what is asked before LINE is done, if anything."""
        session = self.seat.session
        if session is None or session.game.winners is not None:
            return ""
        verb, _ = find(session, session.addressed(line)[1])
        return verb.confirm if verb is not None and verb.used(session) else ""

    def obey(self, line: str) -> None:
        """Carry out a line."""
        reply = self.seat.execute(line)
        if reply.text:
            self.write(reply.text)
        if reply.error:
            self.write(f"  {reply.error}")
        if reply.leave:
            self.leaving = True

    async def hang_up(self) -> None:
        """Close the line after everything was sent."""
        for task in getattr(self, "_tasks", []):
            await task
        if self.socket is not None:
            await self.socket.close()


async def _frames(socket: ClientConnection) -> AsyncIterator[dict[str, Any]]:
    async for text in socket:
        frame = json.loads(text)
        if isinstance(frame, dict):
            yield frame


async def _prompted(terminal: Terminal) -> None:
    """Read lines from a person at a prompt until he leaves."""
    from sniffcli.ui.side_prompt import INTERRUPT, SidePrompt

    prompt = SidePrompt(
        terminal.message,
        terminal.toolbar,
        lambda: terminal.seat.session,
        color=terminal.options.look.color,
    )
    with prompt.beside():
        while not terminal.leaving:
            terminal.fit(*prompt.size())
            line = await prompt.line()
            if line is None:
                break
            if line == INTERRUPT:
                terminal.interrupt()
            else:
                terminal.ask(line)
    terminal.leaving = True


async def _piped(terminal: Terminal) -> None:
    """Carry out the lines of a pipe, each when the one before was answered."""
    loop = asyncio.get_running_loop()

    def pump() -> None:
        with contextlib.suppress(RuntimeError):
            for line in sys.stdin:
                loop.call_soon_threadsafe(terminal.lines.put_nowait, line.rstrip("\r\n"))
            loop.call_soon_threadsafe(terminal.lines.put_nowait, None)

    threading.Thread(target=pump, daemon=True).start()
    while not terminal.leaving:
        line = await terminal.lines.get()
        await terminal._answered.wait()
        while not terminal.seat.ready:
            await asyncio.sleep(0.02)
        if line is None:
            break
        terminal.obey(line)
        # What follows from a line comes behind its answer.
        await terminal._answered.wait()
        await asyncio.sleep(SETTLE)
    await terminal._answered.wait()
    terminal.leaving = True


async def at_table(
    berth: Berth, options: Options, write: Callable[[str], None], *, host: bool = False
) -> Status:
    """Sit at a hosted table until the person leaves; with the HOST the table goes too."""
    terminal = Terminal(berth, options, write)
    sailing = asyncio.ensure_future(terminal.sail())
    person = asyncio.ensure_future(_prompted(terminal) if sys.stdin.isatty() else _piped(terminal))
    await asyncio.wait([sailing, person], return_when=asyncio.FIRST_COMPLETED)
    terminal.leaving = True
    await terminal.hang_up()
    person.cancel()
    failed = sailing.exception() if sailing.done() else None
    sailing.cancel()
    await asyncio.gather(person, sailing, return_exceptions=True)
    if isinstance(failed, Fatal):
        write(f"sniff: {printable(str(failed))}")
        return Status.PROBLEMS
    if failed is not None:
        raise failed
    session = terminal.seat.session
    if session is not None and session.game.winners is None and host:
        write("The table is closed: it was hosted here.")
    elif session is not None and session.game.winners is None:
        write(
            f"Your seat is kept: sniff join {berth.sector} --at {berth.host}:{berth.port} "
            f"--name {shlex.quote(berth.name)}"
        )
    if person.done() and not person.cancelled() and person.exception() is not None:
        raise person.exception() or AssertionError
    return Status.OK
