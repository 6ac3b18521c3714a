"""The tokens that give a person's seats back, kept in the user's own data."""

from __future__ import annotations

import json
import os
from pathlib import Path

from sniffcli.files.places import data_dir
from sniffcli.files.writing import FileRefused, write_atomic

#: Seats that are remembered; the oldest are forgotten.
MOST = 100


def _file() -> Path:
    return data_dir() / "seats.json"


def _read() -> dict[str, str]:
    try:
        found = json.loads(_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {str(place): str(token) for place, token in found.items()}


def known_token(place: str) -> str | None:
    """Return the token of a seat where this person has sat before."""
    return _read().get(place)


def keep_token(place: str, token: str | None) -> None:
    """Keep the token of a seat, or forget it; where it cannot be written it lasts for this run."""
    seats = _read()
    if seats.get(place) == token:
        return
    seats.pop(place, None)
    if token is not None:
        seats[place] = token
    kept = dict(list(seats.items())[-MOST:])
    path = _file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, json.dumps(kept, indent=1) + "\n", force=True)
        os.chmod(path, 0o600)
    except (OSError, FileRefused):
        return
