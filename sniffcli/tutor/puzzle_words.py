"""Hints and explanations of made puzzles: every number in them is computed."""

from __future__ import annotations

from sniffcli.files.puzzles import Number, Puzzle, answer_text
from sniffcli.game.state import State
from sniffcli.show.numbers import counted, decimal, signed
from sniffcli.table.counting import count, halves_counted
from sniffcli.table.frontier import open_ends
from sniffcli.tutor.families import enclosed_spinner, parts
from sniffcli.tutor.puzzle_themes import Scene
from sniffcli.tutor.puzzles import Option, last_worth, sum_written_out


def hints_for(puzzle: Puzzle, scene: Scene) -> tuple[str, ...]:
    """Return nudges, each saying more than the one before, none the answer."""
    state = scene.state
    match puzzle.ask:
        case "count":
            return (_counting_hint(state), f"{_ends(len(parts(state)))}.")
        case "points" | "claim":
            return (
                _counting_hint(state),
                f"The ends add up to {count(state.rules, state.frontier)}.",
            )
        case "legal-plays":
            found = len(scene.finding.options)
            return (
                "Go through the hand tile by tile and hold each against every open end.",
                f"There {'is 1 play' if found == 1 else f'are {found} plays'}.",
            )
        case "holds":
            return (
                "A player who passes or draws held nothing that fitted at that moment.",
                f"The answer names {counted(len(_listed(scene)), 'tile')}.",
            )
    return _play_hints(puzzle, scene)


def _ends(number: int) -> str:
    return "1 end counts" if number == 1 else f"{number} ends count"


def _listed(scene: Scene) -> tuple[object, ...]:
    right = scene.finding.right[0]
    return right if isinstance(right, tuple) else ()


def _counting_hint(state: State) -> str:
    if len(state.layout.placed) == 1:
        return "Only one tile lies on the table."
    if enclosed_spinner(state):
        return "Look at the spinner: which of its faces are covered?"
    if any(halves == 2 for _, halves in parts(state)):
        return "A double at an end counts both of its halves."
    return "Go round the open ends one by one."


def _play_hints(puzzle: Puzzle, scene: Scene) -> tuple[str, ...]:
    best = scene.best
    assert best is not None, "questions about plays have a best one"
    if puzzle.ask == "best-score":
        first = "Work out for each play what the ends add up to."
        return first, f"The best play scores {best.points}."
    hints = [_first_hint(puzzle)]
    most = max(scene.finding.options, key=lambda one: one.points)
    if most.points > best.points:
        hints.append(f"It is not the play that scores {most.points} now.")
    elif best.points:
        hints.append(f"It scores {best.points} now.")
    else:
        hints.append("It scores nothing now.")
    return tuple(hints)


def _first_hint(puzzle: Puzzle) -> str:
    for theme, hint in (
        ("block", "Think of how the round can be blocked, and who is lighter then."),
        ("deny", "Which play leaves the next player without an answer?"),
        ("go-out", "Count the turns: who can be out first?"),
        ("dump-pips", "The pips left in the hand matter here."),
        ("spinner-opens", "Look at the spinner."),
        ("score-now", "Do not look for anything deep: points are there to be made."),
    ):
        if theme in puzzle.themes:
            return hint
    return "What will the next player answer to each of your plays?"


def explanation_for(puzzle: Puzzle, scene: Scene) -> str:
    """Return why the answer is right, in one to three sentences."""
    state = scene.state
    if puzzle.ask in ("points", "claim") and state.rules.score.kind == "equal_ends":
        return _header_in_words(state)
    match puzzle.ask:
        case "count":
            return f"{sum_written_out(state)}.{_covered(state)}"
        case "points":
            return f"{sum_written_out(state)}, and {worth_in_words(state)}.{_covered(state)}"
        case "claim":
            return f"{sum_written_out(state)}, so {_claim_in_words(puzzle, state)}"
        case "legal-plays":
            return _legal_in_words(scene)
        case "holds":
            return _evidence_in_words(puzzle, state)
    return _plays_in_words(puzzle, scene)


def _header_in_words(state: State) -> str:
    """Say what equal ends pay."""
    shown = open_ends(state.rules, state.frontier)
    ends = ", ".join(str(pip) for pip in shown)
    points = last_worth(state)
    if not points:
        return f"The ends show {ends}. They are not all alike, so nothing is paid."
    double = " with a double among them" if points == state.rules.score.header_with_double else ""
    return f"The ends show {ends}: all alike{double}, which pays {points}."


def _covered(state: State) -> str:
    """Say of every spinner whose sides are covered that it counts nothing any more."""
    shut = [
        f"the {double.pip}-{double.pip}"
        for double in state.frontier.doubles
        if double.spinner and double.main == 2 and not halves_counted(state.rules, double)
    ]
    if not shut:
        return ""
    names = " and ".join(shut)
    verb = "count" if len(shut) > 1 else "counts"
    return f" {names[0].upper()}{names[1:]} {verb} nothing: two faces are covered."


