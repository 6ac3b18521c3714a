"""Two hundred tables of four terminals in one process (`pytest -m soak -s tests/net/test_load.py`).

The terminals are driven from other processes (`crowd`), at the pace of people: each thinks for a
while before it lays a tile, whatever the host does. Figures are printed, not asserted on.
"""

from __future__ import annotations

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
from typing import Any

import pytest

from tests.net.crowd import memory


def worked(pid: int) -> float:
    """Seconds that a process has computed."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


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


def played(
    pid: int, port: int, sectors: list[str], rounds: int, thinks: float, crowds: int
) -> list[dict[str, Any]]:
    """Play at all tables from so many processes; return what each has counted."""
    settings = [str(pid), str(port), str(rounds), str(thinks)]
    crowd = [sys.executable, "-m", "tests.net.crowd", *settings]
    processes = [
        subprocess.Popen([*crowd, *sectors[at::crowds]], stdout=subprocess.PIPE, text=True)
        for at in range(crowds)
    ]
    told = [process.communicate()[0] for process in processes]
    assert not any(process.returncode for process in processes)
    return [json.loads(one) for one in told]


def play(tables: int, rounds: int, thinks: float, *more: str, crowds: int = 2) -> None:
    rules = ("--rules", "dreamtime-sniff", "--players", "4")
    with host(tables, *rules, *more) as (process, port, sectors):
        empty, idle = memory(process.pid), worked(process.pid)
        began = time.perf_counter()
        counted = played(process.pid, port, sectors, rounds, thinks, crowds)
        took = time.perf_counter() - began
        full, busy = max(one["memory"] for one in counted), worked(process.pid) - idle
    done = sum(one["actions"] for one in counted)
    assert done
    seconds = sorted(second for one in counted for second in one["seconds"])
    figures = {
        "tables": tables,
        "state": "--state" in more,
        "terminals": 4 * tables,
        "actions": done,
        "seconds": round(took, 1),
        "actions_a_second": round(done / took, 1),
        "answer_ms_median": round(1000 * statistics.median(seconds), 2),
        "answer_ms_90": round(1000 * seconds[int(0.9 * len(seconds))], 2),
        "answer_ms_99": round(1000 * seconds[int(0.99 * len(seconds))], 2),
        "host_ms_per_action": round(1000 * busy / done, 2),
        "host_share_of_a_core": round(busy / took, 3),
        "kB_per_table": round((full - empty) / tables / 1024, 1),
        "MB": round(full / 2**20, 1),
        "load": os.getloadavg()[0],
    }
    print(json.dumps(figures))  # noqa: T201


@pytest.mark.slow
def test_three_tables_lose_nothing(tmp_path: Path) -> None:
    play(3, 1, 0.0, "--state", str(tmp_path), crowds=1)


@pytest.mark.soak
@pytest.mark.parametrize("thinks", [8.0, 2.0])
def test_two_hundred_tables_of_four(thinks: float) -> None:
    play(200, 1, thinks)


@pytest.mark.soak
def test_two_hundred_tables_that_are_written_down(tmp_path: Path) -> None:
    play(200, 1, 8.0, "--state", str(tmp_path))
