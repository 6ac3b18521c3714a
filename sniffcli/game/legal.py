"""What the seat to move may do: plays, drawing and passing, each with the reason against it."""

from __future__ import annotations

from sniffcli.game.actions import Refusal
from sniffcli.game.state import State
from sniffcli.ruleset.words import HolderOf
from sniffcli.table.counting import worth
from sniffcli.table.frontier import fitting, lead
from sniffcli.table.layout import Move, moves, moves_of
from sniffcli.tiles import Tile


def legal_plays(state: State) -> tuple[Move, ...]:
    """Return the plays of the seat to move from its known tiles, alike tables listed once."""
    if state.over or state.closing is not None:
        return ()
    tiles = playable_tiles(state)
    return moves_of(state.rules, state.layout, state.frontier, tiles, state.setup.wild)


def tile_moves(state: State, tile: Tile) -> tuple[Move, ...]:
    """Return the ways to lay TILE on this table, whoever holds it."""
    return moves(state.rules, state.layout, state.frontier, tile, state.setup.wild)


def playable_tiles(state: State, seat: int | None = None) -> tuple[Tile, ...]:
    """Return the known tiles of a seat (default: the one to move) that it may lay now."""
    hand = state.hands[state.turn if seat is None else seat]
    tiles = fitting(state.rules, state.frontier, hand.tiles, state.setup.wild)
    if seat not in (None, state.turn):
        return tiles
    if state.frontier.is_empty:
        return tuple(tile for tile in tiles if lead_refusal(state, tile) is None)
    bound = bound_to_drawn(state)
    return (bound,) if bound is not None else tiles


def bound_to_drawn(state: State) -> Tile | None:
    """Return the drawn tile that has to be laid at once, if there is one (`draw.then`)."""
    tile = state.last_drawn
    # Who draws in search of a tile that may be led is not bound to the last one drawn.
    if tile is None or state.frontier.is_empty or state.rules.draw.then != "must_play":
        return None
    if not fitting(state.rules, state.frontier, (tile,), state.setup.wild):
        return None
    if state.rules.draw.when == "unable_without_wild" and tile in state.setup.wild:
        # A wild tile may always be kept back, even one just drawn.
        return None
    return tile


def lead_refusal(state: State, tile: Tile) -> Refusal | None:
    """Return why TILE may not be led, or None (`open.tile`)."""
    if state.must_lead is not None:
        if tile != state.must_lead:
            return Refusal("lead", f"{state.must_lead} must be led, not {tile}")
        return None
    wanted = state.rules.open.tile
    if state.drawn and wanted == "qualifying" and _holds_deciding(state):
        if _decides(state, tile):
            return None
        return Refusal("lead", f"{_deciding_tile(state)} must be led, not {tile}")
    if _lead_is_free(state):
        return None
    if wanted in ("any", "qualifying"):
        return Refusal("lead", f"{tile} cannot be led: {_deciding_tile(state)} must be found first")
    if wanted == "double" and not tile.is_double:
        return Refusal("lead", f"{tile} cannot be led: the lead must be a double")
    if wanted == "double_or_scoring" and not _leads_a_round(state, tile):
        return Refusal("lead", f"{tile} cannot be led: the lead must be a double or must score")
    return None


def _leads_a_round(state: State, tile: Tile) -> bool:
    return tile.is_double or worth(state.rules, lead(state.rules, tile)) > 0


def _lead_is_free(state: State) -> bool:
    """Whether any tile may be led because nobody could lead as the rules want it."""
    rules = state.rules.open
    if rules.tile not in ("double", "double_or_scoring"):
        return not _draws_for_lead(state)
    if rules.if_none == "pass_lead":
        return state.passes >= state.setup.seats
    hand = state.hands[state.turn]
    if any(_qualifies(state, tile) for tile in hand.tiles):
        return False
    if hand.unknown and rules.if_none == "redeal":
        # Hands were dealt until the leader held one.
        return False
    return not (rules.if_none == "draw_until" and state.drawable)


def _draws_for_lead(state: State) -> bool:
    """Whether nobody was dealt the tile that finds the leader, and it has to be drawn for."""
    rules = state.rules.open
    if rules.if_none != "draw_until" or not state.origin.found or not state.drawable:
        return False
    hand = state.hands[state.turn]
    if hand.unknown or rules.first_leader == "highest_tile":
        return False
    return not _holds_deciding(state)


def _holds_deciding(state: State) -> bool:
    return any(_decides(state, tile) for tile in state.hands[state.turn].tiles)


def _decides(state: State, tile: Tile) -> bool:
    """Whether TILE is one by which the leader is found (`open.first_leader`)."""
    wanted = state.rules.open.first_leader
    return tile == wanted.tile if isinstance(wanted, HolderOf) else tile.is_double


def _deciding_tile(state: State) -> str:
    wanted = state.rules.open.first_leader
    return str(wanted.tile) if isinstance(wanted, HolderOf) else "a double"


def _qualifies(state: State, tile: Tile) -> bool:
    if state.rules.open.tile == "double":
        return tile.is_double
    return _leads_a_round(state, tile)


