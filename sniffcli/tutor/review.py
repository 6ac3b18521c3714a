"""Review of a played game: every decision with its choices, and what became of every score.

Without a grader a decision is judged by points alone: what the play scored, and what the best
scoring play would have scored. That is a fact of the turn and not a judgement of the play; the
judgement (value, loss, grade) comes from a `Grader`, which sees only what the seat could know.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, Protocol, get_args

from sniffcli.files.remarks import read_remarks
from sniffcli.files.replay import Replay, RoundReplay, Step
from sniffcli.game.actions import Action, Draw, Pass, Play, Refusal
from sniffcli.game.legal import draw_refusal, legal_plays, pass_refusal
from sniffcli.game.plays import named, text_of
from sniffcli.game.state import Event, State
from sniffcli.game.turn import attempt
from sniffcli.game.view import View, view_of
from sniffcli.table.counting import count
from sniffcli.table.frontier import Frontier
from sniffcli.tutor.luck import Share, luck_of
from sniffcli.tutor.review_claims import ClaimReview, claims_of, false_claims

Status = Literal["graded", "forced", "not_established", "exact", "unknown_hand"]
Grade = Literal["equal", "slip", "inaccuracy", "mistake", "blunder"]

#: Grades that mean that something was lost.
COSTLY: tuple[Grade, ...] = ("inaccuracy", "mistake", "blunder")

#: All grades from the lightest to the heaviest.
GRADES: tuple[Grade, ...] = get_args(Grade)


#: Why a decision has no verdict that an interrupted analysis did not come to.
NOT_REACHED = "the analysis was stopped before"


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that the seat to move may do."""

    action: Action
    text: str
    #: Sum of the ends after it; None on an empty table.
    sum: int | None
    #: What it scores at once: credited where points count by themselves, claimable elsewhere.
    points: int
    #: The table after it.
    frontier: Frontier


