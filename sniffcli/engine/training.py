"""Learning the weights of a policy by self-play: `sniff simulate --train` does it anew.

The cross-entropy method: weights are drawn around a mean, each plays the same deals in every
seating against the mean of the generation before, and the best of them make the next mean and
spread. What comes out is then compared with highest-score play on deals that it was not trained on.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from operator import add
from statistics import fmean, pstdev, stdev
from typing import Any, NamedTuple

from sniffcli.engine.bots import EFFORTS, always, margin, thinker
from sniffcli.engine.contest import full_round
from sniffcli.engine.datafile import text_of
from sniffcli.engine.features import FEATURES, PHASES, Phases
from sniffcli.engine.identity import round_key
from sniffcli.engine.kernel import Batch, whole_rounds
from sniffcli.engine.playout import PARTS
from sniffcli.engine.policies import VERSION, policy_of, shipped_data
from sniffcli.engine.policy import GREEDY_POLICY, Policy
from sniffcli.engine.position import Position, position_of
from sniffcli.engine.samples import dealt_in_turn, shipped_tables
from sniffcli.engine.spec import spec_of
from sniffcli.engine.stats import Difference
from sniffcli.engine.tally import Z95
from sniffcli.game.match import deal_round, new_match
from sniffcli.game.state import Setup

#: Where learning begins: what it had made of plain points and pips in All Fives, rounded.
START: Phases = (
    (100, 2, 30, 20, -50, 5, 2, 0, -50, -80),
    (100, 10, 40, 0, -30, 30, 2, -10, -50, -100),
)

#: How far the first weights are spread around that, in the order of `FEATURES`. A point credited
#: at once weighs the same throughout, because only the proportions of the weights matter.
SPREAD = (0, 10, 30, 60, 40, 20, 15, 12, 60, 60)

#: The part of the first spread that is kept up at least, and what a generation counts against all
#: before it.
LEAST_SPREAD = 0.02
NEWS = 0.7

#: Tiles of the largest set that is learned.
MOST_TILES = 64

#: Deals from this number on are for the proof; learning takes those before it.
PROOF = 10_000_000


class Effort(NamedTuple):
    """How much work goes into the weights of one setup, and into the proof that they are better."""

    generations: int
    #: Weights that are drawn in a generation, and the deals that they play; so many lots of deals
    #: are played by turns.
    drawn: int
    deals: int
    lots: int
    proof: int


THOROUGH = Effort(generations=12, drawn=14, deals=1_000, lots=4, proof=8_000)


def entry(
    setup: Setup,
    effort: Effort | None = None,
    seed: int = 0,
    rounds: int = 0,
    known: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Learn weights for a setup, prove them, and return both as plain values, ready for JSON.

    ROUNDS are for the proof of what they are worth in play-outs. An entry among those KNOWN by
    `round_key` is not learned anew. EFFORT is that of the shipped entry, if nothing else is said.
    """
    key = round_key(setup)
    found = dict((known or {}).get(key, {}))
    if not found:
        recorded = shipped_data().get(key, {}).get("effort")
        effort = effort or (Effort(**recorded) if recorded else THOROUGH)
        weights = trained(setup, effort, seed)
        proof = proof_of(setup, policy_of(weights), effort.proof)
        found = {
            "name": title_of(setup),
            "weights": weights,
            "effort": effort._asdict(),
            "proof": plain(proof),
        }
    if rounds:
        found["thinking"] = plain(thinking_of(setup, found["weights"], rounds))
    return found


