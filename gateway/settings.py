"""Settings of the gateway, from environment variables."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import limits
from limits import RateLimitItem

from runtime import api_keys, redis_url
from runtime.api_keys import ApiKeys
from runtime.environment import drain_seconds, log_level, positive_number

MEBIBYTE: Final = 1 << 20
MAX_NUMBER: Final = (1 << 31) - 1
"""The greatest value of any number."""
MAX_HOPS: Final = 16
MAX_RATE: Final = 100_000
"""The greatest amount of a rate: a moving window stores the time of every call in it."""

MAX_PORT: Final = 65_535
_ADDRESS: Final = re.compile(
    r"(dns:(//[^/\s]*/)?)?(\[[0-9a-fA-F:.]+\]|[\w.-]+):(?P<port>[0-9]{1,5})|(unix|ipv4|ipv6):\S+", re.ASCII
)
_ORIGIN: Final = re.compile(r"\*|[a-z][a-z0-9+.-]*://[^/\s]+")
_RATE: Final = re.compile(r"([0-9]{1,6})/(?:[1-9][0-9]{0,3} )?(?:second|minute|hour|day)s?")


@dataclass(frozen=True)
class GatewaySettings:
    """Settings of a gateway. `from_environment` reads them; its errors name the invalid variable.

    | variable                    | what                                                                         |
    |-----------------------------|------------------------------------------------------------------------------|
    | `FIRESIDE_ENGINE_ADDRESS`   | engine of all games without one in the next variable: `host:port`, or        |
    |                             | `dns:///host:port` for all addresses that the name leads to                  |
    | `FIRESIDE_ENGINE_ADDRESSES` | engines by game: `fire_bulls=host:port,spring_festival=host:port`            |
    | `FIRESIDE_TOURNAMENTS_ADDRESS` | the tournaments service; none when empty                                 |
    | `FIRESIDE_ENGINE_SECONDS`   | how long a call to an engine may take                                        |
    | `FIRESIDE_CORS_ORIGINS`     | CORS origins, separated by commas; `*` for all; none when empty              |
    | `FIRESIDE_BODY_LIMIT`       | greatest size of a request body in bytes                                     |
    | `FIRESIDE_BODY_SECONDS`     | how long a request body may take to arrive                                   |
    | `FIRESIDE_INFLIGHT_BYTES`   | how many bytes of request bodies may be in flight                            |
    | `FIRESIDE_SOCKET_LIMIT`     | number of open WebSockets                                                    |
    | `FIRESIDE_RATE_LIMIT`       | calls of each caller, as in `600/minute`; no limit when empty                |
    | `FIRESIDE_MATCH_RATE_LIMIT` | stored matches that each caller may begin, as in `20/minute`                 |
    | `FIRESIDE_API_KEYS`         | callers that are counted by their key, `name:sha256,name:sha256`             |
    | `FIRESIDE_TRUSTED_HOPS`     | number of proxies whose entries in `X-Forwarded-For` are trusted             |
    | `REDIS_URL`                 | where calls are counted; in this process when empty                          |
    | `FIRESIDE_DRAIN_SECONDS`    | how long a stopping gateway still serves, without being ready                |
    | `FIRESIDE_GRACE_SECONDS`    | how long requests in flight may take when the gateway stops                  |
    | `FIRESIDE_LOG_LEVEL`        | `DEBUG`, `INFO`, `WARNING` or `ERROR`                                        |
    """

    engine_address: str = "127.0.0.1:50051"
    """Engine of the games without one in `engine_addresses`; empty for none."""

    engine_addresses: Mapping[str, str] = field(default_factory=dict)
    """Engines by name of the game."""

    tournaments_address: str = ""
    engine_seconds: float = 10.0
    cors_origins: tuple[str, ...] = ()
    body_limit: int = MEBIBYTE
    body_seconds: float = 20.0
    inflight_bytes: int = 64 * MEBIBYTE
    socket_limit: int = 10_000
    rate_limit: RateLimitItem | None = None
    match_rate_limit: RateLimitItem | None = None
    api_keys: ApiKeys = field(default_factory=ApiKeys, repr=False)
    trusted_hops: int = 0
    redis_url: str = field(default="", repr=False)
    drain_seconds: float = 0.0
    grace_seconds: float = 10.0
    log_level: str = "INFO"

    def address(self, game: str) -> str:
        """The address of the game's engine; empty if it has none."""
        return self.engine_addresses.get(game, self.engine_address)

    @staticmethod
    def from_environment(environment: Mapping[str, str]) -> GatewaySettings:
        """Read the settings. Raises `ValueError` whose text begins with the name of the variable."""
        return GatewaySettings(
            engine_address=_address(environment, "FIRESIDE_ENGINE_ADDRESS", GatewaySettings.engine_address),
            engine_addresses=_addresses(environment.get("FIRESIDE_ENGINE_ADDRESSES", "")),
            tournaments_address=_address(environment, "FIRESIDE_TOURNAMENTS_ADDRESS", ""),
            engine_seconds=positive_number(
                environment, "FIRESIDE_ENGINE_SECONDS", float, GatewaySettings.engine_seconds, MAX_NUMBER
            ),
            cors_origins=_origins(environment.get("FIRESIDE_CORS_ORIGINS", "")),
            body_limit=positive_number(environment, "FIRESIDE_BODY_LIMIT", int, GatewaySettings.body_limit, MAX_NUMBER),
            body_seconds=positive_number(
                environment, "FIRESIDE_BODY_SECONDS", float, GatewaySettings.body_seconds, MAX_NUMBER
            ),
            inflight_bytes=positive_number(
                environment, "FIRESIDE_INFLIGHT_BYTES", int, GatewaySettings.inflight_bytes, MAX_NUMBER
            ),
            socket_limit=positive_number(
                environment, "FIRESIDE_SOCKET_LIMIT", int, GatewaySettings.socket_limit, MAX_NUMBER
            ),
            rate_limit=_rate_limit(environment, "FIRESIDE_RATE_LIMIT"),
            match_rate_limit=_rate_limit(environment, "FIRESIDE_MATCH_RATE_LIMIT"),
            api_keys=api_keys.parse(environment.get("FIRESIDE_API_KEYS", "")),
            trusted_hops=_trusted_hops(environment.get("FIRESIDE_TRUSTED_HOPS", "")),
            redis_url=redis_url.validated_url(environment.get("REDIS_URL", "")),
            drain_seconds=drain_seconds(environment, MAX_NUMBER),
            grace_seconds=positive_number(
                environment, "FIRESIDE_GRACE_SECONDS", float, GatewaySettings.grace_seconds, MAX_NUMBER
            ),
            log_level=log_level(environment, GatewaySettings.log_level),
        )


