"""The core still answers as recorded; a shipped ruleset without a record fails."""

from __future__ import annotations

from pathlib import Path

import pytest
from playthrough import playthrough_text

from sniffcli.ruleset.library import shipped

HERE = Path(__file__).parent / "playthroughs"


@pytest.mark.parametrize("name", shipped())
def test_playthrough(name: str) -> None:
    path = HERE / f"{name}.txt"
    assert path.is_file(), f"{name} has no playthrough; run python -m tests.regenerate"
    assert playthrough_text(name) == path.read_text("utf-8")


def test_no_record_without_its_ruleset() -> None:
    assert {path.stem for path in HERE.glob("*.txt")} == set(shipped())
