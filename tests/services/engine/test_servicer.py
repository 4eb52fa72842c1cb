"""Game service over gRPC, on both kinds of store: moves, tokens, repeated requests and refusals."""

from __future__ import annotations

import asyncio
import logging
from random import Random

import grpc
import pytest
from fireside.fire_bulls.v1 import fire_bulls_pb2 as pb
from fireside.fire_bulls.v1 import fire_bulls_service_pb2 as verbs
from fireside.match.v1.match_pb2 import SeatSpec

from tests.services.client import Client, FireBullsDriver, Refusal, new_driver

INVALID_ARGUMENT = grpc.StatusCode.INVALID_ARGUMENT
FAILED_PRECONDITION = grpc.StatusCode.FAILED_PRECONDITION
UNKNOWN_PROFILE = pb.Options.FromString(b"\x08\x09")


async def public_match(driver: FireBullsDriver) -> bytes:
    """Everything that a match shows to anybody: unchanged where nothing has happened."""
    views = [await driver.client.match(driver.match_id, token) for token in ["", *driver.tokens]]
    history = await driver.client.history(driver.match_id)
    return b"".join(message.SerializeToString(deterministic=True) for message in [*views, history])


async def refusal_without_change(driver: FireBullsDriver, request: verbs.ApplyRequest, token: str) -> Refusal:
    """How a move is refused; that nothing has changed is checked."""
    before = await public_match(driver)
    with pytest.raises(Refusal) as caught:
        await driver.client.apply(request, token)
    assert await public_match(driver) == before
    return caught.value


@pytest.mark.parametrize("seat_count", [2, 3, 4, 5])
async def test_a_match_is_played_to_its_end(client: Client, seat_count: int) -> None:
    driver = await new_driver(client, seat_count)
    await driver.play_at_random(Random(seat_count))
    score = await client.score(verbs.ScoreRequest(match_id=driver.match_id))
    assert score.over
    assert score.winners
    assert score.reason in ("exhaustion", "general")
    history = await client.history(driver.match_id, driver.tokens[0])
    assert [event.revision for event in history.events] == list(range(1, history.revision + 1))


async def test_a_new_match_is_shown_to_its_seats_and_to_spectators(driver: FireBullsDriver) -> None:
    spectator = await driver.client.match(driver.match_id)
    own = await driver.client.match(driver.match_id, driver.tokens[1])
    assert not spectator.HasField("seat")
    assert not any(seat.HasField("hand") for seat in spectator.view.seats)
    assert own.seat == 1
    assert [seat.HasField("hand") for seat in own.view.seats] == [False, True]
    assert [seat.name for seat in own.seats] == ["seat 0", "seat 1"]
    assert own.rules_version == "fire_bulls@1"


async def test_ids_are_unguessable_and_fit_into_a_url(client: Client) -> None:
    ids = {(await new_driver(client)).match_id for _ in range(20)}
    assert len(ids) == 20
    assert all(len(match_id) == 16 and match_id.replace("-", "").replace("_", "").isalnum() for match_id in ids)


async def test_options_are_those_of_the_match(client: Client) -> None:
    options = pb.Options(profile=pb.PROFILE_IT, colours=[pb.COLOUR_GREEN, pb.COLOUR_RED], first_seat=1)
    driver = await new_driver(client, 2, options)
    assert driver.match.view.profile == pb.PROFILE_IT
    assert [seat.colour for seat in driver.match.view.seats] == [pb.COLOUR_GREEN, pb.COLOUR_RED]
    assert list(driver.match.to_move) == [1]


async def test_moves_are_listed_for_the_seat_to_move_only(driver: FireBullsDriver) -> None:
    request = verbs.LegalMovesRequest(match_id=driver.match_id)
    assert (await driver.client.legal_moves(request, driver.token)).moves
    assert not (await driver.client.legal_moves(request, driver.tokens[1 - driver.seat])).moves
    spectator = await driver.client.legal_moves(request)
    assert not spectator.moves
    assert not spectator.HasField("seat")


