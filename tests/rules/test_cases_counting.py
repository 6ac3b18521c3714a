"""Acceptance cases C01-C23 and C100: counting and joining, both answers where sources differ."""

from __future__ import annotations

import pytest
from kit import attempt_table, lay, refused, ruleset, run, setup_of, start, tiles

from sniffcli.game.actions import Refusal
from sniffcli.game.legal import legal_plays, tile_moves
from sniffcli.game.plays import play_text
from sniffcli.ruleset.loading import load_ruleset
from sniffcli.tiles import parse_tile

C01 = [
    *("4-1", "1-1 on 4-1", "4-4 on 4-1", "4-3 on 4-4", "2-1 on 1-1"),
    *("5-1 on 1-1 tip", "5-5 on 5-1", "5-0 on 5-5", "3-1 on 1-1 tip"),
]
SNIFF = {"score.spinner_counts": "exposed_halves"}
NO_SPINNER = {"layout.spinner": "none"}
UK = NO_SPINNER | {"score.divisors": [5, 3], "score.combine": "each", "score.award": "quotient"}


def ways(settings: dict[str, object], plays: list[str], tile: str) -> list[str]:
    """The ways in which a tile may be laid on a table, as they are written."""
    state = start(ruleset(settings=settings), [tile, "6-6"], table=plays)
    moves = tile_moves(state, parse_tile(tile))
    return [play_text(state.setup, state.layout, state.frontier, move) for move in moves]


def test_c01_nine_published_moves() -> None:
    table = lay(ruleset(), *C01)
    assert table.sums == [5, 6, 10, 5, 5, 10, 15, 5, 8]
    assert table.points == [5, 0, 10, 5, 5, 10, 15, 5, 0]
    assert table.ends == [0, 2, 3, 3]


def test_c02_the_open_fourth_side() -> None:
    plays = ["1-1", "3-1 on 1-1", "2-1 on 1-1", "4-1 on 1-1 tip"]
    classic, sniff = lay(ruleset(), *plays), lay(ruleset(settings=SNIFF), *plays)
    assert (classic.sums, classic.points) == ([2, 5, 5, 9], [0, 5, 5, 0])
    assert (sniff.sums, sniff.points) == ([2, 5, 7, 10], [0, 5, 0, 10])


def test_c03_the_first_double_is_the_spinner() -> None:
    assert ways({}, C01[:4], "4-0") == []
    # Its two tips are equivalent, so the play is listed once and no place is asked for.
    assert ways({}, C01[:5], "1-0") == ["1-0 on 1-1"]
    assert ways({}, C01[:5], "4-0") == []


def test_c04_tips_open_when_both_sides_are_covered() -> None:
    gated = start(ruleset(), ["4-1 4-2", "6-6"], table=["4-4", "6-4 on 4-4"])
    message = refused(gated, "4-1 on 4-4 tip")
    assert (
        message
        == "4-1 cannot go on 4-4: the short ends of 4-4 open when both long sides are covered"
    )
    after = run(gated, "4-1 on 4-4")
    assert after.events[-1].sum == 7
    assert ways({}, ["4-4", "6-4 on 4-4", "4-1 on 4-4"], "4-2") == ["4-2 on 4-4"]
    free = {"layout.ends_open": "at_once"}
    assert lay(ruleset(settings=free), "4-4", "6-4 on 4-4", "4-1 on 4-4 tip").sums == [8, 14, 7]


def test_c06_each_face_takes_one_tile() -> None:
    plays = ["5-5", "5-2 on 5-5", "5-3 on 5-5", "5-1 on 5-5 tip", "5-4 on 5-5 tip"]
    table = lay(ruleset(), *plays)
    assert table.sums == [10, 12, 5, 6, 10]
    assert table.ends == [1, 2, 3, 4]
    refusal = attempt_table(ruleset(), *plays, "5-0 on 5-5")
    assert isinstance(refusal, Refusal)
    assert refusal.message == "5-0 cannot go on 5-5: both long sides and both ends are covered"


def test_c07_a_tile_that_does_not_match() -> None:
    state = start(ruleset(), ["3-1 3-0", "6-6 6-0"], table=["0-0"])
    before = repr(state)
    assert refused(state, "3-1 on 0-0") == "3-1 cannot go on 0-0: it has no 0"
    assert repr(state) == before
    after = run(state, "3-0 on 0-0")
    assert (after.events[-1].sum, after.events[-1].ends) == (3, (0, 3))


