"""A game file with a comment line at each graded move; nothing else in it changes."""

from __future__ import annotations

from collections.abc import Iterator

from sniffcli.show.numbers import decimal, percent
from sniffcli.tutor.review import Decision, GameReview
from sniffcli.tutor.review_rows import Z95, article

#: What the comments begin with; those of an earlier analysis are replaced.
SIGN = "# sniff: "


def annotated(text: str, one: GameReview) -> str:
    """Return the text of a game file with its verdicts as comments.

    A move stands on the line on which the file has it; several moves on one line get their
    comments above it in their order.
    """
    comments: dict[int, list[str]] = {}
    for place, comment in _comments(one):
        comments.setdefault(place, []).append(comment)
    lines: list[str] = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        if number in comments:
            while lines and lines[-1].lstrip().startswith(SIGN):
                lines.pop()
            indent = line[: len(line) - len(line.lstrip(" "))]
            lines += [f"{indent}{SIGN}{comment}" for comment in comments[number]]
        lines.append(line)
    return "\n".join(lines) + "\n"


def _comments(one: GameReview) -> Iterator[tuple[int, str]]:
    marks = {
        (played.number, step.event.n): step.mark.line
        for played in one.replay.rounds
        for step in played.steps
    }
    for decision in one.decisions:
        if decision.verdict.loss is not None:
            text = f"{decision.event.text}: {verdict_text(decision)}"
            yield marks[decision.round, decision.n], text


def verdict_text(decision: Decision) -> str:
    """Say a verdict in a line, in plain letters."""
    verdict = decision.verdict
    if verdict.best == decision.event.text:
        return "the best choice"
    error = f" +/-{decimal(Z95 * verdict.loss_se)}" if verdict.loss_se else ""
    lost = f"{decimal(verdict.loss)}{error}"
    if verdict.grade is None:
        return f"too close to tell from {verdict.best} ({lost})"
    text = f"{article(verdict.grade)}, loses {lost} to {verdict.best}"
    if verdict.win_loss is not None and verdict.win_loss >= 0.0005:
        text += f", {percent(verdict.win_loss, 1)} of the match"
    return text
