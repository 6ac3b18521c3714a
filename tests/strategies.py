"""What Hypothesis draws: legal rulesets with any mixture of switches, and rounds of them."""

from __future__ import annotations

from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from sniffcli.ruleset.library import shipped
from sniffcli.ruleset.loading import load_ruleset
from sniffcli.ruleset.model import Ruleset

#: Values for every switch that changes play; contradictory mixtures are rejected by the loader.
SWITCHES: dict[str, list[Any]] = {
    "set.max_pip": [6, 6, 4, 9],
    "open.first_leader": [
        *("lot", "host", "highest_double", "lowest_double", "highest_tile", {"holder_of": "4-4"}),
    ],
    "open.next_leader": ["as_first", "winner", "rotate", "host"],
    "open.tile": ["any", "any", "qualifying", "double", "double_or_scoring"],
    "open.if_none": ["draw_until", "pass_lead", "highest_tile", "redeal"],
    "open.scores": [True, True, False],
    "joining.rule": ["equal", "equal", "equal", "complement"],
    "joining.wild": [[], [], ["0-0"], "sum_tiles_and_double_blank"],
    "joining.blank": ["normal", "normal", "wild_only"],
    "joining.forced_wild": [False, True],
    "layout.open_ends": [2, 2, 2, 1],
    "layout.spinner": [
        *("none", "first_double", "first_enclosed_double", "opening_double", "all_doubles"),
    ],
    "layout.ends_open": ["after_both_sides", "at_once"],
    "layout.fill_first": ["none", "none", "opening", "every_double"],
    "layout.fill_count": [4, 4, 3, 2],
    "layout.second_ring": ["none", "all_arms", "per_arm"],
    "layout.doubles_lie": ["across", "across", "inline"],
    "score.kind": ["ends_sum", "ends_sum", "none", "equal_ends"],
    "score.divisors": [[5], [3], [5, 3], [7]],
    "score.combine": ["once", "each"],
    "score.award": ["sum", "quotient", {"flat": 2}],
    "score.tip_double": ["both", "both", "single"],
    "score.spinner_counts": ["until_two_faces", "exposed_halves", "single"],
    "score.entry_minimum": [0, 0, 10],
    "claim.mode": ["automatic", "automatic", "declare"],
    "draw.when": ["unable", "never", "free", "unable_without_wild"],
    "draw.limit": ["until_playable", 1, 2],
    "draw.then": ["must_play", "may_play", "turn_ends"],
    "draw.reserve": [0, 0, 2],
    "draw.limit_during_fill": [None, 1],
    "pass.bonus": ["none", "none", {"per_knock": 1}],
    "pass.penalty": [0, 0, 10],
    "extra_turn.after": [[], [], ["double"], ["score"], ["double", "score"]],
    "extra_turn.forced": [False, True],
    "round_end.out.award": ["opponents_pips", "all_others_pips", "differences", "own_pips_lost"],
    "round_end.blocked.winner": ["lowest_player", "lowest_team", "lowest_no_double", "none"],
    "round_end.blocked.award": [
        *("opponents_pips", "opponents_minus_own", "differences", "all_hands", "cascade"),
        *("own_pips_lost", "none", {"fixed": 5}),
    ],
    "round_end.blocked.tie": ["none", "split", "opener_side", "blocker", "replay"],
    "round_end.round.to": [0, 5, 3],
    "round_end.round.mode": ["nearest", "up", "down"],
    "round_end.round.scope": ["total", "per_hand"],
    "match.exact": [False, False, True],
    "match.overshoot": ["void", "bounce"],
    "match.bundle": ["separate", "play_and_out"],
    "match.check": ["at_once", "round_end"],
    "match.win_on_out": [True, False],
    "match.loser_resets": [False, False, True],
}


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    """Draw a ruleset: All Fives with some of its switches turned, as far as they go together."""
    turned = draw(st.lists(st.sampled_from(sorted(SWITCHES)), max_size=9, unique=True))
    settings: dict[str, Any] = {"deal": {"hand": {2: 5, 3: 4, 4: 3}}, "match": {"target": 61}}
    rules, _ = load_ruleset("all-fives", settings=settings)
    for path in turned:
        # A switch that contradicts those before it is left as it was.
        value = draw(st.sampled_from(SWITCHES[path]))
        steps = path.split(".")
        attempt = _with(settings, steps, value)
        found, problems = load_ruleset("all-fives", settings=attempt)
        if found is not None and not problems:
            settings, rules = attempt, found
        elif path == "layout.fill_first" and value != "none":
            spinner = "all_doubles" if value == "every_double" else "opening_double"
            attempt = _with(attempt, ["layout", "spinner"], spinner)
            found, problems = load_ruleset("all-fives", settings=attempt)
            if found is not None and not problems:
                settings, rules = attempt, found
    assume(rules is not None)
    assert rules is not None
    return rules


def _with(settings: dict[str, Any], steps: list[str], value: Any) -> dict[str, Any]:
    first, *rest = steps
    inner = settings.get(first)
    if not rest:
        return {**settings, first: value}
    return {**settings, first: _with(inner if isinstance(inner, dict) else {}, rest, value)}


def shipped_rules() -> st.SearchStrategy[Ruleset]:
    """Draw one of the shipped rulesets."""
    return st.sampled_from(shipped()).map(shipped_ruleset)


def shipped_ruleset(name: str) -> Ruleset:
    rules, problems = load_ruleset(name)
    assert rules is not None, problems
    return rules
