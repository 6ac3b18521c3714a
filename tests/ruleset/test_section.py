"""Sections of a ruleset on their own: frozen values with keys that say how they are read."""

from typing import Annotated

import pytest

from sniffcli.ruleset.readers import Flag, Whole
from sniffcli.ruleset.section import REQUIRED, Refused, Section, key


class Inner(Section):
    """A group inside a group."""

    size: Annotated[int, Whole(1, 9)] = key(default=3, description="How large.")


class Outer(Section):
    """A group with every kind of key."""

    number: Annotated[int, Whole()] = key(description="A number that must be there.")
    class_: Annotated[bool, Flag()] = key(default=False, written="class", description="A flag.")
    inner: Inner = key(default=Inner(), description="A group.")
    rest: Inner | None = key(default=None, description="A group that may be absent.")


def test_values_are_read_and_defaults_stand_in() -> None:
    one = Outer.read({"number": 5, "class": True, "rest": {"size": 4}})

    assert (one.number, one.class_, one.inner.size) == (5, True, 3)
    assert one.rest == Inner(size=4)
    assert Outer.read({"number": 5, "rest": None}).rest is None


def test_every_fault_is_found_with_its_place() -> None:
    with pytest.raises(Refused) as refused:
        Outer.read({"class_": True, "inner": {"size": 10, "sise": 1}, "rest": 3})

    assert [(fault.path, fault.kind, fault.given) for fault in refused.value.faults] == [
        (("number",), "missing", {"class_": True, "inner": {"size": 10, "sise": 1}, "rest": 3}),
        (("inner", "size"), "wrong", 10),
        (("inner", "sise"), "unknown", 1),
        (("rest",), "not-a-mapping", 3),
        (("class_",), "unknown", True),
    ]


def test_the_class_knows_its_keys() -> None:
    number, flag, inner, rest = Outer.fields

    assert (number.name, number.required, number.reader) == ("number", True, Whole())
    assert (flag.name, flag.written, flag.default) == ("class_", "class", False)
    assert (inner.section, inner.reader, rest.section) == (Inner, None, Inner)
    assert number.default is REQUIRED


def test_a_section_is_a_frozen_value() -> None:
    one, two = Outer(number=1), Outer(number=1, inner=Inner(size=3))
    other = one.changed(number=2)

    assert one == two
    assert hash(one) == hash(two) == hash(one)
    assert (one.number, other.number, other.inner) == (1, 2, one.inner)
    assert one != other
    assert repr(other) == "Outer(number=2, class_=False, inner=Inner(size=3), rest=None)"
    with pytest.raises(AttributeError, match="frozen"):
        one.number = 2  # type: ignore[misc]
    with pytest.raises(AttributeError, match="frozen"):
        del one.number
    assert Inner(size=3) != 3


def test_what_another_process_gets_holds_no_hash_of_this_one() -> None:
    one = Outer(number=1)
    hash(one)

    assert set(one.__getstate__()) == {"number", "class_", "inner", "rest"}


def test_making_a_section_in_code_takes_its_keys_alone() -> None:
    with pytest.raises(TypeError, match="missing \\['number'\\], unknown \\['nummer'\\]"):
        Outer(nummer=1)  # type: ignore[call-arg]
