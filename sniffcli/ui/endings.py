"""What follows the end of a match: honours, and the opened proof of the deal."""

from __future__ import annotations

from sniffcli.files.profile import Profile, ProfileError, load_profile, save_profile
from sniffcli.files.writing import FileRefused
from sniffcli.ui.honours import TROPHIES, award
from sniffcli.ui.keeper import Keeper
from sniffcli.ui.session import Session
from sniffcli.ui.skins import SKINS


def honours_now() -> Profile | None:
    """Return the player's honours; None where they cannot be read."""
    try:
        return load_profile()
    except (OSError, ProfileError):
        return None


def unhonoured(before: Profile) -> str:
    """Put the honours back to what they were BEFORE a match whose end is taken back."""
    try:
        save_profile(before)
    except (OSError, FileRefused) as problem:
        return f"The honours cannot be kept: {problem}"
    return "The match goes on, and what it won is taken back."


def honoured(session: Session, keeper: Keeper) -> list[str]:
    """Note a finished match in the player's honours; return what to say about it."""
    lines = []
    file, proof = keeper.file, keeper.sitting.promise
    if proof is not None and file is not None and not keeper.trouble:
        lines.append(f"The deal is open: sniff replay --verify-deal {file.path}")
    if not session.game.people or not session.setup.bots:
        return lines
    if session.undone:
        return [*lines, "Actions were taken back, so this match wins no trophies."]
    try:
        profile = load_profile()
        new = award(profile, session.game, session.game.people[0])
        save_profile(profile)
    except (OSError, ProfileError, FileRefused) as problem:
        return [*lines, f"The honours cannot be kept: {problem}"]
    for name in new:
        lines.append(f"A trophy: {TROPHIES[name]}.")
        lines += [
            f"It brings the board skin {skin.name}: --skin {skin.name}"
            for skin in SKINS
            if skin.won_by == name
        ]
    return lines
