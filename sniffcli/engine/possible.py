"""Whether any deal explains a record at all: a flow of tiles into hands, far cheaper than counting.

The counting table (`engine.counting`) answers the same question with the number of deals and is
the twin to check this against; with many hands and a large set its tables take seconds to fill.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TypeAlias

from sniffcli.engine.evidence import Alternative, Batch, Evidence
from sniffcli.tiles import Tile

#: A node of the network: its kind, and its number within the kind.
_Node: TypeAlias = tuple[str, int]
#: What still fits along each pipe of the network.
_Pipes: TypeAlias = "defaultdict[_Node, dict[_Node, int]]"

_SOURCE: _Node = ("source", 0)
_SINK: _Node = ("sink", 0)
_BONEYARD: _Node = ("boneyard", 0)


def possible(evidence: Evidence) -> bool:
    """Whether at least one deal agrees with what a seat knows."""
    return any(_possible(evidence, way) for way in evidence.alternatives)


def _possible(evidence: Evidence, way: Alternative) -> bool:
    pipes: _Pipes = defaultdict(dict)
    pipes[_BONEYARD][_SINK] = evidence.boneyard
    for number, batch in enumerate(evidence.batches):
        pipes["batch", number][_SINK] = batch.size
        if batch.n == 0 and evidence.most_doubles is not None:
            pipes["doubles", number]["batch", number] = evidence.most_doubles
    tiles = [*evidence.hidden, *evidence.played]
    for tile in tiles:
        _open(pipes, evidence, way, tile)
    return all(_pour(pipes, _SOURCE, set()) for _ in tiles)


def _open(pipes: _Pipes, evidence: Evidence, way: Alternative, tile: Tile) -> None:
    """Let TILE flow into every batch that may hold it, and into the boneyard where it may lie."""
    here: _Node = ("tile", tile.number)
    pipes[_SOURCE][here] = 1
    dealt = dict(way.dealt)
    for number, batch in enumerate(evidence.batches):
        if evidence.may_hold(tile, batch) and _agrees(way, dealt, tile, batch):
            capped = tile.is_double and ("doubles", number) in pipes
            pipes[here][("doubles" if capped else "batch"), number] = 1
    if tile not in evidence.played and tile not in dealt:
        pipes[here][_BONEYARD] = 1


def _agrees(way: Alternative, dealt: dict[Tile, int | None], tile: Tile, batch: Batch) -> bool:
    """Whether TILE may be in BATCH by the way in which the leader was found."""
    if tile in dealt:
        return batch.n == 0 and dealt[tile] in (None, batch.seat)
    return batch.n != 0 or not way.barred >> tile.number & 1


def _pour(pipes: _Pipes, here: _Node, seen: set[_Node]) -> bool:
    """Send one more tile from HERE to the sink, turning earlier ones aside where that helps."""
    if here == _SINK:
        return True
    seen.add(here)
    for there, room in list(pipes[here].items()):
        if room and there not in seen and _pour(pipes, there, seen):
            pipes[here][there] -= 1
            pipes[there][here] = pipes[there].get(here, 0) + 1
            return True
    return False
