"""The game service over gRPC, on both kinds of store."""

from __future__ import annotations

import asyncio
import logging
from random import Random

import grpc
import pytest
from fireside.fire_bulls.v1 import fire_bulls_pb2 as pb
from fireside.fire_bulls.v1 import fire_bulls_service_pb2 as verbs
from fireside.match.v1.match_pb2 import SeatSpec

from tests.services.client import Client, Refusal, Table, new_table

INVALID = grpc.StatusCode.INVALID_ARGUMENT
REFUSED = grpc.StatusCode.FAILED_PRECONDITION
UNKNOWN_PROFILE = pb.Options.FromString(b"\x08\x09")


async def standing(table: Table) -> bytes:
    """Everything that a match shows to anybody: unchanged where nothing has happened."""
    views = [await table.client.match(table.match_id, token) for token in ["", *table.tokens]]
    history = await table.client.history(table.match_id)
    return b"".join(message.SerializeToString(deterministic=True) for message in [*views, history])


async def refused(table: Table, request: verbs.ApplyRequest, token: str) -> Refusal:
    """How a move is refused; that nothing has changed is checked."""
    before = await standing(table)
    with pytest.raises(Refusal) as caught:
        await table.client.apply(request, token)
    assert await standing(table) == before
    return caught.value


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
async def test_a_match_is_played_to_its_end(client: Client, seats: int) -> None:
    table = await new_table(client, seats)
    await table.play_at_random(Random(seats))
    score = await client.score(verbs.ScoreRequest(match_id=table.match_id))
    assert score.over
    assert score.winners
    assert score.reason in ("exhaustion", "general")
    history = await client.history(table.match_id, table.tokens[0])
    assert [event.revision for event in history.events] == list(range(1, history.revision + 1))


async def test_a_new_match_is_shown_to_its_seats_and_to_spectators(table: Table) -> None:
    spectator = await table.client.match(table.match_id)
    own = await table.client.match(table.match_id, table.tokens[1])
    assert not spectator.HasField("seat")
    assert not any(seat.HasField("hand") for seat in spectator.view.seats)
    assert own.seat == 1
    assert [seat.HasField("hand") for seat in own.view.seats] == [False, True]
    assert [seat.name for seat in own.seats] == ["seat 0", "seat 1"]
    assert own.rules_version == "fire_bulls@1"


async def test_ids_are_unguessable_and_fit_into_a_url(client: Client) -> None:
    ids = {(await new_table(client)).match_id for _ in range(20)}
    assert len(ids) == 20
    assert all(len(match_id) == 16 and match_id.replace("-", "").replace("_", "").isalnum() for match_id in ids)


async def test_options_decide_the_match(client: Client) -> None:
    options = pb.Options(profile=pb.PROFILE_IT, colours=[pb.COLOUR_GREEN, pb.COLOUR_RED], first_seat=1)
    table = await new_table(client, 2, options)
    assert table.match.view.profile == pb.PROFILE_IT
    assert [seat.colour for seat in table.match.view.seats] == [pb.COLOUR_GREEN, pb.COLOUR_RED]
    assert list(table.match.to_move) == [1]


async def test_moves_are_listed_for_the_seat_to_move_only(table: Table) -> None:
    request = verbs.LegalMovesRequest(match_id=table.match_id)
    assert (await table.client.legal_moves(request, table.token)).moves
    assert not (await table.client.legal_moves(request, table.tokens[1 - table.seat])).moves
    spectator = await table.client.legal_moves(request)
    assert not spectator.moves
    assert not spectator.HasField("seat")


async def test_a_move_can_be_given_as_notation(table: Table) -> None:
    legal = (await table.moves())[0]
    request = verbs.ApplyRequest(match_id=table.match_id, notation=legal.notation)
    answer = await table.client.apply(request, table.token)
    assert answer.events[0].notation == legal.notation
    assert answer.events[0].move == legal.move
    assert answer.revision == answer.events[-1].revision == answer.match.revision


async def test_validating_a_move_changes_nothing(table: Table) -> None:
    before = await standing(table)
    move = (await table.moves())[0].move
    request = verbs.ApplyRequest(match_id=table.match_id, move=move, validate_only=True)
    answer = await table.client.apply(request, table.token)
    assert answer.revision == table.match.revision
    assert not answer.events
    assert await standing(table) == before


