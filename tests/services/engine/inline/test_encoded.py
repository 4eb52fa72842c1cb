"""Actions and encoded positions of inline states, over gRPC: the numbers are those of `engine_core.encodings`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from random import Random
from typing import Any

import grpc
import pytest
from fireside.fire_bulls.v1 import fire_bulls_service_pb2 as verbs
from fireside.match.v1.error_reason_pb2 import ErrorReason
from fireside.match.v1.match_pb2 import CHANCE_MANUAL

from engine_core.encodings import Encoding, encoding_of
from engine_core.game import Turn
from services.engine.codecs import CODECS, AnyCodec
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from tests.services.client import Client, Refusal, new_driver
from tests.services.engine.inline.inline_client import Answer, InlineClient


@pytest.fixture
async def channel() -> AsyncIterator[grpc.aio.Channel]:
    engine = Engine(EngineSettings(port=0, grace_seconds=1))
    await engine.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        yield channel
    await engine.stop()


@pytest.fixture(params=list(CODECS.values()), ids=list(CODECS))
def inline_client(request: pytest.FixtureRequest, channel: grpc.aio.Channel) -> InlineClient:
    return InlineClient(channel, request.param)


@pytest.fixture
def fire_bulls(channel: grpc.aio.Channel) -> InlineClient:
    return InlineClient(channel, CODECS["fire_bulls"])


def encoding_of_message(codec: AnyCodec, message: Any) -> tuple[Encoding, Any]:
    """The encoding of a state's message, and the state."""
    state = codec.decode_state(message)
    return encoding_of(codec.game, codec.game.seat_count(state), codec.decode_options(message.options)), state


def assert_encodes(codec: AnyCodec, result: Answer) -> None:
    """The numbers of a result are those of the rules for the state that it returns."""
    encoded, (encoding, state) = result.encoded, encoding_of_message(codec, result.encoded.state)
    phase = codec.game.phase(state)
    assert encoded.action_count == encoding.action_count
    assert encoded.HasField("seat") == isinstance(phase, Turn)
    if isinstance(phase, Turn):
        assert encoded.seat == phase.seats[0]
        signed = [number - 256 if number > 127 else number for number in encoded.observation]
        assert signed == encoding.observe(state, encoded.seat)
        assert list(encoded.legal_actions) == encoding.legal_actions(state, encoded.seat) != []
    assert list(encoded.returns) == (encoding.returns(state) if encoded.over else [])


async def encoded_batch(client: InlineClient, requests: list[Any]) -> list[Answer]:
    return list((await client.call("BatchApply", requests=requests, encodings=True)).results)


async def test_matches_are_played_to_their_ends_by_numbers_alone(inline_client: InlineClient) -> None:
    """As `docs/research.md` says it: no message but the state, which is sent back unread."""
    codec, random = inline_client.codec, Random(1)
    counts = [codec.game.min_seats, codec.game.max_seats]
    begun = [await inline_client.begin(seats, client_seed="encoded") for seats in counts]
    results = await encoded_batch(inline_client, [inline_client.request("Apply", state=each.state) for each in begun])
    for steps in range(3000):
        if steps < 5 or steps % 50 == 0 or results[0].encoded.over:
            for result in results:
                assert_encodes(codec, result)
        if all(result.encoded.over for result in results):
            break
        requests = [
            inline_client.request(
                "Apply",
                state=result.encoded.state,
                seat=result.encoded.seat,
                action=random.choice(result.encoded.legal_actions),
                seed="encoded",
            )
            for result in results
            if not result.encoded.over
        ]
        results = await encoded_batch(inline_client, requests)
    assert all(result.encoded.over and result.encoded.returns for result in results)


