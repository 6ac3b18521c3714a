"""`sniff puzzle check`: prove every answer of puzzle files with the engine."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sniffcli.cli.common import format_option, quiet_option, report, result_options, seed_option
from sniffcli.problems import Problem, Status, has_errors

if TYPE_CHECKING:
    from sniffcli.files.puzzles import PuzzleFile

#: The name that stands for standard input in problems.
STDIN = "<stdin>"


@click.command("check")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option(
    "--worlds",
    type=click.IntRange(min=2, max=1_000_000),
    metavar="N",
    help="Worlds by which plays with hidden hands are proved.  [default: 5000]",
)
@seed_option
@quiet_option
@format_option("table", "json")
@result_options
def check(
    paths: tuple[str, ...],
    worlds: int | None,
    seed: int | None,
    quiet: bool,
    format_: str,
) -> Status:
    """Prove the answers of the puzzle files PATH... (- for standard input, or directories).

    Sums and scores are counted. A best play is solved exactly where every hand is open, and else
    proved over many worlds: right is what loses at most half a point, or what is not separated
    from the best by three standard errors.
    """
    from sniffcli.tutor.puzzle_check import check_many
    from sniffcli.tutor.puzzle_values import WORLDS, Effort

    files, problems = read_all(paths)
    puzzles = [puzzle for file in files for puzzle in file.puzzles]
    effort = Effort(worlds=worlds or WORLDS, seed=1 if seed is None else seed)
    tell = None if quiet or not sys.stderr.isatty() else _tell
    problems += check_many(puzzles, effort, tell)
    if tell is not None:
        click.echo("\r\033[K", nl=False, err=True)
    checked = sum(file.listed for file in files)
    found = sorted(set(problems))
    ok = not has_errors(found)
    if format_ == "json":
        facts = {"ok": ok, "checked": checked, "problems": [one.as_json() for one in found]}
        click.echo(json.dumps(facts, indent=2, ensure_ascii=False))
    else:
        many = "1 puzzle" if checked == 1 else f"{checked} puzzles"
        wrong = len(found)
        end = "no problem" if not wrong else "1 problem" if wrong == 1 else f"{wrong} problems"
        click.echo(f"Checked {many}: {end}")
    report(found)
    return Status.OK if ok else Status.PROBLEMS


def _tell(done: int, total: int) -> None:
    click.echo(f"\r{done} of {total} puzzles", nl=False, err=True)


def read_all(paths: Iterable[str]) -> tuple[list[PuzzleFile], list[Problem]]:
    """Read the puzzle files that PATHS name; a directory stands for the files in it."""
    from sniffcli.files.puzzles import read_puzzles
    from sniffcli.files.writing import read_file

    files: list[PuzzleFile] = []
    problems: list[Problem] = []
    ids: dict[str, str] = {}
    for path in _files(paths):
        text = sys.stdin.buffer.read() if path == "-" else read_file(path)[0]
        file, found = read_puzzles(text, STDIN if path == "-" else path)
        problems += found
        files.append(file)
        for puzzle in file.puzzles:
            other = ids.setdefault(puzzle.id, file.file)
            if other != file.file:
                message = f"the id is used in {other} already"
                problems.append(puzzle.problem(puzzle.at("id"), "id", message))
    return files, problems


def _files(paths: Iterable[str]) -> list[str]:
    found: list[str] = []
    for path in paths:
        if path != "-" and Path(path).is_dir():
            inside = sorted(Path(path).glob("**/*.yaml")) + sorted(Path(path).glob("**/*.yml"))
            if not inside:
                raise click.UsageError(f"{path} holds no puzzle file (*.yaml)")
            found += [str(one) for one in inside]
        else:
            found.append(path)
    return list(dict.fromkeys(found))
