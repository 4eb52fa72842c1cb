"""Players written once for all games."""
