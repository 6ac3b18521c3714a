"""Reasons: every number in them is a fact, and the facts are true."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sniffcli.engine.advice import advise
from sniffcli.engine.position import mask_of
from sniffcli.engine.worlds import worlds_of
from sniffcli.files.games import read_game
from sniffcli.files.replay import Replay, play_out
from sniffcli.game.view import view_of
from sniffcli.table.counting import count
from sniffcli.tiles import parse_tile
from sniffcli.tutor.facts import Chances, written_sum
from sniffcli.tutor.grading import WorldGrader
from sniffcli.tutor.reasons import LEAST_ERRORS, LEAST_POINTS, MOST_REASONS, reasons_for
from sniffcli.tutor.review import Decision, review

NUMBER = re.compile(r"(?<![\w-])[+-]?\d+(?:[.,]\d+)?")


def replayed(file: Path) -> Replay:
    record, problems = read_game(file.read_bytes(), str(file))
    assert record is not None, problems
    return play_out(record)


@pytest.fixture(scope="module", params=["en", "fr"])
def decisions(request: pytest.FixtureRequest, root: Path) -> list[Decision]:
    games = root / "scenarios" / "games"
    files = [games / "all-fives-match-2.yaml", games / "all-threes-partners-round.yaml"]
    return [
        decision
        for file in files
        for decision in review(replayed(file), WorldGrader(150, 1, request.param)).decisions
        if decision.verdict.parts is not None
    ]


def numbers(value: Any) -> Iterator[float]:
    """Every number in some facts, those in written sums and keys included."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from numbers(key)
            yield from numbers(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from numbers(inner)
    elif isinstance(value, str):
        yield from map(float, re.findall(r"\d+", value))
    elif value is not None:
        yield float(value)


def test_every_number_in_a_reason_is_a_fact(decisions: list[Decision]) -> None:
    checked = 0
    for decision in decisions:
        verdict = decision.verdict
        facts = set(numbers(dict(verdict.facts)))
        tiles = re.compile(r"\d+-\d+")
        for reason in verdict.reasons:
            for tile in tiles.findall(reason):
                assert tile in str(verdict.facts)
            for found in NUMBER.findall(tiles.sub("", reason)):
                # A sum such as 5+5 = 10 holds plain numbers, not signed ones.
                value = float(found.replace(",", "."))
                assert value in facts or abs(value) in facts, (found, reason, verdict.facts)
                checked += 1
    assert checked > 200


def test_reasons_are_few_and_strong(decisions: list[Decision]) -> None:
    given = 0
    for decision in decisions:
        verdict = decision.verdict
        assert len(verdict.reasons) <= MOST_REASONS
        if verdict.status == "not_established":
            assert verdict.reasons == ()
        assert verdict.parts is not None
        assert verdict.parts_se is not None
        strong = [
            name
            for name, part in verdict.parts.items()
            if abs(part) >= LEAST_POINTS and abs(part) >= LEAST_ERRORS * verdict.parts_se[name]
        ]
        assert len(verdict.reasons) <= len(strong)
        given += len(verdict.reasons)
    assert given > 30


def test_what_is_told_adds_up(decisions: list[Decision]) -> None:
    """The heads of the reasons and what is left make the whole difference, to a tenth."""
    head = re.compile(r"^([+-]?\d+[.,]\d)")
    checked = 0
    for verdict in (one.verdict for one in decisions):
        assert verdict.parts is not None
        if not verdict.reasons:
            assert not verdict.rest
            continue
        told = [
            float(found[1].replace(",", ".")) for one in verdict.told if (found := head.match(one))
        ]
        assert len(told) == len(verdict.told)
        assert sum(told) == pytest.approx(sum(verdict.parts.values()), abs=0.051)
        checked += bool(verdict.rest)
    assert checked > 10


def test_chances_are_those_of_all_worlds(root: Path) -> None:
    """Against counting every deal there is, late in a round with few of them."""
    checked = 0
    for played in replayed(root / "scenarios" / "games" / "all-fives-match-1.yaml").rounds:
        for step in played.steps:
            view = view_of(step.before, step.event.seat)
            known = worlds_of(view)
            hands = known.consistent_hands
            if hands is None or hands > 300 or not view.unseen:
                continue
            other = 1 - view.seat
            tiles = mask_of(sorted(view.unseen)[::2])
            # The boneyard in one order will do: only hands count here.
            spreads = {}
            for table in known._tables:
                for spread, weight in table.enumerate():
                    spreads[spread.hands] = spreads.get(spread.hands, 0) + weight
            held = sum(weight for (hand,), weight in spreads.items() if hand & tiles)
            expected = held / sum(spreads.values())
            assert Chances(view).holds(other, tiles) == pytest.approx(expected)
            checked += 1
    assert checked > 20


def test_sums_are_written_as_they_are_counted(root: Path) -> None:
    for played in replayed(root / "scenarios" / "games" / "all-fives-match-3.yaml").rounds:
        for step in played.steps:
            text = written_sum(step.state.rules, step.state.frontier)
            terms, _, total = text.rpartition(" = ")
            assert int(total) == count(step.state.rules, step.state.frontier)
            assert sum(map(int, terms.split("+"))) == int(total) if terms else True


def test_a_known_reason(root: Path) -> None:
    """Round 1, event 30 of the first match, worked out by hand.

    The table shows 0, 1, 4, 5 ends; human holds 4-3, 3-2 and must meet the robot's last tiles:
    4-3 on 3-0 leaves nothing that scores, 3-2 on 3-0 leaves 1-1 for ten.
    """
    replay = replayed(root / "scenarios" / "games" / "all-fives-match-1.yaml")
    step = replay.rounds[0].steps[29]
    advice = advise(view_of(step.before, step.event.seat), 2000)
    assert advice.method == "enumerated"
    other = next(one for one in advice.options if one.play == "3-2 on 3-0")
    found = reasons_for(advice, other)
    assert found is not None
    assert (found.better, found.parts.reply) == ("4-3 on 3-0", 5.0)
    (text,) = found.texts
    assert text == (
        "+5.0 in the reply: after 4-3 on 3-0 robot cannot score; after 3-2 on 3-0 robot can score "
        "with 1-1 (held in 50 % of the deals), up to 10 points."
    )
    assert parse_tile("1-1") in advice.unseen
    assert reasons_for(advice, advice.best) is not None
