"""What the end of a round pays: cases E1-E13 and Bergen B1-B6 of the rules research (section 5)."""

from __future__ import annotations

from typing import Any

import pytest
from kit import lay, ruleset, run, setup_of, start, tiles

from sniffcli.game.match import after_round, new_match, winners
from sniffcli.game.settle import Payment, pay_blocked, pay_out
from sniffcli.game.state import Hand

#: Hands with the pips of the cases; which tiles they are does not matter there.
PIPS = {
    0: "",
    1: "1-0",
    2: "1-1",
    3: "2-1",
    4: "2-2",
    5: "4-1",
    7: "6-1",
    8: "6-2",
    9: "5-4",
    11: "6-5",
    12: "6-6",
    13: "6-6 1-0",
    14: "6-6 1-1",
    15: "6-6 2-1",
    19: "6-6 4-3",
    20: "6-6 5-3",
    23: "6-6 6-5",
    33: "6-6 6-5 5-5",
}

FIVES = {"round_end.round.to": 5}
THREES = {"round_end.round.to": 3}
UP, DOWN = {"round_end.round.mode": "up"}, {"round_end.round.mode": "down"}
PER_HAND = {"round_end.round.scope": "per_hand"}
EXACT = {"round_end.round": {"to": 0, "mode": "nearest"}}


def held(*pips: int) -> list[Hand]:
    return [Hand(tiles(PIPS[count])) for count in pips]


def out(settings: dict[str, Any], *pips: int, teams: bool = False) -> list[int]:
    """What is paid when the first seat has gone out and the others hold PIPS."""
    setup = setup_of(ruleset(settings=settings), len(pips), teams=teams)
    payment = pay_out(setup, 0, pips)
    assert payment.bonus is not None
    return list(payment.bonus)


def blocked(
    settings: dict[str, Any],
    *pips: int,
    teams: bool = False,
    leader: int = 0,
    closer: int = 0,
) -> Payment:
    """What a block pays when the seats hold hands of PIPS."""
    setup = setup_of(ruleset(settings=settings), len(pips), teams=teams)
    return pay_blocked(setup, held(*pips), pips, leader, closer)


def block(award: str, **more: Any) -> dict[str, Any]:
    return {"round_end.blocked": {"award": award} | more}


def test_e1_nearest_five() -> None:
    assert out(FIVES, 0, 3) == [5, 0]


def test_e2_nearest_five_may_be_nothing() -> None:
    assert out(FIVES, 0, 2) == [0, 0]


@pytest.mark.parametrize(
    ("more", "paid"), [({}, 25), (UP, 25), (DOWN, 20), (PER_HAND, 20), (EXACT, 23)]
)
def test_e3_two_opponents(more: dict[str, Any], paid: int) -> None:
    assert out(more if more is EXACT else FIVES | more, 0, 12, 11) == [paid, 0, 0]


def test_e4_threes_by_total_or_by_hand() -> None:
    assert out(THREES, 0, 4, 4) == [9, 0, 0]
    assert out(THREES | PER_HAND, 0, 4, 4) == [6, 0, 0]
    assert out(THREES, 0, 1) == [0, 0]
    assert out(THREES, 0, 2) == [3, 0]


@pytest.mark.parametrize(
    ("settings", "paid"),
    [
        (EXACT | block("differences"), 21),
        (EXACT | block("opponents_minus_own"), 26),
        (EXACT | block("opponents_pips"), 31),
        (EXACT | block("all_hands"), 36),
        (FIVES | PER_HAND | block("differences"), 20),
        (FIVES | block("opponents_pips"), 30),
        (FIVES | block("opponents_pips") | {"round_end.divide": 5}, 6),
        (FIVES | UP | block("opponents_pips"), 35),
        (THREES | block("opponents_pips"), 30),
    ],
)
def test_e5_blocked_with_three(settings: dict[str, Any], paid: int) -> None:
    payment = blocked(settings, 5, 19, 12)
    assert payment.winners == (0,)
    assert payment.bonus == (paid, 0, 0)


