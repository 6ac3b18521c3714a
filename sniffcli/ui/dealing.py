"""Dealers: where the rounds of a live match come from, and the proof that nobody chose them."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from sniffcli.files.fairness import commitment, round_random
from sniffcli.files.records import GameRecord
from sniffcli.files.starting import start_of
from sniffcli.game.match import Match, deal_round
from sniffcli.problems import has_errors
from sniffcli.ui.live import Dealer, Start

#: Seeds are below this, so that every reader of the file can hold them.
SEEDS = 10**18


@dataclass(frozen=True, slots=True)
class Promise:
    """A seed and a salt, and their hash that is shown before the first play."""

    seed: int
    salt: str

    @property
    def commitment(self) -> str:
        """The hash that binds the dealer."""
        return commitment(self.seed, self.salt)


def promise(seed: int | None = None) -> Promise:
    """Return a new promise; without a given SEED the system's own randomness chooses it."""
    chosen = secrets.randbelow(SEEDS) if seed is None else seed
    return Promise(chosen, secrets.token_hex(16))


def seeded(seed: int) -> Dealer:
    """Return a dealer that shuffles; each round depends on the seed and its number alone."""

    def dealt(match: Match) -> Start:
        state, deal = deal_round(match, round_random(seed, len(match.results) + 1))
        return Start(state, deal.redeals)

    return dealt


def recorded(record: GameRecord, otherwise: Dealer) -> Dealer:
    """Return a dealer that deals the rounds of a record, then like OTHERWISE.

    Raises (when it deals):
        ValueError: a round of the record cannot be started.
    """

    def dealt(match: Match) -> Start:
        number = len(match.results)
        if number >= len(record.rounds):
            return otherwise(match)
        one = record.rounds[number]
        # Scores carried in mean that rounds were played of which nothing is known.
        known = bool(match.results) or not any(record.scores or ())
        state, problems = start_of(record, one, match, previous_known=known)
        # Whoever names a leader or a hand for a game to be played is taken at his word.
        problems = [one for one in problems if one.code not in ("leader", "redeal")]
        if state is None or has_errors(problems):
            raise ValueError("\n".join(map(str, problems)) or f"{record.file} has no deal to play")
        return Start(state, one.redeals)

    return dealt
