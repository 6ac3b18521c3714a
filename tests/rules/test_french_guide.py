"""The seven games of the French guide, sentence by sentence (the quotations are the guide's)."""

from __future__ import annotations

import random

import pytest
from kit import attempt_table, lay, refused, ruleset, run, setup_of, start, tiles

from sniffcli.game.actions import Refusal
from sniffcli.game.deal import deal, leader
from sniffcli.game.match import after_round, begin, new_match, winners
from sniffcli.game.settle import pay_blocked, pay_out
from sniffcli.game.state import Hand

CROSS = ["cross", "double-nine-cross", "double-twelve-cross"]
BLOCK = ["block", "block-double-nine", "block-double-twelve"]
SCORING = ["muggins-all-fives", "muggins-fives-and-threes"]
SEVEN = ["block", "draw", *CROSS, *SCORING]


@pytest.mark.parametrize(
    ("name", "tiles_of_set"),
    [("block", 28), ("block-double-nine", 55), ("block-double-twelve", 91)],
)
def test_sets(name: str, tiles_of_set: int) -> None:
    """« Double-6/9/12 contient 28/55/91 dominos. »"""
    assert len(ruleset(name).tiles(2)) == tiles_of_set


@pytest.mark.parametrize("name", SEVEN)
def test_highest_double_opens(name: str) -> None:
    """« Plus grand double ouvre. »"""
    hands = [Hand(tiles("5-5 1-0")), Hand(tiles("6-5 3-3"))]
    choice = leader(setup_of(ruleset(name), 2), hands)
    assert choice.seat == 0
    # « Block, Draw et Cross imposent le plus grand double en ouverture ; dans All Fives, son
    # détenteur peut ouvrir avec n’importe quel domino. »
    assert str(choice.must_lead) == ("None" if name in SCORING else "5-5")


def test_block_does_not_draw() -> None:
    """« Block ne pioche pas »"""
    state = start(ruleset("block"), ["1-1", "5-5"], "3-3 2-2", table=["5-4"])
    assert refused(state, "draw") == "nothing is drawn in this game"
    assert run(state, "pass").turn == 1


@pytest.mark.parametrize("name", ["draw", *CROSS])
def test_draw_until_playable_or_exhausted(name: str) -> None:
    """« Draw pioche jusqu’au coup possible ou épuisement »"""
    hands = ["1-1", "4-4"]
    state = start(ruleset(name), hands, "3-3 5-1", table=["5-4"])
    state = run(state, "draw", "draw")
    assert run(state, "5-1").laid == 1
    state = run(start(ruleset(name), hands, "3-3 2-2", table=["5-4"]), "draw", "draw", "pass")
    assert state.turn == 1


@pytest.mark.parametrize("name", CROSS)
def test_cross_fills_four_arms(name: str) -> None:
    """« Les quatre premiers coups [...] doivent remplir quatre bras différents. »"""
    state = start(ruleset(name), ["5-4 6-1", "5-5 6-2"], table=["6-6", "6-5 on 6-6"])
    assert refused(state, "5-4 on 6-5").endswith("6-6 must be filled first, all 4 faces of it")
    table = ["6-6", "6-5 on 6-6", "6-4 on 6-6", "6-3 on 6-6", "6-2 on 6-6"]
    assert lay(ruleset(name), *table, "5-4 on 6-5").ends == [2, 3, 4, 4]


@pytest.mark.parametrize(("name", "branches"), [("cross", False), *((n, True) for n in CROSS[1:])])
def test_later_doubles_branch_in_the_large_games(name: str, branches: bool) -> None:
    """« grandes versions ajoutent deux branches par double ultérieur »"""
    table = ["6-6", "6-5 on 6-6", "6-4 on 6-6", "6-3 on 6-6", "6-2 on 6-6", "5-5 on 6-5"]
    ends = lay(ruleset(name), *table).ends
    assert ends == sorted([2, 3, 4, 5, *([5, 5] if branches else [])])


@pytest.mark.parametrize(
    ("plays", "fives", "fives_and_threes"),
    [
        (["5-5"], 10, 10),
        (["6-3"], 0, 9),
        (["6-3", "6-6 on 6-3"], 15, 15),
        (["0-0"], 0, 0),
        (["4-3"], 0, 0),
    ],
)
def test_what_scores(plays: list[str], fives: int, fives_and_threes: int) -> None:
    """« All Fives marque les sommes positives divisibles par 5 ; Fives and Threes aussi par 3, une
    seule fois. Doubles comptent les deux moitiés. »"""
    assert lay(ruleset(SCORING[0]), *plays).points[-1] == fives
    assert lay(ruleset(SCORING[1]), *plays).points[-1] == fives_and_threes


