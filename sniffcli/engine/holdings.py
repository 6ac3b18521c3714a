"""What one other player may hold: how many ways each mix of tiles can have come to his hand.

Tiles that a player may have taken up in the same batches are of one *type*. For each number of
tiles per type that make up his hand, the ways are counted in which these tiles and those he has
played can have come from the deal and from his draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sniffcli.engine.evidence import Alternative, Batch, Evidence
from sniffcli.tiles import Tile

#: Bits that hold the number of tiles of one type; a double-eighteen hand has up to 95 tiles.
WIDTH = 8
FULL = (1 << WIDTH) - 1


class Kind(NamedTuple):
    """What tiles of one type have in common for one player."""

    #: The batches that may hold such a tile, as a bit mask.
    batches: int
    #: Told apart only where the doubles that were dealt are counted.
    is_double: bool = False


class Holdings(NamedTuple):
    """All that one player may hold."""

    seat: int
    size: int
    #: How many types there are, and the type of each hidden tile (-1: he cannot hold it).
    kinds: int
    kind_of: tuple[int, ...]
    #: The ways for each mix of tiles, packed with `WIDTH` bits per type.
    ways: dict[int, int]
    #: The mixes that are part of a possible hand.
    partial: frozenset[int]


def holdings(evidence: Evidence, way: Alternative, seat: int) -> Holdings:
    """Return what SEAT may hold, given one way in which the deal went."""
    merged = _merged(evidence, evidence.batches_of(seat))
    batches = list(merged)
    dealt = sum(1 << k for k, batch in enumerate(batches) if batch.n == 0)
    goes = {one.number: owner for one, owner in way.dealt}
    limited = evidence.most_doubles is not None

    def kind(one: Tile, allowed: int) -> Kind:
        number = one.number
        if number in goes:
            allowed = allowed & dealt if goes[number] in (None, seat) else 0
        elif way.barred >> number & 1:
            allowed &= ~dealt
        return Kind(allowed, limited and one.is_double)

    numbers: dict[Kind, int] = {}
    kind_of = []
    masks = [(1 << k, mask) for k, (mask, _) in enumerate(merged.values())]
    for one in evidence.hidden:
        bit = 1 << one.number
        its = kind(one, sum(batch for batch, mask in masks if mask & bit))
        kind_of.append(numbers.setdefault(its, len(numbers)) if its.batches else -1)
    kinds = tuple(numbers)
    available = [kind_of.count(number) for number in range(len(kinds))]
    played = zip(*(fits for _, fits in merged.values()), strict=True)
    laid = [
        kind(one, sum(1 << k for k, fits in enumerate(row) if fits))
        for one, row in zip(_laid_by(evidence, seat), played, strict=True)
    ]
    size = evidence.sizes[seat]
    ways = _ways(batches, evidence.most_doubles, kinds, available, laid, size)
    return Holdings(seat, size, len(kinds), tuple(kind_of), ways, _partial(ways, len(kinds)))


def _merged(
    evidence: Evidence, batches: Sequence[Batch]
) -> dict[Batch, tuple[int, tuple[bool, ...]]]:
    """Join the draws that may hold the same tiles; every way to fill them is then counted once.

    With each batch come the hidden tiles that it may hold, as a bit mask, and whether each of the
    tiles that its seat has laid may have come from it.
    """
    found: dict[object, tuple[Batch, int, tuple[bool, ...]]] = {}
    for batch in batches:
        mask = evidence.holdable(batch)
        fits = tuple(evidence.may_hold(one, batch) for one in _laid_by(evidence, batch.seat))
        key = (batch.n == 0, mask, fits)
        known = found.get(key)
        if known is not None:
            batch = known[0]._replace(size=known[0].size + batch.size)
        found[key] = (batch, mask, fits)
    return {batch: (mask, fits) for batch, mask, fits in found.values()}


def _laid_by(evidence: Evidence, seat: int) -> list[Tile]:
    return [one for one, (owner, _) in evidence.played.items() if owner == seat]


#: Tiles still to come per batch, and doubles that may still be among those dealt.
_Room = tuple[int, ...]


def _ways(
    batches: Sequence[Batch],
    most_doubles: int | None,
    kinds: Sequence[Kind],
    available: Sequence[int],
    laid: Sequence[Kind],
    size: int,
) -> dict[int, int]:
    """Count the ways for each mix of hidden tiles that makes up a hand of SIZE tiles."""
    rooms: dict[_Room, int] = {(*(batch.size for batch in batches), most_doubles or 0): 1}
    first = next((k for k, batch in enumerate(batches) if batch.n == 0), -1)
    limited = first if most_doubles is not None else -1
    for one in laid:
        rooms = _placed(rooms, one.batches, limited if one.is_double else -1)
    mixes: dict[int, tuple[int, dict[_Room, int]]] = {0: (0, rooms)}
    for k, kind in enumerate(kinds):
        grown: dict[int, tuple[int, dict[_Room, int]]] = {}
        later = sum(available[k + 1 :])
        for mix, (held, room) in mixes.items():
            for many in range(min(available[k], size - held) + 1):
                if many:
                    room = _placed(room, kind.batches, limited if kind.is_double else -1)
                if not room:
                    break
                if held + many + later >= size:
                    grown[mix | many << WIDTH * k] = (held + many, room)
        mixes = grown
    return {
        mix: total
        for mix, (_, room) in mixes.items()
        if (total := sum(ways for left, ways in room.items() if not any(left[:-1])))
    }


def _placed(rooms: dict[_Room, int], allowed: int, limited: int) -> dict[_Room, int]:
    """Return the rooms after one more tile was put into one of the ALLOWED batches."""
    after: dict[_Room, int] = {}
    for room, ways in rooms.items():
        for batch in range(len(room) - 1):
            if allowed >> batch & 1 and room[batch]:
                left = list(room)
                left[batch] -= 1
                if batch == limited:
                    if not left[-1]:
                        continue
                    left[-1] -= 1
                key = tuple(left)
                after[key] = after.get(key, 0) + ways
    return after


def _partial(ways: dict[int, int], kinds: int) -> frozenset[int]:
    """Return all mixes that can grow into a possible hand."""
    found = set(ways)
    edge = list(found)
    while edge:
        mix = edge.pop()
        for k in range(kinds):
            if mix >> WIDTH * k & FULL:
                less = mix - (1 << WIDTH * k)
                if less not in found:
                    found.add(less)
                    edge.append(less)
    return frozenset(found)