def _split_list(text: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.split(",") if item.strip())


def _address(environment: Mapping[str, str], variable: str, default: str) -> str:
    """An address; empty for none. Raises `ValueError`."""
    text = environment.get(variable, default)
    if text and not _is_address(text):
        raise ValueError(f"{variable}: {text!r} is not of the form host:port or dns:///host:port")
    return text


def _is_address(text: str) -> bool:
    """Whether the text has the form of a gRPC target."""
    address = _ADDRESS.fullmatch(text)
    return address is not None and (address["port"] is None or 0 < int(address["port"]) <= MAX_PORT)


def _origins(text: str) -> tuple[str, ...]:
    for origin in _split_list(text):
        if not _ORIGIN.fullmatch(origin):
            raise ValueError(f"FIRESIDE_CORS_ORIGINS: {origin!r} is neither * nor of the form https://host")
    return _split_list(text)


def _addresses(text: str) -> dict[str, str]:
    addresses = {}
    for item in _split_list(text):
        game, _, address = item.partition("=")
        if not (game and _is_address(address)):
            raise ValueError(
                f"FIRESIDE_ENGINE_ADDRESSES: {item!r} is not of the form game=host:port or game=dns:///host:port"
            )
        addresses[game.replace("-", "_")] = address
    return addresses


def _rate_limit(environment: Mapping[str, str], variable: str) -> RateLimitItem | None:
    text = environment.get(variable, "").strip()
    if not text:
        return None
    rate = _RATE.fullmatch(text)
    if rate is None:
        raise ValueError(f"{variable}: {text!r} is not of the form 600/minute or 100/10 seconds")
    if not 0 < int(rate[1]) <= MAX_RATE:
        raise ValueError(f"{variable}: {text!r} is not between 1 and {MAX_RATE}")
    return limits.parse(text)


def _trusted_hops(text: str) -> int:
    if not text:
        return 0
    if not (text.isascii() and text.isdigit()) or int(text[:9]) > MAX_HOPS:
        raise ValueError(f"FIRESIDE_TRUSTED_HOPS: {text!r} is not a number from 0 to {MAX_HOPS}")
    return int(text)
