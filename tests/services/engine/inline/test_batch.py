"""BatchApply, manual chance moves, and Sample, over gRPC."""

from __future__ import annotations

from collections.abc import AsyncIterator
from random import Random
from typing import Any

import grpc
import pytest
from fireside.fire_bulls.v1 import fire_bulls_service_pb2 as verbs
from fireside.match.v1.error_reason_pb2 import ErrorReason
from fireside.match.v1.match_pb2 import CHANCE_AUTOMATIC, CHANCE_MANUAL, SeatSpec

from engine_core.explore import weighted_index
from engine_core.game import SPECTATOR, Chance, Over, Turn
from services.engine.codecs import CODECS, AnyCodec
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from tests.services.client import Client, FireBullsDriver, Refusal, new_driver
from tests.services.engine.inline.inline_client import Answer, InlineClient
from tests.services.engine.positions import positions

INVALID_ARGUMENT = grpc.StatusCode.INVALID_ARGUMENT
FIRE_BULLS = CODECS["fire_bulls"]


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
    return InlineClient(channel, FIRE_BULLS)


async def refusal_of(call: Any) -> Refusal:
    with pytest.raises(Refusal) as caught:
        await call
    return caught.value


async def requests_of_matches(inline_client: InlineClient, number: int, random: Random) -> list[Any]:
    """Legal moves of positions of several matches, each with a seed."""
    apply_requests = []
    for seed in range(number):
        new_game = await inline_client.begin(2 + seed % 2, client_seed=str(seed))
        seat = new_game.match.to_move[-1]
        legal = await inline_client.call("LegalMoves", state=new_game.state, seat=seat)
        move = random.choice(legal.moves).move
        apply_requests.append(inline_client.request("Apply", state=new_game.state, seat=seat, move=move, seed="s"))
    return apply_requests


# Many moves at once


async def test_a_batch_has_the_responses_of_single_calls(inline_client: InlineClient) -> None:
    sent_requests = await requests_of_matches(inline_client, 12, Random(1))
    answer = await inline_client.call("BatchApply", requests=sent_requests)
    assert len(answer.results) == 12
    for request, result in zip(sent_requests, answer.results, strict=True):
        single = await inline_client.call("Apply", state=request.state, seat=request.seat, move=request.move, seed="s")
        assert result.response == single
        assert not result.legal_moves


async def test_a_batch_lists_the_legal_moves_of_every_seat_to_move(inline_client: InlineClient) -> None:
    answer = await inline_client.call(
        "BatchApply", requests=await requests_of_matches(inline_client, 8, Random(2)), legal_moves=True
    )
    for result in answer.results:
        response = result.response
        assert [legal.seat for legal in result.legal_moves] == list(response.match.to_move) != []
        for legal in result.legal_moves:
            assert legal == await inline_client.call("LegalMoves", state=response.state, seat=legal.seat)


async def test_a_refused_move_does_not_affect_the_others(fire_bulls: InlineClient) -> None:
    new_game = await fire_bulls.begin(2, client_seed="x")
    seat = new_game.match.to_move[0]
    broken = type(new_game.state)()
    broken.CopyFrom(new_game.state)
    broken.deck.blue += 1

    def request(**fields: object) -> object:
        return fire_bulls.request("Apply", **{"state": new_game.state, "seat": seat, "notation": "draw", **fields})

    sent_requests = [
        request(),
        request(notation="stop"),
        request(notation="take purple"),
        request(seat=1 - seat),
        request(seat=7),
        request(state=broken),
        request(state=None),
        request(state=None, match_id="m"),
        request(expected_revision=3),
        request(seed="x" * 257),
        request(notation=None),
        request(),
    ]
    results = (await fire_bulls.call("BatchApply", requests=sent_requests, legal_moves=True)).results
    assert [result.WhichOneof("result") for result in results] == ["response", *["problem"] * 10, "response"]
    error = [ErrorReason.Name(result.problem.reason).removeprefix("ERROR_REASON_") for result in results[1:-1]]
    assert error == [
        "ILLEGAL_MOVE",
        "MALFORMED_MOVE",
        "NOT_YOUR_TURN",
        "SEAT_OUT_OF_RANGE",
        "INCONSISTENT_STATE",
        "INVALID_REQUEST",
        "INVALID_REQUEST",
        "STALE_REVISION",
        "INVALID_REQUEST",
        "INVALID_REQUEST",
    ]
    assert results[1].problem.metadata == {"seat": str(seat), "move": "stop"}
    assert results[1].problem.detail == f"'stop' is not legal for seat {seat} now"
    fields = [result.problem.metadata.get("field") for result in results[5:-1]]
    assert fields == ["state.deck", "matchId", "matchId", None, "seed", "move"]
    assert not any(result.legal_moves for result in results[1:-1])


