"""`sniff solve`: the published endings to the digit, forced actions, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from sniffcli.ruleset.library import scenarios_dir

#: Appendix P1 of the acceptance cases: two tiles in the boneyard, their order unknown.
CHANCE = """\
sniff: 1
ruleset: all-fives
overrides: {deal: {hand: {2: 7}}}
players: [A, B]
rounds:
  - hands:
      A: [6-6, 1-1, 4-3, 4-4, 4-2, 5-4, 0-0]
      B: [6-1, 3-1, 6-3, 5-2, 2-0, 5-1, 2-2]
    leader: A
    plays:
      - A: 6-6
      - B: 6-1 on 6-6
      - A: 1-1 on 6-1
      - B: 3-1 on 1-1
      - A: 4-3 on 3-1
      - B: 6-3 on 6-6
      - A: 4-4 on 4-3
      - B: [draw 6-4, 6-4 on 4-4]
      - A: [draw 5-0, draw 4-1, draw 6-2, 6-2 on 6-6 tip]
      - B: 5-2 on 6-2
      - A: 5-0 on 5-2
      - B: 2-0 on 5-0
      - A: 4-2 on 2-0
      - B: [draw 2-1, draw 3-2, 3-2 on 6-3]
      - A: 5-4 on 4-2
      - B: 2-1 on 3-2
      - A: 4-1 on 2-1
      - B: 5-1 on 5-4
      - A: [draw 5-3, draw 5-5, draw 1-0, 1-0 on 5-1]
      - B: [draw 6-5, 6-5 on 6-4]
      - A: 5-5 on 6-5
      - B: [draw 3-3, draw 6-0, 6-0 on 1-0]
      - A: 5-3 on 5-5
      - B: 3-3 on 5-3
"""

#: Appendix P2: twenty now loses by twenty-five.
TRAP = """\
sniff: 1
ruleset: all-fives
overrides: {deal: {hand: {2: 7}}, draw: {when: never}}
players: [A, B]
rounds:
  - hands:
      A: [2-2, 2-1, 3-2, 6-2, 6-4, 6-3, 5-2]
      B: [1-1, 3-1, 5-1, 6-1, 5-0, 5-4, 6-5]
    leader: A
    plays:
      - A: 2-2
      - B: pass
      - A: 2-1 on 2-2
      - B: 1-1 on 2-1
      - A: 3-2 on 2-2
      - B: 3-1 on 3-2
      - A: 6-2 on 2-2 tip
      - B: 5-1 on 3-1
      - A: 6-4 on 6-2
      - B: 6-1 on 1-1
