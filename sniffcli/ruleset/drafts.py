"""Rulesets before they are checked: values as written, each with the place where it stands.

Drafts are laid over one another (parent, child, house rules) before anything is checked, so
that a problem names the file, line and column of the value that was wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from sniffcli.ruleset.keys import HEAD, Path, is_map_by_players, is_section, keys
from sniffcli.yamlio import Mark, Node, value

#: The place of what was not written in any file.
NOWHERE = Mark(0, 0)


class Place(NamedTuple):
    """Where a key and its value stand; `layer` counts the drafts that lie below."""

    file: str
    key: Mark
    value: Mark
    layer: int = 0


class Draft(NamedTuple):
    """The values of a ruleset with their places; `start` is where the topmost of them begins.

    `complete` is false where a parent could not be read: what is missing is then not reported.
    """

    file: str
    values: Mapping[str, Any] = MappingProxyType({})
    places: Mapping[Path, Place] = MappingProxyType({})
    start: Mark = NOWHERE
    layer: int = 0
    complete: bool = True

    def at(self, path: Path) -> Place:
        """Return the place of PATH, or of the nearest thing around it that was written."""
        for length in range(len(path), 0, -1):
            if path[:length] in self.places:
                return self.places[path[:length]]
        return Place(self.file, self.start, self.start, self.layer)


def from_node(node: Node, file: str) -> Draft:
    """Return the draft of a mapping in a file."""
    places: dict[Path, Place] = {}

    def mark(inner: Node, path: Path) -> None:
        for name, below in inner.pairs:
            here = (*path, value(name))
            places[here] = Place(file, name.mark, below.mark)
            mark(below, here)
        for index, below in enumerate(inner.items):
            places[(*path, index)] = Place(file, below.mark, below.mark)
            mark(below, (*path, index))

    mark(node, ())
    return Draft(file, value(node), places, node.mark)


def from_values(values: Mapping[Any, Any], file: str) -> Draft:
    """Return the draft of values that stand in no file, such as those of `--set`."""
    places: dict[Path, Place] = {}

    def mark(inner: Any, path: Path) -> None:
        if path:
            places[path] = Place(file, NOWHERE, NOWHERE)
        if isinstance(inner, Mapping):
            for key, below in inner.items():
                mark(below, (*path, key))

    mark(values, ())
    return Draft(file, values, places)


def heir(parent: Draft) -> Draft:
    """Return what a child takes from PARENT: everything but the keys that say who it is."""
    values = {key: one for key, one in parent.values.items() if key not in HEAD}
    places = {path: one for path, one in parent.places.items() if path[0] not in HEAD}
    return Draft(parent.file, values, places, parent.start, parent.layer, parent.complete)


def overlay(base: Draft, top: Draft) -> Draft:
    """Lay TOP over BASE.

    Sections and maps by number of players merge key by key, everything else replaces, and null
    restores the default.
    """
    layer = base.layer + 1
    places = dict(base.places)

    def forget(kept: Any, path: Path) -> None:
        places.pop(path, None)
        for step, below in _inside(kept):
            forget(below, (*path, step))

    def take(given: Any, path: Path) -> None:
        if path in top.places:
            places[path] = top.places[path]._replace(layer=layer)
        for step, below in _inside(given):
            take(below, (*path, step))

    def merge(old: Mapping[Any, Any], new: Mapping[Any, Any], above: Path) -> dict[Any, Any]:
        merged = dict(old)
        for key, given in new.items():
            path = (*above, key)
            kept = merged.get(key)
            numbered = is_map_by_players(above) and str(key).isdecimal()
            if given is None and (path in keys() or numbered):
                forget(merged.pop(key, None), path)
            elif isinstance(given, Mapping) and (is_section(path) or is_map_by_players(path)):
                # A map by players takes the place of a single number, yet joins another map.
                below = kept if isinstance(kept, Mapping) else {}
                if below is not kept:
                    forget(kept, path)
                take(None, path)
                merged[key] = merge(below, given, path)
            else:
                forget(kept, path)
                take(given, path)
                merged[key] = given
        return merged

    values = merge(base.values, top.values, ())
    start = top.start if top.start != NOWHERE else base.start
    file = top.file if top.start != NOWHERE else base.file
    return Draft(file, values, places, start, layer, base.complete and top.complete)


def _inside(one: Any) -> Iterable[tuple[str | int, Any]]:
    """Return the steps and values directly inside a mapping or list."""
    if isinstance(one, Mapping):
        return one.items()
    return enumerate(one) if isinstance(one, list) else ()
