"""The whole rulebook, written from the switches of a ruleset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sniffcli.ruleset.model import Ruleset
from sniffcli.tutor.rulebook.changes import changed_keys
from sniffcli.tutor.rulebook.ending import match_end, round_end
from sniffcli.tutor.rulebook.joining import table
from sniffcli.tutor.rulebook.pages import Book, Grid, Part, Remark, Rules
from sniffcli.tutor.rulebook.scope import Scope
from sniffcli.tutor.rulebook.scoring import scoring
from sniffcli.tutor.rulebook.start import lead, players_and_deal
from sniffcli.tutor.rulebook.turns import claims, drawing
from sniffcli.tutor.rulebook.words import Words


@dataclass(frozen=True, slots=True)
class Origin:
    """What a ruleset comes from: its PARENT, and the rules to which house rules were added."""

    parent: Ruleset | None = None
    before: Ruleset | None = None


def write(
    rules: Ruleset,
    words: Words,
    *,
    players: Sequence[int] = (),
    origin: Origin | None = None,
    width: int = 80,
    unicode: bool = True,
) -> Book:
    """Return the rulebook of RULES; for PLAYERS only, where numbers are given."""
    scope = Scope(rules, tuple(players or rules.legal_players()), words, unicode, width)
    say = scope.say
    found = list(parts(scope))
    origin = origin or Origin()
    if origin.before is not None:
        found += _house_rules(scope, origin.before, found)
    if origin.parent is not None:
        found += _heritage(scope, origin.parent, origin.before or rules)
    if rules.source:
        found.append(Part(say("Source"), (Remark(rules.source),)))
    title = say("{game}: the rules", game=rules.title)
    # The summary is text in the file; what house rules have changed it may say wrongly.
    changed = origin.before is not None and changed_keys(origin.before, rules)
    summary = "" if changed else words.data(rules.summary)
    return Book(title, summary, tuple(found))


def parts(scope: Scope) -> tuple[Part, ...]:
    """Return the rules of the game part by part."""
    every = (
        players_and_deal(scope),
        lead(scope),
        table(scope),
        scoring(scope),
        claims(scope),
        drawing(scope),
        round_end(scope),
        match_end(scope),
    )
    return tuple(part for part in every if part is not None)


def _house_rules(scope: Scope, before: Ruleset, now: Sequence[Part]) -> list[Part]:
    """Return the part that says what house rules have changed, in words and in keys."""
    say = scope.say
    keys = changed_keys(before, scope.rules)
    if not keys:
        return []
    old = Scope(before, scope.players, scope.words, examples=False)
    known = {one for part in parts(old) for one in part.statements()}
    new = tuple(one for part in now for one in part.statements() if one not in known)
    rows = [(say("key"), say("here"), say("otherwise"))]
    rows += [(one.key, one.after, one.before) for one in keys]
    blocks = (Rules(new),) if new else ()
    return [Part(say("House rules in force"), (*blocks, Grid(tuple(rows))))]


def _heritage(scope: Scope, parent: Ruleset, rules: Ruleset) -> list[Part]:
    say = scope.say
    keys = changed_keys(parent, rules)
    if not keys:
        return []
    rows = [(say("key"), say("here"), say("there"))]
    rows += [(one.key, one.after, one.before) for one in keys]
    title = say("What differs from {game}", game=parent.title)
    return [Part(title, (Grid(tuple(rows)),))]
