"""How output may look here: width, colour, Unicode. One value, passed to everything that draws."""

from __future__ import annotations

import shutil
from typing import NamedTuple, TextIO

from sniffcli.show.folding import fold

#: Signs that the drawings use; an output that cannot encode one of them gets plain ASCII.
SIGNS = "┌─┐│└┘║●◄►▲▼±…"

#: Columns of a result that goes to a file, where there is no terminal to ask.
FILE_WIDTH = 80

#: Narrower than this nothing useful can be drawn.
LEAST_WIDTH = 20


class Look(NamedTuple):
    """What the output can show."""

    width: int = 80
    color: bool = False
    unicode: bool = True

    def style(self, text: str, **how: bool | str) -> str:
        """Return TEXT with ANSI styles, or as it is where colour is off."""
        if not (self.color and text and how):
            return text
        import click

        return click.style(text, **how)  # type: ignore[arg-type]

    def bold(self, text: str) -> str:
        """Return TEXT in bold where colour is on."""
        return self.style(text, bold=True)

    def dim(self, text: str) -> str:
        """Return TEXT dimmed where colour is on."""
        return self.style(text, dim=True)

    def folded(self, text: str) -> str:
        """Return TEXT in lines that fit and never break inside a tile; what goes on is indented."""
        return "\n".join(fold(text, self.width, later="  "))


def look_of(stream: TextIO, *, color: bool = False, width: int | None = None) -> Look:
    """Return the look that suits STREAM; WIDTH overrides COLUMNS and the terminal.

    A stream of which the result goes to a file says so by its `columns`.
    """
    columns = width or getattr(stream, "columns", 0) or shutil.get_terminal_size((80, 24)).columns
    return Look(max(LEAST_WIDTH, columns), color, writes_unicode(stream))


def writes_unicode(stream: TextIO) -> bool:
    """Whether the encoding of STREAM has every sign that the drawings use."""
    try:
        SIGNS.encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
