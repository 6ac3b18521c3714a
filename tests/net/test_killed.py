"""A host process that is killed at any moment loses nothing that a player was told."""

from __future__ import annotations

import asyncio
import contextlib
import random
import subprocess
import time
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from sniffcli.game.state import State
from sniffcli.game.view import view_of
from sniffcli.net.journal import files, restored
from sniffcli.net.table import Table
from sniffcli.ui.live import LiveGame
from tests.net.clients import Client, joined
from tests.net.test_load import host


def on_disk(folder: Path) -> Table:
    (path,) = files(folder)
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
    process: subprocess.Popen[str],
    port: int,
    sector: str,
    tokens: list[str],
    folder: Path,
    seconds: float,
) -> None:
    """Come back, look whether everything is there, play for a while, and kill the host."""
    clients = []
    for number, name in enumerate(("Ann", "Bob")):
        token = tokens[number] if tokens else ""
        clients.append(await joined(port, sector, name, token, seed=number))
    if not tokens:
        tokens += [client.seat.welcome["token"] for client in clients]
        await clients[0].say({"type": "start"})
    else:
        for client in clients:
            await caught_up(client, folder)
    for client in clients:
        if client.seat.admiral and client.seat.session is not None:
            await again(client)
    tasks = [asyncio.ensure_future(played(client)) for client in clients]
    done, _ = await asyncio.wait(tasks, timeout=seconds)
    assert not done, [task.exception() for task in done]
    process.kill()
    process.wait()
    for client, task in zip(clients, tasks, strict=True):
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError, ConnectionClosed):
            await task
        STATES[id(folder), client.seat.seat] = client
    for client in clients:
        client.socket.transport.abort()
        await client.close()


#: The terminals as they were when the host was killed.
STATES: dict[tuple[int, int], Client] = {}


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


async def caught_up(client: Client, folder: Path) -> None:
    """Wait until the seat knows all that it may know of what is on the disk."""
    while True:
        table = on_disk(folder)
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


def told_is_kept(folder: Path) -> None:
    """Demand that whatever the terminals were told is in the log."""
    table = on_disk(folder)
    assert table.voyage is not None
    game = table.voyage.game
    for seat in range(2):
        client = STATES[id(folder), seat]
        session = client.seat.session
        if session is None:
            continue
        seen = session.game.state.events
        if client.seat.seat == seat and session.game.number == game.number:
            assert view_of(game.state, seat).events[: len(seen)] == seen or session.game.settled
        for one in client.answers:
            if one["type"] == "done":
                assert one["id"] <= table.people[seat].last_id


def killed(times: int, folder: Path, seed: int = 1) -> None:
    rng = random.Random(seed)
    tokens: list[str] = []
    more = ("--rules", "dreamtime-sniff", "--players", "3", "--bots", "greedy")
    for _ in range(times):
        with host(1, *more, "--state", str(folder)) as (process, port, sectors):
            seconds = rng.uniform(0.05, 1.5)
            asyncio.run(some_time(process, port, sectors[0], tokens, folder, seconds))
        told_is_kept(folder)


@pytest.mark.slow
def test_a_host_is_killed_and_goes_on(tmp_path: Path) -> None:
    killed(3, tmp_path)


@pytest.mark.soak
def test_a_host_is_killed_fifty_times(tmp_path: Path) -> None:
    killed(50, tmp_path, seed=7)
    assert on_disk(tmp_path).voyage is not None
