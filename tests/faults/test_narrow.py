"""Terminals that lack letters or columns: ASCII in the C locale, code pages, 20 and 40 columns."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from sniffcli.ruleset.library import scenarios_dir

GAMES = scenarios_dir() / "games"
MATCH = GAMES / "all-fives-match-1.yaml"

NAMES = ["Жанна", "陳 小明", "Zoë 🎲"]
GAME = (
    f"sniff: 1\nruleset: all-fives\nplayers: [{', '.join(NAMES)}]\n"
    f"rounds: [{{plays: [{NAMES[0]}: 5-5, {NAMES[1]}: 5-2, {NAMES[2]}: 2-1]}}]\n"
)
#: What makes Python write ASCII, and what does not.
PLAIN = [{"LC_ALL": "C"}, {"LC_ALL": "POSIX", "PYTHONUTF8": "0"}]


def run(words: str, cwd: Path, typed: str = "", **env: str) -> subprocess.CompletedProcess[bytes]:
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "LANG", "PYTHONIO"))}
    return subprocess.run(
        [sys.executable, "-m", "sniffcli", *words.split()],
        input=typed.encode(),
        capture_output=True,
        cwd=cwd,
        env={**clean, "SNIFF_DATA_DIR": str(cwd / "data"), **env},
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("env", PLAIN, ids=lambda env: " ".join(env))
def test_nothing_but_ascii_where_that_is_asked_for(tmp_path, env):
    (tmp_path / "game.yaml").write_text(GAME, "utf-8")
    for words, typed in (
        ("replay game.yaml", ""),
        ("replay --format json game.yaml", ""),
        (f"hint --worlds 20 --seed 1 --at 1.2 {MATCH}", ""),
        ("play --seed 3 --name Zoë --bots greedy", "board\nhint\nhint\nhint\nwhy\nunseen\nhelp\n"),
        ("simulate --quiet --jobs 1 --rounds 4 --bots greedy,random --rules block", ""),
    ):
        done = run(words, tmp_path, typed, **env)
        assert done.returncode == 0, done.stderr
        assert done.stdout.isascii(), words
        assert done.stderr.isascii(), words
        if "json" in words:
            assert json.loads(done.stdout)["players"] == NAMES
    shown = run("replay game.yaml", tmp_path, **env).stdout
    assert b"\\u0416\\u0430\\u043d\\u043d\\u0430 leads" in shown


def test_json_reads_back_on_a_code_page(tmp_path):
    """`\\xeb` would be no JSON; a letter beyond the page is escaped as JSON does it."""
    (tmp_path / "game.yaml").write_text(GAME, "utf-8")
    for encoding in ("cp1252", "ascii"):
        done = run("replay --format json game.yaml", tmp_path, PYTHONIOENCODING=encoding)
        assert json.loads(done.stdout.decode(encoding))["players"] == NAMES


def test_a_name_that_is_no_text_is_refused(sniff, tmp_path, monkeypatch):
    monkeypatch.setenv("SNIFF_DATA_DIR", str(tmp_path))
    run = sniff("play", "--name", "Zo\udcff")
    assert run.status == 2
    assert "is no text" in run.err


@pytest.mark.parametrize("env", [{}, {"LANG": "C.UTF-8"}, {"LC_ALL": "C", "PYTHONUTF8": "1"}])
def test_letters_everywhere_else(tmp_path, env):
    (tmp_path / "game.yaml").write_text(GAME, "utf-8")
    done = run("replay game.yaml", tmp_path, **env)
    assert "Жанна leads" in done.stdout.decode("utf-8")


def test_a_file_of_ours_in_a_pipe_is_utf_8_in_every_locale(tmp_path):
    """`sniff ruleset show block > mine.yaml` must give the same file under LC_ALL=C."""
    for words in ("ruleset show block", "ruleset show --resolved block"):
        plain = run(words, tmp_path, LC_ALL="C")
        assert plain.stdout == run(words, tmp_path, LANG="C.UTF-8").stdout
        assert "«" in yaml.safe_load(plain.stdout.decode("utf-8"))["source"]


@pytest.mark.parametrize("width", ["20", "40"])
@pytest.mark.parametrize(
    ("words", "typed"),
    [
        ("ruleset list", ""),
        ("simulate --quiet --jobs 1 --rounds 2 --seed 1 --rules block --bots greedy,random", ""),
        ("simulate --quiet --jobs 1 --matches 2 --seed 1 --set match.target=20 --bots greedy", ""),
        ("puzzle list", ""),
        ("play --seed 1 --hotseat Ann,Bob", "help\n"),
        ("play --skin list", ""),
        ("stats", ""),
        ("puzzle stats", ""),
        (f"replay {MATCH}", ""),
        (f"replay {GAMES / 'all-threes-partners-round.yaml'}", ""),
    ],
)
def test_lines_fit(sniff, tmp_path, monkeypatch, width, words, typed):
    monkeypatch.setenv("SNIFF_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("COLUMNS", width)
    done = sniff(*words.split(), input=typed)
    assert done.status == 0, done.err
    assert [line for line in done.out.splitlines() if len(line) > int(width)] == []


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal of POSIX")
@pytest.mark.parametrize(
    "words",
    [
        "solve --bogus",
        "count 5-5 --rules nonsense",
        "puzzle play --kind bogus",
        "simulate --rounds 3",
        "replay there-is-no-file-of-this-name.yaml",
        "hint --at nowhere game.yaml",
        "join bako-bako-bako-bako --at localhost:none",
        "nonsense",
    ],
)
def test_what_is_wrong_fits_a_terminal_too(words):
    pexpect = pytest.importorskip("pexpect")
    child = pexpect.spawn(
        sys.executable, ["-m", "sniffcli", *words.split()],
        env={key: value for key, value in os.environ.items() if key != "COLUMNS"},
        dimensions=(24, 40), encoding="utf-8", timeout=30,
    )  # fmt: skip
    child.expect(pexpect.EOF)
    child.close()
    lines = child.before.replace("\r", "").split("\n")
    assert child.exitstatus == 2
    assert max(map(len, lines)) <= 40, child.before
    # Nothing is broken inside a word.
    assert "Error:" in child.before or "sniff:" in child.before


@pytest.mark.parametrize("typed", ["help\nquit\n", "nonsense\n", "hint\nboard\nquit\n"])
def test_a_drill_fits_a_narrow_terminal(sniff, tmp_path, monkeypatch, typed):
    monkeypatch.setenv("SNIFF_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "40")
    for words in ("--limit 2", "--daily", "--rated"):
        done = sniff("puzzle", "play", "--seed", "1", *words.split(), input=typed)
        assert max(map(len, done.out.splitlines()), default=0) <= 40, done.out
