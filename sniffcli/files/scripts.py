"""Script files for scripted play (contract, section 7): text to numbered lines and expectations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sniffcli.problems import did_you_mean

_COMMENT = re.compile(r"(?:^|\s)#.*$")

What = Literal[
    "sum",
    "points",
    "score",
    "turn",
    "ends",
    "hand",
    "tings",
    "over",
    "winner",
    "error",
    "boneyard",
    "round",
]

#: How each expectation is written.
FORMS: dict[What, str] = {
    "sum": "expect sum 15",
    "points": "expect points 15",
    "score": "expect score Ann 25",
    "turn": "expect turn Bob",
    "ends": "expect ends 0 2 3 3",
    "hand": "expect hand Ann 3",
    "tings": "expect tings Ann 2",
    "over": "expect over",
    "winner": "expect winner Ann",
    "error": "expect error too late",
    "boneyard": "expect boneyard 14",
    "round": "expect round 2",
}

_NUMBER: tuple[What, ...] = ("sum", "points", "boneyard", "round")
_NAME: tuple[What, ...] = ("turn", "winner")
_BOTH: tuple[What, ...] = ("score", "hand", "tings")


class ScriptError(ValueError):
    """A line that cannot be read; the message says how it is written."""


@dataclass(frozen=True, slots=True)
class ScriptLine:
    """One line that does something, with its number in the file from 1."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a script expects to be true at a line."""

    what: What
    #: The player it is about, for those that are about one.
    name: str = ""
    number: int = 0
    numbers: tuple[int, ...] = ()
    #: Words that the message of a failed command must hold.
    words: str = ""


def script_lines(text: str) -> list[ScriptLine]:
    """Return the lines that do something: comments and blank lines are left out."""
    found = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        bare = _COMMENT.sub("", line).strip()
        if bare:
            found.append(ScriptLine(number, bare))
    return found


def is_expectation(text: str) -> bool:
    """Whether a line is an expectation."""
    return text.split()[:1] == ["expect"]


def parse_expectation(text: str, names: Sequence[str]) -> Expectation:
    """Read `expect ...`; NAMES are the players.

    Raises:
        ScriptError: it is none of the forms.
    """
    words = text.split()[1:]
    if not words:
        raise ScriptError(f"expect what? Write one of: {', '.join(FORMS)}")
    what = next((form for form in FORMS if form == words[0]), None)
    if what is None:
        hint = did_you_mean(words[0], FORMS) or f"; it is one of {', '.join(FORMS)}"
        raise ScriptError(f'"{words[0]}" cannot be expected{hint}')
    rest = words[1:]
    form = FORMS[what]
    if what == "error":
        return Expectation(what, words=" ".join(rest))
    if what == "ends":
        return Expectation(what, numbers=tuple(sorted(_number(word, form) for word in rest)))
    if what in _NUMBER and len(rest) == 1:
        return Expectation(what, number=_number(rest[0], form))
    if what in _NAME and rest:
        return Expectation(what, name=_name(rest, names, what))
    if what in _BOTH and len(rest) > 1:
        return Expectation(what, _name(rest[:-1], names, what), _number(rest[-1], form))
    if what == "over" and not rest:
        return Expectation(what)
    raise ScriptError(f"this expectation is written {form}")


def seconds(text: str) -> float:
    """Read the time of `wait 7.5` (or `7.5s`).

    Raises:
        ScriptError: it is no time.
    """
    match = re.fullmatch(r"([0-9]{1,6}(?:\.[0-9]{1,6})?)\s*s?", text.strip())
    if match is None:
        raise ScriptError("wait how long? Write it like wait 7.5")
    return float(match[1])


def _number(word: str, form: str) -> int:
    if re.fullmatch(r"-?[0-9]{1,9}", word) is None:
        raise ScriptError(f"{word!r} is no number; this expectation is written {form}")
    return int(word)


def _name(words: Sequence[str], names: Sequence[str], what: What) -> str:
    name = " ".join(words)
    if name in names or (what == "winner" and name == "nobody"):
        return name
    hint = did_you_mean(name, names) or f"; the players are {', '.join(names)}"
    raise ScriptError(f'nobody is called "{name}"{hint}')
