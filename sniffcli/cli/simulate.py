"""`sniff simulate`: bots against bots on duplicate deals, with confidence intervals."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from sniffcli.cli.common import (
    format_option,
    jobs_option,
    output_options,
    quiet_option,
    refuse_to_replace,
    rules_of,
    rules_option,
    seed_option,
    set_option,
)
from sniffcli.cli.simulate_tables import Errand, deliver, equity_tables, policy_tables, progress
from sniffcli.problems import Status

if TYPE_CHECKING:
    from sniffcli.engine.contest import Contest, Game
    from sniffcli.game.state import Setup
    from sniffcli.ruleset.model import Ruleset

#: Matches to play where neither `--matches` nor `--rounds` is given.
DEFAULT_MATCHES = 100

#: Seconds between two writings of the file of `--resume`.
KEEP_EVERY = 2.0


@click.command()
@click.option(
    "--bots",
    metavar="NAME,NAME…",
    help="Bots by name, seat by seat; fewer names than seats are repeated. There are random, "
    "greedy-blind, greedy, casual, skilled, strong and expert; expert-greedy and expert-skilled "
    "are expert with the one or the other as everybody in its play-outs.",
)
@rules_option
@set_option
@click.option("--players", type=click.IntRange(min=2), metavar="N", help="Players at the table.")
@click.option("--partners", is_flag=True, help="Play in pairs where the ruleset leaves the choice.")
@click.option(
    "--matches",
    type=click.IntRange(min=1),
    metavar="N",
    help="Matches to play, rounded up so that every deal is played in every seating.  "
    f"[default: {DEFAULT_MATCHES}]",
)
@click.option(
    "--rounds",
    type=click.IntRange(min=1),
    metavar="N",
    help="Single rounds to play instead of matches, rounded up in the same way.",
)
@seed_option
@jobs_option
@click.option(
    "--executor",
    type=click.Choice(["loky", "dask"]),
    default="loky",
    show_default=True,
    help="What runs the work: processes of this machine, or a Dask cluster.",
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Address of the Dask scheduler; without it a cluster is started on this machine.",
)
@click.option(
    "--resume",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep the games (or what --equity or --train finds) in FILE, and go on with those there.",
)
@click.option(
    "--equity",
    is_flag=True,
    help="Instead of playing bots, write the chance to win the match from each pair of scores as "
    "JSON: of one table, or of all shipped rulesets where no --rules are given.",
)
@click.option(
    "--train",
    is_flag=True,
    help="Instead of playing bots, learn by self-play how the bot skilled weighs its plays, and "
    "write that as JSON with the proof on duplicate deals: of one table, or of all shipped "
    "rulesets where no --rules are given. With --rounds, prove too on so many rounds what it is "
    "worth in the play-outs of expert.",
)
@format_option("table", "json")
@output_options
@quiet_option
@click.pass_context
def command(
    ctx: click.Context,
    bots: str | None,
    rules: str | None,
    overrides: dict[Any, Any],
    players: int | None,
    partners: bool,
    matches: int | None,
    rounds: int | None,
    seed: int | None,
    jobs: int | None,
    executor: Literal["loky", "dask"],
    scheduler: str | None,
    resume: Path | None,
    equity: bool,
    train: bool,
    format_: str,
    output: Path | None,
    force: bool,
    quiet: bool,
) -> Status:
    """Let bots play bots and compare them.

    Every deal is played in every seating, so that luck of the tiles falls out of the comparison.
    The same seed gives the same games, however many processes play them. Ctrl-C ends the run with
    the result of what is done.
    """
    refuse_to_replace(output, force)
    if equity and train:
        raise click.UsageError("--equity and --train exclude each other")
    if (equity or train) and (bots is not None or matches):
        raise click.UsageError(
            f"--{'equity' if equity else 'train'} plays no bots: leave out --bots and --matches"
        )
    if equity and rounds:
        raise click.UsageError("--equity plays no bots: leave out --rounds")
    if bots is None and not equity and not train:
        raise click.UsageError("name the bots: --bots greedy,random")
    whole = Errand(jobs, resume, output, force, quiet)
    if (equity or train) and rules is None and not overrides and players is None and not partners:
        return equity_tables(None, whole) if equity else policy_tables(None, rounds, whole)
    if matches is not None and rounds is not None:
        raise click.UsageError("--matches and --rounds exclude each other")
    if scheduler is not None and executor != "dask":
        raise click.UsageError("--scheduler is for --executor dask")
    loaded = rules_of(rules, overrides)
    if bots is None:
        setup = _setup(loaded, players, partners)
        return equity_tables(setup, whole) if equity else policy_tables(setup, rounds, whole)
    names = [name.strip() for name in bots.split(",")]
    contest = _contest(loaded, names, players, partners, seed or 0, rounds)
    wanted = matches or rounds or DEFAULT_MATCHES
    run = _Run(contest, -(-wanted // contest.shifts), resume, quiet)
    status = run.play(jobs, executor, scheduler)
    text = _written(contest, run.games, format_, output, bool(ctx.color), complete=run.complete)
    deliver(text, output, force)
    return status


def _contest(
    rules: Ruleset,
    names: list[str],
    players: int | None,
    partners: bool,
    seed: int,
    rounds: int | None,
) -> Contest:
    """Return what is to be played, or stop with a usage error."""
    from sniffcli.engine.bots import bot
    from sniffcli.engine.contest import Contest

    for name in names:
        try:
            bot(name)
        except LookupError as unknown:
            raise click.UsageError(unknown.args[0]) from None
    setup = _setup(rules, players or max(len(names), rules.players.min), partners)
    if setup.seats % len(names):
        raise click.UsageError(
            f"{len(names)} bots cannot be repeated to fill {setup.seats} seats; name one for each"
        )
    return Contest(setup, tuple(names * (setup.seats // len(names))), seed, matches=rounds is None)


def _setup(rules: Ruleset, players: int | None, partners: bool) -> Setup:
    """Return the table that is asked for, or stop with a usage error."""
    from sniffcli.game.match import sides_of
    from sniffcli.game.state import Setup

    seats = players or rules.players.min
    if seats not in rules.legal_players():
        low, high = rules.players.min, rules.players.max
        allowed = str(low) if low == high else f"{low} to {high}"
        raise click.UsageError(f"{rules.title} is for {allowed} players, not {seats}")
    if partners and not rules.teams_possible(seats):
        raise click.UsageError(rules.no_partners(seats))
    sides = sides_of(seats, teams=partners or rules.teams_required(seats))
    return Setup(rules, tuple(f"seat {seat + 1}" for seat in range(seats)), sides)


class _Run:
    """The games of a contest as they come in, kept in a file if one was named."""

    def __init__(self, contest: Contest, deals: int, resume: Path | None, quiet: bool) -> None:
        self.contest = contest
        self.deals = deals
        self.resume = resume
        self.quiet = quiet
        self.games: list[Game] = []
        self.kept = time.monotonic()

    @property
    def complete(self) -> bool:
        """Whether every deal was played."""
        return len(self.games) >= self.deals * self.contest.shifts

    def play(
        self, jobs: int | None, executor: Literal["loky", "dask"], scheduler: str | None
    ) -> Status:
        """Play what is missing; an interruption ends it with the status that it has."""
        from sniffcli.cli.main import Terminated

        self._read()
        done = {game.deal for game in self.games}
        missing = [deal for deal in range(self.deals) if deal not in done]
        try:
            self._play(missing, jobs, executor, scheduler)
            status = Status.OK
        except LookupError as problem:
            raise click.UsageError(problem.args[0]) from None
        except KeyboardInterrupt:
            status = Status.INTERRUPTED
        except Terminated:
            status = Status.TERMINATED
        if self.resume is not None:
            self._keep()
        if status is not Status.OK:
            left = self.deals - len(self.games) // self.contest.shifts
            click.echo(f"stopped with {left} of {self.deals} deals not played", err=True)
        return status

    def _read(self) -> None:
        from sniffcli.engine.results import ResultsError, read_results

        if self.resume is None or not self.resume.exists():
            return
        try:
            found = read_results(self.resume, self.contest)
        except ResultsError as problem:
            raise click.UsageError(str(problem)) from None
        self.games = [game for game in found if game.deal < self.deals]

    def _play(
        self,
        missing: list[int],
        jobs: int | None,
        executor: Literal["loky", "dask"],
        scheduler: str | None,
    ) -> None:
        from contextlib import closing

        from sniffcli.engine.tournament import games_of, processors

        with progress(self.deals, "deals", self.quiet) as bar:
            bar.update(self.deals - len(missing))
            games = games_of(
                self.contest,
                missing,
                jobs=jobs or processors(),
                executor=executor,
                scheduler=scheduler,
            )
            with closing(games):
                for found in games:
                    self.games += found
                    bar.update(1)
                    if self.resume is not None and time.monotonic() - self.kept > KEEP_EVERY:
                        self._keep()

    def _keep(self) -> None:
        from sniffcli.engine.results import write_results

        assert self.resume is not None
        write_results(self.resume, self.contest, self.games)
        self.kept = time.monotonic()


def _written(
    contest: Contest,
    games: list[Game],
    format_: str,
    output: Path | None,
    color: bool,
    *,
    complete: bool,
) -> str:
    """Return the result in the format asked for, with its last line end."""
    from sniffcli.engine.tally import tally
    from sniffcli.show.contest import document
    from sniffcli.show.contest import report as text_of
    from sniffcli.show.style import FILE_WIDTH, Look, look_of

    found = tally(contest, games)
    if format_ == "json":
        told = document(contest, found, complete=complete)
        return json.dumps(told, indent=2, ensure_ascii=False) + "\n"
    if found is None:
        return ""
    look = look_of(sys.stdout, color=color) if output is None else Look(FILE_WIDTH)
    return text_of(contest, found, look, complete=complete) + "\n"
