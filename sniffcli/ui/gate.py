"""The tutor's gate: a costly play is questioned before it is made, without naming a better one."""

from __future__ import annotations

from sniffcli.game.actions import Play
from sniffcli.game.turn import verify
from sniffcli.ruleset.model import Ruleset
from sniffcli.ui.advising import advice_for, option_of
from sniffcli.ui.reply import Reply
from sniffcli.ui.session import Session

#: From which loss on a play has a grade, in points of a game that scores whole sums (tutor.md 4.1).
LEAST = {"inaccuracy": 2.0, "mistake": 5.0, "blunder": 10.0}

#: How many standard errors a loss must be above the threshold, so that noise never nags.
ERRORS = 2.0


def least_loss(grade: str, rules: Ruleset) -> float:
    """Return from which loss on a play has GRADE; quotients make the points of a game smaller."""
    small = rules.score.award == "quotient" and rules.score.kind == "ends_sum"
    return LEAST[grade] / (max(rules.score.divisors) if small else 1)


def question(session: Session, play: Play, text: str) -> Reply | None:
    """Return the question about a play, or None where there is nothing to ask."""
    state, seat = session.state, play.seat
    if seat not in session.game.people or state.hands[seat].unknown or verify(state, play):
        return None
    advice = advice_for(session, state, seat)
    if isinstance(advice, str) or advice.forced is not None:
        return None
    option = option_of(advice, state, play)
    grade = session.options.tutor
    if option is None or not option.established:
        return None
    if option.loss - ERRORS * option.loss_se < least_loss(grade, state.rules):
        return None
    session.questioned = text
    article = "an" if grade == "inaccuracy" else "a"
    return Reply(f"That may be {article} {grade}. keep, rethink or hint?")
