"""Reading a position out of a game file, for the commands that ask about one."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sniffcli.cli.common import report
from sniffcli.problems import Problem, Status, has_errors

if TYPE_CHECKING:
    from sniffcli.files.records import GameRecord
    from sniffcli.files.replay import Replay
    from sniffcli.game.state import State

Command = TypeVar("Command", bound=Callable[..., Any])

#: The name that stands for standard input in problems.
STDIN = "<stdin>"


def at_option(command: Command) -> Command:
    """Add `--at ROUND.EVENT` as `at`: both numbers from 1, or None."""
    return click.option(
        "--at",
        callback=_moment,
        metavar="ROUND.EVENT",
        help="The position before that event.  [default: where the file ends]",
    )(command)


def _moment(
    ctx: click.Context, param: click.Parameter, given: str | None
) -> tuple[int, int] | None:
    if given is None:
        return None
    found = re.fullmatch(r"([1-9][0-9]{0,5})\.([1-9][0-9]{0,5})", given.strip())
    if found is None:
        raise click.BadParameter(f"{given!r} is not of the form ROUND.EVENT, like 2.7", ctx, param)
    return int(found[1]), int(found[2])


def read_record(
    game: str, rules: str | None, overrides: dict[Any, Any]
) -> tuple[GameRecord | None, list[Problem], str] | Status:
    """Return what the file GAME (- for standard input) says, all problems, and the file's name.

    A status is returned where the house rules are wrong; their problems are reported already.
    """
    from sniffcli.files.games import RulesGiven, read_game
    from sniffcli.files.writing import read_file

    if game == "-":
        file, text = STDIN, sys.stdin.buffer.read()
    else:
        file, text = game, read_file(game)[0]
    try:
        record, problems = read_game(text, file, rules=rules, settings=overrides)
    except RulesGiven as given:
        raise click.UsageError(str(given)) from None
    except LookupError as unknown:
        raise click.UsageError(unknown.args[0]) from None
    if any(problem.file == "--set" for problem in problems):
        report(problems)
        return Status.USAGE
    return record, problems, file


def read_position(
    game: str, rules: str | None, overrides: dict[Any, Any], at: tuple[int, int] | None
) -> tuple[State | None, list[Problem], str] | Status:
    """Return the position asked about (None: there is none), all problems, and the file's name.

    A status is returned where nothing could be read at all; its problems are reported already.
    """
    from sniffcli.files.replay import play_out

    given = read_record(game, rules, overrides)
    if isinstance(given, Status):
        return given
    record, problems, file = given
    if record is None:
        report(problems)
        return Status.PROBLEMS
    played = play_out(record)
    problems += played.problems
    state = _position(played, at)
    if isinstance(state, str):
        # What is wrong in the file says more than that there is no position.
        if not has_errors(problems):
            problems.append(Problem(file, 0, 0, "no-position", state))
        return None, problems, file
    return state, problems, file


def contradictions(played: Replay) -> list[Problem]:
    """Say where a round with hidden hands cannot have been dealt as it was played."""
    found: list[Problem] = []
    for one in played.rounds:
        if one.end is None or not any(hand.unknown for hand in one.end.origin.hands):
            continue
        from sniffcli.engine.worlds import contradiction

        clash = contradiction(one.end)
        if clash is not None:
            mark = one.steps[clash.second - 1].mark if clash.second else one.record.mark
            message = f"round {one.number}: {clash.message}"
            found.append(played.record.problem(mark, "contradiction", message))
    return found


def _position(played: Replay, at: tuple[int, int] | None) -> State | str:
    """Return the position that is asked about, or why there is none."""
    rounds = played.rounds
    if not rounds:
        return "there is no round in this game"
    if at is None:
        last = rounds[-1]
        if last.how == "invalid" or last.end is None:
            return "the last round is not played to its end; --at ROUND.EVENT asks about a position"
        return last.end
    number, event = at
    if number > len(rounds):
        have = "1 round" if len(rounds) == 1 else f"{len(rounds)} rounds"
        raise click.UsageError(f"--at {number}.{event}: the game has {have}")
    one = rounds[number - 1]
    if one.start is None:
        return f"round {number} cannot be started"
    if event > len(one.steps) + 1:
        raise click.UsageError(f"--at {number}.{event}: round {number} has {len(one.steps)} events")
    if event <= len(one.steps):
        return one.steps[event - 1].before
    return one.steps[-1].state if one.steps else one.end or one.start
