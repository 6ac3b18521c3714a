"""The parts of the pages that are made from the definitions of the program."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from sniffcli.engine.policies import shipped_data
from sniffcli.ruleset.checks import CAUTIONS, CONTRADICTIONS, IDLE
from sniffcli.ruleset.contradictions import Contradiction
from sniffcli.ruleset.keys import Key, keys
from sniffcli.ruleset.plain import plain
from sniffcli.ruleset.readers import MOST


def ruleset_keys() -> str:
    """Return every key of a ruleset with what it may be, its default and its meaning."""
    parts = []
    for key in keys().values():
        if key.reader is None:
            parts.append(f"## {key.dotted}\n{key.description}\n")
            continue
        about = [key.description, f"Values: {values(key.reader.schema())}."]
        about.append("Required." if key.required else f"Default: {default(key)}.")
        parts.append(f"**{key.dotted}**\n: {' '.join(about)}\n")
    return "\n".join(parts)


def default(key: Key) -> str:
    """Return the default of KEY as a file would write it."""
    value = plain(key.default)
    if value is None or value == "":
        return "absent"
    return f"`{value}`" if isinstance(value, str) else f"`{json.dumps(value)}`"


def values(schema: dict[str, Any]) -> str:
    """Return in words which values a schema admits."""
    if "anyOf" in schema:
        forms = [values(one) for one in schema["anyOf"] if one.get("type") != "null"]
        return " or ".join(dict.fromkeys(forms))
    if "enum" in schema:
        return ", ".join(f"`{word(one)}`" for one in schema["enum"] if one is not None)
    if "const" in schema:
        return f"`{word(schema['const'])}`"
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next(one for one in kind if one != "null")
    if kind == "integer":
        return _span(schema)
    if kind == "number":
        return "a number"
    if kind == "boolean":
        return "`true` or `false`"
    if kind == "array":
        return f"a list of {_plural(values(schema.get('items', {})))}"
    if kind == "object":
        return _mapping(schema)
    if "\\d{1,2}" in schema.get("pattern", ""):
        return "a tile"
    return "an identifier" if "pattern" in schema else "text"


def word(value: object) -> str:
    """Return a value as a file writes it."""
    return value if isinstance(value, str) else json.dumps(value)


def _span(schema: dict[str, Any]) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and low == high:
        return f"`{low}`"
    # What stands only for "as large as the program can count" is told once, in the page's text.
    if high is not None and high != MOST:
        return f"a whole number from {low} to {high}"
    return f"a whole number from {low}" if low is not None else "a whole number"


def _plural(one: str) -> str:
    many = {"a tile": "tiles", "text": "texts"}
    return many.get(one, one.replace("a whole number", "whole numbers"))


def _mapping(schema: dict[str, Any]) -> str:
    named = schema.get("properties", {})
    if named:
        inner = ", ".join(f"`{name}`: {values(one)}" for name, one in named.items())
        return f"a mapping with {inner}"
    pattern, inner_schema = next(iter(schema["patternProperties"].items()))
    players = "2|3|4" in pattern
    return (
        f"a map from {'the number of players' if players else 'numbers'} to {values(inner_schema)}"
    )


def contradictions() -> str:
    """Return the keys that cannot stand together, with their messages."""
    return _with_keys(CONTRADICTIONS)


def cautions() -> str:
    """Return what a ruleset may say but hardly means, with the messages."""
    return _with_keys(CAUTIONS)


def _with_keys(listed: Iterable[Contradiction]) -> str:
    return "\n".join(
        f"**{one.code}**\n: ({', '.join(f'`{key}`' for key in one.keys)}) {one.message}.\n"
        for one in listed
    )


def idle() -> str:
    """Return the keys that have no effect beside others, with their messages."""
    return "\n".join(
        f"**{one.code}**\n: (`{one.key}`, because of `{one.switch}`) {one.message}.\n"
        for one in IDLE
    )


def verbs() -> str:
    """Return the commands of a game in play."""
    from sniffcli.ui.verbs import VERBS

    return "\n".join(
        f"`{verb.usage}`\n: {verb.help}"
        + (f" Also: {', '.join(f'`{one}`' for one in verb.aliases)}." if verb.aliases else "")
        + "\n"
        for verb in VERBS
    )


def skilled() -> str:
    """Return the advantage of learned weights over the highest score, for every shipped table."""
    rows = sorted(shipped_data().values(), key=lambda one: str(one["name"]))
    lines = [
        f"{one['name']:<60} {_interval(one['proof'])}"
        + ("" if one["proof"]["low"] > 0 else " (not used)")
        for one in rows
    ]
    return _listing(lines)


def thinking() -> str:
    """Return for which tables the weights are followed in the play-outs of bots."""
    proven = [one for one in shipped_data().values() if one.get("thinking", {}).get("low", 0) > 0]
    if not proven:
        return "So far this is not proven for any table."
    told = [f"{one['name']}: {_interval(one['thinking'])}" for one in proven]
    return f"It is proven for these tables, in points a round: {'; '.join(told)}."


def ladder() -> str:
    """Return how far each bot is ahead of the next weaker one."""
    rows = json.loads((Path(__file__).parent / "text" / "ladder.json").read_text("utf-8"))
    names = list(dict.fromkeys(row["rules"] for row in rows))
    lines = []
    for name in names:
        for players in sorted({row["players"] for row in rows if row["rules"] == name}):
            lines += ["", f"{name}, {players} players"]
            lines += [
                f"  {row['one']} over {row['other']:<8}".ljust(26)
                + f"{_interval(row)}  {row['deals']:>5} deals"
                for row in rows
                if (row["rules"], row["players"]) == (name, players)
            ]
    return _listing(lines[1:])


def _interval(proof: dict[str, Any]) -> str:
    return f"{proof['mean']:+7.2f} ({proof['low']:+.2f} to {proof['high']:+.2f})"


def _listing(lines: list[str]) -> str:
    return "\n".join(["```", *lines, "```"])


PARTS: dict[str, Callable[[], str]] = {
    "ruleset-keys": ruleset_keys,
    "contradictions": contradictions,
    "cautions": cautions,
    "idle": idle,
    "verbs": verbs,
    "skilled": skilled,
    "thinking": thinking,
    "ladder": ladder,
}


def inserted(text: str) -> str:
    """Return TEXT with each line `{{NAME}}` replaced by that part."""
    for name, part in PARTS.items():
        if f"{{{{{name}}}}}" in text:
            text = text.replace(f"{{{{{name}}}}}", part())
    return text
