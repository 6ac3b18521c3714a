"""`sniff play` and `sniff record` as commands: options, scripts, pipes, exit statuses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run

Sniff = Callable[..., Run]

DEAL = """
sniff: 1
ruleset: all-fives
overrides: {deal: {hand: {2: 7}}}
players: [Ann, Bob]
rounds:
  - hands:
      Ann: [6-4, 4-3, 2-2, 3-2, 5-2, 6-3, 6-1]
      Bob: [4-0, 5-5, 5-4, 6-2, 0-0, 5-0, 3-1]
    leader: Bob
"""


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SNIFF_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def script(tmp_path: Path) -> Callable[[str], Path]:
    (tmp_path / "deal.yaml").write_text(DEAL)

    def written(text: str) -> Path:
        path = tmp_path / "game.txt"
        path.write_text(text)
        return path

    return written


def test_a_script_that_holds(sniff: Sniff, script: Callable[[str], Path]) -> None:
    path = script(
        "# a comment\n\ndeal deal.yaml\nbots off\n5-5   # the lead\n"
        "expect sum 10\nexpect points 10\nexpect score Bob 10\nexpect turn Ann\n"
        "expect ends 5 5\nexpect hand Bob 6\n9-9\nexpect error not in the double-6 set\n"
        "9-9\nexpect error\n"
    )
    run = sniff("play", "--script", path)
    assert (run.status, run.err) == (0, "")
    assert run.out == f"Bob: 5-5   sum 10   +10\n{path}: 8 expectations met\n"
    assert sniff("play", "--script", path, "--quiet").out == ""


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("deal deal.yaml\n5-5\nexpect sum 12\n", 3, "the sum is 10, not 12"),
        ("deal deal.yaml\n5-5\nexpect points 5\n", 3, "the last tile is worth 10, not 5"),
        ("deal deal.yaml\n5-5\nexpect score Bob 0\n", 3, "Bob has 10, not 0"),
        ("deal deal.yaml\n5-5\nexpect turn Bob\n", 3, "the turn is Ann, not Bob"),
        ("deal deal.yaml\n5-5\nexpect ends 5\n", 3, "the ends are 5 5, not 5"),
        ("deal deal.yaml\n5-5\nexpect hand Bob 7\n", 3, "Bob holds 6, not 7"),
        ("deal deal.yaml\n5-5\nexpect over\n", 3, "the round is not over: it is Ann's turn"),
        ("deal deal.yaml\n5-5\nexpect winner Bob\n", 3, "the round is not over"),
        ("deal deal.yaml\nexpect tings Ann 1\n", 2, "Ann's tings are 0, not 1"),
        (
            "deal deal.yaml\n5-5\nexpect score Bo 0\n",
            3,
            'nobody is called "Bo"; did you mean "Bob"?',
        ),
        (
            "deal deal.yaml\n5-5\nexpect sums 0\n",
            3,
            '"sums" cannot be expected; did you mean "sum"?',
        ),
        ("deal deal.yaml\n5-5\nexpect sum\n", 3, "this expectation is written expect sum 15"),
        ("deal deal.yaml\n5-5\nexpect error\n", 3, "expected an error, but '5-5' was carried out"),
        ("deal deal.yaml\n6-5\nexpect error late\n", 3, "expected an error with 'late': Bob does"),
        ("deal deal.yaml\nexpect error\n", 2, "expected an error, but 'deal deal.yaml' was"),
        ("deal deal.yaml\n6-5\n", 2, "Bob does not hold 6-5"),
        ("deal nothing.yaml\n", 1, "nothing.yaml: No such file or directory"),
        ("deal\n", 1, "deal which file?"),
        ("wait long\n", 1, "wait how long? Write it like wait 7.5"),
        ("bots maybe\n", 1, "write bots on or bots off"),
    ],
)
def test_a_script_that_fails_names_its_line(
    sniff: Sniff, script: Callable[[str], Path], text: str, line: int, message: str
) -> None:
    path = script(text)
    run = sniff("play", "--script", path)
    assert run.status == 1
    assert run.err.startswith(f"{path}:{line}: ")
    assert message in run.err
    assert len(run.err.splitlines()) == 1


def test_commands_through_a_pipe_are_a_batch(sniff: Sniff, own_data: Path) -> None:
    """Cases C88 to C90."""
    run = sniff("play", "--seed", "5", "--bots", "greedy", input="hand\nscore\n")
    assert run.status == 0
    assert run.out.splitlines()[1:] == [
        "6-4 · 6-3 · 5-4* · 4-4 · 4-1 · 3-2 · 3-0* · 2-2 · 2-1",
        "Player: 0",
        "Bob: 5",
        "the match goes to 250",
    ]
    assert "> " not in run.out
    assert "\x1b" not in run.out + run.err
    (saved,) = (own_data / "games").glob("*.yaml")
    assert run.err == f"sniff: the game is not over; it is saved: sniff play --resume {saved}\n"


def test_a_failing_line_of_a_pipe_is_named(sniff: Sniff) -> None:
    run = sniff("play", "--seed", "5", input="score\n9-9\nhand\n")
    assert run.status == 1
    assert run.err.startswith("<stdin>:2: 9-9 is not in the double-6 set in use\n")
    assert "6-4" not in run.out


def test_a_script_from_standard_input(sniff: Sniff, script: Callable[[str], Path]) -> None:
    path = script("")
    text = f"deal {path.parent / 'deal.yaml'}\nbots off\nlead 5-5\nplay 5-2\nexpect sum 12\n"
    run = sniff("play", "--script", "-", input=text)
    assert (run.status, run.err) == (0, "")
    assert run.out.endswith("<stdin>: 1 expectation met\n")


def test_nothing_on_a_pipe_ends_at_once(sniff: Sniff, own_data: Path) -> None:
    run = sniff("play", input="")
    assert (run.status, run.out, run.err) == (0, "", "")
    assert not own_data.exists()


def test_a_game_is_saved_and_gone_on_with(sniff: Sniff, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    first = sniff("play", "--seed", "5", "--bots", "greedy", "--save", path, input="score\n")
    assert first.status == 0
    before = path.read_text()
    again = sniff("play", "--save", path, input="score\n")
    assert again.status == 2
    assert path.read_text() == before
    assert "exists already; --resume goes on with it" in again.err
    more = sniff("play", "--resume", path, input="5-4\nlog\n")
    assert more.status == 0
    assert "Player: 5-4 on 5-0" in more.out
    assert "Player: 5-4 on 5-0" in path.read_text()
    replay = sniff("replay", path, "--verify-deal")
    assert replay.status == 0
    assert "and the deal: no problem" in replay.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--players", "7"], "is for 2 to 4 players, not 7"),
        (["--bots", "genius"], 'no bot is called "genius"'),
        (["--hotseat", "Ann,Ann"], "two players are called Ann"),
        (["--hotseat", "draw,Ann"], "the word of an action"),
        (["--hotseat", "Ann,Bob", "--name", "Cy"], "leave out --name"),
        (["--partners"], "has no partners with 2 players; pairs are for 4 players"),
        (
            ["--partners", "--rules", "bergen", "--players", "4"],
            "the house rule players.teams=optional_pairs allows them",
        ),
        (["--rules", "all-sixes"], "no ruleset is called"),
        (["--skin", "paper"], 'no skin is called "paper"'),
        (["--skin", "brass"], "is won by the trophy first-win"),
        (["--resume", "x.yaml", "--save", "y.yaml"], "leave out --save"),
        (["--set", "spiner=none"], "layout.spinner"),
    ],
)
def test_a_table_that_cannot_be_set_is_a_usage_error(
    sniff: Sniff, options: list[str], message: str
) -> None:
    run = sniff("play", *options, input="")
    assert run.status == 2
    if message != "layout.spinner":
        assert message in run.err


def test_a_saved_game_that_is_not_there(sniff: Sniff, tmp_path: Path) -> None:
    run = sniff("play", "--resume", tmp_path / "none.yaml", input="score\n")
    assert run.status in (1, 2)
    assert "No such file" in run.err
    assert "Traceback" not in run.err


def test_partners_sprint_and_targets(sniff: Sniff) -> None:
    run = sniff(
        "play", "--rules", "all-threes-partners", "--bots", "random",
        "--target", "200", "--seed", "1", input="score\n",
    )  # fmt: skip
    assert run.status == 0
    assert "Player and Cy: " in run.out
    assert "the match goes to 200" in run.out
    run = sniff("play", "--rules", "all-threes-sprint", "--seed", "1", input="score\n")
    assert "the match goes" not in run.out


def test_the_skins_are_listed(sniff: Sniff) -> None:
    run = sniff("play", "--skin", "list")
    assert run.status == 0
    assert "ivory" in run.out


def test_a_real_table_is_written_down(sniff: Sniff, tmp_path: Path) -> None:
    path = tmp_path / "table.yaml"
    typed = (
        "dealt Ann 6-6 5-4\nBob: 5-5\nAnn: 5-4\nundo\nAnn: 5-4\nBob: 5-0\nexpect score Bob 20\n"
        "expect over\nleft Ann 12\nexpect error hidden\nnext\nleader Bob\nBob: 6-4\nAnn: draw\n"
        "Ann: 6-1\nBob: 4-0\nleft Ann 7\nexpect score Bob 35\n"
    )
    run = sniff(
        "record", "--players", "Ann,Bob", "--set", "deal.hand.2=2", "--output", path, input=typed
    )
    assert (run.status, run.err) == (0, f"written: {path}\n")
    assert "Bob: 5-5   sum 10   +10   (Ann 0  Bob 10)" in run.out
    assert "taken back: Ann 5-4 on 5-5" in run.out
    replay = sniff("replay", path)
    assert replay.status == 0, replay.err
    assert "no problem" in replay.out
    assert "taken back" not in path.read_text()


def test_a_record_is_gone_on_with(sniff: Sniff, tmp_path: Path) -> None:
    path = tmp_path / "table.yaml"
    first = sniff("record", "--players", "Ann,Bob,Cy", "--output", path, input="Cy: 5-5\n")
    assert first.status == 0
    more = sniff("record", "--resume", path, input="Ann: 5-0\nexpect score Ann 10\n")
    assert (more.status, more.err) == (0, f"written: {path}\n")
    text = path.read_text()
    assert "leader: Cy" in text
    assert "Ann: 5-0 on 5-5" in text


def test_record_wants_players(sniff: Sniff) -> None:
    run = sniff("record", input="")
    assert run.status == 2
    assert "--players" in run.err


def test_a_script_that_is_no_text(sniff: Sniff, tmp_path: Path) -> None:
    path = tmp_path / "bytes.txt"
    path.write_bytes(b"hand\n\xff\xfe\n")
    run = sniff("play", "--script", path)
    assert (run.status, run.err) == (1, f"{path}:2: this is no UTF-8 text\n")
    assert sniff("play", "--script", tmp_path / "none.txt").status == 2


def test_a_recorder_is_offered_what_a_hidden_hand_may_hold() -> None:
    from sniffcli.game.match import sides_of
    from sniffcli.game.state import Setup
    from sniffcli.ruleset.loading import load_ruleset
    from sniffcli.ui.clock import ScriptClock
    from sniffcli.ui.live import LiveGame
    from sniffcli.ui.recording import Recorder, hidden
    from sniffcli.ui.verbs import completions

    rules, _ = load_ruleset("all-fives")
    assert rules is not None
    setup = Setup(rules, ("Ann", "Bob"), sides_of(2, teams=False))
    recorder = Recorder(LiveGame(setup, hidden, ScriptClock()))
    recorder.execute("Ann: 5-5")
    plays = [line for line in completions(recorder) if line[0].isdigit()]
    assert plays == [f"5-{low} on 5-5" for low in range(5)] + ["6-5 on 5-5"]


def test_a_seed_that_no_file_can_hold_is_refused(sniff: Sniff, tmp_path: Path) -> None:
    path = str(tmp_path / "game.yaml")
    run = sniff("play", "--seed", str(10**18 + 1), "--save", path, input="hand\n")
    assert run.status == 2
    assert "a seed is at most 1000000000000000000" in run.err
    assert sniff("play", "--seed", str(10**18), "--save", path, input="hand\n").status == 0
    assert sniff("replay", path).status == 0


def test_a_record_with_hidden_hands_is_not_played_on(sniff: Sniff, tmp_path: Path) -> None:
    path = tmp_path / "evening.yaml"
    text = (
        "sniff: 1\nruleset: all-fives\nplayers: [Ann, Bob]\nrounds:\n"
        "  - hands: {Ann: 9, Bob: 9}\n    leader: Ann\n    plays: [Ann: 5-5]\n"
    )
    path.write_text(text, encoding="utf-8")

    run = sniff("play", "--resume", path, input="")

    assert run.status == 1
    assert "the hand of Ann is not known" in run.err
    assert "sniff record --resume" in run.err
    assert path.read_text(encoding="utf-8") == text
