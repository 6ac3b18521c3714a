"""Titles, trophies and skins: won by play, kept in the user's data, read back or refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from ui.tables import rules_of, session_of, sniff_text

from sniffcli.files.profile import (
    Profile,
    ProfileError,
    from_text,
    load_profile,
    merged,
    save_profile,
    to_text,
)
from sniffcli.show.style import Look
from sniffcli.ui.endings import honoured
from sniffcli.ui.honours import award, title
from sniffcli.ui.keeper import Keeper
from sniffcli.ui.skins import SKINS, may_wear, skinned
from sniffcli.ui.store import GameFile, Sitting


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SNIFF_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


def test_titles_follow_the_family_and_the_sea() -> None:
    assert title(rules_of("all-threes")) == "Grand Master of the Parlor"
    assert title(rules_of("dreamtime-sniff")) == "Admiral of the Sniff"
    assert title(rules_of("block")) != title(rules_of("cross"))


def test_a_won_match_wins_a_trophy_once() -> None:
    session = session_of(sniff_text(bot=True), bots=True)
    session.game.bots_on = False
    for line in ("Ann: 5-5", "Ann: claim", "Bob: resign"):
        assert session.execute(line).ok, line
    profile = Profile()
    assert award(profile, session.game, 0) == ["first-win", "clean-match"]
    assert award(profile, session.game, 0) == []
    assert (profile.matches, profile.wins) == (2, 2)
    assert profile.titles == ["Admiral of the Sniff"]
    assert award(Profile(), session.game, 1) == []


def test_a_match_with_actions_taken_back_wins_nothing(tmp_path: Path) -> None:
    session = session_of(sniff_text(bot=True))
    for line in ("Ann: 5-5", "undo", "Ann: 5-5", "Bob: resign"):
        assert session.execute(line).ok, line
    keeper = Keeper(session, Sitting("dreamtime-sniff"), GameFile(tmp_path / "game.yaml"))
    assert "wins no trophies" in honoured(session, keeper)[-1]
    assert load_profile() == Profile()


def test_honours_are_read_back_and_merged(own_data: Path) -> None:
    one = Profile(3, 1, ["Keeper of the Fives"], ["first-win"], "parlor")
    save_profile(one)
    assert load_profile() == one == from_text(to_text(one))
    other = Profile(2, 2, ["Keeper of the Fives", "Admiral of the Sniff"], ["big-score"])
    assert merged(one, other) == Profile(
        3, 2, ["Keeper of the Fives", "Admiral of the Sniff"], ["first-win", "big-score"], "parlor"
    )


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"sniff": 2}', '{"sniff": 1, "wins": "two"}', '{"sniff": 1, "titles": [1]}',
     '{"sniff": 1, "matches": true}', "[" * 5000],
)  # fmt: skip
def test_a_spoilt_file_of_honours_is_refused(text: str) -> None:
    with pytest.raises(ProfileError):
        from_text(text)


def test_skins_are_won_and_change_looks_only(own_data: Path) -> None:
    won = next(skin for skin in SKINS if skin.won_by == "first-win")
    assert not may_wear(won.name)
    save_profile(Profile(trophies=["first-win"]))
    assert may_wear(won.name)
    drawn = "◄[4|1]►\n\nends 1 4   sum 5"
    dressed = skinned(drawn, won.name, Look())
    assert dressed != drawn
    assert [sign for sign in dressed if sign.isdigit()] == [s for s in drawn if s.isdigit()]
    # In ASCII a skin has nothing to exchange.
    assert skinned(drawn, won.name, Look(unicode=False)) == drawn
    assert json.loads((own_data / "honours.json").read_text())["trophies"] == ["first-win"]
