"""Process-level utilities: environment variables, API keys, logging, signals and telemetry."""
