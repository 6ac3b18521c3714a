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
from sniffcli.ui.screens import round_opened


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
    assert sniff("record", "--resume", "club.yaml", input="undo\n" * 4).status == 0
    text = (tmp_path / "club.yaml").read_text()
    assert "6-4" in text
    assert "4-1" not in text
    assert "5-5" not in text
    assert sniff("replay", "club.yaml").status == 0


@pytest.mark.parametrize(
    ("line", "told"),
    [
        # Bob and Cy hold one tile each, of those that nobody has seen: 0-0 up to 6-6.
        ("left Bob 13", "Bob has one tile left, which can be 0 to 12 pips"),
        ("left Ann 3", "Ann has no tile left, which can be 0 pips"),
        # 12 and 11 pips, and five more for rounding.
        ("bonus Ann 30", "Ann cannot have been paid 30: all hands together pay at most 28"),
        ("left -3", "write it like left Cy 12"),
    ],
)
def test_what_cannot_have_been_left_or_paid_is_refused(line: str, told: str) -> None:
    table = out_in_three()
    before = table.state
    assert table.execute(line).error == told
    assert table.state is before


def test_no_bonus_in_a_file_is_more_than_the_hands_hold(
    sniff: Callable[..., Run], tmp_path: Path
) -> None:
    game = tmp_path / "club.yaml"
    text = (
        "sniff: 1\nruleset: all-fives\noverrides: {deal: {hand: {2: 2}}}\nplayers: [Ann, Bob]\n"
        "rounds:\n  - leader: Ann\n    plays: [Ann: 6-6, Bob: 6-4, Ann: 4-1]\n    bonus: {Ann: N}\n"
    )
    # Bob's one tile is 5-5 at most, which is ten.
    game.write_text(text.replace("N", "10"))
    assert sniff("replay", str(game)).status == 0
    game.write_text(text.replace("N", "535"))
    run = sniff("replay", str(game))
    assert run.status == 1
    assert "Ann cannot have been paid 535" in run.err


def test_a_block_of_which_only_the_payment_is_known_names_no_winner() -> None:
    table = recorder("block")
    for line in ("Ann: 6-6", "Bob: pass"):
        assert table.execute(line).ok, line
    text = table.execute("Ann: pass").text
    assert "Blocked." in text
    assert "nobody have" not in text
    assert table.execute("left Ann 20").ok
    assert "Blocked, and nobody is paid." in table.execute("left Bob 20").text


def test_what_is_written_behind_a_round_is_told_to_wait_for_the_next() -> None:
    table = out_in_three()
    assert table.execute("left Bob 6").ok
    assert table.execute("left Cy 7").ok
    assert table.execute("Ann: 3-1").error == "the round is over; next begins another"
    # Block is led by the highest double dealt, and nobody has told what was.
    blocked = recorder("block")
    assert round_opened(blocked) == "Round 1."
    assert blocked.execute("leader Bob").ok
    assert blocked.execute("Ann: pass").error


def test_a_deal_is_taken_back_in_a_round_before_the_last() -> None:
    table = recorder("all-fives", deal={"hand": {2: 1}})
    for line in ("dealt Ann 6-5", "Ann: 6-5", "bonus Ann 5", "next", "leader Bob"):
        assert table.execute(line).ok, line
    for _ in range(5):
        assert table.execute("undo").ok
    assert all(hand.unknown for hand in table.state.hands)
    assert table.execute("undo").error == "there is nothing to take back"


def test_a_payment_is_taken_back_also_of_a_record_that_is_gone_on_with(
    sniff: Callable[..., Run], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("record", "--players", "Ann,Bob", "--set", "deal.hand={2: 2}", "--output", "club.yaml")
    assert sniff(*words, input="Ann: 6-6\nBob: 6-4\nAnn: 4-1\nleft Bob 3\n").status == 0
    run = sniff("record", "--resume", "club.yaml", input="undo\nleft Bob 8\n")
    assert "taken back: what the end of the round paid" in run.out
    text = (tmp_path / "club.yaml").read_text()
    assert "Ann: 4-1" in text
    assert "bonus: {Ann: 10}" in text or "Ann: 10" in text
