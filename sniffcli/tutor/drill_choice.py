"""Which question comes next: by schedule from the store, or plainly in the order of the files."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sniffcli.files.puzzles import Puzzle
from sniffcli.tutor.drills import Question, item_of, question_of
from sniffcli.tutor.families import FAMILIES
from sniffcli.tutor.puzzles import Unprovable
from sniffcli.tutor.schedule import NEWCOMER, PLAYER, next_family, next_puzzle, subjects
from sniffcli.tutor.store import Answered, Store

#: After so many sittings the probe set is due, and so many items of each family are in it.
PROBE_EVERY = 5
PROBE_ITEMS = 2
#: The largest seed of a generated item.
SEEDS = 1 << 31


@dataclass
class Chooser:
    """Chooses questions for one profile."""

    store: Store
    profile: str
    rng: random.Random
    families: Sequence[str] = field(default_factory=lambda: [one.name for one in FAMILIES])
    puzzles: Sequence[Puzzle] = ()
    #: Items of this session, which are not asked twice.
    asked: set[str] = field(default_factory=set)

    def next(self, at: float) -> Question | None:
        """Return the next question; None where there is nothing to ask."""
        if self.puzzles and (not self.families or self.rng.random() < 0.5):
            found = self._puzzle(at)
            if found is not None:
                return found
        if self.families:
            return self._item(at)
        return self._puzzle(at) if self.puzzles else None

    def _item(self, at: float) -> Question:
        cards = {one.subject: one for one in self.store.cards(self.profile)}
        known = subjects(self.families, cards, self.store.answers(self.profile), at)
        family = next_family(known, self.rng)
        return item_of(family, int(self.rng.random() * SEEDS))

    def _puzzle(self, at: float) -> Question | None:
        cards = {one.subject: one for one in self.store.cards(self.profile)}
        left = {f"puzzle:{one.id}": one for one in self.puzzles}
        left = {name: one for name, one in left.items() if name not in self.asked}
        difficulties = {name: one.difficulty for name, one in left.items()}
        player = self.store.rating(self.profile, PLAYER) or NEWCOMER
        name = next_puzzle(difficulties, cards, player, at, self.rng)
        if name is None:
            return None
        self.asked.add(name)
        return question_of(left[name])


def in_order(puzzles: Sequence[Puzzle]) -> Iterator[Question]:
    """Yield puzzles as questions in the order of their files.

    Raises:
        ValueError: a puzzle cannot be used; the message names it.
    """
    for puzzle in puzzles:
        try:
            yield question_of(puzzle)
        except (ValueError, Unprovable) as problem:
            raise ValueError(f"{puzzle.id}: {problem}") from None


def probe_is_due(answers: Sequence[Answered]) -> bool:
    """Whether enough sittings went by since the probe set was asked, or were made without it."""
    since: set[str] = set()
    for one in answers:
        since = set() if one.probe else since | {one.session}
    return len(since) >= PROBE_EVERY


def probe_set(families: Sequence[str]) -> list[Question]:
    """Return the fixed probe set: the same items for everybody and for ever, never trained on."""
    return [
        item_of(family, number, probe=True) for number in range(PROBE_ITEMS) for family in families
    ]
