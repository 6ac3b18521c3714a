"""The `sniff` command: a table of lazy subcommands, and the one place that sets exit statuses."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Sequence
from io import StringIO, TextIOWrapper
from types import FrameType
from typing import NamedTuple, TextIO

import click

from sniffcli import __version__
from sniffcli.problems import Status


class Entry(NamedTuple):
    """One line of the command table: where the command lives and what `sniff --help` says."""

    module: str
    attribute: str
    help: str


def _entry(name: str, text: str) -> tuple[str, Entry]:
    return name, Entry(f"sniffcli.cli.{name}", "command", text)


#: Every subcommand in the order of the help. A module that a build leaves out is left out here too.
COMMANDS: dict[str, Entry] = dict(
    [
        _entry("play", "Play against bots or people at this terminal."),
        _entry("record", "Write down a game played with real tiles."),
        _entry("count", "Count the table after a list of plays."),
        _entry("replay", "Replay a recorded game and check every line of it."),
        _entry("hint", "Advise the seat to move, with reasons."),
        _entry("solve", "Solve a position with all hands open."),
        _entry("analyze", "Grade the decisions of recorded games."),
        _entry("puzzle", "Solve, check, make and list puzzles."),
        _entry("ruleset", "List, show, check and explain rulesets."),
        _entry("simulate", "Let bots play bots and compare them."),
        _entry("bench", "Measure the speed of the engine on fixed work."),
        _entry("host", "Open a table for several terminals."),
        _entry("join", "Join a table that somebody hosts."),
        _entry("stats", "Show your own record."),
    ]
)


class LazyGroup(click.Group):
    """A click group that imports a subcommand only when it is run or asked for its own help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands whose module is there, in the order of the table."""
        # os.path rather than pathlib, which would be a tenth of the time `sniff --version` takes.
        there = {os.path.splitext(name)[0] for name in os.listdir(os.path.dirname(__file__))}
        return [name for name in COMMANDS if name in there]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return one command, or None for a name that is not there."""
        if cmd_name not in self.list_commands(ctx):
            return None
        from importlib import import_module

        entry = COMMANDS[cmd_name]
        command = getattr(import_module(entry.module), entry.attribute)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, naming the nearest one for a name that is not there."""
        name = args[0]
        known = self.list_commands(ctx)
        if name not in known and not name.startswith("-"):
            from sniffcli.problems import did_you_mean

            ctx.fail(f'there is no command "{name}"{did_you_mean(name, known)}')
        return super().resolve_command(ctx, args)

    def shell_complete(
        self, ctx: click.Context, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        """Offer the names of the commands; the shell asks at every TAB, so none is imported."""
        from click.shell_completion import CompletionItem

        offered = [
            CompletionItem(name, help=COMMANDS[name].help)
            for name in self.list_commands(ctx)
            if name.startswith(incomplete)
        ]
        return offered + super(click.Group, self).shell_complete(ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table of commands from the one-line texts, importing none of them."""
        rows = [(name, COMMANDS[name].help) for name in self.list_commands(ctx)]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)


def _print_version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if not value or ctx.resilient_parsing:
        return
    from sniffcli.cli.version import backend_name

    try:
        backend = backend_name()
    except ValueError as problem:
        ctx.fail(str(problem))
    click.echo(f"sniff {__version__} (search: {backend})")
    ctx.exit()


def wants_color(choice: str, stream: TextIO) -> bool:
    """Whether to write colour: as chosen, and for `auto` only to a terminal that welcomes it."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


@click.group(
    name="sniff",
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit status: 0 success, 1 problems in contents, 2 command line, 3 a defect of sniff.",
)
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Use colour; auto means on a terminal only, and not with NO_COLOR or TERM=dumb.",
)
@click.option("--debug", is_flag=True, help="Show a traceback where the program itself fails.")
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and the search backend, then leave.",
)
@click.pass_context
def group(ctx: click.Context, color: str, debug: bool) -> None:
    """Analyst and tutor for scoring dominoes."""
    ctx.color = wants_color(color, sys.stdout)


#: Ways in which a file named on the command line cannot be opened; others are failed writes.
_NOT_OPENED = frozenset(
    [errno.ENOENT, errno.EACCES, errno.EISDIR, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG]
)


class Terminated(SystemExit):
    """The process was asked to end (SIGTERM); unwinds like Ctrl-C so that everything is saved.

    An event loop lets only Ctrl-C and this kind through: with any other the prompt would tell of
    an unhandled exception and wait for Enter, if the signal came while it drew.
    """


def _on_terminate(signum: int, frame: FrameType | None) -> None:
    raise Terminated


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `sniff` with ARGUMENTS (default: those of the process) and return the exit status.

    A command sets its status by returning a `Status` or by `ctx.exit(status)`. Whatever else
    happens is turned into a status here and nowhere else.
    """
    args = list(sys.argv[1:] if arguments is None else arguments)
    _survive_closed_streams()
    _survive_narrow_encodings()
    try:
        previous = signal.signal(signal.SIGTERM, _on_terminate)
    except ValueError:  # not the main thread: an embedding program owns the signals
        previous = None
    try:
        return _status_of(args)
    finally:
        if previous is not None:
            signal.signal(signal.SIGTERM, previous)