async def test_history_begins_behind_a_revision(table: Table) -> None:
    after = table.match.revision
    await table.play_at_random(Random(1), 3)
    history = await table.client.history(table.match_id, table.tokens[0], after)
    assert history.revision == table.match.revision
    assert history.events[0].revision == after + 1
    assert not (await table.client.history(table.match_id, "", history.revision + 5)).events


async def test_a_repeat_returns_the_first_answer(table: Table) -> None:
    token = table.token
    move = (await table.moves())[0].move
    request = verbs.ApplyRequest(match_id=table.match_id, move=move, request_id="one")
    answers = await asyncio.gather(*[table.client.apply(request, token) for _ in range(30)])
    table.match = answers[0].match
    await table.play_at_random(Random(5), 4)
    answers.append(await table.client.apply(request, token))
    assert len({answer.SerializeToString(deterministic=True) for answer in answers}) == 1


async def test_a_request_id_with_another_body_is_refused(table: Table) -> None:
    token, moves = table.token, await table.moves()
    first = verbs.ApplyRequest(match_id=table.match_id, move=moves[0].move, request_id="one")
    await table.client.apply(first, token)
    other = verbs.ApplyRequest(match_id=table.match_id, move=moves[1].move, request_id="one")
    error = await refused(table, other, token)
    assert (error.code, error.reason, error.metadata) == (INVALID, "REQUEST_ID_REUSED", {"requestId": "one"})


async def test_the_same_request_id_of_two_seats_names_two_requests(client: Client) -> None:
    table = await new_table(client, 2)
    seen: dict[int, verbs.ApplyResponse] = {}
    while len(seen) < 2:
        seat = table.seat
        move = (await table.moves())[0].move
        request_id = "one" if seat not in seen else ""
        request = verbs.ApplyRequest(match_id=table.match_id, move=move, request_id=request_id)
        answer = await client.apply(request, table.token)
        seen.setdefault(seat, answer)
        table.match = answer.match
    assert seen[0].revision != seen[1].revision


async def test_a_stale_revision_is_aborted(table: Table) -> None:
    token, move, revision = table.token, (await table.moves())[0].move, table.match.revision
    await table.play(move)
    request = verbs.ApplyRequest(match_id=table.match_id, move=move, expected_revision=revision)
    error = await refused(table, request, token)
    assert (error.code, error.reason) == (grpc.StatusCode.ABORTED, "STALE_REVISION")
    assert error.metadata == {"expectedRevision": str(revision), "revision": str(table.match.revision)}


async def test_a_stored_match_takes_no_seed(table: Table) -> None:
    request = verbs.ApplyRequest(match_id=table.match_id, notation="draw", seed="mine")
    error = await refused(table, request, table.token)
    assert (error.code, error.reason, error.fields) == (INVALID, "INVALID_REQUEST", ["seed"])


async def test_an_illegal_move_is_refused(table: Table) -> None:
    request = verbs.ApplyRequest(match_id=table.match_id, notation="stop")
    error = await refused(table, request, table.token)
    assert (error.code, error.reason) == (REFUSED, "ILLEGAL_MOVE")
    assert error.metadata == {"seat": str(table.seat), "move": "stop"}


async def test_a_seat_that_is_not_to_move_is_refused(table: Table) -> None:
    move = (await table.moves())[0].move
    request = verbs.ApplyRequest(match_id=table.match_id, move=move)
    error = await refused(table, request, table.tokens[1 - table.seat])
    assert (error.code, error.reason) == (REFUSED, "NOT_YOUR_TURN")
    assert error.metadata == {"seat": str(1 - table.seat), "toMove": str(table.seat)}


async def test_a_finished_match_takes_no_move(table: Table) -> None:
    await table.play_at_random(Random(9))
    error = await refused(table, verbs.ApplyRequest(match_id=table.match_id, notation="draw"), table.tokens[0])
    score = await table.client.score(verbs.ScoreRequest(match_id=table.match_id))
    assert (error.code, error.reason, error.metadata) == (REFUSED, "MATCH_OVER", {"result": score.reason})


