"""gRPC channels to the upstream servers: load balancing, retries, keepalive and health checks."""

from __future__ import annotations

import json
import os
from typing import Final, TypeAlias

import grpc

ChannelOptions: TypeAlias = tuple[tuple[str, int | str], ...]

MESSAGE_LIMIT: Final = 16 << 20
"""Largest request and response, in bytes."""

MATCH_ID_KEY: Final = "fireside-match"
"""Metadata key of the match id, which channels with match affinity hash to choose a server."""

# Without it only the first address of a name would be used.
_ROUND_ROBIN: Final[dict[str, object]] = {"loadBalancingConfig": [{"round_robin": {}}]}
_RING_HASH: Final[dict[str, object]] = {
    "loadBalancingConfig": [{"ring_hash_experimental": {"requestHashHeader": MATCH_ID_KEY}}, {"round_robin": {}}]
}
os.environ["GRPC_EXPERIMENTAL_RING_HASH_SET_REQUEST_HASH_KEY"] = "true"  # without it such calls fail
_RETRIES: Final = {
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
    # When more calls fail than succeed, retries would add to the overload.
    "retryThrottling": {"maxTokens": 1000, "tokenRatio": 0.5},
}

_CHANNEL_OPTIONS: Final[ChannelOptions] = (
    ("grpc.max_receive_message_length", MESSAGE_LIMIT),
    ("grpc.max_send_message_length", MESSAGE_LIMIT),
    ("grpc.per_rpc_retry_buffer_size", MESSAGE_LIMIT),  # a larger request would be sent without retries
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 2000),  # also the timeout of a connection attempt
    ("grpc.max_reconnect_backoff_ms", 2000),
    ("grpc.dns_min_time_between_resolutions_ms", 1000),  # a new server is found when an old connection closes
    ("grpc.keepalive_time_ms", 20_000),  # a connection to a lost host stays open without an error
    ("grpc.keepalive_timeout_ms", 5000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
)


def without_retries(address: str, service: str) -> grpc.aio.Channel:
    """A channel whose calls reach a server at most once."""
    return _channel(address, {**_ROUND_ROBIN, **_health_check_config(service)})


def with_retries(address: str, service: str) -> grpc.aio.Channel:
    """A channel that retries calls that fail with UNAVAILABLE. All kinds of channels share their connections."""
    return _channel(address, {**_ROUND_ROBIN, **_health_check_config(service), **_RETRIES})


def with_match_affinity(address: str, service: str) -> grpc.aio.Channel:
    """A channel without retries that sends all calls of a match to the same server while that one serves.

    When a server is added or removed, only its share of the matches moves (consistent hashing).
    """
    return _channel(address, {**_RING_HASH, **_health_check_config(service)})


def _health_check_config(service: str) -> dict[str, dict[str, str]]:
    """Client-side health checks: a draining server gets no more calls, though its connection is still open."""
    return {"healthCheckConfig": {"serviceName": service}}


def _channel(address: str, config: object) -> grpc.aio.Channel:
    return grpc.aio.insecure_channel(address, options=(*_CHANNEL_OPTIONS, ("grpc.service_config", json.dumps(config))))
