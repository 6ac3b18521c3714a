"""Exact values of a position whose hands are all known, for every choice at its root.

Two sides and a known drawing order are searched by alpha-beta on the difference of their points.
Everything else, three and more sides (max-n: everybody wants the best margin for his own side) and
boneyards whose order is unknown (every tile of it is as likely), is searched in full.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any, NamedTuple

from sniffcli.engine.duel import Known, is_usual, searcher, starts_usually
from sniffcli.engine.kernel import borrow_kernel, exceeded, give_back
from sniffcli.engine.playout import DRAW, First
from sniffcli.engine.position import Position
from sniffcli.engine.turns import Node, Step, Tree

#: How many positions are searched before a problem counts as too large: by the native kernel, by
#: alpha-beta in Python, and in a full tree, where every position is kept. About half a minute each.
BUDGETS = (100_000_000, 4_000_000, 400_000)

#: A full tree whose estimated size is so many times what is within reach is not even begun: the
#: estimate counts a position once for each way that leads there, up to some hundred times.
HOPELESS = 10_000

#: Expectations are sums of fractions; what differs by less than this is equal.
TINY = 1e-9


class TooLarge(Exception):
    """A position is out of reach; `size` estimates the number of positions below it."""

    def __init__(self, nodes: int, size: float) -> None:
        super().__init__(f"more than {nodes:,} positions to search, about {size:.1e}")
        self.nodes = nodes
        self.size = size


class Ply(NamedTuple):
    """One action of a line: who did what, the tile drawn (-1: none), and points per side."""

    seat: int
    action: First
    drawn: int
    gains: tuple[int, ...]


class Choice(NamedTuple):
    """One choice at the root: points per side from now to the end of the round, and a best line.

    Where the drawing order is unknown the points are expectations, and the line ends at the first
    draw.
    """

    action: First
    #: The margin of the side to move: its points minus the mean of the other sides.
    value: float
    by_side: tuple[float, ...]
    line: tuple[Ply, ...]


class Solution(NamedTuple):
    """The values of all choices, best first, equal ones in the order in which they are listed."""

    choices: tuple[Choice, ...]
    nodes: int


def margin(points: Sequence[float], side: int) -> float:
    """Return the points of a side minus the mean of the other sides."""
    others = len(points) - 1
    return (points[side] * (others + 1) - sum(points)) / others


def solve(position: Position, *, known_order: bool, budget: int | None = None) -> Solution:
    """Return the exact value of every choice of the seat to move.

    Where a target ends the round at once, scores count only when some line comes that far; so the
    position is solved without them first.

    Raises:
        TooLarge: more than BUDGET positions (default: `BUDGETS`) would have to be searched.
    """
    spec = position.spec
    if not spec.plain:
        return _solved(position, known_order, True, budget)
    if spec.stops:
        with _searching(position, known_order, False, budget) as search:
            choices = search.choices()
        peaks = search.peaks
        if all(s + p < spec.target for s, p in zip(position.scores, peaks, strict=True)):
            return Solution(choices, search.nodes)
        return _solved(position, known_order, True, budget)
    return _solved(position, known_order, False, budget)


def value(position: Position, budget: int | None = None) -> tuple[float, int]:
    """Return the value of a position of two sides whose boneyard lies in a known order.

    The margin of the side to move, if both sides play their best, and the nodes it took.
    """
    spec = position.spec
    follow = not spec.plain
    while True:
        with _searching(position, True, follow, budget) as search:
            if not isinstance(search, AlphaBeta):
                raise ValueError("only two sides have one value")
            difference = search.root_value()
        peaks = zip(position.scores, search.peaks, strict=True)
        if follow or not spec.stops or all(s + p < spec.target for s, p in peaks):
            return (difference if position.side == 0 else -difference), search.nodes
        follow = True


def _solved(position: Position, known_order: bool, scores: bool, budget: int | None) -> Solution:
    with _searching(position, known_order, scores, budget) as search:
        return Solution(search.choices(), search.nodes)


@contextmanager
def _searching(
    position: Position, known_order: bool, scores: bool, budget: int | None
) -> Iterator[Search]:
    """Search, without Python looking for cycles in what is remembered.

    There are none, and looking time and again would take a third of the time.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        with closing(_search(position, known_order, scores, budget)) as search:
            yield search
    finally:
        if collecting:
            gc.enable()


