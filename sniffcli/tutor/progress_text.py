"""Progress as text, as plain data and as rows for a spreadsheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from sniffcli.files.profile import Profile
from sniffcli.show.numbers import counted, decimal, percent, signed
from sniffcli.show.plots import line_plot
from sniffcli.show.style import Look
from sniffcli.show.tables import Cell, Column, table, to_csv
from sniffcli.tutor.drill_errors import MISTAKES
from sniffcli.tutor.progress import FamilyProgress, Progress, Share
from sniffcli.tutor.progress_games import GameFigures

#: Days with answers that a plot needs.
LEAST_PLOTTED = 3


def drills_text(found: Progress, look: Look) -> str:
    """Return the progress in drills and puzzles."""
    if not found.overall.total and not found.probes:
        text = f"No answer is kept for {found.profile} yet; `sniff puzzle play` asks questions."
        return look.folded(text)
    lines = [look.folded(_head(found)), ""]
    if found.families:
        lines += [families_table(found.families, look), ""]
        weak = [one for one in found.families if one.weak]
        if weak:
            lines += [look.folded(f"Weakest by more than chance: {weak[0].title}."), ""]
    if found.hits.total or found.false_claims.total:
        seen = f"Points there and seen: {_share(found.hits)}"
        false = f"Points claimed that were not there: {_share(found.false_claims)}"
        lines += [look.folded(seen), look.folded(false)]
    if found.errors:
        told = [f"{MISTAKES[name]} {count}" for name, count in found.errors.items()]  # type: ignore[index]
        lines.append(look.folded(f"Mistakes: {'; '.join(told)}"))
    for line in _probe_lines(found):
        lines.append(look.folded(line))
    if len(found.by_day) >= LEAST_PLOTTED:
        shares = [100 * (share.value or 0.0) for _, share, _ in found.by_day]
        lines += ["", line_plot("right answers by day, percent", shares, look)]
        times = [seconds for _, _, seconds in found.by_day if seconds is not None]
        if len(times) >= LEAST_PLOTTED:
            lines += ["", line_plot("median seconds of right answers by day", times, look)]
    return "\n".join(lines)


def _head(found: Progress) -> str:
    text = (
        f"{found.profile}: {counted(found.overall.total, 'answer')}, {_share(found.overall)} right"
    )
    text += f", streak {found.streak} (best {found.best_streak})"
    text += f", {counted(found.days, 'day')}"
    if found.day_streak > 1:
        text += f" ({found.day_streak} in a row)"
    if found.rating is not None:
        text += f", rating {found.rating.rating:.0f} +/-{2 * found.rating.deviation:.0f}"
    return text


def _share(share: Share) -> str:
    if not share.total:
        return "-"
    return (
        f"{percent(share.value)} ({percent(share.low)} to {percent(share.high)} of {share.total})"
    )


def families_table(families: Sequence[FamilyProgress], look: Look) -> str:
    """Return a row for each family: accuracy with its interval, time and trend."""
    columns = [
        Column("family"),
        Column("answers", True, 2),
        Column("right", True),
        Column("95 % interval", True, 5),
        Column("seconds", True, 4),
        Column("per 10", True, 1),
        Column("a minute", True, 3),
    ]
    rows = [
        (
            one.title + (" (weak)" if one.weak else ""),
            str(one.share.total),
            percent(one.share.value),
            f"{percent(one.share.low)} to {percent(one.share.high)}",
            decimal(one.seconds),
            "-" if one.trend is None else f"{signed(100 * one.trend, 0)} %",
            decimal(one.per_minute),
        )
        for one in families
    ]
    return table(columns, rows, look.width)


def _probe_lines(found: Progress) -> list[str]:
    if not found.probes:
        return []
    last = found.probes[-1]
    lines = [f"Probe set: {counted(len(found.probes), 'sitting')}, last {_share(last.share)}"]
    if last.seconds is not None:
        lines[0] += f", {decimal(last.seconds)} s"
    if found.probe_change is not None:
        one = found.probe_change
        points = [signed(100 * value, 0) for value in (one.value, one.low, one.high)]
        lines.append(
            f"Change since the first: {points[0]} points of percent ({points[1]} to {points[2]})"
        )
    return lines


def games_text(games: Sequence[GameFigures], profile: Profile, look: Look) -> str:
    """Return the record at the table: games, losses, missed claims, honours."""
    lines = []
    if games:
        columns = [
            Column("game", drop=1),
            Column("ruleset"),
            Column("result"),
            Column("score", True, 4),
            Column("decisions", True, 3),
            Column("points missed", True, 5),
            Column("claims missed", True, 2),
            Column("loss a decision", True, 6),
        ]
        lines += [table(columns, [_game_row(one) for one in games], look.width), ""]
        over = [one for one in games if one.won is not None]
        won = sum(bool(one.won) for one in over)
        text = f"{counted(len(games), 'game')}, {won} of {len(over)} finished ones won"
        graded = [one for one in games if one.loss is not None and one.decisions]
        if graded:
            loss = sum(one.loss or 0.0 for one in graded)
            decisions = sum(one.decisions for one in graded)
            text += f"; {decimal(loss / decisions, 2)} points lost a decision ({decisions} of them)"
        lines.append(look.folded(text))
        hinted = sum(one.hinted for one in games)
        if hinted:
            lines.append(look.folded(f"{counted(hinted, 'decision')} after a hint left out"))
    else:
        lines.append(look.folded("No saved game yet; `sniff play` saves each of yours."))
    lines.append(look.folded(f"Matches won: {profile.wins} of {profile.matches}"))
    if profile.titles:
        lines.append(look.folded(f"Titles: {', '.join(profile.titles)}"))
    if profile.trophies:
        lines.append(look.folded(f"Trophies: {', '.join(profile.trophies)}"))
    return "\n".join(lines)


def _game_row(one: GameFigures) -> tuple[str, ...]:
    result = "goes on" if one.won is None else "won" if one.won else "lost"
    return (
        one.file,
        one.ruleset,
        result,
        "-" if one.score is None else str(one.score),
        str(one.decisions),
        "-" if one.missed_points is None else str(one.missed_points),
        str(one.claims_missed),
        decimal(one.loss_per_decision, 2),
    )


def drills_data(found: Progress) -> dict[str, Any]:
    """Return the progress in drills as plain data."""
    return {
        "profile": found.profile,
        "overall": found.overall.as_json(),
        "families": [_family_data(one) for one in found.families],
        "hits": found.hits.as_json(),
        "false_claims": found.false_claims.as_json(),
        "errors": found.errors,
        "probes": [
            {"at": _moment(one.at), **one.share.as_json(), "seconds": one.seconds}
            for one in found.probes
        ],
        "probe_change": None if found.probe_change is None else asdict(found.probe_change),
        "streak": found.streak,
        "best_streak": found.best_streak,
        "days": found.days,
        "day_streak": found.day_streak,
        "rating": None if found.rating is None else asdict(found.rating),
        "by_day": [
            {"day": day, **share.as_json(), "seconds": seconds}
            for day, share, seconds in found.by_day
        ],
    }


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


def _family_data(one: FamilyProgress) -> dict[str, Any]:
    return {
        "family": one.family,
        "title": one.title,
        **one.share.as_json(),
        "seconds": one.seconds,
        "trend_per_ten": one.trend,
        "per_minute": one.per_minute,
        "weak": one.weak,
    }


def games_data(games: Sequence[GameFigures], profile: Profile) -> dict[str, Any]:
    """Return the record at the table as plain data."""
    return {"games": [asdict(one) for one in games], "honours": asdict(profile)}


def drills_csv(found: Progress) -> str:
    """Return a row for each family."""
    rows: list[Sequence[Cell]] = []
    titles: Sequence[str] = ()
    for one in found.families:
        data = _family_data(one)
        titles = tuple(data)
        rows.append(tuple(data.values()))
    return to_csv(titles or ("family",), rows)


def games_csv(games: Sequence[GameFigures]) -> str:
    """Return a row for each game."""
    data = [asdict(one) for one in games]
    titles = tuple(data[0]) if data else ("file",)
    return to_csv(titles, [tuple(one.values()) for one in data])
