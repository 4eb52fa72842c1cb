"""Workers deliver each event at least once, signed, to receivers that respond well or badly, and to no others."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import cast

import pytest
from fakeredis import FakeAsyncRedis, FakeServer
from fireside.platform.v1.webhook_pb2 import WebhookDelivery
from redis.asyncio import Redis

from services.bots.remote.allowed import allowed_addresses
from services.grpc_server.errors import UnknownWebhook
from services.store.keys import webhook_keys
from services.store.matches.store import Store
from services.store.webhooks import store as webhook_store
from services.store.webhooks.store import StoredWebhook, WebhookRef, WebhookTarget
from services.webhooks import worker as module
from services.webhooks.sender import WebhookSender
from services.webhooks.settings import WebhookSettings
from services.webhooks.worker import WebhookWorker
from tests.redis_clients import keys_of, redis_at
from tests.services.bots.third_parties import http_response
from tests.services.processes import Process
from tests.services.store.stores import store_on
from tests.services.webhooks.receivers import PLATFORM, SECRET, add_event, receiver, signature_by

DAY_SECONDS = 24 * 60 * 60
SECRETS = [SECRET, *[f"whsec_{letter * 32}" for letter in "ABCDE"]]


@pytest.fixture
async def redis(store_url: str) -> AsyncIterator[Redis]:
    redis = redis_at(store_url) if store_url else FakeAsyncRedis(server=FakeServer())
    await redis.flushdb()
    yield redis
    await redis.aclose()


@pytest.fixture
async def store(redis: Redis, store_url: str) -> AsyncIterator[Store]:
    store = store_on(redis, store_url, DAY_SECONDS)
    yield store
    await store.close()


@pytest.fixture
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RETRY_SECONDS", (0.05, 0.1))
    monkeypatch.setattr(module, "POLL_SECONDS", 0.02)


@asynccontextmanager
async def worker(store: Store, *urls: str, seconds: float = 2) -> AsyncIterator[WebhookWorker]:
    """A worker that may call these addresses."""
    running = WebhookWorker(WebhookSettings(allow=allowed_addresses(",".join(urls)), seconds=seconds), store)
    running.start()
    try:
        yield running
    finally:
        await running.stop()


async def new_webhook(store: Store, url: str, *types: str, platform: str = PLATFORM) -> WebhookRef:
    ref = WebhookRef(platform, f"w{url.rsplit(':', 1)[1].strip('/')}")
    assert await store.webhooks().create(ref, WebhookTarget(url, SECRET, types)) == "created"
    return ref


async def log_of(store: Store, ref: WebhookRef, number: int) -> list[WebhookDelivery]:
    """The log, oldest first, once it has as many lines."""
    end = time.monotonic() + 10
    while len(lines := await store.webhooks().log(ref)) < number:
        assert time.monotonic() < end, lines
        await asyncio.sleep(0.02)
    return [WebhookDelivery.FromString(line) for line in reversed(lines)]


async def disabled(store: Store, ref: WebhookRef) -> StoredWebhook:
    """The webhook, once it is disabled."""
    end = time.monotonic() + 10
    while not (webhook := await store.webhooks().webhook(ref)).disabled_reason:
        assert time.monotonic() < end
        await asyncio.sleep(0.02)
    return webhook


def statuses(*lines: str) -> Callable[[int], Awaitable[bytes]]:
    """Responds with these statuses, one after the other; then with the last one."""

    async def respond(number: int) -> bytes:
        return http_response(lines[min(number, len(lines) - 1)], b"", "location: http://127.0.0.1:1/")

    return respond


async def test_events_are_sent_signed_in_the_payload_of_the_specification(redis: Redis, store: Store) -> None:
    async with receiver() as target, worker(store, target.url):
        ref = await new_webhook(store, target.url)
        ids = [await add_event(redis), await add_event(redis, 2, kind="over")]
        got = await target.got(2)
        payloads = {head["webhook-id"]: body for head, body in got}
        assert sorted(payloads) == ids
        turn = payloads[ids[0]]
        assert turn["type"] == "match.turn"
        assert turn["timestamp"] == turn["data"]["eventTime"]
        assert turn["data"]["eventId"] == ids[0]
        assert turn["data"]["turn"]["players"] == [{"seat": 0, "name": "Ada", "playerId": "ada", "bot": ""}]
        assert payloads[ids[1]]["type"] == "match.over"
        log = await log_of(store, ref, 2)
        assert {(each.event_id, each.attempt, each.status, each.error) for each in log} == {
            (i, 1, 204, "") for i in ids
        }


async def test_only_later_events_of_its_types_and_its_platform_are_sent(redis: Redis, store: Store) -> None:
    await add_event(redis)
    async with receiver() as target, worker(store, target.url):
        await new_webhook(store, target.url, "match.over")
        await add_event(redis, 2)
        await add_event(redis, 3, "another-platform", "over")
        wanted = await add_event(redis, 4, kind="over")
        await target.got(1)
        await asyncio.sleep(0.3)
        assert target.ids == [wanted]


@pytest.mark.usefixtures("short_pauses")
async def test_failures_are_retried_with_the_same_id_until_a_success(redis: Redis, store: Store) -> None:
    async with receiver(statuses("500 No", "302 Found", "200 OK")) as target, worker(store, target.url):
        ref = await new_webhook(store, target.url)
        event_id = await add_event(redis)
        got = await target.got(3)
        log = await log_of(store, ref, 3)
        assert {head["webhook-id"] for head, _ in got} == {event_id}
        assert [body for _, body in target.requests] == [target.requests[0][1]] * 3
        assert [(each.attempt, each.status, each.error) for each in log] == [
            (1, 500, "status 500"),
            (2, 302, "status 302: redirects are not followed"),
            (3, 200, ""),
        ]
        assert not (await store.webhooks().webhook(ref)).failing_since_ms


@pytest.mark.usefixtures("short_pauses")
async def test_an_event_is_given_up_after_its_last_attempt(redis: Redis, store: Store) -> None:
    async with receiver(statuses("503 Busy")) as target, worker(store, target.url):
        ref = await new_webhook(store, target.url)
        await add_event(redis)
        await log_of(store, ref, 3)
        await asyncio.sleep(0.5)
        assert len(target.requests) == 3
        assert (await store.webhooks().webhook(ref)).failing_since_ms


@pytest.mark.usefixtures("short_pauses")
@pytest.mark.parametrize("status", ["429 Too Many Requests", "503 Busy"])
async def test_a_receiver_that_asks_to_wait_gets_nothing_meanwhile(redis: Redis, store: Store, status: str) -> None:
    times: list[float] = []

    async def respond(number: int) -> bytes:
        times.append(time.monotonic())
        return http_response(status, b"", "retry-after: 1") if number == 0 else http_response("200 OK", b"")

    async with receiver(respond) as target, worker(store, target.url):
        ref = await new_webhook(store, target.url)
        ids = [await add_event(redis)]
        [attempt] = await log_of(store, ref, 1)
        assert attempt.error == f"status {attempt.status}, which asks to wait 1 seconds"
        ids.append(await add_event(redis, 2))
        await store.webhooks().add_test(ref, "test-1")
        assert [each.event_id for each in await log_of(store, ref, 4)][1] == "test-1"
        assert times[1] - times[0] < 0.9
        assert min(times[2:]) - times[0] >= 1
        assert sorted(target.ids[2:]) == ids


@pytest.mark.parametrize(
    ("status", "header", "seconds"),
    [
        ("429 Too Many Requests", "120", 120),
        ("503 Busy", "99999999", 3600),
        ("503 Busy", "{date}", 60),
        ("503 Busy", "Wed, 21 Oct 2015 07:28:00 GMT", 0),
        ("503 Busy", "soon", 0),
        ("503 Busy", "-1", 0),
        ("503 Busy", "9" * 400, 0),
        ("500 No", "120", 0),
        ("204 No Content", "120", 0),
    ],
)
async def test_retry_after_is_bounded_and_only_of_429_and_503(status: str, header: str, seconds: int) -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    response = http_response(status, b"", f"retry-after: {header.format(date=date)}")

    async def respond(number: int) -> bytes:
        return response

    async with receiver(respond) as target:
        sender = WebhookSender(allowed_addresses(target.url), 2)
        result = await sender.send(WebhookTarget(target.url, SECRET), "id", b"{}")
        await sender.close()
        assert seconds - 2 < result.hold_seconds <= seconds


def test_the_pauses_grow_and_end_within_a_day() -> None:
    assert list(module.RETRY_SECONDS) == sorted(module.RETRY_SECONDS)
    assert (1 + module.JITTER) * sum(module.RETRY_SECONDS) < DAY_SECONDS


async def test_a_receiver_that_hangs_delays_no_other(redis: Redis, store: Store) -> None:
    async def hang(number: int) -> bytes:
        await asyncio.sleep(60)
        return b""

    async with (
        receiver(hang) as hanging,
        receiver() as target,
        worker(store, hanging.url, target.url, seconds=5),
    ):
        slow = await new_webhook(store, hanging.url)
        await new_webhook(store, target.url, platform="another-platform")
        for number in range(20):
            await add_event(redis, number)
        while not hanging.requests:
            await asyncio.sleep(0.02)
        await add_event(redis, 1, "another-platform")
        await target.got(1)
        assert not await store.webhooks().log(slow)  # its requests still hang
        [first, *_] = await log_of(store, slow, 1)
        assert (first.status, first.error) == (0, "no response within 5 seconds")
        assert first.latency_ms > 4900


async def test_410_disables_at_once(redis: Redis, store: Store) -> None:
    async with receiver(statuses("410 Gone")) as target, worker(store, target.url):
        ref = await new_webhook(store, target.url)
        await add_event(redis)
        webhook = await disabled(store, ref)
        assert webhook.disabled_reason == "the receiver answered 410 Gone"
        attempt, line = await log_of(store, ref, 2)
        assert (attempt.status, line.type, line.error) == (410, "webhook.disabled", webhook.disabled_reason)
        assert line.attempt_time.seconds >= attempt.attempt_time.seconds
        await add_event(redis, 2)
        await asyncio.sleep(0.7)
        assert len(target.requests) == 1
        assert not await store.webhooks().in_use()


@pytest.mark.usefixtures("short_pauses")
async def test_days_without_a_success_disable(redis: Redis, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "DISABLE_MS", 100)
    async with receiver(statuses("500 No")) as target, worker(store, target.url):
        ref = await new_webhook(store, target.url)
        await add_event(redis)
        await log_of(store, ref, 1)
        await asyncio.sleep(0.2)
        await add_event(redis, 2)
        assert (await disabled(store, ref)).disabled_reason == "no attempt has succeeded for days"
        log = await log_of(store, ref, 2)
        assert [each.error for each in log if each.type == "webhook.disabled"] == ["no attempt has succeeded for days"]


@pytest.mark.usefixtures("short_pauses")
async def test_an_enabled_webhook_gets_all_that_it_has_missed(redis: Redis, store: Store) -> None:
    """What was delivered before its failures began is not sent again; what was given up is."""
    answers = ["200 OK", "500 No", "500 No", "500 No", "410 Gone", "200 OK"]
    async with receiver(statuses(*answers)) as target, worker(store, target.url):
        ref = await new_webhook(store, target.url)
        delivered = await add_event(redis)
        await log_of(store, ref, 1)
        given_up = await add_event(redis, 2)
        await log_of(store, ref, 4)
        gone = await add_event(redis, 3)
        await disabled(store, ref)
        later = [await add_event(redis, number) for number in (4, 5)]
        assert target.ids == [delivered, *[given_up] * 3, gone]
        await store.webhooks().enable(ref, WebhookDelivery(type="webhook.enabled").SerializeToString())
        await target.got(9)
        log = await log_of(store, ref, 11)
        assert sorted(target.ids[5:]) == [given_up, gone, *later]
        assert [each.type for each in log][5:7] == ["webhook.disabled", "webhook.enabled"]
        assert {each.attempt for each in log[7:]} == {1}
        webhook = await store.webhooks().webhook(ref)
        assert (webhook.disabled_reason, webhook.failing_since_ms) == ("", 0)


async def test_enabling_a_webhook_in_use_changes_nothing(redis: Redis, store: Store) -> None:
    async with receiver() as target, worker(store, target.url):
        ref = await new_webhook(store, target.url)
        event_id = await add_event(redis)
        await log_of(store, ref, 1)
        await store.webhooks().enable(ref, b"")
        second = await add_event(redis, 2)
        assert len(await log_of(store, ref, 2)) == 2
        assert target.ids == [event_id, second]
        with pytest.raises(UnknownWebhook):
            await store.webhooks().enable(WebhookRef(PLATFORM, "another"), b"")


def signed_by(head: dict[str, str], body: bytes) -> list[str]:
    """The secrets that have signed, in the order of their signatures; "" for a signature of none of them."""
    known = {signature_by(secret, head, body): secret for secret in SECRETS}
    return [known.get(entry, "") for entry in head["webhook-signature"].split(" ")]


async def test_a_replaced_secret_signs_too_for_a_day(redis: Redis, store: Store) -> None:
    async with receiver() as target, worker(store, target.url):
        ref = await new_webhook(store, target.url)
        webhooks = store.webhooks()
        for secret in SECRETS[1:3]:
            assert await webhooks.rotate(ref, secret)
            assert await webhooks.rotate(ref, secret)  # a repeated request
        await add_event(redis)
        await log_of(store, ref, 1)
        assert signed_by(*target.requests[0]) == [SECRETS[2], SECRETS[1], SECRETS[0]]
        assert [await webhooks.rotate(ref, secret) for secret in SECRETS[3:]] == [True, True, False]
        old = cast(bytes, (await redis.hgetall(webhook_keys(*ref)[0]))[b"old_secrets"])
        ends = [int(entry.partition(b":")[0]) for entry in old.split()]
        assert len(ends) == 4
        assert all(86_000_000 < end - 1000 * time.time() <= 86_400_000 for end in ends)


async def test_a_replaced_secret_ends(redis: Redis, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhook_store, "SECRET_OVERLAP_MS", 1)
    async with receiver() as target, worker(store, target.url):
        ref = await new_webhook(store, target.url)
        for secret in [*SECRETS[1:], SECRETS[0], SECRETS[1]]:
            assert await store.webhooks().rotate(ref, secret)
            await asyncio.sleep(0.01)
        await add_event(redis)
        await log_of(store, ref, 1)
        assert signed_by(*target.requests[0]) == [SECRETS[1]]


async def test_an_address_that_is_no_longer_allowed_is_not_called(redis: Redis, store: Store) -> None:
    async with receiver() as target, worker(store, "http://127.0.0.1:1/"):
        ref = await new_webhook(store, target.url)
        await add_event(redis)
        [attempt] = await log_of(store, ref, 1)
        assert attempt.error == "the service does not allow this address"
        assert not target.requests


async def test_a_receiver_that_is_down_is_tried_again(redis: Redis, store: Store, short_pauses: None) -> None:
    async with receiver() as gone:
        pass
    async with worker(store, gone.url):
        ref = await new_webhook(store, gone.url)
        await add_event(redis)
        attempts = await log_of(store, ref, 3)
        assert [(each.status, each.error) for each in attempts] == [(0, "connection failed")] * 3


async def test_a_webhook_that_was_created_a_moment_ago_gets_its_first_event_at_once(
    redis: Redis, store: Store, short_pauses: None
) -> None:
    async with receiver() as first, receiver() as second, worker(store, first.url, second.url):
        await new_webhook(store, first.url)
        await add_event(redis)
        await first.got(1)  # the worker waits for events of the first webhook alone
        ref = await new_webhook(store, second.url)
        await store.webhooks().add_test(ref, f"{webhook_store.TEST_PREFIX}1")
        await second.got(1)
        await add_event(redis, 2)
        await second.got(2, seconds=5)


async def test_two_workers_send_each_event_once(redis: Redis, store: Store) -> None:
    async with receiver() as target, worker(store, target.url), worker(store, target.url):
        ref = await new_webhook(store, target.url)
        ids = [await add_event(redis, number) for number in range(200)]
        await log_of(store, ref, 100)
        await target.got(200)
        await asyncio.sleep(0.3)
        assert sorted(target.ids) == sorted(ids)
        assert len(await store.webhooks().log(ref)) == 100


async def test_a_deleted_webhook_gets_nothing_more(redis: Redis, store: Store) -> None:
    async with receiver() as target, worker(store, target.url):
        ref = await new_webhook(store, target.url)
        await add_event(redis)
        await log_of(store, ref, 1)
        await store.webhooks().delete(ref)
        await add_event(redis, 2)
        await asyncio.sleep(0.7)
        assert len(target.requests) == 1
        assert not [key for key in await keys_of(redis) if b"webhook" in key]


async def test_a_killed_worker_loses_nothing(redis_url: str) -> None:
    """Killed while requests are in flight: another worker makes these attempts again, with the same ids."""
    release = asyncio.Event()

    async def respond(number: int) -> bytes:
        await release.wait()
        return http_response("200 OK", b"")

    def started(url: str) -> Process:
        return Process("webhooks", REDIS_URL=redis_url, FIRESIDE_WEBHOOK_ALLOW=url, FIRESIDE_WEBHOOK_SECONDS="2")

    async with redis_at(redis_url) as redis, receiver(respond) as target:
        await redis.flushdb()
        store = store_on(redis, redis_url, DAY_SECONDS)
        try:
            with started(target.url) as killed:
                assert await asyncio.to_thread(killed.line) == "Fireside webhooks deliver events"
                ref = await new_webhook(store, target.url)
                ids = [await add_event(redis, number) for number in range(20)]
                await target.got(1)
                os.kill(killed.pid, signal.SIGKILL)
            release.set()
            with started(target.url):
                end = time.monotonic() + 40
                while len(await store.webhooks().log(ref)) < 20:
                    assert time.monotonic() < end
                    await asyncio.sleep(0.1)
            assert {*target.ids} == {*ids}
            await target.got(len(target.requests))
            attempts = [WebhookDelivery.FromString(line).attempt for line in await store.webhooks().log(ref)]
            assert max(attempts) == 2
        finally:
            await store.close()


def test_the_role_needs_a_redis() -> None:
    code, log = Process("webhooks", REDIS_URL="").wait()
    assert (code, log.strip()[:19]) == (2, "fireside: REDIS_URL")
