"""Lists of the matches of a platform and its players, and of all public lists: order, pages, and nobody else's."""

from __future__ import annotations

from collections.abc import AsyncIterator
from random import Random
from typing import Any, cast

import pytest
from fireside.match.v1.match_pb2 import MatchState, SeatSpec
from fireside.platform.v1.platform_pb2 import PlatformMatch

from services.engine.codecs import CODECS, AnyCodec
from services.grpc_server.admission.callers import caller_digest
from services.store.matches.list import ListEntry
from services.store.open import open_store
from tests.services.client import Refusal
from tests.services.engine.platforms.platform_client import keyed_client, list_matches
from tests.services.engine.tables.test_calls import EVERY_GAME, ONE_GAME, OPEN, OTHER_KEY, OUR_KEY
from tests.services.registry import GameClient, MatchDriver


@pytest.fixture
async def client(codec: AnyCodec, store_url: str) -> AsyncIterator[GameClient]:
    async with keyed_client(codec, store_url) as client:
        yield client


async def listed(client: GameClient, api_key: str = OUR_KEY, **fields: Any) -> list[PlatformMatch]:
    """All matches of a list, read in pages of two."""
    found: list[PlatformMatch] = []
    token = ""
    while True:
        page = await list_matches(client.channel, api_key, page_size=2, page_token=token, **fields)
        assert len(page.matches) <= 2
        found += page.matches
        token = page.next_page_token
        if not token:
            return found


async def ids(client: GameClient, api_key: str = OUR_KEY, **fields: Any) -> list[str]:
    return [each.match.match_id for each in await listed(client, api_key, **fields)]


async def begun(client: GameClient, *player_ids: str, **fields: Any) -> MatchDriver:
    """A match with players of these ids, for whom our platform vouches, and others."""
    seats = [SeatSpec(name=f"name of {each}", player_id=each) for each in player_ids]
    seats += [SeatSpec(name="guest")] * (client.codec.game.min_seats - len(seats))
    new = cast(Any, await client.call("NewGame", seats=seats, **fields))
    return MatchDriver(client, new.match_id, [seat.token for seat in new.seats], new.match)


async def joined(client: GameClient, new: Any, name: str, player_id: str, api_key: str) -> Any:
    """The response of `Join` with the first code of a new match, by the platform with a key."""
    other = GameClient(client.channel, client.codec)
    other.metadata = [("x-api-key", api_key)]
    return await other.call("Join", match_id=new.match_id, code=new.join_codes[0].code, name=name, player_id=player_id)


@EVERY_GAME
async def test_a_platform_lists_its_matches_newest_first(client: GameClient) -> None:
    drivers = [await begun(client, "ada", "bo"), await begun(client, "ada"), await begun(client)]
    newest = [driver.match_id for driver in reversed(drivers)]
    assert sorted(await ids(client)) == sorted(newest)
    times = [each.match.create_time.ToMilliseconds() for each in await listed(client)]
    assert times == sorted(times, reverse=True)
    assert sorted(await ids(client, player_id="ada")) == sorted(newest[1:])
    assert await ids(client, player_id="bo") == newest[2:]
    assert await ids(client, player_id="cy") == []
    await drivers[0].play(Random(1))
    assert await ids(client, state=MatchState.MATCH_STATE_FINISHED) == newest[2:]
    assert sorted(await ids(client, state=MatchState.MATCH_STATE_IN_PLAY)) == sorted(newest[:2])
    assert await ids(client, player_id="ada", state=MatchState.MATCH_STATE_IN_PLAY) == [newest[1]]
    [finished] = await listed(client, player_id="bo")
    assert (finished.match.game, finished.match.over) == (client.codec.game.name, True)
    assert [(each.seat, each.name, each.player_id) for each in finished.players] == [
        (0, "name of ada", "ada"),
        (1, "name of bo", "bo"),
    ]
    assert sorted(await ids(client, game=client.codec.game.name)) == sorted(newest)
    others = [name for name in CODECS if name != client.codec.game.name]
    assert await ids(client, game=others[0]) == []


