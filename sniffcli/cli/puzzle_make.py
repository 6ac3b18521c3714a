"""`sniff puzzle make`: new puzzles from recorded games, bots' games or random deals."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sniffcli.cli.common import (
    DEFAULT_RULES,
    output_options,
    quiet_option,
    refuse_to_replace,
    report,
    rules_option,
    seed_option,
    write_document,
)
from sniffcli.problems import Status

if TYPE_CHECKING:
    from sniffcli.files.puzzles import Puzzle
    from sniffcli.files.records import GameRecord

#: The question `--kind hidden` asks: the best play of a seat that sees its own hand only.
HIDDEN = "hidden"
KINDS = (
    "count",
    "points",
    "best-score",
    "best-play",
    HIDDEN,
    "value",
    "legal-plays",
    "holds",
    "claim",
)


@click.command("make")
@click.argument("games", metavar="[GAME]...", nargs=-1)
@click.option(
    "--count",
    "number",
    type=click.IntRange(1, 2000),
    default=10,
    show_default=True,
    metavar="N",
    help="How many puzzles to make.",
)
@click.option(
    "--kind",
    type=click.Choice(KINDS),
    default="best-play",
    show_default=True,
    help="What is asked.",
)
@click.option("--theme", metavar="THEME", help="Only puzzles with this theme.")
@click.option(
    "--source",
    type=click.Choice(["deals", "bots"]),
    default="deals",
    show_default=True,
    help="Where positions come from when no GAME is named.",
)
@click.option("--mine", is_flag=True, help="From the games that are saved in your own data.")
@click.option("--name", metavar="NAME", help="With games: take the choices of NAME first.")
@click.option(
    "--easiest", type=click.IntRange(0, 4000), default=0, metavar="N", help="Least difficulty."
)
@click.option(
    "--hardest", type=click.IntRange(0, 4000), default=4000, metavar="N", help="Most difficulty."
)
@click.option("--players", type=click.IntRange(2, 4), metavar="N", help="Number of players.")
@click.option("--title", default="Made puzzles", metavar="TEXT", help="Title of the file.")
@rules_option
@seed_option
@output_options
@quiet_option
def make(
    games: tuple[str, ...],
    number: int,
    kind: str,
    theme: str | None,
    source: str,
    mine: bool,
    name: str | None,
    easiest: int,
    hardest: int,
    players: int | None,
    title: str,
    rules: str | None,
    seed: int | None,
    output: Path | None,
    force: bool,
    quiet: bool,
) -> Status:
    """Make puzzles: from the choices made in the recorded GAME..., else from random positions.

    With games, choices that were wrong come first, those of --name NAME before all others.
    Every puzzle has one established set of right answers and is proved again before it is written.
    The same seed gives the same puzzles. --kind hidden asks for the best play of a seat that sees
    its own hand only.
    """
    from sniffcli.files.puzzles import puzzle_file_text
    from sniffcli.tutor.puzzle_make import Wish
    from sniffcli.tutor.puzzle_themes import THEMES

    refuse_to_replace(output, force)
    if theme is not None and theme not in THEMES:
        from sniffcli.problems import did_you_mean

        hint = did_you_mean(theme, THEMES) or f"; the themes are {', '.join(THEMES)}"
        raise click.UsageError(f'--theme: there is no theme "{theme}"{hint}')
    start = random.SystemRandom().getrandbits(31) if seed is None else seed
    ask: Any = "best-play" if kind == HIDDEN else kind
    if easiest > hardest:
        raise click.UsageError(f"--easiest {easiest} is more than --hardest {hardest}")
    wish = Wish(ask, theme, kind == HIDDEN, easiest, hardest, players)
    if mine:
        from sniffcli.files.places import games_dir

        games = (*games, *(str(path) for path in sorted(games_dir().glob("*.yaml"))))
        if not games:
            raise click.UsageError("--mine: no game is saved yet; `sniff play` saves each of yours")
    records = _records(games)
    made = _of_games(records, wish, name, start) if games else _of_deals(rules, wish, source, start)
    found: list[Puzzle] = []
    ids: set[str] = set()
    for puzzle in made:
        if puzzle.id not in ids:
            ids.add(puzzle.id)
            found.append(puzzle)
            if not quiet and sys.stderr.isatty():
                click.echo(f"\r{len(found)} of {number} puzzles", nl=False, err=True)
        if len(found) == number:
            break
    if not quiet or not found:
        click.echo(f"made {len(found)} of {number} puzzles, seed {start}", err=True)
    if not found:
        click.echo("sniff: no puzzle was found, so nothing is written", err=True)
        return Status.PROBLEMS
    text = puzzle_file_text(title, [_beside(puzzle, output) for puzzle in found])
    if output is None:
        write_document(text)
    else:
        from sniffcli.files.writing import write_atomic

        write_atomic(output, text, force=force)
    if len(records) < len(games):
        return Status.PROBLEMS
    return Status.OK if len(found) == number or games else Status.PROBLEMS


def _of_deals(rules: str | None, wish: Any, source: Any, seed: int) -> Iterator[Puzzle]:
    from sniffcli.ruleset.library import whole_name
    from sniffcli.ruleset.loading import load_ruleset
    from sniffcli.tutor.puzzle_make import candidates, make

    name = whole_name(rules or DEFAULT_RULES)
    try:
        loaded, problems = load_ruleset(name)
    except LookupError as unknown:
        raise click.UsageError(unknown.args[0]) from None
    if loaded is None:
        report(problems)
        return iter(())
    if wish.players is not None and wish.players not in loaded.legal_players():
        low, high = loaded.players.min, loaded.players.max
        raise click.UsageError(f"--players: {loaded.title} is for {low} to {high} players")
    rng = random.Random(seed)
    return make(wish, candidates(loaded, rng, source, wish.players), rng, seed, name)


def _beside(puzzle: Puzzle, output: Path | None) -> Puzzle:
    """Return the puzzle with the ruleset as a file at OUTPUT has to name it."""
    from sniffcli.ruleset.library import name_in

    name = puzzle.record.ruleset
    assert name is not None, "a puzzle that is made names its rules"
    folder = Path() if output is None else output.parent
    return replace(puzzle, record=replace(puzzle.record, ruleset=name_in(folder, name)))


def _of_games(
    records: list[GameRecord], wish: Any, name: str | None, seed: int
) -> Iterator[Puzzle]:
    from sniffcli.tutor.puzzle_make import from_games, mistakes_first

    return mistakes_first(wish, from_games(records, name), seed)


def _records(games: tuple[str, ...]) -> list[GameRecord]:
    from sniffcli.files.games import read_game
    from sniffcli.files.writing import read_file

    records = []
    for game in games:
        name, text = (
            ("<stdin>", sys.stdin.buffer.read()) if game == "-" else (game, read_file(game)[0])
        )
        record, problems = read_game(text, name)
        report(problems)
        if record is not None:
            records.append(record)
    return records
