"""Transcoder between HTTP and gRPC: request messages from HTTP requests, and the returned part of responses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from gateway import protojson
from gateway.openapi.schema import Json
from gateway.protojson import InvalidFields, Violation
from gateway.routing import entity_tags, languages
from gateway.routing.bindings import Binding


class RequestParts(NamedTuple):
    """The parts of an HTTP request that a message is made from. The query is in its original order.

    Header names are in lower case.
    """

    path: Mapping[str, str]
    query: Iterable[tuple[str, str]]
    headers: Mapping[str, str]
    body: bytes = b""


MAX_PATH_DIGITS: Final = 9
"""Digits of a number in a path: any of so many fits in an `int32`."""


@dataclass(frozen=True)
class _RouteValue:
    """A value of a field that comes from the route and not from the body; `source` is its path, form or header."""

    field: FieldDescriptor
    value: str | int | bool
    source: str


def request_message(binding: Binding, parts: RequestParts) -> Message:
    """The request message. Raises `MalformedJson` or `InvalidFields`."""
    message = protojson.parse(_request_json(binding, parts), binding.request, binding.bound_fields)
    # Set after parsing, so that a body that repeats the value of the path is accepted, and one that differs refused.
    violations = [each for value in _route_values(binding, parts) for each in _set_field(message, value)]
    if violations:
        raise InvalidFields(violations)
    if accept_language := parts.headers.get(languages.HEADER.lower()):
        languages.set_locale(message, accept_language)
    return message


def _request_json(binding: Binding, parts: RequestParts) -> Json:
    """What the client sent, as JSON: the body, or the query of a route without one."""
    query = query_values(binding.query_fields, parts.query)
    if not binding.has_body:
        return query
    return protojson.parse_json(parts.body) if parts.body or binding.needs_body else {}


def query_values(fields: Iterable[FieldDescriptor], query: Iterable[tuple[str, str]]) -> dict[str, Json]:
    """Query parameters as JSON by field name. Raises `InvalidFields` for unknown and repeated parameters."""
    known = {name: field for field in fields for name in (field.name, field.json_name)}
    values: dict[str, list[Json]] = {}
    violations = []
    for name, text in query:
        field = known.get(name)
        if field is None:
            violations.append(Violation(name, "there is no such query parameter"))
        else:
            values.setdefault(field.json_name, []).append(_query_value(field, text))
    for name, several in values.items():
        if len(several) > 1 and not known[name].is_repeated:
            violations.append(Violation(name, "is given twice"))
    if violations:
        raise InvalidFields(violations)
    return {name: several if known[name].is_repeated else several[0] for name, several in values.items()}


def _query_value(field: FieldDescriptor, text: str) -> Json:
    """A query parameter as JSON. Numbers stay strings, which ProtoJSON accepts too."""
    is_bool = field.cpp_type == FieldDescriptor.CPPTYPE_BOOL
    return {"true": True, "false": False}.get(text, text) if is_bool else text


def _route_values(binding: Binding, parts: RequestParts) -> Iterator[_RouteValue]:
    for field in binding.path_fields:
        yield _RouteValue(field, _path_value(field, parts.path[field.name]), "path")
    for field, value in binding.constant_fields.items():
        yield _RouteValue(field, value, "path")
    if binding.ephemeral_field is not None:
        yield _RouteValue(binding.ephemeral_field, bool(binding.custom_verb), "route")
    for header, field in binding.header_fields.items():
        text = parts.headers.get(header.lower())
        if text is not None and text.strip() != "*":  # `If-Match: *` is any revision
            yield _RouteValue(field, _header_value(field, header, text), f"header {header}")


def _path_value(field: FieldDescriptor, text: str) -> str | int:
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        return text
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_PATH_DIGITS):
        raise InvalidFields(
            [Violation(field.json_name, f"expected a whole number of at most {MAX_PATH_DIGITS} digits")]
        )
    return int(text)


def _header_value(field: FieldDescriptor, header: str, text: str) -> str | int:
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        is_quoted = len(text) > 1 and text[0] == text[-1] == '"'  # a string of RFC 9651, as some libraries send it
        return text[1:-1] if is_quoted else text
    revision = entity_tags.newest_revision(text)
    if revision is None:
        raise InvalidFields([Violation(header, 'expected the strong tag of a match, or its revision, as in "12"')])
    return revision


def _set_field(request: Message, given: _RouteValue) -> Iterator[Violation]:
    """Set a field from the route. A different value in the body, or another field of the same oneof, is a violation."""
    field = given.field
    other = request.WhichOneof(field.containing_oneof.name) if field.containing_oneof else None
    if other not in (None, field.name):
        assert other is not None
        name = request.DESCRIPTOR.fields_by_name[other].json_name
        yield Violation(name, f"cannot be given: the {given.source} sets {field.json_name}")
    elif _is_set(request, field) and getattr(request, field.name) != given.value:
        yield Violation(field.json_name, f"cannot differ from what the {given.source} sets")
    else:
        setattr(request, field.name, given.value)


def _is_set(request: Message, field: FieldDescriptor) -> bool:
    if field.has_presence:
        return request.HasField(field.name)
    return bool(getattr(request, field.name) != field.default_value)


def returned_message(binding: Binding, response: Message) -> Message:
    """The message to return: the whole response, or the field that `response_body` names."""
    message: Message = getattr(response, binding.response_field.name) if binding.response_field else response
    return message
