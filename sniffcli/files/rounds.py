"""Reading one entry of `rounds` (also the `round` of a puzzle): its fields, not yet played."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from typing import Any

from sniffcli.files.fields import MOST_TILES, Pairs, Reader
from sniffcli.files.notation import MOST_SECONDS, NotationError, parse_action, parse_play
from sniffcli.files.records import Entry, LaidTile, RoundRecord
from sniffcli.game.actions import Action, Play
from sniffcli.game.state import Hand
from sniffcli.tiles import Tile
from sniffcli.yamlio import Mark, Node, value

#: Most actions that a round may have; no game comes near it.
MOST_ACTIONS = 5_000

ROUND_KEYS = (
    "hands",
    "boneyard",
    "layout",
    "leader",
    "passes",
    "redeals",
    "plays",
    "written",
    "bonus",
    "elapsed",
)


def read_round(
    reader: Reader, node: Node, names: Sequence[str], sides: Sequence[int]
) -> RoundRecord:
    """Return what one round of a file says; problems go to READER and leave it `broken`."""
    marks: dict[object, Mark] = {}
    nobody = (None,) * len(names)
    pairs = reader.mapping(node, ROUND_KEYS, "a round")
    if pairs is None:
        return RoundRecord(nobody, broken=True, mark=node.mark)
    for key, (name, _) in pairs.items():
        marks[key] = name.mark
    before = len(reader.problems)
    hands = _hands(reader, pairs, names, marks)
    boneyard = _boneyard(reader, pairs, marks)
    layout = _layout(reader, pairs)
    leader = None
    if "leader" in pairs:
        marks["leader"] = pairs["leader"][1].mark
        leader = reader.player(pairs["leader"][1], names, "leader")
    passes = _count(reader, pairs, "passes", len(names))
    redeals = _count(reader, pairs, "redeals", 10_000)
    # What stands up to here decides how the round starts; what follows does not.
    broken = len(reader.problems) > before
    plays = _plays(reader, pairs, names)
    written = per_player(reader, pairs, "written", names, sides, marks)
    bonus = per_player(reader, pairs, "bonus", names, sides, marks)
    return RoundRecord(
        hands=hands,
        boneyard=boneyard,
        layout=layout,
        leader=leader,
        passes=passes,
        redeals=redeals,
        plays=plays,
        written=written,
        bonus=bonus,
        elapsed=_elapsed(reader, pairs),
        broken=broken,
        mark=node.mark,
        marks=marks,
    )


def _hands(
    reader: Reader, pairs: Pairs, names: Sequence[str], marks: dict[object, Mark]
) -> tuple[Hand | None, ...]:
    hands: list[Hand | None] = [None] * len(names)
    if "hands" not in pairs:
        return tuple(hands)
    for seat, (key, node) in reader.by_player(pairs["hands"][1], names, "hands").items():
        marks["hands", seat] = key.mark
        if node.kind == "sequence":
            tiles = reader.tiles(node, f"the hand of {names[seat]}")
            if tiles is not None:
                hands[seat] = Hand(tuple(tile for tile, _ in tiles))
                _note_tiles(marks, "hand", seat, tiles)
            continue
        size = value(node)
        if isinstance(size, int) and not isinstance(size, bool) and 0 <= size <= MOST_TILES:
            hands[seat] = Hand((), size)
        else:
            message = f"the hand of {names[seat]} is a list of tiles or how many it has"
            reader.report(node, "hand", f"{message}, like [6-3, 5-5] or 7")
    return tuple(hands)


def _note_tiles(
    marks: dict[object, Mark], kind: str, seat: int, tiles: Sequence[tuple[Tile, Node]]
) -> None:
    for number, (_, node) in enumerate(tiles):
        marks[kind, seat, number] = node.mark


def _boneyard(reader: Reader, pairs: Pairs, marks: dict[object, Mark]) -> tuple[Tile, ...] | None:
    if "boneyard" not in pairs:
        return None
    tiles = reader.tiles(pairs["boneyard"][1], "boneyard")
    if tiles is None:
        return None
    _note_tiles(marks, "boneyard", 0, tiles)
    return tuple(tile for tile, _ in tiles)


def _layout(reader: Reader, pairs: Pairs) -> tuple[LaidTile, ...] | None:
    if "layout" not in pairs:
        return None
    items = reader.items(pairs["layout"][1], "layout", "[5-5, 5-2 on 5-5]")
    if items is None:
        return None
    return tuple(LaidTile(_layout_play(reader, item), item.mark) for item in items)


def _layout_play(reader: Reader, node: Node) -> Play | None:
    if node.kind != "scalar":
        message = "a layout is a list of plays without players, like [5-5, 5-2 on 5-5]"
        reader.report(node, "play", message)
        return None
    try:
        if not node.text.split():
            raise NotationError("nothing is written here; write a play like 5-2 on 5-5")
        return parse_play(node.text.split(), 0)
    except NotationError as problem:
        reader.report(node, "malformed", str(problem))
        return None


def _count(reader: Reader, pairs: Pairs, key: str, most: int) -> int:
    if key not in pairs:
        return 0
    return reader.whole(pairs[key][1], key, 0, most) or 0


def _elapsed(reader: Reader, pairs: Pairs) -> float | None:
    """Return how long the last tile had lain when the game was left (a running time to claim)."""
    if "elapsed" not in pairs:
        return None
    node = pairs["elapsed"][1]
    written = (
        re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", node.text) if node.kind == "scalar" else None
    )
    if written is not None and float(written[0]) <= MOST_SECONDS:
        return float(written[0])
    reader.report(node, "number", f"elapsed is a number of seconds from 0 to {MOST_SECONDS}")
    return None


def _plays(reader: Reader, pairs: Pairs, names: Sequence[str]) -> tuple[Entry, ...]:
    if "plays" not in pairs:
        return ()
    form = f"- {names[0]}: 6-3 on 6-6"
    items = reader.items(pairs["plays"][1], "plays", form, MOST_ACTIONS)
    if items is None:
        return (Entry(None, pairs["plays"][1].mark),)
    return tuple(entry for item in items for entry in _entries(reader, item, names))


def _entries(reader: Reader, node: Node, names: Sequence[str]) -> Iterator[Entry]:
    """Yield the actions of one item of `plays`: a player with one action or several."""
    form = f"write it like {names[0]}: 6-3 on 6-6"
    if node.kind != "mapping" or len(node.pairs) != 1:
        keys = ", ".join(f'"{key.text}"' for key, _ in node.pairs)
        what = f"holds the keys {keys}" if keys else "names nobody"
        reader.report(node, "play", f"this entry {what}; {form}")
        yield Entry(None, node.mark, node.text)
        return
    key, item = node.pairs[0]
    seat = reader.player(key, names, "plays")
    actions = item.items if item.kind == "sequence" else (item,)
    if item.kind == "sequence" and not actions:
        reader.report(item, "play", f"{key.text} does nothing here; {form}")
        yield Entry(None, item.mark)
    for one in actions:
        if one.kind != "scalar":
            message = f"an action is text, like {key.text}: 6-3 on 6-6"
            reader.report(one, "play", f"{message}, not a {one.kind}")
            yield Entry(None, one.mark)
            continue
        # Without a player the words are still read, so that all problems show at once.
        action = _action(reader, one, seat or 0, names)
        yield Entry(action if seat is not None else None, one.mark, one.text)


def _action(reader: Reader, node: Node, seat: int, names: Sequence[str]) -> Action | None:
    try:
        return parse_action(node.text, seat, names)
    except NotationError as problem:
        reader.report(node, "malformed", str(problem))
        return None


def per_player(
    reader: Reader,
    pairs: Pairs,
    key: str,
    names: Sequence[str],
    sides: Sequence[int],
    marks: MutableMapping[Any, Mark],
) -> tuple[int | None, ...] | None:
    """Return numbers keyed by player, per seat; partners have to show the same number."""
    if key not in pairs:
        return None
    found: list[int | None] = [None] * len(names)
    nodes: Mapping[int, tuple[Node, Node]] = reader.by_player(pairs[key][1], names, key)
    for seat, (_, node) in nodes.items():
        found[seat] = reader.whole(node, f"{key} of {names[seat]}")
        marks[f"{key}.{seat}"] = node.mark
    for seat, points in enumerate(found):
        for partner in range(seat):
            other = found[partner]
            if sides[partner] == sides[seat] and None not in (points, other) and points != other:
                message = (
                    f"{names[partner]} and {names[seat]} are partners and show the same {key}, "
                    f"not {other} and {points}"
                )
                reader.report(nodes[seat][1], "teams", message)
                found[seat] = found[partner] = None
    return tuple(found)


def per_side(values: Sequence[int | None], sides: Sequence[int]) -> tuple[int | None, ...]:
    """Return numbers per side from numbers per seat; one partner speaks for both."""
    sums: list[int | None] = [None] * (max(sides) + 1)
    for seat, points in enumerate(values):
        if points is not None:
            sums[sides[seat]] = points
    return tuple(sums)
