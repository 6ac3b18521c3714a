"""Reading rulesets: a file and its parents, house rules over them, and all that is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from sniffcli.problems import Problem, did_you_mean, has_errors
from sniffcli.ruleset import library
from sniffcli.ruleset.checks import contradictions
from sniffcli.ruleset.drafts import Draft, from_node, from_values, heir, overlay
from sniffcli.ruleset.keys import Path as KeyPath
from sniffcli.ruleset.keys import is_section, keys, not_offered, suggestion
from sniffcli.ruleset.kinds import other_kind
from sniffcli.ruleset.model import Ruleset
from sniffcli.ruleset.readers import KEY, shown
from sniffcli.ruleset.section import Fault, Refused
from sniffcli.yamlio import Mark, Node, parse

#: The version of the format that this program reads.
FORMAT = 1

#: After this many wrong keys and values the rest of a ruleset is not listed any more.
MAX_PROBLEMS = 100

#: Keys that no house rule may change, because they say which ruleset this is.
FIXED = ("sniff", "id", "extends")


def load_ruleset(
    source: str | Path,
    text: str | bytes | None = None,
    settings: Mapping[Any, Any] | None = None,
) -> tuple[Ruleset | None, list[Problem]]:
    """Read the ruleset with a shipped id or in a file; TEXT stands for the file's contents.

    SETTINGS are house rules from the command line as one nested mapping; problems in them name
    `--set` as their file. The ruleset is None as soon as one problem is an error.

    Raises:
        OSError: the file cannot be read.
        LookupError: SOURCE is neither a shipped id nor a file.
    """
    draft, problems = read_draft(source, text)
    if draft is None:
        return None, problems
    if settings:
        draft, more = with_settings(draft, settings)
        problems += more
    return build(draft, problems)


def resolve(
    draft: Draft, overrides: Node | None, file: str
) -> tuple[Ruleset | None, list[Problem]]:
    """Return the ruleset of DRAFT under the house rules of a game FILE (its `overrides`)."""
    if overrides is None:
        return build(draft)
    if overrides.kind != "mapping":
        mark = overrides.mark
        message = "overrides must be a mapping like {match: {target: 100}}"
        return None, [Problem(file, mark.line, mark.column, "not-a-mapping", message)]
    top = from_node(overrides, file)
    return build(overlay(draft, top), _fixed_keys(top))


def with_settings(
    draft: Draft, settings: Mapping[Any, Any], label: str = "--set"
) -> tuple[Draft, list[Problem]]:
    """Lay house rules that stand in no file over DRAFT; LABEL takes the place of a file name."""
    top = from_values(settings, label)
    return overlay(draft, top), _fixed_keys(top)


def _fixed_keys(top: Draft) -> list[Problem]:
    return [
        _problem(top, (key,), "fixed-key", f"{key} says which ruleset this is and stays as it is")
        for key in FIXED
        if key in top.values
    ]


def read_draft(
    source: str | Path, text: str | bytes | None = None
) -> tuple[Draft | None, list[Problem]]:
    """Read a ruleset with its parents, not yet checked, so that house rules can be laid over it.

    Raises:
        OSError: the file cannot be read.
        LookupError: SOURCE is neither a shipped id nor a file.
    """
    if text is not None:
        return _read(str(source), text, Path(source).parent, ())
    path = library.find(source)
    if path is None:
        raise LookupError(library.unknown(str(source)))
    return _read(str(path), path.read_bytes(), path.parent, (path.resolve(),))


def _read(
    file: str, text: str | bytes, beside: Path, chain: tuple[Path, ...]
) -> tuple[Draft | None, list[Problem]]:
    node, problems = parse(text, file)
    other = other_kind(node, text, file, "ruleset")
    if other is not None:
        return None, [other]
    if node is None:
        return None, problems
    if node.kind != "mapping":
        if not problems:
            message = "a ruleset is a mapping of keys, starting with sniff: 1"
            problems = [Problem(file, node.mark.line, node.mark.column, "not-a-mapping", message)]
        return None, problems
    draft = from_node(node, file)
    version = _version(draft)
    if version is not None:
        problems.append(version)
        if "sniff" in draft.values:
            return None, problems
    base = Draft(file, complete=True)
    if isinstance(draft.values.get("extends"), str | int):
        base, more = _parent(draft, beside, chain)
        problems += more
    return overlay(base, draft), problems


def _version(draft: Draft) -> Problem | None:
    if "sniff" not in draft.values:
        message = f"the format version is missing; start with sniff: {FORMAT}"
        return _problem(draft, (), "missing-key", message)
    given = draft.values["sniff"]
    if given == FORMAT and not isinstance(given, bool):
        return None
    if isinstance(given, int) and not isinstance(given, bool) and given > FORMAT:
        message = f"this file has format {given}, and this program reads format {FORMAT}"
        return _problem(draft, ("sniff",), "version", f"{message}; a newer program is needed")
    message = f"{shown(given)} is no format version; write sniff: {FORMAT}"
    return _problem(draft, ("sniff",), "version", message)


def _parent(child: Draft, beside: Path, chain: tuple[Path, ...]) -> tuple[Draft, list[Problem]]:
    """Return what CHILD inherits; an empty draft that is not complete where that is unknown."""
    name = str(child.values["extends"])
    unreadable = Draft(child.file, complete=False)

    def refused(code: str, message: str) -> tuple[Draft, list[Problem]]:
        return unreadable, [_problem(child, ("extends",), code, f"extends: {message}")]

    if name == child.values.get("id"):
        return refused("extends-itself", f'"{name}" cannot extend itself')
    path = library.find_parent(name, beside) if Path(name).name == name else None
    if path is None:
        hint = did_you_mean(name, library.shipped()) or "; see `sniff ruleset list`"
        return refused("unknown-ruleset", f'no ruleset is called "{name}"{hint}')
    if path.resolve() in chain:
        row = " -> ".join(one.stem for one in (*chain, path))
        return refused("extends-itself", f"the parents go round in a circle: {row}")
    try:
        text = path.read_bytes()
    except OSError as error:
        return refused("unreadable", f"{path} cannot be read: {error.strerror}")
    parent, problems = _read(str(path), text, path.parent, (*chain, path.resolve()))
    if parent is None:
        return unreadable, problems
    return heir(parent), problems


def build(
    draft: Draft, before: list[Problem] | None = None
) -> tuple[Ruleset | None, list[Problem]]:
    """Check a draft completely; return the ruleset, or None, and every problem by its place.

    BEFORE holds problems found while reading; with an error among them no ruleset comes out.
    """
    problems = list(before or [])
    values = _plain(draft.values)
    rules, found, wrong = _validate(draft, values)
    problems += found
    if rules is None and draft.complete:
        # What is wrong is taken out, so that the rest can still be checked in the same go.
        for path in wrong:
            _remove(values, path)
        rules, _, _ = _validate(draft, values | _stand_ins(values))
    if rules is not None and draft.complete:
        tainted = [path for path in wrong if path in keys()]
        problems += [
            _problem(draft, one.path, one.code, one.message, on_key=is_section(one.path))._replace(
                severity=one.severity
            )
            for one in contradictions(rules, draft, tainted)
        ]
    problems = sorted(set(problems))
    return (None if has_errors(problems) or wrong else rules), problems


def _plain(values: Any) -> Any:
    """Return a copy of nested mappings that may be changed."""
    if isinstance(values, Mapping):
        return {key: _plain(one) for key, one in values.items()}
    return values


def _stand_ins(values: dict[str, Any]) -> dict[str, Any]:
    """Return values for required keys that are wrong or absent, so that the others are checked."""
    deal = values.get("deal")
    return {
        "id": values.get("id", "unnamed"),
        "deal": {"hand": "all_even"} | (deal if isinstance(deal, dict) else {}),
    }


def _remove(values: dict[str, Any], path: KeyPath) -> None:
    inner: Any = values
    for step in path[:-1]:
        inner = inner.get(step) if isinstance(inner, dict) else None
    if isinstance(inner, dict):
        inner.pop(path[-1], None)


def _validate(
    draft: Draft, values: dict[str, Any]
) -> tuple[Ruleset | None, list[Problem], list[KeyPath]]:
    """Return the ruleset or None, the problems, and the paths of keys that are wrong."""
    try:
        return Ruleset.read(values), [], []
    except Refused as refused:
        faults = refused.faults
    told = (problem for fault in faults for problem in _told(draft, fault))
    return None, list(islice(told, MAX_PROBLEMS)), [fault.path for fault in faults]


def _told(draft: Draft, fault: Fault) -> Iterator[Problem]:
    """Yield what one fault of the values means, in a player's words and at its place."""
    path = fault.path
    why = not_offered(path, fault.given)
    if fault.kind == "wrong":
        for at, code, text in fault.mistakes:
            whole = (*path, *(step for step in at if step != KEY))
            on_key = KEY in at or code == "unknown-key"
            named = path if code == "unknown-key" else whole
            yield _problem(draft, whole, code, f"{_dot(named)}: {why or text}", on_key)
    elif fault.kind == "missing":
        if draft.complete:
            # A whole section is missing because of the key in it that has no default.
            message = f"{'deal.hand' if path == ('deal',) else _dot(path)} is missing"
            yield _problem(draft, path[:-1], "missing-key", message, on_key=True)
    elif fault.kind == "unknown":
        message = f"unknown key {shown(_dot(path))}{f': {why}' if why else suggestion(path)}"
        yield _problem(draft, path, "unknown-key", message, on_key=True)
    else:
        message = f"{_dot(path)}: a mapping of keys is needed, not {shown(fault.given)}"
        yield _problem(draft, path, "not-a-mapping", message)


def _dot(path: KeyPath) -> str:
    return ".".join(map(str, path))


def _problem(draft: Draft, path: KeyPath, code: str, message: str, on_key: bool = False) -> Problem:
    spot = draft.at(path)
    mark: Mark = spot.key if on_key else spot.value
    return Problem(spot.file, mark.line, mark.column, code, message)
