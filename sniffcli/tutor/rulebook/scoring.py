"""The part of the book about points in play: what is counted, what scores, and how much."""

from __future__ import annotations

from collections.abc import Iterator

from sniffcli.ruleset.words import Flat
from sniffcli.table.counting import halves_counted, worth
from sniffcli.table.frontier import Double, Frontier, Half
from sniffcli.tutor.rulebook.examples import counting
from sniffcli.tutor.rulebook.pages import Block, Pairs, Part, Remark, Rules
from sniffcli.tutor.rulebook.scope import Scope

#: Where every double is a spinner a table has so many ends that a list of sums must be cut off.
LONGEST_TABLE = 60


def scoring(scope: Scope) -> Part:
    """Return the part about counting and points."""
    say, kind = scope.say, scope.rules.score.kind
    title = say("Counting and points in play")
    if kind == "none":
        statement = say("Laying a tile scores nothing; points come from the end of a round.")
        return Part(title, (Rules((statement, *_knocks(scope))),))
    blocks: list[Block] = []
    if kind == "equal_ends":
        blocks.append(Rules((*_headers(scope), *_limits(scope), *_knocks(scope))))
    else:
        blocks.append(Rules((*_counted(scope), *_paid(scope), *_limits(scope), *_knocks(scope))))
        blocks += [Remark(say("The sums that score:")), _sums(scope)]
        if scope.rules.layout.spinner == "all_doubles":
            blocks.append(Remark(say("Larger sums go on in the same way.")))
    return Part(title, (*blocks, *counting(scope)))


def _headers(scope: Scope) -> Iterator[str]:
    say, score = scope.say, scope.rules.score
    yield say(
        "A play that leaves the same number at all open ends scores {points}.",
        points=scope.points(score.header),
    )
    yield say(
        "If one of those ends is a double that is joined to another tile, it scores {points}"
        " instead.",
        points=scope.points(score.header_with_double),
    )
    yield say("A double that lies alone counts as two equal ends without a double.")


def _counted(scope: Scope) -> Iterator[str]:
    say, rules = scope.say, scope.rules
    if rules.layout.open_ends == 1:
        yield say("After each play the open end is counted: the half that is not covered.")
    else:
        yield say(
            "After each play the open ends are counted: an ordinary tile counts the half that is"
            " not covered or, as long as it lies alone, both halves, each once."
        )
    if scope.inline:
        yield say("A double counts like any other tile.")
        return
    if rules.layout.spinner != "all_doubles":
        if rules.score.tip_double == "both":
            yield say("A double at an end counts both its halves.")
        elif rules.layout.open_ends == 1:
            yield say("A double at the end counts one half.")
        else:
            yield say(
                "A double at an end counts one half, or both as long as it lies alone on the table."
            )
    yield from _spinner_counted(scope)


def _spinner_counted(scope: Scope) -> Iterator[str]:
    say, rules = scope.say, scope.rules
    if rules.layout.spinner == "none":
        return
    match rules.score.spinner_counts:
        case "until_two_faces":
            yield say(
                "A spinner counts both its halves until two of its faces are covered, and nothing"
                " from then on, although more arms may start at it."
            )
        case "single":
            yield say("A spinner counts one half until all four of its faces are covered.")
        case "exposed_halves" if rules.layout.ends_open == "at_once":
            yield say(
                "A spinner counts both its halves until a third face is covered, then one half"
                " until the fourth is."
            )
        case "exposed_halves":
            yield say(
                "A spinner counts both its halves until one of its short ends is covered, then one"
                " half until the other is."
            )


def _paid(scope: Scope) -> Iterator[str]:
    say, score = scope.say, scope.rules.score
    numbers = scope.words.either(score.divisors)
    several = len(score.divisors) > 1
    yield say("A play scores when the sum of the ends is a multiple of {numbers}.", numbers=numbers)
    if isinstance(score.award, Flat):
        yield say(
            "It then scores {points}, however large the sum.",
            points=scope.points(score.award.points),
        )
    elif score.award == "sum":
        yield say("It then scores the sum itself.")
    else:
        each = scope.words.both(say("every {n}", n=divisor) for divisor in score.divisors)
        yield say("It then scores 1 point for {each} in the sum.", each=each)
    if several and score.combine == "once":
        yield say("A sum that is a multiple of several of these numbers is paid only once.")
    elif several:
        yield say("A sum that is a multiple of several of these numbers is paid for each of them.")
    yield say("A sum of 0 scores nothing.")


def _limits(scope: Scope) -> Iterator[str]:
    say, count, rules = scope.say, scope.count, scope.rules
    if not rules.open.scores:
        yield say("The first tile of a round never scores.")
    if rules.score.entry_minimum > 1:
        yield say(
            "The first score of each side in a match must be at least {points}; until then smaller"
            " ones do not count.",
            points=scope.points(rules.score.entry_minimum),
        )
    for missing, most in sorted((rules.score.near_target or {}).items()):
        yield count(
            "When {n} point is missing to the target, a play pays at most {points}.",
            "When {n} points are missing to the target, a play pays at most {points}.",
            missing,
            points=scope.points(most),
        )


def _knocks(scope: Scope) -> Iterator[str]:
    say, bonus = scope.say, scope.rules.pass_.bonus
    if bonus != "none":
        yield say(
            "Whoever plays after others have passed gets {points} for each pass in the row just"
            " before.",
            points=scope.points(bonus.points),
        )


def largest_sum(scope: Scope) -> int:
    """Return a sum that no table of these rules can pass (exact for an ordinary game)."""
    rules = scope.rules
    every = {tile for number in scope.players for tile in rules.tiles(number)}
    ends = rules.layout.open_ends
    singles = sorted((tile.high for tile in every if not tile.is_double), reverse=True)

    def weight(pip: int) -> int:
        return halves_counted(rules, Double(pip, 1)) * pip

    doubles = [tile.high for tile in every if tile.is_double]
    tips = sorted([*singles, *map(weight, doubles)], reverse=True)
    # A single tile on the table shows both its halves.
    best = max([sum(tips[:ends]), *(tile.pips for tile in every)])
    if rules.layout.spinner == "none":
        return best
    if rules.layout.spinner == "all_doubles":
        return max(best, LONGEST_TABLE)
    for pip in doubles:
        others = sorted([*singles, *(weight(one) for one in doubles if one != pip)], reverse=True)
        for main in range(3):
            for cross in range(3):
                own = halves_counted(rules, Double(pip, main, cross, spinner=True)) * pip
                best = max(best, own + sum(others[: main + cross]))
    return best


def _sums(scope: Scope) -> Pairs:
    """Return every sum that scores with its points, each asked of the engine."""
    say, rules = scope.say, scope.rules
    pairs = []
    for total in range(1, largest_sum(scope) + 1):
        points = worth(rules, Frontier((Half(total),)))
        if points:
            pairs.append((str(total), str(points)))
    return Pairs((say("sum"), say("points")), tuple(pairs))
