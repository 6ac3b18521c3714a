"""The parts of the book about the end of a round and the end of the match."""

from __future__ import annotations

from collections.abc import Iterator

from sniffcli.ruleset.words import Fixed
from sniffcli.tutor.rulebook.examples import settlement
from sniffcli.tutor.rulebook.pages import Part, Rules
from sniffcli.tutor.rulebook.scope import Scope


def round_end(scope: Scope) -> Part:
    """Return the part about the end of a round."""
    say = scope.say
    found = (*_when(scope), *_pips(scope), *_out(scope), *_blocked(scope), *_rounding(scope))
    return Part(say("The end of a round"), (Rules(found), *settlement(scope)))


def _when(scope: Scope) -> Iterator[str]:
    say, together = scope.say, scope.rules.round_end.when == "both_partners_out"
    if not (scope.teams and together):
        yield say("A round ends when a player has laid the last tile of a hand.")
    elif scope.always_teams:
        yield say(
            "A round ends when both partners of a side have laid their last tiles; a player without"
            " tiles is skipped."
        )
    else:
        yield say(
            "A round ends when a player, or with pairs both partners of a side, have laid the last"
            " tile; a player without tiles is skipped."
        )
    if scope.draws:
        yield say(
            "It is blocked when nobody can play and nothing may be drawn, so that all would pass."
        )
    else:
        yield say("It is blocked when nobody can play, so that all would pass.")
    if scope.scores and not scope.resets:
        yield say("Points made in play are kept, whoever wins the round.")


def _compared(scope: Scope) -> bool:
    """Whether it matters how many pips are left in a hand."""
    lightest_leads = scope.rules.open.next_leader_after_block == "lowest" and not scope.one_round
    return scope.pips_paid or scope.blocked_has_winner or lightest_leads


def _pips(scope: Scope) -> Iterator[str]:
    say = scope.say
    if _compared(scope) and scope.rules.round_end.hand_double == "single":
        yield say("Of a double left in a hand only one half counts.")
    elif _compared(scope):
        yield say("All pips of the tiles left in a hand count, both halves of doubles.")


def _out(scope: Scope) -> Iterator[str]:
    say, award = scope.say, scope.rules.round_end.out.award
    if isinstance(award, Fixed):
        yield say("Going out pays {points}.", points=scope.points(award.points))
        return
    match award:
        case "none":
            yield say("Going out pays nothing.")
        case "own_pips_lost":
            yield say("When somebody goes out, every side loses the pips left in its own hands.")
        case "all_others_pips" if scope.teams:
            yield say("Going out pays the pips left in all other hands, the partner's included.")
        case "differences" if scope.teams:
            yield say(
                "Going out pays, for each other side, its pips less those left in the winning"
                " side's hands."
            )
        case _ if scope.teams:
            yield say(
                "Going out pays the pips left in the opponents' hands; what a partner still holds"
                " does not matter."
            )
        case _:
            yield say("Going out pays the pips left in the hands of all the others.")


def _blocked(scope: Scope) -> Iterator[str]:
    say, blocked = scope.say, scope.rules.round_end.blocked
    if blocked.award == "own_pips_lost":
        yield say("In a blocked round every side loses the pips left in its own hands.")
    if not scope.blocked_has_winner:
        if blocked.award != "own_pips_lost":
            yield say("Nobody wins a blocked round, and it pays nothing.")
        return
    yield _blocked_winner(scope)
    if blocked.award != "own_pips_lost":
        yield _blocked_award(scope)
    if scope.tie_rule:
        yield _tie(scope)


def _blocked_winner(scope: Scope) -> str:
    say = scope.say
    match scope.rules.round_end.blocked.winner:
        case "lowest_team" if scope.always_teams:
            return say("A blocked round is won by the side with fewer pips, partners together.")
        case "lowest_team" if scope.teams:
            return say(
                "A blocked round is won by the player with the fewest pips or, with pairs, by the"
                " side with fewer pips, partners together."
            )
        case "lowest_no_double":
            return say(
                "A blocked round is won by the lightest hand without a double; if every hand holds"
                " one, the hand whose other tiles have the fewest pips wins."
            )
        case _ if scope.teams:
            return say(
                "A blocked round is won by the player with the fewest pips, with pairs for both"
                " partners."
            )
        case _:
            return say("A blocked round is won by the player with the fewest pips.")


def _blocked_award(scope: Scope) -> str:
    say, blocked = scope.say, scope.rules.round_end.blocked
    if isinstance(blocked.award, Fixed):
        return say("That pays {points}.", points=scope.points(blocked.award.points))
    match blocked.award:
        case "none":
            return say("That pays nothing.")
        case "opponents_minus_own":
            return say(
                "That pays the opponents' pips together, less the winner's own pips taken off once."
            )
        case "differences":
            return say("That pays, for each loser, the loser's pips less the winner's.")
        case "all_hands":
            return say("That pays all the pips left in all hands, the winner's own included.")
        case "cascade":
            return say(
                "Not only the winner is paid: each hand gets its difference to every heavier one."
            )
        case _:
            return say("That pays the pips left in the opponents' hands.")


