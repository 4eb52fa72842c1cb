"""What operators are told: metrics, traces, and which call a line of the log is about."""
