"""`sniff puzzle play`: solve puzzles and counting drills at the terminal, from scripts or pipes."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from sniffcli.cli.common import report, seed_option
from sniffcli.problems import Status, has_errors

if TYPE_CHECKING:
    from sniffcli.files.puzzles import Puzzle
    from sniffcli.show.style import Look
    from sniffcli.tutor.drills import Question, Session, Verdict
    from sniffcli.tutor.store import Rating, Store

HELP = """Write your answer, or: hint (makes it unrated), skip, show (the solution),
board, counter (show the sum; makes it unrated), help, quit."""


class Stop(Exception):
    """The sitting is over: quit, the end of the input, or a script that went wrong."""


@dataclass
class Sitting:
    """What one run of the command has at hand."""

    look: Look
    session: Session
    read: Callable[[], str | None]
    clock: Callable[[], float] = time.monotonic
    store: Store | None = None
    profile: str = "default"
    prompts: bool = True
    timed: bool = False
    limit: float | None = None
    hidden: bool = True
    #: The player's rating before the first and after the last rated puzzle.
    ratings: tuple[Rating, Rating] | None = None
    wrong: int = 0
    #: Whether the last answer was right; None where no script may ask about it (any more).
    last: bool | None = None

    def say(self, text: str, *, err: bool = False) -> None:
        """Write lines, folded where they are wider than the screen."""
        from sniffcli.show.folding import fitted

        click.echo(fitted(text, self.look.width), err=err)


@click.command("play")
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option(
    "--family", "families", multiple=True, metavar="NAME", help="Counting drills of this family."
)
@click.option("--counting", is_flag=True, help="Only counting drills, of every family.")
@click.option("--probe", is_flag=True, help="The fixed probe set by which progress is measured.")
@click.option("--kind", metavar="KIND", help="Only puzzles of this kind, such as best-play.")
@click.option("--theme", metavar="THEME", help="Only puzzles with this theme.")
@click.option("--rules", metavar="NAME", help="Only puzzles of this ruleset.")
@click.option("--number", type=click.IntRange(min=1), metavar="N", help="Stop after N questions.")
@click.option("--timed", is_flag=True, help="Show how long each answer took.")
@click.option(
    "--limit", type=click.FloatRange(min=0.1), metavar="SECONDS", help="Time for each answer."
)
@click.option(
    "--counter",
    type=click.Choice(["hidden", "visible"]),
    default="hidden",
    show_default=True,
    help="Whether the sum of the ends is shown with the table.",
)
@click.option("--profile", metavar="NAME", help="Whose progress this is.  [default: default]")
@click.option("--script", metavar="FILE", help="Type the lines of FILE, then leave.")
@click.option("--answers", metavar="FILE", help="Check the answers of FILE: lines of ID: ANSWER.")
@seed_option
@click.pass_context
def play(
    ctx: click.Context,
    paths: tuple[str, ...],
    families: tuple[str, ...],
    counting: bool,
    probe: bool,
    kind: str | None,
    theme: str | None,
    rules: str | None,
    number: int | None,
    timed: bool,
    limit: float | None,
    counter: str,
    profile: str | None,
    script: str | None,
    answers: str | None,
    seed: int | None,
) -> Status:
    """Solve the puzzles of the files PATH... (default: those that come with sniff).

    At a terminal, spaced repetition chooses what to ask and your progress is kept. With --script,
    --answers or input from a pipe, puzzles come in the order of their files, nothing is kept
    (unless --profile names one), and the exit status is 1 if an answer was wrong. A script may say
    `expect right` or `expect wrong` behind an answer.
    """
    from sniffcli.cli.puzzle_check import read_all
    from sniffcli.cli.puzzle_list import refuse_unknown
    from sniffcli.ruleset.library import scenarios_dir
    from sniffcli.show.style import look_of
    from sniffcli.tutor.drills import Session
    from sniffcli.tutor.store import DEFAULT_PROFILE

    names = _families(families, counting or probe)
    batch = script is not None or answers is not None or not sys.stdin.isatty()
    wanted = paths or (() if names else (str(scenarios_dir() / "puzzles"),))
    files, problems = read_all(wanted)
    puzzles = [
        one
        for file in files
        for one in file.puzzles
        if (kind is None or one.ask == kind)
        and (theme is None or theme in one.themes)
        and (rules is None or one.record.rules.id == rules)
    ]
    report(problems)
    if has_errors(problems):
        return Status.PROBLEMS
    if not puzzles and not names:
        refuse_unknown(files, kind, theme, rules)
        click.echo("sniff: no puzzle is left after --kind, --theme and --rules", err=True)
        return Status.PROBLEMS
    if answers is not None:
        from sniffcli.cli.puzzle_answers import check_answers

        return check_answers(answers, puzzles)
    sitting = Sitting(
        look_of(sys.stdout, color=bool(ctx.color)),
        Session(name=f"{time.time():.3f}"),
        read=Script(script) if script is not None else _typed(not batch),
        prompts=not batch,
        profile=profile or DEFAULT_PROFILE,
        timed=timed or limit is not None,
        limit=limit,
        hidden=counter == "hidden",
    )
    start = random.SystemRandom().getrandbits(31) if seed is None else seed
    if batch and profile is None:
        return _run(sitting, _plain(puzzles, names, probe, start), number, batch)
    from sniffcli.tutor.store import Store, StoreError

    # Where nothing narrows the choice, counting drills of every family belong to it too.
    every = names or _families((), every=not (paths or kind or theme or rules))
    try:
        with Store() as sitting.store:
            if batch or probe:
                return _run(sitting, _plain(puzzles, names, probe, start), number, batch)
            chosen = _scheduled(sitting, puzzles, every, start)
            status = _run(sitting, chosen, number, batch)
            _remind(sitting.store, sitting.profile)
            return status
    except StoreError as problem:
        click.echo(f"sniff: {problem}", err=True)
        return Status.PROBLEMS


def _remind(store: Store, profile: str) -> None:
    from sniffcli.tutor.drill_choice import probe_is_due

    if probe_is_due(store.answers(profile)):
        click.echo("It is time to measure your progress: sniff puzzle play --probe")


def _families(given: tuple[str, ...], every: bool) -> list[str]:
    from sniffcli.problems import did_you_mean
    from sniffcli.tutor.families import BY_NAME

    for name in given:
        if name not in BY_NAME:
            hint = did_you_mean(name, BY_NAME) or f"; the families are {', '.join(BY_NAME)}"
            raise click.UsageError(f'--family: there is no family "{name}"{hint}')
    return list(given) or (list(BY_NAME) if every else [])


def _plain(
    puzzles: list[Puzzle], families: list[str], probe: bool, seed: int
) -> Iterator[Question]:
    """Yield puzzles in order, then items of the families in turn, from a seed."""
    from sniffcli.tutor.drill_choice import in_order, probe_set
    from sniffcli.tutor.drills import item_of

    if probe:
        yield from probe_set(families)
        return
    yield from in_order(puzzles)
    number = seed
    while families:
        for family in families:
            yield item_of(family, number)
        number += 1


def _scheduled(
    sitting: Sitting, puzzles: list[Puzzle], families: list[str], seed: int
) -> Iterator[Question]:
    from sniffcli.tutor.drill_choice import Chooser

    assert sitting.store is not None, "scheduling needs the store"
    chooser = Chooser(sitting.store, sitting.profile, random.Random(seed), families, puzzles)
    while True:
        question = chooser.next(time.time())
        if question is None:
            click.echo("Nothing is due: every puzzle here is known for now.")
            return
        yield question


def _typed(prompts: bool) -> Callable[[], str | None]:
    """Return a reader of the lines that are typed or piped in; None at the end."""

    def ask() -> str | None:
        with suppress(ImportError):
            import readline  # noqa: F401  (gives the question below line editing)
        try:
            return input("> ")
        except EOFError:
            click.echo()
            return None

    def take() -> str | None:
        line: str = sys.stdin.readline()
        return line.rstrip("\r\n") if line else None

    return ask if prompts else take


class Script:
    """The lines of a script, without comments and empty ones, and where the last one stands."""

    def __init__(self, file: str) -> None:
        from sniffcli.files.writing import read_file

        text = sys.stdin.buffer.read() if file == "-" else read_file(file)[0]
        lines = enumerate(text.decode("utf-8-sig", "replace").splitlines(), 1)
        self._left: list[tuple[int, str]] = [
            (number, line.strip())
            for number, line in lines
            if line.strip() and not line.lstrip().startswith("#")
        ]
        self._left.reverse()
        self._file = file
        self.where = file

    def __call__(self) -> str | None:
        """Return the next line, None at the end."""
        if not self._left:
            return None
        number, line = self._left.pop()
        self.where = f"{self._file}:{number}"
        return line


def _expect(sitting: Sitting, words: str) -> None:
    """Hold the last answer against `expect right` or `expect wrong` of a script.

    Raises:
        Stop: it was not as expected.
    """
    where = sitting.read.where if isinstance(sitting.read, Script) else "input"
    wanted = words.split()[1:]
    if wanted not in (["right"], ["wrong"]):
        raise Stop(f"{where}: write expect right or expect wrong")
    if sitting.last is None:
        raise Stop(f"{where}: nothing was answered before")
    real = "right" if sitting.last else "wrong"
    if wanted != [real]:
        raise Stop(f"{where}: expected {wanted[0]}, but the answer was {real}")
    if not sitting.last:
        sitting.wrong -= 1
    sitting.last = None


def _run(
    sitting: Sitting, questions: Iterator[Question], number: int | None, batch: bool
) -> Status:
    """Ask question after question; the sitting can be left at any of them."""
    from sniffcli.tutor.drill_text import summary
    from sniffcli.tutor.store import StoreError

    status = Status.OK
    try:
        for nth, question in enumerate(questions, 1):
            _ask(sitting, question, nth)
            if nth == number:
                break
        _last_expectations(sitting)
    except Stop as stop:
        if str(stop):
            click.echo(f"sniff: {stop}", err=True)
            status = Status.PROBLEMS
    except KeyboardInterrupt:
        click.echo("", err=True)
        if batch:
            raise
    except (ValueError, StoreError) as problem:
        click.echo(f"sniff: {problem}", err=True)
        status = Status.PROBLEMS
    sitting.say(summary(sitting.session, sitting.ratings))
    return Status.PROBLEMS if batch and sitting.wrong else status


def _last_expectations(sitting: Sitting) -> None:
    """Read what a script expects of the last answer; other lines are left over."""
    while isinstance(sitting.read, Script):
        line = sitting.read()
        if line is None:
            return
        if not line.lower().startswith("expect "):
            raise Stop(f"{sitting.read.where}: no question is left for this line")
        _expect(sitting, line.lower())


def _ask(sitting: Sitting, question: Question, nth: int) -> None:
    """Ask one question until it is answered, skipped or given up."""
    from sniffcli.tutor.drill_text import after, hint, shown
    from sniffcli.tutor.drills import AnswerError, form_of, judged, parse_answer

    where = f"{nth}. {question.puzzle.id}" if question.difficulty is not None else f"{nth}."
    sitting.say(f"\n{where}")
    sitting.say(shown(question, sitting.look, hidden_sum=sitting.hidden))
    began = sitting.clock()
    hints = 0
    while True:
        line = sitting.read()
        if line is None:
            raise Stop
        words = line.strip()
        match words.lower():
            case "":
                continue
            case "quit" | "exit" | "q":
                raise Stop
            case "help" | "?":
                sitting.say(f"{HELP}\nThe answer is {form_of(question)}.")
            case "hint":
                sitting.say(hint(question, hints))
                hints += 1
            case "board":
                sitting.say(shown(question, sitting.look, hidden_sum=sitting.hidden))
            case "counter":
                sitting.say(shown(question, sitting.look, hidden_sum=False))
                hints += 1
            case "skip":
                return
            case words_ if words_.startswith("expect "):
                _expect(sitting, words_)
            case "show":
                _shown_up(sitting, question)
                return
            case _:
                try:
                    given = parse_answer(question, words)
                except AnswerError as problem:
                    sitting.say(str(problem), err=not sitting.prompts)
                    sitting.wrong += not sitting.prompts
                    continue
                seconds = sitting.clock() - began
                late = sitting.limit is not None and seconds > sitting.limit
                verdict = judged(question, given, late=late)
                _keep(sitting, question, verdict, seconds, hints)
                told = seconds if sitting.timed else None
                sitting.say(after(question, verdict, sitting.look, told))
                return


def _shown_up(sitting: Sitting, question: Question) -> None:
    """Show the solution to somebody who gives up; it counts as no answer."""
    from sniffcli.tutor.drill_text import after
    from sniffcli.tutor.drills import Verdict

    sitting.wrong += 1
    sitting.say(after(question, Verdict(False, "-", gave_up=True), sitting.look, None))


def _keep(
    sitting: Sitting, question: Question, verdict: Verdict, seconds: float, hints: int
) -> None:
    """Count an answer and keep it."""
    from sniffcli.tutor.drills import kept_as
    from sniffcli.tutor.schedule import keep

    sitting.session.note(question, verdict.right)
    sitting.last = verdict.right
    sitting.wrong += not verdict.right
    if sitting.store is None:
        return
    answered = kept_as(
        question,
        verdict,
        seconds=seconds if sitting.prompts else None,
        hints=hints,
        hidden=sitting.hidden,
        at=time.time(),
        session=sitting.session.name,
    )
    changed = keep(sitting.store, sitting.profile, answered, question.difficulty)
    if changed is not None:
        first = changed[0] if sitting.ratings is None else sitting.ratings[0]
        sitting.ratings = first, changed[1]
