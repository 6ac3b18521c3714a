"""Review of a played game: every decision with its choices, and what became of every score.

Without a grader a decision is judged by points alone: what the play scored, and what the best
scoring play would have scored. That is a fact of the turn and not a judgement of the play; the
judgement (value, loss, grade) comes from a `Grader`, which sees only what the seat could know.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

from sniffcli.files.replay import Replay, RoundReplay, Step
from sniffcli.game.actions import Action, Catch, Claim, Draw, Pass, Play, Refusal
from sniffcli.game.legal import draw_refusal, legal_plays, pass_refusal
from sniffcli.game.plays import named, text_of
from sniffcli.game.state import Event, State
from sniffcli.game.turn import attempt
from sniffcli.game.view import View, view_of
from sniffcli.table.counting import count
from sniffcli.table.frontier import Frontier

Status = Literal["graded", "forced", "not_established", "exact", "unknown_hand"]
Grade = Literal["equal", "slip", "inaccuracy", "mistake", "blunder"]

#: All grades from the lightest to the heaviest.
GRADES: tuple[Grade, ...] = get_args(Grade)


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


class Grader(Protocol):
    """What turns choices into values; the search supplies it."""

    def grade(self, view: View, choices: tuple[Choice, ...], played: int) -> Verdict:
        """Judge choice number PLAYED of at least two, from what the seat could know."""
        ...

    def luck(self, replay: Replay) -> tuple[float | None, ...]:
        """Return the luck of each seat in points, None where the record does not show it."""
        ...


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
class ClaimReview:
    """A score that had to be claimed, and what became of it."""

    round: int
    #: The action that made it.
    n: int
    seat: int
    points: int
    #: None where the record ends before its time was over.
    claimed: bool | None
    caught_by: int | None = None

    @property
    def missed(self) -> bool:
        """Whether its owner did not get it."""
        return self.claimed is False


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
    luck: float | None


@dataclass(frozen=True, slots=True)
class GameReview:
    """A reviewed game."""

    replay: Replay
    decisions: tuple[Decision, ...]
    claims: tuple[ClaimReview, ...]
    seats: tuple[SeatReview, ...]
    #: Whether a grader took part.
    graded: bool

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
    decisions = tuple(
        _decision(one.number, step, grader)
        for one in replay.rounds
        for step in one.steps
        if step.event.kind in ("play", "draw", "pass")
    )
    claims = tuple(claim for one in replay.rounds for claim in _claims(one))
    seats = len(replay.record.players)
    luck = (None,) * seats if grader is None else grader.luck(replay)
    return GameReview(
        replay=replay,
        decisions=decisions,
        claims=claims,
        seats=tuple(_seat(replay, seat, decisions, claims, luck[seat]) for seat in range(seats)),
        graded=grader is not None,
    )


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


def _decision(number: int, step: Step, grader: Grader | None) -> Decision:
    before, event = step.before, step.event
    points = scored(before, event)
    if before.hands[event.seat].unknown:
        verdict = Verdict("unknown_hand")
        return Decision(number, event.n, event.seat, event, (), points, None, verdict)
    choices = choices_of(before)
    best = max((choice.points for choice in choices), default=points)
    played = _played(choices, event)
    if len(choices) < 2 and played is not None:
        verdict = Verdict("forced")
    elif grader is None or played is None:
        # A false join that stood is no choice, so nothing can be said about it.
        verdict = Verdict("not_established")
    else:
        verdict = grader.grade(view_of(before, event.seat), choices, played)
    return Decision(number, event.n, event.seat, event, choices, points, best, verdict)


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


def _claims(played: RoundReplay) -> Iterator[ClaimReview]:
    """Yield every score of a round that had to be claimed, in the order in which they were made."""
    for index, step in enumerate(played.steps):
        event = step.event
        declare = step.before.rules.claim.mode == "declare"
        if declare and event.kind == "play" and event.worth:
            claimed, caught_by = _fate(played, index)
            yield ClaimReview(played.number, event.n, event.seat, event.worth, claimed, caught_by)


def _fate(played: RoundReplay, index: int) -> tuple[bool | None, int | None]:
    """Return whether the score made by that step was claimed, and who took it."""
    made = played.steps[index]
    key = (made.event.seat, made.state.laid)
    if not _is_open(made.state, key):
        return False, None
    for step in played.steps[index + 1 :]:
        if _is_open(step.state, key):
            continue
        action = step.event.action
        if isinstance(action, Claim) and action.seat == key[0]:
            return True, None
        if isinstance(action, Catch) and action.target == key[0]:
            return False, action.seat
        return False, None
    still_open = played.end is not None and _is_open(played.end, key)
    return (None if still_open else False), None


def _is_open(state: State, key: tuple[int, int]) -> bool:
    return any((one.seat, one.tile_number) == key for one in state.pending)


def _seat(
    replay: Replay,
    seat: int,
    decisions: Sequence[Decision],
    claims: Sequence[ClaimReview],
    luck: float | None,
) -> SeatReview:
    own = [one for one in decisions if one.seat == seat]
    real = [one for one in own if one.is_real]
    known = [one.missed_points for one in own if one.missed_points is not None]
    losses = [one.verdict.loss for one in real if one.verdict.loss is not None]
    errors = [one.verdict.loss_se or 0.0 for one in real if one.verdict.loss is not None]
    rounds = sum(1 for one in replay.rounds if any(s.event.seat == seat for s in one.steps))
    total = sum(losses) if losses else None
    grades: dict[Grade, int] = {}
    for grade in GRADES:
        number = sum(one.verdict.grade == grade for one in real)
        if number:
            grades[grade] = number
    return SeatReview(
        decisions=len(real),
        forced=sum(one.verdict.status == "forced" for one in own),
        unknown=sum(one.verdict.status == "unknown_hand" for one in own),
        draws=sum(one.event.kind == "draw" for one in own),
        passes=sum(one.event.kind == "pass" for one in own),
        points=sum(one.points for one in own if one.event.kind == "play"),
        missed_points=sum(known) if known else None,
        claims_missed=sum(one.seat == seat and one.missed for one in claims),
        claims_caught=sum(one.caught_by == seat for one in claims),
        false_claims=_false_claims(replay, seat),
        loss=total,
        loss_se=sum(error * error for error in errors) ** 0.5 if losses else None,
        loss_per_decision=None if total is None else total / len(losses),
        loss_per_round=None if total is None else total / max(1, rounds),
        grades=grades,
        luck=luck,
    )


def _false_claims(replay: Replay, seat: int) -> int:
    """Count the claims of a seat that were void."""
    number = 0
    for one in replay.rounds:
        for step in one.steps:
            claim = step.event.action
            if isinstance(claim, Claim) and claim.seat == seat:
                mine = [p for p in step.before.pending if p.seat == seat]
                left = [p for p in step.state.pending if p.seat == seat]
                number += len(left) == len(mine)
    return number