def test_c09_nothing_is_left_of_a_play_that_was_taken_back() -> None:
    """Each state keeps what it was, so the table before 4-4 still has no spinner."""
    state = start(ruleset(), ["6-4 6-6 1-0", "4-4 2-0 2-1"])
    led = run(state, "6-4")
    first = run(led, "4-4 on 6-4")
    assert (first.frontier.taken, led.frontier.taken) == (True, False)
    table = lay(ruleset(), "6-4", "6-6 on 6-4", "4-4 on 6-4")
    assert table.sums == [10, 16, 20]
    plays = ["6-4", "6-6 on 6-4", "4-4 on 6-4"]
    assert ways({}, [*plays, "6-1 on 6-6"], "6-0") == ["6-0 on 6-6"]
    assert ways({}, [*plays, "4-1 on 4-4"], "4-0") == []


@pytest.mark.parametrize("settings", [NO_SPINNER, {}])
def test_c11_five_tiles_of_an_old_handbook(settings: dict[str, object]) -> None:
    plays = ["5-5", "5-0 on 5-5", "0-0 on 5-0", "6-5 on 5-5", "4-0 on 0-0"]
    table = lay(ruleset(settings=settings), *plays)
    assert (table.sums, table.points) == ([10, 10, 10, 6, 10], [10, 10, 10, 0, 10])


def test_c13_the_sniff_keeps_counting() -> None:
    plays = ["4-4", "6-4 on 4-4", "4-1 on 4-4", "5-4 on 4-4 tip", "4-3 on 4-4 tip"]
    sniff, classic = lay(ruleset("sniff"), *plays), lay(ruleset(), *plays)
    assert (sniff.sums, sniff.points) == ([8, 14, 15, 16, 15], [0, 0, 15, 0, 15])
    assert (classic.sums, classic.points) == ([8, 14, 7, 12, 15], [0, 0, 0, 0, 15])


def test_c14_the_form_with_stubs_is_refused_by_name() -> None:
    """In line a double shows one half at each end; stub arms are not offered, and said so."""
    inline = {"layout.doubles_lie": "inline"}
    assert lay(ruleset(settings=NO_SPINNER | inline), "4-4", "6-4 on 4-4").sums == [8, 10]
    assert lay(ruleset(), "4-4", "6-4 on 4-4").sums == [8, 14]
    rules, problems = load_ruleset("sniff", settings={"layout": {"stub_arms": True}})
    assert rules is None
    assert any("stub" in one.message and "not offered" in one.message for one in problems)


def test_c15_endwise_or_crosswise_is_not_offered() -> None:
    """Only the crosswise play is there, and asking for the choice is refused by name."""
    assert ways({}, ["3-1"], "1-1") == ["1-1 on 3-1"]
    assert lay(ruleset(), "3-1", "1-1 on 3-1").sums == [4, 5]
    rules, problems = load_ruleset("sniff", settings={"layout": {"doubles_lie": "player_choice"}})
    assert rules is None
    assert any("endwise or crosswise is not offered" in one.message for one in problems)


C16 = [
    *("6-4", "4-4 on 6-4", "4-1 on 4-4", "5-4 on 4-4 tip", "4-3 on 4-4 tip"),
    *("5-5 on 5-4", "5-0 on 5-5", "5-2 on 5-5 tip"),
]


def test_c16_more_than_four_ends() -> None:
    pips = {"layout.spinner": "all_doubles"}
    table = lay(ruleset(settings=pips), *C16)
    assert table.sums == [10, 14, 7, 12, 15, 20, 10, 12]
    assert table.points == [10, 0, 0, 0, 15, 20, 10, 0]
    assert table.ends == [0, 1, 2, 3, 5, 6]
    assert lay(ruleset("five-up"), *C16).points == [2, 0, 0, 0, 3, 4, 2, 0]
    one_spinner = attempt_table(ruleset(), *C16)
    assert isinstance(one_spinner, Refusal)
    assert one_spinner.message.endswith("both long sides are covered, and 5-5 is not a spinner")


def test_c19_table_of_points() -> None:
    paid = {3: 1, 5: 1, 6: 2, 9: 3, 10: 2, 12: 4, 15: 8, 18: 6, 20: 4}
    from sniffcli.table.counting import worth
    from sniffcli.table.frontier import Frontier, Half

    rules = ruleset("fives-and-threes")
    for total in set(range(23)) - {19, 21}:
        assert worth(rules, Frontier((Half(total), Half(0)))) == paid.get(total, 0)


