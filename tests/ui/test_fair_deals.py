"""Deals: promised before play, repeatable, and without a preference for any tile or place."""

from __future__ import annotations

import hashlib
from collections import Counter

from ui.tables import rules_of

from sniffcli.files.fairness import round_random
from sniffcli.game.deal import shuffled
from sniffcli.tiles import tile_set
from sniffcli.ui.clock import ScriptClock
from sniffcli.ui.dealing import promise
from sniffcli.ui.seating import Wish, opened

SHUFFLES = 20_000
TILES = tile_set(6)


def wish(seed: int | None) -> Wish:
    return Wish(rules_of("all-fives"), "all-fives", {}, ("Ann",), ("random",), seed=seed)


def test_the_commitment_is_the_hash_of_seed_and_salt() -> None:
    one = promise()
    assert one.commitment == hashlib.sha256(f"{one.seed}:{one.salt}".encode()).hexdigest()
    assert 0 <= one.seed < 10**18
    assert len(one.salt) == 32


def test_a_seed_repeats_a_deal_and_no_seed_does_not() -> None:
    first, again = (opened(wish(5), ScriptClock())[0].state.hands for _ in range(2))
    assert first == again
    other = [opened(wish(None), ScriptClock())[0].state.hands for _ in range(3)]
    assert len({*other, first}) == 4


def chi_square(counts: Counter[tuple[int, int]], cells: int, total: int) -> float:
    expected = total / cells
    seen = sum((count - expected) ** 2 / expected for count in counts.values())
    return seen + (cells - len(counts)) * expected


def within(chi: float, freedom: int) -> bool:
    """Whether a chi-square lies within four standard deviations of its mean."""
    return abs(chi - freedom) < 4 * (2 * freedom) ** 0.5


def test_every_tile_comes_to_every_place_equally_often() -> None:
    places: Counter[tuple[int, int]] = Counter()
    for seed in range(SHUFFLES):
        for place, tile in enumerate(shuffled(TILES, round_random(seed, 1))):
            places[tile.number, place] += 1
    chi = chi_square(places, 28 * 28, SHUFFLES * 28)
    # Rows and columns are fixed sums, so 27 x 27 cells are free.
    assert within(chi, 27 * 27)


def test_every_pair_of_neighbours_is_equally_frequent() -> None:
    pairs: Counter[tuple[int, int]] = Counter()
    for seed in range(SHUFFLES):
        deck = shuffled(TILES, round_random(seed, 2))
        # Each shuffle gives pairs that do not overlap: places 1-2, 3-4, and so on.
        for first, second in zip(deck[::2], deck[1::2], strict=True):
            pairs[first.number, second.number] += 1
    cells = 28 * 27
    chi = chi_square(pairs, cells, SHUFFLES * 14)
    # The pairs of one shuffle exclude each other a little, so the spread is not quite that of
    # independent draws; four deviations leave room for it.
    assert within(chi, cells - 28)
