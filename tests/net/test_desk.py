"""The logs of tables: on the disk before their answers leave, short, and whole after any kill."""

from __future__ import annotations

import asyncio
import errno
import itertools
import json
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from sniffcli.game.view import view_of
from sniffcli.net.desk import Desk, Entry
from sniffcli.net.journal import SUFFIX, Journal, JournalError, alone, files, read_lines, restored
from sniffcli.net.log import shortest
from sniffcli.net.protocol import Message
from sniffcli.net.table import Outs, Table
from tests.net.bench import Bench, plan, play_on


def row(number: int) -> Message:
    return {"kind": "id", "at": 0, "id": number}


class Disk(Journal):
    """A journal of which a test says when it can be written."""

    def __init__(self, folder: Path, sector: str) -> None:
        super().__init__(folder, sector, sync=False)
        self.full = False
        self.groups: list[int] = []

    def write(self, *groups: Sequence[Message]) -> None:
        self.groups.append(len(groups))
        if self.full:
            raise OSError(errno.ENOSPC, "no space left")
        super().write(*groups)


async def until(done: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not done():
            await asyncio.sleep(0.001)


def test_answers_leave_in_order_and_after_their_lines(tmp_path: Path) -> None:
    sent: list[int] = []

    async def work() -> None:
        disk = Disk(tmp_path, "one")

        def send(outs: Outs) -> None:
            for key, _ in outs:
                written = [one["id"] for one in read_lines(disk.path)]
                assert key in written or key >= 1000
                sent.append(key)

        desk = Desk({"one": disk}, send, lambda text: None)
        for number in range(1, 200):
            desk.put("one", Entry([row(number)], None, [(number, {})]))
            # What nothing has to be written for does not overtake what was said before.
            desk.put("one", Entry([], None, [(1000 + number, {})]))
            if number % 50 == 0:
                await asyncio.sleep(0.002)
        await until(lambda: len(sent) == 398)
        desk.close()
        assert len(disk.groups) < 199

    asyncio.run(work())
    assert sent == [key for number in range(1, 200) for key in (number, 1000 + number)]


def test_a_full_disk_holds_the_answers_back_and_loses_nothing(tmp_path: Path) -> None:
    sent: list[int] = []
    told: list[str] = []

    async def work() -> None:
        disk = Disk(tmp_path, "one")
        other = Disk(tmp_path, "other")
        desk = Desk(
            {"one": disk, "other": other},
            lambda outs: sent.extend(key for key, _ in outs),
            told.append,
            pause=0.001,
        )
        disk.full = True
        for number in range(1, 6):
            desk.put("one", Entry([row(number)], None, [(number, {})]))
        desk.put("other", Entry([row(1)], None, [(77, {})]))
        await until(lambda: 77 in sent and len(disk.groups) > 3)
        assert sent == [77]
        assert desk.behind("one")
        disk.full = False
        await until(lambda: len(sent) == 6)
        desk.close()

    asyncio.run(work())
    assert sent == [77, 1, 2, 3, 4, 5]
    assert [one["id"] for one in read_lines(tmp_path / f"one{SUFFIX}")] == [1, 2, 3, 4, 5]
    assert told == ["the table one is not saved: no space left", "the table one is saved again"]


def test_what_waits_is_written_when_the_host_ends(tmp_path: Path) -> None:
    async def work() -> None:
        desk = Desk({"one": Disk(tmp_path, "one")}, lambda outs: None, lambda text: None)
        for number in range(1, 30):
            desk.put("one", Entry([row(number)], None, []))
        desk.close()

    asyncio.run(work())
    assert [one["id"] for one in read_lines(tmp_path / f"one{SUFFIX}")] == list(range(1, 30))


def test_a_write_that_is_cut_off_leaves_no_half_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(tmp_path, "one", sync=False)
    journal.write([row(1)])
    real = os.write
    monkeypatch.setattr(os, "write", lambda file, data: real(file, data[:5]))
    with pytest.raises(OSError, match="no space"):
        journal.write([row(2)], [row(3)])
    monkeypatch.undo()
    journal.write([row(4)])
    journal.close()
    assert [one["id"] for one in read_lines(journal.path)] == [1, 4]


# Shortening


def logged(rules: str, seed: int, folder: Path, steps: int = 150) -> tuple[Bench, Journal]:
    """A table that was played at for some rounds and a second voyage, with its whole log."""
    bench = Bench(plan(rules, 3), 2, seed=seed)
    bench.say(0, {"type": "start"})
    play_on(bench, steps)
    journal = Journal(folder, bench.table.sector, sync=False)
    journal.write(*bench.log)
    return bench, journal


def again(path: Path, bench: Bench) -> Table:
    table = restored(path, bench.clock, 30.0, 0.25)
    assert table is not None
    return table


def alike(one: Table, other: Table) -> None:
    """Demand that two tables are the same to everybody at them."""
    assert one.voyage is not None
    assert other.voyage is not None
    mine, theirs = one.voyage.game, other.voyage.game
    assert mine.history == theirs.history
    assert mine.match == theirs.match
    assert mine.finished == theirs.finished
    assert one.voyages == other.voyages
    assert one.voyage.promise == other.voyage.promise
    assert one.voyage.expired == other.voyage.expired
    assert (one.crew, one.begun_on) == (other.crew, other.begun_on)
    assert [(p.name, p.token, p.done_id) for p in one.people] == [
        (p.name, p.token, p.done_id) for p in other.people
    ]
    for seat in range(mine.setup.seats):
        assert view_of(mine.state, seat) == view_of(theirs.state, seat)


@pytest.mark.parametrize("rules", ["dreamtime-sniff", "all-fives", "muggins", "bergen"])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_shortest_lines_lead_to_the_same_table(rules: str, seed: int, tmp_path: Path) -> None:
    bench, journal = logged(rules, seed, tmp_path)
    long = again(journal.path, bench)
    size = journal.path.stat().st_size
    journal.shorten(shortest(bench.table))
    alike(again(journal.path, bench), long)
    alike(again(journal.path, bench), bench.table)
    assert journal.path.stat().st_size < size
    assert journal.path.stat().st_mode & 0o077 == 0
    # Lines that follow go to the file that is there now.
    journal.write([row(99)])
    journal.close()
    assert again(journal.path, bench).people[0].last_id == 99


def test_voyages_that_are_over_are_forgotten(tmp_path: Path) -> None:
    bench = Bench(plan("cross", 2), 2, seed=3)
    bench.say(0, {"type": "start"})
    for _ in range(3):
        play_on(bench, 2000, rounds=1)
        bench.say(0, {"type": "new"})
    lines = shortest(bench.table)
    assert [line["number"] for line in lines if line["kind"] == "voyage"] == [4]
    assert len(lines) < 10
    journal = Journal(tmp_path, bench.table.sector, sync=False)
    journal.write(lines)
    alike(again(journal.path, bench), bench.table)
    assert again(journal.path, bench).voyages == 4


class Killed(BaseException):
    """The process ends here."""


def steps_of(monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    """Kill the process at the AT-th step of a system call that changes files."""
    counted = itertools.count()

    def dying(real: Callable[..., Any]) -> Callable[..., Any]:
        def step(*given: Any, **more: Any) -> Any:
            if next(counted) == at:
                raise Killed
            return real(*given, **more)

        return step

    for name in ("replace", "fsync", "chmod", "open", "close"):
        monkeypatch.setattr(os, name, dying(getattr(os, name)))


@pytest.mark.parametrize("at", range(7))
def test_a_kill_while_it_is_shortened_leaves_the_whole_table(
    at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench, journal = logged("dreamtime-sniff", 4, tmp_path, 60)
    short = shortest(bench.table)
    with monkeypatch.context() as patched:
        steps_of(patched, at)
        with suppress(Killed):
            journal.shorten(short)
    with alone(tmp_path):
        (path,) = files(tmp_path)
        assert [one.name for one in tmp_path.iterdir()] == [path.name]
    alike(again(path, bench), bench.table)
    assert json.loads(path.read_text("utf-8").splitlines()[0])


def test_two_hosts_do_not_keep_the_same_tables(tmp_path: Path) -> None:
    refused = pytest.raises(JournalError, match="another host keeps the tables")
    with alone(tmp_path), refused, alone(tmp_path):
        pass
    with alone(tmp_path):
        pass
