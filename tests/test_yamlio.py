"""Strict YAML: what is refused and where, what words mean, and that writing and reading agree."""

from __future__ import annotations

import math
import tracemalloc

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from sniffcli import yamlio
from sniffcli.problems import Problem
from sniffcli.yamlio import Mark, Node, dump, parse, place, reading, value

PARSERS = [yaml.BaseLoader]
if hasattr(yaml, "CBaseLoader"):
    PARSERS.append(yaml.CBaseLoader)


@pytest.fixture(params=PARSERS, ids=lambda parser: parser.__name__)
def _each_parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """PyYAML may come without its C part; what is refused must not depend on that."""
    monkeypatch.setattr(reading, "_PARSER", request.param)


def read(text: str | bytes) -> object:
    """The plain data of a text that has no problems."""
    node, problems = parse(text, "f.yaml")
    assert problems == []
    assert node is not None
    return value(node)


def found(text: str | bytes) -> list[tuple[int, int, str]]:
    """Line, column and code of every problem."""
    return [(one.line, one.column, one.code) for one in parse(text, "f.yaml")[1]]


@pytest.mark.usefixtures("_each_parser")
class TestWords:
    def test_c66_tiles_with_a_colon_stay_text(self) -> None:
        assert read("hands: {A: [6-6, 6-5], B: [5:5, 5:0, 0:5, 1:10, '6:6']}") == {
            "hands": {"A": ["6-6", "6-5"], "B": ["5:5", "5:0", "0:5", "1:10", "6:6"]}
        }

    def test_c68_a_field_called_on(self) -> None:
        assert read("plays:\n- {tile: 6-6}\n- {tile: 6-3, on: 6-6}") == {
            "plays": [{"tile": "6-6"}, {"tile": "6-3", "on": "6-6"}]
        }

    def test_c69_names_that_yaml_1_1_converts(self) -> None:
        names = ["Jo", "No", "Y", "Null", "007", "12:30", "Off", "~", "True", "NULL"]

        assert read(f"[{', '.join(names)}]") == names

    def test_c75_dates_stay_text(self) -> None:
        dates = ["2001-12-14", "2024-1-2", "1-2-3", "2-1", "2024-05-01T10:00:00Z"]

        assert read(f"[{', '.join(dates)}]") == dates

    @pytest.mark.parametrize(
        ("text", "meaning"),
        [
            ("0", 0),
            ("7", 7),
            ("-3", -3),
            ("150", 150),
            ("true", True),
            ("false", False),
            ("null", None),
            ("05", "05"),
            ("+5", "+5"),
            ("1_000", "1_000"),
            ("0x1F", "0x1F"),
            ("0o7", "0o7"),
            ("2.5", "2.5"),
            ("1e3", "1e3"),
            (".inf", ".inf"),
            ("yes", "yes"),
            ("'7'", "7"),
            ('"true"', "true"),
            ("''", ""),
            ("9" * 5000, "9" * 5000),
        ],
    )
    def test_only_whole_numbers_true_false_and_null_are_converted(
        self, text: str, meaning: object
    ) -> None:
        assert read(f"k: {text}") == {"k": meaning}

    def test_an_empty_value_is_null(self) -> None:
        assert read("a:\nb: [x, ]\nc: {d: }\n") == {"a": None, "b": ["x"], "c": {"d": None}}

    def test_keys_are_read_like_values(self) -> None:
        assert read("{2: 7, '3': 5, no: 1, 007: 2}") == {2: 7, "3": 5, "no": 1, "007": 2}

    def test_line_ends_and_byte_order_mark(self) -> None:
        expected = {"a": 1, "b": ["x", "y"]}

        for end in ("\n", "\r\n", "\r"):
            text = end.join(["a: 1", "b:", "- x", "- y", ""])
            assert read(text) == expected
            assert read(b"\xef\xbb\xbf" + text.encode()) == expected
            assert found(text + "a: 2") == [(5, 1, "duplicate-key")]

    def test_a_file_may_start_and_end_its_one_document(self) -> None:
        assert read("# a game\n---\na: 1\n...\n") == {"a": 1}