def thinking_of(setup: Setup, weights: Sequence[Sequence[int]], rounds: int) -> Difference:
    """Return how many points a round `strong` makes more with these weights in its play-outs.

    Both sides are `strong`, because it plays for points; in the play-outs of the one everybody
    follows the weights, in those of the other highest-score play.
    """
    found = thought(setup, weights, range(-(-rounds // _shifts(setup))))
    return averaged(found)


def thought(setup: Setup, weights: Sequence[Sequence[int]], deals: Iterable[int]) -> list[float]:
    """Return for each deal how many points a round the weights bring to `strong`."""
    sides, shifts = setup.side_count, _shifts(setup)
    policies = (policy_of(tuple(map(tuple, weights))), GREEDY_POLICY)
    one, other = (thinker(EFFORTS["strong"], margin, always(policy)) for policy in policies)
    found = []
    for deal in deals:
        ahead = 0.0
        for shift in range(shifts):
            ours = [(side + shift) % shifts == 0 for side in range(sides)]
            play = full_round([one if ours[side] else other for side in setup.sides])
            match = new_match(setup)
            state, _ = deal_round(match, random.Random(f"thinking:{deal}"))
            ahead += _difference(play(state, match, f"thinking:{deal}:{shift}")[1], ours)
        found.append(ahead / shifts)
    return found


def _shifts(setup: Setup) -> int:
    """Return in how many seatings a deal is played.

    Sides take turns where their number is even, else one side plays against all others.
    """
    return 2 if setup.side_count % 2 == 0 else setup.side_count


def title_of(setup: Setup) -> str:
    """Return how a table is called in the data, for people who read it."""
    hand = setup.rules.hand_size(setup.seats)
    partners = ", partners" if setup.side_count < setup.seats else ""
    return f"{setup.rules.id}, {setup.seats} players with {hand} tiles{partners}"


def proof_of(setup: Setup, policy: Policy, deals: int) -> Difference:
    """Return how many points a round a policy makes more than highest-score play, on new deals."""
    return compared(setup, dealt(setup, deals, PROOF), policy, GREEDY_POLICY)


def plain(difference: Difference) -> dict[str, Any]:
    """Return a mean in points a round with its 95 % interval as plain values."""
    half = Z95 * difference.error
    return {
        "deals": difference.worlds,
        "mean": round(difference.mean, 3),
        "low": round(difference.mean - half, 3),
        "high": round(difference.mean + half, 3),
    }


def trained(setup: Setup, effort: Effort, seed: int = 0) -> Phases:
    """Return weights learned by self-play, the same for the same seed."""
    rng = random.Random(seed)
    mean = [[float(one) for one in phase] for phase in START]
    spread = [[float(one) for one in SPREAD] for _ in range(PHASES)]
    rival = GREEDY_POLICY
    lots = [dealt(setup, effort.deals, lot * effort.deals) for lot in range(effort.lots)]
    for generation in range(effort.generations):
        positions = lots[generation % effort.lots]
        drawn = []
        for _ in range(effort.drawn):
            drawn.append(
                [
                    [rng.gauss(m, s) for m, s in zip(means, spreads, strict=True)]
                    for means, spreads in zip(mean, spread, strict=True)
                ]
            )
        found = [compared(setup, positions, policy_of(rounded(one)), rival).mean for one in drawn]
        order = sorted(range(len(drawn)), key=lambda k: -found[k])
        best = [drawn[k] for k in order[: max(2, len(order) // 4)]]
        for phase in range(PHASES):
            for k in range(len(FEATURES)):
                values = [one[phase][k] for one in best]
                mean[phase][k] += NEWS * (fmean(values) - mean[phase][k])
                wide = max(pstdev(values), LEAST_SPREAD * SPREAD[k])
                spread[phase][k] = (spread[phase][k] + wide) / 2
        rival = policy_of(rounded(mean))
    return rounded(mean)


def rounded(weights: Sequence[Sequence[float]]) -> Phases:
    """Return weights as whole numbers."""
    return tuple(tuple(round(one) for one in phase) for phase in weights)


def compared(setup: Setup, positions: Sequence[Position], one: Policy, other: Policy) -> Difference:
    """Return how many points a round a side makes more with policy ONE than rivals with OTHER.

    Every deal is played in every seating.
    """
    sides, shifts = setup.side_count, _shifts(setup)
    sums = [0.0] * len(positions)
    for shift in range(shifts):
        ours = [(side + shift) % shifts == 0 for side in range(sides)]
        policies = [one if ours[side] else other for side in setup.sides]
        batch = whole_rounds(positions, policies)
        sums = list(map(add, sums, _ahead(batch, ours)))
    differences = [value / shifts for value in sums]
    return averaged(differences)


def averaged(values: Sequence[float]) -> Difference:
    """Return the mean of the values of deals with its error."""
    error = stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0
    return Difference(fmean(values), error, len(values))


def _ahead(batch: Batch, ours: Sequence[bool]) -> list[float]:
    """Return the mean points of our sides less those of the others, by position."""
    made = []
    for side in range(len(ours)):
        parts = [batch.points(0, side, part) for part in range(len(PARTS))]
        made.append(list(map(sum, zip(*parts, strict=True))))
    return [_difference(points, ours) for points in zip(*made, strict=True)]


def _difference(made: Sequence[int], ours: Sequence[bool]) -> float:
    """Return the mean of what our sides made less that of the others."""
    mine = [points for points, our in zip(made, ours, strict=True) if our]
    others = [points for points, our in zip(made, ours, strict=True) if not our]
    return sum(mine) / len(mine) - sum(others) / len(others)


def dealt(setup: Setup, count: int, start: int = 0) -> list[Position]:
    """Deal rounds in mid-match by number; the leader moves round the table where rules name him."""
    return [
        position_of(dealt_in_turn(setup, "training", number))
        for number in range(start, start + count)
    ]


def shipped_setups() -> list[Setup]:
    """Return every table whose weights are shipped, each once.

    Sets that the native kernel cannot hold are left out: to learn them would take hours.
    """
    found: dict[str, Setup] = {}
    for setup in shipped_tables():
        if spec_of(setup).top <= MOST_TILES:
            found.setdefault(round_key(setup), setup)
    return list(found.values())


def written(entries: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the text of a file of entries by `round_key`, one line for each."""
    return text_of(entries, "policies", VERSION, features=FEATURES)
