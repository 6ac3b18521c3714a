"""`apply`: one action on one state gives the next state and its event; nothing else changes a game.

`verify`, `apply` and what a command refuses share one implementation, `attempt`.
"""

from __future__ import annotations

from sniffcli.game import claims
from sniffcli.game.actions import (
    Action,
    Catch,
    Claim,
    Draw,
    Finish,
    IllegalAction,
    Keelhaul,
    Pass,
    Play,
    Refusal,
    Resign,
)
from sniffcli.game.legal import (
    able_tiles,
    bound_to_drawn,
    draw_limit,
    draw_refusal,
    is_blocked,
    lead_refusal,
    next_seat,
    pass_refusal,
    passes_while_able,
    playable_tiles,
    seats_holding,
)
from sniffcli.game.plays import is_misjoin, play_text, resolve
from sniffcli.game.settle import creditable, credited, last_tile, settle, stopped
from sniffcli.game.state import Event, Pending, State
from sniffcli.ruleset.words import PerKnock
from sniffcli.table.counting import count, worth
from sniffcli.table.frontier import open_ends
from sniffcli.table.layout import Move
from sniffcli.tiles import Tile


def verify(state: State, action: Action) -> Refusal | None:
    """Return why ACTION cannot be done now, or None if it can."""
    done = attempt(state, action)
    return done if isinstance(done, Refusal) else None


def apply(state: State, action: Action) -> tuple[State, Event]:
    """Return the state after ACTION and what it did; raise IllegalAction if `verify` refuses it."""
    done = attempt(state, action)
    if isinstance(done, Refusal):
        raise IllegalAction(done)
    return done


def attempt(state: State, action: Action) -> tuple[State, Event] | Refusal:
    """Return the next state and the event, or why there is none. STATE itself never changes."""
    if state.over:
        return Refusal("over", "the round is over")
    if state.closing is not None and isinstance(action, (Play, Draw, Pass)):
        return Refusal("over", "no tile can be laid any more: claim, catch or finish")
    clocked = claims.clocked(state, action)
    if isinstance(clocked, Refusal):
        return clocked
    ready = claims.swept(clocked)
    match action:
        case Play():
            return _play(ready, action, state)
        case Draw():
            return _draw(ready, action, state)
        case Pass():
            return _pass(ready, action, state)
        case Resign():
            done: tuple[State, int, str] | Refusal = claims.resign(ready, action)
        case Claim():
            done = claims.claim(ready, action)
        case Catch():
            done = claims.catch(ready, action)
        case Keelhaul():
            done = claims.keelhaul(ready, action)
        case Finish():
            done = claims.finish(ready, action)
    if isinstance(done, Refusal):
        return done
    after, points, note = done
    after = _target_reached(after, action.seat)
    if after.closing is not None and not after.pending:
        after = settle(after, after.closing)
    return _recorded(state, after, action, points=points, note=note)


def _turn_refusal(state: State, action: Action) -> Refusal | None:
    if action.seat == state.turn:
        return None
    names = state.setup.names
    return Refusal("turn", f"it is {names[state.turn]}'s turn, not {names[action.seat]}'s")


def _play(state: State, action: Play, was: State) -> tuple[State, Event] | Refusal:
    refusal = _turn_refusal(state, action) or _holding_refusal(state, action.tile)
    if refusal is not None:
        return refusal
    if state.frontier.is_empty:
        refusal = lead_refusal(state, action.tile)
        if refusal is not None:
            return refusal
    move = resolve(state.setup, state.layout, state.frontier, action)
    if isinstance(move, Refusal):
        return move
    bound = bound_to_drawn(state)
    if bound is not None and action.tile != bound:
        return Refusal("draw", f"{bound} was drawn and can be played, so it must be played now")
    return _laid(state, action, move, was)


def _holding_refusal(state: State, tile: Tile) -> Refusal | None:
    if tile not in state.setup.tiles:
        return Refusal("tile", f"{tile} is not in the double-{state.rules.set.max_pip} set in use")
    if tile in state.layout.tiles:
        return Refusal("tile", f"{tile} is on the table already")
    hand = state.hands[state.turn]
    name = state.setup.names[state.turn]
    if tile in hand.tiles:
        return None
    if not hand.unknown:
        return Refusal("tile", f"{name} does not hold {tile}")
    for seat, other in enumerate(state.hands):
        if tile in other.tiles:
            return Refusal("tile", f"{tile} is in {state.setup.names[seat]}'s hand")
    if tile in state.boneyard.known:
        return Refusal("tile", f"{tile} is in the boneyard")
    return None


