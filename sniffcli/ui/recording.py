"""Keeping score at a real table: the same session with hidden hands and a few verbs of its own."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from sniffcli.game.actions import IllegalAction
from sniffcli.game.deal import leader, leader_among_known
from sniffcli.game.match import Match, start_round
from sniffcli.game.settle import pay_blocked, pay_out, pips_range
from sniffcli.game.state import Boneyard, Event, Hand, State
from sniffcli.problems import did_you_mean
from sniffcli.tiles import Tile, TileError, parse_tile
from sniffcli.ui import table_talk
from sniffcli.ui.live import Start
from sniffcli.ui.reply import Reply, refused
from sniffcli.ui.session import Session
from sniffcli.ui.verb import Verb


def hidden(match: Match) -> Start:
    """Deal a round of which nothing is known but how many tiles everybody has."""
    setup = match.setup
    size = setup.rules.hand_size(setup.seats)
    hands = (Hand((), size),) * setup.seats
    return Start(_opened(match, hands, None))


def _opened(match: Match, hands: tuple[Hand, ...], seat: int | None) -> State:
    setup = match.setup
    first = seat if seat is not None else (leader(setup, hands, match.previous).seat or 0)
    choice = leader_among_known(setup, hands, match.previous, first)
    must_lead = choice.must_lead if first == choice.seat else None
    rest = len(setup.tiles) - sum(hand.size for hand in hands)
    return start_round(match, hands, Boneyard((), rest), first, must_lead=must_lead)


@dataclass
class Recorder(Session):
    """A session that writes down what happens at a real table."""

    #: Pips that were left in the hands after a round, by seat, and the number of that round.
    left: dict[int, int] = field(default_factory=dict)
    left_in: int = 0
    #: By round how it began before it was said who leads or what was dealt.
    openings: dict[int, list[Start]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Take the game, with the verbs of a recorder."""
        super().__post_init__()
        self.recording = True
        self.extra = VERBS

    def execute(self, line: str, seat: int | None = None) -> Reply:
        """Carry out one line; whoever acts first leads, where the rules leave that open."""
        speaker, rest = self.addressed(line.strip())
        state = self.state
        if speaker is not None and rest and not state.events and not self.game.settled:
            choice = leader(self.setup, state.hands, self.game.match.previous)
            if choice.seat is None and speaker != state.turn:
                self.reopen(state.hands, speaker)
        events = self.state.events
        reply = super().execute(line, seat)
        if reply.ok and len(self.state.events) > len(events):
            reply = replace(reply, text=reply.text + self._doubt())
        return reply

    def _doubt(self) -> str:
        """Say so where no hands explain what is written; somebody may have mistyped."""
        from sniffcli.engine.worlds import contradiction

        state = self.state
        if not any(hand.unknown for hand in state.origin.hands):
            return ""
        clash = contradiction(state)
        # What was impossible before is not said again with every play.
        if clash is None or clash.second not in (0, state.events[-1].n):
            return ""
        return f"\nThis cannot be: {clash.message}. `undo` takes it back."

    def reopen(self, hands: tuple[Hand, ...], seat: int | None) -> None:
        """Begin the round again, before its first action, with other hands or another leader."""
        self.openings.setdefault(self.game.number, []).append(self.game.start)
        self.game.begin(Start(_opened(self.game.match, hands, seat)))

    def tell(self, event: Event) -> str:
        """Return an event with the running totals where points were made."""
        text = super().tell(event)
        if event.points:
            totals = "  ".join(
                f"{'+'.join(self.setup.names[one] for one in self.setup.members(side))} {points}"
                for side, points in enumerate(event.scores)
            )
            text += f"   ({totals})"
        return text


def _seat_of(session: Session, name: str) -> int | Reply:
    names = session.setup.names
    if name in names:
        return names.index(name)
    hint = did_you_mean(name, names) or f"; the players are {', '.join(names)}"
    return refused(f'nobody is called "{name}"{hint}')


def _before_play(session: Session) -> Reply | None:
    if session.state.events or session.game.settled:
        return refused("this belongs before the first action of a round; undo takes actions back")
    return None


def set_leader(session: Session, rest: str, seat: int | None) -> Reply:
    """Say who leads the round."""
    assert isinstance(session, Recorder), "only a recorder has this verb"
    late, who = _before_play(session), _seat_of(session, rest)
    if late is not None or isinstance(who, Reply):
        return late or (who if isinstance(who, Reply) else Reply())
    session.reopen(session.state.hands, who)
    return Reply(f"{rest} leads", changed=True)


def set_hand(session: Session, rest: str, seat: int | None) -> Reply:
    """Write down a hand that is known, such as one's own."""
    assert isinstance(session, Recorder), "only a recorder has this verb"
    late = _before_play(session)
    if late is not None:
        return late
    words = rest.replace(",", " ").split()
    cut = next((n for n, word in enumerate(words) if any(c.isdigit() for c in word)), len(words))
    who = _seat_of(session, " ".join(words[:cut]))
    if isinstance(who, Reply):
        return who
    try:
        tiles = tuple(parse_tile(word) for word in words[cut:])
    except TileError as problem:
        return refused(problem)
    wrong = _wrong_hand(session, who, tiles)
    if wrong:
        return refused(wrong)
    hands = tuple(
        Hand(tiles) if one == who else hand for one, hand in enumerate(session.state.hands)
    )
    choice = leader(session.setup, hands, session.game.match.previous)
    session.reopen(hands, choice.seat if choice.seat is not None else session.state.turn)
    return Reply(f"{session.setup.names[who]} holds {' '.join(map(str, tiles))}", changed=True)


