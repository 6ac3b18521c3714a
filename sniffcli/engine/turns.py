"""The turn as a tree: what may be done in a position, and what each action leads to.

This is what the solver walks. The rules are those of `game.turn` and `game.legal`, on integers.
"""

from __future__ import annotations

from typing import NamedTuple

from sniffcli.engine.allowed import bound, leading, next_seat, passing, side_is_out
from sniffcli.engine.playout import DRAW, PASS, First
from sniffcli.engine.position import Position, numbers_of
from sniffcli.engine.settlement import blocked, credit, last_tile, out
from sniffcli.engine.spec import (
    FREE,
    LEAD_PASS,
    MAY_PLAY,
    NEVER,
    TIE_BLOCKER,
    TURN_ENDS,
    WITHOUT_WILD,
)


class Node(NamedTuple):
    """What a position is to the solver: two equal nodes have the same future."""

    frontier: int
    hands: tuple[int, ...]
    turn: int
    #: Tiles drawn so far from a boneyard whose order is known.
    taken: int
    #: The tiles of a boneyard whose order is unknown, as a bit mask.
    hidden: int = 0
    drawn: int = 0
    last: int = -1
    passes: int = 0
    extra: bool = False
    #: Passes in a row for a penalty; so many that everybody would be where he was are not allowed.
    kept: int = 0
    must_lead: int = -1
    seeking: bool = False
    closer: int = -1
    #: Scores and entered sides, kept only where they make a difference.
    scores: tuple[int, ...] = ()
    entered: int = 0


class Step(NamedTuple):
    """Where an action leads: the next node (None: the round is over), and points per side."""

    node: Node | None
    gains: tuple[int, ...]
    #: The most that each side had gained at any time in the action: a tile may score what the
    #: end of the round then takes away (`own_pips_lost`), and a target counts in between.
    tops: tuple[int, ...]


