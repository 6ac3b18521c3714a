"""What protects a host: wrong sector ids get slow, floods are refused, rooms are limited."""

from __future__ import annotations

from collections import Counter, OrderedDict
from dataclasses import dataclass

from sniffcli.net.protocol import Refused


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a host bears."""

    #: Messages that a terminal may send at once, and per second over a longer time.
    burst: float = 40.0
    rate: float = 20.0
    #: Refused floods after which the terminal is shut out.
    floods: int = 40
    #: Terminals in all, and those of one address that have no seat yet.
    terminals: int = 4096
    unseated: int = 64
    #: Seconds in which a terminal has to say hello.
    hello: float = 10.0
    #: Messages that may wait for a terminal that reads slowly.
    waiting: int = 4000
    #: Seconds between heartbeats, and for the answer to one.
    heartbeat: float = 20.0
    #: The first pause after a wrong sector id, doubled each time, and the longest.
    pause: float = 0.5
    longest_pause: float = 8.0
    #: Seconds after which an address that stayed quiet is forgiven.
    forgiven: float = 300.0
    #: Addresses that are remembered.
    addresses: int = 10_000


class Bucket:
    """Lets a terminal send so many messages at once and so many per second."""

    def __init__(self, limits: Limits, now: float) -> None:
        self.limits = limits
        self.left = limits.burst
        self.at = now
        self.floods = 0

    def take(self, now: float) -> None:
        """Count one message.

        Raises:
            Refused: it is one too many.
        """
        gained = max(0.0, now - self.at) * self.limits.rate
        self.left, self.at = min(self.limits.burst, self.left + gained), now
        if self.left < 1:
            self.floods += 1
            raise Refused("flood", f"at most {self.limits.rate:g} messages a second are read")
        self.left -= 1

    @property
    def shut(self) -> bool:
        """Whether the terminal has gone too far."""
        return self.floods > self.limits.floods


class Gate:
    """Who may come in, and how long a wrong guess waits for its answer."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.inside = 0
        self.unseated: Counter[str] = Counter()
        #: Wrong guesses and the moment of the last one, by address; the oldest are forgotten.
        self.wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def enter(self, address: str) -> None:
        """Count a terminal in.

        Raises:
            Refused: there is no room for it.
        """
        if self.inside >= self.limits.terminals:
            raise Refused("busy", "this host has no room for another terminal")
        if self.unseated[address] >= self.limits.unseated:
            raise Refused("busy", "too many terminals of this address have no seat")
        self.inside += 1
        self.unseated[address] += 1

    def seated(self, address: str) -> None:
        """Note that a terminal has a seat, or never got one."""
        self.unseated[address] -= 1
        if self.unseated[address] <= 0:
            del self.unseated[address]

    def leave(self) -> None:
        """Count a terminal out."""
        self.inside -= 1

    def guessed(self, address: str, now: float) -> float:
        """Note a wrong sector id or token; return the seconds that its answer waits."""
        times, last = self.wrong.pop(address, (0, now))
        if now - last > self.limits.forgiven:
            times = 0
        self.wrong[address] = (times + 1, now)
        while len(self.wrong) > self.limits.addresses:
            self.wrong.popitem(last=False)
        return min(self.limits.longest_pause, self.limits.pause * 2.0 ** min(times, 30))
