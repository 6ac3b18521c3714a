"""`sniff-protocol`(7): its example is a conversation with the table, its lists are the code."""

from __future__ import annotations

import re
from pathlib import Path

from sniffcli.net.gate import Limits
from sniffcli.net.protocol import (
    FROM_HOST,
    FROM_TERMINAL,
    MOST_BYTES,
    MOST_WORDS,
    REFUSALS,
    read,
    written,
)
from sniffcli.net.voyage import GRACE, PATIENCE
from tests.net.transcript import conversation, shown, unfolded

PAGE = (Path(__file__).parents[2] / "man" / "text" / "protocol.md").read_text("utf-8")
BLOCKS = re.findall(r"```\n(.*?)```", PAGE, re.DOTALL)


def test_the_example_is_what_host_and_terminal_say() -> None:
    told = list(conversation())
    ann = [(way, shown(message)) for key, way, message in told if key == 0]
    assert unfolded(BLOCKS[0].splitlines()) == ann
    bob = [(way, message) for key, way, message in told if key == 1]
    for row in unfolded(BLOCKS[1].splitlines()):
        assert row in bob


def test_every_example_of_a_terminal_is_read() -> None:
    for block in BLOCKS:
        for way, message in unfolded(block.splitlines()):
            if way == ">":
                assert read(written(message)) == message


def test_every_kind_and_every_reason_is_told() -> None:
    told = set(re.findall(r"`([a-z_]+)`", PAGE))
    assert set(FROM_TERMINAL) | set(FROM_HOST) | set(REFUSALS) <= told
    for code, why in REFUSALS.items():
        assert f"`{code}`\n: {why[0].upper()}{why[1:]}." in PAGE


def test_the_limits_of_the_page_are_those_of_the_host() -> None:
    limits = Limits()
    for text in (
        f"at most {MOST_BYTES} bytes, an action {MOST_WORDS} signs",
        f"{limits.burst:g} messages at once and {limits.rate:g} a second",
        f"after {limits.floods} such refusals",
        f"every {limits.heartbeat:g} seconds",
        f"waits {limits.pause:g} seconds, twice as long each time, {limits.longest_pause:g} at",
        f"At most {limits.unseated} terminals",
        f"{limits.terminals} terminals be there",
        f"not read {limits.waiting} messages",
        f"within {limits.hello:g} seconds",
        f"at most {GRACE:g} seconds after them",
        f"a bot waits {PATIENCE:g} seconds",
    ):
        assert text in PAGE
