"""The short menu of `sniff play` without options: which game, against whom."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from sniffcli.problems import did_you_mean
from sniffcli.ruleset.library import find, shipped
from sniffcli.ruleset.loading import load_ruleset
from sniffcli.ruleset.model import Ruleset
from sniffcli.show.folding import fold
from sniffcli.show.style import look_of
from sniffcli.ui.bots import LEVELS

#: The games that the menu offers by number; every other one by its name.
OFFERED = (
    "dreamtime-sniff",
    "all-threes",
    "all-threes-sprint",
    "all-threes-partners",
    "all-fives",
    "muggins-all-fives",
    "muggins-fives-and-threes",
    "block",
    "draw",
    "cross",
)


#: What leaves the menu.
LEAVING = ("q", "quit", "exit")

Answer = TypeVar("Answer")


class Left(Exception):
    """Somebody has left the menu."""


def ask() -> dict[str, Any] | None:
    """Ask for a game and opponents; return them as options of the command, None if left."""
    try:
        return _asked()
    except Left:
        return None


def _asked() -> dict[str, Any]:
    click.echo("Which game?")
    for number, name in enumerate(OFFERED, 1):
        _say(_rules(name).title, f"  {number:2}  ", " " * 6)
    more = "or another ruleset by its name (`sniff ruleset list` shows them) or file; q leaves"
    _say(more, "   ", "   ")
    name = _answer("Game", "1", _game)
    rules = _rules(name)
    least = max(1, rules.players.min - 1)
    most = rules.players.max - 1
    bots = least
    if most > least:
        choices = [str(number) for number in range(least, most + 1)]
        bots = int(_one_of(f"How many opponents ({least} to {most})", choices, str(least)))
    elif least > 1:
        _say(f"{least + 1} players; the program plays the others, your partner too.")
    _say(f"Their strength: {', '.join(LEVELS)}")
    level = _one_of("Strength", LEVELS, "casual")
    return {"rules": name, "players": bots + 1, "bots": (level,)}


def _say(text: str, first: str = "", later: str = "") -> None:
    click.echo("\n".join(fold(text, look_of(sys.stdout).width, first, later)))


def _answer(question: str, default: str, read: Callable[[str], Answer]) -> Answer:
    """Ask until READ takes the answer."""

    def taken(given: str) -> Answer:
        text = given.strip()
        if text.lower() in LEAVING:
            raise Left
        return read(text)

    answer: Answer = click.prompt(question, default=default, value_proc=taken)
    return answer


def _one_of(question: str, words: Sequence[str], default: str) -> str:
    def read(given: str) -> str:
        if given.lower() not in words:
            raise click.UsageError(f'write {" or ".join(words)}, not "{given}"')
        return given.lower()

    return _answer(question, default, read)


def _game(given: str) -> str:
    if given.isdecimal() and 1 <= int(given) <= len(OFFERED):
        return OFFERED[int(given) - 1]
    name = given.lower() if given.lower() in shipped() else given
    if find(name) is None:
        names = did_you_mean(name.lower(), shipped())
        raise click.UsageError(f'"{given}" is no number of the list, ruleset or file{names}')
    rules, problems = load_ruleset(name)
    if rules is None:
        raise click.UsageError(str(problems[0]))
    return name


def _rules(name: str) -> Ruleset:
    rules, _ = load_ruleset(name)
    assert rules is not None, "it was loaded before, or is shipped"
    return rules
