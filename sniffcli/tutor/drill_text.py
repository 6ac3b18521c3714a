"""Drills in words: the position as it is shown, and what is said after an answer."""

from __future__ import annotations

from collections.abc import Sequence

from sniffcli.files.puzzles import NUMBERS, answer_text
from sniffcli.show.folding import fold
from sniffcli.show.numbers import counted, decimal, percent, signed
from sniffcli.show.style import Look
from sniffcli.show.table import draw
from sniffcli.show.tables import Column, table
from sniffcli.tutor.drill_errors import MISTAKES
from sniffcli.tutor.drills import Question, Session, Verdict, asked_in_words
from sniffcli.tutor.puzzle_words import reasons_of, worth_in_words
from sniffcli.tutor.puzzles import Option, sum_written_out
from sniffcli.tutor.store import Rating

#: Most plays that are listed after an answer.
MOST_LISTED = 8


def shown(question: Question, look: Look, *, hidden_sum: bool = True) -> str:
    """Return the position and the question; HIDDEN_SUM keeps the sum of the ends for later."""
    state, puzzle = question.state, question.puzzle
    lines = [look.bold(state.rules.title)]
    if any(state.scores):
        scores = state.setup.by_name(state.scores)
        lines.append("Score: " + ", ".join(f"{name} {points}" for name, points in scores.items()))
    told = _events(question)
    if told:
        lines += fold(told, look.width, later="  ")
    lines += ["", _drawn(question, look, hidden_sum=hidden_sum), ""]
    if puzzle.ask in ("points", "claim"):
        lines.append(f"Last tile: {state.layout.placed[-1].tile}")
    if puzzle.ask not in ("count", "points", "claim"):
        lines += _hands(question, look)
    lines += fold(asked_in_words(question), look.width)
    return "\n".join(lines)


def _drawn(question: Question, look: Look, *, hidden_sum: bool) -> str:
    state = question.state
    return draw(
        state.rules,
        state.layout,
        state.frontier,
        width=look.width,
        unicode=look.unicode,
        hidden_sum=hidden_sum,
        color=look.color,
    )


def _events(question: Question) -> str:
    """Return what happened before, where it tells about hidden hands."""
    state = question.state
    if not any(hand.unknown for hand in state.hands) or not state.events:
        return ""
    names = state.setup.names
    return "So far: " + ", ".join(f"{names[event.seat]} {event.text}" for event in state.events)


def _hands(question: Question, look: Look) -> list[str]:
    state = question.state
    lines = []
    for name, hand in zip(state.setup.names, state.hands, strict=True):
        shown = " ".join(str(tile) for tile in sorted(hand.tiles))
        if hand.unknown:
            shown = f"{shown} and {hand.unknown} more" if shown else counted(hand.unknown, "tile")
        lines += fold(f"{name}: {shown or 'no tile'}", look.width)
    if state.drawable:
        order = " ".join(str(tile) for tile in state.boneyard.known)
        if order and not state.boneyard.unknown:
            lines += fold(f"Boneyard, in drawing order: {order}", look.width)
        elif state.all_known:
            rest = " ".join(str(tile) for tile in sorted(state.unseen()))
            lines += fold(f"Boneyard, in any order: {rest}", look.width)
        else:
            lines.append(f"Boneyard: {counted(state.boneyard.size, 'tile')}")
    return lines


def after(question: Question, verdict: Verdict, look: Look, seconds: float | None) -> str:
    """Return what is said after an answer: right or wrong, the sum, the table and why."""
    puzzle, state = question.puzzle, question.state
    head = "Right" if verdict.right else "Too late" if verdict.late else "Wrong"
    if verdict.gave_up:
        head = "Not solved"
    if seconds is not None:
        head += f", {seconds:.1f} s"
    right = answer_text(question.finding.right[0])
    others = [answer_text(one) for one in question.finding.right[1:]]
    if not verdict.right:
        head += f". Right is {right}" + "".join(f" or {one}" for one in others)
        if verdict.mistake is not None:
            head += f"; this looks like {MISTAKES[verdict.mistake]}"
    lines = fold(head + ".", look.width)
    if puzzle.ask in NUMBERS and puzzle.ask != "value":
        total = sum_written_out(state)
        if total not in puzzle.explanation:
            lines += fold(total + ".", look.width)
            if puzzle.ask != "count":
                lines += fold(_capital(worth_in_words(state)) + ".", look.width)
    if puzzle.ask != "holds":
        lines += ["", _drawn(question, look, hidden_sum=False), ""]
    lines += _plays(question, verdict, look)
    if puzzle.explanation:
        lines += fold(puzzle.explanation, look.width)
    return "\n".join(lines)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _plays(question: Question, verdict: Verdict, look: Look) -> list[str]:
    """Return the choices with what they are worth, and why the chosen one loses."""
    options = question.finding.options
    if not options or question.puzzle.ask == "legal-plays":
        return []
    valued = options[0].value is not None
    rows = [_option_row(one, valued) for one in options[:MOST_LISTED]]
    columns = [Column("play"), Column("sum", True, 1), Column("points", True)]
    if valued:
        columns += [Column("margin", True), Column("loses", True), Column("", drop=2)]
    lines = [table(columns, rows, look.width)]
    best, chosen = options[0], verdict.chosen
    if len(best.line) > 1:
        lines += fold(f"Solution: {', '.join(best.line)}.", look.width)
    if chosen is not None and chosen.loss and not verdict.right:
        text = f"Your {chosen.text} loses {decimal(chosen.loss)} points{reasons_of(chosen)}"
        if len(chosen.line) > 1:
            text += f": {', '.join(chosen.line)}"
        lines += fold(text + ".", look.width)
    return [*lines, ""]


def _option_row(option: Option, valued: bool) -> tuple[str, ...]:
    total = "" if option.sum is None else str(option.sum)
    row: tuple[str, ...] = (option.text, total, str(option.points))
    if not valued:
        return row
    loss = decimal(option.loss) if option.loss else ""
    error = f"+/-{decimal(2 * option.loss_se)}" if option.loss and option.loss_se else ""
    return (*row, signed(option.value), loss, error)


def summary(session: Session, ratings: tuple[Rating, Rating] | None) -> str:
    """Return how a sitting went."""
    if not session.asked:
        return "No question was answered."
    share = percent(session.right / session.asked)
    text = f"{session.right} of {counted(session.asked, 'answer')} right ({share})"
    if session.best_streak > 1:
        text += f", longest streak {session.best_streak}"
    if ratings is not None:
        before, now = ratings
        change = signed(now.rating - before.rating, 0)
        text += f". Rating {now.rating:.0f} +/-{2 * now.deviation:.0f} ({change})"
    return text + "."


def hint(question: Question, nth: int) -> str:
    """Return hint number NTH from 0, or say that there is no more."""
    hints: Sequence[str] = question.puzzle.hints
    if nth < len(hints):
        return hints[nth]
    return "There are no more hints; answer, `skip`, or `show` for the solution."