@pytest.mark.parametrize(
    ("settings", "paid"),
    [
        (FIVES | UP | block("opponents_pips"), 25),
        (FIVES | block("opponents_pips"), 20),
        (FIVES | PER_HAND | block("opponents_pips"), 25),
        (FIVES | PER_HAND | block("differences"), 5),
        (EXACT | block("differences"), 8),
    ],
)
def test_e6_blocked_with_seven(settings: dict[str, Any], paid: int) -> None:
    assert blocked(settings, 7, 13, 9).bonus == (paid, 0, 0)


def test_e7_twenty_three() -> None:
    assert out(FIVES | DOWN, 0, 23) == [20, 0]
    assert out(FIVES, 0, 23) == [25, 0]


@pytest.mark.parametrize(
    ("pips", "paid"), [(1, 0), (2, 0), (3, 1), (7, 1), (8, 2), (12, 2), (13, 3)]
)
def test_e8_quotient(pips: int, paid: int) -> None:
    assert out(FIVES | {"round_end.divide": 5}, 0, pips) == [paid, 0]


def finished(state: Any) -> tuple[tuple[int, ...], tuple[int, ...] | None]:
    """The scores of a settled round and who has won the match, if somebody has."""
    match = after_round(new_match(state.setup), state)
    return state.scores, winners(match)


def uk_round(score: int, table: list[str], last: str, **more: Any) -> Any:
    """Ann's last tile in a round of Fives and Threes; Bob still holds 2-2."""
    rules = ruleset(
        "fives-and-threes", {path.replace("__", "."): value for path, value in more.items()}
    )
    state = start(rules, [last.split()[0], "2-2"], scores=[score, 0], table=table)
    return run(state, last)


#: Tables on which the tile 5-1 leaves a sum of 6, 3 and 4.
SIX, THREE = ["5-5", "5-5"], []


def test_e9_last_tile_and_going_out_are_one_sum() -> None:
    """At 59 a last tile that makes 6 is 2 + 1 = 3, which passes 61: void."""
    state = uk_round(59, ["4-1"], "5-4 on 4-1")
    assert state.events[-1].sum == 6
    assert state.scores == (59, 0)
    assert state.result is not None
    assert state.result.how == "out"
    assert state.result.bonus == (0, 0)
    # A last tile that makes 11 is worth nothing, and going out alone still pays.
    assert uk_round(59, ["5-1"], "5-5 on 5-1").scores == (60, 0)


def test_e9_exactly_sixty_one_wins() -> None:
    """At 58 the same tile is 3 and wins; the league that bars winning on the down gives nothing."""
    state = uk_round(58, ["4-1"], "5-4 on 4-1")
    assert finished(state) == ((61, 0), (0,))
    state = uk_round(58, ["4-1"], "5-4 on 4-1", match__win_on_out=False)
    assert finished(state) == ((58, 0), None)


def test_e9_a_score_that_passes_the_target_is_void() -> None:
    """At 58 a score of 4 is void, in mid-hand."""
    rules = ruleset("fives-and-threes")
    state = start(rules, ["6-6 1-0", "2-2"], scores=[58, 0], table=["6-0"])
    state = run(state, "6-6 on 6-0")
    assert state.events[-1].worth == 4
    assert state.scores == (58, 0)
    assert not state.over


def test_e10_partners_blocked() -> None:
    """A 15, C 15 against B 13, D 33: by team A and C win 46, by lowest hand B and D win."""
    hands = [Hand(tiles(h)) for h in ("3-1 6-5", "0-0 6-0 6-1", "3-3 6-3", "3-0 5-3 5-5 6-6")]
    pips = [sum(t.pips for t in hand.tiles) for hand in hands]
    assert pips == [15, 13, 15, 33]

    def paid(winner: str, award: str) -> Payment:
        settings = {"players.teams": "pairs_if_4"} | block(award, winner=winner) | EXACT
        setup = setup_of(ruleset(settings=settings), 4, teams=True)
        return pay_blocked(setup, hands, pips, 0, 0)

    team = paid("lowest_team", "opponents_pips")
    assert (set(team.winners), team.bonus) == ({0, 2}, (46, 0))
    assert paid("lowest_team", "opponents_minus_own").bonus == (16, 0)
    assert paid("lowest_team", "differences").bonus == (16, 0)
    assert paid("lowest_team", "all_hands").bonus == (76, 0)
    lowest = paid("lowest_player", "opponents_pips")
    assert (lowest.winners, lowest.bonus) == ((1,), (0, 30))


