"""A hosted table: messages in, messages out. No socket, no file and no clock of its own.

Whoever carries the messages asks `due` when to call `tick`, writes `journal` to disk before
anything is sent, and gives each terminal a key of its own.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable

from sniffcli.game.actions import Action
from sniffcli.game.state import Setup
from sniffcli.net.crew import (
    STAND_IN,
    Key,
    Person,
    Plan,
    blind_message,
    clock_message,
    hashed,
    lobby,
    opening_line,
    seats_message,
    voyage_message,
    welcome,
)
from sniffcli.net.names import admitted
from sniffcli.net.protocol import VERSION, Message, Refused
from sniffcli.net.thinking import Question
from sniffcli.net.voyage import Filed, Held, Voyage
from sniffcli.ui.dealing import Promise, promise
from sniffcli.ui.seating import SeatingError, Wish, setup_of

#: Messages to terminals, in the order in which they are sent; None closes the line.
Outs = list[tuple[Key, Message | None]]


class Table:
    """One table with its lobby, its people and its voyage."""

    def __init__(
        self,
        sector: str,
        plan: Plan,
        clock: Callable[[], float],
        *,
        token: Callable[[], str] = lambda: secrets.token_urlsafe(18),
        promised: Callable[[], Promise] = promise,
        date: Callable[[], str | None] = lambda: None,
    ) -> None:
        self.sector = sector
        self.plan = plan
        self.clock = clock
        self.token = token
        self.promised = promised
        self.date = date
        self.crew = plan.crew
        self.people: list[Person] = []
        self.voyage: Voyage | None = None
        self.voyages = 0
        self.begun_on: str | None = None
        #: Lines that have to be on disk before the answers leave.
        self.journal: list[Message] = []
        #: Refused messages by their code.
        self.refused: Counter[str] = Counter()
        #: Whether a round has ended since the game file was written.
        self.record_due = False
        #: Whether the log may be shortened.
        self.short_due = False
        #: Whether bots that take their time are asked elsewhere; see `question`.
        self.elsewhere = False
        self._outs: Outs = []
        self.journal.append(opening_line(sector, plan))
        #: Who has to be told by what clock the round goes on.
        self._clockless: list[Person] = []

    # What comes in

    def hello(self, key: Key, message: Message) -> Outs:
        """Seat a terminal, or give it back the seat of its token."""
        try:
            if message["sniff"] != VERSION:
                here = f"this host speaks version {VERSION} of the protocol"
                raise Refused("version", f"{here}, and the terminal version {message['sniff']}")
            if "token" in message:
                self._return(key, message["token"])
            else:
                self._sit(key, message.get("name", ""))
        except Refused as problem:
            self._refuse(key, problem, None)
            self._outs.append((key, None))
        return self._flush()

    def receive(self, key: Key, message: Message) -> Outs:
        """Deal with a message of a seated terminal."""
        person = self.person(key)
        if person is None:
            self._refuse(key, Refused("token", "this terminal has no seat"), None)
            return self._flush()
        number = message.get("id")
        try:
            if message["type"] == "hello" or number is None:
                raise Refused("malformed", "this terminal is seated already")
            if number <= person.last_id:
                text = f"message {number} was dealt with already; the last was {person.last_id}"
                raise Refused("replayed", text)
            person.last_id = number
            self._obey(person, number, message)
        except Refused as problem:
            self._refuse(key, problem, number)
        return self._flush()

    def drop(self, key: Key) -> Outs:
        """Note that a terminal is gone; its seat stays."""
        person = self.person(key)
        if person is not None:
            person.key, person.dropped = None, self.clock()
            self._tell_seats()
        return self._flush()

    def tick(self) -> Outs:
        """Let happen what is due by now."""
        now = self.clock()
        voyage = self.voyage
        if voyage is None:
            self._clear_lobby()
        else:
            self._stand_in()
            self._go_on()
            voyage.advance(now)
            self._release(now)
        return self._flush()

    @property
    def question(self) -> Question | None:
        """What a bot has to be asked before the game can go on; `answered` takes what it does."""
        return None if self.voyage is None else self.voyage.question

    def answered(self, question: Question, action: Action) -> Outs:
        """Take what a bot has thought."""
        if self.voyage is not None:
            self.voyage.answered(question, action)
        return self.tick()

    def due(self) -> float | None:
        """Return in how many seconds `tick` is to be called, or None."""
        voyage, now = self.voyage, self.clock()
        waits = [] if voyage is None else [voyage.next_due(now)]
        for seat, person in enumerate(self.people):
            if person.dropped is not None and (voyage is None or voyage.game.levels[seat] is None):
                waits.append(max(0.0, person.dropped + self.plan.stand_in - now))
        if voyage is not None and voyage.stopped is not None:
            waits.append(max(0.0, voyage.stopped + self._patience - now))
        known = [one for one in waits if one is not None]
        return min(known) if known else None

    def person(self, key: Key) -> Person | None:
        """Return who sits at a terminal."""
        return next((one for one in self.people if one.key == key), None)

    @property
    def admiral(self) -> Person | None:
        """Return who commands: the first who sat down and is not gone for long."""
        here = (one for one in self.people if not self._gone(one))
        return next(here, self.people[0] if self.people else None)

    def _gone(self, person: Person) -> bool:
        """Whether a bot may play for somebody whose terminal has dropped."""
        return person.dropped is not None and self.clock() >= person.dropped + self.plan.stand_in

    # People

    def _sit(self, key: Key, name: str) -> None:
        if self.voyage is not None:
            raise Refused("full", "the voyage has begun; a seat is given back only with its token")
        if len(self.people) >= max(self._sizes()):
            raise Refused("full", "no seat is free at this table")
        known = admitted(name, (one.name for one in self.people))
        token = self.token()
        person = Person(known, hashed(token), key)
        self.people.append(person)
        self.journal.append({"kind": "sit", "name": known, "token": person.token})
        if len(self.people) > self.crew:
            self._set_crew(min(one for one in self._sizes() if one >= len(self.people)))
        self._welcome(person, token)
        self._tell_lobby()

    def _return(self, key: Key, token: str) -> None:
        given = hashed(token)
        for person in self.people:
            if secrets.compare_digest(person.token, given):
                break
        else:
            raise Refused("token", "this token is not that of a seat at this table")
        if person.key is not None and person.key != key:
            elsewhere = Refused("token", "this seat is played at another terminal now")
            self._outs += [(person.key, elsewhere.answer()), (person.key, None)]
        person.key, person.dropped = key, None
        self._welcome(person, None)
        if self.voyage is None:
            self._tell_lobby()
            return
        seat = self.people.index(person)
        self._set_level(seat, None)
        self._tell_lobby(person)
        self._tell_voyage(person)
        self._outs += [(key, message) for message in self.voyage.past(seat)]
        self._tell_seats()
        if self.voyage.stopped is not None:
            self._clockless.append(person)
            self._go_on()

    def _welcome(self, person: Person, token: str | None) -> None:
        message = welcome(self.sector, self.plan, self.people, person, self.admiral, self.voyage)
        self._send(person, message if token is None else {**message, "token": token})

    def _leave(self, person: Person) -> None:
        if person.key is not None:
            self._outs.append((person.key, None))
        if self.voyage is None:
            at = self.people.index(person)
            del self.people[at]
            self.journal.append({"kind": "rise", "at": at})
            self._tell_lobby()
        else:
            person.key, person.dropped = None, self.clock() - self.plan.stand_in
            self._tell_seats()

    def _clear_lobby(self) -> None:
        """Free the seats of those who were not seen for long before the voyage."""
        for person in [one for one in self.people if self._gone(one)]:
            self._leave(person)

    @property
    def _patience(self) -> float:
        """The seconds for which the clock stands still for those whom a killed host has lost."""
        return min(self.plan.stand_in, STAND_IN)

    def _go_on(self) -> None:
        """Let the clock of a resumed game go on when all are back, or enough time has passed."""
        voyage, now = self.voyage, self.clock()
        if voyage is None or voyage.stopped is None:
            return
        back = all(one.key is not None for one in self.people)
        if back or now >= voyage.stopped + self._patience:
            voyage.go_on(now)
            self._clockless = list(self.people)

    def _stand_in(self) -> None:
        for seat, person in enumerate(self.people):
            if self._gone(person):
                self._set_level(seat, self.plan.levels[0] if self.plan.levels else "casual")

    def _set_level(self, seat: int, level: str | None) -> None:
        assert self.voyage is not None, "levels are those of a game"
        game = self.voyage.game
        if game.levels[seat] != level:
            game.levels = tuple(
                level if one == seat else old for one, old in enumerate(game.levels)
            )
            self._tell_seats()

    # Commands

    def _obey(self, person: Person, number: int, message: Message) -> None:
        kind = message["type"]
        if kind == "act":
            self._act(person, number, message["do"])
            return
        if kind == "leave":
            self._done(person, number)
            self._leave(person)
            return
        if person is not self.admiral:
            name = self.admiral.name if self.admiral is not None else "nobody"
            raise Refused("admiral", f"only the Admiral may do this, and that is {name}")
        if kind == "crew":
            self._resize(message["size"])
        elif kind == "start":
            self._start()
        elif kind == "next":
            voyage = self._running("no round is over")
            voyage.next_round()
            voyage.go_on(self.clock())
            self.journal.append({"kind": "next"})
        else:
            if not self._running("no voyage has begun").game.settled:
                raise Refused("lobby", "a new voyage begins when a round is over")
            self._begin()
        self._done(person, number)

    def _running(self, why: str) -> Voyage:
        if self.voyage is None:
            raise Refused("lobby", why)
        return self.voyage

    def _sizes(self) -> range:
        return self.plan.rules.legal_players()

    def _resize(self, size: int) -> None:
        if self.voyage is not None:
            raise Refused("lobby", "the crew is settled when the voyage has begun")
        sizes = self._sizes()
        if size not in sizes:
            title = self.plan.rules.title
            raise Refused("crew", f"{title} is for {sizes[0]} to {sizes[-1]} players, not {size}")
        if size < len(self.people):
            raise Refused("crew", f"{len(self.people)} people sit here already")
        self._set_crew(size)
        self._tell_lobby()

    def _set_crew(self, size: int) -> None:
        self.crew = size
        self.journal.append({"kind": "crew", "size": size})

    def _start(self) -> None:
        if self.voyage is not None:
            raise Refused("lobby", "the voyage has begun already")
        self._setup()
        self._begin()

    def _setup(self) -> tuple[Setup, tuple[str | None, ...]]:
        """Return the setup of this crew and the level of each seat.

        Raises:
            Refused: these rules do not seat it.
        """
        plan, free = self.plan, self.crew - len(self.people)
        levels = list(plan.levels) or ["casual"]
        while len(levels) < free:
            levels.append(levels[-1])
        people = tuple(one.name for one in self.people)
        wish = Wish(
            plan.rules, plan.ruleset, plan.overrides, people, tuple(levels[:free]), plan.partners
        )
        try:
            return setup_of(wish)
        except SeatingError as problem:
            raise Refused("crew", str(problem)) from None

    def _begin(self) -> None:
        proof = self.promised()
        self.begun_on = self.date()
        self.open(proof)
        self.journal.append(self.voyage_line(proof))
        for person in self.people:
            self._tell_voyage(person)

    def voyage_line(self, proof: Promise) -> Message:
        """Return the line of the log that begins the present voyage."""
        seed = str(proof.seed)
        rest = {"seed": seed, "salt": proof.salt, "date": self.begun_on}
        return {"kind": "voyage", "number": self.voyages, **rest}

    def open(self, proof: Promise) -> None:
        """Begin a voyage with the crew that is there."""
        setup, levels = self._setup()
        self.voyages += 1
        self.short_due = True
        self.voyage = Voyage(setup, levels, proof, self.voyages, grace=self.plan.grace)
        self.voyage.game.opponents.elsewhere = self.elsewhere
        self.voyage.elapsed(self.clock())
        self.voyage.game.resume_clock(0.0)

    def _act(self, person: Person, number: int, text: str) -> None:
        voyage = self._running("no voyage has begun")
        if voyage.game.settled:
            raise Refused("over", "the round is over")
        seat, now = self.people.index(person), self.clock()
        action = voyage.read(text, seat)
        if voyage.waits(action, now):
            voyage.held.append(Held(seat, number, action))
            return
        self._do(person, number, action, now)

    def _do(self, person: Person, number: int, action: Action, now: float) -> None:
        assert self.voyage is not None, "it is played"
        self.voyage.act(action, now)
        self._done(person, number)

    def _release(self, now: float) -> None:
        """Judge what had to wait for the end of a grace, in the order of arrival."""
        voyage = self.voyage
        assert voyage is not None, "something is held there"
        if not voyage.held:
            return
        end = voyage.window_end()
        if end is not None and voyage.elapsed(now) < end + voyage.grace:
            return
        held, voyage.held = voyage.held, []
        for one in held:
            person = self.people[one.seat]
            try:
                self._do(person, one.number, one.action, now)
            except Refused as problem:
                self.refused[problem.code] += 1
                self._send(person, problem.answer(one.number))

    # What goes out

    def _flush(self) -> Outs:
        """Return the messages so far, after everybody was told what has happened."""
        now = self.clock()
        voyage = self.voyage
        if voyage is not None:
            # A claim in time sets free what waited for the end of its grace.
            if voyage.held and voyage.window_end() is None:
                self._release(now)
            was_over = voyage.logged == len(voyage.game.state.events) and voyage.game.settled
            self.journal += voyage.log(now)
            if voyage.game.settled and not was_over:
                self.record_due = self.short_due = True
            for seat, person in enumerate(self.people):
                self._tell_game(seat, person, now)
            for person in self._clockless:
                self._send(person, clock_message(voyage, now))
            self._clockless = []
        outs, self._outs = self._outs, []
        return outs

    def _tell_game(self, seat: int, person: Person, now: float) -> None:
        """Bring a seat up to date with the present round; under water it has to wait."""
        voyage = self.voyage
        if voyage is None or person.key is None:
            return
        game = voyage.game
        if person.round_told != game.number:
            person.round_told, person.events_told, person.opened_told = game.number, 0, False
            self._send(person, voyage.begun(game.start, game.number, seat))
        state = game.state
        elapsed = voyage.elapsed(now)
        if state.submerged[seat] > elapsed and not state.over:
            told = (state.submerged[seat], state.turn, state.hands[seat].size)
            if person.blind_told != told:
                person.blind_told = told
                self._send(person, blind_message(voyage, seat, elapsed))
            return
        person.blind_told = None
        for nth in range(person.events_told, len(state.events)):
            self._send(person, voyage.happened(nth, seat, now))
        person.events_told = len(state.events)
        if game.settled and not person.opened_told:
            person.opened_told = True
            self._send(person, voyage.opened(game.start, game.number))
            if game.winners is not None:
                self._send(person, voyage.closed())

    def _tell_voyage(self, person: Person) -> None:
        voyage = self.voyage
        assert voyage is not None, "it has begun"
        person.round_told = person.events_told = 0
        person.blind_told = None
        self._send(person, voyage_message(self.plan, voyage, self.people.index(person)))

    def _tell_lobby(self, only: Person | None = None) -> None:
        message = lobby(self.plan, self.people, self.crew, begun=self.voyage is not None)
        for person in self.people if only is None else [only]:
            self._send(person, message)

    def _tell_seats(self) -> None:
        voyage = self.voyage
        if voyage is None:
            return
        message = seats_message(voyage, self.people, self.admiral)
        for person in self.people:
            self._send(person, message)

    def _done(self, person: Person, number: int) -> None:
        at = self.people.index(person)
        person.done_id = number
        self.journal.append({"kind": "id", "at": at, "id": number})
        self._send(person, {"type": "done", "id": number})

    def _send(self, person: Person, message: Message) -> None:
        if person.key is not None:
            self._outs.append((person.key, message))

    def _refuse(self, key: Key, problem: Refused, number: int | None) -> None:
        self.refused[problem.code] += 1
        self._outs.append((key, problem.answer(number)))

    # From and to disk

    def lines(self) -> list[Message]:
        """Return the lines that have to be written now, and forget them."""
        lines, self.journal = self.journal, []
        return lines

    def record(self) -> Filed:
        """Return the voyage as it is now, for a game file."""
        assert self.voyage is not None, "a round was played"
        self.record_due = False
        return self.voyage.record(self.plan.ruleset, self.plan.overrides, self.begun_on)
