"""Themes of puzzles: small questions that a position and its best play answer with yes or no."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sniffcli.game.actions import Draw, Pass, Play, Refusal
from sniffcli.game.legal import playable_tiles
from sniffcli.game.state import State
from sniffcli.game.turn import attempt
from sniffcli.table.counting import count
from sniffcli.table.frontier import open_ends
from sniffcli.tutor.families import enclosed_spinner, parts
from sniffcli.tutor.puzzles import Finding, Option


class Scene(NamedTuple):
    """A position and what the engine found; `after` is the position after the best play."""

    state: State
    finding: Finding
    best: Option | None = None
    after: State | None = None


def scene_of(state: State, finding: Finding) -> Scene:
    """Return what themes are asked about."""
    if not finding.options or isinstance(finding.options[0].action, Draw | Pass):
        return Scene(state, finding, finding.options[0] if finding.options else None)
    best = finding.options[0]
    done = attempt(state, best.action)
    return Scene(state, finding, best, None if isinstance(done, Refusal) else done[0])


def _lone_double(scene: Scene) -> bool:
    placed = scene.state.layout.placed
    return len(placed) == 1 and placed[0].tile.is_double


def _tip_double(scene: Scene) -> bool:
    state = scene.state
    plain = any(not double.spinner and double.main == 1 for double in state.frontier.doubles)
    return plain and len(state.layout.placed) > 1


def _sniff_count(scene: Scene) -> bool:
    """Whether the spinner goes on counting with both sides covered (US Sniff)."""
    rules = scene.state.rules
    if rules.score.spinner_counts != "exposed_halves":
        return False
    return any(d.spinner and d.main == 2 and d.cross < 2 for d in scene.state.frontier.doubles)


def _quotient(scene: Scene) -> bool:
    return scene.state.rules.score.award == "quotient"


def _zero(scene: Scene) -> bool:
    state = scene.state
    return not state.frontier.is_empty and 0 in open_ends(state.rules, state.frontier)


def _big(scene: Scene) -> bool:
    return count(scene.state.rules, scene.state.frontier) > 20


def _no_points(scene: Scene) -> bool:
    right = scene.finding.right[0]
    return getattr(right, "value", None) == 0


#: Themes of questions about the table as it lies.
TABLE: dict[str, Callable[[Scene], bool]] = {
    "lone-double": _lone_double,
    "covered-spinner": lambda scene: enclosed_spinner(scene.state),
    "double-at-a-tip": _tip_double,
    "sniff-count": _sniff_count,
    "blank-end": _zero,
    "over-twenty": _big,
    "many-ends": lambda scene: len(parts(scene.state)) >= 4,
}


def _score_now(scene: Scene) -> bool:
    return scene.best is not None and scene.best.points > 0


def _by_double(scene: Scene) -> bool:
    best = scene.best
    return (
        best is not None
        and isinstance(best.action, Play)
        and best.action.tile.is_double
        and best.points > 0
    )


def _spinner_opens(scene: Scene) -> bool:
    """Whether the best play opens the ends of a spinner."""
    if scene.after is None:
        return False
    before = sum(d.spinner and d.main == 2 for d in scene.state.frontier.doubles)
    return sum(d.spinner and d.main == 2 for d in scene.after.frontier.doubles) > before


def _deny(scene: Scene) -> bool:
    """Whether after the best play the next player, whose hand is open, has nothing to lay."""
    after = scene.after
    if after is None or after.over or after.closing is not None or after.turn == scene.state.turn:
        return False
    hand = after.hands[after.turn]
    return not hand.unknown and bool(hand.size) and not playable_tiles(after)


def _go_out(scene: Scene) -> bool:
    """Whether the seat to move has no tile left at the end of the line."""
    state, best = scene.state, scene.best
    return best is not None and _ended(state, best, "out") == state.turn


def _block(scene: Scene) -> bool:
    return scene.best is not None and _ended(scene.state, scene.best, "blocked") is not None


def _ended(state: State, best: Option, how: str) -> int | None:
    """Return who laid the last tile where the line of the best play ends the round so."""
    from sniffcli.tutor.puzzle_values import follow

    end = follow(state, best.line)[-1]
    if end.result is None or end.result.how != how:
        return None
    return -1 if end.closer is None else end.closer


def _sacrifice(scene: Scene) -> bool:
    """Whether the best play gives up at least a score that another play would make now."""
    most = max((option.points for option in scene.finding.options), default=0)
    return scene.best is not None and most > scene.best.points


def _dump(scene: Scene) -> bool:
    """Whether the best play scores nothing and lays the heaviest tile that can be laid."""
    best = scene.best
    if best is None or best.points or not isinstance(best.action, Play):
        return False
    tiles = [o.action.tile for o in scene.finding.options if isinstance(o.action, Play)]
    return len(set(tiles)) > 1 and best.action.tile.pips == max(tile.pips for tile in tiles)


def _endgame(scene: Scene) -> bool:
    state = scene.state
    return max(hand.size for hand in state.hands) <= 3 and not state.drawable


#: Themes of questions about what to play.
PLAYS: dict[str, Callable[[Scene], bool]] = {
    "score-now": _score_now,
    "sum-by-double": _by_double,
    "spinner-opens": _spinner_opens,
    "deny": _deny,
    "dump-pips": _dump,
    "go-out": _go_out,
    "block": _block,
    "sacrifice": _sacrifice,
    "endgame": _endgame,
}


def themes_of(ask: str, scene: Scene) -> tuple[str, ...]:
    """Return the themes of a puzzle, by its question."""
    found: list[str] = []
    if ask in ("count", "points", "claim"):
        found += [name for name, holds in TABLE.items() if holds(scene)]
        if ask != "count" and _quotient(scene):
            found.append("quotient")
        if ask != "count" and _no_points(scene):
            found.append("no-points")
        if ask == "claim":
            found.append("claim")
    elif ask in ("best-score", "best-play", "value"):
        only = ("score-now", "sum-by-double", "spinner-opens") if ask == "best-score" else PLAYS
        found += [name for name in only if PLAYS[name](scene)]
        if scene.finding.method == "exact":
            found.append("exact")
    elif ask == "holds":
        found.append("infer")
    elif ask == "legal-plays":
        found.append("legal")
    return tuple(found)


#: Every theme, for `--theme`.
THEMES = (*TABLE, "quotient", "no-points", "claim", *PLAYS, "exact", "infer", "legal")
