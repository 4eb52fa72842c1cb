"""One-line descriptions of httpx's transport errors, which repeat nothing that the other side sent."""

from __future__ import annotations

from typing import Final

import httpx

DESCRIPTIONS: Final = (
    (httpx.ConnectError, "connection failed"),
    (httpx.TimeoutException, "timed out"),
    (httpx.UnsupportedProtocol, "its address must begin with http:// or https://"),
    (httpx.ProtocolError, "it does not speak HTTP"),
)


def connection_fault(error: BaseException | None) -> str:
    """Why a call failed, in a few words."""
    return next((text for kind, text in DESCRIPTIONS if isinstance(error, kind)), "connection lost")
