"""What a seat may know, as messages, and those messages folded back into a state.

The host keeps the whole state; a terminal folds the messages of its own seat. Its state has
counts where others hold tiles, so that nothing on it can show what must not be seen.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import Any

from sniffcli.files.notation import parse_action, text_of_action
from sniffcli.game.actions import Action, Draw, Play, Refusal
from sniffcli.game.match import Match
from sniffcli.game.plays import resolve
from sniffcli.game.state import (
    Boneyard,
    Event,
    Hand,
    Origin,
    Pending,
    RoundResult,
    Setup,
    State,
)
from sniffcli.game.view import view_of
from sniffcli.net.protocol import Message
from sniffcli.table.counting import count
from sniffcli.table.frontier import open_ends
from sniffcli.tiles import Tile, parse_tile


class Strange(ValueError):
    """A message of the host that does not follow from the ones before it."""


# A round begins


def round_message(state: State, seat: int, number: int, redeals: int, promise: str) -> Message:
    """Return what SEAT is told when round NUMBER is dealt; PROMISE is the hash of the deal."""
    view = view_of(state, seat)
    return {
        "type": "round",
        "round": number,
        "redeals": redeals,
        "deal": promise,
        "leader": state.leader,
        "found": state.origin.found,
        "public": public(state),
        "own": own(state, seat),
        "hand_sizes": list(view.hand_sizes),
    }


def opening(setup: Setup, seat: int, message: Message) -> State:
    """Return the state in which a round begins for SEAT."""
    hands = _hands(seat, message["own"]["hand"], message["hand_sizes"])
    boneyard = Boneyard((), message["public"]["boneyard"])
    leader = message["leader"]
    state = State(
        setup=setup,
        scores=(),
        hands=hands,
        boneyard=boneyard,
        leader=leader,
        turn=leader,
        origin=Origin(hands, boneyard, found=message["found"]),
    )
    return _overlaid(state, seat, message["public"], message["own"])


def _hands(seat: int, held: list[str], sizes: list[int]) -> tuple[Hand, ...]:
    return tuple(
        Hand(tuple(map(parse_tile, held))) if one == seat else Hand((), size)
        for one, size in enumerate(sizes)
    )


# Something happens


def event_message(number: int, state: State, event: Event) -> Message:
    """Return what every seat is told alike of an EVENT of round NUMBER that led to STATE."""
    return {
        "type": "event",
        "round": number,
        "n": event.n,
        "seat": event.seat,
        "do": text_of_action(masked(event), state.setup.names),
        "points": event.points,
        "worth": event.worth,
        "note": event.note,
        "scores": list(event.scores),
        "missed": [list(one) for one in event.missed],
        "time": event.time,
        "elapsed": 0.0,
        "public": public(state),
        "own": {},
    }


def event_for(common: Message, state: State, event: Event, seat: int, elapsed: float) -> Message:
    """Return what SEAT is told of an event: what all are told, and what only it knows."""
    told = {**common, "elapsed": round(elapsed, 3), "own": own(state, seat)}
    if event.seat == seat and isinstance(event.action, Draw):
        told["do"] = text_of_action(replace(event.action, tile=event.tile), state.setup.names)
    return told


def masked(event: Event) -> Action:
    """Return the action as everybody saw it: without the tile that was drawn."""
    action = event.action
    return replace(action, tile=None) if isinstance(action, Draw) else action


def followed(state: State, seat: int, message: Message) -> State:
    """Return the state of SEAT after an event.

    Raises:
        Strange: it is not the next one, or no such action is possible.
    """
    if message["n"] != len(state.events) + 1:
        raise Strange(f"event {message['n']} does not follow event {len(state.events)}")
    setup = state.setup
    action = parse_action(message["do"], message["seat"], setup.names)
    after, tile, on = state, None, None
    if isinstance(action, Play):
        move = resolve(setup, state.layout, state.frontier, action)
        if isinstance(move, Refusal):
            raise Strange(move.message)
        tile = action.tile
        on = None if move.spot is None else state.layout.placed[move.spot.nth].tile
        after = state._replace(
            layout=state.layout.with_move(setup.rules, move),
            frontier=move.frontier,
        )
    elif isinstance(action, Draw):
        tile = action.tile
    after = _overlaid(after, seat, message["public"], message["own"])
    rules, frontier = setup.rules, after.frontier
    event = Event(
        n=message["n"],
        action=action,
        tile=tile,
        on=on,
        text=_words(state, action),
        sum=None if frontier.is_empty else count(rules, frontier),
        worth=message["worth"],
        points=message["points"],
        ends=open_ends(rules, frontier),
        scores=tuple(message["scores"]),
        hand_sizes=tuple(hand.size for hand in after.hands),
        boneyard=after.boneyard.size,
        frontier=frontier,
        time=message["time"],
        missed=tuple(Pending(*one) for one in message["missed"]),
        note=message["note"],
    )
    return after._replace(events=(*state.events, event))


def _words(state: State, action: Action) -> str:
    from sniffcli.game.plays import play_text

    if isinstance(action, Play):
        move = resolve(state.setup, state.layout, state.frontier, action)
        assert not isinstance(move, Refusal), "it was laid"
        return play_text(state.setup, state.layout, state.frontier, move)
    return text_of_action(replace(action, after=None), state.setup.names)


# What everybody may know of a state, and what one seat knows besides


def public(state: State) -> dict[str, Any]:
    """Return what everybody at the table may know of STATE besides the tiles that lie there."""
    return {
        "turn": state.turn,
        "scores": list(state.scores),
        "hand_sizes": [hand.size for hand in state.hands],
        "boneyard": state.boneyard.size,
        "drawn": state.drawn,
        "passes": state.passes,
        "extra": state.extra,
        "closer": state.closer,
        "laid": state.laid,
        "pending": [list(one) for one in state.pending],
        "entered": sorted(state.entered),
        "unlocked": sorted(state.unlocked),
        "tings": list(state.tings),
        "submerged": list(state.submerged),
        "now": state.now,
        "laid_at": state.laid_at,
        "closing": state.closing,
        "result": _result_data(state.result),
    }


def own(state: State, seat: int) -> dict[str, Any]:
    """Return what only SEAT knows: its hand, and what binds it on its turn."""
    mine = state.turn == seat
    return {
        "hand": [str(tile) for tile in state.hands[seat].tiles],
        "last_drawn": _text(state.last_drawn) if mine else None,
        "must_lead": _text(state.must_lead) if mine else None,
    }


def _text(tile: Tile | None) -> str | None:
    return None if tile is None else str(tile)


def _tile(text: str | None) -> Tile | None:
    return None if text is None else parse_tile(text)


def _overlaid(state: State, seat: int, seen: dict[str, Any], mine: dict[str, Any]) -> State:
    return state._replace(
        turn=seen["turn"],
        scores=tuple(seen["scores"]),
        hands=_hands(seat, mine["hand"], seen["hand_sizes"]),
        boneyard=Boneyard((), seen["boneyard"]),
        drawn=seen["drawn"],
        last_drawn=_tile(mine["last_drawn"]),
        must_lead=_tile(mine["must_lead"]),
        passes=seen["passes"],
        extra=seen["extra"],
        closer=seen["closer"],
        laid=seen["laid"],
        pending=tuple(Pending(*one) for one in seen["pending"]),
        entered=frozenset(seen["entered"]),
        unlocked=frozenset(seen["unlocked"]),
        tings=tuple(seen["tings"]),
        submerged=tuple(seen["submerged"]),
        now=seen["now"],
        laid_at=seen["laid_at"],
        closing=seen["closing"],
        result=_result(seen["result"]),
    )


def _result_data(result: RoundResult | None) -> dict[str, Any] | None:
    if result is None:
        return None
    return {
        "how": result.how,
        "winners": list(result.winners),
        "bonus": None if result.bonus is None else list(result.bonus),
        "tied": result.tied,
        "leader": result.leader,
        "closer": result.closer,
        "pips": list(result.pips),
        "replay": result.replay,
    }


def _result(data: dict[str, Any] | None) -> RoundResult | None:
    if data is None:
        return None
    return RoundResult(
        how=data["how"],
        winners=tuple(data["winners"]),
        bonus=None if data["bonus"] is None else tuple(data["bonus"]),
        tied=data["tied"],
        leader=data["leader"],
        closer=data["closer"],
        pips=tuple(data["pips"]),
        replay=data["replay"],
    )


# The deal is opened


def deal_text(state: State) -> str:
    """Return the deal of a round as one line: all hands, the boneyard in order, the leader."""
    origin = state.origin
    return json.dumps(
        {
            "hands": [[str(tile) for tile in hand.tiles] for hand in origin.hands],
            "boneyard": [str(tile) for tile in origin.boneyard.known],
            "leader": state.leader,
            "must_lead": _text(state.must_lead),
        },
        separators=(",", ":"),
    )


def round_salt(salt: str, number: int) -> str:
    """Return the salt of round NUMBER; it does not give away the SALT of the match."""
    return hashlib.sha256(f"{salt}/{number}".encode()).hexdigest()[:32]


def deal_promise(text: str, salt: str) -> str:
    """Return the hash that binds the dealer: SHA-256 of `DEAL:SALT` as hexadecimal digits."""
    return hashlib.sha256(f"{text}:{salt}".encode()).hexdigest()


def opened_message(start: State, number: int, salt: str) -> Message:
    """Return the message that opens the deal of a round which is over."""
    return {"type": "opened", "round": number, "deal": deal_text(start), "salt": salt}


def opened_state(match: Match, start: State, message: Message) -> State:
    """Return the beginning of a round with every tile open; START is what one seat knew of it.

    Raises:
        Strange: the opened deal is not one of these rules, or not the one that was begun with.
    """
    data = json.loads(message["deal"])
    hands = tuple(Hand(tuple(map(parse_tile, one))) for one in data["hands"])
    boneyard = Boneyard(tuple(map(parse_tile, data["boneyard"])))
    every = [*(tile for hand in hands for tile in hand.tiles), *boneyard.known]
    if sorted(every) != sorted(match.setup.tiles):
        raise Strange("the opened deal is not one whole set")
    for mine, all_of_it in zip(start.hands, hands, strict=True):
        if mine.size != all_of_it.size or not set(mine.tiles) <= set(all_of_it.tiles):
            raise Strange("the opened deal holds other tiles than were dealt")
    return start._replace(
        hands=hands,
        boneyard=boneyard,
        origin=start.origin._replace(hands=hands, boneyard=boneyard),
        must_lead=_tile(data["must_lead"]),
    )
