"""The report as one page for a browser: table, choices, reasons and match chance, move by move.

Everything is in the page; it loads nothing from anywhere. Without scripts every decision is shown,
one below the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from sniffcli.files.replay import Step
from sniffcli.game.actions import Play
from sniffcli.show.numbers import decimal, percent, signed
from sniffcli.show.svg import svg
from sniffcli.show.tables import Column
from sniffcli.tutor.report_chance import chance_graph
from sniffcli.tutor.review import COSTLY, Decision, GameReview
from sniffcli.tutor.review_rows import Z95, fate, seat_table, summary_lines
from sniffcli.tutor.review_text import how_it_ended

#: Where the style and the script lie.
DATA = Path(__file__).with_name("data")

#: What the page may do: nothing but show itself.
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'"
)

BUTTONS = (
    ("first", "First"),
    ("back", "Back"),
    ("next", "Next"),
    ("last", "Last"),
    ("worseback", "Mistake before"),
    ("worse", "Next mistake"),
)


def page(reviews: Sequence[GameReview], language: str = "en") -> str:
    """Return the page of some reviewed games, whose reasons are told in LANGUAGE."""
    title = ", ".join(Path(one.replay.record.file).name for one in reviews) or "no game"
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">',
            f"<title>sniff analyze: {escape(title)}</title>",
            f"<style>\n{(DATA / 'report.css').read_text('utf-8')}</style>",
            "<noscript><style>.moment { display: block; } .buttons { display: none; }</style>"
            "</noscript>",
            "</head>",
            "<body>",
            "<main>",
            *(
                line
                for number, one in enumerate(reviews, 1)
                for line in _game(one, number, language)
            ),
            "</main>",
            f"<script>\n{(DATA / 'report.js').read_text('utf-8')}</script>",
            "</body>",
            "</html>",
            "",
        ]
    )


def _game(one: GameReview, number: int, language: str) -> Iterator[str]:
    record = one.replay.record
    yield f'<section data-game="{number}">'
    yield f"<h1>{escape(' against '.join(one.names))}</h1>"
    facts = [record.rules.title, record.file, record.date, record.place]
    yield f'<p class="soft">{escape(", ".join(fact for fact in facts if fact))}</p>'
    yield '<div class="card scroll"><h2>Players</h2>'
    yield from _table(*seat_table(one, unicode=True))
    for line in summary_lines(one):
        yield f'<p class="soft">{escape(line)}</p>'
    yield "</div>"
    shown = moments_of(one)
    graph = chance_graph(one, [decision for decision, _ in shown])
    if graph:
        yield f'<div class="card"><h2>{escape(graph.title)}</h2>{graph.svg}</div>'
    if shown:
        yield '<div class="viewer">'
        yield '<nav class="card moves" aria-label="Decisions">'
        yield from _list(one, number, shown)
        yield "</nav>"
        yield '<div class="card shows">'
        yield '<div class="buttons">'
        for does, label in BUTTONS:
            yield f'<button type="button" data-do="{does}">{label}</button>'
        yield "</div>"
        yield (
            '<p class="soft keys">Keys: <kbd>←</kbd> <kbd>→</kbd> one decision, <kbd>p</kbd> '
            "<kbd>n</kbd> to a mistake, <kbd>Home</kbd> <kbd>End</kbd>.</p>"
        )
        yield '<div aria-live="polite">'
        for decision, step in shown:
            yield from _moment(one, number, decision, step, language)
        yield "</div></div></div>"
    if one.claims:
        yield '<div class="card"><h2>Claims</h2><ul>'
        for claim in one.claims:
            text = (
                f"Round {claim.round}, {claim.n}: {one.names[claim.seat]}'s {claim.points}: "
                f"{fate(one, claim)}"
            )
            yield f"<li>{escape(text)}</li>"
        yield "</ul></div>"
    yield "</section>"


def moments_of(one: GameReview) -> list[tuple[Decision, Step]]:
    """Return every decision that there was, with its step of the record."""
    steps = {
        (played.number, step.event.n): step for played in one.replay.rounds for step in played.steps
    }
    return [
        (decision, steps[decision.round, decision.n])
        for decision in one.decisions
        if decision.is_real
    ]


def _list(one: GameReview, number: int, shown: Sequence[tuple[Decision, Step]]) -> Iterator[str]:
    last = 0
    for decision, _ in shown:
        if decision.round != last:
            last = decision.round
            yield f"<h3>Round {last}</h3>"
        yield (
            f'<a href="#{_anchor(number, decision)}">'
            f'<span class="who">{escape(one.names[decision.seat])}</span>'
            f'<span class="play">{escape(decision.event.text)}</span>{_grade(decision)}</a>'
        )


def _anchor(number: int, decision: Decision) -> str:
    return f"g{number}-r{decision.round}-{decision.n}"


def _grade(decision: Decision) -> str:
    verdict = decision.verdict
    if verdict.grade is None:
        return '<span class="grade none">too close</span>' if verdict.loss is not None else ""
    return f'<span class="grade {verdict.grade}">{verdict.grade}</span>'


def _moment(
    one: GameReview, number: int, decision: Decision, step: Step, language: str
) -> Iterator[str]:
    verdict, name = decision.verdict, one.names[decision.seat]
    costly = ' data-costly="1"' if verdict.grade in COSTLY else ""
    yield f'<article class="moment" id="{_anchor(number, decision)}"{costly}>'
    yield (
        f"<h2>Round {decision.round}, {decision.n}. {escape(name)}: "
        f"{escape(decision.event.text)} {_grade(decision)}</h2>"
    )
    after = step.state
    laid = len(after.layout.placed) - 1 if decision.event.kind == "play" else None
    yield '<div class="board">'
    yield svg(after.rules, after.layout, after.frontier, width=620, last=laid)
    yield "</div>"
    yield '<ul class="hand" aria-label="Hand before the play">'
    made = step.event.tile if isinstance(step.event.action, Play) else None
    for tile in sorted(step.before.hands[decision.seat].tiles, reverse=True):
        mark = ' class="made"' if tile == made else ""
        yield f"<li{mark}>{tile}</li>"
    yield "</ul>"
    for line in _told(one, decision):
        yield f"<p>{_text(line)}</p>"
    if verdict.reasons:
        yield f'<p>{_text(_contrast(decision))}</p><ul lang="{language}">'
        for reason in verdict.told:
            yield f"<li>{_text(reason)}</li>"
        yield "</ul>"
    if verdict.options:
        yield '<div class="scroll">'
        yield from _choices(decision)
        yield "</div>"
    played = one.replay.rounds[decision.round - 1]
    if played.steps and played.steps[-1].event.n == decision.n:
        yield f'<p class="soft">{escape(how_it_ended(one, played))}</p>'
    yield "</article>"


def _text(line: str) -> str:
    """Return a sentence for the page; tiles and percents are never broken over two lines."""
    tiles = re.sub(r"\b\d+-\d+\b", r'<span class="t">\g<0></span>', escape(line))
    return re.sub(r"(\d) %", r"\1&nbsp;%", tiles)


def _told(one: GameReview, decision: Decision) -> Iterator[str]:
    """Yield what was found out about a decision, in sentences."""
    verdict, event = decision.verdict, decision.event
    text = "" if event.sum is None else f"Sum {event.sum}. "
    if one.scores:
        text += f"Points {decision.points}"
        if decision.missed_points:
            text += f", best score {decision.best_score}"
        text += "."
    if text:
        yield text
    if verdict.note:
        yield f"Not judged: {verdict.note}."
    if verdict.loss is None:
        return
    if verdict.best == event.text:
        yield "The best choice."
    elif verdict.grade is None:
        yield (
            f"Too close to tell from {verdict.best} on {verdict.worlds:,} deals: "
            f"{_estimate(verdict.loss, verdict.loss_se)} points."
        )
    else:
        yield f"Loses {_estimate(verdict.loss, verdict.loss_se)} points to {verdict.best}."
    if verdict.win is not None and verdict.best_win is not None:
        chance = f"Chance to win the match {percent(verdict.win, 1)}"
        if verdict.best_win - verdict.win >= 0.0005:
            chance += f", with {verdict.best} {percent(verdict.best_win, 1)}"
        yield chance + "."
    if verdict.driver == "match":
        yield "This round is likely to end the match, so the chance to win it decides."
    if verdict.tags:
        yield f"Remark: {', '.join(tag.replace('_', ' ') for tag in verdict.tags)}."


def _contrast(decision: Decision) -> str:
    verdict = decision.verdict
    if verdict.best == decision.event.text:
        return f"Against the next best, {verdict.against}:"
    return f"What {verdict.best} gains:"


def _estimate(value: float, error: float | None) -> str:
    return decimal(value) if not error else f"{decimal(value)} ±{decimal(Z95 * error)}"


def _choices(decision: Decision) -> Iterator[str]:
    """Yield the table of choices, best first, the one made marked."""
    wins = any(option.win is not None for option in decision.verdict.options)
    heads = ["choice", "points", "margin", "loss"] + (["match"] if wins else [])
    yield "<table><thead><tr>"
    yield "".join(
        f'<th scope="col"{"" if k == 0 else " class=n"}>{head}</th>' for k, head in enumerate(heads)
    )
    yield "</tr></thead><tbody>"
    for option in decision.verdict.options:
        made = ' class="made"' if option.play == decision.choice_text else ""
        cells = [
            str(option.points),
            signed(option.value),
            _estimate(option.loss, option.loss_se) if option.loss else "best",
        ]
        if wins:
            cells.append(percent(option.win, 1))
        row = "".join(f'<td class="n">{escape(cell)}</td>' for cell in cells)
        yield f"<tr{made}><td>{escape(option.play)}</td>{row}</tr>"
    yield "</tbody></table>"


def _table(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield "<table><thead><tr>"
    for column in columns:
        yield f'<th scope="col"{" class=n" if column.right else ""}>{escape(column.title)}</th>'
    yield "</tr></thead><tbody>"
    for row in rows:
        cells = "".join(
            f"<td{' class=n' if column.right else ''}>{escape(cell)}</td>"
            for column, cell in zip(columns, row, strict=True)
        )
        yield f"<tr>{cells}</tr>"
    yield "</tbody></table>"
