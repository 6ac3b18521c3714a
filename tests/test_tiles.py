"""Tiles and sets (contract, section 2; cases C51 and C79)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sniffcli.tiles import TileError, parse_tile, tile, tile_of_number, tile_set


@pytest.mark.parametrize(
    "text", ["6-3", "3-6", "6:3", "6|3", "6/3", "[6-3]", "[6:3]", " 6-3 ", "[ 6-3 ]"]
)
def test_every_documented_form_is_the_same_tile(text: str) -> None:
    assert parse_tile(text) == (6, 3)
    assert str(parse_tile(text)) == "6-3"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("6–6", "U+2013 (en dash)"),
        ("6−6", "U+2212 (minus sign)"),
        ("6‑6", "U+2011 (non-breaking hyphen)"),
        ("\uff16-\uff16", "U+FF16 (fullwidth digit six)"),
        ("٦-٦", "U+0666 (arabic-indic digit six)"),
        ("6 - 6", "a space has no place in it"),
        ("6x6", "'x' has no place in it"),
        ("66", "is a number, not a tile"),
        ("6-", "write both halves"),
        ("-6", "write both halves"),
        ("6--6", "write both halves"),
        ("1-2-3", "write both halves"),
        ("", "write both halves"),
        ("[]", "write both halves"),
        ("[6-3", "'[' has no place in it"),
        ("6-300", "no set has that many pips"),
        ("6\x006", "U+0000 (a control character)"),
    ],
)
def test_anything_else_is_refused_naming_the_character(text: str, said: str) -> None:
    with pytest.raises(TileError) as refusal:
        parse_tile(text)
    assert said in str(refusal.value)


@pytest.mark.parametrize(("max_pip", "tiles", "pips"), [(6, 28, 168), (9, 55, 495), (12, 91, 1092)])
def test_a_set_holds_every_tile_once(max_pip: int, tiles: int, pips: int) -> None:
    """C51: (n + 1)(n + 2) / 2 different tiles, and the known pip totals of the three sets."""
    whole = tile_set(max_pip)

    assert len(whole) == len(set(whole)) == tiles
    assert sum(one.pips for one in whole) == pips


def test_a_set_without_removed_tiles() -> None:
    whole = tile_set(6, [tile(0, 0), tile(6, 6)])

    assert len(whole) == 26
    assert tile(0, 0) not in whole


def test_halves() -> None:
    five_two = tile(2, 5)

    assert five_two == tile(5, 2)
    assert (five_two.high, five_two.low, five_two.pips) == (5, 2, 7)
    assert (five_two.other(5), five_two.other(2)) == (2, 5)
    assert five_two.has(2)
    assert not five_two.has(3)
    assert not five_two.is_double
    assert tile(4, 4).is_double
    assert tile(4, 4).other(4) == 4
    with pytest.raises(ValueError, match="5-2 has no half with 3"):
        five_two.other(3)


@given(st.integers(0, 99), st.integers(0, 99))
def test_text_and_number_lead_back_to_the_tile(a: int, b: int) -> None:
    one = tile(a, b)

    assert parse_tile(str(one)) == one
    assert tile_of_number(one.number) == one


def test_numbers_do_not_depend_on_the_set() -> None:
    assert [one.number for one in tile_set(12)] == list(range(91))
    assert (tile(0, 0).number, tile(6, 6).number) == (0, 27)
