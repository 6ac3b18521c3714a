"""The native kernel gives the numbers of the Python one, on every ruleset."""

from __future__ import annotations

import random

import pytest
from engine.rounds import dealt, label, setups
from engine.test_playouts import POLICIES, actions, advanced
from engine.test_solver import small

from sniffcli.engine import kernel
from sniffcli.engine.position import position_of
from sniffcli.engine.solver import solve
from sniffcli.game.state import Setup

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
