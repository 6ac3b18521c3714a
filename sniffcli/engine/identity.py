"""What tells one game from another: a key of the rules and sides that does not change by chance."""

from __future__ import annotations

import hashlib
import json

from sniffcli.game.state import Setup

#: What describes a ruleset and does not change how it is played.
DESCRIPTIVE = frozenset({"sniff", "id", "name", "summary", "source", "group", "extends"})


def rules_key(setup: Setup) -> str:
    """Return a short key that two setups share exactly if they are played alike."""
    dumped = setup.rules.model_dump(mode="json", exclude=set(DESCRIPTIVE))
    text = json.dumps([dumped, list(setup.sides)], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
