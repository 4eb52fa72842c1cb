"""The fast path of inline moves: responses equal to those of the general way, or none."""

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
from services.store.match_store import Store
from services.store.open import open_store
from services.watch.feed import Feed

SEED = "of the caller"
UNKNOWN_FIELD = 2000


def request_of(codec: AnyCodec, method: str, **fields: object) -> Any:
    made: Any = GetMessageClass(codec.service.methods_by_name[method].input_type)
    return made(**fields)


def response_of(codec: AnyCodec, method: str, data: bytes) -> Any:
    return GetMessageClass(codec.service.methods_by_name[method].output_type).FromString(data)


class Player:
    """Plays an inline match by the careful way, and asks the quick one first."""

    def __init__(self, codec: AnyCodec, store: Store) -> None:
        self.codec = codec
        self.servicer: Servicer[Any, Any, Any, Any] = Servicer(
            codec, store, SeatTokens({}, store, 60), SigningKeys({}, store), Feed(store)
        )
        self.quick = self.servicer.fast_paths()["Apply"]

    async def begin(self, seats: int) -> Any:
        request = request_of(self.codec, "NewGame", seats=[{}] * seats, ephemeral=True, client_seed=SEED)
        return response_of(self.codec, "NewGame", await self.servicer.new_game(request, ""))

    async def moves(self, state: Message, seat: int) -> list[Any]:
        request = request_of(self.codec, "LegalMoves", state=state, seat=seat)
        return [*response_of(self.codec, "LegalMoves", await self.servicer.legal_moves(request, "")).moves]

    def request(self, **fields: object) -> Any:
        return request_of(self.codec, "Apply", **fields)


@pytest.fixture
async def store() -> AsyncIterator[Store]:
    store = open_store("", 3600)
    yield store
    await store.close()


@pytest.fixture(params=sorted(CODECS))
def player(request: pytest.FixtureRequest, store: Store) -> Player:
    return Player(CODECS[request.param], store)


async def test_every_move_of_a_match_has_the_same_answer_both_ways(player: Player) -> None:
    random = Random(11)
    begun = await player.begin(player.codec.game.max_seats)
    state, match = begun.state, begun.match
    while not match.over:
        seat = match.to_move[0]
        move = random.choice(await player.moves(state, seat)).move
        request = player.request(state=state, seat=seat, move=move, seed=SEED)
        quick = player.quick(request.SerializeToString())
        assert quick == await player.servicer.apply(request, "")
        answer = response_of(player.codec, "Apply", quick or b"")
        state, match = answer.state, answer.match


async def test_an_unknown_state_is_left_to_be_read_with_care(player: Player, store: Store) -> None:
    begun = await player.begin(2)
    seat = begun.match.to_move[0]
    [move, *_] = await player.moves(begun.state, seat)
    request = player.request(state=begun.state, seat=seat, move=move.move).SerializeToString()
    assert player.quick(request) is not None
    assert Player(player.codec, store).quick(request) is None


async def test_what_nobody_knows_of_a_state_changes_no_answer(player: Player) -> None:
    begun = await player.begin(2)
    seat = begun.match.to_move[0]
    [legal, *_] = await player.moves(begun.state, seat)
    plain = player.request(state=begun.state, seat=seat, move=legal.move, seed=SEED)
    newer = player.request(seat=seat, move=legal.move, seed=SEED)
    newer.state.ParseFromString(begun.state.SerializeToString() + wire.text(UNKNOWN_FIELD, "of a later version"))
    assert player.quick(newer.SerializeToString()) is None
    assert await player.servicer.apply(newer, "") == await player.servicer.apply(plain, "")


async def test_whatever_is_more_or_less_than_a_plain_move_is_left_to_be_read_with_care(player: Player) -> None:
    begun = await player.begin(2)
    seat = begun.match.to_move[0]
    [legal, *_] = await player.moves(begun.state, seat)
    plain: dict[str, object] = {"state": begun.state, "seat": seat, "move": legal.move}
    assert player.quick(player.request(**plain).SerializeToString()) is not None
    odd: list[dict[str, object]] = [
        {"request_id": "r"},
        {"validate_only": True},
        {"chance": 2},
        {"expected_revision": 0},
        {"nature": True},
    ]
    odd += [{"seat": 9}, {"seat": -1}, {"seat": 1 - seat}, {"seed": "s" * 257}, {"match_id": "m"}, {"move": {}}]
    for fields in odd:
        assert player.quick(player.request(**{**plain, **fields}).SerializeToString()) is None, fields
    for left_out in plain:
        kept = {name: value for name, value in plain.items() if name != left_out}
        assert player.quick(player.request(**kept).SerializeToString()) is None, left_out
    by_notation = player.request(state=begun.state, seat=seat, notation=legal.notation)
    assert player.quick(by_notation.SerializeToString()) is None


async def test_bytes_that_are_no_request_are_left_to_be_read_with_care(player: Player) -> None:
    begun = await player.begin(2)
    seat = begun.match.to_move[0]
    [legal, *_] = await player.moves(begun.state, seat)
    request = player.request(state=begun.state, seat=seat, move=legal.move, seed="é").SerializeToString()
    assert player.quick(request) is not None
    without_seed = len(request) - 4
    for end in range(len(request)):
        assert (player.quick(request[:end]) is None) == (end != without_seed)
    assert player.quick(request[:-3] + b"\x01\xc3") is None  # no UTF-8
    assert player.quick(request + b"\x00") is None
    assert player.quick(request + request) is None


async def test_a_request_with_changed_bytes_has_the_response_of_the_general_way_or_none(player: Player) -> None:
    random = Random(12)
    begun = await player.begin(2)
    seat = begun.match.to_move[0]
    [legal, *_] = await player.moves(begun.state, seat)
    request = player.request(state=begun.state, seat=seat, move=legal.move, seed=SEED).SerializeToString()
    responses = 0
    for _ in range(1000):
        changed = bytearray(request)
        for place in random.choices(range(len(request)), k=random.choice([1, 1, 2])):
            changed[place : place + random.randrange(3)] = random.randbytes(random.choice([0, 1, 1, 2]))
        response = player.quick(bytes(changed))
        if response is not None:
            general = type(player.request()).FromString(bytes(changed))
            assert response == await player.servicer.apply(general, "")
            responses += 1
    assert responses > 10
