"""What a book is written for: the rules, the numbers of players, the language, the page."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sniffcli.ruleset.model import Ruleset
from sniffcli.ruleset.words import Fixed
from sniffcli.tiles import tile_set
from sniffcli.tutor.rulebook.words import Words


@dataclass(frozen=True)
class Scope:
    """The rules with the numbers of PLAYERS that the book is for, and how it is written."""

    rules: Ruleset
    players: tuple[int, ...]
    words: Words
    unicode: bool = True
    width: int = 80
    #: Whether worked examples are wanted; they take most of the time.
    examples: bool = True

    def say(self, message: str, **values: object) -> str:
        """Return MESSAGE in the language of the book."""
        return self.words.say(message, **values)

    def count(self, one: str, many: str, number: int, **values: object) -> str:
        """Return the form of a sentence that suits NUMBER."""
        return self.words.count(one, many, number, **values)

    def points(self, number: int) -> str:
        """Return `1 point` or `5 points`."""
        count = self.count
        return count("{n} point", "{n} points", number)

    def tiles(self, number: int) -> str:
        """Return `1 tile` or `5 tiles`."""
        count = self.count
        return count("{n} tile", "{n} tiles", number)

    def by_players(self, value: Callable[[int], str]) -> str:
        """Return a value that may depend on the number of players, said only as often as needed."""
        say = self.say
        groups: dict[str, list[int]] = {}
        for number in self.players:
            groups.setdefault(value(number), []).append(number)
        if len(groups) == 1:
            return next(iter(groups))
        return ", ".join(
            say("{value} with {players} players", value=text, players=self.words.either(numbers))
            for text, numbers in groups.items()
        )

    def undealt(self, players: int) -> int:
        """Return how many tiles are left when the hands are dealt."""
        return len(self.rules.tiles(players)) - players * self.rules.hand_size(players)

    def drawable(self, players: int) -> int:
        """Return how many tiles may be drawn in a round."""
        if self.rules.draw.when == "never":
            return 0
        return max(0, self.undealt(players) - self.rules.reserve(players))

    @property
    def draws(self) -> bool:
        """Whether anything is ever drawn."""
        return any(self.drawable(number) for number in self.players)

    @property
    def scores(self) -> bool:
        """Whether plays score."""
        return self.rules.score.kind != "none"

    @property
    def declares(self) -> bool:
        """Whether points must be claimed."""
        return self.scores and self.rules.claim.mode == "declare"

    @property
    def teams(self) -> bool:
        """Whether partners may play together."""
        return any(self.rules.teams_possible(number) for number in self.players)

    @property
    def always_teams(self) -> bool:
        """Whether partners always play together."""
        return all(self.rules.teams_required(number) for number in self.players)

    @property
    def found_by_tile(self) -> bool:
        """Whether the first leader is found by a tile that was dealt."""
        return self.rules.open.first_leader not in ("lot", "host")

    @property
    def pips_paid(self) -> bool:
        """Whether the pips left in the hands are paid at the end of some round."""
        end = self.rules.round_end
        blocked = end.blocked.award
        pays_blocked = (
            end.blocked.winner != "none" or blocked == "own_pips_lost"
        ) and not _without_pips(blocked)
        return not _without_pips(end.out.award) or pays_blocked

    @property
    def blocked_has_winner(self) -> bool:
        """Whether the hands of a blocked round are compared."""
        blocked = self.rules.round_end.blocked
        return blocked.winner != "none"

    @property
    def ties(self) -> bool:
        """Whether a blocked round can be without a winner because hands are equal."""
        return self.blocked_has_winner or self.rules.round_end.blocked.award == "own_pips_lost"

    @property
    def tie_rule(self) -> bool:
        """Whether `blocked.tie` is ever asked."""
        blocked = self.rules.round_end.blocked
        return self.blocked_has_winner and blocked.award not in ("own_pips_lost", "cascade")

    @property
    def one_round(self) -> bool:
        """Whether a match never has a second round."""
        match = self.rules.match
        replays = self.tie_rule and self.rules.round_end.blocked.tie == "replay"
        return match.rounds == 1 and match.tie == "highest" and not replays

    @property
    def resets(self) -> bool:
        """Whether the losers of a round lose all their points."""
        match = self.rules.match
        return match.loser_resets and match.target is not None

    @property
    def inline(self) -> bool:
        """Whether doubles are laid in line."""
        return self.rules.layout.doubles_lie == "inline"

    @property
    def set_name(self) -> str:
        """The set of tiles, as players call it."""
        say = self.say
        named = {
            6: say("double-six"),
            9: say("double-nine"),
            12: say("double-twelve"),
            15: say("double-fifteen"),
            18: say("double-eighteen"),
        }
        largest = self.rules.set.max_pip
        return named.get(largest) or say("double-{n}", n=largest)

    def listed_tiles(self, tiles: Iterable[object]) -> str:
        """Return tiles as `6-1, 5-2 and 4-3`."""
        return self.words.both(tiles)

    def doubles_in_set(self, players: int) -> int:
        """Return how many doubles are in play."""
        return sum(tile.is_double for tile in self.rules.tiles(players))

    @property
    def whole_set(self) -> int:
        """Number of tiles before any are taken out."""
        return len(tile_set(self.rules.set.max_pip))


def _without_pips(award: object) -> bool:
    return award == "none" or isinstance(award, Fixed)
