"""The file that keeps the games of a long simulation, so that it can be stopped and resumed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sniffcli.engine.contest import Contest, Game
from sniffcli.engine.identity import rules_key
from sniffcli.files.writing import write_atomic

#: Version of the format.
VERSION = 1


class ResultsError(ValueError):
    """A file of results that cannot be gone on with; the message says why."""


def heading(contest: Contest) -> dict[str, Any]:
    """Return what must be the same for games to belong to one contest."""
    return {
        "sniff": VERSION,
        "ruleset": contest.setup.rules.id,
        "rules": rules_key(contest.setup),
        "bots": list(contest.bots),
        "seed": contest.seed,
        "mode": "matches" if contest.matches else "rounds",
    }


def read_results(path: Path, contest: Contest) -> list[Game]:
    """Return the games kept in a file; only whole deals count.

    Raises:
        ResultsError: the file is no such file, or of another contest.
        OSError: it cannot be read.
    """
    try:
        found = json.loads(path.read_text("utf-8"))
        games = [_game(row) for row in found["games"]]
        head = {key: found[key] for key in heading(contest)}
    except (ValueError, KeyError, TypeError, IndexError):
        raise ResultsError(f"{path} is not a file of simulated games") from None
    for key, wanted in heading(contest).items():
        if head[key] != wanted:
            raise ResultsError(f"{path} has other games: {key} is {head[key]}, not {wanted}")
    seatings: dict[int, set[int]] = {}
    for game in games:
        seatings.setdefault(game.deal, set()).add(game.shift)
    return [game for game in games if len(seatings[game.deal]) == contest.shifts]


def _game(row: list[Any]) -> Game:
    deal, shift, rounds, leader, points, lead_margin, won = row
    numbers = (deal, shift, rounds, leader, won, *points)
    if not all(type(one) is int for one in numbers) or rounds < 1 or leader < 0:
        raise ValueError("not a game")
    return Game(deal, shift, rounds, leader, tuple(points), float(lead_margin), won)


def write_results(path: Path, contest: Contest, games: Iterable[Game]) -> None:
    """Keep the games in a file; the old file or the new one is there, whole."""
    rows = ",\n".join(json.dumps(game, separators=(",", ":")) for game in sorted(games))
    head = json.dumps(heading(contest))[1:-1]
    write_atomic(path, f'{{{head}, "games": [\n{rows}\n]}}\n', force=True)
