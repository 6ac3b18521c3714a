"""Grades: what they may depend on, when they are given, and that they are honest."""

from __future__ import annotations

import json
import random
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sniffcli.engine.advice import Advice, Option, advise
from sniffcli.engine.position import position_of
from sniffcli.engine.solver import solve
from sniffcli.engine.stats import Column
from sniffcli.engine.trials import Parts
from sniffcli.files.games import read_game
from sniffcli.files.replay import Replay, play_out
from sniffcli.game.actions import Play
from sniffcli.game.view import view_of
from sniffcli.tutor import analysis, review_players
from sniffcli.tutor.analysis import Effort, analysed
from sniffcli.tutor.calibration import Calibration, Losses
from sniffcli.tutor.grading import WorldGrader, verdict_of
from sniffcli.tutor.review import GameReview, after_hints, review, without

Sniff = Callable[..., Any]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def replayed(text: str | bytes, file: str = "game.yaml") -> Replay:
    record, problems = read_game(text, file)
    assert record is not None, problems
    return play_out(record)


@pytest.fixture(scope="module")
def matches(root: Path) -> list[Replay]:
    files = sorted((root / "scenarios" / "games").glob("all-fives-match-*.yaml"))
    return [replayed(file.read_bytes(), str(file)) for file in files]


@pytest.fixture(scope="module")
def graded(matches: list[Replay]) -> list[GameReview]:
    return [review(one, WorldGrader(100)) for one in matches]


def test_the_stronger_player_loses_less_and_both_err(graded: list[GameReview]) -> None:
    """The robot searches, the human takes the highest score (its transcript says so)."""
    rates = {}
    for name in ("human", "robot"):
        seats = [one.seats[one.names.index(name)] for one in graded]
        rates[name] = sum(s.loss or 0.0 for s in seats) / sum(s.decisions for s in seats)
        assert sum(seat.grades.get("mistake", 0) for seat in seats) > 0
    assert rates["robot"] < 0.9 * rates["human"]


def test_only_what_could_have_been_otherwise_is_graded(graded: list[GameReview]) -> None:
    every = [decision for one in graded for decision in one.decisions]
    forced = [decision for decision in every if decision.verdict.status == "forced"]
    assert len(forced) > 100
    for decision in forced:
        assert len(decision.choices) == 1
        assert decision.verdict.loss is decision.verdict.grade is None
    for decision in every:
        if decision.verdict.loss is not None:
            assert len(decision.choices) > 1
            assert decision.verdict.loss >= 0


def test_the_best_choice_is_never_marked(graded: list[GameReview]) -> None:
    for one in graded:
        for decision in one.decisions:
            if decision.verdict.best == decision.event.text:
                assert (decision.verdict.grade, decision.verdict.loss) == ("equal", 0)


def test_parts_add_up_exactly(graded: list[GameReview]) -> None:
    checked = 0
    for one in graded:
        for decision in one.decisions:
            verdict = decision.verdict
            if verdict.parts is None or verdict.best == decision.event.text:
                continue
            assert verdict.best_value is not None
            assert verdict.value is not None
            whole = verdict.best_value - verdict.value
            assert sum(verdict.parts.values()) == pytest.approx(whole, abs=1e-9)
            checked += 1
    assert checked > 50


#: Bob never lays 6-6, which lies in his hand; or else it lies in the boneyard.
HIDDEN = """\
sniff: 1
ruleset: all-fives
overrides: {deal: {hand: {2: 7}}}
players: [Ann, Bob]
rounds:
  - hands:
      Ann: [5-5, 4-1, 6-2, 5-3, 2-1, 3-0, 4-3]
      Bob: [5-2, 5-1, 6-5, 5-0, HELD, 4-0, 3-1]
    boneyard: [LEFT, 6-4, 6-3, 6-1, 6-0, 5-4, 4-4, 4-2, 3-3, 3-2, 2-2, 2-0, 1-0, 0-0]
    leader: Ann
    plays:
      - Ann: 5-5
      - Bob: 5-2 on 5-5
      - Ann: 6-2 on 5-2
      - Bob: 6-5 on 6-2
      - Ann: 5-3 on 5-5
"""


