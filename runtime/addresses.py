"""Server addresses: their format as text, and binding sockets to them."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from typing import Final

SHARED_PORT: Final = (socket.SO_REUSEADDR, socket.SO_REUSEPORT)
"""Options of sockets of several processes that listen at one port: Linux distributes the connections among them."""


class CannotListen(OSError):
    """A server cannot listen: the port is taken or not permitted, or the host is not of this machine."""


def address(host: str, port: int) -> str:
    """`host:port` as in URLs, with an IPv6 address in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def loopback_if_any(host: str) -> str:
    """A host to connect to from the same machine: loopback for a server that listens at all addresses."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)


def bind_socket(
    what: str, host: str, port: int, setting: str, options: Sequence[int] = (socket.SO_REUSEADDR,)
) -> socket.socket:
    """A TCP socket that is bound and does not listen yet; port 0 is any free one.

    Raises `CannotListen`: one line that says what cannot listen, where, why, and which setting chooses the port.
    """
    try:
        family, kind, protocol, _, where = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        bound_socket = socket.socket(family, kind, protocol)
        try:
            for option in options:
                bound_socket.setsockopt(socket.SOL_SOCKET, option, 1)
            bound_socket.bind(where)
        except OSError:
            bound_socket.close()
            raise
    except (OSError, UnicodeError) as error:  # UnicodeError: a host name that cannot be looked up
        why = error.strerror if isinstance(error, OSError) and error.strerror else "there is no such host"
        text = f"{what} cannot listen at {address(host, port)}: {why} ({setting} sets the port)"
        raise CannotListen(text) from error
    return bound_socket
