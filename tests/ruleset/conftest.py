"""Rulesets written on the spot."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sniffcli.problems import Problem, has_errors
from sniffcli.ruleset.loading import load_ruleset
from sniffcli.ruleset.model import Ruleset

#: The least that a ruleset without a parent must say.
HEAD = "sniff: 1\nid: house\ndeal: {hand: {2: 7, 3: 5, 4: 5}}\nmatch: {target: 100}\n"

Problems = Callable[[str], list[Problem]]


def read(text: str) -> Ruleset:
    """Return the ruleset in TEXT, which has no problem."""
    rules, problems = load_ruleset("house.yaml", text)
    assert problems == []
    assert rules is not None
    return rules


@pytest.fixture
def problems_of() -> Problems:
    """Return the problems of the text of a ruleset, which then does not load but for warnings."""

    def problems(text: str) -> list[Problem]:
        rules, found = load_ruleset("house.yaml", text)
        assert (rules is None) == has_errors(found)
        return found

    return problems