def test_tiles_that_a_seat_cannot_see_change_nothing() -> None:
    one, other = (
        review(replayed(HIDDEN.replace("HELD", a).replace("LEFT", b)), WorldGrader(60))
        for a, b in (("6-6", "1-1"), ("1-1", "6-6"))
    )
    anns = [[d.verdict for d in game.decisions if d.seat == 0] for game in (one, other)]
    assert anns[0] == anns[1]
    assert all(verdict.loss is not None for verdict in anns[0])
    # Bob sees his own tile, so for him it does.
    bobs = [[d.verdict for d in game.decisions if d.seat == 1] for game in (one, other)]
    assert bobs[0] != bobs[1]


def columned(rows: Iterable[Sequence[int]]) -> dict[str, Any]:
    """The fields of an option that has these parts, a row for each world."""
    rows = list(rows)
    columns = tuple(Column(array("i", part)) for part in zip(*rows, strict=True))
    return {"columns": columns, "margins": Column(array("i", map(sum, rows)))}


def alike(rng: random.Random, advice: Advice, worlds: int) -> Advice:
    """An advice whose choices are equally good: every world of each drawn from one choice."""
    rows = list(zip(*(one.data for one in advice.options[0].columns), strict=True))
    options = []
    for one in advice.options:
        drawn = [rng.choice(rows) for _ in range(worlds)]
        parts = Parts(*(sum(part) / worlds for part in zip(*drawn, strict=True)))
        new = replace(one, parts=parts, value=sum(parts), worlds=worlds)
        options.append(replace(new, **columned(drawn)))
    options.sort(key=lambda one: -one.value)
    return advice._replace(options=tuple(options), worlds=worlds)


def test_choices_that_are_alike_are_seldom_told_apart(matches: list[Replay]) -> None:
    """At most 5 % are called different, and held-out losses are zero within their error."""
    step = matches[0].rounds[0].steps[2]
    advice = advise(view_of(step.before, step.event.seat), 300)
    assert len(advice.options) > 2
    rng = random.Random(7)
    different, losses = 0, []
    trials = 240
    for _ in range(trials):
        found = alike(rng, advice, 120)
        played = rng.choice(found.options)
        verdict = verdict_of(found, played, None)
        different += verdict.status == "graded" and verdict.best != played.play
        assert verdict.held_out is not None
        losses.append(verdict.held_out)
    assert different <= 0.05 * trials
    mean = sum(losses) / trials
    spread = (sum((one - mean) ** 2 for one in losses) / (trials - 1)) ** 0.5
    assert abs(mean) < 3 * spread / trials**0.5


#: Double-three, five tiles each: nothing is hidden from anybody.
OPEN = """\
sniff: 1
ruleset: all-fives
overrides:
  set: {max_pip: 3}
  players: {max: 2, teams: none}
  deal: {hand: {2: 5}}
  match: {target: none, rounds: 1}
players: [Ann, Bob]
rounds:
  - hands:
      Ann: [3-3, 3-2, 2-0, 1-0, 1-1]
      Bob: [3-1, 3-0, 2-2, 2-1, 0-0]
    leader: Ann
    plays:
      - Ann: 1-0
      - Bob: 3-0 on 1-0
"""


def test_what_can_be_solved_is_exact() -> None:
    replay = replayed(OPEN)
    first, second = review(replay, WorldGrader(50)).decisions
    for decision, step in zip((first, second), replay.rounds[0].steps, strict=True):
        verdict = decision.verdict
        solved = solve(position_of(step.before), known_order=True)
        assert verdict.status == verdict.method == "exact"
        assert verdict.best_value == solved.choices[0].value
        assert verdict.loss_se is None
        assert len(verdict.options) == len(solved.choices)
        assert sorted(one.value for one in verdict.options) == sorted(
            one.value for one in solved.choices
        )


