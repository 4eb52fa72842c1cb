"""What a worker of the bots service is told by its environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from runtime.environment import positive
from runtime.service_settings import (
    DAY,
    GRACE_SECONDS,
    INT_MOST,
)
from services.bots.environment import bot_secret
from services.bots.remote.allowed import BotAddress
from services.engine.settings import EngineSettings

PROCESSES_MOST: Final = 1024


@dataclass(frozen=True)
class BotSettings:
    """Settings of a worker of the bots service; `from_environment` reads them and names the variable that is wrong.

    | variable                    | what                                                                         |
    |-----------------------------|------------------------------------------------------------------------------|
    | `REDIS_URL`                 | where the matches are, as for the engines                                    |
    | `FIRESIDE_MATCH_SECONDS`    | as for the engines: a bot's move keeps a match as long as any other          |
    | `FIRESIDE_FINISHED_SECONDS` | likewise                                                                     |
    | `FIRESIDE_SIGNING_KEYS`     | as for the engines: a match may end with a bot's move                        |
    | `FIRESIDE_BOT_PROCESSES`    | how many of our bots think at once, each in a process; as many quick ones, too |
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
    signing_keys: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    processes: int = field(default_factory=lambda: os.cpu_count() or 1)
    move_seconds: float = 10.0
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
            signing_keys=engine.signing_keys,
            processes=positive(environment, "FIRESIDE_BOT_PROCESSES", int, cores, PROCESSES_MOST),
            move_seconds=positive(environment, "FIRESIDE_BOT_SECONDS", float, BotSettings.move_seconds, DAY),
            failures=positive(environment, "FIRESIDE_BOT_FAILURES", int, BotSettings.failures, INT_MOST),
            allow=engine.bot_allow,
            secret=bot_secret(environment),
            drain_seconds=engine.drain_seconds,
            grace_seconds=engine.grace_seconds,
            log_level=engine.log_level,
        )
