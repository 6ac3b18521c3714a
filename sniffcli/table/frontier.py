"""The frontier: the open part of the table as one small canonical value, and all joining.

Only what still matters for joining and counting is kept, so that choices which lead to alike
tables give equal frontiers. Which tile lies where is the layout's business (`layout.py`).
The rules follow rules.md, sections 1 and 3; every switch is read from the ruleset.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from sniffcli.ruleset.model import Ruleset
from sniffcli.tiles import MOST_PIPS, Tile

#: Parts with a lower `number` are halves; all numbers are below `PARTS`.
FIRST_DOUBLE = 2 * (MOST_PIPS + 1)
PARTS = FIRST_DOUBLE + 36 * (MOST_PIPS + 1)


class Half(NamedTuple):
    """The uncovered half of a tile that is not a double; one end."""

    pip: int
    #: Laid on the opening double of a game with a second ring: only its own double may follow.
    ring: bool = False

    @property
    def number(self) -> int:
        """A number that no other part of a table has; they rise in the order of the values."""
        return 2 * self.pip + self.ring


class Double(NamedTuple):
    """A double with at least one face that is open or may open.

    `main` counts the covered faces of the line in which the double was laid (its long sides; its
    short ends when doubles lie in line), `cross` those of the other pair. Where all four faces of
    a spinner are alike, the main pair is filled first in this value, whatever was covered.
    """

    pip: int
    main: int
    cross: int = 0
    spinner: bool = False
    #: Must get more tiles before anything else may be laid.
    fill: bool = False

    @property
    def covered(self) -> int:
        """How many of its faces are covered."""
        return self.main + self.cross

    @property
    def number(self) -> int:
        """A number that no other part of a table has; those of halves are lower."""
        faces = 3 * self.main + self.cross
        return FIRST_DOUBLE + 36 * self.pip + 4 * faces + 2 * self.spinner + self.fill


class Frontier(NamedTuple):
    """Everything that joining and counting may depend on; equal for alike tables."""

    halves: tuple[Half, ...] = ()
    doubles: tuple[Double, ...] = ()
    #: Whether the one spinner of the game is chosen already.
    taken: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been laid yet."""
        return not self.halves and not self.doubles


EMPTY = Frontier()

Pair = Literal["half", "main", "cross"]


class Place(NamedTuple):
    """One end: where a tile may be joined, and the number that it shows."""

    pip: int
    pair: Pair
    target: Half | Double


class Join(NamedTuple):
    """One way to lay a tile: at a place, with one half inward and one outward."""

    place: Place
    inward: int
    outward: int
    frontier: Frontier


def lead(rules: Ruleset, tile: Tile) -> Frontier:
    """Return the table after TILE was led."""
    single = rules.layout.open_ends == 1
    if not tile.is_double:
        # With one open end the larger half is the one that is continued (American Tiddly-Wink).
        ends = (tile.high,) if single else (tile.low, tile.high)
        return _canonical(rules, [Half(pip) for pip in ends], [], taken=False)
    spinner = rules.layout.spinner in ("first_double", "opening_double", "all_doubles")
    double = Double(tile.high, 1 if single else 0, 0, spinner, False)
    if spinner and rules.layout.fill_first != "none":
        double = double._replace(fill=True)
    return _canonical(rules, [], [double], taken=rules.layout.spinner == "first_double")


def places(rules: Ruleset, frontier: Frontier) -> tuple[Place, ...]:
    """Return every end where a tile may be joined now, alike ends as often as they occur."""
    parts: tuple[Half | Double, ...] = (*frontier.halves, *frontier.doubles)
    most = max((urgency(rules, part) for part in parts), default=0)
    return tuple(
        place for part in parts if urgency(rules, part) == most for place in faces(rules, part)
    )


def urgency(rules: Ruleset, part: Half | Double) -> int:
    """Return the rank of PART: a tile may be joined only to those of the highest rank there is."""
    if isinstance(part, Double):
        return 2 if part.fill else 0
    return 1 if part.ring and rules.layout.second_ring == "all_arms" else 0


def faces(rules: Ruleset, part: Half | Double) -> tuple[Place, ...]:
    """Return the ends of one PART of the table, as long as no other part comes first."""
    if isinstance(part, Half):
        return (Place(part.pip, "half", part),)
    found = [Place(part.pip, "main", part)] * (2 - part.main)
    if part.spinner and (part.main == 2 or rules.layout.ends_open == "at_once"):
        found += [Place(part.pip, "cross", part)] * (2 - part.cross)
    return tuple(found)


def open_ends(rules: Ruleset, frontier: Frontier) -> tuple[int, ...]:
    """Return the sorted pips of all places where a tile may be joined."""
    return tuple(sorted(place.pip for place in places(rules, frontier)))


def joins(
    rules: Ruleset, frontier: Frontier, tile: Tile, wild: frozenset[Tile]
) -> tuple[Join, ...]:
    """Return the ways to lay TILE that lead to different tables; none if it does not fit.

    WILD holds the tiles that fit anywhere (`Ruleset.wild_tiles`).
    """
    if frontier.is_empty:
        after = lead(rules, tile)
        return (Join(Place(tile.high, "half", Half(tile.high)), tile.high, tile.low, after),)
    found: dict[Frontier, Join] = {}
    for place in dict.fromkeys(places(rules, frontier)):
        for join in join_at(rules, frontier, place, tile, wild):
            found.setdefault(alike(rules, join.frontier), join)
    return tuple(found.values())


