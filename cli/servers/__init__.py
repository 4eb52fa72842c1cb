"""HTTP servers and local processes that commands start."""
