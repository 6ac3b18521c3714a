"""A host that was killed: its tables go on where they were, as if nothing had happened."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sniffcli.game.view import view_of
from sniffcli.net.journal import SUFFIX, Journal, JournalError, read_lines, restored
from sniffcli.net.protocol import Message
from sniffcli.table.counting import worth
from sniffcli.table.frontier import lead
from tests.net.bench import Bench, plan, play_on

GAMES = ["dreamtime-sniff", "all-fives", "muggins", "five-up", "bergen"]


def kept(bench: Bench, folder: Path) -> Path:
    journal = Journal(folder, bench.table.sector, sync=False)
    for lines in bench.log:
        journal.write(lines)
    journal.close()
    return journal.path


def again(path: Path, bench: Bench) -> Bench:
    """The table of a file on a bench of its own."""
    table = restored(path, bench.clock, 30.0, 0.25)
    assert table is not None
    other = Bench(bench.table.plan, 0, table=table)
    other.table.clock = other.clock = bench.clock
    return other


@pytest.mark.parametrize("rules", GAMES)
@pytest.mark.parametrize("steps", [0, 7, 30, 90])
def test_the_lines_lead_to_the_same_table(rules: str, steps: int, tmp_path: Path) -> None:
    bench = Bench(plan(rules, 3), 2, seed=steps)
    bench.say(0, {"type": "start"})
    play_on(bench, steps)
    voyage = bench.table.voyage
    assert voyage is not None
    other = again(kept(bench, tmp_path), bench)
    same = other.table.voyage
    assert same is not None
    assert same.game.history == voyage.game.history
    assert same.game.match == voyage.game.match
    assert [one.last_id for one in other.table.people] == [
        one.last_id if one.last_id in _answered(bench, key) else last(bench, key)
        for key, one in enumerate(bench.table.people)
    ]
    for key in range(2):
        other.seats[key] = bench.seats[key]
        other.come_back(key, key + 10)
    other.same_views([10, 11])
    if not voyage.game.settled:
        for seat in range(2):
            mine = other.seats[seat + 10].session
            assert mine is not None
            if not other.seats[seat + 10].blind:
                assert view_of(mine.game.state, seat) == view_of(voyage.game.state, seat)


def _answered(bench: Bench, key: int) -> set[int]:
    return {one["id"] for one in bench.inbox[key] if one["type"] == "done"}


def last(bench: Bench, key: int) -> int:
    return max(_answered(bench, key), default=0)


def test_the_game_goes_on_the_same_after_a_resume(tmp_path: Path) -> None:
    bench = Bench(plan("block", 2, ("casual",)), 1, seed=8)
    bench.say(0, {"type": "start"})
    play_on(bench, 4, rounds=1)
    other = again(kept(bench, tmp_path), bench)
    other.seats[0] = bench.seats[0]
    other.come_back(0, 10)
    bench.wait(0.1)
    other.wait(0.1)
    assert other.state == bench.state


def test_a_line_that_was_cut_off_never_happened(tmp_path: Path) -> None:
    bench = Bench(plan("block", 2), 2, seed=2)
    bench.say(0, {"type": "start"})
    play_on(bench, 6)
    path = kept(bench, tmp_path)
    whole = path.read_bytes()
    before = whole[: whole.rstrip(b"\n").rfind(b"\n") + 1]
    for cut in range(len(before) + 1, len(whole)):
        path.write_bytes(whole[:cut])
        lines = read_lines(path)
        assert path.read_bytes() == before
        assert lines == [one for row in before.splitlines() for one in json.loads(row)]


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / f"bako-bako-bako-bako{SUFFIX}"
    path.write_text("[]\nnonsense\n")
    with pytest.raises(JournalError, match=":2: this line is damaged"):
        read_lines(path)
    path.write_text('[{"kind": "table", "sniff": 9}]\n')
    with pytest.raises(JournalError, match="no table of version 1"):
        restored(path, lambda: 0.0, 30.0, 0.25)


def test_the_file_is_the_hosts_alone(tmp_path: Path) -> None:
    bench = Bench(plan("block", 2), 2)
    assert kept(bench, tmp_path).stat().st_mode & 0o077 == 0
    assert "token-0" not in kept(bench, tmp_path).read_text()


def test_an_expired_time_stays_expired(tmp_path: Path) -> None:
    from tests.net.test_table import sniffing

    bench = sniffing()
    bench.act(0, "5-5")
    bench.wait(8)
    clocks: list[Message] = [
        line for lines in bench.log for line in lines if line["kind"] == "clock"
    ]
    assert len(clocks) == 1
    assert clocks[0]["elapsed"] >= 7.25


# The clock after a kill


def killed_at(seconds: float, folder: Path) -> Bench:
    """P0's scoring tile has lain for SECONDS when the host is killed; it is started again later."""
    bench = Bench(plan("dreamtime-sniff", 3), 3, seed=3)
    bench.say(0, {"type": "start"})
    bench.act(0, scoring_lead(bench))
    bench.wait(seconds)
    path = kept(bench, folder)
    bench.clock.at += 1000
    other = again(path, bench)
    other.seats = dict(bench.seats)
    return other


def scoring_lead(bench: Bench) -> str:
    rules = bench.state.rules
    tiles = [tile for tile in bench.state.hands[0].tiles if worth(rules, lead(rules, tile))]
    assert tiles, "choose another seed"
    return str(tiles[0])


def claim(bench: Bench, key: int) -> Message:
    """Claim what is open, by the terminal KEY of its owner."""
    return bench.act(key, f"claim {bench.state.pending[-1].points}")


def clocks(bench: Bench, key: int) -> list[bool]:
    return [one["stands"] for one in bench.inbox[key] if one["type"] == "clock"]


@pytest.mark.parametrize("away", [6.9, 29.0])
def test_the_clock_waits_for_an_owner_who_was_thrown_out(away: float, tmp_path: Path) -> None:
    bench = killed_at(6.5, tmp_path)
    bench.wait(away)
    bench.come_back(1, 11)
    assert bench.act(11, "catch P0")["code"] == "catch"
    bench.come_back(0, 10)
    assert clocks(bench, 10) == [True]
    bench.come_back(2, 12)
    assert clocks(bench, 10) == [True, False]
    # All of the time to claim is there again, and the screen says so.
    session = bench.seats[10].session
    assert session is not None
    assert session.game.time_left() == pytest.approx(7, abs=0.01)
    bench.wait(6.9)
    assert claim(bench, 10)["type"] == "done"
    bench.same_views([10, 11, 12])


def test_the_clock_does_not_wait_for_ever(tmp_path: Path) -> None:
    bench = killed_at(1.0, tmp_path)
    bench.come_back(1, 11)
    bench.come_back(2, 12)
    bench.wait(29)
    assert bench.act(11, "catch P0")["code"] == "catch"
    bench.wait(1.1)
    assert clocks(bench, 11) == [True, False]
    # From now on a bot plays for who is not there, and it has claimed at once.
    assert bench.state.scores[0] > 0


def test_a_time_that_had_expired_is_not_given_again(tmp_path: Path) -> None:
    bench = killed_at(8.0, tmp_path)
    for seat in range(3):
        bench.come_back(seat, seat + 10)
    assert claim(bench, 10)["code"] == "claim"
    assert bench.act(11, "catch P0")["type"] == "done"


def test_an_owner_who_is_back_may_claim_while_the_clock_stands(tmp_path: Path) -> None:
    bench = killed_at(3.0, tmp_path)
    bench.come_back(0, 10)
    assert claim(bench, 10)["type"] == "done"
    assert sum(bench.state.scores) > 0
