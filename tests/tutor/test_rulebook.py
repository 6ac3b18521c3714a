"""The rulebook: complete, true to the switches, and readable in both languages at any width."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from kit import nested, ruleset

from sniffcli.ruleset.idle import IDLE
from sniffcli.ruleset.keys import HEAD, Key, keys
from sniffcli.ruleset.library import shipped
from sniffcli.ruleset.loading import build, read_draft, with_settings
from sniffcli.ruleset.model import Ruleset
from sniffcli.ruleset.plain import resolved
from sniffcli.ruleset.readers import Choice, Flag, Listed, Mapped, OneTile, Time, Whole
from sniffcli.table.counting import count
from sniffcli.table.frontier import EMPTY, joins
from sniffcli.tutor.rulebook.book import Origin, parts, write
from sniffcli.tutor.rulebook.rendering import as_markdown, as_text, ascii_only
from sniffcli.tutor.rulebook.scope import Scope
from sniffcli.tutor.rulebook.scoring import largest_sum
from sniffcli.tutor.rulebook.words import Words

ENGLISH, FRENCH = Words("en"), Words("fr")

#: Rulesets in which every key has an effect somewhere.
BASES = (
    "all-fives",
    "all-threes-partners",
    "bergen",
    "block",
    "cross",
    "dreamtime-sniff",
    "fives-and-threes",
    "maltese-cross",
    "matador",
    "muggins",
    "muggins-fives-and-threes",
    "seven-toed-pete",
)

TAGGED: dict[str, list[Any]] = {
    "holder_of": ["5-5", "6-6"],
    "doubles": [4, 5],
    "seconds": [5, "7.5"],
    "flat": [1, 2],
    "fixed": [1, 3],
    "per_knock": [1, 2],
}


def scope(rules: Ruleset, words: Words = ENGLISH) -> Scope:
    return Scope(rules, tuple(rules.legal_players()), words, examples=False)


@cache
def statements(rules: Ruleset) -> tuple[str, ...]:
    return tuple(text for part in parts(scope(rules)) for text in part.statements())


def said(rules: Ruleset, words: Words = ENGLISH) -> str:
    """All statements as one text with plain spaces and apostrophes."""
    every = (text for part in parts(scope(rules, words)) for text in part.statements())
    return "\n".join(every).replace("\u00a0", " ").replace("’", "'")


def changeable() -> Iterator[Key]:
    for path, key in keys().items():
        if key.reader is not None and path[0] not in HEAD and path != ("group",):
            yield key


def alternatives(key: Key) -> list[Any]:
    """Values that a key may have, each kind of value at least once."""
    reader = key.reader
    if isinstance(reader, Choice):
        numbers = [reader.low, reader.low + 1] if reader.number else []
        tags = [{tag: value} for tag in reader.tags for value in TAGGED[tag]]
        return [*reader.words, *numbers, *tags]
    if isinstance(reader, Flag):
        return [True, False]
    if isinstance(reader, Whole):
        top = reader.low + 5 if reader.high is None else min(reader.high, reader.low + 5)
        return [*range(reader.low, top + 1), *([9] if reader.high and reader.high > 9 else [])]
    if isinstance(reader, Time):
        return [3, "7.5"]
    if isinstance(reader, Listed):
        if isinstance(reader.of, OneTile):
            return [[], ["0-0"], ["6-1", "0-0"], *reader.words]
        if isinstance(reader.of, Choice):
            return [[], ["double"], ["score"], ["double", "score"]]
        return [[5], [3], [5, 3], [7]]
    assert isinstance(reader, Mapped), key
    found: list[Any] = [*reader.words, *([None] if reader.none_word else [])]
    if isinstance(reader.of, Listed):
        return [*found, ["0-0"], {3: ["0-0"]}, {4: ["1-1"]}]
    if isinstance(reader.alone, Whole):
        found += [1, 2, 60]
    return [*found, {2: 5, 3: 5, 4: 5, 5: 4}, {2: 6, 3: 6, 4: 6, 5: 5}]


@cache
def changes(base: str) -> list[tuple[str, Ruleset]]:
    """Every legal ruleset that differs from BASE in one key, with that key."""
    draft, problems = read_draft(base)
    assert draft is not None
    rules, _ = build(draft, problems)
    assert rules is not None
    found = []
    for key in changeable():
        for value in alternatives(key):
            changed, _ = build(*with_settings(draft, nested({key.dotted: value})))
            if changed is not None and resolved(changed) != resolved(rules):
                found.append((key.dotted, changed))
    return found


def pays_pips(rules: Ruleset) -> bool:
    end = rules.round_end
    words = [end.out.award, end.blocked.award if end.blocked.winner != "none" else "none"]
    return any(isinstance(word, str) and word != "none" for word in words)


def draws(rules: Ruleset) -> bool:
    return any(scope(rules).drawable(number) for number in rules.legal_players())


def leader_may_lack_tile(rules: Ruleset) -> bool:
    """Whether `open.if_none` can ever be asked."""
    if rules.open.tile in ("double", "double_or_scoring"):
        return True
    by_double = rules.open.first_leader in ("highest_double", "lowest_double")
    return by_double and rules.deal.redeal_if != "no_double_dealt"


def same_leader(rules: Ruleset, changed: Ruleset) -> bool:
    """Whether every later round is led by the same rule in both."""

    def rule(rules: Ruleset, tied: bool) -> str:
        wanted = rules.open
        found = wanted.next_leader_after_tie if tied else "as_next"
        found = wanted.next_leader_after_block if found == "as_next" else found
        return wanted.next_leader if found == "as_next" else found

    if rules.match.rounds == 1:
        return True
    ties = rules.round_end.blocked.winner != "none"
    return all(rule(rules, tied) == rule(changed, tied) for tied in ((False, True)[: 1 + ties]))


#: Changes of a key that change nothing at the table, and why.
NO_EFFECT: dict[str, Callable[[Ruleset, Ruleset], bool]] = {
    # Tiles taken out for a number of players that never plays.
    "set.remove": lambda a, b: all(a.removed(n) == b.removed(n) for n in a.legal_players()),
    # Both mean that four players are always two pairs.
    "players.teams": lambda a, b: all(
        a.teams_required(n) == b.teams_required(n) and a.teams_possible(n) == b.teams_possible(n)
        for n in a.legal_players()
    ),
    "deal.hand": lambda a, b: all(a.hand_size(n) == b.hand_size(n) for n in a.legal_players()),
    "open.if_none": lambda a, b: not leader_may_lack_tile(a),
    "open.next_leader": lambda a, b: (
        a.match.rounds == 1
        or {
            a.open.next_leader,
            b.open.next_leader,
            a.open.first_leader,
        }
        == {"host", "as_first"}
    ),
    "open.next_leader_after_block": same_leader,
    "open.next_leader_after_tie": same_leader,
    "joining.sum": lambda a, b: a.complement_sum == b.complement_sum,
    "score.combine": lambda a, b: len(a.score.divisors) == 1,
    "score.entry_minimum": lambda a, b: {a.score.entry_minimum, b.score.entry_minimum} == {0, 1},
    "draw.when": lambda a, b: not draws(a) and not draws(b),
    "draw.limit": lambda a, b: not draws(a),
    "draw.limit_during_fill": lambda a, b: b.draw.limit_during_fill == a.draw.limit,
    "extra_turn.after": lambda a, b: a.score.kind == "none" and "double" not in b.extra_turn.after,
    # Alone, whoever goes out has no pips left and no partner.
    "round_end.out.award": lambda a, b: (
        a.players.teams == "none"
        and {a.round_end.out.award, b.round_end.out.award}
        <= {"opponents_pips", "all_others_pips", "differences"}
    ),
    "round_end.round.to": lambda a, b: (
        {a.round_end.round.to, b.round_end.round.to} == {0, 1} or not pays_pips(a)
    ),
    "round_end.divide": lambda a, b: not pays_pips(a),
    "round_end.hand_double": lambda a, b: not pays_pips(a),
    "match.target": lambda a, b: all(a.target(n) == b.target(n) for n in a.legal_players()),
}


@pytest.mark.parametrize("base", BASES)
def test_every_switch_that_has_an_effect_changes_the_text(base: str) -> None:
    rules = ruleset(base)
    text = statements(rules)
    silent = []
    for key, changed in changes(base):
        idle = key in NO_EFFECT and NO_EFFECT[key](rules, changed)
        if statements(changed) == text and not idle:
            silent.append((key, resolved(changed)))
    assert not silent


def test_every_switch_is_tried_and_changes_the_text_somewhere() -> None:
    seen = {key for base in BASES for key, _ in changes(base)}
    told = {
        key
        for base in BASES
        for key, changed in changes(base)
        if statements(changed) != statements(ruleset(base))
    }
    every = {key.dotted for key in changeable()}
    assert every - seen == set()
    assert every - told == set()


@pytest.mark.parametrize("base", shipped())
def test_a_switch_without_effect_is_not_spoken_of(base: str) -> None:
    rules = ruleset(base)
    text = statements(rules)
    data = _without_none(resolved(rules))
    for idle in IDLE:
        if not idle.found(rules):
            continue
        below = [key for key in changeable() if f"{key.dotted}.".startswith(f"{idle.key}.")]
        for key in below:
            for value in alternatives(key):
                changed = Ruleset.read(_with(data, key.path, value))
                if idle.found(changed):  # some values of a key bring it to life themselves
                    assert statements(changed) == text, f"{key.dotted}: {value}"


def _without_none(data: Any) -> Any:
    if not isinstance(data, dict):
        return data
    return {key: _without_none(one) for key, one in data.items() if one is not None}


def _with(data: dict[str, Any], path: tuple[str, ...], value: Any) -> dict[str, Any]:
    """Return the data of a ruleset with one key changed."""
    head, *rest = path
    inner = _with(data.get(head, {}), tuple(rest), value) if rest else value
    return _without_none({**data, head: inner})


@pytest.mark.parametrize("base", shipped())
def test_french_shares_no_sentence_with_english(base: str) -> None:
    rules = ruleset(base)
    books = [write(rules, words) for words in (ENGLISH, FRENCH)]
    english, french = (
        # The source is a quotation, the same in every language.
        {text for part in book.parts[:-1] for text in (part.title, *part.statements())}
        | {book.summary, book.title}
        for book in books
    )
    assert len(english) > 25
    assert english & french == set()


def test_no_sentence_of_any_house_rule_lacks_french() -> None:
    for base in ("all-fives", "dreamtime-sniff", "fives-and-threes", "maltese-cross", "matador"):
        for _, changed in changes(base):
            english = set(statements(changed))
            french = {text for part in parts(scope(changed, FRENCH)) for text in part.statements()}
            assert len(french) == len(english)
            assert english & french == set()


@pytest.mark.parametrize("width", [20, 40, 80])
@pytest.mark.parametrize("words", [ENGLISH, FRENCH], ids=["en", "fr"])
def test_no_line_is_wider_than_the_page(words: Words, width: int) -> None:
    for base in shipped():
        if width == 20 and base == "double-twelve-cross":
            continue  # two tiles of two digits and a label do not fit twenty columns
        text = as_text(write(ruleset(base), words, width=width), width)
        assert max(map(len, text.splitlines())) <= width, base


@pytest.mark.parametrize("words", [ENGLISH, FRENCH], ids=["en", "fr"])
def test_plain_ascii_is_plain(words: Words) -> None:
    for base in shipped():
        book = write(ruleset(base), words, unicode=False)
        assert as_text(book, 80, unicode=False).isascii()
        assert "?" not in ascii_only(as_markdown(book))


def test_markdown_has_the_same_parts() -> None:
    book = write(ruleset("all-fives"), ENGLISH)
    text = as_markdown(book)
    assert text.startswith("# All Fives: the rules\n")
    assert [line[3:] for line in text.splitlines() if line.startswith("## ")] == [
        part.title for part in book.parts
    ]
    assert "| 2 | 9 | 10 | 10 |" in text


# --- sums ---------------------------------------------------------------------------------------


def test_the_pub_game_pays_what_its_source_prints() -> None:
    """Fives and Threes, rules.md 2.6: points for each sum up to the largest."""
    text = as_text(write(ruleset("fives-and-threes"), ENGLISH), 80)
    assert "  sum      3  5  6  9 10 12 15 18 20 21\n" in text
    assert "  points   1  1  2  3  2  4  8  6  4  7\n" in text


@pytest.mark.parametrize(
    ("base", "largest"),
    [
        # Two doubles at the ends of a line: 12 + 10.
        ("muggins", 22),
        # Four arms that end in 6-6, 5-5, 4-4 and 3-3: 12 + 10 + 8 + 6.
        ("all-fives", 36),
        ("sniff", 36),
    ],
)
def test_the_largest_sum_is_that_of_the_best_doubles(base: str, largest: int) -> None:
    assert largest_sum(scope(ruleset(base))) == largest


def test_no_random_table_passes_the_largest_sum() -> None:
    rng = random.Random(1)
    for base in ("muggins", "all-fives", "sniff", "all-threes", "merry-go-round"):
        rules = ruleset(base)
        limit = largest_sum(scope(rules))
        for _ in range(20):
            frontier, left = EMPTY, list(rules.tiles(2))
            rng.shuffle(left)
            while True:
                found = [
                    (count(rules, join.frontier), -index, join)
                    for index, tile in enumerate(left)
                    for join in joins(rules, frontier, tile, frozenset())
                ]
                if not found:
                    break
                # Mostly the largest sum, so that the limit is tried hard.
                total, index, join = max(found)[:3] if rng.random() < 0.7 else rng.choice(found)
                assert total <= limit
                frontier = join.frontier
                del left[-index]


# --- examples -----------------------------------------------------------------------------------


def test_the_example_of_the_end_is_settled_by_the_rules() -> None:
    """Bob 12, Cy 11, Di 6: 29 pips, 30 when rounded to fives; by difference 9 + 8 + 3 = 20."""
    fives = as_text(write(ruleset("all-fives"), ENGLISH), 80)
    assert re.search(r"Ann +- +0 +30\n +Bob +5-4 3-0 +12 +0\n", fives)
    cross = as_text(write(ruleset("cross"), ENGLISH), 80)
    assert re.search(r"Ann +2-1 +3 +20\n", cross)
    # Each hand by itself: 12, 11 and 6 are 10, 10 and 5.
    muggins = as_text(write(ruleset("muggins-all-fives"), ENGLISH), 80)
    assert re.search(r"Ann +- +0 +25\n", muggins)


def test_partners_are_shown_where_pairs_always_play() -> None:
    """Bob and Di hold 12 and 6: 18 pips for Ann and Cy."""
    text = as_text(write(ruleset("partnership"), ENGLISH), 80)
    assert "Ann and Cy are partners." in text
    assert re.search(r"Ann +- +0 +18\n", text)
    assert re.search(r"Cy +6-3 1-1 +11 +18\n", text)


def test_the_example_of_the_counting_is_drawn() -> None:
    """5-5 alone is 10; with 5-2 on one side 12; 5-1 on the other covers it: 2 + 1."""
    text = as_text(write(ruleset("muggins-fives-and-threes"), ENGLISH), 80)
    assert re.search(r"5-5 +10 +10\n +5-2 on 5-5 +12 +12\n +5-1 on 5-5 +3 +3\n", text)
    assert "│─│[2|5]│─│[5|1]" in text


# --- numbers of players, house rules ------------------------------------------------------------


def test_a_book_for_some_players_says_nothing_of_others() -> None:
    text = as_text(write(ruleset("all-fives"), ENGLISH, players=[2]), 80)
    assert "The target is 250 points." in text
    assert "pairs" not in text
    assert re.search(r"\n +2 +9 +10 +10\n\n", text)


def test_house_rules_are_said_in_words_and_keys() -> None:
    rules = ruleset("all-fives", {"match.target": 100, "draw.reserve": 2})
    book = write(rules, ENGLISH, origin=Origin(before=ruleset("all-fives")))
    (part,) = (one for one in book.parts if one.title == "House rules in force")
    assert "The target is 100 points." in part.statements()
    assert "Tiles of the boneyard that nobody ever draws: 2." in part.statements()
    text = as_text(book, 80)
    assert re.search(r"match.target +100 +\{2: 250, 3: 200, 4: 200\}", text)


def test_the_summary_of_a_file_is_left_out_where_house_rules_may_belie_it() -> None:
    before = ruleset("fives-and-threes")
    assert "61" in write(before, ENGLISH).summary
    changed = ruleset("fives-and-threes", {"match.target": 100})
    assert write(changed, ENGLISH, origin=Origin(before=before)).summary == ""


def test_what_differs_from_the_parent_is_listed() -> None:
    book = write(ruleset("sniff"), ENGLISH, origin=Origin(parent=ruleset("all-fives")))
    text = as_text(book, 80)
    assert "What differs from All Fives" in text
    assert re.search(r"score.spinner_counts +exposed_halves +until_two_faces", text)
