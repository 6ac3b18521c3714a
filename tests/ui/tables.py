"""Tables for tests: sessions on a told clock, with hands that are known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sniffcli.files.games import read_game
from sniffcli.files.records import GameRecord
from sniffcli.ruleset.loading import load_ruleset
from sniffcli.ruleset.model import Ruleset
from sniffcli.ui.clock import Clock, ScriptClock
from sniffcli.ui.seating import Wish, dealt, opened
from sniffcli.ui.session import Options, Session


def rules_of(name: str, overrides: dict[Any, Any] | None = None) -> Ruleset:
    rules, problems = load_ruleset(name, None, overrides)
    assert rules is not None, problems
    return rules


def record_of(text: str) -> GameRecord:
    record, problems = read_game(text, "game.yaml")
    assert record is not None, problems
    assert not problems, problems
    return record


def session_of(
    text: str, *, clock: Clock | None = None, options: Options | None = None, bots: bool = False
) -> Session:
    """Return a session in which the first round of a game text is about to be played."""
    game, _ = dealt(record_of(text), clock or ScriptClock(), 0)
    game.bots_on = bots
    return Session(game, options or Options())


def random_session(
    rules: str, seed: int, levels: Sequence[str], people: Sequence[str] = (), **overrides: Any
) -> Session:
    wish = Wish(
        rules_of(rules, overrides), rules, overrides, tuple(people), tuple(levels), seed=seed
    )
    game, _ = opened(wish, ScriptClock())
    return Session(game, Options())


SNIFF = """
sniff: 1
ruleset: dreamtime-sniff
players: [Ann, Bob]
{seats}
scores: {{Ann: {ann}, Bob: {bob}}}
rounds:
  - hands:
      Ann: [5-5, 6-6, 6-4, 4-1, 3-0, 2-2, 1-0]
      Bob: [5-0, 5-4, 5-1, 4-4, 3-2, 6-3, 6-2]
    boneyard: [3-3, 1-1, 0-0, 2-0, 2-1, 3-1, 4-0, 4-2, 4-3, 5-2, 5-3, 6-0, 6-1, 6-5]
"""


def sniff_text(*, bot: bool = False, ann: int = 0, bob: int = 0) -> str:
    seats = "seats: {Bob: {bot: greedy}}" if bot else ""
    return SNIFF.format(seats=seats, ann=ann, bob=bob)


FIVES = """
sniff: 1
ruleset: all-fives
overrides: {deal: {hand: {2: 7}}}
players: [Ann, Bob]
rounds:
  - hands:
      Ann: [6-4, 4-3, 2-2, 3-2, 5-2, 6-3, 6-1]
      Bob: [4-0, 5-5, 5-4, 6-2, 0-0, 5-0, 3-1]
    boneyard: [3-3, 4-4, 1-0, 5-1, 2-0, 2-1, 3-0, 5-3, 4-1, 6-0, 6-6, 6-5, 4-2, 1-1]
    leader: Bob
"""