def _search(position: Position, known_order: bool, scores: bool, budget: int | None) -> Search:
    tree = Tree(position, known_order=known_order, scores=scores)
    if position.spec.side_count > 2 or (tree.drawable(tree.root) and not known_order):
        return Full(tree, budget or BUDGETS[2])
    native = borrow_kernel(position.spec) if len(position.boneyard) <= 64 else None
    if native is None:
        usual = is_usual(position.spec) and not scores
        return (Duel if usual else AlphaBeta)(tree, budget or BUDGETS[1])
    return NativeAlphaBeta(tree, budget or BUDGETS[0], native, position)


class Search:
    """What both searches share: counting, the peaks of points, and the choices at the root."""

    def __init__(self, tree: Tree, budget: int) -> None:
        self.tree = tree
        self.budget = budget
        self.nodes = 0
        #: The most points that each side makes in any line looked at, at some moment.
        self.peaks: tuple[int, ...] = tree.nothing

    def choices(self) -> tuple[Choice, ...]:
        """Return every choice with its value, best first."""
        raise NotImplementedError

    def close(self) -> None:
        """Give back what was borrowed."""

    def count(self, nodes: int = 1) -> None:
        """Count nodes, and stop when there are too many."""
        self.nodes += nodes
        if self.nodes > self.budget:
            raise TooLarge(self.budget, size_of(self.tree))


class Full(Search):
    """The full tree with chance nodes and any number of sides; values are points per side."""

    def __init__(self, tree: Tree, budget: int) -> None:
        super().__init__(tree, budget)
        self._known: dict[Node, tuple[tuple[float, ...], tuple[int, ...]]] = {}

    def choices(self) -> tuple[Choice, ...]:
        """Return every choice with its value, best first."""
        tree, root = self.tree, self.tree.root
        size = size_of(tree)
        if size > HOPELESS * self.budget:
            raise TooLarge(self.budget, size)
        side = tree.spec.sides[root.turn]
        found = []
        for option in tree.options(root):
            points, peaks = self._after(root, option)
            self.peaks = tuple(map(max, self.peaks, peaks))
            line = self._line(root, option)
            found.append(Choice(option, margin(points, side), points, line))
        return _best_first(found)

    def _after(self, node: Node, option: First) -> tuple[tuple[float, ...], tuple[int, ...]]:
        """Return the points per side from an option on, and the peaks."""
        steps = self.tree.steps(node, option)
        sums = [0.0] * len(self.tree.nothing)
        peaks = self.tree.nothing
        for step in steps:
            points, heights = self._below(step)
            for side, gain in enumerate(step.gains):
                sums[side] += points[side] + gain
            peaks = tuple(map(max, peaks, _heights(step, heights)))
        return tuple(one / len(steps) for one in sums), peaks

    def _below(self, step: Step) -> tuple[tuple[float, ...], tuple[int, ...]]:
        if step.node is None:
            return self.tree.nothing, self.tree.nothing
        known = self._known.get(step.node)
        if known is not None:
            return known
        self.count()
        node = step.node
        side = self.tree.spec.sides[node.turn]
        best: tuple[float, ...] | None = None
        most = 0.0
        peaks = self.tree.nothing
        for option in self.tree.options(node):
            points, heights = self._after(node, option)
            peaks = tuple(map(max, peaks, heights))
            worth = margin(points, side)
            if best is None or worth > most + TINY:
                best, most = points, worth
        assert best is not None
        self._known[node] = best, peaks
        return best, peaks

    def _line(self, node: Node, option: First) -> tuple[Ply, ...]:
        plies = []
        while True:
            steps = self.tree.steps(node, option)
            if option == DRAW and not self.tree.known_order:
                plies.append(Ply(node.turn, option, -1, self.tree.nothing))
                return tuple(plies)
            step = steps[0]
            plies.append(_ply(self.tree, node, option, step))
            if step.node is None:
                return tuple(plies)
            node = step.node
            side = self.tree.spec.sides[node.turn]
            option = max(
                self.tree.options(node),
                key=lambda one: round(margin(self._after(node, one)[0], side), 9),
            )


