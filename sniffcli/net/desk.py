"""Writing down what tables log, beside the loop of the host, and holding their answers till then.

Each table has a file of its own, so the tables do not wait for each other. What a table logs while
its file is being written goes to the disk together, with one synchronisation.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from sniffcli.files.writing import FileRefused
from sniffcli.net.journal import Journal
from sniffcli.net.protocol import Message
from sniffcli.net.table import Outs

#: Files that are written at the same time.
WRITERS = 4

#: Seconds after which a table that could not be written down is tried again.
RETRY = 1.0


@dataclass(frozen=True, slots=True)
class Entry:
    """What a table has said at one moment."""

    #: Lines that belong together.
    rows: Sequence[Message]
    #: The shortest lines that lead to the same moment, where the file is to be shortened.
    short: Sequence[Message] | None
    #: What may be sent when all of it is on the disk.
    outs: Outs


class Desk:
    """The logs of all tables, by sector."""

    def __init__(
        self,
        journals: Mapping[str, Journal],
        send: Callable[[Outs], None],
        told: Callable[[str], None],
        pause: float = RETRY,
    ) -> None:
        self.journals = journals
        self.send = send
        self.told = told
        self.pause = pause
        self._waiting: dict[str, list[Entry]] = {}
        #: What is being written now; a table that has to be tried again has an empty list.
        self._going: dict[str, list[Entry]] = {}
        #: Tables of which it was told that they are not saved.
        self._failing: set[str] = set()
        self._writers = ThreadPoolExecutor(WRITERS, "sniff-log") if journals else None

    def put(self, sector: str, entry: Entry) -> None:
        """Write an entry down and send its answers, in order with those of its table."""
        if sector not in self.journals:
            self.send(entry.outs)
            return
        if sector not in self._going and not entry.rows and entry.short is None:
            self.send(entry.outs)
            return
        self._waiting.setdefault(sector, []).append(entry)
        if sector not in self._going:
            self._begin(sector)

    def _begin(self, sector: str) -> None:
        """Write all that waits of a table, in a thread."""
        assert self._writers is not None, "there are files"
        entries = self._going[sector] = self._batch(sector)
        loop = asyncio.get_running_loop()
        work = loop.run_in_executor(self._writers, self._written, sector, entries)
        work.add_done_callback(partial(self._after, sector, entries))

    def _batch(self, sector: str) -> list[Entry]:
        """Take what is written together: all of it, or up to where the file is shortened."""
        waiting = self._waiting.pop(sector)
        ends = (at for at, entry in enumerate(waiting, 1) if entry.short is not None)
        end = next(ends, len(waiting))
        if waiting[end:]:
            self._waiting[sector] = waiting[end:]
        return waiting[:end]

    def _written(self, sector: str, entries: Sequence[Entry]) -> None:
        journal = self.journals[sector]
        journal.write(*(entry.rows for entry in entries))
        short = entries[-1].short
        if short is not None:
            # The long file serves as well; the next round ends with another attempt.
            with suppress(OSError, FileRefused):
                journal.shorten(short)

    def _after(self, sector: str, entries: list[Entry], work: asyncio.Future[None]) -> None:
        if work.cancelled():
            return
        problem = work.exception()
        if problem is not None:
            # Nobody may be told what would be forgotten.
            if sector not in self._failing:
                self._failing.add(sector)
                why = problem.strerror if isinstance(problem, OSError) else repr(problem)
                self.told(f"the table {sector} is not saved: {why}")
            self._waiting[sector] = [*entries, *self._waiting.get(sector, ())]
            self._going[sector] = []
            asyncio.get_running_loop().call_later(self.pause, self._begin, sector)
            return
        if sector in self._failing:
            self._failing.discard(sector)
            self.told(f"the table {sector} is saved again")
        for entry in entries:
            self.send(entry.outs)
        if sector in self._waiting:
            self._begin(sector)
        else:
            del self._going[sector]

    def behind(self, sector: str) -> int:
        """Return how many entries of a table wait for the disk."""
        return len(self._waiting.get(sector, ())) + len(self._going.get(sector, ()))

    def close(self) -> None:
        """Write what still waits, and close the files."""
        if self._writers is not None:
            self._writers.shutdown(wait=True)
        for sector, entries in self._waiting.items():
            try:
                self.journals[sector].write(*(entry.rows for entry in entries))
            except OSError as problem:
                self.told(f"the table {sector} is not saved: {problem.strerror}")
        for journal in self.journals.values():
            journal.close()