def test_a_loss_counts_only_when_it_is_established(matches: list[Replay]) -> None:
    step = matches[0].rounds[0].steps[2]
    advice = advise(view_of(step.before, step.event.seat), 100)
    best, other = advice.options[:2]

    def shifted(option: Option, by: int) -> Option:
        rows = zip(*(one.data for one in best.columns), strict=True)
        moved = columned((now + by, *rest) for now, *rest in rows)
        return replace(option, value=best.value + by, **moved)

    # Always three points less: no doubt about it, and exactly three points.
    sure = advice._replace(options=(best, shifted(other, -3)))
    verdict = verdict_of(sure, sure.options[1], None)
    assert (verdict.status, verdict.grade) == ("graded", "inaccuracy")
    assert verdict.loss == pytest.approx(3.0)
    assert verdict.parts is not None
    assert verdict.parts["now"] == pytest.approx(3.0)
    # Alike in every world: nothing to tell apart.
    same = advice._replace(options=(best, shifted(other, 0)))
    verdict = verdict_of(same, same.options[1], None)
    assert (verdict.status, verdict.grade, verdict.reasons) == ("not_established", None, ())


def test_grades_follow_the_spread_of_a_round() -> None:
    calibration = Calibration(50.0, 0.0, 1)
    losses = (0.0, 0.99, 1.0, 3.49, 3.51, 8.99, 9.0, 17.99, 18.0, 80.0)
    assert [calibration.grade(loss) for loss in losses] == (
        "equal equal slip slip inaccuracy inaccuracy mistake mistake blunder blunder".split()
    )


def test_jobs_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    replay = replayed(HIDDEN.replace("HELD", "6-6").replace("LEFT", "1-1"))
    alone = analysed(replay, Effort(40, 3))
    monkeypatch.setattr(analysis, "ALONE", 0.0)
    with analysis.workers(2):
        shared = analysed(replay, Effort(40, 3, jobs=2))
    assert [d.verdict for d in alone.decisions] == [d.verdict for d in shared.decisions]
    other = analysed(replay, Effort(40, 4))
    assert [d.verdict for d in alone.decisions] != [d.verdict for d in other.decisions]


def test_finished_games_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replay = replayed(HIDDEN.replace("HELD", "6-6").replace("LEFT", "1-1"))
    effort = Effort(30, 1, kept=tmp_path / "kept")
    first = analysed(replay, effort)

    def refuse(*_: object) -> None:
        raise AssertionError("graded again")

    monkeypatch.setattr(WorldGrader, "grade", refuse)
    heard: list[int] = []
    again = analysed(replay, effort, heard.append)
    assert json.dumps(again.decisions, default=str) == json.dumps(first.decisions, default=str)
    assert sum(heard) == 5
    with pytest.raises(AssertionError, match="graded again"):
        analysed(replay, replace(effort, seed=2))
    (file,) = (tmp_path / "kept").iterdir()
    file.write_text("{broken", "utf-8")
    with pytest.raises(AssertionError, match="graded again"):
        analysed(replay, effort)