@pytest.mark.usefixtures("_each_parser")
class TestRefusals:
    def test_duplicate_keys_name_both_places(self) -> None:
        node, problems = parse("a: 1\nb:\n  c: 1\n  d: 2\n  'c': 3\n", "f.yaml")

        assert [str(one) for one in problems] == [
            'f.yaml:5:3: error[duplicate-key]: "c" is written twice; first at line 3, column 3'
        ]
        assert node is not None
        assert value(node) == {"a": 1, "b": {"c": 1, "d": 2}}

    def test_keys_that_one_mapping_cannot_tell_apart(self) -> None:
        assert found("1: a\ntrue: b\n") == [(2, 1, "duplicate-key")]
        assert found("0: a\n-0: b\n") == [(2, 1, "duplicate-key")]

    def test_several_problems_at_once_in_the_order_of_the_file(self) -> None:
        assert found("a: &x 1\nb: *x\nc: !!str 3\na: 2\n? [q]\n: 1\n---\nd: 1\n") == [
            (1, 4, "anchor"),
            (2, 4, "alias"),
            (3, 4, "tag"),
            (4, 1, "duplicate-key"),
            (5, 3, "key"),
            (7, 1, "document"),
        ]

    @pytest.mark.parametrize("tag", ["!", "!x", "!!python/object:os.system", "!!map", "!<tag:x>"])
    def test_tags(self, tag: str) -> None:
        assert found(f"a: {tag} {{b: 1}}") == [(1, 4, "tag")]

    def test_c71_an_alias_bomb_is_refused_in_little_memory(self) -> None:
        lines = ["notes:", "  a0: &a0 [x, x, x, x, x, x, x, x, x]"]
        lines += [f"  a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
        tracemalloc.start()
        node, problems = parse("\n".join(lines), "bomb.yaml")
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()

        assert peak < 2_000_000
        assert problems[0].code == "anchor"
        assert {one.code for one in problems} == {"anchor", "alias"}
        assert len(str(node)) < 100_000

    def test_a_list_that_holds_itself(self) -> None:
        assert found("&a [*a]") == [(1, 1, "anchor"), (1, 5, "alias")]

    @pytest.mark.parametrize(
        ("text", "place_of_tab"),
        [
            ("hand:\n\t- 6-6\n", (2, 1)),
            ("tile: 6-6\t# lead\n", (1, 10)),
            ("a:\n  b: 1\n\tc: 2\n", (3, 1)),
            ("a:\n  \tb: 1\n", (2, 3)),
            ("a: b\n\tc\n", (2, 1)),
            ("a:\t1\n", (1, 3)),
            ("a: [1,\n\t2]\n", (2, 1)),
        ],
    )
    def test_c73_tabs(self, text: str, place_of_tab: tuple[int, int]) -> None:
        problems = parse(text, "f.yaml")[1]

        assert [(one.line, one.column) for one in problems] == [place_of_tab]
        assert "tab" in problems[0].message

    def test_tabs_in_quotes_and_comments_are_text(self) -> None:
        assert read("a: 'x\ty' # c\td\nb: \"#\t#\"\n#\tend\n") == {"a": "x\ty", "b": "#\t#"}

    def test_a_large_file_full_of_quoted_tabs_takes_no_square_of_time(self) -> None:
        """A search through all quoted texts for each tab would take minutes here."""
        assert len(read('- "a\tb"\n' * 20_000)) == 20_000  # type: ignore[arg-type]

    @pytest.mark.parametrize("text", ["- " * 1100 + "x", "[" * 100_000, "{a: " * 500, "[{a: " * 30])
    def test_c77_deep_nesting(self, text: str) -> None:
        node, problems = parse(text, "f.yaml")

        assert [one.code for one in problems] == ["nesting"]
        assert node is None

    def test_twenty_levels_are_read_and_one_more_is_not(self) -> None:
        assert found("[" * 20 + "]" * 20) == []
        assert found("[" * 21 + "]" * 21) == [(1, 21, "nesting")]

    def test_size(self) -> None:
        line = b"# 3456789\n"
        most = line * (yamlio.MAX_BYTES // 10 - 1) + b"a: 345678\n"

        assert read(most) == {"a": 345678}
        assert found(most + b"\n") == [(1, 1, "size")]
        assert found("é" * (yamlio.MAX_BYTES // 2 + 1)) == [(1, 1, "size")]

    @pytest.mark.parametrize(
        ("text", "where"),
        [(b"a: \xe9", (1, 4)), (b"a: 1\r\nb: \xc3\xa9\xff", (2, 5)), (b"\xff\xfea\x00", (1, 1))],
    )
    def test_bytes_that_are_not_utf_8(self, text: bytes, where: tuple[int, int]) -> None:
        assert found(text) == [(*where, "encoding")]

    @pytest.mark.parametrize("sign", ["\x00", "\x1b", "\x7f", "\x85", "\u2028", "\ufeff", "\ud800"])
    def test_characters_that_cannot_be_seen(self, sign: str) -> None:
        assert found(f"a: 1\nb: x{sign}y\n") == [(2, 5, "character")]

    def test_escapes_cannot_bring_in_what_a_terminal_acts_on(self) -> None:
        assert found('a: "\\e[2J"') == [(1, 4, "character")]
        assert read('a: "\\t\\n\\u00e9"') == {"a": "\t\né"}

    @pytest.mark.parametrize("text", ["", " \n", "# comment\n", "---\n", "\ufeff", "---\n...\n"])
    def test_empty_files(self, text: str) -> None:
        assert found(text) == [(1, 1, "empty")]

    @pytest.mark.parametrize(
        ("text", "line"),
        [
            ("a: 1\nb: [1, 2\n", 3),
            ("a: b: c\n", 1),
            ("a: 1\n  b: 2\n", 2),
            ("}", 1),
            ("a: %x\n", 1),
        ],
    )
    def test_syntax_errors_are_one_line_each(self, text: str, line: int) -> None:
        problems = parse(text, "f.yaml")[1]

        assert [one.code for one in problems] == ["syntax"]
        assert problems[0].line == line
        assert "\n" not in str(problems[0])

    def test_problems_before_a_syntax_error_are_kept(self) -> None:
        assert found("a: 1\na: 2\nb: c: d\n") == [(2, 1, "duplicate-key"), (3, 5, "syntax")]

    def test_thousands_of_problems_are_not_all_listed(self) -> None:
        problems = parse("a: 1\n" * 5000, "f.yaml")[1]

        assert len(problems) == 101
        assert problems[-1].message == "4899 more problems like these are not listed"


@pytest.mark.usefixtures("_each_parser")
@given(
    st.one_of(st.binary(max_size=60), st.text(max_size=60), st.text("-[]{}:&*!|>'\"#%@ \t\nax01,?"))
)
def test_any_bytes_give_a_value_or_problems(text: str | bytes) -> None:
    node, problems = parse(text, "f.yaml")

    assert node is not None or problems
    assert all(isinstance(one, Problem) and "\n" not in str(one) for one in problems)
    if node is not None:
        value(node)


class TestPlaces:
    TEXT = (
        "sniff: 1\ndeal:\n  hand: {2: 7, 3: 5}\nplays:\n  - Bob: 5-5\n  - Ann: [draw 3-3, pass]\n"
    )

    def node(self) -> Node:
        node, problems = parse(self.TEXT, "f.yaml")
        assert node is not None
        assert not problems
        return node

    @pytest.mark.parametrize(
        ("path", "at_value", "at_key"),
        [
            ((), (1, 1), (1, 1)),
            (("sniff",), (1, 8), (1, 1)),
            (("deal", "hand"), (3, 9), (3, 3)),
            (("deal", "hand", 3), (3, 19), (3, 16)),
            (("deal", "hand", "3"), (3, 19), (3, 16)),
            (("plays", 1, "Ann", 1), (6, 21), (6, 21)),
            (("plays", 0, "Bob"), (5, 10), (5, 5)),
        ],
    )
    def test_of_what_is_there(
        self, path: tuple[str | int, ...], at_value: tuple[int, int], at_key: tuple[int, int]
    ) -> None:
        assert place(self.node(), path) == Mark(*at_value)
        assert place(self.node(), path, key=True) == Mark(*at_key)

    @pytest.mark.parametrize(
        ("path", "parent"),
        [
            (("deal", "redeal_if"), (3, 3)),
            (("plays", 7, "Ann"), (5, 3)),
            (("sniff", "x", "y"), (1, 8)),
            (("plays", -1), (5, 3)),
        ],
    )
    def test_of_what_is_missing_is_the_nearest_parent(
        self, path: tuple[str | int, ...], parent: tuple[int, int]
    ) -> None:
        assert place(self.node(), path) == Mark(*parent)
        assert place(self.node(), path, key=True) == Mark(*parent)


HARD_TEXTS = [
    *"no On y NULL null true ~ 007 7 -7 1e3 1_000 12:30 6:6 0:0 0x1F 0o7 .5 2.5 .inf nan".split(),
    *"2024-05-01 6-3 12-12 6|3 = << - ? : * & ! % @ ` --- ... #x a#b".split(),
    *["", " ", " a", "a ", "a: b", "a #b", "6-3 on 6-6 side after 6.9s", "a\n", "a\n\nb", "- x"],
]
TEXTS = st.one_of(
    st.text(
        st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="\u2028\u2029\ufeff")
    ).filter(lambda text: not any(sign in text for sign in "\ufffe\uffff")),
    st.text("ab \n#:-'\"|>\t,[]{}\\"),
    st.sampled_from(HARD_TEXTS),
)
SCALARS = st.none() | st.booleans() | st.integers(-(10**50), 10**50) | TEXTS
#: 1 and true are the same key to Python, so keys are numbers or text here.
KEYS = st.integers(-99, 99) | TEXTS
DATA = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


def without_clashes(data: object) -> bool:
    """Whether no mapping holds both a number and the text of that number as keys."""
    if isinstance(data, dict):
        return len({str(key) for key in data}) == len(data) and all(
            map(without_clashes, data.values())
        )
    return all(map(without_clashes, data)) if isinstance(data, list) else True


class TestWriting:
    @given(DATA.filter(without_clashes))
    def test_what_is_written_is_read_back(self, data: object) -> None:
        text = dump([data])

        assert read(text) == [data]
        assert read(text.encode()) == [data]
        assert yaml.safe_load(text) == [data]
        assert dump(read(text)) == text

    @pytest.mark.usefixtures("_each_parser")
    def test_game_files_look_like_those_in_the_contract(self) -> None:
        game = {
            "sniff": 1,
            "ruleset": "all-fives",
            "overrides": {"deal": {"hand": {2: 7}}, "score": {"divisors": [5]}},
            "players": ["Ann", "No", "007", "Ian O'Hara"],
            "teams": [["Ann", "007"], ["No", "Ian O'Hara"]],
            "date": "2024-05-01",
            "notes": "first line\nsecond: line\n",
            "scores": {"Ann": 45, "No": 30},
            "rounds": [
                {
                    "hands": {"Ann": ["6-4", "4-3"], "No": 7},
                    "plays": [{"No": "5-5"}, {"Ann": ["draw 3-3", "5-2 on 5-5 after 6.9s"]}],
                    "redeals": [],
                }
            ],
        }

        assert read(dump(game)) == game
        assert dump(game) == (
            "sniff: 1\n"
            "ruleset: all-fives\n"
            "overrides:\n"
            "  deal:\n"
            "    hand:\n"
            "      2: 7\n"
            "  score:\n"
            "    divisors: [5]\n"
            'players: [Ann, "No", "007", Ian O\'Hara]\n'
            "teams:\n"
            '  - [Ann, "007"]\n'
            '  - ["No", Ian O\'Hara]\n'
            'date: "2024-05-01"\n'
            "notes: |\n"
            "  first line\n"
            "  second: line\n"
            "scores:\n"
            "  Ann: 45\n"
            '  "No": 30\n'
            "rounds:\n"
            "  - hands:\n"
            "      Ann: [6-4, 4-3]\n"
            '      "No": 7\n'
            "    plays:\n"
            '      - "No": 5-5\n'
            "      - Ann: [draw 3-3, 5-2 on 5-5 after 6.9s]\n"
            "    redeals: []\n"
        )

    def test_a_list_longer_than_a_line_takes_one_line_each(self) -> None:
        rest = ["x" * 10] * 7

        assert len(dump({"k": ["z" * 11, *rest]}).splitlines()) == 1
        assert dump({"k": ["z" * 12, *rest]}).splitlines() == [
            "k:",
            "  - zzzzzzzzzzzz",
            *["  - xxxxxxxxxx"] * 7,
        ]

    def test_comments_stand_before_their_items(self) -> None:
        data = {"plays": [{"Bob": "5-5"}, {"Ann": "5-2 on 5-5"}], "hand": ["6-3", "6-4"]}
        comments = {
            (): "Annotated",
            ("plays", 1): "slip: 10 points left\nbest 5-0\ton 5-5",
            ("hand", 0): "kept",
            ("plays", 0, "Bob"): "lead",
        }
        text = dump(data, comments)

        assert text == (
            "# Annotated\n"
            "plays:\n"
            "  -\n"
            "    # lead\n"
            "    Bob: 5-5\n"
            "  # slip: 10 points left\n"
            "  # best 5-0 on 5-5\n"
            "  - Ann: 5-2 on 5-5\n"
            "hand:\n"
            "  # kept\n"
            "  - 6-3\n"
            "  - 6-4\n"
        )
        assert read(text) == data

    def test_decimals_are_written_for_fields_that_take_a_number(self) -> None:
        assert dump({"s": [2.5, 7.0, 1e-7, -0.25]}) == "s: [2.5, 7.0, 0.0000001, -0.25]\n"

    def test_long_keys(self) -> None:
        data = {"k" * 3000: {"x": [1, {"y": 2}]}, "z": 1}

        assert read(dump(data)) == data

    @pytest.mark.parametrize("data", [math.nan, math.inf, {1, 2}, b"x", "\ud800", 10**100])
    def test_what_cannot_be_written_is_misuse(self, data: object) -> None:
        with pytest.raises(ValueError, match="cannot be written"):
            dump({"k": data})
