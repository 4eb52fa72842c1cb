"""Telemetry: Prometheus metrics, OpenTelemetry traces, and the context of the current call for log lines."""