async def test_an_action_is_the_move_of_its_number(inline_client: InlineClient) -> None:
    codec = inline_client.codec
    begun = await inline_client.begin(codec.game.min_seats, client_seed="x")
    encoding, state = encoding_of_message(codec, begun.state)
    seat = begun.match.to_move[0]
    action = Random(2).choice(encoding.legal_actions(state, seat))
    move = codec.encode_move(encoding.move(action))
    fields = {"state": begun.state, "seat": seat, "seed": "s"}
    by_move = await inline_client.call("Apply", **fields, move=move)
    assert await inline_client.call("Apply", **fields, action=action) == by_move
    by_numbers, by_messages = [
        await inline_client.call(
            "BatchApply", requests=[inline_client.request("Apply", **fields, **choice)], encodings=e
        )
        for choice, e in (({"action": action}, True), ({"move": move}, False))
    ]
    assert by_messages.results[0].response == by_move
    assert by_messages.results[0].WhichOneof("result") == "response"
    assert by_numbers.results[0].WhichOneof("result") == "encoded"
    assert by_numbers.results[0].encoded.state == by_move.state


async def test_positions_that_look_the_same_to_the_seat_have_the_same_numbers(inline_client: InlineClient) -> None:
    begun = await inline_client.begin(inline_client.codec.game.min_seats, client_seed="secret")
    seat = begun.match.to_move[0]
    samples = await inline_client.call("Sample", state=begun.state, seat=seat, count=5, seed="s")
    states = [begun.state, *samples.states]
    results = await encoded_batch(inline_client, [inline_client.request("Apply", state=state) for state in states])
    assert [result.encoded.state for result in results] == states
    for result in results:
        result.encoded.ClearField("state")
    assert all(result == results[0] for result in results)


async def test_a_position_where_nature_is_to_move_has_no_seat_to_encode(fire_bulls: InlineClient) -> None:
    begun = await fire_bulls.begin(2, chance=CHANCE_MANUAL)
    [result] = await encoded_batch(fire_bulls, [fire_bulls.request("Apply", state=begun.state)])
    assert_encodes(fire_bulls.codec, result)
    assert not result.encoded.HasField("seat")
    assert not result.encoded.observation


async def test_a_move_that_is_only_validated_leaves_the_encoded_position(fire_bulls: InlineClient) -> None:
    begun = await fire_bulls.begin(2)
    fields = {"state": begun.state, "seat": begun.match.to_move[0], "notation": "draw"}
    requests = [fire_bulls.request("Apply", **fields, validate_only=True), fire_bulls.request("Apply", **fields)]
    validated, moved = await encoded_batch(fire_bulls, requests)
    assert validated.encoded.state == begun.state
    assert_encodes(fire_bulls.codec, validated)
    assert moved.encoded.observation != validated.encoded.observation


async def test_a_wrong_action_is_a_problem_of_its_own_request(fire_bulls: InlineClient) -> None:
    begun = await fire_bulls.begin(2)
    encoding, state = encoding_of_message(fire_bulls.codec, begun.state)
    seat = begun.match.to_move[0]
    [legal, *_] = actions = encoding.legal_actions(state, seat)
    illegal = next(action for action in range(encoding.action_count) if action not in actions)

    def request(**fields: Any) -> Any:
        return fire_bulls.request("Apply", **{"state": begun.state, "seat": seat, "action": legal, **fields})

    wrong = [
        {"action": -1},
        {"action": encoding.action_count},
        {"action": illegal},
        {"seat": 1 - seat},
        {"seed": "x" * 257},
    ]
    results = await encoded_batch(
        fire_bulls, [request(), *[request(**fields) for fields in wrong], request(state=None)]
    )
    assert_encodes(fire_bulls.codec, results[0])
    assert [ErrorReason.Name(result.problem.reason).removeprefix("ERROR_REASON_") for result in results[1:]] == [
        "MALFORMED_MOVE",
        "MALFORMED_MOVE",
        "ILLEGAL_MOVE",
        "NOT_YOUR_TURN",
        "INVALID_REQUEST",
        "INVALID_REQUEST",
    ]


async def test_a_stored_match_takes_no_action(client: Client) -> None:
    driver = await new_driver(client)
    with pytest.raises(Refusal) as caught:
        await client.apply(verbs.ApplyRequest(match_id=driver.match_id, action=0), driver.token)
    assert (caught.value.code, caught.value.fields) == (grpc.StatusCode.INVALID_ARGUMENT, ["action"])
