"""Making puzzles: from recorded games, from games of bots, from random deals, by a seed.

Only positions with one established set of right answers are taken, and every puzzle is proved
again, as text, with other worlds before it is handed out (tutor.md, section 4.7).
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from sniffcli.files.games import DEFAULT_RULES
from sniffcli.files.puzzles import (
    NUMBERS,
    Answer,
    Ask,
    Given,
    Number,
    Puzzle,
    puzzle_data,
    puzzle_file_text,
    read_puzzles,
)
from sniffcli.files.recording import layout_plays
from sniffcli.files.records import Entry, GameRecord, LaidTile, RoundRecord
from sniffcli.files.replay import play_out
from sniffcli.game.actions import Action, Draw, Play
from sniffcli.game.state import Hand, State
from sniffcli.game.view import view_of
from sniffcli.ruleset.model import Ruleset
from sniffcli.tutor.families import random_round, setup_of
from sniffcli.tutor.puzzle_check import check, find
from sniffcli.tutor.puzzle_themes import scene_of, themes_of
from sniffcli.tutor.puzzle_values import Effort
from sniffcli.tutor.puzzle_words import explanation_for, hints_for
from sniffcli.tutor.puzzles import Finding, Option, Unprovable, position_of_puzzle
from sniffcli.yamlio import dump

Source = Literal["deals", "bots", "games"]

#: The least that a choice outside the set of right answers must lose, solved and over worlds.
EXACT_GAP, WORLDS_GAP = 1.0, 3.0
#: Standard errors by which it must lose more than nothing.
SURE = 4.0
#: Positions searched at most for a made puzzle, so that checking it is quick everywhere.
MADE_BUDGET = 60_000
#: Worlds and their seed with which a made puzzle is proved again.
PROOF = Effort(worlds=5_000, seed=7_919, budget=MADE_BUDGET * 2)
#: Positions tried for one puzzle before the wish counts as impossible.
MOST_TRIES = 4_000


class Wish(NamedTuple):
    """What kind of puzzle is wanted; None leaves it open."""

    ask: Ask = "best-play"
    theme: str | None = None
    #: Whether the other hands stay hidden (best-play only).
    hidden: bool = False
    easiest: int = 0
    hardest: int = 4_000
    players: int | None = None


class Candidate(NamedTuple):
    """A position that may become a puzzle, and the choice made in it in a recorded game."""

    state: State
    played: str | None = None
    record: GameRecord | None = None


def candidates(
    rules: Ruleset, rng: random.Random, source: Source, players: int | None = None
) -> Iterator[list[Candidate]]:
    """Yield the positions of one round after the other, played at random or by a greedy player."""
    choose = greedy if source == "bots" else None
    low, high = rules.players.min, min(rules.players.max, 4)
    while True:
        # Two players most often: their endings can be solved, and nothing else is as common.
        seats = players or (
            low if rng.random() < 0.7 else low + int(rng.random() * (high - low + 1))
        )
        setup = setup_of(rules, min(max(seats, low), high))
        found = [
            Candidate(state)
            for state in random_round(setup, rng, choose)
            if not state.over and state.closing is None
        ]
        yield shuffled(found, rng)


def shuffled(found: Sequence[Candidate], rng: random.Random) -> list[Candidate]:
    """Return candidates in a random order, the same for every version of Python."""
    return [one for _, _, one in sorted((rng.random(), n, one) for n, one in enumerate(found))]


def greedy(state: State, rng: random.Random) -> Action:
    """Return the action of a player who takes the most points now, then lays the most pips."""
    from sniffcli.tutor.families import random_action
    from sniffcli.tutor.puzzles import options_of

    options = options_of(state)
    if not options:
        return random_action(state, rng)

    def promise(option: Option) -> tuple[int, int]:
        assert isinstance(option.action, Play), "only plays are listed"
        return option.points, option.action.tile.pips

    return max(options, key=promise).action


def make(
    wish: Wish, rounds: Iterator[list[Candidate]], rng: random.Random, seed: int, name: str
) -> Iterator[Puzzle]:
    """Yield puzzles of a kind, one from a round at most, each proved; NAME is the ruleset's."""
    tries = 0
    for found in rounds:
        for candidate in found:
            tries += 1
            if not _promising(wish, candidate.state, rng):
                continue
            puzzle = puzzle_from(wish, candidate, rng, seed, name)
            if puzzle is not None:
                tries = 0
                yield puzzle
                break
        if tries > MOST_TRIES:
            return


