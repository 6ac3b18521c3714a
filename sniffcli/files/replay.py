"""Playing a record through: the one fold over its actions, and everything that is wrong in it.

A wrong play ends the evaluation of its round: what stands before it is kept, what follows is
never scored as if nothing had happened, and later rounds start from the scores written down.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal, NamedTuple

from sniffcli.files.fields import listed
from sniffcli.files.records import Entry, GameRecord, RoundRecord
from sniffcli.files.rounds import per_side
from sniffcli.files.starting import start_of
from sniffcli.game.actions import Finish, Pass, Play, Refusal
from sniffcli.game.legal import tile_moves
from sniffcli.game.match import Match, after_round, new_match, winners
from sniffcli.game.settle import settle, wrongly_paid
from sniffcli.game.state import Event, How, RoundResult, Setup, State
from sniffcli.game.turn import attempt, ended
from sniffcli.problems import Problem, has_errors
from sniffcli.yamlio import Mark

Ending = How | Literal["unfinished", "invalid"]


class Step(NamedTuple):
    """One action of a record: the state before it, what it did, the state after it."""

    before: State
    event: Event
    state: State
    mark: Mark


class RoundReplay(NamedTuple):
    """What became of one recorded round."""

    number: int
    record: RoundRecord
    #: None where the round could not be started.
    start: State | None
    steps: tuple[Step, ...]
    #: The last state, an implied finish included.
    end: State | None
    how: Ending
    #: Match scores per side after the round; None where they are not known.
    scores: tuple[int | None, ...]
    #: Whether the scores with which the round began are known (those of `start` are zero if not).
    scores_known: bool
    #: Whether the round was closed although the file has no `finish`.
    finished_for_them: bool = False

    @property
    def result(self) -> RoundResult | None:
        """How the round was settled; None where it was not, or where it is invalid."""
        return None if self.end is None or self.how == "invalid" else self.end.result


class Replay(NamedTuple):
    """A whole record played through."""

    record: GameRecord
    rounds: tuple[RoundReplay, ...]
    scores: tuple[int | None, ...]
    #: Seats that have won the match; None while it goes on or where that is not known.
    winners: tuple[int, ...] | None
    problems: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing was wrong beyond warnings."""
        return not has_errors(self.problems)


def play_out(record: GameRecord) -> Replay:
    """Play every round of a record and check everything that can be checked."""
    setup = record.setup
    known = record.scores is not None
    match = new_match(setup if known else _without_scores(setup), record.scores)
    previous_known = not any(record.scores or ()) or _always_led_as_first(setup)
    problems: list[Problem] = []
    rounds: list[RoundReplay] = []
    won: tuple[int, ...] | None = None
    for number, one in enumerate(record.rounds, 1):
        if won is not None:
            names = " and ".join(setup.names[seat] for seat in won)
            message = f"the match was over after round {number - 1}: {names} had won"
            problems.append(record.problem(one.mark, "match-over", message))
        last = number == len(record.rounds)
        played, found = _round(record, number, one, match, previous_known, last)
        problems += found
        rounds.append(played)
        match = _next_match(record, match, played)
        previous_known = _leader_follows(played, setup)
        won = None
        if None not in played.scores and played.result is not None:
            won = winners(match)
    scores: tuple[int | None, ...] = (
        rounds[-1].scores if rounds else record.scores or (None,) * setup.side_count
    )
    return Replay(record, tuple(rounds), scores, won, tuple(listed(problems)))


def _always_led_as_first(setup: Setup) -> bool:
    """Whether every round is led by the rule of the first, so that none before it matters."""
    rules = setup.rules.open
    later = (rules.next_leader_after_block, rules.next_leader_after_tie)
    return rules.next_leader == "as_first" and set(later) <= {"as_next", "as_first"}


def _without_scores(setup: Setup) -> Setup:
    """Return the setup without the rules that depend on match scores which are not known."""
    rules = setup.rules
    match = rules.match.changed(target=None, exact=False)
    score = rules.score.changed(entry_minimum=0, near_target=None)
    keelhaul = rules.keelhaul
    if keelhaul is not None:
        keelhaul = keelhaul.changed(unlock_at=0)
    return replace(setup, rules=rules.changed(match=match, score=score, keelhaul=keelhaul))


def _next_match(record: GameRecord, match: Match, played: RoundReplay) -> Match:
    """Return the match as the next round finds it."""
    setup = record.setup
    after = match if played.result is None or played.end is None else after_round(match, played.end)
    known = tuple(score for score in played.scores if score is not None)
    if len(known) < setup.side_count:
        fresh = new_match(_without_scores(setup))
    elif after.setup is setup and after.scores == known:
        return after
    else:
        fresh = new_match(setup, known)
    if after.setup is not setup:
        # What a round without known scores says about thresholds is worth nothing.
        after = after._replace(entered=frozenset(), unlocked=frozenset())
    return after._replace(
        setup=fresh.setup,
        scores=fresh.scores,
        entered=after.entered | fresh.entered,
        unlocked=after.unlocked | fresh.unlocked,
    )


def _leader_follows(played: RoundReplay, setup: Setup) -> bool:
    """Whether what is known of a round decides who leads the next one."""
    if _always_led_as_first(setup):
        return True
    result = played.result
    return result is not None and (result.bonus is not None or bool(result.winners))


