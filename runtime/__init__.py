"""What every process needs: its environment, API keys, logs, signals and telemetry."""
