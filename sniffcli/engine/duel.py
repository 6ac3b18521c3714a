"""Alpha-beta in plain Python for the usual game of two: no odd choices, points credited as made.

Only the speed differs from `solver.AlphaBeta`. A node is a handful of integers and a `Board`, which
leads to the next boards without asking the frontier table again. The search asks but one kind of
question, whether a value reaches a bound (a window without width), and its answer is a bound.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Generic, TypeVar

from sniffcli.engine.settlement import blocked, out
from sniffcli.engine.spec import MUST_PLAY, NEVER, TIE_BLOCKER, UNABLE, Spec
from sniffcli.engine.tables import WORTH_SHIFT
from sniffcli.engine.turns import Node, Tree

#: Larger than any difference of points.
LARGE = 30_000

#: What a search returns: the value for the seat to move, and the most points that this seat and
#: the other make on the way in any line looked at.
Found = tuple[int, int, int]

#: How much a point, a play that a rival then has, and a tile that he must draw count when plays are
#: put in order; a pip counts 1.
POINT, REPLY, DRAWN = 256, 1300, 2560

#: Plays of one position that are told apart in a number (see `Plays`).
PLAYS = 256

#: Plays that are kept for later searches.
KEPT = 400_000

K = TypeVar("K")
V = TypeVar("V")


class Memo(dict[K, V], Generic[K, V]):
    """What a function says, remembered."""

    __slots__ = ("_ask",)

    def __init__(self, ask: Callable[[K], V]) -> None:
        self._ask = ask

    def __missing__(self, key: K) -> V:
        found = self[key] = self._ask(key)
        return found


# What follows are plain tuples because the search takes them apart at every node, which costs a
# named tuple several times as much.

#: One way to lay a tile: its bit, what it is worth, and the board after it.
Play = tuple[int, int, "Board"]

#: How promising a play is: a number, from which that of `replies` for the rival's tiles that fit
#: then is taken; its last digits (base `PLAYS`) are the place of the play.
Weight = tuple[int, int, Memo[int, int]]

#: What can be done with some tiles on a board; a play that is forced has no weight.
Plays = tuple[tuple[Play, ...], tuple[Weight, ...]]

#: One table with what a search asks of it: its number, the tiles that fit, how many may be drawn,
#: the plays by the tiles that may be laid, and what the tiles of a rival that fit count against a
#: play that leads here (`replies`). Tiles are given as bit masks.
Board = tuple[int, int, int, Memo[int, Plays], Memo[int, int]]


#: What a search knows, by board, hands and place: lower and upper bound, plays in order, peaks.
Known = dict[tuple[int, int, int, int], tuple[int, int, list[Play], int, int]]


class Boards(Memo[int, Board]):
    """The boards of a spec by their number in its frontier table."""

    __slots__ = ("_spec", "kept", "outs")

    def __init__(self, spec: Spec) -> None:
        super().__init__(self._board)
        self._spec = spec
        #: How many plays are remembered.
        self.kept = 0
        #: What going out pays to who does, less what the other gets, by the tiles of the other.
        self.outs = Memo(self._paid_out)

    def forget(self) -> None:
        """Make room."""
        self.clear()
        self.outs.clear()
        self.kept = 0

    def _paid_out(self, left: int) -> int:
        self.kept += 1
        bonus = out(self._spec, 0, (0, left)).bonus
        return bonus[0] - bonus[1]

    def _board(self, number: int) -> Board:
        table = self._spec.table

        def plays(playable: int) -> Plays:
            found: list[tuple[int, Play]] = []
            left = playable
            while left:
                tile = left.bit_length() - 1
                left ^= 1 << tile
                for way in table.ways(number, tile):
                    play = (1 << tile, way.worth, self[way.after])
                    found.append((way.worth * POINT + self._spec.pips[tile], play))
            self.kept += len(found)
            if len(found) == 1:
                return (found[0][1],), ()
            return (
                tuple([play for _, play in found]),
                tuple(
                    [
                        (weight * PLAYS + place, after[1], after[4])
                        for place, (weight, (_, _, after)) in enumerate(found)
                    ]
                ),
            )

        def replies(fitting: int) -> int:
            left, most, count = fitting, 0, 0
            while left:
                bit = left & -left
                left ^= bit
                count += 1
                most = max(most, table.best_way(number, bit) >> WORTH_SHIFT)
            return (most * POINT + count * REPLY) * PLAYS

        fits, limit = table.fitting(number), table.limit[number]
        return number, fits, limit, Memo(plays), Memo(replies)


@lru_cache(maxsize=8)
def _boards(spec: Spec) -> Boards:
    return Boards(spec)


def is_usual(spec: Spec) -> bool:
    """Whether nobody ever has a choice but which tile to lay, and scores change nothing."""
    return (
        spec.seats == 2
        and spec.plain
        and spec.draw_when in (NEVER, UNABLE)
        and (spec.draw_when == NEVER or spec.draw_then == MUST_PLAY)
        and not spec.knock_bonus
        and not spec.pass_penalty
        and not spec.extra_double
        and not spec.extra_score
        and spec.blocked_tie != TIE_BLOCKER
    )


def starts_usually(node: Node) -> bool:
    """Whether a node is like all that follow it: something lies there, and nobody is mid-turn."""
    return node.frontier > 0 and not node.drawn and not node.extra


def searcher(
    tree: Tree, count: Callable[[int], None], known: Known
) -> Callable[[Node, int, int], Found]:
    """Return the search of a tree; COUNT is told every now and then how many nodes it took.

    A node is a position in which somebody looks for a tile to lay, forced or not, and each draw.
    """
    spec, boneyard = tree.spec, tree.boneyard
    boards = _boards(spec)
    if boards.kept > KEPT:
        boards.forget()
    #: Twice the number of tiles that may be drawn.
    end = 0 if tree.never else 2 * max(0, len(boneyard) - spec.reserve)
    last_counts = not spec.declare or spec.last_claim
    nodes, told = 0, 0

    def paid_blocked(held: tuple[int, int, int]) -> int:
        """Return what a blocked round pays to a seat, less what the other gets."""
        seat, mine, theirs = held
        hands = (mine, theirs) if seat == 0 else (theirs, mine)
        bonus = blocked(spec, hands, tree.leader, -1).bonus
        return bonus[seat] - bonus[1 - seat]

    outs, blocks = boards.outs, Memo(paid_blocked)

    def drawing(fits: int, where: int) -> int:
        """Return what counts against a play after which a rival draws."""
        cost = 0
        for tile in boneyard[where >> 1 : end >> 1]:
            cost += DRAWN * PLAYS
            if fits >> tile & 1:
                break
        return cost

    def promising(
        plays: tuple[Play, ...], weights: tuple[Weight, ...], theirs: int, where: int
    ) -> list[Play]:
        """Put plays in the order in which they are tried.

        Points less the best reply; few replies first, because each is a tree below. A rival who has
        to draw gets more tiles, so such plays come late.
        """
        ranks = []
        for weight, next_fits, replies in weights:
            fitting = theirs & next_fits
            if fitting:
                ranks.append(weight - replies[fitting])
            elif where < end:
                ranks.append(weight - drawing(next_fits, where))
            else:
                ranks.append(weight)
        if len(ranks) == 2:
            return [*plays] if ranks[0] > ranks[1] else [plays[1], plays[0]]
        ranks.sort(reverse=True)
        return [plays[rank % PLAYS] for rank in ranks]

    def search(board: Board, mine: int, theirs: int, where: int, passes: int, bound: int) -> Found:
        """Return a value that reaches the bound if the true one does: then at most the true one.

        Else it is at least that. WHERE is twice the number of tiles drawn, and the seat.
        """
        nonlocal nodes, told
        # Up to the first choice it goes on in a loop, with what was made on the way by the seat to
        # move and by the other, and whether that is another seat than at the start.
        made, other_made, turned = 0, 0, False
        while True:
            nodes += 1
            number, fits, limit, plays_of, _ = board
            playable = mine & fits
            if not playable:
                drawn = 0
                while where < end and drawn != limit:
                    bit = 1 << boneyard[where >> 1]
                    where += 2
                    drawn += 1
                    mine |= bit
                    passes = 0
                    if bit & fits:
                        playable = bit
                        break
                nodes += drawn
                if not playable:
                    if passes or (where >= end and not theirs & fits):
                        best, peak, other_peak = blocks[where & 1, mine, theirs], 0, 0
                        break
                    mine, theirs, where, passes, bound = theirs, mine, where ^ 1, 1, 1 - bound
                    made, other_made, turned = other_made, made, not turned
                    continue
            plays, weights = plays_of[playable]
            if weights:
                key = (number, mine, theirs, where)
                entry = known.get(key)
                if entry is not None:
                    least, most, order, peak, other_peak = entry
                    if least >= bound:
                        best = least
                        break
                    if most < bound:
                        best = most
                        break
                else:
                    least, most, peak, other_peak = -LARGE, LARGE, 0, 0
                    if nodes - told >= 4096:
                        count(nodes - told)
                        told = nodes
                    order = promising(plays, weights, theirs, where)
                best = -LARGE
                for play in order:
                    bit, worth, after = play
                    rest = mine ^ bit
                    if rest and (where < end or (rest | theirs) & after[1]):
                        value, other, own = search(
                            after, theirs, rest, where ^ 1, 0, worth - bound + 1
                        )
                        value = worth - value
                        if own + worth > peak:
                            peak = own + worth
                        if other > other_peak:
                            other_peak = other
                    else:
                        value = blocks[where & 1, rest, theirs] if rest else outs[theirs]
                        if last_counts:
                            value += worth
                            if worth > peak:
                                peak = worth
                    if value > best:
                        best = value
                        if value >= bound:
                            if play is not order[0]:
                                # What answered once comes first next time.
                                order.remove(play)
                                order.insert(0, play)
                            least = best
                            break
                else:
                    most = best
                known[key] = least, most, order, peak, other_peak
                break
            bit, worth, board = plays[0]
            rest = mine ^ bit
            if rest and (where < end or (rest | theirs) & board[1]):
                mine, theirs, where, passes, bound = theirs, rest, where ^ 1, 0, worth - bound + 1
                made, other_made, turned = other_made, made + worth, not turned
                continue
            best, peak, other_peak = blocks[where & 1, rest, theirs] if rest else outs[theirs], 0, 0
            if last_counts:
                made += worth
            break
        if turned:
            return other_made - made - best, other_made + other_peak, made + peak
        return best + made - other_made, made + peak, other_made + other_peak

    def start(node: Node, low: int, high: int) -> Found:
        """Return the value of a node for the seat to move, exact inside a window, else a bound."""
        nonlocal told
        seat = node.turn
        mine, theirs = node.hands[seat], node.hands[1 - seat]
        board, where = boards[node.frontier], node.taken << 1 | seat
        peak = other_peak = 0
        while True:
            value, own, other = search(board, mine, theirs, where, node.passes, high)
            peak, other_peak = max(peak, own), max(other_peak, other)
            if value >= high or value <= low:
                break
            # It is at most this; is it that much?
            high = value
        count(nodes - told)
        told = nodes
        return value, peak, other_peak

    return start
