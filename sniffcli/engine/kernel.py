"""Which twin does the work: the native kernel where it is built and able, else plain Python.

`SNIFF_KERNEL=python` or `native` forces one. Both give the same numbers.
"""

from __future__ import annotations

import os
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from operator import add, mul, sub
from typing import Any, NamedTuple

from sniffcli.engine.counting import Table
from sniffcli.engine.deals import Deals, World
from sniffcli.engine.equity import leading, next_leader
from sniffcli.engine.playout import BLOCKED, END, PARTS, First, Outcome, play_round
from sniffcli.engine.policy import GREEDY_POLICY, Policy, mixed
from sniffcli.engine.position import Position
from sniffcli.engine.spec import Spec, spec_of
from sniffcli.game.state import Setup

#: The largest tables of the native kernel: tiles of a set, and seats.
MOST_TILES, MOST_SEATS = 64, 12
#: Raised here and in `_kernel.pyx` whenever the one calls the other in a new way.
REVISION = 1


class KernelError(Exception):
    """`SNIFF_KERNEL` asks for something that is not there; the message says what to do."""


def native_module() -> Any:
    """Return the native kernel's module, or None where it is absent or not wanted.

    Raises:
        KernelError: `SNIFF_KERNEL` forces a kernel that is unknown or not built, or the one that
            is there belongs to another version of this module.
    """
    forced = os.environ.get("SNIFF_KERNEL", "")
    if forced not in ("", "python", "native"):
        raise KernelError(f"SNIFF_KERNEL is {forced!r}; it may be python or native")
    if forced == "python":
        return None
    try:
        module = import_module("sniffcli.engine._kernel")
    except ImportError as problem:
        if forced:
            raise KernelError(
                "SNIFF_KERNEL is native, but the native kernel is not built here; "
                "install with a C compiler, or leave the variable out"
            ) from problem
        return None
    if getattr(module, "REVISION", 0) != REVISION:
        # A checkout that was brought up to date without being installed again.
        raise KernelError(
            "the native kernel was built from other sources than these; install the project again "
            "(pip install -e .), or set SNIFF_KERNEL=python"
        )
    return module


def backend() -> str:
    """Return `native` or `python`: what does the work where both could."""
    return "python" if native_module() is None else "native"


@lru_cache(maxsize=16)
def _native(spec: Spec, module: Any) -> Any:
    return module.Kernel(spec)


def native_kernel(spec: Spec) -> Any:
    """Return the native kernel of a spec, or None where Python has to do it (large sets)."""
    module = native_module()
    if module is None or spec.top > MOST_TILES or len(spec.near_target) > 64:
        return None
    return _native(spec, module)


def largest_worth(spec: Spec) -> int:
    """Return what the best play is worth that leads to a table met so far."""
    native = native_kernel(spec)
    return max(max(spec.table.worth), 0 if native is None else native.largest_worth())


@lru_cache(maxsize=16)
def _idle(spec: Spec, module: Any) -> list[Any]:
    return []


def borrow_kernel(spec: Spec) -> Any:
    """Return a native kernel for one search alone, or None; `give_back` it afterwards."""
    if native_kernel(spec) is None:
        return None
    module = native_module()
    idle = _idle(spec, module)
    return idle.pop() if idle else module.Kernel(spec)


def give_back(kernel: Any) -> None:
    """Keep a borrowed kernel, with what it knows of the frontier table, for the next search."""
    _idle(kernel.spec, native_module()).append(kernel)


def native_sampler(
    tables: Sequence[Table], setup: Setup, seat: int, mine: int, boneyard: int
) -> Any:
    """Return the native sampler of the worlds of a seat, or None where Python has to draw them.

    MINE are the tiles that the seat holds; BONEYARD is how many lie face down.
    """
    module = native_module()
    if module is None or spec_of(setup).top > MOST_TILES or setup.seats > MOST_SEATS:
        return None
    others = [one for one in range(setup.seats) if one != seat]
    return module.Sampler(tables, setup.seats, others, seat, mine, boneyard)


