"""The tutor's gate: a costly play is questioned before it is made, without naming a better one."""

from __future__ import annotations

from sniffcli.game.actions import Play
from sniffcli.ui.reply import Reply
from sniffcli.ui.session import Session


def question(session: Session, play: Play, text: str) -> Reply | None:
    """Return the question about a play, or None where there is nothing to ask."""
    return None
