"""The first parts of the book: players and tiles, the deal, and who leads with what."""

from __future__ import annotations

from collections.abc import Iterator

from sniffcli.ruleset.words import Doubles, HolderOf
from sniffcli.tutor.rulebook.pages import Block, Grid, Part, Rules
from sniffcli.tutor.rulebook.scope import Scope


def players_and_deal(scope: Scope) -> Part:
    """Return the part about players, tiles and the deal."""
    say = scope.say
    blocks: list[Block] = [Rules((*_players(scope), *_tiles(scope))), _deal_table(scope)]
    more = (*_boneyard(scope), *_redeal(scope))
    if more:
        blocks.append(Rules(more))
    return Part(say("Players, tiles and deal"), tuple(blocks))


def _players(scope: Scope) -> Iterator[str]:
    say, rules = scope.say, scope.rules
    low, high = scope.players[0], scope.players[-1]
    if low == high:
        yield say("The game is for {n} players.", n=low)
    else:
        yield say("The game is for {low} to {high} players.", low=low, high=high)
    if not scope.teams:
        yield say("Everybody plays alone.")
    elif scope.always_teams:
        yield say("Two pairs play against each other; partners sit opposite and have one score.")
    elif rules.players.teams == "optional_pairs":
        yield say(
            "Four players may agree to play as two pairs; partners sit opposite and have one score."
        )
    else:
        yield say(
            "Four players always play as two pairs; partners sit opposite and have one score."
        )
    if rules.turn.direction == "clockwise":
        yield say("The turn passes clockwise.")
    else:
        yield say("The turn passes counterclockwise.")


def _tiles(scope: Scope) -> Iterator[str]:
    say, rules = scope.say, scope.rules
    yield say(
        "The {set} set has {n} tiles: every pair of numbers from 0 (blank) to {high} once.",
        set=scope.set_name,
        n=scope.whole_set,
        high=rules.set.max_pip,
    )
    removed: dict[str, list[int]] = {}
    for number in scope.players:
        out = scope.listed_tiles(rules.removed(number)) if rules.removed(number) else ""
        removed.setdefault(out, []).append(number)
    for out, numbers in removed.items():
        if out and len(numbers) == len(scope.players):
            yield say("Taken out of the set: {tiles}.", tiles=out)
        elif out:
            yield say(
                "With {players} players these tiles are taken out of the set: {tiles}.",
                players=scope.words.either(numbers),
                tiles=out,
            )


def _deal_table(scope: Scope) -> Grid:
    say = scope.say
    rows = [[say("players"), say("tiles each"), say("tiles left")]]
    for number in scope.players:
        rows.append([str(number), str(scope.rules.hand_size(number)), str(scope.undealt(number))])
    if scope.draws:
        drawn = [say("may be drawn"), *(str(scope.drawable(number)) for number in scope.players)]
        rows = [[*row, cell] for row, cell in zip(rows, drawn, strict=True)]
    return Grid(tuple(map(tuple, rows)), states_rules=True)


def _boneyard(scope: Scope) -> Iterator[str]:
    say = scope.say
    if scope.draws:
        yield say("The tiles left lie face down; they are the boneyard.")
        kept = {
            number: min(scope.rules.reserve(number), scope.undealt(number))
            for number in scope.players
        }
        if any(kept.values()):
            yield say(
                "Tiles of the boneyard that nobody ever draws: {number}.",
                number=scope.by_players(lambda number: str(kept[number])),
            )
    elif any(scope.undealt(number) for number in scope.players):
        yield say("The tiles left stay face down and out of play.")


def _redeal(scope: Scope) -> Iterator[str]:
    say, wanted = scope.say, scope.rules.deal.redeal_if
    if wanted == "no_double_dealt":
        yield say("If no double at all has been dealt, the hands are thrown in and dealt again.")
    elif isinstance(wanted, Doubles):
        yield scope.count(
            "A hand with a double in it is thrown in, and all tiles are dealt again.",
            "If a hand holds {n} doubles or more, all hands are thrown in and dealt again.",
            wanted.count,
        )


def lead(scope: Scope) -> Part:
    """Return the part about the first tile of a round."""
    say = scope.say
    found = [*_first_leader(scope), *_lead_tile(scope), *_nobody(scope), *_cannot(scope)]
    if not scope.one_round:
        found += _later(scope)
    return Part(say("Who leads"), (Rules(tuple(found)),))


def _every_round(scope: Scope) -> bool:
    """Whether all rounds are led by the rule of the first."""
    rules = scope.rules.open
    same = ("as_first", "as_next")
    later = rules.next_leader == "as_first" or (
        rules.next_leader == "host" and rules.first_leader == "host"
    )
    after = rules.next_leader_after_block in same and rules.next_leader_after_tie in same
    return later and after and not scope.one_round


def _first_leader(scope: Scope) -> Iterator[str]:
    say = scope.say
    who = scope.rules.open.first_leader
    if isinstance(who, HolderOf):
        leader = say("the player who holds {tile}", tile=who.tile)
    else:
        leader = {
            "lot": say("a player drawn by lot"),
            "host": say("the host, who is the first of the players"),
            "highest_double": say("the player who was dealt the highest double"),
            "lowest_double": say("the player who was dealt the lowest double"),
            "highest_tile": say(
                "the player who was dealt the tile with the most pips (of equal ones, the tile"
                " with the larger half)"
            ),
        }[who]
    if _every_round(scope):
        yield say("Every round is led by {leader}.", leader=leader)
    else:
        yield say("The first round is led by {leader}.", leader=leader)


