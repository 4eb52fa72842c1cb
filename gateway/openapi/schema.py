"""JSON Schema (2020-12, as OpenAPI 3.1 has it) of the ProtoJSON form of messages.

A message that requests contain refuses unknown fields and requires those with `google.api.field_behavior` REQUIRED.
A message that only responses contain requires every field that is always present, and may get more fields later: fields
without presence are always printed, and messages are always set, unless they are `optional` or in a oneof.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from google.api import field_behavior_pb2
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor, OneofDescriptor

from gateway.openapi.proto_comments import comment

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
Schema: TypeAlias = dict[str, Json]

ROOT_PACKAGE: Final = "fireside."


def _integer_schema(bits: int, least: int) -> Schema:
    return {"type": "integer", "format": f"int{bits}", "minimum": least, "maximum": least + (1 << bits) - 1}


_INT32: Final = _integer_schema(32, -(1 << 31))
_UINT32: Final[Schema] = {**_integer_schema(32, 0), "format": "uint32"}
_INT64: Final[Schema] = {"type": "string", "format": "int64", "pattern": "^-?[0-9]+$"}
_UINT64: Final[Schema] = {"type": "string", "format": "uint64", "pattern": "^[0-9]+$"}

SCALAR_SCHEMAS: Final[Mapping[int, Schema]] = {
    FieldDescriptor.TYPE_DOUBLE: {"type": "number", "format": "double"},
    FieldDescriptor.TYPE_FLOAT: {"type": "number", "format": "float"},
    FieldDescriptor.TYPE_BOOL: {"type": "boolean"},
    FieldDescriptor.TYPE_STRING: {"type": "string"},
    FieldDescriptor.TYPE_BYTES: {"type": "string", "contentEncoding": "base64"},
    FieldDescriptor.TYPE_INT32: _INT32,
    FieldDescriptor.TYPE_SINT32: _INT32,
    FieldDescriptor.TYPE_SFIXED32: _INT32,
    FieldDescriptor.TYPE_UINT32: _UINT32,
    FieldDescriptor.TYPE_FIXED32: _UINT32,
    FieldDescriptor.TYPE_INT64: _INT64,
    FieldDescriptor.TYPE_SINT64: _INT64,
    FieldDescriptor.TYPE_SFIXED64: _INT64,
    FieldDescriptor.TYPE_UINT64: _UINT64,
    FieldDescriptor.TYPE_FIXED64: _UINT64,
}

WELL_KNOWN_SCHEMAS: Final[Mapping[str, Schema]] = {
    "google.protobuf.Timestamp": {"type": "string", "format": "date-time"},
    "google.protobuf.Duration": {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]{1,9})?s$"},
}
"""Schemas of the well-known types, which are not objects in ProtoJSON."""


def component_name(full_name: str) -> str:
    """`fireside.fire_bulls.v1.Move` is `FireBulls.Move`."""
    noun, _version, *names = full_name.removeprefix(ROOT_PACKAGE).split(".")
    return ".".join([noun.title().replace("_", ""), *names])


def reference(full_name: str) -> Schema:
    """A reference to the component of a message or enum."""
    return {"$ref": f"#/components/schemas/{component_name(full_name)}"}


def is_map(field: FieldDescriptor) -> bool:
    """Whether the field is a map, which is a repeated field of entries in descriptors."""
    return field.is_repeated and field.message_type is not None and field.message_type.GetOptions().map_entry


def is_required(field: FieldDescriptor) -> bool:
    """Whether requests must have the field, by its `google.api.field_behavior`."""
    extensions = field.GetOptions().Extensions
    behaviours: Sequence[int] = extensions[field_behavior_pb2.field_behavior]  # type: ignore[index] # untyped handle
    return field_behavior_pb2.REQUIRED in behaviours


def is_always_present(field: FieldDescriptor) -> bool:
    """Whether every response has the field."""
    return not field.has_presence or (field.message_type is not None and field.containing_oneof is None)


def oneofs(message: Descriptor) -> list[OneofDescriptor]:
    """The oneofs of a message, without the synthetic ones of optional fields."""
    return [oneof for oneof in message.oneofs if len(oneof.fields) > 1 or not oneof.name.startswith("_")]


def field_schema(field: FieldDescriptor) -> Schema:
    """The schema of a field's value, with the field's comment as its description."""
    described = comment(f"{field.containing_type.full_name}.{field.name}") if field.containing_type else ""
    schema = _value_schema(field)
    return {**schema, "description": described} if described else schema


def _value_schema(field: FieldDescriptor) -> Schema:
    if is_map(field):
        assert field.message_type is not None
        return {"type": "object", "additionalProperties": _single_schema(field.message_type.fields_by_name["value"])}
    if field.is_repeated:
        return {"type": "array", "items": _single_schema(field)}
    return _single_schema(field)


def _single_schema(field: FieldDescriptor) -> Schema:
    if field.message_type is not None:
        return WELL_KNOWN_SCHEMAS.get(field.message_type.full_name) or reference(field.message_type.full_name)
    if field.enum_type is not None:
        return reference(field.enum_type.full_name)
    return SCALAR_SCHEMAS[field.type]


def message_schema(message: Descriptor, *, is_request: bool, without: Iterable[str] = ()) -> Schema:
    """The schema of a message. `is_request`: it occurs in requests. `without`: names of fields that the route sets."""
    fields = [field for field in message.fields if field.name not in without]
    schema: Schema = {"type": "object", "properties": {field.json_name: field_schema(field) for field in fields}}
    required = [field.json_name for field in fields if (is_required(field) if is_request else is_always_present(field))]
    if required:
        schema["required"] = required
    if is_request:
        schema["additionalProperties"] = False
    described = comment(message.full_name)
    return {**schema, **_oneof_rules(message, fields), **({"description": described} if described else {})}


def _oneof_rules(message: Descriptor, fields: Sequence[FieldDescriptor]) -> Schema:
    """Schema members that allow at most one field of each oneof."""
    groups = [[field.json_name for field in oneof.fields if field in fields] for oneof in oneofs(message)]
    groups = [names for names in groups if len(names) > 1]
    if [len(fields)] == [len(names) for names in groups]:
        return {"maxProperties": 1}
    rules = [_at_most_one(names) for names in groups]
    return {"allOf": rules} if rules else {}


def _at_most_one(names: Sequence[str]) -> Schema:
    given: list[Json] = [{"required": [name]} for name in names]
    return {"oneOf": [*given, {"not": {"anyOf": given}}]}


def enum_schema(enum: EnumDescriptor) -> Schema:
    """The schema of an enum: its value names, each with its comment."""
    lines = [comment(enum.full_name), *(_value_line(enum, value.name) for value in enum.values)]
    return {
        "type": "string",
        "enum": [value.name for value in enum.values],
        "description": "\n".join(line for line in lines if line),
    }


def _value_line(enum: EnumDescriptor, value: str) -> str:
    return f"- `{value}`: {' '.join(comment(f'{enum.full_name}.{value}').split())}"


def reachable_types(roots: Iterable[Descriptor | EnumDescriptor]) -> dict[str, Descriptor | EnumDescriptor]:
    """All messages and enums reachable from the roots, which are included, by full name."""
    found: dict[str, Descriptor | EnumDescriptor] = {}
    waiting: list[Descriptor | EnumDescriptor] = list(roots)
    while waiting:
        kind = waiting.pop()
        if kind.full_name in found or kind.full_name in WELL_KNOWN_SCHEMAS:
            continue
        if not (isinstance(kind, Descriptor) and kind.GetOptions().map_entry):
            found[kind.full_name] = kind
        if isinstance(kind, Descriptor):
            waiting.extend(field_types(kind.fields))
    return found


def field_types(fields: Iterable[FieldDescriptor]) -> Iterator[Descriptor | EnumDescriptor]:
    """The message and enum types of fields."""
    for field in fields:
        kind = field.message_type or field.enum_type
        if kind is not None:
            yield kind
