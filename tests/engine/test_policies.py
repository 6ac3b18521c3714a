"""Weighted policies: what is looked at, what is shipped, and that it is used only where proven."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from engine.rounds import dealt as deal_in_match
from engine.rounds import label, setups
from kit import ruleset

from sniffcli.engine.features import FEATURES, PHASES, phase_of, suits_of, variety
from sniffcli.engine.identity import round_key, rules_key
from sniffcli.engine.playout import fewest
from sniffcli.engine.policies import (
    adopted,
    policy_of,
    read_data,
    shipped_data,
    skilled_policy,
    thinking_policy,
)
from sniffcli.engine.policy import GREEDY_POLICY, RANDOM_POLICY
from sniffcli.engine.position import mask_of
from sniffcli.engine.replies import replies_of
from sniffcli.engine.spec import spec_of
from sniffcli.engine.training import (
    START,
    Effort,
    compared,
    dealt,
    entry,
    proof_of,
    shipped_setups,
    thinking_of,
    trained,
    written,
)
from sniffcli.game.match import sides_of
from sniffcli.game.state import Setup
from sniffcli.tiles import parse_tile

LITTLE = Effort(generations=2, drawn=4, deals=20, lots=1, proof=40)


def setup_of(base: str, settings: dict[str, object] | None = None, seats: int = 2) -> Setup:
    names = ("Ann", "Bob", "Cy", "Di")[:seats]
    return Setup(ruleset(base, settings), names, sides_of(seats, teams=False))


@pytest.mark.parametrize("setup", setups(), ids=label)
def test_replies_are_what_laying_each_tile_would_be_worth(setup: Setup) -> None:
    """Sums put together from the places give what the table says after the tile was laid."""
    table = spec_of(setup).table
    rng = random.Random(label(setup))
    number = table.intern(deal_in_match(setup, rng).frontier)
    number = table.ways(number, rng.choice(table.tiles).number)[0].after
    for _ in range(8):
        best: dict[int, int] = {}
        for tile in table.tiles:
            if table.fitting(number) >> tile.number & 1:
                points = max(way.worth for way in table.ways(number, tile.number))
                if points > 0:
                    best[points] = best.get(points, 0) | 1 << tile.number
        assert replies_of(table).levels(number) == tuple(sorted(best.items(), reverse=True))
        fitting = [one for one in table.tiles if table.fitting(number) >> one.number & 1]
        if not fitting:
            break
        number = rng.choice(table.ways(number, rng.choice(fitting).number)).after


def test_replies_worked_by_hand() -> None:
    """On 5-5 laid alone (10): 5-0 makes 10, 5-5 is gone but would fit; 5-1 makes 11, 5-2 12."""
    setup = setup_of("all-fives")
    table = spec_of(setup).table
    led = table.ways(0, parse_tile("5-5").number)[0].after
    levels = dict(replies_of(table).levels(led))
    assert levels[10] == mask_of([parse_tile("5-0")])
    # 6-6 led (12): 6-3 makes 15.
    led = table.ways(0, parse_tile("6-6").number)[0].after
    assert dict(replies_of(table).levels(led)) == {15: mask_of([parse_tile("6-3")])}


def test_variety_and_phases() -> None:
    spec = spec_of(setup_of("all-fives"))
    hand = mask_of([parse_tile("6-6"), parse_tile("6-1"), parse_tile("3-1")])
    assert variety(suits_of(spec), hand) == 3
    assert variety(suits_of(spec), 0) == 0
    assert [phase_of(least) for least in (0, 1, 2, 3, 9)] == [1, 1, 1, 0, 0]


def test_the_shortest_hand_of_a_rival_counts_and_empty_ones_do_not() -> None:
    four = Setup(ruleset("all-fives"), ("Ann", "Bob", "Cy", "Di"), (0, 1, 0, 1))
    assert fewest(spec_of(four), (1, 4, 2, 3), 0) == 3
    assert fewest(spec_of(four), (1, 4, 0, 0), 1) == 1
    assert fewest(spec_of(four), (1, 0, 2, 0), 0) == 0


def test_weights_are_used_only_where_they_are_proven() -> None:
    weights = [list(phase) for phase in START]
    for low, used in ((0.01, True), (0.0, False), (-0.2, False)):
        found = adopted({"weights": weights, "proof": {"low": low}}, "proof")
        assert (found == policy_of(START)) is used
        assert (found == GREEDY_POLICY) is not used
    assert adopted({"weights": weights}, "thinking") == GREEDY_POLICY
    assert adopted({}, "proof") == GREEDY_POLICY


def test_other_rules_fall_back_to_the_highest_score_and_other_targets_do_not() -> None:
    odd = setup_of("all-fives", {"score.divisors": [7]})
    assert skilled_policy(odd) == thinking_policy(odd) == GREEDY_POLICY
    near, far = (setup_of("all-fives", {"match.target": target}) for target in (100, 300))
    assert rules_key(near) != rules_key(far)
    assert round_key(near) == round_key(far)
    assert skilled_policy(near) == skilled_policy(far) != GREEDY_POLICY


def test_shipped_weights_are_whole_and_each_that_is_used_has_its_proof() -> None:
    data = shipped_data()
    assert set(data) <= {round_key(setup) for setup in shipped_setups()}
    assert sum(adopted(one, "proof") != GREEDY_POLICY for one in data.values()) >= 60
    for one in data.values():
        assert [len(phase) for phase in one["weights"]] == [len(FEATURES)] * PHASES
        for proof in ("proof", "thinking"):
            if adopted(one, proof) != GREEDY_POLICY:
                assert one[proof]["deals"] >= 1000
                assert 0 < one[proof]["low"] < one[proof]["mean"] < one[proof]["high"]


def test_a_policy_compared_with_itself_is_no_better_and_random_play_is_worse() -> None:
    setup = setup_of("all-fives", {"deal.hand": {2: 5}})
    positions = dealt(setup, 500)
    assert compared(setup, positions, GREEDY_POLICY, GREEDY_POLICY).mean == 0
    worse = compared(setup, positions, RANDOM_POLICY, GREEDY_POLICY)
    better = compared(setup, positions, GREEDY_POLICY, RANDOM_POLICY)
    assert worse.mean == -better.mean < -1.96 * worse.error


def test_three_sides_are_compared_one_against_two() -> None:
    setup = setup_of("all-fives", seats=3)
    worse = compared(setup, dealt(setup, 200), RANDOM_POLICY, GREEDY_POLICY)
    assert worse.mean < 0


def test_learning_is_the_same_for_the_same_seed_and_keeps_its_unit() -> None:
    setup = setup_of("all-fives", {"deal.hand": {2: 5}})
    weights = trained(setup, LITTLE, 3)
    assert weights == trained(setup, LITTLE, 3) != trained(setup, LITTLE, 4)
    assert weights != START
    assert all(phase[0] == 100 for phase in weights)


def test_an_entry_is_kept_and_only_its_missing_proof_added(tmp_path: Path) -> None:
    setup = setup_of("block", {"deal.hand": {2: 4}})
    found = entry(setup, LITTLE)
    assert found["effort"] == LITTLE._asdict()
    path = tmp_path / "policy.json"
    path.write_text(written({round_key(setup): found}))
    known = read_data(path)
    more = entry(setup, LITTLE, seed=9, rounds=4, known=known)
    assert {**more, "weights": None} == {
        **known[round_key(setup)],
        "weights": None,
        "thinking": more["thinking"],
    }
    assert more["thinking"]["deals"] == 2


def test_data_of_another_version_is_not_used(tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    path.write_text('{"version": 99, "policies": {"x": {}}}')
    assert read_data(path) == {}
    path.write_text("no JSON")
    assert read_data(path) == {}


@pytest.mark.soak
@pytest.mark.parametrize(
    "setup", [one for one in shipped_setups() if round_key(one) in shipped_data()], ids=label
)
def test_the_shipped_proof_is_what_the_deals_give(setup: Setup) -> None:
    """The same deals, so the same mean to the digit; and new ones agree with the interval."""
    shipped = shipped_data()[round_key(setup)]
    policy = policy_of(tuple(map(tuple, shipped["weights"])))
    again = proof_of(setup, policy, shipped["proof"]["deals"])
    assert round(again.mean, 3) == shipped["proof"]["mean"]
    if skilled_policy(setup) != GREEDY_POLICY:
        new = compared(setup, dealt(setup, 2000, 20_000_000), policy, GREEDY_POLICY)
        assert new.mean > 0


@pytest.mark.soak
@pytest.mark.parametrize(
    "setup", [one for one in shipped_setups() if thinking_policy(one) != GREEDY_POLICY], ids=label
)
def test_the_shipped_proof_for_thinkers_is_what_the_deals_give(setup: Setup) -> None:
    shipped = shipped_data()[round_key(setup)]
    proof = shipped["thinking"]
    again = thinking_of(setup, shipped["weights"], 2 * proof["deals"])
    assert round(again.mean, 3) == proof["mean"]
