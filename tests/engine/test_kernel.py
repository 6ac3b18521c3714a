"""The native kernel gives the numbers of the Python one, on every ruleset."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from engine.rounds import dealt, label, setups
from engine.test_playouts import POLICIES, actions, advanced
from engine.test_solver import small
from kit import ruleset

from sniffcli.engine import kernel
from sniffcli.engine.bench import workload
from sniffcli.engine.equity import next_leader
from sniffcli.engine.playout import BLOCKED, WENT_OUT
from sniffcli.engine.position import position_from_view, position_of
from sniffcli.engine.solver import solve, value
from sniffcli.engine.spec import spec_of
from sniffcli.engine.worlds import worlds_of
from sniffcli.game.state import Setup
from sniffcli.game.view import view_of
from sniffcli.table.frontier import PARTS

pytest.importorskip("sniffcli.engine._kernel", reason="the native kernel is not built here")


def agree(monkeypatch: pytest.MonkeyPatch, setup: Setup, rounds: int, seed: int) -> None:
    rng = random.Random(seed)
    for number in range(rounds):
        state = advanced(dealt(setup, rng), rng)
        positions = [position_of(state)] * 2
        firsts = [None, *(first for _, first in actions(state))]
        for policy in POLICIES:
            found = []
            for name in ("python", "native"):
                monkeypatch.setenv("SNIFF_KERNEL", name)
                found.append(kernel.playouts(positions, firsts, policy, number))
            assert found[0] == found[1]
        mixed = [POLICIES[(number + seat) % len(POLICIES)] for seat in range(setup.seats)]
        found = []
        for name in ("python", "native"):
            monkeypatch.setenv("SNIFF_KERNEL", name)
            found.append(kernel.whole_rounds(positions, mixed, number))
        assert found[0] == found[1]


@pytest.mark.parametrize("setup", setups(), ids=label)
def test_native_play_outs_are_the_python_ones(
    monkeypatch: pytest.MonkeyPatch, setup: Setup
) -> None:
    agree(monkeypatch, setup, 4, 3)


@pytest.mark.soak
@pytest.mark.parametrize("setup", setups(), ids=label)
def test_many_native_play_outs_are_the_python_ones(
    monkeypatch: pytest.MonkeyPatch, setup: Setup
) -> None:
    agree(monkeypatch, setup, 100, 4)


@pytest.mark.parametrize("setup", setups(), ids=label)
def test_the_native_table_is_the_plain_one(setup: Setup) -> None:
    """On random games: the same successors in the same order, worths, limits and fitting tiles."""
    spec = spec_of(setup)
    table, native, rng = spec.table, kernel.native_kernel(spec), random.Random(5)
    if native is None:
        pytest.skip("sets of more than 64 tiles stay in Python")
    for _ in range(6):
        number = 0
        for tile in rng.sample([one.number for one in table.tiles], len(table.tiles)):
            worth, limit, fits, ways = native.described(number)
            assert (worth, limit) == (table.worth[number], table.limit[number])
            assert fits == table.fitting(number) == sum(1 << one for one in ways)
            for one, found in ways.items():
                plain = [way.after for way in table.ways(number, one)]
                assert found == [
                    (table.parts[after], table.taken[after], table.worth[after]) for after in plain
                ]
            if fits >> tile & 1:
                number = rng.choice(table.ways(number, tile)).after
    assert native.largest_worth() >= max(table.worth)


def test_the_kernel_has_room_for_every_part() -> None:
    source = Path(kernel.__file__).with_name("_kernel_frontiers.pxi")
    room = [line for line in source.read_text().splitlines() if line.strip().startswith("PARTS =")]

    assert [int(line.split()[-1]) for line in room] == [PARTS]


def solve_alike(monkeypatch: pytest.MonkeyPatch, setup: Setup, count: int, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(count):
        position = position_of(small(setup, rng))
        found = []
        for name in ("python", "native"):
            monkeypatch.setenv("SNIFF_KERNEL", name)
            found.append(solve(position, known_order=True).choices)
        assert found[0] == found[1]


@pytest.mark.parametrize("setup", [s for s in setups() if s.side_count == 2], ids=label)
def test_the_native_solver_is_the_python_one(monkeypatch: pytest.MonkeyPatch, setup: Setup) -> None:
    solve_alike(monkeypatch, setup, 10, 5)


@pytest.mark.soak
@pytest.mark.parametrize("setup", [s for s in setups() if s.side_count == 2], ids=label)
def test_the_native_solver_is_the_python_one_often(
    monkeypatch: pytest.MonkeyPatch, setup: Setup
) -> None:
    solve_alike(monkeypatch, setup, 300, 6)


def drawn_alike(monkeypatch: pytest.MonkeyPatch, setup: Setup, rounds: int, seed: int) -> None:
    """Draw and play out the same worlds by both, and compare everything that is made of them."""
    rng = random.Random(seed)
    for number in range(rounds):
        state = advanced(dealt(setup, rng), rng)
        view = view_of(state, state.turn)
        position = position_from_view(view, (), ())
        firsts = [first for _, first in actions(state)]
        found = []
        for name in ("python", "native"):
            monkeypatch.setenv("SNIFF_KERNEL", name)
            worlds, draws = worlds_of(view), random.Random(number)
            deals = [worlds.draw(draws, count) for count in (2, 7)]
            batches = [kernel.play_deals(position, one, firsts, seed=number) for one in deals]
            columns = [
                one.columns(action, side)
                for one in batches
                for action in range(len(firsts))
                for side in range(setup.side_count)
            ]
            found.append(
                (
                    [list(one) for one in deals],
                    draws.random(),
                    batches,
                    columns,
                    [kernel.added(one) for one in columns],
                    [kernel.paired_sums(a, b) for one in columns for a, b in pairwise(one)],
                    [
                        (one.standings(action, setup, view.leader), one.ends(action))
                        for one in batches
                        for action in range(len(firsts))
                    ],
                )
            )
        for ours, theirs in zip(*found, strict=True):
            assert ours == theirs


@pytest.mark.parametrize("setup", setups(), ids=label)
def test_native_worlds_are_the_python_ones(monkeypatch: pytest.MonkeyPatch, setup: Setup) -> None:
    drawn_alike(monkeypatch, setup, 1, 7)


@pytest.mark.soak
@pytest.mark.parametrize("setup", setups(), ids=label)
def test_many_native_worlds_are_the_python_ones(
    monkeypatch: pytest.MonkeyPatch, setup: Setup
) -> None:
    drawn_alike(monkeypatch, setup, 40, 8)


def test_worlds_are_drawn_in_bulk_as_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same worlds from the same seed, in Python and natively, also behind each other."""
    setup = next(one for one in setups() if one.seats == 4)
    rng = random.Random(3)
    state = advanced(dealt(setup, rng), rng)
    view = view_of(state, state.turn)
    draws = random.Random(4)
    single = [worlds_of(view).sample(draws) for _ in range(30)]
    for name in ("python", "native"):
        monkeypatch.setenv("SNIFF_KERNEL", name)
        worlds, draws = worlds_of(view), random.Random(4)
        assert [*worlds.draw(draws, 10), *worlds.draw(draws, 20)] == single


