"""The table judges: seats, turns, moments, numbers. All on a told clock."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sniffcli.files.games import read_game
from sniffcli.files.starting import start_of
from sniffcli.game.match import new_match
from sniffcli.net.plans import plan_of
from sniffcli.net.protocol import Message
from sniffcli.net.wire import Strange
from sniffcli.table.counting import worth
from sniffcli.table.frontier import lead
from sniffcli.ui.live import Start
from tests.net.bench import Bench, plan, random_words
from tests.ui.tables import SNIFF, record_of


def sniffing(ann: int = 0, bob: int = 0) -> Bench:
    """A table of Ann and Bob with known hands: 5-5 is worth 10, 5-0 then on it 10 too."""
    bench = Bench(plan("dreamtime-sniff", 2), 0)
    for key, name in enumerate(("Ann", "Bob")):
        bench.join(key, name)
    bench.say(0, {"type": "start"})
    record = record_of(SNIFF.format(seats="", ann=ann, bob=bob))
    voyage = bench.table.voyage
    assert voyage is not None
    match = new_match(voyage.setup, (ann, bob))
    state, _ = start_of(record, record.rounds[0], match, previous_known=False)
    assert state is not None
    voyage.game.match = match
    voyage.game.begin(Start(state._replace(setup=voyage.setup)))
    for person in bench.table.people:
        person.round_told = 0
    for seat in bench.seats.values():
        seat._fresh = True
    bench.deliver(bench.table.tick())
    return bench


def kinds(told: list[Message]) -> list[Any]:
    return [one["type"] for one in told]


def last_event(bench: Bench, key: int) -> Message:
    return [one for one in bench.inbox[key] if one["type"] == "event"][-1]


# Claims and catches by the clock of the host


def test_a_claim_in_time_counts() -> None:
    bench = sniffing()
    assert bench.act(0, "5-5")["type"] == "done"
    bench.wait(6.9)
    assert bench.act(0, "claim 10")["type"] == "done"
    assert bench.state.scores == (10, 0)
    assert last_event(bench, 1)["do"] == "claim 10 after 6.9 s"


def test_a_claim_in_the_grace_counts_as_just_in_time() -> None:
    bench = sniffing()
    bench.act(0, "5-5")
    bench.clock.at += 7.2
    assert bench.act(0, "claim 10")["type"] == "done"
    assert bench.state.scores == (10, 0)
    assert bench.state.events[-1].time == pytest.approx(6.999)


def test_a_claim_after_the_grace_is_too_late() -> None:
    bench = sniffing()
    bench.act(0, "5-5")
    bench.clock.at += 7.26
    answer = bench.act(0, "claim 10")
    assert (answer["type"], answer["code"]) == ("refused", "claim")
    assert bench.state.scores == (0, 0)


def test_a_catch_waits_for_the_grace_and_then_counts() -> None:
    bench = sniffing()
    bench.act(0, "5-5")
    bench.wait(7.05)
    assert bench.act(1, "catch Ann")["type"] == "waits"
    assert bench.state.scores == (0, 0)
    bench.wait(0.3)
    assert bench.state.scores == (0, 15)
    assert bench.inbox[1][-1]["type"] in ("done", "event")


def test_a_claim_in_the_grace_beats_a_catch_that_waits() -> None:
    bench = sniffing()
    bench.act(0, "5-5")
    bench.wait(7.05)
    bench.act(1, "catch Ann")
    bench.wait(0.1)
    assert bench.act(0, "claim 10")["type"] == "done"
    assert bench.state.scores == (10, 0)
    refused = [one for one in bench.inbox[1] if one["type"] == "refused"]
    assert [one["code"] for one in refused] == ["catch"]


def test_an_early_catch_is_refused_before_the_grace() -> None:
    bench = sniffing()
    bench.act(0, "5-5")
    bench.wait(6.7)
    assert bench.act(1, "catch Ann")["code"] == "catch"
    bench.wait(0.1)
    assert bench.act(1, "catch Ann")["type"] == "waits"


def test_the_next_tile_waits_for_the_owners_time() -> None:
    bench = sniffing()
    bench.act(0, "5-5")
    bench.wait(1)
    assert bench.act(1, "5-0")["code"] == "time"
    bench.wait(6.1)
    assert bench.act(1, "5-0")["type"] == "waits"
    bench.wait(0.3)
    assert bench.state.laid == 2


@pytest.mark.parametrize("first", [1, 2])
def test_of_two_catches_the_first_to_arrive_wins(first: int) -> None:
    bench = Bench(plan("dreamtime-sniff", 3), 3, seed=3)
    bench.say(0, {"type": "start"})
    other = 3 - first
    scoring = next(
        (
            one
            for one in bench.state.hands[0].tiles
            if worth(bench.state.rules, lead(bench.state.rules, one))
        ),
        None,
    )
    assert scoring is not None, "choose another seed"
    bench.act(0, str(scoring))
    bench.wait(7.1)
    bench.act(first, "catch P0")
    bench.act(other, "catch P0")
    bench.wait(0.2)
    scores = bench.state.scores
    assert scores[first] > 0
    assert scores[other] == 0
    assert bench.table.refused["catch"] == 1


# Under water


def test_a_seat_under_water_is_told_nothing_of_the_table() -> None:
    bench = sniffing(ann=60)
    assert bench.act(0, "keelhaul Bob")["type"] == "done"
    before = len(bench.inbox[1])
    bench.act(0, "5-5")
    bench.act(0, "claim 10")
    told = bench.inbox[1][before:]
    assert set(kinds(told)) == {"blind"}
    assert told[-1]["turn"] == 1
    assert bench.act(1, "claim")["code"] == "submerged"
    bench.wait(15.1)
    assert [one["do"] for one in bench.inbox[1] if one["type"] == "event"] == [
        "keelhaul Bob after 0 s",
        "5-5 after 0 s",
        "claim 10 after 0 s",
    ]
    bench.same_views(range(2))


def test_a_seat_under_water_may_lay_tiles() -> None:
    bench = sniffing(ann=60)
    bench.act(0, "keelhaul Bob")
    bench.act(0, "5-5")
    bench.act(0, "claim 10")
    assert bench.act(1, "5-0 on 5-5")["type"] == "done"
    assert "5-0" not in bench.inbox[1][-1].get("hand", [])


@pytest.mark.parametrize("words", ["pass", "draw", "5-0 on 6-6", "6-2", "6-3 on 5-5"])
def test_a_refusal_tells_nothing_of_the_table_under_water(words: str) -> None:
    bench = sniffing(ann=60)
    bench.act(0, "keelhaul Bob")
    bench.act(0, "5-5")
    bench.act(0, "claim 10")
    answer = bench.act(1, words)
    assert answer["type"] == "refused"
    assert not set("0123456789") & set(answer["message"])
    assert "choices" not in answer
    bench.wait(15.1)
    assert set("0123456789") & set(bench.act(1, "6-2")["message"])


def test_nothing_is_ticked_without_end_when_a_time_to_claim_is_over() -> None:
    bench = sniffing()
    bench.act(0, "5-5")
    bench.wait(7.5)
    assert bench.table.due() is None


# Seats, turns, numbers


def test_it_is_not_your_turn() -> None:
    bench = sniffing()
    assert bench.act(1, "5-0")["code"] == "turn"


def test_a_message_is_dealt_with_once() -> None:
    bench = sniffing()
    bench.act(0, "5-5")
    told = bench.raw(0, {"type": "act", "id": bench.ids[0], "do": "claim 10"})
    assert [one["code"] for one in told] == ["replayed"]
    assert bench.state.scores == (0, 0)
    assert bench.table.refused["replayed"] == 1


def test_a_guessed_tile_of_the_boneyard_tells_nothing() -> None:
    bench = sniffing()
    bench.act(0, "6-6")
    bench.wait(8)
    answers = {bench.act(1, f"draw {tile}")["message"] for tile in ("3-3", "1-1", "6-4")}
    assert len(answers) == 1


@pytest.mark.parametrize("kind", ["start", "next", "new", "crew"])
def test_only_the_admiral_commands(kind: str) -> None:
    bench = sniffing()
    message = {"type": kind} | ({"size": 3} if kind == "crew" else {})
    assert [one["code"] for one in bench.say(1, message)] == ["admiral"]


def test_the_crew_grows_and_shrinks_as_the_rules_allow() -> None:
    bench = Bench(plan("dreamtime-sniff", 2), 2)
    assert bench.say(0, {"type": "crew", "size": 4})[-1]["type"] == "done"
    assert bench.inbox[1][-1]["bots"] == 2
    assert bench.say(0, {"type": "crew", "size": 5})[-1]["code"] == "crew"
    assert bench.say(0, {"type": "crew", "size": 1})[-1]["code"] == "crew"
    bench.say(0, {"type": "start"})
    assert bench.table.voyage is not None
    assert len(bench.table.voyage.setup.names) == 4


def test_nobody_sits_down_when_the_voyage_has_begun() -> None:
    bench = sniffing()
    bench.join(7, "Cy")
    assert bench.inbox[7][-1]["code"] == "full"


def test_a_terminal_without_a_seat_is_refused() -> None:
    bench = sniffing()
    bench.terminal(9)
    assert bench.raw(9, {"type": "act", "id": 1, "do": "5-5"})[0]["code"] == "token"


def test_another_version_is_told_both_numbers() -> None:
    bench = Bench(plan("dreamtime-sniff", 2), 1)
    bench.terminal(5)
    hello = {"type": "hello", "sniff": 2, "sector": bench.table.sector, "name": "Bob"}
    bench.deliver(bench.table.hello(5, hello))
    assert bench.inbox[5][0]["code"] == "version"
    assert "1" in bench.inbox[5][0]["message"]
    assert "2" in bench.inbox[5][0]["message"]


# Dropping and coming back


def test_who_drops_keeps_his_seat_and_comes_back_to_all_he_may_know() -> None:
    bench = sniffing()
    bench.act(0, "5-5")
    bench.drop(1)
    bench.wait(3)
    bench.act(0, "claim 10")
    bench.come_back(1, 11)
    bench.same_views([11])
    assert bench.act(11, "5-0")["type"] == "done"
    bench.same_views([0, 11])


def test_a_bot_stands_in_and_steps_back() -> None:
    bench = sniffing()
    bench.act(0, "6-6")
    bench.drop(1)
    bench.wait(29)
    assert bench.state.laid == 1
    bench.wait(40)
    assert bench.state.turn == 0
    assert bench.state.laid == 2
    bench.come_back(1, 11)
    assert bench.seats[11].stand_in == [False, False]
    bench.same_views([0, 11])
    laid = bench.state.laid
    plays = bench.seats[0].session
    assert plays is not None
    while bench.state.turn == 0:
        bench.act(0, random_words(plays.game.state, bench.random))
    bench.wait(20)
    assert bench.state.laid == laid + 1


def test_a_wrong_token_gives_no_seat() -> None:
    bench = sniffing()
    bench.terminal(8)
    hello = {"type": "hello", "sniff": 1, "sector": bench.table.sector, "token": "token-2"}
    bench.deliver(bench.table.hello(8, hello))
    assert bench.inbox[8][0]["code"] == "token"


def test_the_admiral_comes_back_as_the_admiral() -> None:
    bench = sniffing()
    bench.drop(0)
    bench.come_back(0, 10)
    assert bench.seats[10].admiral
    assert bench.act(10, "5-5")["type"] == "done"


def test_the_other_terminal_of_a_seat_is_told() -> None:
    bench = sniffing()
    bench.come_back(1, 11)
    assert bench.inbox[1][-1]["code"] == "token"
    assert bench.raw(1, {"type": "act", "id": 99, "do": "5-0"})[0]["code"] == "token"


# The end of a line


def test_who_leaves_the_lobby_is_told_and_let_go() -> None:
    bench = Bench(plan("dreamtime-sniff", 2), 2)
    told = bench.say(1, {"type": "leave"})
    assert kinds(told) == ["done"]
    assert bench.closed == [1]
    assert bench.inbox[0][-1]["people"] == ["P0"]
    # Whatever comes over the line before it is closed is refused.
    assert bench.say(1, {"type": "leave"})[-1]["code"] == "token"


def test_who_leaves_a_game_is_told_and_let_go_and_may_come_back() -> None:
    bench = sniffing()
    assert kinds(bench.say(1, {"type": "leave"}))[0] == "done"
    assert bench.closed == [1]
    bench.come_back(1, 11)
    bench.same_views([0, 11])


def test_a_terminal_that_gets_no_seat_is_let_go() -> None:
    bench = sniffing()
    bench.join(7, "Cy")
    assert (bench.inbox[7][-1]["code"], bench.closed) == ("full", [7])


def test_the_old_terminal_of_a_seat_is_let_go() -> None:
    bench = sniffing()
    bench.come_back(1, 11)
    assert bench.closed == [1]


# Fair deals


def test_a_deal_that_was_not_promised_is_noticed() -> None:
    bench = Bench(plan("block", 2), 2, seed=5)
    bench.say(0, {"type": "start"})
    voyage = bench.table.voyage
    assert voyage is not None
    while not voyage.game.settled:
        seat = bench.seats[bench.state.turn].session
        assert seat is not None
        before = {key: len(told) for key, told in bench.inbox.items()}
        bench.act(bench.state.turn, random_words(seat.game.state, bench.random))
    opened = next(one for one in bench.inbox[0][before[0] :] if one["type"] == "opened")
    for changed in ({"salt": "0" * 32}, {"deal": opened["deal"].replace("0", "1")}):
        with pytest.raises(Strange, match="promised"):
            bench.seats[0].take({**opened, **changed})


def test_a_bot_moves_as_soon_as_it_is_its_turn() -> None:
    bench = Bench(plan("block", 2), 1, seed=4)
    bench.say(0, {"type": "start"})
    while bench.state.turn != 0:
        assert bench.table.due() == 0
        bench.deliver(bench.table.tick())
    seat = bench.seats[0].session
    assert seat is not None
    bench.act(0, random_words(seat.game.state, bench.random))
    assert bench.table.due() == 0


def test_the_command_passes_on_when_the_admiral_stays_away() -> None:
    bench = sniffing()
    bench.drop(0)
    bench.wait(29)
    assert not bench.seats[1].admiral
    bench.wait(2)
    assert bench.seats[1].admiral
    assert bench.say(1, {"type": "next"})[-1]["code"] == "lobby"
    bench.come_back(0, 10)
    assert bench.seats[10].admiral
    assert not bench.seats[1].admiral


def test_the_lobby_frees_the_seat_of_who_stays_away() -> None:
    bench = Bench(plan("block", 2), 2)
    bench.drop(0)
    bench.wait(31)
    assert bench.seats[1].admiral
    assert bench.say(1, {"type": "start"})[-1]["type"] != "refused"
    assert bench.table.voyage is not None
    assert bench.table.voyage.setup.names[0] == "P1"


def test_a_host_that_lies_about_a_name_is_not_believed() -> None:
    bench = sniffing()
    voyage = next(one for one in bench.inbox[0] if one["type"] == "voyage")
    with pytest.raises(Strange, match="harm this terminal"):
        bench.seats[0].take({**voyage, "players": ["Ann", "\x1b[2JBob"]})


def test_a_game_by_a_file_of_rules_names_it_from_where_it_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever replays the game is not where the host was started."""
    (tmp_path / "club.yaml").write_text("sniff: 1\nid: club\nname: Club\nextends: all-fives\n")
    monkeypatch.chdir(tmp_path)
    table, _ = plan_of("club.yaml", crew=2, levels=("greedy",))
    assert table is not None
    bench = Bench(table, 1)
    bench.say(0, {"type": "start"})
    kept = tmp_path / "data" / "games" / "one.yaml"
    kept.parent.mkdir(parents=True)
    kept.write_text(bench.table.record().text(kept), "utf-8")
    monkeypatch.chdir("/")
    record, problems = read_game(kept.read_bytes(), str(kept))
    assert problems == []
    assert record is not None
    assert record.ruleset == "../../club.yaml"
