"""Players come and go at tables while Redis, engines and the gateway are killed: no code, seat or token is used twice.

`make load PROFILE=tables` has 500 players at 100 tables for five minutes.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from runtime import api_keys
from services.engine.codecs import CODECS
from tests.soak.killable_stack import ServiceStack
from tests.soak.table_players import Findings, TableClient, Tables
from tests.soak.test_crashes import kill_in_turn

SECONDS = float(os.environ.get("FIRESIDE_TABLES_SECONDS", "10"))
TABLES = int(os.environ.get("FIRESIDE_TABLES", "6"))
PLAYERS_A_TABLE = 5
API_KEY = api_keys.new_key()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[ServiceStack]:
    with ServiceStack(tmp_path, FIRESIDE_API_KEYS=api_keys.key_entry("club", API_KEY)) as service:
        yield service


async def test_kills_give_no_seat_twice_and_revive_no_token(service: ServiceStack) -> None:
    findings = Findings()
    client = TableClient(service.gateway.url, API_KEY)
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
    print("\nkills", ", ".join(f"{name} {number}" for name, number in kills.items()))
    print(", ".join(f"{name} {number}" for name, number in sorted(findings.counts.items())))
    print(f"codes used twice {findings.codes_used_twice}, seats with two valid tokens {twice}")
    print(f"dead tokens taken {findings.dead_tokens_taken}")
    assert findings.counts["seats taken"] > 0
    assert findings.counts["matches begun"] > 0
    assert (findings.codes_used_twice, twice, findings.dead_tokens_taken) == (0, 0, 0)
