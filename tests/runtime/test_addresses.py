"""Addresses of servers: IPv6 in brackets, and where a server that listens everywhere is reached."""

from __future__ import annotations

import pytest

from runtime.addresses import address, loopback_if_any


@pytest.mark.parametrize(("host", "text"), [("127.0.0.1", "127.0.0.1:80"), ("name", "name:80"), ("::1", "[::1]:80")])
def test_an_address_of_ipv6_stands_in_brackets(host: str, text: str) -> None:
    assert address(host, 80) == text


@pytest.mark.parametrize(("host", "near"), [("0.0.0.0", "127.0.0.1"), ("::", "::1"), ("10.0.0.7", "10.0.0.7")])
def test_what_listens_everywhere_is_reached_nearby(host: str, near: str) -> None:
    assert loopback_if_any(host) == near
