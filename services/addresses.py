"""Where a server listens, as text."""

from __future__ import annotations


def address(host: str, port: int) -> str:
    """Host and port as gRPC and URLs write them: an IPv6 address in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def reachable(host: str) -> str:
    """Where the same machine reaches what listens at `host`."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
