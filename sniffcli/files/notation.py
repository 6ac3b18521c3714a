"""The text of an action: `6-3 on 6-6 side`, `draw 5-2`, `catch Bob after 7.5 s`, and back.

Only the form is judged here (contract, section 2). Whether an action is legal is the game's
business, and text that is malformed never gets there.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import NamedTuple

from sniffcli.game.actions import (
    ACTION_WORDS,
    Action,
    Catch,
    Claim,
    Draw,
    Finish,
    Keelhaul,
    Part,
    Pass,
    Play,
    Resign,
)
from sniffcli.game.plays import text_of
from sniffcli.problems import did_you_mean
from sniffcli.tiles import Tile, TileError, parse_tile

#: Most seconds that an action may say to have waited; a day.
MOST_SECONDS = 86_400

_AFTER = re.compile(r"(?:^|\s)after\s+(?P<seconds>[0-9]{1,6}(?:\.[0-9]{1,6})?)\s*s$", re.IGNORECASE)
_PARTS: dict[str, Part] = {"side": "side", "tip": "tip"}
#: Words behind which a number or tile belongs to the play that is being read.
_LINKS = ("on", "at", "out")
_SIMPLE: dict[str, type[Pass] | type[Finish] | type[Resign]] = {
    "pass": Pass,
    "knock": Pass,
    "finish": Finish,
    "resign": Resign,
}


class NotationError(ValueError):
    """Text that is no action; the message names what is wrong and the form to write."""


class Written(NamedTuple):
    """A play of a command line: its words as given, and the play or what is wrong with them."""

    text: str
    play: Play | None
    error: str = ""


def parse_action(text: str, seat: int, names: Sequence[str] = ()) -> Action:
    """Read one action of a SEAT; NAMES are the players whom it may catch or keelhaul.

    Raises:
        NotationError: the text is no action.
    """
    words = text.split()
    if not words:
        raise NotationError("nothing is written here; write an action: 6-3 on 6-6, draw or pass")
    verb, rest = words[0].lower(), " ".join(words[1:])
    if verb in ("catch", "keelhaul"):
        return _against(verb, rest, seat, names)
    body, after = _timed(text.strip())
    words = body.split()
    if not words:
        raise NotationError(f"{text!r} says when but not what; write an action like draw after 3 s")
    action = _untimed(words, seat)
    return action if after is None else replace(action, after=after)


def parse_plays(words: Iterable[str]) -> list[Written]:
    """Read the plays of a command line: a new tile starts a new play."""
    groups: list[list[str]] = []
    before = ""
    for word in " ".join(words).split():
        starts = word[0] in "0123456789[" and before not in _LINKS
        if starts or not groups:
            groups.append([])
        groups[-1].append(word)
        before = word.lower()
    found: list[Written] = []
    for group in groups:
        text = " ".join(group)
        try:
            found.append(Written(text, parse_play(group, 0)))
        except NotationError as problem:
            found.append(Written(text, None, str(problem)))
    return found


def parse_play(words: Sequence[str], seat: int) -> Play:
    """Read `TILE [on TILE [side|tip] | on PIP] [at PIP] [out PIP]`.

    Raises:
        NotationError: the words are no play.
    """
    play = Play(seat=seat, tile=_tile(words[0]))
    position, seen = 1, set[str]()
    while position < len(words):
        word = words[position].lower()
        given = words[position + 1] if position + 1 < len(words) else ""
        if word in seen:
            raise NotationError(f"{word!r} is written twice; {_form(play.tile)}")
        seen.add(word)
        if word in _PARTS:
            if play.part is not None or play.on is None:
                raise NotationError(
                    f"{word!r} belongs behind one double; write it like {play.tile} on 6-6 {word}"
                )
            play = replace(play, part=_PARTS[word])
            position += 1
            continue
        if word not in _LINKS:
            raise NotationError(_stray(words[position], play.tile))
        if not given:
            what = "a tile or a number" if word == "on" else "a number"
            raise NotationError(f"{word!r} wants {what} behind it; {_form(play.tile)}")
        if word == "on" and not given.isdigit():
            play = replace(play, on=_tile(given))
        elif word == "on":
            play = replace(play, on_pip=_pip(given, word))
        elif word == "at":
            play = replace(play, at=_pip(given, word))
        else:
            play = replace(play, out=_pip(given, word))
        position += 2
    return play


def text_of_action(action: Action, names: Sequence[str] = ()) -> str:
    """Return an action as it is written in files; NAMES are those of the players."""
    match action:
        case Play():
            text = text_of(action)
        case Draw(tile=tile):
            text = "draw" if tile is None else f"draw {tile}"
        case Claim(points=points):
            text = "claim" if points is None else f"claim {points}"
        case Catch(target=target) | Keelhaul(target=target):
            text = f"{action.kind} {names[target]}"
        case _:
            text = action.kind
    if action.after is None:
        return text
    return f"{text} after {seconds_text(action.after)} s"


def seconds_text(seconds: float) -> str:
    """Return seconds as a plain decimal number, without a needless point."""
    text = format(Decimal(repr(float(seconds))), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def name_problem(name: str) -> str | None:
    """Return why nobody may be called NAME, or None (contract, section 3)."""
    if not name.strip():
        return "a player needs a name"
    if name != " ".join(name.split()):
        return f"{name!r} has spaces at an end, double ones or line breaks; write it plainly"
    if any(unicodedata.category(sign) == "Cc" for sign in name):
        return f"{name!r} has control characters; write it plainly"
    if name.lower() in ACTION_WORDS:
        return f"{name!r} cannot be a name: it is the word of an action"
    if name.lower() == "boneyard":
        return f"{name!r} cannot be a name: it is the word for the tiles left to draw"
    if _AFTER.search(name):
        return f"{name!r} cannot be a name: it ends like the time of an action"
    return None


def _against(verb: str, rest: str, seat: int, names: Sequence[str]) -> Action:
    """Read `catch NAME` or `keelhaul NAME`; a name may hold several words."""
    after = None
    if rest not in names:
        rest, after = _timed(rest)
    if not rest:
        raise NotationError(f"{verb!r} wants a player; write it like {verb} {_someone(names)}")
    if rest not in names:
        hint = did_you_mean(rest, names) or f"; the players are {', '.join(names)}"
        raise NotationError(f'nobody is called "{rest}"{hint}')
    kind = Catch if verb == "catch" else Keelhaul
    return kind(seat=seat, target=list(names).index(rest), after=after)


def _someone(names: Sequence[str]) -> str:
    return names[0] if names else "Bob"


def _timed(text: str) -> tuple[str, float | None]:
    """Split `... after 6.9 s` into what is done and when."""
    match = _AFTER.search(text)
    if match is None:
        if re.search(r"(?:^|\s)after(?:\s|$)", text, re.IGNORECASE):
            raise NotationError("seconds are written at the end, like claim 10 after 6.9 s")
        return text, None
    seconds = float(match["seconds"])
    if seconds > MOST_SECONDS:
        raise NotationError(f"{match['seconds']} s is more than a day")
    return text[: match.start()].strip(), seconds


def _untimed(words: Sequence[str], seat: int) -> Action:
    verb, rest = words[0].lower(), words[1:]
    if verb in _SIMPLE:
        if rest:
            raise NotationError(f"nothing is written behind {verb!r}, but {' '.join(rest)!r} is")
        return _SIMPLE[verb](seat=seat)
    if verb == "draw":
        if len(rest) > 1:
            raise NotationError("one tile at most is written behind 'draw', like draw 5-2")
        return Draw(seat=seat, tile=_tile(rest[0]) if rest else None)
    if verb == "claim":
        return _claim(rest, seat)
    if verb == "play":
        if not rest:
            raise NotationError("'play' wants a tile behind it, like play 6-3 on 6-6")
        return parse_play(rest, seat)
    if not any(sign.isdigit() for sign in words[0]):
        hint = did_you_mean(verb, ACTION_WORDS) or "; write 6-3 on 6-6, draw or pass"
        raise NotationError(f'"{words[0]}" is neither a tile nor an action{hint}')
    return parse_play(words, seat)


def _claim(rest: Sequence[str], seat: int) -> Claim:
    if not rest:
        return Claim(seat=seat)
    if len(rest) > 1 or not rest[0].isdecimal() or not rest[0].isascii() or len(rest[0]) > 4:
        raise NotationError(f"{' '.join(rest)!r} is no number of points; write it like claim 10")
    return Claim(seat=seat, points=int(rest[0]))


def _tile(text: str) -> Tile:
    try:
        return parse_tile(text)
    except TileError as problem:
        raise NotationError(str(problem)) from None


def _pip(text: str, word: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 2):
        raise NotationError(f"{word!r} wants a number of pips behind it, not {text!r}")
    return int(text)


def _form(tile: Tile) -> str:
    return f"write it like {tile} on 6-6"


def _stray(word: str, tile: Tile) -> str:
    known = (*_LINKS, *_PARTS, "after")
    hint = did_you_mean(word.lower(), known)
    return f'"{word}" has no place in a play{hint or "; " + _form(tile) + " side"}'