def _wrong_hand(session: Session, who: int, tiles: tuple[Tile, ...]) -> str:
    setup = session.setup
    size = setup.rules.hand_size(setup.seats)
    if len(tiles) != size:
        return f"a hand has {size} tiles, and {len(tiles)} are written"
    for tile in tiles:
        if tile not in setup.tiles:
            pip = setup.rules.set.max_pip
            removed = f"{tile} was taken out of the set"
            return removed if tile.high <= pip else f"{tile} is not in the double-{pip} set in use"
        if tiles.count(tile) > 1:
            return f"{tile} is written twice"
        for one, hand in enumerate(session.state.hands):
            if one != who and tile in hand.tiles:
                return f"{tile} is in {setup.names[one]}'s hand"
    return ""


def _name_and_number(session: Session, rest: str, form: str) -> tuple[int, int] | Reply:
    name, _, number = rest.rpartition(" ")
    if not name or not number.isdecimal() or len(number) > 4:
        return refused(f"write it like {form}")
    who = _seat_of(session, name.strip())
    return who if isinstance(who, Reply) else (who, int(number))


def set_left(session: Session, rest: str, seat: int | None) -> Reply:
    """Write down the pips that a player was left with; when all are known, the round is paid."""
    assert isinstance(session, Recorder), "only a recorder has this verb"
    given = _name_and_number(session, rest, f"left {session.setup.names[-1]} 12")
    if isinstance(given, Reply):
        return given
    setup, game = session.setup, session.game
    state = session.state if game.unpaid is None else game.unpaid
    result = state.result
    if result is None or result.bonus is not None:
        return refused("this belongs behind a round whose hands are hidden")
    who, written = given
    least, most = pips_range(state)[who]
    if not least <= written <= most:
        size = state.hands[who].size
        tiles = "no tile" if not size else "one tile" if size == 1 else f"{size} tiles"
        held = f"{least} pips" if least == most else f"{least} to {most} pips"
        return refused(f"{setup.names[who]} has {tiles} left, which can be {held}")
    if session.left_in != game.number:
        session.left, session.left_in = {}, game.number
    session.left[who] = written
    pips = [
        session.left.get(one, 0 if not hand.size else result.pips[one])
        for one, hand in enumerate(state.hands)
    ]
    missing = [setup.names[one] for one, count in enumerate(pips) if count is None]
    if missing:
        return Reply(f"noted; still to come: {', '.join(missing)}")
    if result.how == "out":
        assert result.closer is not None, "somebody went out"
        payment = pay_out(setup, result.closer, pips)
    else:
        payment = pay_blocked(setup, state.hands, pips, result.leader, result.closer)
    return _paid(session, payment.bonus or (0,) * setup.side_count)


def set_bonus(session: Session, rest: str, seat: int | None) -> Reply:
    """Write down what the end of the round paid a player."""
    given = _name_and_number(session, rest, f"bonus {session.setup.names[0]} 15")
    if isinstance(given, Reply):
        return given
    sides = session.setup.sides
    bonus = tuple(
        given[1] if side == sides[given[0]] else 0 for side in range(session.setup.side_count)
    )
    return _paid(session, bonus)


def _paid(session: Session, bonus: tuple[int, ...]) -> Reply:
    from sniffcli.ui.screens import round_over

    try:
        session.game.pay(bonus)
    except IllegalAction as problem:
        return refused(problem.refusal)
    return Reply("\n".join(round_over(session)), changed=True)


def undo(session: Session, rest: str, seat: int | None) -> Reply:
    """Take back the last that was written: an action, how the round begins, or its deal."""
    assert isinstance(session, Recorder), "only a recorder has this verb"
    game = session.game
    # What was left belongs to the end that is taken back.
    session.left, session.left_in = {}, 0
    if session.state.events or game.settled:
        return table_talk.undo(session, rest, seat)
    if session.openings.get(game.number):
        game.begin(session.openings[game.number].pop())
        return Reply("taken back: what was written before the first action", changed=True)
    try:
        game.step_back()
    except IllegalAction as problem:
        return refused(problem.refusal)
    return Reply(f"back at the end of round {game.number}", changed=True)


def can_undo(session: Session) -> tuple[str, ...]:
    """Return whether something can be taken back."""
    assert isinstance(session, Recorder), "only a recorder has this verb"
    opened = session.openings.get(session.game.number)
    return ("",) if session.state.events or opened or session.game.past else ()


VERBS = (
    Verb("undo", "undo", "Take back what was written last, round after round.", undo, can_undo),
    Verb("leader", "leader NAME", "Say who leads this round.", set_leader,
         lambda session: () if session.state.events else session.setup.names),
    Verb("dealt", "dealt NAME TILE...", "Write down a hand that you know, before the first play.",
         set_hand, lambda session: () if session.state.events else session.setup.names),
    Verb("left", "left NAME PIPS", "Write down what a player was left with.", set_left,
         lambda session: session.setup.names if session.game.settled else ()),
    Verb("bonus", "bonus NAME N", "Write down what the end of the round paid.", set_bonus,
         lambda session: session.setup.names if session.game.settled else ()),
)  # fmt: skip
