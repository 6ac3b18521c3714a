"""The release script says no where change log, version and tag disagree."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / ".ci" / "release"
LOG = "# Changes\n\n## Unreleased\n\n## 0.2.0 (2026-11-30)\n\n### Features\n\n- More.\n"

pytestmark = pytest.mark.skipif(not SCRIPT.exists(), reason="an installed copy has no .ci")


def git(folder: Path, *words: str) -> None:
    me = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *me, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def checkout(tmp_path: Path) -> Callable[..., Path]:
    def make(version: str = "0.2.0", log: str = LOG) -> Path:
        (tmp_path / "sniffcli").mkdir()
        (tmp_path / "sniffcli" / "__init__.py").write_text(
            f'"""S."""\n\n__version__ = "{version}"\n'
        )
        (tmp_path / "CHANGELOG.md").write_text(log)
        git(tmp_path, "init", "--quiet")
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "--quiet", "--message", "One")
        return tmp_path

    return make


def release(folder: Path, *words: str) -> tuple[int, str]:
    me = {f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER")
          for what in ("NAME", "EMAIL")}  # fmt: skip
    done = subprocess.run(
        [sys.executable, SCRIPT, *words],
        cwd=folder,
        env={**os.environ, **me},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_where_all_agree_it_is_tagged(checkout):
    folder = checkout()
    assert release(folder, "0.2.0") == (0, "0.2.0 may be released\n")
    assert release(folder, "0.2.0", "--tag")[0] == 0
    tags = subprocess.run(["git", "tag"], cwd=folder, capture_output=True, text=True, check=True)
    assert tags.stdout == "v0.2.0\n"
    # The tag is on this commit, so asking again is no contradiction.
    assert release(folder, "0.2.0")[0] == 0


@pytest.mark.parametrize(
    ("version", "log", "said"),
    [
        ("0.1.0", LOG, "sniffcli/__init__.py has version 0.1.0, not 0.2.0"),
        ("0.2.0", "# Changes\n\n## Unreleased\n", "has no section `## 0.2.0 (YYYY-MM-DD)`"),
        ("0.2.0", LOG.replace(" (2026-11-30)", ""), "does not date 0.2.0"),
        ("0.2.0", LOG.replace("- More.\n", ""), "says nothing about 0.2.0"),
        ("0.2.0", LOG.replace("d\n\n## 0", "d\n\n- Left.\n\n## 0"), "entries under Unreleased"),
    ],
)
def test_what_disagrees_is_named(checkout, version, log, said):
    status, text = release(checkout(version, log), "0.2.0", "--tag")
    assert status == 1
    assert said in text


def test_a_tree_with_changes_is_not_released(checkout):
    folder = checkout()
    (folder / "CHANGELOG.md").write_text(LOG + "- And.\n")
    status, text = release(folder, "0.2.0")
    assert status == 1
    assert "not committed" in text


def test_a_tag_elsewhere_or_later_stands_in_the_way(checkout):
    folder = checkout()
    git(folder, "tag", "v0.2.0")
    git(folder, "tag", "v0.10.0")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", "Two")
    status, text = release(folder, "0.2.0")
    assert status == 1
    assert "the tag v0.2.0 is on another commit" in text
    assert "does not come after 0.10.0" in text


@pytest.mark.parametrize("words", [[], ["0.2.0", "0.3.0"], ["0.2.0", "--push"]])
def test_usage(checkout, words):
    assert release(checkout(), *words)[0] == 2


def test_what_is_no_version(checkout):
    assert "three numbers" in release(checkout(), "v0.2")[1]
