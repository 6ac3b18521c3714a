"""The parts of the book about a turn without a play, and about claims."""

from __future__ import annotations

from collections.abc import Iterator

from sniffcli.ruleset.words import Seconds
from sniffcli.tutor.rulebook.pages import Part, Rules
from sniffcli.tutor.rulebook.scope import Scope


def drawing(scope: Scope) -> Part:
    """Return the part about drawing, passing and further turns."""
    say = scope.say
    found = (*_drawing(scope), *_passing(scope), *_extra(scope))
    return Part(say("Drawing and passing"), (Rules(found),))


def _drawing(scope: Scope) -> Iterator[str]:
    say, rules = scope.say, scope.rules
    if scope.draws:
        yield from _when(scope)
        yield from _how_many(scope)
        yield from _then(scope)
    else:
        yield say("Nothing is drawn.")
    if rules.draw.when == "unable_without_wild":
        if rules.joining.forced_wild:
            yield say(
                "When nothing may be drawn any more, a player who can lay nothing but a wild tile"
                " must lay it."
            )
        else:
            yield say(
                "When nothing may be drawn any more, a player who can lay nothing but a wild tile"
                " may pass instead; if all pass in a row, the round is blocked."
            )


def _when(scope: Scope) -> Iterator[str]:
    say = scope.say
    match scope.rules.draw.when:
        case "unable" if scope.rules.pass_.penalty:
            yield say("A player who can play may not draw; one who cannot must draw.")
        case "unable":
            yield say("A player who can play must play; one who cannot must draw.")
        case "free":
            yield say("A player who cannot play must draw; one who can may draw first.")
        case _ if scope.rules.pass_.penalty:
            yield say(
                "A player who can play may draw only where nothing but wild tiles fits; one who"
                " cannot play must draw."
            )
        case _:
            yield say(
                "A player who can play must play or, where only wild tiles fit, may draw instead;"
                " one who cannot play must draw."
            )


def _how_many(scope: Scope) -> Iterator[str]:
    say, draw, layout = scope.say, scope.rules.draw, scope.rules.layout
    if draw.then == "turn_ends":
        return
    yield _limit(scope, draw.limit)
    during = draw.limit_during_fill
    if layout.fill_first != "none" and during is not None and during != draw.limit:
        yield say(
            "While a double must be filled another limit holds: {limit}",
            limit=_limit(scope, during),
        )


def _limit(scope: Scope, limit: str | int) -> str:
    say, count = scope.say, scope.count
    if isinstance(limit, int):
        return count(
            "At most one tile is drawn in a turn.", "At most {n} tiles are drawn in a turn.", limit
        )
    if scope.rules.draw.when == "free":
        return say("Any number of tiles may be drawn in a turn.")
    return say("Tiles are drawn one by one until one can be played or none may be drawn.")


def _then(scope: Scope) -> Iterator[str]:
    say, draw = scope.say, scope.rules.draw
    match draw.then:
        case "must_play" if draw.when == "unable_without_wild":
            yield say(
                "A drawn tile that can be played must be played at once, unless it is a wild one."
            )
        case "must_play" if scope.rules.pass_.penalty:
            yield say("Of the tiles that fit only the one just drawn may then be played.")
        case "must_play":
            yield say("A drawn tile that can be played must be played at once.")
        case "may_play":
            yield say("A player who has drawn may keep a tile that fits and pass.")
        case _:
            yield say("One tile is drawn, and that is the turn, whether the tile fits or not.")


def _passing(scope: Scope) -> Iterator[str]:
    say, rules = scope.say, scope.rules
    if scope.draws:
        yield say("A player who can neither play nor draw passes.")
    else:
        yield say("A player who cannot play passes.")
    if rules.pass_.penalty:
        yield say(
            "A player who can play may pass all the same, which costs {points}.",
            points=scope.points(rules.pass_.penalty),
        )
    else:
        yield say("A player who can play may not pass.")


