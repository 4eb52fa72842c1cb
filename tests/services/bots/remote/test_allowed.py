"""Allow-list of remote bots: parsing of addresses, and which ones an entry covers."""

from __future__ import annotations

import pytest

from services.bots.remote.allowed import allowed_addresses, bot_address, checked_address

ALLOW_LIST = allowed_addresses(
    "grpc:bots.example:50051, https://bots.example/play, http://127.0.0.1:8000, grpc:[::1]:9000, https://slash.example/a/"
)


@pytest.mark.parametrize(
    "bot",
    [
        "grpc:bots.example:50051",
        "grpc:BOTS.example:50051",
        "grpc:[::1]:9000",
        "https://bots.example/play",
        "https://bots.example:443/play",
        "https://bots.example/play/fast?level=3",
        "http://127.0.0.1:8000",
        "http://127.0.0.1:8000/any/path",
        "https://slash.example/a/b",
    ],
)
def test_listed_addresses_may_be_called(bot: str) -> None:
    assert checked_address(bot, ALLOW_LIST) == bot_address(bot)


@pytest.mark.parametrize(
    "bot",
    [
        "grpc:bots.example:50052",
        "grpc:bots.example.evil.example:50051",
        "grpc:unix:80",
        "http://bots.example/play",
        "https://bots.example/",
        "https://bots.example/player",
        "https://bots.example:444/play",
        "https://bots.example.evil.example/play",
        "https://evil.example/https://bots.example/play",
        "http://127.0.0.1:80",
        "http://localhost:8000/",
        "https://slash.example/ab",
    ],
)
def test_similar_addresses_may_not_be_called(bot: str) -> None:
    with pytest.raises(ValueError, match="not allowed here"):
        checked_address(bot, ALLOW_LIST)


@pytest.mark.parametrize(
    "bot",
    [
        "grpc:bots.example",
        "grpc:",
        "grpc:bots.example:0",
        "grpc:bots.example:99999",
        "grpc:bots.example:50051/x",
        "grpc:unix:/etc/passwd",
        "grpc:///bots.example:50051",
        "grpc:a@bots.example:50051",
        "https:",
        "https://",
        "https:///play",
        "https:bots.example/play",
        "https://bots.example@evil.example/play",
        "https://evil.example\\@bots.example/play",
        "https://bots.example/play/../admin",
        "https://bots.example/play/%2e%2E/admin",
        "https://bots.example/play/..%2fadmin",
        "https://bots.example/play/..%5Cadmin",
        "https://bots.example/play/..;/admin",
        "https://bots.example/play/%252e%252e/admin",
        "https://bots.example/play/./x",
        "https://bots.example/play#x",
        "https://bots.example/play x",
        "https://bots.example/play\r\nX: y",
        "https://bots.example/pläy",
        "https://bots.example/" + "x" * 500,
        "https://[fe80::1%25eth0]/",
        "ftp://bots.example/play",
        "file:///etc/passwd",
    ],
)
def test_a_malformed_address_is_refused(bot: str) -> None:
    with pytest.raises(ValueError, match=r"it must|at most|[Pp]ort|not allowed"):
        checked_address(bot, ALLOW_LIST)


def test_nothing_is_allowed_by_default() -> None:
    assert allowed_addresses("") == ()
    with pytest.raises(ValueError, match="not allowed here"):
        checked_address("http://127.0.0.1:8000", ())


def test_a_malformed_list_names_the_entry() -> None:
    with pytest.raises(ValueError, match=r"'bots\.example'"):
        allowed_addresses("grpc:bots.example:1,bots.example")


def test_urls_name_their_port() -> None:
    assert bot_address("https://bots.example/play?x=1").url == "https://bots.example:443/play?x=1"
