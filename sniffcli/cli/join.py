"""`sniff join SECTOR`: sit down at a table that somebody hosts."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from sniffcli.problems import Status

#: Where hosts listen if nobody says otherwise.
DEFAULT_PORT = 7878
DEFAULT_HOST = "127.0.0.1"


@click.command()
@click.argument("sector")
@click.option(
    "--at",
    metavar="HOST:PORT",
    default=f"{DEFAULT_HOST}:{DEFAULT_PORT}",
    show_default=True,
    help="Where the host listens.",
)
@click.option("--name", metavar="NAME", help="What you are called.  [default: Player]")
@click.option(
    "--tls-ca",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The certificate that proves the host, where no authority does.",
)
@click.option("--tls", is_flag=True, help="Speak TLS on this machine too.")
@click.option("--insecure", is_flag=True, help="Speak without TLS to another machine.")
@click.option(
    "--counter",
    type=click.Choice(["visible", "hidden"]),
    default="visible",
    show_default=True,
    help="Show sums and points, or find them yourself and claim by number.",
)
@click.option("--skin", metavar="NAME", help="How tiles are drawn; `list` shows the names.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    sector: str,
    at: str,
    name: str | None,
    tls_ca: Path | None,
    tls: bool,
    insecure: bool,
    counter: str,
    skin: str | None,
) -> Status:
    """Sit down at the table SECTOR that somebody hosts.

    Who was there before and dropped gets the same seat back.
    """
    from sniffcli.cli.play import _list_skins, _skin, look_for
    from sniffcli.net.names import spoken
    from sniffcli.net.terminal import Berth, at_table
    from sniffcli.ui.seating import PERSON
    from sniffcli.ui.session import Options

    if skin == "list":
        return _list_skins(look_for(ctx))
    host, port = host_and_port(at)
    plain = not (tls or tls_ca or not (insecure or is_loopback(host)))
    berth = Berth(spoken(sector), host, port, name or PERSON, None if plain else _tls(tls_ca))
    options = Options(counter=counter == "visible", look=look_for(ctx))
    if skin is not None:
        options.skin = _skin(skin)
    return asyncio.run(at_table(berth, options, click.echo))


def _tls(authority: Path | None):  # type: ignore[no-untyped-def]
    import ssl

    return ssl.create_default_context(cafile=None if authority is None else str(authority))


def host_and_port(text: str) -> tuple[str, int]:
    """Read `HOST:PORT`, `HOST` or `[V6]:PORT`."""
    host, colon, port = text.rpartition(":")
    if not colon or text.endswith("]"):
        host, port = text, str(DEFAULT_PORT)
    host = host.strip("[]") or DEFAULT_HOST
    if not port.isdecimal() or not 0 < int(port) < 65536:
        raise click.UsageError(f"{text} is not HOST:PORT")
    return host, int(port)


def is_loopback(host: str) -> bool:
    """Whether HOST is this machine and nothing leaves it."""
    import ipaddress

    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
