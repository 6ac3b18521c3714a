"""The French rulebook: complete, and every rule of the guide to the seven variants is in it.

The rules are told here in our own words; the guide itself is the seed of these rulesets.
"""

from __future__ import annotations

from functools import cache

import pytest
import translations
from kit import ruleset

from sniffcli.tutor.rulebook.book import write
from sniffcli.tutor.rulebook.rendering import as_text
from sniffcli.tutor.rulebook.words import Words

SEVEN = (
    "block",
    "draw",
    "cross",
    "double-nine-cross",
    "double-twelve-cross",
    "muggins-all-fives",
    "muggins-fives-and-threes",
)
SCORING = SEVEN[-2:]
CROSSES = SEVEN[2:5]
FORCED = SEVEN[:5]


def test_nothing_is_missing_unsure_or_left_over() -> None:
    assert list(translations.problems()) == []


def test_a_gap_in_the_translation_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    catalog = translations.read("fr")
    catalog.get("Nothing is drawn.").string = ""
    catalog.get("Doubles lie across the line.").flags.add("fuzzy")
    catalog.get("The target is {points}.").string = "Il faut atteindre {point}."
    catalog.delete("The turn passes clockwise.")
    catalog.add("Nobody says this any more.", "Personne ne le dit plus.")
    monkeypatch.setattr(translations, "read", lambda language: catalog)

    assert {one.partition(": ")[2] for one in translations.problems()} == {
        "not there: The turn passes clockwise.",
        "no longer used: Nobody says this any more.",
        "not translated: Nothing is drawn.",
        "unsure (fuzzy): Doubles lie across the line.",
        "other values than in the sentence: The target is {points}.: {points}, {point}",
        "the compiled catalogue is older; run tests/translations.py",
    }


@cache
def book(name: str) -> str:
    """The French rulebook as one line with plain spaces and apostrophes."""
    text = as_text(write(ruleset(name), Words("fr")), 200)
    plain = text.replace("\u00a0", " ").replace("’", "'").replace("•", "")
    return " ".join(plain.split())


