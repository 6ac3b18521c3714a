"""Statistics of games between bots: means and shares with 95 % intervals, paired by deal.

Games of one deal share their tiles and are no independent observations, so every mean is taken over
deals. A rate such as points per round is a ratio of two sums; its error is that of the differences
from the ratio (linearised), and its interval Student's, wide where deals are few. Shares of matches
get Wilson's interval.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import floor, sqrt
from typing import NamedTuple

from sniffcli.engine.contest import Contest, Game, margin_of
from sniffcli.engine.stats import student

#: Standard errors to either side of a 95 % interval.
Z95 = 1.959964


class Estimate(NamedTuple):
    """A mean with its 95 % interval; the interval is None where one deal is all there is."""

    value: float
    low: float | None
    high: float | None

    @property
    def half(self) -> float | None:
        """Half the width of the interval."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


class BotTally(NamedTuple):
    """How one bot did."""

    bot: str
    games: int
    #: Games won; a game won by several, or by nobody, is shared.
    wins: float
    share: Estimate
    #: What it would win if all played alike: its part of the seats.
    fair: float
    points: Estimate
    margin: Estimate


class Duel(NamedTuple):
    """How many more points one bot made per round than another on the same deals."""

    one: str
    other: str
    difference: Estimate


class Histogram(NamedTuple):
    """How often the difference of the first two bots on a deal fell into each bin."""

    one: str
    other: str
    width: float
    bins: tuple[tuple[float, int], ...]


class Tally(NamedTuple):
    """Everything that `sniff simulate` reports."""

    deals: int
    games: int
    rounds: int
    bots: tuple[BotTally, ...]
    duels: tuple[Duel, ...]
    #: Margin per round of the side that led it, and how often the first leader's side won.
    lead_margin: Estimate
    lead_share: Estimate
    lead_fair: float
    histogram: Histogram | None
    #: Games without a winner, which are shared: even rounds, and matches that came to no end.
    undecided: int = 0


def tally(contest: Contest, games: Iterable[Game]) -> Tally | None:
    """Return the statistics of games, or None if there are none."""
    by_deal: dict[int, list[Game]] = defaultdict(list)
    for game in sorted(games):
        by_deal[game.deal].append(game)
    deals = [by_deal[deal] for deal in sorted(by_deal)]
    if not deals:
        return None
    names = tuple(dict.fromkeys(contest.bots))
    every = [game for deal in deals for game in deal]
    rounds = [sum(game.rounds for game in deal) for deal in deals]
    points = {name: [_sum(contest, deal, name, own=True) for deal in deals] for name in names}
    sides = contest.setup.side_count
    led = [sum(game.lead_margin for game in deal) for deal in deals]
    led_wins = sum(_won(game, game.leader, sides) for game in every)
    return Tally(
        deals=len(deals),
        games=len(every),
        rounds=sum(rounds),
        bots=tuple(_bot(contest, name, deals, every, rounds, points[name]) for name in names),
        duels=tuple(
            Duel(one, other, ratio(_less(points[one], points[other]), rounds))
            for one, other in combinations(names, 2)
        ),
        lead_margin=ratio(led, rounds),
        lead_share=wilson(led_wins, len(every)),
        lead_fair=1 / sides,
        histogram=_histogram(names, points, rounds),
        undecided=sum(not game.won for game in every),
    )


def _bot(
    contest: Contest,
    name: str,
    deals: Sequence[Sequence[Game]],
    every: Sequence[Game],
    rounds: Sequence[int],
    points: Sequence[float],
) -> BotTally:
    setup = contest.setup
    wins = 0.0
    for game in every:
        seated = contest.seated(game.shift)
        for side in range(setup.side_count):
            members = setup.members(side)
            part = sum(seated[seat] == name for seat in members) / len(members)
            wins += part * _won(game, side, setup.side_count)
    margins = [_sum(contest, deal, name, own=False) for deal in deals]
    return BotTally(
        bot=name,
        games=len(every),
        wins=wins,
        share=wilson(wins, len(every)),
        fair=contest.bots.count(name) / len(contest.bots),
        points=ratio(points, rounds),
        margin=ratio(margins, rounds),
    )


def _won(game: Game, side: int, sides: int) -> float:
    """Return the part of a game that a side won."""
    if not game.won:
        return 1 / sides
    return (game.won >> side & 1) / game.won.bit_count()


def _sum(contest: Contest, deal: Sequence[Game], name: str, *, own: bool) -> float:
    """Add up points (OWN) or margins of a bot over a deal; the mean of its seats in each game."""
    total = 0.0
    for game in deal:
        seated = contest.seated(game.shift)
        sides = [contest.setup.sides[seat] for seat, one in enumerate(seated) if one == name]
        made = [game.points[s] if own else margin_of(game.points, s) for s in sides]
        total += sum(made) / len(made)
    return total


def _less(ones: Sequence[float], others: Sequence[float]) -> list[float]:
    return [one - other for one, other in zip(ones, others, strict=True)]


def ratio(sums: Sequence[float], rounds: Sequence[int]) -> Estimate:
    """Return the sum per round over independent deals, with its interval."""
    count = len(sums)
    value = sum(sums) / sum(rounds)
    if count < 2:
        return Estimate(value, None, None)
    mean_rounds = sum(rounds) / count
    rest = [one - value * many for one, many in zip(sums, rounds, strict=True)]
    error = sqrt(sum(one * one for one in rest) / (count - 1) / count) / mean_rounds
    half = student(0.975, count - 1) * error
    return Estimate(value, value - half, value + half)


def wilson(wins: float, games: int) -> Estimate:
    """Return a share with Wilson's 95 % interval."""
    share = wins / games
    square = Z95 * Z95
    middle = (share + square / (2 * games)) / (1 + square / games)
    half = Z95 / (1 + square / games)
    half *= sqrt(share * (1 - share) / games + square / (4 * games * games))
    return Estimate(share, max(0.0, middle - half), min(1.0, middle + half))


def _histogram(
    names: Sequence[str], points: dict[str, list[float]], rounds: Sequence[int]
) -> Histogram | None:
    if len(names) < 2:
        return None
    one, other = names[:2]
    values = [
        difference / many
        for difference, many in zip(_less(points[one], points[other]), rounds, strict=True)
    ]
    width = _bin_width(max(values) - min(values))
    counts = Counter(floor(value / width + 0.5) for value in values)
    low, high = min(counts), max(counts)
    bins = tuple((number * width, counts[number]) for number in range(low, high + 1))
    return Histogram(one, other, width, bins)


def _bin_width(span: float) -> float:
    """Return a round width (1, 2, 5 times a power of ten) that makes about twenty bins."""
    width = 0.01
    for step in (2, 2.5, 2) * 8:
        if span / width <= 25:
            break
        width *= step
    return width
