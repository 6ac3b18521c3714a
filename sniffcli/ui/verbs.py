"""The table of verbs: one entry per verb drives dispatch, help and completion."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sniffcli.problems import did_you_mean
from sniffcli.ui import acting, asking, table_talk
from sniffcli.ui.reply import Reply, refused
from sniffcli.ui.session import Session

#: Carries out a verb: the words behind it, and who speaks (None: who is to move).
Handler = Callable[[Session, str, int | None], Reply]
#: Returns what may stand behind a verb now; "" means that the verb alone is a command.
Completer = Callable[[Session], Iterable[str]]


def _always(session: Session) -> tuple[str, ...]:
    return ("",)


@dataclass(frozen=True, slots=True)
class Verb:
    """One line of the table."""

    name: str
    usage: str
    help: str
    handler: Handler
    completions: Completer = _always
    aliases: tuple[str, ...] = ()
    #: What a person is asked before it is done, if anything.
    confirm: str = ""


VERBS: tuple[Verb, ...] = (
    Verb(
        "play",
        "[play] TILE [on TILE|PIP] [side|tip]",
        "Lay a tile; the word play may be left out.",
        acting.play,
        acting.playable,
        aliases=("lead",),
    ),
    Verb("draw", "draw", "Draw a tile from the boneyard.", acting.draw, acting.drawable),
    Verb("pass", "pass", "Knock.", acting.knock, acting.passable, aliases=("knock",)),
    Verb(
        "claim",
        "claim [N]",
        "Announce the points of your last tile.",
        acting.claim,
        acting.claimable,
    ),
    Verb(
        "catch",
        "catch NAME",
        "Take the points that NAME did not claim.",
        acting.catch,
        acting.catchable,
    ),
    Verb(
        "keelhaul",
        "keelhaul NAME",
        "Pay to put NAME under water for a while.",
        acting.keelhaul,
        acting.sinkable,
    ),
    Verb(
        "finish",
        "finish",
        "Close a round whose last score is still open.",
        acting.finish,
        acting.finishable,
    ),
    Verb(
        "next",
        "next",
        "Go on: past an open score, or to the next round.",
        table_talk.go_on,
        table_talk.can_go_on,
    ),
    Verb("board", "board", "Show the table.", asking.board, aliases=("table",)),
    Verb("hand", "hand", "Show your tiles.", asking.hand),
    Verb("ends", "ends", "Show the open ends.", asking.ends),
    Verb("count", "count", "Show the sum, and what the last tile is worth.", asking.count),
    Verb("score", "score", "Show the scores.", asking.score, aliases=("scores",)),
    Verb(
        "hint",
        "hint",
        "Get a nudge; again for a bigger one.",
        asking.hint,
    ),
    Verb("why", "why", "Explain the choices, or your last play.", asking.why),
    Verb("unseen", "unseen", "Show where the tiles that you do not see may be.", asking.unseen),
    Verb("log", "log", "Show what happened in this round.", asking.log),
    Verb("rules", "rules", "Show the rules in short.", asking.rules),
    Verb(
        "counter",
        "counter on|off",
        "Show or hide sums and points.",
        table_talk.counter,
        lambda session: ("on", "off"),
    ),
    Verb(
        "tutor",
        "tutor off|inaccuracy|mistake|blunder",
        "Question plays that lose at least that much.",
        table_talk.tutor,
        lambda session: table_talk.TUTOR_LEVELS,
    ),
    Verb("keep", "keep", "Play what the tutor has questioned.", acting.keep, acting.questioned),
    Verb("rethink", "rethink", "Take it back unplayed.", acting.rethink, acting.questioned),
    Verb("undo", "undo", "Take back your last action.", table_talk.undo, table_talk.can_undo),
    Verb("save", "save [FILE]", "Save the game, to FILE if one is named.", table_talk.save),
    Verb(
        "resign",
        "resign",
        "Give up the match.",
        acting.resign,
        confirm="Give up the match?",
    ),
    Verb(
        "new",
        "new",
        "Begin another match with the same players and rules.",
        table_talk.rematch,
        aliases=("rematch",),
        confirm="Leave this match and begin another?",
    ),
    Verb(
        "help",
        "help [VERB]",
        "Show the verbs, or one of them.",
        lambda session, rest, seat: show_help(rest),
        lambda session: ("", *(verb.name for verb in VERBS)),
        aliases=("?",),
    ),
    Verb(
        "quit",
        "quit",
        "Leave; the game is saved.",
        table_talk.leave,
        aliases=("exit", "q"),
    ),
)

BY_WORD: dict[str, Verb] = {word: verb for verb in VERBS for word in (verb.name, *verb.aliases)}


def find(text: str) -> tuple[Verb | None, str]:
    """Return the verb that TEXT begins with, and the words behind it; a bare tile is a play."""
    word, _, rest = text.partition(" ")
    verb = BY_WORD.get(word.lower())
    if verb is not None:
        return verb, rest.strip()
    if any(sign.isdigit() for sign in word):
        return BY_WORD["play"], text
    if text.startswith("?"):
        return BY_WORD["help"], text[1:].strip()
    return None, text


def dispatch(session: Session, text: str, seat: int | None) -> Reply:
    """Carry out one line."""
    verb, rest = find(text)
    if verb is None:
        word = text.split()[0]
        hint = did_you_mean(word.lower(), BY_WORD) or "; `help` lists what you can do"
        return refused(f'"{word}" is neither a tile nor a command{hint}')
    return verb.handler(session, rest, seat)


def show_help(word: str) -> Reply:
    """Return the list of verbs, or the help of one."""
    if word:
        verb = BY_WORD.get(word.lower())
        if verb is None:
            return refused(f'no command is called "{word}"{did_you_mean(word, BY_WORD)}')
        also = f"  (also: {', '.join(verb.aliases)})" if verb.aliases else ""
        return Reply(f"{verb.usage}{also}\n  {verb.help}")
    wide = max(len(verb.usage) for verb in VERBS if len(verb.usage) < 24)
    lines = []
    for verb in VERBS:
        if len(verb.usage) > wide:
            lines += [verb.usage, " " * (wide + 2) + verb.help]
        else:
            lines.append(f"{verb.usage.ljust(wide)}  {verb.help}")
    return Reply("\n".join(lines))


def completions(session: Session) -> list[str]:
    """Return every whole line that is a legal command now; plays first."""
    lines: list[str] = []
    for verb in VERBS:
        for rest in verb.completions(session):
            if verb.name == "play":
                lines.append(rest)
            else:
                lines.append(f"{verb.name} {rest}".strip())
    return lines
