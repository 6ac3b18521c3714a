"""What the output can show: encoding, width, colour."""

from __future__ import annotations

import io

import pytest

from sniffcli.show.style import LEAST_WIDTH, Look, look_of, writes_unicode


def stream(encoding: str) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding)


def test_ascii_is_used_where_the_encoding_lacks_a_sign() -> None:
    assert writes_unicode(stream("utf-8"))
    assert not writes_unicode(stream("ascii"))
    assert not writes_unicode(stream("latin-1"))
    # A stream without an encoding, such as a plain StringIO, gets no surprises.
    assert not writes_unicode(io.StringIO())


@pytest.mark.parametrize(("columns", "width"), [("40", 40), ("200", 200), ("3", LEAST_WIDTH)])
def test_columns_set_the_width(monkeypatch: pytest.MonkeyPatch, columns: str, width: int) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert look_of(stream("utf-8")).width == width
    assert look_of(stream("utf-8"), width=60).width == 60


def test_without_colour_text_stays_as_it_is() -> None:
    assert Look().bold("sum") == Look().dim("sum") == Look().style("sum", fg="red") == "sum"
    assert Look(color=True).bold("sum") == "\x1b[1msum\x1b[0m"
    assert Look(color=True).bold("") == ""
