"""Whatever is written in a script gives an answer or a failure with its line, never a traceback."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from ui.tables import FIVES, session_of, sniff_text

from sniffcli.files.scripts import FORMS
from sniffcli.ui.clock import ScriptClock
from sniffcli.ui.script import ScriptRunner
from sniffcli.ui.session import Options, Session
from sniffcli.ui.verbs import VERBS

#: `save` would write files, `new` and the engine's verbs are slow; both have tests of their own.
QUIET = ("save", "new", "hint", "why", "unseen", "tutor")
WORDS = [
    verb.name
    for verb in VERBS
    if verb.name not in ("save", "new", "hint", "why", "unseen", "tutor")
]
TILES = [f"{a}-{b}" for a in range(8) for b in range(a + 1)]
PIECES = [
    *WORDS, *TILES, *FORMS, "Ann", "Bob", "Ann:", "Bob:", "on", "at", "out", "side", "tip", "after",
    "s", "3 s", "7.5", "99999", "-1", "expect", "wait", "bots", "off", "deal", "#", "5", "6:3", ":",
    "\x00", "é", "–",
]  # fmt: skip

lines = st.one_of(
    st.sampled_from(TILES),
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=5).map(" ".join),
    st.text(max_size=30),
)


@given(st.lists(lines, max_size=25), st.booleans())
@settings(max_examples=60, deadline=None)
def test_any_script_ends_in_an_orderly_way(written: list[str], sea: bool) -> None:
    clock = ScriptClock()

    def begin() -> Session:
        text = sniff_text(bot=True, ann=60) if sea else FIVES
        return session_of(text, clock=clock, options=Options(worlds=5), bots=True)

    def deal(name: str) -> Session:
        raise ValueError(f"no file is called {name}")

    said: list[str] = []
    for line in written:
        # One line at a time, so that a refused one does not hide what follows.
        runner = ScriptRunner(clock, begin, deal, said.append)
        failure = runner.run(line)
        assert failure is None or failure.message
    runner = ScriptRunner(clock, begin, deal, said.append)
    failure = runner.run("\n".join(written))
    assert failure is None or failure.number >= 1
