"""`sniff puzzle stats`: how your drills and puzzles go."""

from __future__ import annotations

import json
import sys

import click

from sniffcli.cli.common import format_option, result_options
from sniffcli.problems import Status


@click.command("stats")
@click.option("--profile", metavar="NAME", help="Whose progress.  [default: default]")
@format_option("table", "json", "csv")
@result_options
@click.pass_context
def stats(ctx: click.Context, profile: str | None, format_: str) -> Status:
    """Show your progress in puzzles and drills, family by family.

    Accuracy comes with its 95 % interval, times are medians of right answers. For "does it score?"
    hits and false claims stand apart, because never claiming is right most of the time.
    """
    from sniffcli.show.style import look_of
    from sniffcli.tutor.progress import progress_of
    from sniffcli.tutor.progress_text import drills_csv, drills_data, drills_text
    from sniffcli.tutor.store import DEFAULT_PROFILE, Store, StoreError

    try:
        with Store(looking=True) as store:
            found = progress_of(store, profile or DEFAULT_PROFILE)
    except StoreError as problem:
        click.echo(f"sniff: {problem}", err=True)
        return Status.PROBLEMS
    if format_ == "json":
        click.echo(json.dumps(drills_data(found), indent=2, ensure_ascii=False))
    elif format_ == "csv":
        click.echo(drills_csv(found), nl=False)
    else:
        click.echo(drills_text(found, look_of(sys.stdout, color=bool(ctx.color))))
    return Status.OK
