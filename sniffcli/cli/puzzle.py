"""`sniff puzzle`: solve, check, make and list puzzles, and see how you get on."""

from __future__ import annotations

import click

from sniffcli.cli.puzzle_check import check
from sniffcli.cli.puzzle_list import list_
from sniffcli.cli.puzzle_make import make
from sniffcli.cli.puzzle_play import play
from sniffcli.cli.puzzle_stats import stats


@click.group()
def command() -> None:
    """Solve, check, make and list puzzles."""


for one in (play, check, list_, make, stats):
    command.add_command(one)
