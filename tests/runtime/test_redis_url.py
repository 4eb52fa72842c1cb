"""Addresses of Redis."""

from __future__ import annotations

import pytest
from redis.asyncio import BlockingConnectionPool

from runtime.redis_url import checked, parsed


@pytest.mark.parametrize(
    "url",
    [
        "redis://localhost",
        "redis://localhost:6380/3",
        "redis://:secret@redis.example:6379/0",
        "redis://name:s%40cret@127.0.0.1:1/15",
        "redis://[::1]:6380/",
        "redis://",
        "unix:///run/redis.sock",
        "unix://:secret@/run/a%20b.sock",
        "redis://localhost:6380?db=4",
        "unix:///run/redis.sock?db=2",
        "rediss://:secret@redis.example:6390/1?ssl_cert_reqs=none",
    ],
)
def test_an_address_is_what_redis_py_takes_it_for(url: str) -> None:
    theirs = BlockingConnectionPool.from_url(url).make_connection()  # type: ignore[no-untyped-call]
    ours = parsed(url)
    assert (ours.username or None, ours.password or None) == (theirs.username, theirs.password)
    assert ours.database == int(theirs.db)
    if ours.path:
        assert ours.path == theirs.path
    else:
        assert (ours.host, ours.port) == (theirs.host, int(theirs.port))
    assert (ours.tls is not None) == url.startswith("rediss")


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
def test_what_is_no_address_is_refused_without_being_repeated(url: str) -> None:
    with pytest.raises(ValueError, match=r"^REDIS_URL: it ") as refused:
        checked(url.replace("://", "://:pass-word@", 1))
    assert "pass-word" not in str(refused.value)


def test_none_is_none() -> None:
    assert checked("") == ""


def test_a_password_is_not_shown() -> None:
    assert "secret" not in repr(parsed("redis://:secret@localhost"))
