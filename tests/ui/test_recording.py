"""A game written down at a real table: what is refused, and hands and points told afterwards."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run
from ui.tables import rules_of

from sniffcli.game.state import Setup
from sniffcli.ui.clock import ScriptClock
from sniffcli.ui.live import LiveGame
from sniffcli.ui.recording import Recorder, hidden


def recorder(rules: str = "all-fives", **settings: object) -> Recorder:
    setup = Setup(rules_of(rules, settings), ("Ann", "Bob"), (0, 1))
    return Recorder(LiveGame(setup, hidden, ScriptClock()))


TWO = {"deal": {"hand": {2: 2}}}


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("dealt Ann 5-5", "a hand has 2 tiles, and 1 are written"),
        ("dealt Anne 5-5 1-1", 'nobody is called "Anne"; did you mean "Ann"?'),
        ("dealt Zed 5-5 1-1", "nobody is called"),
        ("dealt Ann 5-5 5-5", "5-5 is written twice"),
        ("dealt Ann 9-9 5-5", "9-9 is not in the double-6 set in use"),
        ("dealt Ann 6-4 6+5", "is not a tile"),
        ("leader Bo", 'did you mean "Bob"?'),
        ("bonus Ann", "write it like bonus Ann 15"),
        ("left Ann many", "write it like left Bob 12"),
        ("left Ann 12345", "write it like left Bob 12"),
        ("left Zed 12", "nobody is called"),
        ("left Ann 12", "this belongs behind a round whose hands are hidden"),
    ],
)
def test_words_that_cannot_be_meant_change_nothing(line: str, told: str) -> None:
    table = recorder(**TWO)
    before = table.state
    reply = table.execute(line)
    assert not reply.ok
    assert told in reply.error
    assert table.state == before


def test_a_tile_is_in_one_hand_only() -> None:
    table = recorder("block", **TWO)
    assert table.execute("dealt Ann 6-4, 5-5").ok
    reply = table.execute("dealt Bob 5-5 1-1")
    assert not reply.ok
    assert "5-5 is in Ann's hand" in reply.error
    # In Block the highest double leads; now that both hands are known, it is Bob's.
    assert table.execute("dealt Bob 6-6 1-1").ok
    assert table.state.turn == 1


def test_hands_and_leader_come_before_the_first_play() -> None:
    table = recorder(**TWO)
    assert table.execute("leader Bob").ok
    assert table.execute("5-5").ok
    for line in ("dealt Ann 6-4 1-1", "leader Ann"):
        reply = table.execute(line)
        assert not reply.ok
        assert "before the first action of a round" in reply.error


def test_a_round_is_paid_when_every_hand_left_is_told() -> None:
    """Bob is out; Ann's 12 pips make 10 for him (to the nearest five), beside his 5-5 for 10."""
    table = recorder(**TWO)
    for line in ("leader Bob", "Bob: 5-5", "Ann: 5-4", "Bob: 5-0"):
        assert table.execute(line).ok, line
    scored = table.state.scores
    assert table.state.result is not None
    assert table.state.result.bonus is None
    assert table.execute("left Ann 12").ok
    assert table.state.result is not None
    assert table.state.result.bonus == (0, 10)
    assert table.state.scores == (scored[0], scored[1] + 10)
    # Typed again it is the same; only another number would change it.
    assert table.execute("left Ann 12").ok
    assert table.state.scores == (scored[0], scored[1] + 10)


def test_a_bonus_is_told_as_it_was_paid() -> None:
    table = recorder(**TWO)
    for line in ("leader Bob", "Bob: 5-5", "Ann: 5-4", "Bob: 5-0"):
        assert table.execute(line).ok, line
    scored = table.state.scores
    assert table.execute("bonus Bob 15").ok
    assert table.state.scores == (scored[0], scored[1] + 15)


def test_of_two_hands_that_are_left_both_are_wanted() -> None:
    table = Recorder(
        LiveGame(
            Setup(
                rules_of("all-fives", {"deal": {"hand": {3: 2}}}), ("Ann", "Bob", "Cy"), (0, 1, 2)
            ),
            hidden,
            ScriptClock(),
        )
    )
    for line in ("leader Bob", "Bob: 5-5", "Cy: 5-4", "Ann: 5-3", "Bob: 5-0"):
        assert table.execute(line).ok, line
    assert table.execute("left Ann 6").text == "noted; still to come: Cy"
    assert table.execute("left Cy 7").ok
    assert table.state.result is not None
    # 6 and 7 together are 13, to the nearest five 15.
    assert table.state.result.bonus == (0, 15, 0)


def test_a_play_that_no_hands_explain_is_doubted_once() -> None:
    """Ann led the highest double dealt, so that Bob cannot hold 6-6 without a draw."""
    table = recorder("muggins")
    assert table.execute("dealt Ann 5-5 4-4 6-5 5-0 3-2 1-0 6-2").ok
    assert "5-5 must be led, not 4-4" in table.execute("Ann: 4-4").error
    for line in ("Ann: 5-5", "Bob: 5-1", "Ann: 6-5"):
        assert "cannot be" not in table.execute(line).text
    doubted = table.execute("Bob: 6-6")
    assert doubted.ok
    assert "nobody was dealt 6-6. `undo` takes it back." in doubted.text
    assert "cannot be" not in table.execute("Ann: 6-2").text


