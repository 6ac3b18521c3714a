"""Which search backend this installation has, found without importing the engine."""

from __future__ import annotations

import os
from importlib.machinery import PathFinder


def backend_name() -> str:
    """Return `python` or `native`: what `SNIFF_KERNEL` forces, else what is installed.

    Raises:
        ValueError: `SNIFF_KERNEL` names no backend, or one that is not built here.
    """
    forced = os.environ.get("SNIFF_KERNEL", "")
    if forced not in ("", "python", "native"):
        raise ValueError(f"SNIFF_KERNEL is {forced!r}; it may be python or native")
    if forced == "python":
        return forced
    engine = os.path.join(os.path.dirname(__file__), "..", "engine")
    # importlib.util.find_spec would import the engine package to look inside it.
    built = PathFinder.find_spec("_kernel", [engine]) is not None
    if forced == "native" and not built:
        raise ValueError("SNIFF_KERNEL is native, but the native kernel is not built here")
    return "native" if built else "python"
