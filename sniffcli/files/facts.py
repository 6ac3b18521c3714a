"""A record played through as plain data: the document of `sniff replay` (contract, section 8)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sniffcli.files.replay import Replay, RoundReplay
from sniffcli.game.state import Event, Setup
from sniffcli.problems import Problem, has_errors


def document(replay: Replay | None, problems: Iterable[Problem]) -> dict[str, Any]:
    """Return the whole document; without a replay (a file that cannot be used) only problems."""
    found = sorted(set(problems))
    end = {"ok": not has_errors(found), "problems": [one.as_json() for one in found]}
    if replay is None:
        empty: dict[str, Any] = {
            "ruleset": None,
            "players": [],
            "rounds": [],
            "scores": {},
            "winner": None,
        }
        return {**empty, **end}
    setup = replay.record.setup
    return {
        "ruleset": replay.record.rules.id,
        "players": list(setup.names),
        "rounds": [round_facts(setup, one) for one in replay.rounds],
        "scores": setup.by_name(replay.scores),
        "winner": winner(setup, replay.winners or ()),
        **end,
    }


def round_facts(setup: Setup, one: RoundReplay) -> dict[str, Any]:
    """Return one round: its events, how it ended, and the scores after it."""
    bonus: dict[str, int | None] = {}
    if one.result is not None:
        hidden: Sequence[int | None] = (None,) * setup.side_count
        bonus = setup.by_name(hidden if one.result.bonus is None else one.result.bonus)
    result = {
        "how": one.how,
        "winner": winner(setup, () if one.result is None else one.result.winners),
        "bonus": bonus,
    }
    return {
        "number": one.number,
        "leader": None if one.start is None else setup.names[one.start.leader],
        "events": [event_facts(setup, step.event, one.scores_known) for step in one.steps],
        "result": result,
        "scores": setup.by_name(one.scores),
    }


def event_facts(setup: Setup, event: Event, scores_known: bool = True) -> dict[str, Any]:
    """Return one event; its scores are null where those before the round are not known."""
    scores: Sequence[int | None] = event.scores if scores_known else (None,) * setup.side_count
    return {
        "n": event.n,
        "seat": setup.names[event.seat],
        "action": event.kind,
        "tile": None if event.tile is None else str(event.tile),
        "on": None if event.on is None else str(event.on),
        "text": event.text,
        "sum": event.sum,
        "worth": event.worth,
        "points": event.points,
        "ends": list(event.ends),
        "scores": setup.by_name(scores),
        "hand_sizes": dict(zip(setup.names, event.hand_sizes, strict=True)),
        "boneyard": event.boneyard,
        "note": event.note or None,
    }


def winner(setup: Setup, seats: Sequence[int]) -> str | list[str] | None:
    """Return who won: a name, several names, or None."""
    names = [setup.names[seat] for seat in seats]
    return names[0] if len(names) == 1 else names or None
