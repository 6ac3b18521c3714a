"""Claims in time: what bots do by themselves, what people may do, and the keelhaul."""

from __future__ import annotations

from ui.tables import session_of, sniff_text

from sniffcli.ui.clock import ScriptClock
from sniffcli.ui.session import Options, Session

HOTSEAT = """
sniff: 1
ruleset: muggins-all-fives
players: [Ann, Bob, Cy]
seats: {Cy: {bot: greedy}}
overrides: {deal: {hand: {3: 3}}}
rounds:
  - hands:
      Ann: [5-5, 4-1, 3-2]
      Bob: [5-0, 2-2, 6-4]
      Cy: [3-3, 6-3, 6-0]
    leader: Ann
"""


class Hands:
    """A real clock that a test turns by hand."""

    real = True

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def real(text: str, options: Options | None = None) -> tuple[Session, Hands]:
    clock = Hands()
    return session_of(text, clock=clock, options=options, bots=True), clock


def test_a_person_has_seven_seconds_by_the_clock() -> None:
    session, clock = real(sniff_text(bot=True))
    clock.now += 12.5
    assert session.execute("5-5").ok
    assert session.game.owner_deciding() == 0
    clock.now += 6.9
    assert session.game.time_left() is not None
    assert "+10" in session.execute("claim").text
    assert [event.action.after for event in session.state.events[:2]] == [12.5, 6.9]


def test_a_bot_takes_what_a_person_let_go_and_claims_its_own_at_once() -> None:
    session, clock = real(sniff_text(bot=True))
    session.execute("5-5")
    clock.now += 6.99
    assert session.tick().text == ""
    clock.now += 0.02
    told = session.tick().text.split("\n")
    # 10 points and the bounty of 5; then Bob lays 5-0 for 10 more and says so.
    assert told[:2] == ["Ann did not claim 10", "Bob catches Ann   +15"]
    assert session.state.scores == (0, 25)
    assert session.state.tings == (0, 0)


def test_nobody_lays_a_tile_while_an_owner_may_speak() -> None:
    session, clock = real(sniff_text().replace("Bob]", "Bob]"), None)
    session.game.bots_on = False
    session.execute("5-5")
    clock.now += 3
    assert "7 s to claim" in session.execute("Bob: 5-4").error
    clock.now += 4.5
    assert session.execute("Bob: 5-4").ok


def test_a_keelhauled_bot_that_scores_is_caught_by_a_person() -> None:
    session, clock = real(sniff_text(bot=True, ann=50))
    session.execute("5-5")
    session.execute("claim")
    # The bot has answered with 5-0 and claimed; now Ann sinks it before its next turn.
    assert session.state.scores == (60, 10)
    assert session.execute("keelhaul Bob").ok
    assert session.state.scores == (55, 10)
    session.execute("1-0")
    # 5-1 on 1-0 makes 15 (both halves of 5-5, and 5), which he cannot declare.
    assert [(one.seat, one.points) for one in session.state.pending] == [(1, 15)]
    clock.now += 7.1
    session.tick()
    assert session.game.catchable(0)
    assert session.execute("catch Bob").ok
    assert session.state.scores == (75, 10)


def test_a_person_under_water_sees_no_table() -> None:
    session, _ = real(sniff_text(ann=50, bob=50))
    session.game.bots_on = False
    session.execute("Ann: 6-4")
    assert session.execute("Bob: keelhaul Ann").ok
    board = session.execute("Ann: board").text
    assert "under water for 15 s" in board
    assert "6" not in board.replace("6-4", "")
    assert "under water" in session.execute("Ann: ends").error
    assert "under water" in session.execute("Ann: log").error


def test_in_the_game_of_tiles_the_score_waits_for_the_player() -> None:
    session = session_of(HOTSEAT, clock=ScriptClock(), bots=True)
    session.execute("5-5")
    # Bob is a person too and is to move; nothing happens by itself.
    assert session.tick().text == ""
    assert session.game.owner_deciding() == 0
    assert session.execute("Ann: claim").ok
    assert session.state.scores == (10, 0, 0)


def test_a_bot_does_not_hurry_a_person_who_may_catch() -> None:
    session = session_of(HOTSEAT, clock=ScriptClock(), bots=True)
    session.execute("Ann: 5-5")
    session.execute("Bob: 5-0")
    # Ann's 10 may be taken now. Bob, a person, comes before the bot; his own 10 is open as well.
    assert session.state.scores[2] in (0, 10)
    assert session.execute("Bob: claim").ok
    assert session.state.scores[1] == 10


def test_next_lets_an_open_score_go() -> None:
    session = session_of(
        HOTSEAT.replace(
            "seats: {Cy: {bot: greedy}}", "seats: {Bob: {bot: greedy}, Cy: {bot: greedy}}"
        ),
        clock=ScriptClock(),
        bots=True,
    )
    session.execute("5-5")
    assert session.state.turn == 1
    assert session.tick().text == ""
    told = session.execute("next").text
    assert "Bob: 5-0" in told
    assert session.state.scores[0] == 0
    # Both bots could take Ann's 10; the first in turn order did, after the next tile was down.
    assert session.state.scores[1] + session.state.scores[2] >= 10


def test_tings_count_claims_and_catches_in_a_row() -> None:
    session = session_of(sniff_text())
    for line in ("Ann: 5-5", "Ann: claim", "Bob: 5-0", "Bob: claim", "Ann: 1-0", "Bob: 5-4"):
        assert session.execute(line).ok, line
    assert session.execute("Ann: catch Bob").ok
    assert session.execute("score").text.split("\n")[:2] == ["Ann: 20   tings 2", "Bob: 10"]
