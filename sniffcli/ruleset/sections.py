"""The sections of a ruleset that rule a round in play: set, deal, lead, joining, score, claim."""

from typing import Annotated, Literal

from sniffcli.ruleset.readers import Choice, Flag, Listed, Mapped, OneTile, Time, Whole
from sniffcli.ruleset.section import Section, key
from sniffcli.ruleset.words import (
    ByPlayers,
    Doubles,
    Flat,
    HolderOf,
    PerKnock,
    Seconds,
)
from sniffcli.tiles import MOST_PIPS, Tile

#: The largest number of players that a table seats.
MOST_PLAYERS = 12

PLAYERS = Whole(2, MOST_PLAYERS)


class SetOfTiles(Section):
    """Which tiles are in play."""

    max_pip: Annotated[int, Whole(2, MOST_PIPS)] = key(
        default=6, description="The largest half in the set; 6 is the double-six set of 28 tiles."
    )
    remove: Annotated[
        tuple[Tile, ...] | ByPlayers[tuple[Tile, ...]],
        Mapped(Listed(OneTile()), PLAYERS, alone=Listed(OneTile())),
    ] = key(
        default=(),
        description="Tiles taken out of the set, as one list or by number of players.",
    )


class Players(Section):
    """How many may play, and how they are grouped."""

    min: Annotated[int, PLAYERS] = key(default=2, description="The fewest players.")
    max: Annotated[int, PLAYERS] = key(default=4, description="The most players.")
    teams: Annotated[Literal["none", "pairs", "pairs_if_4", "optional_pairs"], Choice()] = key(
        default="none",
        description="Whether partners sitting opposite play together: never, always, whenever "
        "there are four, or when four players choose it.",
    )


class Turn(Section):
    """The order of play."""

    direction: Annotated[Literal["clockwise", "counterclockwise"], Choice()] = key(
        default="clockwise",
        description="How the turn goes round the table when seats are drawn and explained.",
    )


class Deal(Section):
    """How many tiles each player gets."""

    hand: Annotated[
        ByPlayers[int] | Literal["all_even"], Mapped(Whole(1), PLAYERS, words=("all_even",))
    ] = key(
        description="Tiles for each player by number of players, or the whole set shared evenly."
    )
    redeal_if: Annotated[Literal["none", "no_double_dealt"] | Doubles, Choice()] = key(
        default="none",
        description="Hands that are thrown in before the lead: no double in any hand, or a hand "
        "with that many doubles.",
    )


class Open(Section):
    """Who leads a round, and with which tile."""

    first_leader: Annotated[
        Literal["lot", "host", "highest_double", "lowest_double", "highest_tile"] | HolderOf,
        Choice(),
    ] = key(
        default="lot",
        description="Who leads the first round; equal pip sums are decided by the larger half.",
    )
    tile: Annotated[Literal["any", "qualifying", "double", "double_or_scoring"], Choice()] = key(
        default="any",
        description="Which tile may be led; `qualifying` is the tile by which its holder was "
        "found, and binds only him.",
    )
    if_none: Annotated[
        Literal[
            "redeal", "highest_tile", "highest_tile_any", "heaviest_hand", "draw_until", "pass_lead"
        ],
        Choice(),
    ] = key(
        default="redeal",
        description="What happens when nobody holds, or the leader does not hold, the tile that "
        "is asked for.",
    )
    next_leader: Annotated[
        Literal["as_first", "winner", "rotate", "host", "winning_team"], Choice()
    ] = key(default="as_first", description="Who leads the rounds after the first.")
    next_leader_after_block: Annotated[
        Literal["as_next", "lot", "as_first", "rotate", "blocker", "lowest", "same"], Choice()
    ] = key(default="as_next", description="Who leads after a round that was blocked.")
    next_leader_after_tie: Annotated[
        Literal["as_next", "lot", "as_first", "rotate", "blocker", "lowest", "same"], Choice()
    ] = key(default="as_next", description="Who leads after a blocked round that nobody won.")
    scores: Annotated[bool, Flag()] = key(
        default=True, description="Whether the first tile of a round can score."
    )