def draw_limit(state: State) -> int | None:
    """Return how many tiles may be drawn in one turn now; None: until one can be played."""
    limit = state.rules.draw.limit
    if any(double.fill for double in state.frontier.doubles):
        during = state.rules.draw.limit_during_fill
        limit = limit if during is None else during
    return None if limit == "until_playable" else int(limit)


def able_tiles(state: State) -> tuple[Tile, ...]:
    """Return the known tiles that oblige the seat to move to play rather than draw or pass."""
    tiles = playable_tiles(state)
    if state.rules.draw.when != "unable_without_wild":
        return tiles
    if state.rules.joining.forced_wild and not state.drawable:
        return tiles
    return tuple(tile for tile in tiles if tile not in state.setup.wild)


def draw_refusal(state: State) -> Refusal | None:
    """Return why the seat to move may not draw, or None."""
    rules = state.rules.draw
    if rules.when == "never":
        return Refusal("draw", "nothing is drawn in this game")
    if not state.drawable:
        if state.boneyard.size:
            kept = state.boneyard.size
            are = "tile stays" if kept == 1 else "tiles stay"
            return Refusal("draw", f"nothing may be drawn: the last {kept} {are} in the boneyard")
        return Refusal("draw", "nothing may be drawn: the boneyard is empty")
    if state.frontier.is_empty:
        return _lead_draw_refusal(state)
    if state.extra and not state.rules.extra_turn.forced:
        return Refusal("draw", "in an extra turn you play or pass, you do not draw")
    bound = bound_to_drawn(state)
    if bound is not None:
        return Refusal("draw", f"{bound} was drawn and can be played, so it must be played now")
    limit = draw_limit(state)
    if limit is not None and state.drawn >= limit:
        tiles = "tile" if limit == 1 else "tiles"
        return Refusal("draw", f"only {limit} {tiles} may be drawn in a turn")
    if rules.when == "free":
        return None
    able = able_tiles(state)
    if able:
        return Refusal("draw", f"no drawing while a tile can be played: {_listed(able)}")
    return None


def _lead_draw_refusal(state: State) -> Refusal | None:
    """Drawing before the lead is only for a leader who needs another tile (`open.if_none`)."""
    wanted = state.rules.open
    if wanted.if_none != "draw_until":
        return Refusal("draw", "the leader leads a tile and does not draw")
    able = playable_tiles(state)
    if able and not state.hands[state.turn].unknown:
        return Refusal("draw", f"no drawing while a tile can be led: {_listed(able)}")
    return None


def pass_refusal(state: State) -> Refusal | None:
    """Return why the seat to move may not pass, or None; a penalty allows it while able."""
    if state.extra and not state.rules.extra_turn.forced:
        return None
    if state.frontier.is_empty:
        return _lead_pass_refusal(state)
    if state.drawn and state.rules.draw.then == "may_play":
        return None
    able = able_tiles(state)
    if able and not state.rules.pass_.penalty:
        return Refusal("pass", f"no passing while a tile can be played: {_listed(able)}")
    if not able and draw_refusal(state) is None and not passes_while_able(state):
        return Refusal("pass", "no passing while a tile may be drawn: draw")
    return None


def passes_while_able(state: State) -> bool:
    """Whether a pass costs the penalty: a tile can be played, or a hidden hand must hold one.

    Who holds nothing that fits has to draw as long as he may, so that not drawing tells.
    """
    rules = state.rules
    if not rules.pass_.penalty or state.frontier.is_empty:
        return False
    if state.drawn and rules.draw.then == "may_play":
        return False
    if able_tiles(state):
        return True
    hidden = state.hands[state.turn].unknown
    return bool(hidden) and rules.draw.when != "free" and draw_refusal(state) is None


def _lead_pass_refusal(state: State) -> Refusal | None:
    able = playable_tiles(state)
    if state.rules.open.if_none != "pass_lead" or state.rules.open.tile in ("any", "qualifying"):
        return Refusal("pass", "the leader cannot pass")
    if _lead_is_free(state):
        return Refusal("pass", "nobody could lead as the rules want it: lead any tile")
    if able:
        return Refusal("pass", f"no passing while a tile can be led: {_listed(able)}")
    return None


def is_blocked(state: State) -> bool:
    """Whether nobody can play and nobody may draw, seen with all hands known (case C35)."""
    if state.frontier.is_empty or state.drawable or not state.all_known:
        return False
    held = (tile for hand in state.hands for tile in hand.tiles)
    return not fitting(state.rules, state.frontier, held, state.setup.wild)


def seats_holding(state: State) -> int:
    """Return how many seats still hold tiles; an empty seat is skipped and is no knock."""
    return sum(1 for hand in state.hands if hand.size)


def next_seat(state: State, seat: int) -> int:
    """Return the seat after SEAT that still holds tiles."""
    for step in range(1, state.setup.seats + 1):
        after = (seat + step) % state.setup.seats
        if state.hands[after].size:
            return after
    return (seat + 1) % state.setup.seats


def _listed(tiles: tuple[Tile, ...]) -> str:
    return ", ".join(str(tile) for tile in tiles)
