"""`sniff bench`: the signature of its fixed work is pinned; its speeds are nobody's promise."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from sniffcli.engine import bench

#: What the play-outs and solved deals come to. It changes when a deal, a rule of All Fives, the
#: greedy policy or the solver changes; then say so in the change log.
SIGNATURE = "f3b9fac85cfc8d7f"


@pytest.mark.parametrize("kernel", ["python", "native"])
def test_the_signature_is_the_same_everywhere(kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if kernel == "native":
        pytest.importorskip("sniffcli.engine._kernel", reason="the native kernel is not built")
    monkeypatch.setenv("SNIFF_KERNEL", kernel)
    assert bench.signature() == SIGNATURE


def test_the_command_measures_each_kernel(
    sniff: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "ROUNDS", {"python": 20, "native": 20})
    monkeypatch.setattr(bench, "DEALS", {"python": 1, "native": 1})
    run = sniff("bench", "--format", "json")
    assert (run.status, run.err) == (0, "")
    found = json.loads(run.out)
    assert found["signature"] == SIGNATURE
    assert found["kernels"][0]["kernel"] == "python"
    assert all(one["playouts"] > 0 and one["nodes"] > 0 for one in found["kernels"])
    table = sniff("bench")
    assert f"signature {SIGNATURE}" in table.out


def test_an_unknown_kernel_is_a_wrong_command_line(
    sniff: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SNIFF_KERNEL", "quantum")
    run = sniff("bench")
    assert (run.status, run.out) == (2, "")
    assert "SNIFF_KERNEL is 'quantum'" in run.err
