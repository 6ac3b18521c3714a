"""`sniff bench`: fixed work, its speed here, and a signature that must not change by accident."""

from __future__ import annotations

import json
import sys

import click

from sniffcli.cli.common import format_option, result_options
from sniffcli.problems import Status


@click.command()
@format_option("table", "json")
@result_options
def command(format_: str) -> Status:
    """Measure the engine on fixed work: All Fives for two, seven tiles each.

    Play-outs are whole rounds played by the greedy policy; nodes are positions that the solver
    looks at, both hands and the drawing order known. The signature says what came out: it is the
    same on every machine and with either kernel.
    """
    from sniffcli.engine.bench import kernels, measure, signature

    speeds = [measure(kernel) for kernel in kernels()]
    signed = signature()
    if format_ == "json":
        document = {"kernels": [speed._asdict() for speed in speeds], "signature": signed}
        click.echo(json.dumps(document, indent=2))
        return Status.OK
    from sniffcli.show.style import look_of
    from sniffcli.show.tables import Column, table

    columns = [Column("kernel")]
    columns += [
        Column(title, right=True)
        for title in ("rounds/s", "nodes/s", "deal, median ms", "deal, worst ms")
    ]
    rows = [
        [
            one.kernel,
            f"{one.playouts:,.0f}",
            f"{one.nodes:,.0f}",
            f"{one.median_ms:.1f}",
            f"{one.worst_ms:.1f}",
        ]
        for one in speeds
    ]
    click.echo(table(columns, rows, look_of(sys.stdout).width))
    click.echo(f"signature {signed}")
    return Status.OK
