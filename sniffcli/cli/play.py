"""`sniff play`: the table in a terminal, scripted play, and commands from a pipe."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sniffcli.cli.common import (
    DEFAULT_RULES,
    quiet_option,
    refuse_nowhere,
    rules_of,
    rules_option,
    seed_option,
    set_option,
)
from sniffcli.problems import Status

if TYPE_CHECKING:
    from sniffcli.show.style import Look
    from sniffcli.ui.runs import Run
    from sniffcli.ui.seating import Wish
    from sniffcli.ui.session import Options
    from sniffcli.ui.store import GameFile

#: The name that stands for standard input in messages.
STDIN = "<stdin>"

LEVELS = "random, greedy, casual, strong, expert"


def text_of(ctx: click.Context, param: click.Parameter, given: str | None) -> str | None:
    """Return a name as text also where the locale is too poor for its letters."""
    try:
        # Python keeps bytes that the locale cannot read as lone surrogates.
        return None if given is None else os.fsencode(given).decode("utf-8")
    except UnicodeError:
        raise click.BadParameter(f"{given!r} is no text", ctx, param) from None


def comma_names(ctx: click.Context, param: click.Parameter, given: str | None) -> tuple[str, ...]:
    """Return the names of a list with commas."""
    if given is None:
        return ()
    names = tuple(name.strip() for name in (text_of(ctx, param, given) or "").split(","))
    if not all(names):
        raise click.BadParameter(f"a name is missing between the commas of {given!r}", ctx, param)
    return names


@click.command()
@rules_option
@set_option
@click.option("--players", type=click.IntRange(2, 10), metavar="N", help="Players, you included.")
@click.option("--name", metavar="NAME", callback=text_of, help="What you are called.")
@click.option(
    "--bots",
    metavar="LEVEL[,LEVEL...]",
    callback=comma_names,
    help=f"Strength of each bot: {LEVELS}; the last goes for the others.",
)
@click.option(
    "--hotseat",
    metavar="NAME,NAME",
    callback=comma_names,
    help="People at this keyboard, in turn order; bots sit after them.",
)
@click.option("--partners", is_flag=True, help="Play as pairs, partners sitting opposite.")
@click.option(
    "--counter",
    type=click.Choice(["visible", "hidden"]),
    help="Show the sum of the ends, or let people find it; where points are claimed, by their "
    "number.  [default: visible, or what it was in the game of --resume]",
)
@click.option(
    "--tutor",
    type=click.Choice(["off", "inaccuracy", "mistake", "blunder"]),
    default="off",
    show_default=True,
    help="Question plays that lose at least that much before they are made.",
)
@click.option("--skin", metavar="NAME", help="How tiles are drawn; `list` shows the names.")
@click.option("--script", metavar="FILE", help="Run the commands in FILE (- for standard input).")
@click.option(
    "--save",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Keep the game in FILE, written after every action.",
)
@click.option("--force", is_flag=True, help="Replace the file of --save.")
@click.option(
    "--resume",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Go on with a saved game.",
)
@click.option("--rounds", type=click.IntRange(min=1), metavar="N", help="End after N rounds.")
@click.option("--target", type=click.IntRange(min=1), metavar="N", help="Play to N points.")
@seed_option
@quiet_option
@click.pass_context
def command(ctx: click.Context, /, **given: Any) -> Status:
    """Play against bots or with people at this keyboard.

    Without options a short menu asks. Input from a pipe is a batch of the same commands.
    """
    from sniffcli.ui.session import Options

    options = Options(
        counter=given["counter"] != "hidden",
        counter_chosen=given["counter"] is not None,
        tutor=given["tutor"],
        look=look_for(ctx),
    )
    if given["skin"] == "list":
        return _list_skins(options.look)
    if given["skin"] is not None:
        options.skin = _skin(given["skin"])
    typed = given["script"] is None and not sys.stdin.isatty()
    if given["resume"] is not None:
        _nothing_else(given)
    refuse_nowhere(given["save"])
    if given["save"] is not None and not given["force"] and given["save"].exists():
        raise click.UsageError(
            f"{given['save']} exists already; --resume goes on with it, --force replaces it"
        )
    bare = not any(
        given[key]
        for key in ("rules", "overrides", "players", "name", "bots", "hotseat", "partners",
                    "script", "save", "resume", "rounds", "target", "seed")
    )  # fmt: skip
    if bare and not typed:
        from sniffcli.cli.play_menu import ask

        chosen = ask()
        if chosen is None:
            return Status.OK
        given = {**given, **chosen}
    wish = _wish(given)
    if given["script"] is not None or typed:
        return _scripted(wish, options, given)
    from sniffcli.ui.prompt import play

    return play(wish, options, save=given["save"], resume=given["resume"], force=given["force"])


def _nothing_else(given: dict[str, Any]) -> None:
    """Refuse options that a saved game has settled already."""
    if given["save"] is not None:
        raise click.UsageError("--resume goes on in its own file; leave out --save")
    settled = {"rules": "--rules", "overrides": "--set", "players": "--players", "name": "--name",
               "bots": "--bots", "hotseat": "--hotseat", "partners": "--partners",
               "rounds": "--rounds", "target": "--target", "seed": "--seed"}  # fmt: skip
    for key, option in settled.items():
        if given[key]:
            raise click.UsageError(
                f"--resume goes on with the players and rules of its file; leave out {option}"
            )


def look_for(ctx: click.Context) -> Look:
    """Return how output may look on this terminal."""
    from sniffcli.show.style import look_of

    return look_of(sys.stdout, color=bool(ctx.color))


def _list_skins(look: Look) -> Status:
    from sniffcli.ui.skins import SKINS

    for skin in SKINS:
        won = f" (won by the trophy {skin.won_by})" if skin.won_by else ""
        click.echo(look.folded(f"{skin.name:10} {skin.help}{won}"))
    return Status.OK


def _skin(name: str) -> str:
    from sniffcli.ui.skins import BY_NAME, may_wear

    if name not in BY_NAME:
        raise click.UsageError(f'no skin is called "{name}"; there are {", ".join(BY_NAME)}')
    if not may_wear(name):
        raise click.UsageError(f"{name} is won by the trophy {BY_NAME[name].won_by}")
    return name


def _wish(given: dict[str, Any]) -> Wish:
    """Return the table that the options ask for."""
    from sniffcli.ui.seating import PERSON, SeatingError, Wish, seated, setup_of

    overrides = dict(given["overrides"])
    for key in ("target", "rounds"):
        if given[key] is not None:
            overrides["match"] = {**overrides.get("match", {}), key: given[key]}
    name = given["rules"] or DEFAULT_RULES
    rules = rules_of(name, overrides)
    people = given["hotseat"] or (given["name"] or PERSON,)
    if given["hotseat"] and given["name"]:
        raise click.UsageError("--hotseat names everybody; leave out --name")
    if given["hotseat"] and not given["bots"] and given["players"] is None:
        given = {**given, "players": len(people)}
    try:
        names, levels = seated(rules, people=people, levels=given["bots"], players=given["players"])
        wish = Wish(rules, name, overrides, names, levels, given["partners"], given["seed"])
        setup_of(wish)
    except SeatingError as problem:
        raise click.UsageError(str(problem)) from None
    return wish


def _scripted(wish: Wish, options: Options, given: dict[str, Any]) -> Status:
    """Run a script file, or the commands that come through a pipe."""
    from sniffcli.files.writing import read_file
    from sniffcli.ui.runs import Run, Unusable

    source = given["script"]
    piped = source in (None, "-")
    if piped:
        name, content, base = STDIN, sys.stdin.buffer.read(), Path()
    else:
        name, base = source, Path(source).parent
        content = read_file(source)[0]
    text = as_text(content, name)
    if text is None:
        return Status.PROBLEMS
    quiet = given["quiet"]
    options.look = type(options.look)(options.look.width, False, options.look.unicode)
    file = _file(given, keep=source is None)
    run = Run(
        wish,
        options,
        base,
        (lambda text: None) if quiet else click.echo,
        file=file,
        resume=given["resume"],
    )
    try:
        runner, failure = run.run(text)
    except Unusable as problem:
        click.echo(str(problem), err=True)
        return Status.PROBLEMS
    if failure is not None:
        click.echo(f"{name}:{failure.number}: {failure.message}", err=True)
    _say_saved(run)
    if failure is not None or (run.keeper is not None and run.keeper.trouble):
        return Status.PROBLEMS
    if runner.held and not quiet:
        times = "expectation" if runner.held == 1 else "expectations"
        click.echo(f"{name}: {runner.held} {times} met")
    return Status.OK


def as_text(content: bytes, name: str) -> str | None:
    """Return the text of a script; None, with a message, where it is none."""
    from sniffcli.ruleset.kinds import not_a_script
    from sniffcli.yamlio import MAX_BYTES

    if len(content) > MAX_BYTES:
        click.echo(f"{name}:1: a script is at most {MAX_BYTES} bytes long", err=True)
        return None
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        click.echo(f"{name}:{line}: this is no UTF-8 text", err=True)
        return None
    other = not_a_script(text, name)
    if other:
        click.echo(f"{name}:1: {other}", err=True)
        return None
    return text


def _file(given: dict[str, Any], *, keep: bool) -> GameFile | None:
    """Return the file of the game: as named, or for a pipe one in the user's data."""
    from sniffcli.files.writing import read_file
    from sniffcli.ui.store import GameFile, new_file

    if given["save"] is not None:
        stamp = read_file(given["save"])[1] if given["save"].exists() else None
        return GameFile(given["save"], stamp)
    return new_file() if keep and given["resume"] is None else None


def _say_saved(run: Run) -> None:
    """Say where a game that is not over stands, so that it can be gone on with."""
    keeper = run.keeper
    if keeper is None:
        return
    if keeper.trouble:
        click.echo(f"sniff: {keeper.trouble}", err=True)
    elif keeper.file is not None and keeper.session.game.winners is None:
        path = shlex.quote(str(keeper.file.path))
        click.echo(
            f"sniff: the game is not over; it is saved: sniff play --resume {path}", err=True
        )
