"""Where servers listen, and how they are called."""

from __future__ import annotations

from typing import Final

LOOPBACKS: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Where this machine reaches what listens at every address."""


def authority(host: str, port: int) -> str:
    """Host and port as gRPC and URLs have them: an IPv6 address in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def nearby(host: str, port: int) -> str:
    """The authority at which this machine reaches what listens at `host`."""
    return authority(LOOPBACKS.get(host, host), port)
