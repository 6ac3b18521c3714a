"""Games on disk: a live match as a record, written after every action, and taken up again."""

from __future__ import annotations

import os
import random
import shlex
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from sniffcli import yamlio
from sniffcli.files.places import games_dir
from sniffcli.files.recording import game_text, round_record
from sniffcli.files.records import BotLevel, GameRecord, RoundRecord
from sniffcli.files.replay import Replay
from sniffcli.files.writing import Stamp, write_atomic
from sniffcli.game.match import after_round, new_match
from sniffcli.game.state import State
from sniffcli.ruleset import library
from sniffcli.ui.clock import Clock
from sniffcli.ui.dealing import Promise, recorded, seeded
from sniffcli.ui.live import Dealer, LiveGame, Start


@dataclass
class GameFile:
    """A file that belongs to one running game, as long as nobody else writes to it."""

    path: Path
    stamp: Stamp | None = None
    #: The name of the first of several matches, on which those of the others are built.
    series: str = ""

    def write(self, text: str) -> None:
        """Replace the file in one step.

        Raises:
            FileRefused: it exists already, or another program has written to it.
            OSError: it cannot be written; the old file is whole.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.stamp = write_atomic(self.path, text, stamp=self.stamp)


@dataclass(frozen=True)
class Sitting:
    """What a match was begun with and its file repeats: rules as named, promise, remarks."""

    #: A shipped id, or the file as it is found from here.
    ruleset: str | None = None
    overrides: Mapping[str, Any] = field(default_factory=dict)
    promise: Promise | None = None
    date: str | None = None
    place: str | None = None
    notes: str | None = None
    #: Whether people chose the seed, so that the deals are to be repeatable.
    seed_given: bool = False


def explaining(sitting: Sitting, players: int) -> str:
    """Return the command that explains the rules of a match; empty if they are not named."""
    if sitting.ruleset is None:
        return ""
    sets = [f"--set={key}={value}" for key, value in _settings(sitting.overrides)]
    words = ["sniff", "ruleset", "explain", sitting.ruleset, "--players", str(players), *sets]
    return shlex.join(words)


def _settings(overrides: Mapping[Any, Any], *path: Any) -> Iterator[tuple[str, str]]:
    """Yield house rules as keys with dots and values, as `--set` takes them."""
    for key, value in overrides.items():
        if isinstance(value, Mapping) and value:
            yield from _settings(value, *path, key)
        else:
            yield ".".join(map(str, (*path, key))), yamlio.dump({"x": value})[3:].strip()


def record_of(game: LiveGame, sitting: Sitting, file: str = "") -> GameRecord:
    """Return a live match as the record that its file holds."""
    setup = game.setup
    rounds = [_round(start, state) for start, state in game.finished]
    if not game.settled:
        rounds.append(replace(_round(game.start, game.state), elapsed=game.running()))
    proof = sitting.promise
    bots = {seat: level for seat, level in enumerate(game.levels) if level is not None}
    return GameRecord(
        file=file,
        rules=setup.rules,
        players=setup.names,
        sides=setup.sides,
        ruleset=sitting.ruleset,
        overrides=sitting.overrides,
        teams=setup.has_teams,
        bots=cast("dict[int, BotLevel]", bots),
        date=sitting.date,
        place=sitting.place,
        notes=sitting.notes,
        scores=game.carried,
        seed=None if proof is None else proof.seed,
        salt=None if proof is None else proof.salt,
        commitment=None if proof is None else proof.commitment,
        tolerate=("misjoin",) if setup.misjoins_stand else (),
        rounds=tuple(rounds),
    )


def _round(start: Start, state: State) -> RoundRecord:
    return round_record(state, passes=start.state.passes, redeals=start.redeals)


def save_text(game: LiveGame, sitting: Sitting, path: Path) -> str:
    """Return the text of the file of a live match at PATH, which names its ruleset from there."""
    name = sitting.ruleset
    if name is not None:
        sitting = replace(sitting, ruleset=library.name_in(path.parent, name))
    return game_text(record_of(game, sitting))


def sitting_of(record: GameRecord) -> Sitting:
    """Return what the next save of a resumed match repeats."""
    proof = None
    if record.seed is not None and record.salt is not None:
        proof = Promise(record.seed, record.salt)
    return Sitting(
        record.ruleset_here, record.overrides, proof, record.date, record.place, record.notes
    )


def resumed(replay: Replay, clock: Clock, *, hidden_hands: bool = False) -> LiveGame:
    """Return the match of a checked record as a live one, at the moment where it stopped.

    Raises:
        ValueError: a hand is hidden and HIDDEN_HANDS does not allow it, or a round is unusable.
    """
    record = replay.record
    seed = record.seed if record.seed is not None else random.SystemRandom().getrandbits(59)
    dealer: Dealer = seeded(seed)
    game = LiveGame(
        record.setup,
        recorded(record, dealer) if record.rounds else dealer,
        clock,
        levels=[record.bots.get(seat) for seat in range(len(record.players))],
        seed=str(seed),
        scores=record.scores,
    )
    game.dealer = dealer
    match = new_match(record.setup, record.scores)
    finished: list[tuple[Start, State]] = []
    for played in replay.rounds:
        if played.start is None:
            raise ValueError(f"round {played.number} of {record.file} cannot be played on")
        start = Start(played.start, played.record.redeals)
        hidden = [seat for seat, hand in enumerate(played.start.hands) if hand.unknown]
        if hidden and not hidden_hands:
            name = record.setup.names[hidden[0]]
            raise ValueError(
                f"{record.file}: the hand of {name} is not known, so nobody can play it on; "
                "a table kept with sniff record goes on with sniff record --resume"
            )
        states = [played.start, *(step.state for step in played.steps)]
        unpaid: State | None = None
        if played.end is not None and played.end is not states[-1]:
            result = states[-1].result
            if result is not None and result.bonus is None:
                # Hidden hands conceal what this end pays, and the file says it.
                unpaid = states.pop()
            states.append(played.end)
        before = match
        if states[-1].over:
            match = after_round(match, states[-1])
            finished.append((start, states[-1]))
        game.take_up(before, match, finished, start, states, unpaid)
        if played.record.elapsed is not None:
            game.resume_clock(game.state.laid_at + played.record.elapsed)
    return game


def new_file(folder: Path | None = None) -> GameFile:
    """Return a file of its own for a new game in FOLDER (default: in the user's data)."""
    return _unused(
        games_dir() if folder is None else folder, time.strftime("%Y-%m-%d-%H%M%S"), ".yaml"
    )


def next_file(before: GameFile) -> GameFile:
    """Return the file of a rematch: beside that of the match BEFORE, where people named it."""
    path = before.path
    if path.parent == games_dir():
        return new_file()
    series = before.series or path.stem
    return replace(_unused(path.parent, series, path.suffix), series=series)


def _unused(folder: Path, stem: str, suffix: str) -> GameFile:
    path = folder / f"{stem}{suffix}"
    number = 2
    while os.path.lexists(path):
        path = folder / f"{stem}-{number}{suffix}"
        number += 1
    return GameFile(path)
