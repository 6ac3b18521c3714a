"""Tables on disk: one file per table, a line for everything that belongs together.

A line is written and synchronised before its answers leave, so that whatever a player was told
is still there after the process was killed. A line that was cut off never happened.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from sniffcli.net.crew import Plan
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
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        new = not self.path.exists()
        # Tokens and seeds are nobody else's business on this machine.
        self._file = os.open(self.path, flags, 0o600)
        self._sync = sync
        if new and sync:
            directory = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(directory)
            finally:
                os.close(directory)

    def write(self, lines: Iterable[Message]) -> None:
        """Append what belongs together as one line, and wait until it is on the disk.

        Raises:
            OSError: it cannot be written.
        """
        rows = list(lines)
        if not rows:
            return
        data = json.dumps(rows, separators=(",", ":"), ensure_ascii=True).encode() + b"\n"
        size = os.fstat(self._file).st_size
        try:
            if os.write(self._file, data) < len(data):
                raise OSError(28, "no space is left for the table", str(self.path))
        except OSError:
            os.ftruncate(self._file, size)
            raise
        if self._sync:
            os.fdatasync(self._file)

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


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
        table.resume(rest)
    except Exception as problem:
        raise JournalError(f"{path}: the game in it cannot be played again: {problem}") from problem
    return table


def files(folder: Path) -> list[Path]:
    """Return the files of the tables in FOLDER."""
    return sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else []
