"""What a loss means under a ruleset: the spread of a round, and the grades that follow from it.

Thresholds are parts of the standard deviation of a round's margin (tutor.md, section 4.1), so that
a game of quotients is not measured by the points of All Fives. Measured values of the shipped
rulesets are data (`python -m sniffcli.tutor.calibration_build` writes them anew); for house rules a
thousand rounds are played on first use, and what they give is kept in the user's cache.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sniffcli.engine.datafile import entries
from sniffcli.engine.identity import rules_key
from sniffcli.files.places import cache_dir
from sniffcli.game.state import Setup

if TYPE_CHECKING:
    from sniffcli.tutor.review import Grade

#: Version of the data; what another version wrote is measured anew.
VERSION = 1

#: From which loss on a play has a grade, in standard deviations of a round's margin; below: equal.
LEAST: tuple[tuple[Grade, float], ...] = (
    ("slip", 0.02),
    ("inaccuracy", 0.07),
    ("mistake", 0.18),
    ("blunder", 0.36),
)

#: Rounds that are played to measure rules which are not shipped.
QUICK_ROUNDS = 1000


class Losses(NamedTuple):
    """How a bot's losses per decision are spread, in points."""

    decisions: int
    mean: float
    #: The losses that 50, 75, 90 and 95 % of its decisions stay below.
    quantiles: tuple[float, float, float, float]


@dataclass(frozen=True)
class Calibration:
    """What rounds by one ruleset are like when the greedy policy plays them."""

    #: Standard deviation of a round's margin in points, and its mean for the side that leads.
    deviation: float
    lead: float
    rounds: int
    bots: Mapping[str, Losses] = field(default_factory=dict)

    def threshold(self, grade: Grade) -> float:
        """Return from which loss in points on a play has GRADE."""
        return dict(LEAST).get(grade, 0.0) * self.deviation

    def grade(self, loss: float) -> Grade:
        """Return the grade of a loss in points."""
        found: Grade = "equal"
        for grade, part in LEAST:
            if loss >= part * self.deviation:
                found = grade
        return found


def calibration_of(setup: Setup) -> Calibration:
    """Return the calibration of the rules, sides and seats of a setup."""
    return _calibration(rules_key(setup), Setup(setup.rules, setup.names, setup.sides))


_known: dict[str, Calibration] = {}


def _calibration(key: str, setup: Setup) -> Calibration:
    found = _known.get(key)
    if found is None:
        data = shipped_data().get(key)
        found = _cached(key) if data is None else from_data(data)
        if found is None:
            from sniffcli.tutor.calibration_build import measured

            found = measured(setup, QUICK_ROUNDS)
            _keep(key, found)
        _known[key] = found
    return found


def _cache_file(key: str) -> Path:
    return cache_dir() / "calibration" / f"{VERSION}-{key}.json"


def _cached(key: str) -> Calibration | None:
    """Return what was measured before, if it can be read."""
    try:
        return from_data(json.loads(_cache_file(key).read_text("utf-8")))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _keep(key: str, one: Calibration) -> None:
    """Keep what was measured for the next time, to the last digit, if the cache can be written."""
    from sniffcli.files.writing import FileRefused, write_atomic

    path = _cache_file(key)
    data = {"deviation": one.deviation, "lead": one.lead, "rounds": one.rounds}
    with suppress(OSError, ValueError, FileRefused):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, json.dumps(data), force=True)


def from_data(data: Mapping[str, Any]) -> Calibration:
    """Return the calibration that a mapping of plain values describes."""
    bots = {
        name: Losses(one["decisions"], one["mean"], tuple(one["quantiles"]))
        for name, one in data.get("bots", {}).items()
    }
    deviation, lead = float(data["deviation"]), float(data["lead"])
    return Calibration(deviation, lead, int(data["rounds"]), bots)


def to_data(one: Calibration) -> dict[str, Any]:
    """Return a calibration as plain values, ready for JSON."""
    data: dict[str, Any] = {
        "deviation": round(one.deviation, 3),
        "lead": round(one.lead, 3),
        "rounds": one.rounds,
    }
    if one.bots:
        data["bots"] = {
            name: {
                "decisions": losses.decisions,
                "mean": round(losses.mean, 3),
                "quantiles": [round(value, 2) for value in losses.quantiles],
            }
            for name, losses in one.bots.items()
        }
    return data


def data_file() -> Path:
    """Return the file of the shipped values."""
    return Path(__file__).with_name("data") / "calibration.json"


@lru_cache(maxsize=1)
def shipped_data() -> dict[str, Any]:
    """Return the shipped values by `rules_key`; none where the file is of another version."""
    return entries(data_file(), "rulesets", VERSION)
