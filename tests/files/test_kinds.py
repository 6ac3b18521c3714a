"""A file of the wrong kind is named, with the command for it, and its keys are not guessed at."""

from __future__ import annotations

import shlex

import pytest

from sniffcli.ruleset.kinds import NAMES, kind_of, not_a_script
from sniffcli.ruleset.library import rulesets_dir, scenarios_dir
from sniffcli.yamlio import parse

FILES = {
    "ruleset": rulesets_dir() / "block.yaml",
    "game": scenarios_dir() / "games" / "nine-published-moves.yaml",
    "puzzle": scenarios_dir() / "puzzles" / "points-bergen.yaml",
    "script": scenarios_dir() / "scripts" / "all-threes-1-laws.txt",
}
#: Commands by the kind of file that they read.
READERS = {
    "ruleset": [
        "ruleset check",
        "ruleset show",
        "ruleset explain",
        "ruleset diff block",
        "count 5-5 --rules",
        "simulate --bots greedy,random --rules",
        "play --hotseat Ann,Bob --rules",
        "record --players Ann,Bob --rules",
        "host --rules",
        "puzzle make --rules",
    ],
    "game": [
        "replay",
        "hint",
        "solve",
        "analyze --worlds 0 --quiet",
        "play --resume",
        "record --resume",
        "puzzle make --quiet",
    ],
    "puzzle": ["puzzle check", "puzzle list", "puzzle play"],
    "script": ["play --script"],
}


@pytest.mark.parametrize(
    ("command", "wanted", "found"),
    [
        (command, wanted, found)
        for wanted, commands in READERS.items()
        for command in commands
        for found in FILES
        if found != wanted
    ],
)
def test_every_command_names_the_kind(sniff, tmp_path, monkeypatch, command, wanted, found):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SNIFF_DATA_DIR", str(tmp_path / "data"))
    run = sniff(*command.split(), FILES[found])

    assert run.status == 1
    told = [line for line in run.err.splitlines() if "command for it" in line]
    assert len(told) == 1, run.err
    assert "unknown key" not in run.err
    is_, fits = NAMES[found]
    assert f"this is {is_}, not {NAMES[wanted][0]}" in told[0]
    assert told[0].endswith(f"`{fits} {FILES[found]}`")


@pytest.mark.parametrize("found", FILES)
def test_the_command_that_is_named_reads_the_file(sniff, found):
    assert sniff(*NAMES[found][1].removeprefix("sniff ").split(), FILES[found]).status == 0


def test_every_shipped_file_is_what_it_is():
    folders = {
        "ruleset": rulesets_dir().glob("*.yaml"),
        "game": (scenarios_dir() / "games").glob("*.yaml"),
        "puzzle": (scenarios_dir() / "puzzles").glob("*.yaml"),
        "script": (scenarios_dir() / "scripts").glob("*.txt"),
    }
    for kind, files in folders.items():
        for file in files:
            text = file.read_bytes()
            # A script without expectations looks like nothing else either.
            assert kind_of(parse(text, str(file))[0], text) in (kind, None), file
            if kind == "script":
                assert not_a_script(text.decode(), str(file)) == ""


def test_a_mistake_makes_no_other_kind(sniff, tmp_path):
    """Players as a list in a ruleset, or a game that is no YAML, keep the messages of their own."""
    rules = tmp_path / "mine.yaml"
    rules.write_text("sniff: 1\nid: mine\nextends: block\nplayers: [2, 4]\n")
    run = sniff("ruleset", "check", rules)
    assert run.status == 1
    assert "players" in run.err
    assert "wrong-kind" not in run.err

    game = tmp_path / "game.yaml"
    game.write_text("sniff: 1\nnotes: |\n  wait 5\n players: {\n")
    run = sniff("replay", game)
    assert run.status == 1
    assert "wrong-kind" not in run.err


def test_a_name_that_a_shell_would_split_is_quoted(sniff, tmp_path):
    game = tmp_path / "our game.yaml"
    game.write_bytes(FILES["game"].read_bytes())
    run = sniff("ruleset", "check", game)
    assert run.err.rstrip().endswith(f"`sniff replay {shlex.quote(str(game))}`")


def test_from_a_pipe(sniff):
    run = sniff("ruleset", "check", "-", input=FILES["game"].read_bytes())
    assert run.status == 1
    assert "this is a game file, not a ruleset; the command for it is `sniff replay -`" in run.err


def test_a_directory_of_rules_is_no_ruleset(sniff, tmp_path):
    run = sniff("count", "--rules", tmp_path, "5-5")
    assert run.status == 2
    assert f'"{tmp_path}" is a directory; name one ruleset file in it' in run.err
