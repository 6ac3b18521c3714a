"""Perft files: positions of a ruleset with the number of lines of each depth, as neutral text.

    ruleset cross
    set draw.reserve 1            a house rule, any number of them
    teams                         partners sit opposite
    hand 6-6 5-4 ...              one line per seat, in turn order
    boneyard 3-1 2-0 ...          in drawing order
    turn 1                        who leads, from 1
    lead 6-6                      the tile that must be led
    found                         the leader was found by a tile he was dealt
    first draw                    what was done before counting starts, in order
    first 6-5 on 6-6 side
    perft 3 17                    17 lines of three actions follow

Actions are plays (ways that lead to alike tables count once), draws and passes; a finished round is
one leaf. An empty line ends a position.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml
from kit import play, ruleset
from twin import Board, Round, Way, perft

from sniffcli.ruleset.model import Ruleset
from sniffcli.ruleset.words import HolderOf
from sniffcli.tiles import Tile, parse_tile, tile_set

HEAD = """\
# Every line of play is counted: plays, draws and passes, without claims. Ways of laying a tile
# that lead to alike tables count once, and a finished round is one leaf.
# Counted by a program of its own; `python -m tests.regenerate` writes this file again.
"""

#: Lines are counted until there are more than this at all depths together.
MOST = 700


@dataclass
class Position:
    """One position of a perft file."""

    ruleset: str
    hands: list[list[Tile]] = field(default_factory=list)
    boneyard: list[Tile] = field(default_factory=list)
    turn: int = 0
    lead: Tile | None = None
    found: bool = False
    teams: bool = False
    settings: dict[str, Any] = field(default_factory=dict)
    first: list[str] = field(default_factory=list)
    counts: dict[int, int] = field(default_factory=dict)

    @property
    def rules(self) -> Ruleset:
        return ruleset(self.ruleset, self.settings)


def read(text: str) -> list[Position]:
    """Read the positions of a perft file."""
    found: list[Position] = []
    position: Position | None = None
    for line in text.splitlines():
        word, _, rest = line.strip().partition(" ")
        if word.startswith("#"):
            continue
        if not word:
            position = None
            continue
        if position is None:
            assert word == "ruleset", line
            position = Position(rest)
            found.append(position)
        elif word in ("hand", "boneyard"):
            tiles = [parse_tile(one) for one in rest.split()]
            if word == "hand":
                position.hands.append(tiles)
            else:
                position.boneyard = tiles
        elif word == "turn":
            position.turn = int(rest) - 1
        elif word == "lead":
            position.lead = parse_tile(rest)
        elif word in ("teams", "found"):
            setattr(position, word, True)
        elif word == "set":
            key, _, value = rest.partition(" ")
            position.settings[key] = yaml.safe_load(value)
        elif word == "first":
            position.first.append(rest)
        else:
            assert word == "perft", line
            depth, count = map(int, rest.split())
            position.counts[depth] = count
    return found


def write(position: Position) -> str:
    """Return a position as the lines of a perft file."""
    lines = [f"ruleset {position.ruleset}"]
    lines += [f"set {key} {value}" for key, value in position.settings.items()]
    lines += ["teams"] if position.teams else []
    lines += [f"hand {' '.join(map(str, hand))}" for hand in position.hands]
    lines += [f"boneyard {' '.join(map(str, position.boneyard))}"] if position.boneyard else []
    lines.append(f"turn {position.turn + 1}")
    lines += [f"lead {position.lead}"] if position.lead else []
    lines += ["found"] if position.found else []
    lines += [f"first {text}" for text in position.first]
    lines += [f"perft {depth} {count}" for depth, count in position.counts.items()]
    return "\n".join(lines) + "\n"


def written(state: Round, tile: Tile, way: Way) -> str:
    """Write a play with everything that can be said about it."""
    number, face, outward = way
    if number is None:
        return str(tile)
    piece = state.board.pieces[number]
    text = f"{tile} on {piece.tile}"
    if piece.tile.is_double:
        text += f" {face[:-1]}"
    text += f" at {piece.pip(face)}"
    return text if tile.is_double else f"{text} out {outward}"


def started(position: Position) -> Round:
    """Return the round of a position on the twin, after what was done first."""
    rules = position.rules
    seats = len(position.hands)
    sides = tuple(seat % 2 if position.teams else seat for seat in range(seats))
    state = Round(
        rules,
        [list(hand) for hand in position.hands],
        list(position.boneyard),
        position.turn,
        Board(rules, seats),
        position.lead,
        found=position.found,
        sides=sides,
    )
    for text in position.first:
        if text in ("draw", "pass"):
            state = state.do(text)
            continue
        options = {written(state, tile, way): (tile, way) for tile, way, _ in state.options()}
        state = state.do("play", options[text])
    return state


def opening(rules: Ruleset, hands: list[list[Tile]]) -> tuple[int, Tile | None] | None:
    """Say who leads and which tile binds him; None for hands that are dealt again."""
    first = rules.open.first_leader
    doubles = sorted(
        (tile, seat) for seat, hand in enumerate(hands) for tile in hand if tile.is_double
    )
    if rules.deal.redeal_if == "no_double_dealt" and not doubles:
        return None
    if first in ("lot", "host"):
        return 0, None
    if isinstance(first, HolderOf):
        doubles = [(t, seat) for seat, hand in enumerate(hands) for t in hand if t == first.tile]
    if not doubles or first == "highest_tile":
        return None
    tile, seat = doubles[0] if first == "lowest_double" else doubles[-1]
    return seat, tile if rules.open.tile == "qualifying" else None


def dealt(name: str, rng: random.Random) -> Position:
    """Deal a position of a ruleset at its fewest players."""
    rules = ruleset(name)
    players = rules.players.min
    while True:
        deck = list(tile_set(rules.set.max_pip, rules.removed(players)))
        deck.sort(key=lambda _tile: rng.random())
        size = rules.hand_size(players)
        hands = [sorted(deck[k * size : (k + 1) * size]) for k in range(players)]
        found = opening(rules, hands)
        if found is not None:
            break
    teams = players == 4 and rules.players.teams in ("pairs", "pairs_if_4")
    by_tile = rules.open.first_leader not in ("lot", "host")
    rest = deck[players * size :]
    return Position(name, hands, rest, found[0], found[1], by_tile, teams)


def with_counts(position: Position) -> Position:
    state = started(position)
    position.counts = {}
    total = 0
    for depth in range(1, 12):
        count = perft(state, depth)
        total += count
        if depth > 1 and total > MOST:
            break
        position.counts[depth] = count
    return position


def positions(name: str) -> Iterator[Position]:
    """Two positions of a ruleset: before the lead, and with about half the tiles on the table."""
    rng = random.Random(f"perft {name}")
    yield with_counts(dealt(name, rng))
    while True:
        position = dealt(name, rng)
        state = started(position)
        wanted = sum(map(len, position.hands)) // 2
        while not state.over and len(state.board.pieces) < wanted:
            actions = state.actions()
            kind, what = actions[int(rng.random() * len(actions))]
            text = kind if kind != "play" else written(state, *what)  # type: ignore[misc]
            position.first.append(text)
            state = state.do(kind, what)
        if not state.over:
            yield with_counts(position)
            return


def perft_text(name: str) -> str:
    """Return the perft file of a shipped ruleset."""
    return HEAD + "\n" + "\n".join(write(one) for one in positions(name))


__all__ = ["Position", "perft_text", "play", "read", "started", "write", "written"]
