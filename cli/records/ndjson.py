"""Writes records as NDJSON: a line of JSON each, as the API gives them."""

from __future__ import annotations

from typing import BinaryIO, Final

from google.protobuf.message import Message

from gateway import protojson


class NdjsonWriter:
    """Writes records to a stream."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream: Final = stream

    def write(self, record: Message, created_ms: int) -> None:
        """Write a record. `created_ms` is not written: records have no times."""
        self._stream.write(protojson.format(record) + b"\n")

    def flush(self) -> None:
        """Write what is buffered."""
        self._stream.flush()
