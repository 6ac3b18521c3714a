"""The translations of the rulebook: `python tests/translations.py` brings them up to date.

It finds every sentence in the source and every summary of a shipped ruleset, merges them into
`sniffcli/locale/LANGUAGE/LC_MESSAGES/rulebook.po` and compiles that. It says what is still to be
written there (missing, or unsure: fuzzy); then the status is 1, and it wants to be run again once
that is done. With `--check` it changes nothing, and says also what is left over or not compiled.
Needs Babel.
"""

from __future__ import annotations

import gettext
import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent.parent
SOURCES = ("sniffcli/tutor/rulebook", "sniffcli/tutor/differences.py", "sniffcli/tutor/reasons.py")
LOCALE = ROOT / "sniffcli" / "locale"
RULESETS = ROOT / "rulesets"
DOMAIN = "rulebook"

#: What Babel writes at the top of a catalogue and nobody here needs.
UNUSED = (
    "POT-Creation-Date|PO-Revision-Date|Generated-By|Report-Msgid-Bugs-To|Last-Translator"
    "|Language-Team"
)

#: The functions whose first argument (first two, for a number of things) is a sentence.
KEYWORDS = {"say": None, "count": (1, 2)}


def found() -> Catalog:
    """The sentences that the source and the shipped rulesets contain."""
    catalog = Catalog(domain=DOMAIN, project="sniff", charset="utf-8", fuzzy=False)
    for source in SOURCES:
        path = ROOT / source
        for file in sorted(path.glob("*.py")) if path.is_dir() else [path]:
            for _, message, _, _ in extract_from_file("python", file, KEYWORDS, ()):
                catalog.add(message, locations=[(file.relative_to(ROOT).as_posix(), 1)])
    for path in sorted(RULESETS.glob("*.yaml")):
        summary = re.search(r"^summary: (.+)$", path.read_text("utf-8"), re.MULTILINE)
        assert summary, f"{path.name} has no summary on one line"
        catalog.add(summary[1].strip(), locations=[(f"rulesets/{path.name}", 1)])
    return catalog


def languages() -> list[str]:
    return sorted(path.name for path in LOCALE.iterdir() if path.is_dir())


def po_of(language: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def read(language: str) -> Catalog:
    with po_of(language).open("rb") as file:
        return read_po(file, locale=language, domain=DOMAIN)


def update(language: str) -> None:
    """Merge the sentences of the source into the catalogue and compile it."""
    catalog = read(language)
    catalog.update(found(), no_fuzzy_matching=True)
    catalog.obsolete.clear()
    text = io.BytesIO()
    write_po(text, catalog, width=96, include_lineno=False, omit_header=False, sort_by_file=True)
    # Only what a translator has changed should change in the file.
    written = re.sub(rf'"({UNUSED}): [^"]*"\n'.encode(), b"", text.getvalue())
    po_of(language).write_bytes(written.strip() + b"\n")
    binary = po_of(language).with_suffix(".mo")
    new = compiled(read(language))
    if not binary.exists() or _sentences(binary.read_bytes()) != _sentences(new):
        binary.write_bytes(new)


def compiled(catalog: Catalog) -> bytes:
    """The catalogue as gettext reads it; fuzzy translations are left out."""
    binary = io.BytesIO()
    write_mo(binary, catalog)
    return binary.getvalue()


def problems() -> Iterator[str]:
    """Everything that is missing, unsure, left over or not compiled."""
    wanted = {message.id for message in found() if message.id}
    for language in languages():
        catalog = read(language)
        there: dict[object, Message] = {one.id: one for one in catalog if one.id}
        name = po_of(language).relative_to(ROOT)
        for lost in sorted(map(str, wanted - set(there))):
            yield f"{name}: not there: {lost}"
        for old in sorted(map(str, set(there) - wanted)):
            yield f"{name}: no longer used: {old}"
        for message in there.values():
            strings = message.string if isinstance(message.string, tuple) else (message.string,)
            if not all(strings):
                yield f"{name}: not translated: {message.id}"
            elif message.fuzzy:
                yield f"{name}: unsure (fuzzy): {message.id}"
            elif wrong := fields(message):
                yield f"{name}: other values than in the sentence: {message.id}: {wrong}"
        if _sentences(po_of(language).with_suffix(".mo").read_bytes()) != _sentences(
            compiled(catalog)
        ):
            yield f"{name}: the compiled catalogue is older; run tests/translations.py"


def fields(message: Message) -> str:
    """What the translation names otherwise than the sentence, or nothing."""
    ids = message.id if isinstance(message.id, tuple) else (message.id,)
    strings = message.string if isinstance(message.string, tuple) else (message.string,)
    allowed = {one for text in ids for one in re.findall(r"{\w*}", text)}
    for text in strings:
        used = set(re.findall(r"{\w*}", text))
        # A form for one thing may leave the number out.
        if used - allowed or (allowed - used - {"{n}"}):
            return ", ".join(sorted(used ^ allowed))
    return ""


def _sentences(binary: bytes) -> dict[object, str]:
    """Every translation in a compiled catalogue; its head holds a date and does not count."""
    every = gettext.GNUTranslations(io.BytesIO(binary))._catalog  # type: ignore[attr-defined]
    return {key: text for key, text in every.items() if key}


def main() -> int:
    if sys.argv[1:] != ["--check"]:
        for language in languages():
            update(language)
    wrong = list(problems())
    sys.stdout.writelines(f"{one}\n" for one in wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