def _promising(wish: Wish, state: State, rng: random.Random) -> bool:
    """Whether it is worth the time to look at a position more closely."""
    sizes = [hand.size for hand in state.hands]
    if wish.ask in ("best-play", "value"):
        if state.drawn or min(sizes) == 0:
            return False
        if wish.hidden:
            return state.hands[state.turn].size <= 5 and rng.random() < 0.25
        return sum(sizes) <= 10 and (not state.drawable or state.boneyard.size <= 3)
    if wish.ask == "holds":
        return any(event.kind in ("pass", "draw") for event in state.events) and _plain(state)
    return rng.random() < 0.3


def _plain(state: State) -> bool:
    rules = state.rules
    return rules.joining.rule == "equal" and not state.setup.wild and rules.draw.when != "free"


def puzzle_from(
    wish: Wish, candidate: Candidate, rng: random.Random, seed: int, name: str
) -> Puzzle | None:
    """Return a proved puzzle about a position, or None where it makes no good one."""
    state = candidate.state
    asked = _asked(wish, candidate, name)
    if asked is None:
        return None
    now, wrong = position_of_puzzle(asked)
    if now is None or wrong or now.turn != state.turn:
        return None
    try:
        finding = find(asked, now, Effort(seed=seed + 1, budget=MADE_BUDGET))
    except Unprovable:
        return None
    if not admitted(wish, now, finding):
        return None
    right: list[Answer] = [_written(answer) for answer in finding.right]
    puzzle = replace(
        asked,
        answer=Given(right[0]),
        accept=tuple(Given(one) for one in right[1:]) if asked.ask not in NUMBERS else (),
    )
    scene = scene_of(now, finding)
    puzzle = replace(puzzle, themes=themes_of(puzzle.ask, scene))
    if wish.theme is not None and wish.theme not in puzzle.themes:
        return None
    puzzle = replace(puzzle, difficulty=difficulty_of(puzzle, now, finding))
    if not wish.easiest <= puzzle.difficulty <= wish.hardest:
        return None
    told = explanation_for(puzzle, scene)
    if candidate.played is not None:
        told = f"{_as_played(candidate, finding)} {told}"
    puzzle = replace(puzzle, hints=hints_for(puzzle, scene), explanation=told)
    puzzle = replace(puzzle, id=id_of(puzzle))
    return proved(puzzle, PROOF)


def _written(answer: Answer) -> Answer:
    """Return an answer as it stands in a file: actions without a seat of their own."""
    if isinstance(answer, Number):
        whole = abs(answer.value - round(answer.value)) < 1e-9
        return Number(round(answer.value), 0) if whole else Number(round(answer.value, 2), 2)
    if isinstance(answer, tuple):
        return tuple(replace(one, seat=0) if isinstance(one, Play) else one for one in answer)
    return replace(answer, seat=0)


def _as_played(candidate: Candidate, finding: Finding) -> str:
    most = max((option.points for option in finding.options), default=0)
    for option in finding.options:
        if option.text != candidate.played:
            continue
        if option.loss:
            return f"In the game {option.text} was played, which loses {option.loss:.1f}."
        if option.loss is None and option.points < most:
            return f"In the game {option.text} was played, which scores {option.points}."
    return f"In the game {candidate.played} was played."


def was_mistake(puzzle: Puzzle) -> bool:
    """Whether the choice made in the game is none of the right answers of a puzzle."""
    return ", which " in puzzle.explanation.partition(".")[0]


