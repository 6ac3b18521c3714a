"""Bots: they act legally, see only their view, and do in a game what their policy does flat."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from engine.rounds import dealt, label, setups
from kit import play, ruleset

from sniffcli.engine.bots import LEVELS, NAMES, bot
from sniffcli.engine.choices import choices, seen
from sniffcli.engine.contest import Contest, act, play_deal
from sniffcli.engine.spec import spec_of
from sniffcli.game.actions import Draw, Pass, Play
from sniffcli.game.match import new_match, start_round
from sniffcli.game.state import Boneyard, Hand, Setup, State
from sniffcli.game.turn import verify
from sniffcli.game.view import view_of
from sniffcli.tiles import Tile, parse_tile

TWO = [setup for setup in setups() if setup.seats == min(setup.rules.legal_players())]


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SNIFF_CACHE_DIR", str(tmp_path))


def tiles(text: str) -> tuple[Tile, ...]:
    return tuple(parse_tile(one) for one in text.split())


def table(
    base: str, settings: dict[str, object], hands: list[str], yard: str, *plays: str
) -> State:
    setup = Setup(ruleset(base, settings), ("Ann", "Bob"), (0, 1))
    held = [Hand(tiles(hand)) for hand in hands]
    state = start_round(new_match(setup), held, Boneyard(tiles(yard)), 0)
    for number, text in enumerate(plays):
        state = act(state, play(text, seat=number % 2), [0, 0])
    return state


def test_an_unknown_bot_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(LookupError, match=r"no bot is called .clever.; there are random, "):
        bot("clever")
    assert set(LEVELS) < set(NAMES)


@pytest.mark.parametrize("name", ["random", "greedy", "greedy-blind", "skilled"])
@pytest.mark.parametrize("setup", TWO, ids=label)
def test_policy_bots_play_a_round_of_every_ruleset(setup: Setup, name: str) -> None:
    rng = random.Random(f"{name}:{label(setup)}")
    state, actions = dealt(setup, rng), 0
    while not state.over:
        action = bot(name)(view_of(state, state.turn), rng)
        assert verify(state, action) is None
        state = act(state, action, [0] * setup.side_count)
        actions += 1
        assert actions < 500


@pytest.mark.parametrize("base", ["all-fives", "dreamtime-sniff", "fives-and-threes", "block"])
@pytest.mark.parametrize("name", ["casual", "strong", "expert"])
def test_thinkers_answer_legally_and_the_same_for_the_same_numbers(base: str, name: str) -> None:
    setup = Setup(ruleset(base), ("Ann", "Bob"), (0, 1))
    rng = random.Random(base)
    state = dealt(setup, rng)
    for _ in range(5):
        if state.over:
            break
        view = view_of(state, state.turn)
        action = bot(name)(view, random.Random(3))
        assert verify(state, action) is None
        assert action == bot(name)(view, random.Random(3))
        state = act(state, action, [0, 0])


@pytest.mark.parametrize("name", NAMES)
def test_hidden_tiles_make_no_difference(name: str) -> None:
    """The same view with the hidden tiles dealt anew gets the same answer (case C65)."""
    setup = Setup(ruleset("all-fives", {"deal.hand": {2: 7}}), ("Ann", "Bob"), (0, 1))
    for number in range(3):
        state = dealt(setup, random.Random(number))
        me, you = state.turn, 1 - state.turn
        hidden = [*state.hands[you].tiles, *state.boneyard.known]
        random.Random(number + 50).shuffle(hidden)
        hands = [Hand(), Hand()]
        hands[me], hands[you] = state.hands[me], Hand(tuple(hidden[:7]))
        boneyard = Boneyard(tuple(hidden[7:]))
        origin = state.origin._replace(hands=tuple(hands), boneyard=boneyard)
        other = state._replace(hands=tuple(hands), boneyard=boneyard, origin=origin)
        answers = [bot(name)(view_of(one, me), random.Random(number)) for one in (state, other)]
        assert answers[0] == answers[1]


def test_greedy_takes_the_most_points_then_the_heaviest_tile() -> None:
    # After 5-5 (10 points) a 5-0 makes 10 and 0 (10 points), a 5-1 makes 11.
    state = table("all-fives", {}, ["5-5 6-6", "5-0 5-1"], "", "5-5")
    action = bot("greedy")(view_of(state, 1), random.Random(0))
    assert isinstance(action, Play)
    assert action.tile == parse_tile("5-0")
    # Neither 5-1 (sum 11) nor 5-3 (sum 13) scores: the heavier one goes.
    state = table("all-fives", {}, ["5-5 6-6", "5-1 5-3"], "", "5-5")
    action = bot("greedy")(view_of(state, 1), random.Random(0))
    assert isinstance(action, Play)
    assert action.tile == parse_tile("5-3")


def test_only_the_blind_one_overshoots_an_exact_target() -> None:
    """At 60 of exactly 61 a play worth 2 is void; one worth 1 wins the match."""
    setup = Setup(ruleset("fives-and-threes", {"deal.hand": {2: 9}}), ("Ann", "Bob"), (0, 1))
    held = [Hand(tiles("5-0 6-3 4-1")), Hand(tiles("2-2"))]
    state = start_round(new_match(setup, (60, 0)), held, Boneyard(tiles("")), 0)
    # Led alone: 5-0 is 5 (1 point), 6-3 is 9 (3 points), 4-1 is 5 (1 point, and as heavy as 5-0).
    blind = bot("greedy-blind")(view_of(state, 0), random.Random(0))
    aware = bot("greedy")(view_of(state, 0), random.Random(0))
    assert isinstance(blind, Play)
    assert isinstance(aware, Play)
    assert blind.tile == parse_tile("6-3")
    assert aware.tile in tiles("5-0 4-1")
    made = [0, 0]
    done = act(state, aware, made)
    assert done.scores[0] == 61
    assert made == [1, 0]


@pytest.mark.parametrize("name", ["strong", "expert"])
def test_thinkers_keep_the_tile_that_costs_the_round(name: str) -> None:
    """Double-two, three tiles each and none left, so that Bob knows Ann's 2-2 and 1-1.

    Worked by hand, Ann having led 1-0: 2-1 or 2-0 now wins 2 pips against any defence; 0-0 now
    loses at least 2, because Ann lays 1-1 and then goes out with 2-2 whatever Bob does.
    """
    settings = {
        "set.max_pip": 2,
        "deal.hand": {2: 3},
        "players.max": 2,
        "players.teams": "none",
        "open.first_leader": "host",
        "open.tile": "any",
        "open.if_none": None,
    }
    state = table("block", settings, ["1-0 2-2 1-1", "2-1 2-0 0-0"], "", "1-0")
    action = bot(name)(view_of(state, 1), random.Random(1))
    assert isinstance(action, Play)
    assert action.tile in tiles("2-1 2-0")


def test_choices_are_the_legal_actions_with_their_tables() -> None:
    state = table("all-fives", {}, ["5-5 6-6", "5-0 6-1"], "3-1 2-1", "5-5")
    found = choices(view_of(state, 1))
    assert [type(one.action) for one in found] == [Play]
    assert found[0].first.tile == parse_tile("5-0").number
    after = spec_of(state.setup).table.frontier(found[0].first.after)
    assert after == act(state, found[0].action, [0, 0]).frontier
    unable = table("all-fives", {}, ["5-5 6-6", "4-0 6-1"], "3-1 2-1", "5-5")
    assert [one.action for one in choices(view_of(unable, 1))] == [Draw(seat=1)]
    stuck = table("block", {"deal.hand": {2: 7}}, ["5-5 5-1", "4-0 6-1"], "3-1", "5-5")
    assert [one.action for one in choices(view_of(stuck, 1))] == [Pass(seat=1)]
    assert seen(view_of(stuck, 1)).hands[0] == Hand((), 1)


@pytest.mark.parametrize(
    ("base", "settings"),
    [
        ("all-fives", {"deal.hand": {2: 7}, "match.target": 100}),
        ("fives-and-threes", {"deal.hand": {2: 9}}),
        ("dreamtime-sniff", {"match.target": 60}),
        ("muggins", {}),
    ],
)
def test_flat_games_are_those_of_the_game_core(
    base: str, settings: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Deterministic bots make the same points on flat positions and in the fold of `apply`."""
    setup = Setup(ruleset(base, settings), ("Ann", "Bob"), (0, 1))
    contest = Contest(setup, ("skilled", "greedy-blind"), 5, matches=True)
    assert contest.flat
    flat = [play_deal(contest, deal) for deal in range(2)]
    monkeypatch.setattr(Contest, "flat", False)
    assert [play_deal(contest, deal) for deal in range(2)] == flat
