"""ProtoJSON printer for encoded messages. Fields without presence are always printed, unset ones as defaults.

Builds the printers of each message type once, from its descriptor. `docs/adr/003` says why this is not `json_format`.
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

from gateway.openapi.schema import is_map, oneofs
from gateway.protojson import value_printers as values
from gateway.protojson.field_printers import FieldPrinter, ObjectPrinter, PackedPrinter, RepeatedPrinter
from gateway.protojson.value_printers import JsonFormatPrinter, MessagePrinter, ValuePrinter
from gateway.protojson.wire_reader import NonCanonical, WireReader

_SCALAR_PRINTERS: Final[Mapping[int, ValuePrinter]] = {
    FieldDescriptor.TYPE_INT32: values.Int32Printer(),
    FieldDescriptor.TYPE_UINT32: values.Uint32Printer(),
    FieldDescriptor.TYPE_SINT32: values.Sint32Printer(),
    FieldDescriptor.TYPE_BOOL: values.BoolPrinter(),
    FieldDescriptor.TYPE_DOUBLE: values.DoublePrinter(),
    FieldDescriptor.TYPE_STRING: values.StringPrinter(),
    FieldDescriptor.TYPE_BYTES: values.BytesPrinter(),
}


def format(message: Message) -> bytes:
    """The message as JSON text."""
    descriptor = message.DESCRIPTOR
    assert isinstance(descriptor, Descriptor)
    return print_bytes(message.SerializeToString(deterministic=True), descriptor)


def print_bytes(data: bytes, kind: Descriptor) -> bytes:
    """An encoded message as JSON text. Raises `DecodeError` for bytes that are no message of this type."""
    printer = message_printer(kind)
    try:
        return printer.message_text(data)  # what engines send is canonical
    except NonCanonical:
        canonical = _canonical(data, kind)
    try:
        return printer.message_text(canonical)
    except NonCanonical:
        raise DecodeError(f"{kind.full_name}: cannot read what protobuf itself has encoded") from None


def _canonical(data: bytes, kind: Descriptor) -> bytes:
    """The same message, encoded again by protobuf without unknown fields."""
    message = GetMessageClass(kind).FromString(data)
    message.DiscardUnknownFields()
    return message.SerializeToString(deterministic=True)


_MESSAGE_PRINTERS: Final[dict[Descriptor, MessagePrinter]] = {}


def message_printer(message: Descriptor) -> MessagePrinter:
    """The printer of a message type, built when it is first needed."""
    known = _MESSAGE_PRINTERS.get(message)
    if known is None and _needs_json_format(message):
        known = _MESSAGE_PRINTERS[message] = JsonFormatPrinter(GetMessageClass(message))
    elif known is None:
        # Stored before its fields are known: a field may have the same type.
        known = _MESSAGE_PRINTERS[message] = printer = ObjectPrinter()
        printer.set_fields(_ascending_runs(message))
    return known


def _needs_json_format(message: Descriptor) -> bool:
    return message.file.package == "google.protobuf" or not all(map(_has_printer, message.fields))


def _has_printer(field: FieldDescriptor) -> bool:
    is_scalar = field.message_type is None and field.enum_type is None
    return field.type in _SCALAR_PRINTERS if is_scalar else not is_map(field)


def _ascending_runs(message: Descriptor) -> list[list[FieldPrinter]]:
    """The printers of a message in ascending runs: always printed fields first, then those printed only when set."""
    oneof_fields = [sorted(oneof.fields, key=lambda field: field.number) for oneof in oneofs(message)]
    oneof_of = {field.name: number for number, fields in enumerate(oneof_fields, 1) for field in fields}
    plain = [field for field in message.fields if field.name not in oneof_of]
    without_presence = [field for field in plain if not field.has_presence]
    with_presence = [field for field in plain if field.has_presence]
    runs: list[list[FieldPrinter]] = [[]]
    last = 0
    for field in chain(without_presence, with_presence, *oneof_fields):
        if field.number < last:
            runs.append([])
        runs[-1].append(_field_printer(field, oneof_of.get(field.name, 0)))
        last = field.number
    return runs


def _field_printer(field: FieldDescriptor, oneof: int) -> FieldPrinter:
    label = b"," + orjson.dumps(field.json_name) + b":"
    value = _value_printer(field)
    if field.is_packed:
        return PackedPrinter(field.number, label, label + b"[]", value)
    if field.is_repeated:
        return RepeatedPrinter(field.number, value.wire_type, label, label + b"[]", oneof, value)
    default = b"" if field.has_presence else label + _default_text(value)
    return FieldPrinter(field.number, value.wire_type, label, default, oneof, value)


def _value_printer(field: FieldDescriptor) -> ValuePrinter:
    if field.message_type is not None:
        return message_printer(field.message_type)
    if field.enum_type is not None:
        return _enum_printer(field.enum_type)
    return _SCALAR_PRINTERS[field.type]


@cache
def _enum_printer(enum: EnumDescriptor) -> ValuePrinter:
    return values.EnumPrinter({each.number: orjson.dumps(each.name) for each in enum.values})


def _default_text(value: ValuePrinter) -> bytes:
    """The JSON of the default value: one whose encoded bytes are all zero."""
    out = BytesWriter()
    value.print(WireReader(bytes(8)), out)
    return out.getvalue()
