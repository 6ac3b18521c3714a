"""A book as a value: parts with a title, each a row of blocks; how it looks is decided later."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules of the game, one statement each."""

    statements: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A small table; the first row is its heading."""

    rows: tuple[tuple[str, ...], ...]
    #: Whether the rows are rules; in an example they only follow from rules.
    states_rules: bool = False


@dataclass(frozen=True, slots=True)
class Pairs:
    """A row of values with what each leads to, such as the sums that score; has a heading."""

    heading: tuple[str, str]
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing, line by line."""

    text: str


@dataclass(frozen=True, slots=True)
class Remark:
    """A line of text that is no rule, such as what an example shows."""

    text: str


Block = Rules | Grid | Pairs | Picture | Remark


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the book."""

    title: str
    blocks: tuple[Block, ...]

    def statements(self) -> tuple[str, ...]:
        """Return the rules of this part, those in tables included."""
        found: list[str] = []
        for block in self.blocks:
            if isinstance(block, Rules):
                found += block.statements
            elif isinstance(block, Grid) and block.states_rules:
                head, *rows = block.rows
                found += [
                    ", ".join(f"{name}: {cell}" for name, cell in zip(head, row, strict=True))
                    for row in rows
                ]
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Book:
    """A whole rulebook."""

    title: str
    summary: str
    parts: tuple[Part, ...]
