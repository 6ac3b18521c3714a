"""Each player over all games of an analysis: totals, and the worst mistakes first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sniffcli.show.numbers import NOTHING, decimal, estimate, signed
from sniffcli.show.tables import Column
from sniffcli.tutor.calibration import Calibration, calibration_of
from sniffcli.tutor.review import COSTLY, Decision, GameReview, Grade, SeatReview
from sniffcli.tutor.review_rows import Z95

#: How many mistakes of a player are listed.
MOST_LISTED = 10

#: With fewer decisions than this nobody is compared with anybody.
LEAST_DECISIONS = 30

PLAYER_COLUMNS = (
    Column("player"),
    Column("games", right=True),
    Column("decisions", right=True),
    Column("loss", right=True),
    Column("a decision", right=True),
    Column("a round", right=True, drop=2),
    Column("skill", right=True, drop=3),
    Column("luck", right=True, drop=4),
)
MISTAKE_COLUMNS = (
    Column("loss", right=True),
    Column("grade"),
    Column("play"),
    Column("better"),
    Column("where", drop=1),
)


@dataclass(frozen=True, slots=True)
class PlayerReview:
    """One player, known by name, over all games."""

    name: str
    #: Game and seat of each game.
    games: tuple[tuple[GameReview, int], ...]

    @property
    def seats(self) -> list[SeatReview]:
        """The player's seat in each game."""
        return [one.seats[seat] for one, seat in self.games]

    @property
    def decisions(self) -> int:
        """Real decisions that were judged; forced plays are none."""
        return sum(seat.decisions for seat in self.seats)

    @property
    def rounds(self) -> int:
        """Rounds in which the player acted."""
        return sum(seat.rounds for seat in self.seats)

    @property
    def loss(self) -> float | None:
        """Points lost in all games."""
        losses = [seat.loss for seat in self.seats if seat.loss is not None]
        return sum(losses) if losses else None

    @property
    def loss_se(self) -> float | None:
        """Standard error of the total loss."""
        errors = [seat.loss_se for seat in self.seats if seat.loss_se is not None]
        return sum(error * error for error in errors) ** 0.5 if errors else None

    @property
    def rate(self) -> float | None:
        """Points lost per decision."""
        return None if self.loss is None or not self.decisions else self.loss / self.decisions

    @property
    def grades(self) -> dict[Grade, int]:
        """How often each grade was given."""
        found: dict[Grade, int] = {}
        for seat in self.seats:
            for grade, number in seat.grades.items():
                found[grade] = found.get(grade, 0) + number
        return found

    def total(self, name: str) -> float | None:
        """Return the sum of `skill` or `luck` over the games that tell it."""
        values = [getattr(seat, name) for seat in self.seats]
        known = [value for value in values if value is not None]
        return sum(known) if known else None

    def mistakes(self) -> list[tuple[GameReview, Decision]]:
        """Return the costly decisions, the worst first."""
        found = [
            (one, decision)
            for one, seat in self.games
            for decision in one.decisions
            if decision.seat == seat and decision.verdict.grade in COSTLY
        ]
        return sorted(found, key=lambda pair: -(pair[1].verdict.loss or 0.0))

    @property
    def likeness(self) -> str | None:
        """How the rate compares with that of bots, if enough decisions and their rates are known.

        Only where all games were played by the same rules.
        """
        found = {id(one): one for one in (_calibration(game) for game, _ in self.games)}
        if self.rate is None or self.decisions < LEAST_DECISIONS or len(found) != 1:
            return None
        bots = next(iter(found.values())).bots
        if "greedy" not in bots or "random" not in bots:
            return None
        if self.rate < bots["greedy"].mean / 2:
            return "well above highest-score play"
        if self.rate < bots["greedy"].mean:
            return "above highest-score play"
        return "below highest-score play" if self.rate < bots["random"].mean else "like chance"


def _calibration(one: GameReview) -> Calibration:
    return calibration_of(one.replay.record.setup)


def players_of(reviews: Sequence[GameReview]) -> list[PlayerReview]:
    """Return every player of some games, in the order in which they appear."""
    found: dict[str, list[tuple[GameReview, int]]] = {}
    for one in reviews:
        for seat, name in enumerate(one.names):
            found.setdefault(name, []).append((one, seat))
    return [PlayerReview(name, tuple(games)) for name, games in found.items()]


def player_rows(players: Sequence[PlayerReview], *, unicode: bool) -> list[list[str]]:
    """Return one row per player, for `PLAYER_COLUMNS`."""
    return [
        [
            one.name,
            str(len(one.games)),
            str(one.decisions),
            estimate(one.loss, None if one.loss_se is None else Z95 * one.loss_se, unicode=unicode),
            decimal(one.rate, 2),
            NOTHING if one.loss is None else decimal(one.loss / max(1, one.rounds)),
            signed(one.total("skill")),
            signed(one.total("luck")),
        ]
        for one in players
    ]


def mistake_rows(one: PlayerReview, *, unicode: bool) -> list[list[str]]:
    """Return the worst mistakes of a player, for `MISTAKE_COLUMNS`."""
    rows = []
    for game, decision in one.mistakes()[:MOST_LISTED]:
        verdict = decision.verdict
        error = None if verdict.loss_se is None else Z95 * verdict.loss_se
        rows.append(
            [
                estimate(verdict.loss, error, unicode=unicode),
                verdict.grade or NOTHING,
                decision.event.text,
                verdict.best or NOTHING,
                f"{game.replay.record.file} {decision.round}.{decision.n}",
            ]
        )
    return rows


def player_lines(players: Sequence[PlayerReview]) -> Iterator[str]:
    """Yield how players compare with bots, where enough is known to say so."""
    for one in players:
        likeness = one.likeness
        if likeness is not None:
            yield f"{one.name}: {likeness}, over {one.decisions} decisions."


def players_json(reviews: Sequence[GameReview]) -> dict[str, Any]:
    """Return the players as plain data."""
    return {
        one.name: {
            "games": len(one.games),
            "decisions": one.decisions,
            "rounds": one.rounds,
            "loss": one.loss,
            "loss_se": one.loss_se,
            "loss_per_decision": one.rate,
            "loss_per_round": None if one.loss is None else one.loss / max(1, one.rounds),
            "grades": dict(one.grades),
            "skill": one.total("skill"),
            "luck": one.total("luck"),
            "worst": [
                {
                    "file": game.replay.record.file,
                    "round": decision.round,
                    "n": decision.n,
                    "played": decision.event.text,
                    "best": decision.verdict.best,
                    "loss": decision.verdict.loss,
                    "grade": decision.verdict.grade,
                }
                for game, decision in one.mistakes()[:MOST_LISTED]
            ],
        }
        for one in players_of(reviews)
    }