async def test_the_size_of_a_batch_is_limited(fire_bulls: InlineClient) -> None:
    new_game = await fire_bulls.begin(2)
    seat = new_game.match.to_move[0]
    sent_requests = [fire_bulls.request("Apply", state=new_game.state, seat=seat, notation="draw")] * 1024
    answer = await fire_bulls.call("BatchApply", requests=sent_requests)
    assert [result.WhichOneof("result") for result in answer.results] == ["response"] * 1024
    for refused_requests in ([*sent_requests, sent_requests[0]], []):
        error = await refusal_of(fire_bulls.call("BatchApply", requests=refused_requests))
        assert (error.code, error.reason, error.fields) == (INVALID_ARGUMENT, "INVALID_REQUEST", ["requests"])


async def test_a_batch_above_the_message_limit_is_refused_as_a_whole(fire_bulls: InlineClient) -> None:
    new_game = await fire_bulls.begin(5)
    sent_requests = [fire_bulls.request("Apply", state=new_game.state, notation="x" * 2000)] * 1024
    assert (
        await refusal_of(fire_bulls.call("BatchApply", requests=sent_requests))
    ).code == grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_a_move_that_ends_a_match_has_no_legal_moves(fire_bulls: InlineClient) -> None:
    random = Random(3)
    answer = await fire_bulls.begin(2, client_seed="end")
    state, seat = answer.state, answer.match.to_move[0]
    legal = await fire_bulls.call("LegalMoves", state=state, seat=seat)
    while True:
        request = fire_bulls.request("Apply", state=state, seat=seat, move=random.choice(legal.moves).move, seed="end")
        [result] = (await fire_bulls.call("BatchApply", requests=[request], legal_moves=True)).results
        if result.response.match.over:
            break
        state, [legal] = result.response.state, result.legal_moves
        seat = legal.seat
    assert not result.legal_moves


# Nature moved by hand


async def by_hand(inline_client: InlineClient, state: object, random: Random) -> Answer:
    """Make one move of nature by its weights."""
    outcomes = (await inline_client.call("LegalMoves", state=state, nature=True)).moves
    assert all(outcome.weight > 0 for outcome in outcomes)
    chosen = outcomes[weighted_index([outcome.weight for outcome in outcomes], random.getrandbits)]
    answer = await inline_client.call("Apply", state=state, nature=True, move=chosen.move, chance=CHANCE_MANUAL)
    assert [event.notation for event in answer.events[:1]] != []
    return answer