async def test_a_move_can_be_given_as_notation(driver: FireBullsDriver) -> None:
    legal = (await driver.moves())[0]
    request = verbs.ApplyRequest(match_id=driver.match_id, notation=legal.notation)
    answer = await driver.client.apply(request, driver.token)
    assert answer.events[0].notation == legal.notation
    assert answer.events[0].move == legal.move
    assert answer.revision == answer.events[-1].revision == answer.match.revision


async def test_validating_a_move_changes_nothing(driver: FireBullsDriver) -> None:
    before = await public_match(driver)
    move = (await driver.moves())[0].move
    request = verbs.ApplyRequest(match_id=driver.match_id, move=move, validate_only=True)
    answer = await driver.client.apply(request, driver.token)
    assert answer.revision == driver.match.revision
    assert not answer.events
    assert await public_match(driver) == before


async def test_history_starts_after_a_revision(driver: FireBullsDriver) -> None:
    after = driver.match.revision
    await driver.play_at_random(Random(1), 3)
    history = await driver.client.history(driver.match_id, driver.tokens[0], after)
    assert history.revision == driver.match.revision
    assert history.events[0].revision == after + 1
    assert not (await driver.client.history(driver.match_id, "", history.revision + 5)).events


async def test_a_repeated_request_has_the_first_response(driver: FireBullsDriver) -> None:
    token = driver.token
    move = (await driver.moves())[0].move
    request = verbs.ApplyRequest(match_id=driver.match_id, move=move, request_id="one")
    answers = await asyncio.gather(*[driver.client.apply(request, token) for _ in range(30)])
    driver.match = answers[0].match
    await driver.play_at_random(Random(5), 4)
    answers.append(await driver.client.apply(request, token))
    assert len({answer.SerializeToString(deterministic=True) for answer in answers}) == 1


async def test_a_request_id_with_another_body_is_refused(driver: FireBullsDriver) -> None:
    token, moves = driver.token, await driver.moves()
    first = verbs.ApplyRequest(match_id=driver.match_id, move=moves[0].move, request_id="one")
    await driver.client.apply(first, token)
    other = verbs.ApplyRequest(match_id=driver.match_id, move=moves[1].move, request_id="one")
    error = await refusal_without_change(driver, other, token)
    assert (error.code, error.reason, error.metadata) == (INVALID_ARGUMENT, "REQUEST_ID_REUSED", {"requestId": "one"})


async def test_request_ids_are_scoped_to_a_seat(client: Client) -> None:
    driver = await new_driver(client, 2)
    seen: dict[int, verbs.ApplyResponse] = {}
    while len(seen) < 2:
        seat = driver.seat
        move = (await driver.moves())[0].move
        request_id = "one" if seat not in seen else ""
        request = verbs.ApplyRequest(match_id=driver.match_id, move=move, request_id=request_id)
        answer = await client.apply(request, driver.token)
        seen.setdefault(seat, answer)
        driver.match = answer.match
    assert seen[0].revision != seen[1].revision


async def test_a_stale_revision_is_aborted(driver: FireBullsDriver) -> None:
    token, move, revision = driver.token, (await driver.moves())[0].move, driver.match.revision
    await driver.play(move)
    request = verbs.ApplyRequest(match_id=driver.match_id, move=move, expected_revision=revision)
    error = await refusal_without_change(driver, request, token)
    assert (error.code, error.reason) == (grpc.StatusCode.ABORTED, "STALE_REVISION")
    assert error.metadata == {"expectedRevision": str(revision), "revision": str(driver.match.revision)}


async def test_a_stored_match_takes_no_seed(driver: FireBullsDriver) -> None:
    request = verbs.ApplyRequest(match_id=driver.match_id, notation="draw", seed="mine")
    error = await refusal_without_change(driver, request, driver.token)
    assert (error.code, error.reason, error.fields) == (INVALID_ARGUMENT, "INVALID_REQUEST", ["seed"])


