"""`sniff ruleset diff`: what changes at the table between two rulesets, in words and in keys."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from sniffcli.cli.common import format_option, report
from sniffcli.cli.ruleset_explain import lang_option, language
from sniffcli.problems import Problem, Status

if TYPE_CHECKING:
    from sniffcli.ruleset.model import Ruleset
    from sniffcli.tutor.differences import Differences
    from sniffcli.tutor.rulebook.words import Words


@click.command()
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@lang_option
@format_option("text", "json")
def diff(first: str, second: str, lang: str | None, format_: str) -> Status:
    """Say what changes at the table from ruleset A to ruleset B (names or files)."""
    from sniffcli.show.style import look_of
    from sniffcli.tutor.differences import as_json, compare
    from sniffcli.tutor.rulebook.rendering import ascii_only
    from sniffcli.tutor.rulebook.words import Words

    problems: list[Problem] = []
    one, two = _loaded(first, problems), _loaded(second, problems)
    report(set(problems))
    if one is None or two is None:
        return Status.PROBLEMS
    words = Words(language(lang))
    found = compare(one, two, words)
    if format_ == "json":
        click.echo(json.dumps(as_json(one, two, found), indent=2, ensure_ascii=False))
        return Status.OK
    look = look_of(sys.stdout)
    text = "\n".join(_lines(one, two, found, words, look.width))
    click.echo(text if look.unicode else ascii_only(text))
    return Status.OK


def _loaded(name: str, problems: list[Problem]) -> Ruleset | None:
    from sniffcli.cli.ruleset import source_of
    from sniffcli.ruleset.loading import load_ruleset

    rules, more = load_ruleset(*source_of(name))
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
    yield f"- {one.title}"
    yield f"+ {two.title}"
    for section in found.sections:
        yield ""
        yield section.title
        marked = [("-", text) for text in section.only_first]
        marked += [("+", text) for text in section.only_second]
        for mark, text in marked:
            yield from textwrap.wrap(
                text,
                width,
                initial_indent=f"{mark} ",
                subsequent_indent="  ",
                break_on_hyphens=False,
            )
    yield ""
    columns = [Column(title) for title in titles(one, two, words)]
    yield table(columns, [(key.key, key.before, key.after) for key in found.keys], width)
