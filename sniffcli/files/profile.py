"""What a player has won: matches, titles, trophies and board skins, kept in the user's data."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from sniffcli.files.places import data_dir
from sniffcli.files.writing import write_atomic

#: The version of the format.
FORMAT = 1


class ProfileError(ValueError):
    """A profile file that cannot be used; the message says why."""


@dataclass
class Profile:
    """One player's honours."""

    matches: int = 0
    wins: int = 0
    titles: list[str] = field(default_factory=list)
    trophies: list[str] = field(default_factory=list)
    #: The board skin in use.
    skin: str = "ivory"


def profile_path() -> Path:
    """Return where the honours are kept."""
    return data_dir() / "honours.json"


def to_text(profile: Profile) -> str:
    """Return a profile as JSON text, for the file and for export."""
    return json.dumps({"sniff": FORMAT, **asdict(profile)}, indent=2, ensure_ascii=False) + "\n"


def from_text(text: str) -> Profile:
    """Read what `to_text` wrote.

    Raises:
        ProfileError: the text is something else.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise ProfileError("this is no JSON text") from None
    if not isinstance(data, dict) or not isinstance(data.get("sniff"), int):
        raise ProfileError("this is no file of honours")
    if data["sniff"] > FORMAT:
        raise ProfileError(f"this file has format {data['sniff']}; a newer program is needed")
    profile = Profile()
    for one in fields(Profile):
        if one.name in data:
            setattr(profile, one.name, _checked(one.name, data[one.name]))
    return profile


def _checked(name: str, given: Any) -> Any:
    kind = type(getattr(Profile(), name))
    fits = isinstance(given, kind) and not isinstance(given, bool)
    if fits and kind is list:
        fits = all(isinstance(word, str) for word in given)
    if not fits:
        raise ProfileError(f"{name} is not what it should be in a file of honours")
    return given


def merged(first: Profile, second: Profile) -> Profile:
    """Return the honours of two files of one player: no deed is lost or counted twice."""
    return Profile(
        matches=max(first.matches, second.matches),
        wins=max(first.wins, second.wins),
        titles=list(dict.fromkeys([*first.titles, *second.titles])),
        trophies=list(dict.fromkeys([*first.trophies, *second.trophies])),
        skin=first.skin,
    )


def load_profile(path: Path | None = None) -> Profile:
    """Return the honours kept at PATH (default: the user's data); new ones if there are none.

    Raises:
        ProfileError: the file is there but unusable.
        OSError: the file cannot be read.
    """
    where = path or profile_path()
    try:
        return from_text(where.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Profile()
    except UnicodeDecodeError:
        raise ProfileError("this is no JSON text") from None


def save_profile(profile: Profile, path: Path | None = None) -> None:
    """Keep the honours.

    Raises:
        OSError: the file cannot be written.
    """
    where = path or profile_path()
    where.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(where, to_text(profile), force=True)