def _laid(state: State, action: Play, move: Move, was: State) -> tuple[State, Event]:
    """Lay the tile: table, hand, score, turn, and the end of the round if this was it."""
    setup, rules, seat = state.setup, state.rules, state.turn
    side = setup.sides[seat]
    text = play_text(setup, state.layout, state.frontier, move)
    note = ""
    joining = setup.misjoins_stand and not state.frontier.is_empty
    if joining and is_misjoin(setup, state.layout, state.frontier, move):
        note = "false join, let stand"
    hands = list(state.hands)
    hands[seat] = hands[seat].without(action.tile)
    leading = state.frontier.is_empty
    value = worth(rules, move.frontier) if rules.open.scores or not leading else 0
    after = state._replace(
        hands=tuple(hands),
        layout=state.layout.with_move(rules, move),
        frontier=move.frontier,
        must_lead=None,
        laid=state.laid + 1,
        laid_at=state.now,
        closer=seat,
        drawn=0,
        last_drawn=None,
        passes=0,
        extra=False,
    )
    after = claims.swept(after)
    goes_out = _goes_out(after, seat)
    points = 0
    if rules.claim.mode == "automatic":
        if goes_out:
            after, credit = last_tile(after, seat, value)
        else:
            credit = creditable(after, side, value, source="play", going_out=False)
        points, note = credit.points, note or credit.note
        after = credited(after, side, points, entering=True)
    elif value:
        after = after._replace(pending=(*after.pending, Pending(seat, value, after.laid)))
    bonus = rules.pass_.bonus
    if isinstance(bonus, PerKnock) and state.passes:
        knocks = creditable(
            after, side, bonus.points * state.passes, source="bonus", going_out=goes_out
        )
        points += knocks.points
        after = credited(after, side, knocks.points, entering=False)
    bundled = goes_out and rules.match.bundle == "play_and_out"
    if not bundled:
        after = _target_reached(after, seat)
    if not after.over:
        after = _turn_after_play(after, seat, move.tile, value, drew=bool(state.drawn))
        after = ended(after, goes_out)
    on = None if move.spot is None else state.layout.placed[move.spot.nth].tile
    return _recorded(was, after, action, text=text, on=on, worth=value, points=points, note=note)


def _goes_out(state: State, seat: int) -> bool:
    """Whether the round ends because SEAT has laid its last tile."""
    if state.hands[seat].size:
        return False
    if state.rules.round_end.when == "first_out":
        return True
    members = state.setup.members(state.setup.sides[seat])
    return all(not state.hands[one].size for one in members)


def _turn_after_play(state: State, seat: int, tile: Tile, value: int, *, drew: bool) -> State:
    """Give the turn on, or keep it where the ruleset grants an extra turn (rules.md 2.8)."""
    after = state.rules.extra_turn.after
    earned = ("double" in after and tile.is_double) or ("score" in after and value > 0)
    # A drawn tile is played and the turn is over, even if it is a double or scores.
    if earned and not drew and state.hands[seat].size:
        return state._replace(turn=seat, extra=True)
    return state._replace(turn=next_seat(state, seat))


def _draw(state: State, action: Draw, was: State) -> tuple[State, Event] | Refusal:
    refusal = _turn_refusal(state, action) or draw_refusal(state)
    if refusal is not None:
        return refusal
    tile = action.tile
    if state.boneyard.known:
        first = state.boneyard.known[0]
        if tile is not None and tile != first:
            return Refusal("draw", f"the next tile of the boneyard is {first}, not {tile}")
        tile = first
    elif tile is not None:
        refusal = _drawn_tile_refusal(state, tile)
        if refusal is not None:
            return refusal
    elif state.boneyard.unknown == 1 and state.all_known and len(state.unseen()) == 1:
        # The last tile of a boneyard whose order is unknown is known all the same.
        tile = next(iter(state.unseen()))
    hands = list(state.hands)
    hands[state.turn] = hands[state.turn].plus(tile)
    after = state._replace(
        hands=tuple(hands),
        boneyard=state.boneyard.drawn(),
        drawn=state.drawn + 1,
        last_drawn=tile,
        passes=0,
    )
    after = _turn_after_draw(after)
    after = ended(after, False)
    text = "draw" if tile is None else f"draw {tile}"
    return _recorded(was, after, action, text=text, tile=tile)


def _drawn_tile_refusal(state: State, tile: Tile) -> Refusal | None:
    if tile not in state.setup.tiles:
        return Refusal("tile", f"{tile} is not in the double-{state.rules.set.max_pip} set in use")
    if tile in state.layout.tiles:
        return Refusal("tile", f"{tile} is on the table and cannot be drawn")
    for seat, hand in enumerate(state.hands):
        if tile in hand.tiles:
            return Refusal("tile", f"{tile} is in {state.setup.names[seat]}'s hand already")
    return None


