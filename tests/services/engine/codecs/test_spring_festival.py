"""Codec of Spring Festival: round trips, refused states and moves, secrecy, and the size of lists of legal moves."""

from __future__ import annotations

from random import Random
from time import process_time

import pytest
from fireside.spring_festival.v1 import spring_festival_pb2 as pb
from fireside.spring_festival.v1.spring_festival_service_pb2 import LegalMove, LegalMovesResponse
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from engine_core.chance import Luck
from engine_core.errors import InconsistentState, InvalidOption
from engine_core.explore import playout, random_step
from engine_core.game import NATURE, SPECTATOR, Move, Over, Turn
from engine_core.games.spring_festival.components import TILES
from engine_core.games.spring_festival.compositions import Complete
from engine_core.games.spring_festival.moves import Pass, PlaceTile
from engine_core.games.spring_festival.stages import PLACING
from engine_core.games.spring_festival.state import SpringFestivalOptions, SpringFestivalState
from engine_core.match import Match
from services.engine.codec import read_log_line
from services.engine.codecs.spring_festival import SpringFestivalCodec
from services.grpc_server.errors import InvalidRequest
from tests.conformance.plain import plain

CODEC = SpringFestivalCodec()
GAME = CODEC.game
PRESETS = list(GAME.presets())


def decode_and_check(data: bytes) -> SpringFestivalState:
    state = CODEC.read_state(data)
    CODEC.check(state)
    return state


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seat_count", [2, 3, 4])
def test_a_state_round_trips_at_every_move(seat_count: int, preset: str) -> None:
    random = Random(f"{seat_count} {preset}")
    state = GAME.start(seat_count, GAME.presets()[preset])
    going = True
    while going:
        data = CODEC.encode_state(state).SerializeToString(deterministic=True)
        decoded_state = decode_and_check(data)
        assert plain(decoded_state) == plain(state)
        assert CODEC.encode_state(decoded_state).SerializeToString(deterministic=True) == data
        going = random_step(GAME, decoded_state, random)
        state = decoded_state


@pytest.mark.parametrize("seed", range(6))
def test_a_state_round_trips_after_seats_have_left(seed: int) -> None:
    random = Random(seed)
    seats = 2 + seed % 3
    match = Match(GAME, GAME.start(seats, SpringFestivalOptions("random")), Luck(bytes([seed] * 32), []))
    match.begin()
    for _ in range(random.randrange(40)):
        seat = random.choice(match.to_move())
        match.play(seat, random.choice(match.legal_moves(seat)))
    match.leave(random.randrange(seats))
    while not match.is_over():
        assert plain(decode_and_check(CODEC.encode_state(match.state).SerializeToString())) == plain(match.state)
        seat = random.choice(match.to_move())
        match.play(seat, random.choice(match.legal_moves(seat)))
    assert plain(decode_and_check(CODEC.encode_state(match.state).SerializeToString())) == plain(match.state)


@pytest.mark.parametrize("seat_count", [2, 4])
def test_moves_round_trip(seat_count: int) -> None:
    random = Random(seat_count)
    state = GAME.start(seat_count, SpringFestivalOptions("random"))
    while not isinstance(phase := GAME.phase(state), Over):
        mover = random.choice(phase.seats) if isinstance(phase, Turn) else NATURE
        legal = GAME.legal_moves(state, mover)
        for move in legal:
            assert CODEC.decode_move(CODEC.encode_move(move)) == move
            concealed = GAME.conceal(state, mover, move)
            assert CODEC.decode_move(CODEC.encode_move(concealed)) == concealed
        GAME.apply(state, mover, random.choice(legal))


