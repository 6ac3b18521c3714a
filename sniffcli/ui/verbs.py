"""The table of verbs: one entry per verb drives dispatch, help and completion."""

from __future__ import annotations

from sniffcli.problems import did_you_mean
from sniffcli.show.folding import fold
from sniffcli.ui import acting, asking, table_talk
from sniffcli.ui.reply import Reply, refused
from sniffcli.ui.session import Session
from sniffcli.ui.verb import Verb

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
        used=acting.declared,
    ),
    Verb(
        "catch",
        "catch NAME",
        "Take the points that NAME did not claim.",
        acting.catch,
        acting.catchable,
        used=acting.declared,
    ),
    Verb(
        "keelhaul",
        "keelhaul NAME",
        "Pay to put NAME under water for a while.",
        acting.keelhaul,
        acting.sinkable,
        used=lambda session: session.setup.rules.keelhaul is not None,
    ),
    Verb(
        "finish",
        "finish",
        "Close a round whose last score is still open.",
        acting.finish,
        acting.finishable,
        used=acting.declared,
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
    Verb(
        "keep",
        "keep",
        "Play what the tutor has questioned.",
        acting.keep,
        acting.questioned,
        aliases=("y", "yes"),
        used=acting.tutored,
    ),
    Verb(
        "rethink",
        "rethink",
        "Take it back unplayed.",
        acting.rethink,
        acting.questioned,
        aliases=("n", "no"),
        used=acting.tutored,
    ),
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
        used=lambda session: session.rematch is not None,
        confirm="Leave this match and begin another?",
    ),
    Verb(
        "help",
        "help [VERB]",
        "Show the verbs, or one of them.",
        lambda session, rest, seat: show_help(session, rest),
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


def table(session: Session) -> tuple[Verb, ...]:
    """Return the verbs of this session: its own ones first, in the place of those of that name."""
    own = {verb.name for verb in session.extra}
    return (*session.extra, *(verb for verb in VERBS if verb.name not in own))


def by_word(session: Session) -> dict[str, Verb]:
    """Return the verbs by every word that calls them."""
    return {word: verb for verb in reversed(table(session)) for word in (verb.name, *verb.aliases)}


def find(session: Session, text: str) -> tuple[Verb | None, str]:
    """Return the verb that TEXT begins with, and the words behind it; a bare tile is a play."""
    words = by_word(session)
    word, _, rest = text.partition(" ")
    verb = words.get(word.lower())
    if verb is not None:
        return verb, rest.strip()
    if any(sign.isdigit() for sign in word):
        return words["play"], text
    if text.startswith("?"):
        return words["help"], text[1:].strip()
    return None, text


def dispatch(session: Session, text: str, seat: int | None) -> Reply:
    """Carry out one line."""
    verb, rest = find(session, text)
    if verb is None:
        word = text.split()[0]
        named = _as_said_by(session, text)
        if named:
            return refused(f'write what {named} does behind a colon, like "{named}: draw"')
        hint = did_you_mean(word.lower(), by_word(session)) or "; `help` lists what you can do"
        return refused(f'"{word}" is neither a tile nor a command{hint}')
    return verb.handler(session, rest, seat)


def _as_said_by(session: Session, text: str) -> str:
    """Return the name with which TEXT begins, without its colon or in other letters."""
    for name in session.setup.names:
        rest = text[len(name) :]
        if text.casefold().startswith(name.casefold()) and rest[:1] in ("", " ", ":"):
            return name
    return ""


def show_help(session: Session, word: str) -> Reply:
    """Return the list of verbs, or the help of one."""
    known = by_word(session)
    if word:
        verb = known.get(word.lower())
        if verb is None:
            return refused(f'no command is called "{word}"{did_you_mean(word, known)}')
        also = f"  (also: {', '.join(verb.aliases)})" if verb.aliases else ""
        return Reply(f"{verb.usage}{also}\n  {verb.help}")
    wide, width = 15, session.options.look.width
    intro = "Type a tile to lay it: 6-3, 6-3 on 6-6, or 6-3 on 6-6 tip. Also:"
    lines = fold(intro, width)
    for verb in table(session):
        if verb.name in ("play", "help") or not verb.used(session):
            continue
        if width < 2 * wide + 10:
            lines += [*fold(verb.usage, width), *fold(verb.help, width, "  ", "  ")]
            continue
        folded = fold(verb.help, width - wide - 2)
        indent = " " * (wide + 2)
        if len(verb.usage) > wide:
            lines.append(verb.usage)
        else:
            folded[0] = f"{verb.usage.ljust(wide)}  {folded[0]}"
            lines.append(folded.pop(0))
        lines += [indent + one for one in folded]
    return Reply("\n".join(lines))


def completions(session: Session) -> list[str]:
    """Return every whole line that is a legal command now; plays first."""
    lines: list[str] = []
    for verb in sorted(table(session), key=lambda verb: verb.name != "play"):
        for rest in verb.completions(session):
            lines.append(rest if verb.name == "play" else f"{verb.name} {rest}".strip())
    return lines
