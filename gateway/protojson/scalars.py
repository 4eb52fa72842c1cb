"""ProtoJSON readers of scalars: 32-bit integers, booleans, strings and enums."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor

from gateway.openapi.schema import Json
from gateway.protojson.errors import Mismatch

Scalar: TypeAlias = bool | int | str

_WHOLE_NUMBER: Final = re.compile(r"-?[0-9]{1,20}")  # int() raises for more than 4300 digits
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class ScalarReader:
    """`read` raises `Mismatch` for JSON that does not fit the type; `expected` describes what fits."""

    read: Callable[[Json], Scalar]
    expected: str


def _integer_reader(least: int, greatest: int) -> ScalarReader:
    def read(value: Json) -> int:
        number = value if type(value) is int else _whole_number(value)  # not isinstance: True is an int too
        if not least <= number <= greatest:
            raise Mismatch
        return number

    return ScalarReader(read, f"expected a whole number from {least} to {greatest}")


def _whole_number(value: Json) -> int:
    """A whole number that is written as a string or with a fraction of zero."""
    if (isinstance(value, str) and _WHOLE_NUMBER.fullmatch(value)) or (isinstance(value, float) and value.is_integer()):
        return int(value)
    raise Mismatch


def _read_bool(value: Json) -> bool:
    if value is True or value is False:
        return value
    raise Mismatch


def _read_string(value: Json) -> str:
    # A JSON escape can make half of a surrogate pair, which UTF-8 cannot encode.
    if isinstance(value, str) and (value.isascii() or not _SURROGATE.search(value)):
        return value
    raise Mismatch


def _enum_reader(enum: EnumDescriptor) -> ScalarReader:
    numbers = {name: value.number for name, value in enum.values_by_name.items()}
    known = frozenset(numbers.values())

    def read(value: Json) -> int:
        if isinstance(value, str) and value in numbers:
            return numbers[value]
        if type(value) is int and value in known:
            return value
        raise Mismatch

    return ScalarReader(read, f"expected one of {', '.join(numbers)}")


_INT32_READER: Final = _integer_reader(-(1 << 31), (1 << 31) - 1)
_SCALAR_READERS: Final[Mapping[int, ScalarReader]] = {
    FieldDescriptor.TYPE_INT32: _INT32_READER,
    FieldDescriptor.TYPE_SINT32: _INT32_READER,
    FieldDescriptor.TYPE_UINT32: _integer_reader(0, (1 << 32) - 1),
    FieldDescriptor.TYPE_BOOL: ScalarReader(_read_bool, "expected true or false"),
    FieldDescriptor.TYPE_STRING: ScalarReader(_read_string, "expected a string"),
}


def scalar_reader(field: FieldDescriptor) -> ScalarReader | None:
    """The reader of a field's single values; None for messages, and for types that are left to `json_format`."""
    return _enum_reader(field.enum_type) if field.enum_type is not None else _SCALAR_READERS.get(field.type)
