"""Man pages, README and help: complete, well formed, and every command in them understood."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from runpy import run_path

import click
import pytest

from sniffcli.files.games import GAME_KEYS
from sniffcli.files.puzzles import FILE_KEYS, PUZZLE_KEYS
from sniffcli.files.rounds import ROUND_KEYS
from sniffcli.ruleset.cautions import CAUTIONS
from sniffcli.ruleset.contradictions import CONTRADICTIONS
from sniffcli.ruleset.idle import IDLE
from sniffcli.ruleset.keys import keys
from sniffcli.ruleset.library import shipped

MAN = Path(__file__).parent.parent.parent / "man"
if str(MAN) not in sys.path:
    sys.path.insert(0, str(MAN))

import consoles  # noqa: E402
import roff  # noqa: E402

BUILD = run_path(str(MAN / "build.py"))
COMMANDS = list(BUILD["walk"]())
PAGES = sorted(MAN.glob("*.[157]"))
TEXTS = sorted((MAN / "text").glob("*.md"))

by_command = pytest.mark.parametrize(
    ("words", "command", "ctx"), COMMANDS, ids=[" ".join(words) for words, _, _ in COMMANDS]
)
by_page = pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])


def shown(page: Path) -> str:
    """Return PAGE as a reader sees it, without bold and line breaks."""
    text = page.read_text("utf-8")
    for mark in (r"\fB", r"\fI", r"\fR", r"\&", r"\:", r"\%"):
        text = text.replace(mark, "")
    text = text.replace(r"\-", "-").replace(r"\(rs", "\\").replace(r"\(aq", "'")
    return text.replace(r"\(ti", "~").replace(r"\(ga", "`").replace(r"\(ha", "^")


@by_command
def test_every_help_ends_with_a_full_stop(words, command, ctx):
    assert command.help
    for part in command.help.split("\n\n"):
        assert part.rstrip().endswith((".", ":")) or "\b" in part, part


@by_command
def test_every_option_is_explained_in_a_sentence(words, command, ctx):
    for param in command.get_params(ctx):
        if isinstance(param, click.Option) and not param.hidden:
            text = re.sub(r"\s*\[[^]]*\]$", "", (param.help or "").strip())
            assert text.endswith("."), f"{' '.join(words)} {param.opts[0]}: {text!r}"


@by_command
def test_every_command_has_a_page_with_all_its_sections(words, command, ctx):
    page = shown(MAN / f"{'-'.join(words)}.1")
    wanted = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "ENVIRONMENT"]
    wanted += ["EXAMPLES", "SEE ALSO"]
    if any(isinstance(param, click.Argument) for param in command.params):
        wanted.append("ARGUMENTS")
    for section in wanted:
        assert re.search(rf'^\.SH "?{section}"?$', page, re.MULTILINE), section
    for param in command.get_params(ctx):
        if isinstance(param, click.Option) and not param.hidden:
            for name in param.opts:
                assert re.search(rf"(^|, ){re.escape(name)}\b", page, re.MULTILINE), name


@by_command
def test_every_command_has_an_example_of_itself(words, command, ctx):
    text = BUILD["examples"]()["-".join(words)]
    assert any(" ".join(words) in line for line in consoles.commands(text))


def test_no_example_is_left_over():
    assert set(BUILD["examples"]()) <= {"-".join(words) for words, _, _ in COMMANDS} | {
        # Commands that a build without their module leaves out keep their examples.
        f"sniff-{name}"
        for name in BUILD["COMMANDS"]
    }


def test_no_page_is_left_over():
    topics = {f"sniff-{topic}.{section}" for topic, section in BUILD["SECTION"].items()}
    there = {f"{'-'.join(words)}.1" for words, _, _ in COMMANDS} | topics
    assert {page.name for page in PAGES} <= there


@pytest.mark.parametrize(
    "document", [*TEXTS, MAN.parent / "README.md"], ids=lambda document: document.name
)
def test_every_command_shown_is_one(document):
    """Commands in documents are parsed; those with output are also run when documents are made."""
    for line in consoles.commands(document.read_text("utf-8")):
        for words in _calls(line):
            _parse(words, line)


def _calls(line: str) -> list[list[str]]:
    """Return the words of each call of `sniff` in a line of a shell."""
    parts = re.split(r"\s+\|\s+|;\s*|&&", line)
    calls = []
    for part in parts:
        words = shlex.split(re.sub(r"\s*>\s*\S+", "", part))
        while words and "=" in words[0]:
            words = words[1:]
        if words and Path(words[0]).name == "sniff":
            calls.append(words[1:])
    return calls


def _parse(words: list[str], line: str) -> None:
    if words[:1] == ["cuont"]:  # the misspelt command of sniff(1)
        return
    ctx = COMMANDS[0][2]
    names = BUILD["COMMANDS"]
    if words and words[0] in names and words[0] not in ctx.command.list_commands(ctx):
        return
    command: click.Command = COMMANDS[0][1]
    parent = None
    name = "sniff"
    while True:
        try:
            made = command.make_context(name, list(words), parent=parent)
        except click.exceptions.Exit:
            return
        except click.BadParameter as problem:
            # Certificates and the like stand for files of the reader.
            if problem.message.endswith("does not exist."):
                return
            raise
        if not isinstance(command, click.Group) or not made._protected_args + made.args:
            return
        name, *words = made._protected_args + made.args
        inner = command.get_command(made, name)
        assert inner is not None, f"{line}: no command {name}"
        command, parent = inner, made


def test_the_pages_name_every_key():
    page = shown(MAN / "sniff-ruleset.5")
    for key in keys().values():
        assert key.dotted in page
    for one in (*CONTRADICTIONS, *CAUTIONS, *IDLE):
        assert one.code in page
        assert one.message.split("`")[0] in page.replace("\n", " ")
    game, puzzle = shown(MAN / "sniff-game.5"), shown(MAN / "sniff-puzzle.5")
    for key in (*GAME_KEYS, *ROUND_KEYS):
        assert re.search(rf"(^|, ){key}(,|$)", game, re.MULTILINE), key
    for key in (*FILE_KEYS, *PUZZLE_KEYS):
        assert re.search(rf"(^|, ){key}(,|$)", puzzle, re.MULTILINE), key


@by_page
def test_man_shows_the_page_without_a_warning(page):
    if not shutil.which("man") or not shutil.which("groff"):
        pytest.skip("man and groff are not here")
    for width in ("80", "60"):
        done = subprocess.run(
            ["man", "--warnings", "-l", str(page)],
            capture_output=True,
            env={**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": width, "MAN_KEEP_FORMATTING": ""},
            check=True,
        )
        assert done.stderr == b""
        assert done.stdout


@by_page
def test_whatis_finds_the_page(page):
    if not shutil.which("lexgrog"):
        pytest.skip("lexgrog is not here")
    done = subprocess.run(["lexgrog", str(page)], capture_output=True, text=True, check=True)
    assert f'"{page.stem} - ' in done.stdout


@by_page
def test_the_pages_point_to_pages_that_exist(page):
    found = re.findall(r"\\fB(?:\\%)?(sniff[\\\-a-z]*)\\fR\((\d)\)", page.read_text("utf-8"))
    assert found
    for name, section in found:
        assert (MAN / f"{name.replace(chr(92), '')}.{section}").is_file(), (name, section)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (".start of a line", r"\&.start of a line"),
        ("'quoted' at the start", r"\&'quoted' at the start"),
        (r"a \ and `--set a\b`", r"a \(rs and \fB\-\-set a\(rsb\fR"),
        ("well-known *file*", r"well-known \fIfile\fR"),
    ],
)
def test_what_man_would_misread_is_escaped(text, written):
    assert roff.paragraph(text)[1] == written


def test_a_block_keeps_every_character():
    block = roff.block([".TH", "$ printf 'a\\n' --x", "~`^'"])
    assert block[3:-2] == [
        r"\&.TH",
        r"\fB$ printf \(aqa\(rsn\(aq \-\-x\fR",
        r"\(ti\(ga\(ha\(aq",
    ]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_of_each_documented_shell(shell, sniff, monkeypatch, root):
    assert f"_SNIFF_COMPLETE={shell}_source sniff" in (root / "README.md").read_text("utf-8")
    monkeypatch.setenv("_SNIFF_COMPLETE", f"{shell}_source")
    run = sniff()
    if shell == "bash" and run.status:
        pytest.skip("no bash of version 4.4 or newer")
    assert run.status == 0
    assert "_SNIFF_COMPLETE" in run.out


def test_bash_completes_commands_options_and_words(sniff, monkeypatch):
    monkeypatch.setenv("_SNIFF_COMPLETE", "bash_complete")
    for typed, wanted in [
        ("sniff an", "analyze"),
        ("sniff count --ru", "--rules"),
        ("sniff count --format js", "json"),
        ("sniff puzzle che", "check"),
    ]:
        monkeypatch.setenv("COMP_WORDS", typed)
        monkeypatch.setenv("COMP_CWORD", str(len(typed.split()) - 1))
        assert f"plain,{wanted}" in sniff().out.split()


def test_a_real_bash_takes_the_completion(tmp_path):
    if not shutil.which("bash"):
        pytest.skip("bash is not here")
    (tmp_path / "sniff").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m sniffcli "$@"\n')
    (tmp_path / "sniff").chmod(0o755)
    script = (
        'eval "$(_SNIFF_COMPLETE=bash_source sniff)"; COMP_WORDS=(sniff ana); COMP_CWORD=1;'
        " _sniff_completion sniff; printf '%s\\n' \"${COMPREPLY[@]}\""
    )
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "--norc", "-c", script],
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": path},
        check=True,
    )
    assert done.stdout.split() == ["analyze"]


def test_the_readme_shows_every_shipped_ruleset(root):
    text = (root / "README.md").read_text("utf-8")
    table = text.partition("$ sniff ruleset list")[2].partition("```")[0].split()
    assert set(shipped()) <= set(table)


def test_the_readme_names_places_that_exist(root):
    text = (root / "README.md").read_text("utf-8")
    for place in re.findall(r"^\| `([^`*]+/)`", text, re.MULTILINE):
        assert (root / place).is_dir(), place


def test_the_first_blocks_of_the_readme_are_the_two_commands(root):
    blocks = re.findall(r"^```sh\n(.*?)^```", (root / "README.md").read_text("utf-8"), re.M | re.S)
    assert "sniff analyze scenarios/games/all-fives-match-1.yaml" in blocks[0]
    assert "pytest" in blocks[1]


def test_the_date_of_the_pages_is_that_of_the_change_log():
    date = BUILD["change_date"]()
    for page in PAGES:
        assert roff.literal(date) in page.read_text("utf-8").split("\n")[1]
