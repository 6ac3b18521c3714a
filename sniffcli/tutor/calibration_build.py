"""Measuring what rounds by a ruleset are like; run as a module it writes the shipped values anew.

`python -m sniffcli.tutor.calibration_build [RULESET...] [--players N] [--rounds N] [--bots]`
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean, quantiles, stdev
from typing import Any

from sniffcli.engine.advice import advise
from sniffcli.engine.datafile import entries, text_of
from sniffcli.engine.identity import rules_key
from sniffcli.engine.kernel import playouts
from sniffcli.engine.policy import GREEDY_POLICY, RANDOM_POLICY
from sniffcli.engine.position import position_of
from sniffcli.engine.samples import dealt_in_turn, tables_of
from sniffcli.engine.stats import held_out_loss
from sniffcli.game.actions import Play
from sniffcli.game.state import Setup, State
from sniffcli.game.turn import apply
from sniffcli.game.view import view_of
from sniffcli.tutor.calibration import VERSION, Calibration, Losses, data_file, to_data

#: Rounds behind the shipped values, and positions graded per bot.
ROUNDS = 4000
GRADED_ROUNDS = 24
GRADED_WORLDS = 400


def measured(setup: Setup, rounds: int, start: int = 0) -> Calibration:
    """Play rounds by the greedy policy and return their spread; the same every time."""
    states = [dealt_in_turn(setup, "calibration", start + number) for number in range(rounds)]
    positions = [position_of(state) for state in states]
    batch = playouts(positions, [None], GREEDY_POLICY, start)
    leads = []
    margins = []
    for number, state in enumerate(states):
        outcome = batch.outcome(number, 0)
        leads.append(outcome.margin(setup.sides[state.leader]))
        margins.append(outcome.margin(0))
    # The spread is that of one fixed side, whoever leads; a game without points has none.
    return Calibration(max(stdev(margins), 1e-6), fmean(leads), rounds)


def losses_of(setup: Setup, bot: str, rounds: int, worlds: int) -> Losses:
    """Let a bot (`greedy` or `random`) play rounds against itself and grade its decisions."""
    found = [loss for number in range(rounds) for loss in _round_losses(setup, bot, number, worlds)]
    cuts = quantiles(found, n=20) if len(found) > 1 else [0.0] * 19
    return Losses(len(found), fmean(found), (cuts[9], cuts[14], cuts[17], cuts[18]))


def _round_losses(setup: Setup, bot: str, number: int, worlds: int) -> Iterator[float]:
    state = dealt_in_turn(setup, "calibration", number)
    rng = random.Random(f"calibration:{bot}:{number}")
    policy = RANDOM_POLICY if bot == "random" else GREEDY_POLICY
    while not state.over and state.closing is None:
        advice = advise(view_of(state, state.turn), worlds, number + 1)
        if advice.forced is not None:
            state = apply(state, _concrete(state, advice.options[0].action))[0]
            continue
        plays = [k for k, one in enumerate(advice.options) if isinstance(one.action, Play)]
        if policy is RANDOM_POLICY:
            chosen = rng.choice(plays or [0])
        else:
            chosen = max(
                plays or [0],
                key=lambda k: (advice.options[k].points, _pips(advice.options[k].action)),
            )
        if advice.method == "sampled":
            yield held_out_loss([one.margins for one in advice.options], chosen).mean
        else:
            yield advice.options[chosen].loss
        state = apply(state, _concrete(state, advice.options[chosen].action))[0]


def _pips(action: object) -> int:
    return action.tile.pips if isinstance(action, Play) else -1


def _concrete(state: State, action: Any) -> Any:
    return replace(action, tile=state.boneyard.known[0]) if action.kind == "draw" else action


def shipped_setups(names: Sequence[str]) -> Iterator[tuple[str, Setup]]:
    """Yield the shipped rulesets (all, or those named) for every number of players and sides."""
    from sniffcli.ruleset.library import shipped
    from sniffcli.ruleset.loading import load_ruleset

    for name in names or shipped():
        rules, _ = load_ruleset(name, None, {})
        assert rules is not None, f"{name} is a ruleset"
        for setup in tables_of(rules):
            partners = ", partners" if setup.has_teams else ""
            yield f"{name}, {setup.seats} players{partners}", setup


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the shipped rulesets and write what was found."""
    parser = argparse.ArgumentParser(prog="python -m sniffcli.tutor.calibration_build")
    parser.add_argument("rulesets", nargs="*", help="shipped rulesets (default: all)")
    parser.add_argument("--players", type=int, help="only for so many players")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--bots", action="store_true", help="measure the losses of bots too (slow)")
    parser.add_argument("--output", type=Path, default=data_file())
    given = parser.parse_args(arguments)
    kept = entries(given.output, "rulesets", VERSION)
    for name, setup in shipped_setups(given.rulesets):
        if given.players not in (None, setup.seats):
            continue
        one = measured(setup, given.rounds)
        if given.bots:
            bots = {
                bot: losses_of(setup, bot, GRADED_ROUNDS, GRADED_WORLDS)
                for bot in ("greedy", "random")
            }
            one = replace(one, bots=bots)
        kept[rules_key(setup)] = {"name": name, **to_data(one)}
        sys.stderr.write(f"{name}: deviation {one.deviation:.2f}, lead {one.lead:+.2f}\n")
        _write(given.output, kept)
    return 0


def _write(path: Path, kept: dict[str, Any]) -> None:
    from sniffcli.files.writing import write_atomic

    rows = sorted(kept.items(), key=lambda item: str(item[1]["name"]))
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, text_of(dict(rows), "rulesets", VERSION), force=True)


if __name__ == "__main__":
    sys.exit(main())
