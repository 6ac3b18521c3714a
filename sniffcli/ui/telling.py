"""Events in words: one line per thing that happened, hiding what the reader may not see."""

from __future__ import annotations

from sniffcli.game.actions import Catch, Claim, Draw, Finish, Keelhaul, Pass, Play, Resign
from sniffcli.game.state import Event, RoundResult, Setup


def told(event: Event, setup: Setup, *, counter: bool, shown: frozenset[int]) -> str:
    """Return what an event tells people; SHOWN are the seats whose drawn tiles may be read.

    Without the COUNTER sums and worths are left out, but never points that were credited.
    """
    name = setup.names[event.seat]
    lines = [_missed(one.seat, one.points, setup) for one in event.missed if _said(event, counter)]
    match event.action:
        case Play():
            text = f"{name}: {event.text}"
            if counter and setup.rules.score.kind != "none":
                text += f"   sum {event.sum}"
                if event.worth and not event.points and setup.rules.claim.mode == "declare":
                    text += f", worth {event.worth}"
            if event.points:
                text += f"   {event.points:+}"
        case Draw():
            seen = event.seat in shown and event.tile is not None
            text = f"{name} draws {event.tile}" if seen else f"{name} draws"
        case Pass():
            text = f"{name} passes"
            if event.points:
                text += f"   {event.points:+}"
        case Claim(points=said):
            number = event.points if said is None else said
            text = f"{name} claims {number}" + (f"   {event.points:+}" if event.points else "")
        case Catch(target=target):
            text = f"{name} catches {setup.names[target]}   {event.points:+}"
        case Keelhaul(target=target):
            text = f"{name} keelhauls {setup.names[target]}   {event.points:+}"
        case Finish():
            text = f"{name} finishes the round"
        case Resign():
            text = f"{name} resigns"
    if event.note:
        text += f"   ({_note(event, counter)})"
    return "\n".join([*lines, text])


def _said(event: Event, counter: bool) -> bool:
    """Whether a missed score is spoken of: not while silence is part of the game."""
    return counter or isinstance(event.action, Catch)


def _note(event: Event, counter: bool) -> str:
    if isinstance(event.action, Claim) and not event.points and not counter:
        # Whether the sum or its worth is wrong would be told.
        return "void" if event.note.startswith("claim void") else event.note
    return event.note


def _missed(seat: int, points: int, setup: Setup) -> str:
    return f"{setup.names[seat]} did not claim {points}"


def how_it_ended(result: RoundResult, setup: Setup) -> str:
    """Return in a sentence how a round ended."""
    names = " and ".join(setup.names[seat] for seat in result.winners) or "nobody"
    one = len(result.winners) == 1
    have = "has" if one else "have"
    match result.how:
        case "out":
            return f"Domino! {names} {'is' if one else 'are'} out."
        case "blocked" if result.replay:
            return "Blocked, and the lightest hands are equal: the round is played again."
        case "blocked" if result.tied and not result.winners:
            return "Blocked, and the lightest hands are equal: nobody is paid."
        case "blocked" if not result.winners:
            # Hands that are hidden, or of which one only knows what they paid.
            return "Blocked." if result.bonus is None else "Blocked, and nobody is paid."
        case "blocked":
            return f"Blocked. {names} {have} the lightest hand."
        case "target":
            return f"{names} {have} reached the target."
        case _:
            return f"The match is given up; {names} {'wins' if one else 'win'}."
