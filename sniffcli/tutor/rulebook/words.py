"""The language of the rulebook: sentences from gettext catalogues, numbers and lists in words.

`say` and `count` are the keywords by which the sentences are found for translation.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterable
from pathlib import Path

import sniffcli

LANGUAGES = ("en", "fr")

#: The name of the catalogues.
DOMAIN = "rulebook"


def catalogues() -> Path:
    """Return the directory of the translations."""
    return Path(sniffcli.__file__).resolve().parent / "locale"


class Words:
    """Says sentences in one language; `{name}` in a sentence stands for a value."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._found: gettext.NullTranslations = (
            gettext.NullTranslations()
            if language == "en"
            else gettext.translation(DOMAIN, catalogues(), [language])
        )

    def say(self, message: str, **values: object) -> str:
        """Return MESSAGE in this language with its VALUES."""
        return self._found.gettext(message).format(**values)

    def count(self, one: str, many: str, number: int, **values: object) -> str:
        """Return the form of a sentence that suits NUMBER, which it may name as `{n}`."""
        return self._found.ngettext(one, many, number).format(n=number, **values)

    def data(self, text: str) -> str:
        """Return a TEXT from a ruleset file; only those of the shipped ones are translated."""
        return self._found.gettext(text) if text else ""

    def both(self, parts: Iterable[object]) -> str:
        """Return `a, b and c`."""
        say = self.say
        *before, last = [str(one) for one in parts]
        return say("{some} and {last}", some=", ".join(before), last=last) if before else last

    def either(self, parts: Iterable[object]) -> str:
        """Return `a, b or c`."""
        say = self.say
        *before, last = [str(one) for one in parts]
        return say("{some} or {last}", some=", ".join(before), last=last) if before else last
