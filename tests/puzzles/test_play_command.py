"""`sniff puzzle play`, `list` and `stats`, and `sniff stats`, as a user or a script gets them."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .texts import HEAD

Sniff = Callable[..., Any]

PUZZLES = f"""{HEAD}
  - id: twelve
    ask: count
    ruleset: all-fives
    round: {{layout: [5-5, 5-2 on 5-5], hands: {{Ann: 8, Bob: 8}}, leader: Ann}}
    answer: 12
    themes: [spinner]
    difficulty: 600
    hints: [Two ends count., One of them is a double.]
    explanation: 5 + 5 (the 5-5) + 2 = 12.
  - id: out
    ask: best-play
    ruleset: all-fives
    overrides: {{draw: {{when: never}}}}
    round: {{layout: [5-5, 5-2 on 5-5], hands: {{Ann: [2-0, 6-2], Bob: [6-6, 3-0]}}, leader: Ann}}
    answer: 2-0 on 5-2
    difficulty: 1400
"""


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep away from the data of whoever runs the tests."""
    monkeypatch.setenv("SNIFF_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "puzzles.yaml"
    path.write_text(PUZZLES)
    return path


def test_piped_answers_are_judged_in_order(sniff: Sniff, file: Path, data: Path) -> None:
    """10 + 0 = 10 scores; 10 + 6 does not: 2-0 is better by more than that."""
    done = sniff("puzzle", "play", file, input="12\n2-0 on 5-2\n")
    assert done.status == 0
    assert "2 of 2 answers right" in done.out
    assert "\x1b" not in done.out
    assert not data.exists()
    wrong = sniff("puzzle", "play", file, input="17\n2-0 on 5-2\n")
    assert wrong.status == 1
    assert "Wrong. Right is 12" in wrong.out


def test_a_sitting_can_be_left_at_any_time(sniff: Sniff, file: Path) -> None:
    for text in ("", "quit\n", "skip\n", "hint\nhint\nhint\nquit\n", "board\nhelp\nskip\nquit\n"):
        done = sniff("puzzle", "play", file, input=text)
        assert done.status == 0, text
        assert done.out.endswith("No question was answered.\n")


def test_hints_come_in_steps(sniff: Sniff, file: Path) -> None:
    done = sniff("puzzle", "play", file, input="hint\nhint\nhint\n12\n")
    steps = ("Two ends count.", "One of them is a double.", "no more hints", "Right.")
    places = [done.out.index(step) for step in steps]
    assert places == sorted(places)


def test_the_solution_can_be_shown_and_then_counts_as_not_solved(sniff: Sniff, file: Path) -> None:
    done = sniff("puzzle", "play", file, "--kind", "best-play", input="show\n")
    assert "Solution: 2-0 on 5-2" in done.out
    assert done.status == 1


def test_what_is_no_answer_is_asked_again_and_told(sniff: Sniff, file: Path) -> None:
    done = sniff("puzzle", "play", file, "--number", "1", input="a dozen\n12\n")
    assert "1 of 1 answer right" in done.out
    assert "'a dozen' is no number" in done.err
    assert done.status == 1


def test_scripts_may_expect_wrong_answers(sniff: Sniff, file: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text("# first\n17\nexpect wrong\n\n2-0 on 5-2\nexpect right\n")
    assert sniff("puzzle", "play", file, "--script", script).status == 0
    script.write_text("12\nexpect wrong\n")
    done = sniff("puzzle", "play", file, "--script", script)
    assert done.status == 1
    assert f"{script}:2: expected wrong, but the answer was right" in done.err
    script.write_text("12\n2-0 on 5-2\n7\n")
    done = sniff("puzzle", "play", file, "--script", script)
    assert f"{script}:3: no question is left" in done.err
    assert sniff("puzzle", "play", file, "--script", tmp_path / "none.txt").status == 2


@pytest.mark.parametrize(
    ("text", "status", "codes"),
    [
        ("# all\ntwelve: 12\nout: 2-0 on 5-2\n", 0, []),
        ("twelve: 13\nout: 2-0 on 5-2\n", 1, ["wrong-answer"]),
        ("twelve: 12\n", 1, ["missing-answer"]),
        ("twelve: 12\ntwelve: 12\nout: 2-0\n", 1, ["twice"]),
        ("twelve: x\nout: 9-9\nelse: 1\nline\n", 1,
         ["malformed", "malformed", "unknown-puzzle", "form"]),
    ],
)  # fmt: skip
def test_answers_of_a_file(
    sniff: Sniff, file: Path, tmp_path: Path, text: str, status: int, codes: list[str]
) -> None:
    answers = tmp_path / "answers.txt"
    answers.write_text(text)
    done = sniff("puzzle", "play", file, "--answers", answers)
    assert done.status == status
    told = [line.partition("error[")[2].partition("]")[0] for line in done.err.splitlines()]
    assert told == codes


def test_counting_drills_come_from_a_seed(sniff: Sniff) -> None:
    arguments = ("puzzle", "play", "--family", "four-ends", "--number", "2", "--seed", "5")
    one = sniff(*arguments, input="1\n1\n")
    two = sniff(*arguments, input="1\n1\n")
    assert one.out == two.out
    assert one.out.count("What do the ends add up to?") == 2
    assert sniff("puzzle", "play", "--family", "four-end").status == 2


def test_a_named_profile_is_kept_and_told(sniff: Sniff, file: Path) -> None:
    sniff("puzzle", "play", file, "--profile", "ann", input="17\n2-0 on 5-2\n")
    facts = json.loads(sniff("puzzle", "stats", "--profile", "ann", "--format", "json").out)
    assert facts["overall"]["answers"] == 2
    assert [one["family"] for one in facts["families"]] == ["count", "best-play"]
    assert facts["rating"]["rating"] != 1000
    sheet = sniff("puzzle", "stats", "--profile", "ann", "--format", "csv").out
    assert len(sheet.splitlines()) == 3
    assert "No answer is kept for default" in sniff("puzzle", "stats").out


def test_a_record_can_be_taken_along_and_forgotten(
    sniff: Sniff, file: Path, tmp_path: Path
) -> None:
    sniff("puzzle", "play", file, "--profile", "ann", input="12\n2-0 on 5-2\n")
    target = tmp_path / "ann.json"
    assert sniff("stats", "export", "--profile", "ann", "--output", target).status == 0
    assert sniff("stats", "export", "--profile", "ann", "--output", target).status == 2
    assert sniff("stats", "delete", "--profile", "ann", "--yes").status == 0
    assert sniff("stats", "import", target).out == "2 new answers for ann\n"
    assert sniff("stats", "import", target).out == "0 new answers for ann\n"
    target.write_text("no json")
    assert sniff("stats", "import", target).status == 1
    assert sniff("stats", "import", tmp_path / "none.json").status == 2
    assert sniff("stats", "delete", "--profile", "ann", input="").status == 1


def test_stats_of_somebody_new(sniff: Sniff) -> None:
    done = sniff("stats")
    assert done.status == 0
    assert "No saved game yet" in done.out
    json.loads(sniff("stats", "--format", "json").out)


def test_saved_games_are_in_the_record(sniff: Sniff, data: Path, root: Path) -> None:
    games = data / "games"
    games.mkdir(parents=True)
    source = root / "scenarios" / "games" / "all-fives-match-1.yaml"
    (games / "one.yaml").write_bytes(source.read_bytes())
    (games / "broken.yaml").write_text("sniff: 1\nplayers: 7\n")
    facts = json.loads(sniff("stats", "--format", "json").out)
    (game,) = facts["games"]
    assert game["file"] == "one.yaml"
    assert game["won"] is not None
    assert game["decisions"] > 20
    assert json.loads(sniff("stats", "--format", "json").out)["games"] == [game]


def test_what_was_played_after_a_hint_is_no_skill(sniff: Sniff, data: Path, root: Path) -> None:
    games = data / "games"
    games.mkdir(parents=True)
    source = root / "scenarios" / "games" / "all-fives-match-1.yaml"
    text = source.read_text("utf-8")
    (games / "one.yaml").write_text(text, "utf-8")
    words = ("stats", "--profile", "robot", "--format", "json")
    (whole,) = json.loads(sniff(*words).out)["games"]
    reviewed = json.loads(sniff("analyze", source, "--worlds", "0", "--format", "json").out)
    moves = [m for m in reviewed["games"][0]["moves"] if m["seat"] == "robot"]
    real = [m for m in moves if m["status"] != "forced"]
    best = max(real, key=lambda m: m["missed_points"])
    places = [f"{m['round']}.{m['n']}" for m in (real[3], best)]
    said = f"  Hints were asked before {' '.join(places)}.\nrounds:\n"
    (games / "one.yaml").write_text(text.replace("rounds:\n", said, 1), "utf-8")
    (hinted,) = json.loads(sniff(*words).out)["games"]
    assert (whole["hinted"], hinted["hinted"]) == (0, 2)
    assert hinted["decisions"] == whole["decisions"] - 2
    lost = best["missed_points"] + real[3]["missed_points"]
    assert lost > 0
    assert hinted["missed_points"] == whole["missed_points"] - lost
    assert "2 decisions after a hint left out" in sniff("stats", "--profile", "robot").out


def test_the_list_can_be_narrowed(sniff: Sniff, file: Path) -> None:
    assert "2 puzzles" in sniff("puzzle", "list", file).out
    assert sniff("puzzle", "list", file, "--theme", "spinner").out.splitlines()[-1] == "1 puzzle"
    facts = json.loads(sniff("puzzle", "list", file, "--format", "json").out)
    assert [one["id"] for one in facts["puzzles"]] == ["twelve", "out"]


@pytest.mark.parametrize(
    "arguments",
    [("puzzle", "play", "--profile", "p", "--counting"), ("puzzle", "stats"), ("stats",)],
)
def test_a_store_that_cannot_be_used_is_told(
    sniff: Sniff, data: Path, arguments: tuple[str, ...]
) -> None:
    data.mkdir()
    (data / "progress.sqlite").write_text("no database, but longer than a header of one " * 9)
    done = sniff(*arguments, input="1\n")
    assert done.status == 1
    assert "progress.sqlite cannot be used" in done.err


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminal")
def test_at_a_terminal_the_schedule_chooses_and_progress_is_kept(
    file: Path, data: Path, tmp_path: Path
) -> None:
    import pexpect

    child = pexpect.spawn(
        sys.executable,
        ["-m", "sniffcli", "puzzle", "play", str(file)],
        cwd=str(tmp_path),
        env={**os.environ, "SNIFF_DATA_DIR": str(data), "TERM": "dumb"},
        encoding="utf-8",
        timeout=60,
    )
    child.expect("> ")
    child.sendline("hint")
    child.expect("> ")
    child.sendline("skip")
    child.expect("> ")
    child.sendintr()
    child.expect("No question was answered")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert (data / "progress.sqlite").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminal")
def test_at_a_terminal_a_kind_leaves_out_the_counting_drills(data: Path, tmp_path: Path) -> None:
    import pexpect

    child = pexpect.spawn(
        sys.executable,
        ["-m", "sniffcli", "puzzle", "play", "--kind", "holds", "--seed", "1", "--number", "3"],
        cwd=str(tmp_path),
        env={**os.environ, "SNIFF_DATA_DIR": str(data), "TERM": "dumb"},
        encoding="utf-8",
        timeout=60,
    )
    seen = ""
    for _ in range(3):
        child.expect("> ")
        seen += child.before
        child.sendline("skip")
    child.expect(pexpect.EOF)
    child.close()
    assert "add up to" not in seen
