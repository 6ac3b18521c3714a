"""Claims, catches, the keelhaul, and closing a round whose last score is still open.

Time is a number on an action: seconds since the last tile was laid. How claims run is fixed in
section 4 of the contract; the sources are the articles of Dreamtime Sniff and the French guide.
"""

from __future__ import annotations

from sniffcli.game.actions import Action, Catch, Claim, Finish, Keelhaul, Refusal, Resign
from sniffcli.game.settle import creditable, credited, last_tile, settle, stopped
from sniffcli.game.state import Pending, State
from sniffcli.ruleset.words import Seconds

#: How far two moments may differ and still be the same, in seconds.
TINY = 1e-9


def window(state: State) -> float | None:
    """Return the seconds in which an owner may claim; None where tiles and not seconds count."""
    until = state.rules.claim.owner_until
    return until.seconds if isinstance(until, Seconds) else None


def owner_may_claim(state: State, pending: Pending, moment: float) -> bool:
    """Whether the owner's time for a score still runs at MOMENT (seconds of the round)."""
    if pending.tile_number != state.laid:
        return False
    seconds = window(state)
    return seconds is None or moment < state.laid_at + seconds - TINY


def may_be_caught(state: State, pending: Pending, moment: float) -> bool:
    """Whether rivals may take a score at MOMENT."""
    if state.rules.claim.rivals == "none" or owner_may_claim(state, pending, moment):
        return False
    if window(state) is None and pending.tile_number == state.laid:
        return False
    until = state.rules.claim.rivals_until
    allowed = {"next_tile": 0, "tile_after_next": 1}.get(until)
    return allowed is None or state.laid <= pending.tile_number + allowed


def swept(state: State) -> State:
    """Let time take its course: note missed claims, drop scores that nobody can have any more."""
    if not state.pending:
        return state
    kept: list[Pending] = []
    tings = list(state.tings)
    for pending in state.pending:
        if not pending.missed and not owner_may_claim(state, pending, state.now):
            pending = pending._replace(missed=True)
            tings[pending.seat] = 0
        if not pending.missed or _catchable_later(state, pending):
            kept.append(pending)
    return state._replace(pending=tuple(kept), tings=tuple(tings))


def _catchable_later(state: State, pending: Pending) -> bool:
    if state.rules.claim.rivals == "none":
        return False
    if may_be_caught(state, pending, state.now):
        return True
    # In the game of tiles the catch opens only when the next tile is laid.
    return window(state) is None and pending.tile_number == state.laid and state.closing is None


def earliest(state: State, action: Action) -> float:
    """Return the moment of an undated action: the first at which it is allowed."""
    moment = state.now
    seconds = window(state)
    own_window = [p for p in state.pending if owner_may_claim(state, p, moment)]
    waits = action.kind == "play" or (
        action.kind == "finish" and any(p.seat != action.seat for p in own_window)
    )
    if isinstance(action, Catch):
        # What can be caught already is not held up by a later score whose time still runs.
        theirs = [p for p in state.pending if p.seat == action.target]
        waits = bool(theirs) and not any(may_be_caught(state, p, moment) for p in theirs)
    if seconds is not None and own_window and waits:
        moment = max(moment, state.laid_at + seconds)
    if action.kind in ("claim", "catch"):
        moment = max(moment, state.submerged[action.seat])
    return moment


def clocked(state: State, action: Action) -> State | Refusal:
    """Return the state with its clock at the moment of ACTION, or why that moment is wrong."""
    if action.after is None:
        moment = earliest(state, action)
        return state if moment == state.now else state._replace(now=moment)
    moment = state.laid_at + action.after
    if moment < state.now - TINY:
        return Refusal("time", f"{action.after:g} s is before the action that stands above it")
    running = [p for p in state.pending if owner_may_claim(state, p, moment)]
    seconds = window(state)
    if action.kind in ("play", "finish") and seconds is not None and running:
        owner = running[0].seat
        if action.kind == "play" or owner != action.seat:
            name = state.setup.names[owner]
            return Refusal("time", f"{name} has {seconds:g} s to claim before anybody goes on")
    return state._replace(now=max(moment, state.now))


def claim(state: State, action: Claim) -> tuple[State, int, str] | Refusal:
    """Announce one's own score. A wrong sum is void, or pays the penalty; it may be repeated."""
    rules = state.rules
    if rules.claim.mode == "automatic":
        return Refusal("claim", "points count by themselves in this game; nothing is claimed")
    blind = _submerged(state, action.seat, "claim")
    if blind is not None:
        return blind
    name = state.setup.names[action.seat]
    mine = [p for p in state.pending if p.seat == action.seat]
    timely = [p for p in mine if owner_may_claim(state, p, state.now)]
    if mine and not timely:
        return Refusal("claim", f"too late: the time of {name} to claim is over")
    if not timely and not _own_last_tile(state, action.seat):
        return Refusal("claim", f"{name} has no score to claim")
    worth = timely[0].points if timely else 0
    if not action.points and not timely:
        return Refusal("claim", f"{name} has no score to claim: the last tile is worth nothing")
    said = worth if action.points is None else action.points
    if said != worth or not timely:
        return _false_claim(state, action.seat, said, worth)
    side = state.setup.sides[action.seat]
    after = state._replace(pending=tuple(p for p in state.pending if p != timely[0]))
    if state.closing == "out":
        after, credit = last_tile(after, action.seat, worth)
    else:
        credit = creditable(after, side, worth, source="play", going_out=False)
    after = credited(after, side, credit.points, entering=True)
    return _with_ting(after, action.seat), credit.points, credit.note


