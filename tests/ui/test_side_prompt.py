"""The prompt beside a hosted game: lines, leaving, and what Tab offers."""

from __future__ import annotations

import asyncio

from prompt_toolkit.application import create_app_session
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.data_structures import Size
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from ui.tables import FIVES, session_of

from sniffcli.ui.side_prompt import INTERRUPT, LegalNow, SidePrompt


class Narrow(DummyOutput):
    """An output of 33 columns."""

    def get_size(self) -> Size:
        return Size(rows=12, columns=33)


def lines(typed: str) -> list[str | None]:
    async def read() -> list[str | None]:
        prompt = SidePrompt(lambda: "Ann> ", lambda: "round 1", lambda: None, color=False)
        assert prompt.size() == (33, 12)
        found: list[str | None] = []
        with prompt.beside():
            while not found or found[-1] is not None:
                found.append(await prompt.line())
        return found

    with create_pipe_input() as pipe, create_app_session(input=pipe, output=Narrow()):
        pipe.send_text(typed)
        return asyncio.run(read())


def test_lines_come_as_they_are_typed() -> None:
    assert lines("5-5\rclaim 10\r\x04") == ["5-5", "claim 10", None]


def test_ctrl_c_drops_what_is_typed_and_interrupts_where_nothing_is() -> None:
    """Case C87, beside a hosted game."""
    assert lines("hand\rdra\x03log\r\x03\x04") == ["hand", "log", INTERRUPT, None]


def offered(typed: str, *, tab: bool, table: bool = True) -> list[str]:
    session = session_of(FIVES)
    completer = LegalNow(lambda: session if table else None)
    document, event = Document(typed), CompleteEvent(completion_requested=tab)
    return [one.text for one in completer.get_completions(document, event)]


def test_tab_offers_what_is_legal_now() -> None:
    assert "5-5" in offered("5", tab=False)
    assert all(one.startswith("5") for one in offered("5", tab=False))
    assert "help" in offered("HE", tab=False)
    assert offered("zzz", tab=True) == []


def test_nothing_is_offered_unasked_or_without_a_game() -> None:
    assert offered("", tab=False) == []
    assert "5-5" in offered("", tab=True)
    assert offered("5", tab=True, table=False) == []
