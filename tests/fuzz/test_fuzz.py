"""A short run of every fuzzed target, and all that the long ones have found."""

from __future__ import annotations

import random

import pytest
from fuzz.changes import changed
from fuzz.targets import CORPUS, TARGETS, seeds
from hypothesis import given, settings
from hypothesis import strategies as st


@pytest.fixture(autouse=True)
def own_data(tmp_path, monkeypatch):
    monkeypatch.setenv("SNIFF_DATA_DIR", str(tmp_path))


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*-*")), ids=lambda path: path.name)
def test_what_was_found_stays_fixed(path):
    TARGETS[path.name.partition("-")[0]][0](path.read_bytes())


@pytest.mark.parametrize("name", TARGETS)
def test_changed_inputs(name):
    """`python -m fuzz NAME` goes on where this ends."""
    target, inputs = TARGETS[name][0], seeds(name)

    @given(st.randoms(use_true_random=False))
    @settings(max_examples=8 if name == "prompt" else 40)
    def survives(rng: random.Random) -> None:
        target(changed(rng, inputs))

    survives()


@pytest.mark.parametrize("name", ["ruleset", "game", "puzzle", "script"])
def test_any_bytes(name):
    target = TARGETS[name][0]

    @given(st.binary(max_size=200))
    @settings(max_examples=30)
    def survives(text: bytes) -> None:
        target(text)

    survives()
