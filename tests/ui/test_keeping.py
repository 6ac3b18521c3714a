"""Nothing is lost: games on disk, resumed at any point, and files that somebody else touches."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run
from hypothesis import given, settings
from hypothesis import strategies as st
from ui.tables import rules_of, session_of, sniff_text

from sniffcli.files.games import read_game
from sniffcli.files.replay import play_out
from sniffcli.files.writing import FileRefused
from sniffcli.ui import store
from sniffcli.ui.clock import ScriptClock
from sniffcli.ui.keeper import Keeper
from sniffcli.ui.live import LiveGame
from sniffcli.ui.runs import Unusable, take_up
from sniffcli.ui.seating import Wish, opened
from sniffcli.ui.session import Options, Session
from sniffcli.ui.store import GameFile, Sitting, resumed, save_text
from sniffcli.ui.verbs import completions

GAMES = (
    "dreamtime-sniff",
    "all-threes",
    "muggins-all-fives",
    "cross",
    "block",
    "all-threes-partners",
    "seven-toed-pete",
    "fives-and-threes",
)


def begun(rules: str, seed: int) -> tuple[LiveGame, Sitting]:
    """A table of one person and bots, as many as the rules need."""
    ruleset = rules_of(rules)
    bots = max(1, ruleset.players.min - 1)
    wish = Wish(ruleset, rules, {}, ("Ann",), ("greedy",) * bots, seed=seed)
    return opened(wish, ScriptClock())


def step(session: Session, choice: int) -> bool:
    """Do one of the things that are legal for people now; return whether there was one."""
    session.tick()
    silly = ("resign", "new", "quit", "help", "undo", "save", "counter", "tutor", "hint", "why")
    lines = [
        line
        for line in completions(session)
        if line.split()[0] not in silly
        and line.split()[0]
        not in ("board", "hand", "ends", "count", "score", "log", "rules", "unseen")
    ]
    if not lines:
        return False
    line = lines[choice % len(lines)]
    reply = session.execute(line)
    assert reply.ok, (line, reply.error)
    session.tick()
    return True


def reread(game: LiveGame, sitting: Sitting) -> LiveGame:
    record, problems = read_game(save_text(game, sitting, Path("game.yaml")), "game.yaml")
    assert record is not None, problems
    assert not problems, problems
    replay = play_out(record)
    assert replay.ok, replay.problems
    return resumed(replay, ScriptClock())


def same(one: LiveGame, other: LiveGame) -> None:
    assert other.state.hands == one.state.hands
    for name in (
        "scores", "boneyard", "turn", "leader", "layout", "frontier", "must_lead", "laid", "closer",
        "drawn", "last_drawn", "passes", "extra", "pending", "now", "laid_at", "submerged",
        "unlocked", "entered", "tings", "closing", "result",
    ):  # fmt: skip
        assert getattr(other.state, name) == getattr(one.state, name), name
    assert other.match == one.match
    assert other.levels == one.levels
    assert other.number == one.number


@given(st.sampled_from(GAMES), st.integers(0, 10**6), st.lists(st.integers(0, 50), max_size=60),
       st.integers(0, 60))  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_saved_at_any_point_and_resumed_is_as_if_never_stopped(
    rules: str, seed: int, choices: list[int], stop: int
) -> None:
    game, sitting = begun(rules, seed)
    session = Session(game, Options())
    for choice in choices[:stop]:
        if not step(session, choice):
            break
    again = reread(session.game, sitting)
    same(session.game, again)
    other = Session(again, Options())
    for choice in choices[stop:]:
        went = step(session, choice)
        assert step(other, choice) == went
        if not went:
            break
    same(session.game, other.game)
    assert save_text(other.game, sitting, Path("game.yaml")) == save_text(
        session.game, sitting, Path("game.yaml")
    )


def test_an_unclaimed_score_keeps_its_time(tmp_path: Path) -> None:
    """Case C83, with a clock."""
    session = session_of(sniff_text())
    sitting = Sitting("dreamtime-sniff")
    session.execute("Ann: 5-5 after 3 s")
    session.execute("Ann: claim 15 after 6.5 s")
    again = Session(reread(session.game, sitting), Options())
    assert [one.points for one in again.state.pending] == [10]
    assert again.game.time_left() == pytest.approx(0.5)
    assert "too late" in again.execute("Ann: claim after 7.1 s").error
    assert again.execute("Ann: claim after 6.9 s").ok


def kept(tmp_path: Path) -> tuple[Session, Keeper, Path]:
    game, sitting = begun("all-fives", 7)
    session = Session(game, Options())
    path = tmp_path / "game.yaml"
    return session, Keeper(session, sitting, GameFile(path)), path


def test_every_action_is_in_the_file_before_the_next_prompt(tmp_path: Path) -> None:
    session, _, path = kept(tmp_path)
    for choice in range(6):
        step(session, choice)
        again, _, _ = take_up(path, ScriptClock())
        same(session.game, again)
    session.execute("undo")
    again, _, _ = take_up(path, ScriptClock())
    same(session.game, again)


def test_a_second_program_on_the_same_file_is_noticed(tmp_path: Path) -> None:
    """Case C81."""
    session, keeper, path = kept(tmp_path)
    game, sitting, file = take_up(path, ScriptClock())
    other = Session(game, Options())
    Keeper(other, sitting, file)
    step(other, 0)
    theirs = path.read_text()
    step(session, 1)
    assert "changed by another program" in keeper.trouble
    assert path.read_text() == theirs
    # What was played is not lost: it can be saved under another name, and goes on there.
    assert session.execute(f"save {tmp_path / 'mine.yaml'}").ok
    assert keeper.trouble == ""
    step(session, 2)
    again, _, _ = take_up(tmp_path / "mine.yaml", ScriptClock())
    same(session.game, again)


def test_a_full_disk_is_told_and_the_old_file_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case C80."""
    session, keeper, path = kept(tmp_path)
    before = path.read_text()

    def full(*arguments: object, **named: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    with monkeypatch.context() as patch:
        patch.setattr(store, "write_atomic", full)
        step(session, 0)
    assert "No space left on device" in keeper.trouble
    assert path.read_text() == before
    step(session, 0)
    assert keeper.trouble == ""
    same(session.game, take_up(path, ScriptClock())[0])


def test_a_broken_file_is_refused_with_its_problems(tmp_path: Path) -> None:
    path = tmp_path / "broken.yaml"
    path.write_text("sniff: 1\nplayers: [Ann, Bob]\nrounds:\n  - plays:\n      - Ann: 9-9\n")
    with pytest.raises(Unusable, match="9-9 is not in the double-6 set"):
        take_up(path, ScriptClock())


def test_an_existing_file_is_not_replaced(tmp_path: Path) -> None:
    session, _, path = kept(tmp_path)
    other = tmp_path / "other.yaml"
    other.write_text("mine\n")
    assert "exists already" in session.execute(f"save {other}").error
    assert other.read_text() == "mine\n"
    with pytest.raises(FileRefused):
        GameFile(path).write("nothing")


class Hands:
    """A real clock that a test turns by hand."""

    real = True

    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        return self.now


def test_who_leaves_while_his_time_runs_gains_none(tmp_path: Path) -> None:
    clock = Hands()
    session = session_of(sniff_text(), clock=clock)
    sitting = Sitting("dreamtime-sniff")
    session.execute("Ann: 5-5")
    clock.now += 5.2
    text = save_text(session.game, sitting, Path("game.yaml"))
    assert "elapsed: 5.2" in text
    record, problems = read_game(text, "game.yaml")
    assert record is not None, problems
    later = Hands()
    later.now = 9000.0
    again = Session(resumed(play_out(record), later), Options())
    assert again.game.time_left() == pytest.approx(1.8)
    later.now += 1.9
    assert "too late" in again.execute("Ann: claim").error


@pytest.mark.parametrize("wrong", ["-1", "soon", "true", "90000", "[1]"])
def test_a_wrong_elapsed_time_is_a_problem(wrong: str) -> None:
    text = sniff_text().rstrip() + f"\n    elapsed: {wrong}\n"
    _, problems = read_game(text, "game.yaml")
    assert [one.code for one in problems] == ["number"]


def test_a_resumed_game_finds_its_own_rules_again(
    sniff: Callable[..., Run], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its file names them relative to itself, wherever the program was started."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "club.yaml").write_text(
        "sniff: 1\nid: club\nname: Club\nextends: all-fives\nmatch: {target: 60}\n"
    )
    for command, line in (("play", "hotseat"), ("record", "players")):
        save = tmp_path / "sub" / f"{command}.yaml"
        save.parent.mkdir(exist_ok=True)
        flag = "--save" if command == "play" else "--output"
        words = (command, "--rules", "club.yaml", f"--{line}", "Ann,Bob", flag, save)
        sniff(*words, input="quit\n" if command == "play" else "Ann: 5-5\n")
        assert "ruleset: ../club.yaml" in save.read_text().replace('"', "")
        for _ in range(2):
            sniff(command, "--resume", f"sub/{command}.yaml", input="quit\n")
            assert "ruleset: ../club.yaml" in save.read_text().replace('"', "")
            assert sniff("replay", f"sub/{command}.yaml").status == 0


def test_a_name_that_would_steer_the_terminal_is_refused(sniff: Callable[..., Run]) -> None:
    run = sniff("play", "--name", "\x1b[31mX", input="")
    assert run.status == 2
    assert "control characters" in run.err


def test_a_hidden_counter_stays_hidden_when_a_game_is_gone_on_with(
    sniff: Callable[..., Run], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("play", "--seed", "1", "--hotseat", "Ann,Bob", "--save", "game.yaml")
    sniff(*words, "--counter", "hidden", input="board\n")
    go_on = ("play", "--resume", "game.yaml")
    hidden = "the counter is hidden: add up the ends yourself, or write counter on"
    assert hidden in sniff(*go_on, input="count\n").err
    # It is what the people chose last that is kept, and an option comes before it.
    assert sniff(*go_on, "--counter", "visible", input="count\n").status == 0
    assert sniff(*go_on, input="count\n").status == 0
    sniff(*go_on, input="counter off\n")
    assert hidden in sniff(*go_on, input="count\n").err
    assert sniff("replay", "game.yaml").status == 0


@pytest.mark.parametrize("script", [[], ["--script", "-"]])
def test_a_rematch_has_a_file_of_its_own_beside_the_first(
    sniff: Callable[..., Run],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    script: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("play", *script, "--seed", "1", "--hotseat", "Ann,Bob", "--save", "games.d/club.yaml")
    (tmp_path / "games.d").mkdir()
    run = sniff(*words, input="resign\nnew\nresign\nnew\nboard\n")
    assert run.status == 0, run.err
    games = [f"games.d/club{more}.yaml" for more in ("", "-2", "-3")]
    assert [sniff("replay", game).status for game in games] == [0, 0, 0]
    ended = ["resign" in (tmp_path / game).read_text() for game in games]
    assert ended == [True, True, False]
    assert f"This match is kept in {games[1]}" in run.out
    assert sorted(os.listdir(tmp_path / "games.d")) == ["club-2.yaml", "club-3.yaml", "club.yaml"]


def test_each_rematch_by_pipe_is_another_match(
    sniff: Callable[..., Run], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    again = "resign\nnew\nresign\nnew\nresign\n"
    assert sniff("play", "--bots", "greedy", "--save", "a.yaml", input=again).status == 0
    seeds = {(tmp_path / f"a{more}.yaml").read_text().split("seed:")[1].split()[0]
             for more in ("", "-2", "-3")}  # fmt: skip
    assert len(seeds) == 3
    # With a seed that was given a row of matches can be repeated.
    for name in ("b", "c"):
        words = ("play", "--bots", "greedy", "--seed", "5", "--save", f"{name}.yaml")
        assert sniff(*words, input=again).status == 0
    assert "seed: 7" in (tmp_path / "b-3.yaml").read_text()
    for more in ("", "-2", "-3"):
        one, other = ((tmp_path / f"{name}{more}.yaml").read_text() for name in ("b", "c"))
        assert (
            one.split("hands:")[1].split("plays:")[0] == other.split("hands:")[1].split("plays:")[0]
        )
