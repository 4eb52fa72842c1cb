"""Connections whose clients take too long to say what they want, or to hear what they asked for."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from cli.gathering import Gathering

HEAD_MOST: Final = 64 << 10
"""Bytes of a head, and of whatever else comes with a body and is none of it."""


@dataclass(frozen=True)
class Patience:
    """Seconds after which a connection is closed."""

    head: float = 10.0
    """For the head of a request: on a new connection from its opening, on a kept one from its first byte."""

    silence: int = 75
    """Between two requests: longer than proxies keep a connection, so that they close it first."""

    deafness: float = 60.0
    """While the client takes nothing of an answer that waits for it."""


def punctual(patience: Patience) -> type[HttpToolsProtocol]:
    """The protocol of uvicorn, which by itself waits for ever for half a head, takes any size, and any slowness."""

    class Punctual(HttpToolsProtocol):
        _head: asyncio.TimerHandle | None = None
        _deaf: asyncio.TimerHandle | None = None
        _in_vain = 0

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
            super().connection_made(Gathering(transport, self.loop))
            self._head = self.loop.call_later(patience.head, self._late)

        def data_received(self, data: bytes) -> None:
            self._in_vain += len(data)
            super().data_received(data)
            if self._in_vain > HEAD_MOST:
                self._refuse()
            elif self._in_progress():
                self._forget_head()
            elif self._head is None:
                self._head = self.loop.call_later(patience.head, self._late)

        def on_headers_complete(self) -> None:
            self._in_vain = 0
            super().on_headers_complete()

        def on_body(self, body: bytes) -> None:
            self._in_vain = 0
            super().on_body(body)

        def on_message_complete(self) -> None:
            self._in_vain = 0
            super().on_message_complete()

        def pause_writing(self) -> None:
            super().pause_writing()
            # Closing would wait for what the client does not take.
            self._deaf = self.loop.call_later(patience.deafness, self.transport.abort)

        def resume_writing(self) -> None:
            self._forget_deafness()
            super().resume_writing()

        def connection_lost(self, exc: Exception | None) -> None:
            self._forget_head()
            self._forget_deafness()
            super().connection_lost(exc)

        def _in_progress(self) -> bool:
            return self.cycle is not None and not self.cycle.response_complete

        def _refuse(self) -> None:
            if self._in_progress():
                self.transport.close()
            elif not self.transport.is_closing():
                self.send_400_response("The head of the request is too large.")

        def _late(self) -> None:
            self._head = None
            if not self._in_progress():
                self.transport.close()

        def _forget_head(self) -> None:
            if self._head is not None:
                self._head.cancel()
                self._head = None

        def _forget_deafness(self) -> None:
            if self._deaf is not None:
                self._deaf.cancel()
                self._deaf = None

    return Punctual
