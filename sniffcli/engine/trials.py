"""What choices bring on the worlds on which they are tried: margins, their parts, and chances."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import lru_cache
from operator import mul
from typing import NamedTuple

from sniffcli.engine.equity import Equity
from sniffcli.engine.kernel import Batch, Endings, added
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
        self.sides = view.setup.sides
        self.side = self.sides[view.seat]
        #: The unit of margins: as many as there are other sides, whose mean is taken off.
        self.unit = view.setup.side_count - 1
        self.leader = view.leader
        self.equity = equity

    def chances(self, batch: Batch, action: int, endings: Endings) -> list[int]:
        """Return the chance to win the match after each group of outcomes, in parts of FINE."""
        assert self.equity is not None
        known = _known(self.equity, self.side, self.leader)
        found = []
        for position, key in zip(endings.firsts, endings.keys, strict=True):
            chance = known.get(key)
            if chance is None:
                outcome = batch.outcome(position, action)
                won = self.equity.after(outcome, self.side, self.leader)
                chance = known[key] = round(FINE * won)
            found.append(chance)
        return found


@lru_cache(maxsize=8)
def _known(equity: Equity, side: int, leader: int) -> dict[bytes, int]:
    """Return what is known of the chances of a side; the decisions of a round share it."""
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
        endings = batch.endings(action)
        if scale.equity is not None:
            chances = scale.chances(batch, action, endings)
            self.wins.data.extend(map(chances.__getitem__, endings.groups))
        out = [how == WENT_OUT and scale.sides[one] == scale.side for how, one in endings.ends]
        self._out += _counted(endings.groups, out, weights)
        blocked = [how == BLOCKED for how, _ in endings.ends]
        self._blocked += _counted(endings.groups, blocked, weights)
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


def _counted(groups: Sequence[int], which: Sequence[bool], weights: Sequence[int]) -> int:
    """Return how many deals lie in the groups that are marked."""
    marked = map(which.__getitem__, groups)
    return sum(map(mul, marked, weights)) if weights else sum(marked)
