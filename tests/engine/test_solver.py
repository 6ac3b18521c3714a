"""The solver against an exhaustive search by `apply`, and against published endings."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from engine.rounds import Fold, dealt, label, moves_in_order, play_of, setups

from sniffcli.engine.duel import is_usual
from sniffcli.engine.playout import DRAW, PASS, First
from sniffcli.engine.position import position_of
from sniffcli.engine.solver import AlphaBeta, solve, value
from sniffcli.engine.spec import spec_of
from sniffcli.engine.turns import Tree
from sniffcli.files.games import read_game
from sniffcli.files.replay import play_out
from sniffcli.game.actions import Action, Draw, Pass
from sniffcli.game.deal import shuffled
from sniffcli.game.legal import able_tiles, draw_refusal, is_blocked, pass_refusal
from sniffcli.game.state import Boneyard, Hand, Setup, State


def actions(state: State) -> list[tuple[Action, First]]:
    table = spec_of(state.setup).table
    found: list[tuple[Action, First]] = [
        (play_of(state, move), First(move.tile.number, table.intern(move.frontier)))
        for move in moves_in_order(state)
    ]
    if draw_refusal(state) is None:
        found.append((Draw(seat=state.turn), DRAW))
    if pass_refusal(state) is None:
        found.append((Pass(seat=state.turn), PASS))
    return found


class Exhausted(Exception):
    pass


class Brute:
    """Every line to its end, no pruning, no table."""

    def __init__(self, state: State, known_order: bool, limit: int) -> None:
        self.known_order = known_order
        self.left = limit
        self.start = state

    def margin(self, points: list[Fraction], side: int) -> Fraction:
        others = [p for k, p in enumerate(points) if k != side]
        return points[side] - sum(others, Fraction(0)) / len(others)

    def options(self, state: State, kept: int) -> list[tuple[Action, First, int]]:
        """Return the actions; everybody but one may pay to pass while nothing changes."""
        found = []
        for action, first in actions(state):
            now = kept if isinstance(action, Pass) else 0
            if isinstance(action, Pass):
                declined = state.extra and not state.rules.extra_turn.forced
                keeps = state.drawn and state.rules.draw.then == "may_play"
                if state.layout.placed and able_tiles(state) and not declined and not keeps:
                    if kept >= state.setup.seats - 1:
                        continue
                    now = kept + 1
            found.append((action, first, now))
        return found

    def value(self, state: State, kept: int = 0) -> list[Fraction]:
        """Return the points per side from here to the end."""
        if state.over:
            return [Fraction(0)] * state.setup.side_count
        side = state.setup.sides[state.turn]
        best: list[Fraction] | None = None
        for action, _, now in self.options(state, kept):
            points = self.after(state, action, now)
            if best is None or self.margin(points, side) > self.margin(best, side):
                best = points
        assert best is not None
        return best

    def after(self, state: State, action: Action, kept: int) -> list[Fraction]:
        self.left -= 1
        if self.left < 0:
            raise Exhausted
        if isinstance(action, Draw) and not self.known_order:
            tiles = list(state.boneyard.known)
            sums = [Fraction(0)] * state.setup.side_count
            for tile in tiles:
                rest = tuple(one for one in tiles if one != tile)
                turned = state._replace(boneyard=Boneyard((tile, *rest)))
                points = self.after_one(turned, action, kept)
                sums = [a + b for a, b in zip(sums, points, strict=True)]
            return [one / len(tiles) for one in sums]
        return self.after_one(state, action, kept)

    def after_one(self, state: State, action: Action, kept: int) -> list[Fraction]:
        fold = Fold(state)
        fold.do(action)
        gained = [Fraction(sum(parts)) for parts in fold.parts]
        below = self.value(fold.state, kept)
        return [a + b for a, b in zip(gained, below, strict=True)]


def small(setup: Setup, rng: random.Random) -> State:
    """Play part of a random round, then take most tiles out of the hands and the boneyard."""
    while True:
        fold = Fold(dealt(setup, rng))
        for _ in range(int(rng.random() * 14)):
            before = fold.state
            every = actions(before)
            fold.do(every[int(rng.random() * len(every))][0])
            if fold.state.over:
                break
        else:
            before = fold.state
        if not before.over:
            return cut(before, rng)


def cut(state: State, rng: random.Random) -> State:
    hands = []
    for seat, hand in enumerate(state.hands):
        held = shuffled(hand.tiles, rng)
        if seat == state.turn:
            # What binds the seat to move stays in its hand.
            bound = (state.must_lead, state.last_drawn)
            held.sort(key=lambda tile: tile not in bound)
        size = 1 + int(rng.random() * (3 if state.setup.seats == 2 else 2))
        hands.append(Hand(tuple(held[: min(size, len(held))])))
    stock = state.setup.reserve + int(rng.random() * 4)
    return state._replace(
        hands=tuple(hands), boneyard=Boneyard(state.boneyard.known[:stock]), pending=()
    )


def check(state: State, known_order: bool, limit: int) -> bool:
    brute = Brute(state, known_order, limit)
    expected = {}
    side = state.setup.sides[state.turn]
    try:
        for action, first, now in brute.options(state, 0):
            expected[first] = brute.after(state, action, now)
    except Exhausted:
        return False
    solution = solve(position_of(state), known_order=known_order)
    assert {one.action for one in solution.choices} == set(expected)
    for choice in solution.choices:
        points = expected[choice.action]
        assert choice.value == pytest.approx(float(brute.margin(points, side)))
        assert (
            sum((ply.gains[side] for ply in choice.line), 0) == choice.by_side[side]
            or not known_order
        )
        # Of lines with the same margin two sides may share the points differently.
        if state.setup.side_count > 2 or (state.drawable and not known_order):
            assert choice.by_side == pytest.approx(tuple(map(float, points)))
    values = [one.value for one in solution.choices]
    assert values == sorted(values, reverse=True)
    return True


def endings_agree(setup: Setup, count: int, seed: int, limit: int) -> None:
    rng = random.Random(seed)
    done = 0
    for _ in range(count * 10):
        state = small(setup, rng)
        if is_blocked(state):
            continue
        done += check(state, True, limit)
        done += check(state, False, limit)
        if done >= 2 * count:
            return
    raise AssertionError("hardly any position was small enough")


@pytest.mark.parametrize("setup", setups(), ids=label)
def test_the_solver_is_exhaustive_search(setup: Setup) -> None:
    endings_agree(setup, 2, 1, 200)


@pytest.mark.soak
@pytest.mark.parametrize("setup", setups(), ids=label)
def test_the_solver_is_exhaustive_search_often(setup: Setup) -> None:
    endings_agree(setup, 30, 2, 3000)


@pytest.mark.parametrize("setup", [s for s in setups() if is_usual(spec_of(s))], ids=label)
@pytest.mark.parametrize("name", ["python", "native"])
def test_the_fast_searches_agree_with_the_plain_one(
    monkeypatch: pytest.MonkeyPatch, setup: Setup, name: str
) -> None:
    """On positions too large for exhaustive search, also seen from the other seat."""
    monkeypatch.setenv("SNIFF_KERNEL", name)
    if name == "native":
        pytest.importorskip("sniffcli.engine._kernel", reason="the native kernel is not built")
    rng = random.Random(12)
    for _ in range(4):
        state = dealt(setup, rng)
        hands = tuple(Hand(hand.tiles[:4]) for hand in state.hands)
        boneyard = Boneyard(state.boneyard.known[: setup.reserve + 3])
        position = position_of(state._replace(hands=hands, boneyard=boneyard))
        if position.must_lead >= 0 and not position.hands[position.turn] >> position.must_lead & 1:
            position = position._replace(must_lead=-1)
        plain = AlphaBeta(Tree(position, known_order=True, scores=False), 1_000_000)
        difference = plain.root_value()
        found = value(position._replace(scores=(0, 0)))[0]
        assert found == (difference if position.side == 0 else -difference)


OWN_LOST = """sniff: 1
ruleset: all-fives
players: [Ann, Bob, Cy, Di]
teams: [[Ann, Cy], [Bob, Di]]
overrides:
  round_end: {out: {award: own_pips_lost}}
  deal: {hand: {2: 3, 3: 3, 4: 3}}
  set: {remove: [0-0, 1-1, 2-0, 2-2, 3-1, 3-3, 4-1, 4-3, 5-0, 5-2, 6-3]}
scores: {Ann: 58, Bob: 190}
rounds:
  - leader: Ann
    hands: {Ann: [4-4, 5-3], Bob: [4-0], Cy: [2-1], Di: [3-0, 1-0]}
    boneyard: [3-2, 5-4, 6-0]
    layout: [6-6, 6-2 on 6-6, 6-4 on 6-6, 6-5 on 6-6,
      4-2 on 6-2, 5-5 on 6-5, 5-1 on 5-5, 6-1 on 6-6]
"""


@pytest.mark.parametrize("name", ["python", "native"])
def test_a_target_counts_before_the_end_of_the_round_takes_points_away(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Bob's last tile makes 1+1+8+0 = 10, 200 in all: the match is over, and nobody loses pips."""
    if name == "native":
        pytest.importorskip("sniffcli.engine._kernel", reason="the native kernel is not built")
    monkeypatch.setenv("SNIFF_KERNEL", name)
    record, problems = read_game(OWN_LOST, "t.yaml")
    assert record is not None, problems
    state = play_out(record).rounds[0].start
    assert state is not None, play_out(record).problems
    (choice,) = solve(position_of(state), known_order=True).choices
    assert choice.by_side == (0, 10)
    assert choice.value == -10
