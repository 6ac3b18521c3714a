"""The opponents a table can seat: two simple ones of our own, the others from the engine."""

from __future__ import annotations

import random
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec

from sniffcli.game.actions import Action, Draw, Pass
from sniffcli.game.legal import draw_refusal, legal_plays
from sniffcli.game.plays import named
from sniffcli.game.state import Boneyard, Hand, State
from sniffcli.game.view import View
from sniffcli.table.counting import worth
from sniffcli.table.layout import Move

#: Chooses what the seat of a view does on its turn.
Bot = Callable[[View, random.Random], Action]

#: The strengths a table offers, weakest first.
LEVELS = ("random", "greedy", "casual", "strong", "expert")

#: Where the stronger opponents live.
ENGINE_BOTS = "sniffcli.engine.bots"


def bot(level: str) -> Bot:
    """Return the opponent of that strength.

    Raises:
        LookupError: there is no opponent of that name, or it needs an engine that is not there.
    """
    simple: dict[str, Bot] = {"random": any_play, "greedy": highest_score}
    if level in simple:
        return simple[level]
    if level not in LEVELS or not engine_has_bots():
        raise LookupError(f'no opponent is called "{level}"')
    found: Bot = import_module(ENGINE_BOTS).bot(level)
    return found


def engine_has_bots() -> bool:
    """Whether the engine's bots are there."""
    return find_spec(ENGINE_BOTS) is not None


def any_play(view: View, rng: random.Random) -> Action:
    """Lay any tile that fits."""
    state = seen(view)
    plays = legal_plays(state)
    if not plays:
        return without_a_play(state)
    return _action(state, plays[int(rng.random() * len(plays))])


def highest_score(view: View, rng: random.Random) -> Action:
    """Lay the tile that scores most now; among equals the heaviest one."""
    state = seen(view)
    plays = legal_plays(state)
    if not plays:
        return without_a_play(state)
    best = max(plays, key=lambda move: (_worth(state, move), move.tile.pips, move.tile))
    return _action(state, best)


def without_a_play(state: State) -> Action:
    """Return the draw or the pass of a seat that cannot lay a tile."""
    if draw_refusal(state) is None:
        return Draw(seat=state.turn)
    return Pass(seat=state.turn)


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


def _worth(state: State, move: Move) -> int:
    if state.frontier.is_empty and not state.rules.open.scores:
        return 0
    return worth(state.rules, move.frontier)


def _action(state: State, move: Move) -> Action:
    return named(state.turn, state.setup, state.layout, state.frontier, move)
