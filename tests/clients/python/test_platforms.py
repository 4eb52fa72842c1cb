"""Events and matches of a platform by `fireside_client`, over a service that is killed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing

import pytest

from fireside_client import AsyncFiresideClient, FiresideError
from fireside_client.types.any_game import AnyGame
from runtime import api_keys
from tests.clients.python.test_matches import Service

FIRESHIP = AnyGame("fireship")
KEY = api_keys.new_key()


@pytest.fixture(scope="module")
def service(redis_url: str) -> Iterator[Service]:
    service = Service(redis_url, FIRESIDE_API_KEYS=api_keys.key_entry("club", KEY))
    yield service
    service.stop()


@pytest.fixture
async def client(service: Service) -> AsyncIterator[AsyncFiresideClient]:
    async with AsyncFiresideClient(service.url, api_key=KEY) as client:
        yield client


async def test_a_club_hears_of_its_players_though_the_service_is_killed(
    service: Service, client: AsyncFiresideClient
) -> None:
    game = client.game(FIRESHIP)
    new = await game.new_match([{"name": "Ada", "playerId": "ada"}, {"open": {}}])
    async with aclosing(client.platform_events("0-0")) as events:
        await game.match(new["matchId"]).join(new["joinCodes"][0]["code"], "Bo", player_id="bo")
        joined = await anext(events)
        assert "seat" in joined
        assert (joined["matchId"], joined["seat"]["player"]["playerId"]) == (new["matchId"], "bo")
        turn = await anext(events)
        assert "turn" in turn
        assert {player["playerId"] for player in turn["turn"]["players"]} <= {"ada", "bo"}
        service.kill().join()
        await game.match(new["matchId"], new["seats"][0]["token"]).leave()
        kinds = [next(iter(event.keys() & {"turn", "seat", "over"})) for event in [await anext(events) for _ in "12"]]
        assert kinds == ["seat", "over"]
    [listed] = [each async for each in client.platform_matches("bo", "MATCH_STATE_FINISHED")]
    assert listed["match"]["matchId"] == new["matchId"]
    assert [player["playerId"] for player in listed["players"]] == ["ada", "bo"]
    assert [each async for each in client.platform_matches("cy")] == []


async def test_deleted_events_are_an_error(client: AsyncFiresideClient) -> None:
    with pytest.raises(FiresideError) as refused:
        await anext(client.platform_events("1-0"))
    assert refused.value.reason == "EVENTS_DELETED"
