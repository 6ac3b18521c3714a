"""The tables for which data is shipped, and the rounds on which it is measured."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from sniffcli.game.match import Match, deal_round, sides_of
from sniffcli.game.state import RoundResult, Setup, State
from sniffcli.ruleset.library import shipped
from sniffcli.ruleset.loading import load_ruleset
from sniffcli.ruleset.model import Ruleset

#: House rules over shipped rulesets whose data is shipped too: hands as leagues and the published
#: figures have them, and usual targets, each as (base, settings).
HOUSES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("all-fives", {"deal": {"hand": {2: 7}}}),
    ("all-fives", {"deal": {"hand": {2: 7}}, "match": {"target": 150}}),
    ("all-fives", {"deal": {"hand": {2: 7}}, "match": {"target": 100}}),
    ("all-fives", {"match": {"target": 150}}),
    ("all-fives", {"match": {"target": 100}}),
    ("fives-and-threes", {"deal": {"hand": {2: 9, 4: 6}}}),
)


def tables_of(rules: Ruleset) -> Iterator[Setup]:
    """Yield the tables of a ruleset: every number of players, with partners and without."""
    for seats in rules.legal_players():
        for teams in sorted({rules.teams_required(seats), rules.teams_possible(seats)}):
            names = tuple(f"seat {seat + 1}" for seat in range(seats))
            yield Setup(rules, names, sides_of(seats, teams=teams))


def shipped_tables() -> Iterator[Setup]:
    """Yield the tables of every shipped ruleset and of `HOUSES`; some of them are played alike."""
    for base, settings in (*((name, {}) for name in shipped()), *HOUSES):
        rules, problems = load_ruleset(base, settings=settings)
        if rules is None:
            raise ValueError(f"{base}: {problems[0]}")
        yield from tables_of(rules)


def dealt_in_turn(setup: Setup, stream: str, number: int) -> State:
    """Deal a round in mid-match; the leader moves round the table where the rules name him."""
    seat = number % setup.seats
    winner = number % setup.side_count
    return dealt_after(setup, f"{stream}:{number}", winner=winner, leader=seat, closer=seat)


def dealt_after(setup: Setup, seed: str, *, winner: int, leader: int, closer: int) -> State:
    """Deal the round after one that a side has won; the seats are those that led and ended it."""
    before = RoundResult(
        how="out",
        winners=(winner,),
        bonus=(0,) * setup.side_count,
        tied=False,
        leader=leader,
        closer=closer,
        pips=(0,) * setup.seats,
    )
    match = Match(setup, (0,) * setup.side_count, results=(before,))
    return deal_round(match, random.Random(seed))[0]