def _tie(scope: Scope) -> str:
    say = scope.say
    match scope.rules.round_end.blocked.tie:
        case "none":
            return say("If the lightest hands are equal, nobody wins and nothing is paid.")
        case "split":
            return say(
                "If the lightest hands are equal, their owners share the points, cut down to whole"
                " ones; if all are equal, nobody is paid."
            )
        case "opener_side":
            return say(
                "If the lightest hands are equal, the one of the side that led the round wins; if"
                " it is not among them, nobody does."
            )
        case "blocker":
            return say(
                "If the lightest hands are equal, the one of the side that laid the last tile wins;"
                " if it is not among them, nobody does."
            )
        case _:
            return say("If the lightest hands are equal, the round is void and played again.")


def _rounding(scope: Scope) -> Iterator[str]:
    say, end = scope.say, scope.rules.round_end
    step = end.round.to
    if not scope.pips_paid:
        return
    if step < 2 and scope.scores:
        yield say("What the end of a round pays is exact, not rounded.")
    if step > 1:
        what = (
            say("Each hand or difference is rounded by itself")
            if end.round.scope == "per_hand"
            else say("The total is rounded")
        )
        how = {
            "nearest": say("to the nearest multiple of {n}", n=step),
            "up": say("up to a multiple of {n}", n=step),
            "down": say("down to a multiple of {n}", n=step),
        }[end.round.mode]
        if end.round.applies_to == "both":
            yield say("{what} {how}.", what=what, how=how)
        else:
            yield say("{what} {how}, but not after a blocked round.", what=what, how=how)
    if end.divide > 1:
        yield say("What comes out is divided by {n}: 1 point for every {n}.", n=end.divide)


def match_end(scope: Scope) -> Part:
    """Return the part about winning the match."""
    say = scope.say
    found = (*_target(scope), *_exact(scope), *_rounds(scope), *_winner(scope), *_reset(scope))
    return Part(say("The match"), (Rules(found),))


def _target(scope: Scope) -> Iterator[str]:
    say, match = scope.say, scope.rules.match
    if match.target is None:
        return
    yield say(
        "The target is {points}.",
        points=scope.by_players(lambda number: scope.points(scope.rules.target(number) or 0)),
    )
    if match.winner_is == "low":
        yield say("The match ends with the round in which somebody reaches it.")
    elif match.check == "at_once":
        yield say("Whoever reaches it first wins at once, in the middle of a round too.")
    elif match.exact:
        yield say("Nobody wins by reaching it before the round is over.")
    else:
        yield say("Scores are compared with it only when a round is over.")


def _exact(scope: Scope) -> Iterator[str]:
    say, match = scope.say, scope.rules.match
    if match.target is None:
        return
    if match.exact and match.overshoot == "void":
        yield say("It must be reached exactly: points that would pass it are void.")
    elif match.exact:
        yield say("It must be reached exactly: points that pass it are counted back from it.")
    if match.exact and match.bundle == "play_and_out":
        yield say(
            "The points of the last tile and those of going out are compared with it as one sum."
        )
    if not match.win_on_out:
        yield say("It cannot be reached with the last tile of a hand: such points are void.")


def _rounds(scope: Scope) -> Iterator[str]:
    count, rounds = scope.count, scope.rules.match.rounds
    if rounds is not None:
        yield count("The match is one round.", "The match ends after {n} rounds.", rounds)


def _tie_decided(scope: Scope) -> bool:
    """Whether two sides can never stand at the end together."""
    rules, blocked = scope.rules, scope.rules.round_end.blocked
    several = (
        (scope.blocked_has_winner and blocked.award == "cascade")
        or (scope.tie_rule and blocked.tie == "split")
        or (scope.declares and rules.claim.false_claim == "penalty")
    )
    at_once = rules.match.check == "at_once" and rules.match.rounds is None
    return at_once and rules.match.winner_is == "high" and not several


def _winner(scope: Scope) -> Iterator[str]:
    say, match = scope.say, scope.rules.match
    if match.winner_is == "low":
        yield say("The lowest score wins the match.")
    elif match.check != "at_once" or match.rounds is not None:
        yield say("The highest score wins the match.")
    if _tie_decided(scope):
        return
    if match.tie == "highest":
        yield say("Equal best scores share the match.")
    else:
        yield say("As long as the best scores are equal, another round is played.")


def _reset(scope: Scope) -> Iterator[str]:
    say = scope.say
    if scope.resets:
        yield say("Whoever loses a round loses all points and starts again from 0.")
