"""Process-level utilities: environment variables, API keys, signals and telemetry."""
