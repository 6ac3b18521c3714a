"""What tells one game from another: a key of the rules and sides that does not change by chance."""

from __future__ import annotations

import hashlib
import json

from sniffcli.game.state import Setup

#: What describes a ruleset and does not change how it is played by a given number of players.
DESCRIPTIVE = frozenset({"sniff", "id", "name", "summary", "source", "group", "extends", "players"})


def rules_key(setup: Setup) -> str:
    """Return a short key that two setups share exactly if they are played alike."""
    rules, seats = setup.rules, setup.seats
    dumped = rules.model_dump(mode="json", exclude=set(DESCRIPTIVE))
    # What depends on the number of players counts as far as it concerns this number.
    dumped["deal"]["hand"] = rules.hand_size(seats)
    dumped["set"]["remove"] = [str(tile) for tile in rules.removed(seats)]
    dumped["draw"]["reserve"] = rules.reserve(seats)
    dumped["match"]["target"] = rules.target(seats)
    text = json.dumps([dumped, list(setup.sides)], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
