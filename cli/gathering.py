"""Answers in one piece: head and body are written one after the other, and each write would be a system call."""

from __future__ import annotations

import asyncio
from typing import Final

GATHERED_MOST: Final = 64 << 10
"""Bytes that wait for more. Beyond them the transport itself is told, which knows when its buffer is full."""


class Gathering(asyncio.Transport):
    """A transport that sends at the end of a turn of the event loop what was written in it."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._transport: Final = transport
        self._loop: Final = loop
        self._waiting: Final[list[bytes]] = []
        self._size = 0

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if not self._waiting:
            self._loop.call_soon(self._flush)
        self._waiting.append(bytes(data))  # as it is now: whoever wrote it may change it
        self._size += len(self._waiting[-1])
        if self._size > GATHERED_MOST:
            self._flush()

    def _flush(self) -> None:
        if self._waiting:
            self._transport.write(b"".join(self._waiting))
            self._forget()

    def _forget(self) -> None:
        self._waiting.clear()
        self._size = 0

    def close(self) -> None:
        self._flush()
        self._transport.close()

    def abort(self) -> None:
        self._forget()
        self._transport.abort()

    def is_closing(self) -> bool:
        return self._transport.is_closing()

    def pause_reading(self) -> None:
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        self._transport.resume_reading()

    def get_extra_info(self, name: str, default: object = None) -> object:
        return self._transport.get_extra_info(name, default)
