"""The OpenAPI document: operations, parameters, responses and security."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import pytest
from fastapi import FastAPI
from google.protobuf.descriptor import MethodDescriptor
from openapi_spec_validator import OpenAPIV31SpecValidator
from starlette.routing import Route

from gateway.app import create_app
from gateway.openapi.schema import Json
from gateway.routing import registry
from gateway.routing.bindings import http_rule
from gateway.settings import GatewaySettings
from gateway.upstream.rpc_errors import PROBLEMS_BY_STATUS

DOCUMENT = create_app(GatewaySettings()).openapi()
OPERATIONS = {
    (verb.upper(), path): operation for path, verbs in DOCUMENT["paths"].items() for verb, operation in verbs.items()
}
GAME_TITLES = [game.title().replace("_", "") for game in registry.GAMES]
NOT_GAMES = [registry.CATALOG, registry.TOURNAMENTS, registry.PLATFORMS, registry.WEBHOOKS]
METHODS = [
    method
    for service in [
        registry.CATALOG,
        registry.TOURNAMENTS,
        registry.PLATFORMS,
        registry.WEBHOOKS,
        *registry.GAMES.values(),
    ]
    for method in service.methods
    if not method.client_streaming
]
METHODS_WITH_HTTP_RULES = [
    (method, rule) for method in METHODS for rule in [http_rule(method), *http_rule(method).additional_bindings]
]


def _objects_in(node: Json) -> Iterator[dict[str, Json]]:
    if isinstance(node, dict):
        yield node
    if isinstance(node, dict | list):
        for child in node.values() if isinstance(node, dict) else node:
            yield from _objects_in(child)


def test_the_document_is_valid() -> None:
    assert list(OpenAPIV31SpecValidator(DOCUMENT).iter_errors()) == []


def _path(template: str) -> str:
    """The path of a template, whose variables that match one word are that word."""
    return re.sub(r"{\w+=([\w.]+)}", r"\1", template)


def test_annotations_and_operations_are_one_to_one() -> None:
    declared = {
        (kind.upper(), _path(getattr(rule, kind)))
        for _, rule in METHODS_WITH_HTTP_RULES
        if (kind := rule.WhichOneof("pattern"))
    }
    assert set(OPERATIONS) == declared


def test_every_operation_is_served() -> None:
    app = create_app(GatewaySettings())
    served = {
        (method, route.path.replace(":segment}", "}"))
        for route in app.routes
        if isinstance(route, Route)
        for method in route.methods or ()
    }
    assert set(OPERATIONS) <= served


def test_operations_have_unique_ids_a_tag_and_the_proto_comment() -> None:
    names = [operation["operationId"] for operation in OPERATIONS.values()]
    assert len(set(names)) == len(names)
    assert all(operation["description"] and operation["tags"] for operation in OPERATIONS.values())
    assert {tag for operation in OPERATIONS.values() for tag in operation["tags"]} == {
        tag["name"] for tag in DOCUMENT["tags"]
    }


@pytest.mark.parametrize(("verb", "path"), OPERATIONS)
def test_every_error_is_documented_as_a_problem(verb: str, path: str) -> None:
    responses = OPERATIONS[verb, path]["responses"]
    known = {str(meaning.status) for meaning in PROBLEMS_BY_STATUS.values()} - {"499"} | {"405"}
    assert known <= set(responses)
    for status in known:
        component = DOCUMENT["components"]["responses"][responses[status]["$ref"].rpartition("/")[2]]
        [(kind, content)] = component["content"].items()
        assert (kind, content["schema"]) == ("application/problem+json", {"$ref": "#/components/schemas/Problem"})


@pytest.mark.parametrize(("verb", "path"), OPERATIONS)
def test_every_path_variable_is_a_described_parameter(verb: str, path: str) -> None:
    parameters = [each for each in OPERATIONS[verb, path]["parameters"] if each.get("in") == "path"]
    assert [each["name"] for each in parameters] == re.findall(r"{(\w+)}", path)
    assert all(each["required"] and each["description"] and each["schema"]["type"] for each in parameters)


@pytest.mark.parametrize(("method", "rule"), METHODS_WITH_HTTP_RULES, ids=lambda each: getattr(each, "name", ""))
def test_every_request_field_is_in_exactly_one_place(method: MethodDescriptor, rule: object) -> None:
    [(verb, path)] = [key for key in OPERATIONS if key[1] == _path(getattr(rule, key[0].lower()))]
    given = set(re.findall(r"{(\w+)}", path)) | _body_fields(OPERATIONS[verb, path])
    given |= {each["name"] for each in OPERATIONS[verb, path]["parameters"] if each.get("in") == "query"}
    for field in method.input_type.fields:
        rivals = field.containing_oneof.fields if field.containing_oneof else []
        template = getattr(rule, verb.lower())
        bound = (
            field.name in ("ephemeral", "batched")
            or f"{{{field.name}=" in template
            or any(rival.name in path for rival in rivals)
        )
        assert bound or {field.name, field.json_name} & given


def _body_fields(operation: dict[str, dict[str, dict[str, dict[str, dict[str, str]]]]]) -> set[str]:
    if "requestBody" not in operation:
        return set()
    return set().union(*(schema["properties"] for schema in _objects(_body_schema_name(operation))))


def _body_schema_name(operation: dict[str, dict[str, dict[str, dict[str, dict[str, str]]]]]) -> str:
    return operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]


def _objects(name: str) -> list[dict[str, dict[str, Json]]]:
    """The object schemas of a component: its variants, if it has a oneof."""
    schema = DOCUMENT["components"]["schemas"][name]
    variants = [each["$ref"].rpartition("/")[2] for each in schema.get("oneOf", ())]
    return [DOCUMENT["components"]["schemas"][variant] for variant in variants] or [schema]


def test_every_reference_resolves_and_every_component_is_used() -> None:
    references = {str(node["$ref"]) for node in _objects_in(DOCUMENT) if "$ref" in node}
    components = {
        f"#/components/{kind}/{name}"
        for kind in ("schemas", "responses", "parameters", "headers")
        for name in DOCUMENT["components"][kind]
    }
    assert references <= components
    messages = {f"#/components/schemas/{title}.Play{kind}" for title in GAME_TITLES for kind in ("Request", "Response")}
    assert messages <= components  # of WebSockets, which OpenAPI has no operations for
    assert components - references <= messages


def test_no_schema_accepts_every_value() -> None:
    for name, schema in DOCUMENT["components"]["schemas"].items():
        for node in _objects_in(schema):
            assert node.get("additionalProperties") is not True, name
            assert node != {"type": "object"}, name


def test_requests_refuse_unknown_fields_and_components_are_named_after_messages() -> None:
    schemas = DOCUMENT["components"]["schemas"]
    assert schemas["FireBulls.Move.Take"]["additionalProperties"] is False
    assert schemas["FireBulls.ApplyBody.Move"]["additionalProperties"] is False
    assert set(schemas["FireBulls.ApplyBody.Move"]["properties"]).isdisjoint({"matchId", "state", "notation"})
    assert "ephemeral" not in schemas["FireBulls.NewGameBody"]["properties"]
    assert schemas["FireBulls.NewGameBody"]["required"] == ["seats"]


def test_creating_is_201_with_a_location_and_a_resource_has_an_entity_tag() -> None:
    created = OPERATIONS["POST", "/v1/fire-bulls/matches"]["responses"]["201"]
    shown = OPERATIONS["GET", "/v1/fire-bulls/matches/{match_id}"]["responses"]["200"]
    assert "Location" in created["headers"]
    assert "ETag" in shown["headers"]
    assert shown["content"]["application/json"]["schema"]["$ref"].endswith("/FireBulls.Match")


def test_seat_tokens_are_bearer_tokens_and_api_keys_are_headers() -> None:
    schemes = DOCUMENT["components"]["securitySchemes"]
    assert (schemes["seatToken"]["type"], schemes["seatToken"]["scheme"]) == ("http", "bearer")
    assert (schemes["apiKey"]["type"], schemes["apiKey"]["in"], schemes["apiKey"]["name"]) == (
        *("apiKey", "header"),
        "X-Api-Key",
    )


def test_routes_of_platforms_and_tournaments_take_api_keys_those_of_hosts_both_and_all_others_tokens() -> None:
    taking: dict[tuple[str, ...], set[tuple[str, str]]] = {}
    for key, operation in OPERATIONS.items():
        none, *schemes = operation["security"]
        assert none == {}
        taking.setdefault(tuple(name for scheme in schemes for name in scheme), set()).add(key)
    paths = [f"/v1/{game.replace('_', '-')}/matches" for game in registry.GAMES]
    assert taking["apiKey",] == {
        *[("POST", path) for path in paths],
        *[("POST", f"{path}/{{match_id}}:join") for path in paths],
        ("POST", "/v1/tournaments"),
        ("POST", "/v1/tournaments/{tournament_id}:cancel"),
        ("GET", "/v1/events"),
        ("GET", "/v1/matches"),
        ("POST", "/v1/webhooks"),
        ("GET", "/v1/webhooks"),
        ("POST", "/v1/webhooks/{webhook_id}:delete"),
        ("POST", "/v1/webhooks/{webhook_id}:enable"),
        ("POST", "/v1/webhooks/{webhook_id}:rotateSecret"),
        ("POST", "/v1/webhooks/{webhook_id}:test"),
        ("GET", "/v1/webhooks/{webhook_id}/deliveries"),
    }
    assert taking["apiKey", "seatToken"] == {
        ("POST", f"{path}/{{match_id}}:{verb}")
        for path in paths
        for verb in ("invite", "reissue", "substitute", "withdraw")
    }
    assert set(taking) == {("apiKey",), ("apiKey", "seatToken"), ("seatToken",)}


@pytest.mark.parametrize(("verb", "path"), OPERATIONS)
def test_every_route_has_the_rate_limit_response(verb: str, path: str) -> None:
    assert OPERATIONS[verb, path]["responses"]["429"] == {"$ref": "#/components/responses/Error429"}
    assert "Retry-After" in DOCUMENT["components"]["responses"]["Error429"]["headers"]


def test_responses_document_their_headers() -> None:
    components = DOCUMENT["components"]
    assert all(header["required"] and header["schema"] for header in components["headers"].values())
    listed = {name: sorted(answer["headers"]) for name, answer in components["responses"].items()}
    assert {name: headers for name, headers in listed.items() if headers != ["X-Request-Id"]} == {
        "Error401": ["WWW-Authenticate", "X-Request-Id"],
        "Error405": ["Allow", "X-Request-Id"],
        "Error429": ["Retry-After", "X-Request-Id"],
        "Error503": ["Retry-After", "X-Request-Id"],
    }


def test_a_body_without_required_fields_is_optional() -> None:
    bodies = {key: operation["requestBody"] for key, operation in OPERATIONS.items() if "requestBody" in operation}
    leaves = {
        ("POST", f"/v1/{game.replace('_', '-')}/matches/{{match_id}}:{verb}")
        for game in registry.GAMES
        for verb in ("leave", "withdraw", "rematch")
    }
    assert {key for key, body in bodies.items() if not body["required"]} == {
        *leaves,
        ("POST", "/v1/tournaments/{tournament_id}:cancel"),
        ("POST", "/v1/webhooks/{webhook_id}:delete"),
        ("POST", "/v1/webhooks/{webhook_id}:enable"),
        ("POST", "/v1/webhooks/{webhook_id}:test"),
    }


async def test_the_document_is_served(app: FastAPI, client: httpx.AsyncClient) -> None:
    assert (await client.get("/openapi.json")).json() == app.openapi()


def test_fault11_every_creating_or_changing_operation_has_an_idempotency_key() -> None:
    computing = {"LegalMoves", "Score", "GetPicture", "BatchApply", "Replay", "Sample", "Hint", "Fork"}
    # Repeating these has the effect of making them once, and their last response holds.
    repeatable = {"invite", "substitute", "withdraw", "rematch", "delete", "enable", "rotateSecret", "test"}
    posts = {where: operation for where, operation in OPERATIONS.items() if where[0] == "POST"}
    keyed = {
        path
        for (_, path), each in posts.items()
        if "Idempotency-Key" in {part.get("name") for part in each["parameters"]}
    }
    changing = {path for (_, path), each in posts.items() if each["operationId"].split("_")[0] not in computing}
    assert keyed == {path for path in changing if path.rpartition(":")[2] not in repeatable}
    assert {path.rpartition("/")[2] for path in changing} >= {"matches", "moves", "{match_id}:leave", "tournaments"}


def test_fault24_server_sent_events_have_the_type_of_their_data() -> None:
    streams = {path: each for (_, path), each in OPERATIONS.items() if path.endswith("/events")}
    assert len(streams) == len(registry.GAMES) + 2
    for path, operation in streams.items():
        [(kind, content)] = operation["responses"]["200"]["content"].items()
        assert kind == "text/event-stream"
        name = content["schema"]["$ref"].rpartition("/")[2]
        data = [each["$ref"].rpartition("/")[2] for each in DOCUMENT["components"]["schemas"][name]["anyOf"]]
        others = {"/v1/events": ["PlatformEvent", "PlatformStart"], "/v1/tournaments": ["TournamentEvent"]}
        kinds = others.get(path.partition("/{")[0], ["Event", "Turn", "SeatEvent", "MatchOver"])
        assert [each.rpartition(".")[2] for each in data] == [*kinds, "Problem"]


def test_events_of_a_match_differ_by_a_member_that_only_one_kind_requires() -> None:
    schemas = DOCUMENT["components"]["schemas"]
    for title in GAME_TITLES:
        required = [set(schemas[f"{title}.{kind}"]["required"]) for kind in ("Event", "Turn", "SeatEvent", "MatchOver")]
        own = {"notation", "toMove", "seat", "score"}
        assert [names & own for names in required] == [{"notation"}, {"toMove"}, {"seat"}, {"score"}]


def test_the_document_names_its_own_server() -> None:
    assert [server["url"] for server in DOCUMENT["servers"]] == ["/"]


async def test_the_document_is_compressed_and_has_an_entity_tag(client: httpx.AsyncClient) -> None:
    answer = await client.get("/openapi.json", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["Content-Encoding"] == "gzip"
    assert int(answer.headers["Content-Length"]) < len(answer.content) / 5
    headers = {"Accept-Encoding": "gzip", "If-None-Match": answer.headers["ETag"]}
    assert (await client.get("/openapi.json", headers=headers)).status_code == 304


def test_a_oneof_is_a_choice_of_named_components() -> None:
    """openapi-generator and openapi-python-client number inline ones."""
    choices = [node[kind] for node in _objects_in(DOCUMENT) for kind in ("oneOf", "anyOf") if kind in node]
    assert len(choices) > 100
    for choice in choices:
        assert isinstance(choice, list)
        assert all(set(each) == {"$ref"} or each == {"type": "string"} for each in choice)


def _normalized_name(name: str) -> str:
    """A name as generators that change its case and drop what joins its words see it."""
    return re.sub("[^a-z0-9]", "", name.lower())


def test_fault23_operation_types_and_components_have_different_names() -> None:
    """Types have the name of the operation and `Request`, `Response`, `Data`, `Error`, `Params` or the like."""
    operations = [_normalized_name(operation["operationId"]) for operation in OPERATIONS.values()]
    assert len(set(operations)) == len(operations)
    components = [_normalized_name(name) for name in DOCUMENT["components"]["schemas"]]
    assert len(set(components)) == len(components)
    assert [(name, other) for name in operations for other in components if other.startswith(name)] == []


def test_fault23_bodies_of_openapi_links_are_strings() -> None:
    links = [
        link
        for node in _objects_in(DOCUMENT)
        if isinstance(node.get("links"), dict)
        for link in node["links"].values()  # type: ignore[union-attr]
    ]
    assert links
    assert all(isinstance(link.get("requestBody", ""), str) for link in links)  # type: ignore[union-attr]
