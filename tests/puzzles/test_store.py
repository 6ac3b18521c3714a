"""The store: versions, profiles, export and import, two programs at once, and kill -9."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sniffcli.tutor.store import MIGRATIONS, Answered, CardRow, Rating, Store, StoreError

#: A program that keeps answers until it has kept N, saying so after each.
WRITER = """
import sys
from pathlib import Path
from sniffcli.tutor.schedule import keep
from sniffcli.tutor.store import Answered, Store
path, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
with Store(path) as store:
    for number in range(count):
        one = Answered(
            item=f"puzzle:{name}{number}", family="count", ask="count", ruleset="all-fives",
            expected="5", given="5", correct=True, at=1000.0 + number, uid=f"{name}{number}",
        )
        keep(store, "p", one, 1000)
        print(number, flush=True)
"""


def answered(number: int = 0, *, correct: bool = True, at: float = 1000.0) -> Answered:
    return Answered(
        item=f"item:two-ends:{number}",
        family="two-ends",
        ask="count",
        ruleset="all-fives",
        expected="5",
        given="5" if correct else "6",
        correct=correct,
        seconds=1.5,
        features={"ends": 2},
        at=at + number,
        session="s",
        uid=f"u{number}",
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "progress.sqlite"


def add(store: Store, profile: str, *answers: Answered) -> None:
    with store.writing():
        for one in answers:
            store.add(profile, one)


def add_and_fail(store: Store) -> None:
    store.add("ann", answered())
    store.add("ann", None)  # type: ignore[arg-type]


def test_what_is_kept_comes_back(path: Path) -> None:
    with Store(path) as store:
        add(store, "ann", answered(1), answered(0, correct=False))
        with store.writing():
            store.put_card("ann", CardRow("family:two-ends", "{}", 5.0, "2026-01-01"))
            store.put_rating("ann", "player", Rating(1200.0, 80.0, 0.05))
    with Store(path) as store:
        assert store.answers("ann") == [answered(0, correct=False), answered(1)]
        assert store.answers("bob") == []
        assert store.card("ann", "family:two-ends") == CardRow(
            "family:two-ends", "{}", 5.0, "2026-01-01"
        )
        assert store.rating("ann", "player") == Rating(1200.0, 80.0, 0.05)
        assert store.profiles() == ["ann"]


def test_half_a_change_is_no_change(path: Path) -> None:
    with Store(path) as store:
        with pytest.raises(TypeError), store.writing():
            add_and_fail(store)
        assert store.answers("ann") == []


@pytest.mark.parametrize("version", range(1, len(MIGRATIONS)))
def test_older_files_are_brought_forward(path: Path, version: int) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as old:
        for step in MIGRATIONS[:version]:
            for statement in step:
                old.execute(statement)
        old.execute(
            "INSERT INTO answers (uid, profile, at, session, item, family, ask, ruleset, expected, "
            "given, correct) VALUES ('u', 'ann', 7.0, 's', 'i', 'f', 'count', 'r', '5', '5', 1)"
        )
        old.execute(f"PRAGMA user_version = {version}")
    old.close()
    with Store(path) as store:
        (one,) = store.answers("ann")
        assert (one.uid, one.at, one.probe, one.rated) == ("u", 7.0, False, True)
        add(store, "ann", answered())


def test_a_newer_file_is_refused_with_both_numbers(path: Path) -> None:
    Store(path).close()
    with sqlite3.connect(path) as newer:
        newer.execute("PRAGMA user_version = 99")
    newer.close()
    with pytest.raises(StoreError, match=rf"99.*{len(MIGRATIONS)}"):
        Store(path)


def test_a_file_that_is_no_store_is_refused(path: Path) -> None:
    path.parent.mkdir()
    path.write_text(
        "these are no pages of a database, but they are long enough to be taken for one" * 9
    )
    with pytest.raises(StoreError, match="cannot be used"):
        Store(path)


@pytest.mark.parametrize("text", [b"no pages of a database, but long enough to be one" * 9, None])
def test_a_file_that_is_refused_is_closed(
    path: Path, monkeypatch: pytest.MonkeyPatch, text: bytes | None
) -> None:
    """Python 3.13 warns of a connection that is left open."""
    opened: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def remembered(*words: Any, **more: Any) -> sqlite3.Connection:
        opened.append(connect(*words, **more))
        return opened[-1]

    if text is None:
        Store(path).close()
        newer = connect(path)
        newer.execute("PRAGMA user_version = 99")
        newer.close()
    else:
        path.parent.mkdir()
        path.write_bytes(text)
    monkeypatch.setattr(sqlite3, "connect", remembered)
    with pytest.raises(StoreError):
        Store(path)
    (left,) = opened
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        left.execute("SELECT 1")


def test_an_export_can_be_taken_in_twice_without_doubling(path: Path) -> None:
    with Store(path) as store:
        add(store, "ann", answered(0), answered(1))
        with store.writing():
            store.put_rating("ann", "player", Rating(1100.0, 60.0))
        data = store.export("ann")
        assert store.take_in("bob", data) == 2
        assert store.take_in("bob", data) == 0
        assert store.answers("bob") == store.answers("ann")
        assert store.rating("bob", "player") == Rating(1100.0, 60.0)
        assert store.delete("ann") == 2
        assert store.answers("ann") == []
        assert len(store.answers("bob")) == 2


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"sniff": 99},
        {"sniff": 1, "answers": 7},
        {"sniff": 1, "answers": [{"item": "x"}]},
        {"sniff": 1, "answers": [{"item": 7}]},
        {"sniff": 1, "answers": [{"colour": "red"}]},
        {"sniff": 1, "cards": [{"subject": "x", "card": "{}", "due": "soon", "counted_on": ""}]},
        {"sniff": 1, "ratings": [{"subject": "x", "rating": float("nan"), "deviation": 1}]},
    ],
)
def test_what_is_no_export_changes_nothing(path: Path, data: object) -> None:
    with Store(path) as store:
        with pytest.raises(StoreError):
            store.take_in("ann", data)
        assert store.profiles() == []


def start(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), name, str(count)],
        stdout=subprocess.PIPE,
        text=True,
    )


def test_two_programs_at_once_lose_nothing(path: Path) -> None:
    """Both open a file that is not there yet, and both change the rating of one player."""
    programs = [start(path, name, 40) for name in ("a", "b")]
    for program in programs:
        program.communicate()
        assert program.returncode == 0
    with Store(path) as store:
        kept = store.answers("p")
        assert len(kept) == 80
        assert len(store.cards("p")) == 80
        rating = store.rating("p", "player")
        assert rating is not None
        # Every one of 80 wins has counted: one lost would leave the deviation larger.
        assert rating.rating > 1400


@pytest.mark.skipif(os.name == "nt", reason="there is no kill -9")
def test_what_was_kept_before_kill_9_is_there_afterwards(path: Path) -> None:
    with start(path, "a", 100_000) as program:
        assert program.stdout is not None
        said = [program.stdout.readline() for _ in range(15)]
        program.send_signal(signal.SIGKILL)
        told = len(said) + len(program.stdout.read().splitlines())
    with Store(path) as store:
        kept = store.answers("p")
        assert told <= len(kept) <= told + 1
        assert {one.subject for one in store.cards("p")} == {one.item for one in kept}
        with sqlite3.connect(path) as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        db.close()
