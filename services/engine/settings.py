"""Settings of an engine, read from environment variables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from engine_core.bots import SERVED_LIMITS, Limits
from runtime import api_keys, redis_url
from runtime.api_keys import ApiKeys
from runtime.environment import drain_seconds, log_level, positive_number
from runtime.service_settings import (
    DAY,
    GRACE_SECONDS,
    INFLIGHT_BYTES,
    MAX_INT,
    MEBIBYTE,
    MIN_KEY_BYTES,
    connection_seconds,
    grace_seconds,
    inflight_bytes,
    message_limit,
    parse_keys,
    replicas,
    signing_keys,
)
from services.bots.environment import bot_allow, bot_limits, imported_bots, webhook_allow
from services.bots.remote.allowed import BotAddress

YEARS: Final = 100 * 365 * DAY
"""The longest time to live: Redis refuses one that overflows its clock."""


@dataclass(frozen=True)
class EngineSettings:
    """Settings of an engine; `from_environment` reads them and names the variable that is wrong.

    | variable               | what                                                                              |
    |------------------------|-----------------------------------------------------------------------------------|
    | `REDIS_URL`            | where matches are stored; when empty in this process, and lost when it stops      |
    | `FIRESIDE_TOKEN_KEYS`  | keys of seat tokens, `id:key,id:key`; the first signs; a shared one when empty    |
    | `FIRESIDE_TOKEN_SECONDS` | how long a seat token is good, from the start of its match                      |
    | `FIRESIDE_SIGNING_KEYS` | keys of records, `id:secret,id:secret`; the first signs; a shared one when empty |
    | `FIRESIDE_API_KEYS`    | who may begin matches that are stored, `name:sha256,name:sha256`; all when empty  |
    | `FIRESIDE_MATCH_SECONDS` | how long a match in play is stored after its last move                          |
    | `FIRESIDE_FINISHED_SECONDS` | how long a match that is over is stored                                      |
    | `FIRESIDE_ARCHIVE`  | where finished matches are that Redis has forgotten; nowhere when empty              |
    | `FIRESIDE_REPLICAS`         | replicas of Redis that must have a change of a match before it is confirmed  |
    | `FIRESIDE_CONNECTION_SECONDS` | after how long a connection is ended; never when empty                     |
    | `FIRESIDE_DRAIN_SECONDS` | how long the engine serves on, without being ready, after a signal to stop      |
    | `FIRESIDE_GRACE_SECONDS` | how long calls in flight may take when the engine stops                         |
    | `FIRESIDE_MESSAGE_LIMIT` | greatest size of a request in bytes                                             |
    | `FIRESIDE_INFLIGHT_BYTES` | how many bytes of requests may be in flight                                     |
    | `FIRESIDE_STREAM_LIMIT` | how many streams the engine takes at a time                                      |
    | `FIRESIDE_BOT_ALLOW`   | third-party bots that may be given seats, addresses with commas between           |
    | `FIRESIDE_IMPORTED_BOTS` | Python classes that may be given seats, with semicolons between                 |
    | `FIRESIDE_WEBHOOK_ALLOW` | addresses that webhooks of platforms may have, with commas between             |
    | `FIRESIDE_BOT_LIMITS`  | how much options of our bots may cost, as in `iterations=2000,milliseconds=1000`   |
    | `FIRESIDE_LOG_LEVEL`   | `DEBUG`, `INFO`, `WARNING` or `ERROR`                                             |

    A key is at least 32 characters drawn at random, without commas, for example from `openssl rand -hex 32`; the secret
    of a key of records is 64 hexadecimal digits, from the same.
    """

    host: str = "127.0.0.1"
    port: int = 50051
    """TCP port of the engine; 0 for any free port."""
    games: tuple[str, ...] = ()
    """Names of the games to serve; all when empty."""
    redis_url: str = field(default="", repr=False)
    token_keys: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    token_seconds: int = 365 * DAY
    signing_keys: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    api_keys: ApiKeys = field(default_factory=ApiKeys, repr=False)
    match_seconds: int = 7 * DAY
    finished_seconds: int = 7 * DAY
    archive: str = field(default="", repr=False)
    replicas: int = 0
    connection_seconds: float = 0.0
    drain_seconds: float = 0.0
    grace_seconds: float = GRACE_SECONDS
    message_limit: int = MEBIBYTE
    inflight_bytes: int = INFLIGHT_BYTES
    stream_limit: int = 10_000
    bot_allow: tuple[BotAddress, ...] = ()
    bot_limits: Limits = SERVED_LIMITS
    imported_bots: tuple[str, ...] = ()
    webhook_allow: tuple[BotAddress, ...] = ()
    log_level: str = "INFO"

    @staticmethod
    def from_environment(
        environment: Mapping[str, str], host: str = "127.0.0.1", port: int = 50051, games: tuple[str, ...] = ()
    ) -> EngineSettings:
        """Read the settings. Raises `ValueError` that begins with the name of the variable."""
        return EngineSettings(
            host=host,
            port=port,
            games=games,
            redis_url=redis_url.validated_url(environment.get("REDIS_URL", "")),
            token_keys=_token_keys(environment),
            token_seconds=positive_number(
                environment, "FIRESIDE_TOKEN_SECONDS", int, EngineSettings.token_seconds, YEARS
            ),
            signing_keys=signing_keys(environment),
            api_keys=api_keys.parse(environment.get("FIRESIDE_API_KEYS", "")),
            match_seconds=positive_number(
                environment, "FIRESIDE_MATCH_SECONDS", int, EngineSettings.match_seconds, YEARS
            ),
            finished_seconds=positive_number(
                environment, "FIRESIDE_FINISHED_SECONDS", int, EngineSettings.finished_seconds, YEARS
            ),
            archive=environment.get("FIRESIDE_ARCHIVE", ""),
            replicas=replicas(environment),
            connection_seconds=connection_seconds(environment),
            drain_seconds=drain_seconds(environment, DAY),
            grace_seconds=grace_seconds(environment),
            message_limit=message_limit(environment),
            inflight_bytes=inflight_bytes(environment),
            stream_limit=positive_number(
                environment, "FIRESIDE_STREAM_LIMIT", int, EngineSettings.stream_limit, MAX_INT
            ),
            bot_allow=bot_allow(environment),
            bot_limits=bot_limits(environment),
            imported_bots=imported_bots(environment),
            webhook_allow=webhook_allow(environment),
            log_level=log_level(environment, EngineSettings.log_level),
        )


def _token_keys(environment: Mapping[str, str]) -> dict[str, bytes]:
    """Errors never repeat a key."""
    found = parse_keys(environment, "FIRESIDE_TOKEN_KEYS")
    return {key_id: _key(key, number) for number, (key_id, key) in enumerate(found.items(), 1)}


def _key(text: str, number: int) -> bytes:
    key = text.encode()
    if len(key) < MIN_KEY_BYTES:
        raise ValueError(f"FIRESIDE_TOKEN_KEYS: the key of entry {number} is shorter than {MIN_KEY_BYTES} characters")
    return key