def worth_in_words(state: State) -> str:
    """Say what the sum pays, and how."""
    rules = state.rules
    total, points = count(rules, state.frontier), last_worth(state)
    divisors = [str(one) for one in rules.score.divisors]
    if rules.score.kind != "ends_sum":
        return f"the play is worth {points}"
    if not points:
        if total == 0:
            return "a sum of 0 pays nothing"
        if any(total % int(one) == 0 for one in divisors):
            return "the lead does not score in this game"
        return f"that is no multiple of {' or '.join(divisors)}, so it pays nothing"
    dividing = [one for one in rules.score.divisors if total % one == 0]
    if rules.score.award == "quotient":
        sums = " and ".join(f"{total}/{one} = {total // one}" for one in dividing)
        return f"{sums}" if len(dividing) == 1 else f"{sums}, together {points}"
    return f"that is a multiple of {' and '.join(map(str, dividing))}, worth {points}"


def _claim_in_words(puzzle: Puzzle, state: State) -> str:
    given = puzzle.answer.answer
    assert isinstance(given, Number), "the answer to a claim is a number"
    points = last_worth(state)
    if given.value:
        return f"{worth_in_words(state)}: claim {points}."
    if points:
        return f"the play was worth {points}, but the time to claim it is over."
    return f"{worth_in_words(state)}: nothing to claim."


def _legal_in_words(scene: Scene) -> str:
    state = scene.state
    ends = ", ".join(str(pip) for pip in sorted(set(open_ends(state.rules, state.frontier))))
    fitting = {option.text.split()[0] for option in scene.finding.options}
    hand = [str(tile) for tile in sorted(state.hands[state.turn].tiles)]
    idle = [tile for tile in hand if tile not in fitting]
    rest = f" {', '.join(idle)} cannot be laid." if idle else ""
    return f"The open ends show {ends}.{rest}"


def _evidence_in_words(puzzle: Puzzle, state: State) -> str:
    assert puzzle.of is not None, "the question names a hand"
    name = state.setup.names[puzzle.of]
    told = []
    ends: tuple[int, ...] = ()
    for event in state.events:
        if event.seat == puzzle.of and event.kind in ("pass", "draw") and ends:
            did = "passed" if event.kind == "pass" else "drew"
            shown = " and ".join(str(pip) for pip in sorted(set(ends)))
            told.append(f"{did} when {shown} {'was' if len(set(ends)) == 1 else 'were'} open")
        ends = event.ends
    unique = list(dict.fromkeys(told))
    what = "Only tiles taken up later can show these numbers."
    if state.rules.draw.when == "never":
        what = "No tile of that hand shows these numbers."
    return f"{name} {', and '.join(unique)}. {what}" if unique else f"Nothing bars {name}."


def _plays_in_words(puzzle: Puzzle, scene: Scene) -> str:
    options, best, state = scene.finding.options, scene.best, scene.state
    assert best is not None, "questions about plays have a best one"
    if puzzle.ask == "best-score":
        right = [option for option in options if option.points == best.points]
        others = [option for option in options if option.points < best.points]
        text = " and ".join(f"{one.text} makes {one.sum}" for one in right)
        text += f" and scores {best.points}"
        if others:
            text += f"; the next best, {others[0].text}, scores {others[0].points}"
        return f"{text}."
    sampled = scene.finding.method == "sampled"
    about = "about " if sampled else ""
    text = f"{_valued(best, about)}{_line(state, best)}."
    tempting = tempting_option(scene)
    if tempting is not None:
        text += f" {_valued(tempting, about)}{_line(state, tempting)}, so it loses "
        text += f"{about}{decimal(tempting.loss)}{reasons_of(tempting)}."
    if sampled:
        text += f" (Means over {scene.finding.worlds} deals that agree with what was seen.)"
    return text


#: What the parts of a loss are called.
PARTS = (
    "in points now",
    "by the reply",
    "at one's own next turn",
    "later in the round",
    "at the end of the round",
)


def reasons_of(option: Option) -> str:
    """Say where a loss arises: parts of at least a point and two standard errors, three at most."""
    told = [
        (mean, name)
        for (mean, error), name in zip(option.parts, PARTS, strict=False)
        if abs(mean) >= 1 and abs(mean) >= 2 * error
    ]
    told = sorted(told, key=lambda one: -abs(one[0]))[:3]
    if not told:
        return ""
    return ": " + ", ".join(f"{signed(-mean)} {name}" for mean, name in told)


def tempting_option(scene: Scene) -> Option | None:
    """Return the wrong play that scores most now, the better of equals; None if there is none."""
    right = {answer_text(one) for one in scene.finding.right}
    wrong = [one for one in scene.finding.options if one.text not in right and one.loss]
    return max(wrong, key=lambda one: (one.points, -(one.loss or 0.0)), default=None)


def _valued(option: Option, about: str) -> str:
    now = f" scores {option.points} now and" if option.points else ""
    return f"{option.text}{now} comes to {about}{signed(option.value)} by the end of the round"


#: Actions of a line that an explanation tells; all of them are shown behind an answer.
MOST_TOLD = 4


def _line(state: State, option: Option) -> str:
    """Return how the round goes on, shortly, and how it ends."""
    from sniffcli.tutor.puzzle_values import follow

    rest = list(option.line[1:])
    if not option.line:
        return ""
    end = follow(state, option.line)[-1].result
    how = ""
    if end is not None and end.how == "blocked":
        how = "the round is blocked"
    elif end is not None and end.how == "out" and end.closer is not None:
        how = f"{state.setup.names[end.closer]} goes out"
    if len(rest) > MOST_TOLD:
        rest = [*rest[:MOST_TOLD], "and so on"]
    told = f"then {', '.join(rest)}" if rest else ""
    joint = ": " if told and how else ""
    return f" ({told}{joint}{how})" if told or how else ""
