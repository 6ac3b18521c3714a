"""Titles for winners and trophies for deeds; what is won is kept in the player's own data."""

from __future__ import annotations

from sniffcli.files.profile import Profile
from sniffcli.ruleset.model import Ruleset
from sniffcli.ui.live import LiveGame
from sniffcli.ui.statistics import tallies

#: What a winner may call himself, by the family of the game.
TITLES = {
    "fives": "Keeper of the Fives",
    "threes": "Grand Master of the Parlor",
    "block": "Warden of the Block",
    "cross": "Pilot of the Four Arms",
    "other": "First of the Table",
}

#: The title of a game at sea, where tiles may be paid to sink rivals.
SEA_TITLE = "Admiral of the Sniff"

TROPHIES = {
    "first-win": "won a match",
    "ten-wins": "won ten matches",
    "five-tings": "claimed or caught five times in a row",
    "first-catch": "caught a rival asleep",
    "big-score": "made 20 points or more with one tile",
    "clean-match": "won a match without missing a claim",
}


def title(rules: Ruleset) -> str:
    """Return the title of whoever wins a match by these rules."""
    return SEA_TITLE if rules.keelhaul is not None else TITLES[rules.group]


def award(profile: Profile, game: LiveGame, seat: int) -> list[str]:
    """Add a finished match to a profile; return the trophies that it has newly won."""
    one = tallies(game)[seat]
    won = seat in (game.winners or ())
    profile.matches += 1
    profile.wins += won
    earned = []
    if won:
        earned.append("first-win")
    if profile.wins >= 10:
        earned.append("ten-wins")
    if one.best_tings >= 5:
        earned.append("five-tings")
    if one.catches:
        earned.append("first-catch")
    if one.best >= 20:
        earned.append("big-score")
    if won and game.setup.rules.claim.mode == "declare" and one.claims and not one.missed:
        earned.append("clean-match")
    new = [name for name in earned if name not in profile.trophies]
    profile.trophies += new
    name = title(game.setup.rules)
    if won and name not in profile.titles:
        profile.titles.append(name)
    return new
