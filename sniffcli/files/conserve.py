"""Every tile once: hands, boneyard and layout of each round against the set in use."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from sniffcli.files.records import GameRecord, RoundRecord
from sniffcli.problems import Problem
from sniffcli.tiles import Tile
from sniffcli.yamlio import Mark


class Sighting(NamedTuple):
    """A tile that a file names, where it is said to be, and where that is written."""

    tile: Tile
    whose: str
    mark: Mark


def check_tiles(record: GameRecord) -> tuple[GameRecord, list[Problem]]:
    """Return the record with rounds that cannot be dealt marked `broken`, and why not."""
    problems: list[Problem] = []
    rounds: list[RoundRecord] = []
    playable = len(record.players) in record.rules.legal_players()
    for one in record.rounds:
        found = list(_round_problems(record, one)) if playable else []
        problems += found
        rounds.append(replace(one, broken=one.broken or bool(found) or not playable))
    return replace(record, rounds=tuple(rounds)), problems


def sightings(record: GameRecord, one: RoundRecord) -> Iterator[Sighting]:
    """Yield every tile that the start of a round names."""
    for seat, hand in enumerate(one.hands):
        for number, tile in enumerate(hand.tiles if hand else ()):
            whose = f"in {record.players[seat]}'s hand"
            yield Sighting(tile, whose, one.at(("hand", seat, number), ("hands", seat)))
    for number, tile in enumerate(one.boneyard or ()):
        yield Sighting(tile, "in the boneyard", one.at(("boneyard", 0, number), "boneyard"))
    for laid in one.layout or ():
        if laid.play is not None:
            yield Sighting(laid.play.tile, "on the table", laid.mark)


def hand_sizes(record: GameRecord, one: RoundRecord) -> tuple[int, ...]:
    """Return how many tiles each seat holds at the start of a round."""
    dealt = record.rules.hand_size(len(record.players))
    return tuple(dealt if hand is None else hand.size for hand in one.hands)


def _round_problems(record: GameRecord, one: RoundRecord) -> Iterator[Problem]:
    if not one.broken:
        yield from _sizes(record, one)
    tiles = frozenset(record.setup.tiles)
    pip = record.rules.set.max_pip
    seen: dict[Tile, Sighting] = {}
    wrong = False
    for sighting in sightings(record, one):
        tile = sighting.tile
        if tile not in tiles:
            wrong = True
            removed = tile.high <= pip
            why = "was taken out of the set" if removed else f"is not in a double-{pip} set"
            yield record.problem(sighting.mark, "tile", f"{tile} {why}")
        elif tile in seen:
            wrong = True
            first = seen[tile]
            place = f"line {first.mark.line}:{first.mark.column}"
            message = f"{tile} is {first.whose} ({place}) and again {sighting.whose}"
            yield record.problem(sighting.mark, "duplicate-tile", message)
        else:
            seen[tile] = sighting
    if not wrong and not one.broken:
        yield from _adds_up(record, one, seen)


def _sizes(record: GameRecord, one: RoundRecord) -> Iterator[Problem]:
    dealt = record.rules.hand_size(len(record.players))
    for seat, hand in enumerate(one.hands):
        name = record.players[seat]
        if one.layout is not None:
            if hand is None:
                message = f"with a layout every hand is a list or a number; {name}'s is missing"
                yield record.problem(one.at("hands", "layout"), "hand", message)
        elif hand is not None and hand.size != dealt:
            tiles = "tile" if hand.size == 1 else "tiles"
            message = f"{name} has {hand.size} {tiles}, but {dealt} are dealt in this game"
            yield record.problem(one.at(("hands", seat)), "hand-size", message)


def _adds_up(record: GameRecord, one: RoundRecord, seen: dict[Tile, Sighting]) -> Iterator[Problem]:
    """Compare the number of tiles with the set; name what is missing where all is listed."""
    every = record.setup.tiles
    hidden = sum(
        size if hand is None else hand.unknown
        for hand, size in zip(one.hands, hand_sizes(record, one), strict=True)
    )
    total = len(seen) + hidden
    if total > len(every):
        message = f"{total} tiles are given, but the set has {len(every)}"
        yield record.problem(one.at("hands"), "set", message)
    elif one.boneyard is not None and not hidden and total < len(every):
        missing = ", ".join(str(tile) for tile in every if tile not in seen)
        are = "is" if len(every) - total == 1 else "are"
        message = f"hands, table and boneyard do not make up the set: {missing} {are} missing"
        yield record.problem(one.at("boneyard"), "missing-tile", message)
