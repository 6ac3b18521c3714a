"""The sections of a ruleset that settle a round and a match."""

from typing import Annotated, Literal

from sniffcli.ruleset.readers import Choice, Flag, Mapped, Whole
from sniffcli.ruleset.section import Section, key
from sniffcli.ruleset.sections import PLAYERS
from sniffcli.ruleset.words import ByPlayers, Fixed


class Out(Section):
    """A round that ends because somebody went out."""

    award: Annotated[
        Literal["opponents_pips", "all_others_pips", "differences", "own_pips_lost", "none"]
        | Fixed,
        Choice(),
    ] = key(default="opponents_pips", description="What going out pays.")


class Blocked(Section):
    """A round that ends because nobody can move."""

    winner: Annotated[
        Literal["lowest_player", "lowest_team", "lowest_no_double", "none"], Choice()
    ] = key(default="lowest_player", description="Who wins a blocked round.")
    award: Annotated[
        Literal[
            "opponents_pips",
            "opponents_minus_own",
            "differences",
            "all_hands",
            "cascade",
            "own_pips_lost",
            "none",
        ]
        | Fixed,
        Choice(),
    ] = key(default="opponents_pips", description="What winning a blocked round pays.")
    tie: Annotated[Literal["none", "split", "opener_side", "blocker", "replay"], Choice()] = key(
        default="none", description="Who wins a blocked round when the lowest hands are equal."
    )


class Rounding(Section):
    """Rounding of the points paid at the end of a round."""

    to: Annotated[int, Whole(0)] = key(
        default=0, description="Round to multiples of this number; 0 does not round."
    )
    mode: Annotated[Literal["nearest", "up", "down"], Choice()] = key(
        default="nearest", description="Which multiple is taken."
    )
    scope: Annotated[Literal["total", "per_hand"], Choice()] = key(
        default="total",
        description="Whether the total is rounded, or each hand or difference in it.",
    )
    applies_to: Annotated[Literal["both", "out"], Choice()] = key(
        default="both", description="Whether blocked rounds are rounded too."
    )


class RoundEnd(Section):
    """When a round ends, and what it pays."""

    when: Annotated[Literal["first_out", "both_partners_out"], Choice()] = key(
        default="first_out", description="Whose last tile ends a round."
    )
    out: Out = key(default=Out(), description="A round in which somebody went out.")
    blocked: Blocked = key(default=Blocked(), description="A round that was blocked.")
    round: Rounding = key(
        default=Rounding(), description="How the points of a round's end are rounded."
    )
    divide: Annotated[int, Whole(1)] = key(
        default=1, description="The rounded points are divided by this number."
    )
    hand_double: Annotated[Literal["both", "single"], Choice()] = key(
        default="both", description="Whether a double left in a hand counts both halves or one."
    )


class Match(Section):
    """When the match is over, and who has won."""

    target: Annotated[
        int | ByPlayers[int] | None,
        Mapped(Whole(1), PLAYERS, alone=Whole(1), none_word=True),
    ] = key(
        default=None,
        description="The score that ends the match, as one number or by number of players; "
        "required unless `match.rounds` ends it.",
    )
    exact: Annotated[bool, Flag()] = key(
        default=False, description="Whether the target must be reached exactly."
    )
    overshoot: Annotated[Literal["void", "bounce"], Choice()] = key(
        default="void",
        description="What becomes of points that would pass an exact target: nothing, or they "
        "count back from it.",
    )
    bundle: Annotated[Literal["separate", "play_and_out"], Choice()] = key(
        default="separate",
        description="Whether the points of the last tile and those of going out meet the target "
        "one after the other or as one sum.",
    )
    check: Annotated[Literal["at_once", "round_end"], Choice()] = key(
        default="at_once",
        description="When a score that has reached the target wins. What passes an exact target is "
        "void, or counted back, with each score that is made, whichever is chosen.",
    )
    tie: Annotated[Literal["highest", "extra_round"], Choice()] = key(
        default="highest",
        description="What decides when several have reached the target: the best score (equal "
        "scores share the match), or another round as long as the best scores are equal.",
    )
    rounds: Annotated[int | None, Choice(low=1, none_word=True)] = key(
        default=None, description="The number of rounds after which the match ends."
    )
    winner_is: Annotated[Literal["high", "low"], Choice()] = key(
        default="high", description="Whether the highest or the lowest score wins."
    )
    win_on_out: Annotated[bool, Flag()] = key(
        default=True,
        description="Whether the points of a player's last tile can reach the target.",
    )
    loser_resets: Annotated[bool, Flag()] = key(
        default=False,
        description="Whether the losers of a round lose all their points (six in a row).",
    )
