"""A session: a live game with what the people at it have chosen, driven line by line.

`Session.execute(line)` is all of it: no terminal is asked for anything, so that the prompt, a
script, a pipe and a test drive the same thing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sniffcli.game.actions import Action
from sniffcli.game.state import Event, Setup, State
from sniffcli.show.style import Look
from sniffcli.ui.live import LiveGame
from sniffcli.ui.reply import Reply, refused
from sniffcli.ui.telling import told
from sniffcli.ui.verb import Verb

if TYPE_CHECKING:
    from sniffcli.engine.advice import Advice


@dataclass
class Options:
    """What the people at a table have chosen for themselves."""

    counter: bool = True
    #: Whether it was asked for, so that what a saved game says about it no longer counts.
    counter_chosen: bool = False
    #: The least grade of error that is questioned before a play is committed, or `off`.
    tutor: str = "off"
    #: How tiles are drawn; empty for the skin that was chosen last.
    skin: str = ""
    look: Look = field(default_factory=Look)
    #: The most lines that the drawn table may take.
    height: int = 18
    #: Deals a hint or an analysis looks at.
    worlds: int = 400


@dataclass
class Session:
    """One match at one keyboard."""

    game: LiveGame
    options: Options = field(default_factory=Options)
    #: Begins another match with the same people and rules (`new`); None where there is none.
    rematch: Callable[[], LiveGame] | None = None
    #: Writes the game to a named file, or to its own; returns what to say.
    save: Callable[[str | None], str] | None = None
    #: The command that prints the whole rules, as this table's are named; empty if unknown.
    explained: str = ""
    #: Verbs of this session alone.
    extra: tuple[Verb, ...] = ()
    #: Whether a real table is written down: hands are hidden, and nobody plays here.
    recording: bool = False
    #: The seat of the one person who sits before the screen, where several share it.
    keyboard: int | None = None
    #: Whether an action was taken back in this match.
    undone: bool = False
    #: Decisions made after a hint, as (round, event) pairs; they do not count in one's rate.
    hinted: set[tuple[int, int]] = field(default_factory=set)
    #: A play that the tutor has questioned, waiting for `keep` or `rethink`.
    questioned: str | None = None
    #: The last advice, with the position and seat that it is for.
    advised: tuple[State, int, Advice] | None = None
    #: How many steps of the hint for this position were given.
    hint_steps: int = 0

    def __post_init__(self) -> None:
        self._take(self.game)

    def _take(self, game: LiveGame) -> None:
        self.game = game
        self.game.expert = not self.options.counter
        self.questioned = None
        self.hint_steps = 0

    def show_counter(self, visible: bool) -> None:
        """Show sums and points, or let people find them."""
        self.options.counter = visible
        self.game.expert = not visible

    @property
    def state(self) -> State:
        """The present state of the round."""
        return self.game.state

    @property
    def setup(self) -> Setup:
        """The seats and rules."""
        return self.game.setup

    @property
    def viewer(self) -> int:
        """The seat whose eyes the screen is for: who claims or moves, else the first person."""
        game = self.game
        deciding = game.owner_deciding()
        if deciding is not None:
            return deciding
        turn = game.state.turn
        people = game.people
        if turn in people or not people:
            return turn
        return people[0]

    def secret(self, seat: int) -> str:
        """Return why nothing of SEAT's hand is told now, or nothing: somebody else is looking."""
        if self.keyboard is None or self.keyboard == seat:
            return ""
        name, reader = self.setup.names[seat], self.setup.names[self.keyboard]
        return f"{reader} is at the keyboard, and what {name} holds is not told to others"

    @property
    def shown(self) -> frozenset[int]:
        """The seats whose drawn tiles may be read on the screen: one person's own."""
        return frozenset(self.game.people) if len(self.game.people) == 1 else frozenset()

    def execute(self, line: str, seat: int | None = None) -> Reply:
        """Carry out one line and answer it; SEAT is who speaks, None for who is to move."""
        from sniffcli.ui.verbs import dispatch

        text = line.strip()
        speaker, rest = self.addressed(text)
        if speaker is not None:
            seat, text = speaker, rest
        if not text:
            return Reply()
        return dispatch(self, text, seat)

    def addressed(self, text: str) -> tuple[int | None, str]:
        """Split `NAME: words` into the seat of that name and the words."""
        names = sorted(enumerate(self.setup.names), key=lambda one: -len(one[1]))
        said = [one for one in names if text.startswith(f"{one[1]}:")]
        if not said:
            said = [one for one in names if text.casefold().startswith(f"{one[1]}:".casefold())]
        for seat, name in said:
            if text[len(name) : len(name) + 1] == ":":
                rest = text[len(name) + 1 :]
                # `6:3` is a tile even where somebody is called 6.
                if rest[:1].isdigit() and name.isdigit():
                    continue
                return seat, rest.strip()
        return None, text

    def act(self, action: Action) -> Reply:
        """Do an action of a person, let the bots answer, and tell what happened."""
        from sniffcli.game.actions import IllegalAction

        if self.game.is_bot(action.seat):
            deciding = self.game.owner_deciding()
            if deciding is not None:
                name = self.setup.names[deciding]
                return refused(f"{name} may still claim: write claim, or next to let it go")
            return refused(f"{self.setup.names[action.seat]} is played by a bot")
        try:
            events = self.game.do(action)
        except IllegalAction as problem:
            if problem.refusal.code == "over" and self.game.settled:
                rest = "next begins another" if self.game.winners is None else "so is the match"
                return refused(f"the round is over; {rest}")
            return refused(problem.refusal)
        self.questioned = None
        self.hint_steps = 0
        return self.report([*events, *self.game.advance()])

    def tick(self) -> Reply:
        """Let happen what is due by now: bots claim, catch and move."""
        events = self.game.advance()
        return self.report(events) if events else Reply()

    def report(self, events: Iterable[Event]) -> Reply:
        """Return a reply that tells EVENTS, and how the round ended if it did."""
        from sniffcli.ui.screens import round_over

        lines = [self.tell(event) for event in events]
        if self.game.settled:
            lines += ["", *round_over(self)]
        return Reply("\n".join(lines), changed=True)

    def tell(self, event: Event) -> str:
        """Return one event in words, as far as the people here may know it."""
        return told(event, self.setup, counter=self.options.counter, shown=self.shown)

    def replace_game(self, game: LiveGame) -> None:
        """Take another match onto the table."""
        self.undone = False
        self.hinted = set()
        self._take(game)
