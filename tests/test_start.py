"""Starting: what `sniff --version` says and what it must not load (design, section 5)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from conftest import Run

import sniffcli
from sniffcli.cli.version import backend_name

HEAVY = [
    "prompt_toolkit",
    "tabulate",
    "yaml",
    "joblib",
    "plotext",
    "sqlite3",
    "asyncio",
]


#: Measuring coverage loads a good deal into every process.
UNMEASURED = pytest.mark.skipif("COVERAGE_PROCESS_CONFIG" in os.environ, reason="measured")


@UNMEASURED
@pytest.mark.parametrize("arguments", [["--version"], ["--help"], []])
def test_nothing_heavy_is_loaded(arguments: list[str], tmp_path: Path) -> None:
    """Also none of our own rooms: the table of commands is enough for the help."""
    code = (
        "import atexit, json, sys\n"
        "atexit.register(lambda: print(json.dumps(sorted(sys.modules)), file=sys.stderr))\n"
        f"sys.argv = ['sniff', *{arguments!r}]\n"
        "from sniffcli.__main__ import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    loaded = set(json.loads(done.stderr.splitlines()[-1]))

    assert not loaded & set(HEAVY)
    assert {name for name in loaded if name.startswith("sniffcli")} <= {
        "sniffcli",
        "sniffcli.__main__",
        "sniffcli.cli",
        "sniffcli.cli.main",
        "sniffcli.cli.version",
        "sniffcli.problems",
    }


@UNMEASURED
def test_importtime_names_none_of_the_heavy_ones(sniff_process: Callable[..., Run]) -> None:
    run = sniff_process("--version", python=("-X", "importtime"))
    loaded = {line.rsplit("|", 1)[-1].strip().split(".")[0] for line in run.err.splitlines()}

    assert "click" in loaded
    assert not loaded & set(HEAVY)


def test_version_names_the_search_backend(
    sniff: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SNIFF_KERNEL", "python")

    assert sniff("--version") == Run(0, f"sniff {sniffcli.__version__} (search: python)\n", "")


def test_backend_is_found_without_importing_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SNIFF_KERNEL", raising=False)
    installed = backend_name()

    assert installed in ("python", "native")
    monkeypatch.setenv("SNIFF_KERNEL", "native")
    if installed == "native":
        assert backend_name() == "native"
    else:
        with pytest.raises(ValueError, match="not built here"):
            backend_name()


def test_an_unknown_backend_is_a_usage_error(
    sniff: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SNIFF_KERNEL", "fortran")
    run = sniff("--version")

    assert (run.status, run.out) == (2, "")
    assert "'fortran'; it may be python or native" in run.err


def test_without_the_site_module(sniff_process: Callable[..., Run]) -> None:
    """C95: the helpers that `site` adds, such as `exit`, are not relied on."""
    paths = [Path(sniffcli.__file__).parent.parent, Path(click.__file__).parent.parent]
    env = {"PYTHONPATH": ":".join(map(str, paths)), "SNIFF_KERNEL": "python"}

    assert sniff_process("--version", python=("-S",), env=env).status == 0
    assert sniff_process("--bogus", python=("-S",), env=env).status == 2


def test_the_version_is_written_once(root: Path) -> None:
    assert sniffcli.__version__ not in (root / "pyproject.toml").read_text("utf-8")
