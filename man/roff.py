"""Text with a few marks turned into the language of man pages.

The marks are those of Markdown: `# heading`, `- item`, `**bold**`, `*italic*`, `` `literal` ``,
fenced blocks, and `TERM` with `: text` on the next line for a definition.
"""

from __future__ import annotations

import re

#: Characters that man pages turn into something else unless they are named.
_NAMED = {
    "\\": r"\(rs",
    "-": r"\-",
    "'": r"\(aq",
    "`": r"\(ga",
    "^": r"\(ha",
    "~": r"\(ti",
    "–": "-",
    "…": "...",
}
#: In running text a hyphen is a hyphen and an apostrophe an apostrophe.
_RUNNING = {**_NAMED, "-": "-", "'": "'", "’": "'"}
_INLINE = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|(?<![*\w])\*([^*\s][^*]*)\*(?!\w)")


def literal(text: str) -> str:
    """Return TEXT so that it comes out character by character, to be copied from the page."""
    return "".join(_NAMED.get(sign, sign) for sign in text)


def running(text: str) -> str:
    """Return TEXT as part of a sentence."""
    return "".join(_RUNNING.get(sign, sign) for sign in text)


def bold(text: str) -> str:
    """Return TEXT in bold, character by character."""
    return rf"\fB{literal(text)}\fR"


def italic(text: str) -> str:
    """Return TEXT in italics, character by character."""
    return rf"\fI{literal(text)}\fR"


def breakable(text: str) -> str:
    """Return TEXT in italics; a line may end behind each bar in it."""
    return italic(text).replace("|", r"|\:")


def inline(text: str) -> str:
    """Return a sentence with its marks for bold, italics and literal text."""
    parts, at = [], 0
    for mark in _INLINE.finditer(text):
        parts.append(running(text[at : mark.start()]))
        code, strong, weak = mark.groups()
        if weak:
            parts.append(italic(weak))
        else:
            parts.append(bold(code or strong))
        at = mark.end()
    return "".join(parts) + running(text[at:])


def guarded(line: str) -> str:
    """Return LINE so that it cannot be taken for a request, whatever it begins with."""
    return rf"\&{line}" if line.startswith((".", "'")) else line


def paragraph(text: str) -> list[str]:
    """Return the lines of a paragraph."""
    return [".PP", guarded(inline(" ".join(text.split())))]


def definition(term: str, text: str) -> list[str]:
    """Return TERM, in the language of man pages already, and its explanation TEXT."""
    first, *others = [" ".join(part.split()) for part in text.split("\n\n")]
    lines = [".TP", guarded(term), guarded(inline(first))]
    for other in others:
        lines += [".IP", guarded(inline(other))]
    return lines


def block(lines: list[str]) -> list[str]:
    """Return LINES as they are; a line that begins with `$` was typed and is bold."""
    shown = []
    for line in lines:
        text = literal(line.rstrip())
        shown.append(rf"\fB{text}\fR" if line.startswith("$ ") else guarded(text))
    return [".PP", ".RS 4", ".EX", *shown, ".EE", ".RE"]


def heading(text: str) -> list[str]:
    """Return the heading of a section."""
    return [f'.SH "{literal(text)}"' if " " in text else f".SH {literal(text)}"]


def marked(text: str) -> list[str]:
    """Return the page lines of a whole marked text."""
    lines: list[str] = []
    rows = text.strip("\n").split("\n")
    at = 0
    while at < len(rows):
        row = rows[at]
        at += 1
        if not row.strip():
            continue
        if row.startswith("```"):
            end = rows.index("```", at)
            lines += block(rows[at:end])
            at = end + 1
        elif row.startswith("## "):
            lines.append(f'.SS "{literal(row[3:])}"')
        elif row.startswith("# "):
            lines += heading(row[2:])
        elif row.startswith("- "):
            taken, at = _taken(rows, at, row[2:])
            lines += [r".IP \(bu 2", guarded(inline(taken))]
        elif at < len(rows) and rows[at].startswith(": "):
            taken, at = _taken(rows, at + 1, rows[at][2:])
            lines += definition(inline(row), taken)
        elif row.startswith("."):
            lines.append(row)
        else:
            taken, at = _taken(rows, at, row)
            lines += paragraph(taken)
    return lines


def _taken(rows: list[str], at: int, first: str) -> tuple[str, int]:
    """Return the text that goes on from FIRST until the next mark, and the row after it."""
    taken, ends = [first], ("- ", "# ", "## ", "```", ": ")
    while at < len(rows) and rows[at].strip() and not rows[at].startswith(ends):
        if at + 1 < len(rows) and rows[at + 1].startswith(": "):
            break
        taken.append(rows[at].strip())
        at += 1
    return " ".join(taken), at
