"""Every response of whole matches is valid by the OpenAPI document."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from random import Random

import httpx
import pytest
from jsonschema_rs import Draft202012Validator

from gateway.app import create_app
from gateway.openapi.schema import Json
from gateway.routing.registry import GAMES
from gateway.settings import GatewaySettings

DOCUMENT = create_app(GatewaySettings()).openapi()
SCHEMAS: dict[str, dict[str, Json]] = DOCUMENT["components"]["schemas"]
MATCH_COUNT = 3
OPTIONS: dict[str, dict[str, int]] = {"fireship": {"rounds": 12}}
"""Half of the default, which shows all components too."""


def references(node: Json) -> Iterator[str]:
    """The components that a part of the document refers to."""
    if isinstance(node, dict):
        if isinstance(reference := node.get("$ref"), str):
            yield reference.rpartition("/")[2]
        for child in node.values():
            yield from references(child)
    elif isinstance(node, list):
        for child in node:
            yield from references(child)


def in_requests() -> set[str]:
    """Components that requests contain."""
    bodies = [operation.get("requestBody") for verbs in DOCUMENT["paths"].values() for operation in verbs.values()]
    found, waiting = set[str](), list(references(bodies))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(references(SCHEMAS[name]))
    return found


def schema_of(verb: str, path: str) -> str:
    """The component of a successful response."""
    responses = DOCUMENT["paths"][path][verb]["responses"]
    content = next(responses[status] for status in ("200", "201") if status in responses)["content"]
    return str(content["application/json"]["schema"]["$ref"]).rpartition("/")[2]


def objects_in(value: Json, schema: Json) -> Iterator[tuple[str, dict[str, Json]]]:
    """The objects in a response, each with the name of its component."""
    if not isinstance(schema, dict):
        return
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        if isinstance(value, dict):
            yield name, value
        yield from objects_in(value, SCHEMAS[name])
    elif isinstance(variants := schema.get("oneOf"), list) and isinstance(value, dict):
        [variant] = [each for each in references(variants) if set(value) >= set(SCHEMAS[each]["required"])]  # type: ignore[arg-type]
        yield variant, value
        yield from objects_in(value, SCHEMAS[variant])
    elif isinstance(value, list):
        for item in value:
            yield from objects_in(item, schema.get("items"))
    elif isinstance(value, dict):
        properties = schema.get("properties")
        for name, item in value.items():
            if isinstance(properties, dict):
                yield from objects_in(item, properties[name])


def reference_to(component: str) -> dict[str, Json]:
    return {"$ref": f"#/components/schemas/{component}"}


@cache
def validator_of(component: str) -> Draft202012Validator:
    return Draft202012Validator({**reference_to(component), "components": DOCUMENT["components"]})


class CheckedClient:
    """A client of one game that validates every response, and records the fields of its objects."""

    def __init__(self, rest: httpx.AsyncClient, game: str) -> None:
        self.rest, self.route = rest, f"/v1/{game.replace('_', '-')}"
        self.seen: defaultdict[str, list[set[str]]] = defaultdict(list)

    async def call(
        self, verb: str, path: str, body: object = None, token: str = "", match_id: str = ""
    ) -> httpx.Response:
        """Call a route of the game, validate the response and record its fields."""
        template = f"{self.route}{path}"
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        response = await self.rest.request(verb, template.replace("{match_id}", match_id), json=body, headers=headers)
        assert response.is_success, response.text
        response_json: Json = json.loads(response.text)
        component = schema_of(verb.lower(), template)
        validator_of(component).validate(response_json)
        for name, found in objects_in(response_json, reference_to(component)):
            self.seen[name].append(set(found))
        return response


async def play_match(client: CheckedClient, number: int, options: dict[str, int]) -> None:
    """Play a match to its end, with all methods of the service."""
    random = Random(number)
    clock = {"clock": {"moveSeconds": 500}} if number % 2 else {}
    request = {"seats": [{}, {}, {}], "options": options, "listed": True, **clock}
    new_game = (await client.call("POST", "/matches", request)).json()
    match_id, tokens = new_game["matchId"], [seat["token"] for seat in new_game["seats"]]
    match = new_game["match"]
    left = number == 1
    while not match["over"]:
        seat = random.choice(match["toMove"])
        if not left and match["revision"] > 60:
            left = True
            match = (await client.call("POST", "/matches/{match_id}:leave", {}, tokens[seat], match_id)).json()["match"]
            continue
        listed = (await client.call("GET", "/matches/{match_id}/legal-moves", None, tokens[seat], match_id)).json()
        move = {"notation": random.choice(listed["moves"])["notation"]}
        match = (await client.call("POST", "/matches/{match_id}/moves", move, tokens[seat], match_id)).json()["match"]
        if random.random() < 0.05:
            for token in ("", tokens[seat]):
                await client.call("GET", "/matches/{match_id}", None, token, match_id)
    for path in ("", "/legal-moves", "/score", "/history", "/record"):
        for token in ("", tokens[0]):
            response_json = await client.call("GET", "/matches/{match_id}" + path, None, token, match_id)
    await client.call("POST", ":replay", {"record": response_json.json(), "seat": 0})
    await client.call("GET", "/components")
    await client.call("GET", "/matches")


async def call_inline_methods(client: CheckedClient) -> None:
    new_game = (await client.call("POST", ":newGame", {"seats": [{}, {}]})).json()
    state, match = new_game["state"], new_game["match"]
    position = {"state": state, "seat": match["toMove"][0]}
    [first, *_] = (await client.call("POST", ":legalMoves", position)).json()["moves"]
    apply = {**position, "move": first["move"]}
    await client.call("POST", ":apply", apply)
    await client.call("POST", ":batchApply", {"requests": [apply, {**apply, "seat": 7}], "legalMoves": True})
    await client.call("POST", ":batchApply", {"requests": [{"state": state}], "encodings": True})
    await client.call("POST", ":score", {"state": state})
    await client.call("POST", ":sample", {"state": state, "count": 2})


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_fault24_required_fields_are_exactly_those_that_are_always_present(
    game: str, rest: httpx.AsyncClient
) -> None:
    client = CheckedClient(rest, game)
    await call_inline_methods(client)
    for number in range(MATCH_COUNT):
        await play_match(client, number, OPTIONS.get(game, {}))
    requests = in_requests()
    found = {
        name: shown
        for name, shown in client.seen.items()
        if name not in requests and len(shown) > 1 and "oneOf" not in SCHEMAS[name]
    }
    assert len(found) > 12
    optional = {
        f"{name}.{field}"
        for name, shown in found.items()
        for field in set.intersection(*shown) - set(SCHEMAS[name].get("required", ()))  # type: ignore[arg-type]
    }
    assert optional == set()


def test_fault24_the_main_fields_of_responses_are_required() -> None:
    for game in ("FireBulls", "Fireship", "SpringFestival"):
        for name, field in (
            ("NewGameResponse", "match"),
            ("ApplyResponse", "match"),
            ("LegalMove", "move"),
            ("Match", "view"),
        ):
            assert field in SCHEMAS[f"{game}.{name}"]["required"]  # type: ignore[operator]


def test_fault24_fields_documented_as_absent_are_not_required() -> None:
    """As the clock of a match without one, and the win share of an entrant that has not played yet."""
    absent = {
        f"{name}.{field}"
        for name, field, shown in fields()
        if re.search("[Aa]bsent (without|before|until|when|while)", str(shown.get("description")))
    }
    required = {f"{name}.{field}" for name, field, _ in fields() if f"'{field}'" in str(SCHEMAS[name].get("required"))}
    assert "FireBulls.MatchRecord.clock" in absent
    assert absent & required == set()


def fields() -> Iterator[tuple[str, str, dict[str, Json]]]:
    """The component, the name and the schema of every field."""
    for name, schema in SCHEMAS.items():
        properties = schema.get("properties")
        assert properties is None or isinstance(properties, dict)
        for field, shown in (properties or {}).items():
            assert isinstance(shown, dict)
            yield name, field, shown
