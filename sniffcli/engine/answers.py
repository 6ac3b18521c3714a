"""Exact answers in words of the game: every choice with its value and a line of best play."""

from __future__ import annotations

from typing import NamedTuple

from sniffcli.engine.playout import DRAW, PASS, First
from sniffcli.engine.position import position_of
from sniffcli.engine.solver import Ply, solve
from sniffcli.engine.spec import spec_of
from sniffcli.game.actions import Action, Claim, Draw, Pass
from sniffcli.game.legal import tile_moves
from sniffcli.game.plays import named, text_of
from sniffcli.game.state import Boneyard, Hand, State
from sniffcli.game.turn import apply, verify
from sniffcli.tiles import Tile, tile_of_number


class Unsolvable(Exception):
    """A position cannot be solved because something is hidden; the message says what."""


class LinePly(NamedTuple):
    """One action of a line: whose, in words, and the points it made for that seat's side."""

    seat: int
    text: str
    points: int


class Value(NamedTuple):
    """One choice: what it makes now, its margin, points per side to the end, and a line."""

    text: str
    points: int
    value: float
    by_side: tuple[float, ...]
    line: tuple[LinePly, ...]


class Answer(NamedTuple):
    """The values of all choices of a seat, best first."""

    seat: int
    values: tuple[Value, ...]
    nodes: int


def answer(state: State, *, known_order: bool, budget: int | None = None) -> Answer:
    """Return the exact values of the choices in a round that is not over.

    Raises:
        Unsolvable: hidden tiles make the position no problem with one answer.
        TooLarge: the tree below the position is too large.
    """
    start = _claimed(opened(state, known_order=known_order))
    solution = solve(position_of(start), known_order=known_order, budget=budget)
    values = []
    for choice in solution.choices:
        line = _told(start, choice.line)
        values.append(Value(line[0].text, line[0].points, choice.value, choice.by_side, line))
    return Answer(start.turn, tuple(values), solution.nodes)


def opened(state: State, *, known_order: bool) -> State:
    """Return the round with every tile that can be deduced put in its place."""
    names = state.setup.names
    hidden = [seat for seat, hand in enumerate(state.hands) if hand.unknown]
    unseen = tuple(sorted(state.unseen()))
    if len(hidden) == 1 and state.hands[hidden[0]].unknown == len(unseen):
        hands = list(state.hands)
        hands[hidden[0]] = Hand((*hands[hidden[0]].tiles, *unseen))
        return state._replace(hands=tuple(hands))
    if hidden:
        whose = " and ".join(names[seat] for seat in hidden)
        raise Unsolvable(
            f"the tiles of {whose} are hidden, so there is no exact answer; "
            "`sniff hint` advises from what the seat to move can know"
        )
    if not state.drawable or not state.boneyard.unknown:
        return state
    if state.boneyard.unknown != len(unseen):
        raise Unsolvable("it is not known which tiles are in the boneyard")
    if known_order and len(unseen) > 1:
        raise Unsolvable("the drawing order is not known: the file lists no boneyard in full")
    return state._replace(boneyard=Boneyard((*state.boneyard.known, *unseen)))


def _claimed(state: State) -> State:
    """Return the state with the claim that its owner may still make, made."""
    for pending in state.pending:
        claim = Claim(seat=pending.seat)
        # Not if he is under water until his time is over.
        if pending.tile_number == state.laid and verify(state, claim) is None:
            state, _ = apply(state, claim)
    return state


def _told(state: State, plies: tuple[Ply, ...]) -> tuple[LinePly, ...]:
    """Return a line in words, each action done on the table for its points."""
    told = []
    for ply in plies:
        if ply.action == DRAW and ply.drawn < 0:
            told.append(LinePly(ply.seat, "draw", 0))
            break
        tile = tile_of_number(ply.drawn) if ply.drawn >= 0 else None
        action, text = _action(state, ply.action, tile)
        state, event = apply(state, action)
        points = event.points
        claim = Claim(seat=ply.seat)
        if any(one.seat == ply.seat for one in state.pending) and verify(state, claim) is None:
            state, event = apply(state, claim)
            points += event.points
        told.append(LinePly(ply.seat, text, points))
    return tuple(told)


def _action(state: State, first: First, drawn: Tile | None) -> tuple[Action, str]:
    if first == DRAW:
        return Draw(seat=state.turn, tile=drawn), "draw" if drawn is None else f"draw {drawn}"
    if first == PASS:
        return Pass(seat=state.turn), "pass"
    table = spec_of(state.setup).table
    for move in tile_moves(state, tile_of_number(first.tile)):
        if table.intern(move.frontier) == first.after:
            play = named(state.turn, state.setup, state.layout, state.frontier, move)
            return play, text_of(play)
    raise ValueError(f"{tile_of_number(first.tile)} leads to no such table")
