"""What a seat may do now, seen from its view: each choice as an action and as a first action."""

from __future__ import annotations

from typing import NamedTuple

from sniffcli.engine.playout import DRAW, PASS, First
from sniffcli.engine.spec import spec_of
from sniffcli.game.actions import Action, Draw, Pass
from sniffcli.game.legal import draw_refusal, legal_plays, pass_refusal
from sniffcli.game.plays import named
from sniffcli.game.state import Boneyard, Hand, State
from sniffcli.game.view import View


class Choice(NamedTuple):
    """One thing a seat may do: as an action of the game and as a first action of a play-out."""

    action: Action
    first: First


def choices(view: View) -> list[Choice]:
    """Return all plays, the draw and the pass that are legal for the seat of a view on its turn.

    Plays come from the highest tile number down, as policies look at them; equal ways of laying
    a tile in the order of the engine's table.
    """
    state = seen(view)
    table = spec_of(view.setup).table
    fid = table.intern(view.frontier)
    plays = []
    for move in legal_plays(state):
        tile, after = move.tile.number, table.intern(move.frontier)
        order = [way.after for way in table.ways(fid, tile)]
        action = named(view.turn, view.setup, view.layout, view.frontier, move)
        plays.append((-tile, order.index(after), Choice(action, First(tile, after))))
    found = [choice for *_, choice in sorted(plays, key=lambda one: one[:2])]
    if draw_refusal(state) is None:
        found.append(Choice(Draw(seat=view.turn), DRAW))
    if pass_refusal(state) is None:
        found.append(Choice(Pass(seat=view.turn), PASS))
    return found


def seen(view: View) -> State:
    """Return the round of a view as a state in which all hidden tiles are unknown."""
    hands = tuple(
        Hand(view.hand) if seat == view.seat else Hand((), size)
        for seat, size in enumerate(view.hand_sizes)
    )
    return State(
        setup=view.setup,
        scores=view.scores,
        hands=hands,
        boneyard=Boneyard((), view.boneyard),
        leader=view.leader,
        turn=view.turn,
        origin=view.origin,
        layout=view.layout,
        frontier=view.frontier,
        must_lead=view.must_lead,
        laid=view.laid,
        closer=view.closer,
        drawn=view.drawn,
        last_drawn=view.last_drawn,
        passes=view.passes,
        extra=view.extra,
        pending=view.pending,
        now=view.now,
        laid_at=view.laid_at,
        submerged=view.submerged,
        unlocked=view.unlocked,
        entered=view.entered,
        tings=view.tings,
        result=view.result,
        events=view.events,
    )
