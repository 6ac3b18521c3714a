"""The page for a browser and the annotated file: complete, self-contained, and safe."""

from __future__ import annotations

import csv
import html.parser
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sniffcli.files.games import read_game
from sniffcli.files.replay import Replay, play_out
from sniffcli.tutor.annotating import SIGN, annotated
from sniffcli.tutor.grading import WorldGrader
from sniffcli.tutor.luck import luck_of
from sniffcli.tutor.report_chance import chances, course_of
from sniffcli.tutor.report_html import moments_of, page
from sniffcli.tutor.review import GameReview, review
from sniffcli.tutor.review_rows import summary_lines

Sniff = Callable[..., Any]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def replayed(text: bytes, file: str = "game.yaml") -> Replay:
    record, problems = read_game(text, file)
    assert record is not None, problems
    return play_out(record)


@pytest.fixture(scope="module")
def source(root: Path) -> bytes:
    return (root / "scenarios" / "games" / "all-fives-match-1.yaml").read_bytes()


@pytest.fixture
def game(tmp_path: Path, source: bytes) -> Path:
    path = tmp_path / "game.yaml"
    path.write_bytes(source)
    return path


@pytest.fixture(scope="module")
def graded(source: bytes) -> GameReview:
    return review(replayed(source), WorldGrader(80))


class Reader(html.parser.HTMLParser):
    """Collects what a page is made of."""

    VOID = frozenset(["meta", "br", "hr", "img", "input", "link"])

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, tag
        assert self.open.pop() == tag


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


def test_every_decision_has_its_table_and_its_choices(graded: GameReview) -> None:
    reader = read(page([graded]))
    moments = [a for tag, a in reader.tags if tag == "article"]
    real = [decision for decision in graded.decisions if decision.is_real]
    assert len(moments) == len(real) == len(moments_of(graded))
    tables = [a for tag, a in reader.tags if tag == "svg" and a.get("class") == "table"]
    assert len(tables) == len(real)
    ids = [a["id"] for _, a in reader.tags if "id" in a]
    assert len(ids) == len(set(ids))
    links = [a["href"] for tag, a in reader.tags if tag == "a"]
    assert links == [f"#{one}" for one in ids]
    dots = [a for tag, a in reader.tags if tag == "circle" and "dot" in str(a.get("class"))]
    assert len(dots) == len(real)


def test_the_page_asks_the_network_for_nothing(graded: GameReview) -> None:
    text = page([graded, graded])
    policies = [a["content"] for tag, a in read(text).tags if tag == "meta" and "http-equiv" in a]
    assert [str(one).split(";")[0] for one in policies] == ["default-src 'none'"]
    bare = text.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"https?:|//\w+\.\w|@import|url\(", bare)
    for tag, attributes in read(text).tags:
        assert tag not in ("link", "img", "iframe", "object", "embed", "form")
        assert "src" not in attributes
        assert not any(name.startswith("on") for name in attributes)


def test_names_and_notes_are_text(root: Path) -> None:
    evil = "</script><script>alert(1)</script>"
    game = (root / "scenarios" / "games" / "cross-round.yaml").read_text("utf-8")
    name = re.search(r"players: \[(\w+)", game)
    assert name is not None
    changed = re.sub(rf"\b{name[1]}\b", json.dumps(evil), game)
    text = page([review(replayed(changed.encode()), WorldGrader(20))])
    assert evil not in text
    assert "&lt;/script&gt;" in text
    assert sum(tag == "script" for tag, _ in read(text).tags) == 1


def test_the_graph_shows_one_side(graded: GameReview) -> None:
    shown = [decision for decision, _ in moments_of(graded)]
    found = chances(graded, shown)
    assert [number for number, _ in found] == list(range(len(shown)))
    for number, chance in found:
        decision = shown[number]
        assert decision.verdict.win is not None
        mine = decision.seat == 0
        assert chance == pytest.approx(decision.verdict.win if mine else 1 - decision.verdict.win)
    # The robot won the match with its last tiles: the chance of the human ends near nothing.
    assert found[-1][1] < 0.2


def test_the_course_is_what_was_made_and_what_is_to_come(graded: GameReview) -> None:
    values = course_of(graded, 1)
    real = [d for d in graded.decisions if d.round == 1 and d.verdict.value is not None]
    assert len(values) == len(real)
    first = real[0]
    # Robot led 5-5 for ten points before its first real decision; it is not the first side.
    assert (first.seat, first.n) == (1, 3)
    assert first.verdict.value is not None
    assert values[0] == (3, pytest.approx(-10 - first.verdict.value))
    assert [number for number, _ in values] == [one.n for one in real]


