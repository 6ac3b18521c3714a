"""Problems as values, and the exit statuses of every command.

Errors in what a user wrote are data: they are collected, sorted by place and printed, never
repaired silently. Exceptions are for misuse of our own functions and for defects.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Literal, NamedTuple

Severity = Literal["error", "warning"]


class Status(IntEnum):
    """Exit statuses (contract, section 8)."""

    OK = 0
    PROBLEMS = 1
    USAGE = 2
    DEFECT = 3
    INTERRUPTED = 130
    TERMINATED = 143


class Problem(NamedTuple):
    """One thing that is wrong in a file or on a command line, with its place.

    `line` and `column` count from 1; 0 means the problem has no place of its own. `code` is a
    short word that scripts may rely on; `message` is for people and ends without a full stop.
    """

    file: str
    line: int
    column: int
    code: str
    message: str
    severity: Severity = "error"

    def __str__(self) -> str:
        place = self.file
        if self.line:
            place += f":{self.line}:{self.column}"
        return f"{place}: {self.severity}[{self.code}]: {self._line}"

    @property
    def _line(self) -> str:
        """The message on one line, also where it repeats a text of several."""
        return " ".join(self.message.split("\n"))

    def as_json(self) -> dict[str, object]:
        """Return the stable JSON form; a missing place is null."""
        return {
            "file": self.file,
            "line": self.line or None,
            "column": self.column or None,
            "code": self.code,
            "severity": self.severity,
            "message": self._line,
        }


def has_errors(problems: Iterable[Problem]) -> bool:
    """Whether at least one of the problems is an error and not only a warning."""
    return any(problem.severity == "error" for problem in problems)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that WORD was probably meant to be, or None."""
    import difflib  # only where something is misspelt; every start of the program imports us

    matches = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return matches[0] if matches else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `; did you mean "..."?` for the nearest known word, or nothing."""
    match = nearest(word, known)
    return f'; did you mean "{match}"?' if match else ""
