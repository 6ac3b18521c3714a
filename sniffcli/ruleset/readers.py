"""How the value of one ruleset key is read: checked, refused in a player's words, described.

A reader stands in the `Annotated` type of a key. It gives one refusal for one mistake (a plain
union of types would give one for each member of the union) and the JSON Schema of the same key.
"""

from __future__ import annotations

import re
import types
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, Union, get_args, get_origin

from sniffcli.problems import did_you_mean
from sniffcli.ruleset.words import TAGS, ByPlayers
from sniffcli.tiles import Tile, TileError, parse_tile

#: A JSON Schema, or a part of one.
JsonSchema = dict[str, Any]

#: Where inside the value a mistake is, its code, and the message without the name of the key.
Mistake = tuple[tuple[str | int, ...], str, str]

#: What the id of a ruleset looks like; it is also the name of its file.
IDENTIFIER = "[A-Za-z0-9_-]+"

TILE_SCHEMA: JsonSchema = {"type": "string", "pattern": r"^\[?\d{1,2}[-:|/]\d{1,2}\]?$"}


class Wrong(Exception):
    """The mistakes found in one value."""

    def __init__(self, *mistakes: Mistake) -> None:
        super().__init__(*mistakes)
        self.mistakes = mistakes


#: The most letters of a value that a message repeats.
SHOWN = 60


def shown(value: object) -> str:
    """Describe a value of a file as its writer knows it."""
    if isinstance(value, str):
        # A text of several lines must not break the one line of its problem.
        line = " ".join(value.split())
        return f'"{line if len(line) <= SHOWN else line[: SHOWN - 3] + "..."}"'
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, (list, tuple)):
        return "a list"
    return str(value)


class Reader:
    """Base of the readers: `read` gives the value or raises `Wrong`, `schema` describes it."""

    def bind(self, source: Any) -> Reader:
        """Return the reader for the annotated type SOURCE."""
        return self

    def read(self, value: Any) -> Any:
        """Return the checked value."""
        raise NotImplementedError

    def schema(self) -> JsonSchema:
        """Return the JSON Schema of what `read` accepts."""
        raise NotImplementedError


#: The largest number that any key takes; sums of such numbers still fit the native kernel.
MOST = 1_000_000


