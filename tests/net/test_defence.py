"""What a host does about messages, names and guesses that are not right."""

from __future__ import annotations

import json
import math
import random
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sniffcli.net.gate import Bucket, Gate, Limits
from sniffcli.net.names import (
    CONSONANTS,
    SYLLABLES,
    VOWELS,
    WIDEST_NAME,
    cleaned,
    sector,
    spoken,
    width,
)
from sniffcli.net.protocol import FROM_TERMINAL, MOST_BYTES, REFUSALS, Refused, read
from tests.net.bench import Bench, plan

BAD = [
    "",
    "null",
    "[]",
    "3",
    '"act"',
    "{",
    '{"type":"act"}',
    '{"type":"act","id":1}',
    '{"type":"act","id":"1","do":"5-5"}',
    '{"type":"act","id":true,"do":"5-5"}',
    '{"type":"act","id":-1,"do":"5-5"}',
    '{"type":"act","id":1.5,"do":"5-5"}',
    '{"type":"act","id":9007199254740992,"do":"5-5"}',
    '{"type":"act","id":1,"id":2,"do":"5-5"}',
    '{"type":"act","id":1,"do":["5-5"]}',
    '{"type":"act","id":1,"do":"5-5","path":"/etc/passwd"}',
    '{"type":"eval","id":1}',
    '{"type":["act"],"id":1}',
    '{"type":"start","id":NaN}',
    '{"type":"start","id":Infinity}',
    '{"type":"act","id":1,"do":"' + "5" * 121 + '"}',
    '{"type":"act","id":1,"do":"claim \\ud800"}',
    '{"type":"hello","sniff":1,"sector":"bako","name":"\\udc00"}',
    '{"type":"start","id":1e999}',
    "[" * 3000,
    '{"type":' * 400,
    '{"type":"start","id":' + "9" * 4000 + "}",
]


@pytest.mark.parametrize("text", BAD)
def test_malformed_messages_are_refused(text: str) -> None:
    with pytest.raises(Refused) as refused:
        read(text)
    assert refused.value.code == "malformed"


def test_large_and_binary_messages_are_refused() -> None:
    with pytest.raises(Refused) as refused:
        read(" " * (MOST_BYTES + 1))
    assert refused.value.code == "oversized"
    with pytest.raises(Refused) as refused:
        read(b'{"type":"start","id":1}')
    assert refused.value.code == "malformed"


def code_of(frame: str | bytes) -> str | None:
    """Why a frame is refused, or None."""
    try:
        read(frame)
    except Refused as problem:
        return problem.code
    return None


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=300) | st.binary(max_size=300))
def test_any_frame_is_a_message_or_refused(frame: str | bytes) -> None:
    code = code_of(frame)
    assert code is None or code in REFUSALS


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
ACTIONS = st.text(max_size=40) | st.sampled_from(
    ["5-5", "draw", "pass", "claim 10", "catch P1", "keelhaul P1", "finish", "6-3 on 6", "catch P9",
     "draw 3-3 after 1 s", "claim 99999", "5-5 after 99999 s", "play", "6:3 on 6:6 tip at 3 out 6"]
)  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), ACTIONS), max_size=8), st.integers(0, 50))
def test_any_words_are_done_or_refused(rows: list[tuple[int, str]], seed: int) -> None:
    bench = Bench(plan("dreamtime-sniff", 3), 3, seed=seed)
    bench.say(0, {"type": "start"})
    for key, words in rows:
        answer = bench.act(key, words[:120])
        assert answer["type"] in ("done", "refused", "waits")
        bench.same_views(range(3))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(FROM_TERMINAL)), st.dictionaries(st.sampled_from(
    ["id", "do", "size", "sniff", "sector", "name", "token"]), VALUES, max_size=5))  # fmt: skip
