"""`sniff analyze`: every decision of recorded games, graded from what its seat could know."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sniffcli.cli.common import (
    format_option,
    jobs_option,
    output_options,
    quiet_option,
    refuse_to_replace,
    report,
    rules_option,
    say_kept,
    seed_option,
    set_option,
    write_document,
)
from sniffcli.cli.positions import contradictions
from sniffcli.problems import Problem, Status, has_errors

if TYPE_CHECKING:
    from sniffcli.files.replay import Replay
    from sniffcli.tutor.review import GameReview

#: The name that stands for standard input in problems and reports.
STDIN = "<stdin>"

#: More worlds than this tell nothing that anybody could use.
MOST_WORLDS = 1_000_000


@click.command()
@click.argument("games", metavar="GAME...", nargs=-1, required=True)
@rules_option
@set_option
@click.option(
    "--worlds",
    type=click.IntRange(0, MOST_WORLDS),
    metavar="N",
    default=2000,
    show_default=True,
    help="Deals to play out per decision; 0 grades nothing.",
)
@seed_option
@jobs_option
@click.option(
    "--lang",
    "language",
    type=click.Choice(["en", "fr"]),
    default="en",
    show_default=True,
    help="Language of the reasons.",
)
@click.option(
    "--fresh", is_flag=True, help="Grade anew what was graded before, and keep no result."
)
@click.option(
    "--annotate",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write the game to FILE with a comment line at each graded move.",
)
@format_option("table", "json", "csv", "markdown", "html")
@output_options
@quiet_option
@click.pass_context
def command(
    ctx: click.Context,
    games: tuple[str, ...],
    rules: str | None,
    overrides: dict[Any, Any],
    worlds: int,
    seed: int | None,
    jobs: int | None,
    language: str,
    fresh: bool,
    annotate: Path | None,
    format_: str,
    output: Path | None,
    force: bool,
    quiet: bool,
) -> Status:
    """Review the recorded games in the files GAME... (- for standard input).

    Every decision is graded from what its seat could know: what the play loses against the best
    choice, on the same deals, with its error; a loss that these deals cannot tell from nothing gets
    no grade. Further: points left on the table, claims missed and caught, forced plays, luck and
    skill, and a table per player. In CSV tiles are written like [2-1], so that no spreadsheet
    turns them into dates.

    Graded games are kept in the user's cache, so that an analysis that was stopped goes on where
    it was. What is graded until Ctrl-C is reported.
    """
    refuse_to_replace(output, force)
    refuse_to_replace(annotate, force)
    if annotate is not None and len(games) > 1:
        raise click.UsageError("--annotate writes one game; give one GAME")
    if annotate is not None and not worlds:
        raise click.UsageError("--annotate writes grades, and --worlds 0 makes none")
    if annotate is not None and output is not None and _same(annotate, output):
        raise click.UsageError("--annotate and --output name the same file")
    sources = [(STDIN if game == "-" else game, text) for game, text in _opened(games, output)]
    replays: list[Replay] = []
    problems: list[Problem] = []
    for file, text in sources:
        replay, found = _replayed(file, text, rules, overrides)
        problems += found
        if replay is not None:
            replays.append(replay)
    if any(problem.file == "--set" for problem in problems):
        report(set(problems))
        return Status.USAGE
    reviews, stopped = _reviewed(replays, worlds, seed, jobs, language, fresh, quiet)
    if stopped is not None and not any(_graded(one) for one in reviews):
        raise stopped
    ordered = sorted(set(problems))
    result = _written(reviews, ordered, format_, language, output, bool(ctx.color))
    status = Status.PROBLEMS if has_errors(ordered) else Status.OK
    if output is None:
        put = write_document if format_ == "html" else partial(click.echo, nl=False)
        put(result)
    elif not reviews:
        say_kept(output)
    elif not _saved(output, result, force, [game for game in games if game != "-"]):
        status = Status.PROBLEMS
    if stopped is None and annotate is not None and reviews:
        from sniffcli.tutor.annotating import annotated

        marked = annotated(sources[0][1].decode("utf-8-sig"), reviews[0])
        if not _saved(annotate, marked, force, [game for game in games if game != "-"]):
            status = Status.PROBLEMS
    report(ordered)
    return status if stopped is None else _told(stopped, reviews, len(replays), annotate)


def _graded(one: GameReview) -> int:
    """Return how many decisions of a game have a verdict."""
    return sum(decision.is_real for decision in one.decisions) - one.not_reached


def _told(
    stopped: BaseException, reviews: Sequence[GameReview], games: int, annotate: Path | None
) -> Status:
    """Say in a line how far an interrupted analysis came, and return its status."""
    from sniffcli.show.numbers import counted

    interrupted = isinstance(stopped, KeyboardInterrupt)
    done, left = sum(map(_graded, reviews)), reviews[-1].not_reached
    text = "interrupted: " if interrupted else "terminated: "
    text += counted(done, "decision is graded", "decisions are graded")
    if games > 1:
        text += f" in {len(reviews)} of {games} games"
    if left:
        last = "the last" if games > 1 else "the game"
        text += f", {left} of {last} {'is' if left == 1 else 'are'} not"
    if annotate is not None:
        text += f"; {annotate} is not written"
    click.echo(text, err=True)
    return Status.INTERRUPTED if interrupted else Status.TERMINATED


def _reviewed(
    replays: Sequence[Replay],
    worlds: int,
    seed: int | None,
    jobs: int | None,
    language: str,
    fresh: bool,
    quiet: bool,
) -> tuple[list[GameReview], BaseException | None]:
    """Grade the games one after the other, with a bar for somebody who watches.

    An interruption ends it with the reviews that there are; it is returned beside them.
    """
    if not worlds:
        from sniffcli.tutor.review import review

        return [review(replay) for replay in replays], None
    from sniffcli.cli.main import Terminated
    from sniffcli.engine.advice import SEED
    from sniffcli.engine.tournament import processors
    from sniffcli.tutor.analysis import Effort, Pace, Stopped, analysed, kept_in, workers

    effort = Effort(
        worlds=worlds,
        seed=SEED if seed is None else seed,
        language=language,
        jobs=jobs or processors(),
        kept=None if fresh else kept_in(),
    )
    lengths = [_actions(replay) for replay in replays]
    # About every second action is a decision.
    pace = Pace(ahead=sum(lengths) // 2)
    found: list[GameReview] = []
    with workers(effort.jobs):
        for number, (replay, actions) in enumerate(zip(replays, lengths, strict=True), 1):
            pace.ahead -= actions // 2
            label = f"game {number} of {len(replays)}" if len(replays) > 1 else "grading"
            with click.progressbar(
                length=actions,
                label=label,
                file=sys.stderr,
                hidden=quiet or not sys.stderr.isatty(),
            ) as bar:
                try:
                    reviewed = analysed(
                        replay,
                        effort,
                        bar.update,
                        pace=pace,
                        stops=(KeyboardInterrupt, Terminated),
                    )
                except Stopped as stop:
                    return [*found, stop.review], stop.__cause__
                found.append(reviewed)
                bar.finish()
                bar.render_progress()
    return found, None


def _actions(replay: Replay) -> int:
    """Return how many actions of a record may have been decisions."""
    return sum(
        step.event.kind in ("play", "draw", "pass") for one in replay.rounds for step in one.steps
    )


def _same(one: Path, other: Path) -> bool:
    from sniffcli.files.writing import same_file

    return same_file(one, other)


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
    return replay, [*problems, *replay.problems, *contradictions(replay)]


def _written(
    reviews: Sequence[GameReview],
    problems: Sequence[Problem],
    format_: str,
    language: str,
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
    if format_ == "html":
        from sniffcli.tutor.report_html import page

        return page(reviews, language)
    from sniffcli.show.style import FILE_WIDTH, Look, look_of
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
