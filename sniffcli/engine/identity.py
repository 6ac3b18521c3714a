"""What tells one game from another: a key of the rules and sides that does not change by chance."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from sniffcli.game.state import Setup
from sniffcli.ruleset.section import Section

#: What describes a ruleset and does not change how it is played by a given number of players.
DESCRIPTIVE = frozenset({"sniff", "id", "name", "summary", "source", "group", "extends", "players"})


def rules_key(setup: Setup) -> str:
    """Return a short key that two setups share exactly if they are played alike."""
    return _key(setup, DESCRIPTIVE)


def round_key(setup: Setup) -> str:
    """Return a short key that two setups share exactly if a single round is played alike.

    When the match is over is left out: scores that are far from its end change nothing.
    """
    return _key(setup, DESCRIPTIVE | {"match"})


def _key(setup: Setup, left_out: frozenset[str]) -> str:
    rules, seats = setup.rules, setup.seats
    dumped = {name: one for name, one in _dumped(rules).items() if name not in left_out}
    # What depends on the number of players counts as far as it concerns this number.
    dumped["deal"]["hand"] = rules.hand_size(seats)
    dumped["set"]["remove"] = [str(tile) for tile in rules.removed(seats)]
    dumped["draw"]["reserve"] = rules.reserve(seats)
    if "match" in dumped:
        dumped["match"]["target"] = rules.target(seats)
    text = json.dumps([dumped, list(setup.sides)], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _dumped(value: Any) -> Any:
    """Return a part of the rules as JSON; what is kept by `rules_key` relies on its every letter.

    It is not what a file says (`ruleset.plain`): the words of files may grow other spellings.
    """
    if isinstance(value, Section):
        return {field.name: _dumped(getattr(value, field.name)) for field in value.fields}
    if isinstance(value, Mapping):
        return {str(key): _dumped(one) for key, one in value.items()}
    if isinstance(value, tuple):
        return [_dumped(one) for one in value]
    if is_dataclass(value):
        return {field.name: _dumped(getattr(value, field.name)) for field in fields(value)}
    return value
