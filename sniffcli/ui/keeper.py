"""The keeper of a session's file: saves after every change, and says so when it cannot."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from sniffcli.files.remarks import read_remarks, with_remarks
from sniffcli.files.writing import FileRefused
from sniffcli.ui.live import LiveGame
from sniffcli.ui.session import Session
from sniffcli.ui.store import GameFile, Sitting, explaining, next_file, save_text
from sniffcli.ui.table_talk import why_not_written


class Keeper:
    """Keeps the file of one session up to date."""

    def __init__(self, session: Session, sitting: Sitting, file: GameFile | None) -> None:
        remarks = read_remarks(sitting.notes)
        session.hinted |= remarks.hinted
        session.undone = session.undone or remarks.undone
        if remarks.counter_hidden and not session.options.counter_chosen:
            session.show_counter(False)
        self.session = session
        self.sitting = replace(sitting, notes=remarks.notes)
        self.file = file
        #: Why the last save failed; empty while all is well.
        self.trouble = ""
        session.save = self.save
        session.explained = explaining(sitting, session.setup.seats)
        self.watch(session.game)

    def watch(self, game: LiveGame) -> None:
        """Save whenever something happens in GAME, beginning now."""
        game.changed = self.changed
        self.changed()

    def begin_again(self, game: LiveGame, sitting: Sitting) -> None:
        """Take up another match in a file of its own; the finished one stays as it is."""
        self.sitting = sitting
        if self.file is not None:
            self.file = next_file(self.file)
        self.session.replace_game(game)
        self.watch(game)

    def changed(self) -> None:
        """Write the game to its file; a failure is kept to be told and tried again."""
        if self.file is None:
            return
        try:
            self.file.write(self._text(self.file.path))
            self.trouble = ""
        except (OSError, ValueError, FileRefused) as problem:
            self.trouble = f"the game is not saved: {why_not_written(problem)}"

    def save(self, name: str | None) -> str:
        """Write the game now, to another file if one is named; return what to say.

        Raises:
            OSError: the file cannot be written.
            FileRefused: it exists already, or was changed by another program.
            ValueError: there is no file to write to.
        """
        if name is None:
            if self.file is None:
                raise ValueError("this game has no file; write save FILE")
            self.file.write(self._text(self.file.path))
            self.trouble = ""
            return f"saved: {self.file.path}"
        other = GameFile(Path(name))
        # Here nobody has an option to give, and a misspelt directory is not to be made.
        if os.path.lexists(other.path):
            raise ValueError(f"{name} exists already; give another name")
        if not other.path.parent.is_dir():
            raise ValueError(f"there is no directory {other.path.parent}")
        other.write(self._text(other.path))
        if self.file is None or self.trouble:
            self.file, self.trouble = other, ""
        return f"saved: {other.path}"

    def _text(self, path: Path) -> str:
        sitting = self.sitting
        if not self.session.recording:
            session = self.session
            notes = with_remarks(
                sitting.notes,
                session.hinted,
                undone=session.undone,
                counter_hidden=not session.options.counter,
            )
            sitting = replace(sitting, notes=notes)
        return save_text(self.session.game, sitting, path)
