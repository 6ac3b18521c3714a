"""A YAML file as it was written: nodes with their places, and what they mean as plain data.

Scalars are read in the spirit of YAML 1.2 (contract, section 3): `6:3`, `no` and `2024-05-01` stay
what was written; PyYAML's resolver, which follows YAML 1.1, is never asked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

#: Whole numbers with more digits than this stay text.
MAX_DIGITS = 100

_INTEGER = re.compile(rf"-?(0|[1-9][0-9]{{0,{MAX_DIGITS - 1}}})")
_WORDS: Mapping[str, object] = {"true": True, "false": False, "null": None, "": None}
#: Control characters, and the three line breaks that only YAML 1.1 knows: editors do not show them
#: as breaks, so the lines of our messages would not be those that the user sees.
UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]",
)


class Mark(NamedTuple):
    """A place in a file; line and column count from 1."""

    line: int
    column: int


class Node(NamedTuple):
    """A piece of a YAML file as it was written, with its place.

    A scalar has `text` and `plain` (written without quotes); a sequence has `items`; a mapping
    has `pairs`, whose keys are scalars.
    """

    kind: Literal["scalar", "sequence", "mapping"]
    mark: Mark
    text: str = ""
    plain: bool = True
    items: tuple[Node, ...] = ()
    pairs: tuple[tuple[Node, Node], ...] = ()


def value(node: Node) -> Any:
    """Return what a node means as plain data: None, bool, int, str, list or dict.

    Only plain whole numbers, `true`, `false`, `null` and empty values are converted, in keys as
    well as in values; where a name is wanted, take `Node.text`.
    """
    if node.kind == "scalar":
        return scalar_value(node.text) if node.plain else node.text
    if node.kind == "sequence":
        return [value(item) for item in node.items]
    return {value(key): value(item) for key, item in node.pairs}


def scalar_value(text: str) -> bool | int | str | None:
    """Return what TEXT means as a scalar without quotes.

    >>> [scalar_value(text) for text in ("7", "-3", "05", "6:3", "no", "true", "")]
    [7, -3, '05', '6:3', 'no', True, None]
    """
    if text in _WORDS:
        return _WORDS[text]  # type: ignore[return-value]
    return int(text) if _INTEGER.fullmatch(text) else text


def place(node: Node, path: Sequence[str | int], key: bool = False) -> Mark:
    """Return where the value at PATH stands, or with KEY the key that leads to it.

    Where the path ends too early, the nearest parent that exists is the place.
    """
    mark = node.mark
    for step in path:
        found = _step(node, step)
        if found is None:
            break
        name, node = found
        mark = name.mark if key and name is not None else node.mark
    else:
        return mark
    return node.mark


def _step(node: Node, step: str | int) -> tuple[Node | None, Node] | None:
    if node.kind == "mapping":
        for name, inner in node.pairs:
            if name.text == str(step) or value(name) == step:
                return name, inner
    elif node.kind == "sequence" and isinstance(step, int) and 0 <= step < len(node.items):
        return None, node.items[step]
    return None
