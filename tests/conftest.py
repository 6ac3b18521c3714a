"""What all tests share: the command in this process and in its own, and the Hypothesis profiles."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "dev", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
# The suite has to stay under ten minutes on two cores; "deep" is for a run by hand.
settings.register_profile("ci", settings.get_profile("dev"), max_examples=60, derandomize=True)
settings.register_profile("deep", settings.get_profile("dev"), max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if "CI" in os.environ else "dev"))

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # So it is where a shell starts the tests in the background; every command that a test starts
    # would be deaf to Ctrl-C too.
    signal.signal(signal.SIGINT, signal.default_int_handler)

#: The checkout with its rulesets, scenarios and documents; the package may be installed elsewhere.
ROOT = Path(__file__).parent.parent


class Run(NamedTuple):
    """What one run of the command gave."""

    status: int
    out: str
    err: str


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture
def sniff(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Run]:
    """Run `sniff ARGUMENTS` inside this process: `sniff("count", "5-5", input="")`."""

    def run(*arguments: str | Path, input: str | bytes = b"") -> Run:
        from sniffcli.cli.main import main

        given = input.encode() if isinstance(input, str) else input
        out, err = io.BytesIO(), io.BytesIO()
        # Kept until the end: a wrapper that goes away closes what it wraps.
        wrappers = [io.TextIOWrapper(raw, "utf-8") for raw in (io.BytesIO(given), out, err)]
        with monkeypatch.context() as patch:
            for name, wrapper in zip(("stdin", "stdout", "stderr"), wrappers, strict=True):
                patch.setattr(sys, name, wrapper)
            status = main([str(argument) for argument in arguments])
            for wrapper in wrappers[1:]:
                wrapper.flush()
        return Run(int(status), out.getvalue().decode(), err.getvalue().decode())

    return run


@pytest.fixture
def sniff_process(tmp_path: Path) -> Callable[..., Run]:
    """Run `python -m sniffcli ARGUMENTS` as a process of its own, away from the checkout."""

    def run(
        *arguments: str | Path,
        python: tuple[str, ...] = (),
        env: dict[str, str] | None = None,
        input: str = "",
    ) -> Run:
        done = subprocess.run(
            [sys.executable, *python, "-m", "sniffcli", *map(str, arguments)],
            cwd=tmp_path,
            env={**os.environ, **(env or {})},
            input=input,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        return Run(done.returncode, done.stdout, done.stderr)

    return run