class Valued(NamedTuple):
    """A choice with what a grader found: its value in points, what it loses, and match chance."""

    play: str
    points: int
    value: float
    loss: float
    loss_se: float
    win: float | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a grader found out about one decision. Margins and losses are in points."""

    status: Status
    value: float | None = None
    best: str | None = None
    best_value: float | None = None
    loss: float | None = None
    #: Standard error of the loss, paired on the same worlds.
    loss_se: float | None = None
    #: Loss as a chance to win the match, from 0 to 1.
    win_loss: float | None = None
    grade: Grade | None = None
    reasons: tuple[str, ...] = ()
    #: What the reasons leave unsaid of the difference, in a sentence.
    rest: str = ""
    #: How the choices were valued, on how many worlds, and what measures the loss: the margin, or
    #: the chance to win the match where the round is likely to end it.
    method: Literal["exact", "enumerated", "sampled"] | None = None
    worlds: int | None = None
    driver: Literal["margin", "match"] = "margin"
    #: The loss with the best picked on other worlds than those on which the loss was measured.
    held_out: float | None = None
    #: The chance to win the match after the play and after the best.
    win: float | None = None
    best_win: float | None = None
    #: What the play was compared with for `parts`: the best, or the next best if it is the best.
    against: str | None = None
    #: By part the margin of the better of the two less that of the other, and the errors of that.
    parts: Mapping[str, float] | None = None
    parts_se: Mapping[str, float] | None = None
    #: Remarks beside the grade: gave_away, missed_win, unpunished.
    tags: tuple[str, ...] = ()
    #: Every number that the reasons name.
    facts: Mapping[str, Any] = field(default_factory=dict)
    #: Every choice with its value, best first.
    options: tuple[Valued, ...] = ()
    #: Why there is no judgement, in words.
    note: str = ""

    @property
    def told(self) -> tuple[str, ...]:
        """The reasons and what is left, which add up to the whole difference."""
        return (*self.reasons, self.rest) if self.rest else self.reasons


class Grader(Protocol):
    """What turns choices into values; the search supplies it."""

    def grade(self, view: View, choices: tuple[Choice, ...], played: int) -> Verdict:
        """Judge choice number PLAYED of at least two, from what the seat could know."""
        ...


class Question(NamedTuple):
    """A decision that waits for its verdict."""

    view: View
    choices: tuple[Choice, ...]
    played: int


#: Answers all questions of a game, in their order.
Judge = Callable[[Sequence[Question]], Sequence[Verdict]]


@dataclass(frozen=True, slots=True)
class Decision:
    """One play, draw or pass of a record, held against everything else that was allowed."""

    round: int
    n: int
    seat: int
    event: Event
    #: Everything allowed; empty where the hand is not known.
    choices: tuple[Choice, ...]
    #: What the play scored at once, counted like the choices.
    points: int
    #: The most that any choice would have scored at once; None where the hand is not known.
    best_score: int | None
    verdict: Verdict
    #: Which of the choices was made; None for a hidden hand and for a false join.
    chosen: int | None = None

    @property
    def choice_text(self) -> str:
        """How the choice that was made is called among the choices."""
        return self.event.text if self.chosen is None else self.choices[self.chosen].text

    @property
    def missed_points(self) -> int | None:
        """Points left on the table in this turn."""
        return None if self.best_score is None else max(0, self.best_score - self.points)

    @property
    def is_real(self) -> bool:
        """Whether there was something to decide, as far as the record shows."""
        return self.verdict.status not in ("forced", "unknown_hand")

    @property
    def best_scoring(self) -> tuple[Choice, ...]:
        """The choices that score most."""
        return tuple(one for one in self.choices if one.points == self.best_score)


@dataclass(frozen=True, slots=True)
class SeatReview:
    """One seat over a whole game. Losses are None without a grader."""

    decisions: int
    forced: int
    unknown: int
    draws: int
    passes: int
    #: Points scored by plays, claimed or not.
    points: int
    missed_points: int | None
    claims_missed: int
    claims_caught: int
    false_claims: int
    loss: float | None
    #: Standard error of the total loss.
    loss_se: float | None
    loss_per_decision: float | None
    loss_per_round: float | None
    grades: dict[Grade, int]
    #: How many decisions could be judged.
    judged: int
    #: The margin over so many rounds in points: what leading or not lets expect, skill and luck.
    luck: float | None
    skill: float | None
    expected: float | None
    luck_rounds: int
    #: Rounds in which this seat acted.
    rounds: int
    #: What missed claims cost.
    claims_price: float
    #: The total loss with the best picked on other worlds (see `Verdict.held_out`).
    held_out: float | None


@dataclass(frozen=True, slots=True)
class GameReview:
    """A reviewed game."""

    replay: Replay
    decisions: tuple[Decision, ...]
    claims: tuple[ClaimReview, ...]
    seats: tuple[SeatReview, ...]
    #: Whether a grader took part.
    graded: bool
    #: By round and seat, what of the result was skill and what luck; empty without a grader.
    luck: tuple[tuple[Share | None, ...], ...] = ()
    #: What the grades depend on: worlds, seed, policy, program, rules, thresholds.
    made: Mapping[str, Any] = field(default_factory=dict)

    @property
    def not_reached(self) -> int:
        """Decisions that wait for a verdict because the analysis was stopped."""
        return sum(one.verdict.note == NOT_REACHED for one in self.decisions)

    @property
    def names(self) -> tuple[str, ...]:
        """The players in turn order."""
        return self.replay.record.players

    @property
    def scores(self) -> bool:
        """Whether plays score at all in this game."""
        return self.replay.record.rules.score.kind != "none"

    @property
    def needs_claims(self) -> bool:
        """Whether points count only when they are claimed."""
        return self.replay.record.rules.claim.mode == "declare"


def review(replay: Replay, grader: Grader | None = None) -> GameReview:
    """Return the review of a record that was played through."""
    if grader is None:
        return review_by(replay, None)
    return review_by(replay, lambda asked: [grader.grade(*question) for question in asked])


def review_by(replay: Replay, judge: Judge | None) -> GameReview:
    """Return the review of a record; JUDGE answers all questions of the game at once."""
    found = [
        _decision(one.number, step)
        for one in replay.rounds
        for step in one.steps
        if step.event.kind in ("play", "draw", "pass")
    ]
    claims = tuple(claim for one in replay.rounds for claim in claims_of(one))
    decisions = tuple(decision for decision, _ in found)
    if judge is not None:
        asked = [question for _, question in found if question is not None]
        verdicts = iter(judge(asked))
        decisions = tuple(
            decision
            if question is None
            else replace(
                decision, verdict=_remarked(replay, decision, question, claims, next(verdicts))
            )
            for decision, question in found
        )
    luck = _luck(replay, decisions, claims) if judge is not None else ()
    return GameReview(
        replay=replay,
        decisions=decisions,
        claims=claims,
        seats=tuple(
            _seat(replay, seat, decisions, claims, [one[seat] for one in luck])
            for seat in range(len(replay.record.players))
        ),
        graded=judge is not None,
        luck=luck,
    )


def without(one: GameReview, seat: int, places: Collection[tuple[int, int]]) -> SeatReview:
    """Return the figures of a seat without its decisions at some places (round and event)."""
    decisions = [d for d in one.decisions if d.seat != seat or (d.round, d.n) not in places]
    luck = [shares[seat] for shares in one.luck]
    return _seat(one.replay, seat, decisions, one.claims, luck)


def after_hints(one: GameReview) -> frozenset[tuple[int, int]]:
    """Return the decisions before which a hint was asked, as the notes of the record tell.

    Between the hint and the decision there may be a claim.
    """
    found: set[tuple[int, int]] = set()
    for number, event in read_remarks(one.replay.record.notes).hinted:
        later = [d.n for d in one.decisions if d.round == number and d.n >= event]
        found.update((number, n) for n in later[:1])
    return frozenset(found)


def _remarked(
    replay: Replay,
    decision: Decision,
    question: Question,
    claims: Sequence[ClaimReview],
    verdict: Verdict,
) -> Verdict:
    """Add the remarks that only the record can give: what was missed, and what went unpunished."""
    if verdict.best == question.choices[question.played].text:
        # Plays that lead to alike tables are one choice; it is called as the record calls it.
        verdict = replace(verdict, best=decision.event.text)
    tags = list(verdict.tags)
    if any(one.missed and (one.round, one.n) == (decision.round, decision.n) for one in claims):
        tags.append("missed_points")
    if verdict.grade in COSTLY and verdict.best_value is not None:
        made = _made(replay.rounds[decision.round - 1], decision)
        if made is not None and made >= verdict.best_value:
            tags.append("unpunished")
    return replace(verdict, tags=tuple(tags))


def _made(played: RoundReplay, decision: Decision) -> float | None:
    """Return the margin that a seat's side made from a decision to the end of the round."""
    step = next(one for one in played.steps if one.event.n == decision.n)
    result, end = played.result, played.end
    if result is None or result.bonus is None or end is None:
        return None
    made = [after - now for now, after in zip(step.before.scores, end.scores, strict=True)]
    side = end.setup.sides[decision.seat]
    return made[side] - (sum(made) - made[side]) / (len(made) - 1)


