"""Reasons: where the difference between two choices comes from, in words with checked numbers.

The difference of two margins falls into five parts that add up exactly. A part becomes a reason if
it is at least a point and at least two of its standard errors; at most three are given, the largest
first, and none where it is not established that the choices differ (tutor.md, section 4.4).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sniffcli.engine.advice import Advice, Option, Parts
from sniffcli.engine.stats import is_established, paired
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
    texts: tuple[str, ...]


def reasons_for(
    advice: Advice, option: Option, language: str = "en", *, established: bool | None = None
) -> Contrast | None:
    """Contrast a choice with the best; the best itself with the next best. None for a lone choice.

    ESTABLISHED says whether the two are known to differ; without it the advice decides.
    """
    if len(advice.options) < 2:
        return None
    better = advice.best
    return contrast(
        advice,
        better,
        advice.options[1] if option is better else option,
        language,
        established=established,
    )


def contrast(
    advice: Advice,
    better: Option,
    other: Option,
    language: str = "en",
    *,
    established: bool | None = None,
) -> Contrast:
    """Contrast two choices of an advice."""
    parts, errors = differences(advice, better, other)
    if established is None:
        established = other.established if better is advice.best else _differ(advice, better, other)
    facts: dict[str, Any] = {
        "player": advice.view.setup.names[advice.view.seat],
        "difference": {name: round(part, 1) for name, part in parts._asdict().items()},
    }
    texts: tuple[str, ...] = ()
    if established:
        chances = Chances(advice.view)
        facts["better"] = facts_of(advice.view, advice, better, chances)
        facts["other"] = facts_of(advice.view, advice, other, chances)
        texts = tuple(_texts(Words(language), parts, errors, facts))
    return Contrast(better.play, other.play, parts, errors, established, facts, texts)


def differences(advice: Advice, better: Option, other: Option) -> tuple[Parts, Parts]:
    """Return the parts of the difference of two choices, and their paired standard errors.

    The parts add up to the difference of the margins on the worlds on which both were tried.
    """
    if advice.method != "sampled":
        return Parts(*(a - b for a, b in zip(better.parts, other.parts, strict=True))), Parts()
    count = min(len(better.rows), len(other.rows))
    found = [
        paired(one, two)
        for one, two in zip(
            zip(*better.rows[:count], strict=True),
            zip(*other.rows[:count], strict=True),
            strict=True,
        )
    ]
    return Parts(*(one.mean for one in found)), Parts(*(one.error for one in found))


def _differ(advice: Advice, better: Option, other: Option) -> bool:
    if advice.method != "sampled":
        return abs(better.value - other.value) > 1e-9
    return is_established(paired(better.margins, other.margins), len(advice.options))


def _texts(words: Words, parts: Parts, errors: Parts, facts: Mapping[str, Any]) -> list[str]:
    named = [
        (part, name)
        for part, error, name in zip(parts, errors, Parts._fields, strict=True)
        if abs(part) >= LEAST_POINTS and abs(part) >= LEAST_ERRORS * error
    ]
    named.sort(key=lambda one: -abs(one[0]))
    teller = _Teller(words, facts)
    return [teller.told(name) for _, name in named[:MOST_REASONS]]


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
        found = getattr(self, f"_{name}")()
        return say("{head}: {facts}.", head=head, facts="; ".join(found))

    def _now(self) -> list[str]:
        return [self._scored(self.one), self._scored(self.two)]

    def _scored(self, facts: Mapping[str, Any]) -> str:
        say, play, total = self.words.say, facts["play"], facts.get("sum", "")
        if facts["points"] and total:
            return say("{play} makes {n} ({sum})", play=play, n=facts["points"], sum=total)
        if facts["points"]:
            return say("{play} makes {n}", play=play, n=facts["points"])
        return say("{play} makes nothing", play=play)

    def _reply(self) -> list[str]:
        found = []
        for facts in (self.one, self.two):
            if "next" in facts:
                found.append(self._answers(facts))
        one, two = self.one.get("stuck"), self.two.get("stuck")
        if one is not None and two is not None and abs(one - two) >= NOTABLE:
            found.append(
                self.words.say(
                    "{name} cannot play in {a} % of the deals after {better}, in {b} % after "
                    "{other}",
                    name=self.one["next"],
                    a=one,
                    b=two,
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

    def _next(self) -> list[str]:
        found = self._means("next")
        one, two = self.one.get("fit"), self.two.get("fit")
        if one is not None and two is not None and one != two:
            found.append(
                self.words.count(
                    "{n} tile of {me} fits after {better}, {b} after {other}",
                    "{n} tiles of {me} fit after {better}, {b} after {other}",
                    one,
                    me=self.me,
                    b=two,
                    **self.names,
                )
            )
        return found

    def _rest(self) -> list[str]:
        return [*self._means("rest"), *self._control(), *self._stranded()]

    def _control(self) -> list[str]:
        """Name numbers that one choice leaves open and of which the seat holds most tiles."""
        mine, theirs = self.one.get("suits", {}), self.two.get("suits", {})
        found = []
        for pip in sorted(set(mine) ^ set(theirs)):
            facts = self.one if pip in mine else self.two
            suit = facts["suits"][pip]
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

    def _stranded(self) -> list[str]:
        found = []
        for facts, other in ((self.one, self.two), (self.two, self.one)):
            for tile in facts.get("stranded", ()):
                if tile not in other.get("stranded", ()) and tile != other["play"].split()[0]:
                    text = self.words.say(
                        "after {play} the {tile} is hard to get rid of",
                        play=facts["play"],
                        tile=tile,
                    )
                    found.append(text)
        return found[:1]

    def _end(self) -> list[str]:
        say = self.words.say
        found = []
        one, two = self.one["out"], self.two["out"]
        if abs(one - two) >= NOTABLE:
            found.append(
                say(
                    "{me} goes out first in {a} % of the deals after {better}, in {b} % after "
                    "{other}",
                    me=self.me,
                    a=one,
                    b=two,
                    **self.names,
                )
            )
        one, two = self.one["blocked"], self.two["blocked"]
        if abs(one - two) >= NOTABLE:
            found.append(
                say(
                    "the round is blocked in {a} % after {better}, in {b} % after {other}",
                    a=one,
                    b=two,
                    **self.names,
                )
            )
        one, two = self.one.get("pips"), self.two.get("pips")
        if one is not None and two is not None and one != two:
            found.append(
                say("{better} keeps {a} pips in the hand, {other} {b}", a=one, b=two, **self.names)
            )
        return found + self._stranded() or self._means("end")

    def _means(self, name: str) -> list[str]:
        return [
            self.words.say(
                "it brings {a} after {better} on average, {b} after {other}",
                a=self._number(self.one["parts"][name]),
                b=self._number(self.two["parts"][name]),
                **self.names,
            )
        ]
