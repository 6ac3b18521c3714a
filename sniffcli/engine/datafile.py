"""Files of measured data: entries by a key of the rules, and a version that makes old ones void."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def entries(path: Path, kind: str, version: int) -> dict[str, Any]:
    """Return the entries of a file by key; none if it cannot be read or is of another version."""
    try:
        found = json.loads(path.read_text("utf-8"))
        return dict(found[kind]) if found["version"] == version else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def text_of(
    found: Mapping[str, Mapping[str, Any]],
    kind: str,
    version: int,
    *,
    compact: bool = False,
    **head: object,
) -> str:
    """Return the text of a file of entries, one line for each; HEAD is said before them."""
    separators = (",", ":") if compact else None
    rows = ",\n".join(
        f"{json.dumps(key)}: {json.dumps(one, separators=separators)}" for key, one in found.items()
    )
    said = "".join(
        f"{json.dumps(name)}: {json.dumps(value)}, "
        for name, value in {"version": version, **head}.items()
    )
    return f"{{{said}{json.dumps(kind)}: {{\n{rows}\n}}}}\n"