def _round(
    record: GameRecord,
    number: int,
    one: RoundRecord,
    match: Match,
    previous_known: bool,
    last: bool,
) -> tuple[RoundReplay, list[Problem]]:
    # Without known scores the match has a setup of its own (`_without_scores`).
    known = match.setup is record.setup
    start, problems = start_of(record, one, match, previous_known=previous_known)
    nothing: tuple[int | None, ...] = (None,) * record.setup.side_count
    written = nothing if one.written is None else per_side(one.written, record.sides)
    if None in written:
        written = nothing
    if start is None:
        return RoundReplay(number, one, None, (), None, "invalid", written, known), problems
    # Nobody need be able to move on a table that is given.
    opened = start if one.layout is None else ended(start)
    steps, wrong, found = _actions(record, number, one, opened)
    problems += found
    state = steps[-1].state if steps else opened
    finished = False
    if not wrong and state.closing is not None and (not last or one.written is not None):
        state, finished = _finished(state), True
    if not wrong:
        state, found = _with_given_bonus(record, one, state)
        problems += found
    how: Ending = "unfinished"
    if wrong:
        how = "invalid"
    elif state.result is not None:
        how = state.result.how
    elif not last:
        message = f"round {number} is not finished, but another round follows"
        problems.append(record.problem(record.rounds[number].mark, "unfinished", message))
    scores: tuple[int | None, ...] = state.scores if known else nothing
    hidden = state.result is not None and state.result.bonus is None
    if wrong or hidden or not known or (how == "unfinished" and not last):
        scores = written
    else:
        problems += _written(record, one, state)
    played = RoundReplay(number, one, start, steps, state, how, scores, known, finished)
    return played, problems


def _actions(
    record: GameRecord, number: int, one: RoundRecord, start: State
) -> tuple[tuple[Step, ...], bool, list[Problem]]:
    """Apply the actions one by one; stop at the first that is wrong."""
    problems: list[Problem] = []
    steps: list[Step] = []
    state, knocks = start, 0
    for nth, entry in enumerate(one.plays, 1):
        if entry.action is None:
            return tuple(steps), True, problems
        if _is_trailing_pass(state, entry) and knocks < state.setup.seats:
            # A block shows by itself where all hands are known; the knocks may still be written.
            knocks += 1
            continue
        done = attempt(state, entry.action)
        if isinstance(done, Refusal):
            message = f"round {number}, action {nth}: {done.message}"
            problems.append(record.problem(entry.mark, done.code, message))
            return tuple(steps), True, problems
        after, event = done
        if _is_false_join(state, event):
            message = f"round {number}, action {nth}: {event.text} is a false join, let stand"
            problems.append(record.problem(entry.mark, "misjoin", message, "warning"))
        steps.append(Step(state, event, after, entry.mark))
        state = after
    return tuple(steps), False, problems


def _is_trailing_pass(state: State, entry: Entry) -> bool:
    if not isinstance(entry.action, Pass):
        return False
    blocked = state.result is not None and state.result.how == "blocked"
    return blocked or state.closing == "blocked"


def _is_false_join(before: State, event: Event) -> bool:
    if not isinstance(event.action, Play) or not before.setup.misjoins_stand:
        return False
    moves = tile_moves(before, event.action.tile)
    return all(move.frontier != event.frontier for move in moves)


def _finished(state: State) -> State:
    """Close a round that the file leaves open for a last claim although it goes on."""
    assert state.closing is not None, "only a round that is closing is finished"
    closer = state.turn if state.closer is None else state.closer
    done = attempt(state, Finish(seat=closer))
    return settle(state, state.closing) if isinstance(done, Refusal) else done[0]


def _with_given_bonus(
    record: GameRecord, one: RoundRecord, state: State
) -> tuple[State, list[Problem]]:
    """Settle a round whose hands are hidden with the `bonus` of the file, or check that bonus."""
    given = None
    if one.bonus is not None:
        given = tuple(points or 0 for points in per_side(one.bonus, record.sides))
    result = state.result
    if result is None:
        if given is None:
            return state, []
        message = "a bonus is written, but the round is not over"
        return state, [record.problem(one.at("bonus"), "bonus", message)]
    if result.bonus is None:
        if given is not None:
            assert result.how in ("out", "blocked"), "only these hide a bonus"
            wrong = wrongly_paid(state, given)
            if wrong:
                return state, [record.problem(one.at("bonus"), "bonus", wrong)]
            return settle(state._replace(result=None), result.how, given), []
        message = "hands are hidden, so what the end of the round paid is not known; write bonus"
        if one.written is not None:
            return state, []
        return state, [record.problem(one.mark, "bonus", message, "warning")]
    if given is None or given == result.bonus:
        return state, []
    return state, list(_wrong_bonus(record, one, result.bonus))


def _wrong_bonus(record: GameRecord, one: RoundRecord, real: tuple[int, ...]) -> Iterable[Problem]:
    for seat, points in enumerate(one.bonus or ()):
        paid = real[record.sides[seat]]
        if (points or 0) != paid and (points is not None or seat in record.setup.members(seat)):
            name = record.players[seat]
            message = f"the end of the round pays {name} {paid}, not {points or 0}"
            yield record.problem(one.at(f"bonus.{seat}", "bonus"), "bonus", message)


def _written(record: GameRecord, one: RoundRecord, state: State) -> list[Problem]:
    """Compare the scores that the players wrote down with those that the play gives."""
    problems: list[Problem] = []
    for seat, points in enumerate(one.written or ()):
        real = state.scores[record.sides[seat]]
        if points is not None and points != real:
            name = record.players[seat]
            message = f"{points} is written for {name}, but the play gives {real}"
            problems.append(record.problem(one.at(f"written.{seat}"), "written", message))
    return problems
