"""A session line by line: verbs, errors that change nothing, undo, completion, hidden counter."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run
from ui.tables import FIVES, random_session, session_of, sniff_text

from sniffcli.game.state import Setup
from sniffcli.ruleset.loading import load_ruleset
from sniffcli.ui.clock import ScriptClock
from sniffcli.ui.keeper import Keeper
from sniffcli.ui.live import LiveGame
from sniffcli.ui.recording import hidden
from sniffcli.ui.screens import status
from sniffcli.ui.session import Options, Session
from sniffcli.ui.store import Sitting
from sniffcli.ui.verbs import completions


def did(session: Session, *lines: str) -> list[str]:
    texts = []
    for line in lines:
        reply = session.execute(line)
        assert reply.ok, (line, reply.error)
        texts.append(reply.text)
    return texts


def test_a_bare_tile_is_a_play_and_points_are_told() -> None:
    session = session_of(FIVES)
    assert did(session, "5-5", "5-2", "play 6-2 on 5-2", "6-4") == [
        "Bob: 5-5   sum 10   +10",
        "Ann: 5-2 on 5-5   sum 12",
        "Bob: 6-2 on 5-2   sum 16",
        "Ann: 6-4 on 6-2   sum 14",
    ]
    assert session.execute("score").text == "Ann: 0\nBob: 10\nthe match goes to 250"
    assert session.execute("count").text == "sum 14; 6-4 on 6-2 is worth 0"
    assert session.execute("ends").text == "4 5"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("6-4 on 5-5", "it has no 5"),
        ("9-9", "not in the double-6 set"),
        ("draw", "no drawing while a tile can be played: 5-2"),
        ("pass", "no passing"),
        ("claim 10", "count by themselves"),
        ("catch Bob", "nobody may take"),
        ("keelhaul Bob", "no keelhaul"),
        ("finish", "not over"),
        ("next", "nothing to go past"),
        ("flie", "neither a tile nor a command"),
        ("hnad", 'did you mean "hand"'),
        ("5-2 on", "wants a tile"),
        ("6–4", "U+2013"),
        ("counter maybe", "counter on or counter off"),
        ("tutor loud", "off, inaccuracy, mistake, blunder"),
        ("help nothing", "no command is called"),
        ("save", "no file"),
        ("new", "cannot be begun again"),
        ("keep", "nothing is questioned"),
        ("rethink", "nothing is questioned"),
    ],
)
def test_a_refused_line_says_why_and_changes_nothing(line: str, words: str) -> None:
    session = session_of(FIVES)
    did(session, "5-5")
    before = session.state
    reply = session.execute(line)
    assert words in reply.error
    assert session.state is before


def test_a_name_before_the_line_says_who_acts() -> None:
    session = session_of(FIVES)
    assert "it is Bob's turn, not Ann's" in session.execute("Ann: 5-2").error
    assert session.execute("Bob: 5-5").ok
    assert session.execute("Bob: hand").text.startswith("6-2")


def test_no_place_is_asked_for_where_all_places_are_alike() -> None:
    """Case C49."""
    session = session_of(
        "sniff: 1\nruleset: all-fives\nplayers: [Ann, Bob]\n"
        "overrides: {deal: {hand: {2: 2}}}\n"
        "rounds: [{hands: {Ann: [4-4, 1-0], Bob: [4-2, 6-5]}, leader: Ann}]\n"
    )
    did(session, "4-4", "4-2")


def test_a_choice_that_matters_is_asked_for() -> None:
    session = session_of(FIVES)
    did(session, "5-5", "5-2", "5-0 on 5-5")
    session.execute("undo")
    did(session, "5-4 on 5-5")
    assert session.execute("4-3").ok


def test_undo_gives_back_the_state_before() -> None:
    session = session_of(FIVES)
    did(session, "5-5")
    before = session.state
    did(session, "5-2")
    assert did(session, "undo") == ["taken back: Ann 5-2 on 5-5"]
    assert session.state is before
    did(session, "undo")
    assert session.state.frontier.is_empty
    assert "nothing to take back" in session.execute("undo").error


def test_undo_takes_back_the_answer_of_a_bot_too() -> None:
    session = session_of(
        FIVES.replace("rounds:", "seats: {Bob: {bot: greedy}}\nrounds:"), bots=True
    )
    session.tick()
    before = session.state
    assert before.turn == 0
    did(session, "5-2")
    assert len(session.state.events) > len(before.events) + 1
    did(session, "undo")
    assert session.state is before


def test_a_draw_is_not_a_turn() -> None:
    """Case C46."""
    session = session_of(FIVES)
    did(session, "5-5", "5-2", "6-2", "6-4", "5-4 on 6-4", "draw")
    assert session.state.turn == 0
    assert "no passing while a tile may be drawn" in session.execute("pass").error


def test_completion_offers_what_is_legal_and_nothing_else() -> None:
    session = session_of(FIVES)
    did(session, "5-5")
    offered = completions(session)
    assert offered[0] == "5-2 on 5-5"
    assert [line for line in offered if line[0].isdigit()] == ["5-2 on 5-5"]
    for word in ("draw", "pass", "claim", "catch", "keelhaul", "finish", "next", "keep"):
        assert not any(line.split()[0] == word for line in offered), word
    did(session, "5-2", "6-2", "6-4", "5-4 on 6-4")
    assert "draw" in completions(session)


def test_every_play_that_is_offered_is_accepted() -> None:
    session = random_session("cross", 3, ["random"], ["Ann"])
    session.game.bots_on = False
    for _ in range(200):
        plays = [line for line in completions(session) if line[0].isdigit()]
        for line in plays:
            assert session.execute(line).ok, line
            session.execute("undo")
        if not plays:
            offered = completions(session)
            plays = [word for word in ("draw", "pass") if word in offered]
        if session.game.settled:
            break
        did(session, plays[-1])
    assert session.game.settled


def test_the_help_lists_what_this_game_has_a_use_for() -> None:
    session = session_of(FIVES)
    text = session.execute("?").text
    assert all(one in text for one in ("6-3 on 6-6 tip", "draw", "pass", "undo", "save [FILE]"))
    assert "claim" not in text
    claiming = session_of(sniff_text()).execute("?").text
    assert all(one in claiming for one in ("claim [N]", "catch NAME", "keelhaul NAME"))
    assert session.execute("help claim").text.startswith("claim [N]")
    assert session.execute("? undo").text.startswith("undo")


def test_a_hidden_counter_shows_no_sum_and_wants_numbers() -> None:
    session = session_of(sniff_text(), options=Options(counter=False))
    assert did(session, "5-5") == ["Ann: 5-5"]
    assert "hidden" in session.execute("count").error
    assert "say the points" in session.execute("Ann: claim").error
    assert did(session, "Ann: claim 15") == ["Ann claims 15   (void)"]
    assert did(session, "Ann: claim 10") == ["Ann claims 10   +10"]
    assert "sum" not in session.execute("board").text
    did(session, "counter on")
    assert "sum 10" in session.execute("board").text


def test_a_hidden_counter_tells_nobody_whether_there_is_something() -> None:
    """6-6 counts 12 and 5-5 counts 10: what is asked and answered is the same."""
    told = []
    for lead in ("6-6", "5-5"):
        session = session_of(sniff_text(), options=Options(counter=False))
        assert session.execute(lead).ok, lead
        refused = [session.execute(f"Ann: claim {n}") for n in ("0", "7")]
        offered = [line for line in completions(session) if line.startswith(("catch", "claim"))]
        told.append(([one.error or one.text for one in refused], offered))
    assert told[0] == told[1]


def test_who_may_still_claim_is_told_what_to_do_first() -> None:
    session = session_of(sniff_text(bot=True), bots=True)
    assert session.execute("5-5").ok
    expected = "Ann may still claim: write claim, or next to let it go"
    assert session.execute("pass").error == expected
    assert status(session).startswith("Ann may claim |")


def test_a_hidden_counter_lets_people_think_even_where_nothing_scores() -> None:
    session = session_of(sniff_text(bot=True), options=Options(counter=False), bots=True)
    did(session, "6-4")
    claimed = session.game.owner_deciding()
    session = session_of(sniff_text(bot=True), options=Options(counter=False), bots=True)
    did(session, "4-1")
    session2 = session_of(sniff_text(bot=True), options=Options(counter=False), bots=True)
    did(session2, "3-0")
    # 6-4 makes 10, 4-1 makes 5, 3-0 makes 3: from outside all three look the same.
    assert claimed == session.game.owner_deciding() == session2.game.owner_deciding() == 0


def test_the_log_and_the_rules_are_readable() -> None:
    session = session_of(FIVES)
    assert "nothing has happened" in session.execute("log").text
    did(session, "5-5", "5-2")
    assert session.execute("log").text.split("\n") == [
        "1  Bob: 5-5   sum 10   +10",
        "2  Ann: 5-2 on 5-5   sum 12",
    ]
    assert "a sum of the ends that 5 divides scores" in session.execute("rules").text


def test_resigning_ends_the_match() -> None:
    session = session_of(FIVES)
    did(session, "5-5", "Ann: resign")
    assert session.game.winners == (1,)
    assert "the match is over" in session.execute("next").error


def test_where_hidden_tiles_may_be(tmp_path: Path) -> None:
    session = session_of(FIVES)
    did(session, "5-5")
    rows = session.execute("Ann: unseen").text.split("\n")
    # 20 hidden tiles, 6 of them with Bob: each is his with a chance of 6 in 20.
    assert len(rows) == 1 + 20
    assert rows[1].split() == ["6-6", "30%", "70%"]


def test_the_rules_at_the_table_are_those_of_the_rulebook(
    tmp_path: Path, sniff: Callable[..., Run]
) -> None:
    """The lead, drawing, what passing costs and the match, and how to print all of it."""
    file = tmp_path / "my rules.yaml"
    file.write_text("sniff: 1\nid: mine\nextends: all-fives\npass: {penalty: 5}\n")
    rules, problems = load_ruleset(str(file), settings={"match": {"target": 61, "exact": True}})
    assert rules is not None, problems
    table = Session(LiveGame(Setup(rules, ("Ann", "Bob"), (0, 1)), hidden, ScriptClock()))
    sitting = Sitting(str(file), {"match": {"target": 61, "exact": True}})
    Keeper(table, sitting, None)
    told = " ".join(table.execute("rules").text.split())
    assert "A player who can play may pass all the same, which costs 5 points." in told
    assert "must play" not in told
    assert "Tiles are drawn one by one until one can be played" in told
    assert "It must be reached exactly" in told
    command = table.explained
    assert shlex.split(command) == [
        "sniff", "ruleset", "explain", str(file), "--players", "2",
        "--set=match.target=61", "--set=match.exact=true",
    ]  # fmt: skip
    done = sniff(*shlex.split(command)[1:])
    assert done.status == 0
    assert "The target is 61 points." in " ".join(done.out.split())
    assert "exactly 61" in table.execute("score").text
