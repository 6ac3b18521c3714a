"""Which keys two rulesets answer differently."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sniffcli.ruleset.keys import HEAD, Path, keys
from sniffcli.ruleset.model import Ruleset
from sniffcli.ruleset.plain import resolved


@dataclass(frozen=True, slots=True)
class Change:
    """One key with its two values, written as in a file."""

    key: str
    before: str
    after: str
    #: The same values as data.
    values: tuple[Any, Any]


def changed_keys(before: Ruleset, after: Ruleset) -> list[Change]:
    """Return the keys of the game whose values differ, in the order of the model."""
    old, new = resolved(before), resolved(after)
    found = []
    for path, key in keys().items():
        if path[0] in HEAD or path == ("group",):
            continue
        if key.reader is None:
            # A section that may be absent as a whole.
            if (_at(old, path) is None) == (_at(new, path) is None) or key.required:
                continue
            values = (_at(old, path), _at(new, path))
        else:
            if _at(old, path[:-1]) is None or _at(new, path[:-1]) is None:
                continue
            values = (_at(old, path), _at(new, path))
        if values[0] != values[1]:
            found.append(Change(key.dotted, _written(values[0]), _written(values[1]), values))
    return found


def _at(data: Any, path: Path) -> Any:
    for step in path:
        data = data.get(step) if isinstance(data, dict) else None
    return data


def _written(value: Any) -> str:
    """Return a value as it stands in a file, on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_written(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_written(one) for one in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return "none" if value is None else str(value)
