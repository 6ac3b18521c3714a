"""The arms as values: every joint of the layout is a step of an arm, and nothing else is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sniffcli.show.arms import Link, links_of, middle_of

from .tables_of import random_table
from .test_table import RULESETS, laid, ruleset


def steps(link: Link) -> Iterator[tuple[int, int]]:
    """Pairs of neighbours, nearer to the middle first."""
    for arm in link.branches:
        before = link
        for one in arm.links:
            yield before.nth, one.nth
            yield from steps(one)
            before = one


@pytest.mark.parametrize("name", RULESETS)
def test_neighbours_in_the_arms_are_the_neighbours_on_the_table(name: str) -> None:
    rules = ruleset(name)
    for seed in range(2):
        layout, frontier = random_table(rules, seed, 18)
        middle = middle_of(rules, layout, frontier)
        assert middle is not None
        joined = {frozenset((n, p.on)) for n, p in enumerate(layout.placed) if p.on >= 0}

        assert {frozenset(pair) for pair in steps(middle)} == joined
        assert sorted(link.nth for link in links_of(middle)) == list(range(len(layout.placed)))


def test_the_spinner_is_in_the_middle_even_if_it_was_not_led() -> None:
    rules, layout, frontier = laid("all-fives", "6-4, 4-4 on 6-4, 4-1 on 4-4")
    middle = middle_of(rules, layout, frontier)
    assert middle is not None
    assert (str(middle.tile), middle.spinner, middle.across) == ("4-4", True, True)
    arms = {arm.face: [(one.inward, one.outward) for one in arm.links] for arm in middle.branches}
    # The lead is reached through the side by which the double was joined; the tips are open now.
    assert arms == {"side1": [(4, 6)], "side2": [(4, 1)], "tip1": [], "tip2": []}
    assert [arm.open for arm in middle.branches] == [6, 1, 4, 4]


def test_an_empty_table_has_no_middle() -> None:
    rules = ruleset("all-fives")
    layout, frontier = random_table(rules, 0, 0)
    assert middle_of(rules, layout, frontier) is None
