"""The engine at the table: hints in steps, reasons, and where hidden tiles may be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sniffcli.game.actions import Play
from sniffcli.game.plays import resolve
from sniffcli.game.state import State
from sniffcli.game.view import View, view_of
from sniffcli.show.folding import fitted
from sniffcli.show.style import Look
from sniffcli.show.tables import Column
from sniffcli.show.tables import table as draw_table
from sniffcli.table.layout import Move
from sniffcli.ui.acting import submerged
from sniffcli.ui.reply import Reply, refused
from sniffcli.ui.session import Session

if TYPE_CHECKING:
    from sniffcli.engine.advice import Advice, Option

#: The parts of a margin in words, in the order of `Parts`.
PARTS = ("now", "reply", "your next", "rest", "end")

#: What to think of where a part of the margin makes the difference.
THEMES = (
    "Count what each play scores now.",
    "Watch what you leave to the next player.",
    "Think of your own next turn.",
    "Think of the rest of the round: which numbers are yours?",
    "Think of the end: who goes out, and with how many pips left?",
)


def advice_for(session: Session, state: State, seat: int) -> Advice | str:
    """Return the advice for SEAT in a position, asked once per position; or why there is none."""
    from sniffcli.engine.advice import advise
    from sniffcli.engine.worlds import ContradictionError

    kept = session.advised
    if kept is not None and kept[0] is state and kept[1] == seat:
        return kept[2]
    try:
        advice = advise(view_of(state, seat), session.options.worlds)
    except (ValueError, ContradictionError) as problem:
        return str(problem)
    session.advised = (state, seat, advice)
    return advice


def next_hint(session: Session, seat: int) -> Reply:
    """Return the next step of the hint: theme, tile, table, and what makes the difference."""
    view = readable(session, seat)
    if isinstance(view, Reply):
        return view
    advice = advice_for(session, session.state, seat)
    if isinstance(advice, str):
        return refused(advice)
    if advice.forced is not None:
        return Reply(f"there is only one thing to do: {advice.best.play}")
    session.hinted.add((session.game.number, len(session.state.events) + 1))
    session.hint_steps += 1
    if session.hint_steps == 1:
        return Reply(theme(advice))
    if session.hint_steps == 2:
        return Reply(_tile(advice))
    lines = table(advice, session.options.look)
    if session.hint_steps > 3:
        lines += ["", *differences(advice, advice.options[1])]
    return _wrapped(session, lines)


def theme(advice: Advice) -> str:
    """Return what to think of, without naming a tile."""
    best = advice.best
    most = max(option.points for option in advice.options)
    if most and best.points == most:
        return "A play scores."
    if most:
        highest = (option for option in advice.options if option.points == most)
        if all(option.established for option in highest):
            return "The highest score is not the best play here: watch what it leaves."
        return "A play scores, but another may be worth as much: watch what it leaves."
    worse = next((option for option in advice.options[1:] if option.established), None)
    if worse is None:
        return "No choice is clearly better than another here."
    gaps = [one - other for one, other in zip(best.parts, worse.parts, strict=True)]
    return THEMES[gaps.index(max(gaps))]


def _tile(advice: Advice) -> str:
    action = advice.best.action
    return f"The tile is {action.tile}." if isinstance(action, Play) else f"Think of {action.kind}."


#: The columns of the choices at the table, what is left out first where there is no room.
CHOICES = (
    Column("play"),
    Column("pts", right=True, drop=1),
    Column("margin", right=True),
    Column("loss"),
)


def table(advice: Advice, look: Look) -> list[str]:
    """Return the choices best first, as narrow as they go."""
    rows = [
        [
            option.play,
            str(option.points),
            f"{option.value:+.1f}",
            "best" if option is advice.best else _loss(advice, option, look),
        ]
        for option in advice.options
    ]
    drawn = draw_table(CHOICES, rows, look.width)
    return [*drawn.splitlines(), f"({advice.method}, {advice.worlds} deals)"]


def _loss(advice: Advice, option: Option, look: Look) -> str:
    """Return a loss with half the width of the interval by which it is judged, as `sniff hint`."""
    from sniffcli.engine.stats import Difference, half_width

    judged = Difference(option.loss, option.loss_se, option.worlds)
    sign = "±" if look.unicode else "+/-"
    error = f" {sign}{half_width(judged, len(advice.options)):.1f}" if option.loss_se else ""
    sure = "" if option.established else "  (too close to tell)"
    return f"{option.loss:.1f}{error}{sure}"


def differences(advice: Advice, other: Option) -> list[str]:
    """Return where the margins of the best choice and another one come from."""
    best = advice.best
    lines = [f"{best.play} against {other.play}, in points of margin:"]
    for name, one, two in zip(PARTS, best.parts, other.parts, strict=True):
        lines.append(f"{name:9}{one:+7.1f}{two:+7.1f}{one - two:+7.1f}")
    lines.append(f"{'together':9}{best.value:+7.1f}{other.value:+7.1f}{other.loss:+7.1f}")
    if not other.established:
        return [*lines, "These two are too close to tell apart on so many deals."]
    from sniffcli.tutor.reasons import contrast

    return [*lines, *contrast(advice, best, other).told]


def reasons(session: Session, seat: int) -> Reply:
    """Explain the choices of the seat to move, or else its last play."""
    view = readable(session, seat)
    if isinstance(view, Reply):
        return view
    state = session.state
    if not state.over and state.closing is None and state.turn == seat:
        session.hint_steps = max(session.hint_steps, 3)
        return next_hint(session, seat)
    number = next((e.n for e in reversed(state.events) if e.kind == "play" and e.seat == seat), 0)
    if not number:
        return refused(f"{session.setup.names[seat]} has not played in this round yet")
    before, event = session.game.history[number - 1], state.events[number - 1]
    advice = advice_for(session, before, seat)
    if isinstance(advice, str):
        return refused(advice)
    played = option_of(advice, before, event.action) if isinstance(event.action, Play) else None
    if advice.forced is not None or played is None:
        return Reply(f"{event.text} was the only thing to do")
    lines = table(advice, session.options.look)
    if played is advice.best:
        lines += ["", f"Your play {played.play} is the best by this measure."]
        return _wrapped(session, [*lines, *differences(advice, advice.options[1])])
    return _wrapped(session, [*lines, "", *differences(advice, played)])


def _wrapped(session: Session, lines: list[str]) -> Reply:
    """Return the lines, sentences folded to the width and rows of tables as they are."""
    width = session.options.look.width
    return Reply(fitted("\n".join(lines), width))


def option_of(advice: Advice, state: State, play: Play) -> Option | None:
    """Return the choice that PLAY means; plays that lead to alike tables are the same."""
    meant = resolve(state.setup, state.layout, state.frontier, play)
    if not isinstance(meant, Move):
        return None
    for option in advice.options:
        if isinstance(option.action, Play) and option.action.tile == play.tile:
            move = resolve(state.setup, state.layout, state.frontier, option.action)
            if isinstance(move, Move) and move.frontier == meant.frontier:
                return option
    return None


def where_unseen(session: Session, seat: int) -> Reply:
    """Return for each hidden tile the chance that each player holds it."""
    view = readable(session, seat)
    if isinstance(view, Reply):
        return view
    from sniffcli.engine.counting import BONEYARD
    from sniffcli.engine.worlds import ContradictionError, worlds_of

    try:
        marginals = worlds_of(view).marginals()
    except ContradictionError as problem:
        return refused(problem)
    if not marginals:
        return Reply("you see every tile")
    names = session.setup.names
    owners = [one for one in range(len(names)) if one != seat and view.hand_sizes[one]]
    heads = [names[one] for one in owners] + (["boneyard"] if view.boneyard else [])
    keys = owners + ([BONEYARD] if view.boneyard else [])
    rows = [
        [str(tile), *(f"{float(chances.get(key, 0)):.0%}" for key in keys)]
        for tile, chances in sorted(marginals.items(), reverse=True)
    ]
    columns = [Column("tile"), *(Column(head, right=True) for head in heads)]
    return Reply(draw_table(columns, rows, session.options.look.width))


def readable(session: Session, seat: int) -> View | Reply:
    """Return what SEAT may know, or why it may not ask now."""
    if session.game.is_bot(seat):
        return refused(f"{session.setup.names[seat]} is played by a bot")
    if submerged(session, seat):
        return refused("you are under water and see no table")
    secret = session.secret(seat)
    if secret:
        return refused(secret)
    if session.state.hands[seat].unknown:
        return refused(f"the hand of {session.setup.names[seat]} is not known")
    return view_of(session.state, seat)
