"""`sniff simulate` as a user runs it: results, refusals, resuming, and being interrupted."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

from sniffcli.engine.tally import Histogram
from sniffcli.engine.training import Effort
from sniffcli.show.contest import histogram
from sniffcli.show.style import Look

SMALL = ("--bots", "greedy,random", "--rounds", "12", "--jobs", "1", "--set", "deal.hand={2: 5}")

Sniff = Callable[..., Run]


def result(run: Run, status: int = 0) -> dict[str, Any]:
    assert run.status == status, run.err
    found = json.loads(run.out)
    assert isinstance(found, dict)
    return found


def test_the_result_as_json(sniff: Sniff) -> None:
    found = result(sniff("simulate", *SMALL, "--seed", "4", "--format", "json"))
    assert found["ruleset"] == "all-fives"
    assert found["bots"] == ["greedy", "random"]
    assert (found["mode"], found["deals"], found["games"], found["rounds"]) == ("rounds", 6, 12, 12)
    assert found["complete"] is True
    assert [one["bot"] for one in found["results"]] == ["greedy", "random"]
    assert sum(one["wins"] for one in found["results"]) == 12
    for one in found["results"]:
        for key in ("win_share", "points_per_round", "margin_per_round"):
            assert one[key]["low"] <= one[key]["value"] <= one[key]["high"]
    assert set(found["first_leader"]) == {"margin_per_round", "win_share", "fair_share"}


def test_the_result_for_people(sniff: Sniff, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    run = sniff("simulate", *SMALL)
    assert run.status == 0
    assert "All Fives, 2 players, seed 0\n12 rounds on 6 deals\n" in run.out
    assert "greedy over random: " in run.out
    assert "points a round: number of deals" in run.out
    assert all(len(line) <= 80 for line in run.out.splitlines())
    assert run.err == ""
    monkeypatch.setenv("COLUMNS", "20")
    narrow = sniff("simulate", *SMALL)
    assert "number of deals" not in narrow.out


def test_each_bin_of_the_histogram_is_one_bar() -> None:
    """Bars that stand side by side do not run together, and no bin is drawn as two lines."""
    bins = ((-10.0, 1), (-5.0, 4), (0.0, 2), (5.0, 0), (10.0, 4))
    drawn = histogram(Histogram("greedy", "random", 5.0, bins), Look(width=80))
    rows = [re.findall("█+", line) for line in drawn.splitlines() if "█" in line]
    assert (len(rows[0]), len(rows[-1])) == (2, 4)


def test_matches_are_the_default_where_they_end(sniff: Sniff) -> None:
    arguments = ("--bots", "greedy,random", "--matches", "3", "--rules", "bergen", "--jobs", "1")
    found = result(sniff("simulate", *arguments, "--format", "json"))
    # Rounded up, so that both have played both seats.
    assert (found["mode"], found["games"]) == ("matches", 4)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--bots", "greedy,clever"), 'no bot is called "clever"'),
        ((), "name the bots"),
        (("--bots", "greedy", "--players", "7"), "is for 2 to 4 players, not 7"),
        (("--bots", "greedy,random", "--players", "3"), "cannot be repeated to fill 3 seats"),
        (("--bots", "greedy", "--partners"), "has no partners with 2 players"),
        (("--bots", "greedy", "--matches", "1", "--rounds", "1"), "exclude each other"),
        (("--bots", "greedy", "--scheduler", "here:1"), "--scheduler is for --executor dask"),
        (("--bots", "greedy", "--rules", "nonesuch"), 'no ruleset is called "nonesuch"'),
        (("--bots", "greedy", "--set", "match.target=none"), "the match would never end"),
        (("--equity", "--bots", "greedy"), "--equity plays no bots"),
        (("--equity", "--rounds", "4"), "--equity plays no bots"),
        (("--train", "--matches", "4"), "--train plays no bots"),
        (("--train", "--equity"), "--equity and --train exclude each other"),
    ],
)
def test_refusals(sniff: Sniff, arguments: tuple[str, ...], words: str) -> None:
    run = sniff("simulate", *arguments)
    assert run.status == 2
    assert words in " ".join(run.err.split())
    assert run.out == ""


def test_a_result_in_a_file_is_not_replaced_without_force(sniff: Sniff, tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    assert sniff("simulate", *SMALL, "--format", "json", "--output", path).out == ""
    first = path.read_text()
    assert json.loads(first)["games"] == 12
    assert sniff("simulate", *SMALL, "--output", path).status == 2
    assert path.read_text() == first
    assert sniff("simulate", *SMALL, "--output", path, "--force").status == 0
    assert path.read_text().startswith("All Fives")


def test_resuming_gives_what_one_run_gives(sniff: Sniff, tmp_path: Path) -> None:
    path = tmp_path / "games.json"
    arguments = ("simulate", "--bots", "greedy,random", "--jobs", "1", "--format", "json")
    assert sniff(*arguments, "--rounds", "4", "--resume", path).status == 0
    kept = json.loads(path.read_text())["games"]
    assert len(kept) == 4
    # The file that is gone on with is read and written, whatever stands beside it.
    out = tmp_path / "out.json"
    more = ("--resume", path, "--output", out)
    assert sniff(*arguments, "--rounds", "6", *more).status == 0
    assert sniff(*arguments, "--rounds", "8", *more, "--force").status == 0
    resumed = sniff(*arguments, "--rounds", "10", "--resume", path)
    assert json.loads(path.read_text())["games"][:4] == kept
    assert resumed.out == sniff(*arguments, "--rounds", "10").out
    other = sniff(*arguments, "--rounds", "10", "--seed", "2", "--resume", path)
    assert other.status == 2
    assert "seed is 0, not 2" in " ".join(other.err.split())


@pytest.mark.slow
def test_the_same_games_in_two_processes(sniff: Sniff, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sniffcli.engine.tournament.ALONE", 0.0)
    arguments = ("simulate", "--bots", "greedy,random", "--rounds", "12", "--format", "json")
    assert sniff(*arguments, "--jobs", "2").out == sniff(*arguments, "--jobs", "1").out


def test_equity_of_one_table(sniff: Sniff) -> None:
    arguments = ("--equity", "--set", "match.target=20", "--set", "deal.hand={2: 5}")
    found = result(sniff("simulate", *arguments, "--jobs", "1"))
    (table,) = found["tables"].values()
    assert table["axis"] == [0, 5, 10, 15]
    assert len(table["win"]) == 4


def test_learning_one_table_and_proving_it_for_thinkers_later(
    sniff: Sniff, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    little = Effort(generations=1, drawn=3, deals=10, lots=1, proof=20)
    monkeypatch.setattr("sniffcli.engine.training.THOROUGH", little)
    path = tmp_path / "policy.json"
    arguments = ("--train", "--rules", "block", "--set", "deal.hand={2: 4}", "--players", "2")
    run = sniff("simulate", *arguments, "--jobs", "1", "--resume", path)
    assert (run.status, run.out) == (0, "")
    (learned,) = json.loads(path.read_text())["policies"].values()
    assert learned["name"] == "block, 2 players with 4 tiles"
    assert learned["proof"]["deals"] == 20
    more = sniff("simulate", *arguments, "--jobs", "1", "--resume", path, "--rounds", "4")
    assert more.status == 0
    (proven,) = json.loads(path.read_text())["policies"].values()
    assert {key: proven[key] for key in learned} == learned
    assert proven["thinking"]["deals"] == 2


def test_tables_that_are_there_are_not_computed_again(sniff: Sniff, tmp_path: Path) -> None:
    path = tmp_path / "equity.json"
    arguments = ("--equity", "--set", "match.target=10", "--set", "deal.hand={2: 5}", "--jobs", "1")
    assert sniff("simulate", *arguments, "--resume", path).out == ""
    first = json.loads(path.read_text())
    (table,) = first["tables"].values()
    table["win"][0][0] = 1234
    path.write_text(json.dumps(first))
    assert sniff("simulate", *arguments, "--resume", path).status == 0
    assert json.loads(path.read_text()) == first


def children_of(pid: int) -> list[int]:
    """Return the processes that PID has started and that still run."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == pid and fields[0] != "Z":
                found.append(int(entry.name))
    return found


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to see processes")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_keeps_what_is_done(tmp_path: Path, number: int, status: int) -> None:
    """Case C98: one short message, no child left, a result of the deals that were played."""
    path = tmp_path / "games.json"
    words = "simulate --bots greedy,random --rounds 2000000 --jobs 2 --format json --resume"
    process = subprocess.Popen(
        [sys.executable, "-m", "sniffcli", *words.split(), str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "SNIFF_KERNEL": "python"},
    )
    try:
        for _ in range(600):
            workers = children_of(process.pid)
            if path.exists() and len(workers) >= 2:
                break
            time.sleep(0.1)
        os.kill(process.pid, number)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == status, err
    assert len(err.splitlines()) == 1
    assert "of 1000000 deals not played" in err
    found = json.loads(out)
    assert found["complete"] is False
    assert found["games"] > 0
    assert found["games"] == len(json.loads(path.read_text())["games"])
    for _ in range(100):
        left = [pid for pid in workers if Path(f"/proc/{pid}").exists() and not _dead(pid)]
        if not left:
            break
        time.sleep(0.1)
    assert not left


