"""Pages of the history, for every game, on both kinds of store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from random import Random
from typing import cast

import grpc
import pytest
from google.protobuf.message import Message

from services.engine.codecs import CODECS, AnyCodec
from services.engine.main import Engine
from services.engine.requests.checks import MAX_LINES
from services.grpc_server.admission import long_work
from tests.services.client import Refusal
from tests.services.registry import GameClient, MatchDriver, field


@pytest.fixture(params=list(CODECS.values()), ids=list(CODECS))
async def driver(engine: Engine, request: pytest.FixtureRequest) -> AsyncIterator[MatchDriver]:
    """A match in which some moves have been made."""
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        driver = await GameClient(channel, request.param).begin()
        await driver.play(Random(1), 12)
        yield driver


async def _history_pages(driver: MatchDriver, token: str, size: int) -> list[list[Message]]:
    pages: list[list[Message]] = []
    after: object = 0
    while True:
        answer = await driver.call("History", token, from_revision=after, page_size=size)
        pages.append(cast(list[Message], list(field(answer, "events"))))  # type: ignore[call-overload]
        if not answer.HasField("next_revision"):
            return pages
        after = field(answer, "next_revision")


async def test_fault28_pages_add_up_to_the_whole_log(driver: MatchDriver) -> None:
    for token in ("", driver.tokens[0]):
        answer = await driver.call("History", token)
        whole = list(cast(list[Message], field(answer, "events")))
        assert not answer.HasField("next_revision")
        assert len(whole) == field(answer, "revision")
        assert len(whole) > 7
        for size in (1, 3, len(whole) - 1, len(whole), MAX_LINES):
            pages = await _history_pages(driver, token, size)
            assert [event for page in pages for event in page] == whole
            assert all(len(page) == size for page in pages[:-1])
            assert 0 < len(pages[-1]) <= size


async def test_fault28_a_page_after_the_end_is_empty_and_the_last(driver: MatchDriver) -> None:
    answer = await driver.call("History", "", from_revision=1_000_000, page_size=1)
    assert not field(answer, "events")
    assert not answer.HasField("next_revision")


@pytest.mark.parametrize("codec", CODECS.values(), ids=list(CODECS))
async def test_fault07_a_log_that_waits_to_be_encoded_is_sent_as_it_was(
    engine: Engine, codec: AnyCodec, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log is long work: what others add meanwhile is neither in its revision nor in its lines."""
    monkeypatch.setattr(long_work, "SLICE_SECONDS", 0.0)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        driver = await GameClient(channel, codec).begin()
        playing = asyncio.ensure_future(driver.play(Random(1), 40))
        number = 0
        while not playing.done() or number < 20:
            number += 1
            answer = await driver.call("History", driver.tokens[0])
            events = cast(list[Message], field(answer, "events"))
            assert len(events) == field(answer, "revision")
            assert field(events[-1], "head") == field(answer, "head")
        await playing


@pytest.mark.parametrize("size", [-1, MAX_LINES + 1, 2**31 - 1])
async def test_fault28_an_unsupported_page_size_is_refused(size: int, driver: MatchDriver) -> None:
    with pytest.raises(Refusal) as caught:
        await driver.call("History", "", page_size=size)
    assert (caught.value.reason, caught.value.fields) == ("INVALID_REQUEST", ["pageSize"])
