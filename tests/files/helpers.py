"""What the tests of game files share: files written in a few lines, and random games."""

from __future__ import annotations

import random
from collections.abc import Sequence
from textwrap import dedent

from sniffcli.files.games import read_game
from sniffcli.files.recording import round_record, with_round
from sniffcli.files.records import GameRecord
from sniffcli.files.replay import Replay, play_out
from sniffcli.game.actions import Action, Catch, Claim, Draw, Finish, Pass
from sniffcli.game.legal import draw_refusal, legal_plays
from sniffcli.game.match import after_round, deal_round, new_match, sides_of, winners
from sniffcli.game.plays import named
from sniffcli.game.state import State
from sniffcli.game.turn import apply, verify
from sniffcli.problems import Problem
from sniffcli.ruleset.model import Ruleset

FILE = "game.yaml"


def record(text: str) -> GameRecord:
    """Return the record of a file without a problem in its reading."""
    found, problems = read_game(dedent(text), FILE)
    assert not problems, "\n".join(map(str, problems))
    assert found is not None
    return found


def replay(text: str) -> Replay:
    """Return the replay of a file without a problem in its reading."""
    return play_out(record(text))


def problems(text: str | bytes) -> list[Problem]:
    """Return everything that is wrong with a file, in reading and in play."""
    given = dedent(text) if isinstance(text, str) else text
    found, reading = read_game(given, FILE)
    played = [] if found is None else play_out(found).problems
    return sorted({*reading, *played})


def codes(text: str | bytes) -> list[str]:
    """Return the codes of all problems, by place."""
    return [one.code for one in problems(text)]


def said(text: str | bytes) -> str:
    """Return all problems as text."""
    return "\n".join(map(str, problems(text)))


def sums(played: Replay, number: int = 1) -> list[int | None]:
    """Return the sums after the plays of a round."""
    return [step.event.sum for step in played.rounds[number - 1].steps if step.event.kind == "play"]


def random_action(state: State, rng: random.Random) -> Action:
    """Return something that may be done now: play, draw, pass, claim, catch or finish."""
    choices: list[Action] = []
    for pending in state.pending:
        for seat in range(state.setup.seats):
            if seat == pending.seat:
                choices.append(Claim(seat=seat, points=pending.points))
                choices.append(Claim(seat=seat, points=pending.points + 1))
            else:
                choices.append(Catch(seat=seat, target=pending.seat))
    choices = [one for one in choices if verify(state, one) is None]
    if choices and rng.random() < 0.6:
        return rng.choice(choices)
    if state.closing is not None:
        return Finish(seat=0 if state.closer is None else state.closer)
    moves = legal_plays(state)
    may_draw = draw_refusal(state) is None
    if moves and not (may_draw and rng.random() < 0.3):
        move = rng.choice(moves)
        return named(state.turn, state.setup, state.layout, state.frontier, move)
    if may_draw:
        return Draw(seat=state.turn)
    return Pass(seat=state.turn)


def random_game(
    rules: Ruleset, players: int, seed: int, *, rounds: int = 2, stop: int | None = None
) -> tuple[GameRecord, list[State]]:
    """Return a random match as a record, with the last state of each of its rounds.

    STOP ends the last round after so many actions.
    """
    rng = random.Random(seed)
    names: Sequence[str] = ["Ann", "No", "007", "12:30", "Ed", "Flo"][:players]
    sides = sides_of(players, teams=rules.teams_required(players))
    made = GameRecord(FILE, rules, tuple(names), sides, ruleset=rules.id)
    match = new_match(made.setup)
    states: list[State] = []
    for number in range(1, rounds + 1):
        state, _ = deal_round(match, rng)
        while not state.over and not (number == rounds and len(state.events) == stop):
            state, _ = apply(state, random_action(state, rng))
        states.append(state)
        made = with_round(made, round_record(state))
        if not state.over:
            break
        match = after_round(match, state)
        if winners(match) is not None:
            break
    return made, states
