"""Claims in a review: every score that had to be claimed, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sniffcli.files.replay import Replay, RoundReplay
from sniffcli.game.actions import Catch, Claim
from sniffcli.game.state import State


@dataclass(frozen=True, slots=True)
class ClaimReview:
    """A score that had to be claimed, and what became of it."""

    round: int
    #: The action that made it.
    n: int
    seat: int
    points: int
    #: None where the record ends before its time was over.
    claimed: bool | None
    caught_by: int | None = None
    #: What it cost in margin if it was missed: the points, and what a rival got for them.
    price: float = 0.0

    @property
    def missed(self) -> bool:
        """Whether its owner did not get it."""
        return self.claimed is False


def claims_of(played: RoundReplay) -> Iterator[ClaimReview]:
    """Yield every score of a round that had to be claimed, in the order in which they were made."""
    for index, step in enumerate(played.steps):
        event = step.event
        declare = step.before.rules.claim.mode == "declare"
        if declare and event.kind == "play" and event.worth:
            claimed, caught_by = _fate(played, index)
            price = 0.0
            if claimed is False:
                setup = step.before.setup
                price = float(event.worth)
                if caught_by is not None:
                    taken = event.worth + setup.rules.claim.bounty
                    price += taken / (setup.side_count - 1)
            yield ClaimReview(
                played.number, event.n, event.seat, event.worth, claimed, caught_by, price
            )


def _fate(played: RoundReplay, index: int) -> tuple[bool | None, int | None]:
    """Return whether the score made by that step was claimed, and who took it."""
    made = played.steps[index]
    key = (made.event.seat, made.state.laid)
    if not _is_open(made.state, key):
        return False, None
    for step in played.steps[index + 1 :]:
        if _is_open(step.state, key):
            continue
        action = step.event.action
        if isinstance(action, Claim) and action.seat == key[0]:
            return True, None
        if isinstance(action, Catch) and action.target == key[0]:
            return False, action.seat
        return False, None
    still_open = played.end is not None and _is_open(played.end, key)
    return (None if still_open else False), None


def _is_open(state: State, key: tuple[int, int]) -> bool:
    return any((one.seat, one.tile_number) == key for one in state.pending)


def false_claims(replay: Replay, seat: int) -> int:
    """Count the claims of a seat that were void."""
    number = 0
    for one in replay.rounds:
        for step in one.steps:
            claim = step.event.action
            if isinstance(claim, Claim) and claim.seat == seat:
                mine = [p for p in step.before.pending if p.seat == seat]
                left = [p for p in step.state.pending if p.seat == seat]
                number += len(left) == len(mine)
    return number
