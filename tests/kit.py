"""What rule tests share: rulesets with house rules, and tables built from written plays."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from sniffcli.game.actions import Catch, Claim, Draw, Finish, Keelhaul, Pass, Play, Refusal
from sniffcli.game.match import new_match, sides_of, start_round
from sniffcli.game.plays import resolve
from sniffcli.game.state import Boneyard, Hand, Setup, State
from sniffcli.game.turn import apply, verify
from sniffcli.ruleset.loading import load_ruleset
from sniffcli.ruleset.model import Ruleset
from sniffcli.table.counting import count, worth
from sniffcli.table.frontier import EMPTY, open_ends
from sniffcli.table.layout import EMPTY_LAYOUT
from sniffcli.tiles import Tile, parse_tile

NAMES = ("Ann", "Bob", "Cy", "Di", "Ed")


def nested(settings: dict[str, Any]) -> dict[str, Any]:
    """Turn `{"match.target": 61}` into nested mappings, as `--set` does."""
    found: dict[str, Any] = {}
    for path, value in settings.items():
        inner = found
        *steps, last = path.split(".")
        for step in steps:
            inner = inner.setdefault(step, {})
        inner[last] = value
    return found


def ruleset(base: str = "all-fives", settings: dict[str, Any] | None = None) -> Ruleset:
    """Return a shipped ruleset with house rules."""
    rules, problems = load_ruleset(base, settings=nested(settings or {}))
    assert rules is not None, "\n".join(str(one) for one in problems)
    return rules


PLAY = re.compile(
    r"(?P<tile>\S+)(?: on (?P<on>\S+))?(?: (?P<part>side|tip))?"
    r"(?: at (?P<at>\d+))?(?: out (?P<out>\d+))?"
)


def play(text: str, seat: int = 0, after: float | None = None) -> Play:
    """Read a play in the form of the contract, section 2."""
    found = PLAY.fullmatch(text)
    assert found, text
    on = found["on"]
    by_pip = on is not None and on.isdigit()
    return Play(
        seat=seat,
        after=after,
        tile=parse_tile(found["tile"]),
        on=parse_tile(on) if on and not by_pip else None,
        on_pip=int(on) if on and by_pip else None,
        part=found["part"],  # type: ignore[arg-type]
        at=int(found["at"]) if found["at"] else None,
        out=int(found["out"]) if found["out"] else None,
    )


class Table(NamedTuple):
    """What a row of plays leads to: per play the sum and the points, then the ends."""

    sums: list[int]
    points: list[int]
    ends: list[int]


def setup_of(
    rules: Ruleset, players: int = 2, *, teams: bool = False, misjoins_stand: bool = False
) -> Setup:
    return Setup(
        rules, NAMES[:players], sides_of(players, teams=teams), misjoins_stand=misjoins_stand
    )


def lay(rules: Ruleset, *plays: str) -> Table:
    """Lay the plays on an empty table; fail on the first that is refused."""
    found = attempt_table(rules, *plays)
    assert not isinstance(found, Refusal), found
    return found


def attempt_table(rules: Ruleset, *plays: str) -> Table | Refusal:
    """Lay the plays on an empty table, or return the first refusal."""
    setup = setup_of(rules, max(2, rules.players.min))
    layout, frontier = EMPTY_LAYOUT, EMPTY
    sums, points = [], []
    for text in plays:
        move = resolve(setup, layout, frontier, play(text))
        if isinstance(move, Refusal):
            return move
        layout, frontier = layout.with_move(rules, move), move.frontier
        sums.append(count(rules, frontier))
        points.append(worth(rules, frontier))
    return Table(sums, points, list(open_ends(rules, frontier)))


def tiles(text: str) -> tuple[Tile, ...]:
    """Read tiles parted by spaces."""
    return tuple(parse_tile(one) for one in text.split())


def hand(text: str | int) -> Hand:
    """Read a hand: tiles, or a number of unknown ones."""
    return Hand((), text) if isinstance(text, int) else Hand(tiles(text))


def start(
    rules: Ruleset,
    hands: Sequence[str | int],
    boneyard: str | int = "",
    *,
    leader: int = 0,
    scores: Sequence[int] | None = None,
    table: Sequence[str] = (),
    teams: bool = False,
    must_lead: str | None = None,
    misjoins_stand: bool = False,
    passes: int = 0,
    bots: Sequence[int] = (),
) -> State:
    """Return a round with these hands, on an empty table or on one built from plays."""
    setup = Setup(
        rules,
        NAMES[: len(hands)],
        sides_of(len(hands), teams=teams),
        bots=frozenset(bots),
        misjoins_stand=misjoins_stand,
    )
    layout, frontier = EMPTY_LAYOUT, EMPTY
    for text in table:
        move = resolve(setup, layout, frontier, play(text))
        assert not isinstance(move, Refusal), move
        layout, frontier = layout.with_move(rules, move), move.frontier
    yard = Boneyard((), boneyard) if isinstance(boneyard, int) else Boneyard(tiles(boneyard))
    return start_round(
        new_match(setup, scores),
        [hand(one) for one in hands],
        yard,
        leader,
        layout=layout,
        frontier=frontier,
        passes=passes,
        must_lead=None if must_lead is None else parse_tile(must_lead),
    )


def action(state: State, text: str) -> Any:
    """Read `Bob: draw 5-2 after 3s`; without a name the seat to move acts."""
    seat = state.turn
    name, colon, rest = text.partition(": ")
    if colon:
        seat, text = state.setup.names.index(name), rest
    after = None
    timed = re.fullmatch(r"(.*) after ([\d.]+)\s?s", text)
    if timed:
        text, after = timed[1], float(timed[2])
    verb, _, rest = text.partition(" ")
    when: dict[str, Any] = {"seat": seat, "after": after}
    match verb:
        case "draw":
            return Draw(**when, tile=parse_tile(rest) if rest else None)
        case "pass":
            return Pass(**when)
        case "claim":
            return Claim(**when, points=int(rest) if rest else None)
        case "catch":
            return Catch(**when, target=state.setup.names.index(rest))
        case "keelhaul":
            return Keelhaul(**when, target=state.setup.names.index(rest))
        case "finish":
            return Finish(**when)
    return play(text, seat, after)


def run(state: State, *texts: str) -> State:
    """Do the actions; fail on the first that is refused."""
    for text in texts:
        state, _ = apply(state, action(state, text))
    return state


def refused(state: State, text: str) -> str:
    """Return the message with which an action is refused."""
    refusal = verify(state, action(state, text))
    assert refusal is not None, f"{text} is allowed"
    return refusal.message
