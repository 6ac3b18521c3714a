"""The review of a game as a report for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sniffcli.files.replay import RoundReplay
from sniffcli.show.folding import fold
from sniffcli.show.numbers import counted, decimal, signed
from sniffcli.show.style import Look
from sniffcli.show.table import draw
from sniffcli.show.tables import Column, table
from sniffcli.tutor.calibration import LEAST, calibration_of
from sniffcli.tutor.report_chance import course_of
from sniffcli.tutor.review import COSTLY, NOT_REACHED, Decision, GameReview
from sniffcli.tutor.review_claims import ClaimReview
from sniffcli.tutor.review_players import (
    MISTAKE_COLUMNS,
    PLAYER_COLUMNS,
    mistake_rows,
    player_lines,
    player_rows,
    players_of,
)
from sniffcli.tutor.review_rows import (
    WORST,
    decision_table,
    fate,
    is_shown,
    judged,
    seat_table,
    summary_lines,
)

#: The least width and number of decisions for which the course of a round is drawn.
PLOT_WIDTH = 60
PLOT_LEAST = 6


def report(reviews: Sequence[GameReview], look: Look) -> str:
    """Return the reports of all games one after the other."""
    parts = ["\n".join(_game(one, look)) for one in reviews]
    if len(reviews) > 1 and any(one.graded for one in reviews):
        parts.append("\n".join(_all_games(reviews, look)))
    return "\n\n".join(parts)


def _all_games(reviews: Sequence[GameReview], look: Look) -> Iterator[str]:
    """Yield every player over all games, and the worst mistakes of each."""
    players = players_of(reviews)
    yield look.bold(f"All {len(reviews)} games")
    yield from _table(PLAYER_COLUMNS, player_rows(players, unicode=look.unicode), look)
    for line in player_lines(players):
        yield from _wrapped(line, look)
    for one in players:
        rows = mistake_rows(one, unicode=look.unicode)
        if rows:
            yield ""
            yield look.bold(f"{one.name}: the worst first")
            yield from _table(MISTAKE_COLUMNS, rows, look)


def _game(one: GameReview, look: Look) -> Iterator[str]:
    record, replay = one.replay.record, one.replay
    yield look.bold(record.file)
    target = record.setup.target
    sides = _sides(one)
    who = " against ".join(sides) if len(sides) == 2 else ", ".join(sides)
    parts = [record.rules.title, who, counted(len(replay.rounds), "round")]
    if target is not None:
        parts.append(f"to {target}")
    yield from _wrapped(", ".join(parts), look)
    if record.date or record.place:
        yield from _wrapped(", ".join(filter(None, (record.date, record.place))), look)
    if one.not_reached:
        text = "The analysis was stopped; {} not graded."
        left = counted(one.not_reached, "decision is", "decisions are")
        yield from _wrapped(text.format(left), look)
    for played in replay.rounds:
        yield ""
        yield from _round(one, played, look)
    yield ""
    yield from _ending(one, look)
    yield from _players(one, look)


def _sides(one: GameReview) -> list[str]:
    setup = one.replay.record.setup
    return [
        " and ".join(one.names[seat] for seat in setup.members(side))
        for side in range(setup.side_count)
    ]


def _round(one: GameReview, played: RoundReplay, look: Look) -> Iterator[str]:
    title = f"Round {played.number}"
    start, end = played.start, played.end
    if start is None or end is None:
        yield look.bold(title)
        yield from _wrapped("This round could not be started; see the problems.", look)
        return
    verb = "moves first" if start.layout.placed else "leads"
    yield look.bold(f"{title}: {one.names[start.leader]} {verb}")
    yield ""
    rules = start.rules
    yield draw(
        rules,
        end.layout,
        end.frontier,
        width=look.width,
        unicode=look.unicode,
        color=look.color,
    )
    yield ""
    yield from _wrapped(how_it_ended(one, played), look)
    yield ""
    own = [decision for decision in one.decisions if decision.round == played.number]
    yield from _decisions(one, own, look)
    yield from _explained(one, own, look)
    yield from _course(one, played.number, look)
    claims = [claim for claim in one.claims if claim.round == played.number]
    yield from _claims(one, claims, look)


def how_it_ended(one: GameReview, played: RoundReplay) -> str:
    """Say how a round ended, what it paid and how the match stands."""
    names, setup = one.names, one.replay.record.setup
    result = played.result
    if played.how == "invalid":
        text = "The record is wrong here, so the round is reviewed up to its first wrong action."
    elif result is None:
        text = "The round is not finished."
    else:
        winners = " and ".join(names[seat] for seat in result.winners)
        closer = "Nobody" if result.closer is None else names[result.closer]
        text = {
            "out": f"{closer} went out.",
            "blocked": f"Blocked; {winners} won." if winners else "Blocked; nobody won.",
            "target": f"{winners} reached the target.",
            "resigned": f"{winners} won, the other side resigned.",
        }[result.how]
        if result.bonus is None:
            text += " What that pays is hidden with the hands."
        else:
            paid = [
                f"{' and '.join(names[seat] for seat in setup.members(side))} {signed(points, 0)}"
                for side, points in enumerate(result.bonus)
                if points
            ]
            text += f" Paid: {', '.join(paid)}." if paid else ""
    known = [score for score in played.scores if score is not None]
    if len(known) == setup.side_count:
        scores = ", ".join(
            f"{' and '.join(names[seat] for seat in setup.members(side))} {score}"
            for side, score in enumerate(known)
        )
        text += f" Score: {scores}."
    return text


def _decisions(one: GameReview, own: Sequence[Decision], look: Look) -> Iterator[str]:
    shown = [decision for decision in own if is_shown(decision)]
    if shown:
        columns, rows = decision_table(one, shown, unicode=look.unicode)
        yield from _table(columns, rows, look)
    elif own:
        yield "There was nothing to decide."
    yield from _wrapped(_not_decided(own), look)


def _explained(one: GameReview, own: Sequence[Decision], look: Look) -> Iterator[str]:
    """Yield what the costly decisions of a round lost, and why."""
    for decision in own:
        if decision.verdict.note and decision.verdict.note != NOT_REACHED:
            head = f"{decision.n}. {one.names[decision.seat]}: {decision.event.text}"
            yield from _wrapped(f"{head} is not judged: {decision.verdict.note}.", look)
    costly = [decision for decision in own if decision.verdict.grade in COSTLY]
    for decision in costly:
        yield ""
        head = f"{decision.n}. {one.names[decision.seat]}: "
        text = head + judged(decision, unicode=look.unicode)
        yield from (look.bold(line) for line in fold(text, look.width))
        for reason in decision.verdict.told:
            yield from _wrapped(f"  {reason}", look)


def _course(one: GameReview, number: int, look: Look) -> Iterator[str]:
    """Yield the graph of the margin to expect, where there is room and enough to show."""
    points = course_of(one, number) if one.graded and look.width >= PLOT_WIDTH else []
    if len(points) < PLOT_LEAST:
        return
    from sniffcli.show.plots import line_plot

    setup = one.replay.record.setup
    side = " and ".join(one.names[seat] for seat in setup.members(0))
    yield ""
    numbers, values = zip(*points, strict=True)
    yield line_plot(f"margin of {side} to expect, by the number of the play", values, look, numbers)


def _not_decided(own: Sequence[Decision]) -> str:
    """Count what was no decision."""
    forced = [one for one in own if one.verdict.status == "forced"]
    unknown = sum(one.verdict.status == "unknown_hand" for one in own)
    kinds = {
        kind: sum(one.event.kind == kind for one in forced) for kind in ("play", "draw", "pass")
    }
    parts = []
    if kinds["play"]:
        parts.append(counted(kinds["play"], "play"))
    if kinds["draw"]:
        parts.append(counted(kinds["draw"], "draw"))
    if kinds["pass"]:
        parts.append(counted(kinds["pass"], "pass", "passes"))
    text = f"Forced: {', '.join(parts)}." if parts else ""
    if unknown:
        text += f" Hand not known: {counted(unknown, 'action')}."
    return text.strip()


def _claims(one: GameReview, claims: Sequence[ClaimReview], look: Look) -> Iterator[str]:
    if not claims:
        return
    claimed = sum(claim.claimed is True for claim in claims)
    yield from _wrapped(f"Claimed: {claimed} of {counted(len(claims), 'score')}.", look)
    for claim in claims:
        if claim.claimed is not True:
            name = one.names[claim.seat]
            text = f"  {claim.n}. {name}'s {claim.points}: {fate(one, claim)}"
            yield from _wrapped(text, look)


def _ending(one: GameReview, look: Look) -> Iterator[str]:
    won = one.replay.winners
    if won:
        yield from _wrapped(f"{' and '.join(one.names[seat] for seat in won)} won the match.", look)
        yield ""


def _players(one: GameReview, look: Look) -> Iterator[str]:
    columns, rows = seat_table(one, unicode=look.unicode)
    yield look.bold("Players")
    yield from _table(columns, rows, look)
    lines = summary_lines(one)
    if lines:
        yield ""
    for line in lines:
        yield from _wrapped(line, look)
    if one.graded:
        yield ""
        yield from _wrapped(_method(one, look), look, dim=True)
        used = {tag for decision in one.decisions for tag in decision.verdict.tags}
        for tag, meaning in TAGS.items():
            if tag in used:
                yield from _wrapped(f"{tag.replace('_', ' ')}: {meaning}.", look, dim=True)
        if any(seat.luck is not None for seat in one.seats):
            yield from _wrapped(_SHARES, look, dim=True)
    if not one.scores:
        return
    yield ""
    yield from _wrapped(
        "left: points left on the table, the best score of the turn less the points made; "
        f"{WORST} marks the most in a round. Holding points back can be the better play.",
        look,
        dim=True,
    )


def _method(one: GameReview, look: Look) -> str:
    """Say how the grades were made and what they are."""
    sign = "±" if look.unicode else "+/-"
    worlds = max((d.verdict.worlds or 0 for d in one.decisions), default=0)
    if not worlds:
        return "Nothing could be graded: a grade needs the hand of the seat, and a choice."
    calibration = calibration_of(one.replay.record.setup)
    bands = ", ".join(f"{grade} {decimal(calibration.threshold(grade))}" for grade, _ in LEAST)
    near = any(d.verdict.driver == "match" and d.is_real for d in one.decisions)
    return (
        f"loss: points of margin less than the best choice brings, on up to {worlds:,} deals "
        f"that agree with what the player knew, played out by highest score; {sign} is the 95 % "
        f"interval, and what includes zero is not established. From: {bands}. Forced plays are no "
        "decisions."
        f"{NEAR_END if near else ''}"
    )


#: What the remarks beside a grade mean.
TAGS = {
    "missed_win": "the best choice would have made sure of the match",
    "gave_away": "with the best choice the match was likely to be won, and now it is not",
    "missed_points": "a score was not claimed in time",
    "unpunished": "at the table it came to no less than the best choice does on average",
}

NEAR_END = (
    " Where most deals end the match, a loss is the chance to win that is lost, put in points as "
    "it would cost them at an even score; the reasons are in points of the round."
)
_SHARES = (
    "margin: own points less those of the others. lead: what leading a round, or not, is worth; "
    "skill: what the others lost by their choices less one's own losses; luck: the rest, tiles "
    "above all."
)


def _table(columns: Sequence[Column], rows: Sequence[Sequence[str]], look: Look) -> Iterator[str]:
    lines = table(columns, rows, look.width).splitlines()
    yield look.style(lines[0], underline=True) if look.color else lines[0]
    for line in lines[1:]:
        yield look.style(line, fg="yellow") if f" {WORST}" in line else line


def _wrapped(text: str, look: Look, *, dim: bool = False) -> Iterator[str]:
    first = text[: len(text) - len(text.lstrip())]
    later = f"{first}  " if first else ""
    for line in fold(text.lstrip(), look.width, first, later):
        yield look.dim(line) if dim else line
