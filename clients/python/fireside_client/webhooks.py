"""Receiver of webhooks: verifies the signature of a request, and reads its event. Needs `standardwebhooks`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, TypedDict, cast

from standardwebhooks import Webhook, WebhookVerificationError

from fireside_client.types.shared import PlatformEvent


class EventPayload(TypedDict):
    """Body of a request with an event."""

    type: Literal["match.turn", "match.seat", "match.over"]
    timestamp: str
    data: PlatformEvent


class WebhookTestPayload(TypedDict):
    """Body of the request that `test_webhook` has the service send."""

    type: Literal["webhook.test"]
    timestamp: str
    data: dict[str, object]


WebhookPayload: TypeAlias = EventPayload | WebhookTestPayload


def read_webhook(secret: str, headers: Mapping[str, str], body: bytes) -> WebhookPayload:
    """The payload of a request that was signed with the secret of the webhook, at most five minutes ago.

    `body`: the bytes as they came. Raises `ValueError` for any other request, which a receiver refuses.
    """
    try:
        return cast("WebhookPayload", Webhook(secret).verify(body, dict(headers)))
    # The library raises ValueError for headers and bodies that it cannot decode.
    except (WebhookVerificationError, ValueError) as error:
        raise ValueError(f"not a request that the service signed: {error}") from None