def _extra(scope: Scope) -> Iterator[str]:
    say, extra = scope.say, scope.rules.extra_turn
    after = [one for one in ("double", "score") if one in extra.after]
    if not scope.scores:
        after = [one for one in after if one != "score"]
    if not after:
        return
    named = {"double": say("laying a double"), "score": say("laying a tile that scores")}
    what = scope.words.either(named[one] for one in after)
    yield say(
        "After {what} the same player has another turn, as long as tiles are left.", what=what
    )
    if scope.draws:
        yield say("A tile laid after drawing in the same turn gives no other turn.")
    if extra.forced:
        yield say("The extra turn must be taken like any other.")
    else:
        yield say("The extra turn may be declined by passing; nothing is drawn in it.")


def claims(scope: Scope) -> Part | None:
    """Return the part about claims, or None where nothing scores in play."""
    say = scope.say
    if not scope.scores:
        return None
    if not scope.declares:
        statement = say("Points count by themselves; nobody has to claim them.")
        return Part(say("Claims"), (Rules((statement,)),))
    found = (*_claiming(scope), *_catching(scope), *_wrong(scope), *_at_end(scope))
    return Part(say("Claims"), (Rules((*found, *_keelhaul(scope), *_tings(scope))),))


def seconds(scope: Scope, number: float) -> str:
    """Return `1 second` or `7 seconds`."""
    count = scope.count
    if number == int(number):
        return count("{n} second", "{n} seconds", int(number))
    say, decimal = scope.say, f"{number:g}"
    return say("{number} seconds", number=decimal)


def _claiming(scope: Scope) -> Iterator[str]:
    say, until = scope.say, scope.rules.claim.owner_until
    yield say("Points do not count by themselves: whoever makes them must claim the right number.")
    if isinstance(until, Seconds):
        yield say(
            "The claim must come within {seconds} after the tile; nobody lays the next tile before"
            " it is made or the time is over.",
            seconds=seconds(scope, until.seconds),
        )
    else:
        yield say("The claim must come before the next tile is laid.")


def _catching(scope: Scope) -> Iterator[str]:
    say, claim = scope.say, scope.rules.claim
    if claim.rivals == "none":
        yield say("Points that were not claimed in time are lost.")
        return
    timed = isinstance(claim.owner_until, Seconds)
    match claim.rivals_until:
        case "next_tile":
            window = say("from then until the next tile is laid")
        case "tile_after_next" if timed:
            window = say("from then until the tile after the next is laid")
        case "tile_after_next":
            window = say("as soon as that next tile lies, until one more tile is laid")
        case _ if timed:
            window = say("from then until the end of the round")
        case _:
            window = say("as soon as that next tile lies, until the end of the round")
    yield say("Any rival may take points that were not claimed in time, {window}.", window=window)
    if claim.bounty:
        yield say(
            "Whoever takes them gets {points} more from the bank.",
            points=scope.points(claim.bounty),
        )
    yield say("Points that nobody claims or takes are lost.")


def _wrong(scope: Scope) -> Iterator[str]:
    say = scope.say
    if scope.rules.claim.false_claim == "ignored":
        yield say("A claim with the wrong number is void and may be repeated in time.")
    else:
        yield say(
            "A claim with the wrong number is void and gives every rival side that number of"
            " points; it may be repeated in time."
        )


def _at_end(scope: Scope) -> Iterator[str]:
    say = scope.say
    if scope.rules.claim.at_round_end == "owner_may_claim":
        yield say(
            "The points of the last tile of a round may still be claimed until the round is"
            " closed; then what was not claimed is lost."
        )
    else:
        yield say("Points that are not claimed when the last tile of a round falls are lost.")


def _keelhaul(scope: Scope) -> Iterator[str]:
    say, keel = scope.say, scope.rules.keelhaul
    if keel is None or not isinstance(scope.rules.claim.owner_until, Seconds):
        return
    yield say(
        "Keelhaul: from {score} on, and for the rest of the match, a side may pay {points} (never"
        " falling below 0) to put a rival under water for {seconds}.",
        score=scope.points(keel.unlock_at),
        points=scope.points(keel.cost),
        seconds=seconds(scope, keel.seconds),
    )
    yield say(
        "A player under water may lay tiles but does not see the table, and can neither claim nor"
        " take points."
    )


def _tings(scope: Scope) -> Iterator[str]:
    say = scope.say
    if scope.rules.tings:
        yield say("Claims and catches in a row are counted as tings; a missed claim ends the row.")
