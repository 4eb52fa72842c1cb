"""Protobuf writer: writes messages straight to bytes, without message objects (ADR 015).

Output is canonical: fields in the order of their numbers, defaults left out. So equal messages are equal bytes, the
same that protobuf's deterministic serialization gives. The caller must write fields in that order; `test_wire.py`
checks every message that the engine writes.
"""

from __future__ import annotations

from typing import Final

from librt.strings import BytesWriter, write_i16_le
from mypy_extensions import i64, mypyc_attr

VARINT: Final = 0
"""Wire type of integers, bools and enums."""
LENGTH_DELIMITED: Final = 2
"""Wire type of messages, strings, bytes and packed numbers."""
ONE_BYTE: Final = 1 << 7
"""Varints from 0 below it take one byte."""
TWO_BYTES: Final = 1 << 14
"""Varints below it take at most two bytes."""
NEXT_FIELD: Final = 8
"""Difference between the tags of two consecutive field numbers."""
WHOLE_GROUPS: Final = 9
"""Groups of seven bits in 64 bits; one bit is left over."""


@mypyc_attr(free_list_len=1)
class Writer:
    """Writer of one message, field by field. `field` is always a field number."""

    def __init__(self) -> None:
        self._out: Final = BytesWriter()

    def number(self, field: i64, number: i64) -> None:
        """An `int32`, `uint32` or enum value."""
        if number:
            self.explicit(field, number)

    def explicit(self, field: i64, number: i64) -> None:
        """An `optional int32` that is set; as its presence is explicit, 0 is written too."""
        self._pair(field << 3 | VARINT, number)

    def signed(self, field: i64, number: i64) -> None:
        """A `sint32`."""
        self.number(field, 2 * number if number >= 0 else -2 * number - 1)

    def flag(self, field: i64, flag: bool) -> None:
        """A `bool`."""
        if flag:
            self.explicit(field, 1)

    def text(self, field: i64, text: str) -> None:
        """A `string`."""
        if text:
            self.data(field, text.encode())

    def data(self, field: i64, data: bytes) -> None:
        """An encoded message, or bytes that are set; written even if empty."""
        self._pair(field << 3 | LENGTH_DELIMITED, len(data))
        self._out.write(data)

    def numbers(self, field: i64, numbers: list[int], more: int = 0) -> None:
        """A `repeated int32` or enum; `more` is added to each number."""
        if not numbers:
            return
        start = self.begin(field)
        for number in numbers:
            self.element(number + more)
        self.end(start)

    def packed(self, field: i64, numbers: bytes) -> None:
        """A `repeated int32` of numbers from 0 to 127, one a byte: the packed encoding is the same bytes."""
        if numbers:
            self.data(field, numbers)

    def element(self, number: i64) -> None:
        """One number of a repeated field that was begun with `begin`."""
        self._varint(number)

    def counts(self, field: i64, packed: i64, width: i64) -> None:
        """A message of int32 counts in the fields from 1 on, at most 15, each from 0 to 127.

        `packed` has the counts as one number, the first in its lowest `width` bits.
        """
        length: i64 = 0
        rest = packed
        while rest > 0:
            if rest >> width << width != rest:
                length += 2
            rest >>= width
        self._pair(field << 3 | LENGTH_DELIMITED, length)
        tag: i64 = NEXT_FIELD
        while packed > 0:
            rest = packed >> width
            count = packed - (rest << width)
            if count:
                self._pair(tag, count)
            packed = rest
            tag += NEXT_FIELD

    def begin(self, field: i64) -> i64:
        """Begin a nested message, or packed numbers; the position to pass to `end`."""
        self._pair(field << 3 | LENGTH_DELIMITED, 0)
        return len(self._out) - 1

    def end(self, start: i64) -> None:
        """End the message or numbers begun last."""
        length: int = len(self._out) - start - 1
        if length < ONE_BYTE:
            self._out[start] = length
        else:
            self._widen_length(start)

    def _widen_length(self, start: i64) -> None:
        """Move a nested message, whose length needs more than the one byte reserved for it."""
        message = self.to_bytes()[start + 1 :]
        self._out.truncate(start)
        self._varint(len(message))
        self._out.write(message)

    def raw(self, fields: bytes) -> None:
        """Encoded fields, tags included."""
        self._out.write(fields)

    def to_bytes(self) -> bytes:
        """The bytes of the message."""
        return self._out.getvalue()

    def _pair(self, tag: i64, number: i64) -> None:
        # Nearly all tags and numbers take one byte each; one store of 16 bits beats two calls.
        if 0 <= tag < ONE_BYTE and 0 <= number < ONE_BYTE:
            both: int = number << 8 | tag
            write_i16_le(self._out, both)
        else:
            self._varint(tag)
            self._varint(number)

    def _varint(self, number: i64) -> None:
        if 0 <= number < ONE_BYTE:
            byte: int = number
            self._out.append(byte)
        elif 0 <= number < TWO_BYTES:
            low: int = number & 0x7F | 0x80
            high: int = number >> 7
            self._out.append(low)
            self._out.append(high)
        else:
            self._long_varint(number)

    def _long_varint(self, number: i64) -> None:
        groups: i64 = 0
        while not 0 <= number < ONE_BYTE and groups < WHOLE_GROUPS:
            byte: int = number & 0x7F | 0x80
            self._out.append(byte)
            number >>= 7
            groups += 1
        # A negative number is sign-extended to 64 bits: of its last group one bit is left.
        if number < 0:
            number = 1
        last: int = number
        self._out.append(last)


def number(field: int, number: int) -> bytes:
    """The encoded field of an `int32` or enum value; empty for 0."""
    out = Writer()
    out.number(field, number)
    return out.to_bytes()


def signed(field: int, number: int) -> bytes:
    """The encoded field of a `sint32`; empty for 0."""
    out = Writer()
    out.signed(field, number)
    return out.to_bytes()


def text(field: int, text: str) -> bytes:
    """The encoded field of a `string`; empty for an empty one."""
    out = Writer()
    out.text(field, text)
    return out.to_bytes()


def data(field: int, data: bytes = b"") -> bytes:
    """The encoded field of a message."""
    out = Writer()
    out.data(field, data)
    return out.to_bytes()
