"""What the tests of puzzles share: files written in a few lines."""

from __future__ import annotations

from textwrap import dedent, indent

from sniffcli.files.puzzles import Puzzle, read_puzzles
from sniffcli.problems import Problem
from sniffcli.tutor.puzzle_check import check_many
from sniffcli.tutor.puzzle_values import Effort

FILE = "puzzles.yaml"
HEAD = "sniff: 1\ntitle: Test\npuzzles:\n"

#: Case C60, appendix P2: All Fives with nothing to draw, both hands open, Ann to move.
TWENTY_NOW = """
    ruleset: all-fives
    overrides: {draw: {when: never}, deal: {hand: {2: 7}}}
    round:
      layout: [2-2, 2-1 on 2-2, 1-1 on 2-1, 3-2 on 2-2, 3-1 on 3-2, 6-2 on 2-2 tip, 5-1 on 3-1,
               6-4 on 6-2, 6-1 on 1-1]
      hands: {Ann: [6-3, 5-2], Bob: [5-0, 5-4, 6-5]}
      leader: Ann
"""

#: A lone double and one tile on it; 5 + 5 + 2 = 12.
TWELVE = """
    ruleset: all-fives
    round: {layout: [5-5, 5-2 on 5-5], hands: {Ann: 8, Bob: 8}, leader: Ann}
"""


def one(text: str, *, name: str = "one") -> str:
    """Return the file of one puzzle; TEXT are its keys but the id."""
    body = indent(dedent(text).strip(), "    ")
    return f"{HEAD}  - id: {name}\n{body}\n"


def with_keys(position: str, **keys: str) -> str:
    """Return the file of a puzzle about a POSITION with these further keys."""
    lines = "\n".join(f"{key}: {value}" for key, value in keys.items())
    return one(f"{lines}\n{dedent(position).strip()}")


def read(text: str) -> list[Puzzle]:
    """Return the puzzles of a file that has no problem."""
    file, problems = read_puzzles(text, FILE)
    assert not problems, "\n".join(map(str, problems))
    return list(file.puzzles)


def problems_of(text: str | bytes, worlds: int = 400) -> list[Problem]:
    """Return everything that is wrong with a file, in reading and in proof."""
    file, problems = read_puzzles(text, FILE)
    return sorted([*problems, *check_many(file.puzzles, Effort(worlds=worlds, budget=100_000))])


def codes(text: str) -> list[str]:
    """Return the codes of all problems, by place."""
    return [problem.code for problem in problems_of(text)]
