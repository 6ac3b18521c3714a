"""`sniff replay`: check a recorded game completely and show it event by event."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from sniffcli.cli.common import format_option, report, result_options, rules_option, set_option
from sniffcli.cli.positions import contradictions, read_record
from sniffcli.problems import Problem, Status, has_errors

if TYPE_CHECKING:
    from sniffcli.files.replay import Replay, RoundReplay
    from sniffcli.game.state import Setup
    from sniffcli.show.style import Look


@click.command()
@click.argument("game", metavar="GAME")
@rules_option
@set_option
@click.option("--round", "number", type=click.IntRange(min=1), metavar="N", help="Only round N.")
@click.option(
    "--to",
    type=click.IntRange(min=0),
    metavar="N",
    help="Stop after event N of the round and show the table there.",
)
@click.option("--step", is_flag=True, help="Draw the table after every event, waiting for Enter.")
@click.option(
    "--verify-deal", is_flag=True, help="Check seed, salt and commitment, and deal again."
)
@format_option("table", "json")
@result_options
@click.pass_context
def command(
    ctx: click.Context,
    game: str,
    rules: str | None,
    overrides: dict[Any, Any],
    number: int | None,
    to: int | None,
    step: bool,
    verify_deal: bool,
    format_: str,
) -> Status:
    """Replay the recorded game in the file GAME (- for standard input) and check all of it.

    Every round is checked, also those that --round and --to do not show.
    """
    from sniffcli.files.fairness import check_deal
    from sniffcli.files.replay import play_out

    if step and format_ == "json":
        raise click.UsageError("--step is for reading along; it does not go with --format json")
    given = read_record(game, rules, overrides)
    if isinstance(given, Status):
        return given
    record, problems, _ = given
    played = None if record is None else play_out(record)
    if played is not None:
        problems += [*played.problems, *contradictions(played)]
        if verify_deal:
            problems += check_deal(played)
        chosen = _chosen(played, number, to)
    if format_ == "json":
        from sniffcli.files.facts import document

        facts = document(None if played is None else chosen, problems)
        click.echo(json.dumps(facts, indent=2, ensure_ascii=False))
    elif played is not None:
        from sniffcli.show.rounds import match_line
        from sniffcli.show.style import look_of

        look = look_of(sys.stdout, color=bool(ctx.color))
        _show(chosen, look, step=step, wait=step and game != "-" and _at_terminal())
        if to is None:
            click.echo(match_line(played, look))
        _say_checked(played, problems, verify_deal, look)
    report(set(problems))
    return Status.PROBLEMS if has_errors(problems) else Status.OK


def _at_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _chosen(played: Replay, number: int | None, to: int | None) -> Replay:
    """Return the replay with the round, and the events of it, that were asked for."""
    rounds = played.rounds
    if number is not None:
        if number > len(rounds):
            have = "1 round" if len(rounds) == 1 else f"{len(rounds)} rounds"
            raise click.UsageError(f"--round {number}: the game has {have}")
        rounds = rounds[number - 1 : number]
    if to is not None:
        if len(rounds) != 1:
            raise click.UsageError("--to needs --round where a game has more than one round")
        rounds = (_cut(rounds[0], to),)
    return played._replace(rounds=rounds)


def _cut(one: RoundReplay, to: int) -> RoundReplay:
    """Return a round as it stood after event TO."""
    if to > len(one.steps):
        raise click.UsageError(f"--to {to}: round {one.number} has {len(one.steps)} events")
    if to == len(one.steps):
        return one
    steps = one.steps[:to]
    end = steps[-1].state if steps else one.start
    known = one.scores_known and end is not None
    scores: tuple[int | None, ...] = end.scores if known and end else (None,) * len(one.scores)
    return one._replace(steps=steps, end=end, how="unfinished", scores=scores)


def _show(played: Replay, look: Look, *, step: bool, wait: bool) -> None:
    setup = played.record.setup
    for one in played.rounds:
        if step:
            _show_steps(setup, one, look, wait)
        else:
            _show_round(setup, one, look)
    if not played.rounds:
        click.echo("There is no round in this game.")


def _show_round(setup: Setup, one: RoundReplay, look: Look) -> None:
    from sniffcli.show.rounds import ending, event_table, heading, table_of

    parts = [heading(setup, one, look)]
    events = event_table(setup, one.steps, look, scores_known=one.scores_known)
    if events:
        parts.append(events)
    if one.end is not None:
        parts += ["", table_of(one.end, look), ""]
    click.echo("\n".join([*parts, ending(setup, one, look), ""]))


def _show_steps(setup: Setup, one: RoundReplay, look: Look, wait: bool) -> None:
    from sniffcli.show.rounds import ending, event_table, heading, table_of

    click.echo(heading(setup, one, look))
    for step in one.steps:
        click.echo(event_table(setup, [step], look, scores_known=one.scores_known))
        click.echo(f"\n{table_of(step.state, look)}\n")
        if wait:
            click.prompt("Enter for the next event", default="", show_default=False, err=True)
    click.echo(f"{ending(setup, one, look)}\n")


def _say_checked(played: Replay, problems: list[Problem], verified: bool, look: Look) -> None:
    """Say what was checked and with what result."""
    rounds = len(played.rounds)
    events = sum(len(one.steps) for one in played.rounds)
    wrong = len(set(problems))
    what = "no problem" if not wrong else "1 problem" if wrong == 1 else f"{wrong} problems"
    deal = " and the deal" if verified else ""
    text = f"Checked {_plural(rounds, 'round')}, {_plural(events, 'event')}{deal}: {what}"
    click.echo(look.folded(text))


def _plural(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