@pytest.mark.parametrize("seed", range(2))
async def test_a_match_is_played_with_every_chance_move_chosen(inline_client: InlineClient, seed: int) -> None:
    """For 400 moves at most, of nature and seats alike: one move a call, and nothing moves by itself."""
    random = Random(seed)
    answer = await inline_client.begin(inline_client.codec.game.min_seats, chance=CHANCE_MANUAL)
    assert answer.revision == 0
    drawn = 0
    for _ in range(400):
        if answer.match.over:
            break
        seats = answer.match.to_move
        if not seats:
            answer = await by_hand(inline_client, answer.state, random)
            drawn += 1
        else:
            seat = random.choice(seats)
            legal = await inline_client.call("LegalMoves", state=answer.state, seat=seat)
            assert {move.weight for move in legal.moves} == {0}
            move = random.choice(legal.moves).move
            answer = await inline_client.call("Apply", state=answer.state, seat=seat, move=move, chance=CHANCE_MANUAL)
        assert len(answer.events) == 1
    assert drawn > 5


async def test_a_batch_lists_chance_moves_when_chance_is_to_move(fire_bulls: InlineClient) -> None:
    new_game = await fire_bulls.begin(2, client_seed="x")
    seat = new_game.match.to_move[0]
    request = fire_bulls.request("Apply", state=new_game.state, seat=seat, notation="draw", chance=CHANCE_MANUAL)
    [result] = (await fire_bulls.call("BatchApply", requests=[request], legal_moves=True)).results
    [outcomes] = result.legal_moves
    assert not outcomes.HasField("seat")
    assert not result.response.match.to_move
    deck = new_game.state.deck
    assert {move.notation.split()[-1]: move.weight for move in outcomes.moves} == {
        kind: getattr(deck, kind) for kind in ("blue", "yellow", "brown", "red", "green", "warrior")
    }


async def test_after_a_chosen_chance_move_the_service_may_draw(fire_bulls: InlineClient) -> None:
    begun = await fire_bulls.begin(3, chance=CHANCE_MANUAL)
    outcomes = (await fire_bulls.call("LegalMoves", state=begun.state, nature=True)).moves
    fields: dict[str, Any] = {
        "state": begun.state,
        "nature": True,
        "move": outcomes[0].move,
        "chance": CHANCE_AUTOMATIC,
    }
    answers = [await fire_bulls.call("Apply", seed="one", **fields) for _ in range(2)]
    assert answers[0] == answers[1]
    assert answers[0].match.to_move
    assert answers[0].events[0].notation == outcomes[0].notation


async def test_chance_has_no_moves_while_a_seat_is_to_move(inline_client: InlineClient) -> None:
    new_game = await inline_client.begin(2, client_seed="x")
    assert not (await inline_client.call("LegalMoves", state=new_game.state, nature=True)).moves
    seat = new_game.match.to_move[0]
    legal = await inline_client.call("LegalMoves", state=new_game.state, seat=seat)
    error = await refusal_of(inline_client.call("Apply", state=new_game.state, nature=True, move=legal.moves[0].move))
    assert (error.reason, error.metadata["seat"]) == ("NOT_YOUR_TURN", "-1")
    assert error.message.startswith("nature is not to move")


async def test_a_seat_has_no_moves_while_chance_is_to_move(fire_bulls: InlineClient) -> None:
    new_game = await fire_bulls.begin(2, chance=CHANCE_MANUAL)
    assert not (await fire_bulls.call("LegalMoves", state=new_game.state, seat=0)).moves
    error = await refusal_of(fire_bulls.call("Apply", state=new_game.state, seat=0, notation="draw"))
    assert (error.reason, error.message) == ("NOT_YOUR_TURN", "seat 0 is not to move; to move: nature")


async def test_an_impossible_chance_move_is_refused(fire_bulls: InlineClient) -> None:
    new_game = await fire_bulls.begin(2, chance=CHANCE_MANUAL)
    error = await refusal_of(fire_bulls.call("Apply", state=new_game.state, nature=True, notation="first 0"))
    assert (error.reason, error.message) == ("ILLEGAL_MOVE", "'first 0' is not legal for nature now")


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"nature": True, "seat": 0}, "nature"),
        ({"nature": True, "chance": CHANCE_MANUAL, "seed": "x"}, "seed"),
        ({"nature": True, "chance": 9}, "chance"),
    ],
)
async def test_fields_that_do_not_apply_to_chance_moves_are_named(
    fields: dict[str, Any], field: str, fire_bulls: InlineClient
) -> None:
    new_game = await fire_bulls.begin(2, chance=CHANCE_MANUAL)
    error = await refusal_of(fire_bulls.call("Apply", state=new_game.state, notation="place 0 1", **fields))
    assert (error.code, error.reason, error.fields) == (INVALID_ARGUMENT, "INVALID_REQUEST", [field])


