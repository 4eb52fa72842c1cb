"""HTTP as it is sent, byte by byte, over sockets that block."""

from __future__ import annotations

import io
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPMessage, HTTPResponse
from typing import cast

SECONDS = 30


@dataclass(frozen=True)
class Answer:
    """The head of an answer, and its body where there was one."""

    version: int
    status: int
    headers: HTTPMessage
    body: bytes

    @property
    def reason(self) -> str:
        """Of a problem."""
        return str(json.loads(self.body)["reason"])


class _Kept(io.BufferedReader):
    """Stays open for the answers that follow on the connection."""

    def close(self) -> None:
        pass


class Connection:
    """A connection to a server on this machine."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), SECONDS)
        self._file = _Kept(cast(io.RawIOBase, self.socket.makefile("rb", buffering=0)))

    def send(self, *parts: str | bytes) -> None:
        """Text goes out as Latin-1."""
        self.socket.sendall(b"".join(part.encode("latin-1") if isinstance(part, str) else part for part in parts))

    def close(self) -> None:
        super(_Kept, self._file).close()
        self.socket.close()

    def makefile(self, mode: str) -> io.BufferedReader:
        """As `HTTPResponse` wants it of a socket."""
        return self._file

    def head(self, method: str = "GET") -> HTTPResponse:
        """The next head. Raises `BadStatusLine` when the server has closed."""
        response = HTTPResponse(cast(socket.socket, self), method=method)
        response.begin()
        return response

    def answer(self, method: str = "GET") -> Answer:
        """The next answer, all of it. Raises `BadStatusLine` when the server has closed."""
        response = self.head(method)
        body = response.read()
        return Answer(response.version, response.status, response.headers, body)

    def is_over(self) -> bool:
        """Whether the server closes the connection, with nothing further to say."""
        return self._file.read(1) == b""


@contextmanager
def connected(port: int) -> Iterator[Connection]:
    connection = Connection(port)
    try:
        yield connection
    finally:
        connection.close()


def request(method: str, target: str, *headers: str, body: bytes = b"", version: str = "1.1") -> bytes:
    """A request with a host, and with a length if it has a body."""
    length = [f"Content-Length: {len(body)}"] if body else []
    lines = [f"{method} {target} HTTP/{version}", "Host: gateway", *headers, *length, "", ""]
    return "\r\n".join(lines).encode("latin-1") + body


def answer_to(port: int, sent: bytes, method: str = "GET") -> Answer:
    """The first answer on a connection of its own."""
    with connected(port) as connection:
        connection.send(sent)
        return connection.answer(method)
