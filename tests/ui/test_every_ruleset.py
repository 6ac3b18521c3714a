"""Every shipped ruleset can be played at the table: what is offered is accepted and saved."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from ui.tables import rules_of

from sniffcli.files.games import read_game
from sniffcli.files.replay import play_out
from sniffcli.ruleset.library import shipped
from sniffcli.ui import screens
from sniffcli.ui.clock import ScriptClock
from sniffcli.ui.seating import Wish, opened, seated
from sniffcli.ui.session import Options, Session
from sniffcli.ui.store import save_text
from sniffcli.ui.verbs import completions

ACTING = ("draw", "pass", "claim", "finish", "next", "catch", "keelhaul")


@pytest.mark.parametrize("hidden", [False, True], ids=["counter", "hidden"])
@pytest.mark.parametrize("name", shipped())
def test_a_table_goes_on_until_the_match_is_over(name: str, hidden: bool) -> None:
    rules = rules_of(name)
    people, levels = seated(rules, people=("Ann",), levels=("greedy",), players=rules.players.min)
    game, sitting = opened(Wish(rules, name, {}, people, levels, seed=3), ScriptClock())
    session = Session(game, Options(counter=not hidden))
    rng = random.Random(name)
    for _ in range(60):
        session.tick()
        screens.turn_page(session, session.viewer)
        if game.winners is not None:
            break
        if game.settled:
            assert session.execute("next").ok
            continue
        offered = [
            line for line in completions(session) if line[0].isdigit() or line.split()[0] in ACTING
        ]
        assert offered, "a person is always offered something"
        line = rng.choice(offered).replace("claim N", f"claim {rng.choice([3, 5, 10])}")
        reply = session.execute(line)
        # A number that was only guessed may be refused, and what is caught where nothing tells of
        # it; everything else is legal.
        guessed = ("claim", "catch") if hidden else ("claim",)
        assert reply.ok or line.startswith(guessed), (line, reply.error)
    record, problems = read_game(save_text(game, sitting, Path("game.yaml")), "game.yaml")
    assert record is not None, problems
    assert not problems, problems
    assert play_out(record).ok
