"""Redis clients of a URL."""

from __future__ import annotations

from typing import cast

import pytest
from redis.asyncio import SSLConnection
from redis.asyncio.sentinel import SentinelConnectionPool

from runtime.redis_url import client, cluster_client, validated_url


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
        "redis+sentinel://one.example/fireside",
        "redis+sentinel://name:s%40cret@one.example,[::1]:26380/fireside/3?sentinel_password=other",
        "rediss+sentinel://one.example:26379/fireside/0?ssl_ca_certs=/ca.pem",
        "redis+cluster://one.example",
        "redis+cluster://name:s%40cret@one.example,[::1]:6380/0",
        "rediss+cluster://one.example:6379?ssl_ca_certs=/ca.pem",
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


def test_a_client_by_sentinel_logs_in_to_both_and_has_time_to_ask_each_sentinel() -> None:
    url = "rediss+sentinel://name:s%40cret@one.example,two.example:26380/fireside/3?sentinel_password=x%2By&ssl_ca_certs=ca"
    pool = client(url, 3.0, 4.0).connection_pool
    connection = pool.make_connection()  # type: ignore[no-untyped-call]
    assert isinstance(connection, SSLConnection)
    assert (connection.username, connection.password, connection.db) == ("name", "s@cret", 3)
    assert (connection.socket_connect_timeout, connection.socket_timeout) == (3.0, 4.0)
    assert connection.retry.get_retries() == 0
    sentinels = cast(SentinelConnectionPool, pool).sentinel_manager.sentinels
    options = [sentinel.connection_pool.connection_kwargs for sentinel in sentinels]
    assert [(each["host"], each["port"]) for each in options] == [("one.example", 26379), ("two.example", 26380)]
    for each in options:
        assert (each["password"], each["username"], each["ssl_ca_certs"]) == ("x+y", None, "ca")
        assert (each["socket_connect_timeout"], each["socket_timeout"]) == (1.0, 1.0)


def test_a_client_of_a_cluster_logs_in_to_all_its_nodes() -> None:
    cluster = cluster_client("rediss+cluster://name:s%40cret@one.example,two.example:6380?ssl_ca_certs=ca", 2.0, 3.0)
    nodes = cluster.startup_nodes
    assert [(node.host, node.port) for node in nodes] == [("one.example", 6379), ("two.example", 6380)]
    for node in nodes:
        connection = node.connection_class(**node.connection_kwargs)
        assert isinstance(connection, SSLConnection)
        assert (connection.username, connection.password) == ("name", "s@cret")
        assert (connection.socket_connect_timeout, connection.socket_timeout) == (2.0, 3.0)
        assert connection.retry.get_retries() == 0


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
        "redis+sentinel://localhost",
        "redis+sentinel:///fireside",
        "redis+sentinel://localhost,:26379/fireside",
        "redis+sentinel://localhost:none/fireside",
        "redis+sentinel://localhost/fireside/first",
        "redis+sentinel://localhost/fireside?nothing=1",
        "unix+sentinel://localhost/fireside",
        "redis+cluster://",
        "redis+cluster://localhost,:6379",
        "redis+cluster://localhost:none",
        "redis+cluster://localhost/1",
        "redis+cluster://localhost?nothing=1",
        "unix+cluster://localhost",
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
