"""What to ask next: spaced repetition over families and puzzles, and ratings of both sides.

Right is `Good` and wrong is `Again`, nothing else; intervals end at 60 days; one review of a
subject a day counts (tutor.md, section 4.6).
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from sniffcli.tutor.store import Answered, CardRow, Rating, Store

if TYPE_CHECKING:
    from fsrs import Scheduler

#: Longest interval in days.
LONGEST = 60
#: The rating of somebody who has not answered yet, and how uncertain it is.
NEWCOMER = Rating(1000.0, 350.0)
#: How uncertain the stated difficulty of a puzzle is.
STATED = 150.0
PLAYER = "player"
#: So many of the latest answers say how well a family goes.
RECENT = 20


class Subject(NamedTuple):
    """Something that can be asked about, with how well it goes."""

    name: str
    #: The chance to know it now, by spaced repetition; None for what was never asked.
    recall: float | None
    due: bool
    #: The share of right answers lately, drawn to one half where there are few.
    accuracy: float


def scheduler() -> Scheduler:
    """Return the scheduler: default weights, no steps within a day, no chance in intervals."""
    from fsrs import Scheduler

    return Scheduler(
        learning_steps=(), relearning_steps=(), maximum_interval=LONGEST, enable_fuzzing=False
    )


def reviewed(row: CardRow | None, subject: str, right: bool, at: float) -> CardRow:
    """Return the card after an answer; the second one of a day changes nothing."""
    from fsrs import Card
    from fsrs import Rating as Grade

    when = datetime.fromtimestamp(at, UTC)
    day = when.date().isoformat()
    if row is not None and row.counted_on == day:
        return row
    card = Card(card_id=1) if row is None else Card.from_dict(json.loads(row.card))
    card, _ = scheduler().review_card(card, Grade.Good if right else Grade.Again, when)
    return CardRow(subject, json.dumps(card.to_dict()), card.due.timestamp(), day)


def recall(row: CardRow, at: float) -> float:
    """Return the chance that the subject of a card is known at a moment."""
    from fsrs import Card

    when = datetime.fromtimestamp(at, UTC)
    return float(scheduler().get_card_retrievability(Card.from_dict(json.loads(row.card)), when))


def rated(player: Rating, puzzle: Rating, right: bool) -> tuple[Rating, Rating]:
    """Return the ratings of a player and a puzzle after they met (Glicko-2)."""
    return _after(player, puzzle, right), _after(puzzle, player, not right)


def _after(one: Rating, other: Rating, won: bool) -> Rating:
    import glicko2

    player = glicko2.Player(rating=one.rating, rd=one.deviation, vol=one.volatility)
    player.update_player([other.rating], [other.deviation], [int(won)])
    return Rating(player.rating, player.rd, player.vol)


def keep(
    store: Store, profile: str, answered: Answered, difficulty: int | None = None
) -> tuple[Rating, Rating] | None:
    """Keep an answer with everything that follows from it, in one step.

    DIFFICULTY is the stated rating of a puzzle of a file; items of a family have none. Returns the
    player's rating before and after, where it changed. Answers of the probe set and answers after
    a hint change no card and no rating.
    """
    with store.writing():
        store.add(profile, answered)
        if not answered.rated or answered.probe:
            return None
        subject = answered.item if difficulty is not None else f"family:{answered.family}"
        row = store.card(profile, subject)
        store.put_card(profile, reviewed(row, subject, answered.correct, answered.at))
        if difficulty is None:
            return None
        before = store.rating(profile, PLAYER) or NEWCOMER
        puzzle = store.rating(profile, answered.item) or Rating(float(difficulty), STATED)
        after, puzzle = rated(before, puzzle, answered.correct)
        store.put_rating(profile, PLAYER, after)
        store.put_rating(profile, answered.item, puzzle)
        return before, after


def subjects(
    names: Sequence[str], cards: Mapping[str, CardRow], answers: Sequence[Answered], at: float
) -> list[Subject]:
    """Return how well each of the families with these NAMES goes."""
    lately: dict[str, list[bool]] = {}
    for one in answers:
        if one.rated and not one.probe:
            lately.setdefault(one.family, []).append(one.correct)
    found = []
    for name in names:
        row = cards.get(f"family:{name}")
        results = lately.get(name, [])[-RECENT:]
        accuracy = (sum(results) + 1) / (len(results) + 2)
        known = None if row is None else recall(row, at)
        found.append(Subject(name, known, row is None or row.due <= at, accuracy))
    return found


def next_family(found: Sequence[Subject], rng: random.Random) -> str:
    """Return the family to ask: due ones first, the least known most often, else the weakest."""
    due = [one for one in found if one.due]
    pool = due or list(found)
    weights = [
        1.05 - (one.recall if due and one.recall is not None else one.accuracy) for one in pool
    ]
    return drawn([one.name for one in pool], weights, rng)


def drawn(names: Sequence[str], weights: Sequence[float], rng: random.Random) -> str:
    """Return one of the names, each with a chance in proportion to its weight."""
    left = rng.random() * sum(weights)
    for name, weight in zip(names, weights, strict=True):
        left -= weight
        if left < 0:
            return name
    return names[-1]


def next_puzzle(
    difficulties: Mapping[str, int],
    cards: Mapping[str, CardRow],
    player: Rating,
    at: float,
    rng: random.Random,
) -> str | None:
    """Return the puzzle to ask: one that is due again, else a new one about the player's level.

    Returns None where every puzzle is known for now.
    """
    due = [name for name in difficulties if name in cards and cards[name].due <= at]
    if due and rng.random() < 0.6:
        return min(due, key=lambda name: recall(cards[name], at))
    fresh = [name for name in difficulties if name not in cards]
    if not fresh:
        return min(due, key=lambda name: recall(cards[name], at)) if due else None
    near = sorted(fresh, key=lambda name: (abs(difficulties[name] - player.rating), name))
    return near[int(rng.random() * min(len(near), 12))]
