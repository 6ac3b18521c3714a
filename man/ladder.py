"""Measure how the bots stand: `python man/ladder.py [--deals N] [--players N]... [RULESET]...`.

Each bot meets the next stronger one on duplicate deals of single rounds. What was found is kept in
`text/ladder.json` pair by pair, so that the work can be stopped and gone on with; `build.py` prints
it in sniff-bots(7). Pairs that were measured on as many deals are not measured again.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
if str(HERE.parent) not in sys.path:
    sys.path.insert(0, str(HERE.parent))

from sniffcli.engine.contest import Contest, play_deal  # noqa: E402
from sniffcli.engine.tally import tally  # noqa: E402
from sniffcli.files.writing import write_atomic  # noqa: E402
from sniffcli.game.match import sides_of  # noqa: E402
from sniffcli.game.state import Setup  # noqa: E402
from sniffcli.ruleset.loading import load_ruleset  # noqa: E402

KEPT = HERE / "text" / "ladder.json"

#: The bots, weakest first, and the rulesets and numbers of players for which they are compared.
LADDER = ("random", "greedy", "casual", "skilled", "strong", "expert")
RULESETS = ("all-fives", "fives-and-threes", "all-threes", "block", "dreamtime-sniff")
PLAYERS = (2, 4)

#: Deals for pairs that follow a policy, which are quick, as a multiple of those for thinkers.
QUICK = 10
POLICIES = {"random", "greedy", "skilled"}


def measured(rules: str, players: int, one: str, other: str, deals: int) -> dict[str, Any]:
    """Let two bots play; ONE is the stronger."""
    loaded, problems = load_ruleset(rules, None, {})
    assert loaded is not None, problems
    sides = sides_of(players, teams=loaded.teams_required(players))
    setup = Setup(loaded, tuple(f"seat {seat + 1}" for seat in range(players)), sides)
    contest = Contest(setup, (one, other) * (players // 2), seed=1, matches=False)
    found = tally(contest, [game for deal in range(deals) for game in play_deal(contest, deal)])
    assert found is not None
    ahead = found.duels[0].difference
    return {
        "rules": rules,
        "players": players,
        "one": one,
        "other": other,
        "deals": deals,
        "mean": round(ahead.value, 2),
        "low": round(ahead.low or 0.0, 2),
        "high": round(ahead.high or 0.0, 2),
    }


def kept() -> list[dict[str, Any]]:
    """Return what was measured before."""
    return list(json.loads(KEPT.read_text("utf-8"))) if KEPT.is_file() else []


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what is missing."""
    parser = argparse.ArgumentParser(prog="python man/ladder.py")
    parser.add_argument("rulesets", nargs="*", default=RULESETS)
    parser.add_argument("--players", type=int, action="append")
    parser.add_argument("--deals", type=int, default=100)
    given = parser.parse_args(arguments)
    for other, one in pairwise(LADDER):
        for rules in given.rulesets:
            for players in given.players or PLAYERS:
                deals = given.deals * (QUICK if {one, other} <= POLICIES else 1)
                place = {"rules": rules, "players": players, "one": one, "other": other}
                rows = kept()
                same = [row for row in rows if row.items() >= place.items()]
                if same and same[0]["deals"] >= deals:
                    continue
                rows = [row for row in rows if row not in same]
                rows.append(measured(rules, players, one, other, deals))
                sys.stderr.write(f"{rows[-1]}\n")
                lines = ",\n".join(map(json.dumps, rows))
                write_atomic(KEPT, f"[\n{lines}\n]\n", force=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
