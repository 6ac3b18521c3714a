"""Games to text: a record, or rounds as they were played, as YAML that reads back the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from sniffcli.files.notation import parse_play, text_of_action
from sniffcli.files.records import Entry, GameRecord, LaidTile, RoundRecord
from sniffcli.game.actions import Action, Draw, Play
from sniffcli.game.plays import named
from sniffcli.game.settle import settle
from sniffcli.game.state import Event, Hand, Setup, State
from sniffcli.ruleset.loading import FORMAT
from sniffcli.table.frontier import EMPTY, Frontier, joined
from sniffcli.table.layout import EMPTY_LAYOUT, Layout, Move, lead_move, spots
from sniffcli.tiles import Tile
from sniffcli.yamlio import dump


def game_text(record: GameRecord) -> str:
    """Return a game file; reading it gives an equal record.

    Raises:
        ValueError: the record holds words that are no action, which would be lost.
    """
    return dump(game_data(record))


def game_data(record: GameRecord) -> dict[str, Any]:
    """Return a game as the plain data of its file, keys in the order of the contract."""
    names = record.players
    data: dict[str, Any] = {"sniff": FORMAT}
    if record.ruleset is not None:
        data["ruleset"] = record.ruleset
    if record.overrides:
        data["overrides"] = record.overrides
    data["players"] = list(names)
    if record.teams:
        sides = range(record.setup.side_count)
        data["teams"] = [[names[seat] for seat in record.setup.members(side)] for side in sides]
    if record.bots:
        data["seats"] = {names[seat]: {"bot": level} for seat, level in record.bots.items()}
    for key in ("date", "place", "notes"):
        if getattr(record, key) is not None:
            data[key] = getattr(record, key)
    if record.scores is not None and any(record.scores):
        data["scores"] = record.setup.by_name(record.scores)
    for key in ("seed", "commitment", "salt"):
        if getattr(record, key) is not None:
            data[key] = getattr(record, key)
    if record.tolerate:
        data["tolerate"] = list(record.tolerate)
    data["rounds"] = [round_data(names, one) for one in record.rounds]
    return data


def round_data(names: Sequence[str], one: RoundRecord) -> dict[str, Any]:
    """Return one entry of `rounds` as plain data.

    Raises:
        ValueError: the record holds words that are no action, which would be lost.
    """
    actions = [entry.action for entry in one.plays if entry.action is not None]
    plays = [laid.play for laid in one.layout or () if laid.play is not None]
    if len(actions) < len(one.plays) or len(plays) < len(one.layout or ()):
        raise ValueError("a round with malformed plays is not written")
    data: dict[str, Any] = {}
    hands = {
        name: [str(tile) for tile in hand.tiles] if not hand.unknown else hand.size
        for name, hand in zip(names, one.hands, strict=True)
        if hand is not None
    }
    if hands:
        data["hands"] = hands
    if one.boneyard is not None:
        data["boneyard"] = [str(tile) for tile in one.boneyard]
    if one.layout is not None:
        data["layout"] = [text_of_action(play) for play in plays]
    if one.leader is not None:
        data["leader"] = names[one.leader]
    for key in ("passes", "redeals"):
        if getattr(one, key):
            data[key] = getattr(one, key)
    if actions:
        data["plays"] = _grouped(names, actions)
    for key in ("written", "bonus"):
        values: Sequence[int | None] | None = getattr(one, key)
        if values is not None:
            listed = zip(names, values, strict=True)
            data[key] = {name: points for name, points in listed if points is not None}
    if one.elapsed is not None:
        data["elapsed"] = one.elapsed
    return data


def _grouped(names: Sequence[str], actions: Iterable[Action]) -> list[dict[str, Any]]:
    """Return the plays by player; several actions of one player in a row are one list."""
    rows: list[tuple[int, list[str]]] = []
    for action in actions:
        text = text_of_action(action, names)
        if rows and rows[-1][0] == action.seat:
            rows[-1][1].append(text)
        else:
            rows.append((action.seat, [text]))
    return [{names[seat]: texts[0] if len(texts) == 1 else texts} for seat, texts in rows]


def round_record(
    state: State, *, passes: int = 0, redeals: int = 0, written: bool = True
) -> RoundRecord:
    """Return the record of a round, finished or not, from the state that it has reached.

    PASSES are those in a row before the round began on a given layout. With WRITTEN a finished
    round also notes the match scores after it.
    """
    setup, origin, result = state.setup, state.origin, state.result
    layout = None
    if origin.layout.placed:
        layout = tuple(LaidTile(play) for play in layout_plays(setup, origin.layout))
    scores: tuple[int | None, ...] | None = None
    bonus: tuple[int | None, ...] | None = None
    if result is not None and result.bonus is not None:
        scores = _per_seat(setup, state.scores)
        if _bonus_is_hidden(state):
            bonus = _per_seat(setup, result.bonus)
    return RoundRecord(
        hands=tuple(_as_written(hand) for hand in origin.hands),
        boneyard=origin.boneyard.known or None,
        layout=layout,
        leader=state.leader,
        passes=passes,
        redeals=redeals,
        plays=tuple(_entry(setup, event) for event in state.events),
        written=scores if written else None,
        bonus=bonus,
    )


def with_round(record: GameRecord, one: RoundRecord, number: int | None = None) -> GameRecord:
    """Return the record with one more round, or with round NUMBER (from 1) in place of the old."""
    rounds = list(record.rounds)
    if number is None or number > len(rounds):
        rounds.append(one)
    else:
        rounds[number - 1] = one
    return replace(record, rounds=tuple(rounds))


def layout_plays(setup: Setup, layout: Layout) -> list[Play]:
    """Return the plays that lay a table again, in the order in which it was laid."""
    plays: list[Play] = []
    before, frontier = EMPTY_LAYOUT, EMPTY
    for number, placed in enumerate(layout.placed, 1):
        goal = Layout(layout.placed[:number])
        every = _every_move(setup, before, frontier, placed.tile)
        move = next(one for one in every if before.with_move(setup.rules, one) == goal)
        plays.append(named(0, setup, before, frontier, move))
        before, frontier = goal, move.frontier
    return plays


def _every_move(setup: Setup, layout: Layout, frontier: Frontier, tile: Tile) -> Iterator[Move]:
    """Yield every way to put TILE down, false joins included."""
    if frontier.is_empty:
        yield lead_move(setup.rules, tile)
        return
    for spot in spots(setup.rules, layout, frontier):
        for outward in sorted(set(tile)):
            after = joined(setup.rules, frontier, spot.place, tile, outward)
            yield Move(tile, spot, outward, after)


def _as_written(hand: Hand) -> Hand:
    """Return a hand as a file can say it: all tiles, or only how many."""
    return Hand((), hand.size) if hand.unknown else hand


def _entry(setup: Setup, event: Event) -> Entry:
    """Return the entry for an event: plays in their shortest form, drawn tiles named if known."""
    action = event.action
    if isinstance(action, Play):
        action = replace(parse_play(event.text.split(), action.seat), after=action.after)
    elif isinstance(action, Draw):
        action = replace(action, tile=event.tile)
    return Entry(action, text=text_of_action(action, setup.names))


def _per_seat(setup: Setup, per_side: Sequence[int]) -> tuple[int, ...]:
    return tuple(per_side[side] for side in setup.sides)


def _bonus_is_hidden(state: State) -> bool:
    """Whether hidden hands conceal what the end of the round paid, so that the file must say it."""
    result = state.result
    if result is None or result.how not in ("out", "blocked"):
        return False
    again = settle(state._replace(result=None), result.how)
    return again.result is None or again.result.bonus is None
