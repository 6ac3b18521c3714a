"""`sniff solve`: the exact value of every choice, with all hands open."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from sniffcli.cli.common import format_option, report, result_options, rules_option, set_option
from sniffcli.cli.positions import at_option, read_position
from sniffcli.problems import Problem, Status, has_errors

if TYPE_CHECKING:
    from sniffcli.engine.answers import Answer, Value
    from sniffcli.game.state import State


@click.command()
@click.argument("game", metavar="GAME")
@rules_option
@set_option
@at_option
@click.option(
    "--known-order",
    is_flag=True,
    help="Draw the boneyard in the order of the file; else every order is as likely.",
)
@format_option("table", "json")
@result_options
@click.pass_context
def command(
    ctx: click.Context,
    game: str,
    rules: str | None,
    overrides: dict[Any, Any],
    at: tuple[int, int] | None,
    known_order: bool,
    format_: str,
) -> Status:
    """Solve the position of the game file GAME (- for standard input) with all hands open.

    The value of a choice is the margin of the seat's side (its points minus the mean of the other
    sides, from now to the end of the round) when everybody sees all hands and plays his best. It
    is not what the choice is worth to somebody who does not see them: `sniff hint` tells that.
    """
    from sniffcli.engine.answers import Unsolvable, answer
    from sniffcli.engine.solver import TooLarge

    read = read_position(game, rules, overrides, at)
    if isinstance(read, Status):
        return read
    state, problems, file = read
    if state is not None:
        over = state.over or state.closing is not None
        try:
            found = None if over else answer(state, known_order=known_order)
        except Unsolvable as hidden:
            problems.append(Problem(file, 0, 0, "hidden-tiles", str(hidden)))
        except TooLarge as large:
            message = f"{large}: too large to solve; {_way_out(state, known_order)}"
            problems.append(Problem(file, 0, 0, "too-large", message))
        else:
            _write(ctx, found, state, known_order, format_)
    report(set(problems))
    return Status.PROBLEMS if has_errors(problems) else Status.OK


def _way_out(state: State, known_order: bool) -> str:
    """Say what can be asked instead of a problem that is too large."""
    if state.drawable and not known_order and not state.boneyard.unknown:
        return "--known-order takes the boneyard as it is listed, and `sniff hint` estimates"
    return "ask later in the round, with fewer tiles left, or let `sniff hint` estimate"


def _write(
    ctx: click.Context, found: Answer | None, state: State, known_order: bool, format_: str
) -> None:
    if format_ == "json":
        click.echo(json.dumps(document(found, state), indent=2, ensure_ascii=False))
    elif found is None:
        click.echo("The round is over: there is nothing to solve.")
    else:
        from sniffcli.show.style import look_of

        look = look_of(sys.stdout, color=bool(ctx.color))
        click.echo(_text(found, state, known_order, look.width))


def document(found: Answer | None, state: State) -> dict[str, Any]:
    """Return an answer as the JSON of the contract; a round that is over has no values."""
    if found is None:
        return {"to_play": None, "exact": True, "values": [], "best": None, "nodes": 0}
    names = state.setup.names
    return {
        "to_play": names[found.seat],
        "exact": True,
        "values": [
            {
                "play": one.text,
                "points": one.points,
                "value": _number(one.value),
                "by_side": {
                    name: _number(one.by_side[state.setup.sides[seat]])
                    for seat, name in enumerate(names)
                },
                "line": [
                    {"seat": names[ply.seat], "action": ply.text, "points": ply.points}
                    for ply in one.line
                ],
            }
            for one in found.values
        ],
        "best": found.values[0].text if found.values else None,
        "nodes": found.nodes,
    }


def _number(value: float) -> int | float:
    """Return a whole number as such, and fractions without the dust of their sums."""
    rounded = round(value, 9)
    return int(rounded) if rounded == int(rounded) else rounded


def _text(found: Answer, state: State, known_order: bool, width: int) -> str:
    """Return an answer as a table with a line of best play for each choice."""
    from sniffcli.show.folding import fold
    from sniffcli.show.numbers import decimal, signed
    from sniffcli.show.tables import Column, table

    names, setup = state.setup.names, state.setup
    whole = all(one.value == int(one.value) for one in found.values)
    digits = 0 if whole else 3
    sides = [
        "+".join(names[seat] for seat in setup.members(side)) for side in range(setup.side_count)
    ]
    columns = [Column("play"), Column("points", right=True), Column("value", right=True)]
    columns += [Column(side, right=True, drop=1) for side in sides]
    rows = [
        [one.text, str(one.points), signed(one.value, digits)]
        + [decimal(points, digits) for points in one.by_side]
        for one in found.values
    ]
    forced = {"draw": " must draw", "pass": " must pass"}
    only = found.values[0].text.split()[0] if len(found.values) == 1 else ""
    lines = [f"{names[found.seat]}{forced.get(only, ' to move')}; all hands are open"]
    lines += ["", table(columns, rows, width), ""]
    for one in found.values:
        lines += fold(_line(one, names), width, later="  ")
    if state.drawable and not known_order:
        lines += [
            "",
            *fold("Every order of the boneyard is taken as equally likely.", width),
        ]
    return "\n".join(lines)


def _line(one: Value, names: tuple[str, ...]) -> str:
    """Return a line of best play: who does what, and the points it makes."""
    told = []
    for ply in one.line:
        points = f" ({ply.points:+d})" if ply.points else ""
        told.append(f"{names[ply.seat]} {ply.text}{points}")
    return "; ".join(told)
