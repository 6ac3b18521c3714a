"""The layout: which tile lies where, built beside the frontier and never asked for sums.

A layout is a list of placed tiles in the order in which they were laid. Everything else, such as
which faces are free and which double is the spinner, follows from it and the ruleset.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from sniffcli.ruleset.model import Ruleset
from sniffcli.table.frontier import (
    Double,
    Frontier,
    Half,
    Pair,
    Place,
    alike,
    is_plain,
    join_at,
    lead,
    places,
)
from sniffcli.tiles import Tile

#: The two halves of a plain tile; the two long sides and the two short ends (tips) of a double.
Face = Literal["high", "low", "side1", "side2", "tip1", "tip2"]

SIDES: tuple[Face, Face] = ("side1", "side2")
TIPS: tuple[Face, Face] = ("tip1", "tip2")


class Placed(NamedTuple):
    """A tile on the table: joined with its face BY to the face AT of tile number ON."""

    tile: Tile
    #: Position in the layout of the tile it was joined to; -1 for the lead.
    on: int = -1
    at: Face = "high"
    by: Face = "high"


class Spot(NamedTuple):
    """A free face of tile number NTH where a tile may be joined now, and the end it stands for."""

    nth: int
    face: Face
    place: Place


class Move(NamedTuple):
    """One way to lay a tile: the spot (None for the lead), how it lies, and the table after it."""

    tile: Tile
    spot: Spot | None
    outward: int
    frontier: Frontier


class Layout(NamedTuple):
    """All placed tiles in order."""

    placed: tuple[Placed, ...] = ()

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles on the table in the order in which they were laid."""
        return tuple(one.tile for one in self.placed)

    def index_of(self, tile: Tile) -> int | None:
        """Return the position of TILE in the layout, or None if it is not on the table."""
        for index, one in enumerate(self.placed):
            if one.tile == tile:
                return index
        return None

    def covered(self, index: int) -> frozenset[Face]:
        """Return the faces of tile number INDEX that have a neighbour."""
        faces: set[Face] = {one.at for one in self.placed if one.on == index}
        if self.placed[index].on >= 0:
            faces.add(self.placed[index].by)
        return frozenset(faces)

    def all_covered(self) -> list[frozenset[Face]]:
        """Return the faces that have a neighbour, for every tile of the layout."""
        faces: list[set[Face]] = [set() for _ in self.placed]
        for index, one in enumerate(self.placed):
            if one.on >= 0:
                faces[one.on].add(one.at)
                faces[index].add(one.by)
        return [frozenset(one) for one in faces]

    def with_move(self, rules: Ruleset, move: Move) -> Layout:
        """Return the layout after MOVE."""
        if move.spot is None:
            return Layout((Placed(move.tile),))
        by = _inward_face(rules, move.tile, move.outward)
        return Layout((*self.placed, Placed(move.tile, move.spot.nth, move.spot.face, by)))


EMPTY_LAYOUT = Layout()


def main_faces(rules: Ruleset) -> tuple[Face, Face]:
    """Return the faces of a double that lie in the line of play."""
    return SIDES if rules.layout.doubles_lie == "across" else TIPS


def cross_faces(rules: Ruleset) -> tuple[Face, Face]:
    """Return the faces of a double that only a spinner opens."""
    return TIPS if rules.layout.doubles_lie == "across" else SIDES


def spinners(rules: Ruleset, layout: Layout) -> frozenset[int]:
    """Return the positions of the tiles that are spinners now.

    The spinner is chosen when a double is laid (or enclosed) and never changes (rules.md 6.3).
    """
    doubles = [index for index, one in enumerate(layout.placed) if one.tile.is_double]
    match rules.layout.spinner:
        case "all_doubles":
            return frozenset(doubles)
        case "first_double":
            return frozenset(doubles[:1])
        case "opening_double":
            return frozenset(index for index in doubles if index == 0)
        case "first_enclosed_double":
            first = _first_enclosed(rules, layout)
            return frozenset() if first is None else frozenset((first,))
        case _:
            return frozenset()


def _first_enclosed(rules: Ruleset, layout: Layout) -> int | None:
    """Return the double that was the first to have a tile on both sides (case C100)."""
    sides: dict[int, int] = {}
    for index, one in enumerate(layout.placed):
        touched = [one.on] if one.on >= 0 else []
        if one.tile.is_double:
            sides[index] = 1 if one.on >= 0 else 0
        for neighbour in touched:
            if neighbour in sides and layout.placed[neighbour].tile.is_double:
                sides[neighbour] += 1
                if sides[neighbour] == 2:
                    return neighbour
    return None


def double_state(
    rules: Ruleset, layout: Layout, index: int, covered: frozenset[Face], *, spinner: bool
) -> Double:
    """Return the double number INDEX as the frontier knows it (also when nothing of it is open)."""
    main = sum(face in covered for face in main_faces(rules))
    cross = len(covered) - main
    if index == 0 and rules.layout.open_ends == 1:
        main += 1
    if spinner and rules.layout.ends_open == "at_once":
        main, cross = min(main + cross, 2), max(main + cross - 2, 0)
    bound = rules.layout.fill_first == "every_double" or (
        rules.layout.fill_first == "opening" and index == 0
    )
    fill = spinner and bound and main + cross < rules.layout.fill_count
    return Double(layout.placed[index].tile.high, main, cross, spinner, fill)


