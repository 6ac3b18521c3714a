"""A playthrough: one seeded round of a ruleset, with every public question asked at every state."""

from __future__ import annotations

import random

from kit import ruleset, setup_of

from sniffcli.game.actions import Action, Catch, Claim, Draw, Finish, Pass
from sniffcli.game.claims import may_be_caught, owner_may_claim
from sniffcli.game.deal import deal
from sniffcli.game.legal import (
    able_tiles,
    draw_refusal,
    is_blocked,
    legal_plays,
    pass_refusal,
    playable_tiles,
    seats_holding,
)
from sniffcli.game.match import Match, after_round, begin, new_match, winners
from sniffcli.game.plays import named, play_text
from sniffcli.game.state import State
from sniffcli.game.turn import apply
from sniffcli.game.view import view_of
from sniffcli.table.counting import count, worth
from sniffcli.table.frontier import open_ends


def first_match(name: str) -> Match:
    """Return a match of a shipped ruleset at its fewest players."""
    rules = ruleset(name)
    players = rules.players.min
    return new_match(setup_of(rules, players, teams=rules.teams_required(players)))


def playthrough_text(name: str) -> str:
    """Return the seeded round of a ruleset as text."""
    rng = random.Random(f"playthrough {name}")
    match = first_match(name)
    dealt = deal(match.setup, rng)
    state = begin(match, dealt, rng)
    lines = [
        "# One seeded round: what the core answers at every state. After a change that is meant,",
        "# `python -m tests.regenerate` writes this file again.",
        f"ruleset {name}",
        f"players {' '.join(state.setup.names)}",
        f"sides {' '.join(map(str, state.setup.sides))}",
        f"redeals {dealt.redeals}",
        f"leader {state.setup.names[state.leader]}, must lead {state.must_lead}",
    ]
    while not state.over:
        lines += ["", *answers(state)]
        state, event = apply(state, choose(state, rng))
        lines += [
            f"> {event.n} {state.setup.names[event.seat]}: {event.text}",
            f"  tile {event.tile}, on {event.on}, sum {event.sum}, worth {event.worth},"
            f" points {event.points}, ends {listed(event.ends)}",
            f"  scores {listed(event.scores)}, hands {listed(event.hand_sizes)},"
            f" boneyard {event.boneyard}, time {event.time:g}, missed"
            f" {[(one.seat, one.points) for one in event.missed]}, note {event.note!r}",
        ]
    result = state.result
    assert result is not None
    after = after_round(match, state)
    lines += [
        "",
        f"result {result.how}, winners {listed(result.winners)}, bonus {result.bonus},"
        f" tied {result.tied}, closer {result.closer}, pips {listed(result.pips)}",
        f"scores {listed(after.scores)}, won by {winners(after)}",
    ]
    return "\n".join(lines) + "\n"


def listed(values: object) -> str:
    return " ".join(map(str, values)) or "-"  # type: ignore[call-overload]


def answers(state: State) -> list[str]:
    """Ask a state everything that can be asked."""
    rules = state.rules
    view = view_of(state, state.turn)
    text = [
        f"turn {state.setup.names[state.turn]}, drawn {state.drawn}, passes {state.passes},"
        f" extra {state.extra}, closing {state.closing}",
        *(
            f"hand {name} {listed(sorted(hand.tiles))}"
            for name, hand in zip(state.setup.names, state.hands, strict=True)
        ),
        f"boneyard {listed(state.boneyard.known)}, drawable {state.drawable}",
        f"ends {listed(open_ends(rules, state.frontier))}, sum {count(rules, state.frontier)},"
        f" worth {worth(rules, state.frontier)}",
        f"pending {[(one.seat, one.points, one.missed) for one in state.pending]},"
        f" tings {listed(state.tings)}",
        f"unseen by the seat {len(view.unseen)}, blocked {is_blocked(state)},"
        f" holding {seats_holding(state)}",
        f"playable {listed(playable_tiles(state))}, obliging {listed(able_tiles(state))}",
        f"draw {draw_refusal(state) or 'yes'}",
        f"pass {pass_refusal(state) or 'yes'}",
    ]
    for move in legal_plays(state):
        written = play_text(state.setup, state.layout, state.frontier, move)
        text.append(
            f"play {written}: sum {count(rules, move.frontier)},"
            f" worth {worth(rules, move.frontier)},"
            f" ends {listed(open_ends(rules, move.frontier))}"
        )
    return text


def choose(state: State, rng: random.Random) -> Action:
    """Choose an action by lot: claims and catches now and then, else a play, a draw or a pass."""
    for pending in state.pending:
        if owner_may_claim(state, pending, state.now) and rng.random() < 0.6:
            return Claim(seat=pending.seat, points=pending.points)
        rival = next(
            seat
            for seat in range(state.setup.seats)
            if state.setup.sides[seat] != state.setup.sides[pending.seat]
        )
        catchable = may_be_caught(state, pending, state.now)
        expires = state.rules.claim.owner_until != "next_tile"
        rivals = state.rules.claim.rivals != "none"
        if rivals and (catchable or expires) and rng.random() < 0.5:
            return Catch(seat=rival, target=pending.seat)
    if state.closing is not None:
        return Finish(seat=state.turn)
    choices: list[Action] = [
        named(state.turn, state.setup, state.layout, state.frontier, move)
        for move in legal_plays(state)
    ]
    if draw_refusal(state) is None:
        choices.append(Draw(seat=state.turn))
    if pass_refusal(state) is None:
        choices.append(Pass(seat=state.turn))
    return choices[int(rng.random() * len(choices))]
