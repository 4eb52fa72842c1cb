"""The protocol without I/O, for the sync and the async client: errors, retries, server-sent events, Play messages."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, cast
from urllib.parse import quote

import httpx

from fireside_client.errors import FiresideError
from fireside_client.types.shared import Problem

RETRYABLE_STATUSES: Final = frozenset({429, 502, 503, 504})
FIRST_PAUSE_SECONDS: Final = 0.25
LONGEST_PAUSE_SECONDS: Final = 5.0
"""The pause between two attempts doubles from `FIRST_PAUSE_SECONDS` up to this."""
HTTP_TIMEOUT_SECONDS: Final = 30.0
"""Event streams have a heartbeat every 5 seconds, so that this finds their broken connections too."""
FAULTS: Final = (httpx.TransportError, OSError, FiresideError)
"""Exceptions after which `Backoff` decides whether there is another attempt."""
LIST_PAGE_SIZE: Final = 100
"""Matches of one page of the public list, the most that a page may have."""
SUBPROTOCOL: Final = "fireside.play.v1"
MEDIA_TYPES: Final = ("application/json", "text/event-stream", "image/svg+xml", "image/png")
"""Media types of what the client asks a service for."""


class Call(NamedTuple):
    """An HTTP request, which is safe to repeat: it reads, or has an idempotency key."""

    method: str
    path: str
    token: str = ""
    params: Mapping[str, str | int | bool | None] = {}
    body: Mapping[str, object] | None = None
    headers: Mapping[str, str] = {}

    def build(self, http: httpx.Client | httpx.AsyncClient) -> httpx.Request:
        """The request of this call; parameters that are None are left out."""
        authorization = {"authorization": f"Bearer {self.token}"} if self.token else {}
        params = {name: value for name, value in self.params.items() if value is not None}
        headers = {**authorization, **self.headers}
        return http.build_request(self.method, self.path, params=params, json=self.body, headers=headers)


class Backoff:
    """Pauses between attempts, which grow exponentially, and a deadline that begins with the first error."""

    def __init__(self, seconds: float, on_outage: Callable[[bool], None]) -> None:
        """`on_outage` is called with True when an outage begins, and with False when it ends."""
        self._seconds: Final = seconds
        self._on_outage: Final = on_outage
        self._deadline: float | None = None
        self._pause = FIRST_PAUSE_SECONDS

    def reset(self) -> None:
        """Note that the service responded."""
        if self._deadline is not None:
            self._on_outage(False)
        self._deadline = None
        self._pause = FIRST_PAUSE_SECONDS

    def pause(self, error: Exception) -> float:
        """Seconds to wait before the next attempt. Raises the error, or `ConnectionError`, if there is to be none."""
        if isinstance(error, FiresideError) and error.status not in RETRYABLE_STATUSES:
            self.reset()
            raise error
        now = time.monotonic()
        retry_after = error.retry_after if isinstance(error, FiresideError) else 0.0
        # Random, so that the clients of a server that stopped do not all come back at the same moment.
        pause = max(self._pause * random.uniform(0.5, 1.0), retry_after)
        if now + pause > (self._deadline or now + self._seconds):
            raise error if isinstance(error, FiresideError) else connection_error(error) from error
        if self._deadline is None:
            self._deadline = now + self._seconds
            self._on_outage(True)
        self._pause = min(2 * self._pause, LONGEST_PAUSE_SECONDS)
        return pause


def connection_error(error: Exception) -> ConnectionError:
    """An error without details of the network, of which there is none but a broken connection."""
    kinds = ((httpx.ConnectError, "connection failed"), ((httpx.TimeoutException, TimeoutError), "timed out"))
    fault = next((text for kind, text in kinds if isinstance(error, kind)), "connection lost")
    return ConnectionError(f"the service does not answer: {fault}")


def base_url(url: str) -> str:
    """The URL of a service. Raises `ValueError` for what is none."""
    try:
        scheme = httpx.URL(url).scheme
    except httpx.InvalidURL:
        scheme = ""
    if scheme not in ("http", "https"):
        raise ValueError(f"{url!r} is not a URL that begins with http:// or https://")
    return url.rstrip("/")


def raise_for_error(response: httpx.Response) -> None:
    """Raise `FiresideError` for an error response, and for a response that no Fireside service sends."""
    media_type = response.headers.get("content-type", "").partition(";")[0]
    if response.status_code in (httpx.codes.NO_CONTENT, httpx.codes.NOT_MODIFIED):
        return
    if response.is_success and media_type in MEDIA_TYPES:
        return
    retry_after = response.headers.get("retry-after", "")
    seconds = float(retry_after) if retry_after.isdecimal() else 0.0
    try:
        raise problem_error(response.json(), seconds)
    except (ValueError, KeyError, TypeError) as error:
        if isinstance(error, FiresideError):
            raise
    detail = f"{response.url.host} is not a Fireside service: {response.status_code} {response.reason_phrase}"
    raise FiresideError(response.status_code, "", detail, retry_after=seconds) from None


def problem_error(problem: Problem, retry_after: float = 0.0) -> FiresideError:
    """The error of a problem of the service. Raises `KeyError` or `TypeError` for something else."""
    fields = problem["violations"], problem["metadata"]
    return FiresideError(problem["status"], problem["reason"], problem["detail"], *fields, retry_after)


class EventParser:
    """Parses the lines of server-sent events into messages like those of gRPC: `{"event": …}`, `{"turn": …}`."""

    def __init__(self, after: int | str) -> None:
        self.position = after
        """Revision or event id of the last message, after which the stream is resumed."""
        self._kind = "event"
        self._data: list[str] = []

    def feed(self, line: str) -> dict[str, object] | None:
        """The message that a line ends, if any. Raises `FiresideError` for a problem that ends the stream."""
        name, _, value = line.partition(": ")
        if name == "event":
            self._kind = value
        elif name == "data":
            self._data.append(value)
        if line or not self._data:
            return None
        data, kind = json.loads("\n".join(self._data)), self._kind
        self._kind, self._data = "event", []
        if kind == "problem":
            raise problem_error(data)
        self.position = data["eventId"] if "eventId" in data else data["revision"]
        return {kind: data}


class PlayProtocol:
    """Messages of Play over WebSocket as JSON, and the revision after which its events are resumed."""

    def __init__(self, token: str, after: int | None, locale: str) -> None:
        """`after`: also send log entries after this revision."""
        self._token: Final = token
        self._after = after
        self._locale: Final = locale

    def join(self) -> str:
        """The first message."""
        optional = {"fromRevision": self._after, "locale": self._locale or None}
        join = {name: value for name, value in optional.items() if value is not None}
        return json.dumps({"token": self._token, "join": {**join, "batched": True}})

    def choice(self, move: object, revision: int) -> str:
        """The choice in response to a turn, whose match has the revision."""
        return json.dumps({"choice": {"revision": revision, **choice(move)}})

    def read(self, text: str | bytes) -> list[dict[str, object]]:
        """The messages in a text of the service; none in a heartbeat. Raises `FiresideError` for a problem."""
        received: dict[str, object] = json.loads(text)
        if "problem" in received:
            raise problem_error(cast(Problem, received["problem"]))
        batch = cast("dict[str, list[dict[str, object]]]", received.get("batch", {"responses": [received]}))
        messages = [message for message in batch["responses"] if message]
        for message in messages:
            if self._after is not None and "event" in message:
                self._after = cast("dict[str, int]", message["event"])["revision"]
        return messages


def choice(move: object) -> dict[str, object]:
    """The member of a request that has a move, in notation or as a message."""
    return {"notation" if isinstance(move, str) else "move": move}


def given(body: Mapping[str, object]) -> dict[str, object]:
    """A body without the members that are None."""
    return {name: value for name, value in body.items() if value is not None}


def game_path(game: str) -> str:
    """The path that the routes of a game begin with."""
    return f"/v1/{segment(game.replace('_', '-'))}"


def segment(name: str) -> str:
    """A name or id as one segment of a path. Ids come from other users: `../../webhooks` must not lead elsewhere."""
    return quote(name, safe="")


def websocket_url(url: str, path: str) -> str:
    """The URL of a WebSocket of the service at `url`."""
    return f"ws{url.removeprefix('http')}{path}"
