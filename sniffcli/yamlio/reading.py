"""YAML text to nodes: what a file may not hold is refused with its line and column."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Any, Literal

import yaml

from sniffcli.problems import Problem
from sniffcli.yamlio.nodes import UNSEEN, Mark, Node, value

#: The largest file that is read, in bytes.
MAX_BYTES = 1_000_000
#: How deep lists and mappings may lie in each other; the outermost one is level 1.
MAX_DEPTH = 20
#: After this many problems the rest of a file is not listed any more.
MAX_PROBLEMS = 100

_PARSER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_FAR = (MAX_BYTES, MAX_BYTES)
_TOO_DEEP = f"lists and mappings lie more than {MAX_DEPTH} deep here"


def parse(text: str | bytes, file: str) -> tuple[Node | None, list[Problem]]:
    """Read one YAML document and return its root with everything that is wrong, by place.

    The root is None where nothing usable could be read. With problems in the list the root may
    still be there, so that what it contains can be checked in the same go; it must not be used
    for anything else.
    """
    reader = _Reader(file)
    root = reader.read(text)
    return root, reader.sorted_problems()


class _Frame:
    """A sequence or mapping that is still being read."""

    def __init__(self, kind: Literal["sequence", "mapping"], mark: Mark) -> None:
        self.kind = kind
        self.mark = mark
        self.items: list[Node] = []
        self.pairs: list[tuple[Node, Node]] = []
        self.key: Node | None = None
        self.seen: dict[object, Mark] = {}

    def node(self) -> Node:
        return Node(self.kind, self.mark, items=tuple(self.items), pairs=tuple(self.pairs))


class _Stop(Exception):
    """Nothing behind this place can be read with any sense."""


class _Reader:
    """Composes nodes from parser events with its own stack, and collects the problems."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self.hidden = 0
        self.stack: list[_Frame] = []
        self.root: Node | None = None
        #: Quoted and block scalars, in which tabs and number signs are only text.
        self.spans: list[tuple[tuple[int, int], tuple[int, int]]] = []

    def report(self, mark: Mark, code: str, message: str) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(Problem(self.file, mark.line, mark.column, code, message))
        else:
            self.hidden += 1

    def sorted_problems(self) -> list[Problem]:
        found = sorted(set(self.problems))
        if self.hidden:
            last = found[-1]
            message = f"{self.hidden} more problems like these are not listed"
            found.append(Problem(self.file, last.line, last.column, "more", message))
        return found

    def read(self, text: str | bytes) -> Node | None:
        start = Mark(1, 1)
        size = len(text) if isinstance(text, bytes) else len(text.encode("utf-8", "surrogatepass"))
        if size > MAX_BYTES:
            self.report(start, "size", f"the file has {size} bytes; at most {MAX_BYTES} are read")
            return None
        clean = self.decoded(text)
        if clean is None:
            return None
        try:
            stopped_at = self.events(clean)
        except _Stop:
            stopped_at = None
        else:
            blank = self.root is None or (self.root.kind == "scalar" and not self.root.text)
            if blank and not self.problems:
                self.report(start, "empty", "the file is empty")
        self.tabs(clean, stopped_at)
        return self.root

    def decoded(self, text: str | bytes) -> str | None:
        """Return the text with plain line ends, or None where it is not UTF-8."""
        if isinstance(text, bytes):
            try:
                text = text.decode("utf-8")
            except UnicodeDecodeError as problem:
                raw = problem.object
                before = _plain_breaks(raw[: problem.start].decode("utf-8"))
                bad = raw[problem.start]
                message = f"byte 0x{bad:02X} is not UTF-8; save the file as UTF-8"
                self.report(_mark_behind(before.removeprefix("\ufeff")), "encoding", message)
                return None
        text = _plain_breaks(text.removeprefix("\ufeff"))
        for line, content in enumerate(text.split("\n"), 1):
            for match in UNSEEN.finditer(content):
                self.report(Mark(line, match.start() + 1), "character", _unwelcome(match[0]))
        return UNSEEN.sub("\ufffd", text)

    def events(self, text: str) -> Mark | None:
        """Compose the document; return where it stopped being YAML, or None."""
        parser = _PARSER(text)
        try:
            documents = 0
            while True:
                event = parser.get_event()
                if isinstance(event, yaml.StreamEndEvent):
                    return None
                if isinstance(event, yaml.DocumentStartEvent):
                    documents += 1
                    if documents > 1:
                        message = "a second document starts here; a file holds one"
                        self.report(_mark(event), "document", message)
                        return None
                elif isinstance(event, yaml.NodeEvent):
                    self.node_event(event)
                elif isinstance(event, yaml.CollectionEndEvent):
                    self.add(self.stack.pop().node())
        except yaml.MarkedYAMLError as problem:
            where = problem.problem_mark or problem.context_mark
            mark = Mark(where.line + 1, where.column + 1) if where else Mark(1, 1)
            context = problem.context_mark
            what: str = problem.context or ""
            if context and "scalar" in what and "plain" not in what:
                # An unclosed quote: what stands behind it was meant as text.
                self.spans.append(((context.line, context.column), (mark.line, mark.column)))
            if "nesting" in (problem.problem or ""):
                self.report(mark, "nesting", _TOO_DEEP)
            else:
                self.report(mark, "syntax", _syntax(problem))
            return mark
        except yaml.YAMLError as problem:
            self.report(Mark(1, 1), "syntax", f"this is not YAML: {str(problem).splitlines()[0]}")
            return Mark(1, 1)
        finally:
            parser.dispose()

    def node_event(self, event: Any) -> None:
        mark = _mark(event)
        anchor: str | None = event.anchor
        if isinstance(event, yaml.AliasEvent):
            self.report(mark, "alias", f"aliases (*{anchor}) are not used here")
            self.add(Node("scalar", mark, plain=False))
            return
        if anchor is not None:
            self.report(mark, "anchor", f"anchors (&{anchor}) are not used here")
        if event.tag is not None:
            self.report(mark, "tag", f"tags ({event.tag}) are not used here")
        if isinstance(event, yaml.ScalarEvent):
            self.scalar(event, mark)
            return
        if len(self.stack) == MAX_DEPTH:
            self.report(mark, "nesting", _TOO_DEEP)
            self.root = None
            raise _Stop
        kind: Literal["sequence", "mapping"] = (
            "sequence" if isinstance(event, yaml.SequenceStartEvent) else "mapping"
        )
        self.stack.append(_Frame(kind, mark))

    def scalar(self, event: Any, mark: Mark) -> None:
        plain = event.style in (None, "")
        if not plain:
            end = event.end_mark
            self.spans.append(((mark.line - 1, mark.column - 1), (end.line, end.column)))
            # Escapes can bring in what may not be written; terminals would act on it.
            odd = UNSEEN.search(event.value)
            if odd:
                self.report(mark, "character", _unwelcome(odd[0]))
        self.add(Node("scalar", mark, event.value, plain))

    def add(self, node: Node) -> None:
        """Put a finished node where it belongs: the open list, the open mapping or the root."""
        if not self.stack:
            self.root = node
            return
        frame = self.stack[-1]
        if frame.kind == "sequence":
            frame.items.append(node)
        elif frame.key is None:
            if node.kind != "scalar":
                self.report(node.mark, "key", "a key is a word or a number, not a list or mapping")
                node = Node("scalar", node.mark, plain=False)
            frame.key = node
        else:
            self.add_pair(frame, frame.key, node)
            frame.key = None

    def add_pair(self, frame: _Frame, key: Node, node: Node) -> None:
        meaning = value(key)
        # `1` and "1" are one key to a reader, `1` and `true` are one key to a Python dict.
        first = frame.seen.get(("text", key.text)) or frame.seen.get(("value", meaning))
        if first is not None:
            message = (
                f'"{key.text[:60]}" is written twice; '
                f"first at line {first.line}, column {first.column}"
            )
            self.report(key.mark, "duplicate-key", message)
            return
        frame.seen[("text", key.text)] = frame.seen[("value", meaning)] = key.mark
        frame.pairs.append((key, node))

    def tabs(self, text: str, stopped_at: Mark | None) -> None:
        """Refuse tabs outside quotes, block scalars and comments.

        Whether a tab is tolerated differs from parser to parser and from place to place, so none
        is. Where one made the parser stop, the tab is the problem and not what the parser says.
        """
        culprit = False
        for row, line in enumerate(text.split("\n")):
            if stopped_at is not None and row >= stopped_at.line:
                break
            column = line.find("\t")
            while column >= 0:
                if not self.inside_text(row, column):
                    if self.in_comment(line, row, column):
                        break
                    self.report(
                        Mark(row + 1, column + 1), "tab", "a tab stands here; use spaces instead"
                    )
                    culprit = culprit or (stopped_at is not None and row + 2 >= stopped_at.line)
                    break
                column = line.find("\t", column + 1)
        if culprit:
            self.problems = [one for one in self.problems if one.code != "syntax"]

    def in_comment(self, line: str, row: int, column: int) -> bool:
        starts = (match.end() - 1 for match in re.finditer(r"(?:^|[ \t])#", line[:column]))
        return any(not self.inside_text(row, start) for start in starts)

    def inside_text(self, row: int, column: int) -> bool:
        # The spans lie in the order of the file and do not overlap.
        before = bisect_right(self.spans, ((row, column), _FAR)) - 1
        return before >= 0 and (row, column) < self.spans[before][1]


def _plain_breaks(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _mark_behind(text: str) -> Mark:
    return Mark(text.count("\n") + 1, len(text) - text.rfind("\n"))


def _mark(event: Any) -> Mark:
    return Mark(event.start_mark.line + 1, event.start_mark.column + 1)


def _unwelcome(sign: str) -> str:
    return f"the character U+{ord(sign):04X} may not be used; it cannot be seen"


def _syntax(problem: yaml.MarkedYAMLError) -> str:
    """Say what stopped the parser, in one line."""
    said = " ".join(part for part in (problem.context, problem.problem) if part)
    return f"this is not YAML: {' '.join(said.split())}"
