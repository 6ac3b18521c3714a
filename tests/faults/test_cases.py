"""Cases C66 to C98 as a user meets them, on every command that they concern.

What a room answers by itself is tested there (`tests/test_yamlio.py`, `tests/files/`, `tests/ui/`);
here the same is asked of the commands. The table `QUICK` holds a run of each command that ends by
itself; new commands belong into it.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TextIO

import click
import pytest

import sniffcli
from sniffcli.cli.main import group

ROOT = Path(__file__).parent.parent.parent
GAMES = ROOT / "scenarios" / "games"
NINE = GAMES / "nine-published-moves.yaml"
ENDING = GAMES / "ending-at-the-spinner.yaml"
PUZZLES = ROOT / "scenarios" / "puzzles" / "points-bergen.yaml"

#: A run of each command that takes a moment, and whether it can write JSON.
QUICK: dict[str, tuple[str, bool]] = {
    "--help": ("--help", False),
    "--version": ("--version", False),
    "count": ("count 5-5 5-2", True),
    "replay": (f"replay {NINE}", True),
    "hint": (f"hint --worlds 20 --seed 1 {ENDING}", True),
    "solve": (f"solve {ENDING}", True),
    "analyze": (f"analyze --quiet --worlds 0 {NINE}", True),
    "puzzle check": (f"puzzle check --quiet {PUZZLES}", True),
    "puzzle list": ("puzzle list --kind value", True),
    "puzzle make": ("puzzle make --quiet --count 1 --kind count --seed 2", False),
    "puzzle play": (f"puzzle play --number 1 {PUZZLES}", False),
    "puzzle stats": ("puzzle stats", True),
    "ruleset list": ("ruleset list", True),
    "ruleset show": ("ruleset show block", True),
    "ruleset check": (f"ruleset check {ROOT}/rulesets/block.yaml", True),
    "ruleset explain": ("ruleset explain block", False),
    "ruleset diff": ("ruleset diff block draw", True),
    "ruleset schema": ("ruleset schema", False),
    "simulate": (
        "simulate --quiet --jobs 1 --rounds 2 --seed 1 --rules block --bots greedy,random",
        True,
    ),
    "stats": ("stats", True),
    "stats export": ("stats export", False),
    "play": ("play --seed 1 --hotseat Ann,Bob", False),
    "record": ("record --players Ann,Bob --output evening.yaml", False),
}
#: What the quick runs read from their standard input.
TYPED = {"puzzle play": "7\n", "play": "board\nhand\nscore\n", "record": "Ann: 5-5\nboard\n"}
#: Commands that only begin something for others or need a file of an earlier run.
ELSEWHERE = {"host", "join", "bench", "stats import", "stats delete"}

each = pytest.mark.parametrize("name", QUICK)
each_json = pytest.mark.parametrize("name", [name for name, (_, json_) in QUICK.items() if json_])


@pytest.fixture(autouse=True)
def away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty directory, with user data of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SNIFF_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def quick(name: str) -> list[str]:
    words, _ = QUICK[name]
    command = words.split()[0]
    if command not in (*group.list_commands(click.Context(group)), "--help", "--version"):
        pytest.skip(f"this version has no {command}")
    return words.split()


def shell(line: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a line of a shell in which `sniff` is the command."""
    call = f'"{sys.executable}" -m sniffcli'
    surroundings = {**os.environ, **env}
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", f'sniff() {{ {call} "$@"; }}\n{line}'],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=surroundings,
        timeout=120,
        check=False,
    )


