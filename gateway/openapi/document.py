"""Generator of the OpenAPI 3.1 document, from the bindings and the comments of the protos."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from google.protobuf.descriptor import FieldDescriptor

from gateway import problems
from gateway.openapi import examples
from gateway.openapi.components import PROBLEM_REFERENCE, body_reference, component_schemas, event_name, service_tag
from gateway.openapi.links import links
from gateway.openapi.proto_comments import comment
from gateway.openapi.schema import Json, Schema, field_schema, reference
from gateway.problems import API_KEY, SEAT_TOKEN
from gateway.routing import entity_tags, events
from gateway.routing.bindings import EVENT_ID_FIELD, Binding, created_field
from gateway.upstream.rpc_errors import PROBLEMS_BY_STATUS
from runtime import api_keys

TITLE: Final = "Fireside"
DESCRIPTION: Final = (
    "Board games as a service. Bodies are ProtoJSON: names in lowerCamelCase, enums by name, bytes in base64; fields "
    "with default values are included. Errors are `application/problem+json` (RFC 9457). What the state of the match "
    "does not allow, or what refers to an older revision of it, is a 409. The same calls exist on gRPC; descriptions "
    "name errors by its status codes: "
)
PLAY_DESCRIPTION: Final = (
    " Messages of the WebSocket `/v1/<game>/matches/{match_id}/play` are the components `PlayRequest` and "
    "`PlayResponse` of each game."
)
SERVERS: Final[Sequence[Json]] = [{"url": "/", "description": "The service that this document comes from."}]
LICENSE: Final = "Apache-2.0"


ERROR_DESCRIPTIONS: Final[Mapping[int, str]] = {
    400: "The request cannot be read; `violations` name the fields.",
    401: "A valid seat token is needed, or a valid API key to begin a match.",
    403: "The token is valid, but does not allow this.",
    404: "There is no such match, game or route.",
    405: "The route does not take this method.",
    408: "The body did not arrive in time.",
    409: "It cannot be done now: the move is illegal, another seat is to move, or the match is over or has moved on.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    429: "Too many calls, by the limit in `limit`, or the service is overloaded.",
    500: "The service failed; its logs say why.",
    501: "The engine of the game does not offer this.",
    503: "The engine, or its store, does not respond.",
    504: "The engine did not respond in time.",
}
EVENT_STREAM_DESCRIPTION: Final = (
    "Server-sent events: `data` is one of these messages as JSON, `id` its revision or event id, and `event` its "
    "type: of a match `turn`, `seat` and `over`, of a platform `start`; others have none. `problem` voids "
    "all that was sent. Comments keep the connection open. The stream ends with the match, and whenever the service "
    "restarts: reconnect with `Last-Event-ID`."
)
FILE_DESCRIPTION: Final = "The file."
BODY_ERROR_STATUSES: Final = frozenset({408, 413, 415})
SECURITY_SCHEMES: Final[Schema] = {
    SEAT_TOKEN: {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "JWT",
        "description": "Token of a seat, or of a host; without one the caller is a spectator.",
    },
    API_KEY: {
        "type": "apiKey",
        "in": "header",
        "name": api_keys.API_KEY_HEADER,
        "description": "Key of a client that begins stored matches; needed if the service has API keys.",
    },
}


def _required_header(description: str, pattern: str) -> Schema:
    """The schema of a header that every response with a reference to it must have."""
    return {"description": description, "required": True, "schema": {"type": "string", "pattern": pattern}}


RESPONSE_HEADERS: Final[Schema] = {
    "Allow": _required_header("The methods that the route takes.", "^[A-Z]+(, [A-Z]+)*$"),
    "ETag": _required_header(
        "Tag of the response as this caller sees it, for `If-None-Match`. The tag of a match begins with its revision, "
        "and can be used in `If-Match` too.",
        entity_tags.PATTERN,
    ),
    "Location": _required_header("Where the new member is.", "^/"),
    "Retry-After": {"description": "Seconds to wait.", "required": True, "schema": {"type": "integer", "minimum": 1}},
    "WWW-Authenticate": _required_header("How to authenticate.", "^(Bearer|ApiKey) "),
    "X-Request-Id": _required_header("Id of the request.", "^[A-Za-z0-9._~:/+=-]{1,128}$"),
}
HEADERS_BY_STATUS: Final[Mapping[int, str]] = {
    401: "WWW-Authenticate",
    405: "Allow",
    429: "Retry-After",
    503: "Retry-After",
}

_FILE: Final[Schema] = {"type": "string", "format": "binary"}
_REQUEST_ID: Final[Schema] = {
    "name": "X-Request-Id",
    "in": "header",
    "description": "Id in the logs and in the response; generated if it is absent, or has other characters.",
    "schema": {"type": "string"},
}

_IF_NONE_MATCH: Final[Schema] = {
    "name": "If-None-Match",
    "in": "header",
    "description": "Tags of earlier responses; the response is 304 and empty if it would have one of them.",
    "schema": {"type": "string"},
}


def _header_references(*names: str) -> Schema:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


_NO_MORE_EVENTS: Final[Schema] = {
    "description": "The client has the last event: do not reconnect.",
    "headers": _header_references("X-Request-Id"),
}
_NOT_MODIFIED: Final[Schema] = {
    "description": "The client has this response already.",
    "headers": _header_references("X-Request-Id", "ETag"),
}


def document(catalog: Sequence[Binding], games: Sequence[Binding]) -> dict[str, Json]:
    """The OpenAPI document of the catalog's and the games' routes."""
    bindings = [*catalog, *games]
    return {
        "openapi": "3.1.0",
        "info": {
            "title": TITLE,
            "version": _version(),
            "description": DESCRIPTION + _status_mapping_text() + PLAY_DESCRIPTION,
            "license": {"name": LICENSE, "identifier": LICENSE},
        },
        "servers": SERVERS,
        "tags": _tags(bindings),
        "paths": _paths(bindings),
        "components": {
            "schemas": component_schemas(bindings),
            "responses": {f"Error{status}": _error_response(status) for status in ERROR_DESCRIPTIONS},
            "headers": RESPONSE_HEADERS,
            "parameters": {"RequestId": _REQUEST_ID},
            "securitySchemes": SECURITY_SCHEMES,
        },
    }


def _version() -> str:
    try:
        return version("fireside")
    except PackageNotFoundError:
        return "0"


def _status_mapping_text() -> str:
    """Text for the document: the HTTP status of each gRPC status that is a documented error."""
    known = [
        (code.name, usual.status) for code, usual in PROBLEMS_BY_STATUS.items() if usual.status in ERROR_DESCRIPTIONS
    ]
    return ", ".join(f"`{name}` is {status}" for name, status in known) + "."


def _tags(bindings: Iterable[Binding]) -> list[Json]:
    services = {service_tag(binding): binding.method.containing_service for binding in bindings}
    return [{"name": name, "description": comment(service.full_name)} for name, service in services.items()]


def _paths(bindings: Sequence[Binding]) -> Schema:
    paths: defaultdict[str, Schema] = defaultdict(dict)
    for binding in bindings:
        paths[binding.path][binding.verb.lower()] = _operation(binding, bindings)
    return dict(paths)


def _operation(binding: Binding, bindings: Sequence[Binding]) -> Schema:
    described = comment(binding.method.full_name)
    member = created_field(binding, bindings)
    operation: Schema = {
        "operationId": binding.operation_id,
        "tags": [service_tag(binding)],
        "summary": described.partition(".")[0],
        "description": described,
        "parameters": _parameters(binding),
        "responses": _responses(binding, member, bindings),
        "security": [{}, *_security(binding)],
    }
    if binding.has_body:
        operation["requestBody"] = {"required": binding.needs_body, "content": _request_content(binding)}
    return operation


def _request_content(binding: Binding) -> Schema:
    return {"application/json": {"schema": body_reference(binding), **examples.body_example(binding)}}


def _json_content(schema: Json) -> Schema:
    return {"application/json": {"schema": schema}}


def _security(binding: Binding) -> list[Json]:
    """The credentials that may authorise a route."""
    takes_key, takes_token = binding.credentials
    return [*([{API_KEY: []}] if takes_key else []), *([{SEAT_TOKEN: []}] if takes_token else [])]


def _parameters(binding: Binding) -> list[Json]:
    return [
        *(_parameter("path", field.name, field, required=True) for field in binding.path_fields),
        *(_parameter("query", field.json_name, field) for field in binding.query_fields),
        *(_header_parameter(header, field) for header, field in binding.header_fields.items()),
        *([_last_event_id(binding.position_field)] if binding.is_streaming else []),
        *([_IF_NONE_MATCH] if binding.is_tagged else []),
        {"$ref": "#/components/parameters/RequestId"},
    ]


def _parameter(place: str, name: str, field: FieldDescriptor, *, required: bool = False) -> Schema:
    schema = field_schema(field)
    described = schema.pop("description", "")
    return {"name": name, "in": place, "required": required, "description": described, "schema": schema}


def _header_parameter(header: str, field: FieldDescriptor) -> Schema:
    parameter = _parameter("header", header, field)
    if field.cpp_type != FieldDescriptor.CPPTYPE_STRING:
        parameter["schema"] = {"type": "string", "pattern": '^(\\*|[0-9]{1,10}|"[0-9]{1,10}(-[0-9a-f]{24})?")$'}
        parameter["description"] = (
            f"{parameter['description']} A tag of the match, its revision in quotes, or a list of them."
        )
    parameter["description"] = f"{parameter['description']} The same as the field `{field.json_name}`."
    return parameter


def _last_event_id(field: FieldDescriptor) -> Schema:
    described = f"The `id` of the last event received, or empty; it takes precedence over `{field.json_name}`."
    pattern = "[0-9]{1,15}-[0-9]{1,15}" if field.name == EVENT_ID_FIELD else "[0-9]{1,10}(-over)?"
    schema: Schema = {"type": "string", "pattern": f"^({pattern})?$"}
    return {
        "name": events.LAST_EVENT_ID_HEADER,
        "in": "header",
        "required": False,
        "description": described,
        "schema": schema,
    }


def _responses(binding: Binding, member: FieldDescriptor | None, bindings: Sequence[Binding]) -> Schema:
    errors = [status for status in ERROR_DESCRIPTIONS if binding.has_body or status not in BODY_ERROR_STATUSES]
    return {
        "201" if member else "200": {**_success_response(binding, member), **_links(binding, member, bindings)},
        **({"204": _NO_MORE_EVENTS} if binding.is_streaming else {}),
        **({"304": _NOT_MODIFIED} if binding.is_tagged else {}),
        **{str(status): {"$ref": f"#/components/responses/Error{status}"} for status in errors},
    }


def _links(binding: Binding, member: FieldDescriptor | None, bindings: Sequence[Binding]) -> Schema:
    found = links(binding, member, bindings)
    return {"links": found} if found else {}


def _success_response(binding: Binding, member: FieldDescriptor | None) -> Schema:
    headers = ["X-Request-Id", *(["Location"] if member else []), *(["ETag"] if binding.is_tagged else [])]
    return {
        "description": _success_description(binding),
        "headers": _header_references(*headers),
        "content": _success_content(binding),
    }


def _success_description(binding: Binding) -> str:
    if binding.is_streaming:
        return EVENT_STREAM_DESCRIPTION
    return FILE_DESCRIPTION if binding.file_media_types else comment(binding.response.full_name)


def _success_content(binding: Binding) -> Schema:
    if binding.is_streaming:
        return {events.MEDIA_TYPE: {"schema": {"$ref": f"#/components/schemas/{event_name(binding)}"}}}
    if binding.file_media_types:
        return {kind: {"schema": _FILE} for kind in binding.file_media_types}
    return _json_content(reference(binding.response.full_name))


def _error_response(status: int) -> Schema:
    headers = ["X-Request-Id", *([HEADERS_BY_STATUS[status]] if status in HEADERS_BY_STATUS else [])]
    return {
        "description": ERROR_DESCRIPTIONS[status],
        "headers": _header_references(*headers),
        "content": {
            problems.MEDIA_TYPE: {
                "schema": PROBLEM_REFERENCE,
                "example": examples.problem_example(status),
            }
        },
    }