def test_e11_two_equal_hands_of_three() -> None:
    """8, 8 and 20: each of the low players gets half of the third's points, or nobody."""
    split = blocked(FIVES | block("opponents_pips", tie="split"), 8, 8, 20)
    assert (split.winners, split.bonus) == ((0, 1), (10, 10, 0))
    nobody = blocked(FIVES | block("opponents_pips", tie="none"), 8, 8, 20)
    assert (nobody.winners, nobody.bonus, nobody.tied) == ((), (0, 0, 0), True)


def test_e11_as_shipped() -> None:
    rules = ruleset("all-fives")
    assert pay_blocked(setup_of(rules, 3), held(8, 8, 20), (8, 8, 20), 0, 0).bonus == (10, 10, 0)
    rules = ruleset("muggins-all-fives")
    assert pay_blocked(setup_of(rules, 3), held(8, 8, 20), (8, 8, 20), 0, 0).bonus == (0, 0, 0)
    # Two players or two sides cannot share: nobody.
    rules = ruleset("all-fives")
    assert pay_blocked(setup_of(rules, 2), held(8, 8), (8, 8), 0, 0).bonus == (0, 0)


def test_e12_cascade() -> None:
    assert blocked(EXACT | block("cascade"), 5, 12, 19).bonus == (21, 7, 0)


def test_e13_partner_still_holds_tiles() -> None:
    """The partner holds 11, the opponents 14 and 9: 23, or 34 where all other hands count."""
    partners = {"players.teams": "pairs_if_4"} | EXACT
    assert out(partners, 0, 14, 11, 9, teams=True) == [23, 0]
    patio = partners | {"round_end.out.award": "all_others_pips"}
    assert out(patio, 0, 14, 11, 9, teams=True) == [34, 0]


def test_e13_in_block_of_the_french_guide() -> None:
    rules = ruleset("block")
    assert pay_out(setup_of(rules, 4, teams=True), 0, (0, 14, 11, 9)).bonus == (23, 0)


@pytest.mark.parametrize(
    ("plays", "points"),
    [
        pytest.param(["6-6"], 2, id="B1"),
        pytest.param(["6-6", "6-2 on 6-6", "6-4 on 6-6"], 0, id="B2"),
        pytest.param(["6-6", "6-2 on 6-6", "6-4 on 6-6", "4-2 on 6-4"], 2, id="B3"),
        pytest.param(["6-6", "6-2 on 6-6", "6-4 on 6-6", "4-2 on 6-4", "2-2 on 6-2"], 3, id="B4"),
    ],
)
def test_bergen_headers(plays: list[str], points: int) -> None:
    assert lay(ruleset("bergen"), *plays).points[-1] == points


@pytest.mark.parametrize(
    ("score", "tile", "paid"),
    [
        pytest.param(13, "4-2 on 6-4", 1, id="B5: a double header at 13 of 15"),
        pytest.param(13, "2-2 on 4-2", 1, id="B5: a triple header at 13 of 15"),
        pytest.param(12, "2-2 on 4-2", 2, id="B6: a triple header at 12 of 15"),
        pytest.param(11, "2-2 on 4-2", 3, id="farther off a triple pays all"),
    ],
)
def test_bergen_near_the_target(score: int, tile: str, paid: int) -> None:
    """One code pays at most 1 with two points missing and at most 2 with three."""
    table = ["6-6", "6-2 on 6-6", "6-4 on 6-6"]
    if tile.startswith("2-2"):
        table.append("4-2 on 6-4")
    rules = ruleset("bergen", {"score.near_target": {2: 1, 3: 2}, "match.target": 15})
    state = start(rules, [f"{tile.split()[0]} 1-1", "3-3 5-5"], table=table, scores=[score, 0])
    assert run(state, tile).scores == (score + paid, 0)