def test_a_three_and_the_double_six_make_fifteen() -> None:
    """« Exemple : un 3 exposé et un double-six donnent 15. », « le domino d’ouverture n’est compté
    qu’une fois »"""
    for name in SCORING:
        assert lay(ruleset(name), "6-6", "6-3 on 6-6").sums == [12, 15]


@pytest.mark.parametrize("name", SCORING)
def test_no_spinner(name: str) -> None:
    refusal = attempt_table(ruleset(name), "6-6", "6-5 on 6-6", "6-4 on 6-6", "6-3 on 6-6")
    assert isinstance(refusal, Refusal)


@pytest.mark.parametrize("name", SCORING)
def test_drawing_one_ends_the_turn_and_two_stay(name: str) -> None:
    """« Là, piocher un domino finit le tour et les deux derniers restent. »"""
    state = start(ruleset(name), ["1-1", "2-2"], "5-1 6-6 4-3", table=["5-4"])
    state = run(state, "draw")
    assert state.turn == 1
    assert refused(state, "draw") == "nothing may be drawn: the last 2 tiles stay in the boneyard"


def test_claims() -> None:
    """« Claim réclame le score avant le domino suivant. Un score oublié peut être réclamé par
    Muggins dès ce domino, jusqu’au domino suivant »"""
    state = run(start(ruleset(SCORING[0]), ["5-5 1-0 6-2", "5-1 2-0"], "3-3 4-4"), "5-5")
    assert run(state, "Ann: claim").scores == (10, 0)
    assert run(state, "5-1 on 5-5", "Bob: catch Ann").scores == (0, 10)
    later = run(state, "5-1 on 5-5", "1-0 on 5-1")
    assert [(one.seat, one.points) for one in later.pending] == [(0, 10)], "only the new 10"
    assert "too early" in refused(later, "Bob: catch Ann")


def test_an_empty_hand_or_all_passing_ends_a_round() -> None:
    """« Main vide ou tous passant termine »"""
    out = run(start(ruleset("block"), ["5-1", "3-3"], table=["5-4"]), "5-1 on 5-4")
    stuck = run(start(ruleset("block"), [1, 2], table=["5-4"]), "pass", "pass")
    assert out.result is not None
    assert stuck.result is not None
    assert (out.result.how, stuck.result.how) == ("out", "blocked")


@pytest.mark.parametrize(("name", "bonus"), [(SCORING[0], 20), (SCORING[1], 21), ("block", 21)])
def test_least_left_wins_a_block(name: str, bonus: int) -> None:
    """« plus petit reste gagne le blocage », « chaque perdant rapporte son total moins celui du
    gagnant », « chaque différence est arrondie au multiple de cinq le plus proche ; All Fives and
    Threes utilise la différence exacte » (5 against 19 and 12)"""
    held = [Hand(tiles("4-1")), Hand(tiles("6-6 4-3")), Hand(tiles("6-6"))]
    paid = pay_blocked(setup_of(ruleset(name), 3), held, (5, 19, 12), 0, 0)
    assert (paid.winners, paid.bonus) == ((0,), (bonus, 0, 0))


@pytest.mark.parametrize("name", SEVEN)
def test_equal_lowest_hands_pay_nobody(name: str) -> None:
    """« égalité sans bonus », « Une égalité au plus petit total ne donne aucun bonus. »"""
    held = [Hand(tiles("3-3")), Hand(tiles("6-0")), Hand(tiles("6-6"))]
    paid = pay_blocked(setup_of(ruleset(name), 3), held, (6, 6, 12), 0, 0)
    assert (paid.winners, paid.bonus) == ((), (0, 0, 0))


@pytest.mark.parametrize("name", [*BLOCK, "draw", *CROSS])
def test_going_out_takes_all_that_the_losers_hold(name: str) -> None:
    """« en Block, Draw et Cross, sortir rapporte tous les points restants des perdants »"""
    assert pay_out(setup_of(ruleset(name), 3), 0, (0, 12, 11)).bonus == (23, 0, 0)


