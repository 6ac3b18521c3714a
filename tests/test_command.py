"""The frame around all commands: help, statuses, colour, shared options (contract, section 8)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from conftest import Run

from sniffcli.cli import common, main
from sniffcli.cli.main import COMMANDS, Entry, LazyGroup, wants_color
from sniffcli.problems import Problem, Status

Adder = Callable[[Callable[..., Any]], None]


@pytest.fixture
def adds_command(monkeypatch: pytest.MonkeyPatch) -> Adder:
    """Put one more command, `try-it`, into the table for a test."""

    def add(body: Callable[..., Any]) -> None:
        module = types.ModuleType("module_of_try_it")
        module.command = (  # type: ignore[attr-defined]
            body if isinstance(body, click.Command) else click.command("try-it")(body)
        )
        monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.setitem(COMMANDS, "try-it", Entry(module.__name__, "command", "Try it."))
        monkeypatch.setattr(LazyGroup, "list_commands", lambda self, ctx: ["replay", "try-it"])

    return add


def test_help_shows_one_line_per_command_that_is_there(sniff: Callable[..., Run]) -> None:
    run = sniff("--help")

    assert run.status == 0
    there = {path.stem for path in Path(main.__file__).parent.iterdir()}
    for name, entry in COMMANDS.items():
        assert (f"  {name} " in run.out and entry.help in run.out) == (name in there), name


def test_every_command_that_is_there_explains_itself(sniff: Callable[..., Run]) -> None:
    names = main.group.list_commands(click.Context(main.group))

    for name in names:
        short, long = sniff(name, "-h"), sniff(name, "--help")
        assert short == long
        assert short.status == 0
        assert short.out.startswith(f"Usage: sniff {name}")


def test_usage_errors_are_2_and_name_the_nearest_command(
    sniff: Callable[..., Run], adds_command: Adder
) -> None:
    adds_command(lambda: None)

    run = sniff("replya")
    assert (run.status, run.out) == (2, "")
    assert 'there is no command "replya"; did you mean "replay"?' in run.err
    assert sniff("--bogus").status == 2
    assert sniff("try-it", "--bogus").status == 2
    assert sniff("try-it", "surplus").status == 2


def test_completion_offers_the_commands_without_importing_them(
    sniff: Callable[..., Run], adds_command: Adder, monkeypatch: pytest.MonkeyPatch
) -> None:
    adds_command(lambda: None)
    monkeypatch.setitem(COMMANDS, "try-it", Entry("no_such_module", "command", "Try it."))
    monkeypatch.setenv("_SNIFF_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "sniff tr")
    monkeypatch.setenv("COMP_CWORD", "1")

    assert sniff() == Run(0, "plain,try-it\n", "")


@pytest.mark.parametrize("status", [Status.OK, Status.PROBLEMS, Status.USAGE])
def test_a_command_returns_its_status_or_leaves_with_it(
    sniff: Callable[..., Run], adds_command: Adder, status: Status
) -> None:
    adds_command(lambda: status)
    assert sniff("try-it").status == status

    adds_command(lambda: click.get_current_context().exit(status))
    assert sniff("try-it").status == status


def raises(error: BaseException) -> Callable[[], None]:
    def body() -> None:
        raise error

    return body


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (KeyboardInterrupt(), 130, "interrupted\n"),
        (main.Terminated(), 143, "terminated\n"),
        (BrokenPipeError(), 1, ""),
        (OSError(28, "No space left on device"), 1, "No space left on device\n"),
        (FileNotFoundError(2, "No such file or directory", "x.yaml"), 2, "sniff: x.yaml: No such"),
        (PermissionError(13, "Permission denied", "x.yaml"), 2, "sniff: x.yaml: Permission"),
        (click.UsageError("not like this"), 2, "Error: not like this"),
    ],
)
def test_every_way_of_ending_has_its_status(
    sniff: Callable[..., Run], adds_command: Adder, error: BaseException, status: int, said: str
) -> None:
    adds_command(raises(error))
    run = sniff("try-it")

    assert (run.status, run.out) == (status, "")
    assert said in run.err
    assert "Traceback" not in run.err


def test_a_defect_is_one_line_and_a_traceback_only_with_debug(
    sniff: Callable[..., Run], adds_command: Adder
) -> None:
    adds_command(raises(RuntimeError("the table\nis gone")))
    run, debug = sniff("try-it"), sniff("--debug", "try-it")

    assert (run.status, debug.status) == (3, 3)
    assert run.err.count("\n") == 1
    assert "defect of the program (RuntimeError: the table)" in run.err
    assert "please report it" in run.err
    assert "Traceback" in debug.err
    assert run.err in debug.err


def test_the_end_of_input_at_a_question_is_no_yes(
    sniff: Callable[..., Run], adds_command: Adder
) -> None:
    adds_command(lambda: click.confirm("Replace the game?", abort=True))
    run = sniff("try-it", input="")

    assert run.status == 1
    assert "the input ended" in run.err


def test_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    code = (
        "import sys, sniffcli.cli.main as m\n"
        "import click\n"
        "m._run = lambda args: [click.echo('x' * 999) for _ in range(9999)] and 0\n"
        "sys.exit(m.main([]))\n"
    )
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read()
        status = process.wait(60)

    assert (status, said) == (1, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_a_full_disk_is_a_failed_write() -> None:
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "sniffcli", "--help"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)

    assert done.returncode == 1
    assert done.stderr.count(b"\n") == 1
    assert b"No space left" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent differently there")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals(number: signal.Signals, status: int) -> None:
    code = (
        "import signal, sys, time, sniffcli.cli.main as m\n"
        # Whoever started the tests in the background made them ignore it.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "def wait(args):\n"
        "    print('ready', flush=True)\n"
        "    time.sleep(60)\n"
        "m._run = wait\n"
        "sys.exit(m.main([]))\n"
    )
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(number)
        said = process.communicate(timeout=60)[1]

    assert process.returncode == status
    assert said.count(b"\n") == 1
    assert b"Traceback" not in said


def test_a_narrow_encoding_shows_characters_escaped(tmp_path: Path) -> None:
    code = (
        "import sys, sniffcli.cli.main as m\n"
        "import click\n"
        "m._run = lambda args: click.echo('caf\\u00e9 \\u2500')\n"
        "sys.exit(m.main([]) or 0)\n"
    )
    env = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=False)

    assert (done.stdout, done.stderr) == (b"caf\xe9 \\u2500\n", b"")


class Terminal:
    def __init__(self, is_terminal: bool) -> None:
        self.is_terminal = is_terminal

    def isatty(self) -> bool:
        return self.is_terminal


@pytest.mark.parametrize(
    ("choice", "terminal", "env", "colour"),
    [
        ("auto", True, {}, True),
        ("auto", True, {"NO_COLOR": ""}, True),
        ("auto", True, {"NO_COLOR": "1"}, False),
        ("auto", True, {"TERM": "dumb"}, False),
        ("auto", False, {}, False),
        ("always", False, {"NO_COLOR": "1"}, True),
        ("never", True, {}, False),
    ],
)
def test_c90_colour(
    choice: str, terminal: bool, env: dict[str, str], colour: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, setting in env.items():
        monkeypatch.setenv(name, setting)

    assert wants_color(choice, Terminal(terminal)) is colour  # type: ignore[arg-type]


def test_colour_reaches_the_output_only_when_wanted(
    sniff: Callable[..., Run], adds_command: Adder
) -> None:
    adds_command(lambda: click.secho("spinner", fg="red"))

    assert sniff("try-it").out == "spinner\n"
    assert sniff("--color", "never", "try-it").out == "spinner\n"
    assert sniff("--color", "always", "try-it").out == "\x1b[31mspinner\x1b[0m\n"


class TestSharedOptions:
    def test_house_rules_become_one_mapping(self) -> None:
        assert common.parse_overrides(
            [
                "match.target=100",
                "deal.hand.2=7",
                "deal.hand.3=5",
                "score.divisors=[5, 3]",
                "layout.spinner=none",
                "match.exact=true",
                "claim.owner_until={seconds: 7}",
                "keelhaul=",
                "match.target=61",
            ]
        ) == {
            "match": {"target": 61, "exact": True},
            "deal": {"hand": {2: 7, 3: 5}},
            "score": {"divisors": [5, 3]},
            "layout": {"spinner": "none"},
            "claim": {"owner_until": {"seconds": 7}},
            "keelhaul": None,
        }

    @pytest.mark.parametrize("text", ["match.target", "=5", "match.=5", "a=[1", "a=&x 1"])
    def test_house_rules_that_cannot_be_read(self, text: str) -> None:
        with pytest.raises(ValueError, match=r"KEY=VALUE|not YAML|anchors"):
            common.parse_overrides([text])

    def test_all_of_them_on_one_command(
        self, sniff: Callable[..., Run], adds_command: Adder, tmp_path: Path
    ) -> None:
        @click.command("try-it")
        @common.rules_option
        @common.set_option
        @common.format_option("table", "json")
        @common.output_options
        @common.seed_option
        @common.jobs_option
        @common.quiet_option
        def command(output: Path | None, force: bool, **options: object) -> None:
            common.refuse_to_replace(output, force)
            click.echo(sorted(options.items()))

        adds_command(command)
        there = tmp_path / "there"
        there.write_text("old", "utf-8")

        assert sniff("try-it").out == (
            "[('format_', 'table'), ('jobs', None), ('overrides', {}), ('quiet', False), "
            "('rules', None), ('seed', None)]\n"
        )
        assert sniff("try-it", "--set", "a.b=1", "--seed", "7").status == 0
        assert sniff("try-it", "--set", "a").status == 2
        assert sniff("try-it", "--format", "xml").status == 2
        assert sniff("try-it", "--jobs", "0").status == 2
        assert sniff("try-it", "--output", there).status == 2
        assert sniff("try-it", "--output", there, "--force").status == 0
        assert "[default: all-fives]" in sniff("try-it", "--help").out

    def test_problems_are_reported_in_the_order_of_their_places(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        common.report([Problem("b", 2, 1, "x", "later"), Problem("b", 1, 5, "y", "first")])

        assert capsys.readouterr().err == "b:1:5: error[y]: first\nb:2:1: error[x]: later\n"
