"""Every refusal of the calls about tables, hints, forks, platforms and webhooks: the same over gRPC and REST.

And a refused call changes nothing: the store has the same keys with the same values afterwards.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any, NamedTuple, cast

import grpc
import httpx
import pytest
from fireside.match.v1.match_pb2 import OpenSeat, SeatSpec
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.json_format import ParseDict
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from redis.asyncio import Redis

from gateway.app import create_app
from gateway.routing import registry
from gateway.routing.bindings import Binding, bindings
from gateway.settings import GatewaySettings
from gateway.upstream.rpc_errors import PROBLEMS_BY_STATUS
from runtime import api_keys
from services.bots.remote.allowed import allowed_addresses
from services.engine.codecs import CODECS
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from services.webhooks.servicer import SERVICE as WEBHOOKS
from tests.gateway.rest.test_platforms import KEY, KEYS_TEXT, OTHER_KEY
from tests.services.client import Refusal, refusal
from tests.services.registry import GameClient, MatchDriver
from tests.services.store.contents import contents

CODEC = next(iter(CODECS.values()))
GAME = CODEC.game.name
ADA, OPEN = SeatSpec(name="Ada"), SeatSpec(open=OpenSeat())
HOOK = "http://127.0.0.1:1/hook"
REQUEST_ID = "a-request-id-of-22-letters"
WRONG_CODE = "0000-0000-0000"


class Table(NamedTuple):
    """A match and its credentials: `seat 0`, `seat 1`, `host` and `dead`, a token that was replaced."""

    match_id: str
    credentials: dict[str, str]


class Case(NamedTuple):
    """A call that is refused."""

    method: str
    table: str
    credential: str
    fields: dict[str, Any]
    expected: str
    """Status code and reason."""


UNAUTHENTICATED = "UNAUTHENTICATED UNAUTHENTICATED"
DENIED = "PERMISSION_DENIED PERMISSION_DENIED"
INVALID = "INVALID_ARGUMENT INVALID_REQUEST"
OUT_OF_RANGE = "INVALID_ARGUMENT SEAT_OUT_OF_RANGE"
UNKNOWN = "NOT_FOUND UNKNOWN_MATCH"
OVER = "FAILED_PRECONDITION MATCH_OVER"
NOT_OVER = "FAILED_PRECONDITION MATCH_NOT_OVER"
WAITING = "FAILED_PRECONDITION MATCH_WAITING"
BEGUN = "FAILED_PRECONDITION MATCH_BEGUN"
INVALID_CODE = "PERMISSION_DENIED INVALID_CODE"
REUSED = "INVALID_ARGUMENT REQUEST_ID_REUSED"
UNKNOWN_WEBHOOK = "NOT_FOUND UNKNOWN_WEBHOOK"

CASES = [
    Case("NewGame", "", "key", {"seats": [{"open": {}, "name": "Bo"}, {}]}, INVALID),
    Case("NewGame", "", "key", {"seats": [{"open": {}}, {}], "waitSeconds": -1}, INVALID),
    Case("NewGame", "", "key", {"seats": [{}, {}], "waitSeconds": 60}, INVALID),
    Case("NewGame", "", "key", {"seats": [{}, {}], "requestId": REQUEST_ID}, REUSED),
    Case("NewGame", "", "", {"seats": [{"open": {}}, {}]}, UNAUTHENTICATED),
    Case("NewGame", "", "other key", {"seats": [{}, {}], "spectatorDelay": -1}, INVALID),
    Case("Apply", "waiting", "seat 0", {"notation": "take red"}, WAITING),
    Case("Join", "waiting", "", {"code": WRONG_CODE}, INVALID_CODE),
    Case("Join", "waiting", "", {"code": "used code"}, INVALID_CODE),
    Case("Join", "playing", "", {"code": "used code"}, INVALID_CODE),
    Case("Join", "hidden", "", {"code": WRONG_CODE}, UNKNOWN),
    Case("Join", "none", "", {"code": WRONG_CODE}, UNKNOWN),
    Case("Join", "waiting", "", {"code": "open code", "playerId": "p"}, UNAUTHENTICATED),
    Case("Join", "waiting", "", {"code": "open code", "name": "n" * 65}, INVALID),
    Case("Join", "waiting", "", {"code": "0" * 65}, INVALID),
    Case("Join", "over", "", {"code": "offered code"}, OVER),
    Case("Invite", "waiting", "", {"seat": 1}, UNAUTHENTICATED),
    Case("Invite", "waiting", "host", {"seat": 0}, DENIED),
    Case("Invite", "waiting", "seat 0", {"seat": 1}, DENIED),
    Case("Invite", "waiting", "elsewhere", {"seat": 0}, DENIED),
    Case("Invite", "waiting", "other key", {"seat": 1}, DENIED),
    Case("Invite", "hidden", "other key", {"seat": 1}, UNKNOWN),
    Case("Invite", "hidden", "elsewhere", {"seat": 1}, UNKNOWN),
    Case("Invite", "waiting", "host", {}, INVALID),
    Case("Invite", "waiting", "host", {"seat": 9}, OUT_OF_RANGE),
    Case("Invite", "over", "seat 0", {}, OVER),
    Case("Invite", "none", "key", {"seat": 0}, UNKNOWN),
    Case("Reissue", "playing", "", {"seat": 0}, UNAUTHENTICATED),
    Case("Reissue", "playing", "dead", {}, UNAUTHENTICATED),
    Case("Reissue", "playing", "other key", {"seat": 0}, DENIED),
    Case("Reissue", "waiting", "host", {"seat": 1}, DENIED),
    Case("Reissue", "plain", "host", {"seat": 1}, DENIED),
    Case("Reissue", "plain", "host", {"seat": -1}, OUT_OF_RANGE),
    Case("Substitute", "playing", "", {"seat": 0, "bot": "greedy"}, UNAUTHENTICATED),
    Case("Substitute", "playing", "dead", {"bot": "greedy"}, UNAUTHENTICATED),
    Case("Substitute", "playing", "seat 0", {"seat": 1, "bot": "greedy"}, DENIED),
    Case("Substitute", "playing", "host", {"seat": 1}, INVALID),
    Case("Substitute", "playing", "host", {"seat": 1, "bot": "nobody"}, INVALID),
    Case("Substitute", "left", "host", {"seat": 1, "bot": "greedy"}, "FAILED_PRECONDITION SEAT_HAS_LEFT"),
    Case("Substitute", "over", "host", {"seat": 1, "bot": "greedy"}, OVER),
    Case("Withdraw", "waiting", "", {}, UNAUTHENTICATED),
    Case("Withdraw", "waiting", "seat 0", {}, DENIED),
    Case("Withdraw", "waiting", "other key", {}, DENIED),
    Case("Withdraw", "playing", "host", {}, BEGUN),
    Case("Withdraw", "none", "key", {}, UNKNOWN),
    Case("Leave", "waiting", "host", {}, UNAUTHENTICATED),
    Case("Leave", "waiting", "elsewhere", {}, DENIED),
    Case("Leave", "playing", "dead", {}, UNAUTHENTICATED),
    Case("Rematch", "playing", "seat 1", {}, NOT_OVER),
    Case("Rematch", "waiting", "seat 0", {}, NOT_OVER),
    Case("Rematch", "over", "host", {}, UNAUTHENTICATED),
    Case("Rematch", "over", "", {}, UNAUTHENTICATED),
    Case("Rematch", "over", "elsewhere", {}, DENIED),
    Case("Rematch", "over", "seat 1", {}, DENIED),  # a bot has its seat in the rematch
    Case("Hint", "plain", "seat 0", {}, DENIED),
    Case("Hint", "waiting", "seat 0", {}, WAITING),
    Case("Hint", "playing", "", {}, UNAUTHENTICATED),
    Case("Hint", "playing", "waiting seat", {}, "FAILED_PRECONDITION NOT_YOUR_TURN"),
    Case("Hint", "playing", "seat to move", {"revision": 1}, NOT_OVER),
    Case("Hint", "playing", "seat to move", {"revision": 999}, "ABORTED STALE_REVISION"),
    Case("Hint", "playing", "seat to move", {"bot": "random"}, INVALID),
    Case("Hint", "over", "", {}, INVALID),
    Case("Hint", "over", "", {"seat": 9}, OUT_OF_RANGE),
    Case("Fork", "playing", "seat 1", {}, NOT_OVER),
    Case("Fork", "waiting", "seat 0", {}, NOT_OVER),
    Case("Fork", "hidden", "", {}, UNKNOWN),
    Case("Fork", "over", "", {"revision": -1}, INVALID),
    Case("Fork", "over", "", {"revision": 999}, "ABORTED STALE_REVISION"),
    Case("GetMatch", "over", "", {"seat": 1}, UNAUTHENTICATED),  # it was not to be open
    Case("ListPlatformMatches", "", "", {}, UNAUTHENTICATED),
    Case("ListPlatformMatches", "", "key", {"playerId": "p" * 65}, INVALID),
    Case("ListPlatformMatches", "", "key", {"pageSize": 101}, INVALID),
    Case("ListPlatformMatches", "", "key", {"pageToken": "none"}, INVALID),
    Case("WatchPlatformEvents", "", "", {}, UNAUTHENTICATED),
    Case("WatchPlatformEvents", "", "key", {"fromEventId": "none"}, INVALID),
    Case("WatchPlatformEvents", "", "key", {"fromEventId": "1-0"}, "ABORTED EVENTS_DELETED"),
    Case("CreateWebhook", "", "", {"url": HOOK}, UNAUTHENTICATED),
    Case("CreateWebhook", "", "key", {"url": "http://127.0.0.1:2/"}, INVALID),
    Case("CreateWebhook", "", "key", {"url": HOOK, "types": ["none"]}, INVALID),
    Case("CreateWebhook", "", "key", {"url": HOOK, "types": ["match.over"], "requestId": REQUEST_ID}, REUSED),
    Case("TestWebhook", "", "other key", {"webhookId": "webhook"}, UNKNOWN_WEBHOOK),
    Case("DeleteWebhook", "", "other key", {"webhookId": "webhook"}, UNKNOWN_WEBHOOK),
    Case("ListWebhookDeliveries", "", "key", {"webhookId": "none"}, UNKNOWN_WEBHOOK),
]


def method_named(name: str) -> tuple[MethodDescriptor, Binding]:
    """A method of the game, of platforms or of webhooks, and its first route."""
    services: dict[str, ServiceDescriptor] = {GAME: CODEC.service, "platforms": registry.PLATFORMS, "": WEBHOOKS}
    for game, service in services.items():
        if name in service.methods_by_name:
            method = service.methods_by_name[name]
            return method, next(each for each in bindings(game, service) if each.method is method)
    raise LookupError(name)


class Service:
    """A gateway and an engine, and what was prepared in it."""

    def __init__(self, channel: grpc.aio.Channel, rest: httpx.AsyncClient) -> None:
        self.channel, self.rest = channel, rest
        self.client = GameClient(channel, CODEC)
        self.client.metadata = [("x-api-key", KEY)]
        self.tables: dict[str, Table] = {"none": Table("AAAAAAAAAAAAAAAA", {})}
        self.values: dict[str, str] = {}
        """What fields of the cases stand for: codes and ids."""

    async def prepare(self) -> None:
        """Begin the matches and create the webhook of the cases."""
        waiting, _ = await self.begin("waiting", [ADA, OPEN], request_id=REQUEST_ID)
        self.values["open code"] = waiting.join_codes[0].code
        await self.begin("hidden", [ADA, OPEN], private=True)
        playing, driver = await self.begin("playing", [ADA, OPEN], hints=True)
        code = self.values["used code"] = playing.join_codes[0].code
        joined = cast(Any, await driver.call("Join", code=code))
        credentials = self.tables["playing"].credentials
        credentials |= {"seat 1": joined.token, "dead": credentials["seat 0"]}
        reissued = cast(Any, await driver.call("Reissue", playing.host_token, seat=0)).seat.token
        credentials["seat 0"] = reissued
        [mover] = cast(Any, await driver.call("GetMatch")).match.to_move
        credentials |= {"seat to move": credentials[f"seat {mover}"]}
        credentials |= {"waiting seat": credentials[f"seat {1 - mover}"]}
        await self.begin("plain", [ADA, SeatSpec(bot="greedy")])
        _, driver = await self.begin("left", [ADA, ADA, ADA])
        await driver.call("Leave", driver.tokens[1])
        await self.finish()
        request = {"url": HOOK, "requestId": REQUEST_ID}
        webhook = await self.call_grpc("CreateWebhook", {"x-api-key": KEY}, request)
        self.values["webhook"] = cast(Any, webhook).webhook_id

    async def begin(self, name: str, seats: list[SeatSpec], **fields: Any) -> tuple[Any, MatchDriver]:
        """Begin a match that the cases call by a name."""
        new = cast(Any, await self.client.call("NewGame", seats=seats, **fields))
        credentials = {f"seat {seat.seat}": seat.token for seat in new.seats} | {"host": new.host_token}
        self.tables[name] = Table(new.match_id, credentials)
        return new, MatchDriver(self.client, new.match_id, [seat.token for seat in new.seats], new.match)

    async def finish(self) -> None:
        """Finish a match whose first seat is offered, and begin its rematch, in which a bot has the second seat."""
        _, driver = await self.begin("over", [ADA, ADA])
        self.values["offered code"] = cast(Any, await driver.call("Invite", driver.tokens[0])).join_code.code
        await driver.play(Random(1))
        rematch = cast(Any, await driver.call("Rematch", driver.tokens[0]))
        self.tables["rematch"] = Table(rematch.match_id, {})
        await self.client.call("Substitute", match_id=rematch.match_id, seat=0, bot="greedy")

    def metadata(self, case: Case) -> dict[str, str]:
        """The credential of a case as metadata or headers."""
        keys = {"key": KEY, "other key": OTHER_KEY}
        if case.credential in keys:
            return {"x-api-key": keys[case.credential]}
        of_table = self.tables["plain"] if case.credential == "elsewhere" else self.tables.get(case.table)
        name = "seat 0" if case.credential == "elsewhere" else case.credential
        return {"authorization": f"Bearer {of_table.credentials[name]}"} if of_table and name else {}

    def fields(self, case: Case) -> dict[str, Any]:
        """The fields of a case, with the id of its match."""
        fields = {name: self.values.get(str(value), value) for name, value in case.fields.items()}
        return fields | ({"matchId": self.tables[case.table].match_id} if case.table else {})

    async def call_grpc(self, name: str, metadata: dict[str, str], fields: dict[str, Any]) -> Message:
        """The (first) response. Raises `Refusal`."""
        method, _ = method_named(name)
        stubs = self.channel.unary_stream if method.server_streaming else self.channel.unary_unary
        stub: Any = stubs(
            f"/{method.containing_service.full_name}/{name}",
            request_serializer=GetMessageClass(method.input_type).SerializeToString,
            response_deserializer=GetMessageClass(method.output_type).FromString,
        )
        call = stub(ParseDict(fields, GetMessageClass(method.input_type)()), metadata=[*metadata.items()], timeout=10)
        try:
            return cast(Message, await (call.read() if method.server_streaming else call))
        except grpc.aio.AioRpcError as error:
            raise refusal(error) from None

    async def call_rest(self, name: str, headers: dict[str, str], fields: dict[str, Any]) -> httpx.Response:
        """The response of the route of a method."""
        _, binding = method_named(name)
        rest, path = dict(fields), binding.path
        for field in binding.path_fields:
            path = path.replace(f"{{{field.name}}}", rest.pop(field.json_name))
        if binding.has_body:
            return await self.rest.request(binding.verb, path, json=rest, headers=headers)
        return await self.rest.request(binding.verb, path, params=rest, headers=headers)

    async def outcome(self, case: Case) -> str:
        """The refusal of a case over gRPC, and how that over REST differs."""
        fields, metadata = self.fields(case), self.metadata(case)
        with pytest.raises(Refusal) as caught:
            await self.call_grpc(case.method, metadata, fields)
        status, reason = caught.value.code, caught.value.reason
        response = await self.call_rest(case.method, metadata, fields)
        found, expected = response.json(), (PROBLEMS_BY_STATUS[status].status, reason, caught.value.metadata)
        differs = "" if (response.status_code, found.get("reason"), found.get("metadata", {})) == expected else found
        return f"{status.name} {reason} {differs}".strip()


@asynccontextmanager
async def running(redis_url: str) -> AsyncIterator[Service]:
    """A service that knows two API keys."""
    settings = EngineSettings(
        port=0,
        redis_url=redis_url,
        grace_seconds=1,
        api_keys=api_keys.parse(KEYS_TEXT),
        webhook_allow=allowed_addresses("http://127.0.0.1:1/"),
    )
    engine = Engine(settings)
    await engine.start()
    address = f"127.0.0.1:{engine.port}"
    app = create_app(GatewaySettings(engine_address=address))
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://gateway") as rest,
        grpc.aio.insecure_channel(address) as channel,
    ):
        yield Service(channel, rest)
    await engine.stop()


async def test_refusals_are_the_same_over_grpc_and_rest_and_change_nothing(redis_url: str) -> None:
    async with Redis.from_url(redis_url) as redis:
        await redis.flushdb()
        async with running(redis_url) as service:
            await service.prepare()
            before = await contents(redis)
            found = [case._replace(expected=await service.outcome(case)) for case in CASES]
            after = await contents(redis)
    assert [case for case in found if case not in CASES] == []
    assert after == before


async def test_a_caller_with_too_many_hints_is_refused_over_rest_too(redis_url: str) -> None:
    async with running(redis_url) as service:
        _, driver = await service.begin("playing", [ADA, ADA], hints=True)
        [mover] = cast(Any, driver.match).to_move
        headers = {"authorization": f"Bearer {driver.tokens[mover]}"}
        fields = {"matchId": driver.match_id, "bot": "mcts:iterations=300"}  # long enough that they overlap
        found = await asyncio.gather(*[service.call_rest("Hint", headers, fields) for _ in range(12)])
    assert {(each.status_code, each.json().get("reason")) for each in found} == {(200, None), (429, "BUSY")}