async def test_an_illegal_move_is_refused(driver: FireBullsDriver) -> None:
    request = verbs.ApplyRequest(match_id=driver.match_id, notation="stop")
    error = await refusal_without_change(driver, request, driver.token)
    assert (error.code, error.reason) == (FAILED_PRECONDITION, "ILLEGAL_MOVE")
    assert error.metadata == {"seat": str(driver.seat), "move": "stop"}


async def test_a_seat_that_is_not_to_move_is_refused(driver: FireBullsDriver) -> None:
    move = (await driver.moves())[0].move
    request = verbs.ApplyRequest(match_id=driver.match_id, move=move)
    error = await refusal_without_change(driver, request, driver.tokens[1 - driver.seat])
    assert (error.code, error.reason) == (FAILED_PRECONDITION, "NOT_YOUR_TURN")
    assert error.metadata == {"seat": str(1 - driver.seat), "toMove": str(driver.seat)}


async def test_a_finished_match_takes_no_move(driver: FireBullsDriver) -> None:
    await driver.play_at_random(Random(9))
    error = await refusal_without_change(
        driver, verbs.ApplyRequest(match_id=driver.match_id, notation="draw"), driver.tokens[0]
    )
    score = await driver.client.score(verbs.ScoreRequest(match_id=driver.match_id))
    assert (error.code, error.reason, error.metadata) == (FAILED_PRECONDITION, "MATCH_OVER", {"result": score.reason})


async def test_a_malformed_move_names_its_field(driver: FireBullsDriver) -> None:
    request = verbs.ApplyRequest(match_id=driver.match_id, move=pb.Move(step=pb.Step(to=9)))
    error = await refusal_without_change(driver, request, driver.token)
    assert (error.code, error.reason, error.fields) == (INVALID_ARGUMENT, "INVALID_REQUEST", ["move.step.to"])


async def test_a_malformed_notation_is_refused(driver: FireBullsDriver) -> None:
    request = verbs.ApplyRequest(match_id=driver.match_id, notation="take purple")
    error = await refusal_without_change(driver, request, driver.token)
    assert (error.code, error.reason, error.metadata) == (INVALID_ARGUMENT, "MALFORMED_MOVE", {"move": "take purple"})


async def test_a_move_without_a_token_is_unauthenticated(driver: FireBullsDriver) -> None:
    error = await refusal_without_change(driver, verbs.ApplyRequest(match_id=driver.match_id, notation="draw"), "")
    assert (error.code, error.reason) == (grpc.StatusCode.UNAUTHENTICATED, "UNAUTHENTICATED")


@pytest.mark.parametrize("token", ["nonsense", "a.b.c", "x" * 5000])
async def test_a_malformed_token_is_unauthenticated(driver: FireBullsDriver, token: str) -> None:
    error = await refusal_without_change(driver, verbs.ApplyRequest(match_id=driver.match_id, notation="draw"), token)
    assert error.reason == "UNAUTHENTICATED"
    for call in (
        driver.client.match(driver.match_id, token),
        driver.client.history(driver.match_id, token),
        driver.client.score(verbs.ScoreRequest(match_id=driver.match_id), token),
    ):
        with pytest.raises(Refusal) as caught:
            await call
        assert caught.value.code == grpc.StatusCode.UNAUTHENTICATED


async def test_the_token_of_another_seat_is_denied(driver: FireBullsDriver) -> None:
    request = verbs.ApplyRequest(match_id=driver.match_id, notation="draw", seat=1 - driver.seat)
    error = await refusal_without_change(driver, request, driver.token)
    assert (error.code, error.reason) == (grpc.StatusCode.PERMISSION_DENIED, "PERMISSION_DENIED")
    listing = verbs.LegalMovesRequest(match_id=driver.match_id, seat=driver.seat)
    with pytest.raises(Refusal) as caught:
        await driver.client.legal_moves(listing, driver.tokens[1 - driver.seat])
    assert caught.value.reason == "PERMISSION_DENIED"


