"""A hosted table on a told clock, with terminals that fold what they are told."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from sniffcli.game.legal import draw_refusal, legal_plays, pass_refusal
from sniffcli.game.plays import named, text_of
from sniffcli.game.state import State
from sniffcli.game.view import View, view_of
from sniffcli.net.crew import Plan
from sniffcli.net.names import sector
from sniffcli.net.plans import plan_of
from sniffcli.net.protocol import Message, read, written
from sniffcli.net.remote import Seat
from sniffcli.net.table import Outs, Table
from sniffcli.ui.dealing import Promise
from sniffcli.ui.session import Options

TILE = re.compile(r"\b(\d+)-(\d+)\b")
#: A tile as a player may write it (`tiles.parse_tile`); what is told writes it `6-3`.
WRITTEN = re.compile(r"(\d+)[-:|/](\d+)")


class ToldClock:
    """A clock that a test moves; to the host it is a real one."""

    real = True

    def __init__(self, at: float = 1000.0) -> None:
        self.at = at

    def __call__(self) -> float:
        return self.at


@lru_cache
def plan(
    rules: str,
    crew: int | None = None,
    levels: tuple[str, ...] = ("greedy",),
    keelhaul_at: int | None = None,
) -> Plan:
    house = None if keelhaul_at is None else {"keelhaul": {"unlock_at": keelhaul_at}}
    found, problems = plan_of(rules, house, crew=crew, levels=levels)
    assert found is not None, problems
    return found


class Bench:
    """A table, its clock, and one folding terminal per key."""

    def __init__(
        self, plan: Plan, people: int, seed: int = 1, table: Table | None = None, check: bool = True
    ) -> None:
        self.clock = ToldClock()
        self.random = random.Random(seed)
        self.tokens = iter(f"token-{number}" for number in range(10_000))
        proof = (Promise(seed * 1000 + k, f"salt{seed}x{k}") for k in range(10_000))
        self.table = table or Table(
            sector(lambda limit: self.random.randrange(limit)),
            plan,
            self.clock,
            token=lambda: next(self.tokens),
            promised=lambda: next(proof),
        )
        self.log: list[list[Message]] = []
        self.seats: dict[int, Seat] = {}
        self.inbox: dict[int, list[Message]] = {}
        self.ids: dict[int, int] = {}
        #: Terminals whose line the table has closed.
        self.closed: list[int] = []
        self.check = check
        self.named: set[tuple[int, int]] = set()
        for key in range(people):
            self.join(key, f"P{key}")

    def terminal(self, key: int) -> Seat:
        self.inbox[key] = []
        self.seats[key] = Seat(
            self.clock, Options(), lambda message, key=key: self.say(key, message)
        )
        return self.seats[key]

    def join(self, key: int, name: str) -> None:
        self.terminal(key)
        hello = {"type": "hello", "sniff": 1, "sector": self.table.sector, "name": name}
        self.deliver(self.table.hello(key, read(written(hello))))

    def come_back(self, old: int, key: int) -> None:
        token = self.seats[old].welcome["token"]
        self.terminal(key).welcome = {"token": token}
        hello = {"type": "hello", "sniff": 1, "sector": self.table.sector, "token": token}
        self.deliver(self.table.hello(key, read(written(hello))))
        self.ids[key] = self.seats[key].welcome["last_id"]

    def drop(self, key: int) -> None:
        self.deliver(self.table.drop(key))

    def say(self, key: int, message: Message) -> list[Message]:
        """Send a message with the next number; return what this terminal was answered."""
        self.ids[key] = self.ids.get(key, 0) + 1
        return self.raw(key, {"id": self.ids[key], **message})

    def raw(self, key: int, message: Message) -> list[Message]:
        before = len(self.inbox[key])
        # A refusal may say again what the player has named himself.
        halves = [(int(a), int(b)) for a, b in WRITTEN.findall(str(message.get("do", "")))]
        self.named = {(max(one), min(one)) for one in halves}
        self.deliver(self.table.receive(key, read(written(message))))
        return self.inbox[key][before:]

    def act(self, key: int, words: str) -> Message:
        """Do an action; return its answer."""
        told = self.say(key, {"type": "act", "do": words})
        answers = [one for one in told if one["type"] in ("done", "refused")]
        return answers[-1] if answers else {"type": "waits"}

    def wait(self, seconds: float) -> None:
        """Let time pass, ticking whenever the table wants to be ticked."""
        end, idle = self.clock.at + seconds, 0
        while (due := self.table.due()) is not None and self.clock.at + due <= end:
            self.clock.at += due + 1e-6
            before = self.events
            self.deliver(self.table.tick())
            idle = idle + 1 if due < 0.001 and self.events == before else 0
            assert idle < 5, "the table wants to be ticked and does nothing"
        self.clock.at = max(end, self.clock.at)
        self.deliver(self.table.tick())

    def deliver(self, outs: Outs) -> None:
        lines = self.table.lines()
        if lines:
            self.log.append(lines)
        for key, message in outs:
            if message is None:
                self.closed.append(key)
                continue
            text = written(message)
            if self.check:
                self.leaks(key, text)
            again = _loaded(text)
            if key in self.inbox:
                self.inbox[key].append(again)
                self.seats[key].take(again)

    # What is checked

    def leaks(self, key: int, text: str) -> None:
        """Demand that TEXT holds no tile that its seat may not see."""
        voyage, person = self.table.voyage, self.table.person(key)
        if voyage is None or person is None or '"opened"' in text or '"voyage"' in text:
            return
        seat = self.table.people.index(person)
        message = _loaded(text)
        if message["type"] in ("round", "event") and message["round"] != voyage.game.number:
            return
        if message.get("code") == "action":
            # What is wrong with the words is said without a look at the table.
            return
        message.pop("deal", None)
        state = voyage.game.state
        blind = state.submerged[seat] > voyage.elapsed(self.clock.at) and not state.over
        allowed = {tuple(one) for one in state.hands[seat].tiles} if blind else seen_by(state, seat)
        if blind and message["type"] == "round":
            allowed = seen_by(voyage.game.start.state, seat)
        assert not blind or message["type"] != "event"
        if message["type"] == "refused":
            allowed |= self.named
        found = {(int(a), int(b)) for a, b in TILE.findall(written(message))}
        assert found <= allowed, (text, found - allowed)

    def same_views(self, keys: Iterable[int]) -> None:
        """Demand that every terminal's fold is what its seat may know."""
        assert self.table.voyage is not None
        state = self.table.voyage.game.state
        for key in keys:
            seat = self.seats[key]
            if seat.blind:
                continue
            assert seat.session is not None
            theirs = seat.session.game.state
            if state.over:
                assert theirs == state
            else:
                seen, known = view_of(theirs, seat.seat), view_of(state, seat.seat)
                assert not differences(seen, known)

    @property
    def events(self) -> int:
        """How much has happened in the present round."""
        return 0 if self.table.voyage is None else len(self.state.events)

    @property
    def state(self) -> State:
        assert self.table.voyage is not None
        return self.table.voyage.game.state


