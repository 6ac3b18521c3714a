"""A few games over real sockets on this machine."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from pathlib import Path

from sniffcli.files.games import read_game
from sniffcli.files.replay import play_out
from sniffcli.net.gate import Limits
from sniffcli.net.names import sector
from sniffcli.net.server import Host
from sniffcli.net.table import Table
from tests.net.bench import plan
from tests.net.clients import joined


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
        server.close()
        await server.wait_closed()
        host.close()


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
