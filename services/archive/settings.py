"""Settings of the archive, from environment variables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from runtime import redis_url
from runtime.environment import drain_seconds, log_level, positive_number
from runtime.service_settings import DAY, GRACE_SECONDS, grace_seconds
from services.archive.archive import CACHED_SECONDS, MatchArchive

MIN_TAIL_SECONDS: Final = 2 * round(CACHED_SECONDS)


@dataclass(frozen=True)
class ArchiveSettings:
    """Settings of a process that archives; errors of `from_environment` name the wrong variable.

    | variable                            | what                                                                       |
    |-------------------------------------|----------------------------------------------------------------------------|
    | `REDIS_URL`                         | Redis that stores the matches, the same as for the engines                 |
    | `FIRESIDE_ARCHIVE`                  | where finished matches go: a folder, or an address of fsspec               |
    | `FIRESIDE_ARCHIVE_TAIL_SECONDS`     | how long a match stays in Redis after it is archived                       |
    | `FIRESIDE_ARCHIVE_TAKEOVER_SECONDS` | after how long another process takes matches that this one did not archive |
    | `FIRESIDE_DRAIN_SECONDS`            | how long the process still archives after SIGTERM                          |
    | `FIRESIDE_GRACE_SECONDS`            | how long matches in flight may take when the process stops                 |
    | `FIRESIDE_LOG_LEVEL`                | `DEBUG`, `INFO`, `WARNING` or `ERROR`                                      |
    """

    redis_url: str = field(default="", repr=False)
    archive: str = field(default="", repr=False)
    tail_seconds: int = 60 * 60
    takeover_seconds: float = 60.0
    drain_seconds: float = 0.0
    grace_seconds: float = GRACE_SECONDS
    log_level: str = "INFO"

    @staticmethod
    def from_environment(environment: Mapping[str, str]) -> ArchiveSettings:
        """Read the settings. Raises `ValueError` that begins with the name of the variable."""
        tail = positive_number(
            environment, "FIRESIDE_ARCHIVE_TAIL_SECONDS", int, ArchiveSettings.tail_seconds, 365 * DAY
        )
        if tail < MIN_TAIL_SECONDS:
            raise ValueError(f"FIRESIDE_ARCHIVE_TAIL_SECONDS: '{tail}' is below {MIN_TAIL_SECONDS}")
        return ArchiveSettings(
            redis_url=redis_url.validated_url(environment.get("REDIS_URL", "")),
            archive=environment.get("FIRESIDE_ARCHIVE", ""),
            tail_seconds=tail,
            takeover_seconds=positive_number(
                environment, "FIRESIDE_ARCHIVE_TAKEOVER_SECONDS", float, ArchiveSettings.takeover_seconds, DAY
            ),
            drain_seconds=drain_seconds(environment, DAY),
            grace_seconds=grace_seconds(environment),
            log_level=log_level(environment, ArchiveSettings.log_level),
        )


def open_archive(url: str) -> MatchArchive | None:
    """The archive at an address; None for an empty one. Raises `ValueError` that begins with the variable."""
    try:
        return MatchArchive(url) if url else None
    except ValueError as error:
        raise ValueError(f"FIRESIDE_ARCHIVE: {error}") from None
