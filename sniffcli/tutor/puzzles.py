"""The right answers of a puzzle, as the engine finds them; arithmetic needs only counting."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from sniffcli.files.puzzles import Answer, Chosen, Number, Puzzle
from sniffcli.files.replay import RoundReplay, play_out
from sniffcli.game.actions import Draw, Pass, Play, Refusal
from sniffcli.game.legal import legal_plays
from sniffcli.game.plays import named, text_of
from sniffcli.game.state import State
from sniffcli.game.turn import attempt
from sniffcli.game.view import view_of
from sniffcli.problems import Problem
from sniffcli.table.counting import count, halves_counted, worth
from sniffcli.table.frontier import alike
from sniffcli.tiles import Tile

#: How an answer was found: by counting, by exact solving, by worlds, from the evidence.
Method = Literal["counted", "exact", "enumerated", "sampled", "evidence"]


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that the seat to move may do, and what became known of it."""

    action: Chosen
    text: str
    #: The sum after it, and what it scores now.
    sum: int | None
    points: int
    #: The margin to the end of the round, what it loses against the best, and that loss's error.
    value: float | None = None
    loss: float | None = None
    loss_se: float | None = None
    #: The best continuation where all hands are open, this action first.
    line: tuple[str, ...] = ()
    #: Over worlds: what of the loss arises now, by the reply, at the next turn, later, at the end;
    #: each with its standard error.
    parts: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """What the engine says about a question."""

    method: Method
    #: Every right answer, the best first.
    right: tuple[Answer, ...]
    options: tuple[Option, ...] = ()
    worlds: int | None = None


class Unprovable(ValueError):
    """A question that cannot be answered from the position; the message says why."""


def position_of_puzzle(puzzle: Puzzle) -> tuple[State | None, list[Problem]]:
    """Return the position that a puzzle asks about, or None, and what is wrong with it."""
    replay = play_out(puzzle.record)
    one: RoundReplay = replay.rounds[0]
    wrong = [p for p in replay.problems if p.severity == "error"]
    state = one.end if one.end is not None else one.start
    if wrong or state is None or one.how == "invalid":
        return None, wrong
    return state, []


def arithmetic(puzzle: Puzzle, state: State) -> Finding | None:
    """Return the answer where counting alone gives it; None for the other kinds."""
    match puzzle.ask:
        case "count":
            return Finding("counted", (Number(_sum(state)),))
        case "points":
            return Finding("counted", (Number(last_worth(state)),))
        case "claim":
            return Finding("counted", (Number(claimable(state)),))
        case "legal-plays":
            options = options_of(state)
            plays = tuple(one.action for one in options if isinstance(one.action, Play))
            return Finding("counted", (plays,), options)
        case "best-score":
            return _best_score(state)
        case _:
            return None


def _sum(state: State) -> int:
    if state.frontier.is_empty:
        raise Unprovable("the table is empty, so there is nothing to count")
    return count(state.rules, state.frontier)


def last_worth(state: State) -> int:
    """Return what the last tile is worth, claimed or not, before limits near the target."""
    if state.frontier.is_empty:
        raise Unprovable("the table is empty, so no tile is worth anything")
    if len(state.layout.placed) == 1 and not state.rules.open.scores:
        return 0
    return worth(state.rules, state.frontier)


def claimable(state: State) -> int:
    """Return what the owner of the last tile may claim for it now; 0 if nothing (any more)."""
    points = last_worth(state)
    if state.rules.claim.mode == "automatic" or not state.laid:
        return points
    open_now = [one for one in state.pending if one.tile_number == state.laid and not one.missed]
    return sum(one.points for one in open_now)