def differences(one: View, other: View) -> list[tuple[str, object, object]]:
    """The fields in which two values differ."""
    return [
        (name, getattr(one, name), getattr(other, name))
        for name in View._fields
        if getattr(one, name) != getattr(other, name)
    ]


def seen_by(state: State, seat: int) -> set[tuple[int, int]]:
    """The tiles that a seat may have seen: its own, those it drew, those on the table."""
    tiles = set(state.origin.hands[seat].tiles) | set(state.layout.tiles)
    tiles |= {
        one.tile for one in state.events if one.kind == "draw" and one.seat == seat and one.tile
    }
    return {tuple(tile) for tile in tiles}


def _loaded(text: str) -> dict[str, Any]:
    import json

    found: dict[str, Any] = json.loads(text)
    return found


def random_words(state: State, rng: random.Random) -> str:
    """A legal action of the seat to move, by the state that its terminal knows."""
    plays = legal_plays(state)
    if plays:
        move = rng.choice(plays)
        return text_of(named(state.turn, state.setup, state.layout, state.frontier, move))
    if draw_refusal(state) is None:
        return "draw"
    assert pass_refusal(state) is None
    return "pass"


def play_on(bench: Bench, steps: int, *, rounds: int = 3) -> int:
    """Play at random, with claims, catches, keelhauls and waits; return the steps made."""
    rng, table = bench.random, bench.table
    for step in range(steps):
        assert table.voyage is not None
        game = table.voyage.game
        if game.settled:
            if game.winners is not None or game.number >= rounds:
                return step
            bench.say(0, {"type": "next"})
            continue
        state = game.state
        people = range(len(table.people))
        roll = rng.random()
        if state.pending and roll < 0.5:
            one = state.pending[-1]
            if roll < 0.3 and one.seat in people:
                bench.act(one.seat, f"claim {one.points}")
            else:
                bench.wait(rng.choice([0.1, 3.0, 7.0, 7.3]))
                bench.act(rng.choice(people), f"catch {state.setup.names[one.seat]}")
        elif roll < 0.06 and state.rules.keelhaul is not None:
            bench.act(rng.choice(people), f"keelhaul {rng.choice(state.setup.names)}")
        elif roll < 0.1:
            bench.act(
                rng.choice(people), rng.choice(["draw 5-2", "pass", "6-3", "finish", "claim 5"])
            )
        elif state.closing is not None:
            bench.wait(8)
            bench.act(0, "finish")
        elif state.turn in people:
            seen = bench.seats[state.turn].session
            assert seen is not None
            known = game.state if bench.seats[state.turn].blind else seen.game.state
            answer = bench.act(state.turn, random_words(known, rng))
            if answer["type"] == "refused" and answer["code"] == "time":
                bench.wait(3)
        else:
            bench.wait(rng.choice([0.0, 0.5, 6.0]))
        bench.same_views(people)
    return steps
