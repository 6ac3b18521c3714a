"""What changes at the table between two rulesets: in the sentences of the rulebook and in keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sniffcli.ruleset.model import Ruleset
from sniffcli.tutor.rulebook.book import parts
from sniffcli.tutor.rulebook.changes import Change, changed_keys
from sniffcli.tutor.rulebook.scope import Scope
from sniffcli.tutor.rulebook.words import Words


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the rulebook: what is said only of the one game, and only of the other."""

    title: str
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Differences:
    """Everything in which two rulesets differ."""

    sections: tuple[Section, ...]
    keys: tuple[Change, ...]


def compare(first: Ruleset, second: Ruleset, words: Words) -> Differences:
    """Return what changes at the table from the FIRST ruleset to the SECOND."""
    one, two = _statements(first, words), _statements(second, words)
    # The order of the longer book, so that a part which only one of them has is in its place.
    titles = list(one) if len(one) >= len(two) else list(two)
    titles += [title for title in (*one, *two) if title not in titles]
    sections = []
    for title in titles:
        mine, yours = one.get(title, ()), two.get(title, ())
        gone = tuple(text for text in mine if text not in yours)
        new = tuple(text for text in yours if text not in mine)
        if gone or new:
            sections.append(Section(title, gone, new))
    return Differences(tuple(sections), tuple(changed_keys(first, second)))


def _statements(rules: Ruleset, words: Words) -> dict[str, tuple[str, ...]]:
    scope = Scope(rules, tuple(rules.legal_players()), words, examples=False)
    return {part.title: part.statements() for part in parts(scope)}


def as_json(first: Ruleset, second: Ruleset, found: Differences) -> dict[str, Any]:
    """Return the stable JSON form."""
    return {
        "a": first.id,
        "b": second.id,
        "sections": [
            {"title": one.title, "only_a": list(one.only_first), "only_b": list(one.only_second)}
            for one in found.sections
        ],
        "keys": [{"key": one.key, "a": one.values[0], "b": one.values[1]} for one in found.keys],
    }


def says_nothing(first: Ruleset, second: Ruleset, words: Words) -> str:
    """Return the sentence for two rulesets that are the same game."""
    say = words.say
    return say("{one} and {two} are the same game.", one=first.title, two=second.title)


def titles(first: Ruleset, second: Ruleset, words: Words) -> tuple[str, str, str]:
    """Return the headings of the table of keys."""
    say = words.say
    return say("key"), first.id, second.id
