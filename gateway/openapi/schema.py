"""JSON Schema (2020-12, as OpenAPI 3.1 has it) of the ProtoJSON form of messages.

A message that requests contain refuses unknown fields, and one that only responses contain may get more fields later.
Fields that are always present are required: fields without presence are always printed, and messages are always set,
unless they are `optional` or in a oneof. In messages that requests contain, `google.api.field_behavior` comes first.

A message with a oneof is a `oneOf` of closed objects, one for each field of the oneof, which is required: generators
make a discriminated union of it. Each is a component, since generators number inline schemas.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum, auto
from itertools import product
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


class Usage(Enum):
    """Where a message occurs, which decides what its schema requires and allows."""

    REQUEST = auto()
    RESPONSE = auto()
    BOTH = auto()


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
    return field_behavior_pb2.REQUIRED in _behaviours(field)


def _behaviours(field: FieldDescriptor) -> Sequence[int]:
    extensions = field.GetOptions().Extensions
    behaviours: Sequence[int] = extensions[field_behavior_pb2.field_behavior]  # type: ignore[index] # untyped handle
    return behaviours


def is_always_present(field: FieldDescriptor) -> bool:
    """Whether every response has the field."""
    return not field.has_presence or (field.message_type is not None and field.containing_oneof is None)


def oneofs(message: Descriptor) -> list[OneofDescriptor]:
    """The oneofs of a message, without the synthetic ones of optional fields."""
    return [oneof for oneof in message.oneofs if len(oneof.fields) > 1 or not oneof.name.startswith("_")]


def field_schema(field: FieldDescriptor, usage: Usage = Usage.REQUEST) -> Schema:
    """The schema of a field's value, with the field's comment as its description."""
    described = _field_comment(field)
    schema = _value_schema(field, usage)
    return {**schema, "description": described} if described else schema


def _field_comment(field: FieldDescriptor) -> str:
    return comment(f"{field.containing_type.full_name}.{field.name}") if field.containing_type else ""


def _value_schema(field: FieldDescriptor, usage: Usage) -> Schema:
    if is_map(field):
        assert field.message_type is not None
        value = field.message_type.fields_by_name["value"]
        return {"type": "object", "additionalProperties": _single_schema(value, usage)}
    if field.is_repeated:
        return {"type": "array", "items": _single_schema(field, usage)}
    return _single_schema(field, usage)


def _single_schema(field: FieldDescriptor, usage: Usage) -> Schema:
    if field.message_type is not None:
        return WELL_KNOWN_SCHEMAS.get(field.message_type.full_name) or reference(field.message_type.full_name)
    if field.enum_type is not None:
        closed = reference(field.enum_type.full_name)
        return closed if usage is Usage.REQUEST else open_enum(closed)
    return SCALAR_SCHEMAS[field.type]


def open_enum(closed: Schema) -> Schema:
    """The schema of an enum that may get more values: clients generated from it do not fail at an unknown one."""
    return {"anyOf": [closed, {"type": "string"}]}


def message_schemas(message: Descriptor, name: str, usage: Usage, without: Iterable[str] = ()) -> Schema:
    """The component `name` of a message, and those of its variants. `without`: names of fields that the route sets."""
    fields = [field for field in message.fields if field.name not in without]
    described = comment(message.full_name)
    description: Schema = {"description": described} if described else {}
    groups = [members for oneof in oneofs(message) if (members := [field for field in oneof.fields if field in fields])]
    if not groups:
        return {name: {**_object_schema(fields, usage), **description}}
    common = [field for field in fields if not any(field in members for members in groups)]
    variants: Schema = {}
    for chosen in product(*groups):
        suffix = ".".join(field.name.title().replace("_", "") for field in chosen)
        variants[f"{name}.{suffix}"] = _variant_schema(chosen, common, usage)
    references = [{"$ref": f"#/components/schemas/{variant}"} for variant in variants]
    return {name: {"oneOf": references, **description}, **variants}


def _object_schema(fields: Sequence[FieldDescriptor], usage: Usage, chosen: Sequence[FieldDescriptor] = ()) -> Schema:
    """The schema of an object with these fields; it requires the `chosen` ones."""
    required = [field.json_name for field in fields if field in chosen or _requires(field, usage)]
    return {
        "type": "object",
        "properties": {field.json_name: field_schema(field, usage) for field in fields},
        **({"required": required} if required else {}),
        **({} if usage is Usage.RESPONSE and not chosen else {"additionalProperties": False}),
    }


def _variant_schema(chosen: Sequence[FieldDescriptor], common: Sequence[FieldDescriptor], usage: Usage) -> Schema:
    described = " ".join(_field_comment(field) for field in chosen)
    return {**_object_schema([*chosen, *common], usage, chosen), **({"description": described} if described else {})}


def _requires(field: FieldDescriptor, usage: Usage) -> bool:
    if usage is Usage.RESPONSE:
        return is_always_present(field)
    if usage is Usage.REQUEST or _behaviours(field):
        return is_required(field)
    return is_always_present(field)


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
