"""Rulesets, deals and a slow twin for the engine's tests: the fold of `game.turn.apply` itself."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from typing import Any

from sniffcli.engine.playout import END, NEXT, NOW, REPLY, REST
from sniffcli.engine.policy import BLIND, RANDOM, WEIGHTED, Policy, mixed
from sniffcli.engine.spec import spec_of
from sniffcli.game.actions import Action, Claim, Draw, Finish, Pass, Play
from sniffcli.game.deal import deal
from sniffcli.game.legal import draw_refusal, playable_tiles, tile_moves
from sniffcli.game.match import begin, new_match, sides_of
from sniffcli.game.plays import named
from sniffcli.game.settle import creditable
from sniffcli.game.state import Setup, State
from sniffcli.game.turn import apply
from sniffcli.ruleset.library import shipped
from sniffcli.ruleset.loading import load_ruleset
from sniffcli.table.counting import worth
from sniffcli.table.frontier import joins
from sniffcli.table.layout import Move
from sniffcli.tiles import Tile

#: House rules that together use every switch the engine reads, as (base, settings).
HOUSES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("all-fives", {"match": {"target": 60}}),
    ("all-fives", {"match": {"target": 61, "exact": True}}),
    ("all-fives", {"match": {"target": 61, "exact": True, "overshoot": "bounce"}}),
    ("all-fives", {"match": {"target": 45, "win_on_out": False}}),
    ("all-fives", {"match": {"target": 50, "check": "round_end", "loser_resets": True}}),
    ("all-fives", {"score": {"entry_minimum": 10}, "pass": {"bonus": {"per_knock": 5}}}),
    ("all-fives", {"score": {"near_target": {5: 2, 10: 5, 15: 10}}, "match": {"target": 40}}),
    ("all-fives", {"draw": {"when": "free"}}),
    ("all-fives", {"draw": {"when": "free", "then": "may_play", "limit": 2}}),
    ("all-fives", {"draw": {"limit": 2, "reserve": 3}}),
    ("all-fives", {"draw": {"limit": 1, "then": "turn_ends"}}),
    ("all-fives", {"draw": {"limit": 1, "then": "may_play"}}),
    ("all-fives", {"draw": {"when": "never"}, "pass": {"penalty": 30}}),
    ("all-fives", {"extra_turn": {"after": ["double", "score"]}}),
    ("all-fives", {"extra_turn": {"after": ["double", "score"], "forced": True}}),
    ("all-fives", {"open": {"scores": False}}),
    ("all-fives", {"open": {"tile": "double", "if_none": "draw_until"}}),
    ("all-fives", {"open": {"tile": "double", "if_none": "highest_tile"}}),
    (
        "all-fives",
        {
            "open": {"tile": "double_or_scoring", "if_none": "pass_lead"},
            "extra_turn": {"after": ["double", "score"]},
        },
    ),
    (
        "all-fives",
        {
            "layout": {"spinner": "all_doubles"},
            "score": {"award": "quotient"},
            "round_end": {"divide": 5},
        },
    ),
    ("all-fives", {"layout": {"spinner": "first_enclosed_double"}}),
    (
        "all-fives",
        {
            "layout": {
                "spinner": "opening_double",
                "fill_first": "opening",
                "ends_open": "at_once",
                "second_ring": "all_arms",
            },
            "draw": {"limit_during_fill": 1},
        },
    ),
    ("all-fives", {"layout": {"spinner": "none", "open_ends": 1, "doubles_lie": "inline"}}),
    ("all-fives", {"score": {"spinner_counts": "exposed_halves"}}),
    ("all-fives", {"score": {"spinner_counts": "single", "tip_double": "single"}}),
    (
        "all-fives",
        {
            "score": {"kind": "equal_ends", "divisors": None},
            "match": {"target": 15},
            "layout": {"spinner": None},
            "round_end": {
                "out": {"award": {"fixed": 1}},
                "round": {"to": 0},
                "blocked": {"winner": "lowest_no_double", "award": {"fixed": 2}, "tie": None},
            },
        },
    ),
    (
        "all-fives",
        {
            "score": {"divisors": [5, 3], "combine": "each", "award": "quotient"},
            "layout": {"spinner": None},
            "draw": {"when": "never"},
            "match": {"target": 31, "exact": True, "bundle": "play_and_out"},
            "round_end": {
                "out": {"award": {"fixed": 1}},
                "round": {"to": 0},
                "when": "both_partners_out",
                "blocked": {"winner": "none", "tie": None},
            },
        },
    ),
    (
        "all-fives",
        {
            "joining": {
                "rule": "complement",
                "wild": "sum_tiles_and_double_blank",
                "blank": "wild_only",
            },
            "layout": {"spinner": None},
            "draw": {"when": "unable_without_wild", "reserve": 2},
        },
    ),
    (
        "all-fives",
        {
            "joining": {
                "rule": "complement",
                "wild": "sum_tiles_and_double_blank",
                "blank": "wild_only",
                "forced_wild": True,
            },
            "layout": {"spinner": None},
            "draw": {"when": "unable_without_wild", "reserve": 2},
        },
    ),
    (
        "all-fives",
        {"round_end": {"blocked": {"winner": "lowest_player", "award": "cascade", "tie": None}}},
    ),
    (
        "all-fives",
        {
            "round_end": {
                "blocked": {"award": "own_pips_lost", "tie": None},
                "out": {"award": "own_pips_lost"},
            }
        },
    ),
    (
        "all-fives",
        {
            "round_end": {
                "blocked": {"award": "all_hands", "tie": "opener_side"},
                "out": {"award": "all_others_pips"},
                "round": {"to": 5, "mode": "up"},
            }
        },
    ),
    (
        "all-fives",
        {
            "round_end": {
                "blocked": {"award": "opponents_minus_own", "tie": "blocker"},
                "out": {"award": "differences"},
                "round": {"to": 5, "mode": "down", "scope": "per_hand"},
                "hand_double": "single",
            }
        },
    ),
    (
        "all-fives",
        {
            "round_end": {
                "blocked": {"winner": "lowest_team", "award": "differences", "tie": "replay"},
                "round": {"to": 3, "applies_to": "out"},
            }
        },
    ),
    (
        "draw",
        {
            "open": {"first_leader": {"holder_of": "6-6"}, "if_none": "draw_until"},
            "deal": {"redeal_if": "none"},
        },
    ),
    ("draw", {"open": {"tile": "any", "if_none": "draw_until"}, "deal": {"redeal_if": "none"}}),
    ("muggins-all-fives", {"match": {"target": 30}}),
    ("muggins-all-fives", {"claim": {"at_round_end": "lost"}}),
    ("dreamtime-sniff", {"match": {"target": 40, "check": "at_once"}}),
    ("block", {"draw": {"when": "never"}, "match": {"winner_is": "low"}}),
    ("block-double-twelve", {}),
)


@cache
def setups() -> tuple[Setup, ...]:
    """Return every shipped ruleset and house rule for each number of players, with partners too."""
    found = []
    for base, settings in (*((name, {}) for name in shipped()), *HOUSES):
        rules, problems = load_ruleset(base, settings=settings)
        if rules is None:
            raise AssertionError(f"{base} {settings}: {[str(one) for one in problems]}")
        for players in rules.legal_players():
            options = {rules.teams_required(players), rules.teams_possible(players)}
            for teams in sorted(options):
                names = ("Ann", "Bob", "Cy", "Di", "Ed")[:players]
                found.append(Setup(rules, names, sides_of(players, teams=teams)))
    return tuple(found)


def label(setup: Setup) -> str:
    return f"{setup.rules.id}/{setup.seats}/{setup.side_count}"


def dealt(setup: Setup, rng: random.Random) -> State:
    """Deal a round of a match that stands somewhere."""
    target = setup.target or 60
    low = setup.rules.match.loser_resets
    scores = [0 if low else int(rng.random() * target) for _ in range(setup.side_count)]
    if rng.random() < 0.3:
        scores = [0] * setup.side_count
    match = new_match(setup, scores)
    return begin(match, deal(setup, rng), rng)


def moves_in_order(state: State) -> list[Move]:
    """List the legal plays as policies do: tiles from the highest number, ways as in the table."""
    table = spec_of(state.setup).table
    found = []
    for tile in sorted(playable_tiles(state), key=lambda one: one.number, reverse=True):
        order = [way.after for way in table.ways(table.intern(state.frontier), tile.number)]
        moves = tile_moves(state, tile)
        assert len(moves) == len(order)
        found += sorted(moves, key=lambda move: order.index(table.intern(move.frontier)))
    return found


def play_of(state: State, move: Move) -> Play:
    return named(state.turn, state.setup, state.layout, state.frontier, move)


def credit_of(state: State, move: Move) -> int:
    """Return what the tile alone would be credited with, by doing it."""
    after, event = apply(state, play_of(state, move))
    if state.rules.claim.mode == "declare":
        if not any(one.seat == state.turn for one in after.pending):
            return event.worth
        return apply(after, Claim(seat=state.turn))[1].points
    side = state.setup.sides[state.turn]
    given = event.points
    bonus = state.rules.pass_.bonus
    if bonus != "none" and state.passes:
        # The knocks are credited after the tile.
        for points in (0, event.worth):
            moved = [s + points * (k == side) for k, s in enumerate(state.scores)]
            knocks = creditable(
                state._replace(scores=tuple(moved)),
                side,
                bonus.points * state.passes,
                source="bonus",
                going_out=after.result is not None and after.result.how == "out",
            ).points
            if points + knocks == given:
                return points
    return given


def chosen(state: State, policy: Policy, random_number: int) -> Move:
    """Choose as a policy does, slowly."""
    moves = moves_in_order(state)
    if policy.kind == RANDOM:
        return moves[(random_number >> 11) % len(moves)]
    if policy.kind == WEIGHTED:
        weights = [weight(state, move, policy) for move in moves]
        return moves[weights.index(max(weights))]

    def worth(move: Move) -> int:
        if policy.kind == BLIND:
            return apply(state, play_of(state, move))[1].worth
        return credit_of(state, move)

    best = max((worth(move), move.tile.pips) for move in moves)
    return next(m for m in moves if (worth(m), m.tile.pips) == best)


def weight(state: State, move: Move, policy: Policy) -> Fraction:
    """Weigh a play as features.py describes it, slowly, in fractions, from the game's state."""
    rules, seat = state.rules, state.turn
    side = state.setup.sides[seat]
    sizes = [
        hand.size
        for hand, its in zip(state.hands, state.setup.sides, strict=True)
        if its != side and hand.size
    ]
    weights = policy.weights[1 if min(sizes, default=0) <= 2 else 0]
    left = [tile for tile in state.hands[seat].tiles if tile != move.tile]
    laid = {*state.layout.tiles, move.tile}
    hidden = [tile for tile in state.setup.tiles if tile not in laid and tile not in left]
    wild = rules.wild_tiles(state.setup.seats)

    def best(tile: Tile) -> int:
        """The points of the best way to lay a tile next; below zero if it does not fit."""
        ways = joins(rules, move.frontier, tile, wild)
        return max((worth(rules, one.frontier) for one in ways), default=-1)

    mine = [best(tile) for tile in left]
    theirs = [best(tile) for tile in hidden]
    moves = sum(one >= 0 for one in mine)
    features = (
        credit_of(state, move),
        move.tile.pips,
        move.tile.is_double,
        not left,
        bool(left) and not moves,
        moves,
        max([0, *mine]),
        len({pip for tile in left for pip in tile}),
        Fraction(sum(one for one in theirs if one > 0), max(1, len(theirs))),
        Fraction(sum(one >= 0 for one in theirs), max(1, len(theirs))),
    )
    return sum(
        (Fraction(one) * each for one, each in zip(weights, features, strict=True)),
        start=Fraction(),
    )


