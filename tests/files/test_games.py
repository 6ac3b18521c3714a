"""Reading game files: the example of the contract, and every way to get a file wrong."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from sniffcli.files.games import RulesGiven, read_game
from sniffcli.files.replay import play_out
from sniffcli.game.state import Hand
from sniffcli.tiles import parse_tile

from .helpers import FILE, codes, problems, record, replay, said

#: The example in section 5 of the contract.
EXAMPLE = """\
sniff: 1
ruleset: all-fives
overrides: {deal: {hand: {2: 7}}, match: {target: 150}}
players: [Ann, Bob]
date: 2024-05-01
scores: {Ann: 45, Bob: 30}
rounds:
  - hands:
      Ann: [6-4, 4-3, 2-2, 3-2, 5-2, 6-3, 6-1]
      Bob: [4-0, 5-5, 5-4, 6-2, 0-0, 5-0, 3-1]
    leader: Bob
    plays:
      - Bob: 5-5
      - Ann: 5-2 on 5-5
      - Bob: 6-2 on 5-2
      - Ann: 6-4 on 6-2
      - Bob: 5-4 on 6-4
      - Ann: [draw 3-3, draw 4-4, draw 1-0, draw 5-1, 5-1 on 5-4]
    written: {Ann: 45, Bob: 55}