async def test_a_seed_without_effect_is_refused(fire_bulls: InlineClient) -> None:
    error = await refusal_of(fire_bulls.begin(2, chance=CHANCE_MANUAL, client_seed="x"))
    assert (error.code, error.fields) == (INVALID_ARGUMENT, ["clientSeed"])


async def test_a_stored_match_takes_no_chosen_chance_moves(client: Client) -> None:
    driver = await new_driver(client)
    move = verbs.ApplyRequest(match_id=driver.match_id, notation="draw")
    by_hand = verbs.ApplyRequest(match_id=driver.match_id, notation="draw", chance=CHANCE_MANUAL)
    nature = verbs.ApplyRequest(match_id=driver.match_id, notation="draw", nature=True)
    listed = verbs.LegalMovesRequest(match_id=driver.match_id, nature=True)
    new_game_request = verbs.NewGameRequest(seats=[SeatSpec()] * 2, chance=CHANCE_MANUAL)
    error = [
        await refusal_of(client.apply(by_hand, driver.token)),
        await refusal_of(client.apply(nature, driver.token)),
        await refusal_of(client.legal_moves(listed, driver.token)),
        await refusal_of(client.new_game(new_game_request)),
    ]
    assert [(each.code, each.fields) for each in error] == [
        (INVALID_ARGUMENT, ["chance"]),
        (INVALID_ARGUMENT, ["nature"]),
        (INVALID_ARGUMENT, ["nature"]),
        (INVALID_ARGUMENT, ["chance"]),
    ]
    assert (await client.match(driver.match_id)).revision == driver.match.revision
    move.chance = CHANCE_AUTOMATIC
    assert (await client.apply(move, driver.token)).revision > driver.match.revision


# Samples


def phases(codec: AnyCodec, seat_count: int, seed: int) -> list[tuple[str, Any]]:
    """StateCache of a random match: two of each kind of phase, named by who acts and by what is seen to be asked."""
    game = codec.game
    found: dict[str, list[Any]] = {}
    for state in positions(codec, seat_count, Random(seed)):
        phase = game.phase(state)
        if isinstance(phase, Over):
            kind = "over"
        elif isinstance(phase, Chance):
            kind = f"nature {phase.purpose}"
        else:
            assert isinstance(phase, Turn)
            words = {game.notation(move).split()[0] for move in game.legal_moves(state, phase.seats[0])}
            kind = f"{len(phase.seats)} {' '.join(sorted(words))}"
        same = found.setdefault(kind, [])
        if len(same) < 2:
            same.append(game.copy(state))
    return [(kind, state) for kind, states in found.items() for state in states]


@pytest.mark.parametrize("seed", range(2))
async def test_samples_have_the_same_view_are_playable_and_reveal_nothing_else(
    inline_client: InlineClient, seed: int
) -> None:
    """In every phase. A state and another that its observer cannot tell from it give the same samples."""
    codec = inline_client.codec
    game = codec.game
    cases = phases(codec, 2 + seed, seed)
    assert len({kind for kind, _ in cases}) > 5
    random = Random(seed)
    for kind, state in cases:
        observer = random.choice([SPECTATOR, *range(game.seat_count(state))])
        fields: dict[str, Any] = {"count": 3, "seed": "s"} | ({} if observer == SPECTATOR else {"seat": observer})
        answer = await inline_client.call("Sample", state=codec.encode_state(state), **fields)
        view = codec.encode_view(game.view(state, observer))
        assert len(answer.states) == 3
        for sampled in answer.states:
            copied = codec.read_state(sampled.SerializeToString())
            codec.check(copied)
            assert codec.encode_view(game.view(copied, observer)) == view, kind
        resampled = await inline_client.call("Sample", state=answer.states[0], **fields)
        assert resampled == answer, kind