def test_a_table_bears_any_message_of_the_right_kind(kind: str, fields: dict[str, object]) -> None:
    try:
        message = read(json.dumps({"type": kind, **fields}))
    except Refused:
        return
    bench = Bench(plan("block", 2), 1)
    told = bench.table.receive(0, message)
    if kind == "hello":
        told += bench.table.hello(5, message)
    assert all(one is None or one["type"] for _, one in told)


# Names


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_a_cleaned_name_harms_no_terminal(name: str) -> None:
    found = cleaned(name)
    assert width(found) <= WIDEST_NAME
    assert not any(unicodedata.category(sign).startswith("C") for sign in found)
    assert found == " ".join(found.split())
    assert cleaned(found) == found


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("\x1b[2J\x1b[31mAnn", "[2J[31mAnn"),
        ("Ann\r\nBob", "Ann Bob"),
        ("\u202eAnn", "Ann"),
        ("Zoe\u0308", "Zoë"),
        ("\u200bAnn\u200b", "Ann"),
        ("船長" * 6, "船長" * 4),
        ("a" * 40, "a" * 16),
        ("a\u0301\u0302\u0303\u0304\u0305", "á\u0302\u0303"),
    ],
)
def test_names_are_cleaned(name: str, clean: str) -> None:
    assert cleaned(name) == clean


@pytest.mark.parametrize("name", ["", "   ", "\x1b", "draw", "boneyard", "A:B", "x after 3 s"])
def test_some_names_are_refused(name: str) -> None:
    bench = Bench(plan("block", 2), 1)
    bench.join(3, name)
    assert bench.inbox[3][0]["code"] == "name"


def test_two_people_are_not_called_alike() -> None:
    bench = Bench(plan("block", 2), 1)
    bench.join(3, "p0")
    assert bench.inbox[3][0]["code"] == "name"


# Sector ids


def test_a_sector_id_can_be_spoken_and_not_guessed() -> None:
    assert math.log2((len(CONSONANTS) * len(VOWELS)) ** SYLLABLES) >= 40
    ids = {sector() for _ in range(500)}
    assert len(ids) == 500
    assert all(len(one) == 19 and one.isascii() for one in ids)


def test_a_sector_id_is_understood_however_it_is_typed() -> None:
    assert spoken("BAKO temi_rulo.safi ") == "bako-temi-rulo-safi"
    assert spoken("bakotemirulosafi") == "bako-temi-rulo-safi"


# Floods and guesses


def test_a_flood_is_refused_and_then_shut_out() -> None:
    bucket = Bucket(Limits(burst=5, rate=1, floods=3), 0.0)
    for _ in range(5):
        bucket.take(0.0)
    for _ in range(4):
        with pytest.raises(Refused, match="at most 1 messages"):
            bucket.take(0.0)
    assert bucket.shut
    bucket.take(1.0)


def test_wrong_guesses_get_slower_and_are_forgiven() -> None:
    gate = Gate(Limits(pause=0.5, longest_pause=8, forgiven=300))
    assert [gate.guessed("a", 0.0) for _ in range(6)] == [0.5, 1, 2, 4, 8, 8]
    assert gate.guessed("b", 0.0) == 0.5
    assert gate.guessed("a", 301.0) == 0.5


def test_guessers_do_not_fill_the_memory() -> None:
    gate = Gate(Limits(addresses=100))
    for number in range(100_000):
        gate.guessed(f"10.{number}", 0.0)
    assert len(gate.wrong) == 100


def test_a_host_has_room_for_so_many() -> None:
    gate = Gate(Limits(terminals=3, unseated=2))
    gate.enter("a")
    gate.enter("a")
    with pytest.raises(Refused, match="of this address"):
        gate.enter("a")
    gate.seated("a")
    gate.enter("a")
    with pytest.raises(Refused, match="no room"):
        gate.enter("b")
    gate.leave()
    gate.enter("b")


def test_a_guess_of_sector_ids_is_random_enough_to_repeat() -> None:
    one, other = random.Random(1), random.Random(1)
    assert sector(one.randrange) == sector(other.randrange)
