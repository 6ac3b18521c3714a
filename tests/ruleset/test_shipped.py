"""The shipped rulesets: complete, clean, cited, and saying only what differs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from sniffcli import yamlio
from sniffcli.ruleset.library import find_parent, rulesets_dir, shipped
from sniffcli.ruleset.loading import load_ruleset
from sniffcli.ruleset.model import Ruleset
from sniffcli.ruleset.plain import resolved

SEEDS = """dreamtime-sniff block block-double-nine block-double-twelve draw cross double-nine-cross
double-twelve-cross muggins-all-fives muggins-fives-and-threes all-threes all-threes-sprint
all-threes-partners""".split()
FIELD = """all-fives muggins sniff five-up fives-and-threes bergen seven-toed-pete merry-go-round
sebastopol maltese-cross matador all-sevens partnership jamaican cuban-double-nine""".split()
CONTRACT = sorted([*SEEDS, *FIELD])
ALL = list(shipped())

#: Keys that say who a ruleset is; they are written even where they are the default.
WHO = {"sniff", "id", "name", "summary", "source", "extends"}


def shipped_rules(name: str) -> Ruleset:
    rules, problems = load_ruleset(name)
    assert problems == []
    assert rules is not None
    return rules


def written(name: str) -> dict[str, Any]:
    path = rulesets_dir() / f"{name}.yaml"
    node, problems = yamlio.parse(path.read_bytes(), str(path))
    assert node is not None
    assert problems == []
    data = yamlio.value(node)
    assert isinstance(data, dict)
    return data


def leaves(data: Mapping[Any, Any], above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    for key, value in data.items():
        if isinstance(value, Mapping) and value:
            yield from leaves(value, (*above, key))
        else:
            yield (*above, key)


def at(data: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        data = data.get(step) if isinstance(data, Mapping) else None
    return data


def test_the_list_holds_that_of_the_contract_in_order() -> None:
    assert set(CONTRACT) <= set(ALL)
    assert sorted(ALL) == ALL


@pytest.mark.parametrize("name", ALL)
def test_a_shipped_ruleset_is_clean_named_like_its_file_and_cites_its_source(name: str) -> None:
    rules = shipped_rules(name)

    assert rules.id == name
    assert rules.name
    assert rules.summary
    assert rules.source


@pytest.mark.parametrize("name", ALL)
def test_a_shipped_ruleset_states_only_what_differs(name: str) -> None:
    data = written(name)
    mine = resolved(shipped_rules(name))
    parent = data.get("extends")
    if parent is None:
        plain = {"sniff": 1, "id": "plain", "deal": {"hand": {2: 1}}, "match": {"target": 1}}
        base = resolved(Ruleset.read(plain))
    else:
        assert find_parent(parent, None) is not None
        base = resolved(shipped_rules(parent))

    repeated = [
        ".".join(map(str, path))
        for path in leaves(data)
        if path[0] not in WHO and at(mine, path) == at(base, path)
    ]

    # The hand has no default, so a ruleset without a parent always says it.
    assert [one for one in repeated if parent or not one.startswith("deal.hand")] == []


@pytest.mark.parametrize("name", ALL)
def test_every_section_of_a_shipped_file_has_a_comment_that_gives_its_reason(name: str) -> None:
    lines = (rulesets_dir() / f"{name}.yaml").read_text(encoding="utf-8").splitlines()
    reasons: dict[str, bool] = {}
    section, comment_above = "", False
    for line in lines:
        if line.startswith("#"):
            comment_above = True
        elif not line.startswith(" "):
            section = line.partition(":")[0]
            reasons[section] = comment_above
            comment_above = False
        elif line.lstrip().startswith("#"):
            reasons[section] = True

    assert lines[0].startswith("# ")
    assert [key for key, given in reasons.items() if not given and key not in WHO | {"group"}] == []


@pytest.mark.parametrize("name", ALL)
def test_the_resolved_form_is_the_same_ruleset_again(name: str) -> None:
    rules = shipped_rules(name)

    again, problems = load_ruleset("again.yaml", yamlio.dump(resolved(rules)))

    assert problems == []
    assert again is not None
    assert resolved(again) == resolved(rules)


@pytest.mark.parametrize("name", ALL)
def test_the_set_suffices_for_every_number_of_players(name: str) -> None:
    rules = shipped_rules(name)

    for players in rules.legal_players():
        assert players * rules.hand_size(players) <= len(rules.tiles(players))
        assert rules.reserve(players) >= 0
        assert rules.target(players) is not None or rules.match.rounds is not None


#: From the seeds, word by word: tiles for each player by number of players.
HANDS = {
    "dreamtime-sniff": {2: 7, 3: 6, 4: 5},
    "block": {2: 8, 3: 6, 4: 6, 5: 5},
    "block-double-nine": {2: 8, 3: 6, 4: 9, 5: 5},
    "block-double-twelve": {2: 8, 3: 6, 4: 12, 5: 5},
    "draw": {2: 7, 3: 5, 4: 4, 5: 3},
    "cross": {2: 7, 3: 5, 4: 4, 5: 3},
    "double-nine-cross": {2: 7, 3: 7, 4: 5, 5: 5},
    "double-twelve-cross": {2: 7, 3: 7, 4: 5, 5: 5},
    "muggins-all-fives": {2: 5, 3: 5, 4: 5},
    "muggins-fives-and-threes": {2: 5, 3: 5, 4: 5},
    "all-threes": {2: 7, 3: 5, 4: 5},
    "all-threes-sprint": {2: 7, 3: 5, 4: 5},
    "all-threes-partners": {4: 5},
    "all-fives": {2: 9, 3: 7, 4: 5},
}


@pytest.mark.parametrize("name", HANDS)
def test_hands_are_those_of_the_source(name: str) -> None:
    rules = shipped_rules(name)

    assert {n: rules.hand_size(n) for n in rules.legal_players()} == HANDS[name]


@pytest.mark.parametrize(
    ("name", "tiles"), [("block", 28), ("double-nine-cross", 55), ("block-double-twelve", 91)]
)
def test_sets_have_the_sizes_that_the_guide_names(name: str, tiles: int) -> None:
    assert len(shipped_rules(name).tiles(2)) == tiles


def test_matadors_of_the_double_six_set() -> None:
    found = sorted(map(str, shipped_rules("matador").wild_tiles(2)))

    assert found == ["0-0", "4-3", "5-2", "6-1"]


def test_matadors_of_the_double_nine_set() -> None:
    rules, _ = load_ruleset("matador", settings={"set": {"max_pip": 9}})
    assert rules is not None

    assert rules.complement_sum == 10
    assert sorted(map(str, rules.wild_tiles(2))) == ["0-0", "5-5", "6-4", "7-3", "8-2", "9-1"]


def test_teams() -> None:
    possible = {name for name in ALL if shipped_rules(name).teams_possible(4)}
    required = {name for name in ALL if shipped_rules(name).teams_required(4)}

    assert required == {
        "all-threes-partners",
        "cuban-double-nine",
        "fives-and-threes",
        "jamaican",
        "partnership",
    }
    assert {"block", "block-double-nine", "block-double-twelve", "all-fives"} <= possible - required
    assert not possible & {"draw", "cross", "muggins-all-fives", "dreamtime-sniff"}
    assert not shipped_rules("fives-and-threes").teams_possible(3)


def test_all_even_shares_the_set() -> None:
    rules, _ = load_ruleset(
        "block", settings={"deal": {"hand": "all_even"}, "set": {"remove": {3: ["0-0"]}}}
    )
    assert rules is not None

    assert [rules.hand_size(players) for players in (2, 3, 4, 5)] == [14, 9, 7, 5]
