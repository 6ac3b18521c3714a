"""Reasons: where the difference between two choices comes from, in words with checked numbers.

The difference of two margins falls into five parts that add up exactly. A part becomes a reason if
it is at least a point and at least two of its standard errors; at most three are given, the largest
first, and none where it is not established that the choices differ (tutor.md, section 4.4). What
is left then is told as a sum, so that the numbers add up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sniffcli.engine.advice import Advice, Option
from sniffcli.engine.stats import is_established, paired
from sniffcli.engine.trials import Parts
from sniffcli.show.numbers import signed
from sniffcli.tutor.facts import Chances, facts_of
from sniffcli.tutor.rulebook.words import Words

#: The least that a part must be to be named: points, and standard errors of the part.
LEAST_POINTS = 1.0
LEAST_ERRORS = 2.0
MOST_REASONS = 3

#: Changes of a chance that are worth a word, in percent.
NOTABLE = 5


@dataclass(frozen=True, slots=True)
class Contrast:
    """The better of two choices less the other: parts, their errors, and the facts behind them."""

    better: str
    other: str
    parts: Parts
    errors: Parts
    established: bool
    facts: Mapping[str, Any]
    #: The reasons, the largest first.
    texts: tuple[str, ...]
    #: What the parts come to that were not named; empty where nothing is left.
    rest: str = ""

    @property
    def told(self) -> tuple[str, ...]:
        """The reasons and what is left, which add up to the whole difference."""
        return (*self.texts, self.rest) if self.rest else self.texts


def reasons_for(
    advice: Advice, option: Option, language: str = "en", chances: Chances | None = None
) -> Contrast | None:
    """Contrast a choice with the best; the best itself with the next best.

    None for a lone choice, whose reason is that there is no other.
    """
    if len(advice.options) < 2:
        return None
    better = advice.best
    return contrast(
        advice,
        better,
        advice.options[1] if option is better else option,
        language,
        chances=chances,
    )


def contrast(
    advice: Advice,
    better: Option,
    other: Option,
    language: str = "en",
    *,
    established: bool | None = None,
    chances: Chances | None = None,
) -> Contrast:
    """Contrast two choices of an advice; CHANCES of the same view are counted only once."""
    parts, errors = differences(advice, better, other)
    if established is None:
        established = other.established if better is advice.best else _differ(advice, better, other)
    facts: dict[str, Any] = {
        "player": advice.view.setup.names[advice.view.seat],
        "difference": {name: round(part, 1) for name, part in parts._asdict().items()},
    }
    texts: tuple[str, ...] = ()
    rest = ""
    if established:
        chances = chances or Chances(advice.view)
        facts["better"] = facts_of(advice.view, advice, better, chances)
        facts["other"] = facts_of(advice.view, advice, other, chances)
        teller, named = _Teller(Words(language), facts), _named(parts, errors)
        texts = tuple(teller.told(name) for _, name in named)
        rest = teller.left([part for part, _ in named], sum(parts)) if named else ""
    return Contrast(better.play, other.play, parts, errors, established, facts, texts, rest)


def differences(advice: Advice, better: Option, other: Option) -> tuple[Parts, Parts]:
    """Return the parts of the difference of two choices, and their paired standard errors.

    The parts add up to the difference of the margins on the worlds on which both were tried.
    """
    if advice.method != "sampled":
        return Parts(*(a - b for a, b in zip(better.parts, other.parts, strict=True))), Parts()
    found = [paired(one, two) for one, two in zip(better.columns, other.columns, strict=True)]
    return Parts(*(one.mean for one in found)), Parts(*(one.error for one in found))


def _differ(advice: Advice, better: Option, other: Option) -> bool:
    if advice.method != "sampled":
        return abs(better.value - other.value) > 1e-9
    return is_established(paired(better.margins, other.margins), len(advice.options))


def _named(parts: Parts, errors: Parts) -> list[tuple[float, str]]:
    """Return the parts that become reasons, with their names, the largest first."""
    named = [
        (part, name)
        for part, error, name in zip(parts, errors, Parts._fields, strict=True)
        if abs(part) >= LEAST_POINTS and abs(part) >= LEAST_ERRORS * error
    ]
    named.sort(key=lambda one: -abs(one[0]))
    return named[:MOST_REASONS]


class _Teller:
    """Says where one part of a difference comes from; every number is one of the facts."""

    def __init__(self, words: Words, facts: Mapping[str, Any]) -> None:
        self.words = words
        self.facts = facts
        self.one, self.two = facts["better"], facts["other"]
        self.names = {"better": self.one["play"], "other": self.two["play"]}
        self.me = facts["player"]

    def _number(self, value: float) -> str:
        """Return a number of points with its sign, as the language writes it."""
        text = signed(value)
        return text.replace(".", ",") if self.words.language == "fr" else text

    def told(self, name: str) -> str:
        """Return the sentence about one part."""
        say = self.words.say
        points = self._number(self.facts["difference"][name])
        head = {
            "now": say("{points} now", points=points),
            "reply": say("{points} in the reply", points=points),
            "next": say("{points} on the next turn", points=points),
            "rest": say("{points} in the rest of the round", points=points),
            "end": say("{points} at the end", points=points),
        }[name]
        found = getattr(self, f"_{name}")(self.facts["difference"][name])
        return say("{head}: {facts}.", head=head, facts=say("; ").join(found))

    def left(self, told: Sequence[float], total: float) -> str:
        """Return what the parts that were not named come to, so that the numbers shown add up."""
        rest = round(round(total, 1) - sum(round(part, 1) for part in told), 1)
        if not rest:
            return ""
        return self.words.say(
            "{points} in smaller or less certain parts, {total} in all.",
            points=self._number(rest),
            total=self._number(total),
        )

    def _now(self, gain: float) -> list[str]:
        return [self._scored(self.one), self._scored(self.two)]

    def _scored(self, facts: Mapping[str, Any]) -> str:
        say, play, total = self.words.say, facts["play"], facts.get("sum", "")
        if facts["points"] and total:
            return say("{play} makes {n} ({sum})", play=play, n=facts["points"], sum=total)
        if facts["points"]:
            return say("{play} makes {n}", play=play, n=facts["points"])
        return say("{play} makes nothing", play=play)

    def _reply(self, gain: float) -> list[str]:
        found = [self._answers(facts) for facts in (self.one, self.two) if "next" in facts]
        if self._rises("stuck", gain):
            found.append(
                self.words.say(
                    "{name} cannot play in {a} % of the deals after {better}, in {b} % after "
                    "{other}",
                    name=self.one["next"],
                    a=self.one["stuck"],
                    b=self.two["stuck"],
                    **self.names,
                )
            )
        return found or self._means("reply")

    def _answers(self, facts: Mapping[str, Any]) -> str:
        say, name, play = self.words.say, facts["next"], facts["play"]
        if not facts["scoring"]:
            return say("after {play} {name} cannot score", play=play, name=name)
        tiles = self.words.either(facts["scoring"])
        return say(
            "after {play} {name} can score with {tiles} (held in {n} % of the deals), up to "
            "{most} points",
            play=play,
            name=name,
            tiles=tiles,
            n=facts["scores"],
            most=facts["most"],
        )

    def _next(self, gain: float) -> list[str]:
        found = self._means("next")
        if self._rises("fit", gain, 1):
            found.append(
                self.words.count(
                    "{n} tile of {me} fits after {better}, {b} after {other}",
                    "{n} tiles of {me} fit after {better}, {b} after {other}",
                    self.one["fit"],
                    me=self.me,
                    b=self.two["fit"],
                    **self.names,
                )
            )
        return found

    def _rest(self, gain: float) -> list[str]:
        return [*self._means("rest"), *self._control(gain), *self._stranded(gain)]

    def _control(self, gain: float) -> list[str]:
        """Name a number that the choice gaining here leaves open and of which the seat has most."""
        facts, other = (self.one, self.two) if gain > 0 else (self.two, self.one)
        found = []
        for pip, suit in facts.get("suits", {}).items():
            if pip in other.get("suits", {}):
                continue
            left = suit["mine"] + suit["hidden"]
            if suit["mine"] >= 2 and suit["mine"] > suit["hidden"]:
                found.append(
                    self.words.say(
                        "{play} leaves a {pip} open, and {me} holds {n} of the {left} tiles left "
                        "with it",
                        me=self.me,
                        play=facts["play"],
                        pip=pip,
                        n=suit["mine"],
                        left=left,
                    )
                )
        return found[:1]

    def _stranded(self, gain: float) -> list[str]:
        """Name a double that the choice losing here leaves in the hand."""
        facts, other = (self.two, self.one) if gain > 0 else (self.one, self.two)
        return [
            self.words.say(
                "after {play} the {tile} is hard to get rid of", play=facts["play"], tile=tile
            )
            for tile in facts.get("stranded", ())
            if tile not in other.get("stranded", ()) and tile != other["play"].split()[0]
        ][:1]

    def _end(self, gain: float) -> list[str]:
        say = self.words.say
        found = []
        if self._rises("out", gain):
            found.append(
                say(
                    "{me} goes out first in {a} % of the deals after {better}, in {b} % after "
                    "{other}",
                    me=self.me,
                    a=self.one["out"],
                    b=self.two["out"],
                    **self.names,
                )
            )
        if abs(self.one["blocked"] - self.two["blocked"]) >= NOTABLE:
            found.append(
                say(
                    "the round is blocked in {a} % after {better}, in {b} % after {other}",
                    a=self.one["blocked"],
                    b=self.two["blocked"],
                    **self.names,
                )
            )
        if self._rises("pips", -gain, 1):
            found.append(
                say(
                    "{better} keeps {a} pips in the hand, {other} {b}",
                    a=self.one["pips"],
                    b=self.two["pips"],
                    **self.names,
                )
            )
        return [*self._means("end"), *found, *self._stranded(gain)]

    def _rises(self, name: str, gain: float, least: int = NOTABLE) -> bool:
        """Whether a fact differs as a gain would have it, by enough to be named."""
        one, two = self.one.get(name), self.two.get(name)
        if one is None or two is None:
            return False
        return bool((one - two) * (1 if gain > 0 else -1) >= least)

    def _means(self, name: str) -> list[str]:
        return [
            self.words.say(
                "it brings {a} after {better} on average, {b} after {other}",
                a=self._number(self.one["parts"][name]),
                b=self._number(self.two["parts"][name]),
                **self.names,
            )
        ]
