"""Reading and writing puzzle files (contract, section 6): what is asked, not whether it is so."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast, get_args

from sniffcli.files.conserve import check_tiles
from sniffcli.files.fields import Pairs, Reader, listed
from sniffcli.files.games import read_players, read_rules, read_scores, read_sides
from sniffcli.files.notation import NotationError, parse_action, text_of_action
from sniffcli.files.recording import round_data
from sniffcli.files.records import NOWHERE, GameRecord
from sniffcli.files.rounds import read_round
from sniffcli.game.actions import Draw, Pass, Play
from sniffcli.problems import Problem
from sniffcli.ruleset.kinds import other_kind
from sniffcli.ruleset.loading import FORMAT
from sniffcli.ruleset.model import Ruleset
from sniffcli.tiles import Tile
from sniffcli.yamlio import Mark, Node, dump, parse, value

Ask = Literal[
    "count", "points", "best-score", "best-play", "value", "legal-plays", "holds", "claim"
]
#: Questions whose answer is a number, a play, a list of plays, a list of tiles.
NUMBERS: tuple[Ask, ...] = ("count", "points", "value", "claim")
ONE_PLAY: tuple[Ask, ...] = ("best-score", "best-play")

#: The players of a puzzle that names none.
DEFAULT_PLAYERS = ("Ann", "Bob", "Cy", "Di", "Ed")
#: How hard a puzzle is taken to be that does not say.
DEFAULT_DIFFICULTY = 1500
#: Most puzzles of one file.
MOST_PUZZLES = 2_000

FILE_KEYS = ("sniff", "title", "notes", "source", "puzzles")
PUZZLE_KEYS = (
    "id",
    "ask",
    "ruleset",
    "overrides",
    "players",
    "teams",
    "scores",
    "round",
    "to_play",
    "of",
    "never",
    "answer",
    "accept",
    "themes",
    "difficulty",
    "hints",
    "explanation",
)

_DECIMAL = re.compile(r"[+-]?[0-9]{1,6}(?:\.[0-9]{1,6})?")
_WORD = re.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Number:
    """A number as written, with how many decimals it shows."""

    value: float
    decimals: int = 0

    def matches(self, real: float) -> bool:
        """Whether REAL, rounded to the decimals written, is this number."""
        return abs(real - self.value) <= 0.5 * 10.0**-self.decimals + 1e-9 and (
            self.decimals > 0 or abs(real - self.value) < 1e-6
        )

    def __str__(self) -> str:
        return f"{self.value:.{self.decimals}f}"


#: What the seat to move may choose.
Chosen = Play | Draw | Pass
#: A single answer: a number, an action, or a whole list of plays or tiles.
Answer = Number | Chosen | tuple[Play | Tile, ...]


@dataclass(frozen=True, slots=True)
class Given:
    """An answer of a file with its place."""

    answer: Answer
    mark: Mark = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class Puzzle:
    """One question about one position."""

    id: str
    ask: Ask
    #: The position as the record of one round.
    record: GameRecord
    answer: Given
    accept: tuple[Given, ...] = ()
    to_play: int | None = None
    #: For `holds`: whose hand is asked about, and whether what it cannot hold.
    of: int | None = None
    never: bool = False
    themes: tuple[str, ...] = ()
    difficulty: int = DEFAULT_DIFFICULTY
    hints: tuple[str, ...] = ()
    explanation: str = ""
    mark: Mark = field(default=NOWHERE, compare=False)
    marks: Mapping[str, Mark] = field(default_factory=dict, compare=False, repr=False)

    def at(self, key: str) -> Mark:
        """Return the place of a key of this puzzle, else of the puzzle."""
        return self.marks.get(key, self.mark)

    @property
    def file(self) -> str:
        """The file that holds it."""
        return self.record.file

    def problem(self, mark: Mark, code: str, message: str) -> Problem:
        """Return a problem of this puzzle, named by its id."""
        return self.record.problem(mark, code, f"{self.id}: {message}")


@dataclass(frozen=True)
class PuzzleFile:
    """A file of puzzles."""

    file: str
    title: str = ""
    puzzles: tuple[Puzzle, ...] = ()
    #: How many puzzles the file lists, those that cannot be used included.
    listed: int = 0


def read_puzzles(text: str | bytes, file: str) -> tuple[PuzzleFile, list[Problem]]:
    """Read a puzzle file; a puzzle that cannot be used is left out and its problems are listed."""
    root, problems = parse(text, file)
    other = other_kind(root, text, file, "puzzle")
    if other is not None:
        return PuzzleFile(file), [other]
    if root is None:
        return PuzzleFile(file), problems
    reader = _PuzzleReader(file)
    found = PuzzleFile(file)
    if root.kind != "mapping":
        message = "a puzzle file is a mapping of keys, starting with sniff: 1"
        reader.report(root, "not-a-mapping", message)
    elif reader.version(root, "a puzzle file"):
        found = reader.file_of(root)
    return found, listed([*problems, *reader.problems])


class _PuzzleReader(Reader):
    """Reads the puzzles of one file; rulesets that several of them share are read once."""

    def __init__(self, file: str) -> None:
        super().__init__(file)
        self._rulesets: dict[tuple[str, str], Ruleset] = {}
        self._seen: dict[str, Mark] = {}

    def file_of(self, root: Node) -> PuzzleFile:
        """Return what the file holds."""
        pairs = self.mapping(root, FILE_KEYS, "a puzzle file")
        assert pairs is not None, "the root was seen to be a mapping"
        title = ""
        for key in ("title", "notes", "source"):
            if key in pairs:
                given = self.text(pairs[key][1], key)
                title = given or "" if key == "title" else title
        if "puzzles" not in pairs:
            self.report(root, "missing-key", "the puzzles are missing; write puzzles: [...]")
            return PuzzleFile(self.file, title)
        items = self.items(pairs["puzzles"][1], "puzzles", "- id: first-one", MOST_PUZZLES) or ()
        made = [self.puzzle(item) for item in items]
        return PuzzleFile(self.file, title, tuple(one for one in made if one), len(items))

    def puzzle(self, node: Node) -> Puzzle | None:
        """Return one puzzle, or None where it cannot be used."""
        before = len(self.problems)
        pairs = self.mapping(node, PUZZLE_KEYS, "a puzzle")
        if pairs is None:
            return None
        for key in ("id", "ask", "round", "answer"):
            if key not in pairs:
                self.report(node, "missing-key", f"a puzzle needs {key}")
        name = self._id(pairs)
        ask = self.word(pairs["ask"][1], "ask", get_args(Ask)) if "ask" in pairs else None
        record = self._record(node, pairs)
        if record is None or ask is None:
            return None
        kind = cast("Ask", ask)
        names = record.players
        answer = self._answer(kind, pairs["answer"][1], names) if "answer" in pairs else None
        puzzle = Puzzle(
            id=name or "?",
            ask=kind,
            record=record,
            answer=answer or Given(Number(0)),
            accept=self._accept(kind, pairs, names),
            to_play=self.player(pairs["to_play"][1], names, "to_play")
            if "to_play" in pairs
            else None,
            of=self.player(pairs["of"][1], names, "of") if "of" in pairs else None,
            never=self._flag(pairs, "never"),
            themes=self._words(pairs, "themes"),
            difficulty=self._difficulty(pairs),
            hints=self._texts(pairs, "hints"),
            explanation=self._one_text(pairs, "explanation"),
            mark=node.mark,
            marks={key: item.mark for key, (_, item) in pairs.items()},
        )
        self._fitting(puzzle, pairs)
        wrong = any(one.severity == "error" for one in self.problems[before:])
        return None if wrong else puzzle

    def _id(self, pairs: Pairs) -> str | None:
        if "id" not in pairs:
            return None
        node = pairs["id"][1]
        name = self.text(node, "id")
        if name is None:
            return None
        if not _WORD.fullmatch(name) or len(name) > 80:
            message = f"{name!r} is no id; write small letters, digits and hyphens: twenty-now"
            self.report(node, "id", message)
            return None
        if name in self._seen:
            first = self._seen[name]
            message = f'two puzzles have the id "{name}": also line {first.line}:{first.column}'
            self.report(node, "id", message)
        self._seen.setdefault(name, node.mark)
        return name

    def _record(self, node: Node, pairs: Pairs) -> GameRecord | None:
        rules = self._rules(pairs)
        names = self._players(node, pairs, rules)
        if names is None or rules is None or "round" not in pairs:
            return None
        sides = self._sides(node, pairs, names, rules)
        marks: dict[str, Mark] = {key: item.mark for key, (_, item) in pairs.items()}
        scores = read_scores(self, pairs, names, sides, marks)
        one = read_round(self, pairs["round"][1], names, sides)
        record = GameRecord(
            file=self.file,
            rules=rules,
            players=names,
            sides=sides,
            ruleset=pairs["ruleset"][1].text if "ruleset" in pairs else None,
            overrides=value(pairs["overrides"][1]) if "overrides" in pairs else {},
            teams="teams" in pairs,
            scores=scores,
            rounds=(one,),
            marks=marks,
        )
        checked, found = check_tiles(record)
        self.problems += found
        return checked

    def _rules(self, pairs: Pairs) -> Ruleset | None:
        name = pairs["ruleset"][1].text if "ruleset" in pairs else ""
        overrides = repr(value(pairs["overrides"][1])) if "overrides" in pairs else ""
        known = self._rulesets.get((name, overrides))
        if known is not None:
            return known
        before = len(self.problems)
        rules = read_rules(self, pairs, None, None)
        if rules is not None and len(self.problems) == before:
            self._rulesets[name, overrides] = rules
        return rules

    def _players(self, node: Node, pairs: Pairs, rules: Ruleset | None) -> tuple[str, ...] | None:
        if "players" in pairs:
            return read_players(self, pairs, node)
        # As many of the usual players as the position speaks of.
        least = 2 if rules is None else max(2, rules.players.min)
        named = [key for pair in pairs.values() for key in _keys(pair[1])]
        named += [pairs[key][1].text for key in ("to_play", "of") if key in pairs]
        most = [nth for nth, name in enumerate(DEFAULT_PLAYERS, 1) if name in named]
        return DEFAULT_PLAYERS[: max([least, *most])]

    def _sides(
        self, node: Node, pairs: Pairs, names: Sequence[str], rules: Ruleset
    ) -> tuple[int, ...]:
        if "players" in pairs:
            return read_sides(self, pairs, names, rules)
        # The number of players is complained about where they would be listed.
        return read_sides(self, {**pairs, "players": (node, node)}, names, rules)

    def _answer(self, ask: Ask, node: Node, names: Sequence[str]) -> Given | None:
        """Return what NODE says in the form that ASK wants."""
        found: Answer | None
        if ask in NUMBERS:
            found = self._number(node)
        elif ask in ONE_PLAY:
            found = self._play(node, names, only_plays=ask == "best-score")
        elif ask == "legal-plays":
            items = self.items(node, "answer", "[6-3 on 6-6, 6-2 on 6-6]")
            plays = [self._play(item, names, only_plays=True) for item in items or ()]
            whole = items is not None and None not in plays
            found = tuple(one for one in plays if isinstance(one, Play)) if whole else None
        else:
            tiles = self.tiles(node, "answer")
            found = None if tiles is None else tuple(tile for tile, _ in tiles)
        return None if found is None else Given(found, node.mark)

    def _number(self, node: Node) -> Number | None:
        text = node.text if node.kind == "scalar" else ""
        if _DECIMAL.fullmatch(text):
            return Number(float(text), len(text.partition(".")[2]))
        shown = repr(text) if node.kind == "scalar" else f"a {node.kind}"
        self.report(node, "number", f"the answer is a number like 15 or 2.5, not {shown}")
        return None

    def _play(self, node: Node, names: Sequence[str], *, only_plays: bool) -> Chosen | None:
        if node.kind != "scalar":
            message = f"a play is text like 6-3 on 6-6, not a {node.kind}"
            self.report(node, "malformed", message)
            return None
        try:
            action = parse_action(node.text, 0, names)
        except NotationError as problem:
            self.report(node, "malformed", str(problem))
            return None
        allowed = (Play,) if only_plays else (Play, Draw, Pass)
        if not isinstance(action, allowed):
            self.report(node, "malformed", f"{node.text!r} is no play; write it like 6-3 on 6-6")
            return None
        if isinstance(action, Draw) and action.tile is not None:
            self.report(node, "malformed", "nobody chooses what to draw; write draw alone")
            return None
        return action

    def _accept(self, ask: Ask, pairs: Pairs, names: Sequence[str]) -> tuple[Given, ...]:
        if "accept" not in pairs:
            return ()
        items = self.items(pairs["accept"][1], "accept", "[6-3 on 6-6]") or ()
        if items and ask not in ONE_PLAY:
            message = f"{ask} has one right answer, so nothing else can be accepted"
            self.report(pairs["accept"][1], "accept", message)
            return ()
        found = [self._answer(ask, item, names) for item in items]
        return tuple(one for one in found if one is not None)

    def _fitting(self, puzzle: Puzzle, pairs: Pairs) -> None:
        """Report keys that do not belong to the kind of question."""
        if puzzle.ask == "holds":
            if "of" not in pairs:
                self.report(pairs["ask"][1], "missing-key", "holds needs of: whose hand it is")
        else:
            for key in ("of", "never"):
                if key in pairs:
                    self.report(pairs[key][0], "unknown-key", f"{key} belongs to ask: holds")

    def _flag(self, pairs: Pairs, key: str) -> bool:
        if key not in pairs:
            return False
        given = value(pairs[key][1]) if pairs[key][1].kind == "scalar" else None
        if not isinstance(given, bool):
            self.report(pairs[key][1], "unknown-word", f"{key} is true or false")
            return False
        return given

    def _difficulty(self, pairs: Pairs) -> int:
        if "difficulty" not in pairs:
            return DEFAULT_DIFFICULTY
        return self.whole(pairs["difficulty"][1], "difficulty", 100, 4000) or DEFAULT_DIFFICULTY

    def _one_text(self, pairs: Pairs, key: str) -> str:
        return self.text(pairs[key][1], key) or "" if key in pairs else ""

    def _texts(self, pairs: Pairs, key: str) -> tuple[str, ...]:
        if key not in pairs:
            return ()
        items = self.items(pairs[key][1], key, "[first nudge, second nudge]") or ()
        return tuple(text for item in items if (text := self.text(item, f"one of the {key}")))

    def _words(self, pairs: Pairs, key: str) -> tuple[str, ...]:
        found = []
        items = self.items(pairs[key][1], key, "[endgame, spinner]") or () if key in pairs else ()
        for item in items:
            text = self.text(item, f"one of the {key}")
            if text is not None and not _WORD.fullmatch(text):
                self.report(item, "unknown-word", f"{text!r} is no theme; write it like go-out")
            elif text is not None:
                found.append(text)
        return tuple(found)


def _keys(node: Node) -> list[str]:
    """Return all keys of mappings in and below NODE."""
    found = [key.text for key, _ in node.pairs]
    for _, below in node.pairs:
        found += _keys(below)
    for item in node.items:
        found += _keys(item)
    return found


def puzzle_file_text(title: str, puzzles: Sequence[Puzzle]) -> str:
    """Return a puzzle file; reading it gives equal puzzles."""
    return dump({"sniff": FORMAT, "title": title, "puzzles": [puzzle_data(one) for one in puzzles]})


def puzzle_data(puzzle: Puzzle) -> dict[str, Any]:
    """Return one puzzle as the plain data of a file, keys in the order of the contract."""
    record = puzzle.record
    names = record.players
    data: dict[str, Any] = {"id": puzzle.id, "ask": puzzle.ask}
    if record.ruleset is not None:
        data["ruleset"] = record.ruleset
    if record.overrides:
        data["overrides"] = record.overrides
    data["players"] = list(names)
    if record.teams:
        sides = range(record.setup.side_count)
        data["teams"] = [[names[seat] for seat in record.setup.members(side)] for side in sides]
    if record.scores is not None and any(record.scores):
        data["scores"] = record.setup.by_name(record.scores)
    data["round"] = round_data(names, record.rounds[0])
    if puzzle.to_play is not None:
        data["to_play"] = names[puzzle.to_play]
    if puzzle.of is not None:
        data["of"] = names[puzzle.of]
        if puzzle.never:
            data["never"] = True
    data["answer"] = answer_data(puzzle.answer.answer)
    if puzzle.accept:
        data["accept"] = [answer_data(one.answer) for one in puzzle.accept]
    if puzzle.themes:
        data["themes"] = list(puzzle.themes)
    data["difficulty"] = puzzle.difficulty
    if puzzle.hints:
        data["hints"] = list(puzzle.hints)
    if puzzle.explanation:
        data["explanation"] = puzzle.explanation
    return data


def answer_data(answer: Answer) -> Any:
    """Return an answer as it is written in a file."""
    if isinstance(answer, Number):
        return int(answer.value) if answer.decimals == 0 else answer.value
    if isinstance(answer, tuple):
        return [str(one) if isinstance(one, Tile) else text_of_action(one) for one in answer]
    return text_of_action(answer)


def answer_text(answer: Answer) -> str:
    """Return an answer in one line for people."""
    if isinstance(answer, Number):
        return str(answer)
    if isinstance(answer, tuple):
        shown = [str(one) if isinstance(one, Tile) else text_of_action(one) for one in answer]
        return ", ".join(shown) or "none"
    return text_of_action(answer)
