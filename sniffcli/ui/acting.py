"""Verbs that act in the game: each turns words into an action and lets the session do it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sniffcli.files.notation import NotationError, parse_action
from sniffcli.game.actions import Action, Catch, Claim, Keelhaul, Play, Resign
from sniffcli.game.claims import TINY, may_be_caught, owner_may_claim
from sniffcli.game.legal import (
    draw_refusal,
    lead_refusal,
    legal_plays,
    pass_refusal,
    tile_moves,
)
from sniffcli.game.plays import play_text
from sniffcli.game.state import State
from sniffcli.tiles import Tile
from sniffcli.ui.reply import Reply, refused
from sniffcli.ui.session import Session


def _read(session: Session, text: str, seat: int) -> Action | Reply:
    try:
        return parse_action(text, seat, session.setup.names)
    except NotationError as problem:
        return refused(problem)


def _mover(session: Session, seat: int | None) -> int:
    return session.state.turn if seat is None else seat


def play(session: Session, rest: str, seat: int | None) -> Reply:
    """Lay a tile; with a tutor at the table a costly one is questioned first."""
    if not rest:
        return refused("play which tile? Write it like 6-3 on 6-6")
    action = _read(session, f"play {rest}", _mover(session, seat))
    if isinstance(action, Reply):
        return action
    if session.options.tutor != "off" and isinstance(action, Play):
        from sniffcli.ui.gate import question

        asked = question(session, action, rest)
        if asked is not None:
            return asked
    return session.act(action)


def keep(session: Session, rest: str, seat: int | None) -> Reply:
    """Play what was questioned."""
    if session.questioned is None:
        return refused("nothing is questioned")
    action = _read(session, f"play {session.questioned}", _mover(session, seat))
    return action if isinstance(action, Reply) else session.act(action)


def rethink(session: Session, rest: str, seat: int | None) -> Reply:
    """Drop what was questioned."""
    if session.questioned is None:
        return refused("nothing is questioned")
    session.questioned = None
    return Reply("Not played. Choose again.")


def draw(session: Session, rest: str, seat: int | None) -> Reply:
    """Draw from the boneyard."""
    action = _read(session, f"draw {rest}".strip(), _mover(session, seat))
    return action if isinstance(action, Reply) else session.act(action)


def knock(session: Session, rest: str, seat: int | None) -> Reply:
    """Pass."""
    action = _read(session, f"pass {rest}".strip(), _mover(session, seat))
    return action if isinstance(action, Reply) else session.act(action)


def claim(session: Session, rest: str, seat: int | None) -> Reply:
    """Announce points; without a name the claim is of whoever has an open score."""
    who = _claimant(session) if seat is None else seat
    action = _read(session, f"claim {rest}".strip(), who)
    if isinstance(action, Reply):
        return action
    if isinstance(action, Claim) and action.points is None and not session.options.counter:
        return refused("the counter is hidden: say the points, like claim 10")
    if isinstance(action, Claim) and action.points == 0 and not session.options.counter:
        # Said of a tile that scores and of one that does not.
        return refused("nothing is not claimed; next goes on")
    return session.act(action)


def _claimant(session: Session) -> int:
    deciding = session.game.owner_deciding()
    if deciding is not None:
        return deciding
    turn = session.state.turn
    owners = [one.seat for one in session.state.pending if not session.game.is_bot(one.seat)]
    if owners and turn not in owners:
        return owners[-1]
    return turn


def catch(session: Session, rest: str, seat: int | None) -> Reply:
    """Take what somebody did not claim."""
    action = _read(session, f"catch {rest}".strip(), 0)
    if isinstance(action, Reply):
        return action
    assert isinstance(action, Catch)
    return session.act(replace(action, seat=_against(session, action.target, seat)))


def keelhaul(session: Session, rest: str, seat: int | None) -> Reply:
    """Put somebody under water."""
    action = _read(session, f"keelhaul {rest}".strip(), 0)
    if isinstance(action, Reply):
        return action
    assert isinstance(action, Keelhaul)
    return session.act(replace(action, seat=_against(session, action.target, seat)))


def _against(session: Session, target: int, seat: int | None) -> int:
    """Return who acts against TARGET: who speaks, else a person who is a rival of TARGET."""
    if seat is not None:
        return seat
    sides, turn = session.setup.sides, session.state.turn
    order = [turn, *(one for one in session.game.people if one != turn)]
    rivals = [one for one in order if sides[one] != sides[target] and not session.game.is_bot(one)]
    return rivals[0] if rivals else turn


def finish(session: Session, rest: str, seat: int | None) -> Reply:
    """Close a round that is over but for an open score."""
    people = session.game.people
    who = seat if seat is not None else (people[0] if people else session.state.turn)
    action = _read(session, f"finish {rest}".strip(), who)
    return action if isinstance(action, Reply) else session.act(action)


def resign(session: Session, rest: str, seat: int | None) -> Reply:
    """Give up the match."""
    who = seat if seat is not None else session.viewer
    if session.game.settled:
        return refused("the round is over; `quit` leaves, and `new` begins another match")
    return session.act(Resign(seat=who))


# What can be done now, for completion


def playable(session: Session) -> Iterable[str]:
    """Return the legal plays of the person to move."""
    game, state = session.game, session.state
    if state.over or game.is_bot(state.turn) or submerged(session, session.viewer):
        return []
    if game.owner_deciding() not in (None, state.turn) or state.closing is not None:
        return []
    moves = list(legal_plays(state))
    if state.hands[state.turn].unknown:
        # At a real table whoever is to move may hold any tile that nobody has seen.
        hidden = (tile for tile in sorted(state.unseen()) if not _barred(state, tile))
        moves += [move for tile in hidden for move in tile_moves(state, tile)]
    return [play_text(state.setup, state.layout, state.frontier, move) for move in moves]


def _barred(state: State, tile: Tile) -> bool:
    return state.frontier.is_empty and lead_refusal(state, tile) is not None


def _may(session: Session) -> bool:
    state = session.state
    open_turn = not state.over and state.closing is None
    return open_turn and not session.game.is_bot(state.turn)


def drawable(session: Session) -> Iterable[str]:
    """Return whether a tile may be drawn."""
    return [""] if _may(session) and draw_refusal(session.state) is None else []


def passable(session: Session) -> Iterable[str]:
    """Return whether the person to move may pass."""
    return [""] if _may(session) and pass_refusal(session.state) is None else []


def claimable(session: Session) -> Iterable[str]:
    """Return the claim that is open; never the sum where people count for themselves."""
    if not session.options.counter:
        game = session.game
        return [] if game.may_claim(session.state, game.elapsed()) is None else ["N"]
    now = session.game.elapsed()
    state = session.state
    return [
        str(one.points)
        for one in state.pending
        if not session.game.is_bot(one.seat) and owner_may_claim(state, one, now)
    ][:1]


def catchable(session: Session) -> Iterable[str]:
    """Return the names of those from whom something can be caught, or may be thought to be."""
    state, game = session.state, session.game
    if state.over:
        return []
    now = game.elapsed()
    found = [one.seat for one in state.pending if may_be_caught(state, one, now)]
    if not session.options.counter and state.rules.claim.rivals == "any":
        # Where people count for themselves nothing says whether there is anything to catch.
        found = [event.seat for event in reversed(state.events) if event.kind == "play"]
    people = [seat for seat in range(state.setup.seats) if not game.is_bot(seat)]
    sides = state.setup.sides
    return [
        state.setup.names[seat]
        for seat in dict.fromkeys(found)
        if any(sides[one] != sides[seat] for one in people)
    ]


def sinkable(session: Session) -> Iterable[str]:
    """Return the names of those who can be keelhauled."""
    state, seat = session.state, session.viewer
    if state.over or state.rules.keelhaul is None or session.game.is_bot(seat):
        return []
    if state.setup.sides[seat] not in state.unlocked:
        return []
    return [
        name
        for one, name in enumerate(state.setup.names)
        if state.setup.sides[one] != state.setup.sides[seat] and not submerged(session, one)
    ]


def finishable(session: Session) -> Iterable[str]:
    """Return whether the round waits to be finished."""
    return [""] if session.state.closing is not None else []


def questioned(session: Session) -> Iterable[str]:
    """Return whether the tutor has questioned a play."""
    return [] if session.questioned is None else [""]


def declared(session: Session) -> bool:
    """Whether points are claimed at this table."""
    return session.setup.rules.claim.mode == "declare"


def tutored(session: Session) -> bool:
    """Whether the tutor questions plays at this table."""
    return session.options.tutor != "off"


def submerged(session: Session, seat: int) -> bool:
    """Whether SEAT is under water now."""
    return session.state.submerged[seat] > session.game.elapsed() + TINY
