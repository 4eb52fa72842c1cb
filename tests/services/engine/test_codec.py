"""Codec of every game: round trips of states and moves, unknown fields and malformed bytes."""

from __future__ import annotations

from random import Random
from time import process_time

import pytest
from google.protobuf.message import DecodeError

from engine_core.errors import InconsistentState
from engine_core.game import EVERYBODY, NATURE, SPECTATOR
from engine_core.match import Entry
from services.engine import wire
from services.engine.codec import read_log_line
from services.engine.codecs import CODECS, AnyCodec
from tests.services.engine.positions import positions

UNKNOWN_FIELD = 2000
REPEATED_ELEMENTS = 1_000_000

GAME_SETUPS = [
    pytest.param(codec, seats, id=f"{name}-{seats}")
    for name, codec in CODECS.items()
    for seats in range(codec.game.min_seats, codec.game.max_seats + 1)
]


def test_every_game_has_its_own_codec() -> None:
    assert all(codec.game.name == name for name, codec in CODECS.items())
    assert len({codec.service.full_name for codec in CODECS.values()}) == len(CODECS)


@pytest.mark.parametrize(("codec", "seat_count"), GAME_SETUPS)
def test_a_state_round_trips_at_every_move(codec: AnyCodec, seat_count: int) -> None:
    for state in positions(codec, seat_count, Random(seat_count)):
        data = codec.encode_state(state).SerializeToString()
        copied = codec.read_state(data)
        codec.check(copied)
        assert codec.encode_state(copied).SerializeToString() == data
        for seat in range(NATURE, seat_count):
            assert codec.game.legal_moves(copied, seat) == codec.game.legal_moves(state, seat)
        for observer in range(SPECTATOR, seat_count):
            if observer != NATURE:
                assert encoded_view(codec, copied, observer) == encoded_view(codec, state, observer)


def encoded_view(codec: AnyCodec, state: object, observer: int) -> bytes:
    return codec.encode_view(codec.game.view(state, observer)).SerializeToString()


@pytest.mark.parametrize(("codec", "seat_count"), GAME_SETUPS)
def test_a_decoded_state_can_be_played_like_the_original(codec: AnyCodec, seat_count: int) -> None:
    for state in positions(codec, seat_count, Random(seat_count)):
        copied = codec.read_state(codec.write_state(state))
        for seat in range(NATURE, seat_count):
            for move in codec.game.legal_moves(state, seat)[:2]:
                after = codec.encode_state(codec.game.next_state(state, seat, move))
                assert codec.encode_state(codec.game.next_state(copied, seat, move)) == after


@pytest.mark.parametrize(("codec", "seat_count"), GAME_SETUPS)
def test_a_non_canonical_state_is_decoded_to_the_same_state(codec: AnyCodec, seat_count: int) -> None:
    unknown = wire.text(UNKNOWN_FIELD, "of a later version")
    for state in positions(codec, seat_count, Random(seat_count)):
        data = codec.write_inline_state(state)
        backwards = b"".join(
            reversed([single_field(codec, data, field.number) for field in codec.messages.state.DESCRIPTOR.fields])
        )
        for form in (unknown + data, data + unknown, backwards):
            assert codec.write_inline_state(codec.read_state(form)) == data


def single_field(codec: AnyCodec, data: bytes, field: int) -> bytes:
    """The canonical bytes of a state with one field only."""
    message = codec.messages.state.FromString(data)
    for other in message.DESCRIPTOR.fields:
        if other.number != field:
            message.ClearField(other.name)
    return message.SerializeToString(deterministic=True)


@pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)
def test_malformed_bytes_are_refused(codec: AnyCodec) -> None:
    data = codec.write_inline_state(next(positions(codec, 2, Random(1))))
    for end in range(len(data)):
        if not is_message(codec, data[:end]):
            with pytest.raises(DecodeError):
                codec.read_state(data[:end])


def is_message(codec: AnyCodec, data: bytes) -> bool:
    try:
        codec.messages.state.FromString(data)
    except DecodeError:
        return False
    return True


@pytest.mark.parametrize(("codec", "seat_count"), GAME_SETUPS)
def test_every_move_round_trips(codec: AnyCodec, seat_count: int) -> None:
    for state in positions(codec, seat_count, Random(seat_count)):
        for seat in range(NATURE, seat_count):
            for move in codec.game.legal_moves(state, seat):
                hidden = codec.game.conceal(state, seat, move)
                assert codec.decode_move(codec.encode_move(move)) == move
                assert codec.decode_move(codec.encode_move(hidden)) == hidden


@pytest.mark.parametrize(("codec", "seat_count"), GAME_SETUPS)
def test_a_log_line_shows_each_observer_only_its_information(codec: AnyCodec, seat_count: int) -> None:
    game = codec.game
    for state in positions(codec, seat_count, Random(seat_count)):
        for move in game.legal_moves(state, NATURE):
            audience = game.audience(state, NATURE, move)
            concealed = move if audience == EVERYBODY else game.conceal(state, NATURE, move)
            entry = Entry(7, NATURE, move, audience, concealed, [])
            for observer in range(SPECTATOR, seat_count):
                assert read_log_line(codec.write_log_entry(entry)).seen_by(observer) == codec.write_event(
                    entry, observer
                )


@pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)
def test_the_event_of_a_seat_that_left_has_no_move(codec: AnyCodec) -> None:
    event = codec.messages.event.FromString(
        read_log_line(codec.write_log_entry(Entry(3, 0, None, EVERYBODY, None, []))).event
    )
    assert not event.HasField("move")
    assert "leave" in str(event)


@pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)
def test_a_list_that_is_far_too_long_is_refused_at_once(codec: AnyCodec) -> None:
    data = codec.write_inline_state(next(positions(codec, 2, Random(1))))
    for field in codec.messages.state.DESCRIPTOR.fields:
        if field.is_repeated and field.message_type is None:
            message = codec.messages.state.FromString(data)
            getattr(message, field.name).extend([1] * REPEATED_ELEMENTS)
            began = process_time()
            with pytest.raises(InconsistentState) as caught:
                codec.read_state(message.SerializeToString())
            assert caught.value.field.startswith(f"state.{field.json_name}")
            assert process_time() - began < 0.5
