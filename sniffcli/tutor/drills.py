"""Drills: a question as it is asked, answered and explained; no keyboard and no screen in here."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from sniffcli.files.notation import NotationError, parse_action
from sniffcli.files.puzzles import (
    NUMBERS,
    ONE_PLAY,
    Answer,
    Given,
    Number,
    Puzzle,
    answer_text,
)
from sniffcli.game.actions import Draw, Pass, Play, Refusal
from sniffcli.game.state import State
from sniffcli.tiles import Tile, TileError, parse_tile
from sniffcli.tutor.drill_errors import Mistake, mistake
from sniffcli.tutor.families import BY_NAME, position_for
from sniffcli.tutor.puzzle_check import find
from sniffcli.tutor.puzzle_make import bare_puzzle
from sniffcli.tutor.puzzle_themes import scene_of
from sniffcli.tutor.puzzle_values import Effort
from sniffcli.tutor.puzzle_words import explanation_for, hints_for
from sniffcli.tutor.puzzles import Finding, Option, is_right, key_of, position_of_puzzle
from sniffcli.tutor.store import Answered

#: Worlds that a question with hidden hands looks at before it is asked.
EFFORT = Effort(worlds=1_000)


class AnswerError(ValueError):
    """Text that answers nothing; the message says what to write."""


@dataclass(frozen=True)
class Question:
    """A question with everything that is known about it."""

    puzzle: Puzzle
    state: State
    finding: Finding
    #: The family of a generated item; for a puzzle of a file its kind.
    family: str
    #: The rating that a file states; None for a generated item.
    difficulty: int | None = None
    #: Whether it belongs to the probe set.
    probe: bool = False

    @property
    def item(self) -> str:
        """The name under which answers to it are kept."""
        return self.puzzle.id if self.difficulty is None else f"puzzle:{self.puzzle.id}"

    @property
    def seat(self) -> str:
        """The name of the seat to move."""
        return self.state.setup.names[self.state.turn]


@dataclass(frozen=True)
class Verdict:
    """What an answer was."""

    right: bool
    given: str
    #: The option that was chosen, where plays were asked for.
    chosen: Option | None = None
    mistake: Mistake | None = None
    late: bool = False
    #: Whether the solution was asked for instead.
    gave_up: bool = False


@dataclass
class Session:
    """One sitting: what was asked so far and how it went."""

    name: str
    right: int = 0
    asked: int = 0
    streak: int = 0
    best_streak: int = 0
    seen: list[str] = field(default_factory=list)

    def note(self, question: Question, right: bool) -> None:
        """Count an answer."""
        self.asked += 1
        self.right += right
        self.streak = self.streak + 1 if right else 0
        self.best_streak = max(self.best_streak, self.streak)
        self.seen.append(question.item)


def question_of(puzzle: Puzzle, effort: Effort = EFFORT) -> Question:
    """Return a puzzle of a file as a question.

    Raises:
        ValueError: the puzzle has a problem that `sniff puzzle check` tells.
    """
    state, problems = position_of_puzzle(puzzle)
    if state is None:
        raise ValueError(problems[0].message if problems else "the position cannot be reached")
    finding = find(puzzle, state, effort)
    return Question(puzzle, state, finding, puzzle.ask, puzzle.difficulty)


def item_of(family: str, seed: int, *, probe: bool = False) -> Question:
    """Return a fresh item of a family; the same seed gives the same item."""
    wanted = BY_NAME[family]
    label = "probe" if probe else "item"
    state = position_for(wanted, random.Random(f"{label}/{family}/{seed}"))
    puzzle = bare_puzzle(wanted.ask, state, wanted.ruleset)
    now, _ = position_of_puzzle(puzzle)
    assert now is not None, "a position that was played can be reached"
    finding = find(puzzle, now, EFFORT)
    puzzle = replace(puzzle, id=f"{label}:{family}:{seed}", answer=Given(finding.right[0]))
    scene = scene_of(now, finding)
    puzzle = replace(
        puzzle, hints=hints_for(puzzle, scene), explanation=explanation_for(puzzle, scene)
    )
    return Question(puzzle, now, finding, family, probe=probe)


def asked_in_words(question: Question) -> str:
    """Return the question as a sentence."""
    puzzle, names = question.puzzle, question.state.setup.names
    match puzzle.ask:
        case "count":
            return "What do the ends add up to?"
        case "points":
            return "What is the last tile worth?"
        case "claim":
            return "How much do you claim for the last tile (0 for nothing)?"
        case "best-score":
            return f"{question.seat} is to play. Which play scores most now?"
        case "best-play":
            return f"{question.seat} is to play. What is the best play?"
        case "value":
            return (
                f"{question.seat} is to play. By how many points is {question.seat}'s side ahead "
                "from now to the end of the round, with best play?"
            )
        case "legal-plays":
            return f"{question.seat} is to play. Which plays are legal?"
    assert puzzle.of is not None, "the question names a hand"
    may = "can certainly not" if puzzle.never else "may"
    return f"Which of the tiles that {question.seat} cannot see {may} be with {names[puzzle.of]}?"


def form_of(question: Question) -> str:
    """Return how an answer is written."""
    ask = question.puzzle.ask
    if ask in NUMBERS:
        return "a number, like 15"
    if ask in ONE_PLAY:
        return "a play, like 6-3 on 6-6"
    if ask == "legal-plays":
        return "plays with commas between them, like 6-3 on 6-6, 2-1 on 5-2"
    return "tiles, like 6-3 5-2; or none"


def parse_answer(question: Question, text: str) -> Answer:
    """Read an answer.

    Raises:
        AnswerError: the text is no answer to this question, or an illegal play where it is not
            asked which are legal.
    """
    ask = question.puzzle.ask
    words = text.strip()
    if ask in NUMBERS:
        if not re.fullmatch(r"[+-]?[0-9]{1,6}(?:\.[0-9]{1,6})?", words):
            raise AnswerError(f"{words!r} is no number; write {form_of(question)}")
        return Number(float(words), len(words.partition(".")[2]))
    given: Answer
    if ask in ONE_PLAY:
        given = _play(question, words)
    else:
        parts = [one.strip() for one in re.split(r"[,;]", words) if one.strip()]
        if words.lower() in ("none", "-", ""):
            parts = []
        if ask == "legal-plays":
            plays = [_play(question, one) for one in parts]
            given = tuple(one for one in plays if isinstance(one, Play))
        else:
            given = _tiles(parts)
            _may_be_held(question, given)
    key = key_of(question.state, given)
    asked = ask == "legal-plays" and isinstance(key, Refusal) and key.code == "illegal"
    if isinstance(key, Refusal) and not asked:
        raise AnswerError(key.message)
    return given


def _may_be_held(question: Question, tiles: Sequence[Tile]) -> None:
    """Refuse tiles that nobody holds, as plays of them are refused: a slip, and no answer."""
    state = question.state
    for tile in tiles:
        if tile not in state.setup.tiles:
            raise AnswerError(f"{tile} is not in the set of this game")
        if tile in state.layout.tiles:
            raise AnswerError(f"{tile} is on the table already")


def _play(question: Question, text: str) -> Play | Draw | Pass:
    try:
        action = parse_action(text, question.state.turn, question.state.setup.names)
    except NotationError as problem:
        raise AnswerError(str(problem)) from None
    if not isinstance(action, Play | Draw | Pass):
        raise AnswerError(f"{text!r} is no play; write {form_of(question)}")
    return action


def _tiles(parts: Sequence[str]) -> tuple[Tile, ...]:
    try:
        return tuple(parse_tile(word) for part in parts for word in part.split())
    except TileError as problem:
        raise AnswerError(str(problem)) from None


def judged(question: Question, given: Answer, *, late: bool = False) -> Verdict:
    """Return what an answer is; one that came too late is wrong."""
    state, finding = question.state, question.finding
    right = is_right(state, given, _accepted(question)) and not late
    options = {key_of(state, one.action): one for one in finding.options}
    chosen = options.get(key_of(state, given)) if isinstance(given, Play | Draw | Pass) else None
    kind = None if right or late else mistake(question.puzzle, state, finding, given)
    return Verdict(right, answer_text(given), chosen, kind, late)


def _accepted(question: Question) -> list[Answer]:
    """Return every right answer: those that the engine finds now, and those of a proved file."""
    puzzle = question.puzzle
    return [*question.finding.right, puzzle.answer.answer, *(one.answer for one in puzzle.accept)]


def kept_as(
    question: Question,
    verdict: Verdict,
    *,
    seconds: float | None,
    hints: int,
    hidden: bool,
    at: float,
    session: str,
) -> Answered:
    """Return an answer as it is kept; after a hint it is not rated."""
    return Answered(
        item=question.item,
        family=question.family,
        ask=question.puzzle.ask,
        ruleset=question.puzzle.record.rules.id,
        expected=answer_text(question.finding.right[0]),
        given=verdict.given,
        correct=verdict.right,
        seconds=seconds,
        hidden=hidden,
        hints=hints,
        rated=not hints,
        error="late" if verdict.late else verdict.mistake,
        probe=question.probe,
        features=features_of(question),
        at=at,
        session=session,
    )


def features_of(question: Question) -> dict[str, int]:
    """Return what makes an item hard: ends, doubles among them, the sum."""
    from sniffcli.tutor.families import parts

    state = question.state
    if state.frontier.is_empty:
        return {}
    ends = parts(state)
    return {
        "ends": len(ends),
        "doubles": sum(halves == 2 for _, halves in ends),
        "sum": sum(pip * halves for pip, halves in ends),
    }
