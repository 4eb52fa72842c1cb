"""The OpenAPI 3.1 document of the gateway, read off the bindings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

from gateway import problems
from gateway.openapi import examples
from gateway.openapi.links import links
from gateway.openapi.proto_comments import comment
from gateway.openapi.schema import (
    Json,
    Schema,
    component_name,
    enum_schema,
    field_schema,
    held,
    message_schema,
    reachable,
    reference,
)
from gateway.problems import API_KEY, SEAT_TOKEN
from gateway.routing import entity_tags, events
from gateway.routing.bindings import Binding, created
from runtime import api_keys

TITLE: Final = "Fireside"
DESCRIPTION: Final = (
    "Board games as a service. Bodies are ProtoJSON: names in lowerCamelCase, enums by name, bytes in base64; "
    "defaults are printed. Errors are `application/problem+json` (RFC 9457); what cannot be done in the state of the "
    "match, or answers an older revision of it, is a 409. The same calls exist on gRPC, by whose statuses the "
    "descriptions name errors: "
)
LICENSE: Final = "Apache-2.0"


ERRORS: Final[Mapping[int, str]] = {
    400: "The request cannot be read; `violations` name the fields.",
    401: "A seat token, or to begin a match an API key, is needed, and there is none that is good.",
    403: "The token is good, but not for this.",
    404: "There is no such match, game or route.",
    405: "The route does not take this method.",
    408: "The body did not come in time.",
    409: "It cannot be done now: illegal, not your turn, over, or the match has gone on.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    429: "Too many calls, of which `limit` is the limit, or no room for more.",
    500: "The service failed; its logs say why.",
    501: "The engine of the game does not offer this.",
    503: "The engine, or its store, does not answer.",
    504: "The engine did not answer in time.",
}
EVENTS: Final = (
    "Server-sent events, one for each line of the log: `id` is its revision, `data` the line as JSON, of the type "
    "of the schema. Comments keep the connection open. It ends with the match, and whenever the service moves: go on "
    "with `Last-Event-ID`."
)
BODY_ERRORS: Final = frozenset({408, 413, 415})


def _promised(described: str, pattern: str) -> Schema:
    """A header that every answer has which lists it."""
    return {"description": described, "required": True, "schema": {"type": "string", "pattern": pattern}}


HEADERS: Final[Schema] = {
    "Allow": _promised("The methods that the route takes.", "^[A-Z]+(, [A-Z]+)*$"),
    "ETag": _promised(
        "Names the answer as this caller sees it, for `If-None-Match`; that of a match begins with its revision, and "
        "serves for `If-Match` as well.",
        entity_tags.PATTERN,
    ),
    "Location": _promised("Where the new member is.", "^/"),
    "Retry-After": {"description": "Seconds to wait.", "required": True, "schema": {"type": "integer", "minimum": 1}},
    "WWW-Authenticate": _promised("How to authenticate.", "^(Bearer|ApiKey) "),
    "X-Request-Id": _promised("Id of the request.", "^[A-Za-z0-9._~:/+=-]{1,128}$"),
}
ERROR_HEADERS: Final[Mapping[int, str]] = {
    401: "WWW-Authenticate",
    405: "Allow",
    429: "Retry-After",
    503: "Retry-After",
}

_REQUEST_ID: Final[Schema] = {
    "name": "X-Request-Id",
    "in": "header",
    "description": "Id that the logs show and the answer repeats; made when absent, or no plain word.",
    "schema": {"type": "string"},
}

_IF_NONE_MATCH: Final[Schema] = {
    "name": "If-None-Match",
    "in": "header",
    "description": "Tags of earlier answers; if the answer would have one of them, it is 304 and empty.",
    "schema": {"type": "string"},
}

_STRING: Final[Schema] = {"type": "string"}
_STREAM: Final[Schema] = {**_STRING, "description": "The whole stream, for a reader that does not take it apart."}
"""An alternative to the type of `data`: generators for TypeScript want that one, the one for Python this."""
_VIOLATION: Final[Schema] = {
    "type": "object",
    "required": ["field", "description"],
    "properties": {
        "field": {**_STRING, "description": "Path of the field, as in `move.step.to`; empty for the whole."},
        "description": {**_STRING, "description": "What is wrong with it."},
    },
}


def document(catalog: Sequence[Binding], games: Sequence[Binding]) -> dict[str, Json]:
    """The whole document."""
    bindings = [*catalog, *games]
    return {
        "openapi": "3.1.0",
        "info": {
            "title": TITLE,
            "version": _version(),
            "description": DESCRIPTION + _statuses(),
            "license": {"name": LICENSE, "identifier": LICENSE},
        },
        "tags": _tags(bindings),
        "paths": _paths(bindings),
        "components": {
            "schemas": _schemas(bindings),
            "responses": {f"Error{status}": _error(status) for status in ERRORS},
            "headers": HEADERS,
            "parameters": {"RequestId": _REQUEST_ID},
            "securitySchemes": {SEAT_TOKEN: _bearer(), API_KEY: _api_key()},
        },
    }


def _version() -> str:
    try:
        return version("fireside")
    except PackageNotFoundError:
        return "0"


def _statuses() -> str:
    """What the statuses of gRPC are in HTTP, where there is an error of that kind."""
    known = [(code.name, meaning.status) for code, meaning in problems.STATUSES.items() if meaning.status in ERRORS]
    return ", ".join(f"`{name}` is {status}" for name, status in known) + "."


def _bearer() -> Schema:
    described = "Token of a seat; without one the caller is a spectator."
    return {"type": "http", "scheme": "bearer", "bearerFormat": "JWT", "description": described}


def _api_key() -> Schema:
    described = "Of who begins matches that are stored; needed where the service is told of keys."
    return {"type": "apiKey", "in": "header", "name": api_keys.HEADER, "description": described}


def _tags(bindings: Iterable[Binding]) -> list[Json]:
    services = {_tag(binding): binding.method.containing_service for binding in bindings}
    return [{"name": name, "description": comment(service.full_name)} for name, service in services.items()]


def _tag(binding: Binding) -> str:
    return component_name(binding.method.containing_service.full_name).partition(".")[0]


def _paths(bindings: Sequence[Binding]) -> Schema:
    paths: defaultdict[str, Schema] = defaultdict(dict)
    for binding in bindings:
        paths[binding.path][binding.verb.lower()] = _operation(binding, bindings)
    return dict(paths)


def _operation(binding: Binding, bindings: Sequence[Binding]) -> Schema:
    described = comment(binding.method.full_name)
    member = created(binding, bindings)
    operation: Schema = {
        "operationId": binding.operation,
        "tags": [_tag(binding)],
        "summary": described.partition(".")[0],
        "description": described,
        "parameters": _parameters(binding),
        "responses": _responses(binding, member, bindings),
        "security": [{}, {API_KEY if member or binding.commands else SEAT_TOKEN: []}],
    }
    if binding.has_body:
        operation["requestBody"] = {"required": binding.needs_body, "content": _asked_as(binding)}
    return operation


def _asked_as(binding: Binding) -> Schema:
    return {"application/json": {"schema": _body(binding), **examples.body(binding)}}


def _json(schema: Json) -> Schema:
    return {"application/json": {"schema": schema}}


def _parameters(binding: Binding) -> list[Json]:
    return [
        *(_parameter("path", field.name, field, required=True) for field in binding.path_fields),
        *(_parameter("query", field.json_name, field) for field in binding.query_fields),
        *(_header(header, field) for header, field in binding.header_fields.items()),
        *([_last_event()] if binding.streams else []),
        *([_IF_NONE_MATCH] if binding.tagged else []),
        {"$ref": "#/components/parameters/RequestId"},
    ]


def _parameter(place: str, name: str, field: FieldDescriptor, *, required: bool = False) -> Schema:
    schema = field_schema(field)
    described = schema.pop("description", "")
    return {"name": name, "in": place, "required": required, "description": described, "schema": schema}


def _header(header: str, field: FieldDescriptor) -> Schema:
    parameter = _parameter("header", header, field)
    if field.cpp_type != FieldDescriptor.CPPTYPE_STRING:
        parameter["schema"] = {"type": "string", "pattern": '^(\\*|[0-9]{1,10}|"[0-9]{1,10}(-[0-9a-f]{24})?")$'}
        parameter["description"] = f"{parameter['description']} A tag of the match, its revision in quotes, or a list."
    parameter["description"] = f"{parameter['description']} The same as the field `{field.json_name}`."
    return parameter


def _last_event() -> Schema:
    described = "Revision of the last event that was heard, or nothing; it goes before `fromRevision`."
    schema: Schema = {"type": "string", "pattern": "^[0-9]{0,10}$"}
    return {"name": events.LAST_EVENT, "in": "header", "required": False, "description": described, "schema": schema}


def _responses(binding: Binding, member: FieldDescriptor | None, bindings: Sequence[Binding]) -> Schema:
    errors = [status for status in ERRORS if binding.has_body or status not in BODY_ERRORS]
    return {
        "201" if member else "200": {**_success(binding, member), **_linked(binding, member, bindings)},
        **({"204": _nothing_more()} if binding.streams else {}),
        **({"304": _NOT_MODIFIED} if binding.tagged else {}),
        **{str(status): {"$ref": f"#/components/responses/Error{status}"} for status in errors},
    }


def _linked(binding: Binding, member: FieldDescriptor | None, bindings: Sequence[Binding]) -> Schema:
    found = links(binding, member, bindings)
    return {"links": found} if found else {}


def _success(binding: Binding, member: FieldDescriptor | None) -> Schema:
    headers = ["X-Request-Id", *(["Location"] if member else []), *(["ETag"] if binding.tagged else [])]
    schema = reference(binding.answer.full_name)
    return {
        "description": EVENTS if binding.streams else comment(binding.answer.full_name),
        "headers": _header_references(headers),
        "content": {events.MEDIA_TYPE: {"schema": {"anyOf": [schema, _STREAM]}}} if binding.streams else _json(schema),
    }


def _nothing_more() -> Schema:
    return {
        "description": "The match is over, and nothing lies behind the revision: do not ask again.",
        "headers": _header_references(["X-Request-Id"]),
    }


_NOT_MODIFIED: Final[Schema] = {
    "description": "The client has the answer already.",
    "headers": {name: {"$ref": f"#/components/headers/{name}"} for name in ("X-Request-Id", "ETag")},
}


def _header_references(names: Iterable[str]) -> Schema:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _error(status: int) -> Schema:
    headers = ["X-Request-Id", *([ERROR_HEADERS[status]] if status in ERROR_HEADERS else [])]
    return {
        "description": ERRORS[status],
        "headers": _header_references(headers),
        "content": {
            problems.MEDIA_TYPE: {
                "schema": {"$ref": "#/components/schemas/Problem"},
                "example": examples.problem(status),
            }
        },
    }


def _body(binding: Binding) -> Schema:
    """A body without the fields that the route sets is a schema of its own."""
    name = _body_name(binding) if binding.excluded else component_name(binding.request.full_name)
    return {"$ref": f"#/components/schemas/{name}"}


def _body_name(binding: Binding) -> str:
    return f"{component_name(binding.request.full_name).removesuffix('Request')}Body"


def _schemas(bindings: Sequence[Binding]) -> Schema:
    bodies = _restricted_bodies(bindings)
    asked = reachable(_asked(bindings))
    kinds = {**reachable(binding.answer for binding in bindings), **asked, **reachable(_of_parameters(bindings))}
    schemas: Schema = {"Problem": _problem(), "Violation": _VIOLATION}
    for name, binding in bodies.items():
        schemas[name] = message_schema(binding.request, asked=True, without=binding.excluded)
    for name, kind in kinds.items():
        schemas[component_name(name)] = _schema(kind, asked=name in asked)
    return dict(sorted(schemas.items()))


def _restricted_bodies(bindings: Sequence[Binding]) -> dict[str, Binding]:
    bodies: dict[str, Binding] = {}
    for binding in bindings:
        if binding.has_body and binding.excluded:
            other = bodies.setdefault(_body_name(binding), binding)
            if other.excluded != binding.excluded:
                raise ValueError(f"{binding.method.full_name}: its routes take different parts of the request")
    return bodies


def _schema(kind: Descriptor | EnumDescriptor, *, asked: bool) -> Schema:
    return message_schema(kind, asked=asked) if isinstance(kind, Descriptor) else enum_schema(kind)


def _asked(bindings: Iterable[Binding]) -> Iterable[Descriptor | EnumDescriptor]:
    """The messages at the roots of bodies: whole requests, or what the fields of a restricted body hold."""
    for binding in bindings:
        if binding.has_body and not binding.excluded:
            yield binding.request
        elif binding.has_body:
            yield from held(field for field in binding.request.fields if field.name not in binding.excluded)


def _of_parameters(bindings: Iterable[Binding]) -> Iterable[Descriptor | EnumDescriptor]:
    for binding in bindings:
        yield from held([*binding.path_fields, *binding.query_fields])


def _problem() -> Schema:
    properties: Schema = {
        "type": {**_STRING, "description": "Where the reason is explained."},
        "title": {**_STRING, "description": "The reason in words."},
        "status": {"type": "integer", "description": "The HTTP status."},
        "detail": {**_STRING, "description": "What happened, for people."},
        "instance": {**_STRING, "description": "The path that was asked for."},
        "reason": {**_STRING, "enum": problems.reasons(), "description": "The reason, for programs."},
        "metadata": {"type": "object", "additionalProperties": _STRING, "description": "Facts of the reason."},
        "violations": {
            "type": "array",
            "items": {"$ref": "#/components/schemas/Violation"},
            "description": "The fields that are wrong.",
        },
    }
    return {
        "type": "object",
        "required": list(properties),
        "properties": properties,
        "description": "An error, as RFC 9457 describes it.",
    }
