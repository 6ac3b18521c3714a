"""Parents, house rules and where their problems are shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from sniffcli import yamlio
from sniffcli.problems import Problem
from sniffcli.ruleset.loading import build, load_ruleset, read_draft, resolve, with_settings
from sniffcli.ruleset.model import Ruleset
from sniffcli.ruleset.words import HolderOf

from .conftest import read

BASE = """\
sniff: 1
id: base
name: The base
players: {max: 3}
deal: {hand: {2: 7, 3: 6}}
set: {remove: [0-0, 1-1]}
draw: {reserve: 2, limit: 1}
score: {divisors: [5, 3], near_target: {1: 1, 2: 2}}
keelhaul: {cost: 3}
claim: {mode: declare, owner_until: {seconds: 7}, rivals: any}
match: {target: {2: 100, 3: 90}}
"""


def write(folder: Path, **texts: str) -> Path:
    """Write each text as NAME.yaml; return the path of the last one."""
    for name, text in texts.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder / f"{name}.yaml"


def load(folder: Path, child: str) -> Ruleset:
    rules, problems = load_ruleset(write(folder, base=BASE, child=f"sniff: 1\nid: child\n{child}"))
    assert problems == []
    assert rules is not None
    return rules


def problems(folder: Path, **texts: str) -> list[Problem]:
    rules, found = load_ruleset(write(folder, **texts))
    assert rules is None
    return found


def test_a_child_takes_everything_but_who_the_parent_is(tmp_path: Path) -> None:
    rules = load(tmp_path, "extends: base\n")

    assert (rules.id, rules.name, rules.extends) == ("child", "", "base")
    assert rules.hand_size(2) == 7
    assert rules.score.divisors == (5, 3)


def test_maps_by_number_of_players_merge_key_by_key(tmp_path: Path) -> None:
    rules = load(
        tmp_path,
        "extends: base\nplayers: {max: 4}\ndeal: {hand: {3: 5, 4: 4}}\nmatch: {target: {4: 80}}\n",
    )

    assert rules.deal.hand == {2: 7, 3: 5, 4: 4}
    assert rules.match.target == {2: 100, 3: 90, 4: 80}


def test_sections_merge_and_everything_else_replaces(tmp_path: Path) -> None:
    rules = load(
        tmp_path,
        "extends: base\nset: {remove: [6-6]}\ndraw: {then: may_play}\n"
        "score: {divisors: [7], near_target: {4: 1}}\nkeelhaul: {seconds: 9}\n",
    )

    assert [str(tile) for tile in rules.removed(2)] == ["6-6"]
    assert (rules.draw.limit, rules.draw.then, rules.draw.reserve) == (1, "may_play", 2)
    assert rules.score.divisors == (7,)
    assert rules.score.near_target == {4: 1}
    assert rules.keelhaul is not None
    assert (rules.keelhaul.cost, rules.keelhaul.seconds, rules.keelhaul.unlock_at) == (3, 9, 50)


def test_a_map_replaces_a_number_and_a_number_a_map(tmp_path: Path) -> None:
    rules = load(tmp_path, "extends: base\ndraw: {reserve: {2: 1, 3: 0}}\nmatch: {target: 61}\n")

    assert [rules.reserve(players) for players in (2, 3)] == [1, 0]
    assert [rules.target(players) for players in (2, 3)] == [61, 61]


def test_null_restores_the_default(tmp_path: Path) -> None:
    rules = load(
        tmp_path,
        "extends: base\nset: null\ndraw: {limit: null}\nkeelhaul: null\nplayers: {max: 2}\n"
        "deal: {hand: {3: null}}\n",
    )

    assert rules.removed(2) == ()
    assert (rules.draw.limit, rules.draw.reserve) == ("until_playable", 2)
    assert rules.keelhaul is None
    assert rules.deal.hand == {2: 7}


def test_surplus_numbers_of_players_are_harmless() -> None:
    rules = read("sniff: 1\nid: x\ndeal: {hand: {2: 7, 3: 5, 4: 5, 9: 3}}\nmatch: {target: 9}\n")

    assert rules.hand_size(4) == 5


def test_the_parent_is_looked_up_beside_the_file_first(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        block=BASE.replace("id: base", "id: block"),
        child="sniff: 1\nid: child\nextends: block\n",
    )

    rules, found = load_ruleset(path)

    assert found == []
    assert rules is not None
    assert rules.claim.bounty == 0
    assert rules.draw.reserve == 2  # the shipped block has no drawing at all


def test_a_shipped_parent_is_found_from_anywhere(tmp_path: Path) -> None:
    path = write(tmp_path, child="sniff: 1\nid: child\nextends: sebastopol\n")

    rules, _ = load_ruleset(path)

    assert rules is not None
    assert isinstance(rules.open.first_leader, HolderOf)


def test_an_unknown_parent_is_one_problem_with_the_nearest_name(tmp_path: Path) -> None:
    (found,) = problems(tmp_path, child="sniff: 1\nid: child\nextends: all-fivs\n")

    assert (found.line, found.column, found.code) == (3, 10, "unknown-ruleset")
    assert 'did you mean "all-fives"?' in found.message


def test_mistakes_of_the_child_are_found_without_its_parent(tmp_path: Path) -> None:
    found = problems(tmp_path, child="sniff: 1\nid: child\nextends: gone\nlayout: {spinner: x}\n")

    assert [one.code for one in found] == ["unknown-ruleset", "unknown-word"]


def test_nobody_extends_itself(tmp_path: Path) -> None:
    (found,) = problems(tmp_path, draw="sniff: 1\nid: draw\nextends: draw\n")

    assert (found.line, found.code) == (3, "extends-itself")


def test_parents_in_a_circle_are_refused(tmp_path: Path) -> None:
    (found,) = problems(
        tmp_path,
        one="sniff: 1\nid: one\nextends: two\n",
        two="sniff: 1\nid: two\nextends: three\n",
        three="sniff: 1\nid: three\nextends: one\n",
    )

    assert found.code == "extends-itself"
    assert found.file.endswith("two.yaml")
    assert "three -> one -> two -> three" in found.message


@pytest.mark.parametrize("name", ["../base", "/etc/base", "a b", "''"])
def test_a_parent_is_named_not_a_path(tmp_path: Path, name: str) -> None:
    found = problems(tmp_path, base=BASE, child=f"sniff: 1\nid: child\nextends: {name}\n")

    assert {one.line for one in found} == {3}


def test_problems_of_the_parent_name_the_parent(tmp_path: Path) -> None:
    found = problems(
        tmp_path,
        base=BASE.replace("limit: 1", "limit: lots"),
        child="sniff: 1\nid: child\nextends: base\nturn: {direction: left}\n",
    )

    assert [(Path(one.file).name, one.line, one.column) for one in found] == [
        ("base.yaml", 7, 27),
        ("child.yaml", 4, 19),
    ]


def test_a_contradiction_with_the_parent_is_shown_in_the_child(tmp_path: Path) -> None:
    child = "sniff: 1\nid: child\nextends: base\nplayers:\n  max: 4\ndeal: {hand: {4: 5}}\n"
    (found,) = problems(tmp_path, base=BASE, child=child)

    assert (Path(found.file).name, found.line, found.column) == ("child.yaml", 5, 8)
    assert found.code == "target-missing"


def overridden(overrides: str) -> tuple[Ruleset | None, list[Problem]]:
    draft, _ = read_draft("all-fives")
    assert draft is not None
    text = f"sniff: 1\nruleset: all-fives\noverrides:\n{overrides}"
    node, found = yamlio.parse(text, "game.yaml")
    assert node is not None
    assert found == []
    return resolve(draft, node.pairs[2][1], "game.yaml")


def test_overrides_of_a_game_file() -> None:
    rules, found = overridden("  {deal: {hand: {2: 7}}, match: {target: 150}}\n")

    assert found == []
    assert rules is not None
    assert rules.id == "all-fives"
    assert (rules.hand_size(2), rules.hand_size(3), rules.target(2)) == (7, 7, 150)


def test_problems_of_overrides_point_into_the_game_file() -> None:
    rules, found = overridden("  deal: {hand: {2: 20}}\n  match: {target: lots, taget: 5}\n")

    assert rules is None
    assert [(one.file, one.line, one.column, one.code) for one in found] == [
        ("game.yaml", 4, 16, "hand-too-large"),
        ("game.yaml", 5, 19, "unknown-word"),
        ("game.yaml", 5, 25, "unknown-key"),
    ]


@pytest.mark.parametrize("key", ["id: other", "extends: draw", "sniff: 1"])
def test_overrides_cannot_change_which_ruleset_it_is(key: str) -> None:
    rules, found = overridden(f"  {key}\n")

    assert rules is None
    assert [(one.line, one.code) for one in found] == [(4, "fixed-key")]


def test_overrides_are_a_mapping() -> None:
    rules, (found,) = overridden("  [draw]\n")

    assert rules is None
    assert (found.line, found.column, found.code) == (4, 3, "not-a-mapping")


def test_settings_of_the_command_line_name_the_key() -> None:
    rules, (found,) = load_ruleset("all-fives", settings={"match": {"taget": 5}})

    assert rules is None
    assert str(found) == (
        '--set: error[unknown-key]: unknown key "match.taget"; did you mean "match.target"?'
    )


def test_settings_lie_over_the_ruleset() -> None:
    draft, _ = read_draft("all-fives")
    assert draft is not None
    draft, _ = with_settings(draft, {"deal": {"hand": {2: 7}}})
    rules, found = build(draft)

    assert found == []
    assert rules is not None
    assert (rules.hand_size(2), rules.hand_size(3)) == (7, 7)


def test_a_switch_turned_off_by_house_rule_leaves_the_details_alone() -> None:
    for name, settings in (
        ("muggins-all-fives", {"draw": {"when": "never"}}),
        ("dreamtime-sniff", {"claim": {"mode": "automatic"}}),
        ("dreamtime-sniff", {"layout": {"spinner": "none"}}),
        ("fives-and-threes", {"match": {"exact": False}}),
    ):
        rules, found = load_ruleset(name, settings=settings)
        assert found == []
        assert rules is not None


def test_a_detail_without_effect_is_refused_where_it_is_written() -> None:
    rules, (found,) = load_ruleset("block", settings={"draw": {"reserve": 2}})

    assert rules is None
    assert found.message == "draw.reserve has no effect with draw.when: never"


def test_an_unknown_name_is_no_ruleset() -> None:
    with pytest.raises(LookupError, match='did you mean "all-fives"'):
        load_ruleset("all-fivs")
