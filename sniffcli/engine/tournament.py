"""Playing many deals of a contest, here or in other processes, so that it can be stopped any time.

What a deal gives does not depend on where or when it is played, so the games are the same for every
number of jobs; only the order in which they arrive differs.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from importlib import import_module
from typing import Any, Literal

from sniffcli.engine.contest import Contest, Game, play_deal
from sniffcli.engine.workers import deaf_to_interrupts, end_workers, leave_interrupts_alone
from sniffcli.game.state import Setup

Executor = Literal["loky", "dask"]

#: Seconds of work after which other processes are started at all: they take about one to start.
ALONE = 1.5

#: Seconds that one piece of work for another process should take; an interruption loses less.
PIECE = 0.4


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def games_of(
    contest: Contest,
    deals: Sequence[int],
    *,
    jobs: int = 1,
    executor: Executor = "loky",
    scheduler: str | None = None,
) -> Generator[list[Game], None, None]:
    """Yield the games of each deal as they are finished.

    SCHEDULER is the address of a Dask scheduler; without one a local cluster of JOBS processes is
    started for `dask`. Closing the generator, or an exception in it, ends all processes it started.
    """
    rest = list(deals)
    began = time.monotonic()
    done = 0
    # A cluster gets all but one deal, which tells how long they take.
    alone = ALONE if executor == "loky" else 0.0
    here = executor == "loky" and jobs == 1
    while rest and (here or not done or time.monotonic() - began < alone):
        yield play_deal(contest, rest.pop(0))
        done += 1
    if not rest:
        return
    speed = done / max(time.monotonic() - began, 1e-6)
    size = min(max(1, int(speed * PIECE)), max(1, len(rest) // (4 * jobs)))
    pieces = [rest[start : start + size] for start in range(0, len(rest), size)]
    for games in _elsewhere(contest, pieces, jobs, executor, scheduler):
        yield from games


def _elsewhere(
    contest: Contest,
    pieces: Sequence[Sequence[int]],
    jobs: int,
    executor: Executor,
    scheduler: str | None,
) -> Iterator[list[list[Game]]]:
    import joblib

    with ExitStack() as stack:
        if executor == "dask":
            stack.enter_context(_cluster(jobs, scheduler))
            stack.enter_context(joblib.parallel_config(backend="dask"))
            parallel = joblib.Parallel(return_as="generator_unordered")
        else:
            stack.callback(end_workers)
            parallel = joblib.Parallel(
                n_jobs=jobs, backend="loky", return_as="generator_unordered", batch_size=1
            )
        with deaf_to_interrupts():
            results = parallel(joblib.delayed(_piece)(contest, tuple(piece)) for piece in pieces)
        yield from results


def tables(
    build: Callable[[Setup], dict[str, Any]], setups: Sequence[Setup], jobs: int
) -> Iterator[dict[str, Any]]:
    """Yield what BUILD makes of each setup, in their order; it must be at the top of a module."""
    import joblib

    with ExitStack() as stack:
        if jobs > 1:
            stack.callback(end_workers)
        parallel = joblib.Parallel(n_jobs=jobs, return_as="generator", batch_size=1)
        with deaf_to_interrupts():
            results = parallel(joblib.delayed(_table)(build, setup) for setup in setups)
        yield from results


def _table(build: Callable[[Setup], dict[str, Any]], setup: Setup) -> dict[str, Any]:
    leave_interrupts_alone()
    return build(setup)


def _piece(contest: Contest, deals: Sequence[int]) -> list[list[Game]]:
    """Play some deals in a process of the pool."""
    leave_interrupts_alone()
    return [play_deal(contest, deal) for deal in deals]


def _cluster(jobs: int, scheduler: str | None) -> AbstractContextManager[Any]:
    """Return a Dask client of the scheduler at that address, or of a local cluster.

    Raises:
        LookupError: Dask is not installed, or nothing answers at the address.
    """
    try:
        # Imported by name, because type checkers see it only where the extra is installed.
        distributed = import_module("distributed")
    except ImportError:
        raise LookupError('Dask is not installed; pip install "sniffcli[dask]" brings it') from None
    stack = ExitStack()
    if scheduler is None:
        cluster = distributed.LocalCluster(
            n_workers=jobs,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            silence_logs=logging.ERROR,
        )
        address: Any = stack.enter_context(cluster)
    else:
        address = scheduler
    try:
        stack.enter_context(distributed.Client(address, timeout=20))
    except (OSError, TimeoutError) as problem:
        stack.close()
        raise LookupError(f"no Dask scheduler answers at {scheduler}: {problem}") from None
    return stack