def _luck(
    replay: Replay, decisions: Sequence[Decision], claims: Sequence[ClaimReview]
) -> tuple[tuple[Share | None, ...], ...]:
    """Split the result of each round into skill and luck."""
    losses = [
        (one.round, one.seat, one.verdict.loss) for one in decisions if one.verdict.loss is not None
    ]
    losses += [(one.round, one.seat, one.price) for one in claims if one.missed]
    unknown = {
        one.round
        for one in decisions
        if one.verdict.status == "unknown_hand" or (one.is_real and one.verdict.loss is None)
    }
    return luck_of(replay, losses, unknown)


def choices_of(state: State) -> tuple[Choice, ...]:
    """Return everything that the seat to move may do, alike tables once; needs a known hand."""
    setup, seat = state.setup, state.turn
    found: list[Choice] = []
    for move in legal_plays(state):
        play = named(seat, setup, state.layout, state.frontier, move)
        done = attempt(state, play)
        assert not isinstance(done, Refusal), "a legal play is not refused"
        event = done[1]
        found.append(Choice(play, text_of(play), event.sum, scored(state, event), event.frontier))
    others: tuple[tuple[Action, Refusal | None], ...] = (
        (Draw(seat=seat), draw_refusal(state)),
        (Pass(seat=seat), pass_refusal(state)),
    )
    now = None if state.frontier.is_empty else count(state.rules, state.frontier)
    for action, refusal in others:
        if refusal is None and state.closing is None and not state.over:
            found.append(Choice(action, action.kind, now, 0, state.frontier))
    return tuple(found)


