"""Atomic writing: cases C80 (interrupted), C81 (two sessions) and C85 (over an existing file)."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from sniffcli.files import writing
from sniffcli.files.writing import FileRefused, read_file, write_atomic
from sniffcli.yamlio import MAX_BYTES


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def test_a_new_file_is_utf8_with_line_feeds_and_the_usual_mode(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    mask = os.umask(0o027)
    try:
        stamp = write_atomic(path, "notes: Ærø\n")
    finally:
        os.umask(mask)

    assert path.read_bytes() == "notes: Ærø\n".encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert read_file(path) == ("notes: Ærø\n".encode(), stamp)
    assert names(tmp_path) == ["game.yaml"]


def test_an_existing_file_is_replaced_only_with_force(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text("old")
    path.chmod(0o604)

    with pytest.raises(FileRefused, match="exists already; --force replaces it"):
        write_atomic(path, "new")
    assert path.read_text() == "old"

    write_atomic(path, "new", force=True)
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o604
    assert names(tmp_path) == ["game.yaml"]


def test_a_link_keeps_pointing_where_it_does(tmp_path: Path) -> None:
    target, link = tmp_path / "real.yaml", tmp_path / "link.yaml"
    target.write_text("old")
    link.symlink_to("real.yaml")

    write_atomic(link, "new", force=True)

    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_link_to_nothing_is_followed_too(tmp_path: Path) -> None:
    link = tmp_path / "link.yaml"
    link.symlink_to("real.yaml")

    write_atomic(link, "new")

    assert (tmp_path / "real.yaml").read_text() == "new"


def test_input_and_output_may_not_be_the_same(tmp_path: Path) -> None:
    path, link = tmp_path / "game.yaml", tmp_path / "link.yaml"
    path.write_text("old")
    link.symlink_to("game.yaml")

    for output in (path, link, tmp_path / "." / "game.yaml"):
        with pytest.raises(FileRefused, match="is the input"):
            write_atomic(output, "new", force=True, source=path)
    assert path.read_text() == "old"


def test_changes_of_another_program_are_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text("common")
    _, mine = read_file(path)
    _, theirs = read_file(path)

    newer = write_atomic(path, "theirs", stamp=theirs)
    with pytest.raises(FileRefused, match="changed by another program since it was read"):
        write_atomic(path, "mine", stamp=mine)
    assert path.read_text() == "theirs"

    write_atomic(path, "theirs, later", stamp=newer)
    assert path.read_text() == "theirs, later"
    path.unlink()
    with pytest.raises(FileRefused, match="removed by another program"):
        write_atomic(path, "mine", stamp=newer)


def test_the_same_contents_written_by_others_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text("common")
    _, mine = read_file(path)
    path.unlink()
    path.write_text("common")

    write_atomic(path, "mine", stamp=mine)

    assert path.read_text() == "mine"


def test_what_is_no_file_is_not_replaced(tmp_path: Path) -> None:
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)

    for path in (fifo, tmp_path):
        with pytest.raises(FileRefused, match="not an ordinary file"):
            write_atomic(path, "new", force=True)


@pytest.mark.parametrize("step", ["fsync", "chmod", "replace"])
def test_a_failure_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    path = tmp_path / "game.yaml"
    path.write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writing.os, step, full)
    with pytest.raises(OSError, match="No space left"):
        write_atomic(path, "new", force=True)

    assert path.read_text() == "old"
    assert names(tmp_path) == ["game.yaml"]


def test_a_read_only_file_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.yaml"
    path.write_text("old")
    # Also for a superuser, whom the mode bits of a test would not stop.
    monkeypatch.setattr(writing.os, "access", lambda *_: False)

    with pytest.raises(FileRefused, match="read-only"):
        write_atomic(path, "new", force=True)

    assert path.read_text() == "old"


def test_a_missing_directory_is_an_error_of_the_system(tmp_path: Path) -> None:
    path = tmp_path / "none" / "game.yaml"

    with pytest.raises(FileNotFoundError) as caught:
        write_atomic(path, "new")

    assert caught.value.filename == str(path)


def test_a_process_killed_in_the_act_leaves_an_old_or_a_new_file_whole(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    old, new = "old\n" * 50_000, "new\n" * 50_000
    path.write_text(old)
    program = (
        "import sys\n"
        "from sniffcli.files.writing import write_atomic\n"
        "print('ready', flush=True)\n"
        "while True:\n"
        "    for word in ('new', 'old'):\n"
        "        write_atomic(sys.argv[1], (word + chr(10)) * 50_000, force=True)\n"
    )
    for _ in range(5):
        process = subprocess.Popen(
            [sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, text=True
        )
        with process:
            assert process.stdout is not None
            process.stdout.readline()
            process.send_signal(signal.SIGKILL)
        assert path.read_text() in (old, new)


def test_a_process_that_is_interrupted_cleans_up(tmp_path: Path) -> None:
    program = (
        "import os, sys\n"
        "from sniffcli.files import writing\n"
        "def interrupted(*_):\n"
        "    raise KeyboardInterrupt\n"
        "writing.os.replace = interrupted\n"
        "writing.write_atomic(sys.argv[1], 'new')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "game.yaml")],
        capture_output=True,
        check=False,
    )

    assert done.returncode != 0
    assert names(tmp_path) == []


def test_of_a_huge_file_only_the_beginning_is_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.yaml"
    with path.open("wb") as stream:
        stream.truncate(50 * MAX_BYTES)

    assert len(read_file(path)[0]) == MAX_BYTES + 1