class AlphaBeta(Search):
    """Alpha-beta on the points of side 0 minus those of side 1, with a table of bounds."""

    def __init__(self, tree: Tree, budget: int) -> None:
        super().__init__(tree, budget)
        #: Per node: lower and upper bound, best option, peaks of points below.
        self._known: dict[Node, tuple[int, int, First | None, tuple[int, ...]]] = {}

    def choices(self) -> tuple[Choice, ...]:
        """Return every choice with its value, best first."""
        tree, root = self.tree, self.tree.root
        side = tree.spec.sides[root.turn]
        found = []
        value = 0
        for option in tree.options(root):
            step = tree.steps(root, option)[0]
            value = self._exactly(step, value)
            line = self._line(root, option, value)
            points = [0] * 2
            for ply in line:
                points[0] += ply.gains[0]
                points[1] += ply.gains[1]
            by_side = tuple(points)
            found.append(Choice(option, margin(by_side, side), by_side, line))
        return _best_first(found)

    def root_value(self) -> int:
        """Return the value of the root, by one search for all its choices together."""
        return self._exactly(Step(self.tree.root, self.tree.nothing, self.tree.nothing), 0)

    def _exactly(self, step: Step, guess: int) -> int:
        """Return the difference from an action on, near GUESS if that is a good one.

        A question with a narrow window, whether the value is below a bound, is answered soon; each
        answer is itself a bound, and the table remembers what it took (MTD(f), Plaat et al. 1996).
        """
        low, high = -LARGE, LARGE
        while low < high:
            bound = max(guess, low + 1)
            guess = self._value(step, bound - 1, bound)
            if guess < bound:
                high = guess
            else:
                low = guess
        return guess

    def _value(self, step: Step, low: int, high: int) -> int:
        """Return the difference from an action on, exact within the window, else a bound."""
        gain = step.gains[0] - step.gains[1]
        if step.node is None:
            self._reach(step, self.tree.nothing)
            return gain
        value, peaks = self._below(step.node, low - gain, high - gain)
        self._reach(step, peaks)
        return value + gain

    def _reach(self, step: Step, peaks: Sequence[int]) -> None:
        self.peaks = tuple(map(max, self.peaks, _heights(step, peaks)))

    def _below(self, node: Node, low: int, high: int) -> tuple[int, tuple[int, ...]]:
        least, most, first, peaks = self._known.get(node, (-LARGE, LARGE, None, self.tree.nothing))
        if least >= high or least == most:
            return least, peaks
        if most <= low:
            return most, peaks
        self.count()
        tree = self.tree
        maximising = tree.spec.sides[node.turn] == 0
        best = -LARGE if maximising else LARGE
        choice = first
        alpha, beta = max(low, least), min(high, most)
        for option in self._ordered(node, first):
            step = tree.steps(node, option)[0]
            gain = step.gains[0] - step.gains[1]
            heights: tuple[int, ...] = tree.nothing
            value = gain
            if step.node is not None:
                below, heights = self._below(step.node, alpha - gain, beta - gain)
                value += below
            peaks = tuple(map(max, peaks, _heights(step, heights)))
            if maximising:
                if value > best:
                    best, choice = value, option
                    alpha = max(alpha, best)
            elif value < best:
                best, choice = value, option
                beta = min(beta, best)
            if alpha >= beta:
                break
        # A fail-soft value: exact inside the window, else a bound on one side.
        if best < high:
            most = min(most, best)
        if best > low:
            least = max(least, best)
        self._known[node] = least, most, choice, peaks
        return best, peaks

    def _ordered(self, node: Node, first: First | None) -> list[First]:
        """Return the options, most promising first: the best of last time, then most points."""
        worth, pips = self.tree.spec.table.worth, self.tree.spec.pips

        def promise(option: First) -> tuple[int, int, int]:
            if option.tile < 0:
                return 0, -1, -1
            return int(option == first), worth[option.after], pips[option.tile]

        return sorted(self.tree.options(node), key=promise, reverse=True)

    def _line(self, node: Node, option: First, value: int) -> tuple[Ply, ...]:
        """Return a line of best play by both sides.

        Of equal choices it takes the most points now, then the lightest tile.
        """
        plies = []
        while True:
            step = self.tree.steps(node, option)[0]
            plies.append(_ply(self.tree, node, option, step))
            if step.node is None:
                return tuple(plies)
            value -= step.gains[0] - step.gains[1]
            node = step.node
            options = sorted(self.tree.options(node), key=self._plainness)
            option = next(one for one in options if self._is(self.tree.steps(node, one)[0], value))

    def _plainness(self, option: First) -> tuple[int, int, int]:
        """Return what orders equal choices in a line."""
        if option.tile < 0:
            return 1, 0, -option.tile
        table = self.tree.spec.table
        return -table.worth[option.after], self.tree.spec.pips[option.tile], option.tile

    def _is(self, step: Step, value: int) -> bool:
        """Whether the difference from an action on is exactly VALUE."""
        return self._value(step, value - 1, value + 1) == value


