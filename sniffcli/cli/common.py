"""Options that several commands share, so that they read and behave the same everywhere."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sniffcli.problems import Problem, Status

if TYPE_CHECKING:
    from sniffcli.ruleset.model import Ruleset

Command = TypeVar("Command", bound=Callable[..., Any])

#: The largest seed that a game file holds (`seed:`).
MOST_SEED = 10**18

#: What `--rules` means where nothing else names a ruleset.
DEFAULT_RULES = "all-fives"


def rules_option(command: Command) -> Command:
    """Add `--rules NAME|FILE` as `rules`: None when it was not given (see `DEFAULT_RULES`)."""
    return click.option(
        "--rules",
        metavar="NAME|FILE",
        help=f"Ruleset to play by: a shipped one or a file.  [default: {DEFAULT_RULES}]",
    )(command)


def set_option(command: Command) -> Command:
    """Add the repeatable `--set KEY=VALUE` as `overrides`, one nested mapping."""
    return click.option(
        "--set",
        "overrides",
        metavar="KEY=VALUE",
        multiple=True,
        callback=_overrides,
        help="House rule, such as match.target=100; may be given several times.",
    )(command)


def _overrides(
    ctx: click.Context, param: click.Parameter, given: tuple[str, ...]
) -> dict[Any, Any]:
    try:
        return parse_overrides(given)
    except ValueError as problem:
        raise click.BadParameter(str(problem), ctx, param) from None


def parse_overrides(given: Iterable[str]) -> dict[Any, Any]:
    """Return the nested mapping that a row of `KEY=VALUE` texts means; a later one wins.

    KEY is a path with dots, VALUE is written as in a YAML file.

    Raises:
        ValueError: a text has no key or no value, or the value cannot be read.
    """
    from sniffcli import yamlio

    tree: dict[Any, Any] = {}
    for text in given:
        path, equals, written = text.partition("=")
        keys = [yamlio.scalar_value(part.strip()) for part in path.split(".")]
        if not equals or any(key is None for key in keys):
            raise ValueError(f"{text!r} is not of the form KEY=VALUE, like match.target=100")
        node, problems = yamlio.parse(written.strip() or "null", f"--set {path}")
        if problems or node is None:
            raise ValueError(f"{text!r}: {problems[0].message}")
        inner = tree
        for key in keys[:-1]:
            below = inner.get(key)
            if not isinstance(below, dict):
                below = inner[key] = {}
            inner = below
        inner[keys[-1]] = yamlio.value(node)
    return tree


def format_option(*formats: str) -> Callable[[Command], Command]:
    """Add `--format` with the FORMATS of this command; the first is the default."""
    return click.option(
        "--format",
        "format_",
        type=click.Choice(formats),
        default=formats[0],
        show_default=True,
        help="How the result is written.",
    )


def say_kept(output: Path) -> None:
    """Say that a result of before is not given up for one with problems, if there is one."""
    if os.path.lexists(output):
        click.echo(f"sniff: {output} is kept as it was, because of the problems", err=True)


def _watched(ctx: click.Context, param: click.Parameter, output: Path | None) -> Path | None:
    """Have it noticed what the command reads, because its result must not replace that."""
    if output is not None:
        from sniffcli.files.writing import watch_inputs

        watch_inputs(output)
    return output


def output_options(command: Command) -> Command:
    """Add `--output FILE` as `output` and `--force`; an existing file needs `--force`."""
    command = click.option("--force", is_flag=True, help="Replace the file of --output.")(command)
    return click.option(
        "--output",
        metavar="FILE",
        type=click.Path(path_type=Path),
        callback=_watched,
        help="Write the result to FILE instead of standard output.",
    )(command)


class Sheet(TextIOWrapper):
    """What a command writes to standard output on its way to a file."""

    def __init__(self, columns: int) -> None:
        self.bytes = BytesIO()
        super().__init__(self.bytes, encoding="utf-8", newline="")
        #: Its width, which `show.style.look_of` asks for.
        self.columns = columns

    def text(self) -> str:
        """Return all that was written."""
        self.flush()
        return self.bytes.getvalue().decode("utf-8")


def result_options(command: Command) -> Command:
    """Add `--output FILE` and `--force` to a command whose result is all that it prints.

    It stands below the other options; the command itself prints as ever.
    """

    @functools.wraps(command)
    def filed(*args: Any, output: Path | None, force: bool, **given: Any) -> Any:
        if output is None:
            return command(*args, **given)
        from sniffcli.files.writing import write_atomic
        from sniffcli.show.style import FILE_WIDTH

        refuse_nowhere(output)
        refuse_to_replace(output, force)
        click.get_current_context().color = False
        sheet = Sheet(FILE_WIDTH)
        with redirect_stdout(sheet):
            status = command(*args, **given)
        result = sheet.text()
        if status == Status.OK or (result and not os.path.lexists(output)):
            write_atomic(output, result, force=force)
        else:
            say_kept(output)
        return status

    return output_options(filed)  # type: ignore[return-value]


def refuse_to_replace(output: Path | None, force: bool) -> None:
    """Stop with a usage error where OUTPUT exists already and `--force` was not given."""
    if output is not None and not force and os.path.lexists(output):
        raise click.UsageError(f"{output} exists already; --force replaces it")


def refuse_nowhere(file: Path | None) -> None:
    """Stop with a usage error where FILE would lie in a directory that there is not."""
    if file is not None and not file.parent.is_dir():
        raise click.UsageError(f"there is no directory {file.parent}; make it first")


def _a_seed(ctx: click.Context, param: click.Parameter, given: int | None) -> int | None:
    """Refuse a seed that game files could not hold."""
    if given is not None and given > MOST_SEED:
        raise click.BadParameter(f"{given} is too large; a seed is at most {MOST_SEED}")
    return given


def seed_option(command: Command) -> Command:
    """Add `--seed N` as `seed`, None when it was not given."""
    return click.option(
        "--seed",
        type=click.IntRange(min=0),
        callback=_a_seed,
        metavar="N",
        help="Start of the random numbers; the same seed gives the same result.",
    )(command)


def jobs_option(command: Command) -> Command:
    """Add `--jobs N` as `jobs`: processes to use, None for as many as there are processors."""
    return click.option(
        "--jobs",
        type=click.IntRange(min=1),
        metavar="N",
        help="Processes to use.  [default: one per processor]",
    )(command)


def quiet_option(command: Command) -> Command:
    """Add `--quiet` as `quiet`: no progress on standard error."""
    return click.option("--quiet", is_flag=True, help="Show no progress.")(command)


def rules_of(name: str | None, overrides: dict[Any, Any]) -> Ruleset:
    """Do as `load_rules`, and tell the warnings at once."""
    rules, warnings = load_rules(name, overrides)
    report(warnings)
    return rules


def load_rules(name: str | None, overrides: dict[Any, Any]) -> tuple[Ruleset, list[Problem]]:
    """Return the ruleset of `--rules` under the house rules of `--set`, with its warnings.

    What is wrong is reported, and ends the command: as a usage error where it was typed.
    """
    from sniffcli.ruleset.loading import load_ruleset

    try:
        rules, problems = load_ruleset(name or DEFAULT_RULES, None, overrides)
    except LookupError as unknown:
        raise click.UsageError(unknown.args[0]) from None
    if rules is None:
        report(problems)
        typed = any(problem.file == "--set" for problem in problems)
        raise click.exceptions.Exit(Status.USAGE if typed else Status.PROBLEMS)
    return rules, problems


def write_document(text: str) -> None:
    """Write a file of ours to standard output: as UTF-8, whatever the locale, but to a terminal."""
    if sys.stdout.isatty():
        click.echo(text, nl=False)
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8"))


def report(problems: Iterable[Problem]) -> None:
    """Write each problem as one line on standard error, in the order of their places."""
    for problem in sorted(problems):
        click.echo(str(problem), err=True)
