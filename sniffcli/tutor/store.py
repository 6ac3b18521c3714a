"""The store of a player's progress: one SQLite file in the user's data directory.

Several programs may use it at once: it is in write-ahead mode, every change is one transaction, and
what was written before a crash stays. What is kept are answers; everything else is derived from
them, except ratings and cards, which are kept beside them for speed and change in the same step.
"""

from __future__ import annotations

import json
import sqlite3
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sniffcli.files.places import data_dir

#: The profile of a player who names none.
DEFAULT_PROFILE = "default"
#: Seconds to wait for another program that is writing.
PATIENCE = 20.0
#: The version of exported data.
EXPORT = 1

#: One list of statements per version of the file; a file is brought forward step by step.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE answers (
            id INTEGER PRIMARY KEY,
            uid TEXT NOT NULL,
            profile TEXT NOT NULL,
            at REAL NOT NULL,
            session TEXT NOT NULL,
            item TEXT NOT NULL,
            family TEXT NOT NULL,
            ask TEXT NOT NULL,
            ruleset TEXT NOT NULL,
            expected TEXT NOT NULL,
            given TEXT NOT NULL,
            correct INTEGER NOT NULL,
            seconds REAL,
            hidden INTEGER NOT NULL DEFAULT 1,
            hints INTEGER NOT NULL DEFAULT 0,
            rated INTEGER NOT NULL DEFAULT 1,
            error TEXT,
            features TEXT NOT NULL DEFAULT '{}',
            UNIQUE (profile, uid)
        )""",
        "CREATE INDEX answers_of ON answers (profile, at)",
        """CREATE TABLE cards (
            profile TEXT NOT NULL,
            subject TEXT NOT NULL,
            card TEXT NOT NULL,
            due REAL NOT NULL,
            counted_on TEXT NOT NULL,
            PRIMARY KEY (profile, subject)
        )""",
        """CREATE TABLE ratings (
            profile TEXT NOT NULL,
            subject TEXT NOT NULL,
            rating REAL NOT NULL,
            deviation REAL NOT NULL,
            volatility REAL NOT NULL,
            PRIMARY KEY (profile, subject)
        )""",
    ),
    (
        # Whether an answer belongs to the fixed probe set, which is never trained on.
        "ALTER TABLE answers ADD COLUMN probe INTEGER NOT NULL DEFAULT 0",
    ),
    (
        # What saved games say, by the hash of their files, so that none is graded twice.
        """CREATE TABLE games (
            profile TEXT NOT NULL,
            digest TEXT NOT NULL,
            figures TEXT NOT NULL,
            PRIMARY KEY (profile, digest)
        )""",
    ),
)


class StoreError(Exception):
    """The store or an export cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Answered:
    """One answer as it is kept."""

    item: str
    family: str
    ask: str
    ruleset: str
    expected: str
    given: str
    correct: bool
    #: Seconds from question to answer; None where they were not measured.
    seconds: float | None = None
    #: Whether the sum was hidden while the question was asked.
    hidden: bool = True
    #: Steps of the hint that were shown; a hint makes an answer unrated.
    hints: int = 0
    rated: bool = True
    #: The kind of mistake, if the answer was wrong and the mistake is one of the known ones.
    error: str | None = None
    probe: bool = False
    features: Mapping[str, Any] = field(default_factory=dict)
    #: When, in seconds since 1970 (UTC), and in which session.
    at: float = 0.0
    session: str = ""
    uid: str = ""


@dataclass(frozen=True, slots=True)
class Rating:
    """A Glicko-2 rating."""

    rating: float
    deviation: float
    volatility: float = 0.06


@dataclass(frozen=True, slots=True)
class CardRow:
    """When a subject is due, and the day on which it was last counted."""

    subject: str
    card: str
    due: float
    counted_on: str


_COLUMNS = tuple(one.name for one in fields(Answered))
_FLAGS = ("correct", "hidden", "rated", "probe")


def store_path() -> Path:
    """Return the file of the store."""
    return data_dir() / "progress.sqlite"


