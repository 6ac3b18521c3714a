"""What people see: table, hand, scores, and the pages between rounds and matches."""

from __future__ import annotations

from sniffcli.game.deal import leader
from sniffcli.game.legal import playable_tiles
from sniffcli.show.folding import fold, width_of
from sniffcli.show.table import draw
from sniffcli.tiles import Tile
from sniffcli.ui.acting import submerged
from sniffcli.ui.session import Session
from sniffcli.ui.skins import painted, skinned
from sniffcli.ui.telling import how_it_ended


def board(session: Session, seat: int) -> str:
    """Return the table as SEAT sees it; under water it sees none."""
    options, state = session.options, session.state
    if not session.game.is_bot(seat) and submerged(session, seat):
        return water(session, seat)
    text = draw(
        state.rules,
        state.layout,
        state.frontier,
        width=options.look.width,
        unicode=options.look.unicode,
        hidden_sum=not options.counter,
        color=options.look.color and not painted(options.skin),
        height=options.height,
    )
    return skinned(text, options.skin, options.look)


def water(session: Session, seat: int) -> str:
    """Return the covered table of somebody who was keelhauled."""
    left = session.state.submerged[seat] - session.game.elapsed()
    sign = "≈" if session.options.look.unicode else "~"
    line = sign * min(session.options.look.width, 40)
    text = f"Keelhauled! {session.setup.names[seat]} is under water for {left:.0f} s."
    return "\n".join([line, *fold(text, session.options.look.width), line])


def hand(session: Session, seat: int, prefix: str = "") -> str:
    """Return the tiles of SEAT after PREFIX, those that can be laid now marked."""
    state = session.state
    held = state.hands[seat]
    if not held.size:
        return f"{prefix}no tiles"
    can = frozenset(playable_tiles(state, seat)) if not state.over else frozenset[Tile]()
    if not session.game.is_bot(seat) and submerged(session, seat):
        can = frozenset()
    mark = "·" if session.options.look.unicode else "."
    tiles = [f"{tile}{'*' if tile in can else ''}" for tile in sorted(held.tiles, reverse=True)]
    tiles += ["?"] * held.unknown
    return "\n".join(fold(prefix + f" {mark} ".join(tiles), session.options.look.width))


def scores(session: Session) -> list[str]:
    """Return one line per side with its points, tings included where they are counted."""
    state, setup = session.state, session.setup
    rows = []
    for side, points in enumerate(state.scores):
        members = setup.members(side)
        names = " and ".join(setup.names[seat] for seat in members)
        text = f"{names}: {points}"
        if setup.rules.tings:
            tings = [state.tings[seat] for seat in members if seat not in setup.bots]
            if any(tings):
                text += "   " + " ".join(f"tings {one}" for one in tings)
        rows.append(text)
    if setup.target is not None and session.game.winners is None:
        exactly = "exactly " if setup.rules.match.exact else ""
        rows.append(f"the match goes to {exactly}{setup.target}")
    return rows


def status(session: Session) -> str:
    """Return the line at the foot of the screen: turn, scores, boneyard, mode."""
    state, setup = session.state, session.setup
    points = "  ".join(
        f"{'+'.join(setup.names[seat] for seat in setup.members(side))} {score}"
        for side, score in enumerate(state.scores)
    )
    room = session.options.look.width - 2
    deciding = session.game.owner_deciding()
    turn = f"{setup.names[state.turn]} to move"
    if session.game.settled:
        turn = "round over"
    elif deciding is not None:
        turn = f"{setup.names[deciding]} may claim"
    mode = [setup.rules.id]
    if not session.options.counter:
        mode.append("counter hidden")
    if session.options.tutor != "off":
        mode.append(f"tutor {session.options.tutor}")
    text = turn
    if width_of(f"{turn} | {points}") > room:
        # The prompt says whose turn it is; without room for names the scores stand in their order.
        return points if width_of(points) <= room else " - ".join(map(str, state.scores))
    for part in (points, f"boneyard {state.boneyard.size}", ", ".join(mode)):
        # What has no room is left out, the least important first.
        if width_of(text) + width_of(part) + 3 > room:
            break
        text += f" | {part}"
    return text


