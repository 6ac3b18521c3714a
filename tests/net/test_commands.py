"""`sniff host` and `sniff join` as commands."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run

from tests.net.test_load import host

Sniff = Callable[..., Run]


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SNIFF_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--address", "0.0.0.0"], "--insecure"),
        (["--tls-cert", "README.md"], "belong together"),
        (["--tls-cert", "README.md", "--tls-key", "README.md"], "cannot be used"),
        (["--rules", "all-fives", "--players", "9"], "2 to 4 players"),
        (["--rules", "nonsense"], "nonsense"),
        (["--bots", "genius"], "genius"),
        (["--name", "Ann", "--tables", "2"], "one table"),
    ],
)
def test_a_table_that_cannot_be_opened_like_this(
    arguments: list[str], words: str, sniff: Sniff
) -> None:
    told = sniff("host", "--port", "0", *arguments)
    assert told.status == 2
    assert words in told.err


def test_a_wrong_address_of_a_host(sniff: Sniff) -> None:
    assert sniff("join", "bako-bako-bako-bako", "--at", "localhost:none").status == 2


def join(port: int, sector: str, text: str, *more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sniffcli", "join", sector, "--at", f"127.0.0.1:{port}"]
    return subprocess.run(
        [*command, *more], input=text, capture_output=True, text=True, env=os.environ, timeout=60
    )


def test_a_person_joins_sails_drops_and_is_seated_again(tmp_path: Path) -> None:
    state = ("--state", str(tmp_path / "state"))
    with host(1, "--rules", "dreamtime-sniff", *state) as (_, port, sectors):
        first = join(port, sectors[0].upper(), "+\nstart\n", "--name", "Ann\x1b[2J")
        assert "Welcome aboard, Ann[2J. You are the Admiral." in first.stdout
        assert "crew of 3" in first.stdout
        assert first.returncode == 0
        again = join(port, sectors[0], "hand\nnonsense\nundo\n", "--name", "Ann\x1b[2J")
        assert "Round 1. Ann[2J leads." in again.stdout
        assert "nothing is taken back at a hosted table" in again.stdout
        other = join(port, sectors[0], "", "--name", "Eve")
        assert "the voyage has begun" in other.stdout
        assert other.returncode == 1


def test_nobody_answers(tmp_path: Path) -> None:
    with host(1) as (_, port, sectors):
        pass
    told = join(port, sectors[0], "")
    assert told.returncode == 1
    assert "nobody answers" in told.stdout


def test_a_line_with_tls(tmp_path: Path) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl, which makes the certificate, is not there")
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
         "-nodes", "-keyout", key, "-out", cert, "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
        check=True, capture_output=True,
    )  # fmt: skip
    with host(1, "--tls-cert", str(cert), "--tls-key", str(key)) as (_, port, sectors):
        told = join(port, sectors[0], "", "--name", "Ann", "--tls-ca", str(cert))
        assert "Welcome aboard, Ann." in told.stdout
        assert "nobody answers" in join(port, sectors[0], "", "--tls").stdout
        assert "nobody answers" in join(port, sectors[0], "").stdout


def test_help_lists_what_there_is_at_a_hosted_table(tmp_path: Path) -> None:
    with host(1, "--rules", "all-fives") as (_, port, sectors):
        lobby = join(port, sectors[0], "help\nstart\nhelp\nsave mine.yaml\n", "--name", "Ann")
        assert "+ and - change the crew" in lobby.stdout
        assert "the host keeps the game of a hosted table" in lobby.stdout
        listed = [
            line.split()[0]
            for line in lobby.stdout.split("Round 1.")[1].splitlines()
            if line.strip()
        ]
        assert [listed.count(verb) for verb in ("undo", "save", "resign", "quit")] == [0, 0, 1, 1]
        assert "is saved" not in lobby.stdout


def test_who_comes_back_is_told_that_a_bot_has_played(tmp_path: Path) -> None:
    with host(1, "--rules", "all-fives") as (_, port, sectors):
        # A seat given up in a game is played by a bot at once.
        join(port, sectors[0], "start\n", "--name", "Ann")
        stays = join(port, sectors[0], "leave\n", "--name", "Ann")
        assert "A bot has played for you" not in stays.stdout
        deadline = time.monotonic() + 20
        said = ""
        while "A bot has played for you" not in said and time.monotonic() < deadline:
            said = join(port, sectors[0], "leave\n", "--name", "Ann").stdout
        assert "A bot has played for you; you are in your seat again." in said


def test_resigning_at_a_terminal_is_asked_about(tmp_path: Path) -> None:
    pexpect = pytest.importorskip("pexpect")
    env = {**os.environ, "PROMPT_TOOLKIT_NO_CPR": "1", "TERM": "xterm"}
    with host(1, "--rules", "all-fives") as (_, port, sectors):
        join(port, sectors[0], "start\n", "--name", "Ann")
        child = pexpect.spawn(
            sys.executable,
            ["-m", "sniffcli", "join", sectors[0], "--at", f"127.0.0.1:{port}", "--name", "Ann"],
            env=env, dimensions=(30, 80), encoding="utf-8", timeout=30,
        )  # fmt: skip
        child.expect(r"Ann[^\r\n]*>")
        child.send("resign\r")
        child.expect("Give up the match\\?")
        child.expect(r"\[y/N\]")
        child.send("n\r")
        child.send("score\r")
        child.expect(r"0\s")
        child.send("resign\r")
        child.expect(r"\[y/N\]")
        child.send("y\r")
        child.expect("resigns")
        # Ctrl-C drops what is typed, then asks, and leaves when it is sent again.
        child.send("scor")
        child.expect("scor")
        child.send("\x03")
        child.send("log\r")
        child.expect("resigns")
        child.send("\x03")
        child.expect("Leave the table")
        child.expect(r"\[y/N\]")
        child.send("n\r")
        child.send("\x03")
        child.expect(r"\[y/N\]")
        child.send("\x03")
        child.expect(pexpect.EOF)
        child.close()
        assert child.exitstatus == 0
