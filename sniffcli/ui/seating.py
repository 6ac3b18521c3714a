"""Setting up a table: who sits where, by which rules, and the match that begins there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sniffcli.files.notation import name_problem
from sniffcli.files.records import GameRecord
from sniffcli.game.match import sides_of
from sniffcli.game.state import Setup
from sniffcli.ruleset.model import Ruleset
from sniffcli.ui.bots import LEVELS
from sniffcli.ui.clock import Clock
from sniffcli.ui.dealing import promise, recorded, seeded
from sniffcli.ui.live import LiveGame
from sniffcli.ui.store import Sitting

#: What the programs at the table are called, as far as nobody else is.
BOT_NAMES = ("Bob", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida", "Jo", "Kay")

#: What a person is called who gives no name.
PERSON = "Player"


class SeatingError(ValueError):
    """A table that cannot be set like this; the message says why."""


@dataclass(frozen=True)
class Wish:
    """A table that somebody wants to play at."""

    rules: Ruleset
    #: The ruleset as it was named, and house rules over it.
    ruleset: str
    overrides: Mapping[str, Any] = field(default_factory=dict)
    people: tuple[str, ...] = (PERSON,)
    levels: tuple[str, ...] = ("greedy",)
    partners: bool = False
    seed: int | None = None
    date: str | None = None


def seated(
    rules: Ruleset,
    *,
    people: Sequence[str],
    levels: Sequence[str],
    players: int | None,
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return people and bot levels for a table of PLAYERS (default: as many as are named).

    People sit in the order given, bots after them; the last level goes for the bots left over.

    Raises:
        SeatingError: that is no table for these rules.
    """
    for name in people:
        problem = name_problem(name)
        if problem is not None:
            raise SeatingError(problem)
    for name in people:
        if list(people).count(name) > 1:
            raise SeatingError(f"two players are called {name}")
    for level in levels:
        if level not in LEVELS:
            raise SeatingError(f'no bot is called "{level}"; there are {", ".join(LEVELS)}')
    least = rules.players.min
    named = len(people) + len(levels)
    size = players
    if size is None:
        size = max(named, least) if levels or len(people) > 1 else max(least, len(people) + 1)
    if size < named and levels:
        raise SeatingError(f"{named} players are named for a table of {size}")
    if size < len(people):
        raise SeatingError(f"{len(people)} people are named for a table of {size}")
    if size not in rules.legal_players():
        low, high = rules.players.min, rules.players.max
        allowed = str(low) if low == high else f"{low} to {high}"
        raise SeatingError(f"{rules.title} is for {allowed} players, not {size}")
    bots = list(levels) or ["casual"]
    while len(people) + len(bots) < size:
        bots.append(bots[-1])
    return tuple(people), tuple(bots[: size - len(people)])


def setup_of(wish: Wish) -> tuple[Setup, tuple[str | None, ...]]:
    """Return the setup of a table and the level of each seat (None for people).

    Raises:
        SeatingError: these rules have no partners here.
    """
    rules = wish.rules
    free = [name for name in BOT_NAMES if name not in wish.people]
    names = (*wish.people, *free[: len(wish.levels)])
    levels: tuple[str | None, ...] = (*(None for _ in wish.people), *wish.levels)
    seats = len(names)
    if wish.partners and not rules.teams_possible(seats):
        raise SeatingError(rules.no_partners(seats))
    teams = wish.partners or rules.teams_required(seats)
    bots = frozenset(seat for seat, level in enumerate(levels) if level is not None)
    return Setup(rules, names, sides_of(seats, teams=teams), bots), levels


def opened(wish: Wish, clock: Clock) -> tuple[LiveGame, Sitting]:
    """Begin a match at a table."""
    setup, levels = setup_of(wish)
    proof = promise(wish.seed)
    game = LiveGame(setup, seeded(proof.seed), clock, levels=levels, seed=str(proof.seed))
    given = wish.seed is not None
    return game, Sitting(wish.ruleset, wish.overrides, proof, wish.date, seed_given=given)


def again(game: LiveGame, sitting: Sitting, clock: Clock) -> tuple[LiveGame, Sitting]:
    """Begin another match with the same players and rules.

    A match with a seed that people chose is followed by that of the next number, so that a row of
    matches can be repeated too; one from the system's randomness by another of them.
    """
    # What a script has dealt from a file is followed by the same match each time.
    seed = 1 if sitting.promise is None and not clock.real else None
    if sitting.seed_given and sitting.promise is not None:
        seed = sitting.promise.seed + 1
    proof = promise(seed)
    begun = LiveGame(
        game.setup, seeded(proof.seed), clock, levels=game.levels, seed=str(proof.seed)
    )
    return begun, replace(sitting, promise=proof, notes=None)


def dealt(record: GameRecord, clock: Clock, seed: int | None) -> tuple[LiveGame, Sitting]:
    """Begin a match with the deals of a record.

    Raises:
        ValueError: its first round cannot be started.
    """
    proof = promise(0 if seed is None else seed)
    levels = [record.bots.get(seat) for seat in range(len(record.players))]
    game = LiveGame(
        record.setup,
        recorded(record, seeded(proof.seed)),
        clock,
        levels=levels,
        seed=str(proof.seed),
        scores=record.scores,
    )
    return game, Sitting(record.ruleset_here, record.overrides, None, record.date, record.place)
