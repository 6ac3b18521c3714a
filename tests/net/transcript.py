"""The conversation that `sniff-protocol`(7) shows: made here, printed there, compared by a test."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator

from sniffcli.net.protocol import Message
from tests.net.bench import Bench, plan

#: What a terminal says in the example, by key; `wait` lets seconds pass.
SAID: list[tuple[int, Message] | float] = [
    (0, {"type": "start", "id": 1}),
    (1, {"type": "act", "id": 1, "do": "6-3"}),
    (0, {"type": "act", "id": 2, "do": "6-4"}),
    (0, {"type": "act", "id": 3, "do": "claim 10"}),
]


def conversation() -> Iterator[tuple[int, str, Message]]:
    """Yield who (key), which way (`>` to the host, `<` from it) and what."""
    bench = Bench(plan("dreamtime-sniff", 2), 0, seed=SEED)
    told = [0, 0]

    def answers() -> Iterator[tuple[int, str, Message]]:
        for key in (0, 1):
            for message in bench.inbox.get(key, [])[told[key] :]:
                yield key, "<", message
            told[key] = len(bench.inbox.get(key, []))

    for key, name in enumerate(("Ann", "Bob")):
        sector = bench.table.sector
        yield key, ">", {"type": "hello", "sniff": 1, "sector": sector, "name": name}
        bench.join(key, name)
        yield from answers()
    for row in SAID:
        if isinstance(row, float):
            bench.wait(row)
        else:
            key, message = row
            yield key, ">", message
            bench.raw(key, message)
        yield from answers()


#: A deal in which the first to lead holds 6-4, which scores.
SEED = 3


def shown(message: Message) -> Message:
    """A message as the page shows it: the text of the rules is cut short."""
    return {**message, "rules": message["rules"][:24] + "..."} if "rules" in message else message


def printed(rows: Iterator[tuple[int, str, Message]], key: int) -> list[str]:
    """The lines of one terminal, folded."""
    lines: list[str] = []
    for who, way, message in rows:
        if who == key:
            text = f"{way} {json.dumps(shown(message), ensure_ascii=False)}"
            lines += textwrap.wrap(
                text, 72, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
            )
    return lines


def unfolded(lines: list[str]) -> list[tuple[str, Message]]:
    """The messages of folded lines."""
    rows: list[str] = []
    for line in lines:
        if line[:2] in ("> ", "< "):
            rows.append(line)
        else:
            rows[-1] += " " + line.strip()
    return [(row[0], json.loads(row[2:])) for row in rows]


if __name__ == "__main__":
    print("\n".join(printed(conversation(), 0)))  # noqa: T201