class Store:
    """An open store; use it in a `with` statement."""

    def __init__(self, path: Path | None = None, *, looking: bool = False) -> None:
        """Open the file at PATH (default: the user's own), making or migrating it as needed.

        With LOOKING no file is made: where there is none, the store is empty and kept nowhere.

        Raises:
            StoreError: the file is no store, or that of a newer program.
            OSError: its directory cannot be made.
        """
        self.path = path or store_path()
        target = str(self.path)
        if looking and not self.path.exists():
            target = ":memory:"
        else:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._db = sqlite3.connect(target, timeout=PATIENCE, isolation_level=None)
            try:
                self._db.row_factory = sqlite3.Row
                self._write_ahead()
                self._migrate()
            except BaseException:
                self.close()
                raise
        except sqlite3.Error as problem:
            raise StoreError(f"{self.path} cannot be used: {problem}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def _write_ahead(self) -> None:
        """Switch to write-ahead logging, which another program may be doing at this moment."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                self._db.execute("PRAGMA journal_mode = WAL")
                break
            except sqlite3.OperationalError as problem:
                if "locked" not in str(problem) or time.monotonic() > deadline:
                    raise
                time.sleep(0.02)
        self._db.execute("PRAGMA synchronous = FULL")

    def _migrate(self) -> None:
        with self.writing():
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            if version > len(MIGRATIONS):
                raise StoreError(
                    f"{self.path} has version {version}, and this program knows version "
                    f"{len(MIGRATIONS)}; a newer program is needed"
                )
            for step in MIGRATIONS[version:]:
                for statement in step:
                    self._db.execute(statement)
            if version < len(MIGRATIONS):
                self._db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Make everything inside one step: all of it is kept, or nothing.

        Raises:
            StoreError: the disk is full, or another program holds the file for too long.
        """
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")
        except sqlite3.Error as problem:
            raise StoreError(f"{self.path} cannot be written: {problem}") from None

    def add(self, profile: str, answered: Answered) -> None:
        """Keep an answer; call it inside `writing`. One that is there already is left alone."""
        row = asdict(answered)
        row["features"] = json.dumps(row["features"], sort_keys=True)
        row["uid"] = answered.uid or uuid.uuid4().hex
        row["at"] = answered.at or time.time()
        names = ("profile", *_COLUMNS)
        marks = ", ".join("?" * len(names))
        self._db.execute(
            f"INSERT OR IGNORE INTO answers ({', '.join(names)}) VALUES ({marks})",
            (profile, *(row[name] for name in _COLUMNS)),
        )

    def answers(self, profile: str) -> list[Answered]:
        """Return all answers of a profile in the order in which they were given."""
        rows = self._db.execute(
            f"SELECT {', '.join(_COLUMNS)} FROM answers WHERE profile = ? ORDER BY at, id",
            (profile,),
        )
        return [_answered(dict(row)) for row in rows]

    def card(self, profile: str, subject: str) -> CardRow | None:
        """Return the card of a subject."""
        return next((one for one in self.cards(profile) if one.subject == subject), None)

    def cards(self, profile: str) -> list[CardRow]:
        """Return all cards of a profile."""
        rows = self._db.execute(
            "SELECT subject, card, due, counted_on FROM cards WHERE profile = ? ORDER BY subject",
            (profile,),
        )
        return [CardRow(**dict(row)) for row in rows]

    def put_card(self, profile: str, row: CardRow) -> None:
        """Keep a card; call it inside `writing`."""
        self._db.execute(
            "INSERT OR REPLACE INTO cards (profile, subject, card, due, counted_on) "
            "VALUES (?, ?, ?, ?, ?)",
            (profile, row.subject, row.card, row.due, row.counted_on),
        )

    def rating(self, profile: str, subject: str) -> Rating | None:
        """Return the rating of a player (subject `player`) or puzzle."""
        row = self._db.execute(
            "SELECT rating, deviation, volatility FROM ratings WHERE profile = ? AND subject = ?",
            (profile, subject),
        ).fetchone()
        return None if row is None else Rating(**dict(row))

    def put_rating(self, profile: str, subject: str, rating: Rating) -> None:
        """Keep a rating; call it inside `writing`."""
        self._db.execute(
            "INSERT OR REPLACE INTO ratings (profile, subject, rating, deviation, volatility) "
            "VALUES (?, ?, ?, ?, ?)",
            (profile, subject, rating.rating, rating.deviation, rating.volatility),
        )

    def game(self, profile: str, digest: str) -> str | None:
        """Return what is kept about a game file with this hash."""
        row = self._db.execute(
            "SELECT figures FROM games WHERE profile = ? AND digest = ?", (profile, digest)
        ).fetchone()
        return None if row is None else str(row[0])

    def put_game(self, profile: str, digest: str, figures: str) -> None:
        """Keep what a game file says; call it inside `writing`."""
        self._db.execute(
            "INSERT OR REPLACE INTO games (profile, digest, figures) VALUES (?, ?, ?)",
            (profile, digest, figures),
        )

    def profiles(self) -> list[str]:
        """Return the names of all profiles that hold anything."""
        rows = self._db.execute(
            "SELECT profile FROM answers UNION SELECT profile FROM cards "
            "UNION SELECT profile FROM ratings ORDER BY 1"
        )
        return [row[0] for row in rows]

    def delete(self, profile: str) -> int:
        """Forget a profile; return how many answers are gone."""
        with self.writing():
            gone = self._db.execute("DELETE FROM answers WHERE profile = ?", (profile,)).rowcount
            self._db.execute("DELETE FROM cards WHERE profile = ?", (profile,))
            self._db.execute("DELETE FROM ratings WHERE profile = ?", (profile,))
            self._db.execute("DELETE FROM games WHERE profile = ?", (profile,))
        return gone

    def export(self, profile: str) -> dict[str, Any]:
        """Return everything about a profile as plain data."""
        ratings = self._db.execute(
            "SELECT subject, rating, deviation, volatility FROM ratings WHERE profile = ? "
            "ORDER BY subject",
            (profile,),
        )
        return {
            "sniff": EXPORT,
            "profile": profile,
            "answers": [asdict(one) for one in self.answers(profile)],
            "cards": [asdict(one) for one in self.cards(profile)],
            "ratings": [dict(row) for row in ratings],
        }

    def take_in(self, profile: str, data: Any) -> int:
        """Add exported data to a profile; answers that are there already are not doubled.

        Cards and ratings come with answers that are newer than all that is here.

        Raises:
            StoreError: this is no export; nothing is changed.
        """
        answers, cards, ratings = _checked(data)
        with self.writing():
            known = {one.uid for one in self.answers(profile)}
            latest = max((one.at for one in self.answers(profile)), default=-1.0)
            newer = max((one.at for one in answers), default=0.0) > latest
            for one in answers:
                self.add(profile, one)
            for card in cards if newer else ():
                self.put_card(profile, card)
            for subject, rating in ratings if newer else ():
                self.put_rating(profile, subject, rating)
        return sum(one.uid not in known for one in answers)


def _answered(row: dict[str, Any]) -> Answered:
    for name in _FLAGS:
        row[name] = bool(row[name])
    row["features"] = json.loads(row["features"])
    return Answered(**row)


def _checked(data: Any) -> tuple[list[Answered], list[CardRow], list[tuple[str, Rating]]]:
    """Return the parts of an export, or say what is wrong with it."""
    if not isinstance(data, dict) or not isinstance(data.get("sniff"), int):
        raise StoreError("this is no export of sniff")
    if data["sniff"] > EXPORT:
        raise StoreError(f"this export has format {data['sniff']}; a newer program is needed")
    answers = [_row(Answered, one) for one in _rows(data, "answers")]
    cards = [_row(CardRow, one) for one in _rows(data, "cards")]
    ratings = []
    for one in _rows(data, "ratings"):
        rest = {key: value for key, value in one.items() if key != "subject"}
        ratings.append((str(one.get("subject", "")), _row(Rating, rest)))
    if any(not one.uid for one in answers):
        raise StoreError("an answer of this export has no uid")
    return answers, cards, ratings


def _rows(data: Mapping[str, Any], key: str) -> Sequence[dict[str, Any]]:
    rows = data.get(key, [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise StoreError(f"{key} of this export is no list of entries")
    return rows


def _row(kind: Any, given: Mapping[str, Any]) -> Any:
    """Return one entry of an export with the types that its fields have."""
    wanted = {one.name: str(one.type) for one in fields(kind)}
    unknown = set(given) - set(wanted)
    if unknown:
        raise StoreError(f"an entry of this export has the unknown key {sorted(unknown)[0]!r}")
    for name, value in given.items():
        if not _fits(wanted[name], value):
            raise StoreError(f"{name} of an entry of this export is not what it should be")
    try:
        return kind(**given)
    except TypeError:
        raise StoreError("an entry of this export is incomplete") from None


def _fits(wanted: str, value: Any) -> bool:
    if wanted.endswith("| None") and value is None:
        return True
    kinds: Mapping[str, tuple[type, ...]] = {
        "str": (str,),
        "bool": (bool,),
        "int": (int,),
        "float": (int, float),
        "Mapping": (dict,),
    }
    name = wanted.partition("[")[0].partition(" ")[0]
    if isinstance(value, bool) and name != "bool":
        return False
    if isinstance(value, float) and value != value:
        return False
    return isinstance(value, kinds[name])


def by_family(answers: Iterable[Answered]) -> dict[str, list[Answered]]:
    """Return answers by family, in the order in which they were given."""
    found: dict[str, list[Answered]] = {}
    for one in answers:
        found.setdefault(one.family, []).append(one)
    return found
