"""The keys of the contract, section 4: their names, defaults and words, written down once more."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from sniffcli.ruleset.keys import keys
from sniffcli.ruleset.loading import load_ruleset
from sniffcli.ruleset.model import Ruleset
from sniffcli.ruleset.plain import plain
from sniffcli.ruleset.readers import Choice
from sniffcli.ruleset.words import ByPlayers, Doubles, Fixed, Flat, HolderOf, PerKnock, Seconds
from sniffcli.tiles import Tile

from .conftest import HEAD, read

#: Key, then its words (the default first) or its default where it is no word.
TABLE: list[tuple[str, Any]] = [
    ("group", "fives threes block cross other"),
    ("set.max_pip", 6),
    ("set.remove", []),
    ("players.min", 2),
    ("players.max", 4),
    ("players.teams", "none pairs pairs_if_4 optional_pairs"),
    ("turn.direction", "clockwise counterclockwise"),
    ("deal.redeal_if", "none no_double_dealt"),
    ("open.first_leader", "lot host highest_double lowest_double highest_tile"),
    ("open.tile", "any qualifying double double_or_scoring"),
    (
        "open.if_none",
        "redeal highest_tile highest_tile_any heaviest_hand draw_until pass_lead",
    ),
    ("open.next_leader", "as_first winner rotate host winning_team"),
    ("open.next_leader_after_block", "as_next lot as_first rotate blocker lowest same"),
    ("open.next_leader_after_tie", "as_next lot as_first rotate blocker lowest same"),
    ("open.scores", True),
    ("joining.rule", "equal complement"),
    ("joining.sum", None),
    ("joining.wild", []),
    ("joining.blank", "normal wild_only"),
    ("joining.forced_wild", False),
    ("layout.open_ends", 2),
    ("layout.spinner", "none first_double first_enclosed_double opening_double all_doubles"),
    ("layout.ends_open", "after_both_sides at_once"),
    ("layout.fill_first", "none opening every_double"),
    ("layout.fill_count", 4),
    ("layout.second_ring", "none all_arms per_arm"),
    ("layout.doubles_lie", "across inline"),
    ("score.kind", "ends_sum none equal_ends"),
    ("score.header", 2),
    ("score.header_with_double", 3),
    ("score.divisors", [5]),
    ("score.combine", "once each"),
    ("score.award", "sum quotient"),
    ("score.tip_double", "both single"),
    ("score.spinner_counts", "until_two_faces exposed_halves single"),
    ("score.entry_minimum", 0),
    ("score.near_target", None),
    ("claim.mode", "automatic declare"),
    ("claim.owner_until", "next_tile"),
    ("claim.rivals", "none any"),
    ("claim.rivals_until", "next_tile tile_after_next round_end"),
    ("claim.bounty", 0),
    ("claim.false_claim", "ignored penalty"),
    ("claim.at_round_end", "owner_may_claim lost"),
    ("draw.when", "unable never free unable_without_wild"),
    ("draw.limit", "until_playable"),
    ("draw.then", "must_play may_play turn_ends"),
    ("draw.reserve", 0),
    ("draw.limit_during_fill", None),
    ("pass.bonus", "none"),
    ("pass.penalty", 0),
    ("extra_turn.after", []),
    ("extra_turn.forced", False),
    ("round_end.when", "first_out both_partners_out"),
    (
        "round_end.out.award",
        "opponents_pips all_others_pips differences own_pips_lost none",
    ),
    ("round_end.blocked.winner", "lowest_player lowest_team lowest_no_double none"),
    (
        "round_end.blocked.award",
        "opponents_pips opponents_minus_own differences all_hands cascade own_pips_lost none",
    ),
    ("round_end.blocked.tie", "none split opener_side blocker replay"),
    ("round_end.round.to", 0),
    ("round_end.round.mode", "nearest up down"),
    ("round_end.round.scope", "total per_hand"),
    ("round_end.round.applies_to", "both out"),
    ("round_end.divide", 1),
    ("round_end.hand_double", "both single"),
    ("keelhaul", None),
    ("keelhaul.unlock_at", 50),
    ("keelhaul.cost", 5),
    ("keelhaul.seconds", 15),
    ("tings", False),
    ("match.target", None),
    ("match.exact", False),
    ("match.overshoot", "void bounce"),
    ("match.bundle", "separate play_and_out"),
    ("match.check", "at_once round_end"),
    ("match.tie", "highest extra_round"),
    ("match.rounds", None),
    ("match.winner_is", "high low"),
    ("match.win_on_out", True),
    ("match.loser_resets", False),
]
WHO = ["sniff", "id", "name", "summary", "source", "extends"]


@pytest.mark.parametrize(("name", "said"), TABLE, ids=[name for name, _ in TABLE])
def test_defaults_and_words_are_those_of_the_contract(name: str, said: Any) -> None:
    key = keys()[tuple(name.split("."))]

    if isinstance(said, str):
        words = said.split()
        assert isinstance(key.reader, Choice)
        assert set(key.reader.words) == set(words)
        assert key.default == words[0]
    else:
        assert plain(key.default) == said


def test_there_are_no_other_keys() -> None:
    sections = {key.dotted for key in keys().values() if key.reader is None} - {"keelhaul"}

    known = {key.dotted for key in keys().values()} - sections
    assert known == {name for name, _ in TABLE} | set(WHO) | {"deal.hand"}


@pytest.mark.parametrize(
    ("line", "path", "value"),
    [
        ("open: {first_leader: {holder_of: 5-6}}", "open.first_leader", HolderOf(Tile(6, 5))),
        ("claim: {owner_until: {seconds: 7}, mode: declare}", "claim.owner_until", Seconds(7)),
        ("score: {award: {flat: 1}}", "score.award", Flat(1)),
        ("round_end: {out: {award: {fixed: 1}}}", "round_end.out.award", Fixed(1)),
        ("round_end: {blocked: {award: {fixed: 2}}}", "round_end.blocked.award", Fixed(2)),
        ("pass: {bonus: {per_knock: 1}}", "pass_.bonus", PerKnock(1)),
        ("draw: {limit: 2}", "draw.limit", 2),
        ("draw: {reserve: {2: 2, 3: 1, 4: 1}}", "draw.reserve", {2: 2, 3: 1, 4: 1}),
        ("set: {remove: [0-0]}", "set.remove", (Tile(0, 0),)),
        ("score: {near_target: {1: 1}}", "score.near_target", {1: 1}),
        ("extra_turn: {after: [double, score]}", "extra_turn.after", ("double", "score")),
    ],
)
def test_values_that_are_more_than_a_word(line: str, path: str, value: object) -> None:
    found: Any = read(f"{HEAD}{line}\n")
    for step in path.split("."):
        found = getattr(found, step)

    assert found == value


def test_a_hand_with_many_doubles_is_thrown_in() -> None:
    text = HEAD.replace("deal: {", "deal: {redeal_if: {doubles: 5}, ")

    assert read(text).deal.redeal_if == Doubles(5)


def test_answers_that_depend_on_the_number_of_players() -> None:
    rules = read(
        "sniff: 1\nid: x\nplayers: {max: 3}\ndeal: {hand: all_even}\n"
        "set: {remove: {3: [0-0]}}\ndraw: {reserve: {2: 2, 3: 1}}\n"
        "match: {target: {2: 100, 3: 80}}\n"
    )

    assert [len(rules.tiles(players)) for players in (2, 3)] == [28, 27]
    assert [rules.hand_size(players) for players in (2, 3)] == [14, 9]
    assert [rules.reserve(players) for players in (2, 3)] == [2, 1]
    assert [rules.target(players) for players in (2, 3)] == [100, 80]
    assert list(rules.legal_players()) == [2, 3]


def test_a_wild_tile_that_was_removed_is_not_in_play() -> None:
    rules = read(
        HEAD + "joining: {rule: complement, wild: sum_tiles_and_double_blank}\n"
        "set: {remove: [0-0]}\n"
    )

    assert rules.wild_tiles(2) == {Tile(6, 1), Tile(5, 2), Tile(4, 3)}


def test_rulesets_are_values() -> None:
    one, _ = load_ruleset("dreamtime-sniff")
    two, _ = load_ruleset("dreamtime-sniff")
    other, _ = load_ruleset("dreamtime-sniff", settings={"match": {"target": {2: 100}}})

    assert one == two
    assert hash(one) == hash(two)
    assert one != other
    assert pickle.loads(pickle.dumps(one)) == one
    assert one is not None
    with pytest.raises(AttributeError, match="frozen"):
        one.claim.bounty = 6  # type: ignore[misc]


def test_a_ruleset_can_be_made_in_code() -> None:
    rules = Ruleset.read({"id": "x", "deal": {"hand": ByPlayers({2: 7})}, "match": {"target": 50}})

    assert (rules.title, rules.hand_size(2)) == ("x", 7)
