"""No bytes are too wild: a game file gives problems or a value, and never a traceback."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sniffcli.files.facts import document
from sniffcli.files.games import read_game
from sniffcli.files.replay import play_out
from sniffcli.ruleset.library import scenarios_dir

from .helpers import FILE
from .test_games import EXAMPLE

GAMES = [path.read_bytes() for path in sorted((scenarios_dir() / "games").glob("*.yaml"))]
SHORT = [EXAMPLE.encode(), *(text for text in GAMES if len(text) < 4_000)]
PIECES = [
    *("null", "[]", "{}", "true", "-1", "0", "7", "99999999999999999999", "6-6", "6:6", "x", '""'),
    *("[6-6, 6-6]", "{Ann: 7}", "pass", "draw", "draw 6-6", "claim 5", "finish", "resign"),
    *("- ", ": ", "\n", "  ", "\t", "&a", "*a", "!!str", "---", "#", "'", '"', "|", ">"),
    *(
        "layout: [6-6]",
        "passes: 2",
        "hands: 7",
        "leader: Bob",
        "written: {Ann: 5}",
        "bonus: {Ann: 5}",
    ),
]


def survives(text: bytes) -> None:
    """Read, play out and describe a file, whatever is in it."""
    found, problems = read_game(text, FILE)
    played = None if found is None else play_out(found)
    problems += [] if played is None else played.problems
    facts = document(played, problems)
    assert found is not None or not facts["ok"]
    for problem in problems:
        assert problem.message
        assert "\n" not in str(problem)


@given(st.binary(max_size=200))
def test_any_bytes(text: bytes) -> None:
    survives(text)


@given(st.sampled_from(SHORT), st.data())
def test_files_with_a_piece_cut_out_or_put_in(text: bytes, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 12))
        piece = data.draw(st.one_of(st.sampled_from(PIECES).map(str.encode), st.binary(max_size=4)))
        text = text[:start] + piece + text[start + length :]
    survives(text)


@given(st.sampled_from(SHORT), st.data())
def test_files_with_values_exchanged(text: bytes, data: st.DataObject) -> None:
    lines = text.decode().split("\n")
    for _ in range(data.draw(st.integers(1, 2))):
        number = data.draw(st.integers(0, len(lines) - 1))
        key, colon, _ = lines[number].partition(": ")
        piece = data.draw(st.sampled_from(PIECES))
        lines[number] = f"{key}: {piece}" if colon else piece
    survives("\n".join(lines).encode())


@given(st.sampled_from(SHORT), st.data())
def test_files_with_lines_moved_or_doubled(text: bytes, data: st.DataObject) -> None:
    lines = text.split(b"\n")
    for _ in range(data.draw(st.integers(1, 3))):
        taken = lines.pop(data.draw(st.integers(0, len(lines) - 1)))
        for _ in range(data.draw(st.integers(0, 2))):
            lines.insert(data.draw(st.integers(0, len(lines))), taken)
        if not lines:
            break
    survives(b"\n".join(lines))