async def test_the_token_of_another_match_is_denied(driver: FireBullsDriver, client: Client) -> None:
    other = await new_driver(client)
    error = await refusal_without_change(
        driver, verbs.ApplyRequest(match_id=driver.match_id, notation="draw"), other.tokens[0]
    )
    assert error.reason == "PERMISSION_DENIED"


async def test_a_spectator_has_no_legal_moves(driver: FireBullsDriver) -> None:
    with pytest.raises(Refusal) as caught:
        await driver.client.legal_moves(verbs.LegalMovesRequest(match_id=driver.match_id, seat=0))
    assert caught.value.reason == "UNAUTHENTICATED"


@pytest.mark.parametrize("seat", [-1, -2, 2, 2**31 - 1])
async def test_a_seat_out_of_range_is_refused(driver: FireBullsDriver, seat: int) -> None:
    request = verbs.ApplyRequest(match_id=driver.match_id, notation="draw", seat=seat)
    error = await refusal_without_change(driver, request, driver.token)
    assert (error.code, error.reason) == (INVALID_ARGUMENT, "SEAT_OUT_OF_RANGE")
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
async def test_unsupported_match_settings_are_refused(
    client: Client, request_: verbs.NewGameRequest, field: str
) -> None:
    with pytest.raises(Refusal) as caught:
        await client.new_game(request_)
    assert (caught.value.code, caught.value.fields) == (INVALID_ARGUMENT, [field])
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
async def test_a_move_without_a_required_field_is_refused(
    client: Client, request_: verbs.ApplyRequest, field: str
) -> None:
    with pytest.raises(Refusal) as caught:
        await client.apply(request_)
    assert (caught.value.code, caught.value.reason, caught.value.fields) == (
        INVALID_ARGUMENT,
        "INVALID_REQUEST",
        [field],
    )


async def test_a_negative_revision_is_refused(driver: FireBullsDriver) -> None:
    with pytest.raises(Refusal) as caught:
        await driver.client.history(driver.match_id, "", -1)
    assert (caught.value.reason, caught.value.fields) == ("INVALID_REQUEST", ["fromRevision"])


async def test_malformed_messages_are_refused(client: Client) -> None:
    with pytest.raises(Refusal) as caught:
        await client.raw("Apply", b"\xff\xff\xff")
    assert (caught.value.code, caught.value.reason) == (INVALID_ARGUMENT, "INVALID_REQUEST")


async def test_a_message_that_is_too_large_is_refused(driver: FireBullsDriver) -> None:
    before = await public_match(driver)
    with pytest.raises(Refusal) as caught:
        await driver.client.raw("Apply", b"\x00" * 10_000_000, driver.token)
    assert caught.value.code == grpc.StatusCode.RESOURCE_EXHAUSTED
    assert await public_match(driver) == before


@pytest.mark.parametrize("method", ["/fireside.chess.v1.ChessService/Apply", "Nothing"])
async def test_an_unknown_method_is_unimplemented(client: Client, method: str) -> None:
    with pytest.raises(Refusal) as caught:
        await client.raw(method, b"")
    assert caught.value.code == grpc.StatusCode.UNIMPLEMENTED


async def test_without_an_expected_revision_a_seat_moves_in_any_position(driver: FireBullsDriver) -> None:
    requests = [verbs.ApplyRequest(match_id=driver.match_id, notation="draw") for _ in range(20)]
    answers = await asyncio.gather(
        *[driver.client.apply(request, driver.token) for request in requests], return_exceptions=True
    )
    move_responses = [answer for answer in answers if isinstance(answer, verbs.ApplyResponse)]
    refusals = {answer.reason for answer in answers if isinstance(answer, Refusal)}
    assert len(move_responses) == 1
    assert refusals == {"ILLEGAL_MOVE"}


async def test_tokens_are_in_no_log_line(driver: FireBullsDriver, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    await driver.play_at_random(Random(3), 5)
    assert any("call" in record.getMessage() for record in caplog.records)
    error = "".join(repr(record.__dict__) for record in caplog.records)
    assert not any(token in error or token.rsplit(".", 1)[1] in error for token in driver.tokens)
