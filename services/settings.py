"""What an engine is told by its environment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

from access import api_keys, redis_url
from access.api_keys import ApiKeys

T = TypeVar("T", int, float)

DAY: Final = 24 * 60 * 60
YEARS: Final = 100 * 365 * DAY
"""Redis refuses a time to live that overflows its clock."""
MEBIBYTE: Final = 1 << 20
INT_MOST: Final = (1 << 31) - 1
"""What gRPC takes as a size."""
LEAST_KEY_BYTES: Final = 32
LOG_LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR")


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
    | `FIRESIDE_GRACE_SECONDS` | how long calls in flight may take when the engine stops                         |
    | `FIRESIDE_MESSAGE_LIMIT` | greatest size of a request in bytes                                             |
    | `FIRESIDE_STREAM_LIMIT` | how many streams the engine takes at a time                                      |
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
    grace_seconds: float = 10.0
    message_limit: int = MEBIBYTE
    stream_limit: int = 10_000
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
            token_seconds=_positive(environment, "FIRESIDE_TOKEN_SECONDS", int, EngineSettings.token_seconds, YEARS),
            api_keys=api_keys.parse(environment.get("FIRESIDE_API_KEYS", "")),
            match_seconds=_positive(environment, "FIRESIDE_MATCH_SECONDS", int, EngineSettings.match_seconds, YEARS),
            finished_seconds=_positive(
                environment, "FIRESIDE_FINISHED_SECONDS", int, EngineSettings.finished_seconds, YEARS
            ),
            grace_seconds=_positive(environment, "FIRESIDE_GRACE_SECONDS", float, EngineSettings.grace_seconds, DAY),
            message_limit=_positive(environment, "FIRESIDE_MESSAGE_LIMIT", int, EngineSettings.message_limit, INT_MOST),
            stream_limit=_positive(environment, "FIRESIDE_STREAM_LIMIT", int, EngineSettings.stream_limit, INT_MOST),
            log_level=_log_level(environment.get("FIRESIDE_LOG_LEVEL", "") or EngineSettings.log_level),
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
    | `FIRESIDE_GRACE_SECONDS` | how long calls in flight may take when the service stops                        |
    | `FIRESIDE_MESSAGE_LIMIT` | greatest size of a request in bytes                                             |
    | `FIRESIDE_LOG_LEVEL`     | `DEBUG`, `INFO`, `WARNING` or `ERROR`                                           |
    """

    redis_url: str = field(default="", repr=False)
    ledger_file: Path = Path("tournaments.db")
    scheduler_address: str = ""
    lease_seconds: float = 10.0
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
            scheduler_address=environment.get("DASK_SCHEDULER_ADDRESS", ""),
            lease_seconds=_positive(environment, "FIRESIDE_LEASE_SECONDS", float, 10.0, DAY),
            grace_seconds=_positive(environment, "FIRESIDE_GRACE_SECONDS", float, 10.0, DAY),
            message_limit=_positive(environment, "FIRESIDE_MESSAGE_LIMIT", int, MEBIBYTE, INT_MOST),
            log_level=_log_level(environment.get("FIRESIDE_LOG_LEVEL", "") or TournamentSettings.log_level),
        )


def _ledger_file(environment: Mapping[str, str]) -> Path:
    state = environment.get("XDG_STATE_HOME", "")
    return (Path(state) if state else Path.home() / ".local" / "state") / "fireside" / "tournaments.db"


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
    return keys


def _key(text: str, number: int) -> bytes:
    key = text.encode()
    if len(key) < LEAST_KEY_BYTES:
        raise ValueError(f"FIRESIDE_TOKEN_KEYS: the key of entry {number} is shorter than {LEAST_KEY_BYTES} characters")
    return key


def _log_level(level: str) -> str:
    if level not in LOG_LEVELS:
        raise ValueError(f"FIRESIDE_LOG_LEVEL: one of {', '.join(LOG_LEVELS)}, not {level!r}")
    return level


def _positive(environment: Mapping[str, str], variable: str, parse: Callable[[str], T], default: T, most: int) -> T:
    text = environment.get(variable, "")
    if not text:
        return default
    try:
        number = parse(text)
    except ValueError:
        raise ValueError(f"{variable}: {text!r} is not a number") from None
    if not 0 < number <= most:
        raise ValueError(f"{variable}: {text!r} is not above 0, or above {most}")
    return number
