"""Writes messages as bytes, and reads simple ones, without objects in between.

What is written is canonical: the fields in the order of their numbers, those with their default left out. So equal
messages are equal bytes, and both are what protobuf's deterministic serialization gives. The order is the caller's to
keep; a test holds everything that is written here to it.
"""

from __future__ import annotations

from typing import Final

from librt.strings import BytesWriter

NUMBER: Final = 0
"""The wire type of numbers, and of what is one: flags and enums."""
DATA: Final = 2
"""The wire type of what has a length: messages, texts and packed numbers."""
ONE_BYTE: Final = 128
"""Numbers from 0 below it take one byte."""
SMALL_BITS: Final = 21
SMALL: Final = 1 << SMALL_BITS
"""Three bytes are enough for a number below it."""
NEGATIVE: Final = 1 << 64
"""Numbers below 0 are written as their complement."""


class Writer:
    """The fields of one message, as far as they are written."""

    def __init__(self) -> None:
        self._out: Final = BytesWriter()

    def number(self, field: int, number: int) -> None:
        """An `int32`, or a value of an enum."""
        if number:
            self.given(field, number)

    def given(self, field: int, number: int) -> None:
        """An `int32` that has presence, 0 or not."""
        self._varint(field << 3 | NUMBER)
        self._varint(number)

    def signed(self, field: int, number: int) -> None:
        """A `sint32`."""
        self.number(field, 2 * number if number >= 0 else -2 * number - 1)

    def flag(self, field: int, flag: bool) -> None:
        """A `bool`."""
        if flag:
            self.given(field, 1)

    def text(self, field: int, text: str) -> None:
        """A `string`."""
        if text:
            self.data(field, text.encode())

    def data(self, field: int, data: bytes) -> None:
        """A message that is there, however empty it is."""
        self._varint(field << 3 | DATA)
        self._varint(len(data))
        self._out.write(data)

    def numbers(self, field: int, numbers: list[int], more: int = 0) -> None:
        """A `repeated int32`, or enum, of numbers that are each so much more."""
        if not numbers:
            return
        self._varint(field << 3 | DATA)
        self._varint(_length(numbers, more))
        for number in numbers:
            self._varint(number + more)

    def counts(self, field: int, packed: int, kinds: int, width: int) -> None:
        """A message of small counts, the fields from 1 on: each is so many bits of a number, none above 127."""
        self._varint(field << 3 | DATA)
        place = len(self._out)
        self._out.append(0)
        for kind in range(kinds):
            count = packed >> width * kind & (1 << width) - 1
            if count:
                self._out.append(8 * kind + 8)
                self._out.append(count)
        self._out[place] = len(self._out) - place - 1

    def written(self, fields: bytes) -> None:
        """Fields that were written before."""
        self._out.write(fields)

    def done(self) -> bytes:
        """The message."""
        return self._out.getvalue()

    def _varint(self, number: int) -> None:
        if number < 0:
            number += NEGATIVE
        while number >= ONE_BYTE:
            self._out.append(number & 0x7F | 0x80)
            number >>= 7
        self._out.append(number)


class Reader:
    """The fields of one message that is canonical, to be asked for in the order of their numbers.

    A field that is not there has its default. It is not done at the end where there was anything else: fields that were
    not asked for, twice the same, another order, or bytes that are no message.
    """

    def __init__(self, message: bytes) -> None:
        self._message: Final = message
        self._at = 0

    @property
    def is_done(self) -> bool:
        """Whether all of the message has been read."""
        return self._at == len(self._message)

    def data(self, field: int) -> bytes:
        """A message."""
        start = self._at
        if not self._is_next(field << 3 | DATA):
            return b""
        length = self._small()
        end = self._at + length
        if length < 0 or end > len(self._message):
            self._at = start
            return b""
        self._at = end
        return self._message[end - length : end]

    def text(self, field: int) -> str:
        """A `string`. Raises `UnicodeDecodeError`."""
        return self.data(field).decode()

    def small(self, field: int) -> int:
        """An `int32` with presence, if it is below `SMALL`; -1 for none."""
        start = self._at
        number = self._small() if self._is_next(field << 3 | NUMBER) else -1
        if number < 0:
            self._at = start
        return number

    def _is_next(self, tag: int) -> bool:
        """Whether a tag of one byte is next, which is then read."""
        if self._at >= len(self._message) or self._message[self._at] != tag:
            return False
        self._at += 1
        return True

    def _small(self) -> int:
        """A number below `SMALL`; -1 for any other."""
        number = 0
        for place in range(0, SMALL_BITS, 7):
            if self._at >= len(self._message):
                return -1
            byte = self._message[self._at]
            self._at += 1
            number |= (byte & 0x7F) << place
            if byte < ONE_BYTE:
                return number
        return -1


def _length(numbers: list[int], more: int) -> int:
    """How many bytes packed numbers take."""
    length = len(numbers)
    for each in numbers:
        number = each + more
        if number < 0:
            length += 9
        while number >= ONE_BYTE:
            length += 1
            number >>= 7
    return length


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


def given(field: int, number: int) -> bytes:
    """Likewise, with presence."""
    out = Writer()
    out.given(field, number)
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


def counts(field: int, packed: int, kinds: int, width: int) -> bytes:
    """Likewise, of a message of counts."""
    out = Writer()
    out.counts(field, packed, kinds, width)
    return out.done()