class Joining(Section):
    """Which halves may be laid against each other."""

    rule: Annotated[Literal["equal", "complement"], Choice()] = key(
        default="equal",
        description="Touching halves are equal, or add up to the number of `joining.sum`.",
    )
    sum: Annotated[int | None, Whole(1, 36)] = key(
        default=None,
        description="What touching halves add up to under `complement`; if absent, one more than "
        "the largest half.",
    )
    wild: Annotated[
        tuple[Tile, ...] | Literal["sum_tiles_and_double_blank"],
        Listed(OneTile(), words=("sum_tiles_and_double_blank",)),
    ] = key(
        default=(),
        description="Tiles that may be laid anywhere (matadors): a list, or all tiles whose "
        "halves add up to the joining sum together with 0-0.",
    )
    blank: Annotated[Literal["normal", "wild_only"], Choice()] = key(
        default="normal", description="Whether only a wild tile can follow a blank."
    )
    forced_wild: Annotated[bool, Flag()] = key(
        default=False,
        description="Whether a wild tile must be laid when nothing else fits and nothing may be "
        "drawn.",
    )


class Layout(Section):
    """Where tiles may be laid on the table."""

    open_ends: Annotated[int, Whole(1, 2)] = key(
        default=2, description="How many ends of the first tile may be joined."
    )
    spinner: Annotated[
        Literal["none", "first_double", "first_enclosed_double", "opening_double", "all_doubles"],
        Choice(),
    ] = key(default="none", description="Which double is open on all four faces.")
    ends_open: Annotated[Literal["after_both_sides", "at_once"], Choice()] = key(
        default="after_both_sides",
        description="When the two short faces of a spinner open.",
    )
    fill_first: Annotated[Literal["none", "opening", "every_double"], Choice()] = key(
        default="none",
        description="Which doubles must have their faces covered before anything else is played.",
    )
    fill_count: Annotated[int, Whole(1, 4)] = key(
        default=4, description="How many faces of such a double must be covered."
    )
    second_ring: Annotated[Literal["none", "all_arms", "per_arm"], Choice()] = key(
        default="none",
        description="Whether the arms of the first double must then be followed by the matching "
        "doubles: all of them before anything else, or each before its own arm grows.",
    )
    doubles_lie: Annotated[Literal["across", "inline"], Choice()] = key(
        default="across", description="How a double that is no spinner is laid."
    )


class Score(Section):
    """What a play scores."""

    kind: Annotated[Literal["ends_sum", "none", "equal_ends"], Choice()] = key(
        default="ends_sum",
        description="Whether plays score by the sum of the ends, not at all, or by equal ends.",
    )
    header: Annotated[int, Whole(0)] = key(
        default=2, description="Points for two equal ends under `equal_ends`."
    )
    header_with_double: Annotated[int, Whole(0)] = key(
        default=3, description="Points for two equal ends of which one is a double."
    )
    divisors: Annotated[tuple[int, ...], Listed(Whole(1))] = key(
        default=(5,), description="A sum scores when one of these numbers divides it."
    )
    combine: Annotated[Literal["once", "each"], Choice()] = key(
        default="once",
        description="Whether a sum with several divisors scores once or for each of them.",
    )
    award: Annotated[Literal["sum", "quotient"] | Flat, Choice()] = key(
        default="sum",
        description="What a scoring sum pays: itself, itself divided by the divisor, or the same "
        "points always.",
    )
    tip_double: Annotated[Literal["both", "single"], Choice()] = key(
        default="both",
        description="Whether a double at the tip of an arm counts both halves or one.",
    )
    spinner_counts: Annotated[Literal["until_two_faces", "exposed_halves", "single"], Choice()] = (
        key(
            default="until_two_faces",
            description="How long a spinner itself counts: both halves until two faces are covered,"
            " each half until its short face is covered, or one half.",
        )
    )
    entry_minimum: Annotated[int, Whole(0)] = key(
        default=0, description="The least points that a side's first score must have."
    )
    near_target: Annotated[
        ByPlayers[int] | None,
        Mapped(
            Whole(0),
            Whole(1),
            none_word=True,
            what="a map from points missing to the most a play pays, like {2: 1}",
        ),
    ] = key(
        default=None,
        description="The most that a play pays when that many points are missing to the target.",
    )


