"""ProtoJSON reader: builds a message from parsed JSON, and reports each violation with the path of its field."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from gateway.openapi.schema import Json, is_map, is_required, oneofs
from gateway.protojson.errors import MAX_VIOLATIONS, InvalidFields, Mismatch, Violation
from gateway.protojson.scalars import ScalarReader, scalar_reader

ReadValue: TypeAlias = "Callable[[Json, str, list[Violation]], object]"
"""Reads a JSON value at a path, as an argument of the message's constructor, and appends its violations."""

MAX_QUOTED_NAME_LENGTH: Final = 64
"""How many characters of an unknown name an error quotes."""


class _Violations(list[Violation]):
    """The violations found; reading stops at `MAX_VIOLATIONS`."""

    def append(self, violation: Violation) -> None:
        super().append(violation)
        if len(self) == MAX_VIOLATIONS:
            raise InvalidFields(self)


def parse(value: Json, kind: Descriptor, bound: frozenset[str] = frozenset()) -> Message:
    """The message of type `kind` for a JSON value. Raises `InvalidFields` with up to `MAX_VIOLATIONS` violations.

    `bound` names the fields that the route sets, which are not required in the JSON.
    """
    return GetMessageClass(kind)(**_parse_fields(value, kind, bound))


def _parse_fields(value: Json, kind: Descriptor, bound: frozenset[str]) -> dict[str, object]:
    violations = _Violations()
    try:
        fields = _message_reader(kind).read(value, "", violations, bound)
    except RecursionError:
        raise InvalidFields([Violation("", "is nested too deep")]) from None
    if violations:
        raise InvalidFields(violations)
    return fields


# Not compiled: mypyc made these closures and tables slower (312 to 338 us a request interpreted, 390 to 402 compiled).
@dataclass(frozen=True)
class _ObjectMember:
    """A member of a JSON object; `oneof` numbers the oneof of its field, and is -1 outside of one."""

    field: str
    name: str
    read: ReadValue
    oneof: int


class _MessageReader:
    """Reads the JSON objects of one message type."""

    def __init__(self, message: Descriptor) -> None:
        oneof_of = {field.name: number for number, oneof in enumerate(oneofs(message)) for field in oneof.fields}
        members = [
            _ObjectMember(field.name, field.json_name, _field_reader(field), oneof_of.get(field.name, -1))
            for field in message.fields
        ]
        required = {field.name for field in message.fields if is_required(field)}
        self._members = {name: member for member in members for name in (member.field, member.name)}
        self._required = [member for member in members if member.field in required]

    def read(
        self, value: Json, path: str, violations: list[Violation], bound: frozenset[str] = frozenset()
    ) -> dict[str, object]:
        """The values by field name. `bound` names the fields that are not required."""
        if not isinstance(value, dict):
            violations.append(Violation(path, "expected an object"))
            return {}
        prefix = f"{path}." if path else ""
        fields: dict[str, object] = {}
        chosen: dict[int, _ObjectMember] = {}
        for name, item in value.items():
            member = self._members.get(name)
            if member is None:
                violations.append(Violation(prefix + name[:MAX_QUOTED_NAME_LENGTH], "there is no such field"))
            elif member.field in fields:
                violations.append(Violation(prefix + name, "is given twice"))
            elif item is not None:  # null is the same as absent, in ProtoJSON
                fields[member.field] = member.read(item, prefix + member.name, violations)
                if member.oneof >= 0 and chosen.setdefault(member.oneof, member) is not member:
                    other = chosen[member.oneof].name
                    violations.append(Violation(prefix + member.name, f"cannot be given together with {other}"))
        for member in self._required:
            if member.field not in fields and member.field not in bound:
                violations.append(Violation(prefix + member.name, "is required"))
        return fields


@cache
def _message_reader(message: Descriptor) -> _MessageReader:
    return _MessageReader(message)


def _field_reader(field: FieldDescriptor) -> ReadValue:
    scalar = scalar_reader(field)
    if scalar is not None:
        return _scalar_list_reader(scalar) if field.is_repeated else _scalar_value_reader(scalar)
    message = field.message_type
    if message is None or needs_json_format(field):
        return _json_format_reader(field)

    def read(value: Json, path: str, violations: list[Violation]) -> object:
        # Looked up when it is called, because messages may contain themselves.
        return _message_reader(message).read(value, path, violations)

    return _list_reader(read) if field.is_repeated else read


def needs_json_format(field: FieldDescriptor) -> bool:
    """Whether `json_format` must read a field: a map, or a type without a reader here."""
    if field.message_type is None:
        return scalar_reader(field) is None
    return field.message_type.file.package == "google.protobuf" or is_map(field)


def _scalar_value_reader(scalar: ScalarReader) -> ReadValue:
    def read(value: Json, path: str, violations: list[Violation]) -> object:
        try:
            return scalar.read(value)
        except Mismatch:
            violations.append(Violation(path, scalar.expected))
            return None

    return read


def _scalar_list_reader(scalar: ScalarReader) -> ReadValue:
    """Reader of a repeated scalar: converts all items at once, and one by one only to report violations."""
    one_by_one = _list_reader(_scalar_value_reader(scalar))

    def read(value: Json, path: str, violations: list[Violation]) -> object:
        if isinstance(value, list):
            try:
                return [scalar.read(item) for item in value]
            except Mismatch:
                pass
        return one_by_one(value, path, violations)

    return read


def _list_reader(read_item: ReadValue) -> ReadValue:
    def read(value: Json, path: str, violations: list[Violation]) -> object:
        if not isinstance(value, list):
            violations.append(Violation(path, "expected a list"))
            return []
        return [read_item(item, f"{path}[{index}]", violations) for index, item in enumerate(value)]

    return read


def _json_format_reader(field: FieldDescriptor) -> ReadValue:
    """Reader of a field of any other type, by `json_format`. No request has such a field today."""
    assert field.containing_type is not None
    kind = GetMessageClass(field.containing_type)

    def read(value: Json, path: str, violations: list[Violation]) -> object:
        try:
            message = json_format.ParseDict({field.json_name: value}, kind())
        except json_format.ParseError:  # its text is meant for programmers
            violations.append(Violation(path, "expected a value of its type, as ProtoJSON writes it"))
            return None
        return getattr(message, field.name)

    return read