class Tree:
    """The tree below one position. KNOWN_ORDER: the boneyard is drawn in the order that is given.

    SCORES: whether the match scores are followed, because targets or entries depend on them.
    """

    def __init__(self, position: Position, *, known_order: bool, scores: bool) -> None:
        self.spec = spec = position.spec
        self.boneyard = position.boneyard
        self.leader = position.leader
        self.known_order = known_order
        self.scores = scores
        self.never = spec.draw_when == NEVER
        self.nothing = (0,) * spec.side_count
        self.root = Node(
            frontier=position.frontier,
            hands=position.hands,
            turn=position.turn,
            taken=0,
            hidden=0 if known_order else sum(1 << tile for tile in position.boneyard),
            drawn=position.drawn,
            last=position.last_drawn if spec.binds else -1,
            passes=position.passes,
            extra=position.extra,
            must_lead=position.must_lead,
            seeking=position.seeking,
            closer=position.closer if spec.blocked_tie == TIE_BLOCKER else -1,
            scores=position.scores if scores else (),
            entered=position.entered if scores else 0,
        )

    def drawable(self, node: Node) -> int:
        """Return how many tiles may still be drawn."""
        if self.never:
            return 0
        there = len(self.boneyard) - node.taken if self.known_order else node.hidden.bit_count()
        return max(0, there - self.spec.reserve)

    def options(self, node: Node) -> list[First]:
        """Return every legal action: plays from the highest tile down, then draw, then pass."""
        spec, table = self.spec, self.spec.table
        hand = node.hands[node.turn]
        drawable = self.drawable(node)
        declining = node.extra and not spec.extra_forced
        if not node.frontier:
            playable = leading(
                spec, hand, node.must_lead, node.seeking, node.drawn, node.passes, drawable > 0
            )
            found = self._plays(node.frontier, playable)
            if not playable and spec.lead_draws and drawable:
                found.append(DRAW)
            elif not playable and spec.lead_rule == LEAD_PASS:
                found.append(PASS)
            return found
        playable = able = hand & table.fitting(node.frontier)
        is_bound = False
        if node.last >= 0 and self.spec.binds:
            playable = able = bound(spec, playable, node.last)
            is_bound = playable == 1 << node.last and not (
                spec.draw_when == WITHOUT_WILD and spec.wild & playable
            )
        if spec.draw_when == WITHOUT_WILD and not (spec.forced_wild and not drawable):
            able &= ~spec.wild
        found = self._plays(node.frontier, playable)
        limit = table.limit[node.frontier]
        draws = (
            drawable > 0
            and not declining
            and not is_bound
            and (limit < 0 or node.drawn < limit)
            and (spec.draw_when == FREE or not able)
        )
        if draws:
            found.append(DRAW)
        if declining or (node.drawn and spec.draw_then == MAY_PLAY):
            found.append(PASS)
        elif able:
            if spec.pass_penalty and node.kept < spec.seats - 1:
                found.append(PASS)
        elif not draws:
            found.append(PASS)
        return found

    def _plays(self, frontier: int, playable: int) -> list[First]:
        ways = self.spec.table.ways
        return [
            First(tile, way.after)
            for tile in reversed(numbers_of(playable))
            for way in ways(frontier, tile)
        ]

    def steps(self, node: Node, option: First) -> list[Step]:
        """Return where an option leads: one step, or one per tile that may be drawn."""
        if option == DRAW:
            if self.known_order:
                return [self._draw(node, self.boneyard[node.taken])]
            return [self._draw(node, tile) for tile in numbers_of(node.hidden)]
        return [self._pass(node) if option == PASS else self._play(node, option)]

    def _play(self, node: Node, option: First) -> Step:
        spec = self.spec
        seat, side = node.turn, spec.sides[node.turn]
        tile, after = option
        bit = 1 << tile
        hands = list(node.hands)
        hands[seat] ^= bit
        value = spec.table.worth[after] if node.frontier or spec.lead_scores else 0
        goes_out = not hands[seat] and (not spec.both_out or side_is_out(spec, hands, side))
        gained = _Gained(self, node)
        out_bonus: int | None = None
        if not spec.declare:
            paid, out_bonus = gained.tile(seat, hands, value, goes_out)
            gained.add(side, paid, entering=True)
        if node.passes and spec.knock_bonus:
            gained.add(side, gained.credit(side, spec.knock_bonus * node.passes, goes_out))
        if not (goes_out and spec.bundle) and gained.reached():
            return gained.step(None)
        earned = (spec.extra_double and bit & spec.doubles) or (spec.extra_score and value > 0)
        extra = bool(earned and not node.drawn and hands[seat])
        then = node._replace(
            frontier=after,
            hands=tuple(hands),
            turn=seat if extra else next_seat(spec, hands, seat),
            drawn=0,
            last=-1,
            passes=0,
            extra=extra,
            kept=0,
            must_lead=-1,
            seeking=False,
            closer=seat if spec.blocked_tie == TIE_BLOCKER else -1,
        )
        ends = goes_out or self._is_blocked(then)
        if spec.declare and value and (not ends or spec.last_claim):
            paid, out_bonus = gained.tile(seat, hands, value, goes_out)
            gained.add(side, paid, entering=True)
            if gained.reached():
                return gained.step(None)
        if ends:
            return self._settled(then, gained, seat if goes_out else -1, out_bonus)
        return gained.step(gained.onto(then))

    def _draw(self, node: Node, tile: int) -> Step:
        spec = self.spec
        hands = list(node.hands)
        hands[node.turn] |= 1 << tile
        then = node._replace(
            hands=tuple(hands),
            taken=node.taken + 1 if self.known_order else 0,
            hidden=node.hidden & ~(1 << tile),
            drawn=node.drawn + 1 if spec.follows_drawn or not node.frontier else 0,
            last=tile if spec.binds else -1,
            passes=0,
            kept=0,
        )
        if spec.draw_then == TURN_ENDS and node.frontier:
            limit = spec.table.limit[node.frontier]
            fits = spec.table.fitting(node.frontier)
            if 0 <= limit <= then.drawn or not self.drawable(then) or then.hands[node.turn] & fits:
                turn = next_seat(spec, hands, node.turn)
                then = then._replace(turn=turn, drawn=0, last=-1, extra=False)
        if self._is_blocked(then):
            return self._settled(then, _Gained(self, then), -1, None)
        return Step(then, self.nothing, self.nothing)

    def _pass(self, node: Node) -> Step:
        spec = self.spec
        playable = node.hands[node.turn] & spec.table.fitting(node.frontier)
        if node.last >= 0 and self.spec.binds:
            playable = bound(spec, playable, node.last)
        drawable = self.drawable(node) > 0
        penal, counts = passing(spec, node.frontier, playable, node.extra, node.drawn, drawable)
        gained = _Gained(self, node)
        if penal:
            gained.add(spec.sides[node.turn], -spec.pass_penalty)
        then = node._replace(
            turn=next_seat(spec, node.hands, node.turn),
            drawn=0,
            last=-1,
            passes=node.passes + 1 if counts else 0,
            extra=False,
            kept=node.kept + 1 if penal else node.kept,
        )
        if self._is_blocked(then):
            return self._settled(then, gained, -1, None)
        return gained.step(gained.onto(then))

    def _is_blocked(self, node: Node) -> bool:
        if not node.frontier:
            return False
        if not self.drawable(node):
            fits = self.spec.table.fitting(node.frontier)
            if not any(hand & fits for hand in node.hands):
                return True
        return node.passes > 0 and node.passes >= sum(1 for hand in node.hands if hand)

    def _settled(self, node: Node, gained: _Gained, winner: int, out_bonus: int | None) -> Step:
        spec = self.spec
        if winner >= 0:
            end = out(spec, winner, node.hands)
        else:
            end = blocked(spec, node.hands, self.leader, node.closer)
        before = list(gained.scores)
        for side, points in enumerate(end.bonus):
            if out_bonus is not None and side == spec.sides[winner]:
                paid = out_bonus
            else:
                paid = credit(spec, before[side], True, points, play=False, going_out=winner >= 0)
            gained.add(side, paid)
        return gained.step(None)


