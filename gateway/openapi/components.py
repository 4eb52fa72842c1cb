"""Component schemas of the OpenAPI document: the types of requests, responses, events and parameters, and errors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from google.protobuf.descriptor import Descriptor, EnumDescriptor, MethodDescriptor

from gateway import problems
from gateway.openapi.schema import (
    Schema,
    Usage,
    component_name,
    enum_schema,
    field_types,
    message_schemas,
    open_enum,
    reachable_types,
    reference,
)
from gateway.routing.bindings import Binding

_STRING: Final[Schema] = {"type": "string"}
_VIOLATION: Final[Schema] = {
    "type": "object",
    "required": ["field", "description"],
    "properties": {
        "field": {**_STRING, "description": "Path of the field, as in `move.step.to`; empty for the whole body."},
        "description": {**_STRING, "description": "What is wrong with it."},
    },
}


_PROBLEM_MEMBERS: Final[Schema] = {
    "type": {**_STRING, "description": "Link to the explanation of the reason."},
    "title": {**_STRING, "description": "The reason in words."},
    "status": {"type": "integer", "description": "The HTTP status."},
    "detail": {**_STRING, "description": "What happened, for people."},
    "instance": {**_STRING, "description": "The path of the request."},
    "reason": {**open_enum({"$ref": "#/components/schemas/Reason"}), "description": "The reason, for programs."},
    "metadata": {"type": "object", "additionalProperties": _STRING, "description": "Facts about the reason."},
    "violations": {
        "type": "array",
        "items": {"$ref": "#/components/schemas/Violation"},
        "description": "The fields that are wrong.",
    },
}
_REASON: Final[Schema] = {**_STRING, "enum": problems.reasons(), "description": "The reasons of errors."}
PROBLEM_REFERENCE: Final[Schema] = {"$ref": "#/components/schemas/Problem"}
_PROBLEM: Final[Schema] = {
    "type": "object",
    "required": list(_PROBLEM_MEMBERS),
    "properties": _PROBLEM_MEMBERS,
    "description": "An error, as RFC 9457 describes it.",
}


def component_schemas(bindings: Sequence[Binding]) -> Schema:
    """The schemas of all types that the routes use, by name."""
    calls = _bidirectional_methods(bindings)
    requests = reachable_types([*_request_roots(bindings), *(call.input_type for call in calls)])
    responses = reachable_types(
        [*(kind for binding in bindings for kind in _response_types(binding)), *(call.output_type for call in calls)]
    )
    schemas: Schema = {"Problem": _PROBLEM, "Reason": _REASON, "Violation": _VIOLATION, **_event_schemas(bindings)}
    for name, binding in _restricted_bodies(bindings).items():
        schemas |= message_schemas(binding.request, name, Usage.REQUEST, binding.excluded_fields)
    for full_name, kind in {**responses, **requests, **reachable_types(_parameter_types(bindings))}.items():
        schemas |= _type_schemas(kind, _usage(full_name in requests, full_name in responses))
    return dict(sorted(schemas.items()))


def _bidirectional_methods(bindings: Iterable[Binding]) -> list[MethodDescriptor]:
    """The methods with messages of a WebSocket, of which OpenAPI describes no operations."""
    services = {binding.method.containing_service.full_name: binding.method.containing_service for binding in bindings}
    return [method for service in services.values() for method in service.methods if method.client_streaming]


def _usage(in_requests: bool, in_responses: bool) -> Usage:
    if in_requests and in_responses:
        return Usage.BOTH
    return Usage.REQUEST if in_requests else Usage.RESPONSE


def _restricted_bodies(bindings: Sequence[Binding]) -> dict[str, Binding]:
    bodies: dict[str, Binding] = {}
    for binding in bindings:
        if binding.has_body and binding.excluded_fields:
            other = bodies.setdefault(_body_name(binding), binding)
            if other.excluded_fields != binding.excluded_fields:
                raise ValueError(f"{binding.method.full_name}: its routes set different fields of the request")
    return bodies


def _type_schemas(kind: Descriptor | EnumDescriptor, usage: Usage) -> Schema:
    name = component_name(kind.full_name)
    return message_schemas(kind, name, usage) if isinstance(kind, Descriptor) else {name: enum_schema(kind)}


def _request_roots(bindings: Iterable[Binding]) -> Iterable[Descriptor | EnumDescriptor]:
    """The root types of bodies: whole requests, or the types of the fields of a restricted body."""
    for binding in bindings:
        if binding.has_body and not binding.excluded_fields:
            yield binding.request
        elif binding.has_body:
            yield from field_types(
                field for field in binding.request.fields if field.name not in binding.excluded_fields
            )


def _parameter_types(bindings: Iterable[Binding]) -> Iterable[Descriptor | EnumDescriptor]:
    for binding in bindings:
        yield from field_types([*binding.path_fields, *binding.query_fields])


def service_tag(binding: Binding) -> str:
    """The tag of the operations of a service: the game, or what it serves."""
    return component_name(binding.method.containing_service.full_name).partition(".")[0]


def event_name(binding: Binding) -> str:
    """The component of the data of a stream's events."""
    return f"{service_tag(binding)}.StreamEvent"


def _event_schemas(bindings: Iterable[Binding]) -> Schema:
    """A component for the data of each stream."""
    return {
        event_name(binding): {
            "anyOf": [*(reference(kind.full_name) for kind in binding.event_types), PROBLEM_REFERENCE],
            "description": "The `data` of an event, whose type says which.",
        }
        for binding in bindings
        if binding.is_streaming
    }


def _response_types(binding: Binding) -> list[Descriptor]:
    if binding.file_media_types:
        return []
    return binding.event_types if binding.is_streaming else [binding.response]


def body_reference(binding: Binding) -> Schema:
    """The schema of a request body; a separate one if the route sets some of the fields."""
    name = _body_name(binding) if binding.excluded_fields else component_name(binding.request.full_name)
    return {"$ref": f"#/components/schemas/{name}"}


def _body_name(binding: Binding) -> str:
    return f"{component_name(binding.request.full_name).removesuffix('Request')}Body"
