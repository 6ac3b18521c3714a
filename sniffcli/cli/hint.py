"""`sniff hint`: the best plays for the seat to move, from what that seat can know."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from sniffcli.cli.common import (
    format_option,
    report,
    result_options,
    rules_option,
    seed_option,
    set_option,
)
from sniffcli.cli.positions import at_option, read_position
from sniffcli.problems import Problem, Status, has_errors

if TYPE_CHECKING:
    from sniffcli.engine.advice import Advice
    from sniffcli.game.state import State

#: More worlds than this tell nothing that anybody could use.
MOST_WORLDS = 1_000_000


@click.command()
@click.argument("game", metavar="GAME")
@rules_option
@set_option
@at_option
@click.option(
    "--worlds",
    type=click.IntRange(1, MOST_WORLDS),
    metavar="N",
    default=400,
    show_default=True,
    help="Deals to play out.",
)
@click.option("--unseen", is_flag=True, help="Show where each hidden tile may be.")
@seed_option
@format_option("table", "json")
@result_options
@click.pass_context
def command(
    ctx: click.Context,
    game: str,
    rules: str | None,
    overrides: dict[Any, Any],
    at: tuple[int, int] | None,
    worlds: int,
    unseen: bool,
    seed: int | None,
    format_: str,
) -> Status:
    """Advise the seat to move in the game file GAME (- for standard input).

    Each choice comes with the points it makes at once, its expected margin (own side minus the
    mean of the others, from now to the end of the round), what it loses against the best, and
    where the margin comes from: now, the reply, the next turn, the rest, going out or the block.
    """
    read = read_position(game, rules, overrides, at)
    if isinstance(read, Status):
        return read
    state, problems, file = read
    if state is not None:
        found = _advice(state, worlds, seed)
        if isinstance(found, str):
            problems.append(Problem(file, 0, 0, "no-advice", found))
        else:
            _write(ctx, found, state, unseen, format_)
    report(set(problems))
    return Status.PROBLEMS if has_errors(problems) else Status.OK


def _advice(state: State, worlds: int, seed: int | None) -> Advice | str | None:
    """Return the advice; None where the round is over, and words where none can be given."""
    if state.over or state.closing is not None:
        return None
    from sniffcli.engine.advice import SEED, advise
    from sniffcli.engine.equity import equity_for
    from sniffcli.engine.worlds import ContradictionError
    from sniffcli.game.view import view_of

    if state.hands[state.turn].unknown:
        name = state.setup.names[state.turn]
        return (
            f"the hand of {name} is not known, so nothing can be advised; "
            f"write its tiles under hands:, or say `dealt {name} 6-3 5-5 ...` in sniff record"
        )
    view = view_of(state, state.turn)
    try:
        return advise(view, worlds, SEED if seed is None else seed, equity=equity_for(state.setup))
    except ContradictionError as problem:
        return f"no deal explains this record: {problem}"


def _write(
    ctx: click.Context, advice: Advice | None, state: State, unseen: bool, format_: str
) -> None:
    if format_ == "json":
        click.echo(json.dumps(document(advice), indent=2, ensure_ascii=False))
        return
    if advice is None:
        click.echo("The round is over: there is nothing to advise.")
        return
    from sniffcli.show.advice import advice_text, unseen_table
    from sniffcli.show.style import look_of

    look = look_of(sys.stdout, color=bool(ctx.color))
    click.echo(advice_text(advice, look))
    for line in _why(advice, look.width):
        click.echo(line)
    if unseen:
        click.echo(f"\n{unseen_table(advice, look)}")


def _why(advice: Advice, width: int) -> list[str]:
    """Return what speaks for the best choice against the first that is known to be worse."""
    from sniffcli.show.folding import fold
    from sniffcli.tutor.reasons import contrast

    worse = next((option for option in advice.options[1:] if option.established), None)
    if worse is None:
        return []
    found = contrast(advice, advice.best, worse)
    if not found.texts:
        return []
    lines = ["", *fold(f"{found.better} against {found.other}:", width)]
    for text in found.told:
        lines += fold(text, width, "  ", "    ")
    return lines


def _reasons(advice: Advice) -> list[list[str]]:
    """Return the reasons of each option: against the best, and the best against the next."""
    from sniffcli.tutor.facts import Chances
    from sniffcli.tutor.reasons import reasons_for

    if len(advice.options) < 2:
        return [[]]
    chances = Chances(advice.view)
    found = [reasons_for(advice, option, chances=chances) for option in advice.options]
    return [list(one.texts) if one else [] for one in found]


def document(advice: Advice | None) -> dict[str, Any]:
    """Return advice as the JSON of the contract; a round that is over leaves everything empty."""
    if advice is None:
        return {
            "to_play": None,
            "forced": None,
            "method": None,
            "options": [],
            "worlds": 0,
            "consistent_hands": None,
            "unseen": {},
            "seed": None,
            "policy": None,
            "over": True,
        }
    names = advice.view.setup.names
    return {
        "to_play": names[advice.view.seat],
        "forced": advice.forced,
        "method": advice.method,
        "options": [
            {
                "play": one.play,
                "sum": one.sum,
                "points": one.points,
                "value": _number(one.value),
                "loss": _number(one.loss),
                "loss_se": _number(one.loss_se),
                "established": one.established,
                "win": None if one.win is None else _number(one.win),
                "parts": {name: _number(part) for name, part in one.parts._asdict().items()},
                "reasons": reasons,
            }
            for one, reasons in zip(advice.options, _reasons(advice), strict=True)
        ],
        "worlds": advice.worlds,
        "consistent_hands": advice.consistent_hands,
        "unseen": {
            str(tile): {
                "boneyard" if seat < 0 else names[seat]: float(chance)
                for seat, chance in chances.items()
            }
            for tile, chances in advice.unseen.items()
        },
        "seed": advice.seed,
        "policy": advice.policy,
        "over": False,
    }


def _number(value: float) -> float:
    """Return a number without what adding up in binary has left behind its tenth digit."""
    return round(value, 10)