def fitting(
    rules: Ruleset, frontier: Frontier, tiles: Iterable[Tile], wild: frozenset[Tile]
) -> tuple[Tile, ...]:
    """Return those of TILES that can be joined somewhere; all of them to an empty table."""
    if frontier.is_empty:
        return tuple(tiles)
    open_now = tuple(dict.fromkeys(places(rules, frontier)))
    return tuple(
        tile for tile in tiles if any(_may_join(rules, place, tile, wild) for place in open_now)
    )


def _may_join(rules: Ruleset, place: Place, tile: Tile, wild: frozenset[Tile]) -> bool:
    if isinstance(place.target, Half) and place.target.ring and not tile.is_double:
        return False
    return bool(fits(rules, place.pip, tile, wild))


def join_at(
    rules: Ruleset, frontier: Frontier, place: Place, tile: Tile, wild: frozenset[Tile]
) -> tuple[Join, ...]:
    """Return the ways to lay TILE at one open PLACE (more than one only for wild tiles)."""
    if not _may_join(rules, place, tile, wild):
        return ()
    return tuple(
        Join(place, inward, outward, joined(rules, frontier, place, tile, outward))
        for inward, outward in fits(rules, place.pip, tile, wild)
    )


def fits(
    rules: Ruleset, pip: int, tile: Tile, wild: frozenset[Tile]
) -> tuple[tuple[int, int], ...]:
    """Return how TILE fits an end showing PIP: pairs of the half inward and the half outward."""
    if tile in wild:
        ways = ((tile.high, tile.low), (tile.low, tile.high))
        return ways[:1] if tile.is_double else ways
    if pip == 0 and rules.joining.blank == "wild_only":
        return ()
    wanted = pip if rules.joining.rule == "equal" else rules.complement_sum - pip
    return ((wanted, tile.other(wanted)),) if tile.has(wanted) else ()


def joined(rules: Ruleset, frontier: Frontier, place: Place, tile: Tile, outward: int) -> Frontier:
    """Return the table after TILE covers PLACE with OUTWARD facing out; asks nothing else."""
    halves = list(frontier.halves)
    doubles = list(frontier.doubles)
    taken = frontier.taken
    ring = False
    if isinstance(place.target, Half):
        halves.remove(place.target)
    else:
        doubles.remove(place.target)
        covered = _cover(rules, place.target, place.pair, taken)
        taken = taken or (covered is not None and _chooses_on_enclosing(rules) and covered.spinner)
        if covered is not None:
            doubles.append(covered)
        # The first ring are the arms that fill the opening double; later doubles have none.
        ring = rules.layout.second_ring != "none" and place.target.fill
    if tile.is_double:
        spinner = _spins_when_joined(rules, taken)
        fill = spinner and rules.layout.fill_first == "every_double"
        double = Double(tile.high, 1, 0, spinner, fill)
        taken = taken or (spinner and rules.layout.spinner == "first_double")
        doubles.append(_settle_fill(rules, double))
    else:
        halves.append(Half(outward, ring))
    return _canonical(rules, halves, doubles, taken)


def _cover(rules: Ruleset, double: Double, pair: Pair, taken: bool) -> Double | None:
    """Return DOUBLE with one more face covered, or None once nothing of it can ever open."""
    main, cross = double.main, double.cross
    if rules.layout.ends_open == "at_once" and double.spinner:
        covered = main + cross + 1
        main, cross = min(covered, 2), max(covered - 2, 0)
    elif pair == "cross":
        cross += 1
    else:
        main += 1
    spinner = double.spinner
    if not spinner and main == 2:
        if taken or not _chooses_on_enclosing(rules):
            return None
        spinner = True
    if main == 2 and cross == 2:
        return None
    return _settle_fill(rules, Double(double.pip, main, cross, spinner, double.fill))


def _settle_fill(rules: Ruleset, double: Double) -> Double:
    """Drop the duty to fill a double once enough of its faces are covered."""
    if double.fill and double.covered >= rules.layout.fill_count:
        return double._replace(fill=False)
    return double


def _chooses_on_enclosing(rules: Ruleset) -> bool:
    return rules.layout.spinner == "first_enclosed_double"


def _spins_when_joined(rules: Ruleset, taken: bool) -> bool:
    """Whether a double that is joined to the table now gets four faces at once."""
    if rules.layout.spinner == "all_doubles":
        return True
    return rules.layout.spinner == "first_double" and not taken


def is_plain(rules: Ruleset, double: Double) -> bool:
    """Whether each open face of DOUBLE is in nothing different from a half of another tile.

    So it is where it never branches and lies in line, or counts as one half at a tip.
    """
    if double.spinner or _chooses_on_enclosing(rules) or rules.score.kind == "equal_ends":
        return False
    return rules.layout.doubles_lie == "inline" or rules.score.tip_double == "single"


def alike(rules: Ruleset, frontier: Frontier) -> Frontier:
    """Return a value that is equal for tables which no later play or score tells apart.

    Where nothing scores, a double that never branches is an end like any other; the frontier
    itself still knows it, because the sum of the ends is shown all the same.
    """
    if rules.score.kind != "none" or _chooses_on_enclosing(rules):
        return frontier
    halves, doubles = list(frontier.halves), []
    for double in frontier.doubles:
        if double.spinner:
            doubles.append(double)
        else:
            halves += [Half(double.pip)] * (2 - double.main)
    return Frontier(tuple(sorted(halves)), tuple(doubles), frontier.taken)


def _canonical(rules: Ruleset, halves: list[Half], doubles: list[Double], taken: bool) -> Frontier:
    kept: list[Double] = []
    for double in doubles:
        if is_plain(rules, double):
            halves += [Half(double.pip)] * (2 - double.main)
        else:
            kept.append(double)
    return Frontier(tuple(sorted(halves)), tuple(sorted(kept)), taken)
