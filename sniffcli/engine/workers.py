"""Processes of a pool that Ctrl-C does not reach: the first process ends them in good order."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from types import FrameType
from typing import Any, TypeVar

Q = TypeVar("Q")
A = TypeVar("A")


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Start a pool inside the block, undisturbed by SIGINT and SIGTERM.

    A terminal sends Ctrl-C to every process, and a worker that is still importing would answer
    with a traceback. It inherits which signals are blocked where it was started, so SIGINT is
    blocked meanwhile. This process itself puts both signals off until the pool is whole: half a
    pool cannot be ended.
    """
    from joblib.externals.loky.backend import resource_tracker as tracker_of_loky

    _end_quietly()
    came: list[int] = []

    def put_off(number: int, frame: FrameType | None) -> None:
        came.append(number)

    handlers: dict[int, Any] = {}
    for number in (int(signal.SIGINT), int(signal.SIGTERM)):
        with suppress(ValueError):  # not the main thread, which alone hears signals
            handlers[number] = signal.signal(number, put_off)
    masks = hasattr(signal, "pthread_sigmask")  # not on Windows
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ()) if masks else set()
    try:
        # Starting a tracker of resources lets SIGINT through again in this thread. A pool has two,
        # joblib's and Python's own, and starts what is missing just before its first worker; so
        # both come before SIGINT is blocked.
        tracker_of_loky.ensure_running()
        if os.name == "posix":
            resource_tracker.ensure_running()
        if masks:
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        yield
    finally:
        if masks:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        for number, handler in handlers.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        if came:
            signal.raise_signal(came[0])


def _end_quietly() -> None:
    """Let a pool that is ended at its work not complain of the work that is left.

    joblib warns of tasks that nobody waits for any more, and the thread that feeds the workers may
    meet a queue that is closed or work that is struck off already; whoever has pressed Ctrl-C has
    asked for all of it.
    """
    warnings.filterwarnings("ignore", r"\d+ tasks which were still", UserWarning)
    above = threading.excepthook
    if getattr(above, "__name__", "") == "_of_thread":
        return

    def _of_thread(failure: threading.ExceptHookArgs) -> None:
        name = failure.thread.name if failure.thread is not None else ""
        if name != "ExecutorManagerThread" or not issubclass(
            failure.exc_type, (OSError, ValueError, KeyError)
        ):
            above(failure)

    threading.excepthook = _of_thread


def leave_interrupts_alone() -> None:
    """Ctrl-C in a terminal reaches every process; the first one ends the others in good order."""
    if multiprocessing.parent_process() is not None:
        with suppress(ValueError):  # not the main thread, as in a worker of Dask
            signal.signal(signal.SIGINT, signal.SIG_IGN)


def submitted(work: Callable[[Q], A], question: Q) -> Future[A]:
    """Give WORK one question in another process, and return what will be its answer.

    These processes let everything else on the machine go first, and end when they have long had
    nothing to do.
    """
    from joblib import cpu_count
    from joblib.externals.loky import get_reusable_executor

    with deaf_to_interrupts():
        # One core stays with whoever asks.
        workers = max(1, cpu_count() - 1)
        pool = get_reusable_executor(max_workers=workers, timeout=60, initializer=_behind)
        answer: Future[A] = pool.submit(work, question)
    return answer


def _behind() -> None:
    with suppress(AttributeError, OSError):
        os.nice(5)


def end_workers() -> None:
    """End the processes of the pool without waiting for the work they are at."""
    from joblib.externals.loky import get_reusable_executor

    get_reusable_executor(reuse=True).shutdown(wait=True, kill_workers=True)