def read_whole(value: Any, low: int, high: int | None) -> int:
    """Return a whole number from LOW to HIGH."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise Wrong(((), "not-a-number", f"a whole number is needed, not {shown(value)}"))
    if value < low or value > (MOST if high is None else high):
        span = f"from {low} to {high}"
        if high is None:
            span = f"at least {low}" if value < low else f"at most {MOST}"
        raise Wrong(((), "out-of-range", f"{value} is out of range; it must be {span}"))
    return value


def read_number(value: Any, low: float) -> float:
    """Return a number, decimals included, above LOW (YAML gives decimals as text)."""
    number: float | None = None
    if isinstance(value, str):
        whole, _, part = value.removeprefix("+").partition(".")
        if whole.isascii() and whole.isdigit() and part.isascii() and part.isdigit():
            number = float(value)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        number = float(value)
    if number is None:
        raise Wrong(((), "not-a-number", f"a number is needed, not {shown(value)}"))
    if not low < number <= 86_400:
        raise Wrong(
            ((), "out-of-range", f"{value} is out of range; it must be above 0, at most 86400")
        )
    return int(number) if number.is_integer() else number


def read_tile(value: Any) -> Tile:
    """Return the tile that VALUE writes."""
    if isinstance(value, Tile):
        return value
    if not isinstance(value, str):
        raise Wrong(((), "not-a-tile", f"a tile is needed, not {shown(value)}; write it like 6-3"))
    try:
        return parse_tile(value)
    except TileError as error:
        raise Wrong(((), "not-a-tile", str(error))) from None


@dataclass
class Whole(Reader):
    """A whole number from `low` to `high`."""

    low: int = 0
    high: int | None = None

    def read(self, value: Any) -> int:
        """Return the checked value."""
        return read_whole(value, self.low, self.high)

    def schema(self) -> JsonSchema:
        """Return the JSON Schema of what `read` accepts."""
        high = MOST if self.high is None else self.high
        return {"type": "integer", "minimum": self.low, "maximum": high}


class Time(Reader):
    """A number of seconds above 0, decimals included."""

    def read(self, value: Any) -> float:
        """Return the checked value."""
        return read_number(value, 0)

    def schema(self) -> JsonSchema:
        """Return the JSON Schema of what `read` accepts."""
        return {"type": "number", "exclusiveMinimum": 0, "maximum": 86_400}


class Flag(Reader):
    """`true` or `false`."""

    def read(self, value: Any) -> bool:
        """Return the checked value."""
        if isinstance(value, bool):
            return value
        raise Wrong(((), "not-a-flag", f"{shown(value)} is not true or false"))

    def schema(self) -> JsonSchema:
        """Return the JSON Schema of what `read` accepts."""
        return {"type": "boolean"}


@dataclass
class Text(Reader):
    """Any text; an identifier where `name` is set."""

    name: bool = False

    def read(self, value: Any) -> str:
        """Return the checked value."""
        if isinstance(value, bool) or not isinstance(value, (str, int)):
            raise Wrong(((), "not-a-text", f"text is needed, not {shown(value)}"))
        text = str(value)
        if self.name and not re.fullmatch(IDENTIFIER, text):
            message = f'"{text}" is not an identifier; use a to z, digits, "-" and "_"'
            raise Wrong(((), "not-an-identifier", message))
        return text

    def schema(self) -> JsonSchema:
        """Return the JSON Schema of what `read` accepts."""
        return {"type": "string", "pattern": f"^{IDENTIFIER}$"} if self.name else {"type": "string"}


@dataclass
class Choice(Reader):
    """One of the words of the annotated type, or a number, or a mapping with one key.

    `none_word` lets the word `none` stand for an absent value.
    """

    low: int = 0
    none_word: bool = False
    words: tuple[str, ...] = ()
    number: bool = False
    tags: tuple[str, ...] = ()

    def bind(self, source: Any) -> Choice:
        """Take the words and forms from the annotated type."""
        words: list[str] = ["none"] if self.none_word else []
        number, tags = False, []
        for member in _members(source):
            if get_origin(member) is Literal:
                words += get_args(member)
            elif member is int:
                number = True
            else:
                tags += [key for key, kind in TAGS.items() if kind is member]
        return Choice(self.low, self.none_word, tuple(words), number, tuple(tags))

    def read(self, value: Any) -> Any:
        """Return the checked value."""
        if isinstance(value, str):
            if value == "none" and self.none_word:
                return None
            if value in self.words:
                return value
            raise Wrong(((), "unknown-word", self._refuse(value)))
        if self.number and isinstance(value, int) and not isinstance(value, bool):
            return read_whole(value, self.low, None)
        if value is None and self.none_word:
            return None
        if self.tags and isinstance(value, Mapping):
            return self._tagged(value)
        if any(isinstance(value, TAGS[tag]) for tag in self.tags):
            return value
        raise Wrong(((), "unknown-word", self._refuse(value)))

    def _tagged(self, value: Mapping[Any, Any]) -> Any:
        unknown = [key for key in value if key not in self.tags]
        if unknown:
            hint = did_you_mean(str(unknown[0]), self.tags)
            message = f"unknown key {shown(str(unknown[0]))}{hint or f'; use {self._allowed()}'}"
            raise Wrong(((unknown[0],), "unknown-key", message))
        if len(value) != 1:
            raise Wrong(((), "unknown-word", f"exactly one key is needed; use {self._allowed()}"))
        tag, inner = next(iter(value.items()))
        kind = TAGS[tag]
        try:
            return kind(_read_tag(kind, inner))
        except Wrong as wrong:
            raise Wrong(*(((tag, *at), code, text) for at, code, text in wrong.mistakes)) from None

    def _allowed(self) -> str:
        forms = [*self.words]
        if self.number:
            forms.append("a number")
        forms += [f"{{{tag}: {'6-6' if tag == 'holder_of' else 'N'}}}" for tag in self.tags]
        return listed(forms)

    def _refuse(self, value: Any) -> str:
        hint = did_you_mean(value, (*self.words, *self.tags)) if isinstance(value, str) else ""
        return f"{shown(value)} is not known here; use {self._allowed()}{hint}"

    def schema(self) -> JsonSchema:
        """Return the JSON Schema of what `read` accepts."""
        forms: list[JsonSchema] = []
        if self.words:
            forms.append({"enum": list(self.words)})
        if self.number:
            forms.append({"type": "integer", "minimum": self.low, "maximum": MOST})
        for tag in self.tags:
            forms.append(
                {
                    "type": "object",
                    "properties": {tag: _tag_schema(TAGS[tag])},
                    "required": [tag],
                    "additionalProperties": False,
                }
            )
        return forms[0] if len(forms) == 1 else {"anyOf": forms}


def _members(source: Any) -> Iterable[Any]:
    return get_args(source) if get_origin(source) in (Union, types.UnionType) else (source,)


def listed(words: Iterable[str]) -> str:
    """Return `a, b or c`."""
    every = list(words)
    return every[0] if len(every) == 1 else f"{', '.join(every[:-1])} or {every[-1]}"


def _read_tag(kind: type, value: Any) -> Any:
    field = fields(kind)[0].name
    if field == "tile":
        return read_tile(value)
    if field == "seconds":
        return read_number(value, 0)
    return read_whole(value, 1, None)


def _tag_schema(kind: type) -> JsonSchema:
    field = fields(kind)[0].name
    if field == "tile":
        return TILE_SCHEMA
    return Time().schema() if field == "seconds" else Whole(1).schema()


@dataclass
class Listed(Reader):
    """A list without repetitions, each entry read by `of`; also one of the words `words`."""

    of: Reader
    words: tuple[str, ...] = ()
    empty: bool = True

    def read(self, value: Any) -> Any:
        """Return the checked value."""
        if isinstance(value, str) and value in self.words:
            return value
        if isinstance(value, str) or not isinstance(value, (list, tuple)):
            forms = listed((*self.words, "a list"))
            hint = did_you_mean(value, self.words) if isinstance(value, str) else ""
            raise Wrong(((), "not-a-list", f"{shown(value)} is not known here; use {forms}{hint}"))
        if isinstance(value, Tile):
            raise Wrong(((), "not-a-list", "a list is needed, not one tile"))
        # A dict keeps the order and finds a repetition at once, however long the list is.
        entries: dict[Any, None] = {}
        mistakes: list[Mistake] = []
        for index, entry in enumerate(value):
            try:
                one = self.of.read(entry)
            except Wrong as wrong:
                mistakes += [((index, *at), code, text) for at, code, text in wrong.mistakes]
                continue
            if one in entries:
                mistakes.append(((index,), "repeated", f"{one} stands here twice"))
            entries[one] = None
        if mistakes:
            raise Wrong(*mistakes)
        if not entries and not self.empty:
            raise Wrong(((), "empty-list", "at least one entry is needed"))
        return tuple(entries)

    def schema(self) -> JsonSchema:
        """Return the JSON Schema of what `read` accepts."""
        array: JsonSchema = {"type": "array", "items": self.of.schema(), "uniqueItems": True}
        if not self.empty:
            array["minItems"] = 1
        return {"anyOf": [{"enum": list(self.words)}, array]} if self.words else array


class OneTile(Reader):
    """A tile."""

    def read(self, value: Any) -> Tile:
        """Return the checked value."""
        return read_tile(value)

    def schema(self) -> JsonSchema:
        """Return the JSON Schema of what `read` accepts."""
        return TILE_SCHEMA


@dataclass
class Mapped(Reader):
    """A map with whole numbers as keys, each value read by `of`.

    `alone` reads a value that is the same for every number; `words` may stand instead of a map;
    the word `none` is an absent value where `none_word` is set.
    """

    of: Reader
    keys: Whole
    alone: Reader | None = None
    words: tuple[str, ...] = ()
    none_word: bool = False
    what: str = "a map by number of players like {2: 7, 3: 5}"

    def read(self, value: Any) -> Any:
        """Return the checked value."""
        if self.none_word and value in (None, "none"):
            return None
        if isinstance(value, str) and value in self.words:
            return value
        if not isinstance(value, Mapping):
            return self._single(value)
        entries: ByPlayers[Any] = ByPlayers()
        mistakes: list[Mistake] = []
        for key, entry in value.items():
            try:
                number = self.keys.read(_as_number(key))
            except Wrong as wrong:
                # YAML reads {2:7} as one word with nothing behind it.
                stuck = entry is None and ":" in str(key)
                way = "; write a space behind the colon, like {2: 7}" if stuck else ""
                mistakes += [((key, KEY), code, text + way) for _, code, text in wrong.mistakes]
                continue
            try:
                entries[number] = self.of.read(entry)
            except Wrong as wrong:
                mistakes += [((key, *at), code, text) for at, code, text in wrong.mistakes]
        if mistakes:
            raise Wrong(*mistakes)
        if not entries:
            raise Wrong(((), "empty-map", "at least one entry is needed"))
        return entries

    def _single(self, value: Any) -> Any:
        plain = isinstance(value, (list, tuple)) or (
            isinstance(value, int) and not isinstance(value, bool)
        )
        if self.alone is not None and plain:
            return self.alone.read(value)
        words = ("none", *self.words) if self.none_word else self.words
        forms = [*words, self.what]
        if isinstance(self.alone, Whole):
            forms.append("a number")
        elif self.alone is not None:
            forms.append("a list")
        hint = did_you_mean(value, words) if isinstance(value, str) else ""
        message = f"{shown(value)} is not known here; use {listed(forms)}{hint}"
        raise Wrong(((), "unknown-word", message))

    def schema(self) -> JsonSchema:
        """Return the JSON Schema of what `read` accepts."""
        forms: list[JsonSchema] = []
        words = ["none", *self.words] if self.none_word else [*self.words]
        if words:
            forms.append({"enum": words})
        if self.alone is not None:
            forms.append(self.alone.schema())
        entry = self.of.schema()
        pattern = "[1-9][0-9]*"
        if self.keys.high is not None:
            # By number of players: here null takes an entry of the parent away.
            pattern = "|".join(map(str, range(self.keys.low, self.keys.high + 1)))
            entry = {"anyOf": [entry, {"type": "null"}]}
        forms.append(
            {
                "type": "object",
                "patternProperties": {f"^({pattern})$": entry},
                "additionalProperties": False,
                "minProperties": 1,
            }
        )
        return forms[0] if len(forms) == 1 else {"anyOf": forms}


#: Stands last in the place of a mistake that is in a key of a map, not in its value.
KEY = "\0key"


def _as_number(key: Any) -> Any:
    return int(key) if isinstance(key, str) and key.isascii() and key.isdigit() else key