def proved(puzzle: Puzzle, effort: Effort) -> Puzzle | None:
    """Return the puzzle as it is read back from text, or None where it is not confirmed."""
    file, problems = read_puzzles(puzzle_file_text("made", [puzzle]), "made")
    if problems or not file.puzzles or check(file.puzzles[0], effort):
        return None
    return puzzle


def _asked(wish: Wish, candidate: Candidate, name: str) -> Puzzle | None:
    """Return the bare question about a candidate, or None where there is nothing to ask."""
    if wish.ask == "holds" and _passer(candidate.state) is None:
        return None
    return bare_puzzle(wish.ask, candidate.state, name, hidden=wish.hidden, game=candidate.record)


def bare_puzzle(
    ask: Ask, state: State, name: str, *, hidden: bool = False, game: GameRecord | None = None
) -> Puzzle:
    """Return a question about a position, with an answer still to be found.

    NAME is the ruleset as a file calls it; GAME is where the position comes from, if recorded.
    """
    setup = state.setup
    seen = ask == "holds" or hidden
    one = _as_seen(state) if seen else _as_layout(state, ask)
    record = GameRecord(
        file="made",
        rules=setup.rules,
        players=setup.names,
        sides=setup.sides,
        ruleset=name,
        rounds=(one,),
        scores=state.scores if game is not None else (0,) * setup.side_count,
        overrides={} if game is None else game.overrides,
        teams=game is not None and game.teams,
    )
    return Puzzle(
        id="made",
        ask=ask,
        record=record,
        answer=Given(Number(0)),
        to_play=state.turn if ask not in ("count", "points", "claim") else None,
        of=_passer(state) if ask == "holds" else None,
        never=ask == "holds",
    )


def _passer(state: State) -> int | None:
    """Return another seat that passed or drew last, if there is one."""
    for event in reversed(state.events):
        if event.kind in ("pass", "draw") and event.seat != state.turn:
            return event.seat
    return None


def _as_seen(state: State) -> RoundRecord:
    """Return the round up to now as the seat to move has seen it."""
    view = view_of(state, state.turn)
    hands = tuple(
        Hand(tuple(sorted(one.tiles, reverse=True)), one.unknown) for one in view.origin.hands
    )
    # The seat knows what it drew itself, whatever the record of the game says.
    actions = [
        replace(event.action, tile=event.tile)
        if isinstance(event.action, Draw) and event.seat == view.seat
        else event.action
        for event in view.events
    ]
    plays = tuple(Entry(action) for action in actions)
    return RoundRecord(hands=hands, leader=view.leader, plays=plays)


def _as_layout(state: State, ask: Ask) -> RoundRecord:
    """Return the position as a table with hands: open for questions about play, else hidden."""
    layout = tuple(LaidTile(play) for play in layout_plays(state.setup, state.layout))
    opened = {"best-play": range(state.setup.seats), "value": range(state.setup.seats)}
    shown = opened.get(ask, (state.turn,) if ask in ("best-score", "legal-plays") else ())
    hands = tuple(
        Hand(tuple(sorted(hand.tiles, reverse=True))) if seat in shown else Hand((), hand.size)
        for seat, hand in enumerate(state.hands)
    )
    listed = ask in ("best-play", "value") and state.drawable > 0
    return RoundRecord(
        hands=hands,
        layout=layout,
        leader=state.turn,
        passes=state.passes,
        boneyard=state.boneyard.known if listed and state.boneyard.size > 2 else None,
    )


