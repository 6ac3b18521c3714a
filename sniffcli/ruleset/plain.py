"""Rulesets as plain data: back to what a file would say, with all keys or only the differences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from sniffcli.ruleset.model import Ruleset
from sniffcli.ruleset.section import Section
from sniffcli.ruleset.words import TAGS
from sniffcli.tiles import Tile


def resolved(rules: Ruleset) -> dict[str, Any]:
    """Return every key with its value in force, as nested mappings of words and numbers."""
    data: dict[str, Any] = plain(rules)
    del data["extends"]
    return {"sniff": data.pop("sniff")} | data


def plain(value: Any) -> Any:
    """Return VALUE, a part of a ruleset, as plain data that a file could hold."""
    if isinstance(value, Section):
        return {field.written: plain(getattr(value, field.name)) for field in value.fields}
    if isinstance(value, Tile):
        return str(value)
    if isinstance(value, Mapping):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, tuple | list):
        return [plain(one) for one in value]
    if is_dataclass(value) and not isinstance(value, type):
        tag = next(key for key, kind in TAGS.items() if type(value) is kind)
        return {tag: plain(getattr(value, fields(value)[0].name))}
    return value
