"""The chance to win the match from the scores between two rounds.

For two sides it is a table over both scores, found from simulated rounds (see `equity_build`);
who leads the next round counts as far as the ruleset says who that will be. For more sides it is
an estimate: every side collects points on its own, by the same distribution of round results, and
the first one home wins; who leads, and that a score past an exact target is void, is left out.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from sniffcli.engine.datafile import entries
from sniffcli.engine.identity import rules_key
from sniffcli.engine.playout import BLOCKED, END, Outcome
from sniffcli.files.places import cache_dir
from sniffcli.game.state import Setup

#: Version of the data; what another version wrote is computed anew.
VERSION = 1

#: Chances are kept as whole numbers of this many parts.
PARTS = 10_000

#: Rounds that a race of three or more sides is followed for.
RACE_ROUNDS = 60

#: Rules for who leads next under which it is known between the rounds.
KNOWN_LEADERS = ("winner", "winning_team", "rotate", "host", "same", "blocker")


@dataclass(frozen=True, eq=False)
class Equity:
    """Chances to win a match by one ruleset for one table of sides."""

    setup: Setup = field(repr=False)
    target: int
    #: Scores for which the table has rows and columns, rising (two sides).
    axis: tuple[int, ...] = ()
    #: Chance of the side that leads the next round, by its score and the other's (two sides).
    rows: tuple[tuple[float, ...], ...] = field(default=(), repr=False)
    #: How often a side makes so many points in a round (more sides).
    gains: Mapping[int, int] = field(default_factory=dict, repr=False)
    #: Deals that were simulated for each pair of scores, or for the gains.
    deals: int = 0

    def win(self, scores: Sequence[int], side: int, leader: int | None = None) -> float:
        """Return the chance of a side to win the match with these scores between two rounds.

        LEADER is the side that leads the next round, None if that is not known.
        """
        over = finished(self.setup, scores)
        if over is not None:
            return over[side]
        if len(scores) > 2:
            return self._race(tuple(scores))[side]
        mine, other = scores[side], scores[1 - side]
        leading = self._at(mine, other)
        if leader is not None:
            return leading if leader == side else 1.0 - self._at(other, mine)
        return (leading + 1.0 - self._at(other, mine)) / 2

    def after(self, outcome: Outcome, side: int, leader: int) -> float:
        """Return the chance of a side after a round; LEADER is the seat that led that round."""
        return self.win(outcome.scores, side, next_leader(self.setup, outcome, leader))

    def _at(self, leading: int, other: int) -> float:
        """Return the chance of the leading side, interpolated between the scores of the table."""
        value = 0.0
        for row, part in self.places(leading):
            for column, share in self.places(other):
                value += part * share * self.rows[row][column]
        return value

    def places(self, score: int) -> tuple[tuple[int, float], ...]:
        """Return the rows around a score, each with its weight."""
        return places(self.axis, score)

    @lru_cache(maxsize=4096)  # noqa: B019  one equity per ruleset lives as long as the program
    def _race(self, scores: tuple[int, ...]) -> tuple[float, ...]:
        chances = [0.0] * len(scores)
        home = [self._home[max(1, self.target - max(score, 0))] for score in scores]
        for n in range(1, RACE_ROUNDS + 1):
            for side, mine in enumerate(home):
                now = mine[n] - mine[n - 1]
                if now > 0:
                    chances[side] += now * _first(home, side, n)
        total = sum(chances)
        if total <= 0:
            return (1 / len(scores),) * len(scores)
        return tuple(one / total for one in chances)

    @property
    def _home(self) -> list[list[float]]:
        return _home_by(self.target, tuple(sorted(self.gains.items())))


def _first(home: Sequence[Sequence[float]], side: int, n: int) -> float:
    """Return the chance that no other side is home before SIDE, which comes home in round N.

    Within the round every moment is alike; Simpson's rule is exact for up to four sides.
    """

    def still_out(moment: float) -> float:
        chance = 1.0
        for other, one in enumerate(home):
            if other != side:
                chance *= 1 - one[n - 1] - moment * (one[n] - one[n - 1])
        return chance

    return (still_out(0) + 4 * still_out(0.5) + still_out(1)) / 6


@lru_cache(maxsize=16)
def _home_by(target: int, gains: tuple[tuple[int, int], ...]) -> list[list[float]]:
    """Return, per points missing, the chance to have made them within N rounds."""
    total = sum(count for _, count in gains)
    steps = [(max(points, 0), count / total) for points, count in gains]
    here = [0.0] * target
    here[0] = 1.0
    home = [[0.0 if missing else 1.0] for missing in range(target + 1)]
    for _ in range(RACE_ROUNDS):
        after = [0.0] * target
        for made, chance in enumerate(here):
            if chance > 1e-12:
                for points, share in steps:
                    if made + points < target:
                        after[made + points] += chance * share
        here = after
        below = 0.0
        for missing in range(target + 1):
            home[missing].append(1.0 - below)
            if missing < target:
                below += here[missing]
    return home


def places(axis: Sequence[int], score: int) -> tuple[tuple[int, float], ...]:
    """Return the places on an axis around a score, each with its weight; outside, the nearest."""
    if score <= axis[0]:
        return ((0, 1.0),)
    if score >= axis[-1]:
        return ((len(axis) - 1, 1.0),)
    upper = bisect_right(axis, score)
    low, high = axis[upper - 1], axis[upper]
    part = (score - low) / (high - low)
    if part == 0:
        return ((upper - 1, 1.0),)
    return ((upper - 1, 1.0 - part), (upper, part))


def finished(setup: Setup, scores: Sequence[int]) -> tuple[float, ...] | None:
    """Return each side's part of the match if these scores end it, else None.

    A tie that an extra round decides counts as shared.
    """
    target = setup.target
    if target is None or max(scores) < target:
        return None
    best = min(scores) if setup.rules.match.winner_is == "low" else max(scores)
    top = [score == best for score in scores]
    return tuple(one / sum(top) for one in top)


class Leading(NamedTuple):
    """Who leads the next round after one that ended in some way: a side, or one of the two below.

    None is where the next deal or a lot decides.
    """

    out: int | None
    blocked: int | None


#: The side that laid the last tile (nobody: that of the leader), and the one that the end of the
#: round paid most.
CLOSER, PAID = -2, -3


def leading(setup: Setup, leader: int) -> Leading:
    """Return who leads the round after one that the seat LEADER led."""
    rules = setup.rules.open
    after_block: str = rules.next_leader_after_block
    if after_block == "as_next":
        after_block = rules.next_leader
    known = {
        "rotate": setup.sides[(leader + 1) % setup.seats],
        "host": setup.sides[0],
        "same": setup.sides[leader],
        "blocker": CLOSER,
    }
    out = {**known, "winner": CLOSER, "winning_team": CLOSER}
    blocked = {**known, "winner": PAID, "winning_team": PAID}
    return Leading(out.get(rules.next_leader), blocked.get(after_block))


def next_leader(setup: Setup, outcome: Outcome, leader: int) -> int | None:
    """Return the side that leads the next round, None where the next deal or a lot decides.

    LEADER is the seat that led this round. A tie in a blocked round is not told apart.
    """
    after = leading(setup, leader)
    rule = after.blocked if outcome.how == BLOCKED else after.out
    if rule == CLOSER:
        return setup.sides[outcome.closer if outcome.closer >= 0 else leader]
    if rule == PAID:
        paid = [parts[END] for parts in outcome.parts]
        best = max(paid)
        return paid.index(best) if best > 0 and paid.count(best) == 1 else None
    return rule


def has_equity(setup: Setup) -> bool:
    """Whether points decide the match: it has a target, and no fixed number of rounds."""
    return setup.target is not None and setup.rules.match.rounds is None


def equity_for(setup: Setup) -> Equity | None:
    """Return the match equity of a setup, or None for a match that no number of points decides.

    Shipped for the shipped rulesets; for other rules it is computed on first use from fewer rounds,
    which takes a few seconds, and kept in the user's cache.
    """
    if not has_equity(setup):
        return None
    return _equity(rules_key(setup), Setup(setup.rules, setup.names, setup.sides))


_known: dict[str, Equity] = {}


def _equity(key: str, setup: Setup) -> Equity:
    found = _known.get(key)
    if found is None:
        data = shipped_data().get(key) or _cached(key)
        if data is None:
            from sniffcli.engine.equity_build import QUICK, build

            data = build(setup, QUICK)
            _keep(key, data)
        found = _known[key] = from_data(setup, data)
    return found


def from_data(setup: Setup, data: Mapping[str, Any]) -> Equity:
    """Return the equity that a mapping of plain values describes (see `equity_build.build`)."""
    target = setup.target
    assert target is not None
    if setup.side_count > 2:
        gains = {int(points): int(count) for points, count in data["gains"]}
        return Equity(setup, target, gains=gains, deals=int(data["deals"]))
    rows = tuple(tuple(one / PARTS for one in row) for row in data["win"])
    return Equity(setup, target, tuple(data["axis"]), rows, deals=int(data["deals"]))


@lru_cache(maxsize=1)
def shipped_data() -> dict[str, Any]:
    """Return the shipped data by `rules_key`; none of it where the file is of another version."""
    return read_data(Path(__file__).with_name("data") / "equity.json")


def read_data(path: Path) -> dict[str, Any]:
    """Return the tables of a file by `rules_key`; none if it cannot be read or is outdated."""
    return entries(path, "tables", VERSION)


def _cache_file(key: str) -> Path:
    return cache_dir() / "equity" / f"{VERSION}-{key}.json"


def _cached(key: str) -> Any:
    try:
        found = json.loads(_cache_file(key).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and ("win" in found or "gains" in found) else None


def _keep(key: str, data: Mapping[str, Any]) -> None:
    """Keep what was computed for the next time, if the cache can be written."""
    from sniffcli.files.writing import write_atomic

    path = _cache_file(key)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, json.dumps(data, separators=(",", ":")), force=True)
    except (OSError, ValueError):
        return
