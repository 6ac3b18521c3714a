"""Verbs that only ask: they change nothing and read what the asking seat may know."""

from __future__ import annotations

from sniffcli.ruleset.words import Seconds
from sniffcli.show.folding import fold
from sniffcli.table.counting import count as count_of
from sniffcli.table.frontier import open_ends
from sniffcli.ui import screens
from sniffcli.ui.acting import submerged
from sniffcli.ui.reply import Reply, refused
from sniffcli.ui.session import Session

UNDER_WATER = "you are under water and see no table"


def _reader(session: Session, seat: int | None) -> int:
    return session.viewer if seat is None else seat


def _blind(session: Session, seat: int | None) -> bool:
    reader = _reader(session, seat)
    return not session.game.is_bot(reader) and submerged(session, reader)


def board(session: Session, rest: str, seat: int | None) -> Reply:
    """Show the table."""
    return Reply(screens.board(session, _reader(session, seat)))


def hand(session: Session, rest: str, seat: int | None) -> Reply:
    """Show the tiles of a seat."""
    reader = _reader(session, seat)
    if session.game.is_bot(reader):
        return refused(f"{session.setup.names[reader]} is played by a bot and shows nothing")
    secret = session.secret(reader)
    return refused(secret) if secret else Reply(screens.hand(session, reader))


def ends(session: Session, rest: str, seat: int | None) -> Reply:
    """Show the open ends."""
    if _blind(session, seat):
        return refused(UNDER_WATER)
    found = open_ends(session.state.rules, session.state.frontier)
    return Reply(" ".join(map(str, found)) if found else "no tile on the table")


def count(session: Session, rest: str, seat: int | None) -> Reply:
    """Show the sum of the ends, and the worth of the last tile."""
    if _blind(session, seat):
        return refused(UNDER_WATER)
    if not session.options.counter:
        return refused("the counter is hidden: add up the ends yourself, or write counter on")
    state = session.state
    if state.frontier.is_empty:
        return Reply("no tile on the table")
    text = f"sum {count_of(state.rules, state.frontier)}"
    last = next((one for one in reversed(state.events) if one.kind == "play"), None)
    if last is not None:
        text += f"; {last.text} is worth {last.worth}"
    return Reply(text)


def score(session: Session, rest: str, seat: int | None) -> Reply:
    """Show the scores, with what is needed to win."""
    return Reply("\n".join(screens.scores(session)))


def log(session: Session, rest: str, seat: int | None) -> Reply:
    """Show what happened in this round."""
    if _blind(session, seat):
        return refused(UNDER_WATER)
    events = session.state.events
    if not events:
        return Reply("nothing has happened in this round yet")
    wide = len(str(len(events)))
    lines = []
    for event in events:
        first, *more = session.tell(event).split("\n")[::-1]
        lines += [f"{'':{wide}}  {line}" for line in more[::-1]]
        lines.append(f"{event.n:>{wide}}  {first}")
    return Reply("\n".join(lines))


def rules(session: Session, rest: str, seat: int | None) -> Reply:
    """Show the rules in short, from the switches of the ruleset."""
    width = session.options.look.width
    return Reply("\n".join(part for line in short_rules(session) for part in fold(line, width)))


def short_rules(session: Session) -> list[str]:
    """Return the rules of this table in a few lines, the sentences from the rulebook."""
    from sniffcli.tutor.rulebook.ending import match_end
    from sniffcli.tutor.rulebook.scope import Scope
    from sniffcli.tutor.rulebook.start import lead
    from sniffcli.tutor.rulebook.turns import drawing
    from sniffcli.tutor.rulebook.words import Words

    ruleset, setup = session.setup.rules, session.setup
    scope = Scope(ruleset, (setup.seats,), Words("en"))
    lines = [ruleset.title + (f": {ruleset.summary}" if ruleset.summary else "")]
    lines.append(f"double-{ruleset.set.max_pip} set, {ruleset.hand_size(setup.seats)} tiles each")
    lines.append(f"spinner: {ruleset.layout.spinner.replace('_', ' ')}")
    if ruleset.score.kind == "none":
        lines.append("nothing is scored during a round")
    elif ruleset.score.kind == "ends_sum":
        divisors = " or ".join(map(str, ruleset.score.divisors))
        lines.append(f"a sum of the ends that {divisors} divides scores")
    else:
        lines.append("equal ends score")
    if ruleset.claim.mode == "declare":
        until = ruleset.claim.owner_until
        time = (
            f"within {until.seconds:g} s" if isinstance(until, Seconds) else "before the next tile"
        )
        lines.append(f"points must be claimed {time}")
        if ruleset.claim.rivals == "any":
            bounty = f", for {ruleset.claim.bounty} points more" if ruleset.claim.bounty else ""
            lines.append(f"a rival may catch what is not claimed{bounty}")
    lines += [" ".join(part.statements()) for part in (lead(scope), drawing(scope))]
    lines.append(" ".join(match_end(scope).statements()))
    if session.explained:
        lines.append(f"`{session.explained}` prints all of it")
    return [line for line in lines if line]


def hint(session: Session, rest: str, seat: int | None) -> Reply:
    """Give the next step of the hint."""
    from sniffcli.ui.advising import next_hint

    return next_hint(session, _reader(session, seat))


def why(session: Session, rest: str, seat: int | None) -> Reply:
    """Explain the choices of the seat to move, or its last decision."""
    from sniffcli.ui.advising import reasons

    return reasons(session, _reader(session, seat))


def unseen(session: Session, rest: str, seat: int | None) -> Reply:
    """Show where the hidden tiles may be."""
    from sniffcli.ui.advising import where_unseen

    return where_unseen(session, _reader(session, seat))
