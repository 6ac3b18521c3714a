"""The part of the book about the table: which halves may touch, spinners, what comes first."""

from __future__ import annotations

from collections.abc import Iterator

from sniffcli.tutor.rulebook.examples import opening
from sniffcli.tutor.rulebook.pages import Part, Rules
from sniffcli.tutor.rulebook.scope import Scope


def table(scope: Scope) -> Part:
    """Return the part about laying tiles."""
    say = scope.say
    found = (*_joining(scope), *_wild(scope), *_line(scope), *_spinner(scope), *_fill(scope))
    # Where plays score, the example of the counting shows the table as well.
    drawn = () if scope.scores else opening(scope)
    return Part(say("Laying tiles"), (Rules(found), *drawn))


def _joining(scope: Scope) -> Iterator[str]:
    say, rules = scope.say, scope.rules
    yield say("A turn lays one tile against an open end of the table.")
    if rules.joining.rule == "equal":
        yield say("Halves that touch show the same number.")
    else:
        yield say(
            "Halves that touch add up to {sum}: on a {low} goes a {high}.",
            sum=rules.complement_sum,
            low=max(1, rules.complement_sum - rules.set.max_pip),
            high=rules.complement_sum - max(1, rules.complement_sum - rules.set.max_pip),
        )


def _wild(scope: Scope) -> Iterator[str]:
    say, rules = scope.say, scope.rules
    if rules.joining.wild:
        wild = sorted(rules.wild_tiles(scope.players[-1]), reverse=True)
        yield say(
            "Wild tiles go on any end, either half outward: {tiles}.",
            tiles=scope.listed_tiles(wild),
        )
    if rules.joining.blank == "wild_only":
        yield say("On a blank goes nothing but a wild tile.")


def _line(scope: Scope) -> Iterator[str]:
    say, layout = scope.say, scope.rules.layout
    if layout.open_ends == 1:
        yield say(
            "The table grows at one end only; of a first tile that is no double, the larger half"
            " is the open one."
        )
    elif layout.spinner == "none":
        yield say("The table is one line with two open ends; no double branches.")
    if scope.inline:
        yield say("Doubles lie in line, like any other tile.")
    else:
        yield say("Doubles lie across the line.")


def _spinner(scope: Scope) -> Iterator[str]:
    say, layout = scope.say, scope.rules.layout
    match layout.spinner:
        case "none":
            return
        case "first_double":
            yield say("The first double laid in a round is the spinner: it starts four arms.")
        case "opening_double":
            yield say(
                "A double that is led is the spinner: it starts four arms. Other doubles do not"
                " branch."
            )
        case "first_enclosed_double":
            yield say(
                "The first double that is covered on both faces of its line becomes the spinner:"
                " two more arms may start at its other faces."
            )
        case "all_doubles":
            yield say(
                "Every double is a spinner with four faces: two more arms may branch off besides"
                " the line in which it was laid."
            )
    if layout.spinner in ("first_double", "first_enclosed_double"):
        yield say("There is only one spinner; later doubles do not branch.")
    if layout.spinner == "first_enclosed_double":
        return
    if layout.ends_open == "at_once":
        yield say("All four faces of a spinner are open at once.")
    elif scope.inline:
        yield say(
            "The two short ends of a spinner are open first; its two long sides open when both"
            " ends are covered."
        )
    else:
        yield say(
            "The two long sides of a spinner are open first; its two short ends open when both"
            " sides are covered."
        )


def _fill(scope: Scope) -> Iterator[str]:
    say, count, layout = scope.say, scope.count, scope.rules.layout
    if layout.fill_first == "none":
        return
    if layout.fill_first == "every_double":
        yield say("As soon as a double is laid it must be filled before anything else is played.")
        full = layout.fill_count
        yield count(
            "It is filled when one of its faces is covered, the one by which it was joined"
            " included.",
            "It is filled when {n} of its faces are covered, the one by which it was joined"
            " included.",
            full,
        )
    elif layout.fill_count == 4:
        yield say(
            "After a double was led, the next four tiles must go on its four faces, one on each,"
            " before anything else is played."
        )
    else:
        yield count(
            "After a double was led, the next tile must go on one of its faces.",
            "After a double was led, the next {n} tiles must go on {n} of its faces before"
            " anything else is played.",
            layout.fill_count,
        )
    if layout.second_ring == "all_arms":
        yield say(
            "Then comes a second ring: the first tile of each arm must be followed by the double of"
            " its outer number, and nothing else may be played while an arm waits for its double."
        )
    elif layout.second_ring == "per_arm":
        yield say(
            "The first tile of each arm must be followed by the double of its outer number before"
            " that arm may grow."
        )
