"""Policies: what a seat does in a play-out, seeing only its own hand, the table and open counts.

A policy is a value, so that the native kernel can follow it too. Every policy plays if it can,
draws only if it cannot play, and passes only if it can do neither; what differs is which tile it
lays. Choices are listed from the highest tile number down, and of equals the first is taken.
"""

from __future__ import annotations

from typing import NamedTuple

#: Kinds of policies.
GREEDY, BLIND, RANDOM, WEIGHTED = range(4)

_WORD = (1 << 64) - 1


class Policy(NamedTuple):
    """How tiles are chosen, and how reports call it."""

    kind: int
    name: str = ""
    #: Of a weighted policy: the weights of `features.FEATURES` in each phase of a round.
    weights: tuple[tuple[int, ...], ...] = ()


#: Most points as they will be credited, then most pips.
GREEDY_POLICY = Policy(GREEDY, "greedy")
#: The same, blind to what the rules make of points near the target.
BLIND_POLICY = Policy(BLIND, "blind")
#: Any legal play with equal chance.
RANDOM_POLICY = Policy(RANDOM, "random")


def mixed(number: int) -> int:
    """Return NUMBER scrambled into 64 random-looking bits (SplitMix64)."""
    number = (number + 0x9E3779B97F4A7C15) & _WORD
    number = ((number ^ number >> 30) * 0xBF58476D1CE4E5B9) & _WORD
    number = ((number ^ number >> 27) * 0x94D049BB133111EB) & _WORD
    return number ^ number >> 31
