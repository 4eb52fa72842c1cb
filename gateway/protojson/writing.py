"""JSON to the bytes of messages, by tables that are made once for each message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from librt.strings import BytesWriter

from gateway.openapi.schema import choices, is_map, is_required
from gateway.protojson.quick import Field, Flag, Kind, Name, Object, Packed, Several, Signed, Text, Whole, write_varint
from gateway.protojson.scalars import is_well_known
from gateway.protojson.wire import DATA

# Types that requests do not have are left to the careful way.
_LEFT: Final = Kind()
_KINDS: Final[Mapping[int, Kind]] = {
    FieldDescriptor.TYPE_INT32: Whole(-(1 << 31), (1 << 31) - 1),
    FieldDescriptor.TYPE_UINT32: Whole(0, (1 << 32) - 1),
    FieldDescriptor.TYPE_SINT32: Signed(-(1 << 31), (1 << 31) - 1),
    FieldDescriptor.TYPE_BOOL: Flag(),
    FieldDescriptor.TYPE_STRING: Text(),
}


def write(value: dict[str, object], kind: Descriptor) -> bytes:
    """The message that JSON stands for, as canonical bytes. Raises `Unfit` for JSON that is not as it is printed."""
    out = BytesWriter()
    _object(kind).write_fields(value, out, 0)
    return out.getvalue()


_OBJECTS: Final[dict[Descriptor, Object]] = {}


def _object(message: Descriptor) -> Object:
    known = _OBJECTS.get(message)
    if known is None:
        known = _OBJECTS[message] = Object()
        fields = sorted(message.fields, key=lambda field: field.number)
        places = {name: place for place, field in enumerate(fields) for name in (field.name, field.json_name)}
        bits = {field.name: 1 << place for place, oneof in enumerate(choices(message)) for field in oneof.fields}
        known.learn([_field(field, bits.get(field.name, 0)) for field in fields], places)
    return known


def _field(field: FieldDescriptor, choice: int) -> Field:
    kind = _LEFT if is_map(field) else _kind(field)
    tag = _tag(field.number, DATA if field.is_packed else kind.wire_type)
    return _shape(field, kind)(tag, kind, choice, is_required(field), field.has_presence)


def _shape(field: FieldDescriptor, kind: Kind) -> type[Field]:
    if kind is _LEFT or not field.is_repeated:
        return Field
    return Packed if field.is_packed else Several


def _kind(field: FieldDescriptor) -> Kind:
    if field.message_type is not None:
        return _LEFT if is_well_known(field.message_type) else _object(field.message_type)
    if field.enum_type is not None:
        return Name({name: value.number for name, value in field.enum_type.values_by_name.items()})
    return _KINDS.get(field.type, _LEFT)


def _tag(number: int, wire_type: int) -> bytes:
    out = BytesWriter()
    write_varint(number << 3 | wire_type, out)
    return out.getvalue()
