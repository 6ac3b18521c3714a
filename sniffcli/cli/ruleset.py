"""`sniff ruleset`: rulesets as data, listed, shown, checked and described."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sniffcli.cli.common import format_option, report, result_options, set_option, write_document
from sniffcli.cli.ruleset_diff import diff
from sniffcli.cli.ruleset_explain import explain
from sniffcli.problems import Problem, Status, has_errors

if TYPE_CHECKING:
    from sniffcli.ruleset.model import Ruleset

#: The name that stands for standard input in problems.
STDIN = "<stdin>"


@click.group()
def command() -> None:
    """Rulesets as data: which there are, what is in them, what is wrong with yours."""


command.add_command(explain)
command.add_command(diff)


@command.command("list")
@format_option("table", "json")
@result_options
def list_rulesets(format_: str) -> Status:
    """List the shipped rulesets by family."""
    from sniffcli.ruleset.library import shipped
    from sniffcli.ruleset.loading import load_ruleset

    found: list[Ruleset] = []
    problems: list[Problem] = []
    for name in shipped():
        rules, more = load_ruleset(name)
        problems += more
        if rules is not None:
            found.append(rules)
    if format_ == "json":
        click.echo(json.dumps([_facts(rules) for rules in found], indent=2, ensure_ascii=False))
    else:
        click.echo(_table(found))
    report(problems)
    return Status.PROBLEMS if has_errors(problems) else Status.OK


def _facts(rules: Ruleset) -> dict[str, Any]:
    from sniffcli.ruleset.plain import plain

    sums = rules.score.kind == "ends_sum"
    return {
        "id": rules.id,
        "name": rules.title,
        "summary": rules.summary,
        "source": rules.source,
        "group": rules.group,
        "extends": rules.extends,
        "players": {"min": rules.players.min, "max": rules.players.max},
        "teams": rules.players.teams,
        "set": rules.set.max_pip,
        "spinner": rules.layout.spinner,
        "divisors": list(rules.score.divisors) if sums else [],
        "target": plain(rules.match.target),
        "rounds": rules.match.rounds,
    }


def _table(found: list[Ruleset]) -> str:
    from typing import get_args

    from sniffcli.ruleset.model import Group
    from sniffcli.show.style import look_of
    from sniffcli.show.tables import Column, table

    columns = [
        Column("family", drop=3),
        Column("ruleset"),
        Column("players"),
        Column("set", drop=2),
        Column("spinner", drop=1),
        Column("scores", drop=4),
        Column("target"),
    ]
    rows: list[list[str]] = []
    for group in get_args(Group):
        members = [rules for rules in found if rules.group == group]
        rows += [["" if index else group, *_row(rules)] for index, rules in enumerate(members)]
    return table(columns, rows, look_of(sys.stdout).width)


def _row(rules: Ruleset) -> list[str]:
    low, high = rules.players.min, rules.players.max
    # Which double it is, in so few words that the table fits 80 columns.
    which, _, _ = rules.layout.spinner.partition("_double")
    spinner = "-" if which == "none" else which.replace("_", " ")
    scores = {
        "ends_sum": ", ".join(map(str, rules.score.divisors)),
        "equal_ends": "equal ends",
        "none": "-",
    }[rules.score.kind]
    targets = [rules.target(number) for number in rules.legal_players()]
    shown = list(dict.fromkeys(str(one) for one in targets if one is not None))
    rounds = rules.match.rounds
    if rounds is not None:
        shown.append("1 round" if rounds == 1 else f"{rounds} rounds")
    players = str(low) if low == high else f"{low}-{high}"
    return [rules.id, players, str(rules.set.max_pip), spinner, scores, "/".join(shown)]


@command.command()
@click.argument("ruleset", metavar="NAME|FILE")
@click.option("--resolved", is_flag=True, help="Show every key with its value in force.")
@set_option
@format_option("yaml", "json")
@result_options
def show(ruleset: str, resolved: bool, overrides: dict[Any, Any], format_: str) -> Status:
    """Show a ruleset as it is written, or with all keys."""
    from sniffcli import yamlio
    from sniffcli.ruleset.drafts import from_node, from_values, overlay
    from sniffcli.ruleset.loading import load_ruleset
    from sniffcli.ruleset.plain import resolved as all_keys

    file, text = source_of(ruleset)
    rules, problems = load_ruleset(file, text, overrides)
    report(problems)
    if rules is None:
        return status_of(problems)
    if resolved:
        data = all_keys(rules)
    elif format_ == "yaml" and not overrides:
        shown = text.decode("utf-8-sig")
        write_document(shown if shown.endswith("\n") else f"{shown}\n")
        return Status.OK
    else:
        node, _ = yamlio.parse(text, file)
        assert node is not None, "a file that loads has a root"
        data = dict(overlay(from_node(node, file), from_values(overrides, "--set")).values)
    if format_ == "json":
        click.echo(json.dumps(data, indent=2, ensure_ascii=False))
    else:
        write_document(yamlio.dump(data))
    return Status.OK


@command.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@format_option("text", "json")
@result_options
def check(paths: tuple[str, ...], format_: str) -> Status:
    """Check ruleset files, or all those in directories, and say what is wrong and where."""
    from sniffcli.ruleset.loading import load_ruleset

    problems: set[Problem] = set()
    sources = [source for path in paths for source in _sources(path)]
    for file, text in sources:
        problems.update(load_ruleset(file, text)[1])
    ok = not has_errors(problems)
    if format_ == "json":
        found = [problem.as_json() for problem in sorted(problems)]
        result = {"ok": ok, "checked": len(sources), "problems": found}
        click.echo(json.dumps(result, indent=2, ensure_ascii=False))
    else:
        report(problems)
        count = len(sources)
        what = "1 ruleset" if count == 1 else f"{count} rulesets"
        wrong = sum(one.severity == "error" for one in problems)
        warned = len(problems) - wrong
        told = f"{wrong or 'no'} problem{'' if wrong == 1 else 's'}"
        told += f", {warned} warning{'' if warned == 1 else 's'}" if warned else ""
        click.echo(f"{what} checked, {told}")
    return Status.OK if ok else Status.PROBLEMS


@command.command()
@result_options
def schema() -> None:
    """Print the JSON Schema of ruleset files, for editors and other programs."""
    from sniffcli.ruleset.schema import schema_text

    click.echo(schema_text(), nl=False)


def status_of(problems: list[Problem]) -> Status:
    """Return the status for a ruleset that did not load: house rules stand on the command line."""
    on_command_line = any(problem.file == "--set" for problem in problems)
    return Status.USAGE if on_command_line else Status.PROBLEMS


def _sources(path: str) -> list[tuple[str, bytes]]:
    """Return the files that PATH means with their contents."""
    from sniffcli.ruleset.library import SUFFIXES

    if path == "-" or not Path(path).is_dir():
        return [source_of(path)]
    found = (one for one in Path(path).rglob("*") if one.suffix in SUFFIXES)
    # Directories such as .venv and .git hold what others have put there.
    open_to_see = (one for one in found if not _is_hidden(one.relative_to(path)))
    files = sorted(one for one in open_to_see if not one.is_dir())
    if not files:
        raise click.UsageError(f"there are no ruleset files (*.yaml) in {path}")
    return [(str(file), file.read_bytes()) for file in files]


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parent.parts)


def source_of(name: str) -> tuple[str, bytes]:
    """Return the file and contents of a ruleset given by name, path or `-`."""
    if name == "-":
        return STDIN, sys.stdin.buffer.read()
    from sniffcli.ruleset.library import find, unknown

    path = find(name)
    if path is None:
        raise click.UsageError(unknown(name))
    return str(path), path.read_bytes()
