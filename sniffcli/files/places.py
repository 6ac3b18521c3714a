"""Where a player's own data lives: progress, honours and saved games."""

from __future__ import annotations

import os
from pathlib import Path


def data_dir() -> Path:
    """Return the directory of the user's data; `SNIFF_DATA_DIR` names another one."""
    named = os.environ.get("SNIFF_DATA_DIR")
    if named:
        return Path(named)
    from platformdirs import user_data_path

    return user_data_path("sniff", appauthor=False)


def cache_dir() -> Path:
    """Return the directory of what can be computed again; `SNIFF_CACHE_DIR` names another one."""
    named = os.environ.get("SNIFF_CACHE_DIR")
    if named:
        return Path(named)
    from platformdirs import user_cache_path

    return user_cache_path("sniff", appauthor=False)


def games_dir() -> Path:
    """Return the directory in which games are saved that have no file of their own."""
    return data_dir() / "games"
