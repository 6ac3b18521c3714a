"""`sniff host`: open tables for several terminals."""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sniffcli.cli.common import DEFAULT_RULES, report, rules_option, set_option
from sniffcli.cli.join import DEFAULT_HOST, DEFAULT_PORT, is_loopback
from sniffcli.cli.play import LEVELS, comma_names
from sniffcli.problems import Status

if TYPE_CHECKING:
    from sniffcli.net.crew import Plan
    from sniffcli.net.table import Table

#: The most tables of one process.
MOST_TABLES = 1000


@click.command()
@rules_option
@set_option
@click.option("--players", type=click.IntRange(1, 10), metavar="N", help="Crew, bots included.")
@click.option(
    "--bots",
    metavar="LEVEL[,LEVEL...]",
    callback=comma_names,
    help=f"Strength of the bots in empty seats: {LEVELS}.",
)
@click.option("--partners", is_flag=True, help="Play as pairs, partners sitting opposite.")
@click.option("--name", metavar="NAME", help="Play at this terminal too, as the Admiral.")
@click.option("--address", default=DEFAULT_HOST, show_default=True, help="Where to listen.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=DEFAULT_PORT,
    show_default=True,
    help="The port; 0 takes a free one.",
)
@click.option(
    "--tables", type=click.IntRange(1, MOST_TABLES), default=1, show_default=True, metavar="N",
    help="Tables in this process.",
)  # fmt: skip
@click.option(
    "--record",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Keep every game as a game file in DIR.",
)
@click.option(
    "--state",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Keep the tables in DIR, and go on with those that are there.",
)
@click.option(
    "--stand-in",
    type=click.FloatRange(1, 86400),
    default=30,
    show_default=True,
    metavar="SECONDS",
    help="After this time a bot plays for a terminal that has dropped.",
)
@click.option(
    "--tls-cert", type=click.Path(exists=True, dir_okay=False), metavar="FILE", help="Certificate."
)
@click.option(
    "--tls-key", type=click.Path(exists=True, dir_okay=False), metavar="FILE", help="Its key."
)
@click.option("--insecure", is_flag=True, help="Listen without TLS for other machines.")
@click.pass_context
def command(ctx: click.Context, /, **given: Any) -> Status:
    """Open a table, print its sector id and the line that others type.

    The first who sits down is the Admiral: he changes the crew, sets sail and calls the rounds.
    """
    tls = _tls(given["tls_cert"], given["tls_key"])
    if tls is None and not given["insecure"] and not is_loopback(given["address"]):
        raise click.UsageError(
            f"{given['address']} is open to other machines: give --tls-cert and --tls-key, "
            "or say --insecure"
        )
    if given["name"] and given["tables"] > 1:
        raise click.UsageError("--name plays at one table; leave out --tables")
    plan = _plan(given)
    if isinstance(plan, Status):
        return plan
    with ExitStack() as stack:
        tables = _tables(plan, given, stack)
        if isinstance(tables, Status):
            return tables
        return asyncio.run(_run(ctx, tables, tls, given))


def _tls(cert: str | None, key: str | None) -> ssl.SSLContext | None:
    if (cert is None) != (key is None):
        raise click.UsageError("--tls-cert and --tls-key belong together")
    if cert is None:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(cert, key)
    except (OSError, ssl.SSLError) as problem:
        raise click.UsageError(f"{cert} and {key} cannot be used: {problem}") from None
    return context


def _plan(given: Mapping[str, Any]) -> Plan | Status:
    from sniffcli.net.plans import PlanError, plan_of

    try:
        plan, problems = plan_of(
            given["rules"] or DEFAULT_RULES,
            given["overrides"],
            crew=given["players"],
            levels=given["bots"],
            partners=given["partners"],
            stand_in=given["stand_in"],
        )
    except (LookupError, PlanError) as problem:
        raise click.UsageError(str(problem.args[0])) from None
    if plan is None:
        report(problems)
        return Status.PROBLEMS
    return plan


def _tables(plan: Plan, given: Mapping[str, Any], stack: ExitStack) -> list[Table] | Status:
    """Return the tables of the state directory, and new ones up to the number asked for."""
    from sniffcli.net.journal import JournalError, alone, files, restored
    from sniffcli.net.names import sector
    from sniffcli.net.table import Table

    found: list[Table] = []
    if given["state"] is not None:
        try:
            stack.enter_context(alone(given["state"]))
            for path in files(given["state"]):
                table = restored(path, time.monotonic, plan.stand_in, plan.grace, date=_today)
                if table is not None:
                    found.append(table)
        except (JournalError, OSError) as problem:
            click.echo(f"sniff: {problem}", err=True)
            return Status.PROBLEMS
    while len(found) < given["tables"]:
        found.append(Table(sector(), plan, time.monotonic, date=_today))
    return found


def _today() -> str:
    return time.strftime("%Y-%m-%d")


async def _run(
    ctx: click.Context, tables: list[Table], tls: ssl.SSLContext | None, given: Mapping[str, Any]
) -> Status:
    from sniffcli.net.server import Host

    def told(text: str) -> None:
        click.echo(f"sniff: {text}", err=True)

    _room_for_lines()
    asyncio.get_running_loop().set_exception_handler(lambda _, about: told(_trouble(about)))
    try:
        host = Host(tables, state=given["state"], record=given["record"], told=told)
    except OSError as problem:
        told(f"the tables in {given['state']} cannot be written: {problem.strerror}")
        return Status.PROBLEMS
    try:
        server = await host.serve(given["address"], given["port"], tls)
    except OSError as problem:
        host.close()
        place = f"{given['address']}:{given['port']}"
        click.echo(f"sniff: {place} cannot be listened at: {problem.strerror}", err=True)
        return Status.PROBLEMS
    port = next(iter(server.sockets)).getsockname()[1]
    shown = f"[{given['address']}]" if ":" in given["address"] else given["address"]
    for table in tables:
        more = " --tls" if tls is not None and is_loopback(given["address"]) else ""
        more += " --insecure" if tls is None and not is_loopback(given["address"]) else ""
        click.echo(f"Sector {table.sector}")
        click.echo(f"  sniff join {table.sector} --at {shown}:{port}{more} --name NAME")
    try:
        if given["name"]:
            return await _admiral(ctx, tables[0].sector, given, port)
        await asyncio.Event().wait()
    finally:
        await host.end(server)
    return Status.OK


def _room_for_lines() -> None:
    """Take as many open lines as the system gives a process: by default it is few."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _trouble(about: Mapping[str, Any]) -> str:
    """Return in one line what the loop complains of, as when there are too many lines."""
    problem = about.get("exception")
    why = problem.strerror if isinstance(problem, OSError) else repr(problem) if problem else ""
    return f"{about.get('message', 'trouble')}: {why}" if why else str(about.get("message"))


async def _admiral(ctx: click.Context, sector: str, given: Mapping[str, Any], port: int) -> Status:
    """Play at this terminal; the line goes through the same door as everybody's."""
    from sniffcli.cli.play import look_for
    from sniffcli.net.terminal import Berth, at_table
    from sniffcli.ui.session import Options

    tls = None
    if given["tls_cert"]:
        tls = ssl.create_default_context(cafile=given["tls_cert"])
        tls.check_hostname = False
    own = {"0.0.0.0": DEFAULT_HOST, "::": "::1"}.get(given["address"], given["address"])
    berth = Berth(sector, own, port, given["name"], tls)
    return await at_table(berth, Options(look=look_for(ctx)), click.echo, host=True)