"""


def test_the_example_of_the_contract() -> None:
    found = record(EXAMPLE)
    played = replay(EXAMPLE)

    assert found.players == ("Ann", "Bob")
    assert found.scores == (45, 30)
    assert found.date == "2024-05-01"
    assert found.rules.target(2) == 150
    assert len(found.rounds[0].plays) == 10
    assert played.ok
    assert played.rounds[0].how == "unfinished"
    assert played.rounds[0].scores == (45, 55)


def test_marks_lead_to_the_words() -> None:
    found = record(EXAMPLE)

    assert (found.rounds[0].plays[9].mark.line, found.rounds[0].plays[9].mark.column) == (18, 55)
    assert found.rounds[0].at("written.1").line == 19


def changed(old: str, new: str) -> str:
    assert old in EXAMPLE, old
    return EXAMPLE.replace(old, new)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("sniff: 1", "sniff: 2", "game.yaml:1:8: error[version]: this file has format 2, and"),
        ("sniff: 1\n", "", "error[missing-key]: the format version is missing"),
        ("ruleset: all-fives", "ruleset: al-fives", "game.yaml:2:10: error[unknown-ruleset]: no"),
        ("date:", "dat:", 'game.yaml:5:1: error[unknown-key]: unknown key "dat"'),
        ("leader: Bob", "leadr: Bob", 'did you mean "leader"?'),
        ("match: {target: 150}", "match: {targt: 150}", 'did you mean "match.target"?'),
        ("players: [Ann, Bob]", "players: [Ann, Ann]", "error[name]: two players are called"),
        ("players: [Ann, Bob]", "players: [Ann, pass]", "error[name]: 'pass' cannot be a name"),
        ("players: [Ann, Bob]", "players: [Ann]", "two players at least"),
        ("players: [Ann, Bob]", "players: []", "two players at least"),
        ("Bob: 30}", "Bop: 30}", 'did you mean "Bob"?'),
        ("Bob: 30}", "Bob: 3.5}", "is a whole number, not '3.5'"),
        ("leader: Bob", "leader: Cy", "game.yaml:11:13: error[player]: leader: nobody is called"),
        ("4-0, 5-5", "5:5, 305", "game.yaml:10:18: error[tile]: '305' is a number, not a tile"),
        ("6-1]", "6-1, 1-1]", "game.yaml:9:7: error[hand-size]: Ann has 8 tiles, but 7 are dealt"),
        ("6-1]", "5-5]", "error[duplicate-tile]: 5-5 is in Ann's hand (line 9:43) and again in"),
        ("6-1]", "7-3]", "game.yaml:9:43: error[tile]: 7-3 is not in a double-6 set"),
        ("6-4, 4-3", "6–4, 4-3", "U+2013 (en dash)"),
        ("- Ann: 5-2 on 5-5", "- Ann: 5-2 onn 5-5", 'game.yaml:14:14: error[malformed]: "onn"'),
        ("- Ann: 5-2 on 5-5", "- An: 5-2 on 5-5", "game.yaml:14:9: error[player]: plays: nobody"),
        ("- Ann: 5-2 on 5-5", "- 5-2 on 5-5", "error[play]: this entry names nobody"),
        ("- Ann: 5-2 on 5-5", "- {Ann: 5-2, Bob: 5-5}", "this entry holds the keys"),
        ("- Ann: 5-2 on 5-5", "- Ann: [[5-2]]", "not a sequence"),
        ("- Ann: 5-2 on 5-5", "- Ann: []", "Ann does nothing here"),
        ("Bob: 55}", "Bob: 50}", "error[written]: 50 is written for Bob, but the play gives 55"),
        ("rounds:", "tolerate: [misjon]\nrounds:", 'did you mean "misjoin"?'),
        ("rounds:", "seats: {Bob: {bot: strng}}\nrounds:", 'did you mean "strong"?'),
        ("rounds:", "seed: x\nrounds:", "seed is a whole number"),
        ("rounds:", "commitment: abc\nrounds:", "64 digits from 0 to f"),
        ("rounds:", "seats: {Bob: 7}\nrounds:", "a seat is a mapping of keys, like bot: ..."),
        ("rounds:", "tolerate: misjoin\nrounds:", "tolerate is a list, like [misjoin]"),
        ("rounds:", "tolerate: [[misjoin]]\nrounds:", "a sequence is not one of misjoin"),
        ("rounds:", "notes: [a]\nrounds:", "notes is text"),
        ("rounds:", "teams: Ann\nrounds:", "teams is a list, like [[Ann, Cy], [Bob, Di]]"),
        ("ruleset: all-fives", "ruleset: [all-fives]", "ruleset is text"),
        ("players: [Ann, Bob]", "players: Ann and Bob", "players is a list, like [Ann, Bob]"),
        ("players: [Ann, Bob]", "players: [[Ann], Bob]", "a player's name is text"),
        ("{Ann: 45, Bob: 30}", "45", "scores is keyed by player, like {Ann: ..., Bob: ...}"),
        ("leader: Bob", "leader: [Bob]", "leader is the name of a player, not a sequence"),
        ("leader: Bob", "layout: 5-5", "layout is a list, like [5-5, 5-2 on 5-5]"),
        ("leader: Bob", "layout: [[5-5]]", "a layout is a list of plays without players"),
        ("leader: Bob", "layout: ['']", "nothing is written here"),
        ("leader: Bob", "layout: [5-5 onto]", 'did you mean "on"?'),
        ("leader: Bob", "passes: 3", "passes is a whole number from 0 to 2, not '3'"),
        ("leader: Bob", "boneyard: [[6-6]]", "a sequence stands where a tile belongs"),
        ("leader: Bob", "boneyard: [6: 6]", "this is a mapping, not a tile; write it like 5-5"),
        ("      Bob: [4-0,", "      Bob: many #", "is a list of tiles or how many it has"),
        ("rounds:", "teams: [[Ann], [Bob]]\nrounds:", "has no partners with 2 players"),
        ("rounds:", "scores: {Ann: 1}\nrounds:", "error[duplicate-key]"),
        ("    leader", "\tleader", "tab"),
    ],
)
def test_mistakes_are_named_with_their_place(old: str, new: str, expected: str) -> None:
    assert expected in said(changed(old, new))


def test_all_mistakes_at_once() -> None:
    text = changed("date:", "dat:").replace("Bob: 30}", "Bop: 30}").replace("6-4, 4-3", "7-4, x")
    text = text.replace("leader: Bob", "leader: Cy").replace("- Ann: 5-2 on 5-5", "- Ann: foo")

    assert codes(text) == ["unknown-key", "player", "tile", "tile", "player", "malformed"]


def test_a_key_called_on_is_text() -> None:
    # Case C68: YAML 1.1 would make a truth value of it.
    text = changed("- Ann: 5-2 on 5-5", "- {tile: 5-2, on: 5-5}")

    assert 'this entry holds the keys "tile", "on"' in said(text)


def test_names_that_yaml_likes_to_change_stay_as_written() -> None:
    # Case C69.
    found = record(
        """\
        sniff: 1
        ruleset: block
        players: [No, 007, 12:30, Null]
        scores: {No: 1, 007: 2, 12:30: 3, Null: 4}
        rounds: []
        """
    )

    assert found.players == ("No", "007", "12:30", "Null")
    assert found.scores == (1, 2, 3, 4)


def test_tiles_with_a_colon_are_tiles() -> None:
    # Case C66: YAML 1.1 would read 305.
    found = record(changed("5-5, 5-4, 6-2, 0-0, 5-0", "5:5, 5:4, 6:2, 0:0, 5:0"))

    bob = found.rounds[0].hands[1]
    assert bob is not None
    assert parse_tile("5-5") in bob.tiles


@pytest.mark.parametrize(
    ("hands", "expected"),
    [
        # Case C51: a tile on the table and in a hand, and one that the set does not have.
        ("layout: [0-0]\n    hands: {Ann: [0-0], Bob: 7}", "0-0 is in Ann's hand"),
        ("hands: {Ann: [5-0, 1-1, 2-2, 3-3, 4-4, 5-5, 6-6], Bob: [0-5]}", "5-0 is in Ann's hand"),
        ("layout: [7-3]\n    hands: {Ann: 7, Bob: 7}", "7-3 is not in a double-6 set"),
        ("layout: [5-5]\n    hands: {Ann: 14, Bob: 14}", "29 tiles are given, but the set has 28"),
        ("layout: [5-5]\n    hands: {Ann: 7}", "with a layout every hand is a list or a number"),
    ],
)
def test_every_tile_once(hands: str, expected: str) -> None:
    text = f"""\
