"""Lines of play counted by the core against counts of the twin; a mismatch prints the split."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit import play, setup_of
from perftfiles import Position, read, started, written
from twin import Round
from twin import perft as twin_perft

from sniffcli.game.actions import Action, Draw, Pass
from sniffcli.game.legal import draw_refusal, legal_plays, pass_refusal
from sniffcli.game.match import new_match, start_round
from sniffcli.game.plays import named
from sniffcli.game.state import Boneyard, Hand, State
from sniffcli.game.turn import apply
from sniffcli.ruleset.library import shipped

HERE = Path(__file__).parent / "perft"

FILES = sorted(path.stem for path in HERE.glob("*.perft"))


def core_of(position: Position) -> State:
    """The round of a position in the core, after what was done first."""
    setup = setup_of(position.rules, len(position.hands), teams=position.teams)
    state = start_round(
        new_match(setup),
        [Hand(tuple(hand)) for hand in position.hands],
        Boneyard(tuple(position.boneyard)),
        position.turn,
        must_lead=position.lead,
    )
    assert state.origin.found == position.found or not position.first
    for text in position.first:
        seat = state.turn
        plain = {"draw": Draw(seat=seat), "pass": Pass(seat=seat)}
        state, _ = apply(state, plain.get(text) or play(text, seat))
    return state


def actions(state: State) -> list[Action]:
    if state.over or state.closing is not None:
        return []
    found: list[Action] = [
        named(state.turn, state.setup, state.layout, state.frontier, move)
        for move in legal_plays(state)
    ]
    if draw_refusal(state) is None:
        found.append(Draw(seat=state.turn))
    if pass_refusal(state) is None:
        found.append(Pass(seat=state.turn))
    return found


def perft(state: State, depth: int) -> list[int]:
    """Count the lines of 0 to DEPTH actions in one go; a finished round is a leaf of all depths."""
    lines = [1] + [0] * depth
    if depth == 0:
        return lines
    following = actions(state)
    if not following:
        return [1] * (depth + 1)
    if depth == 1:
        return [1, len(following)]
    for action in following:
        for further, count in enumerate(perft(apply(state, action)[0], depth - 1), 1):
            lines[further] += count
    return lines


def split(state: State, other: Round, depth: int) -> str:
    """Write what each first action leads to, on both sides, down to where they differ."""
    mine: dict[str, int] = {}
    for action in actions(state):
        after, event = apply(state, action)
        mine[event.text] = perft(after, depth - 1)[-1]
    theirs: dict[str, int] = {}
    for kind, what in other.actions():
        text = kind if kind != "play" else written(other, *what)  # type: ignore[misc]
        theirs[text] = twin_perft(other.do(kind, what), depth - 1)
    return f"core: {mine}\ntwin: {theirs}"


def check(name: str, most: int) -> None:
    for position in read((HERE / f"{name}.perft").read_text("utf-8")):
        state = core_of(position)
        wanted = {depth: count for depth, count in position.counts.items() if count <= most}
        found = perft(state, max(wanted))
        for depth, count in wanted.items():
            assert found[depth] == count, (
                f"{name}, depth {depth}: {found[depth]} lines, not {count}\n"
                f"{split(state, started(position), depth)}"
            )


@pytest.mark.parametrize("name", FILES)
def test_perft(name: str) -> None:
    check(name, 1500)


@pytest.mark.soak
@pytest.mark.parametrize("name", FILES)
def test_deep_perft(name: str) -> None:
    check(name, 250_000)


@pytest.mark.parametrize("name", shipped())
def test_every_shipped_ruleset_has_its_counts(name: str) -> None:
    assert name in FILES, f"{name} has no perft file; run python -m tests.regenerate"
