"""The list of keys that contradict each other, each with its code and its own message."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sniffcli.ruleset.model import Ruleset
from sniffcli.ruleset.words import ByPlayers, Doubles, Fixed, HolderOf
from sniffcli.tiles import tile_set


class Contradiction(NamedTuple):
    """Keys that cannot stand together; the first of `keys` is where the problem is shown.

    `found` answers true where it holds; a text that it returns is added to the message.
    """

    code: str
    keys: tuple[str, ...]
    message: str
    found: Callable[[Ruleset], bool | str]


def _teams_never(rules: Ruleset) -> bool:
    return rules.players.teams == "none"


def _scores(rules: Ruleset) -> bool:
    return rules.score.kind != "none"


def _has_wild(rules: Ruleset) -> bool:
    return bool(rules.joining.wild)


def _counts_without(rules: Ruleset, entries: object) -> str:
    if not isinstance(entries, ByPlayers):
        return ""
    return ", ".join(str(number) for number in rules.legal_players() if number not in entries)


def _too_many_dealt(rules: Ruleset) -> str:
    hand = rules.deal.hand
    for players in rules.legal_players():
        size = hand.get(players, 1) if isinstance(hand, ByPlayers) else rules.hand_size(players)
        there = len(rules.tiles(players))
        if size * players > there:
            return f"{players} players x {size} tiles are more than the {there} tiles of the set"
        if size == 0:
            return f"{players} players cannot share {there} tiles"
    return ""


def _removed_elsewhere(rules: Ruleset) -> str:
    remove = rules.set.remove
    lists = remove.values() if isinstance(remove, ByPlayers) else [remove]
    every = tile_set(rules.set.max_pip)
    return ", ".join(sorted({str(one) for row in lists for one in row if one not in every}))


def _leader_tile_gone(rules: Ruleset) -> str:
    leader = rules.open.first_leader
    if not isinstance(leader, HolderOf):
        return ""
    gone = any(leader.tile not in rules.tiles(players) for players in rules.legal_players())
    return str(leader.tile) if gone else ""


def _wild_elsewhere(rules: Ruleset) -> str:
    wild = rules.joining.wild
    if not isinstance(wild, tuple):
        return ""
    every = tile_set(rules.set.max_pip)
    return ", ".join(str(one) for one in wild if one not in every)


def _found_by_tile(rules: Ruleset) -> bool:
    return rules.open.first_leader not in ("lot", "host")


def pays_blocked(rules: Ruleset) -> bool:
    """Whether a blocked round changes anybody's points."""
    blocked = rules.round_end.blocked
    if blocked.award == "own_pips_lost":
        return True
    return blocked.award != "none" and blocked.winner != "none"


def _nothing_pays(rules: Ruleset) -> bool:
    out = rules.round_end.out.award in ("none", "own_pips_lost")
    blocked = not pays_blocked(rules) or rules.round_end.blocked.award == "own_pips_lost"
    passing = rules.pass_.bonus == "none"
    return not _scores(rules) and out and blocked and passing


def _parts_left(rules: Ruleset) -> bool:
    """Whether dividing what a round pays could leave a fraction."""
    end = rules.round_end
    if end.divide == 1:
        return False
    whole = end.round.to > 0 and end.round.to % end.divide == 0
    pips_blocked = pays_blocked(rules) and not isinstance(end.blocked.award, Fixed)
    if end.round.applies_to == "out" and pips_blocked:
        return True
    pips_out = end.out.award != "none" and not isinstance(end.out.award, Fixed)
    return (pips_out or pips_blocked) and not whole


