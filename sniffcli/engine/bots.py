"""The bots: each chooses what the seat of a `View` does on its turn, from what that seat may know.

The weak ones follow a play-out policy; the stronger ones play worlds that agree with their view
out to the end of the round, the same worlds for every choice, and take the best mean. Everybody in
these play-outs follows highest-score play, or learned weights where those are proven to make the
bot stronger.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from sniffcli.engine.advice import advise
from sniffcli.engine.choices import Choice, choices
from sniffcli.engine.equity import equity_for
from sniffcli.engine.kernel import Batch, play_deals
from sniffcli.engine.playout import END, NOW, PARTS, REPLY, choose, fewest
from sniffcli.engine.policies import skilled_policy, thinking_policy
from sniffcli.engine.policy import BLIND_POLICY, GREEDY_POLICY, RANDOM_POLICY, Policy
from sniffcli.engine.position import mask_of, position_from_view
from sniffcli.engine.spec import spec_of
from sniffcli.engine.worlds import Worlds, worlds_of
from sniffcli.game.actions import Action, Draw, Pass
from sniffcli.game.state import Setup
from sniffcli.game.view import View

#: Chooses what the seat of a view does on its turn.
Bot = Callable[[View, random.Random], Action]

#: What a side thinks of the outcomes of one choice of a batch, in whatever unit, by position.
Value = Callable[[Batch, int, int], list[float]]

#: Says which policy is followed under the rules of a setup.
Choose = Callable[[Setup], Policy]


def always(policy: Policy) -> Choose:
    """Return what says POLICY under all rules."""
    return lambda setup: policy


GREEDY_ALWAYS = always(GREEDY_POLICY)

#: The bots that follow a policy and nothing else.
POLICIES: dict[str, Choose] = {
    "random": always(RANDOM_POLICY),
    "greedy-blind": always(BLIND_POLICY),
    "greedy": GREEDY_ALWAYS,
    "skilled": skilled_policy,
}


#: The strongest bot, by the policy that everybody follows in its play-outs.
EXPERTS: dict[str, Choose] = {
    "expert": thinking_policy,
    "expert-greedy": GREEDY_ALWAYS,
    "expert-skilled": skilled_policy,
}


class Effort(NamedTuple):
    """How many worlds a bot plays out: all choices in the first stage, the promising ones later."""

    stages: tuple[int, ...]
    #: A choice whose mean is this many paired standard errors behind the best is given up.
    drop: float = 2.5


#: The bots that play out worlds. `casual` looks no further than its next turn.
EFFORTS: dict[str, Effort] = {
    "casual": Effort((24,)),
    "strong": Effort((40, 80, 120)),
    "expert": Effort((50, 100, 150, 300)),
}

#: The strengths a table offers, weakest first.
LEVELS = ("random", "greedy", "casual", "strong", "expert")

#: All bots that can be named. `greedy-blind` does not know what the rules make of points near the
#: target, like the players in the published figures; `skilled` weighs what it sees as self-play has
#: taught it; the last two are `expert` with the one or the other policy in its play-outs.
NAMES = (
    "random",
    "greedy-blind",
    "greedy",
    "casual",
    "skilled",
    "strong",
    "expert",
    "expert-greedy",
    "expert-skilled",
)


def bot(level: str) -> Bot:
    """Return the bot of that name.

    Raises:
        LookupError: no bot is called like that.
    """
    if level in POLICIES:
        return follower(POLICIES[level])
    if level == "casual":
        return thinker(EFFORTS[level], near_future, GREEDY_ALWAYS)
    if level == "strong":
        return thinker(EFFORTS[level], margin)
    if level in EXPERTS:
        return expert(EXPERTS[level])
    raise LookupError(f'no bot is called "{level}"; there are {", ".join(NAMES)}')


def expert(choose_policy: Choose) -> Bot:
    """Return the strongest bot, with that policy in its play-outs."""
    return thinker(EFFORTS["expert"], None, choose_policy, exact=True)


def follower(choose_policy: Choose) -> Bot:
    """Return the bot that does what a policy does in a play-out."""

    def follow(view: View, rng: random.Random) -> Action:
        found = choices(view)
        plays = [choice for choice in found if choice.first.tile >= 0]
        if not plays:
            return without_a_play(found)
        if len(plays) == 1:
            return plays[0].action
        policy = choose_policy(view.setup)
        if policy == RANDOM_POLICY:
            return plays[int(rng.random() * len(plays))].action
        return _by_policy(view, policy, plays)

    return follow


def _by_policy(view: View, policy: Policy, plays: Sequence[Choice]) -> Action:
    spec = spec_of(view.setup)
    # A policy sees its own hand only; the others are empty here.
    hands = [0] * spec.seats
    hands[view.seat] = mask_of(view.hand)
    playable = 0
    for choice in plays:
        playable |= 1 << choice.first.tile
    entered = sum(1 << side for side in view.entered)
    fid = spec.table.intern(view.frontier)
    unseen = mask_of(view.unseen)
    least = fewest(spec, view.hand_sizes, view.seat)
    packed = choose(
        spec, policy, fid, hands, view.turn, playable, view.scores, entered, 0, unseen, least
    )
    return next(one.action for one in plays if _packed(one) == packed & 0xFF_FFFF_FFFF)


def _packed(choice: Choice) -> int:
    return choice.first.tile << 32 | choice.first.after


def without_a_play(found: Sequence[Choice]) -> Action:
    """Return the draw, else the pass, of a seat that can lay nothing."""
    return next((one.action for one in found if isinstance(one.action, Draw)), found[-1].action)


def margin(batch: Batch, choice: int, side: int) -> list[float]:
    """Return what a side made in the round, less what the others made on average."""
    return _margins(batch, choice, side, range(len(PARTS)))


def near_future(batch: Batch, choice: int, side: int) -> list[float]:
    """Return the margin of the play and of the replies to it, before the seat is on turn again."""
    return _margins(batch, choice, side, (NOW, REPLY))


def _margins(batch: Batch, choice: int, side: int, parts: Sequence[int]) -> list[float]:
    columns = [batch.margins(choice, side, part) for part in parts]
    return list(map(sum, zip(*columns, strict=True)))


def thinker(
    effort: Effort,
    value: Value | None,
    choose_policy: Choose = thinking_policy,
    *,
    exact: bool = False,
) -> Bot:
    """Return a bot that plays worlds out and takes the choice of most VALUE on average.

    VALUE None is the chance to win the match, or the margin in a match that has no target. EXACT:
    where the seat can place every tile, the rest of the round is solved instead.
    """

    def think(view: View, rng: random.Random) -> Action:
        found = _sensible(choices(view))
        if len(found) == 1:
            return found[0].action
        worlds = worlds_of(view)
        if exact and worlds.no_more_than(1):
            return _solved(view)
        judge = value or chance_in(view)
        policy = choose_policy(view.setup)
        return found[_best(view, worlds, found, effort, judge, policy, rng)].action

    return think


def _solved(view: View) -> Action:
    """Return the best choice where nothing is hidden any more, by the match if it has a target."""
    options = advise(view, equity=equity_for(view.setup)).options
    # Options come best margin first; where the chances are alike that decides.
    return max(options, key=lambda one: one.win or 0.0).action


def chance_in(view: View) -> Value:
    """Return how to value the outcomes of a round by the match that it is part of."""
    equity = equity_for(view.setup)
    if equity is None:
        return margin
    known: dict[tuple[int, ...], float] = {}

    def chance(batch: Batch, choice: int, side: int) -> list[float]:
        sides = range(batch.sides)
        columns = [
            *(batch.scores(choice, one) for one in sides),
            *(batch.points(choice, one, END) for one in sides),
            batch.column(choice, batch.width - 2),
            batch.column(choice, batch.width - 1),
        ]
        values = []
        # Few endings differ in what counts for the match, so each is looked up once.
        for number, key in enumerate(zip(*columns, strict=True)):
            value = known.get(key)
            if value is None:
                outcome = batch.outcome(number, choice)
                value = known[key] = equity.after(outcome, side, view.leader)
            values.append(value)
        return values

    return chance


def _sensible(found: list[Choice]) -> list[Choice]:
    """Leave out drawing and passing where a tile can be laid, except to keep a drawn tile back."""
    plays = [choice for choice in found if not isinstance(choice.action, (Draw, Pass))]
    if not plays:
        draws = [choice for choice in found if isinstance(choice.action, Draw)]
        return draws or found
    return plays + [choice for choice in found if isinstance(choice.action, Pass)]


def _best(
    view: View,
    worlds: Worlds,
    found: Sequence[Choice],
    effort: Effort,
    value: Value,
    policy: Policy,
    rng: random.Random,
) -> int:
    """Return the number of the choice with the best mean; the first of equals."""
    base = position_from_view(view, (), ())
    side = view.setup.sides[view.seat]
    left = list(range(len(found)))
    values: list[list[float]] = [[] for _ in found]
    for worlds_now in effort.stages:
        firsts = [found[number].first for number in left]
        batch = play_deals(base, worlds.draw(rng, worlds_now), firsts, policy)
        for place, number in enumerate(left):
            values[number] += value(batch, place, side)
        left = _promising(left, values, effort.drop)
        if len(left) == 1:
            break
    return left[0]


def _promising(left: Sequence[int], values: Sequence[Sequence[float]], drop: float) -> list[int]:
    """Return the choices still in question, the best first."""
    order = sorted(left, key=lambda number: (-sum(values[number]), number))
    best = values[order[0]]
    count = len(best)
    kept = order[:1]
    for number in order[1:]:
        differences = [one - other for one, other in zip(best, values[number], strict=True)]
        mean = sum(differences) / count
        spread = sum((one - mean) ** 2 for one in differences) / (count - 1)
        if mean <= drop * (spread / count) ** 0.5:
            kept.append(number)
    return kept
