"""What a table and its people are called: sector ids to speak, names fit for a terminal."""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Callable, Iterable

from sniffcli.files.notation import name_problem
from sniffcli.net.protocol import Refused

#: Letters that no two of which sound alike over a bad line, and the vowels between them.
CONSONANTS = "bdfgklmnprstvz"
VOWELS = "aeiou"

#: Syllables of a sector id in all, and in each of its words. Eight give log2(70 ** 8) = 49 bits.
SYLLABLES, OF_A_WORD = 8, 2

#: The most columns that a name takes on a screen.
WIDEST_NAME = 16


def sector(below: Callable[[int], int] = secrets.randbelow) -> str:
    """Return a new sector id, like `bako-temi-rulo-safi`; BELOW draws a number under a limit."""
    syllables = [
        CONSONANTS[below(len(CONSONANTS))] + VOWELS[below(len(VOWELS))] for _ in range(SYLLABLES)
    ]
    words = ("".join(syllables[at : at + OF_A_WORD]) for at in range(0, SYLLABLES, OF_A_WORD))
    return "-".join(words)


def spoken(text: str) -> str:
    """Return a sector id as it is kept, however it was typed after being told."""
    letters = re.sub(r"[^a-z]", "", text.lower())
    step = 2 * OF_A_WORD
    return "-".join(letters[at : at + step] for at in range(0, len(letters), step))


def width(text: str) -> int:
    """Return the columns that TEXT takes on a terminal."""
    return sum(
        0
        if unicodedata.combining(sign) or unicodedata.category(sign) in ("Mn", "Me")
        else 2
        if unicodedata.east_asian_width(sign) in "WF"
        else 1
        for sign in text
    )


def cleaned(name: str) -> str:
    """Return NAME without what could harm a terminal: control signs, odd spaces, too much of it."""
    text = unicodedata.normalize("NFC", name)
    text = "".join(
        " " if unicodedata.category(sign).startswith("Z") or sign in "\t\n\r\v\f" else sign
        for sign in text
        if sign in "\t\n\r\v\f" or not unicodedata.category(sign).startswith("C")
    )
    text = " ".join(text.split())
    kept, marks = "", 0
    for sign in text:
        marks = marks + 1 if width(sign) == 0 else 0
        # A letter may carry two marks; a tower of them would climb into other lines.
        if marks > 2:
            continue
        if width(kept + sign) > WIDEST_NAME:
            break
        kept += sign
    return kept.strip()


def admitted(name: str, taken: Iterable[str]) -> str:
    """Return the name under which somebody sits down.

    Raises:
        Refused: it cannot be a name, or somebody has it already.
    """
    text = cleaned(name)
    problem = name_problem(text)
    if problem is None and ":" in text:
        problem = "a name has no colon"
    if problem is not None:
        raise Refused("name", problem)
    if any(text.casefold() == one.casefold() for one in taken):
        raise Refused("name", f"somebody here is called {text} already")
    return text