def test_a_pass_at_a_price_is_written_down_although_the_hand_is_hidden() -> None:
    """Who holds nothing that fits has to draw, so that Bob can play: it costs him 5."""
    table = recorder("all-fives", **{"pass": {"penalty": 5}})
    assert table.execute("Ann: 5-1").ok
    assert table.execute("Bob: pass").ok
    assert table.state.scores == (0, -5)
    free = recorder("all-fives")
    assert free.execute("Ann: 5-1").ok
    assert "no passing while a tile may be drawn" in free.execute("Bob: pass").error


def test_a_tile_that_was_taken_out_is_called_so() -> None:
    table = recorder("all-fives", set={"remove": ["0-0"]}, deal={"hand": {2: 2}})
    assert "0-0 was taken out of the set" in table.execute("dealt Ann 0-0 5-5").error


def out_in_three() -> Recorder:
    rules = rules_of("all-fives", {"deal": {"hand": {3: 2}}})
    table = Recorder(LiveGame(Setup(rules, ("Ann", "Bob", "Cy"), (0, 1, 2)), hidden, ScriptClock()))
    for line in ("leader Ann", "Ann: 5-5", "Bob: 5-2", "Cy: 5-1 on 5-5", "Ann: 2-1 on 5-1"):
        assert table.execute(line).ok, line
    return table


def test_only_who_went_out_is_paid() -> None:
    table = out_in_three()
    before = table.state.scores
    refused = table.execute("bonus Bob 20")
    assert not refused.ok
    assert "Ann went out, and the end of such a round pays nothing to Bob" in refused.error
    assert table.state.scores == before


def test_what_the_end_paid_is_taken_back_or_typed_again() -> None:
    table = out_in_three()
    before = table.state.scores
    assert table.execute("bonus Ann 20").ok
    assert table.state.scores[0] == before[0] + 20
    assert table.execute("bonus Ann 25").ok
    assert table.state.scores[0] == before[0] + 25
    events = len(table.state.events)
    assert table.execute("undo").text == "taken back: what the end of the round paid"
    assert (table.state.scores, len(table.state.events)) == (before, events)
    assert table.execute("left Bob 6").text.startswith("noted")
    assert table.execute("left Cy 7").ok
    # 13 pips, to the nearest five 15; with 12 of Cy's 18 and so 20.
    assert table.state.scores[0] == before[0] + 15
    assert table.execute("left Cy 12").ok
    assert table.state.scores[0] == before[0] + 20
    assert table.execute("undo").ok
    assert table.execute("undo").text == "taken back: Ann 2-1 on 5-1"


def test_everything_that_was_written_is_taken_back_round_after_round() -> None:
    table = out_in_three()
    lines = [
        "left Bob 6",
        "left Cy 7",
        "next",
        "dealt Cy 4-4 4-3",
        "Ann: 3-1",
        "Bob: 4-1",
        "Cy: 4-4",
    ]
    for line in lines:
        assert table.execute(line).ok, line
    assert table.game.number == 2
    texts = [table.execute("undo").text for _ in range(6)]
    assert texts[:3] == [
        "taken back: Cy 4-4 on 4-1",
        "taken back: Bob 4-1 on 3-1",
        "taken back: Ann 3-1",
    ]
    assert texts[3] == "taken back: what was written before the first action"
    assert texts[4] == "back at the end of round 1"
    assert texts[5] == "taken back: what the end of the round paid"
    assert [event.text for event in table.state.events][-1] == "2-1 on 5-1"
    # What was left before belongs to the end that is gone.
    assert table.execute("left Cy 12").text == "noted; still to come: Bob"
    assert table.execute("left Bob 6").ok
    for line in lines[2:]:
        assert table.execute(line).ok, line
    assert (table.game.number, table.state.events[-1].text) == (2, "4-4 on 4-1")
    for _ in range(30):
        table.execute("undo")
    assert (table.game.number, table.state.events) == (1, ())
    assert table.execute("undo").error == "there is nothing to take back"
    assert table.execute("Bob: 6-6").ok


def test_a_record_gone_on_with_is_taken_back_to_its_first_round(
    sniff: Callable[..., Run], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("record", "--players", "Ann,Bob", "--set", "deal.hand={2: 2}", "--output", "club.yaml")
    plays = "Ann: 6-6\nBob: 6-4\nAnn: 4-1\nleft Bob 3\nnext\n"
    assert sniff(*words, input=f"{plays}Ann: 5-5\n").status == 0
    assert sniff("record", "--resume", "club.yaml", input="undo\n" * 3).status == 0
    text = (tmp_path / "club.yaml").read_text()
    assert "6-4" in text
    assert "4-1" not in text
    assert "5-5" not in text
    assert sniff("replay", "club.yaml").status == 0
