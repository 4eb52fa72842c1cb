"""Match store, embedded and on a real Redis: steps, expiry, outages and deadline claims."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from fakeredis import FakeAsyncRedis, FakeServer
from redis.asyncio import Redis

from services.grpc_server.errors import StoreFull, StoreUnavailable, UnknownMatch
from services.store.embedded import EmbeddedStore
from services.store.keys import TOKEN_KEY, deadlines_key_of, match_keys
from services.store.matches.steps import STORED_REQUESTS, IdempotentRequest, LostRace, Step
from services.store.matches.store import Store
from services.store.open import open_store
from tests.redis_clients import redis_at
from tests.redis_server import free_port, redis_server
from tests.services.store.stores import store_on

DAY_SECONDS = 86400


@pytest.fixture
async def redis(store_url: str) -> AsyncIterator[Redis]:
    redis = redis_at(store_url) if store_url else FakeAsyncRedis(server=FakeServer())
    yield redis
    await redis.aclose()


@pytest.fixture
async def store(redis: Redis, store_url: str) -> AsyncIterator[Store]:
    store = store_on(redis, store_url, DAY_SECONDS)
    yield store
    await store.close()


@pytest.fixture
async def match_id(store: Store) -> str:
    """A match at revision 2."""
    match_id = secrets.token_urlsafe(12)
    assert await store.create(match_id, b"header", b"state 2", b"progress 2", [b"one", b"two"])
    return match_id


def step_of(base_revision: int, *lines: bytes, request: IdempotentRequest | None = None) -> Step:
    revision = base_revision + len(lines)
    state, match_progress = f"state {revision}".encode(), f"progress {revision}".encode()
    return Step(base_revision, revision, state, match_progress, [*lines], request=request)


def idempotency_key(number: int) -> str:
    return f"{number:032}"


async def test_a_stored_match_can_be_read(store: Store, match_id: str) -> None:
    snapshot = await store.load(match_id)
    assert (snapshot.header, snapshot.state, snapshot.match_progress) == (b"header", b"state 2", b"progress 2")
    assert (snapshot.revision, snapshot.stored_response) == (2, None)


async def test_a_match_is_never_overwritten(store: Store, match_id: str) -> None:
    assert not await store.create(match_id, b"other", b"other", b"other", [b"other"])
    snapshot, lines = await store.read_log(match_id, 0)
    assert snapshot.header == b"header"
    assert lines == [b"one", b"two"]


async def test_a_step_changes_snapshot_and_log_together(store: Store, match_id: str) -> None:
    assert await store.commit(match_id, step_of(2, b"three", b"four")) is None
    snapshot, lines = await store.read_log(match_id, 1)
    assert (snapshot.state, snapshot.match_progress, snapshot.revision) == (b"state 4", b"progress 4", 4)
    assert lines == [b"two", b"three", b"four"]


async def test_a_step_on_an_outdated_revision_changes_nothing(store: Store, match_id: str) -> None:
    await store.commit(match_id, step_of(2, b"three"))
    with pytest.raises(LostRace) as caught:
        await store.commit(match_id, step_of(2, b"late", request=IdempotentRequest(idempotency_key(1), b"late")))
    assert (caught.value.base_revision, caught.value.snapshot) == (2, await store.load(match_id))
    snapshot, lines = await store.read_log(match_id, 2)
    assert (snapshot.state, lines) == (b"state 3", [b"three"])
    assert (await store.load(match_id, idempotency_key(1))).stored_response is None


async def test_of_concurrent_steps_on_one_revision_exactly_one_is_made(store: Store, match_id: str) -> None:
    steps = [store.commit(match_id, step_of(2, b"%d" % number)) for number in range(50)]
    outcomes = await asyncio.gather(*steps, return_exceptions=True)
    assert outcomes.count(None) == 1
    assert sum(isinstance(outcome, LostRace) for outcome in outcomes) == 49
    assert len((await store.read_log(match_id, 2))[1]) == 1


async def test_a_repeated_step_returns_the_stored_response(store: Store, match_id: str) -> None:
    repeated_step = step_of(2, b"three", request=IdempotentRequest(idempotency_key(1), b"answer"))
    assert await store.commit(match_id, repeated_step) is None
    assert await store.commit(match_id, repeated_step) == b"answer"
    assert (await store.load(match_id, idempotency_key(1))).stored_response == b"answer"
    assert (await store.load(match_id)).revision == 3


async def test_only_the_latest_requests_are_stored(store: Store, redis: Redis, match_id: str) -> None:
    for number in range(STORED_REQUESTS + 3):
        await store.commit(
            match_id, step_of(2 + number, b"line", request=IdempotentRequest(idempotency_key(number), b"%d" % number))
        )
    stored_numbers = [
        (await store.load(match_id, idempotency_key(number))).stored_response for number in range(STORED_REQUESTS + 3)
    ]
    assert stored_numbers[:4] == [None, None, None, b"3"]
    assert await redis.hlen(match_keys(match_id)[0]) == 6 + STORED_REQUESTS


async def test_fault16_a_step_made_for_another_redis_process_is_lost(store: Store, match_id: str) -> None:
    run_id = (await store.load(match_id)).run_id
    assert run_id == store.run_id_of(match_id) != ""
    for was, made_for in ((run_id, "another"), ("another", run_id)):
        with pytest.raises(LostRace) as lost:
            await store.commit(match_id, step_of(2, b"line")._replace(previous_run_id=was, expected_run_id=made_for))
        assert lost.value.snapshot.run_id == run_id
    assert (
        await store.commit(match_id, step_of(2, b"line")._replace(previous_run_id=run_id, expected_run_id=run_id))
        is None
    )


async def test_an_unknown_match_is_not_found(store: Store) -> None:
    for call in (store.load("nothing"), store.read_log("nothing", 0), store.commit("nothing", step_of(2, b"three"))):
        with pytest.raises(UnknownMatch):
            await call


async def test_both_keys_expire_together_after_each_step(store: Store, redis: Redis, match_id: str) -> None:
    keys = [match_keys(match_id)[0], match_keys(match_id)[1]]
    for name in keys:
        await redis.expire(name, 5)
    await store.commit(match_id, step_of(2, b"three"))
    assert [await redis.ttl(name) > DAY_SECONDS - 60 for name in keys] == [True, True]


async def test_an_expired_match_stays_unknown(redis: Redis, store_url: str) -> None:
    store = store_on(redis, store_url, 1)
    await store.create("short", b"header", b"state", b"progress", [b"one"])
    await asyncio.sleep(1.2)
    with pytest.raises(UnknownMatch):
        await store.commit("short", step_of(1, b"two"))
    await store.close()
    assert not await redis.exists(*match_keys("short"))


async def test_all_engines_on_a_store_get_one_token_key(store: Store) -> None:
    first = await store.shared_key(TOKEN_KEY)
    assert await store.shared_key(TOKEN_KEY) == first


async def test_scripts_are_sent_again_after_the_server_lost_them(store: Store, redis: Redis, match_id: str) -> None:
    await redis.script_flush()
    assert await store.commit(match_id, step_of(2, b"three")) is None


async def test_an_unreachable_store_is_unavailable() -> None:
    store = open_store(f"redis://127.0.0.1:{free_port()}/0", DAY_SECONDS)
    with pytest.raises(StoreUnavailable):
        await store.load("any")
    await store.close()


async def test_a_store_that_restarts_is_used_again(tmp_path: Path) -> None:
    port = free_port()
    with redis_server(tmp_path, port=port) as url:
        store = open_store(url, DAY_SECONDS)
        await store.create("one", b"header", b"state", b"progress", [b"line"])
    with pytest.raises(StoreUnavailable):
        await store.load("one")
    with redis_server(tmp_path, port=port):
        assert await store.create("one", b"header", b"state", b"progress", [b"line"])
    await store.close()


async def steps_until_full(store: Store, match_id: str) -> int:
    for step_count in range(100):
        try:
            await store.commit(match_id, step_of(1 + step_count, b"x" * 100_000))
        except StoreFull:
            return step_count
    return 100


async def test_a_store_without_memory_is_full_and_loses_nothing(tmp_path: Path) -> None:
    with redis_server(tmp_path, "--maxmemory", "4mb", "--maxmemory-policy", "noeviction") as url:
        store = open_store(url, DAY_SECONDS)
        await store.create("one", b"header", b"state 1", b"progress", [b"line"])
        step_count = await steps_until_full(store, "one")
        snapshot, lines = await store.read_log("one", 0)
        assert 0 < step_count < 100
        assert snapshot.revision == len(lines) == 1 + step_count
        with pytest.raises(StoreFull):
            await store.create("two", b"header", b"state", b"progress", [b"x" * 1_000_000])
        with pytest.raises(UnknownMatch):
            await store.load("two")
        await store.close()


async def test_a_store_above_its_limit_can_still_be_read(tmp_path: Path) -> None:
    with redis_server(tmp_path, "--maxmemory-policy", "noeviction") as url:
        store = open_store(url, DAY_SECONDS)
        await store.create("one", b"header", b"state 1", b"progress", [b"line"])
        await configure_redis(url, maxmemory="1")
        with pytest.raises(StoreFull):
            await store.commit("one", step_of(1, b"two"))
        assert (await store.load("one")).revision == 1
        assert (await store.read_log("one", 0))[1] == [b"line"]
        await store.close()


async def test_fault31_keys_of_a_full_store_are_read_by_new_processes(tmp_path: Path) -> None:
    with redis_server(tmp_path, "--maxmemory-policy", "noeviction") as url:
        store = open_store(url, DAY_SECONDS)
        key = await store.shared_key("key")
        await configure_redis(url, maxmemory="1")
        assert await store.shared_key("key") == key
        with pytest.raises(StoreFull):
            await store.shared_key("another")
        await store.close()


async def test_a_read_only_store_is_unavailable_until_it_accepts_writes(tmp_path: Path) -> None:
    with redis_server(tmp_path, "--min-replicas-to-write", "1") as url:
        store = open_store(url, DAY_SECONDS)
        with pytest.raises(StoreUnavailable):
            await store.create("one", b"header", b"state 1", b"progress", [b"line"])
        await configure_redis(url, **{"min-replicas-to-write": "0"})
        assert await store.create("one", b"header", b"state 1", b"progress", [b"line"])
        await store.close()


async def configure_redis(url: str, **settings: str) -> None:
    redis = redis_at(url)
    for name, value in settings.items():
        await redis.config_set(name, value)
    await redis.aclose()


async def test_a_log_never_extends_past_the_snapshot_read_with_it(store: Store, redis: Redis, match_id: str) -> None:
    await redis.xadd(match_keys(match_id)[1], {"entry": b"later"}, id="3-0")
    assert (await store.read_log(match_id, 0))[1] == [b"one", b"two"]
    assert (await store.read_log(match_id, 2))[1] == []
    assert (await store.read_log(match_id, 7))[1] == []


async def test_cancelled_callers_never_get_each_others_responses(redis_url: str) -> None:
    store = open_store(redis_url, DAY_SECONDS)
    ids = [secrets.token_urlsafe(12) for _ in range(8)]
    for match_id in ids:
        await store.create(match_id, match_id.encode(), b"state", b"progress", [b"line"])
    for number in range(2000):
        match_id = ids[number % len(ids)]
        task = asyncio.ensure_future(store.load(match_id))
        for _ in range(number % 7):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        if number % 50 == 0:
            found = await asyncio.gather(*[store.load(wanted) for wanted in ids])
            assert [snapshot.header.decode() for snapshot in found] == ids
    await store.close()


async def test_a_step_whose_caller_is_cancelled_is_still_made(redis_url: str) -> None:
    store = open_store(redis_url, DAY_SECONDS)
    match_id = secrets.token_urlsafe(12)
    await store.create(match_id, b"header", b"state", b"progress", [b"line"])
    await store.commit(match_id, step_of(1, b"two"))  # from here on Redis knows the script
    task = asyncio.ensure_future(store.commit(match_id, step_of(2, b"three")))
    await asyncio.sleep(0)
    task.cancel()
    await store.close()
    store = open_store(redis_url, DAY_SECONDS)
    assert (await store.load(match_id)).revision == 3
    await store.close()


async def test_the_embedded_store_frees_expired_matches() -> None:
    server = FakeServer()
    store = EmbeddedStore(1, server=server)
    for number in range(3):
        await store.create(f"old{number}", b"header", b"state", b"progress", [b"line"])
    await asyncio.sleep(1.2)
    await store.create("new", b"header", b"state", b"progress", [b"line"])
    assert sorted(server.dbs[0]._dict) == sorted(key.encode() for key in match_keys("new"))
    await store.close()


def test_the_embedded_store_logs_that_it_is_not_durable(caplog: pytest.LogCaptureFixture) -> None:
    open_store("", DAY_SECONDS)
    assert "gone when it stops" in caplog.text


async def test_a_finished_match_has_its_own_time_to_live(redis: Redis, store_url: str) -> None:
    store = store_on(redis, store_url, DAY_SECONDS, 100)
    match_id = secrets.token_urlsafe(12)
    keys = [match_keys(match_id)[0], match_keys(match_id)[1]]
    await store.create(match_id, b"header", b"state", b"progress", [b"one"])
    assert all([await redis.ttl(name) > 100 for name in keys])
    await store.commit(match_id, step_of(1, b"two")._replace(over=True))
    assert all([0 < await redis.ttl(name) <= 100 for name in keys])
    await store.close()


async def test_the_earliest_deadline_hint_is_stored_and_claims_expire(store: Store, redis: Redis) -> None:
    rules = secrets.token_urlsafe(12)
    await store.hint_deadline(rules, "one", 1000)
    await store.hint_deadline(rules, "one", 2000)
    assert await store.claim_due(rules, 999, 5000, 9) == []
    assert await store.claim_due(rules, 1000, 5000, 9) == ["one"]
    assert await store.claim_due(rules, 4999, 9000, 9) == []
    assert await store.claim_due(rules, 5000, 9000, 9) == ["one"]
    await store.correct_deadline(rules, "one", 0)
    assert not await redis.exists(deadlines_key_of(rules, "one"))


async def test_claims_of_due_matches_are_limited(store: Store) -> None:
    rules = secrets.token_urlsafe(12)
    for number in range(5):
        await store.hint_deadline(rules, str(number), 1000 + number)
    claimed = await store.claim_due(rules, 2000, 5000, 2)
    assert len(claimed) == 2
    rest = await store.claim_due(rules, 2000, 5000, 9)
    assert sorted([*claimed, *rest]) == ["0", "1", "2", "3", "4"]


async def test_a_store_that_evicts_keys_is_logged_as_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with redis_server(tmp_path, "--maxmemory-policy", "allkeys-lru") as url:
        store = open_store(url, DAY_SECONDS)
        await store.check_policy()
        assert "maxmemory-policy is allkeys-lru, not noeviction" in caplog.text
        caplog.clear()
        await configure_redis(url, **{"maxmemory-policy": "noeviction"})
        await store.check_policy()
        assert caplog.text == ""
        await store.close()


async def test_a_store_with_an_unknown_eviction_policy_is_logged_as_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with redis_server(tmp_path) as url:
        redis = redis_at(url)
        await redis.execute_command("ACL", "SETUSER", "default", "-info")  # type: ignore[no-untyped-call]
        await redis.aclose()
        store = open_store(url, DAY_SECONDS)
        await store.check_policy()
        assert "whether it evicts matches (NOPERM)" in caplog.text
        await store.close()


async def test_refused_writes_between_reads_are_logged_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with redis_server(tmp_path, "--replicaof", f"127.0.0.1 {free_port()}") as url:
        store = open_store(url, DAY_SECONDS)
        for _ in range(9):
            assert await store.header("match") is None
            with pytest.raises(StoreUnavailable):
                await store.hint_deadline("rules", "match", 1)
        await store.close()
    assert [record.getMessage() for record in caplog.records] == ["the store takes no writes: READONLY"]


@pytest.mark.parametrize(
    ("required", "userinfo", "kind"),
    [
        ("right", ":wrong@", "WRONGPASS"),
        ("right", "", "NOAUTH"),
        ("right", "nobody:right@", "WRONGPASS"),
        ("", ":needless@", "ERR"),
    ],
)
async def test_fault32_the_log_names_the_error_class_of_a_refused_login(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, required: str, userinfo: str, kind: str
) -> None:
    with redis_server(tmp_path) as url:
        await configure_redis(url, requirepass=required)
        store = open_store(url.replace("redis://", f"redis://{userinfo}"), DAY_SECONDS)
        with pytest.raises(StoreUnavailable):
            await store.load("any")
        await store.close()
    assert [record.getMessage() for record in caplog.records] == [f"the store does not answer: {kind}"]


async def test_fault32_the_log_names_the_error_class_of_a_failed_connection(caplog: pytest.LogCaptureFixture) -> None:
    for host in ("127.0.0.1", "no-such-host.invalid"):
        store = open_store(f"redis://{host}:{free_port()}/0", DAY_SECONDS)
        with pytest.raises(StoreUnavailable):
            await store.load("any")
        await store.close()
    messages = [record.getMessage() for record in caplog.records]
    assert messages == ["the store does not answer: ConnectionRefusedError", "the store does not answer: gaierror"]