def test_an_annotated_game_is_the_same_game(graded: GameReview, source: bytes) -> None:
    text = annotated(source.decode(), graded)
    again = replayed(text.encode())
    assert again.ok
    before = graded.replay
    assert again.scores == before.scores
    assert [[s.event for s in r.steps] for r in again.rounds] == [
        [s.event for s in r.steps] for r in before.rounds
    ]
    comments = [line for line in text.splitlines() if line.lstrip().startswith(SIGN)]
    judged = [one for one in graded.decisions if one.verdict.loss is not None]
    assert len(comments) == len(judged)
    kept = [line for line in text.splitlines() if not line.lstrip().startswith(SIGN)]
    assert kept == source.decode().splitlines()
    # A second analysis replaces the comments of the first.
    assert annotated(text, review(again, WorldGrader(80))) == text


def test_the_command_annotates(sniff: Sniff, tmp_path: Path, game: Path) -> None:
    marked = tmp_path / "marked.yaml"
    run = sniff("analyze", game, "--worlds", "20", "--jobs", "1", "--annotate", marked)
    assert run.status == 0
    assert SIGN in marked.read_text("utf-8")
    assert sniff("replay", marked).status == 0
    assert sniff("analyze", game, "--worlds", "20", "--annotate", marked).status == 2
    assert sniff("analyze", game, game, "--annotate", tmp_path / "other.yaml").status == 2
    assert sniff("analyze", game, "--worlds", "0", "--annotate", tmp_path / "o.yaml").status == 2


def test_the_command_writes_a_page(sniff: Sniff, tmp_path: Path, game: Path) -> None:
    out = tmp_path / "page.html"
    run = sniff(
        "analyze", game, "--worlds", "20", "--jobs", "1", "--format", "html", "--output", out
    )
    assert (run.status, run.out) == (0, "")
    assert out.read_text("utf-8").startswith("<!DOCTYPE html>")


def graded_as(sniff: Sniff, game: Path, *more: str) -> str:
    words = ("analyze", game, "--worlds", "40", "--jobs", "1", "--quiet", "--fresh")
    return str(sniff(*words, "--format", *more).out)


def test_reasons_in_french_are_marked_and_set_as_french(sniff: Sniff, game: Path) -> None:
    page = graded_as(sniff, game, "html", "--lang", "fr")
    assert '<html lang="en">' in page
    told = re.findall(r'<ul lang="(\w+)">(.*?)</ul>', page, re.DOTALL)
    assert {language for language, _ in told} == {"fr"}
    reasons = " ".join(reason for _, reason in told)
    # A space that does not break stands before each semicolon, as before each colon.
    assert "\u00a0; " in reasons
    assert not re.search(r"[^\u00a0];(?! *&)\s", reasons)


def test_a_sheet_has_no_more_digits_than_an_estimate(sniff: Sniff, game: Path) -> None:
    sheet = list(csv.DictReader(io.StringIO(graded_as(sniff, game, "csv"))))
    numbers = [row[key] for row in sheet for key in ("value", "loss", "loss_se", "win_loss")]
    assert any("." in one for one in numbers)
    assert max(len(one.partition(".")[2]) for one in numbers) <= 4


def test_skill_and_luck_add_up_to_the_result(graded: GameReview) -> None:
    for shares in graded.luck:
        assert len(shares) == 2
        one, two = shares
        assert one is not None
        assert two is not None
        for share in shares:
            assert share is not None
            assert share.margin - share.expected == pytest.approx(share.skill + share.luck)
        assert one.luck == pytest.approx(-two.luck)
    # The first round went 30 to 50; human lost 4 points by choices and robot 1.
    # What is told of the match adds up to its score, which the file has.
    scores = graded.replay.scores
    assert None not in scores
    margins = [
        sum(map(float, re.findall(r"[a-z] ([+-]\d+\.\d)", line.partition("=")[2])))
        for line in summary_lines(graded)
        if " margin " in line
    ]
    assert margins == pytest.approx([scores[0] - scores[1], scores[1] - scores[0]], abs=0.16)
    (first, *_) = luck_of(graded.replay, [(1, 0, 4.0), (1, 1, 1.0)])
    assert first[0] is not None
    assert (first[0].margin, first[0].skill) == (-20, -3)
    # What is not known is not said.
    assert luck_of(graded.replay, [], unknown=[1])[0] == (None, None)
