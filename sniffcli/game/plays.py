"""From a play as a player writes it to one move on the table, and back; and why not.

Three failures are told apart (contract, section 2): malformed text never gets here; a play that
is illegal here comes back with the rule that stops it; an ambiguous one with its choices.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sniffcli.game.actions import Part, Play, Refusal
from sniffcli.game.state import Setup
from sniffcli.ruleset.model import Ruleset
from sniffcli.table.frontier import Frontier, Half, alike, joined, open_ends, places
from sniffcli.table.layout import (
    SIDES,
    Layout,
    Move,
    Spot,
    all_moves,
    cross_faces,
    main_faces,
    spinners,
    spots,
)
from sniffcli.tiles import Tile


def resolve(setup: Setup, layout: Layout, frontier: Frontier, play: Play) -> Move | Refusal:
    """Return the one move that PLAY means on this table, or why there is none."""
    every = list(all_moves(setup.rules, layout, frontier, play.tile, setup.wild))
    fitting = [move for move in every if _matches(layout, move, play)]
    distinct = _distinct(setup.rules, fitting)
    if len(distinct) == 1:
        return distinct[0]
    if not distinct:
        if setup.misjoins_stand and play.on is not None:
            distinct = _distinct(setup.rules, misjoins(setup, layout, frontier, play))
        if not distinct:
            return Refusal("illegal", why_not(setup, layout, frontier, play))
        if len(distinct) == 1:
            return distinct[0]
    choices = tuple(play_text(setup, layout, frontier, move) for move in distinct)
    listed = " or ".join(choices)
    return Refusal("ambiguous", f"{play.tile} can be laid in more than one way: {listed}", choices)


def misjoins(setup: Setup, layout: Layout, frontier: Frontier, play: Play) -> list[Move]:
    """Return the false joins that PLAY can mean, where a spot for one is open (case C50)."""
    tile = play.tile
    found = [
        Move(tile, spot, outward, joined(setup.rules, frontier, spot.place, tile, outward))
        for spot in spots(setup.rules, layout, frontier)
        for outward in dict.fromkeys((tile.high, tile.low))
    ]
    return [move for move in found if _matches(layout, move, play)]


def is_misjoin(setup: Setup, layout: Layout, frontier: Frontier, move: Move) -> bool:
    """Whether MOVE joins halves that the ruleset does not let meet."""
    every = all_moves(setup.rules, layout, frontier, move.tile, setup.wild)
    return all(move.frontier != one.frontier for one in every)


def named(seat: int, setup: Setup, layout: Layout, frontier: Frontier, move: Move) -> Play:
    """Return the action that names MOVE in the shortest unambiguous way."""
    if move.spot is None:
        return Play(seat=seat, tile=move.tile)
    on = layout.placed[move.spot.nth].tile
    play = Play(seat=seat, tile=move.tile, on=on)
    every = list(all_moves(setup.rules, layout, frontier, move.tile, setup.wild))
    if all(move.frontier != one.frontier for one in every):
        # It joins halves that do not meet, so nothing short of all of it tells what was done.
        return replace(play, at=move.spot.place.pip, out=move.outward)
    narrower = [play]
    if on.is_double:
        narrower.append(replace(play, part=_part(move.spot)))
    else:
        narrower.append(replace(play, at=move.spot.place.pip))
    narrower.append(replace(play, out=move.outward))
    narrower.append(replace(narrower[1], out=move.outward))
    for candidate in narrower:
        fitting = [one for one in every if _matches(layout, one, candidate)]
        if len(_distinct(setup.rules, fitting)) == 1:
            return candidate
    return narrower[-1]


def play_text(setup: Setup, layout: Layout, frontier: Frontier, move: Move) -> str:
    """Return the shortest unambiguous `TILE on TILE` form of MOVE."""
    return text_of(named(0, setup, layout, frontier, move))


def text_of(play: Play) -> str:
    """Return a play as it is written in files."""
    text = str(play.tile)
    if play.on is not None:
        text += f" on {play.on}"
    elif play.on_pip is not None:
        text += f" on {play.on_pip}"
    if play.part is not None:
        text += f" {play.part}"
    if play.at is not None:
        text += f" at {play.at}"
    if play.out is not None:
        text += f" out {play.out}"
    return text


def _matches(layout: Layout, move: Move, play: Play) -> bool:
    """Whether MOVE is one that PLAY may mean."""
    if move.spot is None:
        return play.on is None and play.on_pip is None
    if play.on is not None and layout.placed[move.spot.nth].tile != play.on:
        return False
    if play.on_pip is not None and move.spot.place.pip != play.on_pip:
        return False
    if play.part is not None:
        on = layout.placed[move.spot.nth].tile
        if not on.is_double or _part(move.spot) != play.part:
            return False
    if play.at is not None and move.spot.place.pip != play.at:
        return False
    return play.out is None or play.tile.is_double or move.outward == play.out


def _part(spot: Spot) -> Part:
    return "side" if spot.face in SIDES else "tip"


def _distinct(rules: Ruleset, found: Iterable[Move]) -> list[Move]:
    by_table: dict[Frontier, Move] = {}
    for move in found:
        by_table.setdefault(alike(rules, move.frontier), move)
    return list(by_table.values())


def why_not(setup: Setup, layout: Layout, frontier: Frontier, play: Play) -> str:
    """Say in a player's words which rule stops PLAY on this table."""
    tile = play.tile
    if not layout.placed:
        return f"{tile} has nothing to be joined to: the table is empty, so lead it alone"
    if play.on is None and play.on_pip is None:
        return _fits_nowhere(setup, layout, frontier, tile)
    if play.on_pip is not None:
        ends = open_ends(setup.rules, frontier)
        if play.on_pip not in ends:
            return f"no end shows {play.on_pip}: the open ends are {_listed(ends)}"
        return _mismatch(setup, tile, play.on_pip, f"an end showing {play.on_pip}")
    assert play.on is not None
    index = layout.index_of(play.on)
    if index is None:
        return f"{tile} cannot go on {play.on}: {play.on} is not on the table"
    shut = _why_shut(setup, layout, frontier, index, play)
    if shut is not None:
        return f"{tile} cannot go on {play.on}: {shut}"
    pips = sorted(
        {spot.place.pip for spot in spots(setup.rules, layout, frontier) if spot.nth == index}
    )
    if play.at is not None and play.at not in pips:
        return f"{tile} cannot go on {play.on}: its {play.at} is not an open end"
    if play.out is not None and not tile.has(play.out):
        return f"{tile} cannot go on {play.on} with {play.out} facing out: it has no {play.out}"
    ring = any(
        isinstance(spot.place.target, Half) and spot.place.target.ring
        for spot in spots(setup.rules, layout, frontier)
        if spot.nth == index
    )
    if ring and not tile.is_double:
        return f"{tile} cannot go on {play.on}: this arm must get its own double first"
    return f"{tile} cannot go on {play.on}: " + _no_half(setup, tile, pips)


