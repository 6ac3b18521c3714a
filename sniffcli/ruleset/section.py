"""Sections of a ruleset: frozen values whose keys say once how each is read and what it means.

A section is a class with one annotated attribute for each key:

    max_pip: Annotated[int, Whole(2, 18)] = key(default=6, description="The largest half.")

The reader in the annotation checks a value and describes it for the JSON Schema. The annotations
are read when the class is made, so modules with sections do without their postponed evaluation.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import FrozenInstanceError
from typing import (
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    NoReturn,
    Self,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
)

from sniffcli.ruleset.readers import Mistake, Reader, Wrong


class _Required:
    """Stands for the default of a key that has none."""

    def __repr__(self) -> str:
        return "required"


#: The default of a key that every ruleset must write.
REQUIRED = _Required()


class Field(NamedTuple):
    """One key of a section: NAME in the program, WRITTEN in files.

    `reader` is None where the key is a `section` of its own.
    """

    name: str
    written: str
    description: str
    default: Any
    reader: Reader | None
    section: type[Section] | None

    @property
    def required(self) -> bool:
        """Whether the key has no default."""
        return self.default is REQUIRED


class _Said(NamedTuple):
    """What `key` is told."""

    description: str
    default: Any
    written: str | None


def key(*, description: str, default: Any = REQUIRED, written: str | None = None) -> Any:
    """Say what a key means, its value where it is absent, and its word where Python keeps that."""
    return _Said(description, default, written)


class Fault(NamedTuple):
    """One thing that is wrong with the values of a section, and where.

    A value that its reader refuses is `wrong` and has the reader's own mistakes.
    """

    path: tuple[str | int, ...]
    kind: Literal["wrong", "missing", "unknown", "not-a-mapping"]
    given: Any
    mistakes: tuple[Mistake, ...] = ()


class Refused(ValueError):
    """Values from which no section can be made, with all their faults."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__(faults)
        self.faults = faults


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(key,))
class Section:
    """A group of keys; frozen, and without room for keys that nobody reads."""

    __slots__ = ("__dict__", "_hash")

    fields: ClassVar[tuple[Field, ...]] = ()
    _hash: int

    def __init_subclass__(cls) -> None:
        cls.fields = tuple(_field(cls, name, kind) for name, kind in cls.__annotations__.items())
        for field in cls.fields:
            delattr(cls, field.name)

    def __init__(self, **values: Any) -> None:
        mine = self.__dict__
        for field in self.fields:
            mine[field.name] = values.pop(field.name, field.default)
        absent = [name for name, value in mine.items() if value is REQUIRED]
        if absent or values:
            raise TypeError(f"{type(self).__name__}: missing {absent}, unknown {list(values)}")

    @classmethod
    def read(cls, values: Any) -> Self:
        """Return the section that a file's VALUES describe.

        Raises:
            Refused: something is wrong with them.
        """
        faults: list[Fault] = []
        made = cls._read(values, (), faults)
        if made is None or faults:
            raise Refused(faults)
        return made

    @classmethod
    def _read(cls, values: Any, path: tuple[str | int, ...], faults: list[Fault]) -> Self | None:
        """Return the section at PATH, or None with what is wrong added to FAULTS."""
        if not isinstance(values, Mapping):
            faults.append(Fault(path, "not-a-mapping", values))
            return None
        known = len(faults)
        found: dict[str, Any] = {}
        for field in cls.fields:
            here = (*path, field.written)
            if field.written not in values:
                if field.required:
                    faults.append(Fault(here, "missing", values))
                continue
            given = values[field.written]
            if field.reader is not None:
                try:
                    found[field.name] = field.reader.read(given)
                except Wrong as wrong:
                    faults.append(Fault(here, "wrong", given, wrong.mistakes))
            elif field.section is not None and (given is not None or field.default is not None):
                found[field.name] = field.section._read(given, here, faults)
        words = {field.written for field in cls.fields}
        faults += [
            Fault((*path, word), "unknown", given)
            for word, given in values.items()
            if word not in words
        ]
        return cls(**found) if len(faults) == known else None

    def changed(self, **values: Any) -> Self:
        """Return a copy in which some keys have other values, which are not checked."""
        return type(self)(**(self.__dict__ | values))

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise FrozenInstanceError(f"{type(self).__name__} is frozen: {name} stays as it is")

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError(f"{type(self).__name__} is frozen: {name} stays")

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        # Rules are the key of many tables, so theirs is worked out once.
        try:
            return self._hash
        except AttributeError:
            object.__setattr__(self, "_hash", hash(tuple(self.__dict__.values())))
            return self._hash

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={value!r}" for name, value in self.__dict__.items())
        return f"{type(self).__name__}({inside})"

    def __getstate__(self) -> dict[str, Any]:
        # Another process hashes words differently.
        return dict(self.__dict__)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)


def _field(section: type[Section], name: str, kind: Any) -> Field:
    said = section.__dict__[name]
    assert isinstance(said, _Said), f"{section.__name__}.{name} is not described by key()"
    reader = None
    if get_origin(kind) is not None and hasattr(kind, "__metadata__"):
        reader = kind.__metadata__[0].bind(kind.__origin__)
    below = _section_in(kind) if reader is None else None
    assert (reader is None) != (below is None), f"{section.__name__}.{name} cannot be read"
    return Field(name, said.written or name, said.description, said.default, reader, below)


def _section_in(kind: Any) -> type[Section] | None:
    union = get_origin(kind) in (Union, types.UnionType)
    for member in get_args(kind) if union else (kind,):
        if isinstance(member, type) and issubclass(member, Section):
            return member
    return None
