"""A hosted game as one terminal knows it: folded from messages, driven by the verbs of `play`.

The terminal judges nothing. It shows what its seat was told, sends what is typed, and checks when
a round is over that its deal is the promised one and that every action gives what the host said.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from sniffcli.files.fairness import commitment, round_random
from sniffcli.files.notation import text_of_action
from sniffcli.game.actions import Action, Draw, IllegalAction
from sniffcli.game.match import after_round, deal_round, new_match
from sniffcli.game.state import Event, Setup
from sniffcli.game.turn import apply
from sniffcli.net.names import cleaned
from sniffcli.net.protocol import Message
from sniffcli.net.wire import Strange, deal_promise, deal_text, followed, opened_state, opening
from sniffcli.ruleset.loading import load_ruleset
from sniffcli.ui.clock import Clock
from sniffcli.ui.live import LiveGame, Start
from sniffcli.ui.reply import Reply, refused
from sniffcli.ui.session import Options, Session
from sniffcli.ui.verb import Verb

#: What sits in the other seats, as far as this terminal is concerned.
ELSEWHERE = "elsewhere"


class RemoteGame(LiveGame):
    """A match whose events come from the host."""

    def __init__(self, setup: Setup, seat: int, start: Start, clock: Clock) -> None:
        levels = [None if one == seat else ELSEWHERE for one in range(setup.seats)]
        super().__init__(setup, lambda match: start, clock, levels=levels)
        self.seat = seat
        #: The moment at which the clock of the host stands still, if it does.
        self.stands: float | None = None

    def elapsed(self) -> float:
        """Return the seconds since the round began, by the clock of the host."""
        return super().elapsed() if self.stands is None else self.stands

    def do(self, action: Action) -> list[Event]:
        """Refuse: only the host changes a hosted game."""
        raise AssertionError("the host does it")

    def advance(self) -> list[Event]:
        """Return nothing: what happens by itself comes from the host."""
        return []

    def next_due(self) -> float | None:
        """Return None: the host keeps the time."""
        return None

    def take(self, message: Message) -> Event:
        """Follow an event.

        Raises:
            Strange: it does not follow from what is known.
        """
        state = followed(self.state, self.seat, message)
        self.history.append(state)
        self.resume_clock(message["elapsed"])
        if state.over:
            self.match = after_round(self.match, state)
            self.finished.append((self.start, state))
        return state.events[-1]

    def open(self, message: Message, promise: str) -> None:
        """Look at the opened deal of the finished round and check that all of it was fair.

        Raises:
            Strange: the deal is not the promised one, or an action did not do what was said.
        """
        if deal_promise(message["deal"], message["salt"]) != promise:
            raise Strange("the opened deal is not the one that was promised")
        state = opened_state(self.before, self.start.state, message)
        start = Start(state, self.start.redeals)
        told = self.state
        history = [state]
        for event in told.events:
            action = event.action
            if isinstance(action, Draw) and action.tile is None and state.boneyard.known:
                action = replace(action, tile=state.boneyard.known[0])
            try:
                state, done = apply(state, action)
            except IllegalAction as problem:
                raise Strange(f"event {event.n} was against the rules: {problem}") from None
            history.append(state)
            if (done.text, done.points, done.scores) != (_shown(done, event), event.points,
                                                         event.scores):  # fmt: skip
                raise Strange(f"event {event.n} paid something else than the rules say")
        if state.scores != told.scores or state.result != told.result:
            raise Strange("the round ended with something else than the rules say")
        self.start, self.history = start, history
        self.finished[-1] = (start, state)


def _shown(done: Event, seen: Event) -> str:
    """Return the words that an event should have had; only whoever drew saw the tile."""
    return done.text if isinstance(seen.action, Draw) else seen.text


@dataclass
class Seat:
    """A terminal's place at a hosted table: what it was told, and the session to show it."""

    clock: Clock
    options: Options
    #: Sends what the person wants, without its number.
    send: Callable[[Message], None]
    seat: int = 0
    admiral: bool = False
    welcome: Message = field(default_factory=dict)
    lobby: Message = field(default_factory=dict)
    session: Session | None = None
    #: Whether the table is covered with water now.
    blind: bool = False
    here: list[bool] = field(default_factory=list)
    stand_in: list[bool] = field(default_factory=list)
    #: Whether a round was asked for that has not begun.
    asked: bool = False
    _voyage: Message = field(default_factory=dict)
    _setup: Setup | None = None
    _promise: str = ""
    _fresh: bool = False

    def take(self, message: Message) -> list[str]:
        """Follow a message of the host; return what to say about it.

        Raises:
            Strange: it does not follow from the ones before.
        """
        handler = getattr(self, f"_on_{message.get('type')}", None)
        if handler is None:
            return []
        try:
            lines: list[str] = handler(message)
        except (KeyError, TypeError, IndexError, AttributeError) as problem:
            kind = message.get("type")
            raise Strange(f"a message of kind {kind} cannot be followed: {problem!r}") from problem
        return lines

    @property
    def ready(self) -> bool:
        """Whether this seat was told where it is: in a lobby, or in the round it has asked for."""
        begun = bool(self.lobby) and (not self.lobby["begun"] or self.session is not None)
        return begun and not self.asked

    # One kind of message each

    def _on_welcome(self, message: Message) -> list[str]:
        again = bool(self.welcome)
        token = message.get("token") or self.welcome.get("token")
        self.welcome = {**message, "token": token}
        self.seat, self.admiral = message["seat"], message["admiral"]
        stood = ["A bot has played for you; you are in your seat again."]
        lines = stood if message.get("stood_in") else []
        if again:
            return lines
        role = "the Admiral" if self.admiral else "crew"
        return [f"Welcome aboard, {message['name']}. You are {role}.", *lines]

    def _on_lobby(self, message: Message) -> list[str]:
        self.lobby = message
        names = message["people"]
        if self.welcome.get("name") in names:
            self.seat = names.index(self.welcome["name"])
            self.admiral = self.seat == 0
        return [] if message["begun"] else lobby_lines(message, self.admiral)

    def _on_voyage(self, message: Message) -> list[str]:
        rules, problems = load_ruleset("rules of the table", message["rules"])
        if rules is None:
            raise Strange(f"the rules of the table cannot be read: {problems[0].message}")
        if any(cleaned(name) != name for name in message["players"]):
            raise Strange("a name of a player would harm this terminal")
        self._voyage = message
        self.seat = message["seat"]
        self._setup = Setup(
            rules,
            tuple(message["players"]),
            tuple(message["sides"]),
            frozenset(message["bots"]),
        )
        self._fresh = True
        return [f"{rules.title}. The match is promised: {message['commitment']}"]

    def _on_round(self, message: Message) -> list[str]:
        from sniffcli.ui.screens import round_opened

        if self._setup is None:
            raise Strange("a round begins before the voyage")
        self.asked = False
        self.blind = False
        self._promise = message["deal"]
        state = opening(self._setup, self.seat, message)
        start = Start(state, message["redeals"])
        if self._fresh or self.session is None:
            self._fresh = False
            game = RemoteGame(self._setup, self.seat, start, self.clock)
            if self.session is None:
                self.session = RemoteSession(game, self.options, extra=verbs(self))
            else:
                self.session.replace_game(game)
            assert isinstance(self.session, RemoteSession), "it was made here"
            self.session.place = self
        else:
            self._table()[1].stands = None
            self.session.game.begin(start)
        return [round_opened(self.session), f"The deal is promised: {self._promise}"]

    def _on_event(self, message: Message) -> list[str]:

        session, game = self._table()
        lines = ["The water is gone."] if self.blind else []
        self.blind = False
        event = game.take(message)
        lines.append(session.tell(event))
        return lines

    def _on_blind(self, message: Message) -> list[str]:
        _, game = self._table()
        first = not self.blind
        self.blind = True
        elapsed = game.elapsed()
        submerged = tuple(
            elapsed + message["seconds"] if one == self.seat else until
            for one, until in enumerate(game.state.submerged)
        )
        game.history[-1] = game.state._replace(submerged=submerged)
        lines = []
        if first:
            lines.append(f"Keelhauled! You are under water for {message['seconds']:.0f} s.")
        if message["turn"] == self.seat:
            tiles = " ".join(message["hand"])
            lines.append(f"It is your turn, and you see no table. You hold {tiles}.")
        return lines

    def _on_opened(self, message: Message) -> list[str]:
        from sniffcli.ui.screens import round_over

        session, game = self._table()
        game.open(message, self._promise)
        lines = ["", *round_over(session), "The deal is open, and it is the promised one."]
        if game.winners is None:
            lines.append("`next` deals the next round." if self.admiral else
                         "The Admiral decides how it goes on.")  # fmt: skip
        return lines

    def _on_closed(self, message: Message) -> list[str]:
        _, game = self._table()
        seed = int(message["seed"])
        if commitment(seed, message["salt"]) != self._voyage["commitment"]:
            raise Strange("seed and salt are not those that were promised")
        match = new_match(game.setup)
        for number, (start, end) in enumerate(game.finished, 1):
            salt = hashlib.sha256(f"{message['salt']}/{number}".encode()).hexdigest()[:32]
            dealt, _ = deal_round(match, round_random(seed, number))
            same = deal_text(dealt) == deal_text(start.state)
            if not same:
                raise Strange(f"the seed deals other tiles in round {number} (salt {salt})")
            match = after_round(match, end)
        return ["The match is open: its seed deals every round as it was played."]

    def _on_seats(self, message: Message) -> list[str]:
        lines = []
        if self._setup is not None:
            for seat, name in enumerate(self._setup.names[: len(message["here"])]):
                if seat == self.seat:
                    continue
                was = self.here[seat] if seat < len(self.here) else True
                stood = self.stand_in[seat] if seat < len(self.stand_in) else False
                if was and not message["here"][seat]:
                    lines.append(f"{name} has dropped; the seat is kept.")
                elif not was and message["here"][seat]:
                    lines.append(f"{name} is back.")
                if message["stand_in"][seat] and not stood:
                    lines.append(f"A bot stands in for {name}.")
        self.here, self.stand_in = message["here"], message["stand_in"]
        if not self.admiral and message["admiral"] == self.seat:
            lines.append("You are the Admiral now.")
        self.admiral = message["admiral"] == self.seat
        return lines

    def _on_clock(self, message: Message) -> list[str]:
        _, game = self._table()
        stood = game.stands is not None
        game.stands = message["elapsed"] if message["stands"] else None
        game.resume_clock(message["elapsed"])
        if game.stands is not None:
            return ["The clock stands still until everybody is back."]
        return ["The clock runs again."] if stood else []

    def _on_refused(self, message: Message) -> list[str]:
        self.asked = False
        return [f"  {message['message']}"]

    def _table(self) -> tuple[Session, RemoteGame]:
        if self.session is None or not isinstance(self.session.game, RemoteGame):
            raise Strange("something happens before a round has begun")
        return self.session, self.session.game

    # What the person types

    def execute(self, line: str) -> Reply:
        """Carry out a line of the person here: a verb of the lobby, or of the game."""
        text = line.strip()
        if not text:
            return Reply()
        if self.session is not None:
            return self.session.execute(text, self.seat)
        word = text.split()[0].lower()
        if word in ("quit", "exit", "q"):
            return Reply(leave=True)
        if word in ("+", "-"):
            return self._crew(1 if word == "+" else -1)
        if word in ("start", "sail"):
            return self._command({"type": "start"}, "set sail")
        if word == "leave":
            self.send({"type": "leave"})
            return Reply(leave=True)
        return Reply(_lobby_help(self.admiral))

    def _crew(self, step: int) -> Reply:
        sizes = self.lobby.get("sizes", [2])
        size = self.lobby.get("crew", 2) + step
        if size not in sizes:
            return refused(f"this game is for {sizes[0]} to {sizes[-1]} players")
        return self._command({"type": "crew", "size": size}, "change the crew")

    def _command(self, message: Message, what: str) -> Reply:
        if not self.admiral:
            return refused(f"only the Admiral can {what}")
        self.asked = message["type"] != "crew"
        self.send(message)
        return Reply()