CONTRADICTIONS: tuple[Contradiction, ...] = (
    Contradiction(
        "players-range",
        ("players.min", "players.max"),
        "players.min is larger than players.max",
        lambda rules: rules.players.min > rules.players.max,
    ),
    Contradiction(
        "pairs-need-four",
        ("players.teams", "players.min", "players.max"),
        "pairs are four players, so players.min and players.max must both be 4",
        lambda rules: (
            rules.players.teams == "pairs" and (rules.players.min, rules.players.max) != (4, 4)
        ),
    ),
    Contradiction(
        "hand-missing",
        ("deal.hand", "players.max", "players.min"),
        "deal.hand says nothing for this number of players, which players.min and .max allow",
        lambda rules: _counts_without(rules, rules.deal.hand),
    ),
    Contradiction(
        "hand-too-large",
        ("deal.hand", "set.max_pip", "set.remove", "players.max"),
        "the set does not suffice for the hands",
        _too_many_dealt,
    ),
    Contradiction(
        "reserve-missing",
        ("draw.reserve", "players.max", "players.min"),
        "draw.reserve says nothing for this number of players, which players.min and .max allow",
        lambda rules: _counts_without(rules, rules.draw.reserve),
    ),
    Contradiction(
        "target-missing",
        ("match.target", "players.max", "players.min"),
        "match.target says nothing for this number of players, which players.min and .max allow",
        lambda rules: _counts_without(rules, rules.match.target),
    ),
    Contradiction(
        "endless-match",
        ("match.target", "match.rounds", "match"),
        "the match would never end; give match.target or match.rounds",
        lambda rules: rules.match.target is None and rules.match.rounds is None,
    ),
    Contradiction(
        "removed-not-in-set",
        ("set.remove", "set.max_pip"),
        "a tile is removed that the set does not contain",
        _removed_elsewhere,
    ),
    Contradiction(
        "redeal-never",
        ("deal.redeal_if", "set.max_pip"),
        "the set does not have so many doubles",
        lambda rules: (
            isinstance(rules.deal.redeal_if, Doubles)
            and rules.deal.redeal_if.count > rules.set.max_pip + 1
        ),
    ),
    Contradiction(
        "leader-tile-not-in-set",
        ("open.first_leader", "set.remove", "set.max_pip"),
        "nobody can hold the tile that decides who leads, because it is not in the set",
        _leader_tile_gone,
    ),
    Contradiction(
        "qualifying-without-tile",
        ("open.tile", "open.first_leader"),
        "no leader is ever found by a tile that he holds, so no tile qualifies",
        lambda rules: rules.open.tile == "qualifying" and not _found_by_tile(rules),
    ),
    Contradiction(
        "pass-lead-by-nobody",
        ("open.if_none", "open.first_leader"),
        "the lead cannot be passed on where it is found by a tile that nobody holds",
        lambda rules: (
            rules.open.if_none == "pass_lead"
            and _found_by_tile(rules)
            and rules.open.tile in ("any", "qualifying")
        ),
    ),
    Contradiction(
        "winning-team-without-teams",
        ("open.next_leader", "players.teams"),
        "winning_team leads, yet there are no teams",
        lambda rules: rules.open.next_leader == "winning_team" and _teams_never(rules),
    ),
    Contradiction(
        "scoring-lead-never-scores",
        ("open.tile", "open.scores", "score.kind"),
        "a scoring tile is asked for as the lead, yet no lead scores",
        lambda rules: (
            rules.open.tile == "double_or_scoring" and not (_scores(rules) and rules.open.scores)
        ),
    ),
    Contradiction(
        "wild-sum-without-complement",
        ("joining.wild", "joining.rule"),
        "sum_tiles_and_double_blank needs joining.rule: complement",
        lambda rules: (
            rules.joining.wild == "sum_tiles_and_double_blank"
            and rules.joining.rule != "complement"
        ),
    ),
    Contradiction(
        "wild-not-in-set",
        ("joining.wild", "set.max_pip"),
        "a wild tile is not in the set",
        _wild_elsewhere,
    ),
    Contradiction(
        "blanks-dead",
        ("joining.blank", "joining.wild"),
        "only a wild tile may follow a blank, yet there are no wild tiles",
        lambda rules: rules.joining.blank == "wild_only" and not _has_wild(rules),
    ),
    Contradiction(
        "forced-wild-without-wild",
        ("joining.forced_wild", "joining.wild"),
        "a wild tile is forced, yet there are no wild tiles",
        lambda rules: rules.joining.forced_wild and not _has_wild(rules),
    ),
    Contradiction(
        "draw-for-wild-without-wild",
        ("draw.when", "joining.wild"),
        "unable_without_wild needs wild tiles",
        lambda rules: rules.draw.when == "unable_without_wild" and not _has_wild(rules),
    ),
    Contradiction(
        "sum-out-of-reach",
        ("joining.sum", "set.max_pip"),
        "no two halves of the set add up to joining.sum",
        lambda rules: (
            rules.joining.rule == "complement" and rules.complement_sum > 2 * rules.set.max_pip
        ),
    ),
    Contradiction(
        "one-end-spinner",
        ("layout.open_ends", "layout.spinner"),
        "a spinner has four faces, so the table cannot have one open end only",
        lambda rules: rules.layout.open_ends == 1 and rules.layout.spinner != "none",
    ),
    Contradiction(
        "one-end-headers",
        ("layout.open_ends", "score.kind"),
        "equal ends are scored, yet there is only one end",
        lambda rules: rules.layout.open_ends == 1 and rules.score.kind == "equal_ends",
    ),
    Contradiction(
        "fill-opening-without-spinner",
        ("layout.fill_first", "layout.spinner"),
        "the opening double can only be filled with layout.spinner: opening_double or all_doubles",
        lambda rules: (
            rules.layout.fill_first == "opening"
            and rules.layout.spinner not in ("opening_double", "all_doubles")
        ),
    ),
    Contradiction(
        "fill-doubles-without-spinners",
        ("layout.fill_first", "layout.spinner"),
        "every double can only be filled with layout.spinner: all_doubles",
        lambda rules: (
            rules.layout.fill_first == "every_double" and rules.layout.spinner != "all_doubles"
        ),
    ),
    Contradiction(
        "second-ring-without-first",
        ("layout.second_ring", "layout.fill_first"),
        "the second ring of doubles needs layout.fill_first: opening",
        lambda rules: rules.layout.second_ring != "none" and rules.layout.fill_first != "opening",
    ),
    Contradiction(
        "second-ring-of-part",
        ("layout.second_ring", "layout.fill_count"),
        "the second ring follows the four arms of the first double, so layout.fill_count must be 4",
        lambda rules: rules.layout.second_ring != "none" and rules.layout.fill_count != 4,
    ),
    Contradiction(
        "no-divisors",
        ("score.divisors", "score.kind"),
        "ends_sum scores nothing without a divisor; to play without scores use score.kind: none",
        lambda rules: rules.score.kind == "ends_sum" and not rules.score.divisors,
    ),
    Contradiction(
        "quotient-of-which",
        ("score.award", "score.combine", "score.divisors"),
        "a quotient needs one divisor, or score.combine: each",
        lambda rules: (
            rules.score.kind == "ends_sum"
            and rules.score.award == "quotient"
            and len(rules.score.divisors) > 1
            and rules.score.combine != "each"
        ),
    ),
    Contradiction(
        "near-no-target",
        ("score.near_target", "match.target"),
        "score.near_target needs match.target",
        lambda rules: rules.score.near_target is not None and rules.match.target is None,
    ),
    Contradiction(
        "near-exact-target",
        ("score.near_target", "match.exact"),
        "score.near_target and match.exact are two answers to the same question; keep one",
        lambda rules: rules.score.near_target is not None and rules.match.exact,
    ),
    Contradiction(
        "no-moment-for-rivals",
        ("claim.rivals_until", "claim.owner_until"),
        "the owner may claim until the next tile, so rivals who may claim only until the same"
        " tile never can; use tile_after_next or round_end",
        lambda rules: (
            rules.claim.mode == "declare"
            and rules.claim.rivals == "any"
            and rules.claim.owner_until == "next_tile"
            and rules.claim.rivals_until == "next_tile"
        ),
    ),
    Contradiction(
        "turn-ends-after-one",
        ("draw.then", "draw.limit"),
        "the turn ends with a draw, so draw.limit must be 1",
        lambda rules: (
            rules.draw.when != "never"
            and rules.draw.then == "turn_ends"
            and (rules.draw.limit != 1 or rules.draw.limit_during_fill not in (None, 1))
        ),
    ),
    Contradiction(
        "partners-without-teams",
        ("round_end.when", "players.teams"),
        "both_partners_out needs teams",
        lambda rules: rules.round_end.when == "both_partners_out" and _teams_never(rules),
    ),
    Contradiction(
        "divide-leaves-parts",
        ("round_end.divide", "round_end.round.to", "round_end.round.applies_to"),
        "points of a round's end would be divided into parts; they must first be rounded to a"
        " multiple of round_end.divide",
        _parts_left,
    ),
    Contradiction(
        "exact-no-target",
        ("match.exact", "match.target"),
        "match.exact needs match.target",
        lambda rules: rules.match.exact and rules.match.target is None,
    ),
    Contradiction(
        "target-out-of-reach",
        ("match.target", "score.kind", "round_end.out.award"),
        "nothing ever pays points, so the target cannot be reached",
        lambda rules: rules.match.target is not None and _nothing_pays(rules),
    ),
    Contradiction(
        "reset-helps-loser",
        ("match.loser_resets", "match.winner_is"),
        "losing all points is no loss where the lowest score wins",
        lambda rules: rules.match.loser_resets and rules.match.winner_is == "low",
    ),
)