def exceeded() -> type[Exception]:
    """Return the exception by which the native solver says that its budget is used up."""
    found: type[Exception] = native_module().Exceeded
    return found


class Standings(NamedTuple):
    """Outcomes in groups that are alike for the match: the same scores, and the same leader."""

    #: The number of its group for each position.
    groups: array[int]
    #: Of each group the scores, and the side that leads the next round (-1: not known).
    keys: list[tuple[int, ...]]


class Batch(NamedTuple):
    """Outcomes of some first actions on some positions, as one flat row of integers.

    The row holds, position by position and action by action: for each side its points by part
    (`playout.PARTS`), then the match scores per side, how the round ended, and who laid last.
    """

    data: array[int]
    positions: int
    actions: int
    sides: int

    @property
    def width(self) -> int:
        """Integers per outcome."""
        return 6 * self.sides + 2

    def column(self, action: int, place: int) -> array[int]:
        """Return one number of each outcome of an action, by position."""
        return self.data[action * self.width + place :: self.actions * self.width]

    def points(self, action: int, side: int, part: int) -> array[int]:
        """Return what a side made in one part, by position."""
        return self.column(action, 5 * side + part)

    def scores(self, action: int, side: int) -> array[int]:
        """Return the match score of a side after the round, by position."""
        return self.column(action, 5 * self.sides + side)

    def columns(self, action: int, side: int) -> tuple[array[int], ...]:
        """Return for each part the margins of a side times the number of other sides.

        So they are whole numbers, whose sums do not depend on an order.
        """
        native = native_module()
        if native is not None:
            found: tuple[array[int], ...] = native.columns(
                self.data, self.actions, self.sides, action, side
            )
            return found
        sides = range(self.sides)
        columns = []
        for part in range(len(PARTS)):
            own = self.points(action, side, part)
            rest = [self.points(action, one, part) for one in sides if one != side]
            if len(rest) == 1:
                columns.append(array("i", map(sub, own, rest[0])))
            else:
                sums = map(sum, zip(*rest, strict=True))
                columns.append(
                    array("i", [len(rest) * a - b for a, b in zip(own, sums, strict=True)])
                )
        return tuple(columns)

    def standings(self, action: int, setup: Setup, leader: int) -> Standings:
        """Group the outcomes of an action that are alike for the match; LEADER led the round."""
        native = native_module()
        if native is not None:
            rules = [-1 if one is None else one for one in leading(setup, leader)]
            return Standings(
                *native.standings(
                    self.data, self.actions, self.sides, action, setup.sides, leader, *rules
                )
            )
        sides = range(self.sides)
        scores = [self.scores(action, side) for side in sides]
        paid = zip(*(self.points(action, side, END) for side in sides), strict=True)
        ended = zip(*scores, *self._ended(action), strict=True)
        # Few endings differ at all, so who leads is asked once for each. What the end paid may
        # decide it, but only after a block.
        rows = [
            (*end, *points) if end[-2] == BLOCKED else end
            for end, points in zip(ended, paid, strict=True)
        ]
        of_row: dict[tuple[int, ...], int] = {}
        known: dict[tuple[int, ...], int] = {}
        for number, row in enumerate(rows):
            if row not in of_row:
                outcome = self.outcome(number, action)
                leads = next_leader(setup, outcome, leader)
                key = (*outcome.scores, -1 if leads is None else leads)
                of_row[row] = known.setdefault(key, len(known))
        return Standings(array("i", map(of_row.__getitem__, rows)), list(known))

    def ends(self, action: int) -> dict[tuple[int, int], int]:
        """Return how many outcomes ended how, by whom who laid last: pairs with their numbers."""
        native = native_module()
        if native is not None:
            found: dict[tuple[int, int], int] = native.ends(
                self.data, self.actions, self.sides, action
            )
            return found
        return Counter(self.ended(action))

    def ended(self, action: int) -> Iterator[tuple[int, int]]:
        """Return how each round ended, and who laid last in it."""
        return zip(*self._ended(action), strict=True)

    def _ended(self, action: int) -> tuple[array[int], array[int]]:
        return self.column(action, self.width - 2), self.column(action, self.width - 1)

    def margins(self, action: int, side: int, part: int) -> list[float]:
        """Return the points of a side in one part minus the mean of the others, by position."""
        own = self.points(action, side, part)
        others = [self.points(action, one, part) for one in range(self.sides) if one != side]
        if len(others) == 1:
            return [float(one) for one in map(sub, own, others[0])]
        rest = len(others)
        sums = map(sum, zip(*others, strict=True))
        return [one - other / rest for one, other in zip(own, sums, strict=True)]

    def outcome(self, position: int, action: int) -> Outcome:
        """Return one outcome as a value."""
        start = (position * self.actions + action) * self.width
        row = self.data[start : start + self.width]
        parts = len(PARTS)
        split = tuple(tuple(row[parts * side : parts * side + parts]) for side in range(self.sides))
        scores = tuple(row[parts * self.sides : parts * self.sides + self.sides])
        return Outcome(split, scores, row[-2], row[-1])


