"""Each contradiction between keys has a code and a message of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from sniffcli.ruleset.checks import CAUTIONS, CONTRADICTIONS, IDLE
from sniffcli.ruleset.keys import keys
from sniffcli.ruleset.loading import load_ruleset

from .conftest import HEAD, Problems

MATADOR = "joining: {rule: complement, wild: sum_tiles_and_double_blank}\n"

#: For each code the lines that bring it about, beside HEAD.
CASES = {
    "players-range": "players: {min: 5}\n",
    "pairs-need-four": "players: {teams: pairs}\n",
    "hand-missing": "players: {max: 5}\n",
    "hand-too-large": "set: {max_pip: 3}\n",
    "reserve-missing": "draw: {reserve: {2: 2}}\n",
    "removed-not-in-set": "set: {remove: [7-0]}\n",
    "redeal-never": "deal: {hand: {2: 7, 3: 5, 4: 5}, redeal_if: {doubles: 8}}\n",
    "leader-tile-not-in-set": "set: {remove: [6-6]}\nopen: {first_leader: {holder_of: 6-6}}\n",
    "qualifying-without-tile": "open: {tile: qualifying}\n",
    "pass-lead-by-nobody": "open: {first_leader: highest_double, if_none: pass_lead}\n",
    "winning-team-without-teams": "open: {next_leader: winning_team}\n",
    "scoring-lead-never-scores": "open: {tile: double_or_scoring, scores: false}\n",
    "wild-sum-without-complement": "joining: {wild: sum_tiles_and_double_blank}\n",
    "wild-not-in-set": "joining: {wild: [9-9]}\n",
    "blanks-dead": "joining: {blank: wild_only}\n",
    "forced-wild-without-wild": "joining: {forced_wild: true}\n",
    "draw-for-wild-without-wild": "draw: {when: unable_without_wild}\n",
    "sum-out-of-reach": "joining: {rule: complement, sum: 13}\n",
    "one-end-spinner": "layout: {open_ends: 1, spinner: first_double}\n",
    "one-end-headers": "layout: {open_ends: 1}\nscore: {kind: equal_ends}\n",
    "fill-opening-without-spinner": "layout: {fill_first: opening, spinner: first_double}\n",
    "fill-doubles-without-spinners": "layout: {fill_first: every_double, spinner: first_double}\n",
    "second-ring-of-part": "layout: {spinner: opening_double, fill_first: opening, fill_count: 2,"
    " second_ring: per_arm}\n",
    "second-ring-without-first": "layout: {second_ring: per_arm}\n",
    "no-divisors": "score: {divisors: []}\n",
    "quotient-of-which": "score: {divisors: [5, 3], award: quotient}\n",
    "near-exact-target": "score: {near_target: {1: 1}}\nmatch: {target: 61, exact: true}\n",
    "near-no-target": "score: {near_target: {1: 1}}\nmatch: {rounds: 3}\n",
    "no-moment-for-rivals": "claim: {mode: declare, rivals: any}\n",
    "turn-ends-after-one": "draw: {then: turn_ends, limit: 2}\n",
    "partners-without-teams": "round_end: {when: both_partners_out}\n",
    "divide-leaves-parts": "round_end: {divide: 5, round: {to: 3}}\n",
    "target-missing": "match: {target: {2: 100, 3: 90}}\n",
    "endless-match": "match: {target: none}\n",
    "exact-no-target": "match: {rounds: 3, exact: true}\n",
    "target-out-of-reach": "score: {kind: none}\nround_end: {out: {award: none}, "
    "blocked: {award: none}}\n",
    "reset-helps-loser": "match: {target: 6, loser_resets: true, winner_is: low}\n",
}

#: For each key that another one makes idle, the lines that bring it about.
IDLE_CASES = {
    ("lowest-team-without-teams", "round_end.blocked.winner"): (
        "round_end: {blocked: {winner: lowest_team}}\n"
    ),
    ("idle-joining", "joining.sum"): "joining: {sum: 8}\n",
    ("idle-forced-wild", "joining.forced_wild"): MATADOR.replace("}", ", forced_wild: true}"),
    ("idle-spinner", "layout.ends_open"): "layout: {ends_open: at_once}\n",
    ("idle-spinner", "score.spinner_counts"): "score: {spinner_counts: single}\n",
    ("idle-fill", "layout.fill_count"): "layout: {spinner: all_doubles, fill_count: 3}\n",
    ("idle-fill", "draw.limit_during_fill"): "draw: {limit_during_fill: 1}\n",
    ("idle-sum", "score.divisors"): "score: {kind: none, divisors: [3]}\n",
    ("idle-sum", "score.combine"): "score: {kind: none, combine: each}\n",
    ("idle-sum", "score.award"): "score: {kind: equal_ends, award: {flat: 1}}\n",
    ("idle-sum", "score.tip_double"): "score: {kind: none, tip_double: single}\n",
    ("idle-sum", "score.spinner_counts"): "layout: {spinner: first_double}\n"
    "score: {kind: none, spinner_counts: exposed_halves}\n",
    ("idle-header", "score.header"): "score: {header: 1}\n",
    ("idle-header", "score.header_with_double"): "score: {header_with_double: 4}\n",
    ("idle-score", "open.scores"): "score: {kind: none}\nopen: {scores: false}\n",
    ("idle-score", "score.entry_minimum"): "score: {kind: none, entry_minimum: 10}\n",
    ("idle-score", "score.near_target"): "score: {kind: none, near_target: {1: 1}}\n",
    ("idle-score", "claim.mode"): "score: {kind: none}\nclaim: {mode: declare}\n",
    ("idle-claim", "claim.owner_until"): "claim: {owner_until: {seconds: 7}}\n",
    ("idle-claim", "claim.rivals"): "claim: {rivals: any}\n",
    ("idle-claim", "claim.rivals_until"): "claim: {rivals_until: round_end}\n",
    ("idle-claim", "claim.bounty"): "claim: {bounty: 5}\n",
    ("idle-claim", "claim.false_claim"): "claim: {false_claim: penalty}\n",
    ("idle-claim", "claim.at_round_end"): "claim: {at_round_end: lost}\n",
    ("idle-claim", "tings"): "tings: true\n",
    ("idle-claim", "keelhaul"): "keelhaul: {}\n",
    ("idle-rivals", "claim.rivals_until"): "claim: {mode: declare, rivals_until: round_end}\n",
    ("idle-rivals", "claim.bounty"): "claim: {mode: declare, bounty: 5}\n",
    ("idle-keelhaul", "keelhaul"): "claim: {mode: declare}\nkeelhaul: {}\n",
    ("idle-draw", "draw.limit"): "draw: {when: never, limit: 1}\n",
    ("idle-draw", "draw.then"): "draw: {when: never, then: may_play}\n",
    ("idle-draw", "draw.reserve"): "draw: {when: never, reserve: 2}\n",
    ("idle-draw", "draw.limit_during_fill"): "layout: {spinner: opening_double, "
    "fill_first: opening}\ndraw: {when: never, limit_during_fill: 1}\n",
    ("pairs-never", "players.teams"): "players: {max: 3, teams: optional_pairs}\n",
    ("idle-extra-turn", "extra_turn.forced"): "extra_turn: {forced: true}\n",
    ("idle-blocked", "round_end.blocked.award"): "round_end: {blocked: {winner: none, "
    "award: differences}}\n",
    ("idle-blocked", "round_end.blocked.tie"): "round_end: {blocked: {winner: none, tie: split}}\n",
    ("idle-rounding", "round_end.round.mode"): "round_end: {round: {mode: up}}\n",
    ("idle-rounding", "round_end.round.scope"): "round_end: {round: {scope: per_hand}}\n",
    ("idle-rounding", "round_end.round.applies_to"): "round_end: {round: {applies_to: out}}\n",
    ("idle-exact", "match.overshoot"): "match: {target: 61, overshoot: bounce}\n",
    ("idle-exact", "match.bundle"): "match: {target: 61, bundle: play_and_out}\n",
    ("idle-target", "match.check"): "match: {rounds: 3, check: round_end}\n",
    ("idle-target", "match.win_on_out"): "match: {rounds: 3, win_on_out: false}\n",
    ("idle-target", "match.loser_resets"): "match: {rounds: 3, loser_resets: true}\n",
    ("idle-tie", "match.tie"): "match: {target: 100, tie: extra_round}\n",
}


def beside_head(lines: str) -> str:
    """Return HEAD with LINES, which may say its sections anew."""
    sections = {line.partition(":")[0] for line in lines.splitlines()}
    kept = (line for line in HEAD.splitlines() if line.partition(":")[0] not in sections)
    return "\n".join(kept) + "\n" + lines


@pytest.mark.parametrize("code", CASES)
def test_a_contradiction_is_one_problem_with_its_own_message(
    problems_of: Problems, code: str
) -> None:
    (found,) = problems_of(beside_head(CASES[code]))

    (rule,) = (one for one in CONTRADICTIONS if one.code == code)
    assert found.code == code
    assert found.message.startswith(rule.message)
    assert found.line > 0


#: All Fives from its beginning to exactly 61, and what makes other points possible.
EXACT = "match: {target: 61, exact: true}\nround_end: {round: {to: 5}}\n"


@pytest.mark.parametrize(
    ("lines", "step"),
    [
        (EXACT, 5),
        (EXACT.replace("exact: true", "exact: true, overshoot: bounce"), 5),
        (EXACT + "score: {divisors: [10, 15]}\n", 5),
        ("match: {target: 61, exact: true}\nround_end: {round: {to: 9}, divide: 3}\n"
         "score: {divisors: [3]}\n", 3),
        ("match: {target: 61, exact: true}\nscore: {kind: none}\n"
         "round_end: {out: {award: {fixed: 2}}, blocked: {award: {fixed: 4}}}\n", 2),
        (EXACT.replace("61", "60"), 0),
        (EXACT.replace("exact: true", "exact: true, rounds: 3"), 0),
        (EXACT.replace("5", "0"), 0),
        (EXACT + "score: {divisors: [5, 3]}\n", 0),
        (EXACT + "score: {award: quotient}\n", 0),
        (EXACT + "score: {award: {flat: 3}}\n", 0),
        (EXACT + "pass: {penalty: 1}\n", 0),
        (EXACT + "pass: {bonus: {per_knock: 2}}\n", 0),
        (EXACT + "claim: {mode: declare, false_claim: penalty}\n", 0),
        (EXACT + "claim: {mode: declare, rivals: any, rivals_until: round_end, bounty: 1}\n", 0),
        (EXACT.replace("to: 5", "to: 5, applies_to: out"), 0),
        (EXACT.replace("{round: {to: 5}}", "{round: {to: 5}, blocked: {tie: split}}"), 5),
    ],
)  # fmt: skip
def test_an_exact_target_that_no_points_can_meet_is_a_warning(
    problems_of: Problems, lines: str, step: int
) -> None:
    # 61 is no multiple of 5, 3 or 2; of what else can be paid nothing need be a multiple.
    found = problems_of(beside_head(lines))

    if not step:
        assert found == []
        return
    (one,) = found
    assert (one.severity, one.code) == ("warning", "target-never-met")
    among = "2" if "split" in lines else "2/3/4"
    assert one.message.endswith(f"61 in multiples of {step} ({among} players)")


PLAYS_ONLY = "round_end: {out: {award: none}, blocked: {award: none}}\n"


@pytest.mark.parametrize(
    ("lines", "met"),
    [
        # 6 + 6 is 12, and there is no 8 of sixes and tens; 16 is one of each.
        (f"{PLAYS_ONLY}score: {{divisors: [6, 10]}}\nmatch: {{target: 8, exact: true}}\n", False),
        (f"{PLAYS_ONLY}score: {{divisors: [6, 10]}}\nmatch: {{target: 16, exact: true}}\n", True),
        (f"{PLAYS_ONLY}score: {{kind: equal_ends, header: 10, header_with_double: 15}}\n"
         "match: {target: 5, exact: true}\n", False),
        (f"{PLAYS_ONLY}score: {{kind: equal_ends, header: 10, header_with_double: 15}}\n"
         "match: {target: 25, exact: true}\n", True),
        # Points that are lost, or count back, lead there from above.
        (f"{PLAYS_ONLY}score: {{kind: equal_ends, header: 10, header_with_double: 15}}\n"
         "match: {target: 5, exact: true, overshoot: bounce}\n", True),
        # Nobody takes what is not claimed, so that the bounty is never paid.
        (EXACT + "claim: {mode: declare, rivals: none}\n", False),
    ],
)  # fmt: skip
def test_an_exact_target_is_added_up_to_from_what_can_be_paid(
    problems_of: Problems, lines: str, met: bool
) -> None:
    codes = [one.code for one in problems_of(beside_head(lines))]
    assert codes == ([] if met else ["target-never-met"])


def test_a_bounty_that_nobody_can_take_counts_for_nothing(tmp_path: Path) -> None:
    parent, child = tmp_path / "parent.yaml", tmp_path / "child.yaml"
    parent.write_text(
        f"{HEAD.replace('house', 'parent')}round_end: {{round: {{to: 5}}}}\n"
        "claim: {mode: declare, rivals: any, rivals_until: round_end, bounty: 3}\n"
    )
    child.write_text(
        "sniff: 1\nid: child\nextends: parent\nclaim: {rivals: none}\n"
        "match: {target: 61, exact: true}\n"
    )
    rules, problems = load_ruleset(str(child), child.read_bytes())
    assert rules is not None
    assert [one.code for one in problems] == ["target-never-met"]


@pytest.mark.parametrize("text", ["{2:2}", "{2:7, 3:5}", "{banana}"])
def test_a_map_whose_colon_lacks_its_space_is_no_empty_map(
    problems_of: Problems, text: str
) -> None:
    found = problems_of(f"sniff: 1\nid: x\nextends: all-fives\ndeal: {{hand: {text}}}\n")
    assert {one.code for one in found} == {"not-a-number"}
    assert ("write a space behind the colon" in found[0].message) == (":" in text)


@pytest.mark.parametrize(("code", "key"), IDLE_CASES)
def test_a_key_without_effect_is_one_problem(problems_of: Problems, code: str, key: str) -> None:
    (found,) = problems_of(beside_head(IDLE_CASES[code, key]))

    assert found.code == code
    assert found.message.startswith(f"{key} has no effect")


def test_every_contradiction_has_its_case_and_its_own_words() -> None:
    assert sorted(one.code for one in CONTRADICTIONS) == sorted(CASES)
    assert {(one.code, one.key) for one in IDLE} == set(IDLE_CASES)
    messages = [one.message for one in (*CONTRADICTIONS, *CAUTIONS)]
    assert len(set(messages)) == len(messages)


def test_contradictions_name_keys_that_exist() -> None:
    known = {key.dotted for key in keys().values()}
    named = {name for one in (*CONTRADICTIONS, *CAUTIONS) for name in one.keys}
    named |= {name for one in IDLE for name in (one.key, one.switch)}
    assert named <= known


def test_five_players_with_seven_of_28_tiles_are_refused(problems_of: Problems) -> None:
    text = "sniff: 1\nid: x\nplayers: {max: 5}\ndeal: {hand: {2: 7, 3: 7, 4: 7, 5: 7}}\n"
    (found,) = problems_of(text + "match: {target: 100}\n")

    assert (found.line, found.column) == (4, 14)
    assert "5 players x 7 tiles are more than the 28 tiles" in found.message


def test_contradictions_are_found_beside_other_mistakes(problems_of: Problems) -> None:
    found = problems_of(beside_head("layout: {fill_first: opening, ends_open: soon}\n"))

    assert {one.code for one in found} == {"unknown-word", "fill-opening-without-spinner"}


def test_nothing_is_said_about_keys_that_are_wrong_themselves(problems_of: Problems) -> None:
    (found,) = problems_of(beside_head("layout: {fill_first: opening, spinner: opening_duble}\n"))

    assert found.code == "unknown-word"


def test_pairs_that_a_parent_leaves_open_need_not_be_cleared_up(problems_of: Problems) -> None:
    assert not problems_of("sniff: 1\nid: x\nextends: all-fives\nplayers: {max: 3}\n")
