"""Webhooks over REST, with a real engine and worker: from the creation to the log of deliveries."""

from __future__ import annotations

from redis.asyncio import Redis

from runtime import api_keys
from services.bots.remote.allowed import allowed_addresses
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from services.webhooks.settings import WebhookSettings
from services.webhooks.worker import WebhookWorker
from tests.gateway.rest.test_platforms import KEYS_TEXT, gateway
from tests.services.bots.third_parties import http_response
from tests.services.webhooks.receivers import SECRET, receiver, signature_by

NEW_SECRET = f"whsec_{'A' * 32}"
KEYS = api_keys.parse(KEYS_TEXT)


async def test_a_platform_creates_tests_and_deletes_a_webhook(redis_url: str) -> None:
    answers = ["410 Gone", "204 No Content"]

    async def respond(number: int) -> bytes:
        return http_response(answers[min(number, 1)], b"")

    async with Redis.from_url(redis_url) as redis, receiver(respond) as target:
        await redis.flushdb()
        allowed = allowed_addresses(target.url)
        engine = Engine(
            EngineSettings(port=0, redis_url=redis_url, grace_seconds=1, api_keys=KEYS, webhook_allow=allowed)
        )
        await engine.start()
        worker = WebhookWorker(WebhookSettings(allow=allowed, seconds=2), engine.store)
        worker.start()
        try:
            async with gateway(f"127.0.0.1:{engine.port}") as rest:
                body = {"url": target.url, "types": ["match.over"], "secret": SECRET}
                key = {"Idempotency-Key": "one"}
                created = (await rest.post("/v1/webhooks", json=body, headers=key)).json()
                assert created == (await rest.post("/v1/webhooks", json=body, headers=key)).json()
                assert created["secret"] == SECRET
                path = f"/v1/webhooks/{created['webhookId']}"
                [listed] = (await rest.get("/v1/webhooks")).json()["webhooks"]
                assert (listed["url"], listed["types"], listed["disabledReason"]) == (target.url, ["match.over"], "")
                gone = (await rest.post(f"{path}:test")).json()["delivery"]
                assert (gone["status"], gone["error"]) == (410, "status 410")
                [listed] = (await rest.get("/v1/webhooks")).json()["webhooks"]
                assert listed["disabledReason"] == "the receiver answered 410 Gone"
                assert (await rest.post(f"{path}:enable")).json() == {}
                rotated = (await rest.post(f"{path}:rotateSecret", json={"secret": NEW_SECRET})).json()
                assert rotated == {"secret": NEW_SECRET}
                tested = (await rest.post(f"{path}:test")).json()["delivery"]
                assert (tested["type"], tested["status"], tested["error"]) == ("webhook.test", 204, "")
                head, sent = target.requests[1]
                signatures = [signature_by(secret, head, sent) for secret in (NEW_SECRET, SECRET)]
                assert head["webhook-signature"] == " ".join(signatures)
                deliveries = (await rest.get(f"{path}/deliveries")).json()["deliveries"]
                assert [each["type"] for each in deliveries] == [
                    "webhook.test",
                    "webhook.enabled",
                    "webhook.disabled",
                    "webhook.test",
                ]
                assert (deliveries[0], deliveries[3]) == (tested, gone)
                assert (await rest.post(f"{path}:delete")).json() == {}
                for deleted in (await rest.get(f"{path}/deliveries"), await rest.post(f"{path}:enable")):
                    assert (deleted.status_code, deleted.json()["reason"]) == (404, "UNKNOWN_WEBHOOK")
                refused = await rest.post("/v1/webhooks", json={"url": "http://127.0.0.1:1/"})
                assert (refused.status_code, refused.json()["reason"]) == (400, "INVALID_REQUEST")
        finally:
            await worker.stop()
            await engine.stop()
