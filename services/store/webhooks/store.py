"""Webhooks in Redis: their settings, the deliveries that workers claim, and the logs of their attempts.

An event goes from the stream of its platform into the set of unfinished deliveries of each webhook, in the script by
which a worker claims attempts. A claim ends by itself: if the worker stops, another one makes the attempt.
`webhooks/due.lua` describes the keys. Consumer groups of Redis would not do: their entries have no time to be retried.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Final, NamedTuple, cast

from services.grpc_server.call_metrics import timed
from services.grpc_server.errors import UnknownWebhook
from services.store.keys import BUCKETS, bucket, due_webhooks_key, events_key, webhook_keys, webhooks_key
from services.store.redis import Argument
from services.store.scripts import Script, webhook_script
from services.store.turns.queue import Evaluate, Execute

MAX_WEBHOOKS: Final = 10
"""Most webhooks of a platform."""
TEST_PREFIX: Final = "test-"
"""Beginning of the ids of test events, which no stream has."""
MAX_SECRETS: Final = 5
"""Most secrets of a webhook that sign at once."""
SECRET_OVERLAP_MS: Final = 24 * 60 * 60 * 1000
"""How long a secret signs after it has been replaced."""


class WebhookRef(NamedTuple):
    """Names a webhook: the digest of its platform, and its id."""

    platform: str
    webhook_id: str

    def text(self) -> str:
        """The member of the sorted set of webhooks."""
        return f"{self.platform}/{self.webhook_id}"

    @staticmethod
    def parse(text: str) -> WebhookRef:
        """The name in a member."""
        platform, _, webhook_id = text.partition("/")
        return WebhookRef(platform, webhook_id)


class WebhookTarget(NamedTuple):
    """Where and how a webhook sends; no types mean all. A secret is `whsec_` and Base64; old ones sign too."""

    url: str
    secret: str
    types: tuple[str, ...] = ()
    old_secrets: tuple[str, ...] = ()


class StoredWebhook(NamedTuple):
    """A webhook as it is stored; times are in milliseconds since 1970, 0 for none."""

    webhook_id: str
    target: WebhookTarget
    created_ms: int
    failing_since_ms: int = 0
    disabled_reason: str = ""


class ClaimedAttempt(NamedTuple):
    """An attempt that a worker has to make; `event` is empty for a test, and if the stream has deleted it."""

    event_id: str
    attempt: int
    event: bytes


class AttemptEnd(NamedTuple):
    """How an attempt has ended; without `retry_ms` the event is done with. Nothing is sent for `hold_ms`.

    If the webhook has had no success for `disable_ms`, it is disabled, and its log gets the line `disabled_line`.
    """

    event_id: str
    outcome: str
    line: bytes = b""
    retry_ms: int | None = None
    hold_ms: int = 0
    disable_ms: int | None = None
    disable_reason: str = ""
    disabled_line: bytes = b""


DELIVERED: Final = "ok"
FAILED: Final = "failed"
SKIPPED: Final = "skipped"
"""Outcome of an event that the webhook did not want, or that a stream has deleted."""


class WebhookStore:
    """The webhooks in one Redis. Operations raise `StoreUnavailable` or `StoreFull`."""

    def __init__(self, execute: Execute, evaluate: Evaluate) -> None:
        self._execute: Final = execute
        self._evaluate: Final = evaluate
        self._create: Final = Script(webhook_script("webhooks/create.lua"))
        self._claim: Final = Script(webhook_script("webhooks/claim.lua"))
        self._finish: Final = Script(webhook_script("webhooks/finish.lua"))
        self._enable: Final = Script(webhook_script("webhooks/enable.lua"))
        self._rotate: Final = Script(webhook_script("webhooks/rotate.lua"))

    @timed
    async def create(self, ref: WebhookRef, target: WebhookTarget) -> str:
        """Store a webhook: `created`; `exists` if its id is taken, or `full` if the platform has `MAX_WEBHOOKS`."""
        keys = [
            webhooks_key(ref.platform),
            webhook_keys(*ref)[0],
            _due_key(ref),
            events_key(ref.platform),
        ]
        fields = ["url", target.url, "secret", target.secret, "types", ",".join(target.types)]
        arguments: list[Argument] = [ref.webhook_id, ref.text(), MAX_WEBHOOKS, *fields]
        return cast(bytes, await self._evaluate(self._create, keys, arguments)).decode()

    @timed
    async def webhook(self, ref: WebhookRef) -> StoredWebhook:
        """A webhook. Raises `UnknownWebhook`."""
        reply = cast(list[bytes], await self._execute("HGETALL", webhook_keys(*ref)[0]))
        if not reply:
            raise UnknownWebhook(ref.webhook_id)
        texts = [part.decode() for part in reply]
        return _webhook(ref.webhook_id, dict(zip(texts[::2], texts[1::2], strict=True)))

    @timed
    async def webhooks(self, platform: str) -> list[StoredWebhook]:
        """The webhooks of a platform, oldest first."""
        ids = cast(list[bytes], await self._execute("SMEMBERS", webhooks_key(platform)))
        found = []
        for webhook_id in ids:
            with suppress(UnknownWebhook):  # it is being deleted
                found.append(await self.webhook(WebhookRef(platform, webhook_id.decode())))
        return sorted(found, key=lambda webhook: (webhook.created_ms, webhook.webhook_id))

    @timed
    async def delete(self, ref: WebhookRef) -> None:
        """Delete a webhook with all that belongs to it. Raises `UnknownWebhook`."""
        # The set comes last: if this fails before, the webhook is still listed, and can be deleted again.
        await self._execute("ZREM", _due_key(ref), ref.text())
        await self._execute("DEL", *webhook_keys(*ref))
        if not await self._execute("SREM", webhooks_key(ref.platform), ref.webhook_id):
            raise UnknownWebhook(ref.webhook_id)

    @timed
    async def enable(self, ref: WebhookRef, line: bytes) -> None:
        """Put a webhook in use again; if it was disabled, `line` goes into its log. Raises `UnknownWebhook`."""
        if not await self._evaluate(self._enable, [_due_key(ref), *webhook_keys(*ref)], [ref.text(), line]):
            raise UnknownWebhook(ref.webhook_id)

    @timed
    async def rotate(self, ref: WebhookRef, secret: str) -> bool:
        """Replace the secret; False if `MAX_SECRETS` would sign. Raises `UnknownWebhook`."""
        arguments: list[Argument] = [secret, SECRET_OVERLAP_MS, MAX_SECRETS]
        outcome = await self._evaluate(self._rotate, webhook_keys(*ref)[:1], arguments)
        if outcome == b"unknown":
            raise UnknownWebhook(ref.webhook_id)
        return outcome == b"rotated"

    @timed
    async def add_test(self, ref: WebhookRef, event_id: str) -> None:
        """Let a worker send a test event, whose id begins with `TEST_PREFIX`."""
        await self._execute("ZADD", webhook_keys(*ref)[1], 0, event_id)
        await self._execute("ZADD", _due_key(ref), "XX", 0, ref.text())

    @timed
    async def log(self, ref: WebhookRef) -> list[bytes]:
        """The lines of the log of a webhook, newest first."""
        return cast(list[bytes], await self._execute("LRANGE", webhook_keys(*ref)[3], 0, -1))

    @timed
    async def due(self, most: int) -> list[WebhookRef]:
        """At most `most` webhooks that have to be looked at."""
        seconds, microseconds = cast(list[bytes], await self._execute("TIME"))
        now_ms = int(seconds) * 1000 + int(microseconds) // 1000
        return (await self._of_all_buckets("ZRANGEBYSCORE", "-inf", now_ms, "LIMIT", 0, most))[:most]

    @timed
    async def in_use(self) -> list[WebhookRef]:
        """All webhooks that are not disabled."""
        return await self._of_all_buckets("ZRANGE", 0, -1)

    async def _of_all_buckets(self, command: str, *arguments: Argument) -> list[WebhookRef]:
        """The webhooks that a command replies of the sets of all buckets."""
        keys = [due_webhooks_key(number) for number in range(BUCKETS)]
        replies = await asyncio.gather(*[self._execute(command, key, *arguments) for key in keys])
        return [ref for reply in replies for ref in _refs(reply)]

    @timed
    async def claim(
        self, ref: WebhookRef, claim_ms: int, most: int
    ) -> tuple[WebhookTarget, list[ClaimedAttempt]] | None:
        """Claim at most `most` attempts for `claim_ms`; None for a webhook that is deleted or disabled."""
        webhook, pending, attempts, _ = webhook_keys(*ref)
        keys = [_due_key(ref), webhook, pending, attempts, events_key(ref.platform)]
        reply = await self._evaluate(self._claim, keys, [ref.text(), claim_ms, most, TEST_PREFIX])
        if not reply:
            return None
        url, secrets, types, *rest = cast(list[bytes], reply)
        secret, *old_secrets = secrets.decode().split()
        claimed = [
            ClaimedAttempt(event_id.decode(), int(attempt), event)
            for event_id, attempt, event in zip(rest[::3], rest[1::3], rest[2::3], strict=True)
        ]
        return WebhookTarget(url.decode(), secret, _types(types.decode()), tuple(old_secrets)), claimed

    @timed
    async def finish(self, ref: WebhookRef, end: AttemptEnd) -> None:
        """Store how an attempt has ended."""
        webhook, pending, attempts, log = webhook_keys(*ref)
        arguments = [
            ref.text(),
            end.event_id,
            "" if end.retry_ms is None else end.retry_ms,
            end.hold_ms,
            end.outcome,
            end.line,
            "" if end.disable_ms is None else end.disable_ms,
            end.disable_reason,
            end.disabled_line,
        ]
        await self._evaluate(self._finish, [_due_key(ref), webhook, pending, attempts, log], arguments)


def _due_key(ref: WebhookRef) -> str:
    return due_webhooks_key(bucket(ref.platform))


def _webhook(webhook_id: str, fields: Mapping[str, str]) -> StoredWebhook:
    return StoredWebhook(
        webhook_id,
        WebhookTarget(fields["url"], fields["secret"], _types(fields["types"])),
        int(fields["created"]),
        int(fields.get("failing_since", 0)),
        fields.get("disabled", ""),
    )


def _types(text: str) -> tuple[str, ...]:
    return tuple(text.split(",")) if text else ()


def _refs(reply: object) -> list[WebhookRef]:
    return [WebhookRef.parse(member.decode()) for member in cast(list[bytes], reply)]
