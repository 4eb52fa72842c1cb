"""Settings of metrics and traces, the same for every role."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

METRICS_HOST: Final = "127.0.0.1"
MAX_PORT: Final = 65535
OTLP_VARIABLE: Final = "OTEL_EXPORTER_OTLP_ENDPOINT"


class TelemetrySettings(NamedTuple):
    """Telemetry settings of any role; errors of `from_environment` name the wrong variable.

    | variable                      | what                                                                       |
    |-------------------------------|----------------------------------------------------------------------------|
    | `FIRESIDE_METRICS_PORT`       | metrics port; 0 for any free one; no metrics when empty                    |
    | `FIRESIDE_METRICS_HOST`       | address that the metrics port listens at                                   |
    | `OTEL_EXPORTER_OTLP_ENDPOINT` | OTLP-over-HTTP collector, as `http://collector:4318`; no traces when empty |
    """

    metrics_port: int | None = None
    metrics_host: str = METRICS_HOST
    otlp_endpoint: str = ""

    @staticmethod
    def from_environment(environment: Mapping[str, str]) -> TelemetrySettings:
        """Read the settings. Raises `ValueError` that begins with the name of the variable."""
        return TelemetrySettings(
            metrics_port=_port(environment.get("FIRESIDE_METRICS_PORT", "")),
            metrics_host=environment.get("FIRESIDE_METRICS_HOST", "") or METRICS_HOST,
            otlp_endpoint=_endpoint(environment.get(OTLP_VARIABLE, "")),
        )

    def of_process(self, number: int) -> TelemetrySettings:
        """The settings of a process of several, numbered from 0: its metrics port is so many after the given one.

        Raises `ValueError` if there is no such port.
        """
        if not self.metrics_port:
            return self
        return self._replace(metrics_port=_port(str(self.metrics_port + number)))


def _port(text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit()) or int(text[:9]) > MAX_PORT:
        raise ValueError(f"FIRESIDE_METRICS_PORT: {text!r} is not a port from 0 to {MAX_PORT}")
    return int(text)


def _endpoint(text: str) -> str:
    """Check the endpoint. Raises `ValueError`, which never repeats it, since it may contain a password."""
    if text and not text.startswith(("http://", "https://")):
        raise ValueError(f"{OTLP_VARIABLE}: it is not of the form http://host:4318")
    return text