@pytest.mark.parametrize(("name", "bonus"), [(SCORING[0], 20), (SCORING[1], 23)])
def test_going_out_in_the_scoring_games(name: str, bonus: int) -> None:
    """« chaque différence est arrondie » (12 and 11)"""
    assert pay_out(setup_of(ruleset(name), 3), 0, (0, 12, 11)).bonus == (bonus, 0, 0)


@pytest.mark.parametrize("name", SEVEN)
def test_first_to_a_hundred_wins(name: str) -> None:
    """« Premier à 100 gagne. »"""
    rules = ruleset(name)
    assert {rules.target(players) for players in rules.legal_players()} == {100}
    state = start(rules, ["6-1", "6-6 5-5"], scores=[90, 0], table=["6-4"])
    state = run(state, "6-1 on 6-4")
    if state.closing:
        state = run(state, "Ann: claim")
    assert winners(after_round(new_match(state.setup), state)) == (0,)


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        # « en Block, 2 joueurs reçoivent 8 dominos chacun, 3–4 en reçoivent 6, et 5 en reçoivent 5.
        # À quatre, double-neuf donne 9 dominos et double-douze 12. »
        ("block", {2: 8, 3: 6, 4: 6, 5: 5}),
        ("block-double-nine", {4: 9}),
        ("block-double-twelve", {4: 12}),
        # « En Draw : 7, 5, 4 ou 3 dominos pour 2, 3, 4 ou 5 joueurs. Cross double-six utilise cette
        # distribution ; Cross double-neuf/douze donne 7 dominos à 2–3 joueurs et 5 à 4–5. »
        ("draw", {2: 7, 3: 5, 4: 4, 5: 3}),
        ("cross", {2: 7, 3: 5, 4: 4, 5: 3}),
        ("double-nine-cross", {2: 7, 3: 7, 4: 5, 5: 5}),
        ("double-twelve-cross", {2: 7, 3: 7, 4: 5, 5: 5}),
        # « All Fives et All Fives and Threes donnent 5 dominos chacun, [...] quatre joueurs. »
        ("muggins-all-fives", {2: 5, 3: 5, 4: 5}),
        ("muggins-fives-and-threes", {2: 5, 3: 5, 4: 5}),
    ],
)
def test_deal(name: str, sizes: dict[int, int]) -> None:
    rules = ruleset(name)
    assert {players: rules.hand_size(players) for players in sizes} == sizes
    assert rules.players.max == (4 if name in SCORING else 5)


@pytest.mark.parametrize("name", SEVEN)
def test_no_double_dealt_is_dealt_again(name: str) -> None:
    """« Sans double distribué, on redistribue. »"""
    setup = setup_of(ruleset(name), 2)
    rng = random.Random(name)
    dealt = [deal(setup, rng) for _ in range(200)]
    assert all(any(t.is_double for hand in one.hands for t in hand) for one in dealt)


def test_partners_in_block_by_four() -> None:
    """« Les partenaires additionnent leurs points restants ; une équipe qui sort gagne les points
    adverses, même si son partenaire garde des dominos. »"""
    rules = ruleset("block")
    assert rules.teams_possible(4)
    setup = setup_of(rules, 4, teams=True)
    assert pay_out(setup, 0, (0, 14, 11, 9)).bonus == (23, 0)
    held = [Hand(tiles(one)) for one in ("1-0", "2-1", "6-6 6-5", "4-0")]
    # 24 against 7: the side with less in both hands wins the difference.
    assert pay_blocked(setup, held, (1, 3, 23, 4), 0, 0).bonus == (0, 17)


def test_points_already_won_stay() -> None:
    """« Les points déjà gagnés pendant la manche restent acquis. »"""
    state = start(ruleset(SCORING[0]), ["5-5 6-6", "5-1"], scores=[20, 0])
    state = run(state, "5-5", "Ann: claim", "5-1 on 5-5")
    assert state.over
    assert state.scores == (30, 10)


@pytest.mark.parametrize("name", SEVEN)
def test_the_highest_double_opens_every_round(name: str) -> None:
    match = new_match(setup_of(ruleset(name), 2))
    rng = random.Random(name)
    state = begin(match, deal(match.setup, rng), rng)
    doubles = sorted(
        (t, s) for s, hand in enumerate(state.hands) for t in hand.tiles if t.is_double
    )
    assert state.leader == doubles[-1][1]