def options_of(state: State) -> tuple[Option, ...]:
    """Return the plays of the seat to move, alike tables once, with what they score now."""
    if state.hands[state.turn].unknown:
        name = state.setup.names[state.turn]
        raise Unprovable(f"{name} is to move, but that hand is not listed")
    found = []
    for move in legal_plays(state):
        play = named(state.turn, state.setup, state.layout, state.frontier, move)
        done = attempt(state, play)
        assert not isinstance(done, Refusal), "a legal play is not refused"
        event = done[1]
        declared = state.rules.claim.mode == "declare"
        points = event.worth if declared else event.points
        found.append(Option(play, text_of(play), event.sum, points))
    return tuple(found)


def _best_score(state: State) -> Finding:
    options = sorted(options_of(state), key=lambda one: -one.points)
    if not options:
        raise Unprovable(f"{state.setup.names[state.turn]} can lay no tile here")
    best = tuple(one.action for one in options if one.points == options[0].points)
    return Finding("counted", best, tuple(options))


def holds(puzzle: Puzzle, state: State) -> Finding:
    """Return the tiles that a player may hold, or cannot hold, by what the seat to move knows."""
    from sniffcli.engine.worlds import worlds_of

    assert puzzle.of is not None, "a question about a hand names it"
    names, seat = state.setup.names, state.turn
    if puzzle.of == seat:
        raise Unprovable(f"{names[seat]} is to move and knows his own hand; ask of somebody else")
    if state.hands[seat].unknown:
        raise Unprovable(f"{names[seat]} is asked, so that hand has to be listed")
    demand_own_draws(state, seat)
    try:
        chances = worlds_of(view_of(state, seat)).marginals()
    except ValueError as clash:
        raise Unprovable(f"the record contradicts itself: {clash}") from None
    held = {tile for tile, owners in chances.items() if owners.get(puzzle.of)}
    tiles = sorted(set(chances) - held if puzzle.never else held)
    return Finding("evidence", (tuple(tiles),))


def demand_own_draws(state: State, seat: int) -> None:
    """Refuse a record in which the seat that is asked drew tiles without saying which.

    Raises:
        Unprovable: there is such a draw.
    """
    for event in state.events:
        if event.kind == "draw" and event.seat == seat and event.tile is None:
            name = state.setup.names[seat]
            raise Unprovable(f"{name} is asked and drew a tile unnamed here; write draw 5-2")


def key_of(state: State, answer: Answer) -> Hashable | Refusal:
    """Return a value that is equal for answers that mean the same here, or why one is illegal."""
    if isinstance(answer, Number):
        return answer.value
    if isinstance(answer, Play):
        return _play_key(state, answer)
    if isinstance(answer, Draw | Pass):
        return answer.kind
    keys = []
    for one in answer:
        key: Hashable | Refusal = one if isinstance(one, Tile) else _play_key(state, one)
        if isinstance(key, Refusal):
            return key
        keys.append(key)
    return frozenset(keys)


def _play_key(state: State, play: Play) -> Hashable | Refusal:
    done = attempt(state, replace(play, seat=state.turn))
    if isinstance(done, Refusal):
        return done
    return play.tile, alike(state.rules, done[1].frontier)


def is_right(state: State, given: Answer, right: Sequence[Answer]) -> bool:
    """Whether GIVEN means the same as one of the RIGHT answers."""
    if isinstance(given, Number):
        return any(isinstance(one, Number) and given.matches(one.value) for one in right)
    key = key_of(state, given)
    return not isinstance(key, Refusal) and key in {key_of(state, one) for one in right}


def sum_written_out(state: State) -> str:
    """Return how the sum comes about: `5 + 5 (5-5) + 4 + 6 = 20`, what is covered left out."""
    rules, parts = state.rules, []
    for double in state.frontier.doubles:
        halves = halves_counted(rules, double)
        if halves:
            pips = " + ".join([str(double.pip)] * halves)
            parts.append(f"{pips} (the {double.pip}-{double.pip})")
    parts += [str(half.pip) for half in state.frontier.halves]
    total = count(rules, state.frontier)
    if not parts:
        return "no end counts = 0"
    return f"{' + '.join(parts)} = {total}"
