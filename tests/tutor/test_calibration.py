"""What rounds are like under each ruleset: shipped for all of them, and the same when measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from kit import ruleset

from sniffcli.engine.identity import rules_key
from sniffcli.engine.playout import play_outs
from sniffcli.engine.position import position_of
from sniffcli.engine.samples import dealt_in_turn
from sniffcli.game.state import Setup
from sniffcli.tutor import calibration
from sniffcli.tutor.calibration import (
    Calibration,
    Losses,
    calibration_of,
    from_data,
    shipped_data,
    to_data,
)
from sniffcli.tutor.calibration_build import main, measured, shipped_setups


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SNIFF_CACHE_DIR", str(tmp_path / "cache"))


def test_every_shipped_ruleset_is_measured() -> None:
    """After a change of rules: `python -m sniffcli.tutor.calibration_build`."""
    data = shipped_data()
    missing = [name for name, setup in shipped_setups([]) if rules_key(setup) not in data]
    assert missing == []
    for one in data.values():
        assert one["rounds"] >= 1000
        assert one["deviation"] > 0


@pytest.mark.parametrize("name", ["all-fives", "fives-and-threes", "all-threes", "draw"])
def test_a_fresh_measurement_agrees(name: str) -> None:
    setup = Setup(ruleset(name), ("P0", "P1"), (0, 1))
    shipped = calibration_of(setup)
    fresh = measured(setup, 400, start=100_000)
    # The relative error of a standard deviation is about one in the root of twice the number.
    assert fresh.deviation == pytest.approx(shipped.deviation, rel=4 / (2 * 400) ** 0.5)
    error = shipped.deviation * (1 / 400 + 1 / shipped.rounds) ** 0.5
    assert abs(fresh.lead - shipped.lead) < 4 * error


def test_house_rules_are_measured_on_first_use() -> None:
    setup = Setup(ruleset("all-fives", {"match.target": 137}), ("P0", "P1"), (0, 1))
    assert rules_key(setup) not in shipped_data()
    found = calibration_of(setup)
    assert found.rounds == 1000
    assert calibration_of(setup) is found


def test_what_was_measured_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = Setup(ruleset("all-fives", {"match.target": 139}), ("P0", "P1"), (0, 1))
    monkeypatch.setattr(calibration, "_known", {})
    first = calibration_of(setup)

    def refuse(*_: object) -> Calibration:
        raise AssertionError("measured again")

    with monkeypatch.context() as patched:
        patched.setattr("sniffcli.tutor.calibration_build.measured", refuse)
        patched.setattr(calibration, "_known", {})
        assert calibration_of(setup) == first
    (file,) = (calibration.cache_dir() / "calibration").iterdir()
    file.write_text('{"deviation": "much"}', "utf-8")
    monkeypatch.setattr(calibration, "_known", {})
    assert calibration_of(setup) == first


def test_the_spread_is_that_of_the_margins() -> None:
    """Against the plain twin of the play-outs and the definition of the standard deviation."""
    setup = Setup(ruleset("all-fives"), ("P0", "P1"), (0, 1))
    states = [dealt_in_turn(setup, "calibration", number) for number in range(60)]
    margins = []
    leads = []
    for state, row in zip(states, play_outs([position_of(s) for s in states], [None]), strict=True):
        mine, other = (row[0].points(side) for side in (0, 1))
        margins.append(mine - other)
        leads.append((mine - other) * (1 if state.leader == 0 else -1))
    mean = sum(margins) / 60
    spread = (sum((one - mean) ** 2 for one in margins) / 59) ** 0.5
    found = measured(setup, 60)
    assert found.deviation == pytest.approx(spread)
    assert found.lead == pytest.approx(sum(leads) / 60)


def test_data_reads_back() -> None:
    bots = {"greedy": Losses(12, 2.5, (0.0, 1.0, 4.25, 9.5))}
    one = Calibration(27.5, 4.25, 900, bots)
    assert from_data(json.loads(json.dumps(to_data(one)))) == one


def test_the_command_writes_what_it_measures(tmp_path: Path) -> None:
    out = tmp_path / "data" / "calibration.json"
    main(["block", "--players", "2", "--rounds", "50", "--output", str(out)])
    main(["muggins", "--players", "2", "--rounds", "50", "--output", str(out)])
    found = json.loads(out.read_text("utf-8"))["rulesets"]
    names = sorted(one["name"] for one in found.values())
    assert names[0].startswith("block, 2 players")
    assert names[-1].startswith("muggins, 2 players")


def test_data_of_another_version_are_not_gone_on_with(tmp_path: Path) -> None:
    out = tmp_path / "calibration.json"
    out.write_text(json.dumps({"version": -1, "rulesets": {"old": {"name": "old"}}}), "utf-8")
    main(["block", "--players", "2", "--rounds", "50", "--output", str(out)])
    assert "old" not in json.loads(out.read_text("utf-8"))["rulesets"]