def seats(session: Session, viewer: int) -> str:
    """Return how many tiles the others hold."""
    state, setup = session.state, session.setup
    parts = []
    for seat, held in enumerate(state.hands):
        if seat == viewer:
            continue
        text = f"{setup.names[seat]} {held.size} tile{'' if held.size == 1 else 's'}"
        if submerged(session, seat):
            text += " (under water)"
        parts.append(text)
    return ", ".join(parts)


def round_opened(session: Session) -> str:
    """Return the line that opens a round."""
    game, state = session.game, session.state
    name = session.setup.names[state.turn]
    text = f"Round {game.number}. {name} leads"
    if session.recording and any(hand.unknown for hand in state.hands):
        choice = leader(session.setup, state.hands, game.match.previous)
        if choice.seat is None and not state.events:
            # Who holds the tile that leads is not known: whoever acts first, leads.
            return f"Round {game.number}."
    if not state.frontier.is_empty:
        text = f"Round {game.number}. {name} is to move"
    if state.must_lead is not None:
        text += f" {state.must_lead}"
    if game.start.redeals:
        times = "once" if game.start.redeals == 1 else f"{game.start.redeals} times"
        text += f" (hands thrown in {times})"
    return text + "."


def round_over(session: Session) -> list[str]:
    """Return the page after a round: who went out, what was left, what it paid, the scores."""
    state, setup = session.state, session.setup
    result = state.result
    assert result is not None, "the round is over"
    lines = [f"Round {session.game.number} is over.", how_it_ended(result, setup)]
    for seat, held in enumerate(state.hands):
        if held.size:
            tiles = " ".join(map(str, sorted(held.tiles, reverse=True)))
            pips = result.pips[seat]
            left = "" if pips is None else f" ({pips} pip{'' if pips == 1 else 's'})"
            tiles += " ?" * held.unknown
            lines.append(f"  {setup.names[seat]} still holds {tiles.strip()}{left}")
    if result.bonus is not None:
        for side, points in enumerate(result.bonus):
            if points:
                names = " and ".join(setup.names[seat] for seat in setup.members(side))
                lines.append(f"  {names} {points:+} for the end of the round")
    lines += scores(session)
    if result.bonus is None:
        lines.append(
            "The hands are hidden: write what was left, like left NAME 12, or bonus NAME 10."
        )
        return lines
    if session.game.winners is not None:
        lines += ["", *match_over(session)]
    return lines


def match_over(session: Session) -> list[str]:
    """Return the page after a match: winner, title and statistics."""
    from sniffcli.ui.honours import title
    from sniffcli.ui.statistics import rows_of

    won = session.game.winners or ()
    setup = session.setup
    names = " and ".join(setup.names[seat] for seat in won)
    verb = "wins" if len(won) == 1 else "win"
    lines = [f"{names} {verb} the match."]
    for seat in won:
        if seat in session.game.people:
            lines.append(f"{setup.names[seat]} is {title(setup.rules)}.")
    return [*lines, *rows_of(session.game)]


def turn_page(session: Session, seat: int) -> str:
    """Return the screen before a turn: table, others, own hand."""
    lines = [board(session, seat), ""]
    if session.recording:
        return "\n".join([*lines, *fold(status(session), session.options.look.width)])
    others = seats(session, seat)
    if others:
        lines += fold(others, session.options.look.width)
    if not session.game.is_bot(seat):
        lines.append(hand(session, seat, f"{session.setup.names[seat]} holds "))
    return "\n".join(lines)


def hand_over(session: Session, seat: int) -> str:
    """Return the screen between two people at one keyboard: it hides every hand."""
    name = session.setup.names[seat]
    return f"Hand the keyboard to {name}; the others look away."
