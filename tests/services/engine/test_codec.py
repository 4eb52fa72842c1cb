"""Laws of every codec in the table."""

from __future__ import annotations

from random import Random

import pytest

from engine_core.game import EVERYBODY, NATURE, SPECTATOR
from engine_core.match import Entry
from services.engine.codecs import CODECS, AnyCodec
from tests.services.engine.positions import positions

TABLES = [
    pytest.param(codec, seats, id=f"{name}-{seats}")
    for name, codec in CODECS.items()
    for seats in range(codec.game.min_seats, codec.game.max_seats + 1)
]


def test_every_game_has_a_codec_of_its_own() -> None:
    assert all(codec.game.name == name for name, codec in CODECS.items())
    assert len({codec.service.full_name for codec in CODECS.values()}) == len(CODECS)


@pytest.mark.parametrize(("codec", "seats"), TABLES)
def test_a_state_survives_its_codec_at_every_move(codec: AnyCodec, seats: int) -> None:
    for state in positions(codec, seats, Random(seats)):
        data = codec.encode_state(state).SerializeToString()
        twin = codec.decode_state(codec.parse_state(data))
        codec.check(twin)
        assert codec.encode_state(twin).SerializeToString() == data
        for seat in range(NATURE, seats):
            assert codec.game.legal_moves(twin, seat) == codec.game.legal_moves(state, seat)
        for observer in range(SPECTATOR, seats):
            if observer != NATURE:
                assert view(codec, twin, observer) == view(codec, state, observer)


def view(codec: AnyCodec, state: object, observer: int) -> bytes:
    return codec.encode_view(codec.game.view(state, observer)).SerializeToString()


@pytest.mark.parametrize(("codec", "seats"), TABLES)
def test_a_twin_can_be_played_instead_of_the_state(codec: AnyCodec, seats: int) -> None:
    for state in positions(codec, seats, Random(seats)):
        twin = codec.decode_state(codec.encode_state(state))
        for seat in range(NATURE, seats):
            for move in codec.game.legal_moves(state, seat)[:2]:
                after = codec.encode_state(codec.game.after(state, seat, move))
                assert codec.encode_state(codec.game.after(twin, seat, move)) == after


@pytest.mark.parametrize(("codec", "seats"), TABLES)
def test_every_move_survives_its_codec(codec: AnyCodec, seats: int) -> None:
    for state in positions(codec, seats, Random(seats)):
        for seat in range(NATURE, seats):
            for move in codec.game.legal_moves(state, seat):
                hidden = codec.game.conceal(state, seat, move)
                assert codec.decode_move(codec.encode_move(move)) == move
                assert codec.decode_move(codec.encode_move(hidden)) == hidden


@pytest.mark.parametrize(("codec", "seats"), TABLES)
def test_a_line_of_the_log_shows_each_observer_what_it_may_see(codec: AnyCodec, seats: int) -> None:
    game = codec.game
    for state in positions(codec, seats, Random(seats)):
        for move in game.legal_moves(state, NATURE):
            audience = game.audience(state, NATURE, move)
            concealed = move if audience == EVERYBODY else game.conceal(state, NATURE, move)
            entry = Entry(7, NATURE, move, audience, concealed, [])
            for observer in range(SPECTATOR, seats):
                assert codec.seen(codec.log_entry(entry), observer) == codec.event(entry, observer)


@pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)
def test_a_seat_that_left_is_told_without_a_move(codec: AnyCodec) -> None:
    event = codec.seen(codec.log_entry(Entry(3, 0, None, EVERYBODY, None, [])), SPECTATOR)
    assert not event.HasField("move")
    assert "leave" in str(event)
