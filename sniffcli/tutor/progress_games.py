"""Games in your record: read from the saved games, their losses kept once they are graded.

A play for which its player had asked a hint says nothing of his skill, so it is left out of the
decisions, of the points missed and of the losses (tutor.md, section 4.4).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sniffcli.files.games import read_game
from sniffcli.files.records import GameRecord
from sniffcli.files.remarks import read_remarks
from sniffcli.files.replay import Replay, play_out
from sniffcli.files.writing import read_file
from sniffcli.tutor.review import SeatReview, after_hints, review, without
from sniffcli.tutor.store import DEFAULT_PROFILE, Store

#: Worlds per decision with which saved games are graded.
WORLDS = 400


@dataclass(frozen=True, slots=True)
class GameFigures:
    """What one saved game says about one player."""

    file: str
    ruleset: str
    player: str
    score: int | None
    #: None while the match goes on.
    won: bool | None
    rounds: int
    decisions: int
    missed_points: int | None
    claims_missed: int
    claims_caught: int
    false_claims: int
    #: None until the game is graded.
    loss: float | None = None
    loss_per_decision: float | None = None
    #: Decisions that were left out because a hint was asked before them.
    hinted: int = 0


def saved_games(folder: Path) -> Iterator[tuple[Path, str, GameRecord]]:
    """Yield the saved games that can be read, with the hash of each file."""
    for path in sorted(folder.glob("*.yaml")):
        try:
            content, stamp = read_file(path)
        except OSError:
            continue
        record, _ = read_game(content, str(path))
        if record is not None:
            yield path, stamp.digest, record


def figures_of(
    store: Store, profile: str, folder: Path, *, grade: bool = False
) -> list[GameFigures]:
    """Return the games of a profile; with GRADE those that are not graded yet are graded now.

    The default profile is the first person of a game; another one plays under its own name.
    """
    found = []
    for path, digest, record in saved_games(folder):
        seat = _seat(record, profile)
        if seat is None:
            continue
        known = store.game(profile, digest)
        if known is not None:
            row = json.loads(known)
            # A version that counted every play kept no number of those after hints.
            current = "hinted" in row or not read_remarks(record.notes).hinted
            graded = row.get("loss_per_decision") is not None or not row.get("decisions")
            if current and (graded or not grade):
                found.append(GameFigures(**row))
                continue
        replay = play_out(record)
        if not replay.ok:
            continue
        figures = _figures(path.name, replay, seat, grade=grade)
        with store.writing():
            store.put_game(profile, digest, json.dumps(asdict(figures)))
        found.append(figures)
    return found


def _seat(record: GameRecord, profile: str) -> int | None:
    people = [seat for seat in range(len(record.players)) if seat not in record.bots]
    if profile != DEFAULT_PROFILE:
        people = [seat for seat in people if record.players[seat] == profile]
    return people[0] if people else None


def _figures(file: str, replay: Replay, seat: int, *, grade: bool) -> GameFigures:
    grader: Any = None
    if grade:
        from sniffcli.tutor.grading import WorldGrader

        grader = WorldGrader(worlds=WORLDS)
    reviewed = review(replay, grader)
    hinted = after_hints(reviewed)
    one: SeatReview = without(reviewed, seat, hinted)
    setup = replay.record.setup
    return GameFigures(
        file=file,
        ruleset=replay.record.rules.id,
        player=setup.names[seat],
        score=replay.scores[setup.sides[seat]],
        won=None if replay.winners is None else seat in replay.winners,
        rounds=len(replay.rounds),
        decisions=one.decisions,
        missed_points=one.missed_points,
        claims_missed=one.claims_missed,
        claims_caught=one.claims_caught,
        false_claims=one.false_claims,
        loss=one.loss,
        loss_per_decision=one.loss_per_decision,
        hinted=reviewed.seats[seat].decisions - one.decisions,
    )
