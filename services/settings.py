"""What an engine, and a worker of the bots service, are told by their environment."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from access import api_keys, redis_url
from access.api_keys import ApiKeys
from access.variables import drain_seconds, log_level, positive
from services.bots.allowed import BotAddress, allowed_addresses

DAY: Final = 24 * 60 * 60
YEARS: Final = 100 * 365 * DAY
"""Redis refuses a time to live that overflows its clock."""
MEBIBYTE: Final = 1 << 20
INT_MOST: Final = (1 << 31) - 1
"""What gRPC takes as a size."""
CONNECTION_MOST: Final = INT_MOST // 1000
"""gRPC counts the age of a connection in milliseconds."""
LEAST_KEY_BYTES: Final = 32
BOT_PROCESSES_MOST: Final = 1024
_SCHEDULER: Final = re.compile(r"[a-z]+://[^\s/]+:[0-9]+")


@dataclass(frozen=True)
class EngineSettings:
    """Settings of an engine; `from_environment` reads them and names the variable that is wrong.

    | variable               | what                                                                              |
    |------------------------|-----------------------------------------------------------------------------------|
    | `REDIS_URL`            | where matches are kept; in this process, and gone when it stops, when empty       |
    | `FIRESIDE_TOKEN_KEYS`  | keys of seat tokens, `id:key,id:key`; the first signs; a shared one when empty    |
    | `FIRESIDE_TOKEN_SECONDS` | how long a seat token is good, from the start of its match                      |
    | `FIRESIDE_API_KEYS`    | who may begin matches that are stored, `name:sha256,name:sha256`; all when empty  |
    | `FIRESIDE_MATCH_SECONDS` | how long a match in play is kept after its last move                            |
    | `FIRESIDE_FINISHED_SECONDS` | how long a match that is over is kept                                        |
    | `FIRESIDE_CONNECTION_SECONDS` | after how long a connection is ended; never when empty                     |
    | `FIRESIDE_DRAIN_SECONDS` | how long the engine serves on, without being ready, when it is asked to stop    |
    | `FIRESIDE_GRACE_SECONDS` | how long calls in flight may take when the engine stops                         |
    | `FIRESIDE_MESSAGE_LIMIT` | greatest size of a request in bytes                                             |
    | `FIRESIDE_STREAM_LIMIT` | how many streams the engine takes at a time                                      |
    | `FIRESIDE_BOT_ALLOW`   | third-party bots that may be given seats, addresses with commas between           |
    | `FIRESIDE_LOG_LEVEL`   | `DEBUG`, `INFO`, `WARNING` or `ERROR`                                             |

    A key is at least 32 characters drawn at random, without commas, for example from `openssl rand -hex 32`.
    """

    host: str = "127.0.0.1"
    port: int = 50051
    """0 for any free port."""
    games: tuple[str, ...] = ()
    """Names of the games to serve; all when empty."""
    redis_url: str = field(default="", repr=False)
    token_keys: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    token_seconds: int = 365 * DAY
    api_keys: ApiKeys = field(default_factory=ApiKeys, repr=False)
    match_seconds: int = 7 * DAY
    finished_seconds: int = 7 * DAY
    connection_seconds: float = 0.0
    drain_seconds: float = 0.0
    grace_seconds: float = 10.0
    message_limit: int = MEBIBYTE
    stream_limit: int = 10_000
    bot_allow: tuple[BotAddress, ...] = ()
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
            redis_url=redis_url.checked(environment.get("REDIS_URL", "")),
            token_keys=_token_keys(environment.get("FIRESIDE_TOKEN_KEYS", "")),
            token_seconds=positive(environment, "FIRESIDE_TOKEN_SECONDS", int, EngineSettings.token_seconds, YEARS),
            api_keys=api_keys.parse(environment.get("FIRESIDE_API_KEYS", "")),
            match_seconds=positive(environment, "FIRESIDE_MATCH_SECONDS", int, EngineSettings.match_seconds, YEARS),
            finished_seconds=positive(
                environment, "FIRESIDE_FINISHED_SECONDS", int, EngineSettings.finished_seconds, YEARS
            ),
            connection_seconds=positive(environment, "FIRESIDE_CONNECTION_SECONDS", float, 0.0, CONNECTION_MOST),
            drain_seconds=drain_seconds(environment, DAY),
            grace_seconds=positive(environment, "FIRESIDE_GRACE_SECONDS", float, EngineSettings.grace_seconds, DAY),
            message_limit=positive(environment, "FIRESIDE_MESSAGE_LIMIT", int, EngineSettings.message_limit, INT_MOST),
            stream_limit=positive(environment, "FIRESIDE_STREAM_LIMIT", int, EngineSettings.stream_limit, INT_MOST),
            bot_allow=_bot_allow(environment.get("FIRESIDE_BOT_ALLOW", "")),
            log_level=log_level(environment, EngineSettings.log_level),
        )


@dataclass(frozen=True)
class TournamentSettings:
    """Settings of whoever runs tournaments; `from_environment` reads them and names the variable that is wrong.

    | variable                 | what                                                                            |
    |--------------------------|---------------------------------------------------------------------------------|
    | `REDIS_URL`              | where the ledger is kept; in a file of this machine when empty                  |
    | `FIRESIDE_LEDGER`        | that file                                                                       |
    | `DASK_SCHEDULER_ADDRESS` | whose workers play, as `tcp://host:8786`; processes of this machine when empty  |
    | `FIRESIDE_LEASE_SECONDS` | how long nobody else takes over from one that runs a tournament and falls silent |
    | `FIRESIDE_API_KEYS`      | who may create tournaments, and call them off                                   |
    | `FIRESIDE_BOT_SECONDS`   | how long a third party's bot may take for a move                                |
    | `FIRESIDE_BOT_FAILURES`  | after so many failures in a match it forfeits                                   |
    | `FIRESIDE_BOT_ALLOW`     | third parties' bots that may be called, addresses with commas between           |
    | `FIRESIDE_BOT_SECRET`    | what requests to webhooks are signed with; not at all when empty                |
    | `FIRESIDE_CONNECTION_SECONDS` | after how long a connection is ended; never when empty                     |
    | `FIRESIDE_DRAIN_SECONDS` | how long it serves on, without being ready, when it is asked to stop            |
    | `FIRESIDE_GRACE_SECONDS` | how long calls in flight may take when the service stops                        |
    | `FIRESIDE_MESSAGE_LIMIT` | greatest size of a request in bytes                                             |
    | `FIRESIDE_LOG_LEVEL`     | `DEBUG`, `INFO`, `WARNING` or `ERROR`                                           |
    """

    redis_url: str = field(default="", repr=False)
    ledger_file: Path = Path("tournaments.db")
    scheduler_address: str = ""
    lease_seconds: float = 10.0
    api_keys: ApiKeys = field(default_factory=ApiKeys, repr=False)
    bot_seconds: float = 10.0
    bot_failures: int = 3
    bot_allow: tuple[BotAddress, ...] = ()
    bot_secret: bytes = field(default=b"", repr=False)
    connection_seconds: float = 0.0
    drain_seconds: float = 0.0
    grace_seconds: float = 10.0
    message_limit: int = MEBIBYTE
    log_level: str = "WARNING"

    @staticmethod
    def from_environment(environment: Mapping[str, str]) -> TournamentSettings:
        """Read the settings. Raises `ValueError` that begins with the name of the variable."""
        file = environment.get("FIRESIDE_LEDGER", "")
        return TournamentSettings(
            redis_url=redis_url.checked(environment.get("REDIS_URL", "")),
            ledger_file=Path(file) if file else _ledger_file(environment),
            scheduler_address=_scheduler(environment.get("DASK_SCHEDULER_ADDRESS", "")),
            lease_seconds=positive(environment, "FIRESIDE_LEASE_SECONDS", float, 10.0, DAY),
            api_keys=api_keys.parse(environment.get("FIRESIDE_API_KEYS", "")),
            bot_seconds=positive(environment, "FIRESIDE_BOT_SECONDS", float, 10.0, DAY),
            bot_failures=positive(environment, "FIRESIDE_BOT_FAILURES", int, 3, INT_MOST),
            bot_allow=_bot_allow(environment.get("FIRESIDE_BOT_ALLOW", "")),
            bot_secret=_secret(environment.get("FIRESIDE_BOT_SECRET", "")),
            connection_seconds=positive(environment, "FIRESIDE_CONNECTION_SECONDS", float, 0.0, CONNECTION_MOST),
            drain_seconds=drain_seconds(environment, DAY),
            grace_seconds=positive(environment, "FIRESIDE_GRACE_SECONDS", float, 10.0, DAY),
            message_limit=positive(environment, "FIRESIDE_MESSAGE_LIMIT", int, MEBIBYTE, INT_MOST),
            log_level=log_level(environment, TournamentSettings.log_level),
        )


def _ledger_file(environment: Mapping[str, str]) -> Path:
    state = environment.get("XDG_STATE_HOME", "")
    return (Path(state) if state else Path.home() / ".local" / "state") / "fireside" / "tournaments.db"


@dataclass(frozen=True)
class BotSettings:
    """Settings of a worker of the bots service; `from_environment` reads them and names the variable that is wrong.

    | variable                    | what                                                                         |
    |-----------------------------|------------------------------------------------------------------------------|
    | `REDIS_URL`                 | where the matches are, as for the engines                                    |
    | `FIRESIDE_MATCH_SECONDS`    | as for the engines: a bot's move keeps a match as long as any other          |
    | `FIRESIDE_FINISHED_SECONDS` | likewise                                                                     |
    | `FIRESIDE_BOT_PROCESSES`    | how many of our bots think at once, each in a process                        |
    | `FIRESIDE_BOT_SECONDS`      | how long a bot may take for a move                                           |
    | `FIRESIDE_BOT_FAILURES`     | after so many failures in a match a bot leaves it                            |
    | `FIRESIDE_BOT_ALLOW`        | third-party bots that may be called, addresses with commas between           |
    | `FIRESIDE_BOT_SECRET`       | what requests to webhooks are signed with; not at all when empty             |
    | `FIRESIDE_DRAIN_SECONDS`    | how long the worker takes turns after it is asked to stop                    |
    | `FIRESIDE_GRACE_SECONDS`    | how long turns in hand may take when the worker stops                        |
    | `FIRESIDE_LOG_LEVEL`        | `DEBUG`, `INFO`, `WARNING` or `ERROR`                                        |
    """

    redis_url: str = field(default="", repr=False)
    match_seconds: int = 7 * DAY
    finished_seconds: int = 7 * DAY
    processes: int = field(default_factory=lambda: os.cpu_count() or 1)
    move_seconds: float = 10.0
    failures: int = 3
    allow: tuple[BotAddress, ...] = ()
    secret: bytes = field(default=b"", repr=False)
    drain_seconds: float = 0.0
    grace_seconds: float = 10.0
    log_level: str = "INFO"

    @staticmethod
    def from_environment(environment: Mapping[str, str]) -> BotSettings:
        """Read the settings. Raises `ValueError` that begins with the name of the variable."""
        engine = EngineSettings.from_environment(environment)
        cores = os.cpu_count() or 1
        return BotSettings(
            redis_url=engine.redis_url,
            match_seconds=engine.match_seconds,
            finished_seconds=engine.finished_seconds,
            processes=positive(environment, "FIRESIDE_BOT_PROCESSES", int, cores, BOT_PROCESSES_MOST),
            move_seconds=positive(environment, "FIRESIDE_BOT_SECONDS", float, BotSettings.move_seconds, DAY),
            failures=positive(environment, "FIRESIDE_BOT_FAILURES", int, BotSettings.failures, INT_MOST),
            allow=engine.bot_allow,
            secret=_secret(environment.get("FIRESIDE_BOT_SECRET", "")),
            drain_seconds=engine.drain_seconds,
            grace_seconds=engine.grace_seconds,
            log_level=engine.log_level,
        )


def _scheduler(text: str) -> str:
    if text and not _SCHEDULER.fullmatch(text):
        raise ValueError(f"DASK_SCHEDULER_ADDRESS: {text!r} is not of the form tcp://host:port")
    return text


def _bot_allow(text: str) -> tuple[BotAddress, ...]:
    try:
        return allowed_addresses(text)
    except ValueError as error:
        raise ValueError(f"FIRESIDE_BOT_ALLOW: {error}") from None


def _secret(text: str) -> bytes:
    """Errors never repeat it."""
    if text and len(text) < LEAST_KEY_BYTES:
        raise ValueError(f"FIRESIDE_BOT_SECRET: it is shorter than {LEAST_KEY_BYTES} characters")
    return text.encode()


def _token_keys(text: str) -> dict[str, bytes]:
    """Errors never repeat a key."""
    keys = {}
    for number, item in enumerate([item.strip() for item in text.split(",") if item.strip()], 1):
        key_id, separator, key = item.partition(":")
        if not separator or not key_id:
            raise ValueError(f"FIRESIDE_TOKEN_KEYS: entry {number} is not of the form id:key")
        if key_id in keys:
            raise ValueError(f"FIRESIDE_TOKEN_KEYS: entry {number} has the id of another")
        keys[key_id] = _key(key, number)
    if text and not keys:
        raise ValueError("FIRESIDE_TOKEN_KEYS: it has no entry")
    return keys


def _key(text: str, number: int) -> bytes:
    key = text.encode()
    if len(key) < LEAST_KEY_BYTES:
        raise ValueError(f"FIRESIDE_TOKEN_KEYS: the key of entry {number} is shorter than {LEAST_KEY_BYTES} characters")
    return key
