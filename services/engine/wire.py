"""Writes protobuf messages as bytes, without message objects.

What is written is canonical: the fields in the order of their numbers, those with their default left out. So equal
messages are equal bytes, and both are what protobuf's deterministic serialization gives. The order is the caller's to
keep; a test holds everything that is written here to it.
"""

from __future__ import annotations

from typing import Final

from librt.strings import BytesWriter, write_i16_le
from mypy_extensions import i64, mypyc_attr

NUMBER: Final = 0
"""The wire type of numbers, and of what is one: flags and enums."""
DATA: Final = 2
"""The wire type of what has a length: messages, texts and packed numbers."""
ONE_BYTE: Final = 128
"""Numbers from 0 below it take one byte."""
TWO_BYTES: Final = 1 << 14
"""Likewise, two."""
NEXT_FIELD: Final = 8
"""Between the tags of two fields that follow each other."""
WHOLE_GROUPS: Final = 9
"""Of seven bits each, in 64 bits; one bit is left."""


@mypyc_attr(free_list_len=1)
class Writer:
    """The fields of one message, as far as they are written."""

    def __init__(self) -> None:
        self._out: Final = BytesWriter()

    def number(self, field: i64, number: i64) -> None:
        """An `int32`, or a value of an enum."""
        if number:
            self.given(field, number)

    def given(self, field: i64, number: i64) -> None:
        """An `int32` that has presence, 0 or not."""
        self._pair(field << 3 | NUMBER, number)

    def signed(self, field: i64, number: i64) -> None:
        """A `sint32`."""
        self.number(field, 2 * number if number >= 0 else -2 * number - 1)

    def flag(self, field: i64, flag: bool) -> None:
        """A `bool`."""
        if flag:
            self.given(field, 1)

    def text(self, field: i64, text: str) -> None:
        """A `string`."""
        if text:
            self.data(field, text.encode())

    def data(self, field: i64, data: bytes) -> None:
        """A message that is there, however empty it is."""
        self._pair(field << 3 | DATA, len(data))
        self._out.write(data)

    def numbers(self, field: i64, numbers: list[int], more: int = 0) -> None:
        """A `repeated int32`, or enum, of numbers that are each so much more."""
        if not numbers:
            return
        place = self.begin(field)
        for number in numbers:
            self.element(number + more)
        self.end(place)

    def packed(self, field: i64, numbers: bytes) -> None:
        """A `repeated int32` of numbers below 128, a byte each, which is how they are packed."""
        if numbers:
            self.data(field, numbers)

    def element(self, number: i64) -> None:
        """One of the numbers of a field that was begun: a `repeated int32`, or enum."""
        self._varint(number)

    def counts(self, field: i64, packed: i64, width: i64) -> None:
        """A message of small counts, the fields from 1 to 15: each is so many bits of a number, none above 127."""
        length: i64 = 0
        rest = packed
        while rest > 0:
            if rest >> width << width != rest:
                length += 2
            rest >>= width
        self._pair(field << 3 | DATA, length)
        tag: i64 = NEXT_FIELD
        while packed > 0:
            rest = packed >> width
            count = packed - (rest << width)
            if count:
                self._pair(tag, count)
            packed = rest
            tag += NEXT_FIELD

    def begin(self, field: i64) -> i64:
        """Begin a message, whose fields are written then, or numbers; the place by which it is ended."""
        self._pair(field << 3 | DATA, 0)
        return len(self._out) - 1

    def end(self, place: i64) -> None:
        """End what was begun last."""
        length: int = len(self._out) - place - 1
        if length < ONE_BYTE:
            self._out[place] = length
        else:
            self._make_room(place)

    def _make_room(self, place: i64) -> None:
        """Write anew, behind its length, what takes more than the byte that was left for it."""
        message = self.done()[place + 1 :]
        self._out.truncate(place)
        self._varint(len(message))
        self._out.write(message)

    def written(self, fields: bytes) -> None:
        """Fields that were written before."""
        self._out.write(fields)

    def done(self) -> bytes:
        """The message."""
        return self._out.getvalue()

    def _pair(self, tag: i64, number: i64) -> None:
        """A tag and what follows it, most often a byte each."""
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
        if number < 0:
            number = 1
        last: int = number
        self._out.append(last)


def number(field: int, number: int) -> bytes:
    """A message, or a part of one, that has this one field."""
    out = Writer()
    out.number(field, number)
    return out.done()


def signed(field: int, number: int) -> bytes:
    """Likewise, of a `sint32`."""
    out = Writer()
    out.signed(field, number)
    return out.done()


def text(field: int, text: str) -> bytes:
    """Likewise, of a text."""
    out = Writer()
    out.text(field, text)
    return out.done()


def data(field: int, data: bytes = b"") -> bytes:
    """Likewise, of a message."""
    out = Writer()
    out.data(field, data)
    return out.done()
