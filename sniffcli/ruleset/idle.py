"""The list of keys that have no effect because of another key."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from sniffcli.ruleset.model import Ruleset


class Idle(NamedTuple):
    """A key without effect because of another one.

    It contradicts only what was written at the same time or before: a house rule may switch off
    what the ruleset beneath it has set, and need not clear up the details.
    """

    code: str
    key: str
    switch: str
    message: str
    found: Callable[[Ruleset], bool]


def _idle(
    code: str, switch: str, reason: str, found: Callable[[Ruleset], bool], *idle: str
) -> Iterator[Idle]:
    for key in idle:
        yield Idle(code, key, switch, f"{key} has no effect{reason}", found)


def _tie_decided(rules: Ruleset) -> bool:
    """Whether two sides can never stand at the target together."""
    several = (
        rules.round_end.blocked.award == "cascade"
        or rules.round_end.blocked.tie == "split"
        or rules.claim.false_claim == "penalty"
    )
    ended_at_once = rules.match.check == "at_once" and rules.match.rounds is None
    return ended_at_once and rules.match.winner_is == "high" and not several


IDLE: tuple[Idle, ...] = (
    *_idle(
        "pairs-never",
        "players.max",
        ": there are never the four players that pairs need",
        lambda rules: (
            rules.players.teams in ("pairs_if_4", "optional_pairs")
            and 4 not in rules.legal_players()
        ),
        "players.teams",
    ),
    *_idle(
        "idle-joining",
        "joining.rule",
        " with joining.rule: equal",
        lambda rules: rules.joining.rule == "equal",
        "joining.sum",
    ),
    *_idle(
        "idle-forced-wild",
        "draw.when",
        " unless draw.when is unable_without_wild",
        lambda rules: bool(rules.joining.wild) and rules.draw.when != "unable_without_wild",
        "joining.forced_wild",
    ),
    *_idle(
        "idle-spinner",
        "layout.spinner",
        " with layout.spinner: none",
        lambda rules: rules.layout.spinner == "none",
        "layout.ends_open",
        "score.spinner_counts",
    ),
    *_idle(
        "idle-fill",
        "layout.fill_first",
        " with layout.fill_first: none",
        lambda rules: rules.layout.fill_first == "none",
        "layout.fill_count",
        "draw.limit_during_fill",
    ),
    *_idle(
        "idle-sum",
        "score.kind",
        " unless score.kind is ends_sum",
        lambda rules: rules.score.kind != "ends_sum",
        "score.divisors",
        "score.combine",
        "score.award",
        "score.tip_double",
        "score.spinner_counts",
    ),
    *_idle(
        "idle-header",
        "score.kind",
        " unless score.kind is equal_ends",
        lambda rules: rules.score.kind != "equal_ends",
        "score.header",
        "score.header_with_double",
    ),
    *_idle(
        "idle-score",
        "score.kind",
        " with score.kind: none",
        lambda rules: rules.score.kind == "none",
        "open.scores",
        "score.entry_minimum",
        "score.near_target",
        "claim.mode",
    ),
    *_idle(
        "idle-claim",
        "claim.mode",
        " with claim.mode: automatic",
        lambda rules: rules.claim.mode == "automatic",
        "claim.owner_until",
        "claim.rivals",
        "claim.rivals_until",
        "claim.bounty",
        "claim.false_claim",
        "claim.at_round_end",
        "tings",
        "keelhaul",
    ),
    *_idle(
        "idle-rivals",
        "claim.rivals",
        " with claim.rivals: none",
        lambda rules: rules.claim.mode == "declare" and rules.claim.rivals == "none",
        "claim.rivals_until",
        "claim.bounty",
    ),
    *_idle(
        "idle-keelhaul",
        "claim.owner_until",
        " unless claims have a time, as with claim.owner_until: {seconds: 7}",
        lambda rules: rules.claim.mode == "declare" and rules.claim.owner_until == "next_tile",
        "keelhaul",
    ),
    *_idle(
        "idle-draw",
        "draw.when",
        " with draw.when: never",
        lambda rules: rules.draw.when == "never",
        "draw.limit",
        "draw.then",
        "draw.reserve",
        "draw.limit_during_fill",
    ),
    *_idle(
        "idle-extra-turn",
        "extra_turn.after",
        " while extra_turn.after is empty",
        lambda rules: not rules.extra_turn.after,
        "extra_turn.forced",
    ),
    *_idle(
        "idle-blocked",
        "round_end.blocked.winner",
        " with round_end.blocked.winner: none",
        lambda rules: (
            rules.round_end.blocked.winner == "none"
            and rules.round_end.blocked.award != "own_pips_lost"
        ),
        "round_end.blocked.award",
        "round_end.blocked.tie",
    ),
    # As a house rule, playing without partners leaves the lowest team, then the lowest player.
    *_idle(
        "lowest-team-without-teams",
        "players.teams",
        ": lowest_team needs teams, so write lowest_player",
        lambda rules: (
            rules.round_end.blocked.winner == "lowest_team" and rules.players.teams == "none"
        ),
        "round_end.blocked.winner",
    ),
    *_idle(
        "idle-rounding",
        "round_end.round.to",
        " while round_end.round.to is 0",
        lambda rules: rules.round_end.round.to == 0,
        "round_end.round.mode",
        "round_end.round.scope",
        "round_end.round.applies_to",
    ),
    *_idle(
        "idle-exact",
        "match.exact",
        " unless match.exact is true",
        lambda rules: not rules.match.exact,
        "match.overshoot",
        "match.bundle",
    ),
    *_idle(
        "idle-target",
        "match.target",
        " without match.target",
        lambda rules: rules.match.target is None,
        "match.check",
        "match.win_on_out",
        "match.loser_resets",
    ),
    *_idle(
        "idle-tie",
        "match.check",
        " where the first to reach the target has won at once",
        _tie_decided,
        "match.tie",
    ),
)
