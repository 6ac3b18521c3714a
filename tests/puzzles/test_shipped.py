"""The shipped puzzles: how many, of what, and that they are proved; sums by the twin."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from twin import Board

from sniffcli.files.puzzles import Number, Puzzle, read_puzzles
from sniffcli.ruleset.library import scenarios_dir, shipped
from sniffcli.tutor.puzzle_check import check, find
from sniffcli.tutor.puzzle_values import Effort
from sniffcli.tutor.puzzles import position_of_puzzle

FILES = sorted((scenarios_dir() / "puzzles").glob("*.yaml"))


@cache
def puzzles_of(path: Path) -> tuple[Puzzle, ...]:
    file, problems = read_puzzles(path.read_bytes(), str(path))
    assert not problems
    return file.puzzles


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_answer_is_proved(path: Path) -> None:
    effort = Effort(worlds=1_500, seed=12)
    assert [problem for puzzle in puzzles_of(path) for problem in check(puzzle, effort)] == []


def test_there_are_many_of_every_kind_and_none_without_help() -> None:
    every = [puzzle for path in FILES for puzzle in puzzles_of(path)]
    kinds = Counter(puzzle.ask for puzzle in every)
    rules = {puzzle.record.rules.id for puzzle in every}

    assert len(every) >= 200
    assert len(rules & set(shipped())) >= 8
    assert min(kinds.values()) >= 10
    assert len(kinds) == 8
    assert len({puzzle.id for puzzle in every}) == len(every)
    for puzzle in every:
        assert puzzle.hints, puzzle.id
        assert puzzle.explanation.endswith((".", ".)")), puzzle.id


def test_difficulties_are_graded() -> None:
    found = sorted(puzzle.difficulty for path in FILES for puzzle in puzzles_of(path))
    assert found[0] <= 500
    assert found[-1] >= 2000
    assert len(set(found)) > 40
    for path in FILES:
        if path.stem != "classic-traps":
            own = [puzzle.difficulty for puzzle in puzzles_of(path)]
            assert own == sorted(own)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_sums_and_points_are_those_of_the_twin(path: Path) -> None:
    for puzzle in puzzles_of(path):
        if puzzle.ask not in ("count", "points"):
            continue
        state, _ = position_of_puzzle(puzzle)
        assert state is not None
        board = Board(state.rules, state.setup.seats)
        for placed in state.layout.placed:
            outward = placed.tile.low if placed.by == "high" else placed.tile.high
            if placed.on < 0:
                board.lay(placed.tile)
            else:
                board.lay(placed.tile, placed.on, placed.at, outward)
        real = board.total() if puzzle.ask == "count" else board.worth()
        assert puzzle.answer.answer == Number(real), puzzle.id


def test_explanations_add_up() -> None:
    """Every `a + b (the 6-6) + c = d` in an explanation is a true sum."""
    checked = 0
    for path in FILES:
        for puzzle in puzzles_of(path):
            told = re.sub(r" \(the \d+-\d+\)", "", puzzle.explanation)
            for left, right in re.findall(r"(\d+(?: \+ \d+)+) = (\d+)", told):
                assert sum(map(int, left.split(" + "))) == int(right), puzzle.id
                checked += 1
            for total, divisor, quotient in re.findall(r"(\d+)/(\d+) = (\d+)", told):
                assert int(divisor) * int(quotient) == int(total), puzzle.id
    assert checked > 60


def test_the_numbers_of_twenty_now_are_those_that_the_solver_finds() -> None:
    """Case C60: +15, -25 and -20."""
    (puzzle,) = (p for path in FILES for p in puzzles_of(path) if p.id == "twenty-now")
    state, _ = position_of_puzzle(puzzle)
    assert state is not None
    values = {one.text: one.value for one in find(puzzle, state, Effort()).options}
    assert values == {"6-3 on 6-1": 15, "5-2 on 2-2": -25, "5-2 on 5-1": -20}
    for number in ("wins 15", "scores 20", "comes to -25", "40 less", "comes to -20"):
        assert number in puzzle.explanation


def test_the_command_proves_them(sniff) -> None:  # type: ignore[no-untyped-def]
    path = scenarios_dir() / "puzzles" / "classic-traps.yaml"
    done = sniff("puzzle", "check", path, "--format", "json")
    assert done.status == 0
    facts = json.loads(done.out)
    assert facts == {"ok": True, "checked": len(puzzles_of(path)), "problems": []}