def _lobby_help(admiral: bool) -> str:
    mine = "+ and - change the crew, start sets sail, " if admiral else ""
    waits = "" if admiral else " The Admiral sets sail."
    return f"In the lobby: {mine}leave gives the seat up, quit keeps it.{waits}"


def lobby_lines(message: Message, admiral: bool) -> list[str]:
    """Return the lobby as people read it."""
    names = message["people"]
    listed = ", ".join(f"{name} (Admiral)" if at == 0 else name for at, name in enumerate(names))
    bots = message["bots"]
    free = "" if not bots else f"; {bots} seat{'' if bots == 1 else 's'} for bots"
    lines = [f"{message['game']}, crew of {message['crew']}: {listed}{free}."]
    if admiral:
        lines.append("+ and - change the crew, start sets sail.")
    return lines


class RemoteSession(Session):
    """A session whose actions go to the host."""

    place: Seat

    def act(self, action: Action) -> Reply:
        """Send an action; the host answers."""
        if action.after is not None:
            return refused("the host's clock says when; leave the time out")
        words = text_of_action(action, self.setup.names)
        self.place.send({"type": "act", "do": words})
        return Reply()


def verbs(place: Seat) -> tuple[Verb, ...]:
    """Return the verbs that mean something else at a hosted table."""

    def settled() -> bool:
        return place.session is not None and place.session.game.settled

    def go_on(session: Session, rest: str, seat: int | None) -> Reply:
        if not settled():
            return refused("this round is not over")
        return place._command({"type": "next"}, "deal the next round")

    def new(session: Session, rest: str, seat: int | None) -> Reply:
        if not settled():
            return refused("a new voyage begins when a round is over")
        return place._command({"type": "new"}, "begin a new voyage")

    def undo(session: Session, rest: str, seat: int | None) -> Reply:
        return refused("nothing is taken back at a hosted table")

    def save(session: Session, rest: str, seat: int | None) -> Reply:
        return refused("the host keeps the game of a hosted table")

    def leave(session: Session, rest: str, seat: int | None) -> Reply:
        return Reply(leave=True)

    def rise(session: Session, rest: str, seat: int | None) -> Reply:
        place.send({"type": "leave"})
        return Reply(leave=True)

    def leads(session: Session) -> bool:
        return place.admiral

    def may(session: Session) -> Iterable[str]:
        return [""] if settled() and place.admiral else []

    def nothing(session: Session) -> Iterable[str]:
        return []

    def never(session: Session) -> bool:
        return False

    return (
        Verb("next", "next", "Deal the next round.", go_on, may, used=leads),
        Verb(
            "new",
            "new",
            "Begin a new voyage.",
            new,
            may,
            aliases=("rematch",),
            used=leads,
            confirm="Leave this match and begin another?",
        ),
        Verb("undo", "undo", "Nothing is taken back here.", undo, nothing, used=never),
        Verb("save", "save", "The host keeps the game.", save, nothing, used=never),
        Verb(
            "leave",
            "leave",
            "Let a bot play on at once; join again to take the seat back.",
            rise,
            confirm="Let a bot play for you?",
        ),
        Verb("quit", "quit", "Go, and keep the seat for a while.", leave, aliases=("exit", "q")),
    )
