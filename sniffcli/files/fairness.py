"""The proof of a deal: a commitment published before play, and the seed and salt that open it.

Before a match the dealer publishes `commitment`; after it he publishes `seed` and `salt`. Anybody
can then hash them again and deal the same tiles.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator

from sniffcli.files.records import NOWHERE, GameRecord
from sniffcli.files.replay import Replay, RoundReplay
from sniffcli.game.actions import Draw
from sniffcli.game.deal import Deal, deal, leader
from sniffcli.game.state import Hand, RoundResult
from sniffcli.problems import Problem


def commitment(seed: int, salt: str) -> str:
    """Return the SHA-256 of `SEED:SALT` (UTF-8) as 64 hexadecimal digits."""
    return hashlib.sha256(f"{seed}:{salt}".encode()).hexdigest()


def round_random(seed: int, number: int) -> random.Random:
    """Return the random numbers with which round NUMBER (from 1) of a match is dealt.

    The first round uses the seed itself, a later one the text `SEED/NUMBER`, so that each can be
    dealt without the ones before it.
    """
    return random.Random(seed if number == 1 else f"{seed}/{number}")


def check_deal(replay: Replay) -> list[Problem]:
    """Return what speaks against the deal of a match being the one that was committed to."""
    record = replay.record
    problems = list(_commitment_problems(record))
    if record.seed is None:
        return problems
    if not replay.rounds:
        problems.append(record.problem(record.marks["seed"], "deal", "there is no round to check"))
    previous: RoundResult | None = None
    for played in replay.rounds:
        if played.start is not None:
            if played.record.layout is not None:
                message = "a round that starts from a layout has no deal to check"
                problems.append(record.problem(played.record.at("layout"), "deal", message))
            else:
                problems += _deal_problems(record, record.seed, played, previous)
        if played.result is None:
            # The deal of the next round may depend on how this one ended.
            break
        previous = played.result
    return problems


def _commitment_problems(record: GameRecord) -> Iterator[Problem]:
    missing = [key for key in ("commitment", "seed", "salt") if getattr(record, key) is None]
    marks = record.marks
    if missing:
        message = f"a proof needs commitment, seed and salt; missing here: {', '.join(missing)}"
        given = [marks[key] for key in ("commitment", "seed", "salt") if key in marks]
        where = given[0] if given else marks.get("players", NOWHERE)
        yield record.problem(where, "deal", message)
        return
    assert record.seed is not None, "it was seen not to be missing"
    assert record.salt is not None, "it was seen not to be missing"
    if commitment(record.seed, record.salt) != record.commitment:
        message = "seed and salt do not give this commitment: another deal was promised"
        yield record.problem(marks["commitment"], "commitment", message)


def _deal_problems(
    record: GameRecord, seed: int, played: RoundReplay, previous: RoundResult | None
) -> Iterator[Problem]:
    setup, one = record.setup, played.record
    assert played.start is not None
    rng = round_random(seed, played.number)
    try:
        dealt = deal(setup, rng, previous)
    except ValueError as problem:
        yield record.problem(one.mark, "deal", str(problem))
        return
    for seat, tiles in enumerate(dealt.hands):
        hand = played.start.hands[seat]
        if hand.unknown:
            message = f"the hand of {setup.names[seat]} is hidden, so its deal cannot be checked"
            yield record.problem(one.at(("hands", seat), "hands"), "deal", message)
        elif set(hand.tiles) != set(tiles):
            listed = ", ".join(map(str, tiles))
            message = f"the seed deals {setup.names[seat]} other tiles: {listed}"
            yield record.problem(one.at(("hands", seat)), "deal", message)
    yield from _boneyard_problems(record, played, dealt)
    choice = leader(setup, tuple(Hand(tiles) for tiles in dealt.hands), previous)
    if choice.seat is None and not choice.redeal:
        drawn = int(rng.random() * setup.seats)
        if drawn != played.start.leader:
            message = f"the lot of this seed falls on {setup.names[drawn]}"
            yield record.problem(one.at("leader"), "deal", message)


def _boneyard_problems(record: GameRecord, played: RoundReplay, dealt: Deal) -> Iterator[Problem]:
    listed = played.record.boneyard
    if listed is not None:
        if listed != dealt.boneyard[: len(listed)]:
            message = "the seed deals another boneyard or another order of it"
            yield record.problem(played.record.at("boneyard"), "deal", message)
        return
    number = 0
    for step in played.steps:
        if not isinstance(step.event.action, Draw):
            continue
        expected = dealt.boneyard[number]
        number += 1
        if step.event.tile is not None and step.event.tile != expected:
            message = f"draw {number} of the round is {expected} by the seed, not {step.event.tile}"
            yield record.problem(step.mark, "deal", message)
            return
