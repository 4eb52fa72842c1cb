"""GetMatch at earlier revisions, as each observer saw the match, and positions of records."""

from __future__ import annotations

from random import Random

import grpc
import pytest
from fireside.fire_bulls.v1 import fire_bulls_service_pb2 as verbs
from fireside.fire_bulls.v1.fire_bulls_log_pb2 import Event
from fireside.match.v1.match_pb2 import SeatSpec

from tests.services.client import Client, FireBullsDriver, Refusal

MOVE_COUNT = 60


def at_revision(match_id: str, revision: int) -> verbs.GetMatchRequest:
    return verbs.GetMatchRequest(match_id=match_id, revision=revision)


async def match_at(driver: FireBullsDriver, token: str, revision: int | None = None) -> verbs.Match:
    """The match as the holder of a token sees it, at a revision or now."""
    request = verbs.GetMatchRequest(match_id=driver.match_id, revision=revision)
    data = await driver.client.raw("GetMatch", request.SerializeToString(), token)
    return verbs.GetMatchResponse.FromString(data).match


async def legal_moves(driver: FireBullsDriver, token: str, revision: int | None = None) -> verbs.LegalMovesResponse:
    request = verbs.LegalMovesRequest(match_id=driver.match_id, revision=revision)
    return await driver.client.legal_moves(request, token)


async def test_every_observer_sees_each_position_as_it_was(driver: FireBullsDriver) -> None:
    random = Random(8)
    seen = []
    for _ in range(MOVE_COUNT):
        for token in ["", *driver.tokens]:
            score = await driver.client.score(verbs.ScoreRequest(match_id=driver.match_id))
            seen.append((token, await match_at(driver, token), await legal_moves(driver, token), score))
        if driver.match.over:
            break
        await driver.play(random.choice(await driver.moves()).move)
    for token, match, moves, score in seen:
        assert await match_at(driver, token, match.revision) == match
        assert await legal_moves(driver, token, match.revision) == moves
        past = verbs.ScoreRequest(match_id=driver.match_id, revision=match.revision)
        assert await driver.client.score(past) == score


async def test_the_position_at_revision_0_is_before_the_first_draw(driver: FireBullsDriver) -> None:
    start = await match_at(driver, "", 0)
    assert (start.revision, list(start.to_move)) == (0, [])
    assert start.head != driver.match.head


@pytest.mark.parametrize("revision", [10_000, 2**31 - 1])
async def test_a_future_revision_is_refused(driver: FireBullsDriver, revision: int) -> None:
    with pytest.raises(Refusal) as caught:
        await match_at(driver, "", revision)
    assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.ABORTED, "STALE_REVISION")


async def test_a_negative_revision_and_one_of_an_inline_state_are_refused(
    driver: FireBullsDriver, client: Client
) -> None:
    with pytest.raises(Refusal) as caught:
        await match_at(driver, "", -1)
    assert caught.value.fields == ["revision"]
    game = await client.new_game(verbs.NewGameRequest(seats=[SeatSpec(), SeatSpec()], ephemeral=True))
    with pytest.raises(Refusal) as caught:
        await client.score(verbs.ScoreRequest(state=game.state, revision=1))
    assert caught.value.fields == ["revision"]


async def test_a_past_position_of_a_private_match_needs_a_token(client: Client) -> None:
    seats = [SeatSpec(), SeatSpec()]
    game = await client.new_game(verbs.NewGameRequest(seats=seats, private=True))
    request = at_revision(game.match_id, 1).SerializeToString()
    with pytest.raises(Refusal) as caught:
        await client.raw("GetMatch", request)
    assert caught.value.reason == "UNKNOWN_MATCH"
    assert await client.raw("GetMatch", request, game.seats[0].token)


async def test_a_record_has_the_positions_of_its_match(driver: FireBullsDriver) -> None:
    await driver.play_at_random(Random(9))
    data = await driver.client.raw("GetRecord", verbs.GetRecordRequest(match_id=driver.match_id).SerializeToString())
    record = verbs.GetRecordResponse.FromString(data).record
    for revision in (0, 1, 17, len(record.events)):
        request = verbs.ReplayRequest(record=record, revision=revision, seat=1)
        replayed = verbs.ReplayResponse.FromString(await driver.client.raw("Replay", request.SerializeToString()))
        match = await match_at(driver, driver.tokens[1], revision)
        assert (replayed.revision, replayed.match.view) == (revision, match.view)
        score_of_state = await driver.client.score(verbs.ScoreRequest(state=replayed.state))
        assert (
            score_of_state.standings
            == (await driver.client.score(verbs.ScoreRequest(match_id=driver.match_id, revision=revision))).standings
        )