class Duel(AlphaBeta):
    """The same with the fast search of the usual game of two wherever a node allows it."""

    def __init__(self, tree: Tree, budget: int) -> None:
        super().__init__(tree, budget)
        self._found: Known = {}
        self._fast = searcher(tree, self.count, self._found)

    def close(self) -> None:
        """Forget what was found, which the search itself would keep alive."""
        self._found.clear()

    def _below(self, node: Node, low: int, high: int) -> tuple[int, tuple[int, ...]]:
        if not starts_usually(node):
            return super()._below(node, low, high)
        if node.turn == 0:
            value, own, other = self._fast(node, low, high)
            return value, (own, other)
        value, own, other = self._fast(node, -high, -low)
        return -value, (other, own)


class NativeAlphaBeta(AlphaBeta):
    """The same with its values from the native kernel, whose table of bounds is kept there."""

    def __init__(self, tree: Tree, budget: int, native: Any, position: Position) -> None:
        super().__init__(tree, budget)
        self._native = native
        native.begin(position, tree.scores, budget)

    def close(self) -> None:
        """Give the kernel back."""
        give_back(self._native)

    def _below(self, node: Node, low: int, high: int) -> tuple[int, tuple[int, ...]]:
        try:
            value, peaks, self.nodes = self._native.value(node, low, high)
        except exceeded():
            raise TooLarge(self.budget, size_of(self.tree)) from None
        return value, peaks


#: Larger than any difference of points.
LARGE = 30_000


def _heights(step: Step, below: Sequence[int]) -> list[int]:
    """Return the most that each side reaches in an action and in what follows it."""
    return [
        max(top, gain + more) for gain, top, more in zip(step.gains, step.tops, below, strict=True)
    ]


def _ply(tree: Tree, node: Node, option: First, step: Step) -> Ply:
    drawn = tree.boneyard[node.taken] if option == DRAW else -1
    return Ply(node.turn, option, drawn, step.gains)


def _best_first(choices: Sequence[Choice]) -> tuple[Choice, ...]:
    return tuple(sorted(choices, key=lambda one: -round(one.value, 9)))


def size_of(tree: Tree, probes: int = 200) -> float:
    """Return an estimate of the size of a tree, from random walks down it (Knuth 1975)."""
    from sniffcli.engine.policy import mixed

    number = 1
    total = 0.0
    for _ in range(probes):
        node: Node | None = tree.root
        width = 1.0
        while node is not None:
            options = tree.options(node)
            number = mixed(number)
            option = options[(number >> 11) % len(options)]
            steps = tree.steps(node, option)
            number = mixed(number)
            width *= len(options) * len(steps)
            total += width
            node = steps[(number >> 11) % len(steps)].node
    return total / probes
