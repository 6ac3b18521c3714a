"""Questions that miss, and looks that must not leave traces: filters, empty results, names."""

from __future__ import annotations

import shlex
from pathlib import Path
from types import SimpleNamespace

import pytest

from sniffcli.engine import kernel
from sniffcli.ruleset.library import scenarios_dir
from sniffcli.tutor.store import Answered, Store

PUZZLES = scenarios_dir() / "puzzles"


@pytest.fixture(autouse=True)
def away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SNIFF_DATA_DIR", str(tmp_path / "data"))
    return tmp_path


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--kind nope", '--kind: there is no "nope"; there are count, points, best-score'),
        ("--kind best-plya", '--kind: there is no "best-plya"; did you mean "best-play"?'),
        ("--theme nope", '--theme: there is no "nope"; there are '),
        ("--rules sebastopo", 'there is no "sebastopo"; did you mean "sebastopol"?'),
    ],
)
def test_a_filter_that_names_nothing_says_what_there_is(sniff, options, said):
    run = sniff("puzzle", "list", *options.split())
    assert (run.status, run.out) == (2, "")
    assert said in run.err


def test_a_filter_that_happens_to_find_nothing_is_an_answer(sniff):
    run = sniff("puzzle", "list", "--kind", "holds", PUZZLES / "points-bergen.yaml")
    assert (run.status, run.err) == (0, "")
    assert "0 puzzles" in run.out


def test_no_puzzle_is_no_file(sniff, away):
    """A record with nothing in it gives no question."""
    game = away / "game.yaml"
    game.write_text("sniff: 1\nruleset: block\nplayers: [Ann, Bob]\nrounds: []\n")
    for output in ([], ["--output", "made.yaml"]):
        run = sniff("puzzle", "make", "--quiet", "--kind", "best-play", *output, game)
        assert (run.status, run.out) == (1, "")
        assert "no puzzle was found, so nothing is written" in run.err
    assert not (away / "made.yaml").exists()


@pytest.mark.parametrize(
    "words", ["stats", "stats --format json", "puzzle stats", "stats export", "stats delete --yes"]
)
def test_looking_makes_no_file(sniff, away, words):
    assert sniff(*words.split()).status == 0
    assert not (away / "data").exists()


def test_what_is_kept_is_still_found_by_looking(sniff):
    with Store() as store, store.writing():
        store.add("default", Answered("a:b:1", "two-ends", "count", "block", "5", "5", True))
    assert "No answer is kept" not in sniff("puzzle", "stats").out


def test_save_at_the_prompt_makes_no_directories(sniff, away):
    run = sniff("play", "--seed", "1", "--hotseat", "Ann,Bob", input="save gaems/mine.yaml\n")
    assert run.status == 1
    assert "there is no directory gaems" in run.err
    assert not (away / "gaems").exists()


def test_save_at_the_prompt_names_no_option(sniff, away):
    (away / "mine.yaml").write_text("mine\n")
    run = sniff("play", "--seed", "1", "--hotseat", "Ann,Bob", input="save mine.yaml\n")
    assert run.status == 1
    assert "mine.yaml exists already; give another name" in run.err
    assert "--force" not in run.err
    assert (away / "mine.yaml").read_text() == "mine\n"


def test_the_command_to_go_on_can_be_pasted(sniff, away):
    run = sniff("play", "--seed", "1", "--save", "my game.yaml", input="board\n")
    command = run.err.rstrip().rpartition("it is saved: ")[2]
    assert shlex.split(command) == ["sniff", "play", "--resume", "my game.yaml"]
    assert sniff(*shlex.split(command)[1:], input="board\n").status == 0


@pytest.mark.parametrize(
    "words", ["record --players Ann,,Bob", "play --hotseat Ann,,Bob", "play --bots greedy,,strong"]
)
def test_a_missing_name_is_not_dropped(sniff, words):
    run = sniff(*words.split(), input="")
    assert run.status == 2
    assert "a name is missing between the commas" in run.err


