"""Fuzz for long: `python -m fuzz game --seconds 3600` in the directory `tests`.

Stops at the first input that raises, takes more than a second of the processor (at the prompt: for
one of its lines), or lets the process grow beyond a bound, writes it into the corpus and says so.
"""

from __future__ import annotations

import argparse
import gc
import random
import resource
import signal
import sys
import time
import traceback
from types import FrameType

from fuzz.changes import changed
from fuzz.targets import CORPUS, TARGETS, seeds

#: Seconds of the processor that one input may take, and megabytes that the process may grow by.
SECONDS, GROWTH = 1.0, 300


class HangError(BaseException):
    """An input took far too long."""


def _hangs(number: int, frame: FrameType | None) -> None:
    raise HangError


def main() -> int:
    """Fuzz one target until the time is over or an input fails."""
    parser = argparse.ArgumentParser(prog="python -m fuzz")
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--seed", type=int, default=None)
    given = parser.parse_args()
    seed = random.SystemRandom().getrandbits(32) if given.seed is None else given.seed
    rng, inputs, target = random.Random(seed), seeds(given.target), TARGETS[given.target][0]
    signal.signal(signal.SIGVTALRM, _hangs)
    started, done, slowest, text = time.monotonic(), 0, 0.0, b""
    first = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Thousands of sessions in one process leave much to look through; none of it is an input's.
    gc.disable()
    while time.monotonic() - started < given.seconds:
        if done % 20 == 0:
            gc.collect()
        text = changed(rng, inputs)
        before = time.process_time()
        signal.setitimer(signal.ITIMER_VIRTUAL, 20 * SECONDS)
        failed, step = "", None
        try:
            step = target(text)
        except (Exception, HangError):
            failed = traceback.format_exc()
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        done += 1
        spent = time.process_time() - before if step is None else step
        slowest = max(slowest, spent)
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - first) / 1024
        if spent > SECONDS:
            failed = failed or f"{spent:.1f} s of the processor"
        if grown > GROWTH:
            failed = failed or f"grown by {grown:.0f} MB"
        if failed:
            kept = CORPUS / f"{given.target}-{seed}-{done}"
            kept.write_bytes(text)
            sys.stdout.write(f"{failed}\n{kept.name}: input {done} of seed {seed}\n")
            return 1
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - first) / 1024
    sys.stdout.write(
        f"{given.target}: {done} inputs in {given.seconds:.0f} s, "
        f"{time.process_time():.0f} s of the processor, seed {seed}, "
        f"slowest {slowest:.2f} s, grown by {grown:.0f} MB: nothing found\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