# One table is asked for each tile of a hand, for the tile played, and for the name of the play.
@lru_cache(maxsize=64)
def spots(rules: Ruleset, layout: Layout, frontier: Frontier) -> tuple[Spot, ...]:
    """Return every free face where a tile may be joined now, in the order of the tiles laid."""
    allowed = set(places(rules, frontier))
    spinning = spinners(rules, layout)
    found: list[Spot] = []
    for index, covered in enumerate(layout.all_covered()):
        if len(covered) == (4 if index in spinning else 2):
            continue
        for face, place in _free_faces(rules, layout, index, covered, index in spinning):
            if place in allowed:
                found.append(Spot(index, face, place))
    return tuple(found)


def _free_faces(
    rules: Ruleset, layout: Layout, index: int, covered: frozenset[Face], spinner: bool
) -> Iterator[tuple[Face, Place]]:
    """Yield the uncovered faces of one tile as ends, allowed now or not."""
    placed = layout.placed[index]
    if not placed.tile.is_double:
        ringed = _is_ringed(rules, layout, index)
        halves: tuple[tuple[Face, int], ...] = (
            ("high", placed.tile.high),
            ("low", placed.tile.low),
        )
        for face, pip in halves:
            shut = index == 0 and rules.layout.open_ends == 1 and face == "low"
            if face not in covered and not shut:
                yield face, Place(pip, "half", Half(pip, ringed))
        return
    double = double_state(rules, layout, index, covered, spinner=spinner)
    at_once = spinner and rules.layout.ends_open == "at_once"
    shut_main = 1 if index == 0 and rules.layout.open_ends == 1 else 0
    free = [face for face in main_faces(rules) if face not in covered]
    plain = is_plain(rules, double)
    for face in free[: len(free) - shut_main]:
        if plain:
            yield face, Place(double.pip, "half", Half(double.pip))
            continue
        # Where the four faces are alike the frontier has filled its main pair first.
        pair: Pair = "cross" if at_once and double.main == 2 else "main"
        yield face, Place(double.pip, pair, double)
    if spinner:
        for face in cross_faces(rules):
            if face not in covered:
                pair = "main" if at_once and double.main < 2 else "cross"
                yield face, Place(double.pip, pair, double)


def _is_ringed(rules: Ruleset, layout: Layout, index: int) -> bool:
    """Whether a tile waits for its own double (second ring of a Maltese Cross)."""
    if rules.layout.second_ring == "none" or layout.placed[index].on != 0:
        return False
    return layout.placed[0].tile.is_double


def all_moves(
    rules: Ruleset, layout: Layout, frontier: Frontier, tile: Tile, wild: frozenset[Tile]
) -> Iterator[Move]:
    """Yield every way to lay TILE, alike tables included, in the order of the tiles laid."""
    if frontier.is_empty:
        yield lead_move(rules, tile)
        return
    yield from _moves_at(rules, frontier, spots(rules, layout, frontier), tile, wild)


def _moves_at(
    rules: Ruleset, frontier: Frontier, free: Iterable[Spot], tile: Tile, wild: frozenset[Tile]
) -> Iterator[Move]:
    for spot in free:
        for join in join_at(rules, frontier, spot.place, tile, wild):
            yield Move(tile, spot, join.outward, join.frontier)


def moves(
    rules: Ruleset, layout: Layout, frontier: Frontier, tile: Tile, wild: frozenset[Tile]
) -> tuple[Move, ...]:
    """Return the ways to lay TILE that lead to different tables (contract, section 2)."""
    return moves_of(rules, layout, frontier, (tile,), wild)


def moves_of(
    rules: Ruleset,
    layout: Layout,
    frontier: Frontier,
    tiles: Iterable[Tile],
    wild: frozenset[Tile],
) -> tuple[Move, ...]:
    """Return the moves of several tiles, one tile after another; looks at the table once."""
    if frontier.is_empty:
        return tuple(lead_move(rules, tile) for tile in tiles)
    free = spots(rules, layout, frontier)
    every: list[Move] = []
    for tile in tiles:
        found: dict[Frontier, Move] = {}
        for move in _moves_at(rules, frontier, free, tile, wild):
            found.setdefault(alike(rules, move.frontier), move)
        every += found.values()
    return tuple(every)


def lead_move(rules: Ruleset, tile: Tile) -> Move:
    """Return the move that leads TILE."""
    return Move(tile, None, tile.low, lead(rules, tile))


def _inward_face(rules: Ruleset, tile: Tile, outward: int) -> Face:
    """Return the face of TILE that is covered when OUTWARD faces out."""
    if tile.is_double:
        return main_faces(rules)[0]
    return "low" if outward == tile.high else "high"
