"""Fixed work: how fast the engine is here, and a signature that must not change by accident."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import NamedTuple

from sniffcli.engine.kernel import native_module, playouts
from sniffcli.engine.policy import GREEDY_POLICY
from sniffcli.engine.position import Position, position_of
from sniffcli.engine.solver import solve, value
from sniffcli.game.deal import deal
from sniffcli.game.match import begin, new_match
from sniffcli.game.state import Setup
from sniffcli.ruleset.loading import load_ruleset

#: All Fives for two with seven tiles each, the game in which the engine is measured.
RULES, SETTINGS = "all-fives", {"deal": {"hand": {2: 7}}}
#: Deals played out, and deals solved by each kernel.
ROUNDS, DEALS = {"python": 2_000, "native": 4_000}, {"python": 12, "native": 40}
#: Play-outs and solved deals that make up the signature, the same for both kernels.
SIGNED_ROUNDS, SIGNED_DEALS = 500, 2


class Speed(NamedTuple):
    """What one kernel did in a second of processor time."""

    kernel: str
    playouts: float
    #: Positions visited in which moves are looked for, forced ones and draws included, but not
    #: ended rounds.
    nodes: float
    #: Milliseconds for a deal with all hands and the drawing order known: median and worst.
    median_ms: float
    worst_ms: float


def kernels() -> list[str]:
    """Return the kernels that can be measured here."""
    forced = os.environ.get("SNIFF_KERNEL", "")
    if forced:
        native_module()
        return [forced]
    return ["python", "native"] if native_module() is not None else ["python"]


def workload(count: int) -> list[Position]:
    """Return the first COUNT deals of the workload."""
    rules, problems = load_ruleset(RULES, settings=SETTINGS)
    assert rules is not None, problems
    setup = Setup(rules, ("Ann", "Bob"), (0, 1))
    match, rng = new_match(setup), random.Random(2024)
    return [position_of(begin(match, deal(setup, rng), rng)) for _ in range(count)]


def signature() -> str:
    """Return what the play-outs and solved deals of the workload come to, as a short hash."""
    positions = workload(SIGNED_ROUNDS)
    batch = playouts(positions, [None], GREEDY_POLICY)
    text = ",".join(map(str, batch.data))
    for position in positions[:SIGNED_DEALS]:
        solution = solve(_ending(position), known_order=True)
        text += ";" + ",".join(f"{one.action.tile}:{one.value:g}" for one in solution.choices)
    return sha256(text.encode()).hexdigest()[:16]


def _ending(position: Position) -> Position:
    """Return a deal with four tiles in each hand and in the boneyard, small enough for Python."""
    hands = []
    for hand in position.hands:
        for _ in range(3):
            hand &= hand - 1
        hands.append(hand)
    return position._replace(hands=tuple(hands), boneyard=position.boneyard[:4])


def measure(kernel: str) -> Speed:
    """Run the workload with one kernel."""
    with _forced(kernel):
        positions = workload(ROUNDS[kernel])
        # Once over for the tables, which every later play-out finds filled.
        playouts(positions, [None])
        repeats = 1 if kernel == "python" else 10
        begun = time.process_time()
        playouts(positions, [None] * repeats)
        rounds = len(positions) * repeats / (time.process_time() - begun)
        nodes, times = 0, []
        deals = positions[: DEALS[kernel]]
        for position in deals:
            value(position)
        for position in deals:
            solved_nodes, spent = value_of(position)
            nodes += solved_nodes
            times.append(spent)
        times.sort()
    return Speed(
        kernel, rounds, nodes / sum(times), 1000 * times[len(times) // 2], 1000 * times[-1]
    )


def value_of(position: Position) -> tuple[int, float]:
    """Find the value of a deal; return the positions searched and the seconds they took."""
    begun = time.process_time()
    nodes = value(position)[1]
    return nodes, time.process_time() - begun


@contextmanager
def _forced(kernel: str) -> Iterator[None]:
    before = os.environ.get("SNIFF_KERNEL")
    os.environ["SNIFF_KERNEL"] = kernel
    try:
        yield
    finally:
        if before is None:
            del os.environ["SNIFF_KERNEL"]
        else:
            os.environ["SNIFF_KERNEL"] = before
