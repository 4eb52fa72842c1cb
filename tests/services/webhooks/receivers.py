"""Receivers of webhooks on real sockets, and events for them."""

from __future__ import annotations

import asyncio
import base64
import hmac
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, cast

from fireside.platform.v1.platform_pb2 import PlatformEvent, PlatformPlayer, PlatformTurn
from redis.asyncio import Redis

from services.store.keys import events_key
from tests.services.bots.third_parties import http_response, webhook

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ"
PLATFORM = "ours-digest"
Respond = Callable[[int], Awaitable[bytes]]
"""The response to the request of that number, from 0."""


@dataclass
class Receiver:
    """What a receiver has got: heads in lower case, and bodies."""

    url: str
    requests: list[tuple[dict[str, str], bytes]]

    async def got(self, number: int, seconds: float = 20) -> list[tuple[dict[str, str], Any]]:
        """The first requests, with bodies as JSON, whose signatures are verified; waits until there are as many."""
        end = time.monotonic() + seconds
        while len(self.requests) < number:
            assert time.monotonic() < end, f"{len(self.requests)} of {number} requests"
            await asyncio.sleep(0.02)
        return [(head, verified(head, body)) for head, body in self.requests]

    @property
    def ids(self) -> list[str]:
        """The ids of all events that came, in order."""
        return [head["webhook-id"] for head, _ in self.requests]


def verified(head: dict[str, str], body: bytes) -> Any:
    """The JSON of a request whose signature is right, as Standard Webhooks has receivers check it."""
    assert abs(time.time() - int(head["webhook-timestamp"])) < 300
    assert head["webhook-signature"] == signature_by(SECRET, head, body)
    return json.loads(body)


def signature_by(secret: str, head: dict[str, str], body: bytes) -> str:
    """The entry of `webhook-signature` that a secret gives."""
    signed = f"{head['webhook-id']}.{head['webhook-timestamp']}.".encode() + body
    digest = hmac.digest(base64.b64decode(secret.removeprefix("whsec_")), signed, "sha256")
    return f"v1,{base64.b64encode(digest).decode()}"


async def respond_ok(number: int) -> bytes:
    return http_response("204 No Content", b"")


@asynccontextmanager
async def receiver(respond: Respond = respond_ok) -> AsyncIterator[Receiver]:
    """Run a receiver."""
    requests: list[tuple[dict[str, str], bytes]] = []

    async def handle(data: bytes, writer: asyncio.StreamWriter) -> None:
        head, _, body = data.partition(b"\r\n\r\n")
        lines = [line.partition(":") for line in head.decode().split("\r\n")[1:]]
        requests.append(({name.lower(): value.strip() for name, _, value in lines}, body))
        writer.write(await respond(len(requests) - 1))

    async with webhook(handle) as url:
        yield Receiver(url, requests)


async def add_event(redis: Redis, revision: int = 1, platform: str = PLATFORM, kind: str = "turn") -> str:
    """Add an event to the stream of a platform; its id."""
    event = PlatformEvent(match_id="m", game="fire_bulls", revision=revision)
    if kind == "turn":
        event.turn.CopyFrom(PlatformTurn(players=[PlatformPlayer(seat=0, name="Ada", player_id="ada")]))
    else:
        event.over.reason = "majority"
    return cast(bytes, await redis.xadd(events_key(platform), {"event": event.SerializeToString()})).decode()
