"""How the gateway reaches what is behind it while servers come and go: the options of its channels."""

from __future__ import annotations

import json
import os
from typing import Final, TypeAlias

import grpc

Options: TypeAlias = tuple[tuple[str, int | str], ...]

MESSAGE_LIMIT: Final = 16 << 20
"""Largest answer that is taken, in bytes."""

MATCH: Final = "fireside-match"
"""Metadata key of the match that a call is about, which is how a channel that leads calls knows its server."""

# Every address that a name leads to is used, not only the first.
_IN_TURN: Final[dict[str, object]] = {"loadBalancingConfig": [{"round_robin": {}}]}
_BY_MATCH: Final[dict[str, object]] = {
    "loadBalancingConfig": [{"ring_hash_experimental": {"requestHashHeader": MATCH}}, {"round_robin": {}}]
}
os.environ["GRPC_EXPERIMENTAL_RING_HASH_SET_REQUEST_HASH_KEY"] = "true"  # else such calls fail
_REPEAT: Final = {
    "methodConfig": [
        {
            "name": [{}],
            "retryPolicy": {
                "maxAttempts": 4,
                "initialBackoff": "0.1s",
                "maxBackoff": "1s",
                "backoffMultiplier": 2,
                "retryableStatusCodes": ["UNAVAILABLE"],
            },
        }
    ],
    # When more calls fail than succeed, repeating them would be a part of the trouble.
    "retryThrottling": {"maxTokens": 1000, "tokenRatio": 0.5},
}

_OPTIONS: Final[Options] = (
    ("grpc.max_receive_message_length", MESSAGE_LIMIT),
    ("grpc.max_send_message_length", MESSAGE_LIMIT),
    ("grpc.per_rpc_retry_buffer_size", MESSAGE_LIMIT),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 2000),  # which is also how long a connection may take to come about
    ("grpc.max_reconnect_backoff_ms", 2000),
    ("grpc.dns_min_time_between_resolutions_ms", 1000),  # a new server is found when an old connection ends
    ("grpc.keepalive_time_ms", 20_000),  # a server whose host is gone says nothing, for ever
    ("grpc.keepalive_timeout_ms", 5000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
)


def once(address: str, service: str) -> grpc.aio.Channel:
    """A channel whose calls reach a server once, or not at all."""
    return _channel(address, {**_IN_TURN, **_health(service)})


def repeating(address: str, service: str) -> grpc.aio.Channel:
    """A channel that repeats calls that found no server, or lost it; connections are shared with the other kinds."""
    return _channel(address, {**_IN_TURN, **_health(service), **_REPEAT})


def led(address: str, service: str) -> grpc.aio.Channel:
    """A channel whose calls reach a server once, those of one match the same, for as long as it takes calls.

    When a server comes or goes, mostly the matches that it gets, or had, are led elsewhere.
    """
    return _channel(address, {**_BY_MATCH, **_health(service)})


def _health(service: str) -> dict[str, dict[str, str]]:
    """A server that says that it takes no more calls of a service gets none, before its connection ends."""
    return {"healthCheckConfig": {"serviceName": service}}


def _channel(address: str, config: object) -> grpc.aio.Channel:
    return grpc.aio.insecure_channel(address, options=(*_OPTIONS, ("grpc.service_config", json.dumps(config))))
