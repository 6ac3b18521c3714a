"""Hints in steps, reasons, and the gate before a costly play."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from ui.tables import FIVES, rules_of, session_of, sniff_text

from sniffcli.engine.advice import Advice, Option
from sniffcli.engine.trials import Parts
from sniffcli.game.actions import Play
from sniffcli.game.state import Setup
from sniffcli.game.view import view_of
from sniffcli.show.style import Look
from sniffcli.tiles import parse_tile
from sniffcli.ui.advising import advice_for, table, theme
from sniffcli.ui.gate import least_loss
from sniffcli.ui.keeper import Keeper
from sniffcli.ui.session import Options, Session
from sniffcli.ui.store import GameFile, Sitting

TILE = re.compile(r"\d-\d")


def choosing(**options: object) -> Session:
    """Ann may lay 6-4, 6-3 or 6-1 on 6-2."""
    session = session_of(FIVES, options=Options(worlds=60, **options))  # type: ignore[arg-type]
    for line in ("5-5", "5-2", "6-2"):
        assert session.execute(line).ok
    return session


def advised(session: Session) -> Advice:
    advice = advice_for(session, session.state, session.state.turn)
    assert not isinstance(advice, str), advice
    return advice


def test_hints_come_in_steps() -> None:
    session = choosing()
    first, second, third, fourth = (session.execute("hint").text for _ in range(4))
    best = advised(session).best
    assert not TILE.search(first)
    assert TILE.findall(second) == [str(best.action.tile)]  # type: ignore[union-attr]
    rows = third.split("\n")
    assert len(rows) == 1 + 3 + 1
    assert rows[1].startswith(best.play)
    assert "together" in fourth


def option(play: str, points: int, loss: float, parts: tuple[float, ...], sure: bool) -> Option:
    return Option(
        action=Play(seat=0, tile=parse_tile(play)),
        play=play,
        sum=None,
        points=points,
        value=10 - loss,
        parts=Parts(*parts),
        loss=loss,
        loss_se=1.0 if loss else 0.0,
        established=sure,
        win=None,
        worlds=400,
    )


def advice_of(*options: Option) -> Advice:
    view = view_of(choosing().state, 0)
    return Advice(view, None, "sampled", options, 400, None, {}, 1, "greedy")


def test_a_nudge_says_no_more_than_the_worlds_have_shown() -> None:
    best = option("6-3", 0, 0.0, (0, 0, 0, 9, 0), True)
    scores = option("6-4", 5, 1.0, (5, 0, 0, 0, 0), False)
    watch = "The highest score is not the best play here: watch what it leaves."
    assert theme(advice_of(best, replace(scores, established=True))) == watch
    assert theme(advice_of(best, scores)) == (
        "A play scores, but another may be worth as much: watch what it leaves."
    )
    alike = option("6-1", 0, 0.1, (0, 9, 0, 0, 0), False)
    worse = option("6-4", 0, 9.0, (0, 0, 9, 0, 0), True)
    assert theme(advice_of(best, alike)) == "No choice is clearly better than another here."
    assert theme(advice_of(best, alike, worse)).startswith("Think of the rest of the round")


def test_the_error_beside_a_loss_is_the_interval_by_which_it_is_judged() -> None:
    best = option("6-3", 0, 0.0, (0, 0, 0, 0, 0), True)
    rows = table(advice_of(best, option("6-4", 0, 1.5, (0, 0, 0, 0, 0), False)), Look())
    assert rows[2].endswith("1.5 ±2.1  (too close to tell)")


def test_the_parts_that_are_shown_add_up() -> None:
    session = choosing()
    for _ in range(4):
        text = session.execute("hint").text
    rows = [line.split() for line in text.split("\n") if re.match(r"[a-z ]+ [+-]\d", line)]
    gaps = [float(row[-1]) for row in rows]
    # Each number is rounded to a tenth of a point.
    assert sum(gaps[:-1]) == pytest.approx(gaps[-1], abs=0.3)


def test_a_hinted_decision_is_noted_in_the_file_and_stays_noted(tmp_path: Path) -> None:
    session = choosing()
    path = tmp_path / "game.yaml"
    keeper = Keeper(session, Sitting("all-fives", notes="In the garden."), GameFile(path))
    assert "Hints" not in path.read_text()
    session.execute("hint")
    session.execute("6-1")
    assert "notes: In the garden. Hints were asked before 1.4." in path.read_text()
    again = choosing()
    kept = Keeper(
        again, Sitting("all-fives", notes="In the garden. Hints were asked before 1.4."), None
    )
    assert again.hinted == {(1, 4)}
    assert kept.sitting.notes == keeper.sitting.notes == "In the garden."


def test_a_forced_play_needs_no_hint() -> None:
    session = session_of(FIVES, options=Options(worlds=60))
    session.execute("5-5")
    assert session.execute("hint").text == "there is only one thing to do: 5-2 on 5-5"
    assert not session.hinted


def test_why_explains_the_last_play() -> None:
    session = choosing()
    session.execute("6-1")
    text = session.execute("Ann: why").text
    assert "6-1 on 6-2" in text
    assert "margin" in text
    # Looking back is no hint.
    assert not session.hinted


def test_nobody_is_advised_with_tiles_he_cannot_see() -> None:
    """Case C65: other hidden tiles, the same advice."""
    one = choosing()
    swapped = FIVES.replace("0-0, 5-0, 3-1]", "1-0, 5-0, 3-1]").replace("4-4, 1-0", "4-4, 0-0")
    assert swapped != FIVES
    other = session_of(swapped, options=Options(worlds=60))
    for line in ("5-5", "5-2", "6-2"):
        assert other.execute(line).ok
    for verb in ("hint", "hint", "hint", "hint", "unseen"):
        assert one.execute(verb).text == other.execute(verb).text


def test_a_costly_play_is_questioned_without_naming_a_better_one() -> None:
    session = session_of(sniff_text(), options=Options(worlds=100, tutor="inaccuracy"))
    before = session.state
    worst = advised(session).options[-1]
    assert worst.established
    reply = session.execute(worst.play)
    # By what it surely loses, whatever grade questions begin with.
    sure = worst.loss - 2 * worst.loss_se
    assert least_loss("mistake", session.setup) <= sure < least_loss("blunder", session.setup)
    assert reply.text == "That may be a mistake. keep, rethink or hint?"
    assert session.state is before
    assert session.execute("rethink").text == "Not played. Choose again."
    assert "nothing is questioned" in session.execute("keep").error
    session.execute(worst.play)
    assert session.execute("n").text == "Not played. Choose again."
    session.execute(worst.play)
    assert session.execute("y").ok
    assert session.state.events[-1].text == worst.play


def test_the_best_play_is_never_questioned() -> None:
    session = session_of(sniff_text(), options=Options(worlds=100, tutor="inaccuracy"))
    best = advised(session).best
    session.execute(best.play)
    assert session.state.events[-1].text == best.play


def test_the_bars_follow_the_unit_of_the_game() -> None:
    """A quotient of fives is a fifth of the points, so the bar is much lower there."""
    fives, fifths = (
        Setup(rules_of(name), ("Ann", "Bob"), (0, 1)) for name in ("all-fives", "five-up")
    )
    assert least_loss("blunder", fives) == pytest.approx(2 * least_loss("mistake", fives))
    assert least_loss("mistake", fives) > 2
    assert least_loss("blunder", fifths) < least_loss("blunder", fives) / 3
