"""The codec of Fireship. Islands, kinds and colours are counted from 0 in the rules and from 1 in messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, cast

from fireside.fireship.v1 import fireship_bot_service_pb2 as bots
from fireside.fireship.v1 import fireship_pb2 as pb
from fireside.fireship.v1 import fireship_service_pb2 as verbs
from google.protobuf.message import Message

from engine_core.errors import InconsistentState, InvalidOption
from engine_core.game import Game, Move
from engine_core.games.fireship import consistency, moves
from engine_core.games.fireship.board import BASES, IS_SEA, ISLANDS, NAMES, PLAIN, SPECIAL
from engine_core.games.fireship.components import (
    BADGE_STOCK,
    BATTLESHIP,
    BOAT,
    BOUM,
    CARD_COUNTS,
    CARD_KINDS,
    COLOURS,
    FACES,
    FOG,
    GULF_STREAM,
    LANE,
    MOVEMENT_DICE,
    PLANE,
    RINGS,
    SECTORS,
    UPDRAFT,
    WHITE,
    pack,
)
from engine_core.games.fireship.declarations import MOST_DECLARED
from engine_core.games.fireship.moves import kind_of
from engine_core.games.fireship.notation import MOST_PLUS_ONES
from engine_core.games.fireship.rules import Fireship
from engine_core.games.fireship.state import (
    FIRST_THROW,
    MAX_SEATS,
    MIN_SEATS,
    NO_PAWN,
    NO_SEAT,
    OVER,
    Declared,
    FireshipOptions,
    FireshipState,
    Seat,
    empty_state,
)
from engine_core.games.fireship.view import NO_HAND, FireshipView, SeatView
from services.engine import wire
from services.engine.codec import Codec, Nouns
from services.engine.wire import Writer
from services.errors import InvalidRequest

PLAYED: Final = [BOUM, GULF_STREAM, FOG, UPDRAFT]
"""The cards that are played in turn, in the order of their enum, from 1."""
COUNTER_MOST: Final = 1000
"""No counter of a position comes near it."""
MOST_GROUPS: Final = 100
"""There are not so many pawns."""


# Nouns


def _pawn(pawn: int) -> bytes:
    written = PAWNS_WRITTEN.get(pawn)
    if written is None:
        written = PAWNS_WRITTEN[pawn] = _pawn_written(pawn)
    return written


def _pawn_written(pawn: int) -> bytes:
    out = Writer()
    out.number(1, kind_of(pawn) + 1)
    out.text(2, NAMES[pawn // moves.CLASSES])
    out.flag(3, pawn & moves.ARRIVED != 0)
    out.flag(4, pawn & moves.FAST != 0)
    return out.done()


PAWNS_WRITTEN: Final[dict[int, bytes]] = {}
"""Those that were needed so far, of the few thousand that there can be."""


def _packed(cards: pb.MysteryCards) -> int:
    """The cards as one number; -1 when a count is out of range."""
    counts = [
        cards.gain_boat,
        cards.gain_plane,
        cards.lose_boat,
        cards.lose_plane,
        cards.no,
        cards.boum,
        cards.plus_one,
        cards.updraft,
        cards.fog,
        cards.bermuda,
    ]
    for card in range(CARD_KINDS):
        if not 0 <= counts[card] <= CARD_COUNTS[card]:
            return -1
    return pack(counts)


def _badges(badges: list[int]) -> bytes:
    out = Writer()
    for badge, count in enumerate(badges, 1):
        out.number(badge, count)
    return out.done()


# Moves, encoded


def _play(card: int, source: int) -> bytes:
    return wire.number(1, PLAYED.index(card) + 1) + wire.number(2, source + 1)


def _write_boum(move: moves.Boum) -> bytes:
    boat = _pawn(moves.pawn_code(move.square, BOAT))
    return wire.data(1, _play(BOUM, move.source) + wire.number(3, move.owner + 1) + wire.data(4, boat))


def _write_hasten(move: moves.Hasten) -> bytes:
    card = UPDRAFT if kind_of(move.pawn) == PLANE else GULF_STREAM
    return wire.data(1, _play(card, move.source) + wire.data(4, _pawn(move.pawn)))


def _write_attack(move: moves.Attack) -> bytes:
    if move.island == moves.NO_ISLAND:
        target = wire.data(3, wire.number(1, move.owner + 1) + wire.text(2, NAMES[move.square]))
    else:
        target = wire.given(2, move.island + 1)
    return wire.data(6, wire.text(1, NAMES[move.start]) + target + wire.number(4, move.plus_ones))


WRITERS: Final = cast(
    dict[type[Move], Callable[[Move], bytes]],
    {
        moves.Boum: _write_boum,
        moves.Fog: lambda move: wire.data(1, _play(FOG, move.source)),
        moves.Hasten: _write_hasten,
        moves.Throw: lambda move: wire.data(2),
        moves.ChoosePawn: lambda move: wire.data(3, wire.data(1, _pawn(move.pawn))),
        moves.Sail: lambda move: wire.data(4, wire.text(1, NAMES[move.to])),
        moves.Fortify: lambda move: wire.data(
            5, wire.number(1, move.island + 1) + wire.data(2, _pawn(move.first)) + wire.data(2, _pawn(move.second))
        ),
        moves.Attack: _write_attack,
        moves.UseSquare: lambda move: wire.data(7, wire.text(1, NAMES[move.square])),
        moves.Lose: lambda move: wire.data(8, wire.number(1, move.kind + 1) + wire.text(2, NAMES[move.square])),
        moves.EndTurn: lambda move: wire.data(9),
        moves.Answer: lambda move: wire.data(10, wire.number(1, max(move.answer, 0))),
        moves.Die: lambda move: wire.data(11, wire.number(1, move.face)),
        moves.Sector: lambda move: wire.data(12, wire.number(1, move.sector)),
        moves.Card: lambda move: wire.data(13, wire.number(1, move.card + 1)),
        moves.TimeUp: lambda move: wire.data(14),
    },
)


def _write_move(move: Move) -> bytes:
    return WRITERS[type(move)](move)


# Moves, decoded


def _refuse(field: str, description: str) -> InvalidRequest:
    return InvalidRequest(f"move.{field}", description)


def _number(number: int, least: int, most: int, field: str) -> int:
    if not least <= number <= most:
        raise _refuse(field, f"{least} to {most}, not {number}")
    return number


SQUARES_BY_NAME: Final[dict[str, int]] = {name: square for square, name in enumerate(NAMES)}


def _place(name: str, field: str) -> int:
    """A square of the sea, or a base."""
    square = SQUARES_BY_NAME.get(name, -1)
    if square < 0 or not (IS_SEA[square] or square in BASES):
        raise _refuse(field, "a square of the sea or a base, from a1 to o15")
    return square


def _sea(name: str, field: str) -> int:
    square = _place(name, field)
    if not IS_SEA[square]:
        raise _refuse(field, "a square of the sea")
    return square


def _decode_pawn(pawn: pb.Pawn, field: str) -> int:
    kind = _number(pawn.kind, BOAT + 1, BATTLESHIP + 1, f"{field}.kind") - 1
    return moves.pawn_code(_place(pawn.square, f"{field}.square"), kind, pawn.arrived, pawn.fast)


def _decode_boat(pawn: pb.Pawn, field: str) -> int:
    _sea(pawn.square, f"{field}.square")
    if pawn.kind != BOAT + 1:
        raise _refuse(f"{field}.kind", "a boat")
    return _decode_pawn(pawn, field)


def _decode_play(move: pb.Move) -> Move:
    play = move.play_card
    card = PLAYED[_number(play.card, 1, len(PLAYED), "playCard.card") - 1]
    source = _number(play.source, 1, len(moves.SOURCES), "playCard.source") - 1
    if card == FOG:
        return moves.Fog(source)
    if card == BOUM:
        owner = _number(play.owner, 1, WHITE + 1, "playCard.owner") - 1
        return moves.Boum(source, owner, _decode_boat(play.pawn, "playCard.pawn") // moves.CLASSES)
    pawn = _decode_pawn(play.pawn, "playCard.pawn")
    if (kind_of(pawn) == PLANE) != (card == UPDRAFT):
        raise _refuse("playCard.pawn.kind", "an updraft is for planes, a Gulf Stream for boats and battleships")
    return moves.Hasten(source, pawn)


def _decode_fortify(move: pb.Move) -> Move:
    fortify = move.fortify
    island = _number(fortify.island, 1, ISLANDS, "fortify.island") - 1
    if len(fortify.boats) != 2:
        raise _refuse("fortify.boats", f"two, not {len(fortify.boats)}")
    first, second = [_decode_boat(boat, f"fortify.boats[{number}]") for number, boat in enumerate(fortify.boats)]
    return moves.Fortify(island, first, second)


def _decode_attack(move: pb.Move) -> Move:
    attack = move.attack
    start = _sea(attack.attacker, "attack.attacker")
    plus_ones = _number(attack.plus_ones, 0, MOST_PLUS_ONES, "attack.plusOnes")
    target = attack.WhichOneof("target")
    if target is None:
        raise _refuse("attack.island", "an island or a pawn must be given")
    if target == "island":
        return moves.Attack(start, _number(attack.island, 1, ISLANDS, "attack.island") - 1, 0, 0, plus_ones)
    owner = _number(attack.pawn.owner, 1, WHITE + 1, "attack.pawn.owner") - 1
    return moves.Attack(start, moves.NO_ISLAND, owner, _sea(attack.pawn.square, "attack.pawn.square"), plus_ones)


def _decode_use(move: pb.Move) -> Move:
    square = _sea(move.use_square.square, "useSquare.square")
    if SPECIAL[square] == PLAIN:
        raise _refuse("useSquare.square", "a special square")
    return moves.USES[square]


def _decode_lose(move: pb.Move) -> Move:
    kind = _number(move.lose.kind, BOAT + 1, PLANE + 1, "lose.kind") - 1
    return moves.Lose(kind, _place(move.lose.square, "lose.square"))


def _decode_answer(move: pb.Move) -> Move:
    answer = _number(move.answer.answer, 0, len(moves.ANSWERS), "answer.answer")
    return moves.SAID[answer] if answer else moves.SEALED


def _decode_die(move: pb.Move) -> Move:
    if move.die.face not in FACES:
        raise _refuse("die.face", f"0 or 2 to 6, not {move.die.face}")
    return moves.Die(move.die.face)


DECODERS: Final[dict[str, Callable[[pb.Move], Move]]] = {
    "play_card": _decode_play,
    "throw": lambda move: moves.THROW,
    "choose_pawn": lambda move: moves.ChoosePawn(_decode_pawn(move.choose_pawn.pawn, "choosePawn.pawn")),
    "sail": lambda move: moves.Sail(_sea(move.sail.to, "sail.to")),
    "fortify": _decode_fortify,
    "attack": _decode_attack,
    "use_square": _decode_use,
    "lose": _decode_lose,
    "end_turn": lambda move: moves.END_TURN,
    "answer": _decode_answer,
    "die": _decode_die,
    "sector": lambda move: moves.Sector(_number(move.sector.sector, 1, len(SECTORS), "sector.sector")),
    "card": lambda move: moves.Card(_number(move.card.card, 0, CARD_KINDS, "card.card") - 1),
    "time_up": lambda move: moves.TIME_UP,
}


def _decode_move(source: pb.Move) -> Move:
    kind = source.WhichOneof("kind")
    if kind is None:
        raise InvalidRequest("move", "one kind of move must be given")
    return DECODERS[kind](source)


# Options and states


def _options_written(options: FireshipOptions) -> bytes:
    out = Writer()
    out.given(1, options.fortification)
    out.number(2, options.rounds)
    out.number(3, options.movement_dice)
    out.flag(4, options.island_supports_attack)
    out.numbers(5, list(options.colours), 1)
    return out.done()


def _decode_options(options: pb.Options) -> FireshipOptions:
    if len(options.colours) > MAX_SEATS:
        raise InvalidOption("options.colours", f"at most {MAX_SEATS}")
    if not all(1 <= colour <= len(COLOURS) for colour in options.colours):
        raise InvalidOption("options.colours", "a colour without a corner")
    return FireshipOptions(
        options.fortification if options.HasField("fortification") else True,
        options.rounds,
        options.movement_dice or MOVEMENT_DICE[0],
        options.island_supports_attack,
        tuple([colour - 1 for colour in options.colours]),
    )


def _seat_written(seat: Seat) -> bytes:
    out = Writer()
    out.counts(1, seat.hand, CARD_KINDS, LANE)
    out.counts(2, seat.at_most, CARD_KINDS, LANE)
    out.data(3, _badges(seat.badges))
    out.flag(4, seat.anti_skull)
    out.flag(5, seat.fog)
    out.number(6, seat.skips)
    out.flag(7, seat.silent)
    out.number(8, seat.answer)
    out.number(9, seat.out)
    out.flag(10, seat.left)
    out.number(11, seat.first_throw)
    return out.done()


def _group_written(owner: int, pawn: int, count: int) -> bytes:
    """Pawns that are alike."""
    out = Writer()
    out.number(1, owner + 1)
    out.data(2, _pawn(pawn))
    out.number(3, count)
    return out.done()


def _island_written(owner: int, rings: int) -> bytes:
    return wire.number(1, owner + 1) + wire.number(2, rings)


def _declared_written(seat: int, move: Move) -> bytes:
    return wire.number(1, seat) + wire.data(2, _write_move(move))


def _require(fact: bool, field: str, description: str) -> None:
    if not fact:
        raise InconsistentState(f"state.{field}", description)


def _within(number: int, least: int, most: int, field: str) -> int:
    if not least <= number <= most:
        raise InconsistentState(f"state.{field}", f"{least} to {most}, not {number}")
    return number


def _counter(number: int, field: str) -> int:
    return _within(number, 0, COUNTER_MOST, field)


def _pack(cards: pb.MysteryCards, field: str) -> int:
    packed = _packed(cards)
    _require(packed >= 0, field, "counts below 0, or above what there is of a kind")
    return packed


def _decode_badges(badges: pb.Badges, field: str) -> list[int]:
    counts = [badges.boum, badges.gulf_stream, badges.fog, badges.updraft]
    return [_within(count, 0, most, field) for count, most in zip(counts, BADGE_STOCK, strict=True)]


def _decode_state_options(options: pb.Options) -> FireshipOptions:
    seats = len(options.colours)
    _require(MIN_SEATS <= seats <= MAX_SEATS, "options.colours", f"{MIN_SEATS} to {MAX_SEATS}, one a seat")
    _require(options.rounds != 0, "options.rounds", "it must be given")
    try:
        decoded = _decode_options(options)
        decoded.check(seats)
    except InvalidOption as error:
        raise InconsistentState(f"state.{error.field}", error.description) from None
    return decoded


def _decode_seat(seat: Seat, source: pb.SeatState, field: str) -> None:
    seat.hand = _pack(source.hand, f"{field}.hand")
    seat.at_most = _pack(source.deck_at_most, f"{field}.deckAtMost")
    seat.badges = _decode_badges(source.badges, f"{field}.badges")
    seat.anti_skull = source.anti_skull
    seat.fog = source.fog
    seat.skips = _counter(source.skips, f"{field}.skips")
    seat.silent = source.passes_turn
    seat.answer = _within(source.answer, 0, len(moves.ANSWERS), f"{field}.answer")
    seat.out = _counter(source.out, f"{field}.out")
    seat.left = source.left
    seat.first_throw = _counter(source.first_throw, f"{field}.firstThrow")


def _inner_pawn(pawn: pb.Pawn, field: str) -> int:
    try:
        return _decode_pawn(pawn, field)
    except InvalidRequest as error:
        raise InconsistentState(error.field.replace("move.", "state.", 1), error.description) from None


def _put_pawns(state: FireshipState, pawns: Sequence[pb.Pawns]) -> None:
    _require(len(pawns) <= MOST_GROUPS, "pawns", f"at most {MOST_GROUPS} kinds of pawns")
    for number, group in enumerate(pawns):
        field = f"pawns[{number}]"
        owner = _within(group.owner, 1, WHITE + 1, f"{field}.owner") - 1
        pawn = _inner_pawn(group.pawn, f"{field}.pawn")
        for _ in range(_within(group.count, 1, 15, f"{field}.count")):
            state.put(owner, pawn)


def _decode_islands(state: FireshipState, islands: Sequence[pb.Island]) -> None:
    _require(len(islands) == ISLANDS, "islands", f"{ISLANDS} islands, not {len(islands)}")
    for number, island in enumerate(islands):
        state.owners[number] = _within(island.owner, 1, WHITE + 1, f"islands[{number}].owner") - 1
        state.rings[number] = _within(island.rings, 0, RINGS, f"islands[{number}].rings")


def _decode_declared(declared: Sequence[pb.Declared], seats: int) -> list[Declared]:
    _require(len(declared) <= MOST_DECLARED, "declared", f"at most {MOST_DECLARED}")
    return [_decode_one_declared(one, f"declared[{number}]", seats) for number, one in enumerate(declared)]


def _decode_one_declared(declared: pb.Declared, field: str, seats: int) -> Declared:
    seat = _within(declared.seat, 0, seats - 1, f"{field}.seat")
    try:
        return Declared(seat, _decode_move(declared.move))
    except InvalidRequest as error:
        raise InconsistentState(f"state.{field}.{error.field}", error.description) from None


# Views


def _seat_view_written(seat: SeatView) -> bytes:
    out = Writer()
    out.number(1, seat.colour + 1)
    out.number(2, seat.hand_size)
    if seat.hand != NO_HAND:
        out.counts(3, seat.hand, CARD_KINDS, LANE)
    out.data(4, _badges(seat.badges))
    out.flag(5, seat.anti_skull)
    out.flag(6, seat.fog)
    out.number(7, seat.skips)
    out.flag(8, seat.silent)
    out.flag(9, seat.has_answered)
    out.number(10, seat.answer)
    out.flag(11, seat.out > 0)
    out.flag(12, seat.left)
    out.number(13, seat.first_throw)
    out.number(14, seat.island_power)
    out.number(15, seat.pawn_power)
    return out.done()


class FireshipCodec(Codec[FireshipState, Move, FireshipOptions, FireshipView]):
    """Fireship in messages."""

    title = "Fireship - The GAME"
    game: Game[FireshipState, Move, FireshipOptions, FireshipView] = Fireship()
    service = verbs.DESCRIPTOR.services_by_name["FireshipService"]
    bot_service = bots.DESCRIPTOR.services_by_name["FireshipBotService"]
    nouns = Nouns(move=pb.Move, event=pb.Event, log_entry=pb.LogEntry, state=pb.State, view=pb.View)

    def decode_options(self, message: Message) -> FireshipOptions:
        return _decode_options(cast(pb.Options, message))

    def write_state(self, state: FireshipState) -> bytes:
        out = Writer()
        out.data(1, _options_written(state.options))
        out.number(2, state.stage)
        out.number(3, state.active)
        out.number(4, state.first)
        for seat in state.seats:
            out.data(5, _seat_written(seat))
        for owner, fleet in enumerate(state.pawns):
            for pawn in sorted(set(fleet)):
                out.data(6, _group_written(owner, pawn, fleet.count(pawn)))
        for island in range(ISLANDS):
            out.data(7, _island_written(state.owners[island], state.rings[island]))
        out.data(8, _badges(state.badge_stock))
        out.number(9, state.round)
        out.number(10, state.turn)
        out.number(11, state.thrower)
        out.number(12, state.contest)
        out.number(13, state.due)
        out.numbers(14, state.dice)
        out.number(15, state.points)
        if state.chosen != NO_PAWN:
            out.data(16, _pawn(state.chosen))
        out.flag(17, state.acted)
        out.flag(18, state.fortified)
        for one in state.stack:
            out.data(19, _declared_written(one.seat, one.move))
        out.number(20, state.bonus)
        out.number(21, state.asked)
        out.counts(22, state.deck, CARD_KINDS, LANE)
        out.counts(23, state.discards, CARD_KINDS, LANE)
        out.counts(24, state.at_most, CARD_KINDS, LANE)
        out.number(25, state.rebuilds)
        out.flag(26, state.time_is_up)
        out.text(27, state.reason)
        return out.done()

    def decode_state(self, message: Message) -> FireshipState:
        source = cast(pb.State, message)
        options = _decode_state_options(source.options)
        seats = len(options.colours)
        state = empty_state(seats, options)
        _require(len(source.seats) == seats, "seats", f"{seats}, one a colour, not {len(source.seats)}")
        for number, seat in enumerate(state.seats):
            _decode_seat(seat, source.seats[number], f"seats[{number}]")
        _put_pawns(state, source.pawns)
        _decode_islands(state, source.islands)
        state.badge_stock = _decode_badges(source.badge_stock, "badgeStock")
        state.stage = _within(source.stage, FIRST_THROW, OVER, "stage")
        state.active = _within(source.active_seat, NO_SEAT, seats - 1, "activeSeat")
        state.first = _within(source.first_seat, NO_SEAT, seats - 1, "firstSeat")
        state.round = _counter(source.round, "round")
        state.turn = _counter(source.turn, "turn")
        state.thrower = _within(source.thrower, 0, seats - 1, "thrower")
        state.contest = _within(source.contest, 0, (1 << seats) - 1, "contest")
        state.due = _counter(source.due, "due")
        _require(len(source.dice) <= MOVEMENT_DICE[-1], "dice", f"at most {MOVEMENT_DICE[-1]}")
        _require(all(face in FACES for face in source.dice), "dice", "faces are 0 and 2 to 6")
        state.dice = list(source.dice)
        state.points = _counter(source.points, "points")
        state.chosen = _inner_pawn(source.chosen, "chosen") if source.HasField("chosen") else NO_PAWN
        state.acted = source.acted
        state.fortified = source.fortified
        state.stack = _decode_declared(source.declared, seats)
        state.bonus = _counter(source.defence_bonus, "defenceBonus")
        state.asked = _within(source.asked, 0, (1 << seats) - 1, "asked")
        state.deck = _pack(source.deck, "deck")
        state.discards = _pack(source.discards, "discards")
        state.at_most = _pack(source.deck_at_most, "deckAtMost")
        state.rebuilds = _counter(source.rebuilds, "rebuilds")
        state.time_is_up = source.time_is_up
        state.reason = source.reason
        return state

    def check(self, state: FireshipState) -> None:
        consistency.check(state)

    def write_move(self, move: Move) -> bytes:
        return _write_move(move)

    def decode_move(self, message: Message) -> Move:
        return _decode_move(cast(pb.Move, message))

    def write_view(self, view: FireshipView) -> bytes:
        out = Writer()
        out.data(1, _options_written(view.options))
        out.number(2, view.stage)
        out.number(3, view.active)
        out.number(4, view.first)
        out.number(5, view.round)
        for seat in view.seats:
            out.data(6, _seat_view_written(seat))
        for group in view.pawns:
            out.data(7, _group_written(group.owner, group.pawn, group.count))
        for island in range(ISLANDS):
            out.data(8, _island_written(view.owners[island], view.rings[island]))
        out.number(9, view.deck_size)
        out.counts(10, view.at_most, CARD_KINDS, LANE)
        out.counts(11, view.discards, CARD_KINDS, LANE)
        out.data(12, _badges(view.badge_stock))
        out.numbers(13, view.dice)
        out.number(14, view.points)
        if view.chosen != NO_PAWN:
            out.data(15, _pawn(view.chosen))
        out.flag(16, view.acted)
        out.flag(17, view.fortified)
        for one in view.declared:
            out.data(18, _declared_written(one.seat, one.move))
        out.number(19, view.attack_power)
        out.number(20, view.defence_power)
        out.numbers(21, [seat for seat in range(len(view.seats)) if view.asked >> seat & 1])
        out.flag(22, view.time_is_up)
        return out.done()
