"""The keys of a ruleset as a list: what messages, the JSON Schema and the manual are made from."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from sniffcli.ruleset.model import Ruleset
from sniffcli.ruleset.readers import Mapped, Reader
from sniffcli.ruleset.section import Section
from sniffcli.ruleset.sections import PLAYERS

Path = tuple[str | int, ...]

#: Keys that say which ruleset this is; they are not inherited and no house rule.
HEAD = ("sniff", "id", "name", "summary", "source", "extends")


class Key(NamedTuple):
    """One key of a ruleset: its place in the file, what it means, and how its value is read.

    `reader` is None for a section. `default` is the value of an absent key.
    """

    path: tuple[str, ...]
    description: str
    required: bool
    default: Any
    reader: Reader | None

    @property
    def dotted(self) -> str:
        """The key as `--set` and messages write it."""
        return ".".join(self.path)


@cache
def keys() -> dict[Path, Key]:
    """Return every key and section by its path, in the order of the model."""
    return {key.path: key for key in _walk(Ruleset, ())}


def _walk(section: type[Section], above: tuple[str, ...]) -> Iterator[Key]:
    for field in section.fields:
        path = (*above, field.written)
        default = None if field.required else field.default
        yield Key(path, field.description, field.required, default, field.reader)
        if field.section is not None:
            yield from _walk(field.section, path)


def is_section(path: Path) -> bool:
    """Whether PATH is a group of keys."""
    return path == () or (path in keys() and keys()[path].reader is None)


def is_map_by_players(path: Path) -> bool:
    """Whether the value at PATH may be a map by number of players (these merge key by key)."""
    reader = keys()[path].reader if path in keys() else None
    return isinstance(reader, Mapped) and reader.keys == PLAYERS


def suggestion(path: Path) -> str:
    """Return `; did you mean "KEY"?` for the key that an unknown PATH was probably meant to be."""
    *above, last = path
    parts = tuple(str(last).split("."))
    if len(parts) > 1 and (*above, *parts) in keys():
        levels = "".join(f"{part}: {{" for part in parts[:-1])
        return f"; write it in levels: {levels}{parts[-1]}: ...{'}' * (len(parts) - 1)}"
    import difflib  # only where a key is misspelt; every game file asks us for its rules

    word = str(last).replace("-", "_").lower()
    beside = {key[-1]: one for key, one in keys().items() if key[:-1] == tuple(above)}
    for names in (beside, {str(key[-1]): one for key, one in reversed(keys().items())}):
        match = difflib.get_close_matches(word, [str(name) for name in names], n=1, cutoff=0.6)
        if match:
            return f'; did you mean "{names[match[0]].dotted}"?'
    inside = ".".join(map(str, above))
    return f"; {inside} has {', '.join(map(str, beside))}" if inside else ""


#: Forms of the games that the vocabulary leaves out on purpose, so that asking for one is
#: answered plainly instead of with a guess at a misspelling.
NOT_OFFERED: dict[tuple[str, str | None], str] = {
    ("layout.stub_arms", None): "the older Sniff, whose spinner lies in line and takes one tile on"
    " each long side that never grows (stub arms), is not offered",
    ("layout.doubles_lie", "player_choice"): "the form in which the player may lay a double"
    " endwise or crosswise is not offered; use across or inline",
    ("layout.arm_owner", None): "arms that belong to a player (Mexican Train) are not offered",
    ("layout.spinner_faces", None): "a spinner has four faces; other numbers are not offered",
    ("open.first_leader", "priority_list"): "a list of tiles that may lead is not offered",
    ("round_end.finish_bonus", None): "bonuses for the way of going out (capicua) are not offered",
    ("round_end.pip_override", None): "other values for single tiles in the hand are not offered",
    ("round_end.boneyard_counts", None): "tiles left in the boneyard never count",
}


def not_offered(path: Path, value: object) -> str | None:
    """Return why a form of the game that PATH or its VALUE asks for is not there, or None."""
    dotted = ".".join(map(str, path))
    word = value if isinstance(value, str) else None
    return NOT_OFFERED.get((dotted, None)) or NOT_OFFERED.get((dotted, word))
