"""Facts about a choice that a reason may name: each is a number that can be checked.

Chances are exact: the deals that agree with the record are counted with and without the tiles in
question (`engine.worlds`). They are rounded here as they are shown, so that a reason and its fact
never differ.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sniffcli.engine.advice import Advice, Option
from sniffcli.engine.choices import seen
from sniffcli.engine.evidence import Void, gather
from sniffcli.engine.position import mask_of, numbers_of
from sniffcli.engine.spec import spec_of
from sniffcli.engine.worlds import Worlds
from sniffcli.game.actions import Play, Refusal
from sniffcli.game.state import State
from sniffcli.game.turn import attempt
from sniffcli.game.view import View
from sniffcli.ruleset.model import Ruleset
from sniffcli.table.counting import halves_counted
from sniffcli.table.frontier import Frontier, open_ends
from sniffcli.tiles import tile_of_number

#: A double with no more hidden tiles of its number than this may stay in the hand.
STRANDED = 2


class Chances:
    """Exact chances that hidden hands hold a tile, from one seat's view of the moment."""

    def __init__(self, view: View) -> None:
        self._evidence = gather(view)
        self._mine = mask_of(view.hand)
        self._deals = Worlds(self._evidence, self._mine).deals
        self._known: dict[tuple[int, int], float] = {}

    def holds(self, seat: int, tiles: int) -> float:
        """Return the chance that SEAT holds at least one of some tiles (a bit mask)."""
        found = self._known.get((seat, tiles))
        if found is None:
            void = Void(1 << 30, seat, tiles)
            without = replace(self._evidence, voids=(*self._evidence.voids, void))
            found = 1 - Worlds(without, self._mine).deals / self._deals
            self._known[seat, tiles] = found
        return found


def facts_of(view: View, advice: Advice, option: Option, chances: Chances) -> dict[str, Any]:
    """Return the facts about one choice of an advice as plain values."""
    facts: dict[str, Any] = {
        "play": option.play,
        "points": option.points,
        "value": round(option.value, 1),
        "parts": {name: round(part, 1) for name, part in option.parts._asdict().items()},
        "out": percent(option.out),
        "blocked": percent(option.blocked),
    }
    if option.win is not None:
        facts["win"] = percent(option.win)
    if isinstance(option.action, Play):
        done = attempt(seen(view), option.action)
        if not isinstance(done, Refusal):
            facts |= _after(view, done[0], chances)
    return facts


def percent(share: float) -> int:
    """Return a share as whole percent, as it is shown."""
    return round(100 * share)


def _after(view: View, state: State, chances: Chances) -> dict[str, Any]:
    """Return what holds after a play: the table, one's own hand, and what the next can do."""
    rules, frontier = state.rules, state.frontier
    hand = state.hands[view.seat].tiles
    facts: dict[str, Any] = {
        "sum": written_sum(rules, frontier),
        "left": len(hand),
        "pips": sum(tile.pips for tile in hand),
    }
    if state.over or state.closing is not None:
        return facts
    spec = spec_of(view.setup)
    table = spec.table
    fid = table.intern(frontier)
    fitting = table.fitting(fid)
    facts["fit"] = (fitting & mask_of(hand)).bit_count()
    facts["stranded"] = [
        str(tile)
        for tile in hand
        if tile.is_double
        and not fitting >> tile.number & 1
        and sum(tile.high in one for one in view.unseen) <= STRANDED
    ]
    ends = set(open_ends(rules, frontier))
    facts["suits"] = {
        str(pip): {
            "mine": sum(pip in tile for tile in hand),
            "hidden": sum(pip in tile for tile in view.unseen),
        }
        for pip in sorted(ends)
    }
    if state.turn != view.seat:
        unseen = mask_of(view.unseen)
        scoring = 0
        most = 0
        for number in numbers_of(fitting & unseen):
            worth = max(way.worth for way in table.ways(fid, number))
            if worth and chances.holds(state.turn, 1 << number) > 0:
                scoring |= 1 << number
                most = max(most, worth)
        facts["next"] = view.setup.names[state.turn]
        facts["scoring"] = [str(tile_of_number(number)) for number in numbers_of(scoring)]
        facts["scores"] = percent(chances.holds(state.turn, scoring)) if scoring else 0
        facts["most"] = most
        facts["stuck"] = percent(1 - chances.holds(state.turn, fitting & unseen))
    return facts


def written_sum(rules: Ruleset, frontier: Frontier) -> str:
    """Return the count of a table written out, as `5+5+4+6 = 20`; empty where ends do not count."""
    if rules.score.kind != "ends_sum":
        return ""
    terms: list[int] = []
    for double in frontier.doubles:
        terms += [double.pip] * halves_counted(rules, double)
    terms += [half.pip for half in frontier.halves]
    if len(terms) < 2:
        return str(sum(terms))
    return "+".join(map(str, terms)) + f" = {sum(terms)}"
