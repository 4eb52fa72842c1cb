"""Redis clients of a URL."""

from __future__ import annotations

import pytest
from redis.asyncio import SSLConnection

from runtime.redis_url import client, validated_url


@pytest.mark.parametrize(
    "url",
    [
        "redis://localhost",
        "redis://:secret@redis.example:6379/0",
        "redis://name:s%40cret@127.0.0.1:1/15",
        "redis://[::1]:6380/",
        "redis://",
        "unix://:secret@/run/a%20b.sock",
        "unix:///run/redis.sock?db=2",
        "rediss://:secret@redis.example:6390/1?ssl_cert_reqs=none",
    ],
)
def test_valid_redis_urls_are_accepted(url: str) -> None:
    assert validated_url(url) == url


def test_a_client_connects_as_its_url_says() -> None:
    redis = client("rediss://name:s%40cret@redis.example:6390/3?ssl_cert_reqs=none", 2.0, 3.0)
    connection = redis.connection_pool.make_connection()  # type: ignore[no-untyped-call]
    assert (connection.host, connection.port, connection.db) == ("redis.example", 6390, 3)
    assert (connection.username, connection.password) == ("name", "s@cret")
    assert isinstance(connection, SSLConnection)
    assert (connection.socket_connect_timeout, connection.socket_timeout) == (2.0, 3.0)


def test_no_client_sends_a_command_twice() -> None:
    connection = client("redis://localhost", 2.0, 3.0).connection_pool.make_connection()  # type: ignore[no-untyped-call]
    assert connection.retry.get_retries() == 0


@pytest.mark.parametrize(
    "url",
    [
        "localhost:6379",
        "http://localhost",
        "redis://localhost:none/0",
        "redis://localhost:70000/0",
        "redis://localhost/first",
        "redis://localhost/-1",
        "redis://localhost/1/2",
        "unix://",
        "redis://localhost?nothing=1",
        "rediss://localhost?ssl_cert_reqs=perhaps",
    ],
)
def test_an_invalid_redis_url_is_refused_and_not_quoted(url: str) -> None:
    with pytest.raises(ValueError, match=r"^REDIS_URL: it ") as refused:
        validated_url(url.replace("://", "://:pass-word@", 1))
    assert "pass-word" not in str(refused.value)


def test_no_redis_url_is_none() -> None:
    assert validated_url("") == ""


def test_the_password_of_a_redis_url_is_not_shown() -> None:
    redis = client("redis://:secret@localhost", 2.0, 3.0)
    assert "secret" not in repr(redis) + repr(redis.connection_pool)