sniff: 1
ruleset: all-fives
overrides: {{deal: {{hand: {{2: 7}}}}}}
players: [Ann, Bob]
rounds:
  - {hands}
    leader: Ann
"""

    assert expected in said(text)


def test_a_missing_tile_is_named() -> None:
    # Case C51: hands, table and boneyard that make up 27 tiles.
    every = [f"{high}-{low}" for high in range(7) for low in range(high + 1)]
    every.remove("4-2")
    text = f"""\
sniff: 1
ruleset: all-fives
overrides: {{deal: {{hand: {{2: 7}}}}}}
players: [Ann, Bob]
rounds:
  - hands: {{Ann: [{", ".join(every[:7])}], Bob: [{", ".join(every[7:14])}]}}
    boneyard: [{", ".join(every[14:])}]
    leader: Ann
"""

    assert "make up the set: 4-2 is missing" in said(text)


def test_a_number_stands_for_a_hand_that_nobody_saw() -> None:
    found = record(changed("[4-0, 5-5, 5-4, 6-2, 0-0, 5-0, 3-1]", "7"))

    assert found.rounds[0].hands[1] == Hand((), 7)


def test_teams_sit_opposite() -> None:
    text = """\
        sniff: 1
        ruleset: all-fives
        players: [Ann, Bob, Cy, Di]
        teams: [[Di, Bob], [Cy, Ann]]
        scores: {Ann: 10, Di: 5}
        rounds: []
        """

    assert record(text).sides == (0, 1, 0, 1)
    assert record(text).scores == (10, 5)
    wrong = text.replace("[[Di, Bob], [Cy, Ann]]", "[[Ann, Bob], [Cy, Di]]")
    assert "partners sit opposite: write teams: [[Ann, Cy], [Bob, Di]]" in said(wrong)
    unequal = text.replace("Ann: 10, Di: 5", "Ann: 10, Cy: 5")
    assert "Ann and Cy are partners and show the same scores, not 10 and 5" in said(unequal)


def test_too_many_players() -> None:
    text = """\
        sniff: 1
        ruleset: all-fives
        players: [A, B, C, D, E]
        rounds: []
        """

    assert "All Fives is for 2 to 4 players, and 5 are listed" in said(text)


def test_a_file_without_a_ruleset_takes_the_one_given() -> None:
    text = "sniff: 1\nplayers: [Ann, Bob]\nrounds: []\n"

    usual, _ = read_game(text, FILE)
    given, _ = read_game(text, FILE, rules="block")

    assert usual is not None
    assert usual.rules.id == "all-fives"
    assert given is not None
    assert given.rules.id == "block"
    with pytest.raises(RulesGiven):
        read_game(EXAMPLE, FILE, rules="block")


def test_house_rules_of_the_command_line_are_laid_over_those_of_the_file() -> None:
    found, reading = read_game(EXAMPLE, FILE, settings={"match": {"target": 99}})

    assert not reading
    assert found is not None
    assert found.rules.target(2) == 99
    assert found.rules.hand_size(2) == 7


def test_house_rules_of_both_are_checked_together() -> None:
    target: dict[str, object] = {"match": {"target": 99}}

    for wrong, code in (("7", "not-a-mapping"), ("{id: ours}", "fixed-key")):
        text = changed("{deal: {hand: {2: 7}}, match: {target: 150}}", wrong)
        _, reading = read_game(text, FILE, settings=target)
        assert code in [one.code for one in reading]


def test_a_wrong_house_rule_of_the_command_line_is_not_blamed_on_the_file() -> None:
    found, reading = read_game(EXAMPLE, FILE, settings={"match": {"targt": 99}})

    assert found is None
    assert [one.file for one in reading] == ["--set"]


def test_a_ruleset_beside_the_game(tmp_path: Path) -> None:
    (tmp_path / "ours.yaml").write_text("sniff: 1\nid: ours\nextends: all-fives\n")
    text = "sniff: 1\nruleset: ours.yaml\nplayers: [Ann, Bob]\nrounds: []\n"

    found, reading = read_game(text, str(tmp_path / "game.yaml"))

    assert not reading
    assert found is not None
    assert found.rules.id == "ours"


def test_problems_of_that_ruleset_name_its_own_file(tmp_path: Path) -> None:
    (tmp_path / "ours.yaml").write_text("sniff: 1\nid: ours\nextends: all-fives\nscor: 1\n")
    text = "sniff: 1\nruleset: ours.yaml\nplayers: [Ann, Bob]\nrounds: []\n"

    found, reading = read_game(text, str(tmp_path / "game.yaml"))

    assert found is None
    assert [(one.file, one.line) for one in reading] == [(str(tmp_path / "ours.yaml"), 4)]


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_line_ends_and_byte_order_mark(ends: str) -> None:
    text = ("\ufeff" + EXAMPLE.replace("\n", ends)).encode()

    assert problems(text) == []


def test_text_that_is_no_game() -> None:
    assert codes("") == ["empty"]
    assert codes("[1, 2]") == ["not-a-mapping"]
    assert codes("just words") == ["not-a-mapping"]
    assert codes(b"\xff\xfe") == ["encoding"]
    assert "players are missing" in said(dedent("sniff: 1"))


def test_lists_that_no_game_can_have_are_not_gone_through() -> None:
    head = "sniff: 1\nruleset: block\nplayers: [Ann, Bob]\nrounds:\n"

    assert codes(head + "- {}\n" * 1_001) == ["too-long"]
    assert codes(head + f"- hands: {{Ann: [{'6-6, ' * 500}6-6], Bob: 7}}\n") == ["too-long"]
    assert "plays has 5001 items; 5000 at most" in said(
        head + "- plays:\n" + "  - Ann: x\n" * 5_001
    )


def test_of_very_many_problems_the_first_are_listed_and_the_others_counted() -> None:
    head = "sniff: 1\nruleset: block\nplayers: [Ann, Bob]\nrounds:\n- leader: Ann\n  plays:\n"

    found = problems(head + "  - Ann: foo\n" * 150)

    assert len(found) == 101
    assert found[-1].code == "more"
    assert found[-1].message == "50 more problems are not listed"


def test_a_round_whose_plays_cannot_be_read_is_not_taken_for_an_empty_one() -> None:
    found, _ = read_game(changed("    plays:", "    plays: 7\n    redeals:"), FILE)
    assert found is not None

    assert play_out(found).rounds[0].how == "invalid"
