"""`sniff stats`: your own record, and taking it along: export, import, delete."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from sniffcli.cli.common import format_option, output_options, refuse_to_replace
from sniffcli.problems import Status

PROFILE = "Whose record.  [default: default]"


@click.group(invoke_without_command=True)
@click.option("--profile", metavar="NAME", help=PROFILE)
@click.option("--grade", is_flag=True, help="Grade saved games that are not graded yet.")
@format_option("table", "json", "csv")
@click.pass_context
def command(ctx: click.Context, profile: str | None, grade: bool, format_: str) -> Status:
    """Show your record: games, losses, missed claims, drills, trophies.

    Of the games those count that `sniff play` keeps by itself; one that was saved elsewhere with
    --save is for `sniff analyze`.
    """
    if ctx.invoked_subcommand is not None:
        return Status.OK
    from sniffcli.files.places import games_dir
    from sniffcli.files.profile import Profile, ProfileError, load_profile
    from sniffcli.show.style import look_of
    from sniffcli.tutor.progress import progress_of
    from sniffcli.tutor.progress_games import figures_of
    from sniffcli.tutor.progress_text import (
        drills_data,
        drills_text,
        games_csv,
        games_data,
        games_text,
    )
    from sniffcli.tutor.store import DEFAULT_PROFILE, Store, StoreError

    name = profile or DEFAULT_PROFILE
    try:
        honours = load_profile() if name == DEFAULT_PROFILE else Profile()
        kept = grade or any(games_dir().glob("*.yaml"))
        with Store(looking=not kept) as store:
            drills = progress_of(store, name)
            games = figures_of(store, name, games_dir(), grade=grade)
    except (StoreError, ProfileError) as problem:
        click.echo(f"sniff: {problem}", err=True)
        return Status.PROBLEMS
    if format_ == "json":
        facts = {**games_data(games, honours), "drills": drills_data(drills)}
        click.echo(json.dumps(facts, indent=2, ensure_ascii=False))
    elif format_ == "csv":
        click.echo(games_csv(games), nl=False)
    else:
        look = look_of(sys.stdout, color=bool(ctx.color))
        click.echo(look.bold("At the table"))
        click.echo(games_text(games, honours, look))
        click.echo(f"\n{look.bold('Puzzles and drills')}")
        click.echo(drills_text(drills, look))
    return Status.OK


@command.command("export")
@click.option("--profile", metavar="NAME", help=PROFILE)
@output_options
def export(profile: str | None, output: Path | None, force: bool) -> Status:
    """Write all that is kept about you as JSON, to take it to another machine."""
    from sniffcli.files.profile import ProfileError, load_profile, to_text
    from sniffcli.files.writing import write_atomic
    from sniffcli.tutor.store import DEFAULT_PROFILE, Store, StoreError

    refuse_to_replace(output, force)
    name = profile or DEFAULT_PROFILE
    try:
        with Store(looking=True) as store:
            data = store.export(name)
        if name == DEFAULT_PROFILE:
            data["honours"] = json.loads(to_text(load_profile()))
    except (StoreError, ProfileError) as problem:
        click.echo(f"sniff: {problem}", err=True)
        return Status.PROBLEMS
    text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    if output is None:
        click.echo(text, nl=False)
    else:
        write_atomic(output, text, force=force)
    return Status.OK


@command.command("import")
@click.argument("file", metavar="FILE")
@click.option("--profile", metavar="NAME", help="Add to this profile.  [default: that of the file]")
def import_(file: str, profile: str | None) -> Status:
    """Add an export to what is kept here; nothing is counted twice, nothing is lost."""
    from sniffcli.files.profile import ProfileError, from_text, load_profile, merged, save_profile
    from sniffcli.tutor.store import DEFAULT_PROFILE, Store, StoreError

    text = sys.stdin.read() if file == "-" else Path(file).read_text("utf-8", "replace")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        click.echo(f"sniff: {file} is no JSON text", err=True)
        return Status.PROBLEMS
    try:
        given = data.get("honours") if isinstance(data, dict) else None
        honours = None if given is None else from_text(json.dumps(given))
        named = data.get("profile") if isinstance(data, dict) else None
        name = profile or (named if isinstance(named, str) and named else DEFAULT_PROFILE)
        with Store() as store:
            added = store.take_in(name, data)
        if honours is not None and name == DEFAULT_PROFILE:
            save_profile(merged(load_profile(), honours))
    except (StoreError, ProfileError) as problem:
        click.echo(f"sniff: {file}: {problem}", err=True)
        return Status.PROBLEMS
    click.echo(f"{added} new answers for {name}")
    return Status.OK


@command.command("delete")
@click.option("--profile", metavar="NAME", help=PROFILE)
@click.option("--yes", is_flag=True, help="Do not ask.")
def delete(profile: str | None, yes: bool) -> Status:
    """Forget the answers, cards and ratings of a profile, and its honours. Games are kept."""
    from sniffcli.files.profile import profile_path
    from sniffcli.tutor.store import DEFAULT_PROFILE, Store, StoreError

    name = profile or DEFAULT_PROFILE
    if not yes:
        click.confirm(f"Forget everything about {name}?", abort=True, err=True)
    try:
        with Store(looking=True) as store:
            gone = store.delete(name)
    except StoreError as problem:
        click.echo(f"sniff: {problem}", err=True)
        return Status.PROBLEMS
    if name == DEFAULT_PROFILE:
        profile_path().unlink(missing_ok=True)
    click.echo(f"{gone} answers of {name} are forgotten")
    return Status.OK
