"""The commands shown in documents, run again so that the output beside them is never invented.

A fenced block ```` ```console ```` holds lines `$ COMMAND` with what the command writes below each.
`filled` puts the true output there. Commands run in a folder of their own in which `scenarios` is
the shipped one; `# status N` behind a command says which exit status is meant.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_STATUS = re.compile(r"\s+# status (\d+)$")
#: Anything that only a shell understands.
_SHELL = re.compile(r"[|<>;&$`(]|\bcat\b|^[^s]")
_SURROUNDINGS = {
    "COLUMNS": "80",
    "LC_ALL": "C.UTF-8",
    "NO_COLOR": "1",
    "SNIFF_KERNEL": "",
    "TERM": "dumb",
}


class WrongExample(Exception):
    """A command in a document that does not do what the document needs."""


@contextlib.contextmanager
def place(encoding: str) -> Iterator[Place]:
    """Make the folder in which the commands of one document run, one after the other."""
    with tempfile.TemporaryDirectory(prefix="sniff-docs-") as name:
        folder = Path(name).resolve()
        (folder / "scenarios").symlink_to(ROOT / "scenarios")
        yield Place(folder, encoding)


class Place:
    """A folder in which commands of a document run, with the encoding of their output.

    Under `latin-1` boards are drawn without lines, as a page of the manual needs it, and names
    keep their letters.
    """

    def __init__(self, folder: Path, encoding: str) -> None:
        self.folder = folder
        self.encoding = encoding
        self.surroundings = {
            **_SURROUNDINGS,
            "PYTHONIOENCODING": encoding,
            "SNIFF_DATA_DIR": str(folder / ".data"),
            "XDG_CACHE_HOME": str(folder / ".cache"),
        }

    def filled(self, text: str) -> str:
        """Return TEXT with the output of every command in its console blocks."""
        rows, filled, inside = text.split("\n"), [], False
        for row in rows:
            if row.startswith("```"):
                inside = row == "```console"
            elif inside and not row.startswith("$ "):
                continue
            filled.append(row)
            if inside and row.startswith("$ "):
                filled += self.run(row[2:])
        return "\n".join(filled)

    def run(self, line: str) -> list[str]:
        """Run one command line and return the lines that it writes."""
        wanted = _STATUS.search(line)
        command = line[: wanted.start()] if wanted else line
        run = self._shell if _SHELL.search(command) else self._here
        status, output = run(command)
        if status != (int(wanted[1]) if wanted else 0):
            raise WrongExample(f"{line}: status {status}\n{output}")
        return [one.rstrip() for one in output.replace(f"{self.folder}/", "").splitlines()]

    def _here(self, command: str) -> tuple[int, str]:
        """Run `sniff ...` in this process, which saves starting another one."""
        from sniffcli.cli.main import main

        name, *arguments = shlex.split(command)
        if name != "sniff":
            raise WrongExample(f"{command}: not a command of sniff")
        written = io.TextIOWrapper(io.BytesIO(), encoding=self.encoding, write_through=True)
        before, environment, keyboard = Path.cwd(), dict(os.environ), sys.stdin
        try:
            os.chdir(self.folder)
            os.environ.update(self.surroundings)
            sys.stdin = io.TextIOWrapper(io.BytesIO())
            with contextlib.redirect_stdout(written), contextlib.redirect_stderr(written):
                status = main(arguments)
        finally:
            sys.stdin = keyboard
            os.environ.clear()
            os.environ.update(environment)
            os.chdir(before)
        written.flush()
        return status, self._decoded(written.buffer.getvalue())  # type: ignore[attr-defined]

    def _shell(self, command: str) -> tuple[int, str]:
        """Run a line that needs a shell."""
        programs = self.folder / ".bin"
        programs.mkdir(exist_ok=True)
        starter = programs / "sniff"
        starter.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m sniffcli "$@"\n', "utf-8")
        starter.chmod(0o755)
        path = f"{programs}{os.pathsep}{os.environ.get('PATH', '')}"
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=self.folder,
            env={**os.environ, **self.surroundings, "PATH": path},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        return done.returncode, self._decoded(done.stdout)

    def _decoded(self, output: bytes) -> str:
        """Return what a command wrote; files that are only shown are UTF-8."""
        try:
            return output.decode()
        except UnicodeDecodeError:
            return output.decode(self.encoding)


def commands(text: str) -> list[str]:
    """Return every command shown in the console and sh blocks of TEXT."""
    found, language = [], ""
    for row in text.split("\n"):
        if row.startswith("```"):
            language = row[3:] if not language else ""
        elif language == "console" and row.startswith("$ "):
            found.append(_STATUS.sub("", row[2:]))
        elif language == "sh" and row.strip():
            found.append(row.strip())
    return found
