"""Allow-list of the addresses of third-party bots: only addresses that the operator has listed may be called.

Names of bots come from clients, and the service calls these addresses from inside its network (a risk of SSRF). So an
address is parsed and compared part by part; comparing prefixes would let `https://bots.example.evil.example` pass.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

from runtime.addresses import address

MAX_ADDRESS_LENGTH: Final = 512
SCHEMES: Final = ("grpc:", "http:", "https:")
WEB_PORTS: Final = {"http": 80, "https": 443}


def is_remote(bot: str) -> bool:
    """Whether a bot's name is an address, so that the bot is called over the network."""
    return bot.startswith(SCHEMES)


class BotAddress(NamedTuple):
    """The address of a bot: `grpc:host:port`, `http://host/path` or `https://host/path`."""

    scheme: str
    host: str
    port: int
    path: str = ""
    query: str = ""

    @property
    def url(self) -> str:
        """The address as a URL, for webhooks."""
        query = f"?{self.query}" if self.query else ""
        return f"{self.scheme}://{address(self.host, self.port)}{self.path}{query}"

    def covers(self, other: BotAddress) -> bool:
        """Whether an entry of the list allows another address: the same host, port and path, or a path below."""
        folder = self.path.removesuffix("/") + "/"
        return (self.scheme, self.host, self.port) == (other.scheme, other.host, other.port) and (
            other.path == self.path or other.path.startswith(folder)
        )


def bot_address(text: str) -> BotAddress:
    """Parse an address. Raises `ValueError` that says what is wrong."""
    if len(text) > MAX_ADDRESS_LENGTH or not text.isascii() or not text.isprintable() or set(text) & set(' \\"<>^`{|}'):
        raise ValueError(f"at most {MAX_ADDRESS_LENGTH} printable ASCII characters, with none that a URL cannot have")
    scheme, _, rest = text.partition(":")
    if scheme != "grpc" and scheme not in WEB_PORTS:
        raise ValueError("it must begin with grpc:, http:// or https://")
    parts = _split(f"//{rest}" if scheme == "grpc" else text)
    return _grpc_address(parts) if scheme == "grpc" else _web_address(scheme, parts)


def _split(text: str) -> SplitResult:
    """The parts of a URL. Raises `ValueError` also for an invalid port."""
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        raise ValueError("its host and its port cannot be read") from None
    return parts


def _grpc_address(parts: SplitResult) -> BotAddress:
    host, port = _host(parts), parts.port
    if not port or parts.path or parts.query or parts.fragment:
        raise ValueError("it must be of the form grpc:host:port")
    return BotAddress("grpc", host, port)


def _web_address(scheme: str, parts: SplitResult) -> BotAddress:
    host = _host(parts)
    if parts.fragment or any(part in (".", "..") for part in _path_segments(parts.path)):
        raise ValueError("it must have no fragment and no dots for folders")
    port = WEB_PORTS[scheme] if parts.port is None else parts.port
    return BotAddress(scheme, host, port, parts.path or "/", parts.query)


def _path_segments(path: str) -> list[str]:
    """All that a server or proxy could take for path segments: some decode percent escapes first, some twice."""
    return re.split(r"[/\\;]", unquote(unquote(path)))


def _host(parts: SplitResult) -> str:
    if "@" in parts.netloc:
        raise ValueError("it must hold no user and no password: everybody sees it")
    if not parts.hostname or "%" in parts.hostname:
        raise ValueError("it must name a host")
    return parts.hostname


def allowed_addresses(text: str) -> tuple[BotAddress, ...]:
    """Parse a comma-separated list of addresses. Raises `ValueError` that names the wrong entry."""
    return tuple([_parse_entry(entry.strip()) for entry in text.split(",") if entry.strip()])


def _parse_entry(entry: str) -> BotAddress:
    try:
        return bot_address(entry)
    except ValueError as error:
        raise ValueError(f"{entry!r}: {error}") from None


def is_allowed(where: BotAddress, allowed: Sequence[BotAddress]) -> bool:
    """Whether the operator's list has an address."""
    return any(entry.covers(where) for entry in allowed)


def checked_address(bot: str, allowed: Sequence[BotAddress]) -> BotAddress:
    """Parse a bot's address, and check that it may be called. Raises `ValueError`."""
    where = bot_address(bot)
    if not is_allowed(where, allowed):
        raise ValueError("bots at this address are not allowed here")
    return where
