"""`sniff count`: what a table counts and scores, play by play."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from sniffcli.cli.common import (
    format_option,
    load_rules,
    report,
    result_options,
    rules_option,
    set_option,
)
from sniffcli.problems import Problem, Status, has_errors

if TYPE_CHECKING:
    from sniffcli.files.notation import Written
    from sniffcli.ruleset.model import Ruleset
    from sniffcli.table.frontier import Frontier
    from sniffcli.table.layout import Layout

#: What stands for a file in problems of plays that were typed.
PLAYS = "plays"


class Counted(NamedTuple):
    """One play of the line: its shortest text, the sum after it, what it is worth, the ends."""

    play: str
    sum: int
    points: int
    ends: tuple[int, ...]


class Table(NamedTuple):
    """What the plays led to, up to the first that is wrong."""

    plays: list[Counted]
    layout: Layout
    frontier: Frontier
    problems: list[Problem]


@click.command()
@click.argument("plays", metavar="PLAY...", nargs=-1, required=True)
@rules_option
@set_option
@format_option("table", "json")
@result_options
@click.pass_context
def command(
    ctx: click.Context,
    plays: tuple[str, ...],
    rules: str | None,
    overrides: dict[Any, Any],
    format_: str,
) -> Status:
    """Count the table after each play and say what it scores.

    A play is 5-5, 5-2 on 5-5, 5-1 on 5-5 tip, or 5-2 on 5 (an end showing 5). A new tile starts
    a new play.
    """
    from sniffcli.files.notation import parse_plays

    laid = parse_plays(plays)
    if not laid:
        raise click.UsageError("no play is given; write them like 5-5 5-2 5-1")
    loaded, problems = load_rules(rules, overrides)
    table = counted(loaded, laid)
    problems += table.problems
    ok = not has_errors(problems)
    if format_ == "json":
        document = {
            "ruleset": loaded.id,
            "plays": [{**one._asdict(), "ends": list(one.ends)} for one in table.plays],
            "ok": ok,
            "problems": [problem.as_json() for problem in problems],
        }
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
    else:
        click.echo(_text(loaded, table, bool(ctx.color)))
    report(problems)
    return Status.OK if ok else Status.PROBLEMS


def counted(rules: Ruleset, plays: list[Written]) -> Table:
    """Lay the plays one after the other; stop at the first that is wrong."""
    from sniffcli.game.actions import Refusal
    from sniffcli.game.plays import play_text, resolve
    from sniffcli.game.state import Setup
    from sniffcli.table.counting import count, worth
    from sniffcli.table.frontier import EMPTY, open_ends
    from sniffcli.table.layout import EMPTY_LAYOUT

    seats = rules.players.min
    setup = Setup(rules, tuple(map(str, range(seats))), tuple(range(seats)))
    layout, frontier = EMPTY_LAYOUT, EMPTY
    done: list[Counted] = []
    problems = [_problem(n, one, "malformed", one.error) for n, one in _malformed(plays)]
    for number, one in enumerate(plays, 1):
        if one.play is None:
            break
        tile = one.play.tile
        if tile not in setup.tiles:
            message = f"{tile} is not in the set of this game (double-{rules.set.max_pip})"
            problems.append(_problem(number, one, "tile", message))
            break
        if tile in layout.tiles:
            problems.append(_problem(number, one, "tile", f"{tile} is on the table already"))
            break
        move = resolve(setup, layout, frontier, one.play)
        if isinstance(move, Refusal):
            problems.append(_problem(number, one, move.code, move.message))
            break
        text = play_text(setup, layout, frontier, move)
        scores = rules.open.scores or not frontier.is_empty
        layout, frontier = layout.with_move(rules, move), move.frontier
        points = worth(rules, frontier) if scores else 0
        done.append(Counted(text, count(rules, frontier), points, open_ends(rules, frontier)))
    return Table(done, layout, frontier, problems)


def _malformed(plays: list[Written]) -> list[tuple[int, Written]]:
    return [(number, one) for number, one in enumerate(plays, 1) if one.play is None]


def _problem(number: int, one: Written, code: str, message: str) -> Problem:
    return Problem(PLAYS, 0, 0, code, f"play {number} ({one.text}): {message}")


def _text(rules: Ruleset, laid: Table, color: bool) -> str:
    from sniffcli.show.style import look_of
    from sniffcli.show.table import draw
    from sniffcli.show.tables import Column, table

    if not laid.plays:
        return "nothing was laid"
    look = look_of(sys.stdout, color=color)
    columns = [Column("play"), Column("sum", True), Column("points", True), Column("ends")]
    rows = [[one.play, str(one.sum), str(one.points), _ends(one.ends)] for one in laid.plays]
    lines = table(columns, rows, look.width).splitlines()
    if len(lines) == len(rows) + 1:
        for number, one in enumerate(laid.plays, 1):
            if one.points:
                lines[number] = look.bold(lines[number])
    drawn = draw(
        rules,
        laid.layout,
        laid.frontier,
        width=look.width,
        unicode=look.unicode,
        color=look.color,
    )
    return "\n".join([*lines, "", drawn])


def _ends(ends: tuple[int, ...]) -> str:
    return " ".join(map(str, ends)) or "-"
