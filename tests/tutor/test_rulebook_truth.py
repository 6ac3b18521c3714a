"""What the rulebook says is what the engine does: random rounds of every ruleset, watched.

Each watcher belongs to one sentence of the English book, and looks on wherever the book says it.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from kit import NAMES, ruleset

from sniffcli.game.actions import Action, Claim, Draw, Finish, Pass
from sniffcli.game.legal import legal_plays, tile_moves
from sniffcli.game.match import after_round, deal_round, new_match, sides_of
from sniffcli.game.plays import named
from sniffcli.game.state import Setup, State
from sniffcli.game.turn import apply, verify
from sniffcli.ruleset.library import shipped
from sniffcli.ruleset.model import Ruleset
from sniffcli.tutor.rulebook.book import parts
from sniffcli.tutor.rulebook.pages import Pairs
from sniffcli.tutor.rulebook.scope import Scope
from sniffcli.tutor.rulebook.words import Words

Watcher = Callable[[State], bool]


def may(state: State, action: Action) -> bool:
    return verify(state, action) is None


def can_play(state: State) -> bool:
    return bool(legal_plays(state))


def may_draw(state: State) -> bool:
    return may(state, Draw(seat=state.turn))


def may_pass(state: State) -> bool:
    return may(state, Pass(seat=state.turn))


def laid(state: State) -> bool:
    """Whether a tile lies on the table, so that turns are taken as usual."""
    return bool(state.laid)


def dealt_doubles(state: State) -> list[tuple[int, int]]:
    """The doubles that were dealt, with their seats."""
    return sorted(
        (tile.high, seat)
        for seat, hand in enumerate(state.origin.hands)
        for tile in hand.tiles
        if tile.is_double
    )


def drawn_fits(state: State) -> bool:
    tile = state.last_drawn
    return tile is not None and laid(state) and bool(tile_moves(state, tile))


#: What must hold in every position of a game whose book has the sentence.
SENTENCES: dict[str, Watcher] = {
    "Nothing is drawn.": lambda state: not may_draw(state),
    "A player who can play must play; one who cannot must draw.": lambda state: (
        not laid(state)
        or state.extra
        or (not (can_play(state) and may_draw(state)) and not (may_draw(state) and may_pass(state)))
    ),
    "A drawn tile that can be played must be played at once.": lambda state: (
        not drawn_fits(state)
        or (
            ({move.tile for move in legal_plays(state)} == {state.last_drawn})
            and not may_draw(state)
            and not may_pass(state)
        )
    ),
    "At most one tile is drawn in a turn.": lambda state: not laid(state) or state.drawn <= 1,
    "One tile is drawn, and that is the turn, whether the tile fits or not.": lambda state: (
        not laid(state) or state.drawn == 0
    ),
    "A player who can play may not pass.": lambda state: (
        not laid(state)
        or state.extra
        or state.rules.draw.when == "unable_without_wild"
        or not (can_play(state) and may_pass(state))
    ),
    "A player who cannot play passes.": lambda state: (
        not laid(state) or can_play(state) or may_pass(state)
    ),
    "The extra turn may be declined by passing; nothing is drawn in it.": lambda state: (
        not state.extra or (may_pass(state) and not may_draw(state))
    ),
    "Every round is led by the player who was dealt the highest double.": lambda state: (
        not dealt_doubles(state) or state.leader == dealt_doubles(state)[-1][1]
    ),
    "Every round is led by the player who was dealt the lowest double.": lambda state: (
        not dealt_doubles(state) or state.leader == dealt_doubles(state)[0][1]
    ),
    "If no double at all has been dealt, the hands are thrown in and dealt again.": lambda state: (
        bool(dealt_doubles(state))
    ),
    "If nobody was dealt such a tile, the tiles are dealt again.": lambda state: bool(
        dealt_doubles(state)
    ),
    "Every round is led by the host, who is the first of the players.": lambda state: (
        state.leader == 0
    ),
    "That very tile must be led.": lambda state: (
        laid(state)
        or not state.origin.found
        or not dealt_doubles(state)
        or len(legal_plays(state)) == 1
    ),
    "The leader may lead any tile.": lambda state: (
        laid(state) or len(legal_plays(state)) == state.hands[state.turn].size
    ),
    "After a double was led, the next four tiles must go on its four faces, one on each, before"
    " anything else is played.": lambda state: (
        not 1 <= state.laid <= 4
        or not state.layout.placed[0].tile.is_double
        or all(move.spot is not None and move.spot.nth == 0 for move in legal_plays(state))
    ),
    "The table is one line with two open ends; no double branches.": lambda state: (
        not laid(state) or len(state.events[-1].ends) == 2
    ),
}


def watched(rules: Ruleset) -> tuple[list[Watcher], dict[int, int] | None]:
    """The watchers of a book, and the points that it prints for each sum."""
    scope = Scope(rules, tuple(rules.legal_players()), Words("en"), examples=False)
    every = list(parts(scope))
    said = {text for part in every for text in part.statements()}
    tables = [one for part in every for one in part.blocks if isinstance(one, Pairs)]
    sums = {int(total): int(points) for one in tables for total, points in one.pairs}
    return [SENTENCES[text] for text in SENTENCES if text in said], sums if tables else None


@pytest.mark.parametrize("name", shipped())
def test_random_rounds_keep_to_the_book(name: str) -> None:
    rules = ruleset(name)
    watchers, sums = watched(rules)
    assert watchers
    rng = random.Random(name)
    for players in rules.legal_players():
        sides = sides_of(players, teams=rules.teams_required(players))
        match = new_match(Setup(rules, NAMES[:players], sides))
        for _ in range(3):
            state, _ = deal_round(match, rng)
            while not state.over:
                for watcher in watchers:
                    assert watcher(state)
                state, event = apply(state, _choice(state, rng))
                if (
                    sums is not None
                    and event.kind == "play"
                    and rules.layout.spinner != "all_doubles"
                ):
                    assert event.worth == sums.get(event.sum or 0, 0)
            match = after_round(match, state)


def _choice(state: State, rng: random.Random) -> Action:
    """Any action that is allowed now; a claim where something can be claimed."""
    if state.pending and rng.random() < 0.5:
        claim = Claim(seat=state.pending[-1].seat)
        if may(state, claim):
            return claim
    if state.closing is not None:
        return Finish(seat=state.turn)
    setup, layout, frontier = state.setup, state.layout, state.frontier
    options: list[Action] = [
        named(state.turn, setup, layout, frontier, move) for move in legal_plays(state)
    ]
    options += [
        action for action in (Draw(seat=state.turn), Pass(seat=state.turn)) if may(state, action)
    ]
    return rng.choice(options)


def test_every_watched_sentence_is_in_some_book() -> None:
    said = set()
    for name in shipped():
        scope = Scope(
            ruleset(name), tuple(ruleset(name).legal_players()), Words("en"), examples=False
        )
        said |= {text for part in parts(scope) for text in part.statements()}
    said |= {
        text
        for part in parts(Scope(ruleset("all-fives", {"draw.limit": 1}), (2,), Words("en")))
        for text in part.statements()
    }
    assert set(SENTENCES) - said == set()