def _why_shut(
    setup: Setup, layout: Layout, frontier: Frontier, index: int, play: Play
) -> str | None:
    """Say why nothing can be joined to tile number INDEX (or to the part asked for), if so."""
    rules = setup.rules
    on = layout.placed[index].tile
    here = [spot for spot in spots(rules, layout, frontier) if spot.nth == index]
    if play.part is not None and not on.is_double:
        return f"{on} is not a double, so it has neither sides nor tips"
    if here and (play.part is None or any(_part(spot) == play.part for spot in here)):
        return None
    filling = [one for one in frontier.doubles if one.fill]
    if filling and not any(one.pip == on.high for one in filling if on.is_double):
        pip = filling[0].pip
        return f"{pip}-{pip} must be filled first, all {rules.layout.fill_count} faces of it"
    if on.is_double:
        return _why_double_shut(rules, layout, index, play.part)
    if any(half.ring for half in frontier.halves) and rules.layout.second_ring == "all_arms":
        if any(place.pip in (on.high, on.low) for place in places(rules, frontier)):
            return None
        return "every arm must get its own double first"
    return f"both halves of {on} are covered" if index else f"no half of {on} is open"


def _why_double_shut(rules: Ruleset, layout: Layout, index: int, part: Part | None) -> str:
    """Say why a double takes no tile (on that part of it)."""
    on = layout.placed[index].tile
    covered = layout.covered(index)
    main = sum(face in covered for face in main_faces(rules))
    cross = sum(face in covered for face in cross_faces(rules))
    across = rules.layout.doubles_lie == "across"
    line, other = ("long sides", "short ends") if across else ("short ends", "long sides")
    if index not in spinners(rules, layout):
        if main == 2:
            return f"both {line} are covered, and {on} is not a spinner"
        return f"{on} is not a spinner, so its {other} stay closed"
    if main == 2 and cross == 2:
        return f"both {line} and both {'ends' if across else 'sides'} are covered"
    asked_line = part is None or (part == "side") == across
    if asked_line:
        return f"both {line} are covered"
    if cross == 2:
        return f"both {other} are covered"
    return f"the {other} of {on} open when both {line} are covered"


def _fits_nowhere(setup: Setup, layout: Layout, frontier: Frontier, tile: Tile) -> str:
    rules = setup.rules
    ends = open_ends(rules, frontier)
    filling = [one for one in frontier.doubles if one.fill]
    if filling:
        pip = filling[0].pip
        return f"{tile} fits nowhere: {pip}-{pip} must be filled first"
    if rules.layout.second_ring == "all_arms" and any(half.ring for half in frontier.halves):
        return f"{tile} fits nowhere: every arm must get its own double first"
    return f"{tile} fits nowhere: the open ends are {_listed(ends)}"


def _mismatch(setup: Setup, tile: Tile, pip: int, where: str) -> str:
    return f"{tile} cannot go on {where}: " + _no_half(setup, tile, [pip])


def _no_half(setup: Setup, tile: Tile, pips: list[int]) -> str:
    rules = setup.rules
    if 0 in pips and rules.joining.blank == "wild_only" and len(set(pips)) == 1:
        return "only a wild tile may follow a blank"
    if rules.joining.rule == "complement":
        wanted = " or ".join(str(rules.complement_sum - pip) for pip in pips)
        return f"touching halves must add up to {rules.complement_sum}, and it has no {wanted}"
    return f"it has no {' or '.join(str(pip) for pip in pips)}"


def _listed(pips: Iterable[int]) -> str:
    """Write numbers as `1, 3 and 5`, each once."""
    words = [str(pip) for pip in sorted(set(pips))]
    if len(words) < 2:
        return "".join(words)
    return ", ".join(words[:-1]) + " and " + words[-1]
