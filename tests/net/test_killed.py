"""A host process that is killed at any moment loses nothing that a player was told."""

from __future__ import annotations

import asyncio
import contextlib
import random
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from sniffcli.game.state import State
from sniffcli.game.view import view_of
from sniffcli.net.journal import SUFFIX, files, restored
from sniffcli.net.table import Table
from sniffcli.ui.live import LiveGame
from tests.net.clients import Client, joined
from tests.net.test_load import host

#: The names of those who sit at each table.
NAMES = ("Ann", "Bob")


def on_disk(folder: Path, sector: str) -> Table:
    """The table to which its log leads now; the log itself is left alone."""
    source = folder / f"{sector}{SUFFIX}"
    with tempfile.TemporaryDirectory() as apart:
        path = Path(shutil.copy(source, apart))
        table = restored(path, time.monotonic, 30.0, 0.25)
    assert table is not None
    return table


async def played(client: Client) -> None:
    """Play on through rounds and voyages until the line breaks."""
    while True:
        try:
            await client.play(10**6)
        except AssertionError as problem:
            # What was sent before the kill may have been done: then it is refused now.
            if "refused" not in str(problem):
                raise
            continue
        if client.seat.admiral:
            await client.say({"type": "new"})


async def some_time(
    process: subprocess.Popen[str], port: int, tables: dict[str, list[Client]], folder: Path,
    seconds: float,
) -> None:  # fmt: skip
    """Come back, look whether everything is there, play for a while, and kill the host."""
    await asyncio.gather(*(seated(port, sector, tables, folder) for sector in tables))
    everybody = [client for clients in tables.values() for client in clients]
    tasks = [asyncio.ensure_future(played(client)) for client in everybody]
    done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    assert not done, [task.exception() for task in done]
    process.kill()
    process.wait()
    for task in tasks:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError, ConnectionClosed):
            await task
    for client in everybody:
        client.socket.transport.abort()
        await client.close()


async def seated(port: int, sector: str, tables: dict[str, list[Client]], folder: Path) -> None:
    """Sit down at a table, or come back to it and wait until all is known again."""
    before = tables[sector]
    clients = [
        await joined(port, sector, name, before[at].token if before else "", seed=at)
        for at, name in enumerate(NAMES)
    ]
    for old, client in zip(before, clients, strict=False):
        client.token = old.token
    tables[sector] = clients
    if not before:
        for client in clients:
            client.token = client.seat.welcome["token"]
        await clients[0].say({"type": "start"})
    elif on_disk(folder, sector).voyage is None:
        # It was killed before the voyage was written down.
        await clients[0].say({"type": "start"})
    else:
        for client in clients:
            await caught_up(client, folder, sector)
        for client in clients:
            if client.seat.admiral:
                await again(client)


async def again(client: Client) -> None:
    """Go on where a round or a voyage was over."""
    assert client.seat.session is not None
    game = client.seat.session.game
    if game.settled:
        await client.say({"type": "next" if game.winners is None else "new"})
    else:
        words = client.wish()
        if words is not None:
            await client.say({"type": "act", "do": words})


async def caught_up(client: Client, folder: Path, sector: str) -> None:
    """Wait until the seat knows all that it may know of what is on the disk."""
    while True:
        table = on_disk(folder, sector)
        assert table.voyage is not None
        truth = table.voyage.game
        while (session := client.seat.session) is None or reached(session.game) < reached(truth):
            await client.take()
        if same(session.game.state, truth.state, client.seat.seat):
            return
        # A round may still have to be opened, or the host has gone on meanwhile.
        await client.take()


def reached(game: LiveGame) -> tuple[int, int]:
    """How far a game has come."""
    return game.number, len(game.state.events)


def same(mine: State, truth: State, seat: int) -> bool:
    return mine == truth if truth.over else view_of(mine, seat) == view_of(truth, seat)


def told_is_kept(folder: Path, sector: str, clients: list[Client]) -> None:
    """Demand that whatever the terminals of a table were told is in its log."""
    table = on_disk(folder, sector)
    told = [client.seat.session for client in clients]
    if table.voyage is None:
        assert told == [None, None]
        return
    game = table.voyage.game
    for seat, client in enumerate(clients):
        session = told[seat]
        if session is not None and session.game.number == game.number:
            seen = session.game.state.events
            assert view_of(game.state, seat).events[: len(seen)] == seen or session.game.settled
        for one in client.answers:
            if one["type"] == "done":
                assert one["id"] <= table.people[seat].last_id


def killed(times: int, folder: Path, tables: int = 1, level: str = "greedy", seed: int = 1) -> int:
    """Kill a host so many times while its tables play; return how many actions were done."""
    rng = random.Random(seed)
    more = ("--rules", "dreamtime-sniff", "--players", "3", "--bots", level)
    known: dict[str, list[Client]] = {}
    done = 0
    for _ in range(times):
        with host(tables, *more, "--state", str(folder)) as (process, port, sectors):
            assert not known or sorted(known) == sorted(sectors)
            for sector in sectors:
                known.setdefault(sector, [])
            seconds = rng.uniform(0.05, 1.5)
            asyncio.run(some_time(process, port, known, folder, seconds))
        for sector, clients in known.items():
            told_is_kept(folder, sector, clients)
            done += sum(one["type"] == "done" for client in clients for one in client.answers)
    return done


@pytest.mark.slow
def test_a_host_is_killed_and_goes_on(tmp_path: Path) -> None:
    killed(3, tmp_path)


@pytest.mark.soak
def test_a_host_is_killed_fifty_times(tmp_path: Path) -> None:
    done = killed(50, tmp_path, tables=4, level="casual", seed=7)
    sizes = [path.stat().st_size for path in files(tmp_path)]
    print(f"{done} actions, logs of {sizes} bytes")  # noqa: T201
    assert done
