"""Calls on inline states: the service is a pure function of the state."""

from __future__ import annotations

from random import Random

import grpc
import pytest
from fireside.fire_bulls.v1 import fire_bulls_pb2 as pb
from fireside.fire_bulls.v1 import fire_bulls_service_pb2 as verbs
from fireside.match.v1.match_pb2 import SeatSpec

from tests.services.client import Client, Refusal

INVALID = grpc.StatusCode.INVALID_ARGUMENT


async def ephemeral(client: Client, seat_count: int = 2, seed: str = "") -> verbs.NewGameResponse:
    request = verbs.NewGameRequest(seats=[SeatSpec()] * seat_count, ephemeral=True, client_seed=seed)
    return await client.new_game(request)


async def legal(client: Client, state: pb.State, seat: int) -> list[verbs.LegalMove]:
    return list((await client.legal_moves(verbs.LegalMovesRequest(state=state, seat=seat))).moves)


async def refusal(client: Client, request: verbs.ApplyRequest) -> Refusal:
    with pytest.raises(Refusal) as caught:
        await client.apply(request)
    return caught.value


async def test_an_ephemeral_match_is_a_state_and_nothing_else(client: Client) -> None:
    begun = await ephemeral(client, 3)
    assert len(begun.state.seats) == 3
    assert (begun.match_id, begun.commitment, list(begun.seats)) == ("", "", [])
    assert (begun.match.match_id, begun.match.revision) == ("", 0)


@pytest.mark.parametrize("seat_count", [2, 3, 4, 5])
async def test_a_match_is_played_with_the_state_going_back_and_forth(client: Client, seat_count: int) -> None:
    random = Random(seat_count)
    begun = await ephemeral(client, seat_count)
    state, match = begun.state, begun.match
    while not match.over:
        seat = match.to_move[0]
        move = random.choice(await legal(client, state, seat))
        answer = await client.apply(verbs.ApplyRequest(state=state, seat=seat, notation=move.notation))
        state, match = answer.state, answer.match
        assert match.seat == seat
    score = await client.score(verbs.ScoreRequest(state=state))
    assert score.over
    assert score.winners


async def test_the_same_seed_gives_the_same_answer(client: Client) -> None:
    begun = await ephemeral(client, seed="one")
    assert (await ephemeral(client, seed="one")).state == begun.state
    seat = begun.match.to_move[0]
    request = verbs.ApplyRequest(state=begun.state, seat=seat, notation="draw", seed="two")
    answers = [await client.apply(request) for _ in range(2)]
    assert answers[0] == answers[1]


async def test_without_a_seed_nature_draws_at_random(client: Client) -> None:
    begun = await ephemeral(client, seed="one")
    request = verbs.ApplyRequest(state=begun.state, seat=begun.match.to_move[0], notation="draw")
    drawn = {(await client.apply(request)).events[1].notation for _ in range(30)}
    assert len(drawn) > 1


async def test_one_seed_does_not_repeat_a_draw_on_other_states(client: Client) -> None:
    drawn = set()
    for number in range(12):
        begun = await ephemeral(client, seed=str(number))
        request = verbs.ApplyRequest(state=begun.state, seat=begun.match.to_move[0], notation="draw", seed="always")
        drawn.add((await client.apply(request)).events[1].notation.split()[-1])
    assert len(drawn) > 2


async def test_validating_a_move_answers_without_a_state(client: Client) -> None:
    begun = await ephemeral(client)
    seat = begun.match.to_move[0]
    request = verbs.ApplyRequest(state=begun.state, seat=seat, notation="draw", validate_only=True)
    answer = await client.apply(request)
    assert not answer.HasField("state")
    assert not answer.events
    assert list(answer.match.to_move) == [seat]


async def test_a_seat_must_be_named(client: Client) -> None:
    begun = await ephemeral(client)
    error = await refusal(client, verbs.ApplyRequest(state=begun.state, notation="draw"))
    assert (error.code, error.reason, error.fields) == (INVALID, "INVALID_REQUEST", ["seat"])


@pytest.mark.parametrize("seat", [-1, -2, 2])
async def test_nature_and_strangers_have_no_seat(client: Client, seat: int) -> None:
    begun = await ephemeral(client)
    error = await refusal(client, verbs.ApplyRequest(state=begun.state, seat=seat, notation="draw"))
    assert (error.code, error.reason) == (INVALID, "SEAT_OUT_OF_RANGE")


async def test_an_inconsistent_state_names_its_field(client: Client) -> None:
    begun = await ephemeral(client)
    begun.state.deck.blue += 1
    for call in (
        client.apply(verbs.ApplyRequest(state=begun.state, seat=0, notation="draw")),
        client.legal_moves(verbs.LegalMovesRequest(state=begun.state, seat=0)),
        client.score(verbs.ScoreRequest(state=begun.state)),
    ):
        with pytest.raises(Refusal) as caught:
            await call
        assert (caught.value.code, caught.value.reason) == (INVALID, "INCONSISTENT_STATE")
        assert caught.value.fields == ["state.deck"]


async def test_a_position_must_be_given(client: Client) -> None:
    for call in (client.score(verbs.ScoreRequest()), client.legal_moves(verbs.LegalMovesRequest(seat=0))):
        with pytest.raises(Refusal) as caught:
            await call
        assert (caught.value.reason, caught.value.fields) == ("INVALID_REQUEST", ["matchId"])


async def test_an_inline_state_is_at_revision_0(client: Client) -> None:
    begun = await ephemeral(client)
    seat = begun.match.to_move[0]
    request = verbs.ApplyRequest(state=begun.state, seat=seat, notation="draw", expected_revision=0)
    assert (await client.apply(request)).revision == 0
    request.expected_revision = 1
    assert (await refusal(client, request)).reason == "STALE_REVISION"
