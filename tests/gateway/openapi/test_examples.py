"""Examples in the OpenAPI document are valid, and are what the service does."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import jsonschema
import pytest
from fastapi import FastAPI

from gateway.app import create_app
from gateway.openapi import examples
from gateway.routing import registry
from gateway.settings import GatewaySettings
from services.engine.main import Engine
from services.engine.settings import EngineSettings

DOCUMENT = create_app(GatewaySettings()).openapi()
ERROR_RESPONSES = DOCUMENT["components"]["responses"]
BODIES = {
    operation["operationId"]: operation["requestBody"]["content"]["application/json"]
    for path in DOCUMENT["paths"].values()
    for operation in path.values()
    if "requestBody" in operation
}
BODIES_WITH_EXAMPLES = {name: content for name, content in BODIES.items() if "example" in content}


@pytest.fixture
async def rest() -> AsyncIterator[httpx.AsyncClient]:
    """A gateway before an engine that plays every game."""
    engine = Engine(EngineSettings(port=0, grace_seconds=1))
    await engine.start()
    app = create_app(GatewaySettings(engine_address=f"127.0.0.1:{engine.port}"))
    client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://gateway")
    async with app.router.lifespan_context(app), client:
        yield client
    await engine.stop()


def _is_valid(value: object, schema: dict[str, object]) -> bool:
    return jsonschema.Draft202012Validator({**schema, "components": DOCUMENT["components"]}).is_valid(value)


@pytest.mark.parametrize("name", ERROR_RESPONSES)
def test_every_error_has_an_example_with_its_status(name: str) -> None:
    content = ERROR_RESPONSES[name]["content"]["application/problem+json"]
    assert _is_valid(content["example"], content["schema"])
    assert name == f"Error{content['example']['status']}"


@pytest.mark.parametrize("operation", BODIES_WITH_EXAMPLES)
def test_examples_of_bodies_match_their_schemas(operation: str) -> None:
    assert _is_valid(BODIES_WITH_EXAMPLES[operation]["example"], BODIES_WITH_EXAMPLES[operation]["schema"])


def test_every_game_has_the_same_examples() -> None:
    assert {"_".join(name.split("_")[::2]) for name in BODIES_WITH_EXAMPLES} == {"NewGame", "NewGame_inline", "Leave"}
    assert len(BODIES_WITH_EXAMPLES) == 3 * len(registry.GAMES)


@pytest.mark.parametrize("game", registry.GAMES)
async def test_the_example_of_a_new_match_creates_one(game: str, rest: httpx.AsyncClient) -> None:
    path = f"/v1/{game.replace('_', '-')}"
    new_game = await rest.post(f"{path}/matches", json=examples.BODY_EXAMPLES["NewGame"])
    inline = await rest.post(f"{path}:newGame", json=examples.BODY_EXAMPLES["NewGame"])
    assert [new_game.status_code, inline.status_code] == [201, 200]


async def test_a_real_error_looks_like_its_example(app: FastAPI, client: httpx.AsyncClient) -> None:
    refused = await client.put("/v1/games")
    assert refused.json() == ERROR_RESPONSES["Error405"]["content"]["application/problem+json"]["example"]


def test_the_document_explains_grpc_status_codes() -> None:
    described = DOCUMENT["info"]["description"]
    assert "`FAILED_PRECONDITION` is 409" in described
    assert "`CANCELLED`" not in described
