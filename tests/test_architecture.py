"""The house rules that a machine can check by reading the source (design, sections 1 to 3).

Import layers are import-linter's work (`.ci/run`); here are the rules it does not know.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "sniffcli"
MODULES = sorted(PACKAGE.rglob("*.py"))

#: Which room may import which library (design, sections 2 and 3). Beyond the table there, `show`
#: takes its terminal styles from click, and a command may lay out its own list with tabulate.
HOMES = {
    "click": {"cli", "show"},
    "prompt_toolkit": {"ui"},
    "websockets": {"net"},
    "fsrs": {"tutor"},
    "glicko2": {"tutor", "engine"},
    "sqlite3": {"tutor"},
    "tabulate": {"show", "cli"},
    "plotext": {"show"},
    "joblib": {"engine", "tutor"},
    "yaml": {"yamlio"},
    "platformdirs": {"tutor", "ui", "files"},
}
#: Libraries that cost start-up time: imported inside the function that needs them.
LATE = {"prompt_toolkit", "tabulate", "plotext", "joblib", "websockets", "fsrs", "platformdirs"}
#: Modules that are nothing but the skin of such a library; they are imported late themselves.
SKINS = {"ui/prompt.py", "ui/side_prompt.py", "net/line.py", "net/server.py", "net/terminal.py"}
#: Rooms of values and rules: they neither read nor write nor ask the system anything.
PURE = {"tiles", "problems", "yamlio", "table", "game", "show"}


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


def imports(node: ast.AST) -> Iterator[tuple[str, int]]:
    """The top-level names that NODE imports, with their lines."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Import):
            yield from ((alias.name.split(".")[0], inner.lineno) for alias in inner.names)
        elif isinstance(inner, ast.ImportFrom) and inner.module:
            yield inner.module.split(".")[0], inner.lineno


def at_import(module: ast.Module) -> Iterator[tuple[str, int]]:
    """What a module imports when it is imported, leaving out `if TYPE_CHECKING`."""
    for statement in module.body:
        typing_only = isinstance(statement, ast.If) and "TYPE_CHECKING" in ast.dump(statement.test)
        if not typing_only and not isinstance(statement, ast.FunctionDef | ast.ClassDef):
            yield from imports(statement)


def calls(module: ast.Module) -> Iterator[tuple[str, int]]:
    """The plain and dotted names that are called or looked up, such as `print` and `os.environ`."""
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id, node.lineno
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield f"{node.value.id}.{node.attr}", node.lineno


each_module = pytest.mark.parametrize("path", MODULES, ids=name_of)


@each_module
def test_libraries_stay_in_their_rooms(path: Path) -> None:
    strays = [
        f"line {line}: {name}"
        for name, line in imports(tree(path))
        if name in HOMES and room(path) not in HOMES[name]
    ]

    assert not strays


@each_module
def test_heavy_libraries_are_imported_late(path: Path) -> None:
    if path.relative_to(PACKAGE).as_posix() in SKINS:
        return
    assert not [f"line {line}: {name}" for name, line in at_import(tree(path)) if name in LATE]


@each_module
def test_skins_of_heavy_libraries_are_imported_late(path: Path) -> None:
    if path.relative_to(PACKAGE).as_posix() in SKINS:
        return
    modules = {f"sniffcli.{skin.removesuffix('.py').replace('/', '.')}" for skin in SKINS}
    found = [
        inner.module
        for statement in tree(path).body
        if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        for inner in ast.walk(statement)
        if isinstance(inner, ast.ImportFrom) and inner.module in modules
        if not (isinstance(statement, ast.If) and "TYPE_CHECKING" in ast.dump(statement.test))
    ]

    assert not found


@each_module
def test_values_and_rules_touch_nothing_outside(path: Path) -> None:
    if room(path) not in PURE:
        return
    outside = {"print", "open", "input", "exit", "sys.exit", "os.environ", "os.getenv"}
    outside |= {"sys.stdout", "sys.stderr", "sys.stdin", "time.time", "datetime.now"}

    assert not [f"line {line}: {name}" for name, line in calls(tree(path)) if name in outside]


@each_module
def test_randomness_is_passed_in(path: Path) -> None:
    """Nothing draws from the hidden generator of the module; games start from a stated seed."""
    drawn = [
        f"line {line}: {name}"
        for name, line in calls(tree(path))
        if name.startswith("random.") and name not in ("random.Random", "random.SystemRandom")
    ]

    assert not drawn


@each_module
def test_no_ruleset_is_asked_for_its_name(path: Path) -> None:
    """Rules code asks switches, never names: no comparison of anything's `.id` below the cli."""
    if room(path) not in {"table", "game", "engine", "tutor", "ui", "net", "show"}:
        return
    asked = [
        f"line {node.lineno}: {ast.unparse(node)}"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Compare)
        for side in (node.left, *node.comparators)
        if isinstance(side, ast.Attribute) and side.attr == "id" and "rule" in ast.unparse(side)
    ]

    assert not asked


@each_module
def test_modules_can_be_read_in_one_sitting(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 500, f"{name_of(path)}: split it"


@each_module
def test_every_module_says_in_a_sentence_what_it_is_for(path: Path) -> None:
    assert ast.get_docstring(tree(path))
