"""Where the shipped rulesets and scenarios are: inside the package, in a checkout beside it."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache
from pathlib import Path

import sniffcli

#: What a file of rules is called.
SUFFIXES = (".yaml", ".yml")


def _shipped_dir(name: str) -> Path:
    package = Path(sniffcli.__file__).resolve().parent
    installed = package / name
    return installed if installed.is_dir() else package.parent / name


def rulesets_dir() -> Path:
    """Return the directory of the shipped rulesets."""
    return _shipped_dir("rulesets")


def scenarios_dir() -> Path:
    """Return the directory of the shipped puzzles, games and scripts."""
    return _shipped_dir("scenarios")


@cache
def shipped() -> tuple[str, ...]:
    """Return the ids of the shipped rulesets in alphabetical order."""
    return tuple(sorted(path.stem for path in rulesets_dir().glob("*.yaml")))


def find(name: str | Path, beside: Path | None = None) -> Path | None:
    """Return the file of a ruleset that is called by its shipped id or by a path, or None.

    A relative path starts at BESIDE, the directory of the file that names the ruleset.
    """
    if isinstance(name, str) and name in shipped():
        return rulesets_dir() / f"{name}.yaml"
    path = Path(name) if beside is None else beside / name
    try:
        # Not only regular files: a shell may hand over a pipe.
        return path if path.exists() and not path.is_dir() else None
    except (OSError, ValueError):  # a name that no file system can hold
        return None


def whole_name(name: str, beside: Path | None = None) -> str:
    """Return a shipped id as it is, and what names a file as a path that holds everywhere.

    A relative path starts at BESIDE, as in `find`.
    """
    return name if name in shipped() else str((Path(beside or "") / name).absolute())


def name_in(folder: Path, name: str) -> str:
    """Return how a file in FOLDER names the ruleset that is called NAME here."""
    return name if name in shipped() else os.path.relpath(name, folder.absolute())


def find_parent(name: str, beside: Path | None) -> Path | None:
    """Return the file of the parent NAME: beside the file that extends it, else shipped."""
    for directory in (beside, rulesets_dir()):
        for suffix in SUFFIXES:
            if directory is not None and (directory / f"{name}{suffix}").is_file():
                return directory / f"{name}{suffix}"
    return None


def unknown(name: str) -> str:
    """Return the message for a ruleset that is neither shipped nor a file."""
    with suppress(OSError, ValueError):
        if Path(name).is_dir():
            return f'"{name}" is a directory; name one ruleset file in it'
    import difflib  # only where a name is misspelt; every game file asks us for its rules

    match = difflib.get_close_matches(name, shipped(), n=1, cutoff=0.5)
    hint = f'did you mean "{match[0]}"?' if match else "see `sniff ruleset list`"
    return f'no ruleset is called "{name}", and no file either; {hint}'
