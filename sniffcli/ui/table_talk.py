"""Verbs about the table rather than in the game: going on, undoing, saving, settings, leaving."""

from __future__ import annotations

from collections.abc import Iterable

from sniffcli.files.writing import FileRefused
from sniffcli.game.actions import Finish, IllegalAction
from sniffcli.ui.reply import Reply, refused
from sniffcli.ui.session import Session

#: Grades of error from which on the tutor speaks, and `off`.
TUTOR_LEVELS = ("off", "inaccuracy", "mistake", "blunder")


def go_on(session: Session, rest: str, seat: int | None) -> Reply:
    """Let an open score pass, or go on to the next round."""
    game = session.game
    if game.settled:
        try:
            game.next_round()
        except IllegalAction as problem:
            return refused(problem.refusal)
        from sniffcli.ui.screens import round_opened

        return Reply("\n".join([round_opened(session), session.tick().text]).strip(), changed=True)
    if not _waiting(session):
        name = session.setup.names[session.state.turn]
        return refused(f"there is nothing to go past: it is {name}'s turn")
    events = game.wave()
    if not events and session.state.closing is not None:
        people = game.people
        return session.act(Finish(seat=people[0] if people else 0))
    return session.report(events)


def _waiting(session: Session) -> bool:
    """Whether the game waits for people to claim, catch or finish."""
    state = session.state
    if state.closing is not None:
        return True
    if state.rules.claim.mode != "declare" or session.game.waved >= state.laid:
        return False
    return bool(state.pending) or session.game.owner_deciding() is not None


def can_go_on(session: Session) -> Iterable[str]:
    """Return whether `next` does something now."""
    over = session.game.settled and session.game.winners is None
    return [""] if over or (not session.state.over and _waiting(session)) else []


def undo(session: Session, rest: str, seat: int | None) -> Reply:
    """Take back the last action of a person and all that followed."""
    if session.game.unpay():
        session.undone = True
        return Reply("taken back: what the end of the round paid", changed=True)
    try:
        event = session.game.undo()
    except IllegalAction as problem:
        return refused(problem.refusal)
    session.undone = True
    name = session.setup.names[event.seat]
    return Reply(f"taken back: {name} {event.text}", changed=True)


def can_undo(session: Session) -> Iterable[str]:
    """Return whether something can be taken back."""
    people = [one for one in session.state.events if not session.game.is_bot(one.seat)]
    return [""] if people else []


def save(session: Session, rest: str, seat: int | None) -> Reply:
    """Write the game to its file or to another one."""
    if session.save is None:
        return refused("this game has no file; start it with --save FILE")
    try:
        return Reply(session.save(rest or None))
    except (OSError, ValueError, FileRefused) as problem:
        return refused(f"not saved: {why_not_written(problem)}")


def why_not_written(problem: Exception) -> str:
    """Return in a few words why a file was not written."""
    if isinstance(problem, OSError) and problem.strerror:
        return f"{problem.filename}: {problem.strerror}" if problem.filename else problem.strerror
    return str(problem)


def rematch(session: Session, rest: str, seat: int | None) -> Reply:
    """Begin another match."""
    if session.rematch is None:
        return refused("this game cannot be begun again; start another with sniff play")
    session.rematch()
    from sniffcli.ui.screens import round_opened

    first = round_opened(session)
    return Reply(f"{first}\n{session.tick().text}".strip(), changed=True)


def counter(session: Session, rest: str, seat: int | None) -> Reply:
    """Show or hide sums."""
    if rest not in ("on", "off"):
        return refused("write counter on or counter off")
    session.show_counter(rest == "on")
    # The file remembers it.
    session.game.changed()
    return Reply(f"the counter is {'visible' if rest == 'on' else 'hidden'}", changed=True)


def tutor(session: Session, rest: str, seat: int | None) -> Reply:
    """Set from which grade on plays are questioned."""
    if rest not in TUTOR_LEVELS:
        return refused(f"the tutor knows {', '.join(TUTOR_LEVELS)}")
    session.options.tutor = rest
    if rest == "off":
        return Reply("the tutor is silent")
    return Reply(f"the tutor questions every play that may be this bad: {rest}")


def leave(session: Session, rest: str, seat: int | None) -> Reply:
    """Leave the table."""
    return Reply(leave=True)
