"""Changing an input as a hurried hand, a broken disk or a clever enemy would."""

from __future__ import annotations

import random
import re

#: Pieces that mean something to one of the formats.
PIECES = [
    piece.encode()
    for piece in (
        "null", "[]", "{}", "true", "-1", "0", "7", "2.5", "1e9", "99999999999999999999", "6-6",
        "6:6", "0-0", "12-12", "x", "\"\"", "''", "[6-6, 6-6]", "{Ann: 7}", "{2: 7}", "pass",
        "draw", "draw 6-6", "claim 5", "catch Bob", "keelhaul Bob", "finish", "resign", "next",
        "undo", "6-6 on 6-6 tip", "6-6 at 6 out 6", "after 3 s", "- ", ": ", "\n", "\n  ", "\t",
        "&a", "*a", "<<: *a", "!!str", "---", "...", "#", "'", "\"", "|", ">", "%YAML 1.1",
        "\r", "\u0000", "\u001b[A", "\u0003", "\u0004", "\ufeff", "\u2028", "é", "–", "陳", "🎲",
        "expect sum 15", "wait 1e9", "wait -1", "bots on", "Ann: ", "Bob: ", "help", "?",
        "counter off", "extends: block", "id: x", "none", "layout: [6-6]", "passes: 2",
        "leader: Bob", "written: {Ann: 5}", "bonus: {Ann: 5}", "match: {target: 5}",
        "set: {max_pip: 18}", "deal: {hand: all_even}", "ask: value", "answer: 5", "of: Ann",
        "never: true", "to_play: Ann",
        "{" * 30, "[" * 30, "- " * 30,
    )
]  # fmt: skip
_NUMBER = re.compile(rb"[0-9]+")
_WORD = re.compile(rb"[A-Za-z_]{3,}")


def changed(rng: random.Random, inputs: list[bytes]) -> bytes:
    """Return one of INPUTS with one to five changes."""
    text = rng.choice(inputs)
    for _ in range(rng.randint(1, 5)):
        text = rng.choice(_WAYS)(rng, text, inputs)
    return text[:20_000]


def _piece_in(rng: random.Random, text: bytes, inputs: list[bytes]) -> bytes:
    at = rng.randint(0, len(text))
    return text[:at] + rng.choice(PIECES) + text[at + rng.choice((0, 0, 1, 5)) :]


def _cut(rng: random.Random, text: bytes, inputs: list[bytes]) -> bytes:
    at = rng.randint(0, len(text))
    return text[:at] + text[at + rng.randint(1, 40) :]


def _bytes_in(rng: random.Random, text: bytes, inputs: list[bytes]) -> bytes:
    at = rng.randint(0, len(text))
    return text[:at] + rng.randbytes(rng.randint(1, 4)) + text[at:]


def _line_moved(rng: random.Random, text: bytes, inputs: list[bytes]) -> bytes:
    lines = text.split(b"\n")
    taken = lines.pop(rng.randrange(len(lines)))
    for _ in range(rng.choice((0, 1, 1, 2, 30))):
        lines.insert(rng.randint(0, len(lines)), taken)
    return b"\n".join(lines)


def _value(rng: random.Random, text: bytes, inputs: list[bytes]) -> bytes:
    lines = text.split(b"\n")
    number = rng.randrange(len(lines))
    key, colon, _ = lines[number].partition(b": ")
    lines[number] = key + b": " + rng.choice(PIECES) if colon else rng.choice(PIECES)
    return b"\n".join(lines)


def _number(rng: random.Random, text: bytes, inputs: list[bytes]) -> bytes:
    return _one(rng, _NUMBER, text, str(rng.choice((0, 1, 2, 7, 19, 99, 10**9, -3))).encode())


def _other_word(rng: random.Random, text: bytes, inputs: list[bytes]) -> bytes:
    words = _WORD.findall(rng.choice(inputs)) or [b"x"]
    return _one(rng, _WORD, text, rng.choice(words))


def _one(rng: random.Random, what: re.Pattern[bytes], text: bytes, new: bytes) -> bytes:
    found = list(what.finditer(text))
    if not found:
        return text
    one = rng.choice(found)
    return text[: one.start()] + new + text[one.end() :]


def _joined(rng: random.Random, text: bytes, inputs: list[bytes]) -> bytes:
    other = rng.choice(inputs)
    return text[: rng.randint(0, len(text))] + other[rng.randint(0, len(other)) :]


_WAYS = [_piece_in, _cut, _bytes_in, _line_moved, _value, _value, _number, _other_word, _joined]
