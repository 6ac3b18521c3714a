"""Plain data to canonical YAML text that every YAML reader takes for the same thing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from sniffcli.yamlio.nodes import MAX_DIGITS, UNSEEN

#: Lists are written on one line as long as the line is not longer than this.
WIDTH = 100
_PLAIN_WORDS = re.compile(r"[^\W\d_](?:[\w .()/+'-]*[\w.)'])?")
_PLAIN_PLAY = re.compile(r"[0-9]{1,2}-[0-9]{1,2}(?: [a-z0-9 .-]*[a-z0-9])?")
# What some reader of YAML 1.1 or 1.2 takes for something else than text.
_TAKEN = frozenset(["y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"])
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_MUST_ESCAPE = re.compile(
    '["\\\\\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff\U0001fffe-\U0001ffff]'
)
#: YAML allows about a thousand characters before the colon of a simple key.
_SIMPLE_KEY = 200

Path = tuple[str | int, ...]


def dump(data: object, comments: Mapping[Path, str] | None = None) -> str:
    """Return DATA (None, bool, int, float, str, lists, mappings) as canonical YAML.

    `value(parse(dump(data)))` is DATA again, except that a float comes back as the text of a
    decimal number, and PyYAML's own reader agrees. COMMENTS holds, by path, lines to put before
    an item of a list or mapping; the empty path means the top of the file.

    Raises:
        ValueError: the data holds something that YAML text cannot hold.
    """
    notes = {path: text for path, text in (comments or {}).items() if text.strip()}
    lines = list(_comment((), notes, 0))
    lines += _block(data, (), notes, 0)
    return "\n".join(lines) + "\n"


def _block(data: object, path: Path, notes: Mapping[Path, str], indent: int) -> Iterator[str]:
    """Yield the lines of a value that starts on a line of its own."""
    pad = " " * indent
    if isinstance(data, Mapping) and data:
        for key, item in data.items():
            where = (*path, key)
            yield from _comment(where, notes, indent)
            name = _scalar(key)
            lead = f"{pad}{name}:"
            if len(name) > _SIMPLE_KEY:
                yield f"{pad}? {name}"
                lead = f"{pad}:"
            yield from _behind(lead, item, where, notes, indent)
    elif _is_list(data) and data:
        for number, item in enumerate(data):  # type: ignore[arg-type]
            where = (*path, number)
            yield from _comment(where, notes, indent)
            yield from _behind(f"{pad}-", item, where, notes, indent)
    else:
        yield f"{pad}{_inline(data)}"


def _behind(
    lead: str, item: object, path: Path, notes: Mapping[Path, str], indent: int
) -> Iterator[str]:
    """Yield LEAD (a key or a dash) and the value behind or below it."""
    dash = lead.endswith("-")
    if isinstance(item, str) and _is_block_text(item):
        yield f"{lead} |" + ("" if item.endswith("\n") else "-")
        for line in item.removesuffix("\n").split("\n"):
            yield f"{' ' * (indent + 2)}{line}" if line else ""
    elif not _is_nested(item) or (_is_list(item) and _fits(item, path, notes, len(lead) + 1)):
        yield f"{lead} {_inline(item)}"
    else:
        inner = list(_block(item, path, notes, indent + 2))
        if dash and not inner[0].lstrip().startswith("#"):
            yield f"{lead} {inner[0][indent + 2 :]}"
            yield from inner[1:]
        else:
            yield lead
            yield from inner


def _comment(path: Path, notes: Mapping[Path, str], indent: int) -> Iterator[str]:
    for line in notes.get(path, "").splitlines():
        shown = UNSEEN.sub("\ufffd", line.replace("\t", " ")).rstrip()
        yield f"{' ' * indent}# {shown}".rstrip()


def _is_list(data: object) -> bool:
    return isinstance(data, list | tuple)


def _is_nested(data: object) -> bool:
    return isinstance(data, Mapping | list | tuple) and len(data) > 0


def _fits(data: Any, path: Path, notes: Mapping[Path, str], column: int) -> bool:
    """Whether a list may stand on one line: scalars only, short, and nothing said about them."""
    if any(_is_nested(item) for item in data):
        return False
    if any(note[: len(path)] == path and len(note) > len(path) for note in notes):
        return False
    return column + len(_inline(data)) <= WIDTH


def _inline(data: object) -> str:
    if _is_list(data):
        return "[" + ", ".join(_inline(item) for item in data) + "]"  # type: ignore[attr-defined]
    if isinstance(data, Mapping):
        return "{}"
    return _scalar(data)


def _scalar(data: object) -> str:
    """Return one scalar so that every YAML reader takes it for what it is."""
    if data is None:
        return "null"
    if isinstance(data, bool):
        return "true" if data else "false"
    if isinstance(data, int):
        text = str(int(data))
        if len(text.lstrip("-")) > MAX_DIGITS:
            raise ValueError("a number this long cannot be written")
        return text
    if isinstance(data, float):
        text = format(Decimal(repr(float(data))), "f")
        if not text.lstrip("-")[0].isdigit():
            raise ValueError(f"{data} cannot be written: it is not a finite number")
        return text if "." in text else f"{text}.0"
    if not isinstance(data, str):
        raise ValueError(f"a {type(data).__name__} cannot be written as YAML")
    if _is_plain(data):
        return data
    if re.search("[\ud800-\udfff]", data):
        raise ValueError("text with half a character (a lone surrogate) cannot be written")
    return '"' + _MUST_ESCAPE.sub(_escape, data) + '"'


def _is_plain(text: str) -> bool:
    if _PLAIN_PLAY.fullmatch(text):
        return True
    return bool(_PLAIN_WORDS.fullmatch(text)) and text.casefold() not in _TAKEN


def _escape(match: re.Match[str]) -> str:
    sign = match[0]
    if sign in _ESCAPES:
        return _ESCAPES[sign]
    code = ord(sign)
    return (
        f"\\x{code:02X}" if code < 256 else f"\\u{code:04X}" if code < 65536 else f"\\U{code:08X}"
    )


def _is_block_text(text: str) -> bool:
    """Whether text of several lines may be written below its key as it is."""
    lines = text.removesuffix("\n").split("\n")
    return (
        len(lines) > 1
        and bool(lines[-1])
        and bool(lines[0])
        and "\t" not in text
        and not any(line[:1].isspace() or UNSEEN.search(line) for line in lines)
    )
