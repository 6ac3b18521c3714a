"""The engine at the table: hints in steps, reasons, and where hidden tiles may be."""

from __future__ import annotations

from sniffcli.game.view import View, view_of
from sniffcli.ui.acting import submerged
from sniffcli.ui.reply import Reply, refused
from sniffcli.ui.session import Session


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
    wide = [max(5, len(head)) for head in heads]
    lines = ["tile   " + "  ".join(h.rjust(w) for h, w in zip(heads, wide, strict=True))]
    for tile, chances in sorted(marginals.items(), reverse=True):
        cells = [
            f"{float(chances.get(key, 0)):.0%}".rjust(w) for key, w in zip(keys, wide, strict=True)
        ]
        lines.append(f"{tile!s:5}  " + "  ".join(cells))
    return Reply("\n".join(lines))


def readable(session: Session, seat: int) -> View | Reply:
    """Return what SEAT may know, or why it may not ask now."""
    if session.game.is_bot(seat):
        return refused(f"{session.setup.names[seat]} is played by a bot")
    if submerged(session, seat):
        return refused("you are under water and see no table")
    if session.state.hands[seat].unknown:
        return refused(f"the hand of {session.setup.names[seat]} is not known")
    return view_of(session.state, seat)


def next_hint(session: Session, seat: int) -> Reply:
    """Return the next step of the hint for the seat to move."""
    view = readable(session, seat)
    return view if isinstance(view, Reply) else refused("this copy has no engine to ask")


def reasons(session: Session, seat: int) -> Reply:
    """Return what speaks for and against the choices of the seat to move."""
    view = readable(session, seat)
    return view if isinstance(view, Reply) else refused("this copy has no engine to ask")
