"""`sniff puzzle list`: the puzzles of files, with kind, difficulty and themes."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from sniffcli.cli.common import format_option, report, result_options
from sniffcli.problems import Status, did_you_mean, has_errors

if TYPE_CHECKING:
    from sniffcli.files.puzzles import Puzzle, PuzzleFile


@click.command("list")
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option("--kind", metavar="KIND", help="Only this kind of question, such as best-play.")
@click.option("--theme", metavar="THEME", help="Only puzzles with this theme.")
@click.option("--rules", metavar="NAME", help="Only puzzles of this ruleset.")
@format_option("table", "json", "csv", "markdown")
@result_options
def list_(
    paths: tuple[str, ...], kind: str | None, theme: str | None, rules: str | None, format_: str
) -> Status:
    """List the puzzles of the files PATH... (default: those that come with sniff)."""
    from sniffcli.cli.puzzle_check import read_all
    from sniffcli.ruleset.library import scenarios_dir
    from sniffcli.show.style import look_of
    from sniffcli.show.tables import Column, markdown, table, to_csv

    files, problems = read_all(paths or (str(scenarios_dir() / "puzzles"),))
    found = [
        puzzle
        for file in files
        for puzzle in file.puzzles
        if (kind is None or puzzle.ask == kind)
        and (theme is None or theme in puzzle.themes)
        and (rules is None or puzzle.record.rules.id == rules)
    ]
    if not found:
        refuse_unknown(files, kind, theme, rules)
    titles = ("id", "kind", "ruleset", "difficulty", "themes")
    rows = [_row(puzzle) for puzzle in found]
    if format_ == "json":
        facts = [
            dict(zip(titles, (*row[:3], p.difficulty, list(p.themes)), strict=True))
            for row, p in zip(rows, found, strict=True)
        ]
        click.echo(json.dumps({"puzzles": facts}, indent=2, ensure_ascii=False))
    elif format_ == "csv":
        click.echo(to_csv(titles, rows), nl=False)
    else:
        columns = [
            Column("puzzle"),
            Column("kind", drop=4),
            Column("ruleset", drop=3),
            Column("difficulty", right=True, drop=2),
            Column("themes", drop=1),
        ]
        if format_ == "markdown":
            click.echo(markdown(columns, rows))
        else:
            click.echo(table(columns, rows, look_of(sys.stdout).width))
            click.echo("1 puzzle" if len(rows) == 1 else f"{len(rows)} puzzles")
    report(problems)
    return Status.PROBLEMS if has_errors(problems) else Status.OK


def refuse_unknown(
    files: list[PuzzleFile], kind: str | None, theme: str | None, rules: str | None
) -> None:
    """Stop with a usage error where a filter names what is neither here nor anywhere else."""
    from typing import get_args

    from sniffcli.files.puzzles import Ask
    from sniffcli.ruleset.library import shipped
    from sniffcli.tutor.puzzle_themes import THEMES

    puzzles = [puzzle for file in files for puzzle in file.puzzles]
    themes = sorted({*THEMES, *(one for puzzle in puzzles for one in puzzle.themes)})
    rulesets = sorted({*shipped(), *(puzzle.record.rules.id for puzzle in puzzles)})
    for option, given, known in (
        ("kind", kind, get_args(Ask)),
        ("theme", theme, themes),
        ("rules", rules, rulesets),
    ):
        if given is not None and given not in known:
            hint = did_you_mean(given, known) or f"; there are {', '.join(known)}"
            raise click.UsageError(f'--{option}: there is no "{given}"{hint}')


def _row(puzzle: Puzzle) -> tuple[str, ...]:
    return (
        puzzle.id,
        puzzle.ask,
        puzzle.record.rules.id,
        str(puzzle.difficulty),
        ", ".join(puzzle.themes),
    )
