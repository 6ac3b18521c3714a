"""Clocks: what a session asks for the time, real or told by a script."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """A source of seconds that never runs backwards."""

    def __call__(self) -> float:
        """Return the seconds since some fixed moment."""
        ...

    @property
    def real(self) -> bool:
        """Whether the seconds pass by themselves."""
        ...


class RealClock:
    """The clock of a person at the prompt."""

    real = True

    def __call__(self) -> float:
        """Return the seconds of the system's monotonic clock."""
        return time.monotonic()


class ScriptClock:
    """A clock that moves only when it is told to, so that scripted games are exact."""

    real = False

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        """Return the seconds waited for so far."""
        return self.seconds

    def wait(self, seconds: float) -> None:
        """Let SECONDS pass without sleeping."""
        self.seconds += seconds
