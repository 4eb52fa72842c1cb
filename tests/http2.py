"""Minimal HTTP/2 client that sends arbitrary frames."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, WINDOW_UPDATE = 0, 1, 3, 4, 8
END_STREAM, ACK, END_HEADERS = 1, 1, 4
CANCEL_ERROR_CODE = struct.pack(">I", 8)


def encode_frame(kind: int, flags: int = 0, stream: int = 0, payload: bytes = b"") -> bytes:
    """An encoded frame."""
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def header_block(path: str, **extra_headers: str) -> bytes:
    """The header block of a gRPC call, as literals without indexing."""
    fields = {":method": "POST", ":scheme": "http", ":path": path, ":authority": "test", "te": "trailers"}
    fields |= {"content-type": "application/grpc", **extra_headers}
    return b"".join([b"\0" + _encode_text(name) + _encode_text(value) for name, value in fields.items()])


def _encode_text(text: str) -> bytes:
    size = len(text)
    if size < 127:
        return bytes([size]) + text.encode()
    rest = size - 127
    return bytes([127, *([rest] if rest < 128 else [rest & 127 | 128, rest >> 7])]) + text.encode()


def encode_message(data: bytes) -> bytes:
    """A length-prefixed gRPC message."""
    return b"\0" + struct.pack(">I", len(data)) + data


@contextmanager
def http2_connection(address: str, window: int = 65_535) -> Iterator[socket.socket]:
    """A connection whose streams may receive at most `window` bytes before the client reads."""
    host, port = address.rsplit(":", 1)
    with socket.create_connection((host, int(port)), timeout=5) as connection:
        connection.sendall(
            PREFACE + encode_frame(SETTINGS, payload=struct.pack(">HI", 4, window)) + encode_frame(SETTINGS, ACK)
        )
        yield connection


def send_and_discard(connection: socket.socket, data: bytes) -> bool:
    """Send as much as the server accepts, and discard what it sends; whether all was sent."""
    connection.setblocking(False)
    left = memoryview(data)
    idle = 0
    while left and idle < 200:
        try:
            left = left[connection.send(left) :]
            idle = 0
        except BlockingIOError:
            idle += 1
            _wait_until_ready(connection)
        except OSError:
            return False
        if not _discard_received(connection):
            return False
    return not left


def _wait_until_ready(connection: socket.socket) -> None:
    import select

    select.select([connection], [connection], [], 0.05)


def _discard_received(connection: socket.socket) -> bool:
    """Read and discard what has arrived; whether the connection is still open."""
    with suppress(BlockingIOError):
        while True:
            try:
                if not connection.recv(1 << 20):
                    return False
            except BlockingIOError:
                return True
            except OSError:
                return False
    return True