@pytest.mark.parametrize("command", ["hint", "solve"])
def test_what_is_wrong_in_the_file_is_all_that_is_said(sniff, away, command):
    game = away / "game.yaml"
    game.write_text(
        "sniff: 1\nruleset: block\nplayers: [Ann, Bob]\n"
        "rounds: [{hands: {Ann: 7, Bob: 7}, leader: Ann, plays: [Ann: 5-5, Bob: 6-2 on 5-5]}]\n"
    )
    run = sniff(command, game)
    assert run.status == 1
    assert "6-2 cannot go on 5-5" in run.err or "error[" in run.err.splitlines()[0]
    assert "no-position" not in run.err


ENDING = scenarios_dir() / "games" / "ending-at-the-spinner.yaml"


@pytest.mark.parametrize("command", [("hint", ENDING), ("solve", ENDING), ("bench",)])
def test_a_kernel_that_is_not_there_is_asked_for(sniff, monkeypatch, command):
    monkeypatch.setenv("SNIFF_KERNEL", "quantum")
    run = sniff(*command)
    assert (run.status, run.out) == (2, "")
    assert run.err == "sniff: SNIFF_KERNEL is 'quantum'; it may be python or native\n"


def test_a_kernel_of_other_sources_is_told_and_not_used(sniff, monkeypatch):
    """As after bringing a checkout up to date without installing it again."""
    monkeypatch.delenv("SNIFF_KERNEL", raising=False)
    monkeypatch.setattr(kernel, "import_module", lambda name: SimpleNamespace())
    run = sniff("hint", ENDING)
    assert (run.status, run.out) == (2, "")
    assert "built from other sources" in run.err
    assert "pip install -e ." in run.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("puzzle play --kind bogus", '--kind: there is no "bogus"; there are count, points'),
        ("puzzle play --theme exakt", 'there is no "exakt"; did you mean "exact"?'),
        ("record --players Ann,Bob --output no/x.yaml", "there is no directory no; make it first"),
        ("play --save no/x.yaml --bots greedy", "there is no directory no; make it first"),
        ("ruleset check folder", "there are no ruleset files (*.yaml) in folder"),
    ],
)
def test_what_cannot_be_meant_is_said_and_nothing_is_made(sniff, away, words, said):
    (away / "folder" / "inner.yaml").mkdir(parents=True)
    run = sniff(*words.split())
    assert (run.status, run.out) == (2, "")
    assert said in run.err
    assert not (away / "no").exists()


def test_no_play_is_no_table(sniff):
    run = sniff("count", "")
    assert (run.status, run.out) == (2, "")
    assert "no play is given" in run.err


@pytest.mark.parametrize("line", ["Bob draw", "bob 5-1"])
def test_a_name_without_its_colon_is_explained(sniff, line):
    run = sniff("record", "--players", "Ann,Bob", "--output", "g.yaml", input=f"ann: 5-5\n{line}\n")
    assert run.status == 1
    assert '<stdin>:2: write what Bob does behind a colon, like "Bob: draw"' in run.err
    assert "Ann: 5-5" in run.out


def test_a_problem_too_large_names_a_way_out(sniff, away, monkeypatch):
    """Fourteen tiles in the hands and fourteen to draw in any order."""
    monkeypatch.setattr("sniffcli.engine.solver.BUDGETS", (1000, 1000, 1000))
    rows = [f"{high}-{low}" for high in range(6, -1, -1) for low in range(high, -1, -1)]
    ann, bob, rest = rows[::4], rows[1::4], rows[2::4] + rows[3::4]
    (away / "g.yaml").write_text(
        "sniff: 1\nruleset: muggins\nplayers: [Ann, Bob]\nrounds:\n"
        f"  - hands: {{Ann: [{', '.join(ann)}], Bob: [{', '.join(bob)}]}}\n"
        f"    boneyard: [{', '.join(rest)}]\n    leader: Ann\n    plays: [Ann: {ann[0]}]\n"
    )
    run = sniff("solve", "g.yaml")
    assert run.status == 1
    assert "too large to solve; --known-order takes the boneyard as it is listed" in run.err
