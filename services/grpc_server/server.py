"""Creates gRPC servers with the options that all roles share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import grpc

from runtime.addresses import CannotListen, address, bind_socket
from services.grpc_server.admission.intake import Intake

UNARY_CALLS: Final = 2000
"""Number of concurrent calls on a connection, in addition to the streams.

A gateway has all its streams and calls on a few connections; calls beyond this wait in the gateway.
"""
CONNECTION_IDLE_MS: Final = 600_000
HANDSHAKE_MS: Final = 20_000


Options: TypeAlias = Sequence[tuple[str, int]]


SHARED_PORT_OPTIONS: Final[Options] = (("grpc.so_reuseport", 1),)
"""Options of servers in several processes that listen at one port: the kernel distributes connections among them."""


def connection_age_options(seconds: float, grace_seconds: float) -> Options:
    """Options that end connections after so many seconds, so that clients resolve names again; 0 for never.

    Calls and streams still open on such a connection are cut off after the grace.
    """
    if not seconds:
        return ()
    return (
        ("grpc.max_connection_age_ms", round(1000 * seconds)),
        ("grpc.max_connection_age_grace_ms", round(1000 * grace_seconds)),
    )


def new_server(message_limit: int, intake: Intake, streams: int, options: Options = ()) -> grpc.aio.Server:
    """A server of the intake's handlers, with limits on the size of a request and on streams."""
    calls = streams + UNARY_CALLS
    defaults = {
        "grpc.max_receive_message_length": message_limit,
        "grpc.max_send_message_length": -1,
        "grpc.max_concurrent_streams": calls,
        "grpc.max_allowed_incoming_connections": calls,
        "grpc.max_connection_idle_ms": CONNECTION_IDLE_MS,
        "grpc.server_handshake_timeout_ms": HANDSHAKE_MS,
        # Calls that wait for a handler. gRPC cancels calls beyond that, also those of other clients: so it is high.
        "grpc.server.max_pending_requests": calls,
        "grpc.server.max_pending_requests_hard_limit": calls,
        # A client that does not read pins 64 KiB of memory a stream; with the BDP probe it was 2 MiB.
        "grpc.http2.bdp_probe": 0,
        "grpc.http2.lookahead_bytes": 65_536,
        "grpc.so_reuseport": 0,  # else two servers on one port would silently share its calls
        "grpc.keepalive_permit_without_calls": 1,
        "grpc.keepalive_time_ms": 30_000,  # detects watchers whose host is gone
        "grpc.keepalive_timeout_ms": 10_000,
        "grpc.http2.min_ping_interval_without_data_ms": 5000,
        "grpc.http2.max_ping_strikes": 0,
    }
    # Of an option that is given twice, gRPC takes the first value.
    server = grpc.aio.server(options=[*{**defaults, **dict(options)}.items()])
    server.add_generic_rpc_handlers([intake])
    return server


def listen(server: grpc.aio.Server, host: str, port: int, setting: str = "--port") -> int:
    """Bind the server to a port; the port. Raises `CannotListen`, which names the setting.

    A plain socket tries first: gRPC itself writes a page to standard error that does not say why it failed.
    """
    bind_socket("gRPC", host, port, setting).close()
    return listen_shared(server, host, port, setting)


def listen_shared(server: grpc.aio.Server, host: str, port: int, setting: str) -> int:
    """Bind a server with the options `SHARED_PORT_OPTIONS` to a port of other servers, too. Raises `CannotListen`."""
    try:
        return server.add_insecure_port(address(host, port))
    except RuntimeError as error:
        raise CannotListen(f"gRPC cannot listen at {address(host, port)} ({setting} sets the port)") from error