def _turn_after_draw(state: State) -> State:
    """End the turn after a draw where drawing ends it (`draw.then: turn_ends`)."""
    if state.rules.draw.then != "turn_ends" or state.frontier.is_empty:
        return state
    limit = draw_limit(state)
    full = limit is not None and state.drawn >= limit
    if not full and state.drawable and not playable_tiles(state):
        return state
    return state._replace(turn=next_seat(state, state.turn), drawn=0, last_drawn=None, extra=False)


def _pass(state: State, action: Pass, was: State) -> tuple[State, Event] | Refusal:
    refusal = _turn_refusal(state, action) or pass_refusal(state)
    if refusal is not None:
        return refusal
    rules, seat = state.rules, state.turn
    declined = state.extra and not rules.extra_turn.forced
    able = () if declined or state.frontier.is_empty else able_tiles(state)
    penal = not declined and passes_while_able(state)
    points, note = 0, ""
    after = state
    if penal:
        points = -rules.pass_.penalty
        # Which tile it was is nobody else's business, so the record does not say.
        note = "passed while able to play"
        after = credited(after, state.setup.sides[seat], points, entering=False)
    # Declining, keeping a drawn tile and passing while able prove nothing and block nothing.
    counts = not declined and not able and not penal
    after = after._replace(
        turn=next_seat(state, seat),
        passes=state.passes + 1 if counts else 0,
        drawn=0,
        last_drawn=None,
        extra=False,
    )
    after = ended(after, False)
    return _recorded(was, after, action, points=points, note=note)


def _target_reached(state: State, seat: int) -> State:
    """End the match at once where the ruleset tests the target at every credit."""
    target = state.setup.target
    if state.over or target is None or state.rules.match.check != "at_once":
        return state
    if state.rules.match.winner_is == "low":
        return state
    reached = [side for side, score in enumerate(state.scores) if score >= target]
    if not reached:
        return state
    own = state.setup.sides[seat]
    if own in reached:
        return stopped(state, "target", (seat,))
    best = max(reached, key=lambda side: state.scores[side])
    return stopped(state, "target", state.setup.members(best))


def ended(state: State, goes_out: bool = False) -> State:
    """Settle the round if it is over, or keep it open for a score that is still unclaimed."""
    how = None
    if goes_out:
        how = "out"
    elif not state.frontier.is_empty and (
        is_blocked(state) or (state.passes and state.passes >= seats_holding(state))
    ):
        how = "blocked"
    if how is None:
        return state
    if state.pending and state.rules.claim.at_round_end == "owner_may_claim":
        return state._replace(closing="out" if goes_out else "blocked")
    return settle(state, "out" if goes_out else "blocked")


def _recorded(
    before: State,
    after: State,
    action: Action,
    *,
    text: str = "",
    tile: Tile | None = None,
    on: Tile | None = None,
    worth: int = 0,
    points: int = 0,
    note: str = "",
) -> tuple[State, Event]:
    """Return the state with the event of ACTION added to its record."""
    scores = after.scores
    if after.result is not None and after.result.how in ("out", "blocked"):
        # The event shows the scores before the round was settled; the result shows the rest.
        side = before.setup.sides[action.seat]
        scores = tuple(one + points if k == side else one for k, one in enumerate(before.scores))
    event = Event(
        n=len(before.events) + 1,
        action=action,
        tile=action.tile if isinstance(action, Play) else tile,
        on=on,
        text=text or _words(before, action),
        sum=None if after.frontier.is_empty else count(after.rules, after.frontier),
        worth=worth,
        points=points,
        ends=open_ends(after.rules, after.frontier),
        scores=scores,
        hand_sizes=tuple(hand.size for hand in after.hands),
        boneyard=after.boneyard.size,
        frontier=after.frontier,
        time=after.now,
        missed=_missed(before, after, action, worth),
        note=note,
    )
    return after._replace(events=(*before.events, event)), event


def _missed(before: State, after: State, action: Action, worth: int) -> tuple[Pending, ...]:
    """Return the scores that this action ended unclaimed: lost, or taken by a rival."""
    left = {(one.seat, one.tile_number) for one in after.pending}
    gone = [one for one in before.pending if (one.seat, one.tile_number) not in left]
    if isinstance(action, Claim):
        gone = [one for one in gone if one.seat != action.seat]
    made = Pending(action.seat, worth, after.laid)
    if worth and after.over and after.rules.claim.mode == "declare" and isinstance(action, Play):
        gone.append(made)
    return tuple(one._replace(missed=True) for one in gone)


def _words(state: State, action: Action) -> str:
    names = state.setup.names
    if isinstance(action, Claim) and action.points is not None:
        return f"claim {action.points}"
    if isinstance(action, (Catch, Keelhaul)):
        return f"{action.kind} {names[action.target]}"
    return action.kind
