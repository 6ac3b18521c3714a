"""The proof of a deal: commitment, seed and salt, checked against hands, draws and the lot."""

from __future__ import annotations

import hashlib
import random
from dataclasses import replace

from sniffcli.files.fairness import check_deal, commitment, round_random
from sniffcli.files.recording import round_record, with_round
from sniffcli.files.records import GameRecord
from sniffcli.files.replay import play_out
from sniffcli.game.actions import Draw
from sniffcli.game.match import after_round, deal_round, new_match, sides_of
from sniffcli.game.state import Boneyard, Hand
from sniffcli.game.turn import apply
from sniffcli.ruleset.loading import load_ruleset
from sniffcli.tiles import Tile
from sniffcli.yamlio import Mark

from .helpers import random_action

SEED, SALT = 20240501, "a pinch"


def fair_game() -> GameRecord:
    """Return two rounds dealt from the seed, played at random, with their proof."""
    rules, _ = load_ruleset("all-fives")
    assert rules is not None
    made = GameRecord(
        "game.yaml",
        rules,
        ("Ann", "Bob", "Cy"),
        sides_of(3, teams=False),
        ruleset="all-fives",
        seed=SEED,
        salt=SALT,
        commitment=commitment(SEED, SALT),
        marks={"commitment": Mark(1, 1), "seed": Mark(2, 1)},
    )
    match = new_match(made.setup)
    choose = random.Random(1)
    for number in (1, 2):
        state, dealt = deal_round(match, round_random(SEED, number))
        while not state.over:
            state, _ = apply(state, random_action(state, choose))
        made = with_round(made, round_record(state, redeals=dealt.redeals))
        match = after_round(match, state)
    return made


def messages(record: GameRecord) -> list[str]:
    return [problem.message for problem in check_deal(play_out(record))]


def test_the_commitment_is_the_hash_of_seed_and_salt() -> None:
    assert commitment(7, "salt") == hashlib.sha256(b"7:salt").hexdigest()


def test_a_fair_game_is_proved() -> None:
    assert messages(fair_game()) == []


def test_without_the_order_of_the_boneyard_the_draws_are_checked() -> None:
    game = fair_game()
    bare = replace(game, rounds=tuple(replace(one, boneyard=None) for one in game.rounds))

    assert messages(bare) == []

    first = bare.rounds[0]
    draws = [k for k, one in enumerate(first.plays) if isinstance(one.action, Draw)]
    assert draws, "the random game of this test draws"


def test_another_seed_or_salt_is_found() -> None:
    game = fair_game()

    assert "another deal was promised" in messages(replace(game, salt="pepper"))[0]
    other = messages(replace(game, seed=SEED + 1, commitment=commitment(SEED + 1, SALT)))
    assert any("deals Ann other tiles" in message for message in other)
    assert any("another boneyard" in message for message in other)


def test_another_order_of_the_boneyard_is_found() -> None:
    game = fair_game()
    first = game.rounds[0]
    assert first.boneyard is not None
    turned = replace(first, boneyard=tuple(reversed(first.boneyard)), plays=())

    assert messages(replace(game, rounds=(turned,))) == [
        "the seed deals another boneyard or another order of it"
    ]


def test_hidden_hands_cannot_be_proved() -> None:
    game = fair_game()
    hidden = replace(game.rounds[0], hands=(None, *game.rounds[0].hands[1:]), plays=())

    assert messages(replace(game, rounds=(hidden,)))[0].startswith("the hand of Ann is hidden")


def test_what_a_proof_needs_is_named() -> None:
    assert "missing here: salt" in messages(replace(fair_game(), salt=None))[0]
    bare = replace(fair_game(), salt=None, seed=None, commitment=None)
    assert "missing here: commitment, seed, salt" in messages(bare)[0]


def test_rounds_are_dealt_apart_from_each_other() -> None:
    first, second = round_random(5, 1), round_random(5, 2)

    assert first.random() == random.Random(5).random()
    assert second.random() == random.Random("5/2").random()


def test_a_drawn_tile_out_of_order_is_found() -> None:
    game = fair_game()
    one = replace(game.rounds[0], boneyard=None)
    number = next(k for k, entry in enumerate(one.plays) if isinstance(entry.action, Draw))
    drawn = one.plays[number].action
    assert isinstance(drawn, Draw)
    start = play_out(game).rounds[0].start
    assert start is not None
    assert isinstance(start.boneyard, Boneyard)
    wrong: Tile = start.boneyard.known[-1]
    entry = replace(one.plays[number], action=replace(drawn, tile=wrong))
    plays = (*one.plays[:number], entry)

    assert "by the seed, not" in messages(replace(game, rounds=(replace(one, plays=plays),)))[0]


def test_the_lot_falls_by_the_seed_too() -> None:
    game = fair_game()
    first = game.rounds[0]
    assert first.leader is not None
    other = replace(first, leader=(first.leader + 1) % 3, plays=())

    assert messages(replace(game, rounds=(other,))) == [
        f"the lot of this seed falls on {game.players[first.leader]}"
    ]


def test_a_position_has_no_deal() -> None:
    game = fair_game()
    hands = tuple(Hand((), 1) for _ in game.players)
    position = replace(game.rounds[0], hands=hands, layout=(), plays=(), boneyard=None)

    assert "has no deal to check" in messages(replace(game, rounds=(position,)))[0]
    assert "no round to check" in messages(replace(game, rounds=()))[0]
