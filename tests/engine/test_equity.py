"""Match equity: hand-solved little matches, what must hold for any table, and the shipped data."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from kit import ruleset

from sniffcli.engine import equity as equity_module
from sniffcli.engine.equity import Equity, equity_for, finished, from_data, next_leader, places
from sniffcli.engine.equity_build import QUICK, Effort, build, shipped_setups
from sniffcli.engine.identity import rules_key
from sniffcli.engine.playout import BLOCKED, WENT_OUT, Outcome
from sniffcli.game.state import Setup

LITTLE = Effort(deals=40, rows=8, near=2, kept=8)


def setup_of(base: str, settings: dict[str, object] | None = None, sides: tuple[int, ...] = (0, 1)):
    names = ("Ann", "Bob", "Cy", "Di")[: len(sides)]
    return Setup(ruleset(base, settings), names, sides)


def outcome(end: tuple[int, int], how: int = WENT_OUT, closer: int = 0) -> Outcome:
    return Outcome(((0, 0, 0, 0, end[0]), (0, 0, 0, 0, end[1])), end, how, closer)


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SNIFF_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(equity_module, "_known", {})


def test_the_end_of_a_match() -> None:
    high = setup_of("all-fives", {"match.target": 100})
    assert finished(high, (95, 90)) is None
    assert finished(high, (105, 100)) == (1.0, 0.0)
    assert finished(high, (100, 100)) == (0.5, 0.5)
    low = setup_of("all-fives", {"match.target": 100, "match.winner_is": "low"})
    assert finished(low, (105, 30)) == (0.0, 1.0)


def test_places_between_scores_are_weighted() -> None:
    assert places((0, 10, 20), 0) == ((0, 1.0),)
    assert places((0, 10, 20), 10) == ((1, 1.0),)
    assert places((0, 10, 20), -5) == ((0, 1.0),)
    assert places((0, 10, 20), 25) == ((2, 1.0),)
    (low, part), (high, share) = places((0, 10, 20), 13)
    assert (low, high) == (1, 2)
    assert part == pytest.approx(0.7)
    assert share == pytest.approx(0.3)


def test_interpolated_chances_and_who_leads() -> None:
    """A table written by hand: 0 or 10 points, target 20."""
    one = Equity(setup_of("all-fives"), 250, (0, 10), ((0.6, 0.3), (0.9, 0.7)))
    assert one.win((10, 0), 0, leader=0) == pytest.approx(0.9)
    assert one.win((10, 0), 1, leader=0) == pytest.approx(0.1)
    assert one.win((10, 0), 0, leader=1) == pytest.approx(0.7)
    assert one.win((10, 0), 0) == pytest.approx(0.8)
    assert one.win((5, 0), 0, leader=0) == pytest.approx(0.75)
    assert one.win((0, 0), 0) == pytest.approx(0.5)
    assert one.win((250, 245), 1) == 0.0


def test_who_leads_next_follows_the_ruleset() -> None:
    won = outcome((25, 0), closer=1)
    blocked = outcome((0, 15), BLOCKED, 0)
    assert next_leader(setup_of("all-fives"), won, 0) == 1
    # All Fives: after a block by lot.
    assert next_leader(setup_of("all-fives"), blocked, 0) is None
    rotating = setup_of("all-fives", {"open.next_leader": "rotate"})
    assert next_leader(rotating, won, 1) == 0
    host = setup_of("all-fives", {"open.next_leader": "host"})
    assert next_leader(host, won, 1) == 0
    plain = setup_of("all-fives", {"open.next_leader_after_block": None})
    assert next_leader(plain, blocked, 0) == 1
    found = setup_of("all-fives", {"open.first_leader": "highest_double"})
    as_first = setup_of(
        "all-fives", {"open.next_leader": "as_first", "open.next_leader_after_block": None}
    )
    assert next_leader(as_first, won, 0) is None
    assert next_leader(found, won, 0) == 1


def test_one_round_decides_where_any_point_wins() -> None:
    """Whoever goes out first wins: the table is the share of rounds won, whatever the scores."""
    settings = {
        "match.target": 1,
        "score.kind": "none",
        "round_end.out.award": {"fixed": 1},
        "round_end.blocked.winner": "lowest_player",
        "round_end.blocked.award": {"fixed": 1},
        "round_end.round.to": 0,
    }
    data = build(setup_of("block", settings), LITTLE)
    assert data["axis"] == [0]
    # Forty rounds and nothing else: the chance is a multiple of a fortieth unless rounds were tied.
    assert 0.3 < data["win"][0][0] / 10_000 < 0.7


def test_a_table_rises_with_the_own_score_and_falls_with_the_other() -> None:
    setup = setup_of("all-fives", {"deal.hand": {2: 7}, "match.target": 60})
    data = build(setup, LITTLE)
    rows = data["win"]
    for row in rows:
        assert all(one >= two - 150 for one, two in pairwise(row))
    for one, two in pairwise(rows):
        assert all(below <= above + 150 for below, above in zip(one, two, strict=True))
    both = from_data(setup, data)
    for scores in ((0, 0), (10, 35), (55, 5), (20, 50)):
        for leader in (None, 0, 1):
            assert both.win(scores, 0, leader) + both.win(scores, 1, leader) == pytest.approx(1)


def test_points_against_match_chance_as_measured_independently() -> None:
    """All Fives to 250: a prototype of its own found 55.2 % for a lead of 10, 65.1 % for one of 30.

    It tested the target at the end of rounds and let the lead alternate (tutor.md, 4.0).
    """
    settings = {
        "deal.hand": {2: 7},
        "match.check": "round_end",
        "open.next_leader": "rotate",
        "open.next_leader_after_block": None,
    }
    setup = setup_of("all-fives", settings)
    found = from_data(setup, build(setup, QUICK))
    assert found.win((10, 0), 0) == pytest.approx(0.552, abs=0.03)
    assert found.win((30, 0), 0) == pytest.approx(0.651, abs=0.03)


def test_more_sides_race_home_on_their_own() -> None:
    """Three sides that make 1 or 2 points a round, each as often, to 2: worked by hand.

    Missing 1, a side is home in one round; missing 2, with chance 1/2. From (1, 0, 0) side 0 comes
    home in round 1 for certain, at any moment of the round alike, so it is first of those who come
    home with it: 1/4 alone, 1/2 with one of them (1/2), 1/4 with both (1/3): 1/4 + 1/4 + 1/12.
    """
    setup = setup_of("all-fives", {"match.target": 2}, (0, 1, 2))
    one = Equity(setup, 2, gains={1: 1, 2: 1})
    assert one.win((0, 0, 0), 0) == pytest.approx(1 / 3)
    assert one.win((1, 0, 0), 0) == pytest.approx(1 / 4 + 1 / 4 + 1 / 12)
    assert sum(one.win((1, 0, 1), side) for side in range(3)) == pytest.approx(1)


def test_rules_that_are_not_shipped_are_computed_once_and_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    setup = setup_of("all-fives", {"match.target": 35})
    monkeypatch.setattr("sniffcli.engine.equity_build.QUICK", LITTLE)
    first = equity_for(setup)
    assert first is not None
    monkeypatch.setattr(equity_module, "_known", {})
    monkeypatch.setattr("sniffcli.engine.equity_build.build", None)
    second = equity_for(setup)
    assert second is not None
    assert second.rows == first.rows
    kept = json.loads(equity_module._cache_file(rules_key(setup)).read_text())
    assert kept["deals"] == LITTLE.deals


def test_no_equity_where_points_do_not_decide() -> None:
    assert equity_for(setup_of("all-fives", {"match.target": "none", "match.rounds": 3})) is None


def test_the_key_is_of_the_rules_alone() -> None:
    one = setup_of("all-fives")
    assert rules_key(one) == rules_key(Setup(one.rules, ("X", "Y"), one.sides))
    assert rules_key(one) != rules_key(setup_of("all-fives", {"match.target": 200}))
    # What concerns other numbers of players makes no difference.
    assert rules_key(one) == rules_key(setup_of("all-fives", {"match.target": {2: 250, 3: 60}}))


def test_the_shipped_data_fit_the_shipped_rulesets() -> None:
    setups = {rules_key(setup): setup for setup in shipped_setups()}
    shipped = equity_module.shipped_data()
    assert set(shipped) == set(setups), "run sniff simulate --equity anew"
    for key, data in shipped.items():
        setup = setups[key]
        found = from_data(setup, data)
        if setup.side_count == 2:
            size = len(found.axis)
            assert size
            assert [len(row) for row in found.rows] == [size] * size
            assert found.axis[-1] < found.target
        sides = range(setup.side_count)
        assert sum(found.win((0,) * setup.side_count, side) for side in sides) == pytest.approx(1)
