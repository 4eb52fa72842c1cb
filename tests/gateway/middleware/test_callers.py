"""Identity of callers: API keys, forwarded addresses, IPv6 networks."""

from __future__ import annotations

import pytest
from starlette.types import Scope

from gateway.middleware.callers import CallerResolver
from runtime import api_keys
from runtime.api_keys import ApiKeys

KEY = api_keys.new_key()
KEYS = api_keys.parse(api_keys.key_entry("ours", KEY))


def http_scope(client: str | None = "192.0.2.1", *forwarded: str, key: str = "") -> Scope:
    headers = [(b"x-forwarded-for", each.encode()) for each in forwarded]
    headers += [(b"x-api-key", key.encode())] if key else []
    return {"type": "http", "client": (client, 1) if client else None, "headers": headers}


def resolve_caller(hops: int, *forwarded: str, client: str | None = "192.0.2.1") -> str:
    return CallerResolver(ApiKeys(), hops).caller(http_scope(client, *forwarded))


def test_a_known_api_key_identifies_the_caller_at_every_address() -> None:
    callers = CallerResolver(KEYS, 1)
    assert (
        callers.caller(http_scope(key=KEY))
        == callers.caller(http_scope("192.0.2.2", "192.0.2.3", key=KEY))
        == "key:ours"
    )


@pytest.mark.parametrize("key", ["another", "", "x" * 100_000], ids=["another", "none", "long"])
def test_an_unknown_api_key_does_not_change_the_caller(key: str) -> None:
    assert CallerResolver(KEYS, 0).caller(http_scope(key=key)) == "address:192.0.2.1"


def test_without_trusted_hops_forwarded_addresses_are_ignored() -> None:
    assert resolve_caller(0, "198.51.100.1") == "address:192.0.2.1"


@pytest.mark.parametrize(
    ("hops", "forwarded", "address"),
    [
        (1, ["198.51.100.1"], "198.51.100.1"),
        (1, ["6.6.6.6, 7.7.7.7,198.51.100.1"], "198.51.100.1"),
        (1, ["6.6.6.6", "198.51.100.1"], "198.51.100.1"),
        (2, ["6.6.6.6, 198.51.100.1, 10.0.0.1"], "198.51.100.1"),
        (2, ["6.6.6.6, 198.51.100.1", "10.0.0.1"], "198.51.100.1"),
        (1, ["198.51.100.1:4711"], "198.51.100.1"),
        (1, ["[2001:db8::1]:4711"], "2001:db8::/64"),
        (1, ["[2001:db8::1]"], "2001:db8::/64"),
    ],
)
def test_the_nth_entry_from_the_right_is_the_client(hops: int, forwarded: list[str], address: str) -> None:
    assert resolve_caller(hops, *forwarded) == f"address:{address}"


@pytest.mark.parametrize(
    ("hops", "forwarded"),
    [
        (1, []),
        (1, [""]),
        (2, ["198.51.100.1"]),
        (3, ["198.51.100.1, 10.0.0.1"]),
        (1, ["198.51.100.1,"]),
        (1, ["unknown"]),
        (1, ["198.51.100.1.5"]),
        (1, ["198.51.100.256"]),
        (1, ["198.51.100.1 198.51.100.2"]),
        (1, ["::1::"]),
        (1, ["1.2.3.4:x"]),
        (1, ["x" * 9000]),
    ],
)
def test_malformed_or_short_forwarded_addresses_fall_back_to_the_socket_address(
    hops: int, forwarded: list[str]
) -> None:
    assert resolve_caller(hops, *forwarded) == "address:192.0.2.1"


@pytest.mark.parametrize("address", ["2001:db8:0:1::1", "2001:db8:0:1:ffff::2", "2001:0db8:0:1:0:0:0:3%eth0"])
def test_addresses_of_one_ipv6_64_network_are_one_caller(address: str) -> None:
    assert resolve_caller(0, client=address) == "address:2001:db8:0:1::/64"
    assert resolve_caller(0, client="2001:db8:0:2::1") != resolve_caller(0, client=address)


def test_an_ipv4_address_mapped_to_ipv6_is_the_same_caller() -> None:
    assert resolve_caller(0, client="::ffff:192.0.2.7") == resolve_caller(0, client="192.0.2.7") == "address:192.0.2.7"


def test_a_client_without_an_address_is_counted() -> None:
    assert resolve_caller(0, client=None) == resolve_caller(0, client="testclient") == "address:nowhere"
