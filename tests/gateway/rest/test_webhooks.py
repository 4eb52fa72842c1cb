"""Webhooks over REST, with a real engine and worker: from the creation to the log of deliveries."""

from __future__ import annotations

from runtime import api_keys
from services.bots.remote.allowed import allowed_addresses
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from services.webhooks.settings import WebhookSettings
from services.webhooks.worker import WebhookWorker
from tests.gateway.rest.test_platforms import KEYS_TEXT, gateway
from tests.services.webhooks.receivers import SECRET, receiver

KEYS = api_keys.parse(KEYS_TEXT)


async def test_a_platform_creates_tests_and_deletes_a_webhook(redis_url: str) -> None:
    async with receiver() as target:
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
                tested = (await rest.post(f"{path}:test")).json()["delivery"]
                assert (tested["type"], tested["status"], tested["error"]) == ("webhook.test", 204, "")
                await target.got(1)
                assert (await rest.get(f"{path}/deliveries")).json()["deliveries"] == [tested]
                assert (await rest.post(f"{path}:delete")).json() == {}
                gone = await rest.get(f"{path}/deliveries")
                assert (gone.status_code, gone.json()["reason"]) == (404, "UNKNOWN_WEBHOOK")
                refused = await rest.post("/v1/webhooks", json={"url": "http://127.0.0.1:1/"})
                assert (refused.status_code, refused.json()["reason"]) == (400, "INVALID_REQUEST")
        finally:
            await worker.stop()
            await engine.stop()
