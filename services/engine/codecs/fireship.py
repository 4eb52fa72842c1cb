"""The codec of Fireship. Islands, kinds and colours are counted from 0 in the rules and from 1 in messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, cast

from fireside.fireship.v1 import fireship_bot_service_pb2 as bots
from fireside.fireship.v1 import fireship_pb2 as pb
from fireside.fireship.v1 import fireship_service_pb2 as verbs
from google.protobuf.message import Message

from engine_core.errors import InconsistentState, InvalidOption
from engine_core.game import Move
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
    MOVEMENT_DICE,
    PLANE,
    RINGS,
    SECTORS,
    UPDRAFT,
    WHITE,
    pack,
    unpack,
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
from services.engine.codec import Codec, Nouns
from services.errors import InvalidRequest

PLAYED: Final = [BOUM, GULF_STREAM, FOG, UPDRAFT]
"""The cards that are played in turn, in the order of their enum, from 1."""
COUNTER_MOST: Final = 1000
"""No counter of a position comes near it."""
MOST_GROUPS: Final = 100
"""There are not so many pawns."""


# Nouns


def _colour(owner: int) -> pb.Colour.ValueType:
    return cast("pb.Colour.ValueType", owner + 1)


def _kind(kind: int) -> pb.PawnKind.ValueType:
    return cast("pb.PawnKind.ValueType", kind + 1)


def _card(card: int) -> pb.MysteryCard.ValueType:
    return cast("pb.MysteryCard.ValueType", card + 1)


def _answer(answer: int) -> pb.AnswerKind.ValueType:
    return cast("pb.AnswerKind.ValueType", max(answer, 0))


def _pawn(pawn: int) -> pb.Pawn:
    return pb.Pawn(
        kind=_kind(kind_of(pawn)),
        square=NAMES[pawn // moves.CLASSES],
        arrived=bool(pawn & moves.ARRIVED),
        fast=bool(pawn & moves.FAST),
    )


def _cards(cards: int) -> pb.MysteryCards:
    counts = unpack(cards)
    return pb.MysteryCards(
        gain_boat=counts[0],
        gain_plane=counts[1],
        lose_boat=counts[2],
        lose_plane=counts[3],
        no=counts[4],
        boum=counts[5],
        plus_one=counts[6],
        updraft=counts[7],
        fog=counts[8],
        bermuda=counts[9],
    )


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
    in_range = all(0 <= count <= most for count, most in zip(counts, CARD_COUNTS, strict=True))
    return pack(counts) if in_range else -1


def _badges(badges: Sequence[int]) -> pb.Badges:
    return pb.Badges(boum=badges[0], gulf_stream=badges[1], fog=badges[2], updraft=badges[3])


# Moves, encoded


def _play(card: int, source: int) -> pb.PlayCard:
    return pb.PlayCard(
        card=cast("pb.PlayedCard.ValueType", PLAYED.index(card) + 1),
        source=cast("pb.CardSource.ValueType", source + 1),
    )


def _encode_boum(move: moves.Boum) -> pb.Move:
    play = _play(BOUM, move.source)
    play.owner = _colour(move.owner)
    play.pawn.CopyFrom(pb.Pawn(kind=_kind(BOAT), square=NAMES[move.square]))
    return pb.Move(play_card=play)


def _encode_hasten(move: moves.Hasten) -> pb.Move:
    play = _play(UPDRAFT if kind_of(move.pawn) == PLANE else GULF_STREAM, move.source)
    play.pawn.CopyFrom(_pawn(move.pawn))
    return pb.Move(play_card=play)


def _encode_attack(move: moves.Attack) -> pb.Move:
    attack = pb.Attack(attacker=NAMES[move.start], plus_ones=move.plus_ones)
    if move.island == moves.NO_ISLAND:
        attack.pawn.CopyFrom(pb.Target(owner=_colour(move.owner), square=NAMES[move.square]))
    else:
        attack.island = move.island + 1
    return pb.Move(attack=attack)


ENCODERS: Final = cast(
    dict[type[Move], Callable[[Move], pb.Move]],
    {
        moves.Boum: _encode_boum,
        moves.Fog: lambda move: pb.Move(play_card=_play(FOG, move.source)),
        moves.Hasten: _encode_hasten,
        moves.Throw: lambda move: pb.Move(throw=pb.Throw()),
        moves.ChoosePawn: lambda move: pb.Move(choose_pawn=pb.ChoosePawn(pawn=_pawn(move.pawn))),
        moves.Sail: lambda move: pb.Move(sail=pb.Sail(to=NAMES[move.to])),
        moves.Fortify: lambda move: pb.Move(
            fortify=pb.Fortify(island=move.island + 1, boats=[_pawn(move.first), _pawn(move.second)])
        ),
        moves.Attack: _encode_attack,
        moves.UseSquare: lambda move: pb.Move(use_square=pb.UseSquare(square=NAMES[move.square])),
        moves.Lose: lambda move: pb.Move(lose=pb.Lose(kind=_kind(move.kind), square=NAMES[move.square])),
        moves.EndTurn: lambda move: pb.Move(end_turn=pb.EndTurn()),
        moves.Answer: lambda move: pb.Move(answer=pb.Answer(answer=_answer(move.answer))),
        moves.Die: lambda move: pb.Move(die=pb.Die(face=move.face)),
        moves.Sector: lambda move: pb.Move(sector=pb.Sector(sector=move.sector)),
        moves.Card: lambda move: pb.Move(card=pb.Card(card=_card(move.card))),
        moves.TimeUp: lambda move: pb.Move(time_up=pb.TimeUp()),
    },
)


def _encode_move(move: Move) -> pb.Move:
    return ENCODERS[type(move)](move)


# Moves, decoded


def _refuse(field: str, description: str) -> InvalidRequest:
    return InvalidRequest(f"move.{field}", description)


def _number(number: int, least: int, most: int, field: str) -> int:
    if not least <= number <= most:
        raise _refuse(field, f"{least} to {most}, not {number}")
    return number


def _place(name: str, field: str) -> int:
    """A square of the sea, or a base."""
    square = NAMES.index(name) if name in NAMES else -1
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
    if pawn.kind != _kind(BOAT):
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


def _encode_options(options: FireshipOptions) -> pb.Options:
    return pb.Options(
        fortification=options.fortification,
        rounds=options.rounds,
        movement_dice=options.movement_dice,
        island_supports_attack=options.island_supports_attack,
        colours=[_colour(colour) for colour in options.colours],
    )


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


def _encode_seat(seat: Seat) -> pb.SeatState:
    return pb.SeatState(
        hand=_cards(seat.hand),
        deck_at_most=_cards(seat.at_most),
        badges=_badges(seat.badges),
        anti_skull=seat.anti_skull,
        fog=seat.fog,
        skips=seat.skips,
        passes_turn=seat.silent,
        answer=_answer(seat.answer),
        out=seat.out,
        left=seat.left,
        first_throw=seat.first_throw,
    )


def _encode_pawns(pawns: Sequence[Sequence[int]]) -> list[pb.Pawns]:
    return [
        pb.Pawns(owner=_colour(owner), pawn=_pawn(pawn), count=fleet.count(pawn))
        for owner, fleet in enumerate(pawns)
        for pawn in sorted(set(fleet))
    ]


def _encode_islands(owners: Sequence[int], rings: Sequence[int]) -> list[pb.Island]:
    return [pb.Island(owner=_colour(owner), rings=ring) for owner, ring in zip(owners, rings, strict=True)]


def _require(fact: bool, field: str, description: str) -> None:
    if not fact:
        raise InconsistentState(f"state.{field}", description)


def _within(number: int, least: int, most: int, field: str) -> int:
    _require(least <= number <= most, field, f"{least} to {most}, not {number}")
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


def _encode_seat_view(seat: SeatView) -> pb.SeatView:
    return pb.SeatView(
        colour=_colour(seat.colour),
        hand_size=seat.hand_size,
        hand=None if seat.hand == NO_HAND else _cards(seat.hand),
        badges=_badges(seat.badges),
        anti_skull=seat.anti_skull,
        fog=seat.fog,
        skips=seat.skips,
        passes_turn=seat.silent,
        has_answered=seat.has_answered,
        answer=_answer(seat.answer),
        out=seat.out > 0,
        left=seat.left,
        first_throw=seat.first_throw,
        island_power=seat.island_power,
        pawn_power=seat.pawn_power,
    )


class FireshipCodec(Codec[FireshipState, Move, FireshipOptions, FireshipView]):
    """Fireship in messages."""

    title = "Fireship - The GAME"
    game = Fireship()
    service = verbs.DESCRIPTOR.services_by_name["FireshipService"]
    bot_service = bots.DESCRIPTOR.services_by_name["FireshipBotService"]
    nouns = Nouns(event=pb.Event, log_entry=pb.LogEntry, reveal=pb.Reveal, state=pb.State)

    def decode_options(self, message: Message) -> FireshipOptions:
        return _decode_options(cast(pb.Options, message))

    def encode_state(self, state: FireshipState) -> Message:
        return pb.State(
            options=_encode_options(state.options),
            stage=cast("pb.Stage.ValueType", state.stage),
            active_seat=state.active,
            first_seat=state.first,
            seats=[_encode_seat(seat) for seat in state.seats],
            pawns=_encode_pawns(state.pawns),
            islands=_encode_islands(state.owners, state.rings),
            badge_stock=_badges(state.badge_stock),
            round=state.round,
            turn=state.turn,
            thrower=state.thrower,
            contest=state.contest,
            due=state.due,
            dice=state.dice,
            points=state.points,
            chosen=None if state.chosen == NO_PAWN else _pawn(state.chosen),
            acted=state.acted,
            fortified=state.fortified,
            declared=[pb.Declared(seat=one.seat, move=_encode_move(one.move)) for one in state.stack],
            defence_bonus=state.bonus,
            asked=state.asked,
            deck=_cards(state.deck),
            discards=_cards(state.discards),
            deck_at_most=_cards(state.at_most),
            rebuilds=state.rebuilds,
            time_is_up=state.time_is_up,
            reason=state.reason,
        )

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

    def encode_move(self, move: Move) -> Message:
        return _encode_move(move)

    def decode_move(self, message: Message) -> Move:
        return _decode_move(cast(pb.Move, message))

    def encode_view(self, view: FireshipView) -> Message:
        return pb.View(
            options=_encode_options(view.options),
            stage=cast("pb.Stage.ValueType", view.stage),
            active_seat=view.active,
            first_seat=view.first,
            round=view.round,
            seats=[_encode_seat_view(seat) for seat in view.seats],
            pawns=[
                pb.Pawns(owner=_colour(group.owner), pawn=_pawn(group.pawn), count=group.count) for group in view.pawns
            ],
            islands=_encode_islands(view.owners, view.rings),
            deck_size=view.deck_size,
            deck_at_most=_cards(view.at_most),
            discards=_cards(view.discards),
            badge_stock=_badges(view.badge_stock),
            dice=view.dice,
            points=view.points,
            chosen=None if view.chosen == NO_PAWN else _pawn(view.chosen),
            acted=view.acted,
            fortified=view.fortified,
            declared=[pb.Declared(seat=one.seat, move=_encode_move(one.move)) for one in view.declared],
            attack_power=view.attack_power,
            defence_power=view.defence_power,
            asked=[seat for seat in range(len(view.seats)) if view.asked >> seat & 1],
            time_is_up=view.time_is_up,
        )
