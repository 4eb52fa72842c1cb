"""The calls about webhooks: what they accept, what they show, and that no platform sees another's."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from fireside.platform.v1 import webhook_service_pb2 as calls
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from runtime.api_keys import ApiKeys
from services.bots.remote.allowed import allowed_addresses
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from services.grpc_server.errors import Unauthenticated
from services.webhooks import servicer as module
from services.webhooks.servicer import SERVICE
from services.webhooks.settings import WebhookSettings
from services.webhooks.worker import WebhookWorker
from tests.services.client import Refusal, refusal
from tests.services.engine.tables.test_calls import KNOWN_KEYS, OTHER_KEY, OUR_KEY
from tests.services.webhooks.receivers import SECRET, receiver

URL = "http://127.0.0.1:1/hook"
ALLOWED = allowed_addresses("http://127.0.0.1:1/,https://club.example/hooks")


class WebhookClient:
    """A client of the service with an API key; errors are `Refusal`."""

    def __init__(self, channel: grpc.aio.Channel, key: str = OUR_KEY) -> None:
        self.channel, self.key = channel, key

    async def call(self, method: str, **fields: object) -> Any:
        """The response to a request with these fields."""
        described = SERVICE.methods_by_name[method]
        stub: grpc.aio.UnaryUnaryMultiCallable[Message, Message] = self.channel.unary_unary(
            f"/{SERVICE.full_name}/{method}",
            request_serializer=GetMessageClass(described.input_type).SerializeToString,
            response_deserializer=GetMessageClass(described.output_type).FromString,
        )
        request = GetMessageClass(described.input_type)(**fields)
        try:
            return await stub(request, metadata=[("x-api-key", self.key)] if self.key else [])
        except grpc.aio.AioRpcError as error:
            raise refusal(error) from None


@pytest.fixture
async def engine(store_url: str) -> AsyncIterator[Engine]:
    engine = Engine(
        EngineSettings(port=0, redis_url=store_url, grace_seconds=1, api_keys=KNOWN_KEYS, webhook_allow=ALLOWED)
    )
    await engine.start()
    yield engine
    await engine.stop()


@pytest.fixture
async def ours(engine: Engine) -> AsyncIterator[WebhookClient]:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        yield WebhookClient(channel)


async def test_the_secret_is_shown_once(ours: WebhookClient) -> None:
    created = await ours.call("CreateWebhook", url=URL, types=["match.over", "match.over"])
    assert created.secret.startswith("whsec_")
    [listed] = (await ours.call("ListWebhooks")).webhooks
    assert (listed.webhook_id, listed.url, [*listed.types]) == (created.webhook_id, URL, ["match.over"])
    assert created.secret not in str(listed)
    assert listed.create_time.seconds > 0
    assert not listed.HasField("failing_since")
    assert created.secret != (await ours.call("CreateWebhook", url=URL)).secret


async def test_a_repeated_request_gets_the_same_webhook(ours: WebhookClient) -> None:
    first = await ours.call("CreateWebhook", url=URL, request_id="r")
    assert await ours.call("CreateWebhook", url=URL, request_id="r") == first
    with pytest.raises(Refusal) as refused:
        await ours.call("CreateWebhook", url=URL, types=["match.turn"], request_id="r")
    assert refused.value.reason == "REQUEST_ID_REUSED"
    assert await WebhookClient(ours.channel, OTHER_KEY).call("CreateWebhook", url=URL, request_id="r") != first


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({}, "url"),
        ({"url": "grpc:127.0.0.1:1"}, "url"),
        ({"url": "ftp://127.0.0.1:1/"}, "url"),
        ({"url": "http://127.0.0.1:2/"}, "url"),
        ({"url": "http://169.254.169.254/"}, "url"),
        ({"url": "https://club.example/other"}, "url"),
        ({"url": "https://club.example/hooks/../admin"}, "url"),
        ({"url": "https://club.example.evil.example/hooks"}, "url"),
        ({"url": "https://user:password@club.example/hooks"}, "url"),
        ({"url": URL, "types": ["match.turn", "match.begin"]}, "types[1]"),
        ({"url": URL, "secret": "hunter2"}, "secret"),
        ({"url": URL, "secret": "whsec_c2hvcnQ="}, "secret"),
        ({"url": URL, "request_id": "r" * 65}, "requestId"),
    ],
)
async def test_invalid_webhooks_are_refused(ours: WebhookClient, fields: dict[str, Any], field: str) -> None:
    with pytest.raises(Refusal) as refused:
        await ours.call("CreateWebhook", **fields)
    assert (refused.value.reason, refused.value.fields) == ("INVALID_REQUEST", [field])
    assert "hunter2" not in refused.value.message
    assert not (await ours.call("ListWebhooks")).webhooks


async def test_a_platform_has_at_most_ten(ours: WebhookClient) -> None:
    for number in range(10):
        await ours.call("CreateWebhook", url=f"{URL}/{number}")
    with pytest.raises(Refusal, match="at most 10 webhooks"):
        await ours.call("CreateWebhook", url=URL)
    listed = (await ours.call("ListWebhooks")).webhooks
    assert sorted([webhook.url for webhook in listed]) == [f"{URL}/{number}" for number in range(10)]
    await ours.call("DeleteWebhook", webhook_id=listed[0].webhook_id)
    await ours.call("CreateWebhook", url=URL)


async def test_no_platform_sees_or_changes_those_of_another(ours: WebhookClient) -> None:
    created = await ours.call("CreateWebhook", url=URL)
    others = WebhookClient(ours.channel, OTHER_KEY)
    assert not (await others.call("ListWebhooks")).webhooks
    methods = ("DeleteWebhook", "EnableWebhook", "RotateWebhookSecret", "TestWebhook", "ListWebhookDeliveries")
    for method in methods:
        with pytest.raises(Refusal) as refused:
            await others.call(method, webhook_id=created.webhook_id)
        assert (refused.value.code, refused.value.reason) == (grpc.StatusCode.NOT_FOUND, "UNKNOWN_WEBHOOK")
    assert len((await ours.call("ListWebhooks")).webhooks) == 1


async def test_a_secret_is_replaced_by_a_new_or_a_given_one(ours: WebhookClient) -> None:
    created = await ours.call("CreateWebhook", url=URL)
    rotated = await ours.call("RotateWebhookSecret", webhook_id=created.webhook_id)
    assert rotated.secret.startswith("whsec_")
    assert rotated.secret != created.secret
    given = await ours.call("RotateWebhookSecret", webhook_id=created.webhook_id, secret=SECRET)
    assert given.secret == SECRET
    with pytest.raises(Refusal) as refused:
        await ours.call("RotateWebhookSecret", webhook_id=created.webhook_id, secret="hunter2")
    assert (refused.value.reason, refused.value.fields) == ("INVALID_REQUEST", ["secret"])
    for _ in range(2):
        await ours.call("RotateWebhookSecret", webhook_id=created.webhook_id)
    with pytest.raises(Refusal, match="at most 5 secrets"):
        await ours.call("RotateWebhookSecret", webhook_id=created.webhook_id)


@pytest.mark.parametrize("key", ["", "unknown"])
@pytest.mark.parametrize("method", list(SERVICE.methods_by_name))
async def test_every_call_needs_an_api_key(ours: WebhookClient, method: str, key: str) -> None:
    with pytest.raises(Refusal) as refused:
        await WebhookClient(ours.channel, key).call(method)
    assert (refused.value.reason, refused.value.metadata) == ("UNAUTHENTICATED", {"credential": "apiKey"})


async def test_a_service_without_api_keys_has_no_webhooks(engine: Engine) -> None:
    with pytest.raises(Unauthenticated, match="no API keys"):
        await module.WebhookServicer(engine.store.webhooks(), ApiKeys(), ALLOWED).webhooks(
            calls.ListWebhooksRequest(), OUR_KEY
        )


async def test_a_test_shows_what_came_back(engine: Engine, ours: WebhookClient) -> None:
    async with receiver() as target:
        allowed = allowed_addresses(target.url)
        worker = WebhookWorker(WebhookSettings(allow=allowed, seconds=2), engine.store)
        worker.start()
        try:
            servicer = module.WebhookServicer(engine.store.webhooks(), KNOWN_KEYS, allowed)
            created = await servicer.create(calls.CreateWebhookRequest(url=target.url, secret=SECRET), OUR_KEY)
            tested = (await ours.call("TestWebhook", webhook_id=created.webhook_id)).delivery
            [(head, payload)] = await target.got(1)
            assert (tested.status, tested.error, tested.type) == (204, "", "webhook.test")
            assert tested.event_id == head["webhook-id"]
            assert (payload["type"], payload["data"]) == ("webhook.test", {})
            logged = await ours.call("ListWebhookDeliveries", webhook_id=created.webhook_id)
            assert [*logged.deliveries] == [tested]
        finally:
            await worker.stop()


async def test_a_failed_test_is_not_retried_and_no_failure_of_the_webhook(engine: Engine, ours: WebhookClient) -> None:
    worker = WebhookWorker(WebhookSettings(allow=ALLOWED, seconds=2), engine.store)
    worker.start()
    try:
        created = await ours.call("CreateWebhook", url=URL)
        tested = (await ours.call("TestWebhook", webhook_id=created.webhook_id)).delivery
        assert (tested.status, tested.error) == (0, "connection failed")
        await asyncio.sleep(0.7)
        assert len((await ours.call("ListWebhookDeliveries", webhook_id=created.webhook_id)).deliveries) == 1
        [listed] = (await ours.call("ListWebhooks")).webhooks
        assert not listed.HasField("failing_since")
    finally:
        await worker.stop()


async def test_a_test_without_a_worker_says_so(ours: WebhookClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TEST_SECONDS", 0.3)
    created = await ours.call("CreateWebhook", url=URL)
    tested = (await ours.call("TestWebhook", webhook_id=created.webhook_id)).delivery
    assert tested.error == "no worker has sent it within 0.3 seconds"
