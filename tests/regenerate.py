"""Write the generated test files again: `python -m tests.regenerate [--check] [NAME...]`.

Perft counts come from the twin, playthroughs from the product, schema and man pages from the
commands and the ruleset model, and the output shown in README.md from running what it shows. With
`--check` nothing is written, and files that would change are named. A NAME picks generators
(`perft`, `readme`, ...).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
MAN = HERE.parent / "man"
# The checkout comes first: another copy of the package may be installed.
for folder in (str(HERE), str(MAN), str(HERE.parent)):
    sys.path.insert(0, folder)

from perftfiles import perft_text  # noqa: E402
from playthrough import playthrough_text  # noqa: E402

from sniffcli.ruleset.library import shipped  # noqa: E402


def perft() -> Iterator[tuple[Path, str]]:
    """Lines of play per ruleset, counted by the twin."""
    for name in shipped():
        yield HERE / "perft" / f"{name}.perft", perft_text(name)


def playthroughs() -> Iterator[tuple[Path, str]]:
    """One seeded round per ruleset."""
    for name in shipped():
        yield HERE / "playthroughs" / f"{name}.txt", playthrough_text(name)


def schema() -> Iterator[tuple[Path, str]]:
    """The JSON Schema of rulesets, as `sniff ruleset schema` prints it."""
    from sniffcli.ruleset.schema import schema_text

    yield HERE.parent / "rulesets" / "schema.json", schema_text()


def man() -> Iterator[tuple[Path, str]]:
    """The man pages, with the output of their examples."""
    from runpy import run_path

    # Not imported: the name `build` belongs to the build tool of the same name.
    yield from run_path(str(MAN / "build.py"))["pages"]()


def readme() -> Iterator[tuple[Path, str]]:
    """README.md with the output of the commands that it shows."""
    from consoles import place

    path = HERE.parent / "README.md"
    with place("utf-8") as here:
        yield path, here.filled(path.read_text("utf-8"))


#: Every generator yields files with their contents; add further ones here.
GENERATORS: dict[str, Callable[[], Iterator[tuple[Path, str]]]] = {
    "perft": perft,
    "playthroughs": playthroughs,
    "schema": schema,
    "man": man,
    "readme": readme,
}


def main(arguments: Sequence[str]) -> int:
    """Write or check the files; return the exit status."""
    check = "--check" in arguments
    names = [one for one in arguments if one != "--check"] or list(GENERATORS)
    unknown = [one for one in names if one not in GENERATORS]
    if unknown:
        sys.stderr.write(f"no such generator: {', '.join(unknown)}; there are {list(GENERATORS)}\n")
        return 2
    stale = []
    for name in names:
        for path, text in GENERATORS[name]():
            if path.is_file() and path.read_text("utf-8") == text:
                continue
            stale.append(path)
            if not check:
                path.parent.mkdir(exist_ok=True)
                path.write_text(text, "utf-8", newline="\n")
    for path in stale:
        sys.stdout.write(f"{'stale' if check else 'written'}: {path.relative_to(HERE.parent)}\n")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
