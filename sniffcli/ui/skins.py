"""Board skins: how tiles are drawn. Some are there from the start, others are won by play."""

from __future__ import annotations

from dataclasses import dataclass

from sniffcli.files.profile import ProfileError, load_profile
from sniffcli.show.style import Look


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
