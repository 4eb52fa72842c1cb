"""Calls on inline states: the service is a pure function of the state."""

from __future__ import annotations

from random import Random

import grpc
import pytest
from fireside.fire_bulls.v1 import fire_bulls_pb2 as pb
from fireside.fire_bulls.v1 import fire_bulls_service_pb2 as verbs
from fireside.match.v1.match_pb2 import SeatSpec

from tests.services.client import Client, Refusal

INVALID_ARGUMENT = grpc.StatusCode.INVALID_ARGUMENT


async def new_ephemeral_game(client: Client, seat_count: int = 2, seed: str = "") -> verbs.NewGameResponse:
    request = verbs.NewGameRequest(seats=[SeatSpec()] * seat_count, ephemeral=True, client_seed=seed)
    return await client.new_game(request)


async def legal_moves_of(client: Client, state: pb.State, seat: int) -> list[verbs.LegalMove]:
    return list((await client.legal_moves(verbs.LegalMovesRequest(state=state, seat=seat))).moves)


async def refused_apply(client: Client, request: verbs.ApplyRequest) -> Refusal:
    with pytest.raises(Refusal) as caught:
        await client.apply(request)
    return caught.value


async def test_an_ephemeral_match_returns_only_its_state(client: Client) -> None:
    new_game = await new_ephemeral_game(client, 3)
    assert len(new_game.state.seats) == 3
    assert (new_game.match_id, new_game.commitment, list(new_game.seats)) == ("", "", [])
    assert (new_game.match.match_id, new_game.match.revision) == ("", 0)


@pytest.mark.parametrize("seat_count", [2, 3, 4, 5])
async def test_a_match_is_played_by_sending_each_state_back(client: Client, seat_count: int) -> None:
    random = Random(seat_count)
    new_game = await new_ephemeral_game(client, seat_count)
    state, match = new_game.state, new_game.match
    while not match.over:
        seat = match.to_move[0]
        move = random.choice(await legal_moves_of(client, state, seat))
        answer = await client.apply(verbs.ApplyRequest(state=state, seat=seat, notation=move.notation))
        state, match = answer.state, answer.match
        assert match.seat == seat
    score = await client.score(verbs.ScoreRequest(state=state))
    assert score.over
    assert score.winners


async def test_the_same_seed_gives_the_same_response(client: Client) -> None:
    new_game = await new_ephemeral_game(client, seed="one")
    assert (await new_ephemeral_game(client, seed="one")).state == new_game.state
    seat = new_game.match.to_move[0]
    request = verbs.ApplyRequest(state=new_game.state, seat=seat, notation="draw", seed="two")
    answers = [await client.apply(request) for _ in range(2)]
    assert answers[0] == answers[1]


async def test_without_a_seed_draws_are_random(client: Client) -> None:
    new_game = await new_ephemeral_game(client, seed="one")
    request = verbs.ApplyRequest(state=new_game.state, seat=new_game.match.to_move[0], notation="draw")
    drawn = {(await client.apply(request)).events[1].notation for _ in range(30)}
    assert len(drawn) > 1


async def test_one_seed_gives_independent_draws_on_different_states(client: Client) -> None:
    drawn = set()
    for number in range(12):
        new_game = await new_ephemeral_game(client, seed=str(number))
        request = verbs.ApplyRequest(
            state=new_game.state, seat=new_game.match.to_move[0], notation="draw", seed="always"
        )
        drawn.add((await client.apply(request)).events[1].notation.split()[-1])
    assert len(drawn) > 2


async def test_validate_only_returns_no_state(client: Client) -> None:
    new_game = await new_ephemeral_game(client)
    seat = new_game.match.to_move[0]
    request = verbs.ApplyRequest(state=new_game.state, seat=seat, notation="draw", validate_only=True)
    answer = await client.apply(request)
    assert not answer.HasField("state")
    assert not answer.events
    assert list(answer.match.to_move) == [seat]


async def test_a_seat_must_be_named(client: Client) -> None:
    new_game = await new_ephemeral_game(client)
    error = await refused_apply(client, verbs.ApplyRequest(state=new_game.state, notation="draw"))
    assert (error.code, error.reason, error.fields) == (INVALID_ARGUMENT, "INVALID_REQUEST", ["seat"])


@pytest.mark.parametrize("seat", [-1, -2, 2])
async def test_chance_and_spectators_are_not_valid_seats(client: Client, seat: int) -> None:
    new_game = await new_ephemeral_game(client)
    error = await refused_apply(client, verbs.ApplyRequest(state=new_game.state, seat=seat, notation="draw"))
    assert (error.code, error.reason) == (INVALID_ARGUMENT, "SEAT_OUT_OF_RANGE")


async def test_an_inconsistent_state_names_its_field(client: Client) -> None:
    new_game = await new_ephemeral_game(client)
    new_game.state.deck.blue += 1
    for call in (
        client.apply(verbs.ApplyRequest(state=new_game.state, seat=0, notation="draw")),
        client.legal_moves(verbs.LegalMovesRequest(state=new_game.state, seat=0)),
        client.score(verbs.ScoreRequest(state=new_game.state)),
    ):
        with pytest.raises(Refusal) as caught:
            await call
        assert (caught.value.code, caught.value.reason) == (INVALID_ARGUMENT, "INCONSISTENT_STATE")
        assert caught.value.fields == ["state.deck"]


async def test_a_request_needs_a_position(client: Client) -> None:
    for call in (client.score(verbs.ScoreRequest()), client.legal_moves(verbs.LegalMovesRequest(seat=0))):
        with pytest.raises(Refusal) as caught:
            await call
        assert (caught.value.reason, caught.value.fields) == ("INVALID_REQUEST", ["matchId"])


async def test_an_inline_state_is_at_revision_0(client: Client) -> None:
    new_game = await new_ephemeral_game(client)
    seat = new_game.match.to_move[0]
    request = verbs.ApplyRequest(state=new_game.state, seat=seat, notation="draw", expected_revision=0)
    assert (await client.apply(request)).revision == 0
    request.expected_revision = 1
    assert (await refused_apply(client, request)).reason == "STALE_REVISION"
