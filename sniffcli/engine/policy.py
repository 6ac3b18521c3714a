"""Policies: what a seat does in a play-out, seeing only its own hand, the table and open counts.

A policy is a value, so that the native kernel can follow it too. Every policy plays if it can,
draws only if it cannot play, and passes only if it can do neither; what differs is which tile it
lays. Choices are listed from the highest tile number down, and of equals the first is taken.
"""

from __future__ import annotations

from typing import NamedTuple

#: Kinds of policies.
GREEDY, BLIND, RANDOM, WEIGHTED = range(4)

#: What a weighted policy looks at, all integers: points now, pips of the tile, whether it is a
#: double, own tiles left that fit afterwards, unseen tiles that fit afterwards, unseen tiles that
#: score afterwards, and the mean best score (in 64ths) of an unseen tile afterwards.
FEATURES = ("points", "pips", "double", "own_fits", "unseen_fits", "unseen_scores", "reply")

_WORD = (1 << 64) - 1


class Policy(NamedTuple):
    """How tiles are chosen: the kind, and the weights of `FEATURES` for a weighted one."""

    kind: int
    weights: tuple[int, ...] = ()
    name: str = ""


#: Most points as they will be credited, then most pips.
GREEDY_POLICY = Policy(GREEDY, (), "greedy")
#: The same, blind to what the rules make of points near the target.
BLIND_POLICY = Policy(BLIND, (), "blind")
#: Any legal play with equal chance.
RANDOM_POLICY = Policy(RANDOM, (), "random")


def weighted(weights: tuple[int, ...], name: str) -> Policy:
    """Return the policy that adds up its features with these weights."""
    if len(weights) != len(FEATURES):
        raise ValueError(f"{len(FEATURES)} weights are needed, not {len(weights)}")
    return Policy(WEIGHTED, weights, name)


def mixed(number: int) -> int:
    """Return NUMBER scrambled into 64 random-looking bits (SplitMix64)."""
    number = (number + 0x9E3779B97F4A7C15) & _WORD
    number = ((number ^ number >> 30) * 0xBF58476D1CE4E5B9) & _WORD
    number = ((number ^ number >> 27) * 0x94D049BB133111EB) & _WORD
    return number ^ number >> 31
