"""Games to text and back: a fixpoint for random games of every ruleset, at any point of them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sniffcli.files.games import read_game
from sniffcli.files.notation import name_problem
from sniffcli.files.recording import game_text, layout_plays, round_record
from sniffcli.files.records import Entry, GameRecord, RoundRecord
from sniffcli.files.replay import play_out
from sniffcli.game.actions import Catch, Refusal
from sniffcli.game.plays import resolve
from sniffcli.game.state import Hand, State
from sniffcli.ruleset.library import scenarios_dir, shipped
from sniffcli.ruleset.loading import load_ruleset
from sniffcli.ruleset.model import Ruleset
from sniffcli.table.frontier import EMPTY
from sniffcli.table.layout import EMPTY_LAYOUT
from sniffcli.yamlio.nodes import UNSEEN

from .helpers import FILE, random_game, record, replay


@cache
def rules_of(name: str) -> Ruleset:
    rules, problems = load_ruleset(name)
    assert rules is not None, problems
    return rules


def essence(state: State) -> dict[str, Any]:
    """Return what a state is, but for names of alike faces of a double."""
    return {
        "scores": state.scores,
        "hands": tuple(sorted(hand.tiles) for hand in state.hands),
        "boneyard": state.boneyard,
        "tiles": state.layout.tiles,
        "frontier": state.frontier,
        "turn": (state.leader, state.turn, state.drawn, state.last_drawn, state.passes),
        "extra": state.extra,
        "pending": state.pending,
        "time": (state.now, state.laid_at, state.submerged),
        "entered": (state.entered, state.unlocked, state.tings),
        "end": (state.closing, state.result),
        "texts": tuple(event.text for event in state.events),
        "points": tuple(event.points for event in state.events),
    }


@given(st.data())
def test_random_games_read_back_and_resume_where_they_were(data: st.DataObject) -> None:
    # Case C83: save anywhere (in mid-draw, after a pass, with an unclaimed score) and load.
    rules = rules_of(data.draw(st.sampled_from(shipped())))
    players = data.draw(st.sampled_from(list(rules.legal_players())))
    stop = data.draw(st.one_of(st.none(), st.integers(0, 40)))
    seed = data.draw(st.integers(0, 2**32))

    made, states = random_game(rules, players, seed, stop=stop)
    text = game_text(made)
    read, problems = read_game(text, FILE)

    assert problems == []
    assert read is not None
    assert read.rounds == made.rounds
    assert game_text(read) == text
    played = play_out(read)
    assert played.problems == ()
    for one, state in zip(played.rounds, states, strict=True):
        assert one.end is not None
        assert essence(one.end) == essence(state)
        assert round_record(one.end) == round_record(state)


@given(st.data())
def test_a_game_in_the_middle_becomes_a_position(data: st.DataObject) -> None:
    rules = rules_of(data.draw(st.sampled_from(shipped())))
    players = rules.players.min
    seed = data.draw(st.integers(0, 2**32))
    made, states = random_game(rules, players, seed, rounds=1, stop=data.draw(st.integers(1, 30)))
    state = states[-1]
    if state.frontier.is_empty:
        return

    plays = layout_plays(made.setup, state.layout)

    layout, frontier = EMPTY_LAYOUT, EMPTY
    for play in plays:
        move = resolve(made.setup, layout, frontier, play)
        assert not isinstance(move, Refusal)
        layout, frontier = layout.with_move(rules, move), move.frontier
    assert frontier == state.frontier
    assert layout.tiles == state.layout.tiles


def test_every_field_is_written() -> None:
    text = """\
sniff: 1
ruleset: all-fives
overrides:
  deal:
    hand:
      4: 2
players: [Ann, "No", "007", Cy Young]
teams:
  - [Ann, "007"]
  - ["No", Cy Young]
seats:
  "No":
    bot: strong
date: "2024-05-01"
place: "Here: there"
notes: |
  Two
  lines.
scores:
  Ann: 5
  "No": 10
  "007": 5
  Cy Young: 10
seed: 7
commitment: "{digits}"
salt: pepper
tolerate: [misjoin]
rounds:
  - hands:
      Ann: 2
      "No": [5-0, 0-0]
      "007": 2
      Cy Young: 2
    boneyard: [6-6]
    layout: [5-5, 5-2 on 5-5]
    leader: "No"
    passes: 1
    redeals: 2
    plays:
      - "No": [5-0 on 5-5, 5-0 on 5-5 after 1.5 s]
      - "007": catch Cy Young after 7 s
    written:
      Ann: 5
    bonus:
      Ann: 10
""".replace("{digits}", "0a" * 32)

    assert game_text(record(text)) == text


def test_hidden_hands_keep_their_bonus() -> None:
    text = """\
sniff: 1
ruleset: all-fives
overrides:
  deal:
    hand:
      2: 1
players: [Ann, Bob]
rounds:
  - hands:
      Ann: [5-5]
      Bob: 1
    leader: Ann
    plays:
      - Ann: 5-5
    written:
      Ann: 15
      Bob: 0
    bonus:
      Ann: 5
      Bob: 0
"""
    played = replay(text)
    end = played.rounds[0].end
    assert end is not None

    again = replace(played.record, rounds=(round_record(end),))

    assert game_text(again) == text


def test_words_that_are_no_action_are_not_lost_silently() -> None:
    made, _ = random_game(rules_of("block"), 2, 1, rounds=1)
    broken = RoundRecord((Hand((), 7), Hand((), 7)), plays=(Entry(None),))

    with pytest.raises(ValueError, match="malformed"):
        game_text(replace(made, rounds=(broken,)))


@pytest.mark.parametrize(
    "path", sorted((scenarios_dir() / "games").glob("*.yaml")), ids=lambda path: path.stem
)
def test_shipped_games_are_written_as_the_writer_writes(path: Path) -> None:
    text = path.read_text("utf-8")

    assert game_text(record(text)) == text


def plain(text: str) -> bool:
    """Whether YAML text may hold all of it."""
    return not UNSEEN.search(text)


NAMES = st.text(min_size=1, max_size=12).filter(lambda name: plain(name) and not name_problem(name))
TEXTS = st.text(max_size=60).map(lambda text: text.replace("\r", "\n")).filter(plain)


@given(st.lists(NAMES, min_size=2, max_size=3, unique=True), TEXTS, TEXTS, TEXTS)
def test_any_names_and_remarks_read_back(
    names: list[str], notes: str, date: str, place: str
) -> None:
    rules = rules_of("dreamtime-sniff")
    catch = Entry(Catch(seat=0, target=1, after=7.25))
    one = RoundRecord((None,) * len(names), plays=(catch,), leader=1)
    made = GameRecord(
        FILE,
        rules,
        tuple(names),
        tuple(range(len(names))),
        ruleset="dreamtime-sniff",
        notes=notes or None,
        date=date.strip() or None,
        place=place.strip() or None,
        salt=place.strip() or None,
        rounds=(one,),
    )
    text = game_text(made)
    read, problems = read_game(text, FILE)

    assert problems == []
    assert read is not None
    assert (read.players, read.notes, read.date) == (made.players, made.notes, made.date)
    assert read.rounds == made.rounds
    assert game_text(read) == text
