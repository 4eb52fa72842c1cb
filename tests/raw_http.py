"""HTTP/1.1 client on a blocking socket that sends arbitrary bytes."""

from __future__ import annotations

import io
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPMessage, HTTPResponse
from typing import cast

TIMEOUT_SECONDS = 30


@dataclass(frozen=True)
class HttpResponse:
    """A response: status, headers and body."""

    version: int
    status: int
    headers: HTTPMessage
    body: bytes

    @property
    def reason(self) -> str:
        """The `reason` of a problem response."""
        return str(json.loads(self.body)["reason"])


class _UncloseableReader(io.BufferedReader):
    """A reader that `HTTPResponse` cannot close, since further responses follow on the connection."""

    def close(self) -> None:
        pass


class Connection:
    """A connection to a port of this machine."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), TIMEOUT_SECONDS)
        self._file = _UncloseableReader(cast(io.RawIOBase, self.socket.makefile("rb", buffering=0)))

    def send(self, *parts: str | bytes) -> None:
        """Send parts, texts as Latin-1."""
        self.socket.sendall(b"".join(part.encode("latin-1") if isinstance(part, str) else part for part in parts))

    def close(self) -> None:
        super(_UncloseableReader, self._file).close()
        self.socket.close()

    def makefile(self, mode: str) -> io.BufferedReader:
        """The reader, as `HTTPResponse` requests it from a socket."""
        return self._file

    def read_head(self, method: str = "GET") -> HTTPResponse:
        """The status line and headers of the next response. Raises `BadStatusLine` if the server has closed."""
        response = HTTPResponse(cast(socket.socket, self), method=method)
        response.begin()
        return response

    def read_response(self, method: str = "GET") -> HttpResponse:
        """The next response with its body. Raises `BadStatusLine` if the server has closed."""
        response = self.read_head(method)
        body = response.read()
        return HttpResponse(response.version, response.status, response.headers, body)

    def is_closed(self) -> bool:
        """Wait for the next byte or the end; whether the server has closed without sending more."""
        return self._file.read(1) == b""


@contextmanager
def connection_to(port: int) -> Iterator[Connection]:
    connection = Connection(port)
    try:
        yield connection
    finally:
        connection.close()


def encode_request(method: str, target: str, *headers: str, body: bytes = b"", version: str = "1.1") -> bytes:
    """An encoded request with a Host header, and with a Content-Length if it has a body."""
    length = [f"Content-Length: {len(body)}"] if body else []
    lines = [f"{method} {target} HTTP/{version}", "Host: gateway", *headers, *length, "", ""]
    return "\r\n".join(lines).encode("latin-1") + body


def response_to(port: int, sent: bytes, method: str = "GET") -> HttpResponse:
    """The first response on a new connection."""
    with connection_to(port) as connection:
        connection.send(sent)
        return connection.read_response(method)
