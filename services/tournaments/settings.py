"""What the tournaments service is told by its environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from services.settings import EngineSettings


@dataclass(frozen=True)
class TournamentSettings:
    """Settings of the tournaments service; `from_environment` reads them and names the variable that is wrong.

    | variable                    | what                                                                         |
    |-----------------------------|------------------------------------------------------------------------------|
    | `REDIS_URL`                 | where tournaments are kept; in this process, and gone with it, when empty    |
    | `DASK_SCHEDULER_ADDRESS`    | scheduler of the workers; processes on this machine when empty               |
    | `FIRESIDE_GRACE_SECONDS`    | how long calls in flight may take when the service stops                     |
    | `FIRESIDE_MESSAGE_LIMIT`    | greatest size of a request in bytes                                          |
    | `FIRESIDE_LOG_LEVEL`        | `DEBUG`, `INFO`, `WARNING` or `ERROR`                                        |
    """

    host: str = "127.0.0.1"
    port: int = 50052
    """0 for any free port."""
    workers: int = 0
    """Processes that play where there is no scheduler; 0 for as many as there are cores."""
    redis_url: str = field(default="", repr=False)
    scheduler: str = ""
    grace_seconds: float = EngineSettings.grace_seconds
    message_limit: int = EngineSettings.message_limit
    log_level: str = EngineSettings.log_level

    @staticmethod
    def from_environment(
        environment: Mapping[str, str], host: str = "127.0.0.1", port: int = 50052, workers: int = 0
    ) -> TournamentSettings:
        """Read the settings. Raises `ValueError` that begins with the name of the variable."""
        shared = EngineSettings.from_environment(environment)
        return TournamentSettings(
            host=host,
            port=port,
            workers=workers or os.cpu_count() or 1,
            redis_url=shared.redis_url,
            scheduler=environment.get("DASK_SCHEDULER_ADDRESS", ""),
            grace_seconds=shared.grace_seconds,
            message_limit=shared.message_limit,
            log_level=shared.log_level,
        )
