"""Messages to JSON; fields without presence are printed even when they have their default.

What is printed is read from the bytes of a message, without a message: `fields` does it, by tables that are made here,
once for each message.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import chain
from typing import Final

import orjson
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from librt.strings import BytesWriter

from gateway.openapi.schema import choices, is_map
from gateway.protojson import values
from gateway.protojson.fields import Field, Map, Object, Packed, Several
from gateway.protojson.scalars import WELL_KNOWN
from gateway.protojson.values import Value
from gateway.protojson.wire import Reader, Unusual

_VALUES: Final[Mapping[int, Value]] = {
    FieldDescriptor.TYPE_INT32: values.Int32(),
    FieldDescriptor.TYPE_UINT32: values.Uint32(),
    FieldDescriptor.TYPE_SINT32: values.Sint32(),
    FieldDescriptor.TYPE_FIXED32: values.Fixed32(),
    FieldDescriptor.TYPE_SFIXED32: values.Sfixed32(),
    FieldDescriptor.TYPE_INT64: values.Int64(),
    FieldDescriptor.TYPE_UINT64: values.Uint64(),
    FieldDescriptor.TYPE_SINT64: values.Sint64(),
    FieldDescriptor.TYPE_FIXED64: values.Fixed64(),
    FieldDescriptor.TYPE_SFIXED64: values.Sfixed64(),
    FieldDescriptor.TYPE_BOOL: values.Bool(),
    FieldDescriptor.TYPE_FLOAT: values.Float(),
    FieldDescriptor.TYPE_DOUBLE: values.Double(),
    FieldDescriptor.TYPE_STRING: values.String(),
    FieldDescriptor.TYPE_BYTES: values.Bytes(),
}


def format(message: Message) -> bytes:
    """The message as JSON text."""
    descriptor = message.DESCRIPTOR
    assert isinstance(descriptor, Descriptor)
    return print_bytes(message.SerializeToString(deterministic=True), descriptor)


def print_bytes(data: bytes, kind: Descriptor) -> bytes:
    """The message that the bytes stand for, as JSON text. Raises `DecodeError` where they stand for none."""
    shape = _object(kind)
    try:
        return _printed(shape, data)
    except Unusual:
        usual = _usual(data, kind)
    try:
        return _printed(shape, usual)
    except Unusual:
        raise DecodeError(f"{kind.full_name}: what protobuf writes cannot be read") from None


def _printed(shape: Object, data: bytes) -> bytes:
    out = BytesWriter()
    shape.print_fields(Reader(data), out)
    return out.getvalue()


def _usual(data: bytes, kind: Descriptor) -> bytes:
    """The same message as a library of protobuf writes it that knows no other fields."""
    message = GetMessageClass(kind).FromString(data)
    message.DiscardUnknownFields()
    return message.SerializeToString(deterministic=True)


_OBJECTS: Final[dict[Descriptor, Object]] = {}


def _object(message: Descriptor) -> Object:
    known = _OBJECTS.get(message)
    if known is None:
        known = _OBJECTS[message] = Object()
        known.learn(_runs(message))
    return known


def _runs(message: Descriptor) -> list[list[Field]]:
    """First what is always there, then what is set."""
    rivals = [sorted(oneof.fields, key=lambda field: field.number) for oneof in choices(message)]
    choice = {field.name: place for place, fields in enumerate(rivals, 1) for field in fields}
    alone = [field for field in message.fields if field.name not in choice]
    always = [field for field in alone if not field.has_presence]
    perhaps = [field for field in alone if field.has_presence]
    runs: list[list[Field]] = [[]]
    last = 0
    for field in chain(always, perhaps, *rivals):
        if field.number < last:
            runs.append([])
        runs[-1].append(_field(field, choice.get(field.name, 0)))
        last = field.number
    return runs


def _field(field: FieldDescriptor, choice: int) -> Field:
    label = b"," + orjson.dumps(field.json_name) + b":"
    if is_map(field):
        assert field.message_type is not None
        entry = field.message_type.fields_by_name
        return Map(field.number, label, label + b"{}", _value(entry["key"]), _value(entry["value"]))
    value = _value(field)
    if field.is_repeated:
        absent = label + b"[]"
        if field.is_packed:
            return Packed(field.number, label, absent, value)
        return Several(field.number, value.wire_type, label, absent, choice, value)
    default = b"" if field.has_presence else label + _default(value)
    return Field(field.number, value.wire_type, label, default, choice, value)


def _value(field: FieldDescriptor) -> Value:
    if field.message_type is not None:
        well_known = WELL_KNOWN.get(field.message_type.full_name)
        return values.WellKnown(well_known) if well_known else _object(field.message_type)
    if field.enum_type is not None:
        return _enum(field.enum_type)
    return _VALUES[field.type]


@cache
def _enum(enum: EnumDescriptor) -> Value:
    return values.Enum({each.number: orjson.dumps(each.name) for each in enum.values})


def _default(value: Value) -> bytes:
    out = BytesWriter()
    value.print(Reader(bytes(8)), out)
    return out.getvalue()