#: Each rule of the guide: what it says, the games that it is said of, the words that state it.
GUIDE: list[tuple[str, tuple[str, ...], str]] = [
    ("two to five players", FORCED, "Le jeu se joue de 2 à 5 joueurs."),
    ("the scoring games take four", SCORING, "Le jeu se joue de 2 à 4 joueurs."),
    ("28 tiles", ("block", "draw", "cross", *SCORING), "Le jeu double-six contient 28 dominos"),
    ("55 tiles", ("double-nine-cross",), "Le jeu double-neuf contient 55 dominos"),
    ("91 tiles", ("double-twelve-cross",), "Le jeu double-douze contient 91 dominos"),
    ("blanks are zero", SEVEN, "0 (le blanc)"),
    ("partners in Block for four", ("block",), "Quatre joueurs peuvent convenir de jouer en deux"),
    ("deal of Block, two", ("block",), "2 8 12"),
    ("deal of Block, three", ("block",), "3 6 10"),
    ("deal of Block, four", ("block",), "4 6 4"),
    ("deal of Block, five", ("block",), "5 5 3"),
    ("deal of double nine, four", ("block-double-nine",), "4 9 19"),
    ("deal of double twelve, four", ("block-double-twelve",), "4 12 43"),
    ("deal of Draw and Cross, two", ("draw", "cross"), "2 7 14 14"),
    ("deal of Draw and Cross, three", ("draw", "cross"), "3 5 13 13"),
    ("deal of Draw and Cross, four", ("draw", "cross"), "4 4 12 12"),
    ("deal of Draw and Cross, five", ("draw", "cross"), "5 3 13 13"),
    ("deal of the large crosses, two", ("double-nine-cross",), "2 7 41 41"),
    ("deal of the large crosses, three", ("double-twelve-cross",), "3 7 70 70"),
    ("deal of the large crosses, four", ("double-nine-cross",), "4 5 35 35"),
    ("deal of the large crosses, five", ("double-twelve-cross",), "5 5 66 66"),
    ("deal of the scoring games, four", SCORING, "4 5 8 6"),
    ("no double dealt: deal again", SEVEN, "Si aucun double n'a été distribué, on redistribue."),
    ("the highest double opens", SEVEN, "ouverte par le joueur qui a reçu le plus grand double"),
    ("it must be led", FORCED, "C'est ce domino-là qui doit ouvrir."),
    ("its holder leads anything", SCORING, "L'ouvreur peut poser n'importe quel domino."),
    ("a tile goes on a like end", SEVEN, "Les moitiés qui se touchent montrent le même nombre."),
    ("no passing while able", SEVEN, "Qui peut jouer n'a pas le droit de passer."),
    ("Block draws nothing", ("block",), "On ne pioche pas."),
    (
        "Draw draws until a tile fits or none is left",
        ("draw", *CROSSES),
        "jusqu'au premier qui peut se jouer ou jusqu'à ce que rien ne puisse plus être pioché",
    ),
    ("a draw ends the turn", SCORING, "On pioche un seul domino, et le tour est fini"),
    ("the last two stay", SCORING, "Dominos de la pioche que personne ne pioche jamais : 2."),
    ("the first four fill four arms", CROSSES, "les quatre dominos suivants vont sur ses quatre"),
    ("they start four arms", CROSSES, "commencent quatre bras avant tout autre coup"),
    ("small cross: later doubles do not branch", ("cross",), "autres doubles ne se ramifient pas"),
    (
        "large crosses: two branches for each later double",
        CROSSES[1:],
        "Chaque double est un pivot à quatre faces : il ajoute deux branches à la ligne",
    ),
    ("multiples of five", SCORING[:1], "quand la somme des extrémités est un multiple de 5."),
    ("multiples of three too", SCORING[1:], "des extrémités est un multiple de 5 ou 3."),
    ("the sum itself", SCORING, "Il marque alors la somme elle-même."),
    ("once only", SCORING[1:], "de plusieurs de ces nombres n'est payée qu'une seule fois."),
    ("positive sums only", SCORING, "Une somme de 0 ne marque rien."),
    ("doubles count both halves", SCORING, "Un double à une extrémité compte ses deux moitiés."),
    ("the first tile counts once", SCORING, "tant qu'il est seul sur la table, ses deux moitiés,"),
    ("each half once", SCORING, "chacune une seule fois"),
    ("claim before the next tile", SCORING, "Il faut réclamer avant que le domino suivant soit"),
    ("then a rival may take it", SCORING, "Tout rival peut prendre les points non réclamés"),
    (
        "from that tile to the next",
        SCORING,
        "dès que ce domino suivant est posé et jusqu'à ce qu'un",
    ),
    ("claim before the round is closed", SCORING, "réclamés avant la clôture de la manche"),
    ("unclaimed points are lost", SCORING, "ce qui n'a pas été réclamé est perdu"),
    ("an empty hand ends the round", SEVEN, "quand un joueur a posé le dernier domino de sa main"),
    ("so does a block", SEVEN, "Elle est bloquée quand personne ne peut jouer"),
    ("all pass then", SEVEN, "tous passeraient"),
    (
        "going out earns the others' pips",
        ("draw", *CROSSES, *SCORING),
        "Sortir rapporte les points restés dans les mains de tous les autres.",
    ),
    ("in Block too", ("block",), "Sortir rapporte les points restés dans les mains adverses"),
    (
        "what a partner holds does not matter",
        ("block",),
        "ce que le partenaire garde en main ne compte pas",
    ),
    ("the lightest wins a block", SEVEN, "bloquée revient au joueur qui a le moins de points"),
    ("partners are added", ("block",), "partenaires additionnés"),
    ("each loser pays the difference", SEVEN, "pour chaque perdant, ses points moins ceux du"),
    ("a tie pays nothing", SEVEN, "à égalité, personne ne gagne et rien n'est payé"),
    (
        "All Fives rounds each difference",
        SCORING[:1],
        "Chaque main ou différence est arrondie séparément au multiple de 5 le plus proche.",
    ),
    ("Fives and Threes does not", SCORING[1:], "est exact, sans arrondi"),
    ("points made in play are kept", SCORING, "Les points marqués en jouant restent acquis"),
    ("the first to 100 wins", SEVEN, "Il faut atteindre 100 points. Le premier à atteindre"),
]


@pytest.mark.parametrize(("rule", "games", "words"), GUIDE, ids=[rule for rule, _, _ in GUIDE])
def test_the_book_states_the_rule(rule: str, games: tuple[str, ...], words: str) -> None:
    for name in games:
        assert words in book(name), f"{name}: {rule}"


def test_the_other_games_do_not_state_it() -> None:
    """What is said of some of the seven games only is not said of the others."""
    for words, games in {
        "On ne pioche pas.": ("block",),
        "tour est fini": SCORING,
        "réclamer": SCORING,
        "quatre bras": CROSSES,
    }.items():
        assert {name for name in SEVEN if words in book(name)} == set(games), words
