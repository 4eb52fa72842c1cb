"""Settings of a worker of webhooks, from environment variables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from runtime import redis_url
from runtime.environment import drain_seconds, log_level, positive_number
from runtime.service_settings import DAY, GRACE_SECONDS, grace_seconds
from services.bots.environment import webhook_allow
from services.bots.remote.allowed import BotAddress

MAX_SECONDS: Final = 30


@dataclass(frozen=True)
class WebhookSettings:
    """Settings of a worker of webhooks; errors of `from_environment` name the wrong variable.

    | variable                   | what                                                       |
    |----------------------------|------------------------------------------------------------|
    | `REDIS_URL`                | Redis that stores the matches, the same as for the engines |
    | `FIRESIDE_WEBHOOK_ALLOW`   | comma-separated addresses that webhooks may have           |
    | `FIRESIDE_WEBHOOK_SECONDS` | time limit of a request                                    |
    | `FIRESIDE_DRAIN_SECONDS`   | how long the worker still delivers after SIGTERM           |
    | `FIRESIDE_GRACE_SECONDS`   | how long requests in flight may take when the worker stops |
    | `FIRESIDE_LOG_LEVEL`       | `DEBUG`, `INFO`, `WARNING` or `ERROR`                      |
    """

    redis_url: str = field(default="", repr=False)
    allow: tuple[BotAddress, ...] = ()
    seconds: float = 8.0
    drain_seconds: float = 0.0
    grace_seconds: float = GRACE_SECONDS
    log_level: str = "INFO"

    @staticmethod
    def from_environment(environment: Mapping[str, str]) -> WebhookSettings:
        """Read the settings. Raises `ValueError` that begins with the name of the variable."""
        return WebhookSettings(
            redis_url=redis_url.validated_url(environment.get("REDIS_URL", "")),
            allow=webhook_allow(environment),
            seconds=positive_number(
                environment, "FIRESIDE_WEBHOOK_SECONDS", float, WebhookSettings.seconds, MAX_SECONDS
            ),
            drain_seconds=drain_seconds(environment, DAY),
            grace_seconds=grace_seconds(environment),
            log_level=log_level(environment, WebhookSettings.log_level),
        )