def _lead_tile(scope: Scope) -> Iterator[str]:
    say = scope.say
    wanted = scope.rules.open.tile
    if wanted == "any":
        yield say("The leader may lead any tile.")
    elif wanted == "double":
        yield say("The lead must be a double.")
    elif wanted == "double_or_scoring":
        yield say("The lead must be a double or a tile that scores.")
    elif scope.found_by_tile:
        yield say("That very tile must be led.")
        if not _every_round(scope) and not scope.one_round:
            yield say("A leader who was not found by a tile may lead any tile.")


def _nobody_possible(scope: Scope) -> bool:
    """Whether a deal can leave nobody with the tile by which the leader is found."""
    who, redeal = scope.rules.open.first_leader, scope.rules.deal.redeal_if
    if isinstance(who, HolderOf):
        return any(scope.undealt(number) for number in scope.players)
    if who in ("highest_double", "lowest_double") and redeal != "no_double_dealt":
        return any(scope.undealt(n) >= scope.doubles_in_set(n) for n in scope.players)
    return False


def _nobody(scope: Scope) -> Iterator[str]:
    """Say what happens when nobody holds the tile by which the leader is found."""
    if not _nobody_possible(scope):
        return
    say, rules = scope.say, scope.rules.open
    bound = rules.tile == "qualifying" and rules.if_none == "highest_tile"
    match rules.if_none:
        case "redeal":
            yield say("If nobody was dealt such a tile, the tiles are dealt again.")
        case "heaviest_hand":
            yield say("If nobody was dealt such a tile, the player with the most pips leads.")
        case "draw_until" if scope.draws and rules.tile in ("any", "qualifying"):
            yield say(
                "If nobody was dealt such a tile, the first of the players draws until one comes,"
                " and then leads."
            )
            if rules.tile == "qualifying":
                yield say("That tile must then be led, if one came.")
            return
        case "draw_until" | "pass_lead":
            yield say("If nobody was dealt such a tile, the first of the players leads.")
        case _:
            yield say(
                "If nobody was dealt such a tile, the holder of the tile with the most pips leads"
                " (of equal ones, the tile with the larger half)."
            )
    if bound:
        yield say("That tile must then be led.")
    elif rules.tile == "qualifying" and rules.if_none != "redeal":
        yield say("Such a leader may lead any tile.")


def _always_able(scope: Scope) -> bool:
    """Whether every leader holds a double because he was found by one."""
    first = scope.rules.open.first_leader in ("highest_double", "lowest_double")
    return first and _every_round(scope) and not _nobody_possible(scope)


def _cannot(scope: Scope) -> Iterator[str]:
    """Say what happens when the leader holds no tile that may be led."""
    say, rules = scope.say, scope.rules.open
    if rules.tile not in ("double", "double_or_scoring") or _always_able(scope):
        return
    if rules.if_none == "draw_until" and scope.draws:
        yield say(
            "A leader without such a tile draws until one comes, and leads any tile when nothing"
            " more may be drawn."
        )
    elif rules.if_none == "pass_lead":
        yield say(
            "A leader without such a tile passes the lead on; when nobody has one, the first to be"
            " asked again leads any tile."
        )
    elif rules.if_none == "redeal":
        yield say("If the leader has no such tile, the tiles are dealt again.")
    else:
        yield say("A leader without such a tile leads any tile.")


def _later(scope: Scope) -> Iterator[str]:
    say, rules = scope.say, scope.rules.open
    if not _every_round(scope):
        yield {
            "as_first": say("The rounds after it are led as the first one."),
            "winner": say(
                "Later rounds are led by the winner of the round before; without a winner the"
                " leader is found as in the first round."
            ),
            "rotate": say(
                "In later rounds the lead passes to the next player after the leader of the round"
                " before."
            ),
            "host": say("Later rounds are led by the host, the first of the players."),
            "winning_team": say(
                "Later rounds are led by the side that won the round before, by the partner with"
                " fewer pips left; without a winner the leader is found as in the first round."
            ),
        }[rules.next_leader]
        if rules.next_leader == "winner" and _two_can_win(scope):
            yield say(
                "Of two partners who won together, the one who laid the last tile leads, after a"
                " block the one with fewer pips left."
            )
    if rules.next_leader_after_block not in ("as_next", rules.next_leader):
        yield say(
            "After a blocked round {leader}.", leader=_after(scope, rules.next_leader_after_block)
        )
    if scope.ties and rules.next_leader_after_tie not in ("as_next", _block_rule(scope)):
        yield say(
            "After a blocked round that no side won alone, its lightest hands being equal,"
            " {leader}.",
            leader=_after(scope, rules.next_leader_after_tie),
        )


def _block_rule(scope: Scope) -> str:
    rules = scope.rules.open
    after = rules.next_leader_after_block
    return rules.next_leader if after == "as_next" else after


def _two_can_win(scope: Scope) -> bool:
    end = scope.rules.round_end
    together = end.when == "both_partners_out" or end.blocked.winner == "lowest_team"
    return scope.teams and together


def _after(scope: Scope, rule: str) -> str:
    say = scope.say
    return {
        "lot": say("the leader is drawn by lot"),
        "as_first": say("the leader is found as in the first round"),
        "rotate": say("the lead passes to the next player"),
        "blocker": say("whoever laid the last tile leads"),
        "lowest": say("the player with the fewest pips left leads"),
        "same": say("the same player leads again"),
    }[rule]
