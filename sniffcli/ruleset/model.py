"""The ruleset: every switch of a game as one frozen value.

The keys of a file are the attributes here; `pass` is written `pass_` because Python keeps that
word for itself. Defaults, descriptions, messages, the JSON Schema and the manual come from these
definitions.
"""

from typing import Annotated, Literal

from sniffcli.ruleset.endings import Match, RoundEnd
from sniffcli.ruleset.readers import Choice, Flag, Text, Whole
from sniffcli.ruleset.section import Section, key
from sniffcli.ruleset.sections import (
    Claim,
    Deal,
    Draw,
    ExtraTurn,
    Joining,
    Keelhaul,
    Layout,
    Open,
    Pass,
    Players,
    Score,
    SetOfTiles,
    Turn,
)
from sniffcli.tiles import Tile, tile_set

Group = Literal["fives", "threes", "block", "cross", "other"]


class Ruleset(Section):
    """All the rules of one game (contract, section 4)."""

    sniff: Annotated[int, Whole(1, 1)] = key(default=1, description="The version of the format.")
    id: Annotated[str, Text(name=True)] = key(
        description="The name by which commands and files call this ruleset."
    )
    name: Annotated[str, Text()] = key(
        default="", description="The name that people read; if absent, the id."
    )
    summary: Annotated[str, Text()] = key(default="", description="The game in a sentence.")
    source: Annotated[str, Text()] = key(default="", description="Where these rules come from.")
    group: Annotated[Group, Choice()] = key(
        default="fives", description="The family under which the ruleset is listed."
    )
    extends: Annotated[str | None, Text(name=True)] = key(
        default=None, description="The ruleset from which this one differs."
    )
    set: SetOfTiles = key(default=SetOfTiles(), description="Which tiles are in play.")
    players: Players = key(
        default=Players(), description="How many may play, and how they are grouped."
    )
    turn: Turn = key(default=Turn(), description="The order of play.")
    deal: Deal = key(description="How many tiles each player gets.")
    open: Open = key(default=Open(), description="Who leads a round, and with which tile.")
    joining: Joining = key(
        default=Joining(), description="Which halves may be laid against each other."
    )
    layout: Layout = key(default=Layout(), description="Where tiles may be laid on the table.")
    score: Score = key(default=Score(), description="What a play scores.")
    claim: Claim = key(
        default=Claim(),
        description="Whether points must be announced, and who may take those that are not.",
    )
    draw: Draw = key(default=Draw(), description="Taking tiles from the boneyard.")
    pass_: Pass = key(default=Pass(), written="pass", description="What passing costs or brings.")
    extra_turn: ExtraTurn = key(
        default=ExtraTurn(),
        description="Plays after which the same player is on turn again.",
    )
    round_end: RoundEnd = key(
        default=RoundEnd(), description="When a round ends, and what it pays."
    )
    keelhaul: Keelhaul | None = key(
        default=None, description="Paying to blind a rival for a while; absent: not in this game."
    )
    tings: Annotated[bool, Flag()] = key(
        default=False, description="Whether claims and catches in a row are counted."
    )
    match: Match = key(default=Match(), description="When the match is over, and who has won.")

    @property
    def title(self) -> str:
        """The name that people read."""
        return self.name or self.id

    def legal_players(self) -> range:
        """Return the numbers of players for which these rules can be played."""
        return range(self.players.min, self.players.max + 1)

    def removed(self, players: int) -> tuple[Tile, ...]:
        """Return the tiles that are taken out of the set."""
        remove = self.set.remove
        return remove.get(players, ()) if isinstance(remove, dict) else remove

    def tiles(self, players: int) -> tuple[Tile, ...]:
        """Return the tiles in play, in index order."""
        return tile_set(self.set.max_pip, self.removed(players))

    def hand_size(self, players: int) -> int:
        """Return how many tiles each player is dealt."""
        hand = self.deal.hand
        return hand[players] if isinstance(hand, dict) else len(self.tiles(players)) // players

    def reserve(self, players: int) -> int:
        """Return how many tiles always stay in the boneyard."""
        reserve = self.draw.reserve
        return reserve[players] if isinstance(reserve, dict) else reserve

    def target(self, players: int) -> int | None:
        """Return the score that ends the match in points, or None."""
        target = self.match.target
        return target[players] if isinstance(target, dict) else target

    @property
    def complement_sum(self) -> int:
        """What touching halves add up to where joining is by complement."""
        return self.set.max_pip + 1 if self.joining.sum is None else self.joining.sum

    def wild_tiles(self, players: int) -> frozenset[Tile]:
        """Return the tiles that may be laid anywhere."""
        wild = self.joining.wild
        every = self.tiles(players)
        if isinstance(wild, tuple):
            return frozenset(wild) & frozenset(every)
        return frozenset(one for one in every if one.pips in (self.complement_sum, 0))

    def teams_possible(self, players: int) -> bool:
        """Whether that many players may play as partners."""
        return players == 4 and self.players.teams != "none"

    def no_partners(self, players: int) -> str:
        """Return why that many players cannot be partners, and what would make it possible."""
        way = "pairs are for 4 players"
        if self.players.teams == "none":
            way = "with 4 players the house rule players.teams=optional_pairs allows them"
        return f"{self.title} has no partners with {players} players; {way}"

    def teams_required(self, players: int) -> bool:
        """Whether that many players always play as partners."""
        return players == 4 and self.players.teams in ("pairs", "pairs_if_4")
