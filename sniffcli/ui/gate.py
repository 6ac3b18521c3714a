"""The tutor's gate: a costly play is questioned before it is made, without naming a better one."""

from __future__ import annotations

from sniffcli.game.actions import Play
from sniffcli.game.state import Setup
from sniffcli.game.turn import verify
from sniffcli.ui.advising import advice_for, option_of
from sniffcli.ui.reply import Reply
from sniffcli.ui.session import Session

#: How many standard errors a loss must be above the threshold, so that noise never nags.
ERRORS = 2.0

#: The grades of error.
WORST_FIRST = ("blunder", "mistake", "inaccuracy")


def least_loss(grade: str, setup: Setup) -> float:
    """Return from which loss in points on a play has GRADE, as measured for these rules."""
    from sniffcli.tutor.calibration import LEAST, calibration_of

    parts: dict[str, float] = dict(LEAST)
    return parts[grade] * calibration_of(setup).deviation


def question(session: Session, play: Play, text: str) -> Reply | None:
    """Return the question about a play, or None where there is nothing to ask."""
    state, seat = session.state, play.seat
    if seat not in session.game.people or state.hands[seat].unknown or verify(state, play):
        return None
    advice = advice_for(session, state, seat)
    if isinstance(advice, str) or advice.forced is not None:
        return None
    option = option_of(advice, state, play)
    if option is None or not option.established:
        return None
    sure = option.loss - ERRORS * option.loss_se
    if sure < least_loss(session.options.tutor, state.setup):
        return None
    grade = next(one for one in WORST_FIRST if sure >= least_loss(one, state.setup))
    session.questioned = text
    article = "an" if grade == "inaccuracy" else "a"
    return Reply(f"That may be {article} {grade}. keep, rethink or hint?")
