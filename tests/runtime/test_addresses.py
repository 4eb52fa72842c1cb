"""Addresses of servers: IPv6 in brackets, and where a server that listens everywhere is reached."""

from __future__ import annotations

import pytest

from runtime.addresses import address, loopback_if_any


@pytest.mark.parametrize(("host", "text"), [("127.0.0.1", "127.0.0.1:80"), ("name", "name:80"), ("::1", "[::1]:80")])
def test_an_ipv6_address_is_put_in_brackets(host: str, text: str) -> None:
    assert address(host, 80) == text


@pytest.mark.parametrize(("host", "near"), [("0.0.0.0", "127.0.0.1"), ("::", "::1"), ("10.0.0.7", "10.0.0.7")])
def test_a_server_on_all_interfaces_is_reached_on_localhost(host: str, near: str) -> None:
    assert loopback_if_any(host) == near
