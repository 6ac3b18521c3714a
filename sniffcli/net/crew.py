"""Who sits at a hosted table and by which plan, and the messages that tell people of it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sniffcli.net.protocol import VERSION, Message
from sniffcli.net.voyage import GRACE, Voyage
from sniffcli.ruleset.model import Ruleset

#: Seconds after which a bot plays for a terminal that has dropped.
STAND_IN = 30.0

#: A terminal as whoever carries the messages knows it.
Key = int


@dataclass(frozen=True)
class Plan:
    """What a table is opened with."""

    rules: Ruleset
    #: The rules as one text, house rules and parents laid in, for the terminals.
    rules_text: str
    #: The ruleset (`library.whole_name`), and house rules over it, for game files.
    ruleset: str
    overrides: Mapping[str, Any] = field(default_factory=dict)
    crew: int = 2
    levels: tuple[str, ...] = ("casual",)
    partners: bool = False
    stand_in: float = STAND_IN
    grace: float = GRACE


@dataclass
class Person:
    """Somebody who has a seat, with or without a terminal."""

    name: str
    #: The hash of the token that gives the seat back.
    token: str
    key: Key | None = None
    #: Message number up to which everything was dealt with, and the last that was done.
    last_id: int = 0
    done_id: int = 0
    #: When the terminal dropped.
    dropped: float | None = None
    #: What this seat was told of the present round.
    round_told: int = 0
    events_told: int = 0
    opened_told: bool = False
    blind_told: tuple[object, ...] | None = None


def hashed(token: str) -> str:
    """Return a token as it is kept."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def opening_line(sector: str, plan: Plan) -> Message:
    """Return the line with which the log of a table begins."""
    return {
        "kind": "table",
        "sniff": VERSION,
        "sector": sector,
        "ruleset": plan.ruleset,
        "overrides": dict(plan.overrides),
        "rules": plan.rules_text,
        "crew": plan.crew,
        "levels": list(plan.levels),
        "partners": plan.partners,
    }


def welcome(
    sector: str,
    plan: Plan,
    people: Sequence[Person],
    person: Person,
    admiral: Person | None,
    voyage: Voyage | None,
) -> Message:
    """Return what somebody is told who has a seat now."""
    seat = people.index(person)
    return {
        "type": "welcome",
        "sniff": VERSION,
        "sector": sector,
        "name": person.name,
        "seat": seat,
        "admiral": person is admiral,
        "last_id": person.last_id,
        "grace": plan.grace,
        "stand_in": plan.stand_in,
        "stood_in": voyage is not None and voyage.game.levels[seat] is not None,
    }


def lobby(plan: Plan, people: Sequence[Person], crew: int, *, begun: bool) -> Message:
    """Return who sits at the table."""
    return {
        "type": "lobby",
        "game": plan.rules.title,
        "crew": crew,
        "sizes": list(plan.rules.legal_players()),
        "people": [one.name for one in people],
        "bots": max(0, crew - len(people)),
        "begun": begun,
    }


def voyage_message(plan: Plan, voyage: Voyage, seat: int) -> Message:
    """Return what a seat is told when a match begins."""
    setup = voyage.setup
    return {
        "type": "voyage",
        "voyage": voyage.number,
        "seat": seat,
        "players": list(setup.names),
        "sides": list(setup.sides),
        "bots": sorted(setup.bots),
        "rules": plan.rules_text,
        "commitment": voyage.promise.commitment,
    }


def seats_message(voyage: Voyage, people: Sequence[Person], admiral: Person | None) -> Message:
    """Return whose terminal is there, for whom a bot plays, and who commands."""
    return {
        "type": "seats",
        "admiral": None if admiral is None else people.index(admiral),
        "here": [one.key is not None for one in people],
        "stand_in": [voyage.game.levels[seat] is not None for seat in range(len(people))],
    }


def clock_message(voyage: Voyage, now: float) -> Message:
    """Return where the clock of the round stands, and whether it stands still."""
    return {
        "type": "clock",
        "elapsed": round(voyage.elapsed(now), 3),
        "stands": voyage.stopped is not None,
    }


def blind_message(voyage: Voyage, seat: int, elapsed: float) -> Message:
    """Return what a seat is told that is under water: its own tiles, and whether it is its turn."""
    state = voyage.game.state
    return {
        "type": "blind",
        "seconds": round(state.submerged[seat] - elapsed, 3),
        "turn": state.turn,
        "hand": [str(tile) for tile in state.hands[seat].tiles],
    }
