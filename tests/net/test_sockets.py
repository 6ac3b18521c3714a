"""A few games over real sockets on this machine."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from sniffcli.files.games import read_game
from sniffcli.files.replay import play_out
from sniffcli.net.gate import Limits
from sniffcli.net.names import sector
from sniffcli.net.protocol import MOST_BYTES, Message
from sniffcli.net.server import Host
from sniffcli.net.table import Table
from tests.net.bench import plan
from tests.net.clients import Client, joined


@contextlib.asynccontextmanager
async def hosting(
    rules: str, tables: int = 1, crew: int = 2, limits: Limits | None = None, **more: Path
) -> AsyncIterator[tuple[Host, int]]:
    host = Host(
        [Table(sector(), plan(rules, crew), time.monotonic) for _ in range(tables)],
        limits=limits or Limits(burst=1000, rate=1000),
        **more,
    )
    server = await host.serve("127.0.0.1", 0)
    try:
        yield host, next(iter(server.sockets)).getsockname()[1]
    finally:
        await host.end(server)


def test_two_terminals_play_and_the_game_is_kept(tmp_path: Path) -> None:
    async def play() -> None:
        async with hosting("dreamtime-sniff", record=tmp_path, state=tmp_path) as (host, port):
            name = next(iter(host.tables))
            ann = await joined(port, name, "Ann")
            bob = await joined(port, name, "Bob", seed=1)
            await ann.say({"type": "start"})
            await asyncio.gather(ann.play(2), bob.play(2))
            assert not ann.waiting or all(one["type"] == "done" for one in ann.answers)
            await ann.close()
            await bob.close()

    asyncio.run(play())
    (path,) = tmp_path.glob("*.yaml")
    record, problems = read_game(path.read_text(encoding="utf-8"), str(path))
    assert record is not None
    assert not problems
    assert len(record.rounds) == 2
    assert not play_out(record).problems


async def said(port: int, *frames: str | bytes) -> list[Message]:
    """Send frames on a line of their own and return all that is answered until it is closed."""
    told: list[Message] = []

    async def listen(socket: ClientConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            while True:
                told.append(json.loads(await socket.recv()))

    async with connect(f"ws://127.0.0.1:{port}/", proxy=None) as socket:
        listening = asyncio.ensure_future(listen(socket))
        with contextlib.suppress(ConnectionClosed):
            for frame in frames:
                await socket.send(frame)
        async with asyncio.timeout(60):
            await listening
    return told


def quick(**more: float) -> Limits:
    return replace(Limits(pause=0.001, longest_pause=0.002), **more)  # type: ignore[arg-type]


def hello(sector_id: str, **more: str) -> str:
    return json.dumps({"type": "hello", "sniff": 1, "sector": sector_id, **more})


def test_wrong_frames_get_a_reason_and_other_tables_go_on() -> None:
    async def play() -> None:
        async with hosting("block", tables=2, limits=quick(burst=1000, rate=1000)) as (host, port):
            one, other = list(host.tables)
            ann = await joined(port, one, "Ann")
            bob = await joined(port, one, "Bob", seed=1)
            await ann.say({"type": "start"})
            playing = asyncio.gather(ann.play(1), bob.play(1))
            codes = [
                (await said(port, frame))[-1]["code"]
                for frame in (
                    "nonsense",
                    b"\x00\xff",
                    '{"type":"act","id":1,"do":"5-5"}',
                    hello("bako-bako-bako-bako", name="Eve"),
                    hello(one, name="Eve"),
                    hello(one, token="guessed"),
                    hello(other, name="\x1b\x07"),
                )
            ]
            assert codes[:6] == ["malformed", "malformed", "malformed", "sector", "full", "token"]
            assert codes[6] == "name"
            assert await said(port, "x" * (MOST_BYTES + 1)) == []
            await playing
            assert host.refused["sector"] == 1
            assert host.refused["malformed"] == 3
            while host.gate.inside > 2:
                await asyncio.sleep(0.01)
            assert host.refused["oversized"] == 1
            for client in (ann, bob):
                await client.close()

    asyncio.run(play())


def test_a_flood_closes_its_own_line_only() -> None:
    async def play() -> None:
        limits = quick(burst=10, rate=1, floods=5)
        async with hosting("block", limits=limits) as (host, port):
            name = next(iter(host.tables))
            ann = await joined(port, name, "Ann")
            flood = [json.dumps({"type": "start", "id": number}) for number in range(1, 60)]
            told = await said(port, hello(name, name="Eve"), *flood)
            codes = {one.get("code") for one in told if one["type"] == "refused"}
            assert codes == {"admiral", "flood"}
            assert host.tables[name].refused["flood"] == 6
            await ann.say({"type": "start"})
            assert (await ann.until("done"))["id"] == 1
            await ann.close()

    asyncio.run(play())


def test_a_line_that_says_nothing_is_closed() -> None:
    async def play() -> None:
        async with hosting("block", limits=quick(hello=0.05)) as (host, port):
            assert await said(port) == []
            while host.gate.inside:
                await asyncio.sleep(0.001)

    asyncio.run(play())


def test_a_terminal_drops_and_comes_back() -> None:
    async def play() -> None:
        async with hosting("block") as (host, port):
            name = next(iter(host.tables))
            ann = await joined(port, name, "Ann")
            bob = await joined(port, name, "Bob", seed=1)
            await ann.say({"type": "start"})
            await ann.until("round")
            ann.socket.transport.abort()
            await bob.until("seats")
            ann = await joined(port, name, token=ann.seat.welcome["token"])
            await asyncio.gather(again(ann), bob.play(1))
            await ann.close()
            await bob.close()

    asyncio.run(play())


async def again(client: Client) -> None:
    await client.until("round")
    words = client.wish()
    if words is not None:
        await client.say({"type": "act", "do": words})
    await client.play(1)


def test_what_strangers_send_to_the_port_is_no_news(capfd: pytest.CaptureFixture[str]) -> None:
    async def play() -> None:
        async with hosting("block", limits=quick(hello=0.5)) as (host, port):
            for data in (
                b"",
                b"GET / HTTP/1.1\r\n\r\n",
                b"\x16\x03\x01\x00\xff" * 40,
                b"\n" * 9999,
            ):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(data)
                if not data:
                    writer.close()
                await reader.read()
                writer.close()
                with contextlib.suppress(ConnectionError):
                    await writer.wait_closed()
            ann = await joined(port, next(iter(host.tables)), "Ann")
            await ann.close()

    asyncio.run(play())
    told = capfd.readouterr()
    assert told.err == ""


def test_a_defect_costs_one_line_and_is_told() -> None:
    told: list[str] = []

    async def play() -> None:
        async with hosting("block", tables=2) as (host, port):
            one, other = host.tables.values()
            host.told = told.append
            ann = await joined(port, one.sector, "Ann")
            one.receive = lambda key, message: 1 // 0  # type: ignore[assignment]
            await ann.say({"type": "start"})
            with pytest.raises(ConnectionClosed):
                await ann.until("done")
            bob = await joined(port, other.sector, "Bob")
            await bob.say({"type": "start"})
            await bob.until("done")
            await ann.close()
            await bob.close()

    asyncio.run(play())
    assert len(told) == 1
    assert "defect" in told[0]
