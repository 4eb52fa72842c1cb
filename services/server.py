"""A gRPC server as all roles run it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import grpc

PENDING_CALLS: Final = 100_000
"""How many calls may wait to be taken up. gRPC by itself cancels some of a crowd of a thousand that comes at once."""


Options: TypeAlias = Sequence[tuple[str, int]]


def lifetime(seconds: float, grace_seconds: float) -> Options:
    """What lets connections end after so many seconds, so that clients look where else to go; 0 for no end.

    Calls and streams that have begun on a connection have the grace until they are cut off.
    """
    if not seconds:
        return ()
    return (
        ("grpc.max_connection_age_ms", round(1000 * seconds)),
        ("grpc.max_connection_age_grace_ms", round(1000 * grace_seconds)),
    )


def new_server(
    message_limit: int, first: Sequence[grpc.GenericRpcHandler] = (), options: Options = ()
) -> grpc.aio.Server:
    """A server that takes requests of so many bytes; `first` are asked for every call before all other handlers."""
    server = grpc.aio.server(
        options=[
            ("grpc.max_receive_message_length", message_limit),
            ("grpc.max_send_message_length", -1),
            ("grpc.server.max_pending_requests", PENDING_CALLS),
            ("grpc.server.max_pending_requests_hard_limit", PENDING_CALLS),
            ("grpc.so_reuseport", 0),  # two servers on one port would share its calls in silence
            ("grpc.keepalive_permit_without_calls", 1),
            ("grpc.keepalive_time_ms", 30_000),  # a watcher whose host is gone says nothing, for ever
            ("grpc.keepalive_timeout_ms", 10_000),
            ("grpc.http2.min_ping_interval_without_data_ms", 5000),
            ("grpc.http2.max_ping_strikes", 0),
            *options,
        ],
    )
    server.add_generic_rpc_handlers(first)
    return server


def listen(server: grpc.aio.Server, where: str) -> int:
    """Let a server listen at an address; its port. Raises `OSError`."""
    try:
        return server.add_insecure_port(where)
    except RuntimeError as error:
        raise OSError(f"gRPC cannot listen at {where}") from error
