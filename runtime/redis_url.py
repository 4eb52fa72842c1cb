"""Where Redis is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import SplitResult, unquote, urlsplit

if TYPE_CHECKING:
    from ssl import SSLContext

    from redis.asyncio.connection import AbstractConnection

SCHEMES: Final = ("redis://", "rediss://", "unix://")
PORT: Final = 6379
HOST: Final = "localhost"


@dataclass(frozen=True)
class Address:
    """A Redis, and who asks it; over TCP, with TLS or without, or over the socket at a path."""

    host: str = HOST
    port: int = PORT
    path: str = ""
    username: str = ""
    password: str = field(default="", repr=False)
    database: int = 0
    tls: Callable[[], SSLContext] | None = field(default=None, repr=False)
    """Reads the certificates."""


def checked(url: str) -> str:
    """The value of `REDIS_URL`, which may be empty. Raises `ValueError`, which repeats nothing of it."""
    if url:
        parsed(url)
    return url


def parsed(url: str) -> Address:
    """The address that a URL names. Raises `ValueError`, which repeats nothing of it."""
    if not url.startswith(SCHEMES):
        raise ValueError("REDIS_URL: it must begin with redis://, rediss:// or unix://")
    try:
        parts = urlsplit(url)
        return _by_library(url) if parts.query or parts.scheme == "rediss" else _plain(parts)
    except (ValueError, TypeError):
        raise ValueError("REDIS_URL: it cannot be read") from None  # and is not repeated: it may hold a password


def _plain(parts: SplitResult) -> Address:
    username, password = unquote(parts.username or ""), unquote(parts.password or "")
    if parts.scheme == "unix":
        if not parts.path:
            raise ValueError("a socket has a path")
        return Address(path=unquote(parts.path), username=username, password=password)
    database = parts.path.strip("/")
    if database and not (database.isascii() and database.isdigit()):
        raise ValueError("the database is a number")
    host = unquote(parts.hostname or HOST)
    return Address(host, parts.port or PORT, "", username, password, int(database or 0))


def _by_library(url: str) -> Address:
    """What redis-py makes of a URL with options: it costs more to import than most of an engine."""
    from redis.asyncio import BlockingConnectionPool
    from redis.exceptions import RedisError

    try:
        connection: AbstractConnection = BlockingConnectionPool.from_url(url).make_connection()  # type: ignore[no-untyped-call]
    except RedisError as error:
        raise ValueError from error
    tls = getattr(connection, "ssl_context", None)
    return Address(
        getattr(connection, "host", ""),
        int(getattr(connection, "port", 0)),
        getattr(connection, "path", ""),
        connection.username or "",
        connection.password or "",
        int(connection.db),
        tls.get if tls is not None else None,
    )
