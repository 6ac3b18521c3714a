"""The log of a table: doing its lines again, and the shortest lines that lead to the same table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sniffcli.net.crew import Person, opening_line
from sniffcli.net.protocol import Message
from sniffcli.net.table import Table
from sniffcli.ui.dealing import Promise


def resume(table: Table, lines: Iterable[Mapping[str, Any]]) -> None:
    """Bring a new table to where the lines of a log lead; nobody has a terminal yet.

    The clock of the round stands still until they are back: nobody loses time to claim by it.
    """
    for line in lines:
        _again(table, line)
    table.journal = []
    now = table.clock()
    for person in table.people:
        person.dropped = now
    voyage = table.voyage
    if voyage is not None:
        moment = voyage.game.elapsed()
        voyage.elapsed(now)
        voyage.game.resume_clock(moment)
        if table.people and not voyage.game.settled:
            voyage.stop(now)


def _again(table: Table, line: Mapping[str, Any]) -> None:
    kind = line["kind"]
    if kind == "sit":
        table.people.append(Person(line["name"], line["token"]))
    elif kind == "rise":
        del table.people[line["at"]]
    elif kind == "crew":
        table.crew = line["size"]
    elif kind == "id":
        person = table.people[line["at"]]
        person.last_id = person.done_id = line["id"]
    elif kind == "voyage":
        table.voyages = line.get("number", table.voyages + 1) - 1
        table.begun_on = line["date"]
        table.open(Promise(int(line["seed"]), line["salt"]))
    elif kind in ("do", "next", "clock"):
        assert table.voyage is not None, "a game is in the log"
        table.voyage.replayed(line)


def shortest(table: Table) -> list[Message]:
    """Return the shortest lines that lead to where a table is.

    Voyages that are over are forgotten, and all but the last of the message numbers.
    """
    lines: list[Message] = [opening_line(table.sector, table.plan)]
    lines.append({"kind": "crew", "size": table.crew})
    lines += [{"kind": "sit", "name": one.name, "token": one.token} for one in table.people]
    if table.voyage is not None:
        lines.append(table.voyage_line(table.voyage.promise))
        lines += table.voyage.shortest()
    lines += [
        {"kind": "id", "at": at, "id": one.done_id}
        for at, one in enumerate(table.people)
        if one.done_id
    ]
    return lines
