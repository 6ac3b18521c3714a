"""Tables on disk: one file per table, a line for everything that belongs together.

A line is written and synchronised before its answers leave, so that whatever a player was told
is still there after the process was killed. A line that was cut off never happened.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from sniffcli.files.writing import write_atomic
from sniffcli.net.crew import Plan
from sniffcli.net.log import resume
from sniffcli.net.protocol import VERSION, Message
from sniffcli.net.table import Table
from sniffcli.ruleset.loading import load_ruleset

SUFFIX = ".sniff-table"


class JournalError(ValueError):
    """A file of a table that cannot be read; the message says why."""


class Journal:
    """The open file of one table."""

    def __init__(self, folder: Path, sector: str, *, sync: bool = True) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{sector}{SUFFIX}"
        self._sync = sync
        new = not self.path.exists()
        self._file = self._opened()
        #: Whether the open file may be one that another has taken the place of.
        self._stale = False
        if new and sync:
            directory = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(directory)
            finally:
                os.close(directory)

    def _opened(self) -> int:
        # Tokens and seeds are nobody else's business on this machine.
        return os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def write(self, *groups: Sequence[Message]) -> None:
        """Append a line for each group of what belongs together, and wait for the disk.

        Raises:
            OSError: it cannot be written; then nothing was.
        """
        data = b"".join(_line(rows) for rows in groups if rows)
        if not data:
            return
        self._reopen()
        size = os.fstat(self._file).st_size
        try:
            if os.write(self._file, data) < len(data):
                raise OSError(errno.ENOSPC, "no space is left for the table", str(self.path))
            if self._sync:
                getattr(os, "fdatasync", os.fsync)(self._file)
        except OSError:
            os.ftruncate(self._file, size)
            raise

    def shorten(self, rows: Sequence[Message]) -> None:
        """Let ROWS, which lead to the same table, take the place of all lines, in one step.

        Raises:
            OSError: the old lines are still there.
            FileRefused: likewise.
        """
        self._stale = True
        write_atomic(self.path, _line(rows).decode(), force=True)
        self._reopen()

    def _reopen(self) -> None:
        if self._stale:
            new = self._opened()
            os.close(self._file)
            self._file, self._stale = new, False

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


def _line(rows: Sequence[Message]) -> bytes:
    return json.dumps(rows, separators=(",", ":"), ensure_ascii=True).encode() + b"\n"


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a table; a last line that was cut off is taken off the file.

    Raises:
        OSError: the file cannot be read.
        JournalError: it is damaged before its end.
    """
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) < len(data):
        with path.open("r+b") as file:
            file.truncate(len(whole))
    found: list[dict[str, Any]] = []
    for number, line in enumerate(whole.splitlines(), 1):
        try:
            found += json.loads(line)
        except (ValueError, TypeError):
            raise JournalError(f"{path}:{number}: this line is damaged") from None
    return found


def restored(
    path: Path, clock: Callable[[], float], stand_in: float, grace: float, **more: Any
) -> Table | None:
    """Return the table of a file at the moment where its lines end; None for an empty file.

    Raises:
        OSError: the file cannot be read.
        JournalError: it is no table of this program.
    """
    lines = read_lines(path)
    if not lines:
        return None
    head, rest = lines[0], lines[1:]
    if head.get("kind") != "table" or head.get("sniff") != VERSION:
        raise JournalError(f"{path}: no table of version {VERSION}")
    rules, problems = load_ruleset("rules", head["rules"])
    if rules is None:
        raise JournalError(f"{path}: {problems[0].message}")
    plan = Plan(
        rules,
        head["rules"],
        head["ruleset"],
        head["overrides"],
        head["crew"],
        tuple(head["levels"]),
        head["partners"],
        stand_in,
        grace,
    )
    table = Table(head["sector"], plan, clock, **more)
    try:
        resume(table, rest)
    except Exception as problem:
        raise JournalError(f"{path}: the game in it cannot be played again: {problem}") from problem
    return table


def files(folder: Path) -> list[Path]:
    """Return the files of the tables in FOLDER."""
    return sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else []


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keep other hosts from the tables in FOLDER, and remove what a killed one left half done.

    Raises:
        JournalError: another host keeps them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder, os.O_RDONLY)
    try:
        # Not everywhere can a file be locked; it is the user's second host that this is about.
        with contextlib.suppress(ImportError):
            import fcntl

            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise JournalError(f"another host keeps the tables in {folder}") from None
        for path in folder.glob(f".*{SUFFIX}.*.tmp"):
            path.unlink(missing_ok=True)
        yield
    finally:
        os.close(handle)