async def test_a_malformed_move_names_its_field(table: Table) -> None:
    request = verbs.ApplyRequest(match_id=table.match_id, move=pb.Move(step=pb.Step(to=9)))
    error = await refused(table, request, table.token)
    assert (error.code, error.reason, error.fields) == (INVALID, "INVALID_REQUEST", ["move.step.to"])


async def test_a_notation_that_cannot_be_read_is_refused(table: Table) -> None:
    request = verbs.ApplyRequest(match_id=table.match_id, notation="take purple")
    error = await refused(table, request, table.token)
    assert (error.code, error.reason, error.metadata) == (INVALID, "MALFORMED_MOVE", {"move": "take purple"})


async def test_a_move_without_a_token_is_unauthenticated(table: Table) -> None:
    error = await refused(table, verbs.ApplyRequest(match_id=table.match_id, notation="draw"), "")
    assert (error.code, error.reason) == (grpc.StatusCode.UNAUTHENTICATED, "UNAUTHENTICATED")


@pytest.mark.parametrize("token", ["nonsense", "a.b.c", "x" * 5000])
async def test_a_token_that_cannot_be_read_is_unauthenticated(table: Table, token: str) -> None:
    error = await refused(table, verbs.ApplyRequest(match_id=table.match_id, notation="draw"), token)
    assert error.reason == "UNAUTHENTICATED"
    for call in (
        table.client.match(table.match_id, token),
        table.client.history(table.match_id, token),
        table.client.score(verbs.ScoreRequest(match_id=table.match_id), token),
    ):
        with pytest.raises(Refusal) as caught:
            await call
        assert caught.value.code == grpc.StatusCode.UNAUTHENTICATED


async def test_the_token_of_another_seat_is_denied(table: Table) -> None:
    request = verbs.ApplyRequest(match_id=table.match_id, notation="draw", seat=1 - table.seat)
    error = await refused(table, request, table.token)
    assert (error.code, error.reason) == (grpc.StatusCode.PERMISSION_DENIED, "PERMISSION_DENIED")
    listing = verbs.LegalMovesRequest(match_id=table.match_id, seat=table.seat)
    with pytest.raises(Refusal) as caught:
        await table.client.legal_moves(listing, table.tokens[1 - table.seat])
    assert caught.value.reason == "PERMISSION_DENIED"


async def test_the_token_of_another_match_is_denied(table: Table, client: Client) -> None:
    other = await new_table(client)
    error = await refused(table, verbs.ApplyRequest(match_id=table.match_id, notation="draw"), other.tokens[0])
    assert error.reason == "PERMISSION_DENIED"


async def test_a_spectator_lists_the_moves_of_nobody(table: Table) -> None:
    with pytest.raises(Refusal) as caught:
        await table.client.legal_moves(verbs.LegalMovesRequest(match_id=table.match_id, seat=0))
    assert caught.value.reason == "UNAUTHENTICATED"


@pytest.mark.parametrize("seat", [-1, -2, 2, 2**31 - 1])
async def test_a_seat_out_of_range_is_refused(table: Table, seat: int) -> None:
    request = verbs.ApplyRequest(match_id=table.match_id, notation="draw", seat=seat)
    error = await refused(table, request, table.token)
    assert (error.code, error.reason) == (INVALID, "SEAT_OUT_OF_RANGE")
    assert error.metadata == {"seat": str(seat), "seats": "2"}


