"""Fast path of inline moves: its responses equal those of the general path, or it declines."""

from __future__ import annotations

from collections.abc import AsyncIterator
from random import Random
from typing import Any

import pytest
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from services.engine import wire
from services.engine.codecs import CODECS, AnyCodec
from services.engine.records.signing import SigningKeys
from services.engine.servicer import Servicer
from services.grpc_server.auth import SeatTokens
from services.store.matches.store import Store
from services.store.open import open_store
from services.watch.feed import Feed

CLIENT_SEED = "of the caller"
UNKNOWN_FIELD = 2000


def request_of(codec: AnyCodec, method: str, **fields: object) -> Any:
    request_class: Any = GetMessageClass(codec.service.methods_by_name[method].input_type)
    return request_class(**fields)


def response_of(codec: AnyCodec, method: str, data: bytes) -> Any:
    return GetMessageClass(codec.service.methods_by_name[method].output_type).FromString(data)


class BothPaths:
    """An inline match whose calls go to the general path and to the fast path."""

    def __init__(self, codec: AnyCodec, store: Store) -> None:
        self.codec = codec
        self.servicer: Servicer[Any, Any, Any, Any] = Servicer(
            codec, store, SeatTokens({}, store, 60), SigningKeys({}, store), Feed(store)
        )
        self.fast_path = self.servicer.fast_paths()["Apply"]

    async def begin(self, seat_count: int) -> Any:
        """Create an inline match on the general path."""
        request = request_of(self.codec, "NewGame", seats=[{}] * seat_count, ephemeral=True, client_seed=CLIENT_SEED)
        return response_of(self.codec, "NewGame", await self.servicer.new_game(request, ""))

    async def moves(self, state: Message, seat: int) -> list[Any]:
        """The legal moves of the seat."""
        request = request_of(self.codec, "LegalMoves", state=state, seat=seat)
        return [*response_of(self.codec, "LegalMoves", await self.servicer.positions.legal_moves(request, "")).moves]

    def request(self, **fields: object) -> Any:
        """An Apply request with the given fields."""
        return request_of(self.codec, "Apply", **fields)


@pytest.fixture
async def store() -> AsyncIterator[Store]:
    store = open_store("", 3600)
    yield store
    await store.close()


@pytest.fixture(params=sorted(CODECS))
def both_paths(request: pytest.FixtureRequest, store: Store) -> BothPaths:
    return BothPaths(CODECS[request.param], store)


async def test_every_move_of_a_match_has_the_same_response_on_both_paths(both_paths: BothPaths) -> None:
    random = Random(11)
    new_game = await both_paths.begin(both_paths.codec.game.max_seats)
    state, match = new_game.state, new_game.match
    while not match.over:
        seat = match.to_move[0]
        move = random.choice(await both_paths.moves(state, seat)).move
        request = both_paths.request(state=state, seat=seat, move=move, seed=CLIENT_SEED)
        response = both_paths.fast_path(request.SerializeToString())
        assert response == await both_paths.servicer.apply(request, "")
        answer = response_of(both_paths.codec, "Apply", response or b"")
        state, match = answer.state, answer.match


async def test_an_unknown_state_goes_to_the_general_path(both_paths: BothPaths, store: Store) -> None:
    new_game = await both_paths.begin(2)
    seat = new_game.match.to_move[0]
    [move, *_] = await both_paths.moves(new_game.state, seat)
    request = both_paths.request(state=new_game.state, seat=seat, move=move.move).SerializeToString()
    assert both_paths.fast_path(request) is not None
    assert BothPaths(both_paths.codec, store).fast_path(request) is None


async def test_unknown_fields_of_a_state_do_not_change_the_response(both_paths: BothPaths) -> None:
    new_game = await both_paths.begin(2)
    seat = new_game.match.to_move[0]
    [legal, *_] = await both_paths.moves(new_game.state, seat)
    plain_fields = both_paths.request(state=new_game.state, seat=seat, move=legal.move, seed=CLIENT_SEED)
    newer = both_paths.request(seat=seat, move=legal.move, seed=CLIENT_SEED)
    newer.state.ParseFromString(new_game.state.SerializeToString() + wire.text(UNKNOWN_FIELD, "of a later version"))
    assert both_paths.fast_path(newer.SerializeToString()) is None
    assert await both_paths.servicer.apply(newer, "") == await both_paths.servicer.apply(plain_fields, "")


async def test_requests_with_other_fields_go_to_the_general_path(both_paths: BothPaths) -> None:
    new_game = await both_paths.begin(2)
    seat = new_game.match.to_move[0]
    [legal, *_] = await both_paths.moves(new_game.state, seat)
    plain_fields: dict[str, object] = {"state": new_game.state, "seat": seat, "move": legal.move}
    assert both_paths.fast_path(both_paths.request(**plain_fields).SerializeToString()) is not None
    unusual_fields: list[dict[str, object]] = [
        {"request_id": "r"},
        {"validate_only": True},
        {"chance": 2},
        {"expected_revision": 0},
        {"nature": True},
    ]
    unusual_fields += [
        {"seat": 9},
        {"seat": -1},
        {"seat": 1 - seat},
        {"seed": "s" * 257},
        {"match_id": "m"},
        {"move": {}},
    ]
    for fields in unusual_fields:
        assert both_paths.fast_path(both_paths.request(**{**plain_fields, **fields}).SerializeToString()) is None, (
            fields
        )
    for left_out in plain_fields:
        remaining_fields = {name: value for name, value in plain_fields.items() if name != left_out}
        assert both_paths.fast_path(both_paths.request(**remaining_fields).SerializeToString()) is None, left_out
    by_notation = both_paths.request(state=new_game.state, seat=seat, notation=legal.notation)
    assert both_paths.fast_path(by_notation.SerializeToString()) is None


async def test_malformed_requests_go_to_the_general_path(both_paths: BothPaths) -> None:
    new_game = await both_paths.begin(2)
    seat = new_game.match.to_move[0]
    [legal, *_] = await both_paths.moves(new_game.state, seat)
    request = both_paths.request(state=new_game.state, seat=seat, move=legal.move, seed="é").SerializeToString()
    assert both_paths.fast_path(request) is not None
    without_seed = len(request) - 4
    for end in range(len(request)):
        assert (both_paths.fast_path(request[:end]) is None) == (end != without_seed)
    assert both_paths.fast_path(request[:-3] + b"\x01\xc3") is None  # no UTF-8
    assert both_paths.fast_path(request + b"\x00") is None
    assert both_paths.fast_path(request + request) is None


async def test_a_request_with_changed_bytes_has_the_response_of_the_general_path_or_none(both_paths: BothPaths) -> None:
    random = Random(12)
    new_game = await both_paths.begin(2)
    seat = new_game.match.to_move[0]
    [legal, *_] = await both_paths.moves(new_game.state, seat)
    request = both_paths.request(state=new_game.state, seat=seat, move=legal.move, seed=CLIENT_SEED).SerializeToString()
    responses = 0
    for _ in range(1000):
        changed = bytearray(request)
        for place in random.choices(range(len(request)), k=random.choice([1, 1, 2])):
            changed[place : place + random.randrange(3)] = random.randbytes(random.choice([0, 1, 1, 2]))
        response = both_paths.fast_path(bytes(changed))
        if response is not None:
            general = type(both_paths.request()).FromString(bytes(changed))
            assert response == await both_paths.servicer.apply(general, "")
            responses += 1
    assert responses > 10
