"""Grading: what a play loses against the best choice, from what its seat could know.

The same advice as a hint gives (`engine.advice`), on more worlds; every choice is tried on the same
ones, and the play that was made is never dropped. A loss whose 95 % interval includes zero gets no
grade (tutor.md, section 4.1). Picking the best and measuring the loss on the same worlds overstates
losses a little (0.04 points at 1,000 worlds, tutor.md, M8), so the loss with the best picked on one
half of the worlds and measured on the other is given beside it.

Where the round ends the match in most of the worlds, margin misleads: there choices are measured by
the chance to win the match. Losses are given in points all the same, by what a point is worth at an
even score.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from sniffcli.engine.advice import SEED, Advice, Option, advise
from sniffcli.engine.equity import Equity, equity_for
from sniffcli.engine.stats import Difference, held_out_loss, is_established, paired
from sniffcli.engine.worlds import ContradictionError
from sniffcli.game.view import View
from sniffcli.tutor.calibration import calibration_of
from sniffcli.tutor.reasons import contrast
from sniffcli.tutor.review import Choice, Grade, Status, Valued, Verdict

#: Worlds per decision, and how often choices far behind are looked for and given up.
WORLDS = 2000
LOOKS = 4

#: From which share of worlds in which the round ends the match on the match decides.
DECISIVE = 0.5

#: Where no choice changes the chance to win by more than this the match is decided already.
LEAST_CHANCE = 0.005

#: A sure win of the match, a probable one, and a change of that chance worth a remark.
SURE, PROBABLE, NOTICEABLE = 0.95, 0.5, 0.1

#: What differs by less is equal.
TINY = 1e-9


class WorldGrader:
    """Grades decisions on worlds that agree with the record; equal questions get equal answers."""

    def __init__(
        self,
        worlds: int = WORLDS,
        seed: int = SEED,
        language: str = "en",
    ) -> None:
        self.worlds = worlds
        self.seed = seed
        self.language = language

    def grade(self, view: View, choices: tuple[Choice, ...], played: int) -> Verdict:
        """Judge choice number PLAYED of at least two, from what the seat could know."""
        action = choices[played].action
        equity = equity_for(view.setup)
        try:
            advice = advise(view, self.worlds, self.seed, (action,), equity=equity, looks=LOOKS)
        except ContradictionError as problem:
            return Verdict("not_established", note=f"no deal explains the record: {problem}")
        option = next((one for one in advice.options if one.action == action), None)
        if option is None:
            return Verdict("not_established", note=f"{choices[played].text} cannot be valued")
        return verdict_of(advice, option, equity, self.language)


def verdict_of(
    advice: Advice, played: Option, equity: Equity | None, language: str = "en"
) -> Verdict:
    """Return the verdict on one choice of an advice."""
    rate = _decided(advice, played, equity)
    ordered = list(advice.options)
    if rate is not None:
        ordered.sort(key=lambda one: -(one.win or 0.0))
    best = ordered[0]
    loss = _loss(advice, best, played, rate)
    sure = loss.mean > TINY
    if advice.method == "sampled":
        sure = sure and is_established(loss, len(ordered))
    found = contrast(
        advice,
        best,
        ordered[1] if played is best else played,
        language,
        established=None if played is best else sure,
    )
    status: Status = "exact" if advice.method == "exact" else "graded"
    grade: Grade | None = "equal"
    if played is not best and sure:
        grade = calibration_of(advice.view.setup).grade(loss.mean)
    elif played is not best and advice.method == "sampled":
        status, grade = "not_established", None
    return Verdict(
        status=status,
        value=played.value,
        best=best.play,
        best_value=best.value,
        loss=loss.mean,
        loss_se=loss.error if advice.method == "sampled" else None,
        win_loss=_less(best.win, played.win),
        grade=grade,
        reasons=found.texts,
        rest=found.rest,
        method=advice.method,
        worlds=advice.worlds,
        driver="margin" if rate is None else "match",
        held_out=_held_out(advice, ordered, played, rate),
        win=played.win,
        best_win=best.win,
        against=found.other if played is best else found.better,
        parts=found.parts._asdict(),
        parts_se=found.errors._asdict(),
        tags=_tags(best, played) if sure else (),
        facts=found.facts,
        options=_valued(advice, ordered, rate),
    )


def _valued(advice: Advice, ordered: Sequence[Option], rate: float | None) -> tuple[Valued, ...]:
    """Return all choices with their losses, best first.

    A choice that was given up on the way is placed by what it lost to the best on the worlds that
    both were tried on.
    """
    best = ordered[0]
    found = []
    for one in ordered:
        value = one.value
        if one.worlds < best.worlds:
            value = best.value - paired(best.margins, one.margins).mean
        loss = _loss(advice, best, one, rate)
        found.append(Valued(one.play, one.points, value, loss.mean, loss.error, one.win))
    return tuple(sorted(found, key=lambda one: one.loss))


def _less(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


def _loss(advice: Advice, best: Option, one: Option, rate: float | None) -> Difference:
    """Return a loss in points; RATE is what a point is worth where the match decides."""
    if one is best:
        return Difference(0.0, 0.0, one.worlds)
    if advice.method != "sampled":
        gap = best.value - one.value if rate is None else (_less(best.win, one.win) or 0.0) / rate
        return Difference(gap, 0.0, advice.worlds)
    if rate is None:
        return paired(best.margins, one.margins)
    loss = paired(best.wins, one.wins)
    return Difference(loss.mean / rate, loss.error / rate, loss.worlds)


def _held_out(
    advice: Advice, ordered: Sequence[Option], played: Option, rate: float | None
) -> float | None:
    """Return the loss in points, the best picked on other worlds than it is measured on."""
    if advice.method != "sampled":
        return None
    # Choices given up on the way are not the best, and were not tried on all the worlds.
    full = [one for one in ordered if one.worlds >= played.worlds]
    values = [one.margins if rate is None else one.wins for one in full]
    return held_out_loss(values, full.index(played)).mean / (rate or 1.0)


def _decided(advice: Advice, played: Option, equity: Equity | None) -> float | None:
    """Return what a point is worth in match chance where the round decides the match, else None."""
    wins = played.wins
    if equity is None or not wins.count:
        return None
    chances = [one.win or 0.0 for one in advice.options]
    if max(chances) - min(chances) < LEAST_CHANCE:
        return None
    ended = (wins.data.count(0) + wins.data.count(wins.unit)) / wins.count
    return point_worth(equity) if ended >= DECISIVE else None


@lru_cache(maxsize=16)
def point_worth(equity: Equity) -> float:
    """Return the chance to win the match that one point is worth at an even score."""
    sides = equity.setup.side_count
    step = max(1, equity.target // 10)
    ahead = equity.win((step, *(0,) * (sides - 1)), 0)
    return max((ahead - 1 / sides) / step, 1e-6)


def _tags(best: Option, played: Option) -> tuple[str, ...]:
    """Return the remarks beside the grade that the chance to win the match gives."""
    lost = _less(best.win, played.win)
    if lost is None or lost < NOTICEABLE or best.win is None or played.win is None:
        return ()
    if best.win >= SURE > played.win:
        return ("missed_win",)
    return ("gave_away",) if best.win >= PROBABLE > played.win else ()
