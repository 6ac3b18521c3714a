"""The short menu of `sniff play` without options: which game, against whom."""

from __future__ import annotations

from typing import Any

import click

from sniffcli.ruleset.library import shipped
from sniffcli.ruleset.loading import load_ruleset
from sniffcli.ruleset.model import Ruleset
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


def ask() -> dict[str, Any]:
    """Ask for a game and opponents; return them as options of the command."""
    click.echo("Which game?")
    for number, name in enumerate(OFFERED, 1):
        rules = _rules(name)
        click.echo(f"  {number:2}  {rules.title}")
    click.echo("   or the name of any other ruleset (`sniff ruleset list` shows them)")
    name = click.prompt("Game", default="1", value_proc=_game)
    rules = _rules(name)
    least = max(1, rules.players.min - 1)
    most = rules.players.max - 1
    bots = least
    if most > least:
        bots = click.prompt("How many opponents", type=click.IntRange(least, most), default=least)
    elif least > 1:
        click.echo(f"{least + 1} players; the program plays the others, your partner too.")
    level = click.prompt("Their strength", type=click.Choice(LEVELS), default="casual")
    return {"rules": name, "players": bots + 1, "bots": (level,)}


def _game(given: str) -> str:
    text = given.strip().lower()
    if text.isdecimal() and 1 <= int(text) <= len(OFFERED):
        return OFFERED[int(text) - 1]
    if text in shipped():
        return text
    raise click.BadParameter(f"{given!r} is neither a number of the list nor a ruleset")


def _rules(name: str) -> Ruleset:
    rules, _ = load_ruleset(name)
    assert rules is not None, "shipped rulesets are without errors"
    return rules
