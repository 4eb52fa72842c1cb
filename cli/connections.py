"""Connections whose clients take too long to say what they want."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0
"""How long the head of a request may take: on a new connection from its opening, on a kept one from its first byte."""
KEEP_ALIVE_SECONDS = 75
"""How long a connection is kept without a word: longer than proxies keep theirs, so that they close first."""


def punctual(head_seconds: float) -> type[H11Protocol]:
    """The protocol of uvicorn, which by itself waits for ever for a head that was begun, or never was."""

    class Punctual(H11Protocol):
        awaited: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
            super().connection_made(transport)
            self._await_head()

        def data_received(self, data: bytes) -> None:
            if self.awaited is None and not self._in_progress():
                self._await_head()
            super().data_received(data)
            if self._in_progress():
                self._forget()

        def connection_lost(self, exc: Exception | None) -> None:
            self._forget()
            super().connection_lost(exc)

        def _in_progress(self) -> bool:
            return self.cycle is not None and not self.cycle.response_complete

        def _await_head(self) -> None:
            self.awaited = self.loop.call_later(head_seconds, self._late)

        def _forget(self) -> None:
            if self.awaited is not None:
                self.awaited.cancel()
                self.awaited = None

        def _late(self) -> None:
            self.awaited = None
            if not self._in_progress():
                self.transport.close()

    return Punctual
