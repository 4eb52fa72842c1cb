"""HTTP requests to messages and messages to HTTP answers, as a binding tells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from gateway import protojson
from gateway.openapi.schema import Json
from gateway.protojson import InvalidFields, Violation
from gateway.routing import entity_tags
from gateway.routing.bindings import Binding


class Asked(NamedTuple):
    """The parts of an HTTP request that make a message; the query is in the order it was given.

    Headers are found by their names in lower case.
    """

    path: Mapping[str, str]
    query: Iterable[tuple[str, str]]
    headers: Mapping[str, str]
    body: bytes = b""


@dataclass(frozen=True)
class _Setting:
    """A value that the route sets, not the body; `source` says what set it."""

    field: FieldDescriptor
    value: str | int | bool
    source: str


def request(binding: Binding, asked: Asked) -> Message:
    """The request message. Raises `MalformedJson` or `InvalidFields`."""
    message = protojson.parse(_given(binding, asked), binding.request, binding.bound)
    violations = [fault for setting in _settings(binding, asked) for fault in _bind(message, setting)]
    if violations:
        raise InvalidFields(violations)
    return message


def _given(binding: Binding, asked: Asked) -> Json:
    """What the client itself says, as JSON: the body, or the query of a route without one."""
    query = query_values(binding.query_fields, asked.query)
    if not binding.has_body:
        return query
    return protojson.parse_json(asked.body) if asked.body or binding.needs_body else {}


def query_values(fields: Iterable[FieldDescriptor], query: Iterable[tuple[str, str]]) -> dict[str, Json]:
    """Query parameters as the JSON of the fields that they name. Raises `InvalidFields` for those that name none."""
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
    """Numbers stay text, which ProtoJSON reads as well."""
    is_bool = field.cpp_type == FieldDescriptor.CPPTYPE_BOOL
    return {"true": True, "false": False}.get(text, text) if is_bool else text


def _settings(binding: Binding, asked: Asked) -> Iterator[_Setting]:
    for field in binding.path_fields:
        yield _Setting(field, asked.path[field.name], "path")
    if binding.flag is not None:
        yield _Setting(binding.flag, bool(binding.custom_verb), "route")
    for header, field in binding.header_fields.items():
        text = asked.headers.get(header.lower())
        if text is not None and text.strip() != "*":
            yield _Setting(field, _header_value(field, header, text), f"header {header}")


def _header_value(field: FieldDescriptor, header: str, text: str) -> str | int:
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        is_quoted = len(text) > 1 and text[0] == text[-1] == '"'  # a string of RFC 9651, as some libraries send it
        return text[1:-1] if is_quoted else text
    revision = entity_tags.newest_revision(text)
    if revision is None:
        raise InvalidFields([Violation(header, 'expected the strong tag of a match, or its revision, as in "12"')])
    return revision


def _bind(request: Message, setting: _Setting) -> Iterator[Violation]:
    """Set a field; the client may say the same, but nothing else."""
    field = setting.field
    rival = request.WhichOneof(field.containing_oneof.name) if field.containing_oneof else None
    if rival not in (None, field.name):
        assert rival is not None
        name = request.DESCRIPTOR.fields_by_name[rival].json_name
        yield Violation(name, f"cannot be given: the {setting.source} sets {field.json_name}")
    elif _is_given(request, field) and getattr(request, field.name) != setting.value:
        yield Violation(field.json_name, f"cannot differ from what the {setting.source} sets")
    else:
        setattr(request, field.name, setting.value)


def _is_given(request: Message, field: FieldDescriptor) -> bool:
    if field.has_presence:
        return request.HasField(field.name)
    return bool(getattr(request, field.name) != field.default_value)


def answer(binding: Binding, response: Message) -> Message:
    """The message to show: the whole response, or the field that the annotation names."""
    shown: Message = getattr(response, binding.answer_field.name) if binding.answer_field else response
    return shown
