"""The opponents a table can seat: the bots of the engine."""

from __future__ import annotations

from sniffcli.engine.bots import LEVELS, Bot, bot

__all__ = ["LEVELS", "Bot", "bot"]
