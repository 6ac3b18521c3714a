"""Two hundred tables of four terminals in one process (`pytest -m soak -s tests/net/test_load.py`).

Figures are printed; no test asserts on a clock.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.net.clients import Client, joined


def worked(pid: int) -> float:
    """Seconds that a process has computed."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> int:
    """Bytes that a process holds in memory."""
    status = Path(f"/proc/{pid}/status").read_text("utf-8")
    return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) * 1024


@contextmanager
def host(tables: int, *more: str) -> Iterator[tuple[subprocess.Popen[str], int, list[str]]]:
    """A host process of its own; yields it with its port and its sectors."""
    command = [sys.executable, "-m", "sniffcli", "host", "--port", "0", "--tables", str(tables)]
    process = subprocess.Popen([*command, *more], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(2 * tables)]
        sectors = [line.split()[1] for line in lines[::2]]
        port = int(re.findall(r":(\d+)", lines[1])[0])
        yield process, port, sectors
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


async def crew(
    port: int, sector: str, seed: int, rounds: int, door: asyncio.Semaphore, thinks: float
) -> list[Client]:
    async with door:
        clients = [
            await joined(port, sector, f"P{seat}", seed=seed * 4 + seat) for seat in range(4)
        ]
    for client in clients:
        client.thinks = thinks
    await clients[0].say({"type": "start"})
    await asyncio.gather(*(client.play(rounds) for client in clients))
    return clients


async def paced(port: int, sectors: list[str], rounds: int, thinks: float) -> list[Client]:
    """Play at all tables, their beginnings spread over some seconds."""

    door = asyncio.Semaphore(16)

    async def one(number: int, sector: str) -> list[Client]:
        await asyncio.sleep(number * 0.15)
        return await crew(port, sector, number, rounds, door, thinks)

    found = await asyncio.gather(*(one(n, sector) for n, sector in enumerate(sectors)))
    clients = [client for crewed in found for client in crewed]
    await asyncio.gather(*(client.close() for client in clients))
    return clients


def checked(clients: list[Client]) -> int:
    """Demand that no action was lost or doubled; return how many were done."""
    done = 0
    for crewed in (clients[at : at + 4] for at in range(0, len(clients), 4)):
        games = [client.seat.session.game for client in crewed if client.seat.session is not None]
        assert len(games) == 4
        assert len({repr(game.state.events) for game in games}) == 1
        told = sum(len(end.events) for _, end in games[0].finished)
        answered = [one for client in crewed for one in client.answers if one["type"] == "done"]
        commands = 1 + (len(games[0].finished) - 1)
        assert told == len(answered) - commands
        done += told
    return done


def play(tables: int, rounds: int, thinks: float, *more: str) -> None:
    rules = ("--rules", "dreamtime-sniff", "--players", "4")
    with host(tables, *rules, *more) as (process, port, sectors):
        empty, idle = memory(process.pid), worked(process.pid)
        began = time.perf_counter()
        clients = asyncio.run(paced(port, sectors, rounds, thinks))
        took = time.perf_counter() - began
        full, busy = memory(process.pid), worked(process.pid) - idle
        done = checked(clients)
    seconds = sorted(one for client in clients for one in client.seconds)
    figures = {
        "tables": tables,
        "state": "--state" in more,
        "terminals": len(clients),
        "actions": done,
        "seconds": round(took, 1),
        "answer_ms_median": round(1000 * statistics.median(seconds), 2),
        "answer_ms_99": round(1000 * seconds[int(0.99 * len(seconds))], 2),
        "host_ms_per_action": round(1000 * busy / done, 2),
        "kB_per_table": round((full - empty) / tables / 1024, 1),
        "MB": round(full / 2**20, 1),
        "load": os.getloadavg()[0],
    }
    print(json.dumps(figures))  # noqa: T201


@pytest.mark.slow
def test_three_tables_lose_nothing(tmp_path: Path) -> None:
    play(3, 1, 0.0, "--state", str(tmp_path))


@pytest.mark.soak
def test_two_hundred_tables_of_four() -> None:
    play(200, 1, 8.0)


@pytest.mark.soak
def test_two_hundred_tables_that_are_written_down(tmp_path: Path) -> None:
    play(200, 1, 8.0, "--state", str(tmp_path))