class Fold:
    """A round played on with `apply`, its points split like an `Outcome`."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.me = state.turn
        self.part = NOW
        self.parts = [[0] * 5 for _ in range(state.setup.side_count)]

    def do(self, action: Action) -> None:
        """Do one action, and claim what it made."""
        if self.part == REPLY and action.seat == self.me:
            self.part = NEXT
        elif self.part == NEXT and action.seat != self.me:
            self.part = REST
        self._apply(action)
        seat = action.seat
        if not self.state.over and any(one.seat == seat for one in self.state.pending):
            self._apply(Claim(seat=seat))
        if not self.state.over and self.state.closing is not None:
            self._apply(Finish(seat=seat))
        if self.part == NOW:
            self.part = REPLY

    def _apply(self, action: Action) -> None:
        before = self.state
        self.state, event = apply(before, action)
        side = before.setup.sides[action.seat]
        self.parts[side][self.part] += event.points
        result = self.state.result
        if result is not None and result.bonus is not None:
            for one, bonus in enumerate(result.bonus):
                self.parts[one][END] += bonus

    def run(self, policy: Policy, seed: int, first: Action | None = None) -> None:
        """Play to the end of the round."""
        number = seed
        while not self.state.over:
            state = self.state
            if first is not None:
                self.do(first)
                first = None
            elif playable_tiles(state):
                number = mixed(number)
                self.do(play_of(state, chosen(state, policy, number)))
            elif draw_refusal(state) is None:
                self.do(Draw(seat=state.turn))
            else:
                self.do(Pass(seat=state.turn))
