"""Reviews as rows: the tables of the report, and the sheets of `--format csv` and `markdown`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sniffcli.show.numbers import NOTHING, counted, decimal, estimate, percent, signed
from sniffcli.show.tables import Cell, Column, markdown, marked, to_csv
from sniffcli.tutor.review import COSTLY, NOT_REACHED, Decision, GameReview, Grade, SeatReview
from sniffcli.tutor.review_claims import ClaimReview

#: Half the width of a 95 % interval in standard errors.
Z95 = 1.96

#: Marks the decisions of a round that left most points on the table.
WORST = "*"

CSV_TITLES = (
    "file round n player played sum points best_score missed_points best_scoring choices "
    "status grade value best best_value loss loss_se win_loss claimed caught_by worlds tags reasons"
).split()

DECISION_COLUMNS = (
    Column("n", right=True),
    Column("player"),
    Column("play"),
    Column("sum", right=True, drop=2),
    Column("choices", right=True, drop=1),
    Column("points", right=True),
    Column("best", right=True, drop=4),
    Column("left", right=True),
    Column("", drop=5),
    Column("best scoring", drop=3),
)
GRADE_COLUMNS = (
    Column("loss", right=True),
    Column("grade", drop=6),
    Column("better", drop=5),
)
SEAT_COLUMNS = (
    Column("player"),
    Column("decisions", right=True),
    Column("points", right=True),
    Column("left", right=True),
    Column("forced", right=True, drop=4),
    Column("draws", right=True, drop=3),
    Column("passes", right=True, drop=2),
    Column("no hand", right=True, drop=1),
)
CLAIM_COLUMNS = (
    Column("missed", right=True, drop=6),
    Column("caught", right=True, drop=6),
    Column("void", right=True, drop=5),
)
LOSS_COLUMNS = (
    Column("loss", right=True),
    Column("a decision", right=True),
    Column("luck", right=True, drop=5),
)


#: Columns that say nothing in a game in which plays do not score.
SCORING = frozenset(["sum", "points", "best", "left", "", "best scoring"])
#: Columns that are left out where nothing stands in them.
OPTIONAL = frozenset(["passes", "no hand", "void", "best scoring", ""])


def is_shown(decision: Decision) -> bool:
    """Whether a decision has a row of its own: forced ones and draws of hidden hands have not."""
    unknown = decision.verdict.status == "unknown_hand" and decision.event.kind == "play"
    return decision.is_real or unknown


def decision_table(
    one: GameReview, decisions: Sequence[Decision], *, unicode: bool
) -> tuple[list[Column], list[list[str]]]:
    """Return some decisions as a table; the most points left on the table are marked."""
    most = max((decision.missed_points or 0 for decision in decisions), default=0)
    rows: list[list[str]] = []
    for decision in decisions:
        missed = decision.missed_points
        row = [
            str(decision.n),
            one.names[decision.seat],
            decision.event.text,
            _whole(decision.event.sum),
            str(len(decision.choices) or NOTHING),
            str(decision.points),
            _whole(decision.best_score),
            _whole(missed) if missed != 0 else "",
            WORST if missed and missed == most else "",
            better(decision) if missed else "",
        ]
        if one.graded:
            row += _graded(decision, unicode)
        rows.append(row)
    return _kept(one, DECISION_COLUMNS + (GRADE_COLUMNS if one.graded else ()), rows)


def _kept(
    one: GameReview, columns: Sequence[Column], rows: Sequence[Sequence[str]]
) -> tuple[list[Column], list[list[str]]]:
    """Return the table without the columns that say nothing in this game."""
    kept = [
        index
        for index, column in enumerate(columns)
        if (one.scores or column.title not in SCORING)
        and (column.title not in OPTIONAL or any(row[index] not in ("", "0") for row in rows))
    ]
    return [columns[k] for k in kept], [[row[k] for k in kept] for row in rows]


def better(decision: Decision) -> str:
    """Name the plays that would have scored most."""
    return ", ".join(choice.text for choice in decision.best_scoring)


def _graded(decision: Decision, unicode: bool) -> list[str]:
    verdict = decision.verdict
    error = None if verdict.loss_se is None else Z95 * verdict.loss_se
    word = verdict.grade or verdict.status.replace("_", " ")
    if verdict.note == NOT_REACHED:
        word = "not reached"
    better_play = "" if verdict.best == decision.event.text else verdict.best or ""
    return [estimate(verdict.loss, error, unicode=unicode), word, better_play]


def _whole(number: int | None) -> str:
    return NOTHING if number is None else str(number)


def seat_table(one: GameReview, *, unicode: bool) -> tuple[list[Column], list[list[str]]]:
    """Return the table per player of one game."""
    columns = (
        SEAT_COLUMNS
        + (CLAIM_COLUMNS if one.needs_claims else ())
        + (LOSS_COLUMNS if one.graded else ())
    )
    rows = [_seat_row(one, seat, unicode) for seat in range(len(one.names))]
    return _kept(one, columns, rows)


def _seat_row(one: GameReview, number: int, unicode: bool) -> list[str]:
    seat: SeatReview = one.seats[number]
    row = [
        one.names[number],
        str(seat.decisions),
        str(seat.points),
        _whole(seat.missed_points),
        str(seat.forced),
        str(seat.draws),
        str(seat.passes),
        str(seat.unknown),
    ]
    if one.needs_claims:
        row += [str(seat.claims_missed), str(seat.claims_caught), str(seat.false_claims)]
    if one.graded:
        error = None if seat.loss_se is None else Z95 * seat.loss_se
        row += [
            estimate(seat.loss, error, unicode=unicode),
            decimal(seat.loss_per_decision, 2),
            signed(seat.luck),
        ]
    return row


def summary_lines(one: GameReview) -> list[str]:
    """Say what each player lost, in how many decisions, and what of the result was luck."""
    if not one.graded:
        return []
    lines = []
    for name, seat in zip(one.names, one.seats, strict=True):
        if seat.loss is None or not seat.decisions:
            continue
        whole = seat.judged == seat.decisions
        of_all = "" if whole else f" that could be judged of {seat.decisions}"
        lines.append(
            f"{name}: {decimal(seat.loss)} points lost in {counted(seat.judged, 'decision')}"
            f"{of_all}, "
            f"{decimal(seat.loss_per_decision, 2)} each, "
            f"{decimal(seat.loss_per_round)} a round over {counted(seat.rounds, 'round')}"
            f"{_graded_words(seat.grades)}."
        )
        if seat.claims_price:
            lines.append(f"{name}: missed claims cost {decimal(seat.claims_price)} more.")
        lines += _shares(name, seat)
    return lines


def _shares(name: str, seat: SeatReview) -> Iterator[str]:
    """Say what the margin of some rounds is made of."""
    if seat.luck is None or seat.skill is None or seat.expected is None:
        return
    yield (
        f"{name}: margin {signed(seat.expected + seat.skill + seat.luck)} over "
        f"{counted(seat.luck_rounds, 'round')} = lead {signed(seat.expected)}, "
        f"skill {signed(seat.skill)}, luck {signed(seat.luck)}."
    )


def _graded_words(grades: Mapping[Grade, int]) -> str:
    """Count the grades that cost something, the heaviest first."""
    costly = [
        counted(grades[grade], grade, "inaccuracies" if grade == "inaccuracy" else None)
        for grade in reversed(COSTLY)
        if grades.get(grade)
    ]
    return f" ({', '.join(costly)})" if costly else ""


def csv_of(reviews: Iterable[GameReview]) -> str:
    """Return every decision of every game as one sheet."""
    return to_csv(CSV_TITLES, [row for one in reviews for row in _csv_rows(one)])


def _csv_rows(one: GameReview) -> Iterator[list[Cell]]:
    claims: dict[tuple[int, int], ClaimReview] = {(c.round, c.n): c for c in one.claims}
    for decision in one.decisions:
        verdict = decision.verdict
        claim = claims.get((decision.round, decision.n))
        caught = None if claim is None or claim.caught_by is None else one.names[claim.caught_by]
        yield [
            one.replay.record.file,
            decision.round,
            decision.n,
            one.names[decision.seat],
            decision.event.text,
            decision.event.sum,
            decision.points,
            decision.best_score,
            decision.missed_points,
            better(decision) if decision.missed_points else None,
            len(decision.choices) or None,
            verdict.status,
            verdict.grade,
            _rounded(verdict.value),
            verdict.best,
            _rounded(verdict.best_value),
            _rounded(verdict.loss),
            _rounded(verdict.loss_se),
            _rounded(verdict.win_loss),
            None if claim is None else claim.claimed,
            caught,
            verdict.worlds,
            " ".join(verdict.tags) or None,
            " ".join(verdict.reasons) or None,
        ]


def _rounded(value: float | None) -> float | None:
    """Return an estimate with the digits that a reader of a sheet can use."""
    return None if value is None else round(value, 4)


def markdown_of(reviews: Iterable[GameReview]) -> str:
    """Return the games as a Markdown document."""
    parts: list[str] = []
    for one in reviews:
        record = one.replay.record
        parts += [f"# {record.file}", f"{record.rules.title}: {', '.join(one.names)}"]
        for played in one.replay.rounds:
            own = [d for d in one.decisions if d.round == played.number and is_shown(d)]
            parts.append(f"## Round {played.number}")
            parts.append(markdown(*decision_table(one, own, unicode=True)))
            parts += _explained(one, own)
        parts += ["## Players", markdown(*seat_table(one, unicode=True))]
        if lines := summary_lines(one):
            parts.append("\n".join(f"- {marked(line)}" for line in lines))
        if one.claims:
            parts += ["## Claims", _claims_markdown(one)]
    return "\n\n".join(parts) + "\n"


def _explained(one: GameReview, decisions: Sequence[Decision]) -> list[str]:
    """Return the costly decisions with their reasons, as Markdown."""
    parts = []
    for decision in decisions:
        if decision.verdict.grade in COSTLY:
            head = f"{decision.n}. {one.names[decision.seat]}: {judged(decision, unicode=True)}"
            lines = [f"**{marked(head)}**", ""]
            lines += [f"- {marked(reason)}" for reason in decision.verdict.told]
            parts.append("\n".join(lines).rstrip())
    return parts


def judged(decision: Decision, *, unicode: bool) -> str:
    """Say what a graded play lost, and to what."""
    verdict = decision.verdict
    error = None if verdict.loss_se is None else Z95 * verdict.loss_se
    lost = estimate(verdict.loss, error, unicode=unicode)
    measure = " by the chance to win," if verdict.driver == "match" else ","
    grade = article(verdict.grade or "")
    text = f"{decision.event.text} is {grade}{measure} {lost} to {verdict.best}"
    if verdict.win_loss is not None and verdict.win_loss >= 0.0005:
        text += f", {percent(verdict.win_loss, 1)} of the match"
    if verdict.tags:
        text += f" ({', '.join(tag.replace('_', ' ') for tag in verdict.tags)})"
    return text


def article(word: str) -> str:
    """Return `a mistake`, `an inaccuracy`."""
    return f"an {word}" if word[:1] in "aeio" else f"a {word}"


def _claims_markdown(one: GameReview) -> str:
    columns = [
        Column("round", right=True),
        Column("n", right=True),
        Column("player"),
        Column("points", right=True),
        Column("what became of it"),
    ]
    rows = [
        [str(c.round), str(c.n), one.names[c.seat], str(c.points), fate(one, c)] for c in one.claims
    ]
    return markdown(columns, rows)


def fate(one: GameReview, claim: ClaimReview) -> str:
    """Say what became of a score that had to be claimed."""
    if claim.claimed is None:
        return "still open at the end of the record"
    if claim.claimed:
        return "claimed"
    if claim.caught_by is not None:
        return f"caught by {one.names[claim.caught_by]}"
    return "missed"