def scored(state: State, event: Event) -> int:
    """Return what an event scored: what is credited, or what may be claimed for it."""
    if state.rules.claim.mode == "automatic":
        return event.points
    return event.worth


def _decision(number: int, step: Step) -> tuple[Decision, Question | None]:
    """Return a decision, and the question to a grader where there was something to decide."""
    before, event = step.before, step.event
    points = scored(before, event)
    if before.hands[event.seat].unknown:
        verdict = Verdict("unknown_hand")
        return Decision(number, event.n, event.seat, event, (), points, None, verdict), None
    choices = choices_of(before)
    best = max((choice.points for choice in choices), default=points)
    played = _played(choices, event)
    question = None
    verdict = Verdict("not_established")
    if len(choices) < 2 and played is not None:
        verdict = Verdict("forced")
    elif played is None:
        verdict = Verdict("not_established", note="a false join that stood is none of the choices")
    else:
        question = Question(view_of(before, event.seat), choices, played)
    decision = Decision(number, event.n, event.seat, event, choices, points, best, verdict, played)
    return decision, question


def _played(choices: Sequence[Choice], event: Event) -> int | None:
    """Return which of the choices was taken; None for a false join."""
    for index, choice in enumerate(choices):
        if choice.action.kind != event.kind:
            continue
        if not isinstance(choice.action, Play):
            return index
        if choice.action.tile == event.tile and choice.frontier == event.frontier:
            return index
    return None


def _seat(
    replay: Replay,
    seat: int,
    decisions: Sequence[Decision],
    claims: Sequence[ClaimReview],
    luck: Sequence[Share | None],
) -> SeatReview:
    own = [one for one in decisions if one.seat == seat]
    real = [one for one in own if one.is_real]
    known = [one.missed_points for one in own if one.missed_points is not None]
    losses = [one.verdict.loss for one in real if one.verdict.loss is not None]
    errors = [one.verdict.loss_se or 0.0 for one in real if one.verdict.loss is not None]
    rounds = sum(1 for one in replay.rounds if any(s.event.seat == seat for s in one.steps))
    held = [one.verdict.held_out for one in real if one.verdict.held_out is not None]
    known_luck = [one for one in luck if one is not None]
    total = sum(losses) if losses else None
    grades: dict[Grade, int] = {}
    for grade in GRADES:
        number = sum(one.verdict.grade == grade for one in real)
        if number:
            grades[grade] = number
    return SeatReview(
        decisions=len(real),
        forced=sum(one.verdict.status == "forced" and one.event.kind == "play" for one in own),
        unknown=sum(one.verdict.status == "unknown_hand" for one in own),
        draws=sum(one.event.kind == "draw" for one in own),
        passes=sum(one.event.kind == "pass" for one in own),
        points=sum(one.points for one in own if one.event.kind == "play"),
        missed_points=sum(known) if known else None,
        claims_missed=sum(one.seat == seat and one.missed for one in claims),
        claims_caught=sum(one.caught_by == seat for one in claims),
        false_claims=false_claims(replay, seat),
        loss=total,
        loss_se=sum(error * error for error in errors) ** 0.5 if losses else None,
        loss_per_decision=None if total is None else total / len(losses),
        loss_per_round=None if total is None else total / max(1, rounds),
        grades=grades,
        judged=len(losses),
        luck=sum(one.luck for one in known_luck) if known_luck else None,
        skill=sum(one.skill for one in known_luck) if known_luck else None,
        expected=sum(one.expected for one in known_luck) if known_luck else None,
        luck_rounds=len(known_luck),
        rounds=rounds,
        claims_price=sum(one.price for one in claims if one.seat == seat),
        held_out=sum(held) if held else None,
    )
