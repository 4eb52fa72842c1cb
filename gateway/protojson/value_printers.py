"""ProtoJSON printers of single values (scalars, enums, messages), read from the protobuf wire format."""

from __future__ import annotations

from abc import ABC, abstractmethod
from binascii import b2a_base64
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import orjson
from google.protobuf import json_format
from google.protobuf.message import Message
from librt.strings import BytesWriter

from gateway.protojson.wire_reader import FIXED64, LENGTH_DELIMITED, ONE_BYTE_VARINTS, VARINT, NonCanonical, WireReader

if TYPE_CHECKING:
    from mypy_extensions import i64

_UINT32_MAX: Final = (1 << 32) - 1
_INT32_MAX: Final = (1 << 31) - 1
_INFINITY: Final = float("inf")

# Declared as a dict, but well-known types give a string: compiled code would refuse that.
_message_to_dict: Final[Callable[..., object]] = json_format.MessageToDict


class ValuePrinter(ABC):
    """Prints values of one type."""

    wire_type: int = LENGTH_DELIMITED

    def __init__(self) -> None:
        self.texts: list[bytes] = []
        """For varint types: the texts of all one-byte values, indexed by the byte."""

    @abstractmethod
    def print(self, reader: WireReader, out: BytesWriter) -> None:
        """Read one value and print it. Raises `NonCanonical`."""


class VarintPrinter(ValuePrinter):
    """Prints integers, booleans and enums. Small values, which are the most, are looked up in a table."""

    wire_type = VARINT

    def __init__(self) -> None:
        super().__init__()
        self.texts = [self.text(number) for number in range(ONE_BYTE_VARINTS)]

    def print(self, reader: WireReader, out: BytesWriter) -> None:
        number = reader.varint()
        out.write(self.texts[number] if 0 <= number < ONE_BYTE_VARINTS else self.text(number))

    @abstractmethod
    def text(self, number: i64) -> bytes:
        """The text of the value that is encoded as this varint. Raises `NonCanonical`."""


class Int32Printer(VarintPrinter):
    """Prints an `int32`."""

    def text(self, number: i64) -> bytes:
        return int32_text(number)


class Uint32Printer(VarintPrinter):
    """Prints a `uint32`."""

    def text(self, number: i64) -> bytes:
        return b"%d" % uint32(number)


class Sint32Printer(VarintPrinter):
    """Prints a `sint32`."""

    def text(self, number: i64) -> bytes:
        return b"%d" % zigzag_decoded(uint32(number))


class BoolPrinter(VarintPrinter):
    """Prints a `bool`."""

    def text(self, number: i64) -> bytes:
        return b"true" if number else b"false"


class EnumPrinter(VarintPrinter):
    """Prints the name of an enum value, or the number if it is unknown here (sent by a newer engine)."""

    def __init__(self, names: dict[int, bytes]) -> None:
        """`names` are the quoted names of the values by number."""
        self._names: Final = names
        super().__init__()

    def text(self, number: i64) -> bytes:
        name = self._names.get(number)
        return int32_text(number) if name is None else name


class DoublePrinter(ValuePrinter):
    """Prints a `double`."""

    wire_type = FIXED64

    def print(self, reader: WireReader, out: BytesWriter) -> None:
        out.write(double_text(reader.double()))


class StringPrinter(ValuePrinter):
    """Prints a `string`."""

    def print(self, reader: WireReader, out: BytesWriter) -> None:
        try:
            text = reader.chunk().decode()
        except UnicodeDecodeError:
            raise NonCanonical from None
        out.write(orjson.dumps(text))


class BytesPrinter(ValuePrinter):
    """Prints `bytes` in base64."""

    def print(self, reader: WireReader, out: BytesWriter) -> None:
        out.write(b'"' + b2a_base64(reader.chunk(), newline=False) + b'"')


class MessagePrinter(ValuePrinter):
    """Prints messages of one type."""

    @abstractmethod
    def message_text(self, data: bytes) -> bytes:
        """The JSON of an encoded message. Raises `NonCanonical`, or `DecodeError` for bytes that are no message."""


class JsonFormatPrinter(MessagePrinter):
    """Prints messages by `json_format`: well-known types, and messages with a field of a type that has no printer."""

    def __init__(self, message_class: type[Message]) -> None:
        super().__init__()
        self._message_class: Final = message_class

    def print(self, reader: WireReader, out: BytesWriter) -> None:
        out.write(self.message_text(reader.chunk()))

    def message_text(self, data: bytes) -> bytes:
        message = self._message_class.FromString(data)
        return orjson.dumps(_message_to_dict(message, always_print_fields_with_no_presence=True))


def int32_text(number: i64) -> bytes:
    """The text of a signed number of 32 bits."""
    if not -1 - _INT32_MAX <= number <= _INT32_MAX:
        raise NonCanonical
    return b"%d" % number


def uint32(number: i64) -> i64:
    """The number itself. Raises `NonCanonical` unless it fits 32 bits, unsigned."""
    if not 0 <= number <= _UINT32_MAX:
        raise NonCanonical
    return number


def zigzag_decoded(number: i64) -> i64:
    """The signed number of a zigzag encoding, whose lowest bit is the sign."""
    half = number >> 1 & 0x7FFFFFFFFFFFFFFF
    return -1 - half if number & 1 else half


def double_text(number: float) -> bytes:
    """The text of a double. Infinities and NaN are strings in ProtoJSON."""
    if number != number:
        return b'"NaN"'
    if number == _INFINITY:
        return b'"Infinity"'
    return b'"-Infinity"' if number == -_INFINITY else orjson.dumps(number)
