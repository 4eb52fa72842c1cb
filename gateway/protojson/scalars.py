"""How the JSON is read of the values of fields that are no objects."""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from gateway.openapi.schema import Json
from gateway.protojson.faults import Unfit

Plain: TypeAlias = bool | int | float | str | bytes | Duration | Timestamp

_WHOLE: Final = re.compile(r"-?[0-9]{1,20}")
_NUMBER: Final = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?|-?Infinity|NaN")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
WELL_KNOWN: Final[Mapping[str, type[Duration] | type[Timestamp]]] = {
    "google.protobuf.Duration": Duration,
    "google.protobuf.Timestamp": Timestamp,
}


@dataclass(frozen=True)
class Scalar:
    """A type: how its JSON is read (raising `Unfit`), and what to say of JSON that does not fit."""

    read: Callable[[Json], Plain]
    expected: str


def _integer(least: int, greatest: int) -> Scalar:
    def read(value: Json) -> int:
        number = value if type(value) is int else _whole(value)
        if not least <= number <= greatest:
            raise Unfit
        return number

    return Scalar(read, f"expected a whole number from {least} to {greatest}")


def _whole(value: Json) -> int:
    """A whole number that is written as text or as a fraction."""
    if (isinstance(value, str) and _WHOLE.fullmatch(value)) or (isinstance(value, float) and value.is_integer()):
        return int(value)
    raise Unfit


def _read_float(value: Json) -> float:
    if (isinstance(value, str) and _NUMBER.fullmatch(value)) or (
        isinstance(value, int | float) and type(value) is not bool
    ):
        return float(value)
    raise Unfit


def _read_bool(value: Json) -> bool:
    if value is True or value is False:
        return value
    raise Unfit


def _read_text(value: Json) -> str:
    if isinstance(value, str) and (value.isascii() or not _SURROGATE.search(value)):
        return value
    raise Unfit


def _read_bytes(value: Json) -> bytes:
    """Either alphabet, with or without padding."""
    if not isinstance(value, str):
        raise Unfit
    text = value.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return binascii.a2b_base64(text + "=" * (-len(text) % 4), strict_mode=True)
    except ValueError:
        raise Unfit from None


def _enum(enum: EnumDescriptor) -> Scalar:
    numbers = {name: value.number for name, value in enum.values_by_name.items()}
    known = frozenset(numbers.values())

    def read(value: Json) -> int:
        if isinstance(value, str) and value in numbers:
            return numbers[value]
        if type(value) is int and value in known:
            return value
        raise Unfit

    return Scalar(read, f"expected one of {', '.join(numbers)}")


def _well_known(kind: type[Duration] | type[Timestamp]) -> Scalar:
    def read(value: Json) -> Plain:
        message = kind()
        try:
            message.FromJsonString(_read_text(value))
        except ValueError:
            raise Unfit from None
        return message

    return Scalar(read, f"expected a {kind.DESCRIPTOR.name.lower()} as ProtoJSON writes it")


_FLOAT: Final = Scalar(_read_float, "expected a number")
_BYTES: Final = Scalar(_read_bytes, "expected base64 in a string")

_SCALARS: Final[Mapping[int, Scalar]] = {
    FieldDescriptor.CPPTYPE_INT32: _integer(-(1 << 31), (1 << 31) - 1),
    FieldDescriptor.CPPTYPE_UINT32: _integer(0, (1 << 32) - 1),
    FieldDescriptor.CPPTYPE_INT64: _integer(-(1 << 63), (1 << 63) - 1),
    FieldDescriptor.CPPTYPE_UINT64: _integer(0, (1 << 64) - 1),
    FieldDescriptor.CPPTYPE_FLOAT: _FLOAT,
    FieldDescriptor.CPPTYPE_DOUBLE: _FLOAT,
    FieldDescriptor.CPPTYPE_BOOL: Scalar(_read_bool, "expected true or false"),
    FieldDescriptor.CPPTYPE_STRING: Scalar(_read_text, "expected a string"),
}


def is_well_known(message: Descriptor) -> bool:
    """Whether a message is something else than an object in JSON."""
    return message.full_name in WELL_KNOWN


def scalar(field: FieldDescriptor) -> Scalar | None:
    """The type of a field's single values; None for messages that are objects."""
    if field.message_type is not None:
        kind = WELL_KNOWN.get(field.message_type.full_name)
        return _well_known(kind) if kind else None
    if field.enum_type is not None:
        return _enum(field.enum_type)
    return _BYTES if field.type == FieldDescriptor.TYPE_BYTES else _SCALARS[field.cpp_type]
