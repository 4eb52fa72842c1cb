"""Reads server-sent events: an event's type, its id, and its data as JSON."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable
from typing import NamedTuple

import httpx


class ServerSentEvent(NamedTuple):
    """An event that was received."""

    kind: str
    """Its type; empty for a log entry."""
    id: str
    data: dict[str, object]


class EventStreamParser:
    """Parses a stream line by line."""

    def __init__(self) -> None:
        self._fields: dict[str, str] = {}
        self.last_id = ""
        """The last id, also of an event without data, by which a client resumes."""

    def event(self, line: str) -> ServerSentEvent | None:
        """The event that a line ends; None if it ends none."""
        if line:
            name, _, value = line.partition(":")
            self._fields[name] = value.removeprefix(" ")
            return None
        fields, self._fields = self._fields, {}
        self.last_id = fields.get("id", self.last_id)
        if "data" not in fields:
            return None
        return ServerSentEvent(fields.get("event", ""), self.last_id, json.loads(fields["data"]))


async def server_sent_events(
    response: httpx.Response, parser: EventStreamParser | None = None
) -> AsyncIterator[ServerSentEvent]:
    """The events of a response, of all types."""
    parser = parser or EventStreamParser()
    async for line in response.aiter_lines():
        if event := parser.event(line):
            yield event


async def log_entries(
    response: httpx.Response, parser: EventStreamParser | None = None
) -> AsyncIterator[ServerSentEvent]:
    """The events of a response that are log entries."""
    async for event in server_sent_events(response, parser):
        if not event.kind:
            yield event


def parsed_events(text: str) -> Iterable[ServerSentEvent]:
    """The events of a whole response, of all types."""
    parser = EventStreamParser()
    return [event for line in text.splitlines() if (event := parser.event(line))]
