"""Telemetry settings: parsing, and errors that name the variable."""

from __future__ import annotations

import pytest

from runtime.telemetry.settings import TelemetrySettings


def test_telemetry_is_off_by_default() -> None:
    assert TelemetrySettings.from_environment({}) == TelemetrySettings(None, "127.0.0.1", "")


def test_settings_of_telemetry_are_read() -> None:
    environment = {
        "FIRESIDE_METRICS_PORT": "9464",
        "FIRESIDE_METRICS_HOST": "0.0.0.0",
        "OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318",
    }
    assert TelemetrySettings.from_environment(environment) == TelemetrySettings(
        9464, "0.0.0.0", "http://collector:4318"
    )


@pytest.mark.parametrize("port", ["x", "-1", "65536", "9" * 30])
def test_an_invalid_port_is_refused(port: str) -> None:
    with pytest.raises(ValueError, match=r"^FIRESIDE_METRICS_PORT: "):
        TelemetrySettings.from_environment({"FIRESIDE_METRICS_PORT": port})


def test_an_invalid_endpoint_is_refused_and_not_quoted() -> None:
    with pytest.raises(ValueError, match=r"^OTEL_EXPORTER_OTLP_ENDPOINT: ") as caught:
        TelemetrySettings.from_environment({"OTEL_EXPORTER_OTLP_ENDPOINT": "collector:password@host"})
    assert "password" not in str(caught.value)
