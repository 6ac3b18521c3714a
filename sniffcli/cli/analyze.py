"""`sniff analyze`: every decision of recorded games, with its choices and what it left."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sniffcli.cli.common import (
    format_option,
    output_options,
    refuse_to_replace,
    report,
    rules_option,
    set_option,
)
from sniffcli.problems import Problem, Status, has_errors

if TYPE_CHECKING:
    from sniffcli.tutor.review import GameReview

#: The name that stands for standard input in problems and reports.
STDIN = "<stdin>"

#: Columns of a report that goes to a file, where there is no terminal to ask.
FILE_WIDTH = 80


@click.command()
@click.argument("games", metavar="GAME...", nargs=-1, required=True)
@rules_option
@set_option
@format_option("table", "json", "csv", "markdown")
@output_options
@click.pass_context
def command(
    ctx: click.Context,
    games: tuple[str, ...],
    rules: str | None,
    overrides: dict[Any, Any],
    format_: str,
    output: Path | None,
    force: bool,
) -> Status:
    """Review the recorded games in the files GAME... (- for standard input).

    For every decision: what else could have been played, what the best score was, and the points
    left on the table; claims missed and caught; forced plays and draws; a table per player. In
    CSV tiles are written like [2-1], so that no spreadsheet turns them into dates.
    """
    from sniffcli.tutor.review import review

    refuse_to_replace(output, force)
    sources = [(STDIN if game == "-" else game, text) for game, text in _opened(games, output)]
    reviews: list[GameReview] = []
    problems: list[Problem] = []
    for file, text in sources:
        replay, found = _replayed(file, text, rules, overrides)
        problems += found
        if replay is not None:
            reviews.append(review(replay))
    if any(problem.file == "--set" for problem in problems):
        report(set(problems))
        return Status.USAGE
    ordered = sorted(set(problems))
    result = _written(reviews, ordered, format_, output, bool(ctx.color))
    status = Status.PROBLEMS if has_errors(ordered) else Status.OK
    if output is None:
        click.echo(result, nl=False)
    elif not _saved(output, result, force, [game for game in games if game != "-"]):
        status = Status.PROBLEMS
    report(ordered)
    return status


def _opened(games: Sequence[str], output: Path | None) -> list[tuple[str, bytes]]:
    """Read all files before anything is done, so that a wrong name costs no waiting."""
    from sniffcli.files.writing import read_file, same_file

    if games.count("-") > 1:
        raise click.UsageError("standard input (-) can be read only once")
    for game in games:
        if output is not None and game != "-" and same_file(game, output):
            raise click.UsageError(f"{output} is an input; write the result to another file")
    return [
        (game, sys.stdin.buffer.read() if game == "-" else read_file(game)[0]) for game in games
    ]


def _replayed(
    file: str, text: bytes, rules: str | None, overrides: dict[Any, Any]
) -> tuple[Any, list[Problem]]:
    """Return the replay of one file, None where it cannot be read at all, and its problems."""
    from sniffcli.files.games import RulesGiven, read_game
    from sniffcli.files.replay import play_out

    try:
        record, problems = read_game(text, file, rules=rules, settings=overrides)
    except RulesGiven as given:
        raise click.UsageError(str(given)) from None
    except LookupError as unknown:
        raise click.UsageError(unknown.args[0]) from None
    if record is None:
        return None, problems
    replay = play_out(record)
    return replay, [*problems, *replay.problems]


def _written(
    reviews: Sequence[GameReview],
    problems: Sequence[Problem],
    format_: str,
    output: Path | None,
    color: bool,
) -> str:
    """Return the result in the format asked for, with its last line end."""
    if format_ == "json":
        from sniffcli.tutor.review_json import document

        return json.dumps(document(reviews, problems), indent=2, ensure_ascii=False) + "\n"
    if format_ == "csv":
        from sniffcli.tutor.review_rows import csv_of

        return csv_of(reviews)
    if format_ == "markdown":
        from sniffcli.tutor.review_rows import markdown_of

        return markdown_of(reviews) if reviews else ""
    from sniffcli.show.style import Look, look_of
    from sniffcli.tutor.review_text import report as text_of

    look = look_of(sys.stdout, color=color) if output is None else Look(FILE_WIDTH)
    return text_of(reviews, look) + "\n" if reviews else ""


def _saved(output: Path, text: str, force: bool, sources: Sequence[str]) -> bool:
    """Write the result; say so and return False where the file is not to be written."""
    from sniffcli.files.writing import FileRefused, write_atomic

    source = sources[0] if sources else None
    try:
        write_atomic(output, text, force=force, source=source)
    except FileRefused as refused:
        click.echo(f"sniff: {refused}", err=True)
        return False
    return True
