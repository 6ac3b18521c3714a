"""Made puzzles: proved with other worlds, the same from a seed, and true in what they explain."""

from __future__ import annotations

import random
import textwrap
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from sniffcli.files.games import read_game
from sniffcli.files.puzzles import Puzzle, puzzle_file_text, read_puzzles
from sniffcli.ruleset.library import scenarios_dir
from sniffcli.tutor.families import rules_of
from sniffcli.tutor.puzzle_check import check
from sniffcli.tutor.puzzle_make import Wish, candidates, from_games, make, mistakes_first
from sniffcli.tutor.puzzle_values import Effort

#: Another seed than the maker's, and more worlds.
OTHER = Effort(worlds=8_000, seed=99, budget=300_000)


def made(ruleset: str, wish: Wish, seed: int, source: str = "deals") -> Iterator[Puzzle]:
    rng = random.Random(seed)
    found = candidates(rules_of(ruleset), rng, source, wish.players)  # type: ignore[arg-type]
    return make(wish, found, rng, seed, ruleset)


@pytest.mark.parametrize(
    ("ruleset", "wish", "number"),
    [
        ("all-fives", Wish("count", theme="covered-spinner"), 3),
        ("sniff", Wish("count", theme="sniff-count"), 3),
        ("fives-and-threes", Wish("points"), 3),
        ("bergen", Wish("points"), 3),
        ("dreamtime-sniff", Wish("claim"), 3),
        ("all-threes", Wish("best-score"), 3),
        ("matador", Wish("legal-plays"), 3),
        ("cross", Wish("legal-plays"), 2),
        ("draw", Wish("holds"), 3),
        ("block", Wish("best-play"), 3),
        ("all-fives", Wish("best-play", theme="sacrifice"), 1),
        ("fives-and-threes", Wish("best-play", players=3), 2),
        ("all-threes", Wish("value"), 2),
        ("all-fives", Wish("best-play", hidden=True), 1),
    ],
)
def test_made_puzzles_are_confirmed_by_other_worlds(ruleset: str, wish: Wish, number: int) -> None:
    found = list(islice(made(ruleset, wish, 21, "bots" if wish.hidden else "deals"), number))
    file, problems = read_puzzles(puzzle_file_text("Made", found), "made.yaml")

    assert len(found) == number
    assert not problems
    for puzzle in file.puzzles:
        assert check(puzzle, OTHER) == []
        assert puzzle.hints
        assert puzzle.explanation
        assert puzzle.record.rules.id == ruleset
        assert wish.theme in (None, *puzzle.themes)


def test_the_same_seed_makes_the_same_puzzles() -> None:
    one, two = (list(islice(made("all-fives", Wish("best-score"), 4), 3)) for _ in range(2))
    other = list(islice(made("all-fives", Wish("best-score"), 5), 3))
    assert one == two
    assert not {puzzle.id for puzzle in one} & {puzzle.id for puzzle in other}


def test_difficulty_is_kept_within_its_bounds() -> None:
    wish = Wish("count", easiest=800, hardest=900)
    for puzzle in islice(made("all-fives", wish, 3), 4):
        assert 800 <= puzzle.difficulty <= 900


def test_games_give_puzzles_and_mistakes_come_first() -> None:
    path = scenarios_dir() / "games" / "all-fives-match-1.yaml"
    record, _ = read_game(path.read_bytes(), str(path))
    assert record is not None
    rounds = (
        (name, found)
        for name, found in from_games([record], "robot")
        if len(found[0].state.hands[found[0].state.turn].tiles) <= 4
    )
    puzzles = list(islice(mistakes_first(Wish("best-score"), islice(rounds, 30), 2), 4))

    assert puzzles
    lost = [" was played, which scores" in puzzle.explanation for puzzle in puzzles]
    assert lost == sorted(lost, reverse=True)
    for puzzle in puzzles:
        assert puzzle.explanation.startswith("In the game ")
        assert check(puzzle, OTHER) == []


def test_saved_games_are_a_source(
    sniff,  # type: ignore[no-untyped-def]
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SNIFF_DATA_DIR", str(tmp_path))
    arguments = ("puzzle", "make", "--mine", "--kind", "legal-plays", "--count", "1")
    assert "no game is saved yet" in sniff(*arguments).err
    games = tmp_path / "games"
    games.mkdir()
    source = scenarios_dir() / "games" / "all-fives-match-1.yaml"
    (games / "one.yaml").write_bytes(source.read_bytes())
    done = sniff(*arguments)
    assert done.status == 0
    assert "In the game " in done.out


def test_a_puzzle_names_the_rules_of_its_game_from_where_it_lies(
    sniff,  # type: ignore[no-untyped-def]
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The game says `../club.yaml`; two folders away the puzzle has to say something else."""
    source = (scenarios_dir() / "games" / "all-fives-match-1.yaml").read_text("utf-8")
    start, house, players = (
        source.index(word) for word in ("ruleset:", "overrides:\n", "players:")
    )
    rules = textwrap.dedent(source[house + len("overrides:\n") : players])
    (tmp_path / "club.yaml").write_text(
        f"sniff: 1\nid: club\nname: Club\nextends: all-fives\n{rules}"
    )
    for folder in ("games", "made/here"):
        (tmp_path / folder).mkdir(parents=True)
    game = source[:start] + "ruleset: ../club.yaml\n" + source[players:]
    (tmp_path / "games" / "one.yaml").write_text(game, "utf-8")
    monkeypatch.chdir(tmp_path)
    output = Path("made/here/p.yaml")
    arguments = ("--kind", "legal-plays", "--count", "1", "--output", output)
    assert sniff("puzzle", "make", "games/one.yaml", *arguments).status == 0
    assert 'ruleset: "../../club.yaml"' in output.read_text("utf-8")
    assert sniff("puzzle", "check", output).status == 0


def test_the_command_writes_what_check_reads(sniff, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    target = tmp_path / "made.yaml"
    arguments = ["puzzle", "make", "--kind", "points", "--rules", "all-threes", "--count", "3"]
    assert sniff(*arguments, "--seed", "8", "--output", target).status == 0
    assert sniff("puzzle", "check", target).out == "Checked 3 puzzles: no problem\n"
    assert sniff(*arguments, "--seed", "8").out == target.read_text()
    assert sniff(*arguments, "--output", target).status == 2
    assert sniff("puzzle", "make", "--theme", "spiner-opens").status == 2
    assert sniff("puzzle", "make", "--rules", "no-such-game").status == 2
