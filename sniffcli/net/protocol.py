"""The messages of a hosted game: their fields, their limits, and reading what a terminal sent.

`man/sniff-protocol.7` describes them for people; its examples are read by the tests.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

#: The version of the protocol; a terminal with another one is told both numbers.
VERSION = 1

#: One message as plain data.
Message = dict[str, Any]

#: The most bytes of one message from a terminal.
MOST_BYTES = 4096

#: The most signs of one action in words.
MOST_WORDS = 120

#: Message numbers stay below this, so that every language can hold them.
MOST_ID = 2**53

#: What terminals send: the fields of each kind, and whether they have to be there.
FROM_TERMINAL: dict[str, dict[str, tuple[type, bool]]] = {
    "hello": {
        "sniff": (int, True),
        "sector": (str, True),
        "name": (str, False),
        "token": (str, False),
    },
    "act": {"id": (int, True), "do": (str, True)},
    "crew": {"id": (int, True), "size": (int, True)},
    "start": {"id": (int, True)},
    "next": {"id": (int, True)},
    "new": {"id": (int, True)},
    "leave": {"id": (int, True)},
}

#: What the host sends.
FROM_HOST = (
    "welcome",
    "lobby",
    "voyage",
    "round",
    "event",
    "blind",
    "opened",
    "closed",
    "seats",
    "clock",
    "done",
    "refused",
)

#: Why a message is refused, besides the codes of the rules (`turn`, `tile`, `claim` and so on).
REFUSALS = {
    "malformed": "no JSON object with the fields of its kind",
    "oversized": f"more than {MOST_BYTES} bytes",
    "version": "another version of the protocol",
    "sector": "no table has this sector id",
    "token": "the token is not that of a seat here",
    "name": "nobody can be called like this here",
    "full": "no seat is free, or the game has begun",
    "replayed": "a message with this number or a later one was dealt with already",
    "flood": "too many messages in a short time",
    "admiral": "only the Admiral may do this",
    "lobby": "not at this moment of the voyage",
    "crew": "not a size of crew for these rules",
    "action": "the words are no action",
    "time": "too early or too late by the clock of the host",
    "busy": "the host has no room for another terminal, or cannot write down what happens",
}


class Refused(Exception):
    """A message that is refused: a short code, a sentence, and choices where it was ambiguous."""

    def __init__(self, code: str, message: str, choices: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.choices = choices

    def answer(self, number: int | None = None) -> Message:
        """Return the message that tells the terminal."""
        told: Message = {"type": "refused", "code": self.code, "message": self.message}
        if number is not None:
            told["id"] = number
        if self.choices:
            told["choices"] = list(self.choices)
        return told


def read(text: str | bytes) -> Message:
    """Read one message of a terminal.

    Raises:
        Refused: it is none.
    """
    if isinstance(text, bytes):
        raise Refused("malformed", "messages are text frames, and this one is binary")
    if len(text.encode("utf-8", "surrogatepass")) > MOST_BYTES:
        raise Refused("oversized", f"a message has at most {MOST_BYTES} bytes")
    try:
        found = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise Refused("malformed", "this is no JSON object") from None
    if not isinstance(found, dict):
        raise Refused("malformed", "a message is a JSON object")
    kind = found.get("type")
    if not isinstance(kind, str) or kind not in FROM_TERMINAL:
        raise Refused("malformed", f"`type` is one of {', '.join(FROM_TERMINAL)}")
    _check(kind, found)
    return found


def _check(kind: str, found: Mapping[str, Any]) -> None:
    fields = FROM_TERMINAL[kind]
    for key in found:
        if key != "type" and key not in fields:
            raise Refused("malformed", f"{kind} has no such field; it has {', '.join(fields)}")
    for key, (wanted, needed) in fields.items():
        if key not in found:
            if needed:
                raise Refused("malformed", f"{kind} needs `{key}`")
            continue
        value = found[key]
        if not isinstance(value, wanted) or isinstance(value, bool):
            raise Refused("malformed", f"`{key}` is {_word(wanted)}")
        if isinstance(value, int) and not 0 <= value < MOST_ID:
            raise Refused("malformed", f"`{key}` is a number from 0 to {MOST_ID - 1}")
        if isinstance(value, str):
            _check_text(key, value)


def _check_text(key: str, value: str) -> None:
    if len(value) > MOST_WORDS:
        raise Refused("malformed", f"`{key}` has at most {MOST_WORDS} signs")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        # JSON can write half of a pair that stands for one sign; no answer could repeat it.
        raise Refused("malformed", f"`{key}` holds half a sign") from None


def _word(wanted: type) -> str:
    return "a whole number" if wanted is int else "text"


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def _no_constant(word: str) -> Any:
    raise ValueError(f"{word} is no JSON")


def written(message: Message) -> str:
    """Return a message as the text that is sent."""
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
