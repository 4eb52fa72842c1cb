"""Async ledger whose Redis becomes unavailable."""

from __future__ import annotations

import asyncio
import gc
import time
from pathlib import Path

import pytest

from services.grpc_server.errors import StoreUnavailable
from services.tournaments.ledger.async_ledger import ANSWER_SECONDS, AsyncLedger
from services.tournaments.ledger.redis import open_redis_ledger
from tests.redis_server import redis_server

GATEWAY_SECONDS = 10.0


async def test_fault32_an_unavailable_ledger_is_an_error_in_time_and_the_log_stays_short(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with redis_server(tmp_path) as url:
        ledger = open_redis_ledger(url)
    began = time.monotonic()
    with pytest.raises(StoreUnavailable):
        await AsyncLedger(ledger, seconds=0.2).tournament("t1")
    assert time.monotonic() - began < 4
    assert ANSWER_SECONDS < GATEWAY_SECONDS
    await asyncio.get_running_loop().shutdown_default_executor()  # when the step, too, has failed
    await asyncio.sleep(0)
    gc.collect()
    assert [record.getMessage() for record in caplog.records if record.name == "asyncio"] == []
