"""Random games on the frontier and on the face-by-face twin: they must agree about everything."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit import setup_of
from strategies import rulesets
from twin import Board, Round, Way

from sniffcli.game.actions import Catch, Claim, Draw, Finish, Pass, Play
from sniffcli.game.deal import deal
from sniffcli.game.legal import draw_refusal, legal_plays, pass_refusal
from sniffcli.game.match import Match, after_round, begin, new_match, winners
from sniffcli.game.plays import named
from sniffcli.game.state import Setup, State
from sniffcli.game.turn import apply, verify
from sniffcli.ruleset.library import shipped
from sniffcli.ruleset.loading import load_ruleset
from sniffcli.ruleset.model import Ruleset
from sniffcli.table.counting import count, worth
from sniffcli.table.frontier import open_ends
from sniffcli.table.layout import Move

#: No random match of a shipped ruleset is nearly as long.
MOST_ROUNDS = 2000


def shipped_rules(name: str) -> Ruleset:
    rules, problems = load_ruleset(name)
    assert rules is not None, problems
    return rules


def matches(rules: Ruleset) -> Iterator[Match]:
    """A match at every legal number of players, with partners where that is possible."""
    for players in rules.legal_players():
        for teams in (False, True):
            if teams and not rules.teams_possible(players):
                continue
            if not teams and rules.teams_required(players):
                continue
            yield new_match(setup_of(rules, players, teams=teams))


def twin_of(state: State) -> Round:
    """The same round, not yet begun, on the twin."""
    setup = state.setup
    return Round(
        setup.rules,
        [list(hand.tiles) for hand in state.hands],
        list(state.boneyard.known),
        state.turn,
        Board(setup.rules, setup.seats),
        state.must_lead,
        found=state.origin.found,
        sides=setup.sides,
    )


def way_of(move: Move) -> Way:
    if move.spot is None:
        return None, "", move.outward
    return move.spot.nth, move.spot.face, move.outward


def compare(state: State, other: Round, plays: tuple[Move, ...]) -> None:
    """Assert that both sides see the same plays, each leading to the same table."""
    options = {(tile, way): board for tile, way, board in other.options()}
    marks = {key: board.signature() for key, board in options.items()}
    mine = [(move.tile, way_of(move)) for move in plays]
    assert all(one in options for one in mine)
    # Every different table is reached, and none twice.
    reached = [(tile, marks[tile, way]) for tile, way in mine]
    assert len(set(reached)) == len(reached)
    assert set(reached) == {(tile, marks[tile, way]) for tile, way in options}
    for move, key in zip(plays, mine, strict=True):
        after = options[key]
        assert list(open_ends(state.rules, move.frontier)) == after.ends()
        assert count(state.rules, move.frontier) == after.total()
        assert worth(state.rules, move.frontier) == after.worth()
    assert (draw_refusal(state) is None) == other.may_draw()
    assert (pass_refusal(state) is None) == other.may_pass()


def play_both(match: Match, rng: random.Random, compared: float = 1.0) -> State:
    """Play one random round on both; return the end of it.

    What every play would lead to is compared at that share of the turns, what was done at each.
    """
    state = begin(match, deal(match.setup, rng, match.previous), rng)
    other = twin_of(state)
    while not other.over:
        assert state.result is None
        assert state.closing is None
        plays = legal_plays(state)
        if rng.random() < compared:
            compare(state, other, plays)
        choices: list[Move | str] = list(plays)
        if other.may_draw():
            choices.append("draw")
        if other.may_pass() and (not choices or rng.random() < 0.2):
            choices.append("pass")
        assert choices
        chosen = choices[int(rng.random() * len(choices))]
        seat = state.turn
        if chosen == "draw":
            state, event = apply(state, Draw(seat=seat))
            other = other.do("draw")
        elif chosen == "pass":
            state, event = apply(state, Pass(seat=seat))
            other = other.do("pass")
        else:
            assert isinstance(chosen, Move)
            said: Play = named(seat, state.setup, state.layout, state.frontier, chosen)
            state, event = apply(state, said)
            other = other.do("play", (chosen.tile, way_of(chosen)))
        if state.result is not None and state.result.how == "target":
            return state
        assert list(event.ends) == other.board.ends()
        assert event.sum == (other.board.total() if other.board.pieces else None)
        assert event.hand_sizes == tuple(map(len, other.hands))
        assert other.over or state.turn == other.turn
        state = announce(state, rng)
        if state.result is not None and state.result.how == "target":
            return state
    assert state.over or state.closing is not None
    return state


def announce(state: State, rng: random.Random) -> State:
    """Let the owner of points claim them as a rule, or a rival take them."""
    for pending in state.pending:
        if rng.random() < 0.8:
            claim = Claim(seat=pending.seat)
            return apply(state, claim)[0] if verify(state, claim) is None else state
        catch = Catch(seat=(pending.seat + 1) % state.setup.seats, target=pending.seat)
        return apply(state, catch)[0] if verify(state, catch) is None else state
    return state


def late_scores(setup: Setup, rng: random.Random) -> list[int]:
    """Scores below the target; of one side only where a round won costs the others theirs."""
    target = setup.target or 1
    scores = [int(target * (0.6 + 0.4 * rng.random())) for _ in range(setup.side_count)]
    if setup.rules.match.loser_resets:
        kept = int(rng.random() * len(scores))
        scores = [score * (side == kept) for side, score in enumerate(scores)]
    return scores


def play_match(match: Match, rng: random.Random, compared: float) -> Match:
    """Play random rounds until somebody has won the match."""
    while winners(match) is None:
        assert len(match.results) < MOST_ROUNDS
        state = play_both(match, rng, compared)
        if state.closing is not None:
            state, _ = apply(state, Finish(seat=0))
        match = after_round(match, state)
    return match


@pytest.mark.parametrize("name", shipped())
def test_random_rounds_agree(name: str) -> None:
    every = list(matches(shipped_rules(name)))
    rng = random.Random(f"twin {name}")
    for number in range(30):
        play_both(every[number % len(every)], rng)


@pytest.mark.parametrize("name", shipped())
@pytest.mark.parametrize(
    ("whole", "late"), [(30, 0), pytest.param(300, 1700, marks=pytest.mark.soak)]
)
def test_random_matches_agree_to_their_end(
    name: str, whole: int, late: int, record_property: Callable[[str, object], None]
) -> None:
    """In turn at every number of players, with partners too; `SEED` gives other matches.

    WHOLE of them begin at nought, LATE at a random standing in the last two fifths.
    """
    every = list(matches(shipped_rules(name)))
    rng = random.Random(os.environ.get("SEED", f"match {name}"))
    rounds = 0
    for one in range(whole + late):
        match = every[one % len(every)]
        if one >= whole:
            match = new_match(match.setup, late_scores(match.setup, rng))
        ended = play_match(match, rng, compared=0.02)
        rounds += len(ended.results)
    record_property("rounds", rounds)


@settings(max_examples=int(os.environ.get("EXAMPLES", "60")), deadline=None)
@given(rulesets(), st.integers(0, 2**32), st.data())
def test_random_rulesets_agree(rules: Ruleset, seed: int, data: st.DataObject) -> None:
    """Any mixture of switches that the loader accepts plays alike on both."""
    every = list(matches(rules))
    match = every[data.draw(st.integers(0, len(every) - 1))]
    rng = random.Random(seed)
    try:
        play_both(match, rng)
    except ValueError as error:
        # Such a ruleset cannot be dealt, and says so.
        if "no deal satisfies" not in str(error):
            raise
