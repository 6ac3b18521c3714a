"""Bots that think elsewhere do what they would have done here, and nobody waits for them."""

from __future__ import annotations

import asyncio
import pickle

import pytest

from sniffcli.game.actions import Action
from sniffcli.net import thinking
from sniffcli.net.thinking import Minds, Question, answer
from tests.net.bench import Bench, plan, random_words
from tests.net.clients import joined
from tests.net.test_sockets import hosting
from tests.net.test_table import sniffing


def sailing(rules: str, elsewhere: bool, level: str = "casual", seed: int = 5) -> Bench:
    bench = Bench(plan(rules, 3, (level,)), 1, seed=seed)
    bench.table.elsewhere = elsewhere
    bench.say(0, {"type": "start"})
    return bench


def think(bench: Bench) -> bool:
    """Answer what a bot is asked, as another process would: from a copy; whether it was asked."""
    question = bench.table.question
    if question is None:
        return False
    copied = pickle.loads(pickle.dumps(question))
    bench.deliver(bench.table.answered(question, answer(copied)))
    return True


def moved(bench: Bench, steps: int = 40) -> None:
    """Play the one person at random, with time for everything."""
    for _ in range(steps):
        if bench.state.over:
            return
        while think(bench):
            pass
        bench.wait(7.5)
        while think(bench):
            pass
        if bench.state.turn == 0 and not bench.state.over and bench.state.closing is None:
            bench.act(0, random_words(bench.state, bench.random))
        elif bench.state.closing is not None:
            bench.act(0, "finish")


@pytest.mark.parametrize("rules", ["dreamtime-sniff", "block", "all-fives", "draw"])
def test_bots_do_the_same_wherever_they_think(rules: str) -> None:
    here, there = sailing(rules, False), sailing(rules, True)
    moved(here)
    moved(there)
    assert there.state == here.state
    assert len(here.state.events) > 5
    there.same_views(range(1))


def test_a_question_holds_no_tile_that_the_seat_may_not_see() -> None:
    bench = sailing("block", True)
    while (question := bench.table.question) is None:
        bench.wait(0.1)
        if bench.table.question is None:
            bench.act(0, random_words(bench.state, bench.random))
    hands = bench.state.hands
    for seat, hand in enumerate(hands):
        if seat != question.view.seat:
            text = repr(question.view)
            assert not any(repr(tile) in text for tile in hand.tiles)


def test_a_thinking_bot_is_asked_anew_when_somebody_acts() -> None:
    bench = sniffing(ann=60)
    bench.table.elsewhere = True
    voyage = bench.table.voyage
    assert voyage is not None
    voyage.game.opponents.elsewhere = True
    voyage.game.levels = (None, "casual")
    bench.act(0, "6-6")
    bench.deliver(bench.table.tick())
    first = bench.table.question
    assert first is not None
    assert bench.table.due() is None or bench.table.due() > 0
    assert bench.act(0, "keelhaul Bob")["type"] == "done"
    bench.deliver(bench.table.tick())
    events = len(bench.state.events)
    second = bench.table.question
    assert second is not None
    assert second.place != first.place
    # The answer to what was asked before comes too late and changes nothing.
    bench.deliver(bench.table.answered(first, answer(first)))
    assert len(bench.state.events) == events
    bench.deliver(bench.table.answered(second, answer(second)))
    assert len(bench.state.events) == events + 1


def test_who_comes_back_while_a_bot_thinks_plays_himself() -> None:
    bench = Bench(plan("block", 2, ("casual",)), 2, seed=5)
    bench.table.elsewhere = True
    bench.say(0, {"type": "start"})
    mover = bench.state.turn
    bench.drop(mover)
    bench.wait(31)
    question = bench.table.question
    assert question is not None
    bench.come_back(mover, 10)
    assert bench.table.question is None
    bench.deliver(bench.table.answered(question, answer(question)))
    assert not bench.state.events
    assert bench.act(10, random_words(bench.state, bench.random))["type"] == "done"


class Stubborn(Minds):
    """A mind that never comes to an end, until it may."""

    def __init__(self) -> None:
        super().__init__(lambda text: None)
        self.may = asyncio.Event()
        self.asked = 0

    async def ask(self, question: Question) -> Action:
        self.asked += 1
        await self.may.wait()
        return answer(question)


def test_other_tables_do_not_wait_for_a_bot_that_thinks() -> None:
    async def play() -> None:
        async with hosting("block", tables=2) as (host, port):
            minds = Stubborn()
            host.minds = minds
            one, other = host.tables.values()
            one.plan = plan("block", 2, ("casual",))
            ann = await joined(port, one.sector, "Ann")
            await ann.say({"type": "start"})
            playing = asyncio.ensure_future(ann.play(1))
            while not minds.asked:
                await asyncio.sleep(0.001)
            people = [
                await joined(port, other.sector, name, seed=at) for at, name in enumerate("BC")
            ]
            await people[0].say({"type": "start"})
            await asyncio.gather(*(one.play(1) for one in people))
            assert not playing.done()
            assert minds.asked == 1
            minds.may.set()
            await playing
            assert minds.asked > 1
            for client in (ann, *people):
                await client.close()

    asyncio.run(play())


@pytest.mark.slow
def test_a_bot_thinks_in_another_process() -> None:
    async def play() -> None:
        async with hosting("block") as (host, port):
            (table,) = host.tables.values()
            table.plan = plan("block", 2, ("casual",))
            ann = await joined(port, table.sector, "Ann")
            await ann.say({"type": "start"})
            await ann.play(1)
            await ann.close()

    asyncio.run(play())


def test_where_a_bot_fails_the_simplest_one_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    bench = sailing("block", True)
    while (question := bench.table.question) is None:
        bench.wait(0.1)
        if bench.table.question is None:
            bench.act(0, random_words(bench.state, bench.random))

    def failing(work: object, question: Question) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(thinking, "submitted", failing)
    action = asyncio.run(Minds(told.append).ask(question))
    bench.deliver(bench.table.answered(question, action))
    assert told == ["a defect of the bot casual: ZeroDivisionError()"]
    assert bench.state.events[-1].action == action