def _dead(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="Dask is an extra")
def test_the_same_games_on_a_dask_cluster(sniff_process: Sniff) -> None:
    arguments = ("simulate", "--bots", "greedy,random", "--rounds", "12", "--format", "json")
    alone = sniff_process(*arguments, "--jobs", "1")
    cluster = sniff_process(*arguments, "--jobs", "2", "--executor", "dask")
    assert cluster.status == 0, cluster.err
    assert cluster.out == alone.out


@pytest.mark.skipif(importlib.util.find_spec("distributed") is not None, reason="Dask is there")
def test_dask_is_an_extra(sniff: Sniff) -> None:
    run = sniff("simulate", *SMALL, "--executor", "dask")
    assert run.status == 2
    assert 'pip install "sniffcli[dask]"' in " ".join(run.err.split())


def test_matches_that_come_to_no_end_are_told(sniff, tmp_path, monkeypatch):
    """All points are multiples of five, so that exactly 61 is never reached."""
    monkeypatch.setattr("sniffcli.engine.contest.MOST_ROUNDS", 5)
    monkeypatch.setattr("sniffcli.show.contest.MOST_ROUNDS", 5)
    words = ("simulate", "--set", "match.target=61", "--set", "match.exact=true", "--jobs", "1")
    words += ("--quiet", "--bots", "greedy,random", "--matches", "2", "--seed", "1")
    run = sniff(*words)
    assert "2 matches came to no end in 5 rounds; nobody won, and it is shared" in run.out
    assert json.loads(sniff(*words, "--format", "json").out)["undecided"] == 2
