"""Whether a record can be true: the flow against the counting table, and contradictions by name."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from sniffcli.engine.counting import Table
from sniffcli.engine.evidence import Batch, Evidence, Void, gather
from sniffcli.engine.possible import possible
from sniffcli.engine.worlds import contradiction
from sniffcli.files.games import read_game
from sniffcli.files.replay import play_out
from sniffcli.game.actions import Draw, Pass
from sniffcli.game.deal import deal, leader_among_known
from sniffcli.game.legal import draw_refusal, legal_plays, pass_refusal
from sniffcli.game.match import begin, new_match, start_round
from sniffcli.game.plays import named
from sniffcli.game.state import Boneyard, Hand, Setup, State
from sniffcli.game.turn import apply
from sniffcli.game.view import view_of

from .rounds import label, setups
from .small_games import positions, setup_of
from .test_worlds import GAMES

Game = tuple[str, str, dict[str, Any], int]


def doctored(evidence: Evidence, rng: random.Random) -> Evidence:
    """Add voids and narrow batches at random, until it may well contradict itself."""
    tiles = [one.number for one in evidence.setup.tiles]

    def some(share: float) -> int:
        return sum(1 << number for number in tiles if rng.random() < share)

    last = max((n for _, n in evidence.played.values()), default=1) + 2
    voids = [
        Void(rng.randint(1, last), seat, some(0.4))
        for seat in evidence.others
        for _ in range(rng.randint(0, 2))
    ]
    batches: list[Batch] = [
        batch._replace(only=some(0.6)) if rng.random() < 0.2 else batch
        for batch in evidence.batches
    ]
    most = rng.choice([evidence.most_doubles, 0, 1])
    return replace(
        evidence,
        voids=(*evidence.voids, *voids),
        batches=tuple(batches),
        most_doubles=most,
    )


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game[0]))
def test_a_deal_is_possible_where_the_table_counts_one(game: Game) -> None:
    _, parent, settings, players = game
    rng = random.Random(4)
    answers = []
    setup = setup_of(parent, settings, players)
    for state in positions(setup, rng) + positions(setup, rng):
        genuine = gather(view_of(state, state.turn))
        assert possible(genuine), "what was played has been dealt"
        for _ in range(8):
            evidence = doctored(genuine, rng)
            counted = sum(Table(evidence, way).deals for way in evidence.alternatives)
            assert possible(evidence) == (counted > 0), evidence
            answers.append(counted > 0)
    assert len(set(answers)) == 2, "both answers occur"


def told(text: str) -> str:
    """Return what cannot be true in the last round of a record, or nothing."""
    record, problems = read_game(f"sniff: 1\n{text}", "t.yaml")
    assert record is not None, problems
    assert not problems
    end = play_out(record).rounds[-1].end
    assert end is not None
    clash = contradiction(end)
    return "" if clash is None else clash.message


LED = """ruleset: muggins
players: [Ann, Bob]
rounds:
  - leader: Ann
    hands: {Ann: [5-5, 4-4, 6-5, 5-0, 3-2, 1-0, 6-2]}
    plays: [Ann: 5-5, Bob: 5-1, Ann: 6-5"""

ONLOOKER = """ruleset: block
players: [Ann, Bob]
rounds:
  - leader: Ann
    plays: [Ann: 6-6, Bob: 6-5, """

DREW = """ruleset: all-fives
overrides: {deal: {hand: {2: 7}}}
players: [Ann, Bob]
rounds:
  - leader: Ann
    plays: [Ann: 6-6, Bob: draw 5-5, """


@pytest.mark.parametrize(
    ("text", "message"),
    [
        # A tile drawn that is named: it is in that hand, and was the one to lay if it fitted.
        (f"{DREW}Bob: draw 6-1, Bob: 6-1 on 6-6, Ann: 6-5 on 6-6, Bob: 5-5]", ""),
        (
            f"{DREW}Bob: 6-1 on 6-6]",
            "Bob drew with 6 open (event 2), yet Bob laid 6-1 on 6-6 (event 3): "
            "both cannot be true",
        ),
        (f"{LED}]", ""),
        (f"{LED}, Bob: 6-3]", ""),
        (
            f"{LED}, Bob: 6-6]",
            "Bob laid 6-6 on 6-5 (event 4), yet that Ann led means that nobody was dealt 6-6",
        ),
        (
            f"{LED.replace('leader: Ann', 'leader: Bob').split('plays')[0]}plays: [Bob: 3-3]",
            "Bob laid 3-3 (event 1): no hands can have been dealt that allow it",
        ),
        # Drawn is not dealt.
        (f"{LED}, Bob: draw, Bob: 6-6]", ""),
        (f"{ONLOOKER}Ann: pass, Bob: 5-1]", ""),
        (
            f"{ONLOOKER}Ann: pass, Bob: 5-1, Ann: 6-2]",
            "Ann passed with 5, 6 open (event 3), yet Ann laid 6-2 on 6-6 (event 5): "
            "both cannot be true",
        ),
    ],
)
def test_what_cannot_be_true_is_named(text: str, message: str) -> None:
    assert told(text) == message


# Where passing while able has a price, a hidden hand does not tell a pass from a knock.
TOLD = [setup for setup in setups() if not setup.rules.pass_.penalty]


@pytest.mark.parametrize("setup", TOLD, ids=label)
def test_no_round_that_was_played_is_doubted(setup: Setup) -> None:
    """Every ruleset and house rule, written down with all hands hidden, or all but the leader's."""
    rng = random.Random(8)
    real = begin(new_match(setup), deal(setup, rng), rng)
    for known in ((), (real.leader,)):
        state, hidden = real, with_hidden(real, known)
        while not state.over and state.closing is None:
            options = [
                named(state.turn, setup, state.layout, state.frontier, move)
                for move in legal_plays(state)
            ]
            options += [Draw(seat=state.turn)] if draw_refusal(state) is None else []
            options += [Pass(seat=state.turn)] if pass_refusal(state) is None else []
            action = rng.choice(options)
            seen = state.turn in known
            state, event = apply(state, action)
            if isinstance(action, Draw) and seen:
                action = replace(action, tile=event.tile)
            hidden, _ = apply(hidden, action)
        assert contradiction(hidden) is None


def with_hidden(state: State, known: tuple[int, ...]) -> State:
    """Return the start of a round with all hands hidden but those of KNOWN seats."""
    setup = state.setup
    hands = tuple(
        hand if seat in known else Hand((), hand.size) for seat, hand in enumerate(state.hands)
    )
    choice = leader_among_known(setup, hands, None, state.leader)
    assert choice.seat == state.leader
    boneyard = Boneyard((), state.boneyard.size)
    return start_round(new_match(setup), hands, boneyard, state.leader, must_lead=choice.must_lead)