@pytest.mark.parametrize(
    ("move", "field"),
    [
        (pb.Move(), "move"),
        (pb.Move(lay=pb.LayStartTile(tile=pb.TILE_ID_S1_1)), "move.lay.square"),
        (pb.Move(lay=pb.LayStartTile(square=pb.Square())), "move.lay.tile"),
        (pb.Move(lay=pb.LayStartTile(tile=pb.TILE_ID_T01, square=pb.Square())), "move.lay.tile"),
        (pb.Move(orient=pb.RotateStore(offset=4)), "move.orient.offset"),
        (pb.Move(orient=pb.RotateStore(offset=-1)), "move.orient.offset"),
        (pb.Move(place=pb.PlaceTile(square=pb.Square(x=16))), "move.place.square.x"),
        (pb.Move(place=pb.PlaceTile(square=pb.Square(y=-2147483648))), "move.place.square.y"),
        (pb.Move(complete=pb.Complete(corner=pb.Square())), "move.complete.card"),
        (pb.Move(complete=pb.Complete(card=pb.COMPOSITION_ID_C01)), "move.complete.corner"),
        (pb.Move(complete=pb.Complete(card=pb.COMPOSITION_ID_C01, corner=pb.Square(), turns=4)), "move.complete.turns"),
        (pb.Move(launch=pb.Launch()), "move.launch.square"),
        (pb.Move(reveal=pb.RevealTile(pile=4, tile=pb.TILE_ID_T01)), "move.reveal.pile"),
        (pb.Move(reveal=pb.RevealTile(tile=pb.TILE_ID_S1_1)), "move.reveal.tile"),
        (pb.Move(deal=pb.Deal(seat=4, card=pb.COMPOSITION_ID_C01)), "move.deal.seat"),
        (pb.Move(deal=pb.Deal()), "move.deal.card"),
        (pb.Move(sign=pb.DrawSign(sign=pb.SIGN_RANDOM)), "move.sign.sign"),
        (pb.Move(first_seat=pb.DrawFirstSeat(seat=4)), "move.firstSeat.seat"),
    ],
)
def test_a_move_out_of_range_is_refused_with_its_field(move: pb.Move, field: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        CODEC.decode_move(move)
    assert field in str(refused.value)


@pytest.mark.parametrize("name", pb.Sign.keys())
def test_every_sign_is_an_option(name: str) -> None:
    options = CODEC.decode_options(pb.Options(sign=pb.Sign.Value(name)))
    expected = "none" if name == "SIGN_UNSPECIFIED" else name.removeprefix("SIGN_").lower()
    assert (options.sign, options.extra_compositions, options.first_seat) == (expected, False, -1)


def test_options_out_of_range_are_refused() -> None:
    with pytest.raises(InvalidOption):
        CODEC.decode_options(pb.Options(sign=99))  # type: ignore[arg-type]
    with pytest.raises(InvalidOption):
        CODEC.decode_options(pb.Options(first_seat=-1))


def test_a_view_shows_everything_that_a_client_draws() -> None:
    state = GAME.start(2, SpringFestivalOptions("random"))
    random = Random(4)
    for _ in range(60):
        random_step(GAME, state, random)
    view = CODEC.encode_view(GAME.view(state, 0))
    assert isinstance(view, pb.View)
    for seat in view.seats:
        for shown in seat.display:
            tile = TILES[shown.tile.id - 1]
            assert (shown.tile.colour, shown.tile.number) == (tile.colour + 1, tile.number)
            assert list(shown.tile.arrows) == [arrow + 1 for arrow in tile.arrows]
            assert list(shown.tile.sparks) == [spark + 1 for spark in tile.sparks]
            assert shown.face in (pb.FACE_ROCKET, pb.FACE_EXPLODED)
        assert all(card.rows and card.points and card.kind for card in seat.cards)
    assert [pile.size for pile in view.piles]
    assert len(view.undrawn_patterns) == len(state.undrawn_patterns)


def test_a_sealed_placement_is_not_in_the_bytes_of_other_seats() -> None:
    """Two states that differ in what seat 0 has committed give everybody else the same bytes."""
    state = GAME.start(3, SpringFestivalOptions(first_seat=0))
    while state.stage != PLACING:
        phase = GAME.phase(state)
        seat = phase.seats[0] if isinstance(phase, Turn) else NATURE
        GAME.apply(state, seat, GAME.legal_moves(state, seat)[0])
    seen: list[list[bytes]] = []
    for move in GAME.legal_moves(state, 0):
        copied = GAME.copy(state)
        match = Match(GAME, copied, None)
        [entry] = match.play(0, move)
        line = CODEC.write_log_entry(entry)
        seen.append(
            [
                message.SerializeToString(deterministic=True)
                for observer in (1, 2, SPECTATOR)
                for message in (
                    CODEC.encode_view(GAME.view(copied, observer)),
                    CODEC.encode_event(entry, observer),
                    CODEC.messages.event.FromString(read_log_line(line).seen_by(observer)),
                )
            ]
        )
    assert len(seen) > 10
    assert all(each == seen[0] for each in seen)


def mutate_random_field(message: Message, random: Random) -> None:
    """Change a random field of a message or of one nested in it."""
    fields = [
        field for field in message.DESCRIPTOR.fields if not field.is_repeated or len(getattr(message, field.name))
    ]
    field = random.choice(fields)
    if field.is_repeated:
        mutate_list(message, field.name, field.type == FieldDescriptor.TYPE_MESSAGE, random)
    elif field.type == FieldDescriptor.TYPE_MESSAGE:
        mutate_random_field(getattr(message, field.name), random)
    elif field.type == FieldDescriptor.TYPE_STRING:
        setattr(message, field.name, random.choice(["", "left", "finale", "x"]))
    elif field.type == FieldDescriptor.TYPE_BOOL:
        setattr(message, field.name, not getattr(message, field.name))
    else:
        setattr(message, field.name, changed_number(getattr(message, field.name), random))


def mutate_list(message: Message, name: str, nested: bool, random: Random) -> None:
    values = getattr(message, name)
    place = random.randrange(len(values))
    if nested and random.random() < 0.8:
        mutate_random_field(values[place], random)
    elif random.random() < 0.3:
        del values[place]
    elif not nested:
        values[place] = changed_number(values[place], random)
        if random.random() < 0.3:
            values.append(values[place])


INT32_MIN = -(2**31)
INT32_MAX = 2**31 - 1


def changed_number(number: int, random: Random) -> int:
    next_to = random.choice([number - 1, number + 1])
    return random.choice(
        [max(INT32_MIN, min(INT32_MAX, next_to)), 0, 1, 2, 12, 13, 14, random.randrange(75), INT32_MIN, INT32_MAX]
    )


@pytest.mark.parametrize("seed", range(12))
def test_a_corrupted_state_is_refused_or_played_to_its_end(seed: int) -> None:
    random = Random(seed)
    accepted = refused = 0
    state = GAME.start(2 + seed % 3, GAME.presets()[PRESETS[seed % len(PRESETS)]])
    while random_step(GAME, state, random):
        for _ in range(4):
            message = CODEC.encode_state(state)
            for _ in range(random.randint(1, 3)):
                mutate_random_field(message, random)
            try:
                hostile = decode_and_check(message.SerializeToString())
            except InconsistentState as error:
                refused += error.field.startswith("state.")
                continue
            accepted += 1
            for observer in (SPECTATOR, 0):
                CODEC.encode_view(GAME.view(hostile, observer))
            GAME.score(hostile)
            GAME.determinize(hostile, 0, random)
            playout(GAME, hostile, random, 400)
    assert refused > 100
    assert accepted > 5


MAX_MOVES = {"lay": 12, "orient": 4, "place": 47, "complete": 60, "launch": 16}
"""Longest lists: exact but for completions, of which the hoarding players below meet up to a third."""
MAX_BYTES = 1500
MAX_MILLISECONDS = 50.0


def test_the_longest_lists_of_legal_moves_stay_small() -> None:
    """Players that never complete anything and keep all that explodes: the number of matches grows with it."""
    random = Random("hoard")
    most: dict[str, int] = {}
    most_bytes = 0
    slowest = 0.0
    for _ in range(25):
        state = GAME.start(4, SpringFestivalOptions(extra_compositions=True))
        while not isinstance(phase := GAME.phase(state), Over):
            seat = phase.seats[0] if isinstance(phase, Turn) else NATURE
            started = process_time()
            legal = GAME.legal_moves(state, seat)
            if seat != NATURE:
                answer = LegalMovesResponse(
                    moves=[LegalMove(move=encode_move(move), notation=GAME.notation(move)) for move in legal]
                )
                slowest = max(slowest, 1000 * (process_time() - started))
                most_bytes = max(most_bytes, answer.ByteSize())
                kind = GAME.notation(legal[0]).split()[0]
                most[kind] = max(most.get(kind, 0), len(legal))
            GAME.apply(state, seat, hoarding_choice(legal, state, seat, random))
    print(f"most moves {most}, {most_bytes} bytes, {slowest:.2f} ms")
    assert set(most) == set(MAX_MOVES)
    assert all(most[kind] <= MAX_MOVES[kind] for kind in most)
    assert most_bytes <= MAX_BYTES
    assert slowest <= MAX_MILLISECONDS


def encode_move(move: Move) -> pb.Move:
    message = CODEC.encode_move(move)
    assert isinstance(message, pb.Move)
    return message


def hoarding_choice(legal: list[Move], state: SpringFestivalState, seat: int, random: Random) -> Move:
    """Keep the display within four by four, and everything exploded."""
    if isinstance(legal[-1], Pass):
        return legal[-1]
    if not isinstance(legal[0], PlaceTile):
        return random.choice([move for move in legal if not isinstance(move, Complete)])
    display = state.seats[seat].display
    close = [square for square in display.free_squares() if 0 <= square % 33 - 16 < 4 and 0 <= square // 33 - 16 < 4]
    return PlaceTile(random.choice(close)) if close else random.choice(legal)


def test_the_longest_list_of_placements_is_within_its_limit() -> None:
    """Each tile on a free square adds at most two to choose from: 15 tiles and what is around them are at most 47."""
    random = Random("sprawl")
    longest = 0
    for _ in range(40):
        state = GAME.start(2, SpringFestivalOptions())
        while not isinstance(phase := GAME.phase(state), Over):
            seat = phase.seats[0] if isinstance(phase, Turn) else NATURE
            legal = GAME.legal_moves(state, seat)
            if isinstance(legal[0], PlaceTile):
                longest = max(longest, len(legal))
                widest = max(legal, key=lambda move: count_reachable_squares_after(state, seat, move))
                GAME.apply(state, seat, widest)
            else:
                GAME.apply(state, seat, random.choice(legal))
    print(f"longest list of placements: {longest}")
    assert 40 <= longest <= 47


def count_reachable_squares_after(state: SpringFestivalState, seat: int, move: Move) -> int:
    display = state.seats[seat].display.copy()
    if isinstance(move, PlaceTile) and display.slot_at(move.square) < 0:
        display.put_tile(16, move.square)
    return len(display.reachable)


def abandoned_state(moves: int, seat_count: int = 2) -> pb.State:
    """A match that all but one have left, after so many moves."""
    match = Match(GAME, GAME.start(seat_count, SpringFestivalOptions("random")), Luck(bytes(32), []))
    match.begin()
    for _ in range(moves):
        seat = match.to_move()[0]
        match.play(seat, GAME.default_move(match.state, seat))
    for seat in range(1, seat_count):
        match.leave(seat)
    return pb.State.FromString(CODEC.write_state(match.state))


@pytest.mark.parametrize("moves", [0, 3, 8, 9, 12, 20, 40])
def test_an_abandoned_match_is_accepted_in_every_stage(moves: int) -> None:
    assert decode_and_check(abandoned_state(moves).SerializeToString()).reason == "left"


def test_an_abandoned_match_without_a_first_seat_is_accepted() -> None:
    state = GAME.start(2, SpringFestivalOptions())
    GAME.leave(state, 1)
    assert plain(decode_and_check(CODEC.write_state(state))) == plain(state)


@pytest.mark.parametrize(
    ("field", "value", "refused"),
    [
        ("applause", 1, "state.seats[0].applause"),
        ("launched", True, "state.seats[0].launched"),
        ("completed", [1], "state.undrawnColours"),
        ("tile", 17, "state.undrawn"),
    ],
)
def test_fault09_an_abandoned_match_must_be_consistent_with_some_stage(field: str, value: object, refused: str) -> None:
    state = abandoned_state(0)
    if isinstance(value, list):
        state.seats[0].completed.extend(value)
    else:
        setattr(state.seats[0], field, value)
    with pytest.raises(InconsistentState) as caught:
        decode_and_check(state.SerializeToString())
    assert caught.value.field == refused


@pytest.mark.parametrize(("name", "value"), [("round", 7), ("offset", 2), ("composing_seat", 1)])
def test_fault09_an_abandoned_match_must_be_consistent_with_its_round(name: str, value: int) -> None:
    state = abandoned_state(0)
    setattr(state, name, value)
    with pytest.raises(InconsistentState):
        decode_and_check(state.SerializeToString())