@ONE_GAME
async def test_another_platform_lists_only_what_it_vouches_for(client: GameClient) -> None:
    await begun(client, "ada")
    new = cast(Any, await client.call("NewGame", seats=[SeatSpec(name="Ada", player_id="ada"), OPEN]))
    assert await listed(client, OTHER_KEY) == []
    assert await listed(client, OTHER_KEY, player_id="ada") == []
    assert await ids(client, state=MatchState.MATCH_STATE_WAITING) == [new.match_id]
    await joined(client, new, "Bo", "bo-of-theirs", OTHER_KEY)
    [theirs] = await listed(client, OTHER_KEY)
    assert (theirs.match.match_id, [each.player_id for each in theirs.players]) == (new.match_id, ["bo-of-theirs"])
    assert await ids(client, OTHER_KEY, player_id="bo-of-theirs") == [new.match_id]
    for ours in await listed(client):
        assert [each.player_id for each in ours.players] == ["ada"]
        assert b"theirs" not in ours.SerializeToString()
    assert await listed(client, player_id="bo-of-theirs") == []


@ONE_GAME
async def test_a_player_whose_seat_another_has_taken_no_longer_lists_the_match(client: GameClient) -> None:
    driver = await begun(client, "ada", "bo")
    invited = cast(Any, await driver.call("Invite", driver.tokens[1]))
    code = invited.join_code.code
    await client.call("Join", match_id=driver.match_id, code=code, name="Cy", player_id="cy")
    assert await ids(client, player_id="bo") == []
    assert await ids(client, player_id="cy") == [driver.match_id] == await ids(client, player_id="ada")


@ONE_GAME
async def test_a_repeated_request_is_listed_once(client: GameClient) -> None:
    drivers = [await begun(client, "ada", request_id="first") for _ in range(3)]
    assert await ids(client, player_id="ada") == [drivers[0].match_id] == await ids(client)


@ONE_GAME
async def test_a_withdrawn_match_is_not_listed(client: GameClient) -> None:
    new = cast(Any, await client.call("NewGame", seats=[SeatSpec(name="Ada", player_id="ada"), OPEN]))
    await client.call("Withdraw", match_id=new.match_id)
    assert await ids(client) == await ids(client, player_id="ada") == []


async def test_the_public_lists_of_all_games_are_merged_without_a_key(store_url: str) -> None:
    async with keyed_client(CODECS["fireship"], store_url) as client:
        begun_ids = []
        for codec in [*CODECS.values()] * 2:
            other = GameClient(client.channel, codec)
            other.metadata = client.metadata
            begun_ids.append((await begun(other, "ada", listed=True)).match_id)
            await begun(other, "ada")
        found = await listed(client, "", listed=True)
        assert sorted(each.match.match_id for each in found) == sorted(begun_ids)
        times = [each.match.create_time.ToMilliseconds() for each in found]
        assert times == sorted(times, reverse=True)
        assert not any(each.players for each in found)
        assert b"ada" not in b"".join(each.SerializeToString() for each in found).replace(b"name of ada", b"")
        for game in CODECS:
            assert {each.match.game for each in await listed(client, "", listed=True, game=game)} == {game}


@ONE_GAME
async def test_wrong_requests_are_refused(client: GameClient) -> None:
    for key in ("", "unknown"):
        with pytest.raises(Refusal) as refused:
            await list_matches(client.channel, key)
        assert (refused.value.reason, refused.value.metadata) == ("UNAUTHENTICATED", {"credential": "apiKey"})
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("pageSize", {"page_size": 101}),
        ("pageToken", {"page_token": "x"}),
        ("state", {"state": 99}),
        ("game", {"game": "chess"}),
        ("playerId", {"player_id": "x" * 65}),
        ("playerId", {"player_id": "ada", "listed": True}),
    ]
    for name, fields in wrong:
        with pytest.raises(Refusal) as refused:
            await list_matches(client.channel, OUR_KEY, **fields)
        assert (refused.value.reason, refused.value.fields) == ("INVALID_REQUEST", [name])


@ONE_GAME
@pytest.mark.parametrize("store_url", ["redis"], indirect=True)
async def test_entries_that_a_crash_has_left_are_corrected(client: GameClient, store_url: str) -> None:
    driver = await begun(client, "ada")
    store = open_store(store_url, 3600, 3600)
    own = store.platform_matches(caller_digest("ours"), "ada")
    [entry] = await own.page(None, None, 9)
    lost = ListEntry(1, "never-created")
    await own.move(lost, is_finished=False)
    await own.move(entry, is_finished=True)
    assert await ids(client, player_id="ada") == [driver.match_id]
    assert await own.page(None, None, 9) == [entry._replace(is_finished=False)]
    await store.close()