def _status_of(args: list[str]) -> int:
    """Run the command and give every way of ending its exit status."""
    try:
        status = _run(args)
        sys.stdout.flush()
        return status
    except click.Abort as abort:
        if isinstance(abort.__context__, EOFError):
            print_line("sniff: the input ended at a question; nothing was done")
            return Status.PROBLEMS
        print_line("interrupted")
        return Status.INTERRUPTED
    except click.ClickException as problem:
        shown = StringIO()
        problem.show(shown)
        print_line(shown.getvalue().rstrip("\n"))
        return problem.exit_code
    except KeyboardInterrupt:
        print_line("interrupted")
        return Status.INTERRUPTED
    except Terminated:
        print_line("terminated")
        return Status.TERMINATED
    except BrokenPipeError:
        _close_output()
        return Status.PROBLEMS
    except OSError as problem:
        where = problem.filename or "standard output"
        print_line(f"sniff: {where}: {problem.strerror or problem}")
        _close_output()
        return Status.USAGE if problem.errno in _NOT_OPENED else Status.PROBLEMS
    except Exception as defect:
        from sniffcli.files.writing import FileRefused

        if isinstance(defect, FileRefused):
            print_line(f"sniff: {defect}")
            return Status.PROBLEMS
        from sniffcli.engine.kernel import KernelError

        if isinstance(defect, KernelError):
            print_line(f"sniff: {defect}")
            return Status.USAGE
        return _report_defect(defect, args)


def _run(args: list[str]) -> int:
    """Parse and run the command line; answer the shell when it asks for completions."""
    instruction = os.environ.get("_SNIFF_COMPLETE")
    if instruction:
        from click.shell_completion import shell_complete

        return shell_complete(group, {}, "sniff", "_SNIFF_COMPLETE", instruction)
    try:
        with group.make_context("sniff", list(args)) as ctx:
            result = group.invoke(ctx)
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    return int(result) if isinstance(result, int) else Status.OK


def _report_defect(defect: Exception, args: list[str]) -> int:
    """Say in one line that the program failed and how to report it."""
    if "--debug" in args:
        import traceback

        traceback.print_exception(defect)
    print_line(
        f"sniff: this is a defect of the program ({type(defect).__name__}: {_first_line(defect)}); "
        f"please report it with the command line, the file and the output of --debug"
    )
    return Status.DEFECT


def _first_line(defect: Exception) -> str:
    return (str(defect).splitlines() or ["no details"])[0][:200]


def print_line(text: str) -> None:
    """Write lines to standard error, folded for a terminal; a closed one is no reason to fail."""
    try:
        if sys.stderr.isatty():
            from sniffcli.show.folding import fitted
            from sniffcli.show.style import look_of

            text = fitted(text, look_of(sys.stderr).width)
        click.echo(text, err=True)
    except OSError:
        return


def _close_output() -> None:
    """Point standard output at nothing, so that the interpreter's own flush stays quiet."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return


def _survive_closed_streams() -> None:
    """Stand something in for standard streams that were closed when the program began.

    Input has ended, messages go nowhere, and a result that nobody can read is a failed write.
    Without this the next file that is opened would take the number of the missing stream, and a
    saved game would receive what is meant for the terminal.
    """
    for name, mode, flag in (
        ("stdin", "r", os.O_RDONLY),
        ("stdout", "w", os.O_RDONLY),
        ("stderr", "w", os.O_WRONLY),
    ):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.open(os.devnull, flag), mode))  # noqa: SIM115


def _survive_narrow_encodings() -> None:
    """Let a terminal that lacks a character show it escaped instead of stopping the program."""
    for stream in (sys.stdout, sys.stderr):
        if not isinstance(stream, TextIOWrapper):
            continue
        if stream.encoding.lower() == "utf-8" and _any_locale():
            stream.reconfigure(errors="backslashreplace")
        else:
            from sniffcli.cli.narrow import narrowed

            narrowed(stream)


def _any_locale() -> bool:
    """Whether nothing names the C or POSIX locale, in which programs speak plain ASCII."""
    return not {"C", "POSIX"} & {os.environ.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG")}
