"""Scripted terminals at many tables of a host, in a process of their own.

`python -m tests.net.crowd PID PORT ROUNDS SECONDS SECTOR...` plays so many rounds at each table of
the host PID, with a pause of up to SECONDS before each tile, and prints how soon it was answered.
"""

from __future__ import annotations

import asyncio
import json
import re
import resource
import sys
from dataclasses import replace
from pathlib import Path

from sniffcli.game.actions import Action, Draw
from tests.net.clients import Client, joined

#: Seconds between the beginnings of two tables.
STEP = 0.15


async def crew(
    port: int, sector: str, seed: int, rounds: int, door: asyncio.Semaphore, thinks: float
) -> list[Client]:
    """Play at one table with four terminals."""
    async with door:
        clients = [
            await joined(port, sector, f"P{seat}", seed=seed * 4 + seat, lean=True)
            for seat in range(4)
        ]
    for client in clients:
        client.thinks = thinks
    await clients[0].say({"type": "start"})
    await asyncio.gather(*(client.play(rounds) for client in clients))
    return clients


async def paced(port: int, sectors: list[str], rounds: int, thinks: float) -> list[Client]:
    """Play at all tables, their beginnings spread over some seconds, and stay to the end."""
    door = asyncio.Semaphore(8)

    async def one(number: int, sector: str) -> list[Client]:
        await asyncio.sleep(number * STEP)
        return await crew(port, sector, number, rounds, door, thinks)

    found = await asyncio.gather(*(one(n, sector) for n, sector in enumerate(sectors)))
    return [client for crewed in found for client in crewed]


def checked(clients: list[Client]) -> int:
    """Demand that no action was lost or doubled; return how many were done."""
    done = 0
    for crewed in (clients[at : at + 4] for at in range(0, len(clients), 4)):
        games = [client.seat.session.game for client in crewed if client.seat.session is not None]
        assert len(games) == 4
        assert (
            len({repr([seen(event.action) for event in game.state.events]) for game in games}) == 1
        )
        told = sum(len(end.events) for _, end in games[0].finished)
        answered = [one for client in crewed for one in client.answers if one["type"] == "done"]
        commands = 1 + (len(games[0].finished) - 1)
        assert told == len(answered) - commands
        done += told
    return done


def memory(pid: int) -> int:
    """Bytes that a process holds in memory."""
    status = Path(f"/proc/{pid}/status").read_text("utf-8")
    return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) * 1024


def seen(action: Action) -> Action:
    """Return an action as everybody saw it."""
    return replace(action, tile=None) if isinstance(action, Draw) else action


async def main(pid: int, port: int, rounds: int, thinks: float, sectors: list[str]) -> None:
    """Play, and print what was counted."""
    clients = await paced(port, sectors, rounds, thinks)
    held = memory(pid)
    for client in clients:
        await client.close()
    used = resource.getrusage(resource.RUSAGE_SELF)
    figures = {
        "actions": checked(clients),
        "seconds": [one for client in clients for one in client.seconds],
        "memory": held,
        "worked": used.ru_utime + used.ru_stime,
    }
    print(json.dumps(figures))  # noqa: T201


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:4]), float(sys.argv[4]), sys.argv[5:]))
