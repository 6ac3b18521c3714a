"""Play-outs: from a position to the end of the round by a policy, in plain Python.

The rules of the turn are those of `game.turn`; that both agree is tested on random rounds of every
ruleset. The native kernel is a twin of this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sniffcli.engine.allowed import bound, leading, may_draw, next_seat, passing, side_is_out
from sniffcli.engine.features import phase_of, weighed
from sniffcli.engine.policy import (
    BLIND,
    GREEDY,
    GREEDY_POLICY,
    RANDOM,
    WEIGHTED,
    Policy,
    mixed,
)
from sniffcli.engine.position import Position
from sniffcli.engine.settlement import blocked, credit, last_tile, out
from sniffcli.engine.spec import (
    MUST_PLAY,
    NEVER,
    TURN_ENDS,
    Spec,
)
from sniffcli.engine.tables import ID_MASK, TILE_SHIFT, WORTH_SHIFT

#: Parts of the points of a round, seen from the seat that moves first: with the first action, until
#: it is on turn again, in that turn, afterwards, and for going out or the block.
NOW, REPLY, NEXT, REST, END = range(5)
PARTS = ("now", "reply", "next", "rest", "end")

#: How a round ended.
WENT_OUT, BLOCKED, TARGET = range(3)


class First(NamedTuple):
    """A first action: a tile number and the table that it leads to, or one of the two below."""

    tile: int
    after: int = 0


DRAW = First(-2)
PASS = First(-3)


class Outcome(NamedTuple):
    """How a play-out ended: points per side and part, the match scores, how, and who laid last."""

    parts: tuple[tuple[int, ...], ...]
    scores: tuple[int, ...]
    how: int
    closer: int

    def points(self, side: int) -> int:
        """Return all points that a side made."""
        return sum(self.parts[side])

    def margin(self, side: int) -> float:
        """Return the points of a side minus the mean of the other sides."""
        sums = [sum(parts) for parts in self.parts]
        others = len(sums) - 1
        return (sums[side] * (others + 1) - sum(sums)) / others


def play_outs(
    positions: Sequence[Position],
    firsts: Sequence[First | None],
    policy: Policy = GREEDY_POLICY,
    seed: int = 0,
) -> list[list[Outcome]]:
    """Return for each position the outcomes of each first action (None: the policy chooses it)."""
    return [
        [play_out(position, first, policy, mixed(seed + number)) for first in firsts]
        for number, position in enumerate(positions)
    ]


def play_out(
    position: Position,
    first: First | None = None,
    policy: Policy = GREEDY_POLICY,
    seed: int = 0,
) -> Outcome:
    """Play a round to its end and return what everybody made.

    FIRST is the first action; None lets the policy choose it. SEED matters to a random policy only.
    """
    return play_round(position, (policy,) * position.spec.seats, first, seed)[0]


def play_round(
    position: Position,
    policies: Sequence[Policy],
    first: First | None = None,
    seed: int = 0,
) -> tuple[Outcome, list[int]]:
    """Play a round to its end with a policy for each seat; return also the hands that are left."""
    spec = position.spec
    table = spec.table
    fits_of, best_of, worth_of, limit_of = table.fits, table.best, table.worth, table.limit
    sides, seats, doubles = spec.sides, spec.seats, spec.doubles
    boneyard = position.boneyard
    end_of_draw = 0 if spec.draw_when == NEVER else len(boneyard) - spec.reserve
    must_play, turn_ends = spec.draw_then == MUST_PLAY, spec.draw_then == TURN_ENDS
    extra_any = spec.extra_double or spec.extra_score
    plain, target, knock_bonus = spec.plain, spec.target, spec.knock_bonus
    stops = spec.stops
    passed_target = stops and max(position.scores) >= target
    simple = [
        policy.kind in (GREEDY, BLIND) and (plain or policy.kind == BLIND) for policy in policies
    ]

    hands = list(position.hands)
    scores = list(position.scores)
    entered = position.entered
    parts = [0] * (5 * spec.side_count)
    fid, turn, drawn, passes = position.frontier, position.turn, position.drawn, position.passes
    last = position.last_drawn if must_play else -1
    extra, closer = position.extra, position.closer
    must_lead, seeking = position.must_lead, position.seeking
    me, part, drawn_to = turn, NOW, 0
    out_bonus: int | None = None
    random = seed

    while True:
        if part == REPLY:
            if turn == me:
                part = NEXT
        elif part == NEXT and turn != me:
            part = REST
        hand = hands[turn]
        fits = fits_of[fid]
        if fits < 0:
            fits = table.fitting(fid)
        playable = hand & fits
        if last >= 0 and fid:
            playable = bound(spec, playable, last)
        elif not fid:
            playable = leading(
                spec, hand, must_lead, seeking, drawn, passes, drawn_to < end_of_draw
            )

        # What to do: the first action as asked, then by the policy.
        packed = -1
        action = 0
        if first is not None:
            action, packed = first
            if action >= 0:
                packed |= worth_of[packed] << WORTH_SHIFT | action << TILE_SHIFT
            first = None
        elif playable:
            if simple[turn] and (fid or spec.lead_scores):
                best = best_of[fid]
                while playable:
                    bit = playable & -playable
                    playable ^= bit
                    way = best.get(bit)
                    if way is None:
                        way = table.best_way(fid, bit)
                    if way > packed:
                        packed = way
            else:
                kind = policies[turn].kind
                unseen = least = 0
                if kind == RANDOM:
                    random = mixed(random)
                elif kind == WEIGHTED:
                    unseen = _hidden(hands, turn, boneyard[drawn_to:])
                    least = fewest(spec, [one.bit_count() for one in hands], turn)
                packed = choose(
                    spec,
                    policies[turn],
                    fid,
                    hands,
                    turn,
                    playable,
                    scores,
                    entered,
                    random,
                    unseen,
                    least,
                )
        elif drawn_to < end_of_draw and may_draw(spec, fid, extra, drawn, limit_of[fid]):
            action = DRAW.tile
        else:
            action = PASS.tile

        if action >= 0:
            tile = packed >> TILE_SHIFT & 0xFF
            after = packed & ID_MASK
            bit = 1 << tile
            side = sides[turn]
            value = worth_of[after] if fid or spec.lead_scores else 0
            hand ^= bit
            hands[turn] = hand
            knocks, drew = passes, drawn
            fid, closer, must_lead = after, turn, -1
            drawn, last, passes, extra = 0, -1, 0, False
            goes_out = not hand and (not spec.both_out or side_is_out(spec, hands, side))
            # Points of the tile itself: at once, or with the claim that follows.
            claimed = 0
            if spec.declare:
                claimed = value
            else:
                paid = value
                if not plain:
                    known = entered >> side & 1 == 1
                    if goes_out:
                        paid, out_bonus = last_tile(spec, turn, hands, scores[side], known, paid)
                    else:
                        paid = credit(spec, scores[side], known, paid, play=True, going_out=False)
                    if paid > 0:
                        entered |= 1 << side
                scores[side] += paid
                parts[side * 5 + part] += paid
            if knocks and knock_bonus:
                paid = credit(
                    spec, scores[side], True, knock_bonus * knocks, play=False, going_out=goes_out
                )
                scores[side] += paid
                parts[side * 5 + part] += paid
            if (
                stops
                and (scores[side] >= target or passed_target)
                and not (goes_out and spec.bundle)
            ):
                return _outcome(spec, parts, scores, TARGET, closer), hands
            if (
                extra_any
                and hand
                and not drew
                and ((spec.extra_double and bit & doubles) or (spec.extra_score and value > 0))
            ):
                extra = True
            else:
                turn = turn + 1 if turn + 1 < seats else 0
                if not hands[turn]:
                    turn = next_seat(spec, hands, closer)
            over = goes_out
        elif action == DRAW.tile:
            tile = boneyard[drawn_to]
            drawn_to += 1
            hands[turn] |= 1 << tile
            drawn += 1
            passes = 0
            if must_play:
                last = tile
            elif turn_ends and fid:
                limit = limit_of[fid]
                if (
                    0 <= limit <= drawn
                    or drawn_to >= end_of_draw
                    or hands[turn] & table.fitting(fid)
                ):
                    turn = next_seat(spec, hands, turn)
                    drawn, last, extra = 0, -1, False
            over = False
            claimed = 0
        else:
            able, counts = passing(spec, fid, playable, extra, drawn, drawn_to < end_of_draw)
            if able:
                scores[sides[turn]] -= spec.pass_penalty
                parts[sides[turn] * 5 + part] -= spec.pass_penalty
            passes = passes + 1 if counts else 0
            turn = next_seat(spec, hands, turn)
            drawn, last, extra = 0, -1, False
            over = False
            claimed = 0

        goes_out = over
        if not over and fid:
            if drawn_to >= end_of_draw:
                fits = fits_of[fid]
                if fits < 0:
                    fits = table.fitting(fid)
                over = True
                for one in hands:
                    if one & fits:
                        over = False
                        break
            if not over and passes:
                over = passes >= sum(1 for one in hands if one)
        if claimed and (not over or spec.last_claim):
            side = sides[closer]
            known = entered >> side & 1 == 1
            if goes_out:
                paid, out_bonus = last_tile(spec, closer, hands, scores[side], known, claimed)
            else:
                paid = credit(spec, scores[side], known, claimed, play=True, going_out=False)
            if paid > 0:
                entered |= 1 << side
            scores[side] += paid
            parts[side * 5 + part] += paid
            if stops and (scores[side] >= target or passed_target):
                return _outcome(spec, parts, scores, TARGET, closer), hands
        if over:
            how = WENT_OUT if goes_out else BLOCKED
            _settle(spec, parts, scores, hands, position.leader, closer, goes_out, out_bonus)
            return _outcome(spec, parts, scores, how, closer), hands
        if part == NOW:
            part = REPLY


def choose(
    spec: Spec,
    policy: Policy,
    fid: int,
    hands: Sequence[int],
    turn: int,
    playable: int,
    scores: Sequence[int],
    entered: int,
    random: int,
    unseen: int,
    least: int,
) -> int:
    """Return the play that the policy chooses, packed as in `tables`.

    UNSEEN and LEAST matter to a weighted policy: the mask of the tiles that the seat on turn cannot
    place, and the size of the shortest hand of a rival.
    """
    table = spec.table
    if policy.kind == WEIGHTED:

        def paid(tile: int, value: int) -> int:
            return credited(spec, hands, turn, tile, value, scores, entered)

        weights = policy.weights[phase_of(least)]
        return weighed(spec, weights, fid, hands[turn], playable, unseen, paid)
    if policy.kind == RANDOM:
        every = [
            tile << TILE_SHIFT | way.after
            for tile in _falling(playable)
            for way in table.ways(fid, tile)
        ]
        return every[(random >> 11) % len(every)]
    best = (-1, -1)
    packed = -1
    for tile in _falling(playable):
        for way in table.ways(fid, tile):
            value = way.worth if fid or spec.lead_scores else 0
            if policy.kind != BLIND:
                value = credited(spec, hands, turn, tile, value, scores, entered)
            key = (value, spec.pips[tile])
            if packed < 0 or key > best:
                best = key
                packed = tile << TILE_SHIFT | way.after
    return packed


def fewest(spec: Spec, sizes: Sequence[int], seat: int) -> int:
    """Return the size of the shortest hand among the rivals of a seat that still hold tiles."""
    rivals = [
        size
        for size, side in zip(sizes, spec.sides, strict=True)
        if size and side != spec.sides[seat]
    ]
    return min(rivals, default=0)


def _hidden(hands: Sequence[int], seat: int, boneyard: Sequence[int]) -> int:
    """Return the mask of the tiles that a seat cannot place."""
    mask = 0
    for tile in boneyard:
        mask |= 1 << tile
    for other, hand in enumerate(hands):
        if other != seat:
            mask |= hand
    return mask


def credited(
    spec: Spec,
    hands: Sequence[int],
    turn: int,
    tile: int,
    value: int,
    scores: Sequence[int],
    entered: int,
) -> int:
    """Return what a play worth VALUE would be credited with to the seat on turn."""
    if spec.plain or not value:
        return value
    side = spec.sides[turn]
    left = list(hands)
    left[turn] ^= 1 << tile
    known = entered >> side & 1 == 1
    if not left[turn] and (not spec.both_out or side_is_out(spec, left, side)):
        return last_tile(spec, turn, left, scores[side], known, value)[0]
    return credit(spec, scores[side], known, value, play=True, going_out=False)


def _falling(mask: int) -> list[int]:
    """Return the tile numbers of a bit mask, largest first."""
    numbers = []
    while mask:
        tile = mask.bit_length() - 1
        numbers.append(tile)
        mask ^= 1 << tile
    return numbers


def _settle(
    spec: Spec,
    parts: list[int],
    scores: list[int],
    hands: Sequence[int],
    leader: int,
    closer: int,
    goes_out: bool,
    out_bonus: int | None,
) -> None:
    """Add what the end of the round pays to PARTS and SCORES."""
    end = out(spec, closer, hands) if goes_out else blocked(spec, hands, leader, closer)
    for side, points in enumerate(end.bonus):
        if out_bonus is not None and side == spec.sides[closer]:
            paid = out_bonus
        else:
            paid = credit(spec, scores[side], True, points, play=False, going_out=goes_out)
        scores[side] += paid
        parts[side * 5 + END] += paid
    if spec.loser_resets and end.won:
        for side in range(spec.side_count):
            if not end.won >> side & 1:
                scores[side] = 0


def _outcome(
    spec: Spec, parts: Sequence[int], scores: Sequence[int], how: int, closer: int
) -> Outcome:
    split = tuple(tuple(parts[5 * side : 5 * side + 5]) for side in range(spec.side_count))
    return Outcome(split, tuple(scores), how, closer)