def into(stream: TextIO, name: str, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    """Run a quick command in this process with STREAM as its output; return status and errors."""
    from sniffcli.cli.main import main

    words = quick(name)
    typed = io.TextIOWrapper(io.BytesIO(TYPED.get(name, "").encode()), "utf-8")
    errors = io.TextIOWrapper(io.BytesIO(), "utf-8")
    with monkeypatch.context() as patch:
        for stand, wrapper in (("stdin", typed), ("stdout", stream), ("stderr", errors)):
            patch.setattr(sys, stand, wrapper)
        status = main(words)
        errors.flush()
    return int(status), errors.buffer.getvalue().decode()  # type: ignore[attr-defined]


def test_every_command_is_tried():
    there = set()
    ctx = click.Context(group)
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        if isinstance(command, click.Group):
            if command.invoke_without_command:
                there.add(name)
            there |= {f"{name} {below}" for below in command.list_commands(ctx)}
        else:
            there.add(name)
    assert there - set(QUICK) - ELSEWHERE - {"puzzle"} == set()


class TestFiles:
    """Part 5 of the cases."""

    @pytest.mark.parametrize("command", ["replay", "hint", "solve", "analyze --worlds 0"])
    @pytest.mark.parametrize(
        ("case", "content", "told"),
        [
            ("C66", "rounds: [{hands: {Ann: [305], Bob: 7}}]", r"write .*5-5|like 6-3"),
            ("C69", "players: [No, No]", r'"No"|No'),
            ("C71", "notes: &a [x]\nplace: *a", "anchor|alias"),
            ("C73", "rounds:\n\t- plays: []", "tab"),
            ("C76", "spiner: none", r"did you mean|the keys are"),
            (
                "C76 overrides",
                "overrides: {layout: {spiner: none}}",
                r'did you mean "layout\.spinner"',
            ),
            ("C76 word", "overrides: {layout: {spinner: frist}}", "first_double"),
            ("C77", "notes: " + "[" * 1100 + "]" * 1100, "deep|nest"),
            ("C79", "rounds: [{plays: [Ann: 6–6]}]", r"U\+2013"),
        ],
    )
    def test_a_file_that_cannot_be_read_is_told_by_place(
        self, sniff, away, command, case, content, told
    ):
        words = command.split()
        if words[0] not in group.list_commands(click.Context(group)):
            pytest.skip(f"this version has no {words[0]}")
        head = "sniff: 1\nruleset: all-fives\n"
        if "players" not in content:
            head += "players: [Ann, Bob]\n"
        if "rounds" not in content:
            head += "rounds: []\n"
        (away / "game.yaml").write_text(f"{head}{content}\n", "utf-8")
        run = sniff(*words, "game.yaml")

        assert run.status == 1
        assert re.search(r"^game\.yaml:\d+:\d+: error\[[a-z-]+\]: ", run.err, re.MULTILINE), run.err
        assert re.search(told, run.err, re.IGNORECASE), run.err
        assert "Traceback" not in run.err

    def test_c76_a_misspelt_setting_of_the_command_line(self, sniff):
        run = sniff("count", "--set", "layout.spiner=none", "5-5")
        assert (run.status, run.out) == (2, "")
        assert 'did you mean "layout.spinner"?' in run.err
        run = sniff("count", "--set", "layout.spinner=frist", "5-5")
        assert (run.status, run.out) == (2, "")
        assert "first_double" in run.err

    def test_c75_a_date_is_text_in_the_json(self, sniff, away):
        (away / "game.yaml").write_text(
            "sniff: 1\nruleset: all-fives\nplayers: [Ann, Bob]\ndate: 2024-05-01\n"
            "rounds: [{plays: [Ann: 5-5]}]\n"
        )
        assert json.loads(sniff("replay", "--format", "json", "game.yaml").out)["ok"] is True

    def test_c78_no_cell_of_a_sheet_looks_like_a_date(self, sniff):
        run = sniff("analyze", "--quiet", "--worlds", "0", "--format", "csv", NINE)
        assert run.status == 0
        cells = [cell for line in run.out.splitlines() for cell in line.split(",")]
        assert not [cell for cell in cells if re.fullmatch(r'"?\d{1,2}[-/:]\d{1,2}"?', cell)]

    @pytest.mark.parametrize(
        ("written", "told"),
        [("6–6", "U+2013"), ("6−6", "U+2212"), ("6‑6", "U+2011"), ("６-６", "U+FF16")],
    )
    def test_c79_a_dash_that_is_none_is_named(self, sniff, written, told):
        run = sniff("count", written)
        assert run.status == 1
        assert told in run.err

    @pytest.mark.parametrize("written", ["6:3", "6|3", "6/3", "[6-3]", "3-6", "[6:3]"])
    def test_c79_other_ways_to_write_a_tile(self, sniff, written):
        found = json.loads(sniff("count", "--format", "json", written).out)
        assert found["plays"][0]["play"] == "6-3"

    @pytest.mark.parametrize(
        "words",
        [
            "ruleset explain block --output shut/book.txt",
            "ruleset explain block --output locked.txt --force",
            "record --players Ann,Bob --output shut/evening.yaml",
            "stats export --output shut/me.json",
        ],
    )
    def test_c80_a_place_that_may_not_be_written(self, away, words):
        (away / "locked.txt").write_text("old")
        (away / "locked.txt").chmod(0o444)
        (away / "shut").mkdir(mode=0o555)
        mortal = ""
        if os.geteuid() == 0:
            if not shutil.which("setpriv"):
                pytest.skip("root may write everywhere, and setpriv is not here")
            mortal = "setpriv --bounding-set -dac_override,-dac_read_search"
        done = shell(f"echo 'Ann: 5-5' | {mortal} '{sys.executable}' -m sniffcli {words}")
        assert done.returncode in (1, 2), done
        assert "Permission denied" in done.stderr or "read-only" in done.stderr
        assert "Traceback" not in done.stderr
        assert (away / "locked.txt").read_text() == "old"
        assert list((away / "shut").iterdir()) == []

    @pytest.mark.parametrize(
        "words",
        [
            "puzzle make --quiet --count 1 --kind count --seed 2 --output /dev/full --force",
            f"analyze --quiet --worlds 0 --output /dev/full --force {NINE}",
            "stats export --output /dev/full --force",
            "ruleset explain block --output /dev/full --force",
            "record --players Ann,Bob --output /dev/full --force",
        ],
    )
    def test_c80_a_place_that_takes_nothing(self, sniff, words):
        run = sniff(*words.split(), input="Ann: 5-5\n")
        assert run.status in (1, 2), run
        assert "Traceback" not in run.err
        assert len(run.err.splitlines()) <= 4
        assert Path("/dev/full").is_char_device()

    def test_c80_a_link_stays_a_link(self, sniff, away):
        (away / "real").mkdir()
        (away / "real" / "evening.yaml").write_text("old")
        (away / "evening.yaml").symlink_to("real/evening.yaml")
        words = "record --players Ann,Bob --output evening.yaml --force"
        assert sniff(*words.split(), input="Ann: 5-5\n").status == 0

        assert (away / "evening.yaml").is_symlink()
        assert "5-5" in (away / "real" / "evening.yaml").read_text()
        assert sorted(path.name for path in (away / "real").iterdir()) == ["evening.yaml"]

    @pytest.mark.parametrize("name", ["with space.yaml", "Ünïcødé 雀.yaml", "-dash.yaml"])
    def test_names_of_files(self, sniff, away, name):
        shutil.copy(NINE, away / name)
        run = sniff("replay", "--format", "json", "--", name)
        assert run.status == 0
        assert len(json.loads(run.out)["rounds"][0]["events"]) == 9
        assert sniff("replay", "--", f"missing {name}").status == 2

    @pytest.mark.parametrize(
        "words",
        [
            "ruleset explain block --output there.yaml",
            f"analyze --quiet --worlds 0 {NINE} --output there.yaml",
            f"analyze --quiet --worlds 0 {NINE} --annotate there.yaml",
            "stats export --output there.yaml",
            "puzzle make --count 1 --kind count --quiet --output there.yaml",
            "record --players Ann,Bob --output there.yaml",
            "play --hotseat Ann,Bob --save there.yaml",
            "simulate --quiet --jobs 1 --rounds 2 --bots greedy --output there.yaml",
        ],
    )
    def test_c85_an_output_that_exists_is_kept(self, sniff, away, words):
        (away / "there.yaml").write_text("mine")
        run = sniff(*words.split(), input="Ann: 5-5\n")
        assert run.status in (1, 2)
        assert (away / "there.yaml").read_text() == "mine"
        assert "--force" in run.err

    @pytest.mark.parametrize("name", [name for name in QUICK if name not in ("play", "record")])
    def test_c85_a_command_that_reads_writes_nothing(self, sniff, away, name):
        assert sniff(*quick(name), input=TYPED.get(name, "")).status in (0, 1)
        written = [path for path in away.rglob("*") if path.is_file()]
        # What is computed may be kept in the cache; a profile begins when it is asked for.
        mine = [path for path in written if "cache" not in path.parts]
        assert [path.name for path in mine if path.name != "progress.sqlite"] == []


class TestTerminal:
    """Part 6 of the cases."""

    @each
    def test_c88_input_that_has_ended_is_no_answer(self, sniff, name):
        run = sniff(*quick(name), input="")
        assert run.status in (0, 1)
        assert "Traceback" not in run.err

    def test_c88_a_question_at_the_end_of_input_is_no_yes(self, sniff, away):
        assert sniff("stats", "delete", input="").status == 1

    @each
    def test_c90_no_escape_where_none_is_wanted(self, sniff, monkeypatch, name):
        monkeypatch.setenv("TERM", "xterm-256color")
        monkeypatch.delenv("NO_COLOR", raising=False)
        run = sniff(*quick(name), input=TYPED.get(name, ""))
        assert "\x1b" not in run.out + run.err
        assert run.status in (0, 1)

    @pytest.mark.parametrize(
        ("env", "coloured"),
        [
            ({"NO_COLOR": "", "TERM": "xterm"}, True),
            ({"NO_COLOR": "1", "TERM": "xterm"}, False),
            ({"TERM": "dumb"}, False),
        ],
    )
    def test_c90_a_terminal_gets_colour_unless_it_is_unwanted(self, env, coloured):
        pexpect = pytest.importorskip("pexpect")
        surroundings = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
        out = pexpect.run(
            f"{sys.executable} -m sniffcli count 5-5 5-2",
            env={**surroundings, **env},
            timeout=60,
        )
        assert b"5-2 on 5-5" in out
        assert (b"\x1b[" in out) is coloured

    @each
    @pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
    def test_a_terminal_that_lacks_letters(self, monkeypatch, name, encoding):
        raw = io.BytesIO()
        stream = io.TextIOWrapper(raw, encoding)
        status, errors = into(stream, name, monkeypatch)
        stream.flush()
        assert status in (0, 1)
        assert "Traceback" not in errors
        assert "defect" not in errors
        # click takes a terminal that claims ASCII for one that was set up wrongly: UTF-8.
        raw.getvalue().decode("utf-8" if encoding == "ascii" else encoding)

    @pytest.mark.parametrize("env", [{"LC_ALL": "C"}, {"LC_ALL": "POSIX", "PYTHONUTF8": "0"}])
    def test_names_of_players_in_any_script(self, away, env):
        (away / "game.yaml").write_text(
            "sniff: 1\nruleset: all-fives\nplayers: [Жанна, 陳 小明]\n"
            "rounds: [{plays: [Жанна: 5-5, 陳 小明: 5-2]}]\n",
            "utf-8",
        )
        for words in ("replay game.yaml", "replay --format json game.yaml"):
            done = shell(f"sniff {words}", **env)
            assert done.returncode == 0, done.stderr
            assert "Жанна" in done.stdout or "\\u0416" in done.stdout

    @each
    def test_twenty_columns(self, sniff, monkeypatch, name):
        monkeypatch.setenv("COLUMNS", "20")
        run = sniff(*quick(name), input=TYPED.get(name, ""))
        assert run.status in (0, 1)
        assert "Traceback" not in run.err
        assert "defect" not in run.err

    @each_json
    def test_c93_standard_output_is_one_document(self, sniff, name):
        run = sniff(*quick(name), "--format", "json")
        assert run.status == 0
        json.loads(run.out, parse_constant=_no_constant)

    @each_json
    def test_c93_progress_stays_out_of_the_document(self, sniff, name):
        words = [word for word in quick(name) if word != "--quiet"]
        run = sniff(*words, "--format", "json")
        assert run.status == 0
        json.loads(run.out, parse_constant=_no_constant)

    @pytest.mark.parametrize(
        "words", ["count 5-5 6-1", "count 5-5 x", "ruleset check broken.yaml", "replay broken.yaml"]
    )
    def test_c93_a_problem_is_in_the_document_or_there_is_none(self, sniff, away, words):
        (away / "broken.yaml").write_text("sniff: 1\nrounds: 7\n")
        run = sniff(*words.split(), "--format", "json")
        assert run.status == 1
        if run.out:
            found = json.loads(run.out, parse_constant=_no_constant)
            assert found["ok"] is False
            assert found["problems"]

    @pytest.mark.parametrize(
        ("words", "status"),
        [
            (f"hint --worlds 0 {ENDING}", 2),
            (f"analyze --quiet --format json --worlds 0 {NINE}", 0),
            ("simulate --quiet --jobs 1 --rounds 0", 2),
            ("simulate --quiet --jobs 1 --rounds 2 --bots greedy --format json", 0),
            ("puzzle stats --format json", 0),
            ("stats --format json", 0),
            ("count --set match.target=nan 5-5", 2),
            ("count --set match.target=.inf 5-5", 2),
        ],
    )
    def test_c94_nothing_is_ever_not_a_number(self, sniff, words, status):
        run = sniff(*words.split())
        assert run.status == status, run.err
        assert not re.search(r"\bNaN\b|\bInfinity\b|\bnan\b", run.out)
        if status == 0:
            json.loads(run.out, parse_constant=_no_constant)

    @each
    def test_c95_an_unknown_option_is_a_usage_error(self, sniff, name):
        if name.startswith("-"):
            return
        run = sniff(*quick(name), "--no-such-option")
        assert (run.status, run.out) == (2, "")

    @pytest.mark.parametrize(
        "command",
        ["replay", "hint", "solve", "analyze", "puzzle check", "puzzle play", "puzzle list",
         "puzzle make", "ruleset check", "ruleset show", "ruleset explain", "stats import",
         "play --script", "play --resume", "record --resume"],
    )  # fmt: skip
    def test_c95_missing_and_unusable_files(self, sniff, away, command):
        words = command.split()
        if words[0] not in group.list_commands(click.Context(group)):
            pytest.skip(f"this version has no {words[0]}")
        (away / "unusable.yaml").write_bytes(b"sniff: 1\nrules: \xff\n")
        missing, unusable = sniff(*words, "missing.yaml"), sniff(*words, "unusable.yaml")

        assert missing.status == 2, missing
        assert "missing.yaml" in missing.err
        assert unusable.status == 1, unusable
        assert "unusable.yaml" in unusable.err

    def test_c95_no_legal_play_is_an_answer(self, sniff, away):
        (away / "stuck.yaml").write_text(
            "sniff: 1\nruleset: block\nplayers: [Ann, Bob]\noverrides: {deal: {hand: {2: 1}}}\n"
            "rounds: [{hands: {Ann: [6-6], Bob: [5-4]}, leader: Ann, plays: []}]\n"
        )
        run = sniff("hint", "--format", "json", "stuck.yaml")
        assert run.status == 0, run.err

    def test_c95_without_the_site_module(self):
        """Outside the package only what `site` would find is missing; nothing else surprises."""
        done = subprocess.run(
            [sys.executable, "-S", "-m", "sniffcli", "count", "5-5"],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "10" in done.stdout

    def test_c95_a_python_that_hides_what_is_installed(self):
        done = subprocess.run(
            [sys.executable, "-S", "-m", "sniffcli", "--version"],
            capture_output=True,
            text=True,
            cwd=Path(sniffcli.__file__).parent.parent,
            env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"},
            timeout=60,
            check=False,
        )
        if done.returncode == 0:
            pytest.skip("this Python finds click without the site module")
        assert done.returncode == 2
        assert done.stderr.startswith("sniff: this Python does not find click")
        assert "Traceback" not in done.stderr


class TestStreams:
    """Pipes that close, disks that are full, streams that are not there."""

    @each
    def test_a_reader_that_leaves_is_no_fault(self, monkeypatch, name):
        reading, writing = os.pipe()
        os.close(reading)
        with open(writing, "w", encoding="utf-8") as stream:
            status, errors = into(stream, name, monkeypatch)
        assert status in (0, 1)
        assert len(errors.splitlines()) <= 1
        assert "defect" not in errors
        assert "Broken pipe" not in errors

    @pytest.mark.parametrize("name", ["count", "ruleset explain", "puzzle list"])
    def test_nothing_is_said_at_the_end_of_the_process(self, name):
        done = shell(f"sniff {' '.join(quick(name))} | head -c 1 > /dev/null")
        assert done.stderr == ""
        done = shell(f"sniff {' '.join(quick(name))} > /dev/full")
        assert done.stderr == "sniff: standard output: No space left on device\n"
        assert done.returncode == 1

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
    @each
    def test_a_full_disk_is_told(self, monkeypatch, name):
        with open("/dev/full", "w", encoding="utf-8") as stream:
            status, errors = into(stream, name, monkeypatch)
        assert status == 1, errors
        assert "No space left on device" in errors
        assert len(errors.splitlines()) <= 2
        assert "Traceback" not in errors

    @pytest.mark.parametrize(
        ("closed", "status"), [("<&-", 0), (">&-", 1), ("2>&-", 0), ("<&- >&- 2>&-", 1)]
    )
    @pytest.mark.parametrize("name", ["--version", "replay", "play"])
    def test_a_stream_that_is_closed(self, name, closed, status):
        words = " ".join(f"'{word}'" for word in quick(name))
        source = "" if "<" in closed or name != "play" else "echo board | "
        done = shell(f"{source}sniff {words} {closed}")
        wanted = 0 if name == "play" and not source else status
        assert done.returncode == wanted, done.stderr
        assert "Traceback" not in done.stderr
        assert "defect" not in done.stderr

    def test_a_saved_game_never_receives_what_is_meant_for_the_terminal(self, away):
        done = shell("echo 'Ann: 5-5' | sniff record --players Ann,Bob --output g.yaml >&-")
        assert done.returncode in (0, 1)
        assert (away / "g.yaml").read_text().startswith("sniff: 1\n")
        assert "sum 10" not in (away / "g.yaml").read_text()


def _no_constant(word: str) -> None:
    raise AssertionError(f"{word} is no JSON")