class Claim(Section):
    """Whether points must be announced, and who may take those that are not."""

    mode: Annotated[Literal["automatic", "declare"], Choice()] = key(
        default="automatic", description="Whether points are credited by themselves."
    )
    owner_until: Annotated[Literal["next_tile"] | Seconds, Choice()] = key(
        default="next_tile", description="How long the points can be claimed by their owner."
    )
    rivals: Annotated[Literal["none", "any"], Choice()] = key(
        default="none", description="Who may take points that their owner did not claim."
    )
    rivals_until: Annotated[Literal["next_tile", "tile_after_next", "round_end"], Choice()] = key(
        default="next_tile", description="How long rivals may take unclaimed points."
    )
    bounty: Annotated[int, Whole(0)] = key(
        default=0, description="Points that the bank adds for taking a rival's points."
    )
    false_claim: Annotated[Literal["ignored", "penalty"], Choice()] = key(
        default="ignored",
        description="Whether a wrong claim is void or pays the number claimed to each rival side.",
    )
    at_round_end: Annotated[Literal["owner_may_claim", "lost"], Choice()] = key(
        default="owner_may_claim",
        description="Whether the points of the last tile of a round can still be claimed.",
    )


class Draw(Section):
    """Taking tiles from the boneyard."""

    when: Annotated[Literal["unable", "never", "free", "unable_without_wild"], Choice()] = key(
        default="unable",
        description="When a player draws: if unable to play, never, at will, or if only a wild "
        "tile could be played.",
    )
    limit: Annotated[Literal["until_playable"] | int, Choice(low=1)] = key(
        default="until_playable",
        description="How many tiles are drawn in one turn.",
    )
    then: Annotated[Literal["must_play", "may_play", "turn_ends"], Choice()] = key(
        default="must_play", description="What follows when a drawn tile can be played."
    )
    reserve: Annotated[int | ByPlayers[int], Mapped(Whole(0), PLAYERS, alone=Whole(0))] = key(
        default=0,
        description="Tiles that stay in the boneyard, as one number or by number of players.",
    )
    limit_during_fill: Annotated[Literal["until_playable"] | int | None, Choice(low=1)] = key(
        default=None,
        description="How many tiles are drawn in one turn while a double must be filled; if "
        "absent, as `draw.limit`.",
    )


class Pass(Section):
    """What passing costs or brings."""

    bonus: Annotated[Literal["none"] | PerKnock, Choice()] = key(
        default="none", description="Points of the next player who can play, for each knock."
    )
    penalty: Annotated[int, Whole(0)] = key(
        default=0,
        description="Points lost for passing while able to play, where the hands show it; more "
        "than 0 allows such a pass. A knock of somebody who cannot play costs nothing.",
    )


class ExtraTurn(Section):
    """Plays after which the same player is on turn again."""

    after: Annotated[
        tuple[Literal["double", "score"], ...], Listed(Choice(words=("double", "score")))
    ] = key(default=(), description="Which plays give another turn.")
    forced: Annotated[bool, Flag()] = key(
        default=False,
        description="Whether the extra turn must be taken; if not, `pass` declines it.",
    )


class Keelhaul(Section):
    """Paying to blind a rival for a while."""

    unlock_at: Annotated[int, Whole(0)] = key(
        default=50, description="The match score at which keelhauling opens, once for the match."
    )
    cost: Annotated[int, Whole(0)] = key(default=5, description="What one keelhaul costs.")
    seconds: Annotated[float, Time()] = key(
        default=15, description="How long the rival stays submerged."
    )
