"""Servers that commands start: the HTTP server, the metrics port, and a local `fireside serve`."""
