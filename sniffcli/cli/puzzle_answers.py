"""`sniff puzzle play --answers`: a list of answers held against puzzles, for scripts and CI."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from sniffcli.cli.common import report
from sniffcli.problems import Problem, Status

if TYPE_CHECKING:
    from sniffcli.files.puzzles import Puzzle

#: The name that stands for standard input in problems.
STDIN = "<stdin>"


def check_answers(file: str, puzzles: Sequence[Puzzle]) -> Status:
    """Judge the lines `ID: ANSWER` of a file; 1 if an answer is wrong, missing or unreadable."""
    from sniffcli.files.writing import read_file
    from sniffcli.tutor.drills import AnswerError, judged, parse_answer, question_of
    from sniffcli.tutor.puzzles import Unprovable

    text = sys.stdin.buffer.read() if file == "-" else read_file(file)[0]
    name = STDIN if file == "-" else file
    by_id = {one.id: one for one in puzzles}
    problems: list[Problem] = []
    seen: dict[str, int] = {}
    right = 0
    for number, line in enumerate(text.decode("utf-8-sig", "replace").splitlines(), 1):
        written = line.strip()
        if not written or written.startswith("#"):
            continue
        item, colon, answer = written.partition(":")
        item = item.strip()
        column = line.index(item) + 1 if item else 1

        def say(code: str, message: str, line: int = number, column: int = column) -> None:
            problems.append(Problem(name, line, column, code, message))

        if not colon:
            say("form", "this is no answer; write it like twenty-now: 6-3 on 6-1")
        elif item in seen:
            say("twice", f"{item} is answered in line {seen[item]} already")
        elif item not in by_id:
            say("unknown-puzzle", f'no puzzle here has the id "{item}"')
        else:
            seen[item] = number
            try:
                question = question_of(by_id[item])
                verdict = judged(question, parse_answer(question, answer))
            except AnswerError as problem:
                say("malformed", f"{item}: {problem}")
                continue
            except (ValueError, Unprovable) as problem:
                say("unproved", f"{item}: {problem}")
                continue
            right += verdict.right
            if not verdict.right:
                say("wrong-answer", f"{item}: {verdict.given} is wrong")
    missing = [one.id for one in puzzles if one.id not in seen]
    if missing:
        shown = ", ".join(missing[:5]) + (f" and {len(missing) - 5} more" if missing[5:] else "")
        problems.append(Problem(name, 0, 0, "missing-answer", f"not answered: {shown}"))
    click.echo(f"{right} of {len(puzzles)} right")
    report(problems)
    return Status.PROBLEMS if problems else Status.OK
