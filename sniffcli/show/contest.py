"""The outcome of a simulation as people read it: a table of bots, duels, the lead, a histogram."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sniffcli.engine.contest import MOST_ROUNDS, Contest
from sniffcli.engine.tally import Estimate, Histogram, Tally
from sniffcli.show.numbers import counted, decimal, estimate, percent, signed
from sniffcli.show.style import Look
from sniffcli.show.tables import Column, table

#: Lines that the histogram takes, and the least width at which it is drawn.
PLOT_HEIGHT = 14
PLOT_WIDTH = 40

COLUMNS = (
    Column("bot"),
    Column("won", right=True),
    Column("95 %", right=True),
    Column("fair", right=True, drop=1),
    Column("points/round", right=True, drop=2),
    Column("margin/round", right=True),
)


def report(contest: Contest, found: Tally, look: Look, *, complete: bool) -> str:
    """Return the whole report."""
    return "\n".join(_lines(contest, found, look, complete))


def _lines(contest: Contest, found: Tally, look: Look, complete: bool) -> Iterator[str]:
    setup = contest.setup
    what = "match" if contest.matches else "round"
    plural = "matches" if contest.matches else "rounds"
    pairs = ", partners" if setup.has_teams else ""
    head = f"{setup.rules.title}, {setup.seats} players{pairs}, seed {contest.seed}"
    yield from map(look.bold, look.folded(head).splitlines())
    size = f"{counted(found.games, what, plural)} on {counted(found.deals, 'deal')}"
    if contest.matches:
        size += f", {counted(found.rounds, 'round')}"
    yield look.folded(size + ("" if complete else "; stopped before the end"))
    if contest.matches and found.undecided:
        ended = counted(found.undecided, "match", "matches")
        text = f"{ended} came to no end in {MOST_ROUNDS} rounds; nobody won, and it is shared"
        yield look.folded(text)
    yield ""
    rows = [
        [
            one.bot,
            percent(one.share.value, 1),
            _span(one.share, look),
            percent(one.fair),
            _with_error(one.points, look),
            _with_error(one.margin, look, sign=True),
        ]
        for one in found.bots
    ]
    yield table(COLUMNS, rows, look.width)
    yield ""
    for duel in found.duels:
        better = _with_error(duel.difference, look, sign=True)
        text = f"{duel.one} over {duel.other}: {better} points a round, on the same deals"
        yield look.folded(text)
    lead = _with_error(found.lead_margin, look, sign=True)
    yield look.folded(f"whoever leads a round: {lead} points")
    yield look.folded(
        f"whoever leads first wins {percent(found.lead_share.value, 1)}"
        f" ({_span(found.lead_share, look)}) of the {plural}; fair {percent(found.lead_fair)}"
    )
    if found.histogram is not None and look.width >= PLOT_WIDTH and found.deals > 1:
        yield ""
        yield histogram(found.histogram, look)


def _with_error(one: Estimate, look: Look, *, sign: bool = False) -> str:
    digits = 2 if one.half is None or one.half < 1 else 1
    text = estimate(one.value, one.half, unicode=look.unicode, digits=digits)
    if sign:
        number, space, error = text.partition(" ")
        return f"{signed(float(number), digits)}{space}{error}"
    return text


def _span(one: Estimate, look: Look) -> str:
    if one.low is None or one.high is None:
        return ""
    dash = "–" if look.unicode else "-"
    return f"{decimal(100 * one.low)}{dash}{decimal(100 * one.high)} %"


def histogram(found: Histogram, look: Look) -> str:
    """Return a histogram of the differences per deal, drawn with characters."""
    import plotext

    figure = plotext.figure
    figure.clear()
    figure.theme("colorless")
    figure.plot_size(min(look.width, 80), PLOT_HEIGHT)
    if not look.unicode:
        figure.axes(False)
    middles = [middle for middle, count in found.bins if count]
    counts = [count for _, count in found.bins if count]
    marker = "full" if look.unicode else "#"
    figure.draw(figure.bar(middles, counts, marker=marker, width=0.6))
    figure.title(f"{found.one} less {found.other}, points a round: number of deals")
    drawn = str(plotext.uncolorize(str(figure.build())))
    return "\n".join(line.rstrip() for line in drawn.splitlines())


def document(contest: Contest, found: Tally | None, *, complete: bool) -> dict[str, Any]:
    """Return the result for `--format json`; numbers are rounded to what the games can tell."""
    setup = contest.setup
    head: dict[str, Any] = {
        "ruleset": setup.rules.id,
        "players": setup.seats,
        "partners": setup.has_teams,
        "bots": list(contest.bots),
        "seed": contest.seed,
        "mode": "matches" if contest.matches else "rounds",
        "complete": complete,
        "deals": found.deals if found else 0,
        "games": found.games if found else 0,
        "rounds": found.rounds if found else 0,
        "undecided": found.undecided if found else 0,
        "results": [],
        "duels": [],
        "first_leader": None,
        "histogram": None,
    }
    if found is None:
        return head
    head["results"] = [
        {
            "bot": one.bot,
            "games": one.games,
            "wins": round(one.wins, 3),
            "win_share": _estimate(one.share),
            "fair_share": round(one.fair, 6),
            "points_per_round": _estimate(one.points),
            "margin_per_round": _estimate(one.margin),
        }
        for one in found.bots
    ]
    head["duels"] = [
        {"bot": one.one, "against": one.other, "difference": _estimate(one.difference)}
        for one in found.duels
    ]
    head["first_leader"] = {
        "margin_per_round": _estimate(found.lead_margin),
        "win_share": _estimate(found.lead_share),
        "fair_share": round(found.lead_fair, 6),
    }
    if found.histogram is not None:
        head["histogram"] = {
            "bot": found.histogram.one,
            "against": found.histogram.other,
            "width": found.histogram.width,
            "bins": [[round(middle, 6), count] for middle, count in found.histogram.bins],
        }
    return head


def _estimate(one: Estimate) -> dict[str, float | None]:
    return {
        "value": round(one.value, 6),
        "low": None if one.low is None else round(one.low, 6),
        "high": None if one.high is None else round(one.high, 6),
    }
