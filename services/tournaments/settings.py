"""Settings of processes that run tournaments, from environment variables."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

from runtime import api_keys, redis_url
from runtime.api_keys import ApiKeys
from runtime.environment import drain_seconds, log_level, positive_number
from runtime.service_settings import (
    DAY,
    GRACE_SECONDS,
    INFLIGHT_BYTES,
    MAX_INT,
    MEBIBYTE,
    connection_seconds,
    grace_seconds,
    inflight_bytes,
    message_limit,
)
from services.bots.environment import BOT_MEMORY, bot_allow, bot_memory, bot_secret
from services.bots.imported.bots import ImportedBotLimits
from services.bots.remote.allowed import BotAddress

RECORDED_MATCHES: Final = 100_000
"""Default number of matches of a tournament whose moves are stored: 15 to 90 MB of Redis (docs/tournaments.md)."""
REPLAY_SHARE: Final = 0.02
"""Default share of the blocks of each worker that another one plays again (docs/adr/026-wrong-workers.md)."""
T = TypeVar("T", int, float)

_SCHEDULER_ADDRESS: Final = re.compile(r"[a-z]+://[^\s/]+:[0-9]+")


@dataclass(frozen=True)
class TournamentSettings:
    """Settings of a process that runs tournaments; errors of `from_environment` name the wrong variable.

    | variable                 | what                                                                            |
    |--------------------------|---------------------------------------------------------------------------------|
    | `REDIS_URL`              | Redis that stores the ledger; when empty, a file on this machine                |
    | `FIRESIDE_LEDGER`        | that file                                                                       |
    | `DASK_SCHEDULER_ADDRESS` | whose workers play, as `tcp://host:8786`; processes of this machine when empty  |
    | `FIRESIDE_LEASE_SECONDS` | how long after a coordinator dies another one takes over its tournament         |
    | `FIRESIDE_TOURNAMENT_RECORDS` | how many matches of a tournament have their moves stored; 0 for none       |
    | `FIRESIDE_TOURNAMENT_REPLAYS` | share of blocks that another worker plays again to check; 0 for none       |
    | `FIRESIDE_API_KEYS`      | API keys that may create and cancel tournaments                                 |
    | `FIRESIDE_BOT_SECONDS`   | how long a third party's or an imported bot may take for a move                 |
    | `FIRESIDE_BOT_MEMORY`    | greatest address space of the process of an imported bot, in bytes              |
    | `FIRESIDE_BOT_FAILURES`  | after so many failures in a match it forfeits                                   |
    | `FIRESIDE_BOT_ALLOW`     | comma-separated addresses of remote bots that may be called                     |
    | `FIRESIDE_BOT_SECRET`    | secret that signs requests to webhooks; not signed when empty                   |
    | `FIRESIDE_CONNECTION_SECONDS` | greatest age of a connection; no limit when empty                          |
    | `FIRESIDE_DRAIN_SECONDS` | how long it still serves, without being ready, after SIGTERM                    |
    | `FIRESIDE_GRACE_SECONDS` | how long calls in flight may take when the service stops                        |
    | `FIRESIDE_MESSAGE_LIMIT` | greatest size of a request in bytes                                             |
    | `FIRESIDE_INFLIGHT_BYTES` | how many bytes of requests may be in flight                                    |
    | `FIRESIDE_LOG_LEVEL`     | `DEBUG`, `INFO`, `WARNING` or `ERROR`                                           |
    """

    redis_url: str = field(default="", repr=False)
    ledger_file: Path = Path("tournaments.db")
    scheduler_address: str = ""
    lease_seconds: float = 10.0
    api_keys: ApiKeys = field(default_factory=ApiKeys, repr=False)
    bot_seconds: float = 10.0
    bot_memory: int = BOT_MEMORY
    bot_failures: int = 3
    bot_allow: tuple[BotAddress, ...] = ()
    bot_secret: bytes = field(default=b"", repr=False)
    connection_seconds: float = 0.0
    drain_seconds: float = 0.0
    grace_seconds: float = GRACE_SECONDS
    message_limit: int = MEBIBYTE
    inflight_bytes: int = INFLIGHT_BYTES
    log_level: str = "WARNING"
    recorded_matches: int = RECORDED_MATCHES
    replay_share: float = REPLAY_SHARE

    @property
    def imported_bots(self) -> ImportedBotLimits:
        """Limits of the processes of imported bots."""
        return ImportedBotLimits(self.bot_seconds, self.bot_memory)

    @staticmethod
    def from_environment(environment: Mapping[str, str]) -> TournamentSettings:
        """Read the settings. Raises `ValueError` that begins with the name of the variable."""
        file = environment.get("FIRESIDE_LEDGER", "")
        return TournamentSettings(
            redis_url=redis_url.validated_url(environment.get("REDIS_URL", "")),
            ledger_file=Path(file) if file else _ledger_file(environment),
            scheduler_address=_scheduler(environment.get("DASK_SCHEDULER_ADDRESS", "")),
            lease_seconds=positive_number(environment, "FIRESIDE_LEASE_SECONDS", float, 10.0, DAY),
            api_keys=api_keys.parse(environment.get("FIRESIDE_API_KEYS", "")),
            bot_seconds=positive_number(environment, "FIRESIDE_BOT_SECONDS", float, 10.0, DAY),
            bot_memory=bot_memory(environment),
            bot_failures=positive_number(environment, "FIRESIDE_BOT_FAILURES", int, 3, MAX_INT),
            bot_allow=bot_allow(environment),
            bot_secret=bot_secret(environment),
            connection_seconds=connection_seconds(environment),
            drain_seconds=drain_seconds(environment, DAY),
            grace_seconds=grace_seconds(environment),
            message_limit=message_limit(environment),
            inflight_bytes=inflight_bytes(environment),
            log_level=log_level(environment, TournamentSettings.log_level),
            recorded_matches=_zero_or_positive(
                environment, "FIRESIDE_TOURNAMENT_RECORDS", int, RECORDED_MATCHES, MAX_INT
            ),
            replay_share=_zero_or_positive(environment, "FIRESIDE_TOURNAMENT_REPLAYS", float, REPLAY_SHARE, 1),
        )


def _zero_or_positive(
    environment: Mapping[str, str], variable: str, parse: Callable[[str], T], default: T, most: int
) -> T:
    if environment.get(variable, "") == "0":
        return parse("0")
    return positive_number(environment, variable, parse, default, most)


def _ledger_file(environment: Mapping[str, str]) -> Path:
    state = environment.get("XDG_STATE_HOME", "")
    return (Path(state) if state else Path.home() / ".local" / "state") / "fireside" / "tournaments.db"


def _scheduler(text: str) -> str:
    if text and not _SCHEDULER_ADDRESS.fullmatch(text):
        raise ValueError(f"DASK_SCHEDULER_ADDRESS: {text!r} is not of the form tcp://host:port")
    return text
