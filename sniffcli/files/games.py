"""Reading game files (contract, section 5): YAML text to a `GameRecord` and all its problems."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from sniffcli.files.conserve import check_tiles
from sniffcli.files.fields import Pairs, Reader, listed
from sniffcli.files.notation import name_problem
from sniffcli.files.records import BotLevel, GameRecord, Tolerance
from sniffcli.files.rounds import per_player, per_side, read_round
from sniffcli.game.match import sides_of
from sniffcli.problems import Problem, has_errors
from sniffcli.ruleset import library
from sniffcli.ruleset.drafts import Draft, from_node, overlay
from sniffcli.ruleset.kinds import other_kind
from sniffcli.ruleset.loading import read_draft, resolve, with_settings
from sniffcli.ruleset.model import Ruleset
from sniffcli.yamlio import Mark, Node, parse, value

#: What a game is played by where neither its file nor the command line says it.
DEFAULT_RULES = "all-fives"

#: Most rounds that a file may have; no match comes near it.
MOST_ROUNDS = 1_000

GAME_KEYS = (
    "sniff",
    "ruleset",
    "overrides",
    "players",
    "teams",
    "seats",
    "date",
    "place",
    "notes",
    "scores",
    "seed",
    "commitment",
    "salt",
    "tolerate",
    "rounds",
)


class RulesGiven(Exception):
    """`--rules` was given beside a file that names its ruleset; a mistake of the command line."""


def read_game(
    text: str | bytes,
    file: str,
    *,
    rules: str | Path | None = None,
    settings: Mapping[Any, Any] | None = None,
) -> tuple[GameRecord | None, list[Problem]]:
    """Read a game file; the record is None where its players or rules cannot be known.

    RULES is a ruleset for a file that names none; SETTINGS are house rules laid over the file's.
    FILE stands in the problems, and a relative ruleset is looked up beside it.

    Raises:
        RulesGiven: RULES was given and the file names its ruleset.
        LookupError: RULES is neither a shipped id nor a file.
    """
    root, problems = parse(text, file)
    other = other_kind(root, text, file, "game")
    if other is not None:
        return None, [other]
    if root is None:
        return None, problems
    reader = Reader(file)
    record = None
    if root.kind != "mapping":
        message = "a game file is a mapping of keys, starting with sniff: 1"
        reader.report(root, "not-a-mapping", message)
    elif reader.version(root, "a game file"):
        record = _game(reader, root, rules, settings)
    found = listed([*problems, *reader.problems])
    return (None if problems and has_errors(problems) else record), found


def _game(
    reader: Reader,
    root: Node,
    default: str | Path | None,
    settings: Mapping[Any, Any] | None,
) -> GameRecord | None:
    pairs = reader.mapping(root, GAME_KEYS, "a game file")
    assert pairs is not None, "the root was seen to be a mapping"
    if default is not None and "ruleset" in pairs:
        raise RulesGiven(f"{reader.file} names its ruleset; --rules is for files that do not")
    names = read_players(reader, pairs, root)
    loaded = read_rules(reader, pairs, default, settings)
    if names is None:
        return None
    sides = read_sides(reader, pairs, names, loaded)
    marks: dict[str, Mark] = {key: item.mark for key, (_, item) in pairs.items()}
    scores = read_scores(reader, pairs, names, sides, marks)
    rounds = _rounds(reader, pairs, names, sides)
    details = _details(reader, pairs, names)
    if loaded is None:
        return None
    record = GameRecord(
        file=reader.file,
        rules=loaded,
        players=names,
        sides=sides,
        ruleset=pairs["ruleset"][1].text if "ruleset" in pairs else None,
        overrides=value(pairs["overrides"][1]) if "overrides" in pairs else {},
        teams="teams" in pairs,
        scores=scores,
        rounds=rounds,
        marks=marks,
        **details,
    )
    checked, found = check_tiles(record)
    reader.problems += found
    return checked


def _rounds(reader: Reader, pairs: Pairs, names: Sequence[str], sides: Sequence[int]) -> Any:
    if "rounds" not in pairs:
        return ()
    items = reader.items(pairs["rounds"][1], "rounds", "- hands: {...}", MOST_ROUNDS)
    return tuple(read_round(reader, item, names, sides) for item in items or ())


def read_players(reader: Reader, pairs: Pairs, root: Node) -> tuple[str, ...] | None:
    """Return the names of the players in turn order, or None where they cannot be used."""
    if "players" not in pairs:
        reader.report(root, "missing-key", "the players are missing; write players: [Ann, Bob]")
        return None
    items = reader.items(pairs["players"][1], "players", "[Ann, Bob]")
    if items is None:
        return None
    before = len(reader.problems)
    seen: dict[str, Mark] = {}
    for node in items:
        name = reader.text(node, "a player's name")
        if name is None:
            continue
        problem = name_problem(name)
        if problem is not None:
            reader.report(node, "name", problem)
        elif name in seen:
            first = seen[name]
            message = f'two players are called "{name}": also line {first.line}:{first.column}'
            reader.report(node, "name", message)
        seen.setdefault(name, node.mark)
    if len(items) < 2:
        reader.report(pairs["players"][1], "players", "a game has two players at least")
    return tuple(seen) if len(reader.problems) == before else None


def read_rules(
    reader: Reader,
    pairs: Pairs,
    default: str | Path | None,
    settings: Mapping[Any, Any] | None,
) -> Ruleset | None:
    """Return the ruleset in force, or None where it is unknown or wrong.

    Raises:
        LookupError: DEFAULT is neither a shipped id nor a file.
    """
    draft = _named_rules(reader, pairs) if "ruleset" in pairs else _default_rules(reader, default)
    overrides = pairs["overrides"][1] if "overrides" in pairs else None
    if draft is None:
        return None
    if settings:
        # House rules of the command line win over those of the file, and keep their place.
        rules, problems = _with_both(draft, overrides, reader.file, settings)
    else:
        rules, problems = resolve(draft, overrides, reader.file)
    reader.problems += problems
    return rules


def _with_both(
    draft: Draft, overrides: Node | None, file: str, settings: Mapping[Any, Any]
) -> tuple[Ruleset | None, list[Problem]]:
    if overrides is None or overrides.kind != "mapping":
        top, problems = with_settings(draft, settings)
        rules, more = resolve(top, overrides, file)
        return rules, [*problems, *more]
    middle = overlay(draft, from_node(overrides, file))
    top, problems = with_settings(middle, settings)
    rules, more = resolve(top, None, file)
    _, fixed = resolve(draft, overrides, file)
    kept = [one for one in fixed if one.code == "fixed-key"]
    return rules, [*problems, *more, *kept]


def _named_rules(reader: Reader, pairs: Pairs) -> Draft | None:
    node = pairs["ruleset"][1]
    name = reader.text(node, "ruleset")
    if name is None:
        return None
    path = library.find(name, Path(reader.file).parent)
    if path is None:
        reader.report(node, "unknown-ruleset", library.unknown(name))
        return None
    try:
        draft, problems = read_draft(str(path) if name not in library.shipped() else name)
    except OSError as error:
        reader.report(node, "unreadable", f"{path} cannot be read: {error.strerror}")
        return None
    reader.problems += problems
    return None if has_errors(problems) else draft


def _default_rules(reader: Reader, default: str | Path | None) -> Draft | None:
    draft, problems = read_draft(default if default is not None else DEFAULT_RULES)
    reader.problems += problems
    return None if has_errors(problems) else draft


def read_sides(
    reader: Reader, pairs: Pairs, names: Sequence[str], rules: Ruleset | None
) -> tuple[int, ...]:
    """Return the side of each seat, from `teams` and what the ruleset allows."""
    seats = len(names)
    if rules is not None and seats not in rules.legal_players():
        low, high = rules.players.min, rules.players.max
        allowed = str(low) if low == high else f"{low} to {high}"
        message = f"{rules.title} is for {allowed} players, and {seats} are listed"
        reader.report(pairs["players"][1], "players", message)
    required = rules is not None and rules.teams_required(seats)
    if "teams" not in pairs:
        return sides_of(seats, teams=required)
    node = pairs["teams"][1]
    teams = _teams(reader, node, names)
    if teams is None:
        return sides_of(seats, teams=required or seats == 4)
    if rules is not None and not rules.teams_possible(seats):
        reader.report(node, "teams", rules.no_partners(seats))
        return sides_of(seats, teams=False)
    if seats != 4 or sorted(map(sorted, teams)) != [[0, 2], [1, 3]]:
        opposite = "two teams of two need four players"
        if seats == 4:
            a, b, c, d = names
            opposite = f"partners sit opposite: write teams: [[{a}, {c}], [{b}, {d}]]"
        reader.report(node, "teams", opposite)
        return sides_of(seats, teams=seats == 4)
    return sides_of(seats, teams=True)


def _teams(reader: Reader, node: Node, names: Sequence[str]) -> list[list[int]] | None:
    items = reader.items(node, "teams", "[[Ann, Cy], [Bob, Di]]")
    if items is None:
        return None
    before = len(reader.problems)
    teams: list[list[int]] = []
    for item in items:
        members = reader.items(item, "a team", "[Ann, Cy]") or ()
        seats = [reader.player(member, names, "teams") for member in members]
        teams.append([seat for seat in seats if seat is not None])
    return teams if len(reader.problems) == before else None


def read_scores(
    reader: Reader,
    pairs: Pairs,
    names: Sequence[str],
    sides: Sequence[int],
    marks: dict[str, Mark],
) -> tuple[int, ...] | None:
    """Return the points carried in, per side; None where what is written is wrong."""
    before = len(reader.problems)
    given = per_player(reader, pairs, "scores", names, sides, marks)
    if len(reader.problems) > before:
        return None
    return tuple(points or 0 for points in per_side(given or (None,) * len(names), sides))


def _details(reader: Reader, pairs: Pairs, names: Sequence[str]) -> dict[str, Any]:
    """Return the fields that no rule depends on."""
    details: dict[str, Any] = {}
    for key in ("date", "place", "notes", "salt"):
        if key in pairs:
            details[key] = reader.text(pairs[key][1], key)
    if "seed" in pairs:
        details["seed"] = reader.whole(pairs["seed"][1], "seed", 0, 10**18)
    if "commitment" in pairs:
        node = pairs["commitment"][1]
        text = reader.text(node, "commitment") or ""
        if re.fullmatch("[0-9a-f]{64}", text):
            details["commitment"] = text
        elif node.kind == "scalar":
            reader.report(node, "commitment", "a commitment is 64 digits from 0 to f")
    if "tolerate" in pairs:
        items = reader.items(pairs["tolerate"][1], "tolerate", "[misjoin]") or ()
        words = [reader.word(item, "tolerate", get_args(Tolerance)) for item in items]
        details["tolerate"] = tuple(dict.fromkeys(word for word in words if word))
    if "seats" in pairs:
        details["bots"] = _bots(reader, pairs["seats"][1], names)
    return details


def _bots(reader: Reader, node: Node, names: Sequence[str]) -> dict[int, str]:
    bots: dict[int, str] = {}
    for seat, (_, item) in reader.by_player(node, names, "seats").items():
        inner = reader.mapping(item, ("bot",), "a seat")
        if inner and "bot" in inner:
            level = reader.word(inner["bot"][1], "bot", get_args(BotLevel))
            if level is not None:
                bots[seat] = level
    return bots