"""


@pytest.fixture(params=["python", "native"])
def kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "native":
        pytest.importorskip("sniffcli.engine._kernel", reason="the native kernel is not built")
    monkeypatch.setenv("SNIFF_KERNEL", request.param)


def solved(sniff: Callable[..., Any], game: str, *options: str) -> dict[str, Any]:
    run = sniff("solve", "-", "--format", "json", *options, input=game)
    assert (run.status, run.err) == (0, "")
    found = json.loads(run.out)
    assert isinstance(found, dict)
    return found


@pytest.mark.usefixtures("kernel")
def test_drawing_is_a_chance_event(sniff: Callable[..., Any]) -> None:
    found = solved(sniff, CHANCE)
    assert found["to_play"] == "A"
    assert found["best"] == "draw"
    assert [(one["play"], one["value"]) for one in found["values"]] == [("draw", 2.5)]


@pytest.mark.parametrize(("order", "value"), [("3-0, 4-0", 15), ("4-0, 3-0", -10)])
@pytest.mark.usefixtures("kernel")
def test_a_known_order_has_one_value(sniff: Callable[..., Any], order: str, value: int) -> None:
    # The boneyard of the file is that of the deal, so it lists every tile drawn before as well.
    drawn = "6-4, 5-0, 4-1, 6-2, 2-1, 3-2, 5-3, 5-5, 1-0, 6-5, 3-3, 6-0"
    game = CHANCE.replace("    leader: A", f"    boneyard: [{drawn}, {order}]\n    leader: A")
    assert solved(sniff, game, "--known-order")["values"][0]["value"] == value
    assert solved(sniff, game)["values"][0]["value"] == 2.5


@pytest.mark.usefixtures("kernel")
def test_twenty_now_loses_by_twenty_five(sniff: Callable[..., Any]) -> None:
    found = solved(sniff, TRAP)
    values = {one["play"]: (one["points"], one["value"]) for one in found["values"]}
    assert values == {
        "6-3 on 6-1": (0, 15),
        "5-2 on 5-1": (0, -20),
        "5-2 on 2-2": (20, -25),
    }
    assert found["best"] == "6-3 on 6-1"
    line = [(ply["seat"], ply["action"], ply["points"]) for ply in found["values"][0]["line"]]
    assert line == [("A", "6-3 on 6-1", 0), ("B", "5-4 on 5-1", 0), ("A", "5-2 on 2-2", 0)]
    assert found["values"][0]["by_side"] == {"A": 15, "B": 0}


def test_the_table_shows_values_and_lines(sniff: Callable[..., Any]) -> None:
    run = sniff("solve", "-", input=TRAP)
    assert run.status == 0
    assert "A to move; all hands are open" in run.out
    assert "A 6-3 on 6-1; B 5-4 on 5-1; A 5-2 on 2-2" in run.out


def test_a_forced_draw_is_an_answer(sniff: Callable[..., Any]) -> None:
    run = sniff("solve", "-", input=CHANCE)
    assert run.status == 0
    assert "A must draw" in run.out
    assert "+2.500" in run.out


def test_an_earlier_position_can_be_asked_about(sniff: Callable[..., Any]) -> None:
    found = solved(sniff, TRAP, "--at", "1.10")
    assert found["to_play"] == "B"


def test_a_finished_round_has_nothing_to_solve(sniff: Callable[..., Any]) -> None:
    game = TRAP + "      - A: 6-3 on 6-1\n      - B: 5-4 on 5-1\n      - A: 5-2 on 2-2\n"
    found = solved(sniff, game)
    assert (found["to_play"], found["values"], found["best"]) == (None, [], None)
    run = sniff("solve", "-", input=game)
    assert (run.status, run.out) == (0, "The round is over: there is nothing to solve.\n")


def test_hidden_tiles_are_refused(sniff: Callable[..., Any]) -> None:
    game = TRAP.replace("B: [1-1, 3-1, 5-1, 6-1, 5-0, 5-4, 6-5]", "B: 7")
    run = sniff("solve", "-", input=game)
    assert (run.status, run.out) == (1, "")
    assert "error[hidden-tiles]: the tiles of B are hidden" in run.err


def test_an_order_that_nobody_knows_is_refused(sniff: Callable[..., Any]) -> None:
    run = sniff("solve", "-", "--known-order", input=CHANCE)
    assert (run.status, run.out) == (1, "")
    assert "the drawing order is not known" in run.err


def test_a_problem_out_of_reach_is_refused_with_its_size(
    sniff: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sniffcli.engine.solver.BUDGETS", (1000, 1000, 1000))
    run = sniff("solve", "-", "--at", "1.1", input=CHANCE)
    assert (run.status, run.out) == (1, "")
    assert "error[too-large]: more than 1,000 positions" in run.err


def test_what_is_far_out_of_reach_is_not_begun(
    sniff: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fourteen tiles to draw in any order are more than 10^10 deals by themselves."""

    def begun(*given: Any) -> None:
        raise AssertionError("the search has begun")

    monkeypatch.setattr("sniffcli.engine.solver.Full._after", begun)
    match = scenarios_dir() / "games" / "all-fives-match-1.yaml"
    run = sniff("solve", str(match), "--at", "1.2")
    assert run.status == 1
    assert "more than 400,000 positions to search" in run.err
    assert "the search has begun" in sniff("solve", "-", input=CHANCE).err


def test_a_score_whose_owner_is_under_water_is_not_claimed_for_him(
    sniff: Callable[..., Any],
) -> None:
    """Ching scored 15 here and is under water until his time is over; then he is caught."""
    voyage = scenarios_dir() / "games" / "dreamtime-voyage.yaml"
    run = sniff("solve", str(voyage), "--at", "1.20", "--known-order")
    assert run.status == 0, run.err
    assert "Anne to move; all hands are open" in run.out
