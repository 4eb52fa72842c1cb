"""Addresses of servers."""

from __future__ import annotations

import pytest

from services.addresses import authority, nearby


@pytest.mark.parametrize(("host", "written"), [("127.0.0.1", "127.0.0.1:80"), ("::1", "[::1]:80"), ("::", "[::]:80")])
def test_an_ipv6_address_is_written_in_brackets(host: str, written: str) -> None:
    assert authority(host, 80) == written


@pytest.mark.parametrize(("host", "reached"), [("0.0.0.0", "127.0.0.1:80"), ("::", "[::1]:80"), ("h", "h:80")])
def test_what_listens_everywhere_is_reached_on_this_machine(host: str, reached: str) -> None:
    assert nearby(host, 80) == reached
