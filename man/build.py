"""Make the man pages: `python man/build.py [--check] [PAGE...]`; `tests/regenerate.py` does it too.

Section 1 is made from the commands themselves and `text/commands.md`, which holds the examples;
sections 5 and 7 from the other files in `text/`. The output in examples comes from running them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
for _folder in (str(ROOT), str(HERE)):
    if _folder not in sys.path:
        sys.path.insert(0, _folder)

import click  # noqa: E402
import roff  # noqa: E402
import tables  # noqa: E402
from consoles import place  # noqa: E402

from sniffcli import __version__  # noqa: E402
from sniffcli.cli.main import COMMANDS, group  # noqa: E402
from sniffcli.problems import Status  # noqa: E402

#: What the words for arguments stand for.
ARGUMENTS = {
    "PLAY...": "Plays in their order, written as in `sniff-game`(5).",
    "GAME": "A game file, see `sniff-game`(5); `-` is standard input.",
    "GAME...": "Game files, see `sniff-game`(5); `-` is standard input.",
    "PATH...": "Files, or directories whose files are meant.",
    "NAME|FILE": "The id of a shipped ruleset, or a ruleset file, see `sniff-ruleset`(5).",
    "A": "A shipped ruleset or a ruleset file.",
    "B": "Another one; without it, A is compared with itself under `--set`.",
    "SECTOR": "The name of the table, which the host prints.",
    "FILE": "The file to read; `-` is standard input.",
}

STATUSES = {
    Status.OK: "Success; also an answer such as: there is no legal play.",
    Status.PROBLEMS: "Problems in contents: malformed or illegal plays, files that are not valid,"
    " wrong answers, expectations that fail, failed writes, a problem too large to solve.",
    Status.USAGE: "The command line: options, names of rulesets that do not exist, files that"
    " cannot be opened.",
    Status.DEFECT: "A defect of the program.",
    Status.INTERRUPTED: "Interrupted by Ctrl-C.",
    Status.TERMINATED: "Ended by the signal TERM.",
}

ENVIRONMENT = {
    "NO_COLOR": "With any value that is not empty there is no colour, unless `--color always` asks"
    " for it.",
    "TERM": "`dumb` means no colour and no cursor movements.",
    "COLUMNS": "The width for which tables and boards are laid out; else that of the terminal.",
    "LC_ALL, LC_MESSAGES, LANG": "The language of `sniff ruleset explain` and `diff`, and which"
    " characters the terminal can show; boards are drawn in ASCII where it cannot show lines.",
    "SNIFF_DATA_DIR": "The directory of saved games, progress and trophies; else the usual one of"
    " the system, such as `~/.local/share/sniff`.",
    "SNIFF_KERNEL": "`python` or `native` forces one of the two search kernels.",
    "_SNIFF_COMPLETE": "`bash_source`, `zsh_source` or `fish_source` makes `sniff` print its"
    " completion for that shell and do nothing else.",
}

#: What else to read, by page; every page of a command also names `sniff`(1) and its neighbours.
ALSO = {
    "game": ("replay", "hint", "solve", "analyze", "record", "play", "count"),
    "ruleset": ("ruleset", "count", "play"),
    "puzzle": ("puzzle", "stats"),
    "script": ("play",),
    "bots": ("simulate", "play"),
    "protocol": ("host", "join"),
}
SECTION = {
    "game": 5,
    "ruleset": 5,
    "puzzle": 5,
    "script": 5,
    "bots": 7,
    "tutorial": 7,
    "protocol": 7,
}


def change_date() -> str:
    """Return the date of the last release in the change log; before the first one there is none."""
    log = (ROOT / "CHANGELOG.md").read_text("utf-8")
    dated = re.search(r"^## .*?(\d{4}-\d\d-\d\d)", log, re.MULTILINE)
    return dated[1] if dated else "unreleased"


def walk() -> Iterator[tuple[tuple[str, ...], click.Command, click.Context]]:
    """Yield every command with its words and a context, `sniff` itself first."""
    ctx = click.Context(group, info_name="sniff", **group.context_settings)  # type: ignore[arg-type]
    yield from _below(("sniff",), group, ctx)


def _below(
    words: tuple[str, ...], command: click.Command, ctx: click.Context
) -> Iterator[tuple[tuple[str, ...], click.Command, click.Context]]:
    yield words, command, ctx
    if not isinstance(command, click.Group):
        return
    for name in command.list_commands(ctx):
        inner = command.get_command(ctx, name)
        assert inner is not None, name
        below = click.Context(inner, info_name=name, parent=ctx)
        yield from _below((*words, name), inner, below)


def title(name: str, section: int) -> list[str]:
    """Return the first lines of a page."""
    return [
        r".\" Made by man/build.py; do not edit.",
        f".TH {roff.literal(name.upper())} {section} {roff.literal(change_date())}"
        f' "sniff {__version__}" "Dominoes"',
        ".nh",
        ".ad l",
    ]


def named(name: str, summary: str) -> list[str]:
    """Return the section NAME, which `whatis` and `apropos` read."""
    return [*roff.heading("NAME"), rf"{roff.literal(name)} \- {roff.running(summary)}"]


def summary_of(words: tuple[str, ...], command: click.Command, ctx: click.Context) -> str:
    """Return what a command does, as a phrase."""
    text = command.get_short_help_str(300)
    if len(words) == 2:
        text = COMMANDS[words[1]].help
    if len(words) == 1:
        return "analyst and tutor for scoring dominoes"
    return text[0].lower() + text[1:].rstrip(".")


def synopsis(words: tuple[str, ...], command: click.Command, ctx: click.Context) -> list[str]:
    """Return the section SYNOPSIS."""
    pieces = []
    for piece in command.collect_usage_pieces(ctx):
        upper = re.sub(r"[A-Z|]+", lambda word: roff.italic(word[0]), roff.running(piece))
        pieces.append(upper)
    return [*roff.heading("SYNOPSIS"), f"{roff.bold(' '.join(words))} {' '.join(pieces)}"]


def option_term(option: click.Option, ctx: click.Context) -> str:
    """Return the names of an option with the word for its value."""
    names = [*option.opts, *option.secondary_opts]
    if not option.is_flag and not option.count:
        value = option.make_metavar(ctx)
        return ", ".join(f"{roff.bold(name)} {roff.breakable(value)}" for name in names)
    return ", ".join(roff.bold(name) for name in names)


def options(command: click.Command, ctx: click.Context) -> list[str]:
    """Return the section OPTIONS."""
    lines = roff.heading("OPTIONS")
    for param in command.get_params(ctx):
        if not isinstance(param, click.Option) or param.hidden:
            continue
        record = param.get_help_record(ctx)
        assert record is not None
        text = record[1].replace("...", "…").replace("<=x<=", " to ").replace("x>=", "at least ")
        lines += roff.definition(option_term(param, ctx), text.replace("NAME… ", "NAME ... "))
    return lines


def arguments(command: click.Command, ctx: click.Context) -> list[str]:
    """Return the section ARGUMENTS, where there are any."""
    found = [one for one in command.get_params(ctx) if isinstance(one, click.Argument)]
    lines = roff.heading("ARGUMENTS") if found else []
    for argument in found:
        word = argument.make_metavar(ctx).strip("[]").replace("]...", "...")
        lines += roff.definition(roff.italic(word), ARGUMENTS[word])
    return lines


def commands(command: click.Command, words: tuple[str, ...], ctx: click.Context) -> list[str]:
    """Return the section COMMANDS of a group."""
    if not isinstance(command, click.Group):
        return []
    lines = roff.heading("COMMANDS")
    for name in command.list_commands(ctx):
        inner = command.get_command(ctx, name)
        assert inner is not None, name
        page = "-".join((*words, name))
        text = summary_of((*words, name), inner, ctx)
        lines += roff.definition(
            rf"\fB{roff.literal(page)}\fR(1)", text[0].upper() + text[1:] + "."
        )
    return lines


def description(words: tuple[str, ...], command: click.Command) -> list[str]:
    """Return the section DESCRIPTION: the help of the command, paragraph by paragraph."""
    lines = roff.heading("DESCRIPTION")
    text = (command.help or "").replace("\b\n", "")
    for part in text.split("\n\n"):
        lines += roff.paragraph(part)
    if len(words) == 1:
        lines += roff.marked((HERE / "text" / "overview.md").read_text("utf-8"))
    return lines


def examples() -> dict[str, str]:
    """Return the examples of every command, not yet run, by the name of its page."""
    parts = re.split(r"^## (.+)\n", (HERE / "text" / "commands.md").read_text("utf-8"), flags=re.M)
    return {
        name.replace(" ", "-"): body for name, body in zip(parts[1::2], parts[2::2], strict=True)
    }


def statuses() -> list[str]:
    """Return the section EXIT STATUS."""
    lines = roff.heading("EXIT STATUS")
    for status in Status:
        lines += roff.definition(roff.bold(str(int(status))), STATUSES[status])
    return lines


def environment() -> list[str]:
    """Return the section ENVIRONMENT."""
    lines = roff.heading("ENVIRONMENT")
    for name, text in ENVIRONMENT.items():
        lines += roff.definition(roff.bold(name), text)
    return lines


def see_also(pages: list[tuple[str, int]]) -> list[str]:
    """Return the section SEE ALSO."""
    shown = [rf"\fB\%{roff.literal(name)}\fR({section})" for name, section in sorted(set(pages))]
    return [*roff.heading("SEE ALSO"), ",\n".join(shown)]


def neighbours(words: tuple[str, ...], every: list[tuple[str, ...]]) -> list[tuple[str, int]]:
    """Return the pages that the page of a command points to."""
    pages = ["-".join(one) for one in every if one[:-1] == words or one == words[:-1]]
    if len(words) == 3:
        pages += ["-".join(one) for one in every if one[:-1] == words[:-1] and one != words]
    also = [(name, 1) for name in pages]
    for topic, commands_ in ALSO.items():
        if (len(words) == 1 or words[1] in commands_) and topic in topics():
            also.append((f"sniff-{topic}", SECTION[topic]))
    return [*also, ("sniff-tutorial", 7)]


def topics() -> list[str]:
    """Return the topics of sections 5 and 7 that are written."""
    return [topic for topic in SECTION if (HERE / "text" / f"{topic}.md").is_file()]


def command_pages(wanted: list[str]) -> Iterator[tuple[Path, str]]:
    """Yield the WANTED pages of section 1, all of them if none is named."""
    every = [words for words, _, _ in walk()]
    shown = examples()
    for words, command, ctx in walk():
        name = "-".join(words)
        if wanted and f"{name}.1" not in wanted:
            continue
        with place("latin-1") as here:
            example = here.filled(shown[name])
        lines = [
            *title(name, 1),
            *named(name, summary_of(words, command, ctx)),
            *synopsis(words, command, ctx),
            *description(words, command),
            *commands(command, words, ctx),
            *arguments(command, ctx),
            *options(command, ctx),
            *statuses(),
            *environment(),
            *roff.heading("EXAMPLES"),
            *roff.marked(example),
            *see_also(neighbours(words, every)),
        ]
        yield HERE / f"{name}.1", "\n".join(lines) + "\n"


def topic_pages(wanted: list[str]) -> Iterator[tuple[Path, str]]:
    """Yield pages of sections 5 and 7; the first line of a text is the summary of its page."""
    for topic in topics():
        name, section = f"sniff-{topic}", SECTION[topic]
        if wanted and f"{name}.{section}" not in wanted:
            continue
        summary, _, body = (HERE / "text" / f"{topic}.md").read_text("utf-8").partition("\n")
        with place("latin-1") as here:
            body = here.filled(tables.inserted(body))
        there = group.list_commands(click.Context(group))
        pages = [(f"sniff-{one}", 1) for one in ALSO.get(topic, ()) if one in there]
        pages += [
            ("sniff", 1),
            *((f"sniff-{one}", SECTION[one]) for one in topics() if one != topic),
        ]
        lines = [
            *title(name, section),
            *named(name, summary.strip()),
            *roff.marked(body),
            *see_also(pages),
        ]
        yield HERE / f"{name}.{section}", "\n".join(lines) + "\n"


def pages(*wanted: str) -> Iterator[tuple[Path, str]]:
    """Yield the WANTED man pages (`sniff-count.1`) with their contents, all if none is named."""
    yield from command_pages(list(wanted))
    yield from topic_pages(list(wanted))


def main(arguments_: list[str]) -> int:
    """Write the pages, or name those that are stale; return the exit status."""
    check, stale = "--check" in arguments_, False
    for path, text in pages(*(one for one in arguments_ if one != "--check")):
        if path.is_file() and path.read_text("utf-8") == text:
            continue
        stale = True
        if not check:
            path.write_text(text, "utf-8", newline="\n")
        sys.stdout.write(f"{path.relative_to(ROOT)}\n")
    return 1 if stale and check else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