class _Gained:
    """Points per side that one action brings, credited against the scores where they matter."""

    def __init__(self, tree: Tree, node: Node) -> None:
        self.spec = tree.spec
        self.follow = tree.scores
        self.start = node.scores or tree.nothing
        self.scores = list(self.start)
        self.highest = list(self.start)
        self.entered = node.entered

    def credit(self, side: int, points: int, going_out: bool) -> int:
        return credit(self.spec, self.scores[side], True, points, play=False, going_out=going_out)

    def tile(
        self, seat: int, hands: list[int], value: int, goes_out: bool
    ) -> tuple[int, int | None]:
        spec, side = self.spec, self.spec.sides[seat]
        if spec.plain:
            return value, None
        entered = self.entered >> side & 1 == 1
        if goes_out:
            return last_tile(spec, seat, hands, self.scores[side], entered, value)
        score = self.scores[side]
        return credit(spec, score, entered, value, play=True, going_out=False), None

    def add(self, side: int, points: int, *, entering: bool = False) -> None:
        self.scores[side] += points
        self.highest[side] = max(self.highest[side], self.scores[side])
        if entering and points > 0:
            self.entered |= 1 << side

    def reached(self) -> bool:
        """Whether a score ends the round at once."""
        return self.follow and self.spec.stops and max(self.scores) >= self.spec.target

    def step(self, node: Node | None) -> Step:
        gains = (now - then for now, then in zip(self.scores, self.start, strict=True))
        tops = (high - then for high, then in zip(self.highest, self.start, strict=True))
        return Step(node, tuple(gains), tuple(tops))

    def onto(self, node: Node) -> Node:
        if not self.follow:
            return node
        return node._replace(scores=tuple(self.scores), entered=self.entered)
