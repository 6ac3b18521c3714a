"""Numbers as players read them."""

from __future__ import annotations

import math

import pytest

from sniffcli.show.numbers import counted, decimal, estimate, percent, signed


@pytest.mark.parametrize("nothing", [None, math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_a_dash(nothing: float | None) -> None:
    assert decimal(nothing) == signed(nothing) == percent(nothing) == "-"
    assert estimate(nothing, 1.0) == "-"
    assert estimate(3.7, nothing) == "3.7"


def test_estimates_carry_their_error() -> None:
    assert estimate(3.7, 2.4) == "3.7 ±2.4"
    assert estimate(-0.04, 0.5, unicode=False) == "0.0 +/-0.5"
    assert estimate(2.0, 0) == "2.0"


def test_signs() -> None:
    assert [signed(x) for x in (1.25, -1.25, 0.0, -0.01)] == ["+1.2", "-1.2", "0.0", "0.0"]
    assert signed(15, 0) == "+15"


def test_only_certain_things_are_0_or_100_percent() -> None:
    shares = (0.0, 0.0004, 0.374, 0.9996, 1.0)
    assert [percent(one) for one in shares] == ["0 %", "<1 %", "37 %", ">99 %", "100 %"]


def test_counted() -> None:
    assert counted(1, "draw") == "1 draw"
    assert counted(2, "pass", "passes") == "2 passes"
