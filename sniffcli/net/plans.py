"""What a table is opened with, from a ruleset as people name it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sniffcli.net.crew import STAND_IN, Plan
from sniffcli.problems import Problem, has_errors
from sniffcli.ruleset.library import whole_name
from sniffcli.ruleset.loading import build, load_ruleset, read_draft, with_settings
from sniffcli.ui.bots import LEVELS
from sniffcli.yamlio import dump

#: The most bytes that the text of a ruleset may have to travel to the terminals.
MOST_RULES = 64_000


class PlanError(ValueError):
    """A table that cannot be opened like this; the message says why."""


def plan_of(
    name: str,
    overrides: Mapping[str, Any] | None = None,
    *,
    crew: int | None = None,
    levels: Sequence[str] = (),
    partners: bool = False,
    stand_in: float = STAND_IN,
) -> tuple[Plan | None, list[Problem]]:
    """Return the plan of a table for the ruleset NAME with house rules; None where it is wrong.

    Raises:
        LookupError: NAME is neither a shipped ruleset nor a file.
        PlanError: no such crew can play by these rules.
    """
    draft, problems = read_draft(name)
    if draft is None:
        return None, problems
    if overrides:
        draft, more = with_settings(draft, overrides)
        problems += more
    checked, problems = build(draft, problems)
    if checked is None:
        return None, problems
    # The terminals get one text without parents, and the host plays by the same one.
    text = dump({key: value for key, value in draft.values.items() if key != "extends"})
    if len(text) > MOST_RULES:
        raise PlanError(f"{name} is too long to be sent to terminals")
    rules, again = load_ruleset("rules", text)
    assert rules is not None, again
    assert not has_errors(again), again
    sizes = rules.legal_players()
    size = sizes[0] if crew is None else crew
    if size not in sizes:
        raise PlanError(f"{rules.title} is for {sizes[0]} to {sizes[-1]} players, not {size}")
    if partners and not rules.teams_possible(size):
        raise PlanError(rules.no_partners(size))
    for level in levels:
        if level not in LEVELS:
            raise PlanError(f'no bot is called "{level}"; there are {", ".join(LEVELS)}')
    plan = Plan(
        rules,
        text,
        whole_name(name),
        overrides or {},
        size,
        tuple(levels) or ("casual",),
        partners,
        stand_in,
    )
    return plan, problems
