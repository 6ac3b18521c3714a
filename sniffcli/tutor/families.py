"""Families of counting items: what is trained, and how a fresh position of each kind is found.

Items are generated, so what is scheduled are these families and never single positions
(tutor.md, section 4.6).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from sniffcli.files.puzzles import Ask
from sniffcli.game.actions import Action, Draw, Finish, Pass
from sniffcli.game.legal import draw_refusal, legal_plays
from sniffcli.game.match import deal_round, new_match, sides_of
from sniffcli.game.plays import named
from sniffcli.game.state import Setup, State
from sniffcli.game.turn import apply
from sniffcli.ruleset.loading import load_ruleset
from sniffcli.ruleset.model import Ruleset
from sniffcli.table.counting import count, halves_counted, worth
from sniffcli.table.frontier import open_ends

#: Players of generated positions.
NAMES = ("Ann", "Bob", "Cy", "Di", "Ed")
#: Rounds looked through for one item before a family counts as impossible under a ruleset.
MOST_ROUNDS = 400


@dataclass(frozen=True, slots=True)
class Family:
    """One skill: the question, where it is asked, and which positions belong to it."""

    name: str
    title: str
    ask: Ask
    ruleset: str
    fits: Callable[[State], bool]
    #: Items that score and items that do not come equally often.
    balanced: bool = False
    #: Rounds are not played on after so many tiles.
    longest: int = 99


def parts(state: State) -> list[tuple[int, int]]:
    """Return the ends that count: the pip and how many halves of it (2 for a double)."""
    found = [(half.pip, 1) for half in state.frontier.halves]
    for double in state.frontier.doubles:
        halves = halves_counted(state.rules, double)
        if halves:
            found.append((double.pip, halves))
    return found


def _doubles(state: State) -> int:
    return sum(halves == 2 for _, halves in parts(state))


def _lone(state: State) -> bool:
    return len(state.layout.placed) == 1


def enclosed_spinner(state: State) -> bool:
    """Whether a spinner lies on the table whose ends are open and count nothing."""
    return any(
        double.spinner and double.main == 2 and not halves_counted(state.rules, double)
        for double in state.frontier.doubles
    )


def _two_ends(state: State) -> bool:
    return len(parts(state)) == 2 and not _doubles(state) and not _lone(state)


def _one_arm(state: State) -> bool:
    return any(d.spinner and d.covered == 1 for d in state.frontier.doubles) and not _lone(state)


def _plain_tip(state: State) -> bool:
    """Whether exactly one end is a double, and that one is not the spinner."""
    spinner = any(
        double.spinner and halves_counted(state.rules, double) for double in state.frontier.doubles
    )
    return _doubles(state) == 1 and not spinner and not _lone(state)


def _can_score(state: State) -> bool:
    """Whether some plays of the seat to move score, others do not, and one is the best."""
    if state.hands[state.turn].unknown:
        return False
    points = sorted(worth(state.rules, move.frontier) for move in legal_plays(state))
    return len(points) >= 3 and points[-1] > points[-2] and points[0] == 0


FAMILIES: tuple[Family, ...] = (
    Family(
        "two-ends",
        "Two plain ends",
        "count",
        "all-fives",
        lambda s: _two_ends(s) and not enclosed_spinner(s),
    ),
    Family("double-end", "A double at an end", "count", "all-fives", _plain_tip),
    Family(
        "spinner-alone",
        "The first double alone",
        "count",
        "all-fives",
        lambda s: _lone(s) and _doubles(s) == 1,
        longest=1,
    ),
    Family("spinner-one-arm", "A spinner with one arm", "count", "all-fives", _one_arm),
    Family(
        "spinner-enclosed",
        "A spinner with both sides covered",
        "count",
        "all-fives",
        lambda s: enclosed_spinner(s) and _two_ends(s),
    ),
    Family("three-ends", "Three ends", "count", "all-fives", lambda s: len(parts(s)) == 3),
    Family("four-ends", "Four ends", "count", "all-fives", lambda s: len(parts(s)) == 4),
    Family(
        "over-twenty",
        "Sums over 20",
        "count",
        "all-fives",
        lambda s: count(s.rules, s.frontier) > 20,
    ),
    Family(
        "zero-ends",
        "Ends with a blank",
        "count",
        "all-fives",
        lambda s: 0 in open_ends(s.rules, s.frontier) and len(parts(s)) >= 2,
    ),
    Family("threes", "Multiples of three", "points", "all-threes", lambda s: not _lone(s), True),
    Family("both", "Fives and Threes", "points", "fives-and-threes", lambda s: not _lone(s), True),
    Family("claim", "Claim or not", "claim", "dreamtime-sniff", lambda s: not _lone(s), True),
    Family("placement", "The placement that scores", "best-score", "all-fives", _can_score),
    Family(
        "reply", "The most that the next player can score", "best-score", "all-fives", _can_score
    ),
)

BY_NAME = {family.name: family for family in FAMILIES}

_RULES: dict[str, Ruleset] = {}


def rules_of(name: str) -> Ruleset:
    """Return a shipped ruleset, read once."""
    if name not in _RULES:
        rules, problems = load_ruleset(name)
        assert rules is not None, problems
        _RULES[name] = rules
    return _RULES[name]


def setup_of(rules: Ruleset, players: int) -> Setup:
    """Return a table of the usual players, partners where the ruleset has them."""
    sides = sides_of(players, teams=rules.teams_required(players))
    return Setup(rules, NAMES[:players], sides)


def random_round(
    setup: Setup,
    rng: random.Random,
    choose: Callable[[State, random.Random], Action] | None = None,
) -> Iterator[State]:
    """Yield the positions of a round from a random deal, each after a tile was laid.

    CHOOSE decides what is done; by default any legal play is as likely.
    """
    state, _ = deal_round(new_match(setup), rng)
    pick = choose or random_action
    while not state.over and state.closing is None:
        action = pick(state, rng)
        state, event = apply(state, action)
        if event.kind == "play":
            yield state


def random_action(state: State, rng: random.Random) -> Action:
    """Return any legal play, else the draw, else the pass."""
    if state.closing is not None:
        return Finish(seat=state.turn)
    found = legal_plays(state)
    if found:
        move = found[int(rng.random() * len(found))]
        return named(state.turn, state.setup, state.layout, state.frontier, move)
    if draw_refusal(state) is None:
        return Draw(seat=state.turn)
    return Pass(seat=state.turn)


def position_for(family: Family, rng: random.Random) -> State:
    """Return a random position that belongs to FAMILY."""
    setup = setup_of(rules_of(family.ruleset), 2)
    wanted = rng.random() < 0.5 if family.balanced else None
    for _ in range(MOST_ROUNDS):
        found = [
            state
            for state in islice(random_round(setup, rng), family.longest)
            if family.fits(state)
            and not state.over
            and (wanted is None or wanted == (worth(state.rules, state.frontier) > 0))
        ]
        if found:
            return shuffled_one(found, rng)
    raise LookupError(f"no position of the family {family.name} was found")


def shuffled_one(found: list[State], rng: random.Random) -> State:
    """Return one of several positions, each as likely."""
    return found[int(rng.random() * len(found))]
