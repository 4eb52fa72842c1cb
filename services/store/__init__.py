"""Where matches are stored: Redis, or the same inside this process."""
