"""`sniff ruleset explain`: the rulebook of a ruleset, written from its keys."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sniffcli.cli.common import (
    format_option,
    output_options,
    refuse_to_replace,
    report,
    set_option,
)
from sniffcli.problems import Status

if TYPE_CHECKING:
    from sniffcli.ruleset.model import Ruleset
    from sniffcli.tutor.rulebook.pages import Book


def lang_option(command: Any) -> Any:
    """Add `--lang` as `lang`: None where the surroundings decide."""
    return click.option(
        "--lang",
        type=click.Choice(["en", "fr"]),
        help="Language of the text.  [default: from LC_ALL, LC_MESSAGES or LANG, else en]",
    )(command)


def language(chosen: str | None, surroundings: Mapping[str, str] = os.environ) -> str:
    """Return the language to write: as CHOSEN, else French where the user's system is."""
    if chosen:
        return chosen
    named = (surroundings.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    first = next((one for one in named if one), "")
    return "fr" if first.lower().startswith("fr") else "en"


@click.command()
@click.argument("ruleset", metavar="NAME|FILE")
@click.option("--players", type=int, metavar="N", help="Only what holds for N players.")
@lang_option
@set_option
@format_option("text", "markdown")
@click.option("--width", type=click.IntRange(20, 400), metavar="N", help="Columns of the text.")
@output_options
def explain(
    ruleset: str,
    players: int | None,
    lang: str | None,
    overrides: dict[Any, Any],
    format_: str,
    width: int | None,
    output: Path | None,
    force: bool,
) -> Status:
    """Write the complete rulebook of a ruleset, house rules included."""
    from sniffcli.cli.ruleset import source_of, status_of
    from sniffcli.ruleset.loading import load_ruleset
    from sniffcli.show.style import FILE_WIDTH, look_of
    from sniffcli.tutor.rulebook.book import Origin, write
    from sniffcli.tutor.rulebook.words import Words

    refuse_to_replace(output, force)
    file, text = source_of(ruleset)
    rules, problems = load_ruleset(file, text, overrides)
    report(problems)
    if rules is None:
        return status_of(problems)
    if players is not None and players not in rules.legal_players():
        low, high = rules.players.min, rules.players.max
        many = str(low) if low == high else f"{low} to {high}"
        raise click.UsageError(f"{rules.title} is for {many} players, not for {players}")
    before = load_ruleset(file, text)[0] if overrides else None
    look = look_of(sys.stdout, width=width)
    unicode = look.unicode or output is not None
    columns = FILE_WIDTH if output is not None and width is None else look.width
    book = write(
        rules,
        Words(language(lang)),
        players=() if players is None else (players,),
        origin=Origin(_parent(rules, file), before),
        width=columns,
        unicode=unicode,
    )
    return _put(_rendered(book, format_, columns, unicode), output, force, file)


def _parent(rules: Ruleset, file: str) -> Ruleset | None:
    """Return the ruleset that RULES extends; it has been read once already."""
    from sniffcli.ruleset.library import find_parent
    from sniffcli.ruleset.loading import load_ruleset

    if rules.extends is None:
        return None
    path = find_parent(rules.extends, Path(file).parent)
    return None if path is None else load_ruleset(str(path), path.read_bytes())[0]


def _rendered(book: Book, format_: str, width: int, unicode: bool) -> str:
    from sniffcli.tutor.rulebook.rendering import as_markdown, as_text, ascii_only

    if format_ == "text":
        return as_text(book, width, unicode=unicode)
    return as_markdown(book) if unicode else ascii_only(as_markdown(book))


def _put(text: str, output: Path | None, force: bool, source: str) -> Status:
    """Write the book where it was asked for."""
    if output is None:
        click.echo(text, nl=False)
        return Status.OK
    from sniffcli.files.writing import FileRefused, write_atomic

    try:
        write_atomic(output, text, force=force, source=source)
    except FileRefused as refused:
        click.echo(f"sniff: {refused}", err=True)
        return Status.PROBLEMS
    return Status.OK
