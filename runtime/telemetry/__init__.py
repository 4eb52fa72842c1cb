"""Metrics, traces, and the facts of the current call for log lines."""
