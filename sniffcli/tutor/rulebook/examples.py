"""Worked examples: laid, counted and settled by the engine under the rules of the book."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from sniffcli.game.match import sides_of
from sniffcli.game.settle import Payment, hand_pips, pay_blocked, pay_out
from sniffcli.game.state import Hand, Setup
from sniffcli.ruleset.words import Fixed, HolderOf
from sniffcli.show.table import draw
from sniffcli.table.counting import count, worth
from sniffcli.table.frontier import Frontier, open_ends
from sniffcli.table.layout import EMPTY_LAYOUT, Layout, Move, lead_move, moves
from sniffcli.tiles import Tile, tile
from sniffcli.tutor.rulebook.pages import Block, Grid, Picture, Remark
from sniffcli.tutor.rulebook.scope import Scope

NAMES = ("Ann", "Bob", "Cy", "Di")

#: What is left in the hands in the examples; whoever is first has the least.
LEFT = ("2-1", "5-4 3-0", "6-3 1-1", "4-2")


class Step(NamedTuple):
    """One tile of an example, and the table after it."""

    move: Move
    on: Tile | None
    layout: Layout


def _setup(scope: Scope, players: int) -> Setup:
    rules = scope.rules
    sides = sides_of(players, teams=rules.teams_required(players))
    return Setup(rules, NAMES[:players], sides)


def line_of_play(scope: Scope) -> list[Step]:
    """Return a few plays that show how the ends of this game are counted."""
    players = scope.players[0]
    rules = scope.rules
    every = rules.tiles(players)
    first = _first_tile(scope, every)
    move = lead_move(rules, first)
    layout = EMPTY_LAYOUT.with_move(rules, move)
    steps = [Step(move, None, layout)]
    left = [one for one in every if one != first]
    wanted: list[Callable[[Move], bool]] = [
        lambda move: _on(move) == 0 and not move.tile.is_double,
        lambda move: _on(move) == 0 and not move.tile.is_double,
        lambda move: _on(move) > 0 and move.tile.is_double,
        lambda move: _on(move) == 0,
        lambda move: _on(move) == 0,
        lambda move: _on(move) > 0 and not move.tile.is_double,
    ]
    while wanted:
        found = _next(scope, steps[-1], left, wanted)
        if found is None:
            break
        on = steps[-1].layout.placed[_on(found)].tile
        steps.append(Step(found, on, steps[-1].layout.with_move(rules, found)))
        left.remove(found.tile)
    return steps


def _on(move: Move) -> int:
    return -1 if move.spot is None else move.spot.nth


def _first_tile(scope: Scope, every: tuple[Tile, ...]) -> Tile:
    """Return a tile that may be led: not the largest double, so that more sums are possible."""
    who = scope.rules.open.first_leader
    if isinstance(who, HolderOf) and who.tile in every:
        return who.tile
    doubles = sorted(one for one in every if one.is_double)
    return doubles[-2] if len(doubles) > 1 else every[-1]


def _next(
    scope: Scope, step: Step, left: list[Tile], wanted: list[Callable[[Move], bool]]
) -> Move | None:
    """Return the play that shows the first thing WANTED that can be shown now."""
    rules, layout, frontier = scope.rules, step.layout, step.move.frontier
    wild = rules.wild_tiles(scope.players[0])
    possible = [move for one in left for move in moves(rules, layout, frontier, one, wild)]
    for index, goal in enumerate(wanted):
        fitting = [move for move in possible if goal(move)]
        if fitting:
            del wanted[index]
            return max(fitting, key=lambda move: _telling(scope, move))
    return None


def _telling(scope: Scope, move: Move) -> tuple[bool, bool, int]:
    """Rank a play for an example: one that scores, without a blank, with few pips."""
    scores = worth(scope.rules, move.frontier) > 0
    return scores, move.tile.low > 0, -move.tile.number


def counting(scope: Scope) -> list[Block]:
    """Return the example for the points of plays."""
    say, rules = scope.say, scope.rules
    if not scope.examples:
        return []
    steps = line_of_play(scope)
    by_ends = rules.score.kind == "equal_ends"
    rows = [(say("play"), say("ends") if by_ends else say("sum"), say("points"))]
    for index, step in enumerate(steps):
        frontier = step.move.frontier
        shown = _ends(scope, frontier) if by_ends else str(count(rules, frontier))
        points = worth(rules, frontier) if index or rules.open.scores else 0
        rows.append((_play(scope, step), shown, str(points)))
    last = steps[-1]
    return [
        Remark(say("An example, counted tile by tile:")),
        Grid(tuple(rows)),
        Remark(say("The table after these plays:")),
        *picture(scope, last),
    ]


def _ends(scope: Scope, frontier: Frontier) -> str:
    return " ".join(str(pip) for pip in open_ends(scope.rules, frontier))


def _play(scope: Scope, step: Step) -> str:
    say = scope.say
    if step.on is None:
        return str(step.move.tile)
    return say("{tile} on {on}", tile=step.move.tile, on=step.on)


def picture(scope: Scope, step: Step) -> tuple[Block, ...]:
    """Return the table drawn for the page, with its ends in words below."""
    say, rules, frontier = scope.say, scope.rules, step.move.frontier
    drawn = draw(
        rules, step.layout, frontier, width=scope.width, unicode=scope.unicode, hidden_sum=True
    )
    # A drawing too wide for the page names the faces of a spinner.
    faces = {"side": say("side"), "tip": say("tip"), "at": say("at")}
    drawn = re.sub(r"\b(side|tip|at)\b", lambda found: faces[found[0]], drawn)
    ends = _ends(scope, frontier)
    if rules.score.kind == "ends_sum":
        line = say("open ends {ends}, sum {sum}", ends=ends, sum=count(rules, frontier))
    else:
        line = say("open ends {ends}", ends=ends)
    return Picture(drawn), Remark(line)


def opening(scope: Scope) -> list[Block]:
    """Return the example for a game whose plays score nothing: only how the tiles lie."""
    say = scope.say
    if not scope.examples:
        return []
    steps = line_of_play(scope)
    last = steps[-1]
    named = ", ".join(_play(scope, step) for step in steps)
    return [
        Remark(say("An example, tile by tile: {plays}.", plays=named)),
        *picture(scope, last),
    ]


def settlement(scope: Scope) -> Iterator[Block]:
    """Yield the examples for the end of a round that pays pips."""
    say, end = scope.say, scope.rules.round_end
    players = max((one for one in scope.players if one <= len(NAMES)), default=0)
    if not players or not scope.examples:
        return
    setup = _setup(scope, players)
    if end.out.award != "none" and not isinstance(end.out.award, Fixed):
        together = end.when == "both_partners_out"
        hands = [
            Hand() if seat == 0 or (together and setup.sides[seat] == 0) else hand
            for seat, hand in enumerate(_hands(scope, players))
        ]
        yield Remark(say("An example: {name} goes out.", name=NAMES[0]) + _partners(scope, setup))
        yield _paid(scope, hands, pay_out(setup, 0, _pips(scope, hands)), setup)
    pays = end.blocked.winner != "none" or end.blocked.award == "own_pips_lost"
    if pays and end.blocked.award != "none" and not isinstance(end.blocked.award, Fixed):
        hands = _hands(scope, players)
        pips = _pips(scope, hands)
        yield Remark(say("An example: the round is blocked.") + _partners(scope, setup))
        yield _paid(scope, hands, pay_blocked(setup, hands, pips, 0, 1), setup)


def _partners(scope: Scope, setup: Setup) -> str:
    say = scope.say
    if not setup.has_teams:
        return ""
    return " " + say("{one} and {two} are partners.", one=NAMES[0], two=NAMES[2])


def _hands(scope: Scope, players: int) -> list[Hand]:
    """Return the hands of the example, with other tiles where the set does not have them."""
    there = scope.rules.tiles(players)
    wanted = [[tile(*map(int, one.split("-"))) for one in row.split()] for row in LEFT[:players]]
    used = {one for row in wanted for one in row}
    spare = [one for one in there if one not in used]
    hands = []
    for row in wanted:
        held = [one if one in there else (spare.pop() if spare else None) for one in row]
        hands.append(Hand(tuple(one for one in held if one is not None)))
    return hands


def _pips(scope: Scope, hands: list[Hand]) -> list[int | None]:
    return [hand_pips(scope.rules, hand) for hand in hands]


def _paid(scope: Scope, hands: list[Hand], payment: Payment, setup: Setup) -> Grid:
    say = scope.say
    bonus = payment.bonus or (0,) * setup.side_count
    rows = [(say("player"), say("tiles left in hand"), say("pips"), say("points"))]
    for seat, hand in enumerate(hands):
        tiles = " ".join(str(one) for one in hand.tiles) or "-"
        pips = hand_pips(scope.rules, hand)
        rows.append((NAMES[seat], tiles, str(pips), str(bonus[setup.sides[seat]])))
    return Grid(tuple(rows))
