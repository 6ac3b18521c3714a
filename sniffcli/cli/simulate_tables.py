"""`sniff simulate --equity` and `--train`: data of one table, or of all that are shipped."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from sniffcli.problems import Status

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from sniffcli.game.state import Setup


class Errand(NamedTuple):
    """How the work is done, and where what it finds is kept and written."""

    jobs: int | None
    resume: Path | None
    output: Path | None
    force: bool
    quiet: bool


def equity_tables(setup: Setup | None, errand: Errand) -> Status:
    """Write the match equity of one setup, or of all that are shipped."""
    from sniffcli.engine.equity import has_equity, read_data
    from sniffcli.engine.equity_build import shipped_setups, thorough, written
    from sniffcli.engine.identity import rules_key

    if setup is not None and not has_equity(setup):
        raise click.UsageError(f"a match of {setup.rules.title} is not decided by points")
    setups = shipped_setups() if setup is None else [setup]
    wanted = {rules_key(one): one for one in setups}
    kept = read_data(errand.resume) if errand.resume is not None else {}
    return _found(thorough, wanted, kept, written, errand)


def policy_tables(setup: Setup | None, rounds: int | None, errand: Errand) -> Status:
    """Write the weights of one setup, or of all that are shipped, with their proofs."""
    from sniffcli.engine.identity import round_key
    from sniffcli.engine.policies import read_data
    from sniffcli.engine.training import entry, shipped_setups, written

    setups = shipped_setups() if setup is None else [setup]
    wanted = {round_key(one): one for one in setups}
    known = read_data(errand.resume) if errand.resume is not None else {}
    kept = {key: one for key, one in known.items() if rounds is None or "thinking" in one}
    return _found(partial(entry, rounds=rounds or 0, known=known), wanted, kept, written, errand)


def _found(
    build: Callable[[Setup], dict[str, Any]],
    wanted: Mapping[str, Setup],
    kept: Mapping[str, dict[str, Any]],
    written: Callable[[Mapping[str, Any]], str],
    errand: Errand,
) -> Status:
    """Build the tables that are missing, keep each as soon as it is there, and write them all."""
    from sniffcli.engine.tournament import processors, tables
    from sniffcli.files.writing import write_atomic

    found = {key: kept[key] for key in wanted if key in kept}
    missing = [key for key in wanted if key not in found]
    with progress(len(wanted), "tables", errand.quiet) as bar:
        bar.update(len(found))
        jobs = errand.jobs or processors()
        built = tables(build, [wanted[key] for key in missing], jobs)
        for key, table in zip(missing, built, strict=True):
            found[key] = table
            bar.update(1)
            if errand.resume is not None:
                write_atomic(errand.resume, written({**kept, **found}), force=True)
    ordered = written({key: found[key] for key in wanted})
    if errand.resume is not None:
        write_atomic(errand.resume, ordered, force=True)
    if errand.resume is None or errand.output is not None:
        deliver(ordered, errand.output, errand.force)
    return Status.OK


def deliver(text: str, output: Path | None, force: bool) -> None:
    """Write TEXT to a file, else to standard output."""
    from sniffcli.files.writing import write_atomic

    if output is None:
        click.echo(text, nl=False)
    else:
        write_atomic(output, text, force=force)


def progress(length: int, label: str, quiet: bool) -> AbstractContextManager[Any]:
    """Return a progress bar on standard error, shown only to somebody who watches."""
    hidden = quiet or not sys.stderr.isatty()
    return click.progressbar(
        length=length, label=label, show_pos=True, file=sys.stderr, hidden=hidden
    )
