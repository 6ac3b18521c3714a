"""Writing files so that none is lost: whole or not at all, and never over what others changed."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sniffcli.yamlio import MAX_BYTES


class Stamp(NamedTuple):
    """What a file was when it was read: its identity and its contents as a hash."""

    size: int
    digest: str


class FileRefused(Exception):
    """A file is not written, and why; nothing was changed."""


def read_file(path: str | Path) -> tuple[bytes, Stamp]:
    """Return the contents of a file and the stamp by which later changes are noticed.

    Of a file that is larger than our formats allow only so much is read that this shows.

    Raises:
        OSError: the file cannot be read.
    """
    with open(path, "rb") as stream:
        content = stream.read(MAX_BYTES + 1)
    return content, stamp_of(content)


def stamp_of(content: bytes) -> Stamp:
    """Return the stamp of a file with this content."""
    return Stamp(len(content), hashlib.sha256(content).hexdigest())


def same_file(one: str | Path, other: str | Path) -> bool:
    """Whether two paths lead to the same file, links followed."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(other)


#: The files opened since `watch_inputs`, None where nobody watches, and where the result goes.
_opened: set[str] | None = None
_result: Path | None = None


def watch_inputs(result: Path) -> None:
    """Notice which files are opened from now on, so that RESULT does not take the place of one.

    A ruleset leads to its parent and a directory to what lies in it, so the files named on the
    command line are not all that a command reads.
    """
    global _opened, _result
    _result = Path(os.path.realpath(result))
    if _opened is not None:
        # Another command in the same process.
        _opened.clear()
        return
    _opened = noticed = set()

    def notice(event: str, given: tuple[object, ...]) -> None:
        if event == "open" and isinstance(given[0], str):
            noticed.add(given[0])

    sys.addaudithook(notice)


def _was_read(target: Path) -> bool:
    """Whether TARGET, which is there, is standard input or was opened since `watch_inputs`."""
    there = target.stat()
    with contextlib.suppress(OSError, ValueError):
        if os.path.samestat(there, os.fstat(sys.stdin.fileno())):
            return True
    for name in _opened or ():
        with contextlib.suppress(OSError, ValueError):
            if os.path.samestat(there, os.stat(name)):
                return True
    return False


def write_atomic(
    path: str | Path,
    text: str,
    *,
    force: bool = False,
    stamp: Stamp | None = None,
    source: str | Path | None = None,
) -> Stamp:
    """Write TEXT (UTF-8, line feeds) so that the old file or the new one is there, whole.

    An existing file is replaced only with FORCE or with the STAMP of the contents that it must
    still have. SOURCE is the input from which the text was made; it is never written over.
    Symbolic links keep pointing where they do, and the file keeps its mode. Returns the stamp of
    what was written.

    Raises:
        FileRefused: the file exists, is the input or read-only, or was changed by another program.
        OSError: the file cannot be written.
    """
    shown = os.fspath(path)
    if source is not None and same_file(path, source):
        raise FileRefused(f"{shown} is the input; write the result to another file")
    target = Path(os.path.realpath(path))
    exists = os.path.lexists(target)
    # /dev/stdout leads to whatever file the shell has put there, which is not to be replaced.
    special = os.path.abspath(path).startswith(("/dev/", "/proc/"))
    if special or (exists and not target.is_file()):
        raise FileRefused(f"{shown} is not an ordinary file and is not replaced")
    if exists and force and target == _result and _was_read(target):
        raise FileRefused(f"{shown} is an input; write the result to another file")
    if stamp is not None:
        _refuse_changed(shown, target, exists, stamp)
    elif exists and not force:
        raise FileRefused(f"{shown} exists already; --force replaces it")
    if exists and not os.access(target, os.W_OK):
        raise FileRefused(f"{shown} is read-only and is not replaced")
    content = text.encode("utf-8")
    try:
        _replace(target, content, exists)
    except OSError as problem:
        # The name of the temporary file means nothing to whoever reads the message.
        raise OSError(problem.errno, problem.strerror, shown) from problem
    return stamp_of(content)


def _refuse_changed(shown: str, target: Path, exists: bool, stamp: Stamp) -> None:
    if not exists:
        raise FileRefused(f"{shown} was removed by another program since it was read")
    if read_file(target)[1] != stamp:
        raise FileRefused(f"{shown} was changed by another program since it was read")


def _replace(target: Path, content: bytes, exists: bool) -> None:
    """Put CONTENT where TARGET is, through a temporary file beside it."""
    import tempfile  # what only reads files starts faster without it

    handle, name = tempfile.mkstemp(
        prefix=f".{target.name[:80]}.", suffix=".tmp", dir=target.parent
    )
    with _removed_on_failure(name):
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(name, _mode(target, exists))
        os.replace(name, target)
    _sync_directory(target.parent)


def _mode(target: Path, exists: bool) -> int:
    """Return the mode bits that the file has, or that a new file gets here."""
    if exists:
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


@contextlib.contextmanager
def _removed_on_failure(name: str) -> Iterator[None]:
    try:
        yield
    except BaseException:
        # Also when the process is interrupted or asked to end: nothing may stay behind.
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _sync_directory(directory: Path) -> None:
    """Make the new name last over a power cut, where the system lets a directory be synced."""
    with contextlib.suppress(OSError):
        handle = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
