"""How single values are printed, as they stand in the bytes of their message."""

from __future__ import annotations

import binascii
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Final

import orjson
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp
from librt.strings import BytesWriter

from gateway.protojson.wire import DATA, EIGHT, FOUR, NUMBER, ONE_BYTE, Reader, Unusual

if TYPE_CHECKING:
    from mypy_extensions import i64

QUOTE: Final = 34
"""The byte."""

_BITS_32: Final = (1 << 32) - 1
_INT32_MAX: Final = (1 << 31) - 1
_NEGATIVE: Final = 1 << 64
_INFINITY: Final = float("inf")


class Value(ABC):
    """Values of one type."""

    wire_type: int = DATA

    def __init__(self) -> None:
        self.texts: list[bytes] = []
        """How those are printed that take one byte, by that byte, if they are numbers."""

    @abstractmethod
    def print(self, reader: Reader, out: BytesWriter) -> None:
        """Read one and print it. Raises `Unusual`."""


class Number(Value):
    """Whole numbers, and what is written as one: most of them are small, and are printed by a table."""

    wire_type = NUMBER

    def __init__(self) -> None:
        super().__init__()
        self.texts = [self.text(number) for number in range(ONE_BYTE)]

    def print(self, reader: Reader, out: BytesWriter) -> None:
        number = reader.varint()
        out.write(self.texts[number] if 0 <= number < ONE_BYTE else self.text(number))

    @abstractmethod
    def text(self, number: i64) -> bytes:
        """How the value is printed that has this number on the wire. Raises `Unusual`."""


class Int32(Number):
    """An `int32`."""

    def text(self, number: i64) -> bytes:
        return int32(number)


class Uint32(Number):
    """A `uint32`."""

    def text(self, number: i64) -> bytes:
        return b"%d" % within_32_bits(number)


class Sint32(Number):
    """A `sint32`."""

    def text(self, number: i64) -> bytes:
        return b"%d" % unfolded(within_32_bits(number))


class Int64(Number):
    """An `int64`, which is a text in JSON, as all numbers of 64 bits are."""

    def text(self, number: i64) -> bytes:
        return b'"%d"' % number


class Uint64(Number):
    """A `uint64`."""

    def text(self, number: i64) -> bytes:
        return b'"%d"' % unsigned(number)


class Sint64(Number):
    """A `sint64`."""

    def text(self, number: i64) -> bytes:
        return b'"%d"' % unfolded(number)


class Bool(Number):
    """A `bool`."""

    def text(self, number: i64) -> bytes:
        return b"true" if number else b"false"


class Enum(Number):
    """An enum; a value without a name, from a newer engine, is printed as a number."""

    def __init__(self, names: dict[int, bytes]) -> None:
        """Names in quotes, by number."""
        self._names: Final = names
        super().__init__()

    def text(self, number: i64) -> bytes:
        name = self._names.get(number)
        return int32(number) if name is None else name


class Fixed32(Value):
    """A `fixed32`."""

    wire_type = FOUR

    def print(self, reader: Reader, out: BytesWriter) -> None:
        out.write(b"%d" % (reader.fixed32() & _BITS_32))


class Sfixed32(Value):
    """An `sfixed32`."""

    wire_type = FOUR

    def print(self, reader: Reader, out: BytesWriter) -> None:
        out.write(b"%d" % reader.fixed32())


class Fixed64(Value):
    """A `fixed64`."""

    wire_type = EIGHT

    def print(self, reader: Reader, out: BytesWriter) -> None:
        out.write(b'"%d"' % unsigned(reader.fixed64()))


class Sfixed64(Value):
    """An `sfixed64`."""

    wire_type = EIGHT

    def print(self, reader: Reader, out: BytesWriter) -> None:
        out.write(b'"%d"' % reader.fixed64())


class Float(Value):
    """A `float`, with the digits of its 64-bit value."""

    wire_type = FOUR

    def print(self, reader: Reader, out: BytesWriter) -> None:
        out.write(printed_float(reader.float32()))


class Double(Value):
    """A `double`."""

    wire_type = EIGHT

    def print(self, reader: Reader, out: BytesWriter) -> None:
        out.write(printed_float(reader.float64()))


class String(Value):
    """A `string`."""

    def print(self, reader: Reader, out: BytesWriter) -> None:
        try:
            text = reader.chunk().decode()
        except UnicodeDecodeError:
            raise Unusual from None
        out.write(orjson.dumps(text))


class Bytes(Value):
    """A `bytes`, in base64."""

    def print(self, reader: Reader, out: BytesWriter) -> None:
        out.append(QUOTE)
        out.write(binascii.b2a_base64(reader.chunk(), newline=False))
        out.append(QUOTE)


class WellKnown(Value):
    """A message that is a text in JSON."""

    def __init__(self, kind: type[Duration] | type[Timestamp]) -> None:
        super().__init__()
        self._kind: Final = kind

    def print(self, reader: Reader, out: BytesWriter) -> None:
        out.write(orjson.dumps(self._kind.FromString(reader.chunk()).ToJsonString()))


def int32(number: i64) -> bytes:
    """A number with a sign, which must have no more than 32 bits."""
    if not -1 - _INT32_MAX <= number <= _INT32_MAX:
        raise Unusual
    return b"%d" % number


def within_32_bits(number: i64) -> i64:
    """A number without a sign, likewise."""
    if not 0 <= number <= _BITS_32:
        raise Unusual
    return number


def unfolded(number: i64) -> i64:
    """The number that has its sign in the lowest bit on the wire."""
    half = number >> 1 & 0x7FFFFFFFFFFFFFFF
    return -1 - half if number & 1 else half


def unsigned(number: i64) -> int:
    """The number whose 64 bits were read as one with a sign."""
    whole = int(number)
    return whole if whole >= 0 else whole + _NEGATIVE


def printed_float(number: float) -> bytes:
    """Infinities and no number are texts."""
    if number != number:
        return b'"NaN"'
    if number == _INFINITY:
        return b'"Infinity"'
    return b'"-Infinity"' if number == -_INFINITY else orjson.dumps(number)
