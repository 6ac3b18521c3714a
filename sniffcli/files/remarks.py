"""What the program itself writes into `notes`: hints asked, actions taken back, and the like."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

UNDONE = "Actions were taken back in this match."
HIDDEN = "The counter is hidden."
_HINTED = re.compile(r"Hints were asked before ((?:\d+\.\d+ ?)+)\.")

#: A decision: the number of its round and of its event, both from 1.
Place = tuple[int, int]


class Remarks(NamedTuple):
    """What notes say of how a game was played, and the notes of people beside it."""

    hinted: frozenset[Place]
    undone: bool
    #: Whether people found the sums themselves when it was written.
    counter_hidden: bool
    notes: str | None


def read_remarks(notes: str | None) -> Remarks:
    """Split the notes of a game into remarks of the program and the words of people."""
    text = notes or ""
    hinted: set[Place] = set()
    for found in _HINTED.finditer(text):
        for place in found[1].split():
            number, event = place.split(".")
            hinted.add((int(number), int(event)))
    rest = _HINTED.sub("", text).replace(UNDONE, "").replace(HIDDEN, "").strip()
    return Remarks(frozenset(hinted), UNDONE in text, HIDDEN in text, rest or None)


def with_remarks(
    notes: str | None, hinted: Iterable[Place], *, undone: bool, counter_hidden: bool
) -> str | None:
    """Return the notes of people with the remarks of the program behind them."""
    parts = [notes] if notes else []
    if undone:
        parts.append(UNDONE)
    if counter_hidden:
        parts.append(HIDDEN)
    places = " ".join(f"{number}.{event}" for number, event in sorted(hinted))
    if places:
        parts.append(f"Hints were asked before {places}.")
    return " ".join(parts) or None
