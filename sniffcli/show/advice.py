"""Advice as people read it: the choices with their margins, and where hidden tiles may be."""

from __future__ import annotations

from sniffcli.engine.advice import Advice, Option
from sniffcli.engine.counting import BONEYARD
from sniffcli.engine.stats import Difference, half_width
from sniffcli.game.view import View
from sniffcli.show.folding import fold
from sniffcli.show.numbers import counted, estimate, percent, signed
from sniffcli.show.style import Look
from sniffcli.show.tables import Column, fitting, table
from sniffcli.table.counting import count

#: Marks a loss that may be chance.
DOUBTFUL = "?"

#: What `method` means in words.
METHODS = {
    "exact": "exact: every tile can be placed, both sides play their best",
    "enumerated": "all {worlds} possible deals played out",
    "sampled": "{worlds} deals drawn and played out",
}


def advice_text(advice: Advice, look: Look) -> str:
    """Return advice as text: what is asked, the choices, and how they were valued."""
    parts = [position_line(advice.view, look), "", choices_table(advice, look), ""]
    parts += [_folded(line, look) for line in _notes(advice, look)]
    return "\n".join(parts)


def position_line(view: View, look: Look) -> str:
    """Return who is to move, with what hand, and what is open on the table."""
    name = view.setup.names[view.seat]
    hand = " ".join(str(one) for one in sorted(view.hand, reverse=True))
    if view.frontier.is_empty:
        table_now = "empty table"
    else:
        table_now = f"sum {count(view.setup.rules, view.frontier)}"
    left = f"{counted(view.boneyard, 'tile')} in the boneyard" if view.boneyard else "no boneyard"
    line = f"{name} to move: {table_now}, {left}"
    return "\n".join((_folded(line, look), _folded(f"Hand: {hand}", look)))


#: The parts of a margin in the order in which they are made.
PARTS = ("now", "reply", "next", "rest", "end")


def choices_table(advice: Advice, look: Look) -> str:
    """Return the table of choices, best first.

    Narrow outputs get fewer columns. The parts of a margin stand together or not at all, because
    some of them alone would not add up to it.
    """
    columns = [
        Column("play"),
        Column("sum", right=True, drop=1),
        Column("points", right=True),
        Column("margin", right=True),
        Column("loss", right=True),
    ]
    wins = any(option.win is not None for option in advice.options)
    if wins:
        columns.append(Column("win", right=True, drop=2))
    plain = len(columns)
    columns += [Column(one, right=True, drop=3) for one in PARTS]
    rows = []
    for number, option in enumerate(advice.options):
        row = [
            option.play,
            "-" if option.sum is None else str(option.sum),
            str(option.points),
            signed(option.value),
            "best" if number == 0 else _loss(advice, option, look),
        ]
        if wins:
            row.append(percent(option.win))
        rows.append([*row, *(signed(part) for part in option.parts)])
    note = ""
    if any(index not in fitting(columns, rows, look.width) for index in range(plain, len(columns))):
        columns, rows = columns[:plain], [row[:plain] for row in rows]
        note = "\n" + _folded("The parts of the margin need a wider terminal.", look)
    text = table(columns, rows, look.width)
    lines = text.splitlines()
    if len(advice.options) > 1 and len(lines) == len(rows) + 1:
        lines[1] = look.bold(lines[1])
    return "\n".join(lines) + note


def _loss(advice: Advice, option: Option, look: Look) -> str:
    """Return a loss with half the width of its interval; a mark where it may be chance."""
    if advice.method != "sampled":
        return estimate(option.loss, None, unicode=look.unicode)
    half = half_width(Difference(option.loss, option.loss_se, option.worlds), len(advice.options))
    mark = " " if option.established else DOUBTFUL
    return estimate(option.loss, half, unicode=look.unicode) + mark


def _notes(advice: Advice, look: Look) -> list[str]:
    notes = []
    if advice.forced is not None:
        words = {"draw": "draw", "pass": "pass", "play": f"play {advice.options[0].play}"}
        notes.append(f"Forced: nothing to do but {words[advice.forced]}.")
    how = METHODS[advice.method].format(worlds=f"{advice.worlds:,}")
    if advice.method != "exact":
        hands = advice.consistent_hands
        if hands is not None:
            how += f"; {counted_large(hands, 'hand')} of the others agree with the record"
        how += f"; play-outs: {advice.policy}"
    if advice.method == "sampled":
        how += f"; seed {advice.seed}"
    notes.append(f"{how[0].upper()}{how[1:]}.")
    if any(not option.established for option in advice.options[1:]):
        if advice.method == "sampled":
            sign = "±" if look.unicode else "+/-"
            notes.append(
                f"{sign} is the 95 % interval against the best; {DOUBTFUL} marks what these deals "
                "cannot tell from it."
            )
    elif len(advice.options) > 1 and advice.method == "sampled":
        sign = "±" if look.unicode else "+/-"
        notes.append(f"{sign} is the 95 % interval against the best.")
    return notes


def counted_large(number: int, one: str) -> str:
    """Return `50,388 hands`."""
    return f"{number:,} {one if number == 1 else one + 's'}"


def unseen_table(advice: Advice, look: Look) -> str:
    """Return for each hidden tile the chance that each player holds it."""
    view = advice.view
    if not advice.unseen:
        return "Every tile can be seen."
    names = view.setup.names
    owners = [one for one in range(len(names)) if one != view.seat and view.hand_sizes[one]]
    keys = owners + ([BONEYARD] if view.boneyard else [])
    heads = [names[one] if one != BONEYARD else "boneyard" for one in keys]
    columns = [Column("tile"), *(Column(head, right=True) for head in heads)]
    rows = [
        [str(tile), *(percent(float(chances.get(key, 0)), 1) for key in keys)]
        for tile, chances in sorted(advice.unseen.items(), reverse=True)
    ]
    return table(columns, rows, look.width)


def _folded(line: str, look: Look) -> str:
    return "\n".join(fold(line, look.width))
