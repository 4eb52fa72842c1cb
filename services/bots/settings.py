"""Settings of a worker of the bots service, from environment variables."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from runtime.environment import positive_number
from runtime.service_settings import (
    DAY,
    GRACE_SECONDS,
    MAX_INT,
)
from services.bots.environment import BOT_MEMORY, bot_memory, bot_secret
from services.bots.remote.allowed import BotAddress
from services.engine.settings import EngineSettings

MAX_PROCESSES: Final = 1024


@dataclass(frozen=True)
class BotSettings:
    """Settings of a worker of the bots service; errors of `from_environment` name the wrong variable.

    | variable                    | what                                                                         |
    |-----------------------------|------------------------------------------------------------------------------|
    | `REDIS_URL`                 | Redis that stores the matches, the same as for the engines                   |
    | `FIRESIDE_MATCH_SECONDS`    | as for the engines: a bot's move renews a match's lifetime like any other    |
    | `FIRESIDE_FINISHED_SECONDS` | as for the engines: a bot's move may end a match                             |
    | `FIRESIDE_REPLICAS`         | as for the engines: replicas that must have a bot's move                     |
    | `FIRESIDE_SIGNING_KEYS`     | as for the engines: a bot's move may end a match, whose record is signed     |
    | `FIRESIDE_BOT_PROCESSES`    | processes for our slow bots, and as many again for our quick ones            |
    | `FIRESIDE_BOT_SECONDS`      | time limit of a bot for a move                                               |
    | `FIRESIDE_BOT_MEMORY`       | greatest address space of the process of an imported bot, in bytes           |
    | `FIRESIDE_IMPORTED_BOTS`    | as for the engines: the imported bots that may have seats                    |
    | `FIRESIDE_BOT_FAILURES`     | failures in a match after which a bot leaves it                              |
    | `FIRESIDE_BOT_ALLOW`        | comma-separated addresses of third-party bots that may be called             |
    | `FIRESIDE_BOT_SECRET`       | secret that signs requests to webhooks; not signed when empty                |
    | `FIRESIDE_DRAIN_SECONDS`    | how long the worker still takes turns after SIGTERM                          |
    | `FIRESIDE_GRACE_SECONDS`    | how long turns in progress may take when the worker stops                    |
    | `FIRESIDE_LOG_LEVEL`        | `DEBUG`, `INFO`, `WARNING` or `ERROR`                                        |
    """

    redis_url: str = field(default="", repr=False)
    match_seconds: int = 7 * DAY
    finished_seconds: int = 7 * DAY
    replicas: int = 0
    signing_keys: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    processes: int = field(default_factory=lambda: os.cpu_count() or 1)
    move_seconds: float = 10.0
    bot_memory: int = BOT_MEMORY
    imported_bots: tuple[str, ...] = ()
    failures: int = 3
    allow: tuple[BotAddress, ...] = ()
    secret: bytes = field(default=b"", repr=False)
    drain_seconds: float = 0.0
    grace_seconds: float = GRACE_SECONDS
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
            replicas=engine.replicas,
            signing_keys=engine.signing_keys,
            processes=positive_number(environment, "FIRESIDE_BOT_PROCESSES", int, cores, MAX_PROCESSES),
            move_seconds=positive_number(environment, "FIRESIDE_BOT_SECONDS", float, BotSettings.move_seconds, DAY),
            bot_memory=bot_memory(environment),
            imported_bots=engine.imported_bots,
            failures=positive_number(environment, "FIRESIDE_BOT_FAILURES", int, BotSettings.failures, MAX_INT),
            allow=engine.bot_allow,
            secret=bot_secret(environment),
            drain_seconds=engine.drain_seconds,
            grace_seconds=engine.grace_seconds,
            log_level=engine.log_level,
        )