def test_columns_are_margins_in_whole_numbers() -> None:
    setup = next(one for one in setups() if one.side_count == 3)
    rng = random.Random(5)
    positions = [position_of(advanced(dealt(setup, rng), rng)) for _ in range(20)]
    batch = kernel.playouts(positions, [None])
    for side in range(3):
        columns = batch.columns(0, side)
        for number, one in enumerate(kernel.added(columns)):
            assert one == 2 * batch.outcome(number, 0).margin(side)
        for part, column in enumerate(columns):
            assert [one / 2 for one in column] == batch.margins(0, side, part)


@pytest.mark.parametrize("rule", ["winner", "rotate", "as_first"])
@pytest.mark.parametrize("block", ["as_next", "blocker", "lot"])
def test_outcomes_are_grouped_by_what_counts_for_the_match(rule: str, block: str) -> None:
    keys = {"open.next_leader": rule, "open.next_leader_after_block": block, "draw.when": "never"}
    setup = Setup(ruleset("all-fives", keys), ("Ann", "Bob", "Cy"), (0, 1, 2))
    rng = random.Random(6)
    positions = [position_of(advanced(dealt(setup, rng), rng)) for _ in range(120)]
    batch = kernel.playouts(positions, [None])
    found = batch.standings(0, setup, 1)
    told = []
    for number in range(120):
        outcome = batch.outcome(number, 0)
        leader = next_leader(setup, outcome, 1)
        told.append((*outcome.scores, -1 if leader is None else leader))
    assert [found.keys[group] for group in found.groups] == told
    assert len(set(found.keys)) == len(found.keys)
    assert sum(batch.ends(0).values()) == 120
    assert {how for how, _ in batch.ends(0)} >= {WENT_OUT, BLOCKED}
    assert batch.ends(0) == Counter(batch.ended(0))


def test_the_native_solver_copes_with_more_tables_than_it_can_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SNIFF_KERNEL", "native")
    for position in workload(6):
        expected = value(position)[0]
        native = kernel.borrow_kernel(position.spec)
        native.most_boards = 20
        kernel.give_back(native)
        assert value(position)[0] == expected
        assert not native.dueling
        native.most_boards = 0x10000
        assert value(position)[0] == expected
        assert native.dueling
