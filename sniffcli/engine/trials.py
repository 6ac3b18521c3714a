"""What choices bring on the worlds on which they are tried: margins, their parts, and chances."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from sniffcli.engine.equity import Equity
from sniffcli.engine.kernel import Batch, added
from sniffcli.engine.playout import BLOCKED, PARTS, WENT_OUT
from sniffcli.engine.stats import FINE, Column
from sniffcli.game.view import View


class Parts(NamedTuple):
    """Where the margin comes from, in points; the parts add up to the value exactly.

    This action, the others' replies, one's own next turn, the rest of the play, and going out or
    the block.
    """

    now: float = 0.0
    reply: float = 0.0
    next: float = 0.0
    rest: float = 0.0
    end: float = 0.0


class Scale:
    """Turns outcomes into margins and chances for the seat of a view."""

    def __init__(self, view: View, equity: Equity | None) -> None:
        self.setup, self.leader = view.setup, view.leader
        self.sides = view.setup.sides
        self.side = self.sides[view.seat]
        #: The unit of margins: as many as there are other sides, whose mean is taken off.
        self.unit = view.setup.side_count - 1
        self.equity = equity

    def wins(self, batch: Batch, action: int) -> Iterable[int]:
        """Return the chance to win the match after each outcome, in parts of FINE.

        Nothing where no number of points decides the match.
        """
        if self.equity is None:
            return ()
        groups, keys = batch.standings(action, self.setup, self.leader)
        known = _known(self.equity, self.side)
        chances = []
        for key in keys:
            chance = known.get(key)
            if chance is None:
                *scores, leads = key
                won = self.equity.win(tuple(scores), self.side, None if leads < 0 else leads)
                chance = known[key] = round(FINE * won)
            chances.append(chance)
        return map(chances.__getitem__, groups)


@lru_cache(maxsize=8)
def _known(equity: Equity, side: int) -> dict[tuple[int, ...], int]:
    """Return what is known of the chances of a side; all decisions of a match share it."""
    return {}


class Tried:
    """What one choice brought on the worlds on which it was tried."""

    def __init__(self, scale: Scale) -> None:
        self._scale = scale
        #: The margin in each world and its parts, and the chance to win the match (or nothing).
        self.margins = Column(array("i"), scale.unit)
        self.columns = tuple(Column(array("i"), scale.unit) for _ in PARTS)
        self.wins = Column(array("i"), FINE)
        #: How many deals each world stands for; empty where every world counts once.
        self.weights: list[int] = []
        self._out = 0
        self._blocked = 0

    def add(self, batch: Batch, action: int, weights: Sequence[int] = ()) -> array[int]:
        """Note the outcomes of one action and return their margins, in parts of the unit."""
        scale = self._scale
        columns = batch.columns(action, scale.side)
        margins = added(columns)
        self.margins.data.extend(margins)
        for column, more in zip(self.columns, columns, strict=True):
            column.data.extend(more)
        self.weights += weights
        self.wins.data.extend(scale.wins(batch, action))
        ended: Iterable[tuple[tuple[int, int], int]] = batch.ends(action).items()
        if weights:
            ended = zip(batch.ended(action), weights, strict=True)
        for (how, closer), deals in ended:
            if how == WENT_OUT and scale.sides[closer] == scale.side:
                self._out += deals
            elif how == BLOCKED:
                self._blocked += deals
        return margins

    @property
    def parts(self) -> Parts:
        """The mean of each part."""
        return Parts(*(column.mean(self.weights) for column in self.columns))

    @property
    def _deals(self) -> int:
        """How many deals were tried, each as often as it counts."""
        return sum(self.weights) or self.margins.count

    @property
    def win(self) -> float | None:
        """The mean chance to win the match."""
        return self.wins.mean(self.weights) if self.wins.count else None

    @property
    def out(self) -> float:
        """How often the seat's side goes out first."""
        return self._out / self._deals

    @property
    def blocked(self) -> float:
        """How often the round is blocked."""
        return self._blocked / self._deals
