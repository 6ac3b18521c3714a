"""Text that fits a width: counted in columns of the terminal, folded between words.

Letters of China or Japan and most pictures take two columns, accents of their own none; where a
text has only signs of one column, which is nearly always, the standard library does.
"""

from __future__ import annotations

import textwrap

#: Signs below this take one column each; accents that stand for themselves begin here.
SIMPLE = "\u0300"


def is_simple(text: str) -> bool:
    """Whether each sign of TEXT takes one column, as all up to Latin letters do, and no colour."""
    return max(text, default="") < SIMPLE and "\x1b" not in text


def width_of(text: str) -> int:
    """Return how many columns of a terminal TEXT takes."""
    if is_simple(text):
        return len(text)
    # Loaded only where it is needed: it takes as long as all of this program that draws.
    from wcwidth import width

    return int(width(text))


def padded(text: str, width: int, *, right: bool = False) -> str:
    """Return TEXT with spaces up to WIDTH columns, before it if it stands at the RIGHT."""
    spaces = " " * (width - width_of(text))
    return spaces + text if right else text + spaces


def fold(text: str, width: int, first: str = "", later: str = "") -> list[str]:
    """Return TEXT in lines of WIDTH columns, broken between words and never inside a tile.

    FIRST begins the first line and LATER the others.
    """
    if is_simple(text):
        return textwrap.wrap(
            text, width, initial_indent=first, subsequent_indent=later, break_on_hyphens=False
        )
    from wcwidth import wrap

    return wrap(text, width, initial_indent=first, subsequent_indent=later, break_on_hyphens=False)


def fitted(text: str, width: int) -> str:
    """Return TEXT with those of its lines folded that are too wide; what goes on is indented."""
    lines: list[str] = []
    for line in text.split("\n"):
        if width_of(line) <= width:
            lines.append(line)
        else:
            indent = line[: len(line) - len(line.lstrip())][: width // 2]
            lines += fold(line.lstrip(), width, indent, f"{indent}  ")
    return "\n".join(lines)
