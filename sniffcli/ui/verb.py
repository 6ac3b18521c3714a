"""What a verb is: one value that dispatch, help and completion read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sniffcli.ui.reply import Reply
    from sniffcli.ui.session import Session


def _always(session: Session) -> tuple[str, ...]:
    return ("",)


@dataclass(frozen=True, slots=True)
class Verb:
    """One line of a table of verbs."""

    name: str
    usage: str
    help: str
    #: Carries out a verb: the words behind it, and who speaks (None: who is to move).
    handler: Callable[[Session, str, int | None], Reply]
    #: Returns what may stand behind it now; "" means that the verb alone is a command.
    completions: Callable[[Session], Iterable[str]] = _always
    aliases: tuple[str, ...] = ()
    #: Whether the rules and settings of a table have any use for it.
    used: Callable[[Session], bool] = lambda session: True
    #: What a person is asked before it is done, if anything.
    confirm: str = ""