async def test_a_replay_has_the_events_of_the_match_as_a_seat_sees_them(driver: FireBullsDriver) -> None:
    record = await finished_record(driver)
    for seat in (None, 0, 1):
        history = verbs.HistoryRequest(match_id=driver.match_id, locale="fr").SerializeToString()
        data = await driver.client.raw("History", history, "" if seat is None else driver.tokens[seat])
        seen = list(verbs.HistoryResponse.FromString(data).events)
        for event in seen:
            event.ClearField("head")
        for after, end in ((0, len(seen)), (5, 17), (17, 5)):
            request = verbs.ReplayRequest(record=record, revision=end, seat=seat, from_revision=after, locale="fr")
            replayed = verbs.ReplayResponse.FromString(await driver.client.raw("Replay", request.SerializeToString()))
            assert list(replayed.events) == seen[after:end]
            assert all(event.text for event in replayed.events)
    request = verbs.ReplayRequest(record=record, locale="fr")
    data = await driver.client.raw("Replay", request.SerializeToString())
    assert not verbs.ReplayResponse.FromString(data).events


async def finished_record(driver: FireBullsDriver) -> verbs.MatchRecord:
    await driver.play_at_random(Random(10))
    data = await driver.client.raw("GetRecord", verbs.GetRecordRequest(match_id=driver.match_id).SerializeToString())
    return verbs.GetRecordResponse.FromString(data).record


async def replay_refusal(client: Client, record: verbs.MatchRecord) -> Refusal:
    with pytest.raises(Refusal) as caught:
        await client.raw("Replay", verbs.ReplayRequest(record=record, revision=0).SerializeToString())
    return caught.value


@pytest.mark.parametrize(
    ("version", "code", "reason"),
    [
        ("fire_bulls@999", grpc.StatusCode.UNAVAILABLE, "UNKNOWN_RULES"),
        ("fireship@1", grpc.StatusCode.INVALID_ARGUMENT, "INVALID_REQUEST"),
        ("1", grpc.StatusCode.INVALID_ARGUMENT, "INVALID_REQUEST"),
    ],
)
async def test_a_record_is_not_replayed_by_rules_of_another_version(
    client: Client, version: str, code: grpc.StatusCode, reason: str
) -> None:
    refusal = await replay_refusal(client, verbs.MatchRecord(rules_version=version, seats=[SeatSpec(), SeatSpec()]))
    assert (refusal.code, refusal.reason) == (code, reason)
    assert refusal.fields == (["record.rulesVersion"] if reason == "INVALID_REQUEST" else [])


async def test_a_record_of_another_game_is_refused(client: Client) -> None:
    assert (await replay_refusal(client, verbs.MatchRecord(game="fireship"))).fields == ["record.game"]


async def test_a_record_that_breaks_the_rules_is_refused_at_its_line(driver: FireBullsDriver) -> None:
    record = await finished_record(driver)
    for event in (Event(seat=0), Event(notation="leave")):
        with pytest.raises(Refusal) as caught:
            await driver.client.raw(
                "Replay",
                verbs.ReplayRequest(record=verbs.MatchRecord(seats=record.seats, events=[event])).SerializeToString(),
            )
        assert caught.value.fields == ["record.events[0]"]
    del record.events[5]
    with pytest.raises(Refusal) as caught:
        await driver.client.raw("Replay", verbs.ReplayRequest(record=record).SerializeToString())
    assert caught.value.code is grpc.StatusCode.INVALID_ARGUMENT
    [field] = caught.value.fields
    assert field.startswith("record.events[")
    for field, revision in (("revision", -1), ("revision", 9999), ("from_revision", -1)):
        request = verbs.ReplayRequest(record=record, **{field: revision})  # type: ignore[arg-type]
        with pytest.raises(Refusal) as caught:
            await driver.client.raw("Replay", request.SerializeToString())
        assert caught.value.fields == [field.replace("_r", "R")]
