"""Strangers at the port: guesses, floods and nonsense leave the tables and the memory alone.

The small versions run with the suite; `pytest -m soak -s tests/net/test_hostile.py` runs as much as
an hour brings, without the pauses between it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import struct
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from sniffcli.net.gate import Gate, Limits
from sniffcli.net.names import sector
from sniffcli.net.protocol import REFUSALS
from sniffcli.net.server import Host
from tests.net.clients import Client, joined
from tests.net.crowd import memory
from tests.net.test_sockets import hello, hosting, quick, said

#: The beginning of a line by hand, much faster than a library's.
OPENING = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)

#: A frame that closes a line.
CLOSING = b"\x88\x80\0\0\0\0"


def frame(text: str) -> bytes:
    """A text frame of a terminal; the mask is zero."""
    data = text.encode()
    size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
    return b"\x81" + size + b"\0\0\0\0" + data


async def guess(port: int, sector_id: str) -> bytes:
    """Ask for a table with a wrong id; return what was answered."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(OPENING + frame(hello(sector_id, name="Eve")))
    answer = await reader.readuntil(b"}")
    writer.write(CLOSING)
    await reader.read()
    writer.close()
    with contextlib.suppress(ConnectionError):
        await writer.wait_closed()
    return answer


async def guessing(port: int, count: int, at_once: int = 32) -> None:
    left = iter(range(count))

    async def one() -> None:
        for _ in left:
            assert b'"code":"sector"' in await guess(port, sector())

    await asyncio.gather(*(one() for _ in range(at_once)))


@contextlib.asynccontextmanager
async def playing(port: int, sector_id: str) -> Iterator[asyncio.Event]:  # type: ignore[misc]
    """Two honest people who play on and on until the block ends; nothing of theirs is refused."""
    enough = asyncio.Event()
    ann = await joined(port, sector_id, "Ann")
    bob = await joined(port, sector_id, "Bob", seed=1)
    for client in (ann, bob):
        client.thinks = 0.05
    await ann.say({"type": "start"})

    async def on(client: Client) -> None:
        rounds = 0
        while not enough.is_set():
            rounds += 1
            await client.play(rounds)
            session = client.seat.session
            assert session is not None
            if session.game.winners is not None:
                rounds = 0
            if client.seat.admiral:
                await client.say({"type": "next" if rounds else "new"})
            await client.until("round")
            words = client.wish()
            if words is not None:
                await client.say({"type": "act", "do": words})

    tasks = [asyncio.ensure_future(on(client)) for client in (ann, bob)]
    yield enough
    assert not any(task.done() for task in tasks), [task for task in tasks if task.done()]
    enough.set()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    done = [one for client in (ann, bob) for one in client.answers if one["type"] == "done"]
    refused = [one for client in (ann, bob) for one in client.answers if one["type"] == "refused"]
    assert done
    assert {one["code"] for one in refused} <= {"turn", "over"}
    for client in (ann, bob):
        await client.close()


PIECES = [
    "{", "}", "[", "]", '"type"', ":", '"act"', ",", '"id"', "1", '"do"', '"5-5"', '"hello"',
    '"sector"', "\x00", "9" * 50, "null", "NaN", "\x1b[2J", "\\ud800", "1e999", '"\u202e"', "é",
]  # fmt: skip
WORDS = [
    "5-5", "draw", "pass", "claim 10", "claim", "catch Ann", "keelhaul Eve", "finish", "draw 5-5",
    "6-3 on 6-6 side", "6-3 on 6 after -1 s", "catch \x1b[2J", "99-99", "play", "claim 1e9",
    "\\ud800",
]  # fmt: skip


def nonsense(rng: random.Random, number: int) -> str | bytes:
    """A frame as a fuzzer writes it: bytes, pieces of JSON, or a message that is nearly right."""
    roll = rng.random()
    if roll < 0.15:
        return rng.randbytes(rng.randrange(200))
    if roll < 0.5:
        return "".join(rng.choice(PIECES) for _ in range(rng.randrange(40)))
    kind = rng.choice(["act", "act", "act", "crew", "start", "next", "new", "hello"])
    message: dict[str, object] = {"type": kind, "id": rng.choice([number, number, 0, -1, "1", 2.5])}
    if kind == "act":
        message["do"] = rng.choice(WORDS)
    if kind == "crew":
        message["size"] = rng.choice([0, 2, 3, 99, "2", None])
    if rng.random() < 0.1:
        message[rng.choice(["path", "id", "do", "type"])] = rng.choice([None, [], {}, "x", 10**30])
    return json.dumps(message)


async def pestering(port: int, sector_id: str, name: str, frames: int, seed: int) -> None:
    """Sit down and send nonsense; what is refused is refused in a sentence."""
    rng = random.Random(seed)
    async with connect(f"ws://127.0.0.1:{port}/", proxy=None, compression=None) as socket:
        await socket.send(hello(sector_id, name=name))
        assert json.loads(await socket.recv())["type"] == "welcome"

        async def listen() -> None:
            async for text in socket:
                told = json.loads(text)
                if told["type"] == "refused" and told["code"] in REFUSALS:
                    assert "/" not in told["message"]
                    assert "Traceback" not in text

        listening = asyncio.ensure_future(listen())
        for number in range(1, frames + 1):
            await socket.send(nonsense(rng, number))
            if number % 20 == 0:
                # All of this is one process, and the honest want to play.
                await asyncio.sleep(0)
        await socket.send(json.dumps({"type": "leave", "id": frames + 1}))
        # The line is closed by the host.
        async with asyncio.timeout(600):
            await listening


