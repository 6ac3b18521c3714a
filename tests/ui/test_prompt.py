"""The prompt loop through prompt-toolkit's pipe input, and a smoke test in a real terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.data_structures import Size
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from ui.tables import FIVES, session_of, sniff_text

from sniffcli.files.profile import Profile, load_profile
from sniffcli.problems import Status
from sniffcli.show.style import Look
from sniffcli.ui.clock import Clock, RealClock
from sniffcli.ui.keeper import Keeper
from sniffcli.ui.prompt import Loop, Offers
from sniffcli.ui.session import Options, Session
from sniffcli.ui.store import GameFile, Sitting

CTRL_C, CTRL_D, ENTER = "\x03", "\x04", "\r"


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SNIFF_DATA_DIR", str(tmp_path / "data"))


@contextmanager
def at_the_table(session: Session, path: Path, typed: str) -> Iterator[tuple[Loop, list[str]]]:
    said: list[str] = []
    keeper = Keeper(session, Sitting("all-fives"), GameFile(path))
    with create_pipe_input() as pipe:
        pipe.send_text(typed)
        yield Loop(session, keeper, input=pipe, output=DummyOutput(), write=said.append), said


def played(
    typed: str,
    tmp_path: Path,
    text: str = FIVES,
    clock: Clock | None = None,
    options: Options | None = None,
) -> tuple[Session, Status, str]:
    session = session_of(text, clock=clock, options=options, bots=True)
    if len(session.game.people) > 1:
        # The first of several is called to the keyboard.
        typed = ENTER + typed
    with at_the_table(session, tmp_path / "game.yaml", typed) as (loop, said):
        status = loop.run()
    return session, status, "\n".join(said)


def test_a_game_between_two_people_hides_hands_behind_a_page(tmp_path: Path) -> None:
    session, status, said = played(f"5-5{ENTER}{ENTER}5-2{ENTER}{CTRL_C}{CTRL_D}", tmp_path)
    assert status == Status.OK
    assert len(session.state.events) == 2
    page = "Hand the keyboard to Ann; the others look away."
    assert page in said
    # Nobody's hand is shown before the page: not that of the first either.
    assert said.index("Hand the keyboard to Bob") < said.index("Bob holds")
    assert said.index(page) < said.index("Ann holds 6-4")
    assert "The game is saved: sniff play --resume" in said


def test_ctrl_c_drops_the_line_and_then_asks(tmp_path: Path) -> None:
    """Case C87."""
    session, status, said = played(
        f"5-{CTRL_C}5-5{ENTER}{ENTER}{CTRL_C}n{ENTER}5-2{ENTER}{ENTER}{CTRL_C}y{ENTER}", tmp_path
    )
    assert status == Status.OK
    assert [event.text for event in session.state.events] == ["5-5", "5-2 on 5-5"]
    assert "The game is saved" in said


def test_ctrl_d_leaves_with_the_game_saved(tmp_path: Path) -> None:
    _, status, said = played(f"5-5{ENTER}{CTRL_D}{CTRL_D}", tmp_path)
    assert status == Status.OK
    assert "5-5" in (tmp_path / "game.yaml").read_text()
    assert "The game is saved" in said


def test_a_record_is_gone_on_with_as_a_record(tmp_path: Path) -> None:
    session = session_of(FIVES)
    session.recording = True
    with at_the_table(session, tmp_path / "at the club.yaml", f"5-5{ENTER}{CTRL_D}") as (
        loop,
        said,
    ):
        assert loop.run() == Status.OK
    path = tmp_path / "at the club.yaml"
    assert f"The game is saved: sniff record --resume '{path}'" in "\n".join(said)


def test_resigning_is_asked_about(tmp_path: Path) -> None:
    session, _, _ = played(f"resign{ENTER}n{ENTER}{CTRL_D}", tmp_path)
    assert session.game.winners is None
    # End of input is no yes (case C88).
    (tmp_path / "game.yaml").unlink()
    session, _, _ = played(f"resign{ENTER}{CTRL_D}{CTRL_D}", tmp_path)
    assert session.game.winners is None
    (tmp_path / "game.yaml").unlink()
    session, _, said = played(f"resign{ENTER}y{ENTER}quit{ENTER}", tmp_path)
    assert session.game.winners == (0,)
    assert "Ann wins the match." in said
    # The match, but not the round that was not played to its end.
    assert "Ann: rounds won 0" in said


def test_a_refused_line_is_explained_and_the_prompt_comes_again(tmp_path: Path) -> None:
    session, _, said = played(f"6-2{ENTER}{ENTER}6-5{ENTER}{CTRL_D}", tmp_path)
    assert "Ann does not hold 6-5" in said
    assert len(session.state.events) == 1


def test_the_prompt_ends_by_itself_when_the_time_to_claim_is_over(tmp_path: Path) -> None:
    """A window of a fifth of a second; nobody types, the bot catches, then the person leaves."""
    text = sniff_text(bot=True).replace(
        "players:", "overrides: {claim: {owner_until: {seconds: 0.2}}}\nplayers:"
    )
    session = session_of(text, clock=RealClock(), bots=True)
    with at_the_table(session, tmp_path / "game.yaml", f"5-5{ENTER}") as (loop, said):
        asked = loop._ask
        calls = 0

        def ask() -> str:
            nonlocal calls
            calls += 1
            if calls > 2:
                raise EOFError
            return asked()

        loop._ask = ask  # type: ignore[method-assign]
        assert loop.run() == Status.OK
    assert "Bob catches Ann   +15" in "\n".join(said)
    assert session.state.scores[0] == 0


def test_a_claim_in_time_is_not_called_late(tmp_path: Path) -> None:
    """The bot answers a claimed score with a tile that scores nothing, and time is no subject."""
    session, _, said = played(
        f"6-4{ENTER}claim{ENTER}{CTRL_D}", tmp_path, sniff_text(bot=True), RealClock()
    )

    assert session.state.scores[0] == 10
    assert session.state.events[-1].kind == "play"
    assert "is over" not in said


def test_tab_completes_legal_plays_only() -> None:
    session = session_of(FIVES)
    session.execute("5-5")
    offers = Offers(lambda: session)

    def offered(typed: str, *, asked: bool = False) -> list[str]:
        event = CompleteEvent(text_inserted=not asked, completion_requested=asked)
        return [one.text for one in offers.get_completions(Document(typed), event)]

    assert offered("5") == ["5-2 on 5-5"]
    assert offered("6") == []
    assert offered("ha") == ["hand"]
    # An empty line is completed only when somebody asks for it.
    assert offered("") == []
    assert offered("", asked=True)[0] == "5-2 on 5-5"


def test_a_hidden_counter_shows_no_sum_anywhere(tmp_path: Path) -> None:
    session, _, said = played(
        f"5-5{ENTER}claim 10{ENTER}{CTRL_D}{CTRL_D}",
        tmp_path,
        sniff_text(),
        options=Options(counter=False),
    )
    assert session.state.scores[0] == 10
    assert "sum " not in said
    assert "worth " not in said


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are for POSIX")
def test_a_real_terminal_plays_and_saves(tmp_path: Path) -> None:
    pexpect = pytest.importorskip("pexpect")
    env = {
        **os.environ,
        "SNIFF_DATA_DIR": str(tmp_path),
        "TERM": "xterm",
        "PROMPT_TOOLKIT_NO_CPR": "1",
        "COLUMNS": "80",
        "LINES": "24",
        "NO_COLOR": "1",
    }
    child = pexpect.spawn(
        sys.executable,
        ["-m", "sniffcli", "play", "--rules", "all-threes", "--bots", "greedy", "--seed", "3"],
        env=env,
        dimensions=(24, 80),
        encoding="utf-8",
        timeout=30,
    )
    child.expect(r"The deal is promised:\s+[0-9a-f]{20}")
    child.expect("Player>")
    child.send("score\r")
    child.expect("the match goes to 150")
    child.expect("Player>")
    child.sendcontrol("d")
    child.expect("The game is saved: sniff play --resume")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert list((tmp_path / "games").glob("*.yaml"))


@pytest.mark.skipif(sys.platform == "win32", reason="signals are for POSIX")
def test_a_terminated_program_leaves_its_game_behind(tmp_path: Path) -> None:
    import signal

    pexpect = pytest.importorskip("pexpect")
    env = {**os.environ, "SNIFF_DATA_DIR": str(tmp_path), "PROMPT_TOOLKIT_NO_CPR": "1"}
    child = pexpect.spawn(
        sys.executable,
        ["-m", "sniffcli", "play", "--hotseat", "Ann,Bob", "--seed", "3",
         "--save", str(tmp_path / "game.yaml")],
        env=env, dimensions=(24, 80), encoding="utf-8", timeout=30,
    )  # fmt: skip
    child.expect("Hand the keyboard to Ann")
    child.send("\r")
    child.expect("Ann>")
    child.kill(signal.SIGTERM)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == Status.TERMINATED
    assert "Traceback" not in (child.before or "")
    assert (tmp_path / "game.yaml").read_text().startswith("sniff: 1\n")


def test_only_the_one_at_the_keyboard_sees_a_hand(tmp_path: Path) -> None:
    """Bob leads; what Ann holds, and what that says, is not for his eyes."""
    asked = "".join(f"Ann: {verb}{ENTER}" for verb in ("hand", "hint", "why", "unseen"))
    _, _, said = played(f"{asked}hand{ENTER}{CTRL_D}", tmp_path)
    refused = "Bob is at the keyboard, and what Ann holds is not told to others"
    assert said.count(refused) == 4
    assert "6-4" not in said
    # His own hand was shown with the table, and again when he asked.
    assert said.count("5-5") >= 2


def test_one_person_alone_may_name_the_own_seat(tmp_path: Path) -> None:
    _, _, said = played(f"Ann: hand{ENTER}{CTRL_D}", tmp_path, sniff_text(bot=True))
    assert "6-6" in said
    assert "is at the keyboard" not in said


def test_a_long_answer_comes_a_screenful_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DummyOutput, "get_size", lambda self: Size(rows=14, columns=80))
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    whole.mkdir()
    stopped.mkdir()
    _, _, said = played(f"help{ENTER}{ENTER}{ENTER}{CTRL_D}", whole)
    assert "draw " in said
    assert "Leave; the game is saved." in said
    _, _, said = played(f"help{ENTER}q{ENTER}{CTRL_D}", stopped)
    assert "draw " in said
    assert "Leave; the game is saved." not in said


def test_what_is_typed_below_a_page_waits_at_the_prompt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DummyOutput, "get_size", lambda self: Size(rows=14, columns=30))
    session, _, said = played(f"help{ENTER}5-5{ENTER}{ENTER}{CTRL_D}{CTRL_D}", tmp_path)
    assert [event.text for event in session.state.events][:1] == ["5-5"]
    lines = [line for line in said.split("\n") if "--resume" not in line]
    assert max(map(len, lines)) <= 30


@pytest.mark.parametrize(
    ("counter", "words"), [(True, "Type claim to announce"), (False, "Type claim and the points")]
)
def test_what_claiming_means_is_said_once(tmp_path: Path, counter: bool, words: str) -> None:
    text = sniff_text(bot=True)
    options = Options(counter=counter)
    _, _, said = played(f"5-5{ENTER}claim 10{ENTER}{CTRL_D}", tmp_path, text, options=options)
    assert said.count(words) == 1


def test_help_fits_a_screen_where_nothing_is_claimed(tmp_path: Path) -> None:
    session = session_of(FIVES)
    text = session.execute("help").text
    assert len(text.splitlines()) <= 22
    assert "keelhaul" not in text
    assert "keep" not in text
    assert "claim [N]" in session_of(sniff_text()).execute("help").text


def test_the_target_is_not_announced_when_the_match_is_over(tmp_path: Path) -> None:
    session = session_of(FIVES)
    assert "the match goes to 250" in session.execute("score").text
    session.execute("resign")
    assert session.game.winners is not None
    assert "the match goes to" not in session.execute("score").text


def test_a_play_is_taken_back_while_the_time_to_claim_runs(tmp_path: Path) -> None:
    session, status, said = played(
        f"5-5{ENTER}undo{ENTER}6-6{ENTER}{CTRL_D}", tmp_path, sniff_text(bot=True), RealClock()
    )
    assert status == Status.OK
    assert "taken back: Ann 5-5" in said
    assert session.state.events[0].text == "6-6"


class Raw(DummyOutput):
    """An output that keeps what is sent to it past everything else."""

    def __init__(self) -> None:
        self.sent = ""

    def write_raw(self, data: str) -> None:
        self.sent += data


def test_no_hand_is_left_above_the_screen_for_the_next_person(tmp_path: Path) -> None:
    session = session_of(FIVES, options=Options(look=Look(80, color=True)))
    keeper = Keeper(session, Sitting("all-fives"), GameFile(tmp_path / "game.yaml"))
    output = Raw()
    with create_pipe_input() as pipe:
        pipe.send_text(f"{ENTER}5-5{ENTER}{ENTER}{CTRL_D}")
        loop = Loop(session, keeper, input=pipe, output=output, write=lambda text: None)
        assert loop.run() == Status.OK
    # Xterm's sequence that erases the lines scrolled off the screen.
    assert output.sent.count("\x1b[3J") == 1


def test_a_match_whose_end_is_taken_back_is_not_counted(tmp_path: Path) -> None:
    typed = f"resign{ENTER}y{ENTER}undo{ENTER}{CTRL_D}"
    session, _, said = played(typed, tmp_path, sniff_text(bot=True))
    assert session.game.winners is None
    assert "what it won is taken back" in said
    assert load_profile() == Profile()
    # Played on to its end it still counts for nothing.
    (tmp_path / "game.yaml").unlink()
    typed = f"resign{ENTER}y{ENTER}undo{ENTER}resign{ENTER}y{ENTER}{CTRL_D}"
    _, _, said = played(typed, tmp_path, sniff_text(bot=True))
    assert "wins no trophies" in said
    assert load_profile() == Profile()
