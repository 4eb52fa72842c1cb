"""Body of a webhook request: an event of a platform as the JSON payload of Standard Webhooks."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Final

from fireside.platform.v1.platform_pb2 import PlatformEvent
from google.protobuf.json_format import MessageToDict

from services.store.events.streams import EventId

TEST_TYPE: Final = "webhook.test"
DISABLED_TYPE: Final = "webhook.disabled"
"""Type of the line of a log that says when and why the webhook was disabled; it is not sent."""
ENABLED_TYPE: Final = "webhook.enabled"
EVENT_TYPES: Final = tuple(f"match.{field.name}" for field in PlatformEvent.DESCRIPTOR.oneofs_by_name["kind"].fields)
"""The types that a webhook can choose from."""


def event_type(event: PlatformEvent) -> str:
    """The type of an event, as `match.turn`."""
    return f"match.{event.WhichOneof('kind')}"


def event_body(event_id: str, event: PlatformEvent) -> bytes:
    """The body for an event, whose id begins with the milliseconds since 1970 at which it was stored."""
    event.event_id = event_id
    event.event_time.FromMilliseconds(EventId.parse(event_id).time_ms)
    data = MessageToDict(event, always_print_fields_with_no_presence=True)
    return _body(event_type(event), str(data["eventTime"]), data)


def body_of_test() -> bytes:
    """The body of a test event."""
    return _body(TEST_TYPE, datetime.now(UTC).isoformat().replace("+00:00", "Z"), {})


def _body(kind: str, timestamp: str, data: dict[str, object]) -> bytes:
    payload = {"type": kind, "timestamp": timestamp, "data": data}
    return json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()
