"""Wire encoding: directly written messages are canonical, and equal those of earlier versions."""

from __future__ import annotations

import json

import pytest
from fireside.fire_bulls.v1.fire_bulls_service_pb2 import ScoreResponse
from fireside.match.v1.match_pb2 import Clock
from fireside.spring_festival.v1.spring_festival_pb2 import Square
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from engine_core.game import NATURE
from engine_core.match import AnyMatch
from services.engine import wire
from services.engine.codecs import AnyCodec
from services.engine.responses import INLINE, Responses
from tests.conformance.game_setups import GAME_SETUPS, LAW_SETUPS, GameSetup
from tests.conformance.plain import plain
from tests.services.engine.messages import DIGESTS_FILE, codec_of_version, digest, matches, observers_of

EVERY_SETUP = pytest.mark.parametrize("setup", GAME_SETUPS, ids=str)
VARINT_EXAMPLES = [1, 127, 128, 300, 1 << 30, (1 << 31) - 1, -1, -(1 << 31)]


def is_canonical(kind: type[Message], data: bytes) -> bool:
    return kind.FromString(data).SerializeToString(deterministic=True) == data


@EVERY_SETUP
def test_all_messages_of_a_match_equal_those_of_earlier_versions(setup: GameSetup) -> None:
    assert digest(setup) == json.loads(DIGESTS_FILE.read_text())[str(setup)]


@pytest.mark.parametrize("setup", LAW_SETUPS, ids=str)
def test_states_views_and_moves_are_canonical(setup: GameSetup) -> None:
    codec = codec_of_version(setup)
    for match, _ in matches(setup):
        check_position(codec, match)


def check_position(codec: AnyCodec, match: AnyMatch) -> None:
    game, state, messages = codec.game, match.state, codec.messages
    assert is_canonical(messages.state, codec.write_inline_state(state))
    assert everything_but_options(codec.read_state(codec.write_state(state))) == everything_but_options(state)
    assert all(
        is_canonical(messages.view, codec.write_view(game.view(state, seen_by))) for seen_by in observers_of(match)
    )
    for seat in range(NATURE, len(match.last_moved)):
        assert all(is_canonical(messages.move, codec.write_move(move)) for move in game.legal_moves(state, seat))


def everything_but_options(state: object) -> object:
    """The fields of a state but its options: in a decoded one defaults are filled in."""
    values = plain(state)
    assert isinstance(values, dict)
    return {name: value for name, value in values.items() if name != "options"}


@EVERY_SETUP
def test_responses_and_log_lines_are_canonical(setup: GameSetup) -> None:
    codec = codec_of_version(setup)
    responses = Responses(codec)
    kinds = {method.name: response_class(codec, method.name) for method in codec.service.methods}
    for match in first_moves(setup):
        seat = match.to_move()[0]
        legal = responses.legal_moves(match, seat, match.revision)
        entries = match.play(seat, match.legal_moves(seat)[0])
        matches_seen = [responses.match(match, observer, INLINE) for observer in observers_of(match)]
        events = [codec.write_event(entry, seat) for entry in entries]
        step = responses.step(match.revision, matches_seen[1], events, codec.write_inline_state(match.state))
        assert is_canonical(kinds["LegalMoves"], legal)
        assert is_canonical(kinds["Apply"], step)
        assert all(is_canonical(codec.messages.log_entry, codec.write_log_entry(entry)) for entry in entries)


def first_moves(setup: GameSetup) -> list[AnyMatch]:
    return [setup.match(seed) for seed in range(10)]


def response_class(codec: AnyCodec, method: str) -> type[Message]:
    return GetMessageClass(codec.service.methods_by_name[method].output_type)


@pytest.mark.parametrize("number", VARINT_EXAMPLES)
def test_numbers_are_encoded_as_by_protobuf(number: int) -> None:
    assert wire.number(2, number) == Clock(match_seconds=number).SerializeToString()


@pytest.mark.parametrize("number", VARINT_EXAMPLES)
def test_packed_numbers_are_encoded_as_by_protobuf(number: int) -> None:
    out = wire.Writer()
    out.numbers(3, [number - 1, 0, 5], 1)
    expected = ScoreResponse(winners=[number, 1, 6]).SerializeToString()
    assert out.to_bytes() == expected


@pytest.mark.parametrize("number", [0, 1, -1, 15, -16, 64, -65])
def test_signed_numbers_are_encoded_as_by_protobuf(number: int) -> None:
    assert wire.signed(2, number) == Square(y=number).SerializeToString()


def test_defaults_of_fields_without_presence_are_omitted() -> None:
    assert wire.number(1, 0) == wire.text(1, "") == wire.signed(1, 0) == b""
    assert wire.data(1) == bytes([10, 0])


def test_zero_of_a_field_with_presence_is_encoded() -> None:
    out = wire.Writer()
    out.explicit(1, 0)
    assert out.to_bytes() == bytes([8, 0])


@pytest.mark.parametrize("length", [0, 1, 127, 128, 20_000])
def test_nested_messages_equal_their_separately_encoded_bytes(length: int) -> None:
    inner = bytes(length)
    out = wire.Writer()
    out.number(1, 300)
    start = out.begin(2)
    out.raw(inner)
    nested = out.begin(3)
    out.raw(inner)
    out.end(nested)
    out.end(start)
    out.number(4, 5)
    assert out.to_bytes() == wire.number(1, 300) + wire.data(2, inner + wire.data(3, inner)) + wire.number(4, 5)


def test_counts_are_encoded_as_by_protobuf() -> None:
    out = wire.Writer()
    out.counts(1, 5 << 8 | 2, 8)
    assert out.to_bytes() == wire.data(1, wire.number(1, 2) + wire.number(2, 5))
