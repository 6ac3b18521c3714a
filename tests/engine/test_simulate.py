"""Duplicate deals and their statistics: same tiles in every seating, intervals by hand."""

from __future__ import annotations

from math import sqrt
from pathlib import Path

import pytest
from kit import ruleset

from sniffcli.engine.contest import Contest, Game, margin_of, play_deal
from sniffcli.engine.results import ResultsError, read_results, write_results
from sniffcli.engine.tally import ratio, tally, wilson
from sniffcli.engine.tournament import games_of
from sniffcli.game.match import sides_of
from sniffcli.game.state import Setup

NAMES = ("Ann", "Bob", "Cy", "Di")


def contest(
    *bots: str, base: str = "all-fives", teams: bool = False, matches: bool = False, seed: int = 1
) -> Contest:
    seats = len(bots)
    settings = {"match.target": 60} if base == "all-fives" else {}
    setup = Setup(ruleset(base, settings), NAMES[:seats], sides_of(seats, teams=teams))
    return Contest(setup, bots, seed, matches)


def test_every_bot_sits_in_every_seat_once() -> None:
    four = contest("random", "greedy", "casual", "strong")
    assert four.shifts == 4
    for seat in range(4):
        assert {four.seated(shift)[seat] for shift in range(4)} == set(four.bots)
    assert contest("random", "greedy", "random", "greedy").shifts == 2
    assert contest("greedy", "greedy").shifts == 1


def test_two_bots_that_play_alike_get_the_same_from_the_same_seat() -> None:
    """Under rules without an exact target both greedy bots do the same, so the seatings agree."""
    both = contest("greedy", "greedy-blind")
    for deal in range(4):
        one, two = play_deal(both, deal)
        assert one._replace(shift=0) == two._replace(shift=0)


def test_a_deal_depends_on_its_number_and_the_seed_alone() -> None:
    here = contest("greedy", "random")
    assert play_deal(here, 3) == play_deal(here, 3)
    assert play_deal(here, 3) != play_deal(here, 4)
    assert play_deal(here, 3) != play_deal(contest("greedy", "random", seed=2), 3)


def test_matches_end_with_a_winner_at_the_target() -> None:
    for game in play_deal(contest("greedy", "random", matches=True), 0):
        assert game.won in (1, 2)
        side = game.won >> 1
        assert game.points[side] >= 60 > game.points[1 - side]
        assert game.leader in (0, 1)


def test_a_round_for_partners_is_won_by_their_side() -> None:
    games = play_deal(contest("greedy", "random", "greedy", "random", teams=True), 0)
    assert [len(game.points) for game in games] == [2, 2]


def test_margins() -> None:
    assert margin_of((10, 4), 0) == 6
    assert margin_of((10, 4, 1), 1) == 4 - 5.5


def test_wilson_as_in_the_textbook() -> None:
    eight = wilson(8, 10)
    assert (eight.value, eight.low, eight.high) == pytest.approx((0.8, 0.4902, 0.9433), abs=1e-4)
    half = wilson(50, 100)
    assert (half.low, half.high) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    none = wilson(0, 10)
    assert (none.low, none.high) == pytest.approx((0.0, 0.2775), abs=1e-4)


def test_a_rate_over_deals_by_hand() -> None:
    """Points 2 and 4 in one round each: mean 3, standard deviation sqrt 2, error 1."""
    one = ratio([2, 4], [1, 1])
    # Student's table has 12.706 for one degree of freedom.
    assert (one.value, one.low, one.high) == pytest.approx((3, -9.706, 15.706), abs=1e-3)
    # Sums 4 and 2 in 3 rounds and 1: rate 1.5, residues -0.5 and 0.5, error sqrt(0.5 / 2) / 2.
    two = ratio([4, 2], [3, 1])
    assert two.value == 1.5
    # Student's table has 12.706 for one degree of freedom.
    assert two.half == pytest.approx(12.706 * sqrt(0.5 / 2) / 2, rel=1e-4)
    assert ratio([5], [2]).low is None


def test_statistics_of_three_games_by_hand() -> None:
    two = contest("greedy", "random")
    games = [
        Game(0, 0, 1, 0, (10, 0), 10.0, 1),
        Game(0, 1, 1, 0, (10, 0), 10.0, 1),
        Game(1, 0, 1, 1, (5, 20), 15.0, 2),
        Game(1, 1, 1, 1, (5, 5), 0.0, 0),
    ]
    found = tally(two, games)
    assert found is not None
    greedy, other = found.bots
    # Seat 0 is greedy in shift 0 and random in shift 1.
    assert (greedy.wins, other.wins) == (1.5, 2.5)
    assert greedy.points.value == (10 + 0 + 5 + 5) / 4
    assert other.points.value == (0 + 10 + 20 + 5) / 4
    assert greedy.margin.value == -3.75
    assert found.duels[0].difference.value == -3.75
    # By deal: 0 and -15, so the error of their mean per round is 7.5 / 2.
    assert found.duels[0].difference.half == pytest.approx(12.706 * 3.75, rel=1e-4)
    assert found.lead_margin.value == 35 / 4
    assert found.lead_share.value == 3.5 / 4
    assert found.histogram is not None
    assert sum(count for _, count in found.histogram.bins) == 2
    assert tally(two, []) is None


def test_shares_of_partners_and_of_three() -> None:
    pairs = contest("greedy", "random", "greedy", "random", teams=True)
    found = tally(pairs, [Game(0, 0, 1, 0, (10, 5), 5.0, 1), Game(0, 1, 1, 0, (10, 5), 5.0, 1)])
    assert found is not None
    assert [one.wins for one in found.bots] == [1, 1]
    three = contest("greedy", "random", "random")
    found = tally(three, [Game(0, shift, 1, 0, (9, 0, 0), 9.0, 1) for shift in range(3)])
    assert found is not None
    assert [one.wins for one in found.bots] == [1, 2]
    assert [one.fair for one in found.bots] == pytest.approx([1 / 3, 2 / 3])


def test_greedy_is_better_than_random() -> None:
    """Published and prototype figures say +15 points a round; here only the sign is tested."""
    both = contest("greedy", "random")
    games = [game for found in games_of(both, range(60)) for game in found]
    found = tally(both, games)
    assert found is not None
    assert (found.duels[0].difference.low or 0) > 0


def test_results_are_kept_and_read_back(tmp_path: Path) -> None:
    both = contest("greedy", "random")
    games = [game for deal in range(3) for game in play_deal(both, deal)]
    path = tmp_path / "games.json"
    write_results(path, both, games[:-1])
    # The deal of which a seating is missing is played again.
    assert read_results(path, both) == games[:4]
    with pytest.raises(ResultsError, match="seed is 1, not 2"):
        read_results(path, contest("greedy", "random", seed=2))
    with pytest.raises(ResultsError, match="bots is"):
        read_results(path, contest("random", "greedy"))
    for text in ("", "{}", "[1]", '{"sniff": 1, "games": [[1, 2]]}', "\x00"):
        path.write_text(text)
        with pytest.raises(ResultsError, match="is not a file of simulated games"):
            read_results(path, both)
