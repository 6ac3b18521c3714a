"""Processes of a pool that Ctrl-C does not reach: the first process ends them in good order."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Let processes that are started inside the block never hear SIGINT.

    A terminal sends Ctrl-C to every process, and one that is still importing would answer with a
    traceback. A process inherits which signals are blocked where it was started, so SIGINT is
    blocked here for as long as that takes; one that arrives meanwhile is delivered afterwards.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
