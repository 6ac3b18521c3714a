"""What a match came to, per player: everything is read from its events."""

from __future__ import annotations

from dataclasses import dataclass

from sniffcli.game.actions import Catch, Claim, Play
from sniffcli.game.state import State
from sniffcli.ui.live import LiveGame


@dataclass
class Tally:
    """The figures of one player over a match."""

    name: str
    plays: int = 0
    turns: int = 0
    points: int = 0
    multiples: int = 0
    best: int = 0
    claims: int = 0
    missed: int = 0
    catches: int = 0
    best_tings: int = 0
    rounds_won: int = 0
    seconds: float = 0.0


def tallies(game: LiveGame) -> list[Tally]:
    """Return the figures per seat from all rounds so far."""
    found = [Tally(name) for name in game.setup.names]
    states = [state for _, state in game.finished]
    if not game.settled:
        states.append(game.state)
    for state in states:
        _add(found, state)
    for state in states:
        result = state.result
        # Whoever resigns gives up the match, and leaves this round to nobody.
        if result is not None and result.how != "resigned":
            for seat in result.winners:
                found[seat].rounds_won += 1
    if game.setup.rules.tings:
        _add_tings(found, game, states)
    return found


def _add(found: list[Tally], state: State) -> None:
    before = 0.0
    for event in state.events:
        one = found[event.seat]
        one.points += event.points
        match event.action:
            case Play():
                one.plays += 1
                one.turns += 1
                if event.worth:
                    one.multiples += 1
                    one.best = max(one.best, event.worth)
                one.seconds += max(0.0, event.time - before)
            case Claim():
                one.claims += bool(event.points)
            case Catch():
                one.catches += 1
            case _ if event.kind == "pass":
                one.turns += 1
        for lost in event.missed:
            found[lost.seat].missed += 1
        before = event.time


def _add_tings(found: list[Tally], game: LiveGame, states: list[State]) -> None:
    row = [0] * game.setup.seats
    for state in states:
        for event in state.events:
            for lost in event.missed:
                row[lost.seat] = 0
            if event.seat in game.setup.bots:
                continue
            if event.kind in ("claim", "catch") and event.points:
                row[event.seat] += 1
                one = found[event.seat]
                one.best_tings = max(one.best_tings, row[event.seat])


def rows_of(game: LiveGame) -> list[str]:
    """Return the figures as lines, one block per player, narrow enough for any terminal."""
    declared = game.setup.rules.claim.mode == "declare"
    lines = []
    for seat, one in enumerate(tallies(game)):
        average = one.points / one.turns if one.turns else 0.0
        if game.setup.rules.score.kind == "none":
            lines.append(f"{one.name}: rounds won {one.rounds_won}")
            continue
        lines.append(f"{one.name}: rounds won {one.rounds_won}, scoring plays {one.multiples}")
        lines.append(f"  {average:.1f} points a turn, best play {one.best}")
        if declared:
            lines.append(f"  claimed {one.claims}, missed {one.missed}, caught {one.catches}")
        if one.best_tings:
            lines.append(f"  longest row of tings {one.best_tings}")
        if game.timed and seat in game.people:
            lines.append(f"  {one.seconds:.0f} s at the table")
    return lines