async def test_samples_repeat_from_their_seed_and_differ_without_one(fire_bulls: InlineClient) -> None:
    new_game = await fire_bulls.begin(3, client_seed="x")

    async def sample_bytes(seed: str) -> bytes:
        answer = await fire_bulls.call("Sample", state=new_game.state, seat=1, count=5, seed=seed)
        assert len({state.SerializeToString(deterministic=True) for state in answer.states}) > 1
        data: bytes = answer.SerializeToString(deterministic=True)
        return data

    assert await sample_bytes("one") == await sample_bytes("one") != await sample_bytes("two")
    assert await sample_bytes("") != await sample_bytes("")


@pytest.mark.parametrize(
    ("fields", "field"),
    [({"count": 0}, "count"), ({"count": 1001}, "count"), ({"count": 1, "seed": "x" * 257}, "seed")],
)
async def test_an_invalid_sample_request_names_its_field(
    fields: dict[str, Any], field: str, fire_bulls: InlineClient
) -> None:
    new_game = await fire_bulls.begin(2)
    error = await refusal_of(fire_bulls.call("Sample", state=new_game.state, **fields))
    assert (error.code, error.reason, error.fields) == (INVALID_ARGUMENT, "INVALID_REQUEST", [field])


async def test_a_thousand_samples_are_returned(fire_bulls: InlineClient) -> None:
    new_game = await fire_bulls.begin(5)
    assert len((await fire_bulls.call("Sample", state=new_game.state, count=1000)).states) == 1000


async def test_a_sample_request_needs_a_position(fire_bulls: InlineClient) -> None:
    assert (await refusal_of(fire_bulls.call("Sample", count=1))).fields == ["matchId"]


async def sample_match(driver: FireBullsDriver, token: str = "", **fields: Any) -> verbs.SampleResponse:
    request = verbs.SampleRequest(match_id=driver.match_id, count=20, **fields)
    return verbs.SampleResponse.FromString(await driver.client.raw("Sample", request.SerializeToString(), token))


async def test_a_stored_match_is_sampled_for_the_seat_of_the_token(client: Client) -> None:
    driver = await new_driver(client, 3)
    for seat, token in enumerate(driver.tokens):
        hand = (await client.match(driver.match_id, token)).view.seats[seat].hand
        for answer in (await sample_match(driver, token), await sample_match(driver, token, seat=seat)):
            assert {state.seats[seat].hand.SerializeToString() for state in answer.states} == {hand.SerializeToString()}
            others = {state.seats[(seat + 1) % 3].hand.SerializeToString() for state in answer.states}
            assert len(others) > 1


async def test_a_stored_match_is_sampled_for_spectators(client: Client) -> None:
    driver = await new_driver(client)
    answer = await sample_match(driver)
    for seat in range(2):
        assert len({state.seats[seat].hand.SerializeToString() for state in answer.states}) > 1


async def test_a_stored_match_is_sampled_only_for_the_seat_of_the_token(client: Client) -> None:
    driver, other = await new_driver(client), await new_driver(client)
    error = [
        await refusal_of(sample_match(driver, driver.tokens[0], seat=1)),
        await refusal_of(sample_match(driver, seat=1)),
        await refusal_of(sample_match(driver, other.tokens[0])),
        await refusal_of(sample_match(driver, "nonsense")),
    ]
    assert [each.reason for each in error] == [
        "PERMISSION_DENIED",
        "UNAUTHENTICATED",
        "PERMISSION_DENIED",
        "UNAUTHENTICATED",
    ]