def _own_last_tile(state: State, seat: int) -> bool:
    seconds = window(state)
    in_time = seconds is None or state.now < state.laid_at + seconds - TINY
    return state.closer == seat and in_time and not _settled_claim(state)


def _settled_claim(state: State) -> bool:
    """Whether the last tile has been claimed already."""
    for event in reversed(state.events):
        if event.kind == "play":
            return False
        if event.kind == "claim" and event.seat == state.closer and event.points:
            return True
    return False


def _false_claim(state: State, seat: int, said: int, worth: int) -> tuple[State, int, str]:
    note = f"claim void: the tile is worth {worth}, not {said}"
    after = state
    if state.rules.claim.false_claim == "penalty":
        own = state.setup.sides[seat]
        for side in range(state.setup.side_count):
            if side != own:
                credit = creditable(after, side, said, source="bonus", going_out=False)
                after = credited(after, side, credit.points, entering=True)
        note += f"; {said} to each rival side"
    return after, 0, note


def catch(state: State, action: Catch) -> tuple[State, int, str] | Refusal:
    """Take every score of another seat that can be caught now, plus the bounty from the bank."""
    setup = state.setup
    if state.rules.claim.rivals == "none":
        return Refusal("catch", "nobody may take another player's score in this game")
    blind = _submerged(state, action.seat, "catch")
    if blind is not None:
        return blind
    name = setup.names[action.target]
    if setup.sides[action.target] == setup.sides[action.seat]:
        return Refusal("catch", "only a rival's score can be caught")
    there = [p for p in state.pending if p.seat == action.target]
    found = [p for p in there if may_be_caught(state, p, state.now)]
    if not found:
        if there:
            return Refusal("catch", f"too early: {name} may still claim")
        return Refusal("catch", f"{name} has no unclaimed score")
    side = setup.sides[action.seat]
    credit = creditable(state, side, sum(p.points for p in found), source="play", going_out=False)
    after = state._replace(pending=tuple(p for p in state.pending if p not in found))
    after = credited(after, side, credit.points, entering=True)
    points = credit.points
    if points:
        bounty = creditable(after, side, state.rules.claim.bounty, source="bonus", going_out=False)
        after = credited(after, side, bounty.points, entering=False)
        points += bounty.points
    return _with_ting(after, action.seat), points, credit.note


def _with_ting(state: State, seat: int) -> State:
    if not state.rules.tings or seat in state.setup.bots:
        return state
    tings = tuple(one + 1 if k == seat else one for k, one in enumerate(state.tings))
    return state._replace(tings=tings)


def _submerged(state: State, seat: int, verb: str) -> Refusal | None:
    left = state.submerged[seat] - state.now
    if left > TINY:
        name = state.setup.names[seat]
        return Refusal("submerged", f"{name} is under water for {left:g} s and can {verb} nothing")
    return None


def keelhaul(state: State, action: Keelhaul) -> tuple[State, int, str] | Refusal:
    """Blind a rival: costs points, needs a treasury that once was large enough."""
    setup, keel = state.setup, state.rules.keelhaul
    if keel is None:
        return Refusal("keelhaul", "there is no keelhaul in this game")
    side, name = setup.sides[action.seat], setup.names[action.target]
    if setup.sides[action.target] == side:
        return Refusal("keelhaul", "only a rival can be keelhauled")
    if side not in state.unlocked:
        return Refusal("keelhaul", f"the keelhaul is unlocked at {keel.unlock_at} points")
    left = state.submerged[action.target] - state.now
    if left > TINY:
        return Refusal("keelhaul", f"{name} is under water already, for {left:g} s more")
    paid = min(keel.cost, max(0, state.scores[side]))
    after = credited(state, side, -paid, entering=False)
    until = state.now + keel.seconds
    submerged = tuple(until if k == action.target else t for k, t in enumerate(state.submerged))
    return (
        after._replace(submerged=submerged),
        -paid,
        f"{name} is under water for {keel.seconds:g} s",
    )


def finish(state: State, action: Finish) -> tuple[State, int, str] | Refusal:
    """Close a round that is over but for an open score; unclaimed points are lost."""
    if state.closing is None:
        return Refusal("finish", "the round is not over, so there is nothing to finish")
    # Whoever could still have claimed has missed it, and his row of tings is over.
    missed = {p.seat for p in state.pending if not p.missed}
    tings = tuple(0 if seat in missed else one for seat, one in enumerate(state.tings))
    return settle(state._replace(tings=tings), state.closing), 0, ""


def resign(state: State, action: Resign) -> tuple[State, int, str]:
    """Give up the match: the best of the other sides has won it."""
    side = state.setup.sides[action.seat]
    others = [one for one in range(state.setup.side_count) if one != side]
    best = max(state.scores[one] for one in others)
    winners = tuple(
        seat
        for seat in range(state.setup.seats)
        if state.setup.sides[seat] != side and state.scores[state.setup.sides[seat]] == best
    )
    return stopped(state, "resigned", winners), 0, ""
