"""Which weights a policy has under a ruleset: shipped data, used where they are proven better.

`sniff simulate --train` learns the weights anew and measures them on duplicate deals. Weights are
adopted where the 95 % interval of their advantage over highest-score play lies above zero; all
other rules, house rules among them, fall back to highest-score play.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from sniffcli.engine.datafile import entries
from sniffcli.engine.features import Phases
from sniffcli.engine.identity import round_key
from sniffcli.engine.policy import GREEDY_POLICY, WEIGHTED, Policy
from sniffcli.game.state import Setup

#: Version of the data; what another version wrote is not used.
VERSION = 1


def policy_of(weights: Phases) -> Policy:
    """Return the policy with these weights."""
    return Policy(WEIGHTED, "weighted", weights)


def skilled_policy(setup: Setup) -> Policy:
    """Return the best policy known for a setup: weighted where proven, else highest score."""
    return _adopted(round_key(setup), "proof")


def thinking_policy(setup: Setup) -> Policy:
    """Return the policy that thinking bots let everybody follow in their play-outs.

    A better player need not make a better play-out, so this has a proof of its own.
    """
    return _adopted(round_key(setup), "thinking")


@lru_cache(maxsize=64)
def _adopted(key: str, proof: str) -> Policy:
    return adopted(shipped_data().get(key, {}), proof)


def adopted(entry: Mapping[str, Any], proof: str) -> Policy:
    """Return the policy of an entry of the data if that proof holds, else highest-score play."""
    if float(entry.get(proof, {}).get("low", 0.0)) <= 0:
        return GREEDY_POLICY
    return policy_of(tuple(map(tuple, entry["weights"])))


@lru_cache(maxsize=1)
def shipped_data() -> dict[str, Any]:
    """Return the shipped entries by `round_key`; none where the file is of another version."""
    return read_data(Path(__file__).with_name("data") / "policy.json")


def read_data(path: Path) -> dict[str, Any]:
    """Return the entries of a file by `round_key`; none if it cannot be read or is outdated."""
    return entries(path, "policies", VERSION)
