"""`sniff ruleset diff`: what changes at the table between two rulesets, in words and in keys."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from sniffcli.cli.common import format_option, report, result_options, set_option
from sniffcli.cli.ruleset_explain import lang_option, language
from sniffcli.problems import Problem, Status
from sniffcli.show.folding import fold

if TYPE_CHECKING:
    from sniffcli.ruleset.model import Ruleset
    from sniffcli.tutor.differences import Differences
    from sniffcli.tutor.rulebook.words import Words


@click.command()
@click.argument("first", metavar="A")
@click.argument("second", metavar="[B]", required=False)
@lang_option
@set_option
@format_option("text", "json")
@result_options
def diff(
    first: str, second: str | None, lang: str | None, overrides: dict[Any, Any], format_: str
) -> Status:
    """Say what changes at the table from ruleset A to ruleset B (names or files).

    House rules given with --set are laid over B; without B they are laid over A.
    """
    from sniffcli.cli.ruleset import status_of
    from sniffcli.show.style import look_of
    from sniffcli.tutor.differences import as_json, compare
    from sniffcli.tutor.rulebook.rendering import ascii_only
    from sniffcli.tutor.rulebook.words import Words

    if second is None and not overrides:
        raise click.UsageError("a second ruleset, or --set, is needed to compare with")
    problems: list[Problem] = []
    one = _loaded(first, problems)
    two = _loaded(first if second is None else second, problems, overrides)
    report(set(problems))
    if one is None or two is None:
        return status_of(problems)
    words = Words(language(lang))
    found = compare(one, two, words)
    if format_ == "json":
        click.echo(json.dumps(as_json(one, two, found), indent=2, ensure_ascii=False))
        return Status.OK
    look = look_of(sys.stdout)
    text = "\n".join(_lines(one, two, found, words, look.width))
    click.echo(text if look.unicode else ascii_only(text))
    return Status.OK


def _loaded(
    name: str, problems: list[Problem], overrides: dict[Any, Any] | None = None
) -> Ruleset | None:
    from sniffcli.cli.ruleset import source_of
    from sniffcli.ruleset.loading import load_ruleset

    rules, more = load_ruleset(*source_of(name), overrides)
    problems += more
    return rules


def _lines(
    one: Ruleset, two: Ruleset, found: Differences, words: Words, width: int
) -> Iterator[str]:
    from sniffcli.show.tables import Column, table
    from sniffcli.tutor.differences import says_nothing, titles

    if not found.keys:
        yield says_nothing(one, two, words)
        return
    # House rules change neither name nor id.
    house = " (--set)" if one.id == two.id else ""
    yield f"- {one.title}"
    yield f"+ {two.title}{house}"
    for section in found.sections:
        yield ""
        yield section.title
        marked = [("-", text) for text in section.only_first]
        marked += [("+", text) for text in section.only_second]
        for mark, text in marked:
            yield from fold(text, width, f"{mark} ", "  ")
    yield ""
    key, before, after = titles(one, two, words)
    columns = [Column(key), Column(before), Column(f"{after}{house}")]
    yield table(columns, [(key.key, key.before, key.after) for key in found.keys], width)