def test_the_command_grades_and_says_how(sniff: Sniff, tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    file.write_text(HIDDEN.replace("HELD", "6-6").replace("LEFT", "1-1"), "utf-8")
    run = sniff("analyze", file, "--worlds", "50", "--format", "json")
    assert (run.status, run.err) == (0, "")
    moves = json.loads(run.out)["games"][0]["moves"]
    assert [move["worlds"] for move in moves] == [50] * 5
    assert {move["status"] for move in moves} <= {"graded", "not_established"}
    text = sniff("analyze", file, "--worlds", "50").out
    assert "on up to 50 deals" in text
    bare = sniff("analyze", file, "--worlds", "0", "--format", "json")
    assert all(m["loss"] is None for m in json.loads(bare.out)["games"][0]["moves"])


def test_players_are_summed_up_over_all_games(sniff: Sniff, tmp_path: Path) -> None:
    text = HIDDEN.replace("HELD", "6-6").replace("LEFT", "1-1")
    one, two = tmp_path / "one.yaml", tmp_path / "two.yaml"
    one.write_text(text, "utf-8")
    two.write_text(text, "utf-8")
    found = json.loads(sniff("analyze", one, two, "--worlds", "50", "--format", "json").out)
    for name in ("Ann", "Bob"):
        seats = [game["seats"][name] for game in found["games"]]
        total = found["players"][name]
        assert total["games"] == 2
        assert total["decisions"] == 2 * seats[0]["decisions"]
        assert total["loss"] == pytest.approx(2 * seats[0]["loss"])
        assert total["loss_per_decision"] == pytest.approx(seats[0]["loss_per_decision"])
        losses = [worst["loss"] for worst in total["worst"]]
        assert losses == sorted(losses, reverse=True)
    assert "All 2 games" in sniff("analyze", one, two, "--worlds", "50").out


def test_plays_are_what_is_compared(matches: list[Replay]) -> None:
    """The play of the record is always valued, on as many worlds as the best."""
    for played in matches[1].rounds[:2]:
        for step in played.steps[:6]:
            if isinstance(step.event.action, Play):
                advice = advise(
                    view_of(step.before, step.event.seat), 400, named=[step.event.action], looks=4
                )
                named = [one for one in advice.options if one.action == step.event.action]
                assert all(one.worlds == advice.best.worlds for one in named)


def test_unpunished_means_that_no_harm_was_done(graded: list[GameReview]) -> None:
    """From the scores of the record: the round went on as well as after the best choice."""
    checked = 0
    for one in graded:
        for decision in one.decisions:
            verdict = decision.verdict
            if verdict.grade not in ("inaccuracy", "mistake", "blunder"):
                continue
            played = one.replay.rounds[decision.round - 1]
            step = next(step for step in played.steps if step.event.n == decision.n)
            assert played.end is not None
            mine, other = decision.seat, 1 - decision.seat
            before, after = step.before.scores, played.end.scores
            made = (after[mine] - before[mine]) - (after[other] - before[other])
            assert verdict.best_value is not None
            assert ("unpunished" in verdict.tags) == (made >= verdict.best_value)
            checked += 1
    assert checked > 20


#: Ann lets her ten pass; Bob catches them after her seven seconds.
CAUGHT = """\
sniff: 1
ruleset: dreamtime-sniff
players: [Ann, Bob]
rounds:
  - hands:
      Ann: [5-5, 5-1, 4-1, 3-1, 2-1, 6-1, 0-0]
      Bob: [5-0, 6-5, 4-3, 6-6, 6-4, 6-3, 6-2]
    leader: Ann
    plays:
      - Ann: 5-5
      - Bob: catch Ann after 8 s
      - Bob: 5-0 on 5-5
"""


def test_a_missed_claim_has_its_price() -> None:
    """Ten points lost, and ten with the bounty of five for the rival (rules.md, Dreamtime)."""
    game = review(replayed(CAUGHT), WorldGrader(40))
    claim = game.claims[0]
    assert (claim.claimed, claim.caught_by, claim.price) == (False, 1, 10 + 10 + 5)
    assert game.seats[0].claims_price == 25
    lead = game.decisions[0]
    assert lead.verdict.loss is None or "missed_points" in lead.verdict.tags


def test_a_hint_belongs_to_the_decision_that_follows() -> None:
    """Bob asked when he might still catch, so his hint was about the tile that he laid then."""
    asked = "notes: Hints were asked before 1.2.\nrounds:"
    game = review(replayed(CAUGHT.replace("rounds:", asked)))
    assert after_hints(game) == {(1, 3)}
    assert without(game, 1, after_hints(game)).decisions == game.seats[1].decisions - 1
    assert without(game, 0, after_hints(game)) == game.seats[0]


def test_comparisons_with_bots_need_thirty_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    game = review(replayed(HIDDEN.replace("HELD", "6-6").replace("LEFT", "1-1")), WorldGrader(60))
    (ann, _) = review_players.players_of([game])
    assert ann.rate is not None
    told = {}
    for greedy, chance in ((3.0, 5.0), (1.5, 5.0), (0.5, 2.0), (0.2, 0.9)):
        quantiles = (0.0, 0.0, 0.0, 0.0)
        bots = {
            "greedy": Losses(9, greedy * ann.rate, quantiles),
            "random": Losses(9, chance * ann.rate, quantiles),
        }
        monkeypatch.setattr(
            review_players, "_calibration", lambda one, b=bots: Calibration(30.0, 0.0, 1, b)
        )
        assert ann.likeness is None
        monkeypatch.setattr(review_players, "LEAST_DECISIONS", ann.decisions)
        told[greedy] = ann.likeness
        monkeypatch.setattr(review_players, "LEAST_DECISIONS", 30)
    assert told == {
        3.0: "well above highest-score play",
        1.5: "above highest-score play",
        0.5: "below highest-score play",
        0.2: "like chance",
    }


def stopping_after(monkeypatch: pytest.MonkeyPatch, decisions: int) -> list[int]:
    """Let Ctrl-C come after so many decisions; return the list that counts them."""
    graded: list[int] = []
    grade = WorldGrader.grade

    def counted(self: WorldGrader, *question: Any) -> Any:
        if len(graded) == decisions:
            raise KeyboardInterrupt
        graded.append(1)
        return grade(self, *question)

    monkeypatch.setattr(WorldGrader, "grade", counted)
    return graded


def test_an_interrupted_analysis_reports_what_is_graded_and_goes_on_there(
    sniff: Sniff, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case C98, and the games that were finished before count in full."""
    one, two = tmp_path / "one.yaml", tmp_path / "two.yaml"
    for file, swap in ((one, "6-6 1-1"), (two, "1-1 6-6")):
        held, left = swap.split()
        file.write_text(HIDDEN.replace("HELD", held).replace("LEFT", left), "utf-8")
    words = ("analyze", one, two, "--worlds", "30", "--jobs", "1", "--format", "json")
    with monkeypatch.context() as patched:
        stopping_after(patched, 7)
        run = sniff(*words)
    assert run.status == 130
    assert run.err == (
        "interrupted: 7 decisions are graded in 2 of 2 games, 3 of the last are not\n"
    )
    part = json.loads(run.out)["games"]
    assert [game["not_reached"] for game in part] == [0, 3]
    notes = [move["note"] for move in part[1]["moves"]]
    assert notes == [None, None, *["the analysis was stopped before"] * 3]
    graded = stopping_after(monkeypatch, 99)
    run = sniff(*words)
    assert (run.status, run.err, len(graded)) == (0, "", 3)
    whole = json.loads(run.out)["games"]
    assert whole[0] == part[0]
    assert whole[1]["moves"][:2] == part[1]["moves"][:2]
    assert whole == json.loads(sniff(*words, "--fresh").out)["games"]


def test_an_interrupted_report_says_so(
    sniff: Sniff, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, marked = tmp_path / "game.yaml", tmp_path / "marked.yaml"
    file.write_text(HIDDEN.replace("HELD", "6-6").replace("LEFT", "1-1"), "utf-8")
    stopping_after(monkeypatch, 2)
    run = sniff("analyze", file, "--fresh", "--worlds", "30", "--annotate", marked)
    assert run.status == 130
    assert run.err == (
        f"interrupted: 2 decisions are graded, 3 of the game are not; {marked} is not written\n"
    )
    assert "The analysis was stopped; 3 decisions are not graded." in run.out
    assert run.out.count("not reached") == 3
    assert not marked.exists()


def test_an_analysis_that_had_graded_nothing_says_one_word(
    sniff: Sniff, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "game.yaml"
    file.write_text(HIDDEN.replace("HELD", "6-6").replace("LEFT", "1-1"), "utf-8")
    stopping_after(monkeypatch, 0)
    run = sniff("analyze", file, "--fresh", "--worlds", "30")
    assert (run.status, run.out, run.err) == (130, "", "interrupted\n")