def test_c19_what_can_make_15_and_20() -> None:
    """All tables of two ends: two singles, a single and a tip, or two tips."""
    ends = [(n, n) for n in range(7)] + [(n, 2 * n) for n in range(7)]
    makes: dict[int, set[tuple[int, int]]] = {}
    for pip, counts in ends:
        for other, more in ends:
            # A number shows as a tip only once, because there is one double of it.
            if (pip, counts) == (other, more) and counts != pip:
                continue
            makes.setdefault(counts + more, set()).add(tuple(sorted((counts, more))))
    assert makes[15] == {(3, 12), (5, 10)}
    assert makes[20] == {(8, 12)}
    assert {19, 21}.isdisjoint(makes)
    # The product counts those tables like that.
    rules = ruleset("fives-and-threes")
    assert lay(rules, "6-3", "6-6 on 6-3").sums[-1] == 15
    assert lay(rules, "5-4", "5-5 on 5-4", "4-4 on 5-4").sums[-1] == 18
    assert lay(rules, "6-4", "6-6 on 6-4", "4-4 on 6-4").sums[-1] == 20


def test_c20_eight_or_thirty() -> None:
    plays = ["6-3", "6-6 on 6-3"]
    assert lay(ruleset("fives-and-threes"), *plays).points == [3, 8]
    pips = NO_SPINNER | {"score.divisors": [5, 3], "score.combine": "each"}
    assert lay(ruleset(settings=pips), *plays).points == [9, 30]
    once = pips | {"score.combine": "once"}
    assert lay(ruleset(settings=once), *plays).points == [9, 15]


def test_c21_all_threes() -> None:
    table = lay(ruleset("all-threes"), "3-3", "6-3 on 3-3", "3-1 on 3-3")
    assert (table.sums, table.points) == ([6, 12, 7], [6, 12, 0])


@pytest.mark.parametrize(("scope", "paid"), [("per_hand", 6), ("total", 9)])
def test_c21_end_of_a_hand(scope: str, paid: int) -> None:
    rules = ruleset("all-threes", {"round_end.round.scope": scope})
    state = start(rules, ["3-0", "2-2", "3-1"], table=["4-3"])
    assert run(state, "3-0 on 4-3").scores[0] == paid


def test_c21_rounding_to_three() -> None:
    from sniffcli.game.settle import rounded

    rounding = ruleset("all-threes").round_end.round
    assert [rounded(rounding, pips) for pips in range(8)] == [0, 0, 3, 3, 3, 6, 6, 6]


def test_c23_zero_is_no_score() -> None:
    rules = ruleset(
        settings={"score.entry_minimum": 10, "claim.mode": "declare", "extra_turn.after": ["score"]}
    )
    state = run(start(rules, ["0-0 1-0", "2-0 3-0"]), "0-0")
    assert (state.events[-1].sum, state.events[-1].worth) == (0, 0)
    assert (state.pending, state.entered, state.extra) == ((), frozenset(), False)


ENCLOSED = {"layout.spinner": "first_enclosed_double"}


def test_c100_first_double_enclosed() -> None:
    assert lay(ruleset(settings=ENCLOSED), *C01[:4]).sums == [5, 6, 10, 5]
    table = lay(ruleset(settings=ENCLOSED), *C01[:4], "4-0 on 4-4 tip")
    assert (table.sums[-1], table.points[-1]) == (5, 5)
    table = lay(ruleset(settings=ENCLOSED), *C01[:4], "4-0 on 4-4 tip", "2-1 on 1-1")
    assert (table.sums[-1], table.points[-1]) == (5, 5)
    after = [*C01[:4], "4-0 on 4-4 tip", "2-1 on 1-1"]
    assert ways(ENCLOSED, after, "1-0") == ["1-0 on 4-0"]
    assert ways({}, C01[:4], "4-0") == []


def test_c100_rules_research_example() -> None:
    """After 6-4, 6-6, 4-4 and 4-1 on the 4-4, one rule has 6-6 as the spinner, the other 4-4."""
    plays = ["6-4", "6-6 on 6-4", "4-4 on 6-4", "4-1 on 4-4"]
    assert ways({}, plays, "4-2") == []
    assert ways(ENCLOSED, plays, "4-2") == ["4-2 on 4-4"]


def test_c49_no_question_where_all_places_are_alike() -> None:
    state = start(ruleset(), ["4-4 1-0", "4-2 3-0"])
    assert {move.tile for move in legal_plays(state)} == set(tiles("4-4 1-0"))
    state = run(state, "4-4")
    assert run(state, "4-2").frontier == run(state, "4-2 on 4-4").frontier
    assert setup_of(ruleset(), 2).names == ("Ann", "Bob")