@pytest.mark.parametrize("match_id", ["", "nothing", "a" * 500, "{x}", "é", "fireside:token-key"])
async def test_an_unknown_match_is_not_found(client: Client, match_id: str) -> None:
    with pytest.raises(Refusal) as caught:
        await client.match(match_id)
    assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.NOT_FOUND, "UNKNOWN_MATCH")
    assert caught.value.metadata == {"matchId": match_id[:64]}


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (verbs.NewGameRequest(), "seats"),
        (verbs.NewGameRequest(seats=[SeatSpec()] * 6), "seats"),
        (verbs.NewGameRequest(seats=[SeatSpec()] * 2, options=UNKNOWN_PROFILE), "options.profile"),
        (
            verbs.NewGameRequest(seats=[SeatSpec()] * 2, options=pb.Options(colours=[pb.COLOUR_RED, pb.COLOUR_RED])),
            "options.colours",
        ),
        (verbs.NewGameRequest(seats=[SeatSpec()] * 2, options=pb.Options(first_seat=2)), "options.firstSeat"),
        (verbs.NewGameRequest(seats=[SeatSpec()] * 2, options=pb.Options(first_seat=-1)), "options.firstSeat"),
        (verbs.NewGameRequest(seats=[SeatSpec()] * 2, client_seed="x" * 257), "clientSeed"),
        (verbs.NewGameRequest(seats=[SeatSpec(), SeatSpec(name="x" * 65)]), "seats[1].name"),
    ],
)
async def test_a_match_that_the_game_does_not_offer_is_refused(
    client: Client, request_: verbs.NewGameRequest, field: str
) -> None:
    with pytest.raises(Refusal) as caught:
        await client.new_game(request_)
    assert (caught.value.code, caught.value.fields) == (INVALID, [field])
    assert caught.value.reason in ("INVALID_OPTION", "INVALID_REQUEST")


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (verbs.ApplyRequest(notation="draw"), "matchId"),
        (verbs.ApplyRequest(match_id="nothing"), "move"),
        (verbs.ApplyRequest(match_id="nothing", move=pb.Move()), "move"),
        (verbs.ApplyRequest(match_id="nothing", notation="draw", request_id="x" * 65), "requestId"),
        (verbs.ApplyRequest(match_id="nothing", notation="draw", seed="x" * 257), "seed"),
    ],
)
async def test_a_move_that_lacks_something_is_refused(client: Client, request_: verbs.ApplyRequest, field: str) -> None:
    with pytest.raises(Refusal) as caught:
        await client.apply(request_)
    assert (caught.value.code, caught.value.reason, caught.value.fields) == (INVALID, "INVALID_REQUEST", [field])


async def test_a_negative_revision_is_refused(table: Table) -> None:
    with pytest.raises(Refusal) as caught:
        await table.client.history(table.match_id, "", -1)
    assert (caught.value.reason, caught.value.fields) == ("INVALID_REQUEST", ["fromRevision"])


async def test_bytes_that_are_no_message_are_refused(client: Client) -> None:
    with pytest.raises(Refusal) as caught:
        await client.raw("Apply", b"\xff\xff\xff")
    assert (caught.value.code, caught.value.reason) == (INVALID, "INVALID_REQUEST")


async def test_a_message_that_is_too_large_is_refused(table: Table) -> None:
    before = await standing(table)
    with pytest.raises(Refusal) as caught:
        await table.client.raw("Apply", b"\x00" * 10_000_000, table.token)
    assert caught.value.code == grpc.StatusCode.RESOURCE_EXHAUSTED
    assert await standing(table) == before


@pytest.mark.parametrize("method", ["/fireside.chess.v1.ChessService/Apply", "Nothing"])
async def test_a_method_that_is_not_served_is_unimplemented(client: Client, method: str) -> None:
    with pytest.raises(Refusal) as caught:
        await client.raw(method, b"")
    assert caught.value.code == grpc.StatusCode.UNIMPLEMENTED


async def test_without_expected_revision_a_seat_moves_in_any_position(table: Table) -> None:
    requests = [verbs.ApplyRequest(match_id=table.match_id, notation="draw") for _ in range(20)]
    answers = await asyncio.gather(
        *[table.client.apply(request, table.token) for request in requests], return_exceptions=True
    )
    made = [answer for answer in answers if isinstance(answer, verbs.ApplyResponse)]
    refusals = {answer.reason for answer in answers if isinstance(answer, Refusal)}
    assert len(made) == 1
    assert refusals == {"ILLEGAL_MOVE"}


async def test_no_log_line_holds_a_token(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    await table.play_at_random(Random(3), 5)
    assert any("call" in record.getMessage() for record in caplog.records)
    error = "".join(repr(record.__dict__) for record in caplog.records)
    assert not any(token in error or token.rsplit(".", 1)[1] in error for token in table.tokens)
