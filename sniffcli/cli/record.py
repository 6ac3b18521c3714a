"""`sniff record`: keep score at a real table and write the game down."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sniffcli.cli.common import (
    DEFAULT_RULES,
    refuse_nowhere,
    rules_of,
    rules_option,
    set_option,
)
from sniffcli.cli.play import STDIN, as_text, comma_names, look_for
from sniffcli.problems import Status

if TYPE_CHECKING:
    from sniffcli.ui.keeper import Keeper
    from sniffcli.ui.recording import Recorder


@click.command()
@rules_option
@set_option
@click.option(
    "--players", metavar="NAME,NAME...", callback=comma_names, help="The players in turn order."
)
@click.option("--partners", is_flag=True, help="They play as pairs, partners sitting opposite.")
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The game file to write, up to date after every line.  [default: named by the time]",
)
@click.option("--force", is_flag=True, help="Replace the file of --output.")
@click.option(
    "--resume",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Go on with a game that was begun before.",
)
@click.option("--date", metavar="TEXT", help="When it was played.")
@click.option("--place", metavar="TEXT", help="Where it was played.")
@click.pass_context
def command(ctx: click.Context, /, **given: Any) -> Status:
    """Keep score at a real table: type what everybody plays, as it falls.

    A line is `Bob: 5-5`, or only `5-5` for whoever is to move; `undo` corrects. Hands stay
    unknown; write down those that you know with `dealt Ann 6-3 5-5 ...`. Lines from a pipe are
    taken up to the first that is wrong; what was right before it is in the file.
    """
    from sniffcli.ui.runs import Unusable
    from sniffcli.ui.seating import SeatingError

    refuse_nowhere(given["output"])
    if given["resume"] is None and not given["players"] and sys.stdin.isatty():
        ask = "Who plays, in turn order? Names with commas, like Ann,Bob"
        players = next(one for one in ctx.command.params if one.name == "players")
        given["players"] = comma_names(ctx, players, click.prompt(ask))
    if given["resume"] is None and len(given["players"]) < 2:
        raise click.UsageError("--players names everybody at the table, like --players Ann,Bob")
    if given["resume"] is not None and given["output"] is not None:
        raise click.UsageError("--resume goes on in its own file; leave out --output")
    try:
        recorder, keeper = _resumed(given) if given["resume"] is not None else _begun(given)
    except SeatingError as problem:
        raise click.UsageError(str(problem)) from None
    except Unusable as problem:
        click.echo(str(problem), err=True)
        return Status.PROBLEMS
    recorder.options.look = look_for(ctx)
    if not sys.stdin.isatty():
        return _piped(recorder, keeper)
    from sniffcli.ui.prompt import Loop

    assert keeper.file is not None, "a record always has a file"
    click.echo(f"{recorder.setup.rules.title}, written to {keeper.file.path}")
    click.echo("Type the plays as they fall; `?` lists the rest, Ctrl-D ends.")
    return Loop(recorder, keeper).run()


def _begun(given: dict[str, Any]) -> tuple[Recorder, Keeper]:
    """Begin a record."""
    from sniffcli.ui.clock import ScriptClock
    from sniffcli.ui.keeper import Keeper
    from sniffcli.ui.live import LiveGame
    from sniffcli.ui.recording import Recorder, hidden
    from sniffcli.ui.seating import Wish, seated, setup_of
    from sniffcli.ui.store import GameFile, Sitting, new_file

    rules = rules_of(given["rules"], given["overrides"])
    people = given["players"]
    names, _ = seated(rules, people=people, levels=(), players=len(people))
    name = given["rules"] or DEFAULT_RULES
    setup, _ = setup_of(Wish(rules, name, {}, names, (), given["partners"]))
    output = given["output"]
    file = new_file(Path()) if output is None else GameFile(output)
    if output is not None and output.exists():
        if not given["force"]:
            raise click.UsageError(
                f"{output} exists already; --resume goes on with it, --force replaces it"
            )
        from sniffcli.files.writing import read_file

        file = GameFile(output, read_file(output)[1])
    recorder = Recorder(LiveGame(setup, hidden, ScriptClock()))
    sitting = Sitting(name, given["overrides"], None, given["date"], given["place"])
    return recorder, Keeper(recorder, sitting, file)


def _resumed(given: dict[str, Any]) -> tuple[Recorder, Keeper]:
    """Go on with a record."""
    from sniffcli.ui.clock import ScriptClock
    from sniffcli.ui.keeper import Keeper
    from sniffcli.ui.recording import Recorder, hidden
    from sniffcli.ui.runs import take_up

    game, sitting, file = take_up(given["resume"], ScriptClock(), hidden_hands=True)
    game.dealer = hidden
    recorder = Recorder(game)
    return recorder, Keeper(recorder, sitting, file)


def _piped(recorder: Recorder, keeper: Keeper) -> Status:
    """Write down what comes through a pipe."""
    from sniffcli.ui.clock import ScriptClock
    from sniffcli.ui.script import ScriptRunner

    clock = recorder.game.clock
    assert isinstance(clock, ScriptClock), "a record has no clock of its own"

    def no_deal(name: str) -> Recorder:
        raise ValueError("nothing is dealt here: the tiles are on the real table")

    runner = ScriptRunner(clock, lambda: recorder, no_deal, click.echo)
    text = as_text(sys.stdin.buffer.read(), STDIN)
    if text is None:
        return Status.PROBLEMS
    failure = runner.run(text)
    if failure is not None:
        click.echo(f"{STDIN}:{failure.number}: {failure.message}", err=True)
    if keeper.trouble:
        click.echo(f"sniff: {keeper.trouble}", err=True)
    elif keeper.file is not None:
        click.echo(f"written: {keeper.file.path}", err=True)
    return Status.PROBLEMS if failure is not None or keeper.trouble else Status.OK
