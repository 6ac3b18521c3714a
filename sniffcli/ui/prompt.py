"""The prompt loop: a thin skin of prompt-toolkit around `Session.execute`."""

from __future__ import annotations

import asyncio
import shlex
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.input import Input
from prompt_toolkit.output import ColorDepth, Output

from sniffcli.files.profile import Profile
from sniffcli.problems import Status
from sniffcli.show.folding import fitted, fold
from sniffcli.show.style import LEAST_WIDTH
from sniffcli.ui import screens
from sniffcli.ui.acting import submerged
from sniffcli.ui.clock import Clock, RealClock
from sniffcli.ui.endings import honoured, honours_now, unhonoured
from sniffcli.ui.keeper import Keeper
from sniffcli.ui.live import LiveGame
from sniffcli.ui.runs import Unusable, take_up
from sniffcli.ui.seating import Wish, again, opened
from sniffcli.ui.session import Options, Session
from sniffcli.ui.side_prompt import bindings
from sniffcli.ui.skins import remember_skin
from sniffcli.ui.store import GameFile, new_file
from sniffcli.ui.verbs import completions, find

#: What a prompt returns when something has happened by itself.
TICK = "\0tick"

#: How often a countdown is drawn again, in seconds.
REFRESH = 0.25


def say(text: str) -> None:
    """Write lines to the terminal."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


class Offers(Completer):
    """Completes whole commands, of those that are legal now."""

    def __init__(self, session: Callable[[], Session]) -> None:
        self.session = session

    def get_completions(self, document: Document, event: CompleteEvent) -> Iterable[Completion]:
        """Yield the commands that begin with what is typed."""
        typed = document.text_before_cursor.lstrip()
        if not typed and not event.completion_requested:
            return
        for line in completions(self.session()):
            if line.lower().startswith(typed.lower()):
                yield Completion(line, start_position=-len(typed))


class Loop:
    """One person or several at one terminal, from the first prompt to the last."""

    def __init__(
        self,
        session: Session,
        keeper: Keeper,
        *,
        input: Input | None = None,
        output: Output | None = None,
        write: Callable[[str], None] = say,
    ) -> None:
        self.session = session
        self.keeper = keeper
        self._print = write
        self.seat = session.viewer
        #: Whether somebody was called to the keyboard in this match, where people share it.
        self.called = False
        #: Whether it was said how points are claimed.
        self.told_of_claims = False
        #: Half a line that was being typed when something happened.
        self.typed = ""
        #: A whole line that was typed below a page instead of Enter.
        self.entered = ""
        #: Whether the match at the table has been noted in the honours (or was before).
        self.honoured = session.game.winners is not None
        #: What the player had won before that was noted.
        self.before: Profile | None = None
        look = session.options.look
        self.prompter: PromptSession[str] = PromptSession(
            completer=Offers(lambda: self.session),
            complete_while_typing=True,
            bottom_toolbar=self._toolbar,
            key_bindings=bindings(),
            reserve_space_for_menu=4,
            color_depth=None if look.color else ColorDepth.DEPTH_1_BIT,
            input=input,
            output=output,
        )

    @property
    def _width(self) -> int:
        return self.session.options.look.width

    def write(self, text: str) -> None:
        """Write lines, folded where the terminal would break them anywhere."""
        self._print(fitted(text, self._width))

    # The loop

    def run(self) -> Status:
        """Play until somebody leaves; the game is saved all the time."""
        show = True
        if self.session.game.settled:
            self.write("\n".join(screens.round_over(self.session)))
        deciding: int | None = None
        while True:
            try:
                told = self.session.tick()
            except KeyboardInterrupt:
                if self._really_leave():
                    return self._leave()
                continue
            if told.text:
                self.write(told.text)
                show = True
            elif deciding is not None and self._ran_out(deciding):
                self.write(f"The time of {self.session.setup.names[deciding]} is over.")
            deciding = self.session.game.owner_deciding() if self._counting() else None
            self._honour()
            if self.keeper.trouble:
                self.write(f"sniff: {self.keeper.trouble}")
            show = self._change_seat() or show
            if show and not self.session.game.settled:
                self._fit()
                self.write("")
                self.write(screens.turn_page(self.session, self.seat))
                self._advise_forced()
            self._tell_of_claims()
            try:
                line = self._ask()
            except KeyboardInterrupt:
                if self._really_leave():
                    return self._leave()
                show = False
                continue
            except EOFError:
                return self._leave()
            if line == TICK:
                show = False
                continue
            show = False
            reply = self._execute(line)
            if reply is None:
                return self._leave()
            show = reply

    def _promise(self) -> None:
        """Say what binds the dealer, before anything is played."""
        proof = self.keeper.sitting.promise
        if proof is not None:
            self.write(promised(proof.commitment))

    def _ran_out(self, seat: int) -> bool:
        """Whether the time in which SEAT could claim has passed unused."""
        events = self.session.state.events
        unused = bool(events) and events[-1].kind == "play" and events[-1].seat == seat
        return unused and self.session.game.owner_deciding() != seat

    def _fit(self) -> None:
        """Draw for the terminal as wide and high as it is now."""
        size, options = self.prompter.output.get_size(), self.session.options
        if size.columns and size.rows:
            width = max(LEAST_WIDTH, size.columns)
            options.look = options.look._replace(width=width)
            # Hand, others, prompt and toolbar want their lines below the table.
            options.height = max(6, size.rows - 9)

    def _execute(self, line: str) -> bool | None:
        """Carry out a line; return whether the screen is to be drawn again, None to leave."""
        self._fit()
        text = line.strip()
        if not text:
            if not self.session.game.settled or self.session.game.winners is not None:
                return False
            text = "next"
        verb, _ = find(self.session, self.session.addressed(text)[1])
        over = self.session.game.winners is not None
        question = verb.confirm if verb is not None and verb.used(self.session) else ""
        if question and not over and not self._confirmed(question):
            return False
        game = self.session.game
        shared = len(game.people) > 1 and not self.session.recording
        self.session.keyboard = self.seat if shared else None
        try:
            reply = self.session.execute(text, self._speaker())
        except KeyboardInterrupt:
            self.write("stopped")
            return False
        if self.session.game is not game:
            self.honoured, self.before = False, None
            self.seat, self.called = self.session.viewer, False
            self._promise()
            if self.keeper.file is not None:
                self._print(f"This match is kept in {self.keeper.file.path}")
        if reply.text:
            self._page(reply.text)
        if reply.error:
            self.write(f"  {reply.error}")
        return None if reply.leave else reply.changed

    def _page(self, text: str) -> None:
        """Write an answer, a screenful at a time."""
        lines = fitted(text, self._width).split("\n")
        # The question below a page and the line at the foot of the screen take room too.
        room = max(self.prompter.output.get_size().rows - 2, 5)
        question = "-- Enter for more, q to stop --"
        for start in range(0, len(lines), room):
            if start:
                try:
                    answer = self._plain(question if len(question) < self._width else "-- more --")
                except (EOFError, KeyboardInterrupt):
                    return
                if answer.strip():
                    # Anything but q was meant for the prompt, and is done there.
                    self.entered = "" if answer.strip().lower() in ("q", "quit") else answer
                    return
            self.write("\n".join(lines[start : start + room]))

    def _tell_of_claims(self) -> None:
        """Say once what is typed where points wait to be claimed."""
        session = self.session
        if self.told_of_claims or session.game.owner_deciding() != self.seat:
            return
        self.told_of_claims = True
        if session.options.counter:
            text = "Type claim to announce your points; next lets them go."
        else:
            text = "Does it score? Type claim and the points, like claim 10, or next to go on."
        self.write(text)

    def _speaker(self) -> int | None:
        """Return the seat that speaks without a name: the one person, or whoever is to move."""
        people = self.session.game.people
        return people[0] if len(people) == 1 else None

    def _ask(self) -> str:
        """Show the prompt and return a line, or TICK when time has brought something."""
        if self.entered:
            entered, self.entered = self.entered, ""
            return entered
        typed, self.typed = self.typed, ""
        return self.prompter.prompt(
            self._message,
            default=typed,
            refresh_interval=REFRESH if self._counting() else 0,
            pre_run=self._watch_clock,
        )

    def _watch_clock(self) -> None:
        """End the prompt by itself at the moment when something is due."""
        wait = self._next_moment()
        if wait is None:
            return
        app = get_app()

        async def later() -> None:
            await asyncio.sleep(max(0.0, wait) + 0.01)
            self.typed = app.current_buffer.text
            if app.is_running and not app.is_done:
                app.exit(result=TICK)

        app.create_background_task(later())

    def _next_moment(self) -> float | None:
        """Return the seconds until the screen changes by itself, or None."""
        game = self.session.game
        if not game.clock.real or game.state.over:
            return None
        moments = [game.next_due()]
        if submerged(self.session, self.seat):
            moments.append(game.state.submerged[self.seat] - game.elapsed())
        waits = [one for one in moments if one is not None]
        return min(waits) if waits else None

    # What the prompt shows

    def _counting(self) -> bool:
        return self.session.game.clock.real and self.session.game.timed

    def _message(self) -> str:
        session, game = self.session, self.session.game
        if game.settled:
            if game.winners is None:
                return "next, or quit> "
            return "quit> " if session.rematch is None else "rematch, or quit> "
        name = session.setup.names[self.seat]
        if session.questioned is not None:
            return f"{name}, keep or rethink?> "
        deciding = game.owner_deciding()
        if deciding == self.seat:
            left = game.time_left()
            # Where people count for themselves nothing says whether there is anything to claim.
            what = "claim?" if session.options.counter else "claim N, or next?"
            return f"{name}, {what}> " if left is None else f"{name}, {what} {left:.0f} s> "
        if session.options.counter and game.catchable(self.seat):
            return f"{name}, catch?> "
        return f"{name}> "

    def _toolbar(self) -> str:
        return f" {screens.status(self.session)} "

    # Pages between turns

    def _change_seat(self) -> bool:
        """Hand the keyboard on where another person is to look; return whether that happened."""
        seat, game = self.session.viewer, self.session.game
        waiting = game.is_bot(game.state.turn) and game.owner_deciding() is None
        shared = len(game.people) > 1 and not self.session.recording
        first = shared and not self.called
        if game.settled or (not first and (seat == self.seat or waiting)):
            return False
        if shared:
            self._fit()
            if not first:
                self._clear()
            self.called = True
            self.write(screens.hand_over(self.session, seat))
            self._pause("Press Enter.")
        self.seat = seat
        return True

    def _clear(self) -> None:
        """Take the last hand off the screen, scrolled-back lines too."""
        self.prompter.output.erase_screen()
        if self.session.options.look.color:
            # What has left the screen at the top.
            self.prompter.output.write_raw("\x1b[3J")
        self.prompter.output.cursor_goto(0, 0)
        self.prompter.output.flush()
        if self.session.options.look.color:
            return
        # A terminal that knows no erasing still must not show the hand.
        self.write("\n" * 40)

    def _pause(self, question: str) -> None:
        try:
            self._plain(question)
        except (EOFError, KeyboardInterrupt):
            return

    def _plain(self, question: str) -> str:
        """Ask without completion and toolbar; a long question begins on lines of its own."""
        *before, question = fold(question, self._width - 8)
        if before:
            self.write("\n".join(before))
        asking: PromptSession[str] = PromptSession(
            input=self.prompter.input, output=self.prompter.output
        )
        return asking.prompt(f"{question} ")

    def _confirmed(self, question: str) -> bool:
        try:
            answer = self._plain(f"{question} [y/N]")
        except (EOFError, KeyboardInterrupt):
            return False
        return answer.strip().lower() in ("y", "yes")

    def _really_leave(self) -> bool:
        try:
            answer = self._plain("Leave? The game is saved. [y/N]")
        except (EOFError, KeyboardInterrupt):
            return True
        return answer.strip().lower() in ("y", "yes")

    def _advise_forced(self) -> None:
        """Say what is left to do where no tile fits."""
        options = completions(self.session)
        words = [word for word in ("draw", "pass") if word in options]
        if words and not any(line[:1].isdigit() for line in options):
            self.write(f"No tile fits: {words[0]}.")

    def _honour(self) -> None:
        """Note a match that was played to its end, once, and drop that if its end is undone."""
        over = self.session.game.winners is not None
        if self.honoured and not over:
            self.honoured = False
            if self.before is not None and self.before != honours_now():
                self.write(unhonoured(self.before))
        if self.honoured or not over:
            return
        self.honoured = True
        self.before = honours_now()
        for line in honoured(self.session, self.keeper):
            self.write(line)

    def _leave(self) -> Status:
        """Save once more and say where the game is."""
        self.keeper.changed()
        if self.keeper.trouble:
            self.write(f"sniff: {self.keeper.trouble}")
            return Status.PROBLEMS
        if self.keeper.file is not None and self.session.game.winners is None:
            command = "record" if self.session.recording else "play"
            path = shlex.quote(str(self.keeper.file.path))
            # Whole, so that it can be copied.
            self._print(f"The game is saved: sniff {command} --resume {path}")
        return Status.OK


def play(
    wish: Wish, options: Options, *, save: Path | None, resume: Path | None, force: bool
) -> Status:
    """Play at this terminal."""
    clock = RealClock()
    if resume is not None:
        try:
            game, sitting, file = take_up(resume, clock)
        except Unusable as problem:
            sys.stderr.write(f"{problem}\n")
            return Status.PROBLEMS
    else:
        game, sitting = opened(wish, clock)
        file = _own_file(save, force)
    remember_skin(options)
    session = Session(game, options)
    keeper = Keeper(session, sitting, file)
    session.rematch = lambda: _again(clock, session, keeper)
    loop = Loop(session, keeper)
    for line in _welcome(session, keeper, resumed=resume is not None):
        loop.write(line)
    return loop.run()


def _own_file(save: Path | None, force: bool) -> GameFile:
    if save is None:
        return new_file()
    if force and save.exists():
        from sniffcli.files.writing import read_file

        return GameFile(save, read_file(save)[1])
    return GameFile(save)


def _again(clock: Clock, session: Session, keeper: Keeper) -> LiveGame:
    """Begin another match."""
    game, sitting = again(session.game, keeper.sitting, clock)
    keeper.begin_again(game, sitting)
    return game


def promised(commitment: str) -> str:
    """Return the line that binds the dealer, and what it is good for."""
    return (
        f"The deal is promised: {commitment}\n"
        "(`sniff replay --verify-deal` checks the saved game against it afterwards)"
    )


def _welcome(session: Session, keeper: Keeper, *, resumed: bool) -> list[str]:
    lines = [session.setup.rules.title]
    proof = keeper.sitting.promise
    if proof is not None and not resumed:
        lines.append(promised(proof.commitment))
    lines.append("`?` lists what you can do, Tab completes, Ctrl-D leaves and saves.")
    if not session.game.settled:
        lines.append(screens.round_opened(session))
    return lines
