"""The text of actions: every form of contract section 2, back again, and what is malformed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sniffcli.files.notation import (
    NotationError,
    name_problem,
    parse_action,
    parse_plays,
    text_of_action,
)
from sniffcli.game.actions import (
    Action,
    Catch,
    Claim,
    Draw,
    Finish,
    Keelhaul,
    Pass,
    Play,
    Resign,
)
from sniffcli.tiles import Tile, tile

NAMES = ("Ann", "Bob", "Cy Young")

FORMS: list[tuple[str, Action]] = [
    ("6-3", Play(seat=1, tile=Tile(6, 3))),
    ("3:6", Play(seat=1, tile=Tile(6, 3))),
    ("play [6|3] on 6/6", Play(seat=1, tile=Tile(6, 3), on=Tile(6, 6))),
    ("6-3 on 6-6 side", Play(seat=1, tile=Tile(6, 3), on=Tile(6, 6), part="side")),
    ("6-3 ON 6-6 Tip", Play(seat=1, tile=Tile(6, 3), on=Tile(6, 6), part="tip")),
    ("6-3 on 6", Play(seat=1, tile=Tile(6, 3), on_pip=6)),
    ("6-1 on 5-3 at 3 out 6", Play(seat=1, tile=Tile(6, 1), on=Tile(5, 3), at=3, out=6)),
    ("draw", Draw(seat=1)),
    ("draw 2-5", Draw(seat=1, tile=Tile(5, 2))),
    ("pass", Pass(seat=1)),
    ("knock", Pass(seat=1)),
    ("claim 15", Claim(seat=1, points=15)),
    ("claim 10 after 6.9s", Claim(seat=1, points=10, after=6.9)),
    ("catch Ann", Catch(seat=1, target=0)),
    ("catch Cy Young after 7.5 s", Catch(seat=1, target=2, after=7.5)),
    ("keelhaul Bob after 8 s", Keelhaul(seat=1, target=1, after=8.0)),
    ("finish", Finish(seat=1)),
    ("resign", Resign(seat=1)),
    ("  6-6   after  3  s ", Play(seat=1, tile=Tile(6, 6), after=3.0)),
]


@pytest.mark.parametrize(("text", "action"), FORMS)
def test_every_form_is_read(text: str, action: Action) -> None:
    assert parse_action(text, 1, NAMES) == action


@pytest.mark.parametrize("action", [action for _, action in FORMS])
def test_what_is_written_reads_back(action: Action) -> None:
    text = text_of_action(action, NAMES)

    assert parse_action(text, 1, NAMES) == action
    assert text_of_action(parse_action(text, 1, NAMES), NAMES) == text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "nothing is written"),
        ("6–3", "U+2013 (en dash)"),
        ("6−3", "U+2212 (minus sign)"),
        ("６-3", "U+FF16"),
        ("63", "a number, not a tile"),
        ("6-3 on", "'on' wants a tile or a number"),
        ("6-3 on 6-6 on 5-5", "'on' is written twice"),
        ("6-3 on 6-6 sde", 'did you mean "side"'),
        ("6-3 side", "write it like 6-3 on 6-6 side"),
        ("6-3 on 6 tip", "write it like 6-3 on 6-6 tip"),
        ("6-3 on 6-6 at x", "'at' wants a number of pips"),
        ("6 - 3", "write both halves"),
        ("drow 5-2", 'did you mean "draw"'),
        ("draw 5-2 5-3", "one tile at most"),
        ("pass now", "nothing is written behind 'pass'"),
        ("claim ten", "like claim 10"),
        ("claim -5", "like claim 10"),
        ("catch", "'catch' wants a player"),
        ("catch Bo", 'did you mean "Bob"'),
        ("claim 10 after 7", "after 6.9 s"),
        ("claim 10 after soon", "after 6.9 s"),
        ("after 3 s", "says when but not what"),
        ("claim 10 after 999999 s", "more than a day"),
    ],
)
def test_malformed_text_is_told_what_to_write(text: str, words: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_action(text, 0, NAMES)

    assert words in str(caught.value)


def test_a_new_tile_starts_a_new_play() -> None:
    loose = parse_plays(
        ["5-5", "5-2", "on", "5-5", "6-1", "on", "5-3", "at", "3", "out", "6", "0-0"]
    )
    packed = parse_plays(["5-5", "5-2 on 5-5", "6-1 on 5-3 at 3 out 6", "0-0"])

    assert loose == packed
    assert [one.text for one in loose] == ["5-5", "5-2 on 5-5", "6-1 on 5-3 at 3 out 6", "0-0"]


def test_a_bad_play_does_not_hide_the_others() -> None:
    found = parse_plays(["5-5", "5–2 on 5-5", "foo", "5-1 on 5-5"])

    assert [one.play is None for one in found] == [False, True, False]
    assert "foo" not in found[2].text


@pytest.mark.parametrize("name", ["Ann", "No", "007", "12:30", "Null", "Cy Young", "Ærø", "6-3"])
def test_names_are_text(name: str) -> None:
    assert name_problem(name) is None


@pytest.mark.parametrize(
    "name", ["", "  ", "pass", "Draw", "knock", "boneyard", " Ann", "A\nB", "A after 3 s"]
)
def test_names_that_would_be_misread_are_refused(name: str) -> None:
    assert name_problem(name) is not None


@given(st.text(max_size=40))
def test_any_text_is_an_action_or_a_message(text: str) -> None:
    try:
        action = parse_action(text, 0, NAMES)
    except NotationError:
        return
    assert parse_action(text_of_action(action, NAMES), 0, NAMES) == action


@given(
    st.integers(0, 18),
    st.integers(0, 18),
    st.one_of(st.none(), st.floats(0, 86_399).map(lambda seconds: round(seconds, 3))),
)
def test_times_and_tiles_read_back(a: int, b: int, after: float | None) -> None:
    action = Draw(seat=0, tile=tile(a, b), after=after)

    assert parse_action(text_of_action(action), 0) == action
