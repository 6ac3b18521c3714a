"""Everything of a ruleset that search needs, as one flat value of integers.

Made from a `Setup` once. Codes of words are their places in the tuples below, so that the native
kernel can use the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from sniffcli.engine.tables import FrontierTable, table_of
from sniffcli.game.state import Setup
from sniffcli.ruleset.model import Ruleset
from sniffcli.ruleset.words import Fixed, HolderOf, PerKnock
from sniffcli.table.counting import worth
from sniffcli.table.frontier import lead
from sniffcli.tiles import Tile, tile_of_number

#: `draw.when`
NEVER, UNABLE, FREE, WITHOUT_WILD = range(4)
_WHEN = ("never", "unable", "free", "unable_without_wild")

#: `draw.then`
MUST_PLAY, MAY_PLAY, TURN_ENDS = range(3)
_THEN = ("must_play", "may_play", "turn_ends")

#: `round_end.out.award`
OUT_OPPONENTS, OUT_ALL_OTHERS, OUT_DIFFERENCES, OUT_OWN_LOST, OUT_NONE, OUT_FIXED = range(6)
_OUT = ("opponents_pips", "all_others_pips", "differences", "own_pips_lost", "none")

#: `round_end.blocked.winner`
LOWEST_PLAYER, LOWEST_TEAM, LOWEST_NO_DOUBLE, NO_WINNER = range(4)
_WINNER = ("lowest_player", "lowest_team", "lowest_no_double", "none")

#: `round_end.blocked.award`
(
    BLOCK_OPPONENTS,
    BLOCK_MINUS_OWN,
    BLOCK_DIFFERENCES,
    BLOCK_ALL_HANDS,
    BLOCK_CASCADE,
    BLOCK_OWN_LOST,
    BLOCK_NONE,
    BLOCK_FIXED,
) = range(8)
_AWARD = (
    "opponents_pips",
    "opponents_minus_own",
    "differences",
    "all_hands",
    "cascade",
    "own_pips_lost",
    "none",
)

#: `round_end.blocked.tie`
TIE_NONE, TIE_SPLIT, TIE_OPENER, TIE_BLOCKER, TIE_REPLAY = range(5)
_TIE = ("none", "split", "opener_side", "blocker", "replay")

#: `round_end.round.mode`
NEAREST, UP, DOWN = range(3)
_MODE = ("nearest", "up", "down")

#: Which tiles a leader may choose from: any, those that lead as `open.tile` wants, or these unless
#: he has none (and may draw no more), or these until everybody has passed the lead on.
LEAD_ANY, LEAD_OWN, LEAD_DRAW, LEAD_PASS = range(4)


@dataclass(frozen=True, eq=False, slots=True)
class Spec:
    """One ruleset with its seats and sides, flat; two specs are the same if they are one object."""

    setup: Setup = field(repr=False)
    table: FrontierTable = field(repr=False)
    seats: int
    side_count: int
    sides: tuple[int, ...]
    #: One more than the largest tile number.
    top: int
    #: Pips per tile number, as laid and as left in a hand; 0 for tiles that are not in play.
    pips: tuple[int, ...]
    hand_pips: tuple[int, ...]
    #: Bit masks of tile numbers.
    every: int
    doubles: int
    wild: int
    #: Tiles that may be led where `open.tile` asks for a double (or a scoring tile).
    leads: int
    lead_rule: int
    #: Tiles by which the leader is found, and whether only such a tile may be led by him.
    deciding: int
    lead_qualifying: bool
    #: Whether a leader draws for a tile that may be led (`open.if_none`).
    lead_draws: bool
    lead_scores: bool

    draw_when: int
    draw_then: int
    reserve: int
    forced_wild: bool
    knock_bonus: int
    pass_penalty: int
    extra_double: bool
    extra_score: bool
    extra_forced: bool
    both_out: bool

    out_award: int
    out_fixed: int
    blocked_winner: int
    blocked_award: int
    blocked_fixed: int
    blocked_tie: int
    round_to: int
    round_mode: int
    round_per_hand: bool
    round_blocked: bool
    divide: int

    #: Whether scores are announced; here every claim is made at once.
    declare: bool
    #: Whether the score of a round's last tile can still be claimed.
    last_claim: bool
    entry: int
    near_target: dict[int, int]
    #: Points that end the match; 0 without a target.
    target: int
    exact: bool
    bounce: bool
    bundle: bool
    #: Whether reaching the target ends the round at once.
    stops: bool
    win_on_out: bool
    loser_resets: bool
    #: Whether every point made is credited as it is, whatever the scores.
    plain: bool

    #: Whether it matters how many tiles were drawn in a turn, and which was the last.
    follows_drawn: bool
    binds: bool


#: The latest answer with its question: hashing a ruleset takes longer than playing a round out.
_latest: list[tuple[Ruleset, tuple[int, ...], Spec]] = []


def spec_of(setup: Setup) -> Spec:
    """Return the spec of a setup; names and bots make no difference."""
    for rules, sides, spec in _latest:
        if rules is setup.rules and sides == setup.sides:
            return spec
    found = _spec(setup.rules, setup.sides)
    _latest[:] = [(setup.rules, setup.sides, found)]
    return found


@lru_cache(maxsize=64)
def _spec(rules: Ruleset, sides: tuple[int, ...]) -> Spec:
    seats = len(sides)
    setup = Setup(rules, tuple(f"seat {seat + 1}" for seat in range(seats)), sides)
    table = table_of(rules, seats)
    tiles = [tile_of_number(number) for number in range(table.top)]
    there = set(table.tiles)
    single = rules.round_end.hand_double == "single"
    end, match, blocked = rules.round_end, rules.match, rules.round_end.blocked
    bonus = rules.pass_.bonus
    target = rules.target(seats)
    near = dict(rules.score.near_target or {}) if target is not None else {}
    exact = match.exact and target is not None
    late = target is not None and not match.win_on_out
    return Spec(
        setup=setup,
        table=table,
        seats=seats,
        side_count=setup.side_count,
        sides=sides,
        top=table.top,
        pips=tuple(one.pips if one in there else 0 for one in tiles),
        hand_pips=tuple(
            (one.high if single and one.is_double else one.pips) if one in there else 0
            for one in tiles
        ),
        every=_mask(there),
        doubles=_mask(one for one in there if one.is_double),
        wild=_mask(table.wild),
        leads=_leads(rules, there),
        lead_rule=_lead_rule(rules),
        deciding=_mask(_deciding(rules, there)),
        lead_qualifying=rules.open.tile == "qualifying",
        lead_draws=rules.open.if_none == "draw_until",
        lead_scores=rules.open.scores,
        draw_when=_WHEN.index(rules.draw.when),
        draw_then=_THEN.index(rules.draw.then),
        reserve=setup.reserve,
        forced_wild=rules.joining.forced_wild,
        knock_bonus=bonus.points if isinstance(bonus, PerKnock) else 0,
        pass_penalty=rules.pass_.penalty,
        extra_double="double" in rules.extra_turn.after,
        extra_score="score" in rules.extra_turn.after,
        extra_forced=rules.extra_turn.forced,
        both_out=end.when == "both_partners_out",
        out_award=OUT_FIXED if isinstance(end.out.award, Fixed) else _OUT.index(end.out.award),
        out_fixed=end.out.award.points if isinstance(end.out.award, Fixed) else 0,
        blocked_winner=_WINNER.index(blocked.winner),
        blocked_award=(
            BLOCK_FIXED if isinstance(blocked.award, Fixed) else _AWARD.index(blocked.award)
        ),
        blocked_fixed=blocked.award.points if isinstance(blocked.award, Fixed) else 0,
        blocked_tie=_TIE.index(blocked.tie),
        round_to=end.round.to,
        round_mode=_MODE.index(end.round.mode),
        round_per_hand=end.round.scope == "per_hand",
        round_blocked=end.round.applies_to == "both",
        divide=end.divide,
        declare=rules.claim.mode == "declare",
        last_claim=rules.claim.at_round_end == "owner_may_claim",
        entry=rules.score.entry_minimum,
        near_target=near,
        target=target or 0,
        exact=exact,
        bounce=match.overshoot == "bounce",
        bundle=match.bundle == "play_and_out",
        stops=target is not None and match.check == "at_once" and match.winner_is == "high",
        win_on_out=not late,
        loser_resets=match.loser_resets,
        follows_drawn=(
            rules.draw.limit != "until_playable"
            or rules.draw.limit_during_fill not in (None, "until_playable")
            or rules.draw.then == "may_play"
            or bool(rules.extra_turn.after)
        ),
        binds=rules.draw.then == "must_play" and rules.draw.when in ("free", "unable_without_wild"),
        plain=not (rules.score.entry_minimum > 0 or near or exact or late),
    )


def _mask(tiles: Iterable[Tile]) -> int:
    return sum(1 << tile.number for tile in tiles)


def _deciding(rules: Ruleset, tiles: set[Tile]) -> set[Tile]:
    wanted = rules.open.first_leader
    if isinstance(wanted, HolderOf):
        return {wanted.tile}
    return {one for one in tiles if one.is_double}


def _leads(rules: Ruleset, tiles: set[Tile]) -> int:
    wanted = rules.open.tile
    if wanted not in ("double", "double_or_scoring"):
        return _mask(tiles)
    scoring = wanted == "double_or_scoring"
    return _mask(
        one for one in tiles if one.is_double or (scoring and worth(rules, lead(rules, one)) > 0)
    )


def _lead_rule(rules: Ruleset) -> int:
    if rules.open.tile not in ("double", "double_or_scoring"):
        return LEAD_ANY
    return {"pass_lead": LEAD_PASS, "draw_until": LEAD_DRAW}.get(rules.open.if_none, LEAD_OWN)
