"""Players come and go at tables while parts are killed: no code, seat or token is used twice, and no webhook is lost.

`make load PROFILE=tables` has 500 players at 100 tables for five minutes.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from random import Random
from typing import cast

from redis.asyncio import Redis

from runtime import api_keys
from services.engine.codecs import CODECS
from services.grpc_server.admission.callers import caller_digest
from services.store.keys import events_key
from tests.services.processes import Process
from tests.services.webhooks.receivers import Receiver, receiver
from tests.soak.killable_stack import ServiceStack
from tests.soak.table_players import Findings, TableClient, Tables
from tests.soak.test_crashes import kill_in_turn

SECONDS = float(os.environ.get("FIRESIDE_TABLES_SECONDS", "10"))
TABLES = int(os.environ.get("FIRESIDE_TABLES", "6"))
PLAYERS_A_TABLE = 5
API_KEY = api_keys.new_key()
DELIVERY_SECONDS = 120
"""Time for the webhooks that are left when the players have stopped."""


class WebhookWorker:
    """A worker of webhooks."""

    name = "webhooks"

    def __init__(self, redis_url: str, allowed: str) -> None:
        self._environment = {"REDIS_URL": redis_url, "FIRESIDE_WEBHOOK_ALLOW": allowed, "FIRESIDE_WEBHOOK_SECONDS": "2"}
        self._process: Process | None = None

    def start(self) -> None:
        self._process = Process("webhooks", FIRESIDE_LOG_LEVEL="ERROR", **self._environment)
        assert self._process.line()

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process = None


async def test_kills_give_no_seat_twice_revive_no_token_and_lose_no_webhook(tmp_path: Path) -> None:
    async with receiver() as target:
        keys = api_keys.key_entry("club", API_KEY)
        stack = ServiceStack(tmp_path, FIRESIDE_API_KEYS=keys, FIRESIDE_WEBHOOK_ALLOW=target.url)
        stack.parts.append(WebhookWorker(stack.redis.url, target.url))
        with stack as service:
            await _play(service, target)


async def _play(service: ServiceStack, target: Receiver) -> None:
    findings = Findings()
    client = TableClient(service.gateway.url, API_KEY)
    await client.call("POST", "/v1/webhooks", url=target.url)
    games = {f"/v1/{name.replace('_', '-')}/matches": codec.game.max_seats for name, codec in CODECS.items()}
    tables = Tables(client, games, findings)
    running = [asyncio.create_task(tables.host(Random(f"host {number}"))) for number in range(TABLES)]
    running += [
        asyncio.create_task(tables.player(f"player-{number}", Random(number)))
        for number in range(TABLES * PLAYERS_A_TABLE)
    ]
    kills = await kill_in_turn(service.parts, running, SECONDS)
    tables.stopping.set()
    await asyncio.wait_for(asyncio.gather(*running), 120)
    twice = await tables.seats_with_two_tokens()
    await client.close()
    events = await _events(service.redis.url)
    missing = await _undelivered(events, target)
    print("\nkills", ", ".join(f"{name} {number}" for name, number in kills.items()))
    print(", ".join(f"{name} {number}" for name, number in sorted(findings.counts.items())))
    print(f"codes used twice {findings.codes_used_twice}, seats with two valid tokens {twice}")
    print(f"dead tokens taken {findings.dead_tokens_taken}")
    print(f"events {len(events)}, webhooks {len(target.ids)}, events without a webhook {len(missing)}")
    assert findings.counts["seats taken"] > 0
    assert findings.counts["matches begun"] > 0
    assert events
    assert (findings.codes_used_twice, twice, findings.dead_tokens_taken, len(missing)) == (0, 0, 0, 0)


async def _events(redis_url: str) -> set[str]:
    """The ids of all events of the platform."""
    async with Redis.from_url(redis_url) as redis:
        found = cast(list[tuple[bytes, object]], await redis.xrange(events_key(caller_digest("club"))))
    return {event_id.decode() for event_id, _ in found}


async def _undelivered(events: set[str], target: Receiver) -> set[str]:
    """The events of which no webhook has come in time."""
    for _ in range(DELIVERY_SECONDS):
        if events <= set(target.ids):
            break
        await asyncio.sleep(1)
    return events - set(target.ids)
