"""A book as text for a terminal and as Markdown."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from sniffcli.show.folding import fold
from sniffcli.show.tables import Column, markdown, table
from sniffcli.tutor.rulebook.pages import Block, Book, Grid, Pairs, Picture, Remark, Rules

#: Signs of French and of the drawings that have no parts from which plain letters could be taken.
_PLAIN = str.maketrans(
    {"’": "'", "œ": "oe", "Œ": "OE", "«": '"', "»": '"', "–": "-", "…": "...", "→": ">", "•": "-"}
)


def as_text(book: Book, width: int, *, unicode: bool = True) -> str:
    """Return the book in lines of at most WIDTH columns; without UNICODE in plain ASCII."""
    rule, heavy = ("─", "═") if unicode else ("-", "=")
    lines = [*_underlined(book.title, heavy, width), ""]
    if book.summary:
        lines += [*fold(book.summary, width), ""]
    for part in book.parts:
        lines += [*_underlined(part.title, rule, width), ""]
        for block in part.blocks:
            lines += [*_block(block, width, unicode), ""]
        lines.append("")
    text = "\n".join(line.rstrip() for line in lines).rstrip() + "\n"
    return text if unicode else ascii_only(text)


def ascii_only(text: str) -> str:
    """Return TEXT without accents and signs, for outputs that can show nothing else."""
    plain = unicodedata.normalize("NFKD", text.translate(_PLAIN))
    kept = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return kept.encode("ascii", "replace").decode("ascii")


def _underlined(title: str, sign: str, width: int) -> list[str]:
    lines = fold(title, width)
    return [*lines, sign * max(map(len, lines))]


def _block(block: Block, width: int, unicode: bool) -> Iterator[str]:
    match block:
        case Rules():
            mark = "•" if unicode else "-"
            for statement in block.statements:
                yield from fold(statement, width, f"{mark} ", "  ")
        case Remark():
            yield from fold(block.text, width)
        case Picture():
            yield from block.text.splitlines()
        case Grid():
            head, *rows = block.rows
            drawn = table(_columns(head, rows), rows, width - 2)
            yield from (f"  {line}" for line in drawn.splitlines())
        case Pairs():
            yield from _pairs(block, width)


def _columns(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[Column]:
    """Return the columns of a table; those of numbers stand at the right."""
    return [
        Column(title, right=all(re.fullmatch(r"-?\d+", row[index]) for row in rows))
        for index, title in enumerate(head)
    ]


def _pairs(block: Pairs, width: int) -> Iterator[str]:
    """Yield two rows, the values above and what they lead to below, folded to the width."""
    label = max(map(len, block.heading)) + 1
    wide = 1 + max((len(one) for pair in block.pairs for one in pair), default=1)
    fit = max(1, (width - 2 - label) // wide)
    for start in range(0, len(block.pairs), fit):
        if start:
            yield ""
        some = block.pairs[start : start + fit]
        for which in (0, 1):
            cells = "".join(pair[which].rjust(wide) for pair in some)
            yield f"  {block.heading[which].ljust(label)}{cells}"


def as_markdown(book: Book) -> str:
    """Return the book as Markdown."""
    chunks = [f"# {book.title}"]
    if book.summary:
        chunks.append(_marked(book.summary))
    for part in book.parts:
        chunks.append(f"## {part.title}")
        chunks += [_marked_block(block) for block in part.blocks]
    return "\n\n".join(chunks) + "\n"


def _marked_block(block: Block) -> str:
    match block:
        case Rules():
            return "\n".join(f"- {_marked(one)}" for one in block.statements)
        case Remark():
            return _marked(block.text)
        case Picture():
            return f"```text\n{block.text}\n```"
        case Grid():
            head, *rows = block.rows
            return markdown(_columns(head, rows), rows)
        case Pairs():
            columns = [Column(title, right=True) for title in block.heading]
            return markdown(columns, block.pairs)


def _marked(text: str) -> str:
    """Return TEXT so that Markdown shows it as it is."""
    return re.sub(r"([\\`*_{}\[\]<>|#])", r"\\\1", text)
