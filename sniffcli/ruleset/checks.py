"""What is wrong with a ruleset as a whole, each time with the place where it is shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from sniffcli.problems import Severity
from sniffcli.ruleset.cautions import CAUTIONS
from sniffcli.ruleset.contradictions import CONTRADICTIONS, Contradiction
from sniffcli.ruleset.drafts import Draft
from sniffcli.ruleset.idle import IDLE
from sniffcli.ruleset.keys import Path, keys
from sniffcli.ruleset.model import Ruleset

__all__ = ["CAUTIONS", "CONTRADICTIONS", "IDLE", "Finding", "contradictions"]


class Finding(NamedTuple):
    """Something wrong among keys that are right by themselves."""

    path: Path
    code: str
    message: str
    severity: Severity = "error"


def contradictions(rules: Ruleset, draft: Draft, tainted: list[Path]) -> Iterator[Finding]:
    """Yield each contradiction among keys that are right by themselves, and each caution.

    What depends on one of the TAINTED keys, which are wrong or missing, is left out.
    """
    kinds: dict[Severity, tuple[Contradiction, ...]]
    kinds = {"error": CONTRADICTIONS, "warning": CAUTIONS}
    for severity, every in kinds.items():
        for one in every:
            detail = False if _touches(one.keys, tainted) else one.found(rules)
            if detail:
                extra = f": {detail}" if isinstance(detail, str) else ""
                yield Finding(_where(one.keys, draft), one.code, f"{one.message}{extra}", severity)
    reported: set[str] = set()
    for idle in IDLE:
        path, switch = tuple(idle.key.split(".")), tuple(idle.switch.split("."))
        if path not in draft.places or idle.key in reported:
            continue
        if _touches((idle.key, idle.switch), tainted) or not _differs(rules, path):
            continue
        written = draft.places[switch].layer if switch in draft.places else -1
        if draft.places[path].layer >= written and idle.found(rules):
            reported.add(idle.key)
            yield Finding(path, idle.code, idle.message)


def _touches(names: tuple[str, ...], tainted: list[Path]) -> bool:
    for name in names:
        path = tuple(name.split("."))
        for bad in tainted:
            length = min(len(path), len(bad))
            if path[:length] == bad[:length]:
                return True
    return False


def _where(names: tuple[str, ...], draft: Draft) -> Path:
    """Return the first of the keys that the topmost file writes, else the first written at all."""
    paths: list[Path] = [tuple(name.split(".")) for name in names]
    written = [path for path in paths if path in draft.places]
    top = [path for path in written if draft.places[path].layer == draft.layer]
    return (top or written or paths)[0]


def _differs(rules: Ruleset, path: Path) -> bool:
    """Whether the key at PATH has another value than its default."""
    inner: Any = rules
    for step in path:
        inner = getattr(inner, "pass_" if step == "pass" else str(step))
    return bool(inner != keys()[path].default)
