"""Alpha-beta in plain Python for the usual game of two: no odd choices, points credited as made.

Only the speed differs from `solver.AlphaBeta`: a node is a handful of integers in local variables.
"""

from __future__ import annotations

from collections.abc import Callable

from sniffcli.engine.settlement import blocked, out
from sniffcli.engine.spec import MUST_PLAY, NEVER, TIE_BLOCKER, UNABLE, Spec
from sniffcli.engine.tables import WORTH_SHIFT
from sniffcli.engine.turns import Node, Tree

#: Larger than any difference of points.
LARGE = 30_000

#: What a search returns: the value for the seat to move, and the most points that this seat and
#: the other make on the way in any line looked at.
Found = tuple[int, int, int]

#: A play: the bit of its tile, the table that it leads to, and what it is worth.
Row = tuple[int, int, int]

#: What a tile that a rival must draw counts against a play when plays are put in order.
DRAWN = 15


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


def searcher(tree: Tree, count: Callable[[int], None]) -> Callable[[Node, int, int], Found]:
    """Return the search of a tree; COUNT is told every now and then how many nodes it took."""
    spec, table = tree.spec, tree.spec.table
    fits_of, limit_of, boneyard = table.fits, table.limit, tree.boneyard
    end = 0 if tree.never else max(0, len(boneyard) - spec.reserve)
    known: dict[tuple[int, int, int, int, int], tuple[int, int, Row, int, int]] = {}
    ordered: dict[tuple[int, int], tuple[Row, ...]] = {}
    replies: dict[tuple[int, int], int] = {}
    settled: dict[tuple[int, int, int, bool], int] = {}
    last_counts = not spec.declare or spec.last_claim
    nodes, told = 0, 0

    def moves(fid: int, playable: int) -> tuple[Row, ...]:
        """Return the plays as (bit, table, worth), most points first, then most pips."""
        found = []
        left = playable
        while left:
            tile = left.bit_length() - 1
            left ^= 1 << tile
            found += [
                (way.worth, spec.pips[tile], 1 << tile, way.after) for way in table.ways(fid, tile)
            ]
        found.sort(key=lambda one: one[:2], reverse=True)
        rows = tuple((bit, after, worth) for worth, _, bit, after in found)
        ordered[fid, playable] = rows
        return rows

    def reply(after: int, fitting: int) -> int:
        """Return the most points that one of these tiles makes on table AFTER."""
        left, most = fitting, 0
        while left:
            bit = left & -left
            left ^= bit
            way = table.best_way(after, bit)
            most = max(most, way >> WORTH_SHIFT)
        replies[after, fitting] = most
        return most

    def settle(seat: int, mine: int, theirs: int, goes_out: bool) -> int:
        """Return what the end of the round pays to SEAT, less what the other gets."""
        hands = (mine, theirs) if seat == 0 else (theirs, mine)
        if goes_out:
            bonus = out(spec, seat, hands).bonus
        else:
            bonus = blocked(spec, hands, tree.leader, -1).bonus
        paid = bonus[seat] - bonus[1 - seat]
        settled[seat, mine, theirs, goes_out] = paid
        return paid

    def search(
        fid: int,
        seat: int,
        mine: int,
        theirs: int,
        taken: int,
        passes: int,
        alpha: int,
        beta: int,
    ) -> Found:
        nonlocal nodes, told
        nodes += 1
        if nodes - told >= 4096:
            count(nodes - told)
            told = nodes
        fits = fits_of[fid]
        if fits < 0:
            fits = table.fitting(fid)
        playable = mine & fits
        if not playable:
            drawn, limit = 0, limit_of[fid]
            while taken < end and drawn != limit:
                bit = 1 << boneyard[taken]
                taken += 1
                drawn += 1
                mine |= bit
                passes = 0
                if bit & fits:
                    playable = bit
                    break
            nodes += drawn
            if not playable:
                passes += 1
                if passes >= 2 or (taken >= end and not theirs & fits):
                    paid = settled.get((seat, mine, theirs, False))
                    return (settle(seat, mine, theirs, False) if paid is None else paid), 0, 0
                value, other, own = search(
                    fid, 1 - seat, theirs, mine, taken, passes, -beta, -alpha
                )
                return -value, own, other
        rows = ordered.get((fid, playable)) or moves(fid, playable)
        best, choice, peak, other_peak = -LARGE, rows[0], 0, 0
        low, high = alpha, beta
        least, most = -LARGE, LARGE
        single = len(rows) == 1
        if not single:
            key = (fid, mine, theirs, taken, seat)
            entry = known.get(key)
            first = None
            if entry is not None:
                least, most, first, peak, other_peak = entry
                if least >= beta or least == most:
                    return least, peak, other_peak
                if most <= alpha:
                    return most, peak, other_peak
                if least > alpha:
                    alpha = least
                if most < beta:
                    beta = most
            # Best of last time, then points less the best reply; plays that make the rival draw
            # come late, because the tree below them is larger.
            promising = []
            for nth, row in enumerate(rows):
                if row is first:
                    promising.append((LARGE, -nth, row))
                    continue
                after = row[1]
                next_fits = fits_of[after]
                if next_fits < 0:
                    next_fits = table.fitting(after)
                fitting = theirs & next_fits
                if fitting:
                    cost = replies.get((after, fitting))
                    if cost is None:
                        cost = reply(after, fitting)
                else:
                    cost = 0
                    for tile in boneyard[taken:end]:
                        cost += DRAWN
                        if next_fits >> tile & 1:
                            break
                promising.append((row[2] - cost, -nth, row))
            promising.sort(reverse=True)
            rows = tuple([one[2] for one in promising])
        scouting = False
        for row in rows:
            bit, after, worth = row
            rest = mine ^ bit
            if not rest:
                paid = settled.get((seat, rest, theirs, True))
                value = settle(seat, rest, theirs, True) if paid is None else paid
                made = worth if last_counts else 0
                own = other = 0
            else:
                next_fits = fits_of[after]
                if next_fits < 0:
                    next_fits = table.fitting(after)
                made = worth
                if taken >= end and not (rest | theirs) & next_fits:
                    paid = settled.get((seat, rest, theirs, False))
                    value = settle(seat, rest, theirs, False) if paid is None else paid
                    if not last_counts:
                        made = 0
                    own = other = 0
                else:
                    # Only whether it is better at all; how much better is asked if it is.
                    top = alpha + 1 if scouting else beta
                    value, other, own = search(
                        after, 1 - seat, theirs, rest, taken, 0, made - top, made - alpha
                    )
                    if scouting and alpha < made - value < beta:
                        value, other, own = search(
                            after, 1 - seat, theirs, rest, taken, 0, made - beta, value
                        )
                    value = -value
            value += made
            if own + made > peak:
                peak = own + made
            if other > other_peak:
                other_peak = other
            if value > best:
                best, choice = value, row
                if value > alpha:
                    alpha = value
                    if alpha >= beta:
                        break
            scouting = beta - alpha > 1
        if not single:
            if low < best and best > least:
                least = best
            if best < high and best < most:
                most = best
            known[key] = (least, most, choice, peak, other_peak)
        return best, peak, other_peak

    def start(node: Node, low: int, high: int) -> Found:
        nonlocal told
        seat = node.turn
        mine, theirs = node.hands[seat], node.hands[1 - seat]
        found = search(node.frontier, seat, mine, theirs, node.taken, node.passes, low, high)
        count(nodes - told)
        told = nodes
        return found

    return start
