"""Reviews as the JSON document of `sniff analyze` (contract, section 8)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from sniffcli.problems import Problem
from sniffcli.tutor.review import Decision, GameReview, SeatReview
from sniffcli.tutor.review_claims import ClaimReview
from sniffcli.tutor.review_players import players_json


def document(reviews: Sequence[GameReview], problems: Iterable[Problem]) -> dict[str, Any]:
    """Return the whole document; what nobody has found out is null."""
    return {
        "games": [game(one) for one in reviews],
        "problems": [problem.as_json() for problem in problems],
        "players": players_json(reviews) if any(one.graded for one in reviews) else None,
    }


def game(one: GameReview) -> dict[str, Any]:
    """Return one game. Seats are the names of the players."""
    names = one.names
    return {
        "file": one.replay.record.file,
        "ruleset": one.replay.record.rules.id,
        "players": list(names),
        "analysis": dict(one.made) or None,
        "not_reached": one.not_reached,
        "moves": [_move(decision, names) for decision in one.decisions],
        "claims": [_claim(claim, names) for claim in one.claims],
        "seats": {name: _seat(seat) for name, seat in zip(names, one.seats, strict=True)},
    }


def _move(one: Decision, names: Sequence[str]) -> dict[str, Any]:
    verdict = one.verdict
    return {
        "round": one.round,
        "n": one.n,
        "seat": names[one.seat],
        "played": one.event.text,
        "points": one.points,
        "best_score": one.best_score,
        "missed_points": one.missed_points,
        "value": finite(verdict.value),
        "best": verdict.best,
        "best_value": finite(verdict.best_value),
        "loss": finite(verdict.loss),
        "loss_se": finite(verdict.loss_se),
        "win_loss": finite(verdict.win_loss),
        "status": verdict.status,
        "grade": verdict.grade,
        "reasons": list(verdict.reasons),
        "rest": verdict.rest or None,
        "method": verdict.method,
        "worlds": verdict.worlds,
        "driver": verdict.driver,
        "held_out_loss": finite(verdict.held_out),
        "win": finite(verdict.win),
        "best_win": finite(verdict.best_win),
        "against": verdict.against,
        "parts": dict(verdict.parts) if verdict.parts is not None else None,
        "parts_se": dict(verdict.parts_se) if verdict.parts_se is not None else None,
        "tags": list(verdict.tags),
        "facts": dict(verdict.facts),
        "options": [one._asdict() for one in verdict.options],
        "note": verdict.note or None,
        "choices": [
            {"play": choice.text, "sum": choice.sum, "points": choice.points}
            for choice in one.choices
        ],
    }


def _claim(one: ClaimReview, names: Sequence[str]) -> dict[str, Any]:
    return {
        "round": one.round,
        "n": one.n,
        "seat": names[one.seat],
        "points": one.points,
        "claimed": one.claimed,
        "caught_by": None if one.caught_by is None else names[one.caught_by],
        "price": one.price,
    }


def _seat(one: SeatReview) -> dict[str, Any]:
    return {
        "decisions": one.decisions,
        "loss": finite(one.loss),
        "loss_se": finite(one.loss_se),
        "loss_per_decision": finite(one.loss_per_decision),
        "loss_per_round": finite(one.loss_per_round),
        "grades": dict(one.grades),
        "points": one.points,
        "missed_points": one.missed_points,
        "luck": finite(one.luck),
        "skill": finite(one.skill),
        "expected": finite(one.expected),
        "judged": one.judged,
        "luck_rounds": one.luck_rounds,
        "rounds": one.rounds,
        "held_out_loss": finite(one.held_out),
        "claims_price": one.claims_price,
        "forced": one.forced,
        "unknown_hand": one.unknown,
        "draws": one.draws,
        "passes": one.passes,
        "claims_missed": one.claims_missed,
        "claims_caught": one.claims_caught,
        "false_claims": one.false_claims,
    }


def finite(value: float | None) -> float | None:
    """Return VALUE, or None where it is no number that JSON knows."""
    return value if value is not None and math.isfinite(value) else None
