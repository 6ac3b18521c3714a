"""A prompt that waits beside a game which goes on: what happens is written above it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.patch_stdout import patch_stdout

from sniffcli.ui.session import Session
from sniffcli.ui.verbs import completions

#: How often a countdown in the prompt is drawn again, in seconds.
REFRESH = 0.25

#: What a prompt returns for Ctrl-C where nothing was typed.
INTERRUPT = "\0interrupt"


class LegalNow(Completer):
    """Completes whole commands, of those that are legal now."""

    def __init__(self, session: Callable[[], Session | None]) -> None:
        self.session = session

    def get_completions(self, document: Document, event: CompleteEvent) -> Iterable[Completion]:
        """Yield the commands that begin with what is typed."""
        typed = document.text_before_cursor.lstrip()
        session = self.session()
        if session is None or (not typed and not event.completion_requested):
            return
        for line in completions(session):
            if line.lower().startswith(typed.lower()):
                yield Completion(line, start_position=-len(typed))


class SidePrompt:
    """Lines of one person, read while the loop of events goes on."""

    def __init__(
        self,
        message: Callable[[], str],
        toolbar: Callable[[], str],
        session: Callable[[], Session | None],
        *,
        color: bool,
    ) -> None:
        self.message = message
        self.prompter: PromptSession[str] = PromptSession(
            completer=LegalNow(session),
            complete_while_typing=True,
            bottom_toolbar=toolbar,
            refresh_interval=REFRESH,
            reserve_space_for_menu=4,
            color_depth=None if color else ColorDepth.DEPTH_1_BIT,
            key_bindings=bindings(),
        )

    def beside(self) -> AbstractContextManager[None]:
        """Let everything that is written appear above the prompt."""
        return patch_stdout(raw=True)

    def size(self) -> tuple[int, int]:
        """Return the columns and rows of the terminal."""
        size = self.prompter.output.get_size()
        return size.columns, size.rows

    async def line(self) -> str | None:
        """Return the next line, INTERRUPT for Ctrl-C, or None when the person leaves."""
        try:
            return await self.prompter.prompt_async(self.message)
        except KeyboardInterrupt:
            return INTERRUPT
        except EOFError:
            return None


def bindings() -> KeyBindings:
    """Return the keys of our own: Ctrl-C drops what is typed, and interrupts where nothing is."""
    keys = KeyBindings()

    @keys.add("c-c")
    def drop(event: KeyPressEvent) -> None:
        if event.current_buffer.text:
            event.current_buffer.reset()
        else:
            event.app.exit(exception=KeyboardInterrupt)

    return keys
