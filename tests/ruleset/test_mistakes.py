"""Files with mistakes: every one is reported, at its place, with the nearest right word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sniffcli.problems import Problem
from sniffcli.ruleset import loading
from sniffcli.ruleset.drafts import Draft, from_values, overlay
from sniffcli.ruleset.keys import keys
from sniffcli.yamlio import dump

from .conftest import HEAD, Problems

NINE = """\
sniff: 1
id: house
deal: {hand-size: 7, hand: {2: 7, 3: 5, 4: 5, 5: 7}}
spiner: none
layout: {spinner: frist_double}
target_scor: 61
players: {max: 5}
draw: {limit: 0, then: must_pla}
score:
  award: {flatt: 1}
  divisors: [5, lots]
match: {target: 100}
"""


def test_nine_mistakes_are_nine_problems_with_line_column_and_nearest_word(
    problems_of: Problems,
) -> None:
    found = problems_of(NINE)

    assert [(one.line, one.column, one.code) for one in found] == [
        (3, 8, "unknown-key"),
        (3, 28, "hand-too-large"),
        (4, 1, "unknown-key"),
        (5, 19, "unknown-word"),
        (6, 1, "unknown-key"),
        (8, 15, "out-of-range"),
        (8, 24, "unknown-word"),
        (10, 11, "unknown-key"),
        (11, 17, "not-a-number"),
    ]
    hints = ["deal.hand", None, "layout.spinner", "first_double", "match.target", None]
    hints += ["must_play", "flat", None]
    for problem, hint in zip(found, hints, strict=True):
        assert ("did you mean" in problem.message) == (hint is not None), problem
        assert hint is None or f'did you mean "{hint}"?' in problem.message, problem
    assert all(one.file == "house.yaml" and one.severity == "error" for one in found)


def test_numbers_that_no_table_needs_are_refused(problems_of: Problems) -> None:
    """Beyond them counts would no longer fit the native kernel."""
    most = HEAD.replace("target: 100}", "target: 1000000}")
    assert not problems_of(most)
    (problem,) = problems_of(most.replace("1000000}", "99999999999999999999}"))
    assert problem.code == "out-of-range"
    assert problem.message.endswith("it must be at most 1000000")


def test_c76_misspelt_settings_are_refused_with_the_nearest_name(problems_of: Problems) -> None:
    found = problems_of(HEAD + "spiner: none\ntarget_scor: 61\nhand-size: 7\n")

    assert [(one.line, one.message) for one in found] == [
        (5, 'unknown key "spiner"; did you mean "layout.spinner"?'),
        (6, 'unknown key "target_scor"; did you mean "match.target"?'),
        (7, 'unknown key "hand-size"; did you mean "deal.hand"?'),
    ]


def test_c76_misspelt_values_list_the_allowed_ones(problems_of: Problems) -> None:
    (found,) = problems_of(HEAD + "layout:\n  spinner: frist\n")

    assert str(found) == (
        'house.yaml:6:12: error[unknown-word]: layout.spinner: "frist" is not known here; use '
        "none, first_double, first_enclosed_double, opening_double or all_doubles"
    )


@pytest.mark.parametrize(
    ("line", "place", "message"),
    [
        ("set: {max_pip: true}", (5, 16), "set.max_pip: a whole number is needed, not true"),
        ("set: {max_pip: 19}", (5, 16), "set.max_pip: 19 is out of range; it must be from 2 to 18"),
        ("set: {max_pip: 05}", (5, 16), 'set.max_pip: a whole number is needed, not "05"'),
        ("set: [6]", (5, 6), "set: a mapping of keys is needed, not a list"),
        ("tings: yes", (5, 8), 'tings: "yes" is not true or false'),
        ("set: {remove: 6-6}", (5, 15), None),
        (
            "set: {remove: [6-6, 65]}",
            (5, 21),
            "set.remove.1: a tile is needed, not 65; write it like 6-3",
        ),
        ("set: {remove: [6-6, 6:6]}", (5, 21), "set.remove.1: 6-6 stands here twice"),
        (
            "open: {first_leader: {holder_of: 6–6}}",
            (5, 34),
            "open.first_leader.holder_of: '6–6' is not a tile: U+2013 (en dash) has no place in"
            " it; write it like 6-3",
        ),
        (
            "claim: {owner_until: {second: 7}}",
            (5, 23),
            'claim.owner_until: unknown key "second"; did you mean "seconds"?',
        ),
        (
            "claim: {owner_until: {seconds: 0}}",
            (5, 32),
            "claim.owner_until.seconds: 0 is out of range; it must be above 0, at most 86400",
        ),
        (
            "extra_turn: {after: double}",
            (5, 21),
            'extra_turn.after: "double" is not known here; use a list',
        ),
        (
            "draw: {reserve: {2: 1, x: 1}}",
            (5, 24),
            'draw.reserve.x: a whole number is needed, not "x"',
        ),
        (
            "draw: {reserve: {1: 0, 2: 1, 3: 1, 4: 1}}",
            (5, 18),
            "draw.reserve.1: 1 is out of range; it must be from 2 to 12",
        ),
        ("round_end: {round: {upto: 5}}", (5, 21), None),
        ("layout: {zzz: 1}", (5, 10), None),
        ("keelhaul: [5]", (5, 11), "keelhaul: a mapping of keys is needed, not a list"),
        ("5: 6", (5, 1), 'unknown key "5"'),
        ("group: fivs", (5, 8), None),
    ],
)
def test_one_mistake_is_one_problem(
    problems_of: Problems, line: str, place: tuple[int, int], message: str | None
) -> None:
    (found,) = problems_of(f"{HEAD}{line}\n")

    assert (found.line, found.column) == place
    assert message is None or found.message == message


def test_a_key_that_is_like_no_other_is_answered_with_those_beside_it(
    problems_of: Problems,
) -> None:
    (found,) = problems_of(HEAD + "turn: {zzz: 1}\n")

    assert found.message == 'unknown key "turn.zzz"; turn has direction'


def test_what_is_missing_is_shown_at_its_parent(problems_of: Problems) -> None:
    found = problems_of("sniff: 1\nmatch: {exact: true}\ndeal: {redeal_if: none}\n")

    assert [(one.line, one.column, one.code) for one in found] == [
        (1, 1, "missing-key"),
        (2, 1, "endless-match"),
        (2, 16, "exact-no-target"),
        (3, 1, "missing-key"),
    ]
    assert found[0].message == "id is missing"
    assert found[3].message == "deal.hand is missing"


def test_a_newer_format_is_refused_with_both_numbers(problems_of: Problems) -> None:
    (found,) = problems_of("sniff: 2\nid: house\nsurprise: {}\n")

    assert (found.line, found.column, found.code) == (1, 8, "version")
    assert "format 2" in found.message
    assert "format 1" in found.message


@pytest.mark.parametrize("version", ["0", "one", "true", "1.0", "[1]"])
def test_another_format_is_no_version(problems_of: Problems, version: str) -> None:
    (found,) = problems_of(HEAD.replace("sniff: 1", f"sniff: {version}"))

    assert (found.line, found.column, found.code) == (1, 8, "version")


def test_a_file_without_a_format_version_is_refused(problems_of: Problems) -> None:
    (found,) = problems_of(HEAD.removeprefix("sniff: 1\n"))

    assert (found.line, found.column, found.code) == (1, 1, "missing-key")


@pytest.mark.parametrize("text", ["", "[]", "- 1", "house", "null"])
def test_what_is_no_mapping_is_one_problem(problems_of: Problems, text: str) -> None:
    assert len(problems_of(text)) == 1


def test_problems_of_the_yaml_and_of_the_rules_come_together(problems_of: Problems) -> None:
    found = problems_of(HEAD + "tings: true\ntings: &a maybe\nspiner: none\n")

    assert {one.code for one in found} >= {"duplicate-key", "unknown-key"}
    assert found == sorted(found)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("layout: {stub_arms: true}", "stub arms"),
        ("layout: {doubles_lie: player_choice}", "endwise or crosswise is not offered"),
        ("layout: {arm_owner: player}", "Mexican Train"),
    ],
)
def test_c14_c15_forms_that_are_not_offered_are_refused_by_name(
    problems_of: Problems, line: str, words: str
) -> None:
    (found,) = problems_of(f"{HEAD}{line}\n")

    assert words in found.message
    assert "did you mean" not in found.message


def test_a_file_full_of_mistakes_is_answered_with_the_first_hundred(
    problems_of: Problems,
) -> None:
    unknown = "".join(f"x{number}: 1\n" for number in range(10_000))
    tiles = ", ".join(["7-7"] * 10_000)
    found = problems_of(f"{HEAD}set: {{remove: [{tiles}]}}\n{unknown}")

    assert len(found) == 100


def test_decimal_seconds_are_read(problems_of: Problems) -> None:
    text = HEAD + "claim: {mode: declare, owner_until: {seconds: 2.5}}\n"
    rules, found = loading.load_ruleset("house.yaml", text)

    assert found == []
    assert rules is not None
    assert rules.claim.owner_until.seconds == 2.5  # type: ignore[union-attr]


ODD = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 20) | st.sampled_from(["none", "6-6", "x", "2.5"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["seconds", "holder_of", "to", "when"]) | st.integers(0, 5),
            inner,
            max_size=3,
        )
    ),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from(sorted(keys())), ODD, max_size=6))
def test_any_value_of_any_key_gives_problems_or_a_ruleset(
    values: dict[tuple[str, ...], object],
) -> None:
    tree: dict[str, object] = {}
    for path, value in values.items():
        inner = tree
        for step in path[:-1]:
            below = inner.get(step)
            if not isinstance(below, dict):
                below = inner[step] = {}
            inner = below
        inner[path[-1]] = value
    text = dump({"sniff": 1, "id": "house", **tree})

    rules, found = loading.load_ruleset("house.yaml", text)

    assert (rules is None) == any(one.severity == "error" for one in found)
    assert all(one.line > 0 for one in found)
    over, more = loading.build(overlay(Draft("base"), from_values(tree, "--set")))
    assert over is None
    assert all(isinstance(one, Problem) for one in more)


def test_a_value_of_several_lines_stays_on_the_line_of_its_problem():
    text = "sniff: 1\nid: x\nextends: block\nopen: |\n  first_leader: lot\n  " + "and more " * 40
    found = loading.load_ruleset("mine.yaml", text)[1]
    assert len(found) == 1
    assert 'not "first_leader: lot and more and more' in found[0].message
    assert found[0].message.endswith('..."')
    assert "\n" not in str(found[0])


def test_a_key_with_dots_is_shown_in_levels(problems_of: Problems) -> None:
    (problem,) = problems_of("sniff: 1\nid: mine\nextends: all-fives\nmatch.target: 100\n")
    assert "write it in levels: match: {target: ...}" in str(problem)
