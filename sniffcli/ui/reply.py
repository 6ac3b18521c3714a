"""What a command answers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to one line: text to show, or why the line was refused."""

    text: str = ""
    #: Why the command failed; then nothing has changed.
    error: str = ""
    #: Whether the table or the turn has changed, so that the screen is to be drawn again.
    changed: bool = False
    #: Whether the session is to be left.
    leave: bool = False

    @property
    def ok(self) -> bool:
        """Whether the command was carried out."""
        return not self.error


def refused(message: object) -> Reply:
    """Return the reply of a command that failed."""
    return Reply(error=str(message))
