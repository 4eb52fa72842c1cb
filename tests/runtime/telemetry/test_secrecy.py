"""Secrecy of telemetry: logs, metrics and Redis pub/sub messages contain no secrets, at any log level."""

from __future__ import annotations

import base64
import re
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
from fireside.match.v1.match_record_pb2 import MatchHeader
from redis import Redis

from runtime import api_keys
from services.store.keys import match_keys
from tests.redis_server import free_port, redis_server
from tests.runtime.telemetry.stack import GAMES, Seats, new_match, running_stack

REDIS_PASSWORD = "canary-of-redis-0123456789"
SIGNING_SEED = "5ec2e7" * 10 + "cafe"
TOKEN_KEY = "canary-of-tokens-0123456789abcdefghi"
BOT_SECRET = "canary-of-webhooks-0123456789abcdefg"
INVALID_TOKEN = "canary.of.a.token.that.is.none"


def encodings_of(secret: bytes) -> Iterator[str]:
    """How bytes might be written."""
    yield secret.hex()
    yield base64.b64encode(secret).decode().rstrip("=")
    yield repr(secret)[2:-1]


def stored_values(redis: Redis, match_id: str) -> Iterator[bytes]:
    """What nobody may know of a match: its seed, and its state."""
    header = redis.hget(match_keys(match_id)[0], "header")
    state = redis.hget(match_keys(match_id)[0], "state")
    assert isinstance(header, bytes)
    assert isinstance(state, bytes)
    yield MatchHeader.FromString(header).secret_seed
    yield state[:24]


@contextmanager
def recorded_messages(url: str, messages: list[tuple[bytes, bytes]]) -> Iterator[None]:
    """Hear all that is published, in a thread."""
    over = threading.Event()
    with Redis.from_url(url) as redis, redis.pubsub() as pubsub:
        pubsub.psubscribe("*")
        assert pubsub.get_message(timeout=5)

        def receive_messages() -> None:
            while not over.is_set():
                if message := pubsub.get_message(timeout=0.1):
                    messages.append((message["channel"], message["data"]))

        thread = threading.Thread(target=receive_messages)
        thread.start()
        yield
        over.set()
        thread.join()


def send_refused_requests(rest: httpx.Client, seats: Seats) -> None:
    """Calls that go wrong, each with something secret."""
    key = {"Authorization": f"Bearer {INVALID_TOKEN}"}
    assert rest.get(seats.path, headers=key).status_code == 401
    assert rest.post(f"{seats.path}/moves", json={"notation": "nonsense-canary"}, headers=key).status_code in (400, 401)
    for token in seats.tokens.values():
        rest.post(f"{seats.path}/moves", json={"notation": "x"}, headers={"Authorization": f"Bearer {token}"})


def test_no_secret_is_in_logs_metrics_or_published_events(tmp_path: Path) -> None:
    api_key = api_keys.new_key()
    messages: list[tuple[bytes, bytes]] = []
    port = free_port()
    secrets = {REDIS_PASSWORD, TOKEN_KEY, SIGNING_SEED, BOT_SECRET, INVALID_TOKEN, api_key, "nonsense-canary"}
    settings = {
        "REDIS_URL": f"redis://:{REDIS_PASSWORD}@127.0.0.1:{port}/0",
        "FIRESIDE_API_KEYS": api_keys.key_entry("operator", api_key),
        "FIRESIDE_TOKEN_KEYS": f"k1:{TOKEN_KEY}",
        "FIRESIDE_SIGNING_KEYS": f"s1:{SIGNING_SEED}",
        "FIRESIDE_BOT_SECRET": BOT_SECRET,
        "FIRESIDE_BOT_PROCESSES": "1",
        "FIRESIDE_RATE_LIMIT": "100000/minute",
    }
    with ExitStack() as server:
        Redis.from_url(server.enter_context(redis_server(tmp_path, port=port))).config_set(
            "requirepass", REDIS_PASSWORD
        )
        with running_stack(tmp_path, **settings) as here, httpx.Client(base_url=here.url, timeout=30) as rest:
            with recorded_messages(settings["REDIS_URL"], messages):
                for game in GAMES:
                    seats = new_match(rest, game, **{"X-Api-Key": api_key})
                    seats.play(5)
                    send_refused_requests(rest, seats)
                    secrets |= {*seats.tokens.values(), *(each for each in seats.notations if len(each) > 5)}
                    with Redis.from_url(settings["REDIS_URL"]) as redis:
                        secrets |= {
                            text for secret in stored_values(redis, seats.match_id) for text in encodings_of(secret)
                        }
            metrics = here.metrics()
            server.close()
            assert rest.get(seats.path).status_code == 503
        log = here.log.read_text()
    assert len(secrets) > 25
    assert "store does not answer" in log
    assert f'"match_id": "{seats.match_id}"' in log
    for secret in secrets:
        assert secret not in log
        assert secret not in metrics
    assert seats.match_id not in metrics
    assert len(messages) > 5
    for channel, data in messages:
        assert re.fullmatch(rb"fireside:(log:\{b\d\d\}:[\w-]+|feed)", channel)
        assert data.isdigit()
