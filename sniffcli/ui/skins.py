"""Board skins: how tiles are drawn. Some are there from the start, others are won by play."""

from __future__ import annotations

from dataclasses import dataclass

from sniffcli.files.profile import ProfileError, load_profile, save_profile
from sniffcli.files.writing import FileRefused
from sniffcli.show.style import Look
from sniffcli.ui.session import Options


@dataclass(frozen=True, slots=True)
class Skin:
    """One way to dress the drawn table: colours, and the signs of tiles exchanged."""

    name: str
    help: str
    #: Style of whole lines of the table, as click names it; empty for none.
    fg: str = ""
    #: Signs of the drawing and what stands for them; only where the look has Unicode.
    signs: tuple[tuple[str, str], ...] = ()
    #: The trophy that wins it; empty for skins that everybody has.
    won_by: str = ""


SKINS: tuple[Skin, ...] = (
    Skin("ivory", "plain tiles in brackets"),
    Skin("parlor", "green felt", fg="green"),
    Skin("deep", "the blue of the sea", fg="cyan"),
    Skin("brass", "tiles with brass corners", fg="yellow", signs=(("[", "⟦"), ("]", "⟧")),
         won_by="first-win"),
    Skin("lagoon", "tiles like paper boats", fg="bright_cyan", signs=(("[", "⦅"), ("]", "⦆")),
         won_by="five-tings"),
    Skin("mahogany", "dark wood", fg="red", signs=(("[", "❲"), ("]", "❳")),
         won_by="ten-wins"),
)  # fmt: skip

BY_NAME = {skin.name: skin for skin in SKINS}


def painted(name: str) -> bool:
    """Whether a skin brings a colour of its own, so that the table comes to it without any."""
    return name in BY_NAME and bool(BY_NAME[name].fg)


def skinned(text: str, name: str, look: Look) -> str:
    """Return a drawn table in the dress of a skin; nothing but looks changes."""
    skin = BY_NAME.get(name, SKINS[0])
    if look.unicode:
        for plain, sign in skin.signs:
            if not look.color or plain != "[":
                text = text.replace(plain, sign)
            else:
                # A bracket behind an escape character belongs to a colour, not to a tile.
                text = text.replace("\x1b[", "\x1b\0").replace("[", sign).replace("\x1b\0", "\x1b[")
    if not look.color or not skin.fg or "\x1b" in text:
        return text
    return "\n".join(look.style(line, fg=skin.fg) if line else line for line in text.split("\n"))


def may_wear(name: str) -> bool:
    """Whether a skin is free or won; an unreadable file of honours wins nothing."""
    won_by = BY_NAME[name].won_by
    if not won_by:
        return True
    try:
        return won_by in load_profile().trophies
    except (OSError, ProfileError):
        return False


def remember_skin(options: Options) -> None:
    """Keep the skin that was chosen for the next games, or wear the one kept."""
    try:
        profile = load_profile()
        if not options.skin:
            known = profile.skin in BY_NAME and may_wear(profile.skin)
            options.skin = profile.skin if known else SKINS[0].name
        elif options.skin != profile.skin:
            profile.skin = options.skin
            save_profile(profile)
    except (OSError, ProfileError, FileRefused):
        # Looks are not worth a word: the game goes on in the dress it has.
        options.skin = options.skin or SKINS[0].name
