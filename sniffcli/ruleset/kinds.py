"""What kind of file something is, so that the wrong one is named and not picked to pieces."""

from __future__ import annotations

import re
import shlex
from typing import Literal

from sniffcli.problems import Problem
from sniffcli.ruleset.keys import keys
from sniffcli.yamlio import Node, parse

Kind = Literal["ruleset", "game", "puzzle", "script"]

#: Each kind as a message names it, and the command that reads it.
NAMES: dict[Kind, tuple[str, str]] = {
    "ruleset": ("a ruleset", "sniff ruleset check"),
    "game": ("a game file", "sniff replay"),
    "puzzle": ("a puzzle file", "sniff puzzle check"),
    "script": ("a script", "sniff play --script"),
}

#: How the line begins that every other file has, and lines that only a script has.
_YAML = re.compile(r"^sniff:", re.MULTILINE)
_SCRIPTED = re.compile(r"^\s*(expect\s+\w|deal\s+\S|wait\s+[0-9]|bots\s+(on|off)\b)", re.MULTILINE)

#: Where a file without line and column is meant, as in a pipe.
_PIPES = ("<stdin>", "-")


def kind_of(root: Node | None, text: str | bytes) -> Kind | None:
    """Return what a file is by what only that kind has, or None where nothing tells.

    ROOT is its YAML, None where it cannot be read as such.
    """
    if root is None or root.kind != "mapping":
        plain = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
        return "script" if _SCRIPTED.search(plain) and not _YAML.search(plain) else None
    kinds = {key.text: item.kind for key, item in root.pairs}
    if kinds.get("puzzles") == "sequence":
        return "puzzle"
    own = {"id", "extends", *(path[0] for path in keys() if len(path) > 1)} - {"players"}
    mine = bool(own & kinds.keys())
    if kinds.get("rounds") == "sequence" or (kinds.get("players") == "sequence" and not mine):
        return "game"
    return "ruleset" if mine else None


def other_kind(root: Node | None, text: str | bytes, file: str, wanted: Kind) -> Problem | None:
    """Return what to say of a FILE that is not of the kind WANTED; None where it may be."""
    found = kind_of(root, text)
    if found is None or found == wanted:
        return None
    mark = None if root is None else root.mark
    place = (mark.line, mark.column) if mark else (1, 1)
    return Problem(file, *place, "wrong-kind", wrong_kind(file, found, wanted))


def wrong_kind(file: str, found: Kind, wanted: Kind) -> str:
    """Return the message for a FILE of the kind FOUND where one of the kind WANTED belongs."""
    is_, command = NAMES[found]
    name = "-" if file in _PIPES else shlex.quote(file)
    return f"this is {is_}, not {NAMES[wanted][0]}; the command for it is `{command} {name}`"


def not_a_script(text: str, file: str) -> str:
    """Return the message for a TEXT that is YAML of another kind and no script, or nothing."""
    if not _YAML.search(text):
        return ""
    root, _ = parse(text, file)
    found = kind_of(root, text) if root is not None else None
    return wrong_kind(file, found, "script") if found not in (None, "script") else ""