def added(columns: Sequence[array[int]]) -> array[int]:
    """Return the sum of columns of the same length, position by position."""
    native = native_module()
    if native is not None:
        total: array[int] = native.added(columns)
        return total
    total = columns[0]
    for one in columns[1:]:
        total = array("i", map(add, total, one))
    return total


def paired_sums(ones: array[int], others: array[int]) -> tuple[int, int]:
    """Return the sum of ONES less OTHERS as far as both go, and the sum of the squares of that."""
    native = native_module()
    if native is not None:
        sums: tuple[int, int] = native.paired_sums(ones, others)
        return sums
    differences = list(map(sub, ones, others))
    return sum(differences), sum(map(mul, differences, differences))


def playouts(
    positions: Sequence[Position],
    firsts: Sequence[First | None],
    policy: Policy = GREEDY_POLICY,
    seed: int = 0,
) -> Batch:
    """Play every position out after each first action (None: the policy chooses it).

    All positions are of one spec. The numbers do not depend on the kernel, and those of a position
    only on its place in the row and the seed (which matter to a random policy alone).
    """
    if not positions:
        return Batch(array("i"), 0, len(firsts), 0)
    return _batch(positions, firsts, (policy,) * positions[0].spec.seats, seed)


def whole_rounds(positions: Sequence[Position], policies: Sequence[Policy], seed: int = 0) -> Batch:
    """Play every position out with a policy for each seat; else as `playouts`."""
    if not positions:
        return Batch(array("i"), 0, 1, 0)
    return _batch(positions, (None,), policies, seed)


def _batch(
    positions: Sequence[Position],
    firsts: Sequence[First | None],
    policies: Sequence[Policy],
    seed: int,
) -> Batch:
    spec = positions[0].spec
    native = native_kernel(spec)
    if native is not None:
        data = native.play_outs(positions, firsts, policies, seed)
        return Batch(data, len(positions), len(firsts), spec.side_count)
    data = array("i")
    for number, position in enumerate(positions):
        for first in firsts:
            outcome, _ = play_round(position, policies, first, mixed(seed + number))
            for parts in outcome.parts:
                data.extend(parts)
            data.extend(outcome.scores)
            data.append(outcome.how)
            data.append(outcome.closer)
    return Batch(data, len(positions), len(firsts), spec.side_count)


def play_deals(
    position: Position,
    deals: Sequence[World] | Deals,
    firsts: Sequence[First | None],
    policy: Policy = GREEDY_POLICY,
    seed: int = 0,
) -> Batch:
    """Play a position out with the hands and the boneyard of each deal, as `playouts` does."""
    spec = position.spec
    native = native_kernel(spec)
    if native is None or not isinstance(deals, Deals):
        one_by_one = [position._replace(hands=one.hands, boneyard=one.boneyard) for one in deals]
        return playouts(one_by_one, firsts, policy, seed)
    empty = position._replace(hands=(0,) * spec.seats, boneyard=())
    data = native.play_deals(
        empty, len(deals), deals.hands, deals.boneyards, firsts, (policy,) * spec.seats, seed
    )
    return Batch(data, len(deals), len(firsts), spec.side_count)
