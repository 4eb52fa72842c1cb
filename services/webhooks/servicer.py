"""gRPC servicer of the WebhookService: webhooks of a platform, and the logs of their deliveries."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections.abc import Mapping, Sequence
from typing import Final, cast

import grpc
from fireside.platform.v1 import webhook_service_pb2
from fireside.platform.v1.webhook_pb2 import WebhookDelivery, WebhookEndpoint

from runtime.api_keys import ApiKeys
from services.bots.remote.allowed import BotAddress, bot_address, is_allowed
from services.grpc_server.admission import callers
from services.grpc_server.auth import check_api_key
from services.grpc_server.calls import AnyBehaviour, service_handler
from services.grpc_server.errors import API_KEY, InvalidRequest, RequestIdReused, Unauthenticated
from services.store.webhooks.store import (
    MAX_SECRETS,
    MAX_WEBHOOKS,
    TEST_PREFIX,
    StoredWebhook,
    WebhookRef,
    WebhookStore,
    WebhookTarget,
)
from services.webhooks.payload import ENABLED_TYPE, EVENT_TYPES, TEST_TYPE
from services.webhooks.sender import NOT_ALLOWED
from services.webhooks.signing_secret import key_of, new_secret

SERVICE: Final = webhook_service_pb2.DESCRIPTOR.services_by_name["WebhookService"]

ID_BYTES: Final = 8
ID_LABEL: Final = b"fireside/webhook/id/1/"
MAX_REQUEST_ID_LENGTH: Final = 64
TEST_SECONDS: Final = 9.0
"""How long a test is waited for: less than the gateway waits for an engine."""
TEST_POLL_SECONDS: Final = 0.1


class WebhookServicer:
    """Serves the calls; workers deliver."""

    def __init__(self, store: WebhookStore, keys: ApiKeys, allowed: Sequence[BotAddress]) -> None:
        self._store: Final = store
        self._keys: Final = keys
        self._allowed: Final = allowed

    def handler(self) -> grpc.GenericRpcHandler:
        """The gRPC handler of the service, to be added to a server."""
        behaviours: Mapping[str, object] = {
            "CreateWebhook": self.create,
            "ListWebhooks": self.webhooks,
            "DeleteWebhook": self.delete,
            "EnableWebhook": self.enable,
            "RotateWebhookSecret": self.rotate_secret,
            "TestWebhook": self.test,
            "ListWebhookDeliveries": self.deliveries,
        }
        return service_handler(SERVICE, cast(dict[str, AnyBehaviour], behaviours), api_key_methods=[*behaviours])

    def _platform(self, api_key: str) -> str:
        """Digest of the holder of an API key. Raises `Unauthenticated`."""
        if not self._keys:
            raise Unauthenticated("this service has no API keys, and so no platforms", API_KEY)
        check_api_key(self._keys, api_key, "webhooks require an API key")
        return callers.caller_digest(self._keys.holder(api_key))

    async def create(
        self, request: webhook_service_pb2.CreateWebhookRequest, api_key: str
    ) -> webhook_service_pb2.CreateWebhookResponse:
        """Create a webhook; a repeated request id returns the webhook that it created."""
        platform = self._platform(api_key)
        target = self._target(request)
        ref = WebhookRef(platform, _id_of(platform, request.request_id))
        outcome = await self._store.create(ref, target)
        if outcome == "full":
            raise InvalidRequest("", f"a platform has at most {MAX_WEBHOOKS} webhooks")
        if outcome == "exists":
            stored = (await self._store.webhook(ref)).target
            if stored != target._replace(secret=request.secret or stored.secret):
                raise RequestIdReused(request.request_id)
            target = stored
        return webhook_service_pb2.CreateWebhookResponse(webhook_id=ref.webhook_id, secret=target.secret)

    def _target(self, request: webhook_service_pb2.CreateWebhookRequest) -> WebhookTarget:
        """Where a new webhook sends. Raises `InvalidRequest`."""
        if len(request.request_id) > MAX_REQUEST_ID_LENGTH:
            raise InvalidRequest("requestId", f"it must not be longer than {MAX_REQUEST_ID_LENGTH} characters")
        try:
            where = bot_address(request.url)
        except ValueError as error:
            raise InvalidRequest("url", str(error)) from None
        if not is_allowed(where, self._allowed):  # a gRPC address never is
            raise InvalidRequest("url", NOT_ALLOWED)
        for number, kind in enumerate(request.types):
            if kind not in EVENT_TYPES:
                raise InvalidRequest(f"types[{number}]", f"one of {', '.join(EVENT_TYPES)}")
        return WebhookTarget(request.url, _secret(request.secret), tuple(dict.fromkeys(request.types)))

    async def webhooks(
        self, request: webhook_service_pb2.ListWebhooksRequest, api_key: str
    ) -> webhook_service_pb2.ListWebhooksResponse:
        """The webhooks of the platform, without their secrets."""
        found = await self._store.webhooks(self._platform(api_key))
        return webhook_service_pb2.ListWebhooksResponse(webhooks=map(_endpoint, found))

    async def delete(
        self, request: webhook_service_pb2.DeleteWebhookRequest, api_key: str
    ) -> webhook_service_pb2.DeleteWebhookResponse:
        """Delete a webhook of the platform."""
        await self._store.delete(WebhookRef(self._platform(api_key), request.webhook_id))
        return webhook_service_pb2.DeleteWebhookResponse()

    async def enable(
        self, request: webhook_service_pb2.EnableWebhookRequest, api_key: str
    ) -> webhook_service_pb2.EnableWebhookResponse:
        """Put a disabled webhook of the platform in use again."""
        line = WebhookDelivery(type=ENABLED_TYPE)
        line.attempt_time.GetCurrentTime()
        await self._store.enable(WebhookRef(self._platform(api_key), request.webhook_id), line.SerializeToString())
        return webhook_service_pb2.EnableWebhookResponse()

    async def rotate_secret(
        self, request: webhook_service_pb2.RotateWebhookSecretRequest, api_key: str
    ) -> webhook_service_pb2.RotateWebhookSecretResponse:
        """Give a webhook of the platform another secret."""
        ref = WebhookRef(self._platform(api_key), request.webhook_id)
        secret = _secret(request.secret)
        if not await self._store.rotate(ref, secret):
            raise InvalidRequest("", f"at most {MAX_SECRETS} secrets of a webhook sign at once")
        return webhook_service_pb2.RotateWebhookSecretResponse(secret=secret)

    async def test(
        self, request: webhook_service_pb2.TestWebhookRequest, api_key: str
    ) -> webhook_service_pb2.TestWebhookResponse:
        """Let a worker send a test event, and wait for its end."""
        ref = WebhookRef(self._platform(api_key), request.webhook_id)
        webhook = await self._store.webhook(ref)
        if webhook.disabled_reason:
            raise InvalidRequest("webhookId", f"the webhook is disabled: {webhook.disabled_reason}")
        event_id = TEST_PREFIX + secrets.token_hex(ID_BYTES)
        await self._store.add_test(ref, event_id)
        return webhook_service_pb2.TestWebhookResponse(delivery=await self._test_result(ref, event_id))

    async def _test_result(self, ref: WebhookRef, event_id: str) -> WebhookDelivery:
        end = time.monotonic() + TEST_SECONDS
        while time.monotonic() < end:
            for delivery in await self._deliveries(ref):
                if delivery.event_id == event_id:
                    return delivery
            await asyncio.sleep(TEST_POLL_SECONDS)
        return WebhookDelivery(
            event_id=event_id, type=TEST_TYPE, error=f"no worker has sent it within {TEST_SECONDS:g} seconds"
        )

    async def deliveries(
        self, request: webhook_service_pb2.ListWebhookDeliveriesRequest, api_key: str
    ) -> webhook_service_pb2.ListWebhookDeliveriesResponse:
        """The last attempts of a webhook of the platform."""
        ref = WebhookRef(self._platform(api_key), request.webhook_id)
        await self._store.webhook(ref)
        return webhook_service_pb2.ListWebhookDeliveriesResponse(deliveries=await self._deliveries(ref))

    async def _deliveries(self, ref: WebhookRef) -> list[WebhookDelivery]:
        return [WebhookDelivery.FromString(line) for line in await self._store.log(ref)]


def _id_of(platform: str, request_id: str) -> str:
    """The id of a new webhook: derived from a request id, if there is one, else random."""
    if not request_id:
        return secrets.token_hex(ID_BYTES)
    return hashlib.sha256(ID_LABEL + f"{platform}/{request_id}".encode()).hexdigest()[: 2 * ID_BYTES]


def _secret(given: str) -> str:
    """The secret, or a new one if it is empty. Raises `InvalidRequest`."""
    secret = given or new_secret()
    try:
        key_of(secret)
    except ValueError as error:
        raise InvalidRequest("secret", str(error)) from None
    return secret


def _endpoint(webhook: StoredWebhook) -> WebhookEndpoint:
    endpoint = WebhookEndpoint(
        webhook_id=webhook.webhook_id,
        url=webhook.target.url,
        types=webhook.target.types,
        disabled_reason=webhook.disabled_reason,
    )
    endpoint.create_time.FromMilliseconds(webhook.created_ms)
    if webhook.failing_since_ms:
        endpoint.failing_since.FromMilliseconds(webhook.failing_since_ms)
    return endpoint
