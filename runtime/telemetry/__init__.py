"""Telemetry: logs with the context of the current call, Prometheus metrics, and OpenTelemetry traces."""
