"""Scripted play: one command per line against a session whose clock only the script advances."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sniffcli.files.scripts import (
    Expectation,
    ScriptError,
    ScriptLine,
    is_expectation,
    parse_expectation,
    script_lines,
    seconds,
)
from sniffcli.table.counting import count
from sniffcli.table.frontier import open_ends
from sniffcli.ui.clock import ScriptClock
from sniffcli.ui.reply import Reply, refused
from sniffcli.ui.session import Session


@dataclass(frozen=True, slots=True)
class Failure:
    """The line at which a script stopped, and why."""

    number: int
    message: str


@dataclass
class ScriptRunner:
    """Runs the lines of a script; `begin` and `deal` make the session they act on."""

    clock: ScriptClock
    #: Makes the session of the command line, where the script does not begin with `deal`.
    begin: Callable[[], Session]
    #: Makes the session that `deal FILE` asks for.
    deal: Callable[[str], Session]
    echo: Callable[[str], None]
    session: Session | None = None
    #: How many expectations held.
    held: int = 0
    #: The `expect error` line that the command before it has met.
    failed_at: int = 0
    #: Whether `quit` was said.
    left: bool = False

    def run(self, text: str) -> Failure | None:
        """Run a whole script; return where and why it stopped early, or None."""
        lines = script_lines(text)
        for index, line in enumerate(lines):
            if self.left:
                break
            after = lines[index + 1] if index + 1 < len(lines) else None
            failure = self._line(line, after)
            if failure is not None:
                return failure
        return None

    def table(self) -> Session:
        """Return the session, begun if it was not."""
        if self.session is None:
            self.session = self.begin()
        return self.session

    def _line(self, line: ScriptLine, after: ScriptLine | None) -> Failure | None:
        if is_expectation(line.text):
            return self._expectation(line)
        reply = self._command(line.text)
        if reply.text:
            self.echo(reply.text)
        self.left = reply.leave
        if after is not None and after.text.split()[:2] == ["expect", "error"]:
            words = " ".join(after.text.split()[2:])
            if reply.ok:
                return Failure(
                    after.number, f"expected an error, but {line.text!r} was carried out"
                )
            if words.lower() not in reply.error.lower():
                return Failure(after.number, f"expected an error with {words!r}: {reply.error}")
            self.failed_at = after.number
            return None
        return None if reply.ok else Failure(line.number, reply.error)

    def _command(self, text: str) -> Reply:
        word, _, rest = text.partition(" ")
        try:
            if word == "deal":
                self.session = self.deal(rest.strip())
                return Reply()
            if word == "bots":
                if rest.strip() not in ("on", "off"):
                    return refused("write bots on or bots off")
                self.table().game.bots_on = rest.strip() == "on"
                return Reply()
            if word == "wait":
                waited = seconds(rest)
                before = self.table().tick()
                self.clock.wait(waited)
                return _joined(before, self.table().tick())
        except (ScriptError, ValueError, OSError) as problem:
            return refused(_why(problem))
        before = self.table().tick()
        return _joined(before, self.table().execute(text))

    def _expectation(self, line: ScriptLine) -> Failure | None:
        session = self.table()
        told = session.tick()
        if told.text:
            self.echo(told.text)
        try:
            wanted = parse_expectation(line.text, session.setup.names)
        except ScriptError as problem:
            return Failure(line.number, str(problem))
        if wanted.what == "error":
            if line.number == self.failed_at:
                self.held += 1
                return None
            return Failure(line.number, "expect error belongs behind the command that fails")
        failed = _unmet(session, wanted)
        if failed:
            return Failure(line.number, failed)
        self.held += 1
        return None


def _joined(first: Reply, second: Reply) -> Reply:
    if not first.text:
        return second
    text = f"{first.text}\n{second.text}".rstrip()
    return Reply(text, second.error, second.changed, second.leave)


def _why(problem: Exception) -> str:
    if isinstance(problem, OSError) and problem.strerror:
        return f"{problem.filename}: {problem.strerror}"
    return str(problem)


def _unmet(session: Session, wanted: Expectation) -> str:
    """Return why an expectation does not hold, or nothing."""
    state, names = session.state, session.setup.names
    seat = names.index(wanted.name) if wanted.name in names else -1
    match wanted.what:
        case "sum":
            found = None if state.frontier.is_empty else count(state.rules, state.frontier)
            return _unequal("the sum is", found, wanted.number)
        case "points":
            plays = [event for event in state.events if event.kind == "play"]
            return _unequal(
                "the last tile is worth", plays[-1].worth if plays else 0, wanted.number
            )
        case "score":
            points = state.scores[session.setup.sides[seat]]
            return _unequal(f"{wanted.name} has", points, wanted.number)
        case "hand":
            return _unequal(f"{wanted.name} holds", state.hands[seat].size, wanted.number)
        case "tings":
            return _unequal(f"{wanted.name}'s tings are", state.tings[seat], wanted.number)
        case "boneyard":
            return _unequal("the boneyard holds", state.boneyard.size, wanted.number)
        case "round":
            return _unequal("this is round", session.game.number, wanted.number)
        case "ends":
            ends = open_ends(state.rules, state.frontier)
            return _unequal("the ends are", _listed(ends), _listed(wanted.numbers))
        case "turn":
            if state.over or state.closing is not None:
                return f"the round is over, so it is not {wanted.name}'s turn"
            return _unequal("the turn is", names[state.turn], wanted.name)
        case "over":
            if state.over:
                return ""
            if state.closing is not None:
                return "the round waits for a claim, a catch or `finish`"
            return f"the round is not over: it is {names[state.turn]}'s turn"
        case _:
            return _no_winner(session, wanted.name)


def _no_winner(session: Session, name: str) -> str:
    result, setup = session.state.result, session.setup
    if result is None:
        return "the round is not over"
    won: Sequence[int] = session.game.winners or result.winners
    sides = {setup.sides[seat] for seat in won}
    if name == "nobody":
        return "" if not won else _unequal("the winner is", _names(session, won), name)
    if won and setup.sides[setup.names.index(name)] in sides:
        return ""
    return _unequal("the winner is", _names(session, won), name)


def _names(session: Session, seats: Sequence[int]) -> str:
    return " and ".join(session.setup.names[seat] for seat in seats) or "nobody"


def _listed(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers)) or "none"


def _unequal(what: str, found: object, wanted: object) -> str:
    return "" if found == wanted else f"{what} {found}, not {wanted}"