def admitted(wish: Wish, state: State, finding: Finding) -> bool:
    """Whether a position has one established set of right answers, and others to choose from."""
    options, right = finding.options, finding.right
    match wish.ask:
        case "count" | "points" | "claim":
            return True
        case "legal-plays":
            return 2 <= len(options) <= 6
        case "holds":
            tiles = right[0]
            return isinstance(tiles, tuple) and 1 <= len(tiles) <= 8
        case "best-score":
            best = options[0].points
            return best > 0 and len(options) >= 3 and len(right) == 1
        case "value":
            value = options[0].value or 0.0
            return len(options) >= 2 and abs(value * 100 - round(value * 100)) < 1e-6
    wrong = options[len(right) :]
    if not wrong or len(right) > 2 or not isinstance(options[0].action, Play):
        return False
    if any((one.loss or 0.0) > 0.5 for one in options[: len(right)]):
        return False
    if finding.method == "exact":
        return all((one.loss or 0.0) >= EXACT_GAP for one in wrong)
    return all(
        (one.loss or 0.0) >= WORLDS_GAP and (one.loss or 0.0) > SURE * (one.loss_se or 0.0)
        for one in wrong
    )


def difficulty_of(puzzle: Puzzle, state: State, finding: Finding) -> int:
    """Return a first guess of the rating, from what makes such questions hard."""
    from sniffcli.tutor.families import parts

    ends = parts(state) if not state.frontier.is_empty else []
    halves = sum(count for _, count in ends)
    total = sum(pip * count for pip, count in ends)
    score = 500 + 70 * halves + 6 * total
    score += 120 * sum(t in puzzle.themes for t in ("covered-spinner", "sniff-count", "blank-end"))
    match puzzle.ask:
        case "points" | "claim":
            score += 150 * len(state.rules.score.divisors)
        case "best-score":
            score += 40 * len(finding.options) + 150
        case "legal-plays":
            score = 600 + 60 * len(finding.options) + 30 * state.hands[state.turn].size
        case "holds":
            score = 1100 + 60 * len(state.events)
        case "best-play" | "value":
            length = len(finding.options[0].line) if finding.options else 0
            score = 1150 + 60 * length + 30 * len(finding.options)
            score += 200 * ("sacrifice" in puzzle.themes) + 250 * (puzzle.ask == "value")
            score += 150 if finding.method != "exact" else 0
    return max(400, min(2400, 10 * round(score / 10)))


def id_of(puzzle: Puzzle) -> str:
    """Return an id that depends on the question alone, so that it is stable and unlike others."""
    data = puzzle_data(puzzle)
    asked = {key: data[key] for key in ("ask", "ruleset", "round", "of", "never") if key in data}
    # Of a ruleset in a file only the name, so that ids are the same wherever it lies.
    ruleset = (puzzle.record.ruleset or "game").rpartition("/")[2].removesuffix(".yaml")
    asked["ruleset"] = ruleset
    digest = hashlib.sha256(dump(asked).encode()).hexdigest()[:8]
    return f"{puzzle.ask}-{ruleset}-{digest}"


def from_games(
    records: Sequence[GameRecord], me: str | None = None
) -> Iterator[tuple[str, list[Candidate]]]:
    """Yield with its ruleset each position of recorded games in which a known hand chose a tile.

    The choices of ME come first. Every position stands alone: one round may give many puzzles.
    """
    found: list[tuple[bool, str, Candidate]] = []
    for record in records:
        for one in play_out(record).rounds:
            for step in one.steps:
                state = step.before
                if step.event.kind != "play" or state.hands[state.turn].unknown:
                    continue
                mine = record.players[state.turn] == me
                candidate = Candidate(state, step.event.text, record)
                found.append((not mine, record.ruleset_here or DEFAULT_RULES, candidate))
    found.sort(key=lambda one: one[0])
    yield from ((name, [candidate]) for _, name, candidate in found)


def mistakes_first(
    wish: Wish, rounds: Iterator[tuple[str, list[Candidate]]], seed: int
) -> Iterator[Puzzle]:
    """Yield puzzles from recorded choices: those that were wrong, and the others behind them."""
    rng = random.Random(seed)
    others = []
    for name, found in rounds:
        for puzzle in make(wish, iter([found]), rng, seed, name):
            if was_mistake(puzzle):
                yield puzzle
            else:
                others.append(puzzle)
    yield from others
