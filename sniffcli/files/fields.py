"""Reading single fields of our files: each reader returns a value or reports what is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sniffcli.problems import Problem, Severity, did_you_mean, has_errors, nearest
from sniffcli.ruleset.loading import FORMAT
from sniffcli.ruleset.readers import shown
from sniffcli.tiles import Tile, TileError, parse_tile
from sniffcli.yamlio import Mark, Node, value
from sniffcli.yamlio.reading import MAX_PROBLEMS

#: The largest set there is (double-eighteen); no list of tiles or players is longer.
MOST_TILES = 190

#: The keys of a mapping with their values.
Pairs = dict[str, tuple[Node, Node]]


class Reader:
    """Collects the problems of one file while its parts are read."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []

    def report(self, where: Node | Mark, code: str, message: str) -> None:
        """Note a problem at a node or place."""
        mark = where.mark if isinstance(where, Node) else where
        self.problems.append(Problem(self.file, mark.line, mark.column, code, message))

    def mapping(self, node: Node, known: Sequence[str], what: str) -> Pairs | None:
        """Return the keys of a mapping that are known and not null; report the others."""
        if node.kind != "mapping":
            example = f"{known[0]}: ..." if known else "{...}"
            self.report(node, "not-a-mapping", f"{what} is a mapping of keys, like {example}")
            return None
        pairs: Pairs = {}
        for key, item in node.pairs:
            if key.text not in known:
                match = nearest(key.text.replace("-", "_"), known)
                hint = f'; did you mean "{match}"?' if match else f"; {_listed_keys(known)}"
                self.report(key, "unknown-key", f"unknown key {shown(key.text)} in {what}{hint}")
            elif not _is_null(item):
                pairs[key.text] = (key, item)
        return pairs

    def items(
        self, node: Node, what: str, like: str, most: int = MOST_TILES
    ) -> tuple[Node, ...] | None:
        """Return the items of a list of at most MOST."""
        if node.kind != "sequence":
            self.report(node, "not-a-list", f"{what} is a list, like {like}")
            return None
        if len(node.items) > most:
            self.report(node, "too-long", f"{what} has {len(node.items)} items; {most} at most")
            return None
        return node.items

    def text(self, node: Node, what: str) -> str | None:
        """Return the text of a scalar exactly as written."""
        if node.kind != "scalar":
            self.report(node, "not-text", f"{what} is text; put it in quotes if it has colons")
            return None
        return node.text

    def whole(self, node: Node, what: str, low: int | None = None, high: int = 10**6) -> int | None:
        """Return a whole number between LOW and HIGH (default: any sign)."""
        least = -high if low is None else low
        given = value(node) if node.kind == "scalar" else None
        if isinstance(given, int) and not isinstance(given, bool) and least <= given <= high:
            return given
        bounds = f" from {least} to {high}" if low is not None else ""
        shown = repr(node.text) if node.kind == "scalar" else f"a {node.kind}"
        self.report(node, "number", f"{what} is a whole number{bounds}, not {shown}")
        return None

    def word(self, node: Node, what: str, allowed: Iterable[str]) -> str | None:
        """Return one of the ALLOWED words."""
        words = tuple(allowed)
        given = node.text if node.kind == "scalar" else None
        if given in words:
            return given
        shown = f'"{given}"' if given is not None else f"a {node.kind}"
        hint = did_you_mean(given, words) if given else ""
        listed = ", ".join(words)
        self.report(node, "unknown-word", f"{what}: {shown} is not one of {listed}{hint}")
        return None

    def tile(self, node: Node) -> Tile | None:
        """Return a tile."""
        if node.kind == "mapping" and len(node.pairs) == 1:
            # In braces or brackets YAML takes `5:5` followed by a space for a mapping.
            self.report(node, "tile", "this is a mapping, not a tile; write it like 5-5")
            return None
        if node.kind != "scalar":
            self.report(node, "tile", f"a {node.kind} stands where a tile belongs; write 6-3")
            return None
        try:
            return parse_tile(node.text)
        except TileError as problem:
            self.report(node, "tile", str(problem))
            return None

    def tiles(self, node: Node, what: str) -> tuple[tuple[Tile, Node], ...] | None:
        """Return those of a list of tiles that are tiles, with their places."""
        items = self.items(node, what, "[6-3, 5-5]")
        if items is None:
            return None
        read = [(self.tile(item), item) for item in items]
        return tuple((tile, item) for tile, item in read if tile is not None)

    def player(self, node: Node, names: Sequence[str], what: str) -> int | None:
        """Return the seat of the player whom NODE names."""
        name = node.text if node.kind == "scalar" else None
        if name is not None and name in names:
            return list(names).index(name)
        if name is None:
            self.report(node, "player", f"{what} is the name of a player, not a {node.kind}")
            return None
        hint = did_you_mean(name, names) or f"; the players are {', '.join(names)}"
        self.report(node, "player", f'{what}: nobody is called "{name}"{hint}')
        return None

    def by_player(
        self, node: Node, names: Sequence[str], what: str
    ) -> Mapping[int, tuple[Node, Node]]:
        """Return what a mapping keyed by player holds, by seat; null means not given."""
        if node.kind != "mapping":
            example = ", ".join(f"{name}: ..." for name in names[:2])
            self.report(node, "not-a-mapping", f"{what} is keyed by player, like {{{example}}}")
            return {}
        found: dict[int, tuple[Node, Node]] = {}
        for key, item in node.pairs:
            seat = self.player(key, names, what)
            if seat is not None and not _is_null(item):
                found[seat] = (key, item)
        return found

    def version(self, root: Node, what: str) -> bool:
        """Check the format version; return whether the rest can be read at all."""
        found = [(key, item) for key, item in root.pairs if key.text == "sniff"]
        if not found:
            self.report(root, "missing-key", f"the format version is missing; start {what} with "
                        f"sniff: {FORMAT}")  # fmt: skip
            return True
        given = value(found[0][1])
        if given == FORMAT and not isinstance(given, bool):
            return True
        if isinstance(given, int) and not isinstance(given, bool) and given > FORMAT:
            self.report(
                found[0][1],
                "version",
                f"this file has format {given}, and this program reads format {FORMAT}; "
                "a newer program is needed",
            )
            return False
        shown = found[0][1].text or "this"
        self.report(found[0][1], "version", f"{shown!r} is no format version; write sniff: 1")
        return False


def listed(problems: Iterable[Problem]) -> list[Problem]:
    """Return problems by place, each once; of very many only the first, and how many more."""
    found = sorted(set(problems))
    if len(found) <= MAX_PROBLEMS:
        return found
    shown, rest = found[:MAX_PROBLEMS], found[MAX_PROBLEMS:]
    last = shown[-1]
    severity: Severity = "error" if has_errors(rest) else "warning"
    message = f"{len(rest)} more problems are not listed"
    return [*shown, Problem(last.file, last.line, last.column, "more", message, severity)]


def _is_null(node: Node) -> bool:
    return node.kind == "scalar" and value(node) is None


def _listed_keys(known: Sequence[str]) -> str:
    return f"the keys are {', '.join(known)}" if known else "it has no keys"
