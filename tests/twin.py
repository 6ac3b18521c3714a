"""A second board and a second round, written face by face, to check the core against.

Slow and obvious on purpose: every tile lies on the table with all its faces, nothing is forgotten,
and each question is answered by looking at all of them. It may read the values of a ruleset and
the two halves of a tile, and imports nothing of the table or of the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from sniffcli.ruleset.model import Ruleset
from sniffcli.tiles import Tile

SIDES = ("side1", "side2")
TIPS = ("tip1", "tip2")

#: How a tile is laid: number of the piece it meets (None: the lead), its face, the half outward.
Way = tuple[int | None, str, int]


@dataclass
class Piece:
    """A tile on the table and what touches each of its faces."""

    tile: Tile
    number: int
    #: Face -> number of the neighbour.
    touches: dict[str, int] = field(default_factory=dict)
    #: The piece on which it was laid.
    parent: int | None = None

    @property
    def faces(self) -> tuple[str, ...]:
        return SIDES + TIPS if self.tile.is_double else ("high", "low")

    def pip(self, face: str) -> int:
        return self.tile.low if face == "low" else self.tile.high

    def free(self, faces: tuple[str, ...]) -> list[str]:
        return [face for face in faces if face not in self.touches]


class Board:
    """A table of pieces under a ruleset."""

    def __init__(self, rules: Ruleset, players: int = 2) -> None:
        self.rules = rules
        self.players = players
        self.pieces: list[Piece] = []
        #: The one spinner of a game that has only one, once it is chosen.
        self.chosen: int | None = None
        #: Answer of `open_faces` for the table as it lies.
        self._open: list[tuple[Piece, str]] | None = None

    def copy(self) -> Board:
        other = Board(self.rules, self.players)
        other.pieces = list(self.pieces)
        other.chosen = self.chosen
        return other

    # Which faces are what -------------------------------------------------------------------

    @property
    def line(self) -> tuple[str, str]:
        """The faces of a double that lie in the line of play."""
        return TIPS if self.rules.layout.doubles_lie == "inline" else SIDES

    @property
    def off_line(self) -> tuple[str, str]:
        return SIDES if self.rules.layout.doubles_lie == "inline" else TIPS

    def is_spinner(self, piece: Piece) -> bool:
        if not piece.tile.is_double:
            return False
        match self.rules.layout.spinner:
            case "all_doubles":
                return True
            case "opening_double":
                return piece.number == 0
            case "first_double" | "first_enclosed_double":
                return piece.number == self.chosen
        return False

    def closed_for_good(self, piece: Piece) -> tuple[str, ...]:
        """The face of the lead that nobody ever joins where the table has one open end."""
        if self.rules.layout.open_ends == 2 or piece.number > 0:
            return ()
        return (self.line[1],) if piece.tile.is_double else ("low",)

    def covered(self, piece: Piece) -> int:
        """How many faces are covered, a face that is closed for good counting as covered."""
        return len(piece.touches) + len(self.closed_for_good(piece))

    def alike(self, piece: Piece) -> bool:
        """Whether the four faces of this piece are alike."""
        return self.is_spinner(piece) and self.rules.layout.ends_open == "at_once"

    def must_be_filled(self, piece: Piece) -> bool:
        if not self.is_spinner(piece) or self.covered(piece) >= self.rules.layout.fill_count:
            return False
        fill = self.rules.layout.fill_first
        return fill == "every_double" or (fill == "opening" and piece.number == 0)

    def waits_for_its_double(self, piece: Piece) -> bool:
        """Whether this is the first tile of an arm and must be followed by its double."""
        return (
            self.rules.layout.second_ring != "none"
            and not piece.tile.is_double
            and piece.parent == 0
            and self.pieces[0].tile.is_double
            and bool(piece.free(piece.faces))
        )

    def could_open(self, piece: Piece) -> list[str]:
        """Free faces of one piece that are open as far as the piece itself is concerned."""
        shut = self.closed_for_good(piece)
        if not piece.tile.is_double:
            return [face for face in piece.free(piece.faces) if face not in shut]
        faces = [face for face in piece.free(self.line) if face not in shut]
        line_full = not faces
        if self.is_spinner(piece) and (line_full or self.rules.layout.ends_open == "at_once"):
            faces += piece.free(self.off_line)
        return faces

    def open_faces(self) -> list[tuple[Piece, str]]:
        """Every face where a tile may be joined now."""
        if self._open is None:
            self._open = self._find_open_faces()
        return self._open

    def _find_open_faces(self) -> list[tuple[Piece, str]]:
        filling = [piece for piece in self.pieces if self.must_be_filled(piece)]
        ring = [piece for piece in self.pieces if self.waits_for_its_double(piece)]
        if filling:
            among = filling
        elif ring and self.rules.layout.second_ring == "all_arms":
            among = ring
        else:
            among = self.pieces
        return [(piece, face) for piece in among for face in self.could_open(piece)]

    # Joining --------------------------------------------------------------------------------

    def wild(self, tile: Tile) -> bool:
        wild = self.rules.joining.wild
        if not wild:
            return False
        if isinstance(wild, tuple):
            return tile in wild
        return tile.high + tile.low in (0, self.joining_sum)

    @property
    def joining_sum(self) -> int:
        written = self.rules.joining.sum
        return self.rules.set.max_pip + 1 if written is None else written

    def outward_halves(self, tile: Tile, piece: Piece, face: str) -> set[int]:
        """Which halves of TILE may face out when it is laid there; empty if it does not fit."""
        if not tile.is_double and self.waits_for_its_double(piece):
            return set()
        if self.wild(tile):
            return {tile.high, tile.low}
        shown = piece.pip(face)
        if self.rules.joining.rule == "equal" and not tile.has(shown):
            return set()
        if shown == 0 and self.rules.joining.blank == "wild_only":
            return set()
        found = set()
        for inward, outward in ((tile.high, tile.low), (tile.low, tile.high)):
            meets = inward == shown
            if self.rules.joining.rule == "complement":
                meets = inward + shown == self.joining_sum
            if meets:
                found.add(outward)
        return found

    def ways(self, tile: Tile) -> Iterator[Way]:
        """Every way to lay TILE: number of the piece, its face, and the half that faces out."""
        if not self.pieces:
            yield None, "", tile.low
            return
        for piece, face in self.open_faces():
            for outward in sorted(self.outward_halves(tile, piece, face)):
                yield piece.number, face, outward

    def lay(self, tile: Tile, on: int | None = None, face: str = "", outward: int = 0) -> None:
        """Put TILE down, asking nothing."""
        self._open = None
        piece = Piece(tile, len(self.pieces), parent=on)
        if on is not None:
            own = self.line[0] if tile.is_double else "low" if outward == tile.high else "high"
            piece.touches[own] = on
            under = self.pieces[on]
            # A copy, because other boards share the piece.
            self.pieces[on] = replace(under, touches={**under.touches, face: piece.number})
        self.pieces.append(piece)
        spinner = self.rules.layout.spinner
        if self.chosen is None and spinner == "first_double" and tile.is_double:
            self.chosen = piece.number
        if self.chosen is None and spinner == "first_enclosed_double" and on is not None:
            under = self.pieces[on]
            if under.tile.is_double and not under.free(self.line):
                self.chosen = on

    def after(self, tile: Tile, on: int | None, face: str, outward: int) -> Board:
        other = self.copy()
        other.lay(tile, on, face, outward)
        return other

    # Counting -------------------------------------------------------------------------------

    def ends(self) -> list[int]:
        return sorted(piece.pip(face) for piece, face in self.open_faces())

    def total(self) -> int:
        return sum(self.counts(piece) for piece in self.pieces)

    def counts(self, piece: Piece) -> int:
        """What one piece adds to the sum of the ends."""
        shut = self.closed_for_good(piece)
        if not piece.tile.is_double:
            return sum(piece.pip(f) for f in piece.free(piece.faces) if f not in shut)
        covered = self.covered(piece)
        if self.rules.layout.doubles_lie == "inline":
            # One half lies at each tip; where all faces are alike the first two tiles cover them.
            bare = [face for face in piece.free(self.line) if face not in shut]
            halves = max(0, 2 - covered) if self.alike(piece) else len(bare)
        elif self.is_spinner(piece):
            counting = self.rules.score.spinner_counts
            if counting == "exposed_halves":
                bare = piece.free(self.off_line)
                halves = min(2, 4 - covered) if self.alike(piece) else len(bare)
            elif counting == "single":
                halves = 1 if covered < 4 else 0
            else:
                halves = 2 if covered < 2 else 0
        elif covered >= 2:
            halves = 0
        elif covered == 1 and self.rules.score.tip_double == "single":
            halves = 1
        else:
            halves = 2
        return halves * piece.tile.high

    def worth(self) -> int:
        """What the table pays whoever has made it."""
        score = self.rules.score
        if score.kind == "none":
            return 0
        if score.kind == "equal_ends":
            open_now = self.open_faces()
            if len(open_now) < 2 or len({piece.pip(face) for piece, face in open_now}) != 1:
                return 0
            tip = any(piece.tile.is_double and piece.touches for piece, _ in open_now)
            return score.header_with_double if tip else score.header
        total = self.total()
        paid = []
        for divisor in score.divisors:
            if total > 0 and total % divisor == 0:
                if score.award == "sum":
                    paid.append(total)
                elif score.award == "quotient":
                    paid.append(total // divisor)
                else:
                    paid.append(score.award.points)
        if score.combine == "once":
            paid = paid[:1]
        return sum(paid)

    # Comparing ------------------------------------------------------------------------------

    def like_a_half(self) -> bool:
        """Whether each open face of a double that never branches is as good as half a tile."""
        if self.rules.layout.spinner == "first_enclosed_double":
            return False
        score = self.rules.score
        single = self.rules.layout.doubles_lie == "inline" or score.tip_double == "single"
        return score.kind == "none" or (score.kind == "ends_sum" and single)

    def signature(self) -> tuple[object, ...]:
        """Equal for tables that will look alike to every later play and count."""
        parts: list[tuple[object, ...]] = []
        for piece in self.pieces:
            free = [f for f in piece.free(piece.faces) if f not in self.closed_for_good(piece)]
            if not free:
                continue
            if not piece.tile.is_double:
                ring = self.waits_for_its_double(piece)
                parts += [("half", piece.pip(face), ring) for face in free]
                continue
            spins, filling = self.is_spinner(piece), self.must_be_filled(piece)
            on_line = [face for face in free if face in self.line]
            if not spins and not on_line:
                continue
            if not spins and self.like_a_half():
                parts += [("half", piece.tile.high, False) for _ in on_line]
                continue
            off = [face for face in free if face in self.off_line]
            how: object = len(free) if self.alike(piece) else (len(on_line), len(off))
            parts.append(("double", piece.tile.high, spins, filling, how))
        one = self.rules.layout.spinner in ("first_double", "first_enclosed_double")
        return (tuple(sorted(parts, key=repr)), one and self.chosen is not None)


@dataclass
class Round:
    """A round with all tiles known and without claims: whose turn, what may be done, its end."""

    rules: Ruleset
    hands: list[list[Tile]]
    boneyard: list[Tile]
    turn: int
    board: Board
    must_lead: Tile | None = None
    drawn: list[Tile] = field(default_factory=list)
    passes: int = 0
    extra: bool = False
    over: bool = False
    #: Whether the leader is found by a tile that he was dealt.
    found: bool = False
    #: The side of each seat; each for himself where nothing is said.
    sides: tuple[int, ...] = ()

    @property
    def players(self) -> int:
        return len(self.hands)

    def copy(self) -> Round:
        return Round(
            self.rules,
            [list(hand) for hand in self.hands],
            list(self.boneyard),
            self.turn,
            self.board.copy(),
            self.must_lead,
            list(self.drawn),
            self.passes,
            self.extra,
            self.over,
            self.found,
            self.sides,
        )

    @property
    def left_to_draw(self) -> int:
        if self.rules.draw.when == "never":
            return 0
        return max(0, len(self.boneyard) - self.rules.reserve(self.players))

    def can_lead(self, tile: Tile) -> bool:
        if self.must_lead is not None:
            return tile == self.must_lead
        wanted = self.rules.open.tile
        if wanted in ("any", "qualifying"):
            return self.can_lead_after_drawing(tile)

        def right(one: Tile) -> bool:
            return one.is_double or (wanted == "double_or_scoring" and self.led_worth(one) > 0)

        if right(tile):
            return True
        if self.rules.open.if_none == "pass_lead":
            return self.passes >= self.players
        if any(right(one) for one in self.hands[self.turn]):
            return False
        return not (self.rules.open.if_none == "draw_until" and self.left_to_draw)

    def can_lead_after_drawing(self, tile: Tile) -> bool:
        """Where nobody was dealt the tile that decides, the leader draws until he has one."""
        first = self.rules.open.first_leader
        if not self.found or self.rules.open.if_none != "draw_until" or first == "highest_tile":
            return True

        def decides(one: Tile) -> bool:
            return one.is_double if isinstance(first, str) else one == first.tile

        if any(decides(one) for one in self.hands[self.turn]):
            bound = self.rules.open.tile == "qualifying" and bool(self.drawn)
            return decides(tile) or not bound
        return not self.left_to_draw

    def led_worth(self, tile: Tile) -> int:
        return self.board.after(tile, None, "", tile.low).worth()

    def playable(self, seat: int) -> list[Tile]:
        if not self.board.pieces:
            return [tile for tile in self.hands[seat] if self.can_lead(tile)]
        return [tile for tile in self.hands[seat] if next(self.board.ways(tile), None)]

    def bound(self) -> Tile | None:
        """The tile just drawn, where it must be laid at once."""
        if not self.drawn or not self.board.pieces or self.rules.draw.then != "must_play":
            return None
        tile = self.drawn[-1]
        if self.rules.draw.when == "unable_without_wild" and self.board.wild(tile):
            return None
        return tile if tile in self.playable(self.turn) else None

    def obliging(self) -> list[Tile]:
        """The tiles that forbid drawing and passing."""
        able = self.playable(self.turn)
        if self.rules.draw.when == "unable_without_wild":
            if self.rules.joining.forced_wild and not self.left_to_draw:
                return able
            return [tile for tile in able if not self.board.wild(tile)]
        return able

    def may_draw(self) -> bool:
        if not self.left_to_draw:
            return False
        if not self.board.pieces:
            return self.rules.open.if_none == "draw_until" and not self.playable(self.turn)
        if self.extra and not self.rules.extra_turn.forced:
            return False
        if self.bound() is not None:
            return False
        limit = self.rules.draw.limit
        if any(self.board.must_be_filled(piece) for piece in self.board.pieces):
            limit = self.rules.draw.limit_during_fill or limit
        if limit != "until_playable" and len(self.drawn) >= int(limit):
            return False
        return self.rules.draw.when == "free" or not self.obliging()

    def may_pass(self) -> bool:
        if self.extra and not self.rules.extra_turn.forced:
            return True
        if not self.board.pieces:
            wanted = self.rules.open.tile in ("double", "double_or_scoring")
            passing = self.rules.open.if_none == "pass_lead" and wanted
            return passing and not self.playable(self.turn)
        if self.drawn and self.rules.draw.then == "may_play":
            return True
        if self.obliging():
            return bool(self.rules.pass_.penalty)
        return not self.may_draw()

    def options(self) -> list[tuple[Tile, Way, Board]]:
        """Every way for the seat to move to lay a tile, with the board that it leads to."""
        bound = self.bound()
        return [
            (tile, way, self.board.after(tile, *way))
            for tile in ([bound] if bound else self.playable(self.turn))
            for way in self.board.ways(tile)
        ]

    def plays(self) -> list[tuple[Tile, Way]]:
        """The plays of the seat to move; ways that lead to alike tables once."""
        found: dict[tuple[Tile, object], tuple[Tile, Way]] = {}
        for tile, way, board in self.options():
            found.setdefault((tile, board.signature()), (tile, way))
        return list(found.values())

    def actions(self) -> list[tuple[str, object]]:
        """Everything the seat to move may do: plays, then drawing, then passing."""
        if self.over:
            return []
        found: list[tuple[str, object]] = [("play", one) for one in self.plays()]
        if self.may_draw():
            found.append(("draw", None))
        if self.may_pass():
            found.append(("pass", None))
        return found

    def do(self, kind: str, what: object = None) -> Round:
        """Return the round after an action."""
        after = self.copy()
        if kind == "play":
            tile, way = what  # type: ignore[misc]
            after._lay(tile, way)
        elif kind == "draw":
            tile = after.boneyard.pop(0)
            after.hands[self.turn].append(tile)
            after.drawn.append(tile)
            after.passes = 0
            if self.rules.draw.then == "turn_ends" and after.board.pieces:
                after._next()
        else:
            declined = self.extra and not self.rules.extra_turn.forced
            able = bool(self.board.pieces and self.obliging())
            after.passes = 0 if declined or able else self.passes + 1
            after._next()
        after._see_whether_blocked()
        return after

    def _lay(self, tile: Tile, way: Way) -> None:
        self.board.lay(tile, *way)
        self.hands[self.turn].remove(tile)
        leading = len(self.board.pieces) == 1
        value = self.board.worth() if self.rules.open.scores or not leading else 0
        drew = bool(self.drawn)
        self.passes, self.must_lead = 0, None
        if not self.hands[self.turn]:
            both = self.rules.round_end.when == "both_partners_out" and self.sides
            partners = [
                seat
                for seat in range(self.players)
                if both and self.sides[seat] == self.sides[self.turn]
            ]
            self.over = not any(self.hands[seat] for seat in partners)
        again = self.rules.extra_turn.after
        earned = ("double" in again and tile.is_double) or ("score" in again and value > 0)
        if earned and not drew and self.hands[self.turn]:
            self.drawn, self.extra = [], True
        else:
            self._next()

    def _next(self) -> None:
        self.drawn, self.extra = [], False
        for _ in range(self.players):
            self.turn = (self.turn + 1) % self.players
            if self.hands[self.turn]:
                return

    def _see_whether_blocked(self) -> None:
        if self.over or not self.board.pieces:
            return
        holding = sum(1 for hand in self.hands if hand)
        stuck = not self.left_to_draw and not any(self.playable(s) for s in range(self.players))
        if stuck or (self.passes and self.passes >= holding):
            self.over = True


def perft(state: Round, depth: int) -> int:
    """Count the lines of DEPTH actions; a finished round is one leaf."""
    if depth == 0 or state.over:
        return 1
    return sum(perft(state.do(*action), depth - 1) for action in state.actions())