async def flooding(port: int, sector_id: str, lines: int) -> int:
    """Flood a table from many lines; return how many of them were shut."""
    shut, seat = 0, {"name": "Flood"}
    frames = [json.dumps({"type": "next", "id": number}) for number in range(1, 500)]
    for _ in range(lines):
        told = await said(port, hello(sector_id, **seat), *frames)
        if "token" in told[0]:
            seat = {"token": told[0]["token"]}
        shut += told[-1].get("code") == "flood"
    return shut


async def besieged(guesses: int, frames: int, floods: int) -> dict[str, float]:
    """Play at one table while strangers do their worst, at the port and at another table."""
    told: list[str] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, about: told.append(str(about)))
    limits = quick(pause=0.0, unseated=200, burst=10**9, rate=10**9)
    async with hosting("dreamtime-sniff", tables=3, crew=4, limits=limits) as (host, port):
        host.told = told.append
        one, other, third = list(host.tables)
        async with playing(port, one):
            before = memory(os.getpid())
            await guessing(port, guesses // 10)
            warm = memory(os.getpid())
            await guessing(port, guesses - guesses // 10)
            assert host.refused["sector"] == guesses
            after_guesses = memory(os.getpid())
            if frames:
                pests = [("Eve", frames // 2, 1), ("Mal", frames // 2, 2)]
                await asyncio.gather(*(pestering(port, other, *one) for one in pests))
                assert host.tables[other].refused["malformed"] > frames // 3
            host.limits = quick()
            assert await flooding(port, third, floods) == floods
            after = memory(os.getpid())
        settle(host)
        async with asyncio.timeout(60):
            while host.lines:
                await asyncio.sleep(0.01)
        assert not host.gate.unseated
        assert not host.gate.inside
        assert len(host.gate.wrong) == (1 if guesses else 0)
        refused = sum((table.refused for table in host.tables.values()), host.refused)
    assert told == []
    return {
        "guesses": guesses,
        "frames": frames,
        "floods": floods,
        "refused": sum(refused.values()),
        "MB_before": before >> 20,
        "MB_growth_by_guesses": (after_guesses - warm) >> 20,
        "MB_after": after >> 20,
    }


def settle(host: Host) -> None:
    """Demand that no table is left in pieces."""
    for table in host.tables.values():
        assert table.tick() is not None


@contextmanager
def quiet(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Demand that nothing is said on the screen of the host."""
    yield
    told = capfd.readouterr()
    assert told.err == ""


def test_strangers_leave_the_tables_alone(capfd: pytest.CaptureFixture[str]) -> None:
    with quiet(capfd):
        asyncio.run(besieged(guesses=60, frames=600, floods=2))


@pytest.mark.soak
@pytest.mark.parametrize(("guesses", "frames", "floods"), [(100_000, 0, 0), (0, 100_000, 100)])
def test_an_hour_of_strangers(
    guesses: int, frames: int, floods: int, capfd: pytest.CaptureFixture[str]
) -> None:
    with quiet(capfd):
        figures = asyncio.run(besieged(guesses, frames, floods))
    with capfd.disabled():
        print(json.dumps(figures))  # noqa: T201
    assert figures["MB_growth_by_guesses"] < 30


def test_a_hundred_thousand_guesses_of_one_address_take_a_week() -> None:
    gate, now = Gate(Limits()), 0.0
    for _ in range(100_000):
        now += gate.guessed("10.0.0.1", now)
    assert now > 7 * 24 * 3600


def test_a_wrong_token_waits_for_its_answer_like_a_wrong_sector() -> None:
    async def play() -> None:
        async with hosting("block", limits=quick(pause=3600.0, longest_pause=3600.0)) as (_, port):
            name = next(iter(_.tables))
            ann = await joined(port, name, "Ann")
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(OPENING + frame(hello(name, token="guessed")))
            await reader.readuntil(b"\r\n\r\n")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0.3):
                    raise AssertionError(await reader.read(1))
            writer.close()
            await ann.close()

    asyncio.run(play())


def test_a_stranger_who_hangs_up_at_any_moment_is_forgotten() -> None:
    async def play() -> None:
        async with hosting("block", limits=quick()) as (host, port):
            name = next(iter(host.tables))
            whole = OPENING + frame(hello(sector(), name="Eve")) + frame("nonsense") + CLOSING
            for end in range(0, len(whole), 7):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(whole[:end])
                writer.transport.abort() if end % 2 else writer.close()
            ann = await joined(port, name, "Ann")
            async with asyncio.timeout(30):
                while len(host.lines) > 1:
                    await asyncio.sleep(0.01)
            assert host.gate.inside == 1
            assert not host.gate.unseated
            with contextlib.suppress(ConnectionClosed):
                await ann.close()

    asyncio.run(play())
