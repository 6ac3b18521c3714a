"""A recorded round as text: one line per event, how it ended, what was left and what it paid."""

from __future__ import annotations

from collections.abc import Sequence

from sniffcli.files.notation import seconds_text
from sniffcli.files.replay import Replay, RoundReplay, Step
from sniffcli.game.state import RoundResult, Setup, State
from sniffcli.show.folding import fold
from sniffcli.show.style import Look
from sniffcli.show.table import draw
from sniffcli.show.tables import Column, table

#: Longer names are cut in the columns of a table.
NAME = 10


def heading(setup: Setup, one: RoundReplay, look: Look) -> str:
    """Return what stands above a round: its number, the leader, the scores it begins with."""
    text = f"Round {one.number}"
    if one.start is None:
        return look.bold(text)
    scores = one.start.scores if one.scores_known else (None,) * setup.side_count
    begins = "leads" if not one.start.layout.placed else "is to move"
    line = f"{text}   {setup.names[one.start.leader]} {begins}   {score_line(setup, scores)}"
    return look.bold(text) + look.folded(line).removeprefix(text)


def score_line(setup: Setup, scores: Sequence[int | None]) -> str:
    """Return the scores as `Ann 45, Bob 30`; partners are named together."""
    return ", ".join(
        f"{side_name(setup, side)} {'?' if points is None else points}"
        for side, points in enumerate(scores)
    )


def side_name(setup: Setup, side: int) -> str:
    """Return the name of a side: its player, or both partners."""
    return " and ".join(setup.names[seat] for seat in setup.members(side))


def event_table(setup: Setup, steps: Sequence[Step], look: Look, *, scores_known: bool) -> str:
    """Return the events as a table: number, player, action, sum, points, scores, tiles.

    Events that brought points stand out in bold; points in brackets were made, not credited.
    Remarks stand below their event.
    """
    if not steps:
        return ""
    sides = [
        Column("+".join(_cut(setup.names[seat]) for seat in setup.members(side)), True, 5)
        for side in range(setup.side_count)
    ]
    columns = [
        Column("n", True, 4),
        Column("player"),
        Column("action"),
        Column("sum", True),
        Column("points", True),
        *sides,
        Column("hands", drop=2),
        Column("yard", True, 1),
    ]
    rows = [_row(setup, step, scores_known) for step in steps]
    lines = table(columns, rows, look.width).splitlines()
    if len(lines) != len(rows) + 1:
        return "\n".join(lines)
    shown = lines[:1]
    for line, step in zip(lines[1:], steps, strict=True):
        shown.append(look.bold(line) if step.event.points else line)
        remarks = fold(remark(setup, step), max(look.width - 4, 16))
        shown += [look.dim(f"    {part}") for part in remarks]
    return "\n".join(shown)


def _row(setup: Setup, step: Step, scores_known: bool) -> list[str]:
    event = step.event
    after = event.action.after
    points = str(event.points) if event.points or event.kind == "play" else ""
    if event.worth and not event.points:
        # Not credited: still to be claimed, or void.
        points = f"({event.worth})"
    return [
        str(event.n),
        _cut(setup.names[event.seat]),
        event.text if after is None else f"{event.text} after {seconds_text(after)} s",
        "" if event.sum is None else str(event.sum),
        points,
        *(str(score) if scores_known else "?" for score in event.scores),
        " ".join(map(str, event.hand_sizes)),
        str(event.boneyard),
    ]


def remark(setup: Setup, step: Step) -> str:
    """Return what else is to be said about an event: its note, and scores that were lost."""
    parts = [step.event.note] if step.event.note else []
    parts += [f"{setup.names[one.seat]} missed {one.points}" for one in step.event.missed]
    return "; ".join(parts)


def _cut(name: str) -> str:
    return name if len(name) <= NAME else name[: NAME - 1] + "."


def table_of(state: State, look: Look) -> str:
    """Return the table of a state as a drawing."""
    return draw(
        state.rules,
        state.layout,
        state.frontier,
        width=look.width,
        unicode=look.unicode,
        color=look.color,
    )


def ending(setup: Setup, one: RoundReplay, look: Look) -> str:
    """Return how a round ended, in a sentence or two."""
    return "\n".join(look.folded(text) for text in _ending(setup, one) if text)


def _ending(setup: Setup, one: RoundReplay) -> list[str]:
    if one.start is None:
        return ["Invalid: it cannot be started."]
    if one.how == "invalid":
        at = len(one.steps) + 1
        return [f"Invalid from action {at} on; what follows is not evaluated."]
    if one.result is None or one.end is None:
        return [_unfinished(setup, one)]
    score = f"Score: {score_line(setup, one.scores)}"
    return [_how(setup, one.result), _left(setup, one.end), score]


def _unfinished(setup: Setup, one: RoundReplay) -> str:
    assert one.end is not None, "only an invalid round has no last state"
    if one.end.closing is not None:
        return "Unfinished: the last score is still open (claim, catch or finish)."
    return f"Unfinished: {setup.names[one.end.turn]} is to move."


def _how(setup: Setup, result: RoundResult) -> str:
    names = " and ".join(setup.names[seat] for seat in result.winners)
    paid = _paid(setup, result)
    match result.how:
        case "out":
            return f"{names} went out{paid}."
        case "target":
            return f"{names} reached the target."
        case "resigned":
            return f"Resigned: {names} won the match."
        case _:
            pass
    if result.replay:
        return "Blocked with equal hands: the round is played again."
    if not result.winners:
        return f"Blocked, and nobody won it{paid}."
    return f"Blocked, and {names} won it{paid}."


def _paid(setup: Setup, result: RoundResult) -> str:
    if result.bonus is None:
        return "; what it paid is not known, because hands are hidden"
    paid = [
        f"{points:+d} for {side_name(setup, side)}"
        for side, points in enumerate(result.bonus)
        if points
    ]
    return f": {', '.join(paid)}" if paid else ""


def _left(setup: Setup, end: State) -> str:
    hands: list[str] = []
    for seat, hand in enumerate(end.hands):
        if hand.size:
            known = " ".join(str(tile) for tile in sorted(hand.tiles, reverse=True))
            hidden = f"{hand.unknown} hidden" if hand.unknown else ""
            hands.append(f"{setup.names[seat]} {' and '.join(filter(None, (known, hidden)))}")
    return f"Left: {'; '.join(hands)}" if hands else ""


def match_line(replay: Replay, look: Look) -> str:
    """Return what closes a replay: the scores, and who has won."""
    setup = replay.record.setup
    text = f"Match   {score_line(setup, replay.scores)}"
    if replay.winners:
        names = " and ".join(setup.names[seat] for seat in replay.winners)
        text += f"   {names} won"
    return look.folded(text)
