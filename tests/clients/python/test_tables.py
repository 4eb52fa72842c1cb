"""Tables by `fireside_client`: open seats, join codes, tokens, bots that play on, rematches."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from fireside_client import AsyncFiresideClient, FiresideClient, FiresideError
from fireside_client.types.any_game import AnyGame, SeatSpec
from tests.clients.python.test_matches import Service

OPEN_TABLE: list[SeatSpec] = [{"name": "Ada"}, {"open": {}}]
FIRESHIP = AnyGame("fireship")


@pytest.fixture(scope="module")
def service(redis_url: str) -> Iterator[Service]:
    service = Service(redis_url)
    yield service
    service.stop()


@pytest.fixture
async def client(service: Service) -> AsyncIterator[AsyncFiresideClient]:
    async with AsyncFiresideClient(service.url) as client:
        yield client


async def test_two_players_meet_by_a_code_and_play_again(client: AsyncFiresideClient) -> None:
    game = client.game(FIRESHIP)
    new = await game.new_match(OPEN_TABLE, wait_seconds=60)
    assert new["match"]["waiting"]
    [code] = new["joinCodes"]
    joined = await game.match(new["matchId"]).join(code["code"], "Eve")
    assert (joined["seat"], joined["match"]["waiting"], joined["match"]["seats"][1]["name"]) == (1, False, "Eve")
    code = (await game.match(new["matchId"], joined["token"]).invite())["joinCode"]
    joined = await game.match(new["matchId"]).join(code["code"], "Fay")
    seats = [game.match(new["matchId"], token) for token in (new["seats"][0]["token"], joined["token"])]
    await seats[1].leave()
    changes = [message["seat"] async for message in seats[0].events() if "seat" in message]
    assert [each["change"] for each in changes] == ["SEAT_CHANGE_JOINED", "SEAT_CHANGE_LEFT"]
    assert [each.get("player", {}).get("name") for each in changes] == ["Fay", None]
    first, second = [await seat.rematch() for seat in seats]
    assert (first["matchId"], first["match"]["waiting"]) == (second["matchId"], True)
    assert [seat["name"] for seat in second["match"]["seats"]] == ["Fay", "Ada"]


async def test_a_seat_is_handed_over_reissued_and_given_to_a_bot(client: AsyncFiresideClient) -> None:
    game = client.game(FIRESHIP)
    new = await game.new_match([{"name": "Ada"}, {"name": "Eve"}])
    eve = game.match(new["matchId"], new["seats"][1]["token"])
    code = (await eve.invite())["joinCode"]
    fay = game.match(new["matchId"], (await game.match(new["matchId"]).join(code["code"], "Fay"))["token"])
    with pytest.raises(FiresideError, match="replaced"):
        await eve.get()
    host = game.match(new["matchId"], new["hostToken"])
    again = game.match(new["matchId"], (await host.reissue(1))["seat"]["token"])
    with pytest.raises(FiresideError, match="replaced"):
        await fay.get()
    assert [seat["name"] for seat in (await again.get())["seats"]] == ["Ada", "Fay"]
    assert (await again.substitute("random"))["match"]["seats"][1]["bot"] == "random"


async def test_the_host_puts_a_bot_or_withdraws(client: AsyncFiresideClient) -> None:
    game = client.game(FIRESHIP)
    new = await game.new_match(OPEN_TABLE)
    host = game.match(new["matchId"], new["hostToken"])
    assert (await host.invite(1))["joinCode"] == new["joinCodes"][0]
    assert not (await host.substitute("random", 1))["match"]["waiting"]
    new = await game.new_match(OPEN_TABLE)
    await game.match(new["matchId"], new["hostToken"]).withdraw()
    with pytest.raises(FiresideError, match="there is no match"):
        await game.match(new["matchId"]).get()


# The sync client is made of the async one.
def test_anybody_joins_a_public_table_without_a_code(service: Service) -> None:
    with FiresideClient(service.url) as client:
        game = client.game(FIRESHIP)
        new = game.new_match(OPEN_TABLE, listed=True)
        assert game.match(new["matchId"]).join(name="Eve")["seat"] == 1
